"""Solid parts of a picture of a machine: displacements, springs and dampers, contact pressure on the flanks of gears.

Contact pressure on the flanks of gears in a picture of a machine.

A loaded contact is painted as its pattern: the largest pressure over the mesh cycle, on all teeth of both gears. The contact
itself is a band of some tenths of a millimetre, which nobody would see. A flank contact is painted at the positions of its
patches, on the first gear.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import PitchlineError, near_names, shown
from pitchline.parts.contact.results_flank import FlankContact, LoadedContact
from pitchline.parts.contact.scene import pressure_table
from pitchline.parts.flexible.drawing import Pose, StationMotion, bent, moved_pose, structure_motions
from pitchline.parts.gears.part import gear_of
from pitchline.parts.gears.triangles import Triangles, joined
from pitchline.solids.rotations import z_to
from pitchline.viewer.scene_parts import box, disc, sphere, turned

from .solid_picture import rgb
from .state_source import MachineState, SceneArrays

__all__ = [
    "link_surface",
    "surface_of",
    "Displacements",
    "SolidPart",
    "displaced_parts",
    "largest_displacement",
    "poses_of",
    "solid_parts",
    "PressurePatch",
    "contacts_by_pair",
    "pressure_patches",
]


# ---- link surfaces

# Springs, dampers, strings and rods between two points, as solids along z.

_AROUND, _WIRE = 20, 8


def link_surface(kind: str, length: float, radius: float, *, damped: bool = False) -> Triangles:
    """Return the solid of a spring ("spring"), "damper", "string" or "rod" from z = 0 to its length [m].

    damped: whether a spring has a damper inside its coil.
    """
    rod = 0.22 * radius
    if kind == "string":
        return _turned([(0.3 * rod, 0.0), (0.3 * rod, length)])
    if kind == "rod":
        return _turned([(radius, 0.0), (radius, length)])
    if kind == "damper":
        return dashpot(length, radius)
    coil = _coil(length, radius)
    return joined([coil, dashpot(length, 0.62 * radius)]) if damped else coil


def dashpot(length: float, radius: float) -> Triangles:
    """The symbol of a damper as a solid: a cylinder that is open at one end, and a piston on its rod."""
    rod, wall = 0.22 * radius, 0.82 * radius
    low, floor, high = 0.3 * length, 0.33 * length, 0.68 * length
    cup = [(rod, 0.0), (rod, low), (radius, low), (radius, high), (wall, high), (wall, floor), (0.0, floor), (0.0, 0.0)]
    piston = [(0.7 * radius, 0.46 * length), (0.7 * radius, 0.52 * length), (rod, 0.52 * length), (rod, length)]
    return joined([turned(cup, _AROUND), _turned([(0.0, 0.46 * length), *piston])])


def _turned(outline: list[tuple[float, float]]) -> Triangles:
    """Solid of an outline (radius, height) that is closed along the axis."""
    inner = [(0.0, outline[-1][1]), (0.0, outline[0][1])]
    return turned([*outline, *inner], _AROUND)


def _coil(length: float, radius: float) -> Triangles:
    """A coil of wire with straight ends on its axis."""
    end = min(0.12, 1.2 * radius / length)
    coils = min(max(round((1.0 - 2.0 * end) * length / (1.2 * radius)), 4), 24)
    x = np.linspace(0.0, 1.0, (coils + 2) * _AROUND + 1)
    wire = 0.16 * radius

    def line(at: FloatArray) -> FloatArray:
        way = np.clip((at - end) / (1.0 - 2.0 * end), 0.0, 1.0)
        reach = radius * np.minimum(np.minimum(at / end, (1.0 - at) / end), 1.0)
        angle = 2.0 * math.pi * coils * way
        return np.stack([reach * np.cos(angle), reach * np.sin(angle), length * at], axis=-1)

    centre = line(x)
    along = line(np.minimum(x + 1e-4, 1.0)) - line(np.maximum(x - 1e-4, 0.0))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    out = centre * np.array([1.0, 1.0, 0.0])
    out[np.linalg.norm(out, axis=1) < 1e-6 * radius] = (1.0, 0.0, 0.0)
    out -= np.einsum("ij,ij->i", out, along)[:, None] * along
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    up = np.cross(along, out)
    a = 2.0 * math.pi * np.arange(_WIRE) / _WIRE
    normal = np.cos(a)[None, :, None] * out[:, None] + np.sin(a)[None, :, None] * up[:, None]
    points = (centre[:, None] + wire * normal).reshape(-1, 3)
    i, k = np.meshgrid(np.arange(len(x) - 1), np.arange(_WIRE), indexing="ij")
    p, q = i * _WIRE + k, i * _WIRE + (k + 1) % _WIRE
    index = np.concatenate(
        [
            np.stack([p, q, q + _WIRE], axis=-1).reshape(-1, 3),
            np.stack([p, q + _WIRE, p + _WIRE], axis=-1).reshape(-1, 3),
        ]
    )
    return Triangles(points, index, normal.reshape(-1, 3)[index])


# ---- part surfaces

# Surfaces of the shapes of a scene, in the axes of their parts.

_AROUND_part_surfaces = 96


def surface_of(state: MachineState, shape: dict[str, Any]) -> Triangles:
    """Return the whole surface of a shape, with its edges."""
    if shape["type"] in ("mesh", "turned"):
        return _listed(state, shape)
    made = _simple(shape)
    turn = np.eye(3)
    if shape["type"] == "box":
        turn = np.asarray(shape.get("axes", np.eye(3)), dtype=np.float64).T
    elif "axis" in shape:
        turn = z_to(np.asarray(shape["axis"], dtype=np.float64))
    return made.moved(turn, shape.get("at", (0.0, 0.0, 0.0)))


def _simple(shape: dict[str, Any]) -> Triangles:
    size = [float(x) for x in shape["size"]]
    match shape["type"]:
        case "box":
            return box(size)
        case "sphere":
            return sphere(size[0], 40, 20)
        case "cylinder":
            inner = size[2] if len(size) > 2 else 0.0
            return turned(disc(size[0], inner, -0.5 * size[1], 0.5 * size[1]), _AROUND_part_surfaces)
        case "cone":
            half = 0.5 * size[2]
            return turned([(0.0, -half), (size[0], -half), (size[1], half), (0.0, half)], _AROUND_part_surfaces)
        case _:  # capsule: radius, length without the caps
            half, angle = 0.5 * size[1], np.linspace(0.0, 0.5 * math.pi, 9)
            low = np.column_stack([size[0] * np.sin(angle), -half - size[0] * np.cos(angle)])
            high = np.column_stack([low[::-1, 0], -low[::-1, 1]])
            outline = np.concatenate([low, high])
            outline[[0, -1], 0] = 0.0
            return turned(outline, _AROUND_part_surfaces)


def _listed(state: MachineState, shape: dict[str, Any]) -> Triangles:
    """Triangles of a mesh, or of one piece that is repeated about z."""
    points = np.asarray(state.array(shape["position"]), dtype=np.float64).reshape(-1, 3)
    normals = np.asarray(state.array(shape["normal"]), dtype=np.float64).reshape(-1, 3)
    index = np.asarray(state.array(shape["index"]), dtype=np.int64).reshape(-1, 3)
    edge = (
        np.asarray(state.array(shape["edge"]), dtype=np.float64).reshape(-1, 3) if "edge" in shape else np.zeros((0, 3))
    )
    count = int(shape.get("count", 1)) if shape["type"] == "turned" else 1
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    if count > 1:
        turns = _turns(count)
        first = len(points) * np.arange(count)
        index = (index[None] + first[:, None, None]).reshape(-1, 3)
        points, normals, edge = (np.einsum("kij,nj->kni", turns, v).reshape(-1, 3) for v in (points, normals, edge))
    # corners of edges are points of their own behind those of the triangles
    lines = len(points) + np.arange(len(edge)).reshape(-1, 2)
    return Triangles(np.concatenate([points, edge]), index, normals[index], lines if len(lines) else None)


def _turns(count: int) -> FloatArray:
    angle = 2.0 * math.pi * np.arange(count) / count
    made = np.zeros((count, 3, 3))
    made[:, 0, 0] = made[:, 1, 1] = np.cos(angle)
    made[:, 1, 0] = np.sin(angle)
    made[:, 0, 1] = -made[:, 1, 0]
    made[:, 2, 2] = 1.0
    return made


# ---- solid parts

# Parts of a machine as surfaces in the world, at one state.

_LINK, _SHEET = "#7d8791", "#a9c4d6"


@dataclass(frozen=True, eq=False)
class SolidPart:
    """A surface of a machine in the world.

    name, body, kind: of the part, and the body that carries it. opacity: 0 to 1. motion: displacement of each point before
    magnification [m], None for parts that do not deform. axis: of a part that turns, in the world.
    """

    name: str
    body: str
    kind: str
    surface: Triangles
    colour: tuple[float, float, float]
    opacity: float = 1.0
    motion: FloatArray | None = None
    axis: FloatArray | None = None
    pose: Pose | None = None
    """Of the part's own axes."""


def poses_of(state: MachineState) -> dict[str, Pose]:
    """Return the poses of all bodies of a scene; bodies without finite poses are left out."""
    found = {}
    for body in state.head["bodies"]:
        x, q = state.row(body["place"]), state.row(body["turn"])
        if np.isfinite(x).all() and np.isfinite(q).all():
            found[body["name"]] = (x, matrix_of(q))
    return found


def matrix_of(q: FloatArray) -> FloatArray:
    """Return the rotation matrix of a quaternion w, x, y, z."""
    w, x, y, z = q / max(float(np.linalg.norm(q)), 1e-300)
    return np.array([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ])  # fmt: skip


def largest_displacement(state: MachineState, *, along: bool = False) -> float:
    """Return the largest displacement of the structures of a scene [m]."""
    sizes = [float(np.linalg.norm(m.shift)) for _, motions in structure_motions(state, along=along) for m in motions]
    for entry in state.head["deformed"]["structures"]:
        if "field" in entry:
            sizes.append(float(np.linalg.norm(_field(state, entry["field"]), axis=1).max(initial=0.0)))
    return max(sizes, default=0.0)


@dataclass(eq=False)
class Displacements:
    """Poses of all bodies, and how they are displaced.

    rigid: motions of bodies that move as a whole. shafts: motions of the stations of shafts, which bend; their poses are those
    of the straight shafts. surfaces: displacements (p, 3) of the points of flexible bodies in the axes of their parts [m].
    """

    poses: dict[str, Pose]
    rigid: dict[str, StationMotion] = field(default_factory=dict)
    shafts: dict[str, list[StationMotion]] = field(default_factory=dict)
    surfaces: dict[str, FloatArray] = field(default_factory=dict)


def solid_parts(state: MachineState, *, scale: float = 1.0, along: bool = False) -> list[SolidPart]:
    """Return all parts of a scene: bodies, structures, springs and dampers. Hidden bodies are left out.

    scale: factor of the displacements of shafts, beams and flexible bodies.
    """
    found = Displacements(poses_of(state))
    poses = found.poses
    for entry, motions in structure_motions(state, along=along):
        by_name = {motion.body: motion for motion in motions}
        found.rigid |= by_name
        for one in motions:
            if one.body in poses:
                poses[one.body] = moved_pose(poses[one.body], one.shift, one.tilt, scale - 1.0)
        whole, middle = entry["name"], by_name.get(entry.get("moves_with", ""))
        if whole not in poses or middle is None:
            continue
        if "field" in entry:
            found.surfaces[whole] = _field(state, entry["field"])
            poses[whole] = np.asarray(entry["field"]["position"]), matrix_of(np.asarray(entry["field"]["quaternion"]))
        elif entry["kind"] == "shaft":  # straight first, then bent by all stations
            found.shafts[whole] = motions
            poses[whole] = moved_pose(poses[whole], middle.shift, middle.tilt, -1.0)
        else:
            found.rigid[whole] = middle
            poses[whole] = moved_pose(poses[whole], middle.shift, middle.tilt, scale - 1.0)
    return displaced_parts(state, found, scale)


def displaced_parts(state: MachineState, moved: Displacements, scale: float) -> list[SolidPart]:
    """Return all parts of a scene at given poses. scale: of the bending of shafts and surfaces."""
    shapes: dict[str, Triangles] = {}
    found = []
    for body in state.head["bodies"]:
        name = body["name"]
        if body.get("hidden") or name not in moved.poses:
            continue
        for part in body["parts"]:
            if part["shape"] not in shapes:
                shapes[part["shape"]] = surface_of(state, state.head["shapes"][part["shape"]])
            surface = shapes[part["shape"]]
            motion: FloatArray | None = None
            at, axes = _frame(moved.poses[name], part)
            if name in moved.shafts:
                surface, motion = bent(surface, moved.shafts[name], axes, scale)
            elif name in moved.surfaces and len(moved.surfaces[name]) == len(surface.points):
                by = moved.surfaces[name]
                surface = replace(surface, points=surface.points + scale * by).smoothed()
                motion = np.linalg.norm(by, axis=1)
            surface = surface.moved(axes, at)
            if name in moved.rigid and motion is None:
                own = moved.rigid[name]
                arms = surface.points - moved.poses[name][0]
                motion = np.linalg.norm(own.shift + np.cross(own.tilt, arms), axis=1)
            found.append(
                SolidPart(
                    part["name"], name, part["kind"], surface, rgb(part.get("colour") or body["colour"]),
                    float(part.get("opacity", 1.0)), motion, axes[:, 2], (at, axes),
                )
            )  # fmt: skip
    return found + _links(state, moved.poses) + _sheets(state, moved)


def _frame(pose: Pose, part: Mapping[str, Any]) -> Pose:
    x, R = pose
    return x + R @ np.asarray(part["position"]), R @ np.asarray(part["rotation"], dtype=np.float64)


def _field(state: MachineState, entry: Mapping[str, Any]) -> FloatArray:
    """Displacements of the corners and edges of the surface of a flexible body, in its axes [m]."""
    amounts = np.asarray(state.array(entry["amounts"]), dtype=np.float64)[:, 0]
    fields = np.concatenate(
        [np.asarray(state.array(entry[key])).reshape(len(amounts), -1, 3) for key in ("corners", "edges")], axis=1
    )
    return np.einsum("r,rpk->pk", amounts, fields)


def _sheet(points: FloatArray, triangles: Any, thickness: float) -> Triangles:
    """Both sides of a sheet, half its thickness from the triangles."""
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for k in range(3):
        np.add.at(normals, triangles[:, k], across)
    sizes = np.linalg.norm(normals, axis=1, keepdims=True)
    shift = 0.5 * thickness * normals / np.where(sizes > 0.0, sizes, 1.0)
    both = np.concatenate([triangles, triangles[:, ::-1] + len(points)])
    return Triangles(np.concatenate([points + shift, points - shift]), both)


def _sheets(state: MachineState, moved: Displacements) -> list[SolidPart]:
    """Membranes: triangles between nodes, visible from both sides."""
    here = (np.zeros(3), np.eye(3))
    found = []
    for entry in state.head.get("sheets", ()):
        points, shifts = [], []
        for corner in entry["corners"]:
            x, R = moved.poses.get(corner["body"], here)
            points.append(x + R @ np.asarray(corner["position"], dtype=np.float64))
            own = moved.rigid.get(corner["body"])
            shifts.append(0.0 if own is None else float(np.linalg.norm(own.shift)))
        front = np.asarray(entry["triangles"], dtype=np.int64)
        if not np.isfinite(points).all():
            continue
        surface = _sheet(np.asarray(points), front, float(entry["thickness"]))
        colour, motion = rgb(entry.get("colour") or _SHEET), np.array([*shifts, *shifts]) if any(shifts) else None
        found.append(SolidPart(entry["name"], entry["corners"][0]["body"], "membrane", surface, colour, motion=motion))
    return found


def _links(state: MachineState, poses: dict[str, Pose]) -> list[SolidPart]:
    """Springs, dampers, strings and rods between two bodies."""
    here = (np.zeros(3), np.eye(3))
    found = []
    for entry in state.head["springs"]:
        ends = []
        for side in "ab":
            x, R = poses.get(entry[side]["body"], here)
            ends.append(x + R @ np.asarray(entry[side]["position"], dtype=np.float64))
        along = ends[1] - ends[0]
        length = float(np.linalg.norm(along))
        if not length > 1e-12 or not np.isfinite(length):
            continue
        surface = link_surface(entry["kind"], length, float(entry["radius"]), damped=bool(entry.get("damped")))
        found.append(
            SolidPart(
                entry["name"],
                entry["b"]["body"],
                entry["kind"],
                surface.moved(z_to(along / length), ends[0]),
                rgb(_LINK),
            )
        )
    return found


Contact = LoadedContact | FlankContact
PressurePatch = tuple[Triangles, FloatArray]
"""Surface on a flank in the world, and pressures at its points [Pa]."""

_LIFT = 0.015
"""Distance from the flank at which a patch is drawn, in modules."""
_ALONG, _ACROSS = 25, 33
"""Points of a pattern along the profile and the face."""


def contacts_by_pair(state: MachineState, contact: object) -> dict[str, Contact]:
    """Return contact analyses by the names of gear pairs, from one analysis or a mapping."""
    pairs = state.model.get("gear_pairs", {})
    if isinstance(contact, (LoadedContact, FlankContact)):
        fitting = [name for name in pairs if _fits(state.model, pairs[name], contact)]
        if len(fitting) != 1:
            which = ", ".join(fitting) if fitting else "none"
            raise PitchlineError(
                f"picture: contact belongs to one gear pair, but its gears fit {which} of the gear pairs of the model. Specify "
                'contact={"pair name": analysis}'
            )
        return {fitting[0]: contact}
    if not isinstance(contact, Mapping) or not contact:
        raise PitchlineError(
            f"picture: contact must be a result of loaded_contact or flank_contact, or a dict of them by pair, got {shown(contact)}"
        )
    for name, found in contact.items():
        if name not in pairs:
            raise PitchlineError(
                f"picture: contact: there is no gear pair {shown(name)}; {near_names(str(name), list(pairs))}"
            )
        if not isinstance(found, (LoadedContact, FlankContact)):
            raise PitchlineError(
                f'picture: contact of "{name}": expected a result of loaded_contact or flank_contact, got {shown(found)}'
            )
    return dict(contact)


def _fits(model: dict[str, Any], pair: dict[str, Any], contact: Contact) -> bool:
    wheels = model.get("wheels", {})
    for side, teeth in (("a", contact.a), ("b", contact.b)):
        gear = gear_of(wheels.get(pair.get(f"wheel_{side}"), {}).get("gear"))
        if gear is None or getattr(gear, "teeth", None) != teeth.gear.teeth:
            return False
        if not math.isclose(gear.normal_module, teeth.gear.normal_module, rel_tol=1e-9):
            return False
    return True


def pressure_patches(
    state: MachineState, parts: Sequence[SolidPart], contacts: Mapping[str, Contact]
) -> tuple[list[PressurePatch], float]:
    """Return the patches of all pairs at this state, and the largest pressure of the colour bar [Pa], which leaves out edges."""
    gears = {part.name: part.pose for part in parts if part.kind == "gear" and part.pose is not None}
    patches: list[PressurePatch] = []
    largest = 0.0
    for line in state.head["contact"]["lines"]:
        found = contacts.get(line["pair"])
        own, other = gears.get(line["wheel"]), gears.get(state.model["gear_pairs"][line["pair"]]["wheel_b"])
        if found is None or own is None or other is None:
            continue
        force, bearing = _force(state, line), _side(state, line)
        side = 1.0 if found.side == "left" else -1.0
        if (force is not None and force <= 0.0) or bearing == 0.0:
            continue
        if bearing is not None and bearing != side:
            loaded = "right" if found.side == "left" else "left"
            raise PitchlineError(
                f'picture: contact of "{line["pair"]}": it is computed for the {found.side} flanks of the first gear, but the '
                f"{loaded} flanks carry the load at this state. Compute it with a torque of the opposite sign, or with "
                "loaded_contact(model, pair, about=result)"
            )
        if isinstance(found, LoadedContact):
            made, top = _pattern(found, own, other, force)
        else:
            made, top = _patches(found, own, other[0], line, force)
        patches += made
        largest = max(largest, top)
    return patches, largest


def _pattern(found: LoadedContact, a: Pose, b: Pose, force: float | None) -> tuple[list[PressurePatch], float]:
    """Largest pressures over the mesh cycle on all teeth of gear A, and of gear B if both are external gears on parallel axes."""
    loads = np.abs(found.force) / np.cos(found.base_helix_angle)
    load = int(np.argmax(loads)) if force is None else int(np.argmin(np.abs(loads - force)))
    # pressure of a line contact grows with the root of the force
    factor = 1.0 if force is None else math.sqrt(force / loads[load])
    L, zeta, p = found.pattern(load, points=_ALONG)
    p = factor * np.maximum(np.nan_to_num(p), 0.0)
    inside = p[p > 0.0]
    top = float(np.percentile(inside, 97.0)) if len(inside) else 0.0
    fine = np.linspace(zeta[0], zeta[-1], _ACROSS)
    values = np.array([np.interp(fine, zeta, row) for row in p])
    flank = found.a.flank(found.side).involute
    made = [_painted(flank, a, found.a.gear, L, fine, values)]
    along = float(a[1][:, 2] @ b[1][:, 2])
    apart = (b[0] - a[0]) @ a[1]
    if abs(along) > 0.99 and not found.b.gear.internal:
        sign = 1.0 if along > 0.0 else -1.0
        side = found.side if sign > 0.0 else {"left": "right", "right": "left"}[found.side]
        mate = found.b.flank(side).involute
        way = math.sqrt(max(apart[0] ** 2 + apart[1] ** 2 - (flank.base_radius + mate.base_radius) ** 2, 0.0))
        inside_b = way - L > 0.0
        if inside_b.sum() > 1:
            made.append(
                _painted(mate, b, found.b.gear, (way - L)[inside_b], sign * (fine - apart[2]), values[inside_b])
            )
    return made, top


def _painted(flank: Any, pose: Pose, gear: Any, L: FloatArray, zeta: FloatArray, values: FloatArray) -> PressurePatch:
    """A grid (L, ζ) on the flanks of all teeth of a gear."""
    x, R = pose
    turn = 2.0 * math.pi / gear.teeth * np.arange(gear.teeth)
    points, out = _flank_points(
        flank, L[None, :, None], np.broadcast_to(zeta, (1, len(L), len(zeta))), turn[:, None, None], gear.normal_module
    )
    grid = _grid(len(L), len(zeta))
    grid = grid[(values.reshape(-1)[grid] > 0.0).all(axis=1)]
    each = len(L) * len(zeta)
    index = (grid[None] + each * np.arange(gear.teeth)[:, None, None]).reshape(-1, 3)
    normals = (out.reshape(-1, 3) @ R.T)[index]
    return Triangles(points.reshape(-1, 3) @ R.T + x, index, normals), np.tile(values.reshape(-1), gear.teeth)


def _grid(rows: int, columns: int) -> IntArray:
    """Triangles (t, 3) of a grid of points."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    k = i * columns + j
    return np.concatenate([
        np.stack([k, k + 1, k + columns + 1], axis=-1).reshape(-1, 3),
        np.stack([k, k + columns + 1, k + columns], axis=-1).reshape(-1, 3),
    ])  # fmt: skip


def _flank_points(
    flank: Any, L: FloatArray, zeta: FloatArray, turn: FloatArray | float, module: float
) -> tuple[FloatArray, FloatArray]:
    """Points slightly above an involute flank in the axes of its gear [m], and its normals.

    P = e^{iτ} (r + i c L) with τ = c (η − L/r) + κ ζ. The normal is the tangent of the base circle.
    """
    r, curl = float(flank.base_radius), float(flank.side)
    tau = curl * (flank.base_angle - L / r) + flank.twist * zeta + turn
    out = np.stack([-np.sin(tau), np.cos(tau), np.zeros_like(tau)], axis=-1) * curl
    foot = np.stack([r * np.cos(tau), r * np.sin(tau), np.broadcast_to(zeta, tau.shape)], axis=-1)
    return foot + (np.broadcast_to(L, tau.shape)[..., None] + _LIFT * module) * out, out


def _force(state: MachineState, line: dict[str, Any]) -> float | None:
    """Force of the mesh [N]; None if the state has none."""
    if "normal_force" not in line:
        return None
    return float(np.nansum(np.abs(np.atleast_1d(state.row(line["normal_force"])))))


def _side(state: MachineState, line: dict[str, Any]) -> float | None:
    """+1 if left flanks of the first gear carry, -1 if right flanks do, 0 if none does; None if the state has no contact."""
    return float(np.sign(state.row(line["contact"]).flat[0])) if "contact" in line else None


def _patches(
    found: FlankContact, pose: Pose, centre: FloatArray, line: dict[str, Any], force: float | None
) -> tuple[list[PressurePatch], float]:
    """Patches of the position and load next to those of now, moved along the flanks; and the largest pressure inside [Pa]."""
    block = SceneArrays()
    table = pressure_table(found, line["pair"], block)
    x, R = pose
    p = (centre - x) @ R
    away = -1.0 if line["internal"] else 1.0
    angle = -math.atan2(away * p[1], away * p[0])
    angles, pitch = block.array(table["angles"]), 2.0 * math.pi / line["teeth"]
    loads = np.abs(np.asarray(table["loads"], dtype=np.float64))
    load = len(loads) - 1 if force is None else int(np.argmin(np.abs(loads - force)))
    factor = 1.0 if force is None else math.sqrt(force / loads[load])
    passed = np.round((angle - angles) / pitch)
    best = int(np.argmin(np.abs(angle - angles - passed * pitch)))
    shift = float(angle - angles[best] - passed[best] * pitch)
    flank = found.a.flank(found.side).involute
    first, state = block.array(table["first"]), load * len(angles) + best
    index = _grid(table["rows"], table["columns"])
    made = []
    for n in range(first[state], first[state + 1]):
        zeta = block.array(table["zeta"])[n]
        moved = float(flank.side) * flank.base_radius * shift
        low, high = (np.maximum(block.array(table[key])[n] + moved, 0.0) for key in ("low", "high"))
        s = np.linspace(0.0, 1.0, table["columns"])
        L = np.sqrt(low[:, None] ** 2 + s * (high**2 - low**2)[:, None])
        turn = pitch * float(block.array(table["tooth"])[n] - passed[best])
        wide = np.broadcast_to(zeta[:, None], L.shape)
        points, out = _flank_points(flank, L, wide, turn, found.a.gear.normal_module)
        values = factor * np.asarray(block.array(table["pressure"])[n], dtype=np.float64).reshape(-1)
        pressed = index[(values[index] > 0.0).any(axis=1)]
        normals = (out.reshape(-1, 3) @ R.T)[pressed]
        made.append((Triangles(points.reshape(-1, 3) @ R.T + x, pressed, normals), values))
    return made, factor * float(table["largest"])
