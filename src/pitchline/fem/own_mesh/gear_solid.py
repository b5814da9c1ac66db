"""A mesh of a user in the axes of a gear, checked: size, connection, nodes at the same position, kinds of elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...errors import ModelError, near_names
from ...gears.gear import Gear
from ...gears.material import Material
from ..hexahedra import EDGES as HEX_EDGES
from ..meshes.solid_mesh import FloatArray, IntArray, SolidMesh
from ..tetrahedra import TET_EDGES
from .mesh_faults import check_finite, check_joined, check_twice
from .options import MeshedGear

__all__ = ["GearSolid", "gear_solid"]

_SAME = 1e-7
"""Nodes that are closer than this part of the tip diameter are at the same position."""
_MIDDLE = 0.35
"""How far nodes between corners are from the middle of their edge, by its length, at most."""
_PERMUTED = {"z": (0, 1, 2), "x": (1, 2, 0), "y": (2, 0, 1)}


@dataclass(frozen=True, eq=False)
class GearSolid:
    """The mesh of a gear; z is its axis.

    mesh: all elements have a material, and all nodes belong to elements. faces: of the outer surface, by kind. size: tip
    diameter of the gear [m]. what: for messages.
    """

    mesh: SolidMesh
    faces: tuple[IntArray, ...]
    size: float
    what: str

    @property
    def nodes(self) -> FloatArray:
        """(n, 3) [m]"""
        return self.mesh.nodes

    @property
    def outer(self) -> IntArray:
        """Nodes of the outer surface."""
        return np.unique(np.concatenate([faces.ravel() for faces in self.faces]))

    def moved(self, nodes: FloatArray) -> GearSolid:
        """The same with other positions of the nodes."""
        return replace(self, mesh=replace(self.mesh, nodes=nodes))

    def faces_in(self, name: str) -> tuple[IntArray, ...]:
        """Outer faces of a set: of nodes, where all nodes of a face belong to it, or of faces."""
        mesh = self.mesh
        key, sets = _found(name, mesh.face_sets), mesh.face_sets
        if key is not None:
            return self._matching(sets[key], name)
        chosen = np.zeros(len(mesh.nodes), dtype=bool)
        chosen[self.nodes_in(name)] = True
        found = tuple(faces[chosen[faces].all(axis=1)] for faces in self.faces)
        if not any(len(faces) for faces in found):
            raise ModelError(
                f'{self.what}: the set "{name}" has {int(chosen.sum())} nodes, but no face on the surface of the mesh has all its '
                "nodes in it. Name a set of all nodes of the surface, mid-edge nodes included"
            )
        return found

    def _matching(self, given: tuple[IntArray, ...], name: str) -> tuple[IntArray, ...]:
        """Outer faces with the corners of given faces."""
        wanted = np.concatenate([_corner_keys(faces) for faces in given]) if given else np.zeros((0, 4), np.int64)
        keys = {tuple(row) for row in wanted.tolist()}
        found = []
        for faces in self.faces:
            mine = np.array([tuple(row) in keys for row in _corner_keys(faces).tolist()], dtype=bool)
            found.append(faces[mine])
        count = sum(len(faces) for faces in found)
        if count < len(keys):
            raise ModelError(
                f'{self.what}: {len(keys) - count} of {len(keys)} faces of the set "{name}" are not faces of '
                f"elements on the surface of "
                "the mesh"
            )
        if count == 0:
            raise ModelError(f'{self.what}: the set "{name}" has no faces')
        return tuple(found)

    def nodes_in(self, name: str) -> IntArray:
        """Nodes of a set of nodes or faces."""
        mesh = self.mesh
        key = _found(name, mesh.node_sets)
        if key is not None:
            rows = mesh.node_sets[key]
            if not len(rows):
                raise ModelError(f'{self.what}: the set "{name}" has no nodes')
            return rows
        key = _found(name, mesh.face_sets)
        if key is not None:
            return np.unique(np.concatenate([faces.ravel() for faces in self._matching(mesh.face_sets[key], name)]))
        known = [*mesh.node_sets, *mesh.face_sets]
        have = near_names(name, known) if known else "the mesh has no sets"
        raise ModelError(f'{self.what}: there is no set "{name}"; {have}')


def _found(name: str, sets: Mapping[str, object]) -> str | None:
    """The name as it is, or in capitals as in .inp files."""
    return name if name in sets else name.upper() if name.upper() in sets else None


def _corner_keys(faces: IntArray) -> IntArray:
    """(k, 4) corners ascending; −1 first for triangles."""
    corners = np.sort(faces[:, : 3 if faces.shape[1] in (3, 6) else 4], axis=1)
    return corners if corners.shape[1] == 4 else np.column_stack([np.full(len(corners), -1), corners])


def gear_solid(own: MeshedGear, gear: Gear, material: Material) -> GearSolid:
    """The mesh in SI with z as axis. material: of elements without one."""
    mesh, what = own.solid(), own.called
    given = own.material
    groups = tuple(replace(g, material=given or g.material or material) for g in mesh.groups if len(g.elements))
    if not groups:
        raise ModelError(f"{what}: there are no elements")
    nodes = np.asarray(mesh.nodes, dtype=np.float64)[:, list(_PERMUTED[own.axis])]
    mesh = _used_only(replace(mesh, nodes=nodes, groups=groups))
    tip = float(gear.tip_diameter)
    for group in groups:
        if group.elements.shape[1] == 4:
            raise ModelError(
                f"{what}: element {group.label(0)} is a tetrahedron of 4 nodes, which is much too stiff in bending. "
                f"Use tetrahedra of "
                "10 nodes (second order), or hexahedra"
            )
    check_finite(mesh, what)
    _check_size(mesh, gear, tip, what)
    check_twice(mesh, what)
    _check_middles(mesh, what)
    _check_connected(mesh, what)
    if not own.cracks:
        _check_double(mesh, tip, what)
    outer = mesh.outer_faces()
    check_joined(mesh, outer, what)
    return GearSolid(mesh, outer, tip, what)


def _used_only(mesh: SolidMesh) -> SolidMesh:
    """Without nodes that belong to no element."""
    used = mesh.used
    if used.all():
        return mesh
    number = np.cumsum(used) - 1

    def faces(table: IntArray) -> IntArray:
        return number[table[used[table].all(axis=1)]]

    return replace(
        mesh,
        nodes=mesh.nodes[used],
        groups=tuple(replace(group, elements=number[group.elements]) for group in mesh.groups),
        node_sets={name: number[rows[used[rows]]] for name, rows in mesh.node_sets.items()},
        face_sets={name: tuple(faces(table) for table in tables) for name, tables in mesh.face_sets.items()},
        labels=np.flatnonzero(used) if mesh.labels is None else mesh.labels[used],
    )


def _check_size(mesh: SolidMesh, gear: Gear, tip: float, what: str) -> None:
    """Tip diameter of mesh and gear: units, axis, and another gear."""
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 1])
    found = 2.0 * float(radius.min() if gear.internal else radius.max())
    which = "smallest" if gear.internal else "largest"
    for factor, mistake in ((1e3, 'is in mm, but units="m"'), (1e-3, 'is in m, but units="mm"')):
        if abs(found / (factor * tip) - 1.0) < 0.05:
            raise ModelError(
                f"{what}: the {which} diameter of the mesh is {1e3 * found:.6g} mm, the tip diameter of the gear is "
                f"{1e3 * tip:.6g} mm: the file {mistake} was specified"
            )
    if abs(found / tip - 1.0) > 0.02:
        raise ModelError(
            f"{what}: the {which} diameter of the mesh about its z axis is {1e3 * found:.6g} mm, but the tip "
            f"diameter of the gear is "
            f"{1e3 * tip:.6g} mm. Specify the gear of this mesh, its units, and the axis of the gear (axis=...)"
        )


def _check_middles(mesh: SolidMesh, what: str) -> None:
    """Nodes of second order elements are near the middles of their edges: another order of nodes would give wrong stiffness."""
    for group in mesh.groups:
        each = group.elements.shape[1]
        edges, corners = (TET_EDGES, 4) if each == 10 else (HEX_EDGES, 8)
        for e, (a, b) in enumerate(edges if each in (10, 20) else ()):
            first, last, middle = (mesh.nodes[group.elements[:, n]] for n in (a, b, corners + e))
            length = np.linalg.norm(last - first, axis=1)
            away = np.linalg.norm(middle - 0.5 * (first + last), axis=1)
            worst = int(np.argmax(away - _MIDDLE * length))
            if away[worst] > _MIDDLE * length[worst]:
                node, ends = (
                    (mesh.label(int(group.elements[worst, n])) for n in (corners + e, a)),
                    int(group.elements[worst, b]),
                )
                numbers = [*node, mesh.label(ends)]
                raise ModelError(
                    f"{what}: node {numbers[0]} of element {group.label(worst)} is {1e3 * away[worst]:.3g} mm away "
                    f"from the middle of "
                    f"the edge between nodes {numbers[1]} and {numbers[2]}, which is {1e3 * length[worst]:.3g} mm "
                    f"long. The order of "
                    "the nodes must be that of the file format"
                )


def _check_connected(mesh: SolidMesh, what: str) -> None:
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    n = len(mesh.nodes)
    first = np.concatenate([np.repeat(g.elements[:, 0], g.elements.shape[1] - 1) for g in mesh.groups])
    other = np.concatenate([g.elements[:, 1:].ravel() for g in mesh.groups])
    count, part = connected_components(
        sp.coo_matrix((np.ones(len(first)), (first, other)), shape=(n, n)), directed=False
    )
    if count > 1:
        sizes = np.bincount(part)
        least = int(np.argmin(sizes))
        for group in mesh.groups:
            at = np.flatnonzero(part[group.elements[:, 0]] == least)
            if len(at):
                raise ModelError(
                    f"{what}: the mesh has {count} parts that are not connected. The smallest has {sizes[least]} "
                    f"nodes and contains "
                    f"element {group.label(int(at[0]))}. Remove it, or merge nodes at the same position"
                )


def _check_double(mesh: SolidMesh, tip: float, what: str) -> None:
    from scipy.spatial import cKDTree

    pairs = cKDTree(mesh.nodes).query_pairs(_SAME * tip, output_type="ndarray")
    if len(pairs):
        a, b = (mesh.label(int(node)) for node in pairs[0])
        raise ModelError(
            f"{what}: nodes {a} and {b} are at the same position ({len(pairs)} such pairs), so that the elements there are not "
            "connected. Merge these nodes, or specify cracks=True if they are the two sides of a crack"
        )
