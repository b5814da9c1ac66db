"""Processes that a test starts. They end with the test, also if it fails."""

import contextlib
import subprocess
from collections.abc import Iterator
from typing import Any


class Children:
    """Starts processes like `subprocess.Popen`."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[Any]] = []

    def __call__(self, *arguments: Any, **options: Any) -> subprocess.Popen[Any]:
        """Start a process."""
        self.processes.append(subprocess.Popen(*arguments, **options))
        return self.processes[-1]

    def end(self) -> None:
        """End what is still running, and close the pipes."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):  # the process may have closed the other end
                        stream.close()
            process.wait()


def children() -> Iterator[Children]:
    """For a fixture."""
    started = Children()
    try:
        yield started
    finally:
        started.end()
