"""Parts of a machine as surfaces in the world, at one state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.files.triangles import FloatArray, Triangles
from pitchline.solids.rotations import z_to
from pitchline.views.machine.deflection import Pose, StationMotion, bent, moved_pose, structure_motions
from pitchline.views.machine.link_surfaces import link_surface
from pitchline.views.machine.part_surfaces import surface_of
from pitchline.views.machine.state_source import MachineState
from pitchline.views.solid_scene import rgb

__all__ = ["Displacements", "SolidPart", "displaced_parts", "largest_displacement", "poses_of", "solid_parts"]

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
