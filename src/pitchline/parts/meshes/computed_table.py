"""Computed tables of loaded tooth contact, and their cache in memory and in the user's cache folder.

The name of an entry is a hash of its complete input: both gears with their modifications, bodies and materials, their
positions, loads, phases and options, and the source code of the method. Therefore an entry is never used for another input.
Modifications by user code cannot be hashed; their tables are computed again in every process.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import atomic_file, user_cache
from pitchline.base.storage.stored_array import source_digest
from pitchline.base.types import FloatArray
from pitchline.errors import PitchlineError

from ..gears.geometry.gear import Gear
from ..gears.geometry.rack import Rack

__all__ = ["ComputedTable", "TablePlacement", "TableRequest", "FaceLoadTable", "TableEntry", "table_folder"]


# ---- computed table

# Tables of loaded tooth contact that are computed from two gears: their input and their result.


@dataclass(frozen=True, kw_only=True)
class TablePlacement:
    """Position of two gears with flanks of any shape, and how their motion is measured.

    Attributes
    ----------
    position : (3,)
        Of gear B in the axes of A, in phase [m].
    rotation : (9,)
        Axes of gear B in those of A, row by row.
    ratio : float
        Angle of B over angle of A about their own z axes; of a rack: travel [m] over angle.
    lever : float
        F = T/lever and u = lever · θ, θ the motion of B. The base circle of B for axes with a plane of action [m] (a rack:
        cos α_t), c_B = m_n z_B/2 for all others.
    play : float
        How far B can turn [rad] (a rack travel [m]) from the middle of its backlash until ideal flanks touch.
    forwards : float
        Sign of the angle of A about its z axis when the mesh cycle goes forwards.
    """

    position: tuple[float, ...]
    rotation: tuple[float, ...]
    ratio: float
    lever: float
    play: float
    forwards: float


@dataclass(frozen=True, eq=False, kw_only=True)
class TableRequest:
    """Complete input of a computed table of loaded tooth contact, without the method.

    Attributes
    ----------
    gear_a, gear_b : Gear
        Gears with their modifications or imported flanks, bodies and material. Their axes point in the same direction, unless there
        is a `placement`; gear_b may then be a rack.
    centre_distance, face_offset : float
        [m] face_offset: offset of the middle of the face of B from that of A, along +z.
    deviation, inclination : float
        Angles between the axes of B and A [rad], out of the plane of the axes and in it; see `mesh_pose`.
    start : float
        Angle of gear A [rad] at phase 0.
    torques : (n,)
        Torques on gear B [N m], positive, increasing.
    phases : int
        Number of phases of the mesh cycle.
    tilts : (t,)
        Tilts in the plane of action [rad]. Empty if the tilt is not a variable.
    pitch_point : float
        Position of the pitch point along z of A, from the middle of the face of A [m].
    coast : None | bool
        Whether the coast flanks have their own table. None: only if flanks or axes are not symmetric.
    bore, elements_a, elements_b, resolution, cells
        As in `Loaded`.
    placement : None | TablePlacement
        None for cylindrical gears on parallel axes that point in one direction. Otherwise the position of the gears;
        centre_distance to pitch_point then have no effect.
    """

    gear_a: Gear
    gear_b: Gear | Rack
    centre_distance: float
    face_offset: float
    deviation: float
    inclination: float
    start: float
    torques: tuple[float, ...]
    phases: int
    tilts: tuple[float, ...]
    pitch_point: float
    coast: bool | None
    bore: str
    elements_a: Mapping[str, object]
    elements_b: Mapping[str, object]
    resolution: float
    cells: int
    placement: TablePlacement | None = None


@dataclass(frozen=True, eq=False)
class ComputedTable:
    """Approach of the teeth, in the direction of signals (`geometry.directions`): on the base circle of B, r_b, or along the
    normal.

    Attributes
    ----------
    loads : (m,)
        F = T/r_b [N], from 0.
    approach : (m, n) or (t, m, n)
        u [m] of the drive flanks: one row for each load, one column for each phase of the mesh cycle. With t tilts one table
        for each tilt.
    coast : None | (m, n) or (t, m, n)
        The same for the coast flanks. None: the drive flanks at −φ and −f.
    face_load_factor, coast_face_load_factor : None | (m − 1, n) or (t, m − 1, n)
        K_Hβ at the loads above zero.
    """

    loads: FloatArray
    approach: FloatArray
    coast: FloatArray | None
    face_load_factor: FloatArray | None = None
    coast_face_load_factor: FloatArray | None = None


# ---- face load table

# FaceLoadTable: face load factor K_Hβ of one flank over force, tilt and mesh phase.


@dataclass(frozen=True, eq=False)
class FaceLoadTable:
    """K_Hβ: the largest load per face width, divided by its mean.

    Attributes
    ----------
    loads : (L,)
        F [N], positive, increasing.
    tilts : (T,)
        f [rad]. A single 0 if the tilt is not a variable.
    factors : (T, L, n)
        Values at n equally spaced phases.
    """

    loads: FloatArray
    tilts: FloatArray
    factors: FloatArray

    def scaled(self, *, force: float) -> FaceLoadTable:
        """Return the same table with another measure of force."""
        return FaceLoadTable(force * self.loads, self.tilts, self.factors)

    def even(self) -> FaceLoadTable:
        """Return a table without phase: the mean over the mesh cycle."""
        return FaceLoadTable(self.loads, self.tilts, self.factors.mean(axis=2, keepdims=True))

    def mirrored(self) -> FaceLoadTable:
        """Return the table of the opposite flank, if both flanks of the teeth have the same shape: at −f and −φ."""
        phases = self.factors.shape[2]
        return FaceLoadTable(self.loads, -self.tilts[::-1], self.factors[::-1][:, :, -np.arange(phases)])


ROOM = 2e8
"""Maximum size of the cache in bytes. If it is exceeded, the least recently used entries are removed."""
_IN_MEMORY = 256
_PARTS = tuple(part.name for part in fields(ComputedTable))
_METHOD = (
    "parts/gears/geometry",
    "parts/gears/modifications",
    "parts/gears/surfaces",
    "parts/gears/teeth",
    "fem",
    "contact",
    "numerics",
    "units",
)
"""Folders whose source code determines a table."""
_known: dict[str, ComputedTable] = {}
_told: set[str] = set()
"""Folders that cannot be written and were already reported."""


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
        return cls(hashlib.sha256(f"{source_digest(*_METHOD)} {said}".encode()).hexdigest())

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
