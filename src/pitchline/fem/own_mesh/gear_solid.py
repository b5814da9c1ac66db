"""A mesh of a user in the axes of a gear, checked: size, connection, nodes at the same position, kinds of elements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, near_names, shown
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import Material, flag, whole
from pitchline.units.quantity import quantity

from ..element_matrices import TET_EDGES
from ..hexahedra import EDGES as HEX_EDGES
from .inp_mesh import SolidMesh

__all__ = [
    "check_finite",
    "check_joined",
    "check_twice",
    "MeshedGear",
    "own_gear_of",
    "GearSolid",
    "gear_solid",
    "Cuts",
    "find_cuts",
    "rotated",
]


# ---- mesh faults

# Faults of a mesh that would give wrong elasticity without an error of the solver.


def check_finite(mesh: SolidMesh, what: str) -> None:
    """All coordinates are numbers."""
    wrong = ~np.isfinite(mesh.nodes).all(axis=1)
    if wrong.any():
        node = int(np.flatnonzero(wrong)[0])
        raise ModelError(
            f"{what}: the coordinates of node {mesh.label(node)} are not finite ({int(wrong.sum())} such nodes). Correct them"
        )


def check_twice(mesh: SolidMesh, what: str) -> None:
    """No element is there twice: stiffness and mass would be counted twice."""
    for group in mesh.groups:
        each = group.elements.shape[1]
        corners = np.sort(group.elements[:, : 4 if each in (4, 10) else 8], axis=1)
        _, first, back = np.unique(corners, axis=0, return_index=True, return_inverse=True)
        again = np.flatnonzero(first[back.ravel()] != np.arange(len(corners)))
        if len(again):
            one, other = (group.label(int(k)) for k in (first[back.ravel()[again[0]]], again[0]))
            raise ModelError(
                f"{what}: elements {one} and {other} have the same nodes ({len(again)} elements are there twice). "
                "Remove one of them"
            )


def check_joined(mesh: SolidMesh, outer: tuple[IntArray, ...], what: str) -> None:
    """Elements of different kinds that share corners share their faces: otherwise nodes between corners are loose.

    outer: faces that belong to one element only. Two of them with the same corners do not fit together; nor does a triangle on
    half of a quadrangle.
    """
    triples: list[IntArray] = []
    for faces in outer:
        sides = 3 if faces.shape[1] in (3, 6) else 4
        corners = np.sort(faces[:, :sides], axis=1)
        parts = [corners] if sides == 3 else [np.delete(corners, k, axis=1) for k in range(4)]
        # a face has each of its triples once, so that a triple that is there twice is on two faces
        triples += [np.unique(part, axis=0) for part in parts]
    if not triples:
        return
    found, count = np.unique(np.concatenate(triples), axis=0, return_counts=True)
    if (count > 1).any():
        nodes = found[int(np.argmax(count > 1))]
        labels = ", ".join(str(mesh.label(int(node))) for node in nodes)
        raise ModelError(
            f"{what}: elements of different kinds meet at the nodes {labels}, but do not have the same face there "
            f"({int((count > 1).sum())} such places). Use elements of the same order, and no tetrahedra on faces of hexahedra"
        )


# ---- options

# `MeshedGear`: a solid mesh of a gear from another program, and which of its sets are flanks, bore and cuts.

_WHAT = "meshed gear"


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class MeshedGear:
    """A solid mesh of a gear from another program, and the meaning of its sets; for `elastic_gear`.

    Parameters
    ----------
    mesh
        File (.inp, .vtu, .msh), or a `SolidMesh`.
    units
        Of the file: "mm" or "m".
    material
        Of all elements, instead of those of the file; elements without a material have that of the gear.
    flanks
        {"left": name, "right": name} of the sets of nodes or faces on the flanks, of all teeth together; several names in a
        list. Without it, faces on the flanks of `teeth` are found by their position.
    bore_set
        Name of the set at the bore (internal gears: at the outside of the rim). Without it, the surface closest to the
        axis (internal
        gears: farthest from it).
    sector
        (low, high): names of the sets on the two cuts of a mesh of one tooth. True: one tooth, whose cuts are found. False: the
        whole gear. Without it, this is found.
    rows, lines
        Grid of the pressures (hats) on a flank: points along the profile and along the face. Default: that of the
        nodes, if these are
        on a regular grid, otherwise as fine as the elements.
    axis
        "x", "y" or "z" (default): axis of the gear in the mesh. x is taken as z of the gear, with y, z as x, y; y "
        "with z, x as x, y.
    turn
        Angle [rad] by which the mesh is rotated about the axis into the axes of the gear (x through the middle of
        tooth 0). Default: as
        the named flanks require, otherwise 0.
    missing
        Numbers of broken teeth, which carry no load. Teeth without any flank are missing anyway.
    cracks
        True: nodes at the same position may belong to different sides of a crack. False (default): such nodes are an error.
    """

    mesh: SolidMesh | Path
    units: str | None
    material: Material | None
    flanks: Mapping[str, tuple[str, ...]] | None
    bore_set: str | None
    sector: tuple[str, str] | bool | None
    rows: int | None
    lines: int | None
    axis: str
    turn: float | None
    missing: tuple[int, ...]
    cracks: bool

    def __init__(
        self,
        mesh: SolidMesh | str | Path,
        *,
        units: str | None = None,
        material: Material | None = None,
        flanks: Mapping[str, str | Sequence[str]] | None = None,
        bore_set: str | None = None,
        sector: Sequence[str] | bool | None = None,
        rows: object = None,
        lines: object = None,
        axis: str = "z",
        turn: object = None,
        missing: Sequence[int] = (),
        cracks: bool = False,
    ) -> None:
        if isinstance(mesh, SolidMesh):
            if units is not None:
                raise ModelError(f"{_WHAT}: a SolidMesh is in SI already. Leave out units")
        elif not isinstance(mesh, (str, Path)):
            raise ModelError(f"{_WHAT}: mesh must be the name of a file or a SolidMesh, got {shown(mesh)}")
        else:
            mesh = Path(mesh)
            if units not in ("mm", "m"):
                raise ModelError(
                    f'{_WHAT} "{mesh}": specify the units of the file: units="mm" or units="m", got {shown(units)}'
                )
        if material is not None and not isinstance(material, Material):
            raise ModelError(f"{_WHAT}: material must be a Material such as pl.STEEL, got {shown(material)}")
        if bore_set is not None and not isinstance(bore_set, str):
            raise ModelError(f"{_WHAT}: bore_set must be the name of a set, got {shown(bore_set)}")
        if axis not in ("x", "y", "z"):
            raise ModelError(f'{_WHAT}: axis must be "x", "y" or "z", got {shown(axis)}')
        given: dict[str, Any] = {
            "mesh": mesh,
            "units": units,
            "material": material,
            "flanks": _flanks(flanks),
            "bore_set": bore_set,
            "sector": _sector(sector),
            "rows": None if rows is None else whole(rows, f"{_WHAT}: rows", at_least=3, at_most=200),
            "lines": None if lines is None else whole(lines, f"{_WHAT}: lines", at_least=3, at_most=200),
            "axis": axis,
            "turn": None if turn is None else quantity(turn, "angle", what=f"{_WHAT}: turn"),
            "missing": _missing(missing),
            "cracks": flag(cracks, f"{_WHAT}: cracks"),
        }
        if (rows is None) != (lines is None):
            raise ModelError(f"{_WHAT}: specify rows and lines, or none of them")
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def options(self) -> dict[str, object]:
        """Options that differ from the defaults, as in model files; `mesh` always."""
        plain = {"axis": "z", "missing": (), "cracks": False}
        said = {item.name: getattr(self, item.name) for item in fields(self)}
        kept = {name: value for name, value in said.items() if name == "mesh" or value != plain.get(name)}
        mesh = kept["mesh"]
        return {**kept, "mesh": str(mesh) if isinstance(mesh, Path) else mesh}

    @property
    def hats(self) -> tuple[int, int] | None:
        """Rows and lines, if they are specified."""
        return None if self.rows is None or self.lines is None else (self.rows, self.lines)

    def solid(self) -> SolidMesh:
        """The mesh, read from its file."""
        if isinstance(self.mesh, SolidMesh):
            return self.mesh
        from .reading import solid_mesh

        return solid_mesh(self.mesh, units=self.units, material=self.material)

    def flank_points(self, gear: Gear, side: str) -> FloatArray:
        """(n, 3) nodes [m] of the named "left" or "right" flank, of the tooth closest to the x axis; for teeth from points.

        gear: nominal gear, for the checks of size and units.
        """
        from .flank_hats import points_of_tooth

        return points_of_tooth(self, gear, side)

    def with_material(self, material: Material | None) -> MeshedGear:
        """The same with a material of all elements; as it is with None."""
        if material is None:
            return self
        found = copy(self)
        object.__setattr__(found, "material", material)
        return found

    @property
    def called(self) -> str:
        """For messages."""
        name = self.mesh.source if isinstance(self.mesh, SolidMesh) else str(self.mesh)
        return f'mesh "{name}"' if name else "mesh"


def own_gear_of(options: Mapping[str, object]) -> MeshedGear:
    """From options as in model files, which contain "mesh"."""
    known = [item.name for item in fields(MeshedGear)]
    for name in options:
        if name not in known:
            raise ModelError(f"{_WHAT}: there is no option {shown(name)}; {near_names(str(name), known)}")
    given: dict[str, Any] = dict(options)
    return MeshedGear(given.pop("mesh"), **given)


def _names(value: object, what: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (list, tuple)) else ()
    if not names or not all(isinstance(name, str) and name for name in names):
        raise ModelError(f"{_WHAT}: {what} must be the name of a set, or a list of names, got {shown(value)}")
    return names


def _flanks(value: object) -> Mapping[str, tuple[str, ...]] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"left", "right"}:
        raise ModelError(
            f'{_WHAT}: flanks must be {{"left": name of a set, "right": name of a set}}, got {shown(value)}'
        )
    return {side: _names(value[side], f"flanks.{side}") for side in ("left", "right")}


def _sector(value: object) -> tuple[str, str] | bool | None:
    if value is None or isinstance(value, bool):
        return value
    names = tuple(value) if isinstance(value, (list, tuple)) else ()
    if len(names) != 2 or not all(isinstance(name, str) and name for name in names) or names[0] == names[1]:
        raise ModelError(
            f"{_WHAT}: sector must be two names of sets (low, high), True (one tooth) or False (whole gear), got {shown(value)}"
        )
    return names[0], names[1]


def _missing(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        raise ModelError(f"{_WHAT}: missing must be a list of numbers of teeth, got {shown(value)}")
    return tuple(whole(n, f"{_WHAT}: missing", at_least=0, at_most=100_000) for n in value)


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


# ---- cut faces

# The two cuts of a mesh of one tooth: nodes of the high cut are those of the low one, rotated by one pitch.

_TOLERANCE = 2e-5
"""Distance of matching nodes, by the tip diameter; they are then moved to the same position."""

Cuts = tuple[IntArray, IntArray]


def rotated(points: FloatArray, angle: float) -> FloatArray:
    """Points rotated about z [rad]."""
    P = (points[:, 0] + 1j * points[:, 1]) * np.exp(1j * angle)
    return np.stack([P.real, P.imag, points[:, 2]], axis=-1)


def find_cuts(solid: GearSolid, own: MeshedGear, teeth: int) -> Cuts | None:
    """Matching nodes of the low and the high cut of one tooth; None for a whole gear."""
    if own.sector is False:  # also a segment, which does not go all round
        return None
    pitch = 2.0 * math.pi / teeth
    if isinstance(own.sector, tuple):
        low, high = (solid.nodes_in(name) for name in own.sector)
        return _matched(solid, low, high, own.sector, pitch)
    outer = solid.outer
    low, high = _pairs(solid, outer, outer, pitch)
    if len(low) > 0.5 * len(outer):  # every tooth is the next one rotated
        if own.sector:
            raise ModelError(f"{solid.what}: sector=True is specified, but the mesh is a whole gear. Leave out sector")
        _check_all_round(solid, teeth)
        return None
    if len(low) >= 4:
        _check_cut(solid, low, high, pitch)
        return low, high
    if own.sector:
        raise ModelError(
            f"{solid.what}: no cut faces were found: nodes that are rotated by one pitch of "
            f"{math.degrees(pitch):.6g} deg do not meet "
            "others. Use the same nodes on both cuts, and specify their sets: sector=(low, high)"
        )
    _check_all_round(solid, teeth)
    return None


def _pairs(solid: GearSolid, low: IntArray, high: IntArray, pitch: float) -> Cuts:
    from scipy.spatial import cKDTree

    away, at = cKDTree(solid.nodes[high]).query(rotated(solid.nodes[low], pitch))
    good = away <= _TOLERANCE * solid.size
    return low[good], high[at[good]]


def _matched(solid: GearSolid, low: IntArray, high: IntArray, names: tuple[str, str], pitch: float) -> Cuts:
    """Named cuts, in either order."""
    from scipy.spatial import cKDTree

    worst: tuple[float, int, str, str] = (math.inf, 0, names[0], names[1])
    for first, second, from_set, to_set in ((low, high, *names), (high, low, *names[::-1])):
        away, at = cKDTree(solid.nodes[second]).query(rotated(solid.nodes[first], pitch))
        far = int(np.argmax(away))
        if away[far] <= _TOLERANCE * solid.size and len(first) == len(second) == len(np.unique(at)):
            return first, second[at]
        if away[far] < worst[0]:
            worst = float(away[far]), int(first[far]), from_set, to_set
    distance, node, from_set, to_set = worst
    if len(low) != len(high):
        raise ModelError(
            f'{solid.what}: the cut "{names[0]}" has {len(low)} nodes, but "{names[1]}" has {len(high)}. Mesh one '
            f"cut as a copy of the "
            "other one (periodic mesh)"
        )
    raise ModelError(
        f'{solid.what}: the cuts do not match: node {solid.mesh.label(node)} of "{from_set}", rotated by one pitch of '
        f'{math.degrees(pitch):.6g} deg, is {1e3 * distance:.4g} mm away from the closest node of "{to_set}". Mesh '
        f"one cut as a copy of "
        "the other one (periodic mesh)"
    )


def _check_cut(solid: GearSolid, low: IntArray, high: IntArray, pitch: float) -> None:
    """All outer faces next to the low cut that are on it must match: a cut with only some matching nodes is an error."""
    for nodes, name, turn in ((low, "low", pitch), (high, "high", -pitch)):
        chosen = np.zeros(len(solid.nodes), dtype=bool)
        chosen[nodes] = True
        own = [faces[chosen[faces].all(axis=1)] for faces in solid.faces]
        covered = (
            np.unique(np.concatenate([faces.ravel() for faces in own])) if any(map(len, own)) else np.zeros(0, int)
        )
        loose = np.setdiff1d(nodes, covered)
        if len(loose):
            at = rotated(solid.nodes[loose[:1]], turn)[0] * 1e3
            raise ModelError(
                f"{solid.what}: the cuts of the sector match only in part: node {solid.mesh.label(int(loose[0]))} "
                f"on the {name} cut has "
                f"a matching node at ({at[0]:.4g}, {at[1]:.4g}, {at[2]:.4g}) mm, but no face around it has. Mesh "
                f"one cut as a copy of the "
                "other one, and specify their sets: sector=(low, high)"
            )


def _check_all_round(solid: GearSolid, teeth: int) -> None:
    angle = np.sort(np.angle(solid.nodes[:, 0] + 1j * solid.nodes[:, 1]))
    gap = max(float(np.diff(angle).max(initial=0.0)), float(angle[0] + 2.0 * math.pi - angle[-1]))
    if gap > 2.5 * 2.0 * math.pi / teeth:
        raise ModelError(
            f"{solid.what}: the mesh covers only {360.0 - math.degrees(gap):.4g} deg of the gear, and its ends do "
            f"not match as cuts of one "
            f"tooth ({360.0 / teeth:.6g} deg). Use a mesh of one tooth with matching cuts (sector=(low, high)), or "
            f"specify sector=False "
            "for a gear that is a segment. Check the axis of the gear (axis=...)"
        )
