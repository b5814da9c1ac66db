"""A run in a process of its own: its memory and its failures are not those of the server, and it ends with the server.

The process is told its job by one line of JSON and says what happens by such lines. The line "stop" asks it to end with what was
computed. When its standard input ends, whoever started it has gone, and it ends, too.
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
"""Characters of the last words of a process that broke."""


class RunProcess:
    """One run. words: a file for what the process says on standard error."""

    def __init__(self, command: Sequence[str], job: Mapping[str, Any], words: Path) -> None:
        self._words = words
        # Ctrl-C in the terminal ends the server, and the server ends the run
        alone: dict[str, Any] = {"start_new_session": True}
        if os.name != "posix":
            alone = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        with words.open("wb") as errors:
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
        """What it says, until it ends. Whatever is no event is passed over."""
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
        """Of a process that ended without saying how."""
        with contextlib.suppress(OSError):
            text = self._words.read_text("utf-8", "replace").strip()
            said = text.splitlines()[-1][-_TAIL:] if text else ""
            return f"the run ended unexpectedly (status {self._process.returncode})" + (f": {said}" if said else "")
        return f"the run ended unexpectedly (status {self._process.returncode})"
