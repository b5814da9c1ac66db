"""Drafts: files that are not complete yet; and reservations of names. Whoever makes one holds a lock on it; one that nobody holds
is of a process that was killed, and is removed by the next one that writes to the folder.
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
"""Age from which a draft is of nobody, where locks do not work or the draft was made without one [s]."""


class Draft:
    """A new, empty file beside the one it is to become, locked while this object is open."""

    def __init__(self, target: Path) -> None:
        while True:
            self.path = target.with_name(_draft_name(target))
            self._file = open(self.path, "xb")  # noqa: SIM115 (stays open: it holds the lock)
            if _locked(self._file) is not False and _same_file(self._file, self.path):
                return
            self._file.close()  # taken for a leftover between its making and its lock

    def sync(self) -> None:
        """What was written, under the draft's name by whomever, is on the disk afterwards."""
        with self.path.open("rb+") as stream:
            os.fsync(stream.fileno())

    def release(self) -> None:
        """Where open files cannot be renamed (Windows), the lock ends before the draft gets its name."""
        if os.name == "nt":
            self._file.close()

    def close(self) -> None:
        """Let go; the draft is removed unless it has got another name meanwhile."""
        self._file.close()
        self.path.unlink(missing_ok=True)


class Reservation:
    """The right to make files of one stem in a folder, while this object is open; of all processes, one has it."""

    def __init__(self, folder: Path, stem: str) -> None:
        self.path = folder / f".{stem}.reserved"
        self._file: Any = None

    def taken(self) -> bool:
        """Try to get it."""
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
            file.close()  # removed by another process just before the lock

    def close(self) -> None:
        """Give it back."""
        if self._file is not None:
            if _locks is not None:
                self.path.unlink(missing_ok=True)  # while the lock is held: nobody else's is removed
            self._file.close()
            if _locks is None:
                self.path.unlink(missing_ok=True)
            self._file = None


def _draft_name(target: Path) -> str:
    # with the ending of the target: some writers choose the format by it
    stem = target.name.encode()[:_STEM_BYTES].decode(errors="ignore")
    suffix = target.suffix if len(target.suffix) < 10 else ""
    return f".{stem}.{secrets.token_hex(6)}.part{suffix}"


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove the drafts and reservations in a folder that nobody holds any more; returns them."""
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
                path.unlink()  # fails where it is open elsewhere
            removed.append(path)
        except OSError:
            continue  # of somebody else, or gone already
    return removed


def _locked(file: Any) -> bool | None:
    """Whether the lock was free and is ours now; None where there are no locks."""
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
