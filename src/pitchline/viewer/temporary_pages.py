"""Pages that are only looked at: files that nobody else on the machine can read, removed when they are a day old."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from ..disk.errors import StorageError
from ..disk.names import safe_stem

__all__ = ["write_temporary_page"]

PREFIX = "pitchline-page-"
OLD = 24 * 3600.0
"""Age at which a page is removed by the next one that is written [s]; until then a tab can be loaded again."""


def write_temporary_page(text: str, title: str) -> Path:
    """The page in a new folder that only the user can enter; only the user can read the file, too."""
    base = Path(tempfile.gettempdir())
    _remove_old(base)
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))  # mode 0700
        path = folder / f"{safe_stem(title, otherwise='page')}.html"
        with open(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8", newline="\n"
        ) as file:
            file.write(text)
    except OSError as error:
        raise StorageError(
            f'cannot write a page to "{base}": {error.strerror or error}; save(path) writes it elsewhere'
        ) from error
    return path


def _remove_old(base: Path) -> None:
    """Folders of this user with pages that are a day old."""
    with contextlib.suppress(OSError):
        for folder in base.glob(f"{PREFIX}*"):
            with contextlib.suppress(OSError):
                about = folder.lstat()
                mine = not hasattr(os, "getuid") or about.st_uid == os.getuid()
                if mine and not folder.is_symlink() and time.time() - about.st_mtime > OLD:
                    shutil.rmtree(folder, ignore_errors=True)
