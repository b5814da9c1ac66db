"""Ctrl-C while the ``pitchline`` command is starting: a message instead of a traceback.

Imports take some tenths of a second. A program that uses the library is not affected.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

__all__ = ["begin", "started"]

_MESSAGE = b"error: interrupted\n"
_INTERRUPTED = 130


def _end(number: int, frame: FrameType | None) -> None:
    """End at once: nothing has been computed or written."""
    os.write(2, _MESSAGE)
    os._exit(_INTERRUPTED)


def _is_command() -> bool:
    """Whether this process is ``pitchline`` or ``python -m pitchline``."""
    program = sys.argv[0] if getattr(sys, "argv", None) else ""
    if program == "-m":  # while Python looks for the module
        options = sys.orig_argv
        return any(options[k : k + 2] == ["-m", "pitchline"] for k in range(len(options)))
    return os.path.basename(program).removesuffix(".exe") == "pitchline"


def begin() -> None:
    """End with a message at Ctrl-C from now on, if this process is the command. An ignored signal stays ignored."""
    if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def started() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)
