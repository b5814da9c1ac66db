"""A run in a process of its own: its memory and its failures are not those of the server, and it ends with the server.

The process reads its job as one line of JSON and writes its events as such lines. The line "stop" ends it with the samples
computed so far. It also ends when its standard input is closed, as the server is then gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["RunProcess"]

_PATIENCE = 5.0
"""For a process that was killed to be gone [s]."""
_TAIL = 400
"""Characters of the last output of a process that failed."""


class RunProcess:
    """One run. errors_file: for the standard error of the process."""

    def __init__(self, command: Sequence[str], job: Mapping[str, Any], errors_file: Path) -> None:
        self._errors_file = errors_file
        # Ctrl-C in the terminal ends the server, and the server ends the run
        alone: dict[str, Any] = {"start_new_session": True}
        if os.name != "posix":
            alone = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        with errors_file.open("wb") as errors:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                **alone,
            )
        self._send(json.dumps(job))

    def _send(self, line: str) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def events(self) -> Iterator[dict[str, Any]]:
        """Its events until it ends. Other output is ignored."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    event = json.loads(line)
                    if isinstance(event, dict):
                        yield event
        self._process.wait()
        self._let_go()

    def stop(self) -> None:
        """Ask it to end with what was computed."""
        self._send("stop")

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._let_go()

    def _let_go(self) -> None:
        """Close the way to it; what it has not read is lost with it."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def last_words(self) -> str:
        """Message of a process that ended without a final event."""
        with contextlib.suppress(OSError):
            text = self._errors_file.read_text("utf-8", "replace").strip()
            said = text.splitlines()[-1][-_TAIL:] if text else ""
            return f"the run ended unexpectedly (status {self._process.returncode})" + (f": {said}" if said else "")
        return f"the run ended unexpectedly (status {self._process.returncode})"
