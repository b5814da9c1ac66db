"""What finite elements of a mesh of a user give: plain arrays, kept in the cache of the user by the contents of the mesh."""

from __future__ import annotations

import contextlib
import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from ...disk.errors import StorageError
from ...disk.hdf5_image import hdf5_image
from ...disk.seal import Sealed, has_seal
from ...errors import PitchlineError
from ...progress import note
from ..gear_cache import ROOM, cache_folder, make_room
from ..meshes.solid_mesh import FloatArray, IntArray, SolidMesh

__all__ = ["MeshResults", "kept", "mesh_key"]

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


@functools.cache
def _method() -> str:
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for source in sorted([*here.glob("*.py"), *here.parent.glob("*.py"), *here.parent.glob("meshes/*.py")]):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()


def mesh_key(
    mesh: SolidMesh, loads: sp.csc_matrix, arrays: Mapping[str, np.ndarray], *, bore: str, limit: float, more: object
) -> str:
    """Key of all that determines the results: nodes, elements, materials, loads, sets, options, and the method."""
    said = [_method(), _FORMAT, bore, float(f"{limit:.12g}"), more]
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
