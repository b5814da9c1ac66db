"""Natural modes of a gear as the nodes of its flanks move in them, for contact of nodes with surfaces.

An elastic gear (`ElasticGear`) has its modes as mean normal displacements of the flanks. Contact of single nodes needs the
displacement vectors of all nodes. Only those of tooth 0 are kept: on tooth k a mode with n nodal diameters is turned by kα and has
the phase e^{inkα}. The modes of the whole gear, as a file of all its nodes would contain them, are never formed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ..disk.errors import StorageError
from ..disk.hdf5_image import hdf5_image
from ..disk.seal import Sealed, has_seal
from ..errors import ModelError, PitchlineError
from ..gears.material import Material
from ..gears.teeth import Teeth
from ..gears.teeth.arrays import ComplexArray, FloatArray, IntArray
from ..progress import note, stage
from .blas_threads import one_blas_thread
from .cyclic_modes import cyclic_modes
from .cyclic_symmetry import CondensedSector, CyclicSector
from .elastic_gear import SIDES
from .element_matrices import formulation_for
from .flank_lattice import FlankLattice, flank_lattice
from .gear_cache import ROOM, CacheEntry, cache_folder, make_room
from .sector_grid import SectorGrid

__all__ = ["NodeModes", "node_modes"]

KIND = "pitchline node modes"
FORMAT = 1


@dataclass(frozen=True, eq=False)
class NodeModes:
    """Modes of a gear on the nodes of its flanks.

    Attributes
    ----------
    frequencies : (modes,)
        [Hz], ascending, one entry for a pair of nodal diameters n and −n.
    nodal_diameters : (modes,)
    shapes : side → (modes, points, 3)
        [1/√kg] Displacement of the points of the lattice of tooth 0, in the axes of the gear; scaled as traces of `ElasticGear`.
    lattices : side → FlankLattice
    nodes : int
        Of the whole gear.
    file_size : int
        Bytes of the file in the cache; 0 if there is none.
    """

    frequencies: FloatArray
    nodal_diameters: IntArray
    shapes: Mapping[str, ComplexArray]
    lattices: Mapping[str, FlankLattice]
    teeth: int
    nodes: int
    file_size: int = 0

    @property
    def paired(self) -> np.ndarray:
        """(modes,) whether an entry stands for two modes."""
        n = self.nodal_diameters
        return np.asarray((n != 0) & (2 * n != self.teeth))

    @property
    def count(self) -> int:
        """Number of modes; pairs are two."""
        return int(len(self.frequencies) + np.count_nonzero(self.paired))

    @property
    def bytes_of_all_nodes(self) -> int:
        """Of the displacements of all nodes in all modes, as numbers of eight bytes: what a general program stores."""
        return 8 * 3 * self.nodes * self.count


def node_modes(
    teeth: Teeth, grid: SectorGrid, *, bore: str = "free", up_to: float | None = None, count: int | None = None,
    formulation: str | None = None, cache: bool = True, name: str = "",
) -> NodeModes:  # fmt: skip
    """The modes of a gear below a frequency [Hz], or the lowest `count` of them (one more, so that a pair is not cut).

    teeth: with the modifications of the flanks, which only move the points of the lattices.
    """
    if (up_to is None) == (count is None):
        raise ModelError("node modes: specify either up_to or count")
    kind = formulation_for(grid.solid.elements.shape[1], formulation)
    material = teeth.gear.material
    lattices = {side: flank_lattice(grid, teeth, side) for side in SIDES}
    entry = CacheEntry.of(
        grid, material, bore=bore, limit=up_to or 0.0, reach=0, formulation=f"{kind} nodes {count or 0}"
    )
    key = hashlib.sha256(f"nodes {FORMAT} {entry.key}".encode()).hexdigest()
    path = cache_folder() / f"{key[:32]}.h5"
    nodes = grid.teeth.gear.teeth * (len(grid.solid.nodes) - len(grid.high_side))
    data = _read(path, key) if cache else None
    if data is None:
        with (
            stage(f"modes of {name or f'a gear with {teeth.gear.teeth} teeth'} on its nodes", implied=True),
            one_blas_thread(),
        ):
            data = _compute(grid, material, lattices, bore, kind, up_to, count)
        if cache:
            _write(path, key, data)
    size = path.stat().st_size if cache and path.is_file() else 0
    shapes = {side: data[side] for side in SIDES}
    return NodeModes(data["frequencies"], data["nodal_diameters"], shapes, lattices, teeth.gear.teeth, nodes, size)


def _compute(
    grid: SectorGrid, material: Material, lattices: Mapping[str, FlankLattice], bore: str, kind: str, up_to: float | None,
    count: int | None,
) -> dict[str, np.ndarray]:  # fmt: skip
    sector = CyclicSector.of(grid, material, bore=bore, formulation=kind)
    condensed = CondensedSector(sector)
    if up_to is not None:
        found = cyclic_modes(sector, condensed, up_to=up_to)
    else:
        assert count is not None
        most = 3 * grid.teeth.gear.teeth * (len(grid.solid.nodes) - len(grid.high_side)) // 2
        if count > most:
            raise ModelError(
                f"{count} modes of a gear with {2 * most // 3} nodes: at most half of its {2 * most} unknowns can be computed, "
                f"{most}. Use a finer grid or fewer modes"
            )
        limit = _limit(sector, condensed, count)
        found = cyclic_modes(sector, condensed, up_to=limit)
    frequencies = np.concatenate([m.frequencies for m in found])
    diameters = np.concatenate([np.full(len(m.eigenvalues), m.harmonic) for m in found]).astype(np.int64)
    order = np.argsort(frequencies, kind="stable")
    if count is not None:
        z = grid.teeth.gear.teeth
        many = np.cumsum(np.where((diameters[order] == 0) | (2 * diameters[order] == z), 1, 2))
        order = order[: int(np.searchsorted(many, count)) + 1]
    data: dict[str, np.ndarray] = {"frequencies": frequencies[order], "nodal_diameters": diameters[order]}
    for side in SIDES:
        spread = _vectors(lattices[side].weights) @ sector.rotation
        parts = []
        for m in found:
            scale = math.sqrt(sector.weight(m.harmonic) / sector.count)
            parts.append(scale * (spread @ sector.seen(np.ascontiguousarray(m.vectors.T), m.harmonic)).T)
        whole = np.concatenate(parts)[order]
        data[side] = np.ascontiguousarray(whole.reshape(len(order), -1, 3))
    return data


def _vectors(weights: sp.csr_matrix) -> sp.csr_matrix:
    """Of displacement vectors from weights of nodes."""
    return sp.kron(weights, sp.eye(3), format="csr")


def _limit(sector: CyclicSector, condensed: CondensedSector, count: int) -> float:
    """A frequency [Hz] below which there are at least `count` elastic modes, not many more."""
    from .sylvester import eigenvalues_below

    rigid = 0 if sector.bore == "fixed" else 6
    limit = 5e4
    for _ in range(60):
        counts = eigenvalues_below(sector, (2.0 * math.pi * limit) ** 2, condensed)
        if counts is None:
            limit *= 1.003
            continue
        total = sum(sector.weight(int(n)) * c for n, c in zip(sector.harmonics(), counts, strict=True)) - rigid
        if total >= count:
            return limit
        limit *= min(2.0, max(1.02, (1.1 * count / max(total, 1)) ** 0.4))
    raise ModelError(f"{count} modes were not found below {limit:g} Hz. Use a finer grid or fewer modes")


def _write(path: Path, key: str, data: Mapping[str, np.ndarray]) -> None:
    """Into the cache. If it cannot be written, a note is printed; this is not an error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with hdf5_image() as image:
            image.file.attrs["description"] = json.dumps({"key": key})
            for name, array in data.items():
                image.array(image.file, name, array, key=name)
            image.write(path, KIND, {"format": FORMAT, "key": key}, overwrite=True)
        make_room(ROOM)
    except (OSError, PitchlineError) as error:
        note(f'modes cannot be kept in "{path.parent}" ({error}): they are computed again in every process')


def _read(path: Path, key: str) -> dict[str, np.ndarray] | None:
    """From the cache; None if it is not there or damaged."""
    try:
        if not path.is_file() or not has_seal(path):
            return None
        with path.open("rb") as stream:
            sealed = Sealed(stream, f'"{path}"')
            if sealed.kind != KIND or sealed.head.get("key") != key:
                return None
            data = {name: np.asarray(sealed.array(name)) for name in sealed.entries}
        modes = len(data["frequencies"])
        if data["nodal_diameters"].shape != (modes,) or any(data[side].shape[0] != modes for side in SIDES):
            return None
        path.touch()
        return data
    except (OSError, LookupError, ValueError, TypeError, PitchlineError, StorageError):
        return None
