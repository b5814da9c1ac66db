"""Reader of meshes in VTK files (.vtu, UnstructuredGrid): nodes, solid elements, sets of nodes and faces.

Point data of whole numbers are sets of nodes: the nodes that are not 0. Cell data of whole numbers on triangles and quadrangles are
sets of faces: those that are not 0, and "NAME=5" those with the value 5.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import ModelError, shown
from ...gears.material import Material
from .cell_kinds import CellTables, contents_of
from .solid_mesh import IntArray, SolidMesh
from .vtu_arrays import AnyArray, VtuFile

__all__ = ["read_vtu"]

_SOLID = {10: 4, 24: 10, 12: 8, 25: 20}
_FACE = {5: 3, 9: 4, 22: 6, 23: 8}
_LEFT_OUT = {1, 2, 3, 4, 21}
"""Points and lines."""
_OTHERS = {
    11: "voxels", 13: "wedges", 14: "pyramids", 26: "wedges of 15 nodes", 27: "pyramids of 13 nodes", 29: "hexahedra of 27 nodes",
    28: "quadrangles of 9 nodes", 42: "polyhedra", 71: "Lagrange tetrahedra", 72: "Lagrange hexahedra",
}  # fmt: skip
_MOST_VALUES = 1000
"""Different values of cell data that become sets."""


def read_vtu(path: Path, scale: float, material: Material | None) -> SolidMesh:
    """The mesh of a file. scale: metres in its unit."""
    what = f'mesh "{path}"'
    file = VtuFile(contents_of(path), what)
    points = np.asarray(file.array("Points"), dtype=np.float64)
    n = file.points
    if points.size != 3 * n or not np.all(np.isfinite(points)) or np.abs(points).max(initial=0.0) > 1e30:
        raise ModelError(f"{what}: Points must contain {n} finite points, got {points.size} numbers")
    points = points.reshape(-1, 3)
    nodes, ends, kinds = (_whole(file, name, what) for name in ("connectivity", "offsets", "types"))
    m = file.cells
    if len(ends) != m or len(kinds) != m:
        raise ModelError(f"{what}: there are {m} cells, but {len(ends)} offsets and {len(kinds)} types")
    starts = np.concatenate([[0], ends[:-1]]) if m else ends
    if m and (starts > ends).any() | (ends[-1] != len(nodes)) | (ends[0] < 0):
        raise ModelError(f"{what}: the offsets of the cells must increase up to {len(nodes)}")
    if len(nodes) and not 0 <= nodes.min() <= nodes.max() < n:
        raise ModelError(
            f"{what}: cells refer to the points {nodes.min()} to {nodes.max()}, the points are 0 to {n - 1}"
        )
    tables = CellTables(path)
    faces: list[tuple[IntArray, IntArray]] = []
    for kind in np.unique(kinds).tolist():
        own = np.flatnonzero(kinds == kind)
        if kind in _LEFT_OUT:
            continue
        size = (_SOLID | _FACE).get(kind)
        if size is None:
            name = _OTHERS.get(kind, f"cells of type {kind}")
            raise ModelError(
                f"{what}: {name} are not supported (cell {own[0]}). Use tetrahedra of 10 nodes or hexahedra of 8 or 20 nodes"
            )
        wrong = own[(ends - starts)[own] != size]
        if len(wrong):
            raise ModelError(f"{what}: cell {wrong[0]} of type {kind} must have {size} points")
        table = nodes[starts[own][:, None] + np.arange(size)]
        if kind in _SOLID:
            tables.solids.setdefault(size, []).append((own, table))
        else:
            faces.append((own, table))
    for name in file.names("CellData"):
        values = _member(file.field("CellData", name), m, f"{what}: cell data {shown(name)}")
        if values is not None:
            _face_sets(tables, name, values, faces)
    sets = {}
    for name in file.names("PointData"):
        values = _member(file.field("PointData", name), n, f"{what}: point data {shown(name)}")
        if values is not None:
            sets[name] = np.flatnonzero(values)
    return tables.mesh(points, np.arange(n), sets, material, scale)


def _whole(file: VtuFile, name: str, what: str) -> IntArray:
    found = file.array(name)
    if found.dtype.kind not in "iu" or (found.size and int(found.max()) >= 2**62):
        raise ModelError(f'{what}: "{name}" must contain whole numbers')
    return np.asarray(found.ravel(), dtype=np.int64)


def _member(values: AnyArray, count: int, what: str) -> IntArray | None:
    """Whole numbers; None for other fields, such as displacements."""
    if values.dtype.kind not in "iu" or values.ndim != 1:
        return None
    if len(values) != count:
        raise ModelError(f"{what} has {len(values)} values, but {count} are required")
    return values.astype(np.int64)


def _face_sets(tables: CellTables, name: str, values: IntArray, faces: list[tuple[IntArray, IntArray]]) -> None:
    for own, table in faces:
        mine = values[own]
        if (mine != 0).any():
            tables.faces.setdefault(name, []).append(table[mine != 0])
        different = np.unique(mine)
        if len(different) <= _MOST_VALUES:
            for value in different.tolist():
                tables.faces.setdefault(f"{name}={value}", []).append(table[mine == value])
