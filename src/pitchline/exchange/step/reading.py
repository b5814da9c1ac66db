"""Reading of a STEP file in a process of its own, with a time limit."""

from __future__ import annotations

import contextlib
import io
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..limits import ExchangeError

__all__ = ["CadProcess", "kernel_version", "need_kernel"]

_COMMAND = "import sys; sys.path[:] = {path!r}; from pitchline.exchange.step.worker import main; main()"


def need_kernel() -> None:
    """Error unless the CAD kernel is installed. It is only imported if its version is unknown: that takes a second."""
    if kernel_version():
        return
    try:
        import OCP  # noqa: F401
    except ImportError:
        raise ExchangeError(
            'reading STEP files needs the CAD kernel: pip install "pitchline[cad]". Without it, read_mass_table reads mass '
            "properties from a CSV or JSON file"
        ) from None


def kernel_version() -> int:
    """Main version of the CAD kernel."""
    from importlib.metadata import PackageNotFoundError, version

    for name in ("cadquery-ocp-novtk", "cadquery-ocp"):
        try:
            return int(version(name).split(".")[0])
        except (PackageNotFoundError, ValueError):
            continue
    return 0


class CadProcess:
    """Process that reads STEP files one after the other. It starts with the first file, and again after a crash."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[bytes | None] = queue.Queue()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> CadProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # at the end of the program, modules may be gone
            self.close()

    def read(self, path: Path, *, seconds: float, **request: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Description and arrays of a file (see `worker`). ExchangeError: with the reason, also after a crash."""
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        line = json.dumps({"path": str(path.resolve()), **request}) + "\n"
        try:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
            data = self._answers.get(timeout=seconds)
        except (queue.Empty, BrokenPipeError) as error:
            slow = isinstance(error, queue.Empty)
            self.close()
            if slow:
                raise ExchangeError(
                    f"{path}: the CAD kernel needs more than the time limit of {seconds:g} s. Specify a longer time_limit, or "
                    "export fewer parts"
                ) from None
            data = None
        if data is None:
            self.close()
            raise ExchangeError(f"{path}: the CAD kernel failed on this file: it is damaged. Export it again")
        archive = np.load(io.BytesIO(data), allow_pickle=False)
        head = json.loads(bytes(archive["head"]))
        if "error" in head:
            raise ExchangeError(f"{path}: {head['error']}")
        return head, {name: archive[name] for name in archive.files if name != "head"}

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if self._thread is not None:
            self._thread.join()  # it reads until the end of the output
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # a request that was not read
                    stream.close()

    def _start(self) -> None:
        self.close()
        root = str(Path(__file__).parents[3])
        path = [root, *(entry for entry in sys.path if entry)]  # without the current folder
        settings = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=settings,
        )
        self._answers = queue.Queue()
        self._thread = threading.Thread(target=_collect, args=(self._process.stdout, self._answers), daemon=True)
        self._thread.start()


def _collect(stream: Any, answers: queue.Queue[bytes | None]) -> None:
    """Put complete answers in a queue, and None when the process has ended."""
    try:
        while True:
            size = stream.readline()
            if not size:
                break
            data = stream.read(int(size))
            if len(data) < int(size):
                break
            answers.put(data)
    except (OSError, ValueError):
        pass
    answers.put(None)
