"""Files of superelements: those of the user's cache folder, and those that users save.

Superelements of meshes that were reduced before, in the user's cache folder.

An entry is named by a hash of all that determines it: nodes, elements and materials of the mesh bit by bit, the options of
interfaces
and modes, and the sources of the method. Entries that cannot be read are computed again. The least recently used ones are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.base.progress.display import note
from pitchline.base.storage.free_names import StorageError, user_cache
from pitchline.base.storage.hdf5_image import hdf5_image
from pitchline.base.storage.stored_array import Sealed, has_seal, source_digest
from pitchline.errors import PitchlineError
from pitchline.fem.own_mesh.inp_mesh import SolidMesh

from .superelement import Superelement

if TYPE_CHECKING:
    from .superelement import Superelement

__all__ = ["FORMAT", "KIND", "read", "write", "mesh_key", "recall", "remember"]


# ---- superelement file

# A superelement as one file: HDF5 with plain names, read through its seal (`base.storage.stored_array`), complete or not at all.

FORMAT = 1
KIND = "pitchline superelement"
_ARRAYS = (
    "positions", "axes", "stiffness", "modal_stiffness", "mass_matrix", "frequencies", "centre_of_mass",
    "inertia", "points", "triangles", "shapes",
)  # fmt: skip


def write(body: Superelement, path: str | Path, *, overwrite: bool = False, key: str = "") -> Path:
    """Write a superelement to `path`; `key` identifies its input, for a cache."""
    head = {"interfaces": list(body.interfaces), "mass": body.mass, "key": key}
    with hdf5_image() as image:
        image.file.attrs["pitchline_superelement_format"] = FORMAT
        image.file.attrs["description"] = json.dumps(head)
        for name in _ARRAYS:
            image.array(image.file, name, getattr(body, name), key=name)
        return image.write(path, KIND, {"format": FORMAT, "superelement": head}, overwrite=overwrite)


def read(path: str | Path, *, key: str | None = None) -> Superelement:
    """The superelement in a file; with `key`, only if it was computed from just that."""
    from .superelement import Superelement

    source = Path(path).expanduser()
    if not source.is_file():
        raise StorageError(f'there is no file "{source}"')
    try:
        if not has_seal(source):
            raise StorageError(
                f'"{source}" is not a superelement of this version of pitchline, is damaged, or is incomplete. Save it again'
            )
        with source.open("rb") as stream:
            sealed = Sealed(stream, f'"{source}"')
            if sealed.kind != KIND:
                raise StorageError(f'"{source}" is not a superelement but a {sealed.kind:.40}')
            if sealed.head.get("format") != FORMAT:
                raise StorageError(
                    f'"{source}" has superelement format {sealed.head.get("format")!s:.40}, but {FORMAT} is '
                    "supported. Save it again"
                )
            head = sealed.head["superelement"]
            if key is not None and head["key"] != key:
                raise StorageError(f'"{source}" was computed from other data')
            data = {name: sealed.array(name) for name in _ARRAYS}
        _check(data, head)
        whole: dict[str, Any] = {**data, "mass": float(head["mass"])}
        return Superelement(tuple(head["interfaces"]), **whole)
    except StorageError:
        raise
    except (OSError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise StorageError(f'"{source}" is damaged, or not as pitchline writes it: {error}') from error


def _check(data: dict[str, Any], head: dict[str, Any]) -> None:
    """Compiled code does not look at the sizes of what it is given."""
    k, m, p = len(head["interfaces"]), len(data["modal_stiffness"]), len(data["points"])
    n = 6 * k + m
    shapes = {
        "positions": (k, 3), "axes": (k, 3, 3), "stiffness": (6 * k, 6 * k), "modal_stiffness": (m,), "mass_matrix": (n, n),
        "frequencies": (m,), "centre_of_mass": (3,), "inertia": (3, 3), "points": (p, 3), "triangles": (len(data["triangles"]), 3),
        "shapes": (p, 3, n),
    }  # fmt: skip
    kinds = {"triangles": np.int64, "shapes": np.float32}
    for name, shape in shapes.items():
        array = data[name]
        if array.shape != shape or array.dtype != kinds.get(name, np.float64) or not np.all(np.isfinite(array)):
            raise ValueError(f'"{name}" does not fit the other arrays')


ROOM = 5e8
"""Bytes of the cache."""
WORTH_KEEPING = 300
"""Nodes from which on a reduction takes longer than reading a file."""
LAST = 8
"""Superelements that are kept in memory: files are read, written and varied with the same body many times."""
_known: dict[str, Superelement] = {}
_told: set[str] = set()


def _folder() -> Path:
    return user_cache() / "superelements"


def mesh_key(mesh: SolidMesh, *said: Any) -> str:
    """Key of the reduction of a mesh. `said`: its options, plain data."""
    digest = hashlib.sha256(repr([source_digest("parts/flexible", "fem"), FORMAT, *said]).encode())
    arrays: list[Any] = [mesh.nodes]
    for group in mesh.groups:
        m = group.material
        assert m is not None  # `mesh_matrices` has refused a mesh without materials
        arrays += [group.elements, np.array([m.density, m.youngs_modulus, m.poissons_ratio])]
    for name in sorted(mesh.node_sets):
        digest.update(name.encode())
        arrays.append(mesh.node_sets[name])
    if mesh.labels is not None:
        arrays.append(mesh.labels)
    for array in arrays:
        plain = np.ascontiguousarray(array)
        digest.update(f"{plain.dtype.str} {plain.shape}".encode() + plain.tobytes())
    return digest.hexdigest()


def _path(key: str) -> Path:
    return _folder() / f"{key[:32]}.h5"


def recall(key: str) -> Superelement | None:
    """The superelement of a key, if it is there and whole."""
    if key in _known:
        return _known[key]
    try:
        found = read(_path(key), key=key)
    except PitchlineError:
        return None
    with contextlib.suppress(OSError):
        _path(key).touch()
    _keep_in_memory(key, found)
    return found


def _keep_in_memory(key: str, body: Superelement) -> None:
    _known[key] = body
    while len(_known) > LAST:
        del _known[next(iter(_known))]


def remember(key: str, body: Superelement, nodes: int) -> None:
    """Keep a superelement with this number of nodes. If the cache cannot be written, a note is printed; this is not an error."""
    _keep_in_memory(key, body)
    if nodes < WORTH_KEEPING:
        return
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write(body, _path(key), overwrite=True, key=key)
        files = sorted(
            ((file.stat().st_mtime, file.stat().st_size, file) for file in folder.glob("*.h5")), reverse=True
        )
        for (_, _, file), total in zip(files, itertools.accumulate(size for _, size, _ in files), strict=True):
            if total > ROOM:
                file.unlink(missing_ok=True)
    except (OSError, PitchlineError) as error:
        if str(folder) not in _told:
            _told.add(str(folder))
            reason = getattr(error, "strerror", None) or error
            note(f'flexible bodies cannot be kept in "{folder}" ({reason}): they are reduced again in every process')
