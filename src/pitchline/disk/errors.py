"""Messages about file errors: which file could not be written, the reason, and the disk space to free."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from ..errors import PitchlineError

__all__ = ["StorageError", "cannot_write", "free_space", "size_text"]

_NO_SPACE = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_NO_RIGHT = {errno.EACCES, errno.EPERM, errno.EROFS}


class StorageError(PitchlineError):
    """File that cannot be written, or whose contents are invalid."""


def cannot_write(target: Path, error: OSError, size: int | None = None) -> str:
    """Message about a failed write; `size`: number of bytes of the file, if known."""
    text = f'cannot write "{target}": {error.strerror or error}'
    if error.errno in _NO_SPACE:
        free = free_space(target.parent)
        needs = "" if size is None else f"it needs {size_text(size)}, "
        left = "" if free is None else f"{size_text(free)} are free in that folder"
        if size is not None and free is not None and size > free:
            return f"{text} ({needs}{left}). Free {size_text(size - free)} there, or choose another folder"
        limited = f"{left}{'; ' if left else ''}a quota or a limit on file sizes may apply"
        return f"{text} ({needs}{limited}). Free space, or choose another folder"
    if error.errno in _NO_RIGHT:
        return f"{text}. Choose a folder with write access"
    return text


def free_space(folder: Path) -> int | None:
    """Free bytes of a folder; None if the system does not report it."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def size_text(size: float) -> str:
    """Number of bytes as text: 512 B, 12.3 kB, 4.56 GB."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size:.0f} B"
