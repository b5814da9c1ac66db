"""Drafts: files that are not complete yet. Whoever writes one holds a lock on it; a draft that nobody holds is of a process
that was killed, and is removed by the next one that writes to the folder.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: a file that is open cannot be removed, which serves as a lock
    fcntl = None  # type: ignore[assignment]

__all__ = ["Draft", "remove_leftovers"]

_NAME = re.compile(r"\..*\.[0-9a-f]{12}\.part(\.\w+)?")
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


def _draft_name(target: Path) -> str:
    # with the ending of the target: some writers choose the format by it
    stem = target.name.encode()[:_STEM_BYTES].decode(errors="ignore")
    suffix = target.suffix if len(target.suffix) < 10 else ""
    return f".{stem}.{secrets.token_hex(6)}.part{suffix}"


def remove_leftovers(folder: Path) -> list[Path]:
    """Remove the drafts in a folder that nobody writes any more; returns them."""
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
                if fcntl is not None:
                    path.unlink()
            if fcntl is None:
                path.unlink()  # fails where it is open elsewhere
            removed.append(path)
        except OSError:
            continue  # of somebody else, or gone already
    return removed


def _locked(file: Any) -> bool | None:
    """Whether the lock was free and is ours now; None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
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
