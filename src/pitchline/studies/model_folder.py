"""Folders with copies of model files, one for each set of files and process."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..disk.errors import StorageError, cannot_write

__all__ = ["model_folder"]

_folders: dict[tuple[int, str], tempfile.TemporaryDirectory[str]] = {}
"""(process, checksum of the files) -> folder. They are removed when the process ends."""
_MOST_FOLDERS = 8


def model_folder(digest: str, files: Mapping[str, bytes]) -> Path:
    """Folder with these files. It is made at the first call.

    digest : checksum of the files
    files : names relative to the folder, and contents
    """
    key = (os.getpid(), digest)
    if key not in _folders:
        while len(_folders) >= _MOST_FOLDERS:
            _folders.pop(next(iter(_folders))).cleanup()
        folder = tempfile.TemporaryDirectory(prefix="pitchline-study-", ignore_cleanup_errors=True)
        for name, content in files.items():
            path = Path(folder.name) / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                raise StorageError(cannot_write(path, error, len(content))) from error
        _folders[key] = folder
    return Path(_folders[key].name)
