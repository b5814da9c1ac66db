"""A second process that compiles the engine from its other end, while this one compiles what it needs.

Compiling takes long, once: on two processors two processes need half of the time. They meet where all is compiled. What both
need before they meet (small functions) both compile.
"""

import os
import pathlib
import subprocess
import sys
import time

__all__ = ["ask_for_help", "processors", "start_helper"]

PATIENCE = 2.0
"""Of a process that compiles, before it asks for help: a few functions are compiled sooner than a process starts [s]."""
_LIFE = 300.0
"""A note of a helper that is older than this is left over from a process that was killed [s]."""

_helpers: list["subprocess.Popen[bytes] | None"] = []
"""Kept, because Python complains of processes that nobody waits for."""


def processors() -> int:
    """How many of them this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_helper() -> "subprocess.Popen[bytes] | None":
    """Start it, if there is a processor for it and Python can be started."""
    if processors() < 2 or "python" not in pathlib.Path(sys.executable or "").name.lower():
        return None
    line = [sys.executable, "-m", __name__.partition(".")[0], "warm", "--backwards"]
    try:
        return subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return None


def ask_for_help(folder: pathlib.Path) -> None:
    """Start a helper that writes into this folder, unless there was one lately."""
    note = folder / "helper"
    try:
        if time.time() - note.stat().st_mtime < _LIFE:
            return
    except OSError:
        pass
    try:
        note.touch()
    except OSError:
        return  # nothing can be kept: help would be of no use
    _helpers.append(start_helper())
