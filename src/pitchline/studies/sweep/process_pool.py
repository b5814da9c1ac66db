"""ProcessPool: processes on this machine that compute blocks of points.

The processes are started with the Python of this process, without importing its main script. Each has one thread for
BLAS and numba. A process that ends without an answer is replaced, and its block is reported as lost.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import PitchlineError
from .point_block import PointBlock
from .runners import BlockRunner, LostBlock
from .worker import receive, send

__all__ = ["ProcessPool", "WorkerError", "can_start_processes"]

THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_MOST_FAILED_STARTS = 3
_POLL = 0.5


class WorkerError(PitchlineError):
    """The processes of a sweep cannot work."""


def can_start_processes() -> bool:
    """Whether this program can start Python processes. A program that embeds Python may not."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


class ProcessPool(BlockRunner):
    """Processes on this machine.

    count : number of processes
    payload : of `packed`
    script : main script that they import, or ""
    """

    def __init__(self, count: int, payload: bytes, script: str = "") -> None:
        self.slots = count
        self.payload, self.script = payload, script
        self._waiting: deque[tuple[int, Sequence[Mapping[str, Any]]]] = deque()
        self._condition = threading.Condition()
        self._done: queue.Queue[PointBlock | LostBlock | Exception] = queue.Queue()
        self._closed = False
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._failed_starts = 0
        self._threads = [
            threading.Thread(target=self._serve, args=(k,), name=f"pitchline sweep {k}", daemon=True)
            for k in range(count)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pids(self) -> list[int]:
        """Process ids of the processes that are running."""
        return [process.pid for process in list(self._processes.values())]

    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Compute a block as soon as a process is free."""
        with self._condition:
            self._waiting.append((first, values))
            self._condition.notify()

    def next(self) -> PointBlock | LostBlock:
        """The next block that is complete or lost."""
        while True:
            try:
                found = self._done.get(timeout=_POLL)  # with a timeout, so that Ctrl-C is noticed on every system
            except queue.Empty:
                continue
            if isinstance(found, Exception):
                raise found
            return found

    def close(self) -> None:
        """End all processes, also in the middle of a block."""
        with self._condition:
            self._closed = True
            self._waiting.clear()
            self._condition.notify_all()
        for process in list(self._processes.values()):
            with contextlib.suppress(OSError):
                process.kill()
        for thread in self._threads:
            thread.join(timeout=10.0)

    # ---- one thread for each process

    def _serve(self, k: int) -> None:
        try:
            while not self._closed:
                self._run_one(k)
        except Exception as error:
            if not self._closed:
                self._done.put(error)

    def _run_one(self, k: int) -> None:
        """Start a process and give it blocks until it ends."""
        block = self._take()
        if block is None:
            return
        with self._process(k) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                send(process.stdin, (self.script, sys.argv, self.payload))
                kind, found = receive(process.stdout)
            except (OSError, EOFError):
                kind, found = "ended", f"it ended with {_ending(process)}"
            if kind != "ready":
                self._put_back(block)
                self._start_failed(kind, str(found))
                return
            while block is not None:
                try:
                    send(process.stdin, block)
                    done: PointBlock = receive(process.stdout)[1]
                except (OSError, EOFError):
                    self._done.put(LostBlock(block[0], len(block[1]), f"its process ended with {_ending(process)}"))
                    return
                self._done.put(done)
                block = self._take()

    def _start_failed(self, kind: str, reason: str) -> None:
        """Report a process that could not start. One that was killed meanwhile is started again a few times."""
        with self._condition:
            self._failed_starts += 1
            again = kind == "ended" and self._failed_starts <= _MOST_FAILED_STARTS * self.slots
        if not again and not self._closed:
            raise WorkerError(
                f"a process of the sweep cannot start: {reason}. Use workers=1 to compute in this process, or correct the reason"
            )

    def _take(self) -> tuple[int, Sequence[Mapping[str, Any]]] | None:
        """The next block; None when the pool is closed."""
        with self._condition:
            while not self._waiting and not self._closed:
                self._condition.wait()
            return None if self._closed else self._waiting.popleft()

    def _put_back(self, block: tuple[int, Sequence[Mapping[str, Any]]]) -> None:
        with self._condition:
            self._waiting.appendleft(block)
            self._condition.notify()

    @contextlib.contextmanager
    def _process(self, k: int) -> Any:
        """A process that is ended at the end of the context."""
        code = f"import sys; sys.path[:] = {sys.path!r}\nfrom {__package__}.worker import main; main()"
        own_group: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
            if os.name == "nt"
            else {"start_new_session": True}  # Ctrl-C is for the process that started the sweep
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(THREADS, "1")},
            **own_group,
        )
        self._processes[k] = process
        try:
            if self._closed:
                process.kill()
            yield process
        finally:
            self._processes.pop(k, None)
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()


def _ending(process: subprocess.Popen[bytes]) -> str:
    """How a process ended, as text."""
    try:
        code = process.wait(timeout=5.0)
    except subprocess.TimeoutExpired:
        return "a closed connection"
    if code >= 0:
        return f"status {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    memory = "; the system does this if memory is short" if name == "SIGKILL" else ""
    return f"the signal {name}{memory}"
