"""Elastic gears that were computed before, in the user's cache folder.

An entry is named by a hash of all that determines it: nodes and elements of the grid themselves, bit by bit, flank surfaces,
material, bore, formulation, frequency limit, offsets, and the sources of this package. So there is no wrong hit; what changes in
the gear but not in its grid, such as a modification of the flanks, does not matter. Entries that cannot be read are computed
again. The least recently used ones are removed for new ones.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..disk.user_cache import user_cache
from ..errors import PitchlineError
from ..gears.material import Material
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import Teeth
from ..progress import note
from .elastic_gear import ElasticGear
from .gear_file import FORMAT, read, write
from .sector_grid import SectorGrid
from .tooth_sector import ToothSector

__all__ = ["CacheEntry", "cache_folder", "make_room"]

_told: set[str] = set()
"""Folders for which a note was printed that they cannot be written."""
ROOM = 2e9
"""Bytes of the cache; beyond, entries that were not used for the longest time are removed."""


@functools.cache
def _method() -> str:
    """Hash of all sources of this package: another method is another entry."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """`gears` in the cache folder of the user."""
    return user_cache() / "gears"


@dataclass(frozen=True)
class CacheEntry:
    """One gear in the cache, there or not yet.

    key: the hash of what determines it.
    """

    key: str

    @classmethod
    def of(
        cls,
        grid: SectorGrid | ToothSector,
        material: Material,
        *,
        bore: str,
        limit: float,
        reach: int,
        formulation: str,
    ) -> CacheEntry:
        """The entry of what would be computed from these."""
        digest = hashlib.sha256()
        # a limit that went through units, 79999.99999999999 Hz, is that of 80 kHz
        numbers = (material.density, material.youngs_modulus, material.poissons_ratio, float(f"{limit:.12g}"))
        teeth = grid.teeth.gear.teeth
        said = [_method(), FORMAT, teeth, bore, reach, formulation, [float(v).hex() for v in numbers]]
        digest.update(repr(said).encode())
        arrays: list[np.ndarray] = [grid.solid.nodes, grid.solid.elements, grid.low_side, grid.high_side, grid.bore]
        for side in sorted(grid.flanks):
            patch = grid.flanks[side]
            arrays += [patch.nodes, patch.lengths, patch.zeta]
            if isinstance(grid, ToothSector):
                surface = grid.teeth.flank(side)
                arrays += [surface.control, surface.knots_u, surface.knots_v, np.array(surface.facing)]
        if isinstance(grid, ToothSector):
            arrays.append(np.array([grid.repetition.angle, grid.repetition.travel]))
        for array in arrays:
            plain = np.ascontiguousarray(array)
            digest.update(f"{plain.dtype.str} {plain.shape}".encode())
            digest.update(plain.tobytes())
        return cls(digest.hexdigest())

    @property
    def path(self) -> Path:
        """Its file."""
        return cache_folder() / f"{self.key[:32]}.h5"

    def load(self, teeth: Teeth | SurfaceTeeth, material: Material) -> ElasticGear | None:
        """The gear, if it is there and whole, with the teeth and the material of who asks."""
        try:
            found = read(self.path, key=self.key)
        except PitchlineError:
            return None
        with contextlib.suppress(OSError):
            self.path.touch()
        return replace(found, teeth=teeth, material=material)

    def store(self, gear: ElasticGear) -> None:
        """Keep a gear. If the cache cannot be written, a note is printed; this is not an error."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write(gear, self.path, overwrite=True, key=self.key)
            make_room(ROOM)
        except (OSError, PitchlineError) as error:
            folder = str(self.path.parent)
            if folder not in _told:
                _told.add(folder)
                reason = getattr(error, "strerror", None) or error
                note(f'elastic gears cannot be kept in "{folder}" ({reason}): they are computed again in every process')


def make_room(most: float) -> None:
    """Remove the entries that were not used for the longest time, until the others take no more than `most` bytes."""
    files = sorted(
        ((file.stat().st_mtime, file.stat().st_size, file) for file in cache_folder().glob("*.h5")), reverse=True
    )
    for (_, _, file), total in zip(files, itertools.accumulate(size for _, size, _ in files), strict=True):
        if total > most:
            file.unlink(missing_ok=True)
