"""Files that the points of a sweep read: their content is a part of what the stored points depend on."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...disk.user_cache import user_cache

__all__ = ["file_digest", "files_read"]

_WRITING = os.O_WRONLY | os.O_RDWR
_CODE = {".py", ".pyc", ".pyd", ".so", ".dll"}
"""Code is identified by its content, see `dependencies`."""
_here = threading.local()
_written: set[str] = set()
"""Files that this process opened for writing: results and logs of the user's own functions."""
_installed: list[bool] = []
_digests: dict[tuple[str, int, int], str] = {}


@contextmanager
def files_read() -> Iterator[dict[str, str]]:
    """Collects the files that are opened for reading: path -> checksum. The dictionary is filled at the end."""
    if not _installed:
        sys.addaudithook(_opened)
        _installed.append(True)
    before, paths = getattr(_here, "paths", None), set[str]()
    _here.paths = paths
    found: dict[str, str] = {}
    try:
        yield found
    finally:
        _here.paths = before
        if before is not None:
            before |= paths
        for path in sorted(paths - _written):
            digest = "" if _is_excluded(path) else file_digest(path)
            if digest:
                found[path] = digest


def file_digest(path: str) -> str:
    """Checksum of a file; empty if it cannot be read, or is not a regular file."""
    try:
        about = os.stat(path)
        if not os.path.isfile(path):
            return ""
        key = (path, about.st_mtime_ns, about.st_size)
        if key not in _digests:
            with open(path, "rb") as stream:
                _digests[key] = hashlib.file_digest(stream, "sha256").hexdigest()
        return _digests[key]
    except OSError:
        return ""


def _opened(event: str, arguments: tuple[Any, ...]) -> None:
    """Hook of the interpreter for all events; it must be fast, and must not raise an exception."""
    if event != "open":
        return
    paths = getattr(_here, "paths", None)
    if paths is None:
        return
    path, mode, flags = arguments
    if not isinstance(path, (str, bytes)):
        return
    name = os.path.abspath(os.fsdecode(path))
    writes = flags & _WRITING if isinstance(flags, int) else False
    if writes or (isinstance(mode, str) and not set(mode).isdisjoint("wax+")):
        _written.add(name)
    else:
        paths.add(name)


def _is_excluded(path: str) -> bool:
    """Files of Python, of packages, of the system and of caches, and copies of model files."""
    place = Path(path)
    return (
        place.suffix in _CODE
        or any(part.startswith("pitchline-study-") for part in place.parts)
        or any(place.is_relative_to(folder) for folder in _library_folders())
    )


@functools.cache
def _library_folders() -> tuple[Path, ...]:
    own = Path(__file__).parents[2]
    folders = [Path(text) for text in sysconfig.get_paths().values()]
    folders += [
        Path(sys.prefix),
        Path(sys.base_prefix),
        own,
        user_cache(),
        Path.home() / ".cache",
        Path.home() / ".config",
    ]
    if os.name == "posix":
        folders += [Path(f"/{name}") for name in ("proc", "sys", "dev", "etc", "usr", "lib", "opt")]
    return tuple(folders)
