"""Bodies and joints as the page draws them: surfaces of shapes, flexible bodies, marks of joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.errors import PitchlineError
from pitchline.solids.mass_properties import TriangleMesh
from pitchline.viewer.block import Block
from pitchline.viewer.scene_parts import (
    HOUSING,
    PLAIN,
    STRUCTURES,
    Info,
    PartList,
    SceneSource,
    body_colours,
    circle,
    motion_of,
    rest_pose,
    rest_size,
    sphere,
    together,
    tube_along,
)

from ..bearings.scene import Motion, cage_motions
from ..gears.scene import content_key, mesh_shape
from ..gears.triangles import Triangles
from ..shafts.scene import middle_station, spin_of

__all__ = ["bodies_of", "add_flexible_bodies", "surface_of_shape", "joints_of"]


# ---- bodies

# Bodies: their drawn parts and their poses.


def bodies_of(source: SceneSource, block: Block, parts: PartList) -> list[dict[str, Any]]:
    """Bodies, structures with their stations, rolling elements of bearings, and the ground where it carries something."""
    model = source.model
    colours = body_colours(model, parts)
    hidden = {name for name, body in model["bodies"].items() if body.get("hidden")}
    said = []

    def take(
        name: str, group: str, info: Info, motion: Motion, *, like: str | None = None, hide: bool = False, **more: Any
    ) -> None:
        place, turn = motion
        opacity = _said_opacity(model, name)
        if opacity is not None:
            for part in parts.by_body.get(name, []):
                part.setdefault("opacity", opacity)
        said.append({
            "name": name, "group": group, "info": info, "parts": parts.by_body.get(name, []),
            "place": block.add_columns(f"{name}/x", place), "turn": block.add_columns(f"{name}/q", turn),
            **spin_of(source, block, parts, name, turn, like or name),
            "colour": colours.get(name) or _colour(parts, name), **({"hidden": True} if hide else {}), **more,
        })  # fmt: skip

    for name, body in model["bodies"].items():
        take(name, "Bodies", _info(body), motion_of(source, name), hide=name in hidden)
    for table, group in STRUCTURES.items():
        for structure in model.get(table, {}).values():
            called, hide = structure["name"], bool(structure.get("hidden"))
            if called in parts.structures:
                own = parts.by_body[called][0].get("info", [])
                take(
                    called,
                    group,
                    own,
                    motion_of(source, parts.structures[called]),
                    like=parts.structures[called],
                    hide=hide,
                )
            for name, station in structure["stations"].items():
                info: Info = [("Station", f"{station['station']} of {called}")]
                take(name, group, info, motion_of(source, name), hide=hide, structure=called)
    for name, motion in cage_motions(source).items():
        take(name, "Bearings", [], motion)
    if GROUND_NAME in parts.by_body:
        take(
            GROUND_NAME,
            "Ground",
            [],
            motion_of(source, GROUND_NAME),
            hide=bool(model.get(GROUND_NAME, {}).get("hidden")),
        )
    return said


def _colour(parts: PartList, name: str) -> str:
    """Of a body whose parts have colours of their own: that of the first."""
    return next((str(part["colour"]) for part in parts.by_body.get(name, []) if "colour" in part), PLAIN)


def _said_opacity(model: dict[str, Any], name: str) -> float | None:
    """Opacity of a body if the model specifies it: of the body, or of the structure whose station it is."""
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            if name in structure["stations"] or name == structure["name"]:
                own: float | None = structure["stations"].get(name, {}).get("opacity", structure.get("opacity"))
                return own
            if name == structure["name"]:
                whole: float | None = structure.get("opacity")
                return whole
    body = model.get(GROUND_NAME, {}) if name == GROUND_NAME else model["bodies"].get(name, {})
    found: float | None = body.get("opacity")
    return found


def _info(body: dict[str, Any]) -> Info:
    mass = float(body["mass"])
    rows: Info = [("Mass", f"{mass:.5g} kg")]
    moments = np.diag(np.asarray(body["inertia"], dtype=np.float64))
    if moments.any():
        rows.append(("Inertia Ixx, Iyy, Izz", ", ".join(f"{value:.4g}" for value in moments) + " kg m²"))
    centre = 1e3 * np.asarray(body["centre_of_mass"], dtype=np.float64)
    if mass and np.abs(centre).max() > 1e-6:
        rows.append(("Centre of mass", "(" + ", ".join(f"{value + 0.0:.4g}" for value in centre) + ") mm"))
    return rows


_CREASE = 0.5
"""Edges that turn by more than this are drawn [rad]."""


def add_flexible_bodies(parts: PartList, source: SceneSource) -> None:
    """Every flexible body, see-through where there are others, on a body of its own name; it moves with its quietest station."""
    model = parts.model
    inside = bool(model["bodies"] or model.get("shafts") or model.get("beams"))  # what an opaque housing would hide
    for name, said in model.get("flexible_bodies", {}).items():
        station = _quietest(source, said)
        x, R = rest_pose(parts.model, station)
        Q = np.asarray(said["orientation"], dtype=np.float64)
        at = R.T @ (np.asarray(said["position"], dtype=np.float64) - x)
        surface = _surface(source, name, said["superelement"])
        notes = []
        if surface is None:
            surface = _between_stations(said)
            at, Q = R.T @ -x, np.eye(3)
            notes.append("the result does not contain its surface: drawn as bars between its interfaces")
        key = f"flexible body {content_key(surface.points, surface.triangles)}"
        shape = parts.shape(key, lambda n, s=surface: mesh_shape(parts.block, n, s))  # type: ignore[misc]
        info: Info = [("Mass", f"{said['total_mass']:.5g} kg"), ("Modes", str(said["superelement"]["modes"]))]
        info.append(("Interfaces", ", ".join(said["superelement"]["interfaces"])))
        parts.add_structure(name, station)
        parts.add(
            name, shape, name=name, kind="housing", position=at, rotation=R.T @ Q, notes=notes, info=info,
            opacity=said.get("opacity", 0.28 if inside else 1.0), colour=None if said.get("colour") else HOUSING,
        )  # fmt: skip


def _surface(source: SceneSource, name: str, said: dict[str, Any]) -> Triangles | None:
    """From the model if it is available, else from the description."""
    if name in source.surfaces:
        return shaded(*source.surfaces[name])
    if "surface" in said:
        mesh = TriangleMesh.from_description(said["surface"])
        return shaded(mesh.vertices.astype(np.float64), mesh.triangles.astype(np.int64))
    return surface_of_shape(said.get("shape"))


def _quietest(source: SceneSource, said: dict[str, Any]) -> str:
    """The station that moves least; the middle one of a model that was not run."""
    moved = {}
    for body in said["stations"]:
        place = source.signal(f"{body}.position")
        if place is None or not len(place):
            return middle_station(said)
        moved[body] = float(np.ptp(place, axis=0).max())
    return min(moved, key=lambda body: moved[body])


def surface_of_shape(shape: dict[str, Any] | None) -> Triangles | None:
    """The surface of a body of simple shape: a coarse mesh of it."""
    if shape is None:
        return None
    from pitchline.fem.own_mesh.inp_mesh import SolidMesh

    from ..flexible.shapes import shape_mesh
    from ..gears.geometry.inputs import STEEL

    try:
        nodes, elements, _ = shape_mesh(shape)
        mesh = SolidMesh.of(nodes, elements, STEEL, None)
    except (PitchlineError, TypeError, ValueError, LookupError):
        return None
    return shaded(mesh.nodes, mesh.surface())


def shaded(points: FloatArray, triangles: NDArray[np.int64]) -> Triangles:
    """A surface with smooth normals where it is round, and the edges where it is not."""
    used, rows = np.unique(triangles, return_inverse=True)
    surface = Triangles(points[used], rows.reshape(-1, 3))
    return Triangles(surface.points, surface.triangles, surface.smoothed(_CREASE).normals, _creases(surface))


def _creases(surface: Triangles) -> NDArray[np.int64]:
    """Edges between triangles that turn away from each other, and those of only one triangle."""
    t = surface.triangles
    pairs = np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(t)), 3)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs, owner = pairs[order], owner[order]
    same = np.flatnonzero((pairs[1:] == pairs[:-1]).all(axis=1))
    n = surface.face_normals
    flat = np.einsum("ij,ij->i", n[owner[same]], n[owner[same + 1]]) > np.cos(_CREASE)
    inner = np.zeros(len(pairs), bool)
    inner[same], inner[same + 1] = True, True
    return np.concatenate([pairs[same[~flat]], pairs[~inner]])


def _between_stations(said: dict[str, Any]) -> Triangles:
    """Bars from the middle of all interfaces to each of them, in the world."""
    places = np.array([station["position"] for station in said["stations"].values()], dtype=np.float64)
    middle = places.mean(axis=0)
    size = float(np.linalg.norm(places - middle, axis=1).max()) or 0.1
    solids = []
    for place in places:
        solids.append(sphere(0.05 * size).moved(np.eye(3), place))
        along = place - middle
        length = float(np.linalg.norm(along))
        if length > 1e-9 * size:
            along = along / length
            other = np.eye(3)[int(np.argmin(np.abs(along)))]
            x = np.cross(other, along)
            x /= np.linalg.norm(x)
            axes = np.column_stack([x, np.cross(along, x), along])
            solids.append(tube_along([middle, place], [axes, axes], circle(0.02 * size, 12)))
    return together(solids)


# ---- joints

# Joints of a model, at their places on their bodies, as large as the bodies that they join.

_PART = 0.18
"""Of the reach of the smaller body that a symbol measures."""


def joints_of(source: SceneSource, parts: PartList) -> list[dict[str, Any]]:
    """Joints with their kind, place and axis on the second body, and the size of a symbol [m]."""
    scene = rest_size(source.model)
    reach = {name: _reach(parts, name) for name in parts.by_body}
    said = []
    for joint in source.model.get("joints", {}).values():
        a, b = joint["frame_a"], joint["frame_b"]
        sizes = [reach[f["body_name"]] for f in (a, b) if f["body_name"] != GROUND_NAME and reach.get(f["body_name"])]
        size = _PART * min(sizes) if sizes else 0.03 * scene
        own, other = (a, b) if b["body_name"] == GROUND_NAME else (b, a)
        said.append({
            "name": joint["name"], "kind": joint["kind"], "body": own["body_name"], "other": other["body_name"],
            "position": own["position"], "axis": [row[2] for row in own["rotation"]], "size": float(size) or 0.0,
            "info": [("Kind", joint["kind"].replace("_", " ")), ("Bodies", f"{a['body_name']}, {b['body_name']}")],
        })  # fmt: skip
    return said


def _reach(parts: PartList, body: str) -> float:
    """How far the largest part of a body reaches from its own origin [m]."""
    return max((_reach_of(parts.shapes[part["shape"]]) for part in parts.by_body[body]), default=0.0)


def _reach_of(shape: dict[str, Any]) -> float:
    if "reach" in shape:
        return float(shape["reach"])
    size = [float(x) for x in shape.get("size", [0.0])]
    match shape["type"]:
        case "cylinder":
            return math.hypot(size[0], 0.5 * size[1])
        case "cone":
            return math.hypot(max(size[:2]), 0.5 * size[2])
        case "box":
            return 0.5 * math.hypot(*size)
        case _:
            return size[0]
