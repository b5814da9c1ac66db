"""Second process that compiles the engine from its other end, while this one compiles the functions that it needs.

Compilation takes long, but only once: on two processors, two processes need half of the time. They stop when everything is
compiled. Functions that both need before that (small functions) are compiled by both. The helper ends with the process that
started it.
"""

import contextlib
import math
import os
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

__all__ = [
    "compiled_for",
    "help_if_nothing_is_compiled",
    "help_is_over",
    "no_more_help",
    "start_helper",
    "when_nobody_waits",
]

PATIENCE = 1.0
"""Time for which a process compiles before it starts a helper: a few functions are compiled faster than a process starts [s]."""
_LIFE = 300.0
"""An older marker of a helper belongs to a process that was killed [s]."""

_helpers: list["subprocess.Popen[bytes] | None"] = []
"""Kept: a helper ends when the pipe to it is closed, at the latest with this process."""

_spent = 0.0
"""Time for which this process has been compiling; infinite if it needs no more help [s]."""


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_helper(later: Sequence[str] = ()) -> "subprocess.Popen[bytes] | None":
    """Start a helper, if there is a processor for it and Python can be started.

    later: parts of the names of functions that it compiles last
    """
    if processors() < 2 or "python" not in pathlib.Path(sys.executable or "").name.lower():
        return None
    line = [sys.executable, "-m", __name__.partition(".")[0], "warm", "--help-another", "--later", ",".join(later)]
    try:
        return subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return None


def when_nobody_waits() -> threading.Event:
    """For a helper: set when the process that started it has ended."""
    over = threading.Event()

    def wait() -> None:
        with contextlib.suppress(OSError, ValueError):
            os.read(0, 1)
        over.set()

    threading.Thread(target=wait, daemon=True).start()
    return over


def no_more_help() -> None:
    """This process has a helper, or is one."""
    global _spent
    _spent = math.inf


def compiled_for(seconds: float, folder: pathlib.Path, *, still: bool = False) -> None:
    """Count the time for which this process has compiled a function, and `still` does. After a while it starts a helper, once."""
    global _spent
    if PATIENCE < _spent + seconds < math.inf:
        no_more_help()
        ask_for_help(folder)
    if not still:
        _spent += seconds


def help_if_nothing_is_compiled(folder: pathlib.Path, later: Sequence[str]) -> None:
    """Start a helper at once on a new machine: for a program that begins with other work and compiles later.

    later: parts of the names of functions that the program does not need
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        no_more_help()
        ask_for_help(folder, later)


def ask_for_help(folder: pathlib.Path, later: Sequence[str] = ()) -> None:
    """Start a helper that writes into this folder, unless there is one."""
    note = _note(folder)
    with contextlib.suppress(OSError):
        if time.time() - note.stat().st_mtime < _LIFE:
            return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        note.touch()
    except OSError:
        return  # nothing can be stored, so that a helper has no effect
    _helpers.append(start_helper(later))


def help_is_over(folder: pathlib.Path) -> None:
    """For a helper: allow another one to be started."""
    with contextlib.suppress(OSError):
        _note(folder).unlink()


def _note(folder: pathlib.Path) -> pathlib.Path:
    return folder / "helper"
