"""Process that reads HDF5 and MAT files: it is started at the first file, and ended if a file takes too long.

The libraries for these formats are not safe for damaged files: some never return, some end the process.

Requests and answers are lines of JSON on its standard input and output. Arrays are in a temporary file.
"""

from __future__ import annotations

import atexit
import json
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError

from ..safe_xml import ExchangeError
from .channels import NamedArray

__all__ = ["arrays_from_process"]

SECONDS = 10.0
"""Time for a file, in addition to that for its size."""
BYTES_PER_SECOND = 10e6


class _Worker:
    """The process, and a thread that waits for its answers."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from pitchline.exchange.measurements.reading_process import serve; serve()"]
        paths = {"PYTHONPATH": str(Path(__file__).parents[3])}
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=_environment(paths),
        )
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask({"ready": True}, 60.0)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._answers.put(line)
        self._answers.put("")

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Answer to a request; None if it took too long, or the process ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._answers.get(timeout=seconds)
        except (queue.Empty, OSError, ValueError):
            line = ""
        if not line:
            self.end()
            return None
        found: dict[str, Any] = json.loads(line)
        return found

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        _workers.clear()


_workers: list[_Worker] = []
_lock = threading.Lock()


def _environment(more: dict[str, str]) -> dict[str, str]:
    import os

    before = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [more["PYTHONPATH"], before]))}


def arrays_from_process(
    path: Path, name: str, group: str | None, kind: str
) -> tuple[list[NamedArray], dict[str, float]]:
    """Arrays of a file, and numbers among its attributes. ExchangeError if it is damaged. kind: "HDF5", "MAT 7.3" or "MAT"."""
    seconds = SECONDS + path.stat().st_size / BYTES_PER_SECOND
    with _lock, tempfile.TemporaryDirectory(prefix="pitchline-read-") as folder:
        if not _workers:
            _workers.append(_Worker())
            atexit.register(_workers[0].end)
        target = str(Path(folder) / "arrays.npz")
        request = {"path": str(path.absolute()), "name": name, "group": group, "kind": kind, "target": target}
        answer = _workers[0].ask(request, seconds)
        if answer is None:
            raise ExchangeError(
                f"{name}: not a valid {kind} file: its library could not read it, or not within {seconds:.0f} s"
            )
        if "error" in answer:
            raise ExchangeError(str(answer["error"]))
        with np.load(target, allow_pickle=False) as stored:
            arrays = [
                NamedArray(about["path"], stored[f"a{k}"], about["unit"], about["description"])
                for k, about in enumerate(answer["arrays"])
            ]
    return arrays, {str(key): float(value) for key, value in answer["numbers"].items()}


def serve() -> None:
    """Answer requests until the input ends."""
    from .channels import arrays_of
    from .text_file import arrays_of_mat

    for line in sys.stdin:
        request = json.loads(line)
        if "ready" in request:
            answer: dict[str, Any] = {"ready": True}
        else:
            try:
                numbers: dict[str, float] = {}
                path, name = Path(request["path"]), request["name"]
                if request["kind"] == "MAT":
                    arrays = arrays_of_mat(path, name)
                else:
                    arrays, numbers = arrays_of(path, name, request["group"], matlab=request["kind"] == "MAT 7.3")
                np.savez(request["target"], **{f"a{k}": array.values for k, array in enumerate(arrays)})  # type: ignore[arg-type]
                about = [{"path": one.path, "unit": one.unit, "description": one.description} for one in arrays]
                answer = {"arrays": about, "numbers": numbers}
            except (PitchlineError, OSError, MemoryError) as error:
                answer = {"error": str(error) or type(error).__name__}
        print(json.dumps(answer), flush=True)
