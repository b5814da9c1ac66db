"""Superelements of meshes that were reduced before, in the user's cache folder.

An entry is named by a hash of all that determines it: nodes, elements and materials of the mesh bit by bit, the options of
interfaces
and modes, and the sources of the method. Entries that cannot be read are computed again. The least recently used ones are removed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
from pathlib import Path
from typing import Any

import numpy as np

from ..disk.user_cache import user_cache
from ..errors import PitchlineError
from ..fem.meshes.solid_mesh import SolidMesh
from ..progress import note
from .superelement import Superelement
from .superelement_file import FORMAT, read, write

__all__ = ["mesh_key", "recall", "remember"]

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


@functools.cache
def _method() -> str:
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for source in sorted([*here.glob("*.py"), *(here.parent / "fem").glob("*.py")]):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()


def mesh_key(mesh: SolidMesh, *said: Any) -> str:
    """Key of the reduction of a mesh. `said`: its options, plain data."""
    digest = hashlib.sha256(repr([_method(), FORMAT, *said]).encode())
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
