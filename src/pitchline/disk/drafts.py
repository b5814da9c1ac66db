"""Drafts: temporary files that are not complete yet; and reservations of names. The process that creates one locks it.
A draft
without a lock belongs to a killed process, and the next process that writes to the folder removes it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from pathlib import Path
from typing import Any

_locks: Any = None
with contextlib.suppress(ImportError):  # Windows: a file that is open cannot be removed, which serves as a lock
    import fcntl

    _locks = fcntl

__all__ = ["Draft", "Reservation", "remove_leftovers"]

_NAME = re.compile(r"\..*\.([0-9a-f]{12}\.part(\.\w+)?|reserved)")
_STEM_BYTES = 150
OLD = 24 * 3600.0
"""Age after which a draft counts as abandoned, if locks do not work or the draft has no lock [s]."""


class Draft:
    """New, empty file in the folder of its target, locked while this object is open."""

    def __init__(self, target: Path) -> None:
        while True:
            self.path = target.with_name(_draft_name(target))
            self._file = open(self.path, "xb")  # noqa: SIM115 (stays open: it holds the lock)
            if _locked(self._file) is not False and _same_file(self._file, self.path):
                return
            self._file.close()  # another process removed it between creation and lock

    def sync(self) -> None:
        """Make sure that the contents of the draft are on the disk."""
        with self.path.open("rb+") as stream:
            os.fsync(stream.fileno())

    def release(self) -> None:
        """If open files cannot be renamed (Windows), release the lock before the draft is renamed."""
        if os.name == "nt":
            self._file.close()

    def close(self) -> None:
        """Release the lock. The draft is removed unless it was renamed."""
        self._file.close()
        self.path.unlink(missing_ok=True)


class Reservation:
    """Exclusive right to create files with one stem in a folder, while this object is open; valid for all processes."""

    def __init__(self, folder: Path, stem: str) -> None:
        self.path = folder / f".{stem}.reserved"
        self._file: Any = None

    def taken(self) -> bool:
        """Try to get the reservation."""
        while True:
            try:
                file = open(self.path, "ab" if _locks is not None else "xb")  # noqa: SIM115 (stays open: it holds the lock)
            except FileExistsError:
                return False
            if _locked(file) is False:
                file.close()
                return False
            if _same_file(file, self.path):
                self._file = file
                return True
            file.close()  # another process removed it just before the lock

    def close(self) -> None:
        """Release the reservation."""
        if self._file is not None:
            if _locks is not None:
                self.path.unlink(missing_ok=True)  # while it is locked, so that no other reservation is removed
            self._file.close()
            if _locks is None:
                self.path.unlink(missing_ok=True)
            self._file = None


def _draft_name(target: Path) -> str:
    # with the extension of the target, because some writers choose the format by it
    stem = target.name.encode()[:_STEM_BYTES].decode(errors="ignore")
    suffix = target.suffix if len(target.suffix) < 10 else ""
    return f".{stem}.{secrets.token_hex(6)}.part{suffix}"


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove the drafts and reservations in a folder that no process uses any more; return them."""
    removed = []
    try:
        drafts = [Path(entry.path) for entry in os.scandir(folder) if _NAME.fullmatch(entry.name)]
    except OSError:
        return []
    for path in drafts:
        try:
            if path.is_symlink() or not path.is_file():
                continue
            with path.open("rb+") as file:
                free = _locked(file)
                if free is False or (free is None and time.time() - path.stat().st_mtime < OLD):
                    continue
                if _locks is not None:
                    path.unlink()
            if _locks is None:
                path.unlink()  # fails if it is open elsewhere
            removed.append(path)
        except OSError:
            continue  # in use by another process, or already removed
    return removed


def _locked(file: Any) -> bool | None:
    """Whether the lock was free and is now ours; None if locks are not available."""
    if _locks is None:
        return None
    try:
        _locks.flock(file.fileno(), _locks.LOCK_EX | _locks.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _same_file(file: Any, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False
