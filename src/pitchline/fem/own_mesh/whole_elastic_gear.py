"""An elastic gear without cyclic symmetry: every tooth has its own compliance and its own traces of the modes."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import StorageError, available_memory
from pitchline.base.storage.hdf5_image import hdf5_image
from pitchline.base.storage.stored_array import Sealed, has_seal, source_digest
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, PitchlineError

from ..dissection import EliminationTree
from ..elastic_gear import ElasticGear
from ..gear_file import ROOM, cache_folder, make_room
from .inp_mesh import SolidMesh, node_pairs

__all__ = ["check_equations", "check_factor", "MeshResults", "kept", "mesh_key", "WholeElasticGear"]


# ---- memory need

# Memory that the equations of a whole gear need, compared with the free memory before they are solved.
#
# Before anything is assembled: the stiffness has nine numbers for each pair of nodes that share an element, and is
# there several times (with the loads, as a pattern, its entries in the order of elimination). Afterwards, when the
# order of elimination is known: the fronts that are in memory at a time, and the factor where solutions follow.

_PAIR = 400.0
"""Bytes for each pair of nodes, measured: matrices, and lists of their entries."""
_SIDE_BY_SIDE = 1.4
"""Fronts that several threads hold, by those of one thread."""
_USABLE = 0.9
"""Of the free memory; the rest is for the system."""


def check_equations(mesh: SolidMesh, loads: int, what: str) -> None:
    """An error if stiffness and mass of a mesh, and a dense matrix of its loads, do not fit into memory."""
    pairs: Any = sum(node_pairs(group.elements, len(mesh.nodes)).nnz for group in mesh.groups)
    _check(_PAIR * float(pairs) + 4.0 * 8.0 * loads**2, f"{what}: the equations of {len(mesh.nodes):,} nodes")


def check_factor(tree: EliminationTree, nodes: int, what: str, *, kept: bool) -> None:
    """An error if the elimination does not fit. kept: whether the factor is kept."""
    need = 8.0 * (_SIDE_BY_SIDE * tree.front_entries + (tree.factor_size if kept else 0.0))
    _check(need, f"{what}: the {'factor' if kept else 'elimination'} of {nodes:,} nodes")


def _check(need: float, what: str) -> None:
    free = available_memory()
    if need > _USABLE * free:
        raise ModelError(
            f"{what} needs about {1e-9 * need:.3g} GB of memory, but {1e-9 * free:.3g} GB are free. Use larger elements, "
            "especially in the body, a mesh of one tooth if all teeth are equal, or a machine with more memory"
        )


# ---- results

# What finite elements of a mesh of a user give: plain arrays, kept in the cache of the user by the contents of the
# mesh.

_KIND = "pitchline own mesh"
_FORMAT = 1
_told: set[str] = set()


@dataclass(frozen=True, eq=False)
class MeshResults:
    """Statics and modes of a mesh.

    compliance: of a sector (reach + 1, hats, hats) for offsets 0 … reach; of a whole gear (loads, loads). frequencies: [Hz].
    diameters: nodal diameters, of a sector. traces: (modes, hats or loads), complex of a sector. mass, centre (3,), inertia (3, 3)
    about the centre: of the whole gear.
    """

    compliance: FloatArray
    frequencies: FloatArray
    diameters: IntArray
    traces: np.ndarray
    mass: float
    centre: FloatArray
    inertia: FloatArray


def mesh_key(
    mesh: SolidMesh, loads: sp.csc_matrix, arrays: Mapping[str, np.ndarray], *, bore: str, limit: float, more: object
) -> str:
    """Key of all that determines the results: nodes, elements, materials, loads, sets, options, and the method."""
    said = [source_digest("fem"), _FORMAT, bore, float(f"{limit:.12g}"), more]
    digest = hashlib.sha256(repr(said).encode())
    parts: list[np.ndarray] = [mesh.nodes, loads.indptr, loads.indices, loads.data]
    for group in mesh.groups:
        m = group.material
        assert m is not None
        parts += [group.elements, np.array([m.density, m.youngs_modulus, m.poissons_ratio])]
    for name in sorted(arrays):
        digest.update(name.encode())
        parts.append(arrays[name])
    for array in parts:
        plain = np.ascontiguousarray(array)
        digest.update(f"{plain.dtype.str} {plain.shape}".encode() + plain.tobytes())
    return digest.hexdigest()


def kept(key: str | None, compute: Callable[[], MeshResults]) -> MeshResults:
    """Results from the cache, or computed and kept. key: None without a cache."""
    if key is None:
        return compute()
    path = cache_folder() / f"mesh-{key[:32]}.h5"
    found = _read(path, key)
    if found is None:
        found = compute()
        _write(path, key, found)
    return found


def _read(path: Path, key: str) -> MeshResults | None:
    try:
        if not path.is_file() or not has_seal(path):
            return None
        with path.open("rb") as stream:
            sealed = Sealed(stream, f'"{path}"')
            if sealed.kind != _KIND or sealed.head.get("key") != key:
                return None
            data = {name: sealed.array(name) for name in sealed.entries}
        with contextlib.suppress(OSError):
            path.touch()
        return MeshResults(
            data["compliance"],
            data["frequencies"],
            data["diameters"],
            data["traces"],
            float(data["mass"][0]),
            data["centre"],
            data["inertia"],
        )
    except (OSError, LookupError, ValueError, TypeError, StorageError, PitchlineError):
        return None


def _write(path: Path, key: str, found: MeshResults) -> None:
    names = ("compliance", "frequencies", "diameters", "traces", "centre", "inertia")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with hdf5_image() as image:
            for name in names:
                image.array(image.file, name, np.ascontiguousarray(getattr(found, name)), key=name)
            image.array(image.file, "mass", np.array([found.mass]), key="mass")
            image.write(path, _KIND, {"format": _FORMAT, "key": key}, overwrite=True)
        make_room(ROOM)
    except (OSError, PitchlineError) as error:
        folder = str(path.parent)
        if folder not in _told:
            _told.add(folder)
            reason = getattr(error, "strerror", None) or error
            note(f'elastic gears cannot be kept in "{folder}" ({reason}): they are computed again in every process')


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class WholeElasticGear(ElasticGear):
    """A gear whose teeth differ in their elasticity: with holes, webs, a crack or broken teeth; from a mesh of the whole gear.

    Its other attributes, `teeth`, `material`, `grids`, `offsets`, `bore`, `frequencies`, `limit`, `mass`, `inertia` and
    `centre_of_mass`, are those of an `ElasticGear`.

    Attributes
    ----------
    compliance
        (side_i, side_j) → (teeth, offsets, hats_i, hats_j) [m/N]: displacement of hat i on side_i of tooth k + o to a unit force on
        hat j on side_j of tooth k, at [k, o]. See `compliance_between`.
    traces
        side → (modes, teeth, hats) [1/√kg], real: with coordinates c that obey c'' + ω² c = Σ t F under forces F, the
        displacement is
        Σ t c.
    nodal_diameters
        (modes,) zeros: modes have no nodal diameter.
    missing
        (teeth,) teeth without flanks, which carry no load.
    centre
        (3,) centre of mass in the axes of the gear [m].
    inertia_tensor
        (3, 3) about the centre of mass [kg m²].
    """

    kind: ClassVar[str] = "elastic gear without symmetry"
    missing: npt.NDArray[np.bool_]
    centre: FloatArray
    inertia_tensor: FloatArray

    @property
    def symmetric(self) -> bool:
        """False: teeth differ."""
        return False

    @property
    def missing_teeth(self) -> npt.NDArray[np.bool_]:
        """(teeth,) which teeth carry no load."""
        return self.missing

    @property
    def multiplicities(self) -> IntArray:
        """(modes,) ones."""
        return np.ones(len(self.frequencies), dtype=np.int64)

    def compliance_between(self, side_i: str, tooth_i: int, side_j: str, tooth_j: int) -> FloatArray:
        """(hats_i, hats_j) [m/N]: displacement of the hats on side_i of tooth_i to unit forces on those of tooth_j.

        Teeth are counted round the gear. Zero beyond the neighbours that `offsets` contains, and for missing teeth.
        """
        z = self.teeth.gear.teeth
        offset = tooth_i - tooth_j
        offset -= z * round(offset / z)
        block = self.compliance[side_i, side_j]
        at = np.flatnonzero(self.offsets == offset)
        found: FloatArray = block[tooth_j % z, int(at[0])] if len(at) else np.zeros(block.shape[-2:])
        return found

    def modal_compliance(self, side_i: str, side_j: str, *, up_to: object = None) -> FloatArray:
        """The part of `compliance` that the modes below a frequency carry [m/N]; of all modes without `up_to`."""
        chosen = self.frequencies < self._limit(up_to)
        w = 2.0 * math.pi * self.frequencies[chosen]
        t_i, t_j = self.traces[side_i][chosen].real, self.traces[side_j][chosen].real / w[:, None, None] ** 2
        z = self.teeth.gear.teeth
        result = np.empty((z, len(self.offsets), t_i.shape[2], t_j.shape[2]))
        for k in range(z):
            for o, offset in enumerate(self.offsets.tolist()):
                result[k, o] = t_i[:, (k + offset) % z].T @ t_j[:, k]
        return result

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Refused: keep the mesh. The result is in the cache."""
        raise ModelError(
            "elastic gear: gears without symmetry cannot be saved. Keep the file of the mesh: the computed "
            "elasticity is in the cache"
        )

    def __repr__(self) -> str:
        rows, lines = self.grids["left"].shape
        modes = f"{len(self.frequencies)} modes below {self.limit:g} Hz" if self.limit else "no modes"
        gone = f", {int(np.count_nonzero(self.missing))} teeth missing" if np.any(self.missing) else ""
        return f"WholeElasticGear({self.teeth!r}, bore {self.bore}, {rows}×{lines} hats, {modes}{gone})"


def by_tooth(
    C: FloatArray, sizes: Mapping[str, int], teeth: list[int], z: int, reach: int
) -> dict[tuple[str, str], FloatArray]:
    """Compliance of all loads, side after side and tooth after tooth in each, cut into pairs of sides and teeth.

    teeth: with flanks. reach: neighbours on either side.
    """
    place = {k: i for i, k in enumerate(teeth)}
    starts, end = {}, 0
    for side, size in sizes.items():
        starts[side] = end
        end += size * len(teeth)
    result = {}
    for i, n_i in sizes.items():
        for j, n_j in sizes.items():
            block = np.zeros((z, 2 * reach + 1, n_i, n_j))
            for k in teeth:
                column = starts[j] + place[k] * n_j
                for o in range(-reach, reach + 1):
                    other = place.get((k + o) % z)
                    if other is not None:
                        row = starts[i] + other * n_i
                        block[k, o + reach] = C[row : row + n_i, column : column + n_j]
            result[i, j] = block
    return result
