"""What is done for a result that cannot be written where it should be: ask for space, or keep it among the temporary files."""

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
    """On a terminal: tell the problem, wait for the user to make space, and say whether to try again."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"error: {problem}", file=sys.stderr)
    question = "The result is still in memory. Press Enter to write it again, or type no to give up: "
    print(question, end="", file=sys.stderr, flush=True)
    try:
        answer = sys.stdin.readline()
    except (KeyboardInterrupt, OSError):
        return False
    return bool(answer) and not answer.strip().lower().startswith("n")


def kept_elsewhere(path: Path, write: Callable[[Path], object]) -> Path | None:
    """Write the file of this name to a new folder of its own among the temporary files; None where that fails too."""
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
