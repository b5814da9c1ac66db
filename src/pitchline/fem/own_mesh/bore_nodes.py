"""Faces of a mesh on the flanks of a gear, tooth by tooth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pitchline.base.progress.display import note
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth
from pitchline.parts.gears.teeth.teeth import Teeth

from ..surface_loads import FacePoints
from .gear_solid import GearSolid, MeshedGear

__all__ = ["FlankPlaces", "involute_offsets", "places_on_flank", "check_fit", "ToothFaces", "flank_faces", "bore_of"]


# ---- flank places

# Where points are on the flanks of a gear: tooth, position along profile and face, and distance from the flank.


class FlankPlaces(NamedTuple):
    """Of points (n,).

    tooth: its number, from 0. profile: 0 at the form line, 1 at the tip, beyond these outside. face: along the axis
    [m], or v from 0 to
    1 of a surface. above: out of the material [m].
    """

    tooth: IntArray
    profile: FloatArray
    face: FloatArray
    above: FloatArray


def places_on_flank(teeth: Teeth | SurfaceTeeth, side: str, points: FloatArray) -> FlankPlaces:
    """The places of points [m] on the nearest tooth, in the axes of the gear."""
    return _on_involute(teeth, side, points) if isinstance(teeth, Teeth) else _on_patch(teeth, side, points)


def involute_offsets(teeth: Teeth, side: str, points: FloatArray) -> FloatArray:
    """Angles [rad] by which points are rotated from the flank of tooth 0: a multiple of the pitch if they are on a flank."""
    flank = teeth.flank(side).involute
    P = points[:, 0] + 1j * points[:, 1]
    L = flank.roll_length(np.abs(P))
    direction = np.angle(P) - np.arctan2(flank.curl * L, flank.base_radius)
    return np.asarray(direction - flank.direction(L, points[:, 2]))


def _on_involute(teeth: Teeth, side: str, points: FloatArray) -> FlankPlaces:
    flank = teeth.flank(side)
    involute, pitch = flank.involute, teeth.gear.angular_pitch
    offset = involute_offsets(teeth, side, points)
    number = np.round(offset / pitch)
    above = involute.side * (offset - number * pitch) * involute.base_radius * math.cos(involute.base_helix_angle)
    z = points[:, 2]
    L = involute.roll_length(np.hypot(points[:, 0], points[:, 1]))
    form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
    profile = (L**2 - form**2) / (tip**2 - form**2)
    return FlankPlaces(number.astype(np.int64) % teeth.gear.teeth, profile, z, above)


def _on_patch(teeth: SurfaceTeeth, side: str, points: FloatArray) -> FlankPlaces:
    """Teeth about the angle of each point are tried."""
    patch, z, pitch = teeth.flank(side), teeth.gear.teeth, teeth.step.angle
    middle = patch.point(np.array([0.5]), np.array([0.5]))[0]
    about = np.angle(points[:, 0] + 1j * points[:, 1]) - math.atan2(middle[1], middle[0])
    first = np.round(about / pitch).astype(np.int64)
    spread = patch.point(np.linspace(0, 1, 9)[:, None], np.linspace(0, 1, 9)[None, :]).reshape(-1, 3)
    wide = np.ptp(np.unwrap(np.angle(spread[:, 0] + 1j * spread[:, 1]))) / pitch
    reach = 1 + math.ceil(0.5 * wide)
    best = np.full(len(points), np.inf)
    tooth, u, v, above = first.copy(), np.zeros(len(points)), np.zeros(len(points)), np.zeros(len(points))
    P = points[:, 0] + 1j * points[:, 1]
    for step in range(-reach, reach + 1):
        turned = P * np.exp(-1j * pitch * (first + step))
        found = patch.project(np.stack([turned.real, turned.imag, points[:, 2]], axis=-1))
        better = found.away < best
        for to, values in (
            (tooth, first + step),
            (u, found.u),
            (v, found.v),
            (above, found.height),
            (best, found.away),
        ):
            to[better] = values[better]
    # points beyond the edges are away from the flank
    above = np.where(np.abs(best) > np.abs(above) + 1e-12, np.copysign(best, above), above)
    return FlankPlaces(tooth % z, u, v, above)


# ---- flank fit

# Whether the flanks of a mesh are those of the gear: thickness and helix of the teeth, and the largest distance.
#
# Corners of elements are on the flanks in a mesh of the same geometry, whatever the size of its elements.
# Modifications and measured deviations are small, and are largest at the ends of the flank. Another profile shift,
# tooth thickness or helix angle moves all corners of a flank, or its ends in opposite directions. The tolerance of
# these is a part of the module and a quarter of the distance between the edges of elements and the flank (their chord
# error): below that the mesh does not resolve them.

_THICKNESS, _HELIX, _NOTED = 0.002, 0.004, 0.005
"""In modules."""
_CHORD_flank_fit, _MOST = 0.25, 0.003
"""Part of the chord error, at most [modules]."""
_SAMPLE = 500
"""Faces of a tooth, about, whose chord error is computed."""
_ENDS = 0.3
"""Part of the face width at each of its ends."""


def check_fit(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: str, faces: Mapping[int, tuple[IntArray, ...]]
) -> None:
    """An error for teeth of another thickness or helix angle than those of the gear. A note states other large distances."""
    gear = teeth.gear
    assert isinstance(gear, Gear)
    tables = [
        table[:, : 3 if table.shape[1] in (3, 6) else 4] for each in faces.values() for table in each if len(table)
    ]
    nodes = np.unique(np.concatenate([table.ravel() for table in tables]))
    at = places_on_flank(teeth, side, solid.nodes[nodes])
    chord = _chord_error(solid.nodes, teeth, side, tables, nodes, at.above)
    module = gear.normal_module
    more = min(_CHORD_flank_fit * chord, _MOST * module)
    inside = (at.profile > 0.2) & (at.profile < 0.8)
    inside = inside if inside.any() else np.ones(len(nodes), dtype=bool)
    offset = float(np.median(at.above[inside]))
    largest = float(np.abs(at.above).max())
    found = (
        f"{solid.what}: corners of elements are {1e6 * offset:+.3g} µm (median) and at most {1e6 * largest:.3g} µm away from the "
        f"{side} flanks of the gear, outwards of its material"
    )
    limit = _THICKNESS * module + more
    if abs(offset) > limit:
        angle = gear.normal_pressure_angle
        raise ModelError(
            f"{found}; the tolerance is {1e6 * limit:.3g} µm. The teeth of the mesh are "
            f"{'thicker' if offset > 0.0 else 'thinner'}. This is a difference of the profile shift of "
            f"{abs(offset) / (module * math.sin(angle)):.3g}, or of the backlash_allowance of "
            f"{2e3 * abs(offset) / math.cos(angle):.3g} mm. Specify the gear of this mesh (profile_shift, backlash_allowance), or "
            "use the flanks of the mesh itself: `MeshedGear.flank_points`"
        )
    share = (at.face - at.face.min()) / max(float(np.ptp(at.face)), 1e-30)
    first, last = inside & (share < _ENDS), inside & (share > 1.0 - _ENDS)
    if first.any() and last.any():
        lean = 0.5 * float(np.median(at.above[last]) - np.median(at.above[first]))
        limit = _HELIX * module + more
        if abs(lean) > limit:
            raise ModelError(
                f"{found}. At the ends of the face they are {1e6 * abs(lean):.3g} µm on either side of it, more than "
                f"{1e6 * limit:.3g} µm. Specify the helix angle and the profile shift angle of this mesh for the gear, or use the "
                "flanks of the mesh itself: `MeshedGear.flank_points`"
            )
    if largest > _NOTED * module:
        note(f"{found}. Contact has the flanks of the gear; the mesh defines their elasticity only")


def _chord_error(
    nodes: FloatArray,
    teeth: Teeth | SurfaceTeeth,
    side: str,
    tables: list[IntArray],
    corners: IntArray,
    above: FloatArray,
) -> float:
    """Median of the largest distance of the straight edges of each face from the flank between its corners [m]."""
    height = np.zeros(len(nodes))
    height[corners] = above
    largest = []
    for every in tables:
        table = every[:: max(1, len(every) // _SAMPLE)]
        ends = np.stack([table, np.roll(table, -1, axis=1)])
        pairs, back = np.unique(np.sort(ends.reshape(2, -1), axis=0), axis=1, return_inverse=True)
        middle = places_on_flank(teeth, side, 0.5 * (nodes[pairs[0]] + nodes[pairs[1]]))
        apart = np.abs(middle.above - 0.5 * (height[pairs[0]] + height[pairs[1]]))
        largest.append(apart[back.ravel()].reshape(table.shape).max(axis=1))
    return float(np.median(np.concatenate(largest)))


_NAMED, _FOUND = 0.05, 0.01
"""Distance of nodes from the flank, in modules: of named sets, and of faces that are found by their position."""
_BEYOND = 0.02
"""How far nodes may be beyond form line and tip, by the height of the flank."""
_WHOLE = 0.97
"""A tooth is complete if its flank has this part of the area of the largest one."""


@dataclass(frozen=True, eq=False)
class ToothFaces:
    """The faces on one side of all teeth.

    faces: tooth → faces by their nodes, one array for each kind. profile, face: positions of nodes of the mesh on the flank
    (`FlankPlaces`), NaN elsewhere.
    """

    side: str
    faces: Mapping[int, tuple[IntArray, ...]]
    profile: FloatArray
    face: FloatArray

    @property
    def count(self) -> int:
        """Faces of all teeth."""
        return sum(len(table) for tables in self.faces.values() for table in tables)

    def corners(self) -> IntArray:
        """Nodes at corners of faces."""
        found = [t[:, : 3 if t.shape[1] in (3, 6) else 4].ravel() for tables in self.faces.values() for t in tables]
        return np.unique(np.concatenate(found))

    def nodes(self) -> IntArray:
        """All nodes of the faces."""
        return np.unique(np.concatenate([t.ravel() for tables in self.faces.values() for t in tables]))


def flank_faces(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: str, names: tuple[str, ...] | None, missing: tuple[int, ...]
) -> ToothFaces:
    """Faces on the "left" or "right" flanks: those of named sets, or all that are on the flanks of the gear."""
    tables = solid.faces if names is None else _together([solid.faces_in(name) for name in names])
    nodes = np.unique(np.concatenate([table.ravel() for table in tables]))
    places = places_on_flank(teeth, side, solid.nodes[nodes])
    limit = (_FOUND if names is None else _NAMED) * teeth.gear.normal_module
    within = (places.profile > -_BEYOND) & (places.profile < 1.0 + _BEYOND)
    near = np.abs(places.above) <= limit
    if names is not None and (within & ~near).any():
        _check_named(solid, teeth, side, names, nodes, places, within, limit)
    good = np.zeros(len(solid.nodes), dtype=bool)
    good[nodes] = within & near
    tooth, profile, face = np.full(len(solid.nodes), -1), *np.full((2, len(solid.nodes)), np.nan)
    tooth[nodes], profile[nodes], face[nodes] = places.tooth, np.clip(places.profile, 0.0, 1.0), places.face
    found: dict[int, list[IntArray]] = {}
    for table in tables:
        own = table[good[table].all(axis=1) & (tooth[table] == tooth[table[:, :1]]).all(axis=1)]
        for k in np.unique(tooth[own[:, 0]]).tolist():
            found.setdefault(int(k), []).append(own[tooth[own[:, 0]] == k])
    if not found:
        raise ModelError(
            f"{solid.what}: no faces were found on the {side} flanks of the gear. Specify the sets of the flanks "
            f"(flanks=...), or place "
            "the mesh in the axes of the gear: z axis of rotation, x through the middle of a tooth, z = 0 in the middle of the face"
        )
    faces = {k: tuple(found[k]) for k in sorted(found) if k not in missing}
    if faces:
        check_fit(solid, teeth, side, faces)
    result = ToothFaces(side, faces, profile, face)
    _check_cover(solid, teeth, result)
    return result


def _together(many: list[tuple[IntArray, ...]]) -> tuple[IntArray, ...]:
    return tuple(np.unique(np.concatenate(tables), axis=0) for tables in zip(*many, strict=True))


def _check_named(
    solid: GearSolid, teeth: Teeth | SurfaceTeeth, side: str, names: tuple[str, ...], nodes: IntArray, places: FlankPlaces,
    within: npt.NDArray[np.bool_], limit: float,
) -> None:  # fmt: skip
    """Named nodes away from the flank: of the other side, or of another gear."""
    quoted = ", ".join(f'"{name}"' for name in names)
    other = "right" if side == "left" else "left"
    there = places_on_flank(teeth, other, solid.nodes[nodes])
    if np.median(np.abs(there.above[within])) < 0.2 * np.median(np.abs(places.above[within])):
        raise ModelError(
            f"{solid.what}: the set {quoted} is on the {other} flanks, but was specified for the {side} ones (left: "
            f"on the +y side of a "
            "tooth that points to +x, seen against z). Exchange the sets, or reverse the axis of the mesh"
        )
    far = np.abs(places.above) * within
    worst = int(np.argmax(far))
    raise ModelError(
        f"{solid.what}: node {solid.mesh.label(int(nodes[worst]))} of the set {quoted} is {1e3 * far[worst]:.3g} mm "
        f"away from the {side} "
        f"flank of the gear, more than {1e3 * limit:.3g} mm ({int((far > limit).sum())} such nodes). Specify the gear of this mesh "
        "(module, teeth, profile shift, helix angle, tool), or the flanks of the mesh itself: `MeshedGear.flank_points`"
    )


def _check_cover(solid: GearSolid, teeth: Teeth | SurfaceTeeth, found: ToothFaces) -> None:
    """Every tooth must have a whole flank, or none."""
    if not found.faces:
        raise ModelError(f"{solid.what}: all teeth are missing")
    areas = {k: sum(_area(solid.nodes, table) for table in tables) for k, tables in found.faces.items()}
    largest = max(areas.values())
    broken = [k for k, area in areas.items() if area < _WHOLE * largest]
    if broken:
        k = broken[0]
        raise ModelError(
            f"{solid.what}: the {found.side} flank of tooth {k} has {100 * areas[k] / largest:.0f} % of the area of a whole flank "
            f"({len(broken)} such teeth: {', '.join(map(str, broken[:10]))}). Specify the broken teeth that carry no load "
            f"(missing={broken[:10]}), or add their faces to the set. If they are whole, check that the axis of the gear is "
            "z of the mesh, through its origin"
        )
    nodes = found.nodes()
    low, high = float(found.profile[nodes].min()), float(found.profile[nodes].max())
    if low > 0.15 or high < 0.85:
        raise ModelError(
            f"{solid.what}: the faces on the {found.side} flanks cover the profile only from {100 * low:.0f} % to "
            f"{100 * high:.0f} % between "
            "form line and tip. Add the faces of the whole flank to the set"
        )
    if isinstance(teeth, Teeth):
        width, wanted = float(np.ptp(found.face[nodes])), teeth.gear.required_face_width("elastic gear")
        if abs(width - wanted) > 0.02 * wanted:
            raise ModelError(
                f"{solid.what}: the {found.side} flanks of the mesh are {1e3 * width:.5g} mm wide, but the face "
                f"width of the gear is "
                f"{1e3 * wanted:.5g} mm. Specify the face width of the mesh for the gear"
            )


def _area(nodes: FloatArray, faces: IntArray) -> float:
    return float(np.linalg.norm(FacePoints(nodes, faces, 1).areas, axis=-1).sum()) if len(faces) else 0.0


# ---- bore nodes

# The nodes at the bore of a mesh: of a named set, or of the surface next to the axis.

_NEAR = 5e-4
"""Distance of the nodes of a bore from its radius, by the tip diameter."""
_CHORD = 1.0 / 6.0
"""The same by e²/r: e is the length of a face across the axis, whose straight edges are e²/(8 r) away from the circle."""
_RADIAL = 0.7
"""Cosine of the greatest angle of faces of a bore to the cylinder."""


def bore_of(solid: GearSolid, own: MeshedGear, internal: bool, sides: list[ToothFaces]) -> IntArray:
    """Rows of nodes that are held, or move as one rigid body; the outer surface of an internal gear."""
    found = solid.nodes_in(own.bore_set) if own.bore_set is not None else _found(solid, internal)
    both = np.intersect1d(found, np.concatenate([side.nodes() for side in sides]))
    if len(both):
        raise ModelError(
            f"{solid.what}: node {solid.mesh.label(int(both[0]))} is on the bore and on a flank ({len(both)} such nodes): the "
            "flanks would be held. Name the set of the nodes of the bore only (bore_set=...)"
        )
    return found


def _found(solid: GearSolid, internal: bool) -> IntArray:
    nodes = solid.nodes
    radius = np.hypot(nodes[:, 0], nodes[:, 1])
    outer = solid.outer
    edge = float(radius[outer].max() if internal else radius[outer].min())
    if edge < 1e-4 * solid.size:
        raise ModelError(
            f'{solid.what}: the mesh has no bore. Name the set of nodes that is held (bore_set=...), or specify bore="free"'
        )
    chosen = []
    for faces in solid.faces:
        corners = nodes[faces[:, : 3 if faces.shape[1] in (3, 6) else 4]]
        area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        middle = corners.mean(axis=1)[:, :2]
        radial = np.einsum("ij,ij->i", area[:, :2], middle)
        radial /= np.maximum(np.linalg.norm(area, axis=1) * np.linalg.norm(middle, axis=1), 1e-300)
        length = np.linalg.norm((corners - np.roll(corners, 1, axis=1))[..., :2], axis=2).max(axis=1)
        near = np.abs(radius[faces] - edge).max(axis=1) <= _NEAR * solid.size + _CHORD * length**2 / edge
        chosen.append(faces[near & (np.abs(radial) > _RADIAL)].ravel())
    found = np.unique(np.concatenate(chosen))
    if len(found) < 3:
        raise ModelError(
            f"{solid.what}: only {len(found)} nodes were found on the bore of {2e3 * edge:.5g} mm. Name the set of "
            f"its nodes (bore_set=...)"
        )
    return found
