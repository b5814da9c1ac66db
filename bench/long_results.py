"""Long results: a file of 1e6 samples and 100 signals (0.8 GB), opened without being read, and looked at window by window.

Printed are the times to open it, and to make 2000 columns of smallest and largest values of six signals: of the whole record and
of parts of it, at first (with checksums) and again, from the disk (dropped from the page cache) and from memory; the same asked of
the local server of the viewer; and the memory that the process takes.
"""

from __future__ import annotations

import http.client
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

import pitchline as pl
from pitchline.results.series import columns_between
from pitchline.viewer import record_of
from pitchline.viewer.server import Server

SAMPLES, SIGNALS, STEP = 1_000_000, 100, 1e-5
SHOWN, COLUMNS = 6, 2000
WINDOWS = {"whole record": (0.0, SAMPLES * STEP), "a tenth": (3.0, 4.0), "a thousandth": (5.0, 5.01)}


def long_result() -> pl.Result:
    """Sines with noise."""
    time_, noise = STEP * np.arange(SAMPLES, dtype=np.float64), np.random.default_rng(0)
    signals = {}
    for i in range(SIGNALS):
        name = f"part_{i}.force"
        signals[name] = pl.Signal(
            name, np.sin(30.0 * (i + 1) * time_) + 0.1 * noise.standard_normal(SAMPLES), time_, "N"
        )
    return pl.Result(kind="dynamics", model_name="long", time=time_, signals=signals)


def zoom(result: pl.Result, window: tuple[float, float]) -> None:
    """What a picture of six curves needs."""
    columns = columns_between(result.time, *window, COLUMNS)
    for name in result.names()[:SHOWN]:
        columns.reduce(result[name][columns.rows])


class Page:
    """Asks the local server, as a page does."""

    def __init__(self, server: Server) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", server.port)
        self.headers = {"Authorization": f"Bearer {server.token}"}

    def zoom(self, names: list[str], window: tuple[float, float]) -> None:
        """As `zoom`."""
        asked = [
            ("record", 0),
            ("px", COLUMNS),
            ("from", window[0]),
            ("to", window[1]),
            *(("name", name) for name in names),
        ]
        self.line.request("GET", f"/api/series?{urlencode(asked)}", headers=self.headers)
        answer = self.line.getresponse()
        if answer.status != 200:
            raise RuntimeError(answer.read())
        answer.read()


def forget(path: Path) -> None:
    """Drop a file from the page cache, where the system can."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as stream:
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def seconds(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def memory() -> float:
    """Resident memory of this process [MB]; nan where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return float("nan")


def bench(repeats: int) -> None:
    """Plain and compressed."""
    print(
        f"\nA result of {SAMPLES} samples and {SIGNALS} signals; {SHOWN} of them in {COLUMNS} columns; ms, best of {repeats}"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.nc"
        for compress in (False, True):
            long_result().save(path, overwrite=True, compress=compress)
            before = memory()
            opening, first, cold = [], [], []
            again: dict[str, list[float]] = {name: [] for name in WINDOWS}
            served: dict[str, list[float]] = {name: [] for name in WINDOWS}
            for _ in range(repeats):
                forget(path)
                begin = time.perf_counter()
                with pl.load(path, lazy=True) as result:
                    opening.append(time.perf_counter() - begin)
                    whole = WINDOWS["whole record"]
                    first.append(seconds(lambda: zoom(result, whole)))  # noqa: B023
                    forget(path)
                    cold.append(seconds(lambda: zoom(result, whole)))  # noqa: B023
                    for name, window in WINDOWS.items():
                        again[name].append(seconds(lambda: zoom(result, window)))  # noqa: B023
                    with Server([record_of(result, signals=False)]) as server:
                        server.start()
                        page, names = Page(server), result.names()[:SHOWN]
                        for name, window in WINDOWS.items():
                            served[name].append(seconds(lambda: page.zoom(names, window)))  # noqa: B023
                        page.line.close()
                    after = memory()
            print(f"{'compressed' if compress else 'plain'}, {path.stat().st_size / 1e6:.0f} MB")
            told = {"open, from the disk": opening, "first look, from the disk": first, "again, from the disk": cold}
            told |= {f"{name}, from memory": times for name, times in again.items()}
            told |= {f"{name}, from the server": times for name, times in served.items()}
            for what, times in told.items():
                print(f"  {what:<28} {1e3 * min(times):7.1f}")
            print(f"  {'memory more than before':<28} {after - before:7.1f} MB")
