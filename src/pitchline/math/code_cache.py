"""The files of compiled code: one file per function, in one folder, never anywhere else.

numba's own cache looks for another folder where the first cannot be written: beside the sources, under a key that knows the
file of the function only, not the files of the functions it calls. Such code can be older than its sources. Here the folder is
named after all sources that count (see `compiled`), a file after all else: function, types, processor, version of Python. What
cannot be written stays in memory, and one line on stderr says so. Contents have checksums: a damaged file is compiled anew.

This uses numba's internal interface of caches; it is all in this file, and tests guard it.
"""

import contextlib
import hashlib
import os
import pathlib
import pickle
import re
import secrets
import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ..progress import note

__all__ = ["CodeCache", "remove_unused"]

_MAGIC = b"pitchline code 1\n"
_DIGEST = 32
UNUSED_DAYS = 30.0
"""Folders of other sources that were not used for so long are removed when a new one is made."""

_told: set[str] = set()
_used: set[str] = set()
_lock = threading.Lock()


class CodeCache(_Cache):
    """The compiled versions of one function in files.

    `folder` is that of all compiled code, `sources` that of the sources whose content is part of its name. Functions from
    elsewhere are not kept: nothing would tell when they change. `unchanged` tells whether the sources are still those that the
    folder is named after: in a long session files may be edited before they are imported.
    """

    def __init__(
        self, function: Callable[..., Any], folder: pathlib.Path, sources: pathlib.Path, unchanged: Callable[[], bool]
    ) -> None:
        self._function, self._folder, self._unchanged = function, pathlib.Path(folder), unchanged
        self._enabled = pathlib.Path(function.__code__.co_filename).resolve().is_relative_to(sources)

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Nothing is held back."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, if there is a whole file of it; None otherwise."""
        target_context.refresh()
        if not self._enabled:
            return None
        try:
            content = self._path(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        _mark_used(self._folder)
        payload = content[len(_MAGIC) + _DIGEST :]
        if content[: len(_MAGIC)] != _MAGIC or hashlib.sha256(payload).digest() != content[len(_MAGIC) : len(_MAGIC) + _DIGEST]:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # whole, but of no use to this numba
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write it, whole or not at all; where that fails, it stays in memory."""
        if not self._enabled or data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        if not self._unchanged():
            return
        payload = dumps(data._reduce())
        path = self._path(sig, data.codegen)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(6)}.tmp")
        try:
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True, exist_ok=True)
                remove_unused(self._folder)
            draft.write_bytes(_MAGIC + hashlib.sha256(payload).digest() + payload)
            os.replace(draft, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            _tell(self._folder, error)

    def _path(self, sig: Any, codegen: Any) -> pathlib.Path:
        """Its file: a readable name, and a hash of all that the code depends on besides the sources."""
        f = self._function
        place = f"{f.__module__}.{f.__qualname__}:{f.__code__.co_firstlineno}"
        cells = () if f.__closure__ is None else tuple(cell.cell_contents for cell in f.__closure__)
        digest = hashlib.sha256()
        for part in (place, str(sig), repr(codegen.magic_tuple()), sys.version):
            digest.update(part.encode() + b"\0")
        digest.update(f.__code__.co_code + dumps(cells))
        name = re.sub(r"[^A-Za-z0-9_]", "_", f"{f.__module__.rpartition('.')[2]}_{f.__name__}")
        return self._folder / f"{name[:60]}-{digest.hexdigest()[:32]}.code"


def _tell(folder: pathlib.Path, error: OSError) -> None:
    """Say once that compiled code is not kept."""
    with _lock:
        if str(folder) in _told:
            return
        _told.add(str(folder))
    note(
        f'compiled code cannot be kept in "{folder}" ({error.strerror or error}): it is compiled in memory, in every process '
        "anew; set PITCHLINE_CACHE_DIR to a folder that can be written"
    )


def _mark_used(folder: pathlib.Path) -> None:
    """Once per process: its time is that of its last use."""
    with _lock:
        if str(folder) in _used:
            return
        _used.add(str(folder))
    with contextlib.suppress(OSError):
        os.utime(folder)


def remove_unused(folder: pathlib.Path) -> None:
    """Remove the code of other sources, beside `folder`, that was not used for a month."""
    for other in folder.parent.iterdir():
        if other == folder or not re.fullmatch("[0-9a-f]{16}", other.name) or not other.is_dir():
            continue
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime > UNUSED_DAYS * 86400:
                shutil.rmtree(other)
