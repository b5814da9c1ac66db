"""Cache of computed tables of loaded tooth contact: in memory, and in the user's cache folder.

The name of an entry is a hash of its complete input: both gears with their modifications, bodies and materials, their
positions, loads, phases and options, and the source code of the method. Therefore an entry is never used for another input.
Modifications by user code cannot be hashed; their tables are computed again in every process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..disk.atomic import atomic_file
from ..disk.user_cache import user_cache
from ..errors import PitchlineError
from ..gears import Gear, Rack
from ..progress import note
from .computed_table import ComputedTable, TableRequest

__all__ = ["TableEntry", "table_folder"]

ROOM = 2e8
"""Maximum size of the cache in bytes. If it is exceeded, the least recently used entries are removed."""
_IN_MEMORY = 256
_PARTS = tuple(part.name for part in fields(ComputedTable))
_METHOD = ("gears", "gears/modifications", "gears/surfaces", "gears/teeth", "fem", "contact", "math", "units")
"""Packages whose source code determines a table."""
_known: dict[str, ComputedTable] = {}
_told: set[str] = set()
"""Folders that cannot be written and were already reported."""


@functools.cache
def _method() -> str:
    """Hash of the source code of the method. Another method has other entries."""
    digest = hashlib.sha256()
    top = Path(__file__).parents[1]
    for package in _METHOD:
        for source in sorted((top / package).glob("*.py")):
            digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()


def _is_ours(gear: Gear | Rack) -> bool:
    """Whether all modifications of a gear are from this package. Others are user code, which may change unnoticed."""
    if isinstance(gear, Rack):
        return True
    said = gear.modifications
    parts = (*said.both, *said.left, *said.right, *(part for _, parts in said.per_tooth for part in parts))
    return all(type(part).__module__.split(".")[0] == __name__.split(".")[0] for part in parts)


def _content(value: Any) -> Any:
    """Content of a request as texts, numbers and lists; numbers with all digits."""
    if is_dataclass(value):
        return [type(value).__name__, *(_content(getattr(value, field.name)) for field in fields(value))]
    if isinstance(value, Mapping):
        return sorted([str(key), _content(item)] for key, item in value.items())
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_content(item) for item in value] if isinstance(value, list | tuple) else value


def table_folder() -> Path:
    """`tables` in the cache folder of the user."""
    return user_cache() / "tables"


@dataclass(frozen=True)
class TableEntry:
    """One table in the cache, which may or may not exist.

    key: hash of its input; empty if the input cannot be hashed.
    """

    key: str

    @classmethod
    def of(cls, request: TableRequest) -> TableEntry:
        """Entry for the table of a request."""
        if not all(_is_ours(gear) for gear in (request.gear_a, request.gear_b)):
            return cls("")
        said = json.dumps(_content(request), sort_keys=True)
        return cls(hashlib.sha256(f"{_method()} {said}".encode()).hexdigest())

    @property
    def path(self) -> Path:
        """Its file."""
        return table_folder() / f"{self.key[:32]}.npz"

    def load(self) -> ComputedTable | None:
        """Return the table, if it exists and is complete."""
        if not self.key:
            return None
        if self.key in _known:
            return _known[self.key]
        try:
            with np.load(self.path, allow_pickle=False) as file:
                if str(file["key"]) != self.key:
                    return None
                parts: dict[str, Any] = {name: file[name] if file[name].size else None for name in _PARTS}
                found = ComputedTable(**parts)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        with contextlib.suppress(OSError):
            self.path.touch()
        self._remember(found)
        return found

    def store(self, table: ComputedTable) -> None:
        """Store a table. If the cache cannot be written, it is not an error, but a warning is printed."""
        if not self.key:
            return
        self._remember(table)
        parts: dict[str, Any] = {name: np.zeros(0) if part is None else part for name, part in vars(table).items()}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(self.path, overwrite=True) as (draft, _), draft.open("wb") as file:
                np.savez(file, key=np.array(self.key), **parts)
            _make_room()
        except (OSError, PitchlineError) as error:
            folder = str(self.path.parent)
            if folder not in _told:
                _told.add(folder)
                reason = getattr(error, "strerror", None) or error
                note(
                    f'tables of loaded teeth cannot be stored in "{folder}" ({reason}): they are computed again in every process'
                )

    def _remember(self, table: ComputedTable) -> None:
        _known[self.key] = table
        while len(_known) > _IN_MEMORY:
            del _known[next(iter(_known))]


def _make_room() -> None:
    files = sorted(
        ((file.stat().st_mtime, file.stat().st_size, file) for file in table_folder().glob("*.npz")), reverse=True
    )
    for (_, _, file), total in zip(files, itertools.accumulate(size for _, size, _ in files), strict=True):
        if total > ROOM:
            file.unlink(missing_ok=True)
