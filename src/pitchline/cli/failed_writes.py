"""Handling of results that cannot be written: wait for disk space, or save to a temporary folder."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..disk.errors import StorageError

__all__ = ["asked_to_try_again", "kept_elsewhere"]


def asked_to_try_again(problem: str) -> bool:
    """On a terminal: print the problem, wait until the user has made space, and return whether to try again."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"error: {problem}", file=sys.stderr)
    question = "The result is still in memory. Press Enter to try again, or type no to cancel: "
    print(question, end="", file=sys.stderr, flush=True)
    try:
        answer = sys.stdin.readline()
    except (KeyboardInterrupt, OSError):
        return False
    return bool(answer) and not answer.strip().lower().startswith("n")


def kept_elsewhere(path: Path, write: Callable[[Path], object]) -> Path | None:
    """Write the file of this name to a new temporary folder. Return None if that fails as well."""
    folder: Path | None = None
    try:
        folder = Path(tempfile.mkdtemp(prefix="pitchline-"))
        write(folder / path.name)
        return folder / path.name
    except (OSError, StorageError):
        if folder is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(folder)
        return None
