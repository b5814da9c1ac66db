"""Surfaces of simple solids, and the source of a scene: poses, motions, colours. Surfaces are closed, normals point outwards."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pitchline.base.types import FloatArray
from pitchline.declare.names import GROUND_NAME
from pitchline.parts.gears.triangles import Triangles, joined
from pitchline.solids.rotations import quaternion_of

from .block import Block

if TYPE_CHECKING:
    from pitchline.model.model import Model
    from pitchline.results.modes import OperatingPose
    from pitchline.results.result import Result

__all__ = [
    "Info",
    "PartList",
    "layer_shifts",
    "SEGMENTS",
    "box",
    "circle",
    "disc",
    "extruded",
    "sphere",
    "together",
    "tube_along",
    "turned",
    "turned_piece",
    "SceneSource",
    "surfaces_of",
    "STRUCTURES",
    "frame_pose",
    "motion_of",
    "rest_pose",
    "station_names",
    "BALL",
    "HOUSING",
    "PALETTE",
    "PLAIN",
    "RING",
    "STEEL",
    "body_colours",
    "rest_size",
]


# ---- parts

# The parts of a scene by the bodies that carry them, and the shapes that they share.

Info = list[tuple[str, str]]
"""Labels and texts of what a panel shows of a part."""

_AXES = np.eye(3)
_NAMED = 4
"""Parts that a note names."""


class PartList:
    """Collects parts. Shapes with the same key are made once.

    Attributes
    ----------
    model : dict
        The description.
    shapes : dict
        By name, for the head.
    by_body : dict
        Parts by the name of their body.
    structures : dict
        Shafts and flexible bodies that are drawn as one, by name, and the bodies of the stations that they move with.
    """

    def __init__(self, model: dict[str, Any], block: Block) -> None:
        self.model, self.block = model, block
        self.shapes: dict[str, Any] = {}
        self._noted: dict[str, list[str]] = {}
        self.by_body: dict[str, list[dict[str, Any]]] = {}
        self.structures: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def shape(self, key: str, make: Callable[[str], dict[str, Any]]) -> str:
        """The name of the shape with a key; `make` makes it from its name where it is new."""
        if key not in self._known:
            name = f"shape {len(self._known) + 1}"
            self.shapes[name] = make(name)
            self._known[key] = name
        return self._known[key]

    def add_structure(self, name: str, station: str) -> None:
        """Note that a structure is drawn as one body that moves with one of its stations."""
        self.structures[name] = station

    def note(self, text: str, *of: str) -> None:
        """Note an assumption about parts, or about the whole if none is named."""
        self._noted.setdefault(text, []).extend(of)

    @property
    def notes(self) -> list[str]:
        """Assumptions; parts with the same note are listed together."""
        said = []
        for text, names in self._noted.items():
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            said.append(f"{', '.join(names[:_NAMED])}{more}: {text}" if names else text)
        return said

    def add(
        self,
        body: str,
        shape: str,
        *,
        name: str,
        kind: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = _AXES,
        notes: Sequence[str] = (),
        colour: str | None = None,
        opacity: float | None = None,
        info: Info | None = None,
        **more: Any,
    ) -> None:
        """Put a part on a body. Its notes are also notes of the scene. more: further entries; None leaves one out."""
        part: dict[str, Any] = {
            "shape": shape, "position": np.asarray(position, dtype=np.float64).tolist(),
            "rotation": np.asarray(rotation, dtype=np.float64).tolist(), "name": name, "kind": kind,
        }  # fmt: skip
        if notes:
            part["note"] = "; ".join(notes)
            for note in notes:
                self.note(note, name)
        for key, value in (("colour", colour), ("opacity", opacity), ("info", info)):
            if value is not None:
                part[key] = value
        self.by_body.setdefault(body, []).append(
            part | {key: value for key, value in more.items() if value is not None}
        )


# ---- planar layers

# Gears of planar models next to each other: a planar model has all its gears in one plane, in which the gears of one
# shaft would be inside each other.

_NORMAL = {"xy": 2, "yx": 2, "yz": 0, "zy": 0, "zx": 1, "xz": 1}
_GAP = 1.15


def layer_shifts(model: dict[str, Any], widths: dict[str, float]) -> dict[str, NDArray[np.float64]]:
    """Shifts (3,) [m] of wheels in the axes of their bodies, by name; none where the model is not planar or has no stepped wheel.

    Wheels that mesh, straight or through others, make one layer. widths: face widths [m] of the wheels as they are drawn.
    """
    normal = _NORMAL.get(str(model.get("plane", "")))
    wheels = {name: wheel for name, wheel in model.get("wheels", {}).items() if name in widths}
    if normal is None or not _stepped(wheels):
        return {}
    layer = {name: k for k, name in enumerate(wheels)}
    for pair in model.get("gear_pairs", {}).values():
        a, b = pair.get("wheel_a"), pair.get("wheel_b")
        if a in layer and b in layer and layer[a] != layer[b]:
            old, new = max(layer[a], layer[b]), min(layer[a], layer[b])
            layer = {name: new if k == old else k for name, k in layer.items()}
    height: dict[int, float] = {}
    shifts: dict[str, NDArray[np.float64]] = {}
    top = 0.0
    for k in sorted(set(layer.values())):
        members = [name for name in layer if layer[name] == k]
        alone = len(members) == 1 and not _shares_place(members[0], wheels)
        height[k] = 0.0 if alone else top
        top += 0.0 if alone else _GAP * max(widths[name] for name in members)
    for name, k in layer.items():
        if height[k]:
            up = np.zeros(3)
            up[normal] = height[k]
            shifts[name] = up
    return shifts


def _place(wheel: dict[str, Any]) -> tuple[Any, ...]:
    frame = wheel["frame"]
    return (frame["body_name"], *(round(float(x), 9) + 0.0 for x in frame["position"]))


def _stepped(wheels: dict[str, Any]) -> bool:
    places = [_place(wheel) for wheel in wheels.values()]
    return len(set(places)) < len(places)


def _shares_place(name: str, wheels: dict[str, Any]) -> bool:
    own = _place(wheels[name])
    return any(other != name and _place(wheel) == own for other, wheel in wheels.items())


_CREASE = math.cos(math.radians(35.0))
"""Pieces of an outline that turn by less are shaded as one."""
SEGMENTS = 48
"""Of a circle."""


def _ccw(outline: FloatArray) -> FloatArray:
    """An outline (n, 2) counter-clockwise, without repeated points."""
    keep = np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1) > 1e-12 * max(
        float(np.abs(outline).max()), 1e-300
    )
    p = outline[keep]
    q = np.roll(p, -1, axis=0)
    area = float(np.sum(p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]))
    return p if area > 0.0 else p[::-1].copy()


def _outline_normals(p: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Normals (n, 2, 2) at both ends of each piece from point i to i + 1 of a closed outline; and whether point i is a corner."""
    step = np.roll(p, -1, axis=0) - p
    n = np.stack([step[:, 1], -step[:, 0]], axis=-1)
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    before = np.roll(n, 1, axis=0)  # of the piece that ends at point i
    smooth = np.einsum("ij,ij->i", n, before) > _CREASE
    mean = n + before
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-300)
    start = np.where(smooth[:, None], mean, n)
    end = np.roll(np.where(smooth[:, None], mean, before), -1, axis=0)
    return np.stack([start, end], axis=1), ~smooth


def turned_piece(outline: ArrayLike, count: int = SEGMENTS) -> Triangles:
    """One of `count` pieces of a solid turned about z; outline: (n, 2) radius and height [m] once around the material."""
    p = _ccw(np.asarray(outline, dtype=np.float64))
    angle = 2.0 * math.pi / count * np.array([-0.5, 0.5])
    c, s = np.cos(angle), np.sin(angle)
    n = len(p)
    points = np.concatenate([np.stack([p[:, 0] * c[k], p[:, 0] * s[k], p[:, 1]], axis=-1) for k in (0, 1)])
    shade, corner = _outline_normals(p)

    def spread(v: FloatArray, k: int) -> FloatArray:
        return np.stack([v[:, 0] * c[k], v[:, 0] * s[k], v[:, 1]], axis=-1)

    a = np.arange(n)
    b = np.roll(a, -1)
    low, high = [spread(shade[:, 0], k) for k in (0, 1)], [spread(shade[:, 1], k) for k in (0, 1)]
    triangles = np.concatenate([np.stack([a, a + n, b + n], axis=-1), np.stack([a, b + n, b], axis=-1)])
    normals = np.concatenate(
        [np.stack([low[0], low[1], high[1]], axis=1), np.stack([low[0], high[1], high[0]], axis=1)]
    )
    # on the axis two corners are one point
    r = np.concatenate([p[:, 0], p[:, 0]])
    keep = np.concatenate([r[a] > 0.0, r[b] > 0.0])
    rim = a[corner & (p[:, 0] > 0.0)]
    return Triangles(points, triangles[keep], normals[keep], np.stack([rim, rim + n], axis=-1))


def turned(outline: ArrayLike, count: int = SEGMENTS) -> Triangles:
    """A whole solid turned about z, of `count` pieces."""
    piece = turned_piece(outline, count)
    return joined([piece.moved(_about_z(2.0 * math.pi * k / count)) for k in range(count)])


def _about_z(angle: float) -> FloatArray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def disc(outer: float, inner: float, low: float, high: float) -> list[tuple[float, float]]:
    """The outline of a disc or a ring between two heights; radii."""
    return [(inner, low), (outer, low), (outer, high), (inner, high)]


def box(size: ArrayLike, centre: ArrayLike = (0.0, 0.0, 0.0)) -> Triangles:
    """Lengths along x, y, z [m]."""
    a, b, c = 0.5 * np.asarray(size, dtype=np.float64)
    made = extruded([(-a, -b), (a, -b), (a, b), (-a, b)], -c, c)
    return replace(made, points=made.points + np.asarray(centre, dtype=np.float64))


def extruded(outline: ArrayLike, low: float, high: float, hole: ArrayLike | None = None) -> Triangles:
    """A plate with an outline (n, 2) that the origin sees all of, from z = low to high.

    hole: (n, 2), its points at the same angles as those of the outline, both counter-clockwise and none twice.
    """
    p = np.asarray(outline, dtype=np.float64) if hole is not None else _ccw(np.asarray(outline, dtype=np.float64))
    n = len(p)
    shade, corner = _outline_normals(p)
    inner = np.zeros((1, 2)) if hole is None else np.asarray(hole, dtype=np.float64)
    rows = [np.column_stack([q, np.full(len(q), z)]) for z in (low, high) for q in (p, inner)]
    points = np.concatenate(rows)
    m = len(inner)
    a, b = np.arange(n), np.roll(np.arange(n), -1)
    top = n + m
    flat = np.zeros((n, 2, 1))
    side = np.concatenate([shade, flat], axis=2)
    triangles = [np.stack([a, b, b + top], axis=-1), np.stack([a, b + top, a + top], axis=-1)]
    normals = [
        np.stack([side[:, 0], side[:, 1], side[:, 1]], axis=1),
        np.stack([side[:, 0], side[:, 1], side[:, 0]], axis=1),
    ]
    edges = [np.stack([a, b], axis=-1), np.stack([a + top, b + top], axis=-1)]
    edges.append(np.stack([a[corner], a[corner] + top], axis=-1))
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), (n, 3, 3))
    if hole is not None:
        i, j = n + a, n + b
        for k, sign in ((0, -1.0), (top, 1.0)):
            quads = np.stack([a + k, b + k, j + k, i + k], axis=-1)[:, :: int(sign)]
            triangles += [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
            normals += [sign * up, sign * up]
        into = np.concatenate([-_outline_normals(inner)[0], flat], axis=2)
        triangles += [np.stack([i, j + top, j], axis=-1), np.stack([i, i + top, j + top], axis=-1)]
        normals += [
            np.stack([into[:, 0], into[:, 1], into[:, 1]], axis=1),
            np.stack([into[:, 0], into[:, 0], into[:, 1]], axis=1),
        ]
        edges += [np.stack([i, j], axis=-1), np.stack([i + top, j + top], axis=-1)]
    else:
        middle = np.full(n, n)
        triangles += [np.stack([middle, b, a], axis=-1), np.stack([middle + top, a + top, b + top], axis=-1)]
        normals += [-up, up]
    return Triangles(points, np.concatenate(triangles), np.concatenate(normals), np.concatenate(edges))


def sphere(radius: float, around: int = 16, up: int = 8) -> Triangles:
    """About the origin."""
    polar = np.linspace(0.0, math.pi, up + 1)
    outline = np.column_stack([radius * np.sin(polar), -radius * np.cos(polar)])
    outline[[0, -1], 0] = 0.0
    made = turned(outline, around)
    normals = made.points / radius
    return Triangles(made.points, made.triangles, normals[made.triangles])


def tube_along(
    centres: ArrayLike, axes: ArrayLike, outline: ArrayLike, drawn_ends: tuple[bool, bool] = (True, True)
) -> Triangles:
    """A bar along a line with flat ends.

    centres: (k, 3) [m]; axes: (k, 3, 3), columns x and y of the section and the direction of the line; outline: (n, 2) of the
    section. drawn_ends: whether the outlines of the first and the last end are edges of a drawing.
    """
    x, R = np.asarray(centres, dtype=np.float64), np.asarray(axes, dtype=np.float64)
    section = _ccw(np.asarray(outline, dtype=np.float64))
    rows = np.broadcast_to(section, (len(x), *section.shape))
    k, n = rows.shape[:2]
    flat = np.concatenate([rows, np.zeros((k, n, 1))], axis=-1)
    points = x[:, None] + np.einsum("kij,knj->kni", R, flat)
    shade, corner = _outline_normals(rows[0])
    side = np.concatenate([shade, np.zeros((n, 2, 1))], axis=-1)
    world = np.einsum("kij,nej->knei", R, side)  # (k, n, 2, 3)
    a, b = np.arange(n), np.roll(np.arange(n), -1)
    triangles, normals = [], []
    for i in range(k - 1):
        j, u = i * n, (i + 1) * n
        triangles += [np.stack([a + j, b + j, b + u], axis=-1), np.stack([a + j, b + u, a + u], axis=-1)]
        low, high = world[i], world[i + 1]
        normals += [
            np.stack([low[:, 0], low[:, 1], high[:, 1]], axis=1),
            np.stack([low[:, 0], high[:, 1], high[:, 0]], axis=1),
        ]
    every = np.concatenate([points.reshape(-1, 3), x[[0, -1]]])
    last = (k - 1) * n
    ends = [
        np.stack([np.full(n, k * n), b, a], axis=-1),
        np.stack([np.full(n, k * n + 1), a + last, b + last], axis=-1),
    ]
    out = [np.broadcast_to(sign * R[i, :, 2], (n, 3, 3)) for i, sign in ((0, -1.0), (-1, 1.0))]
    lines = [np.stack([a + k, b + k], axis=-1) for k, drawn in zip((0, last), drawn_ends, strict=True) if drawn]
    along = a[corner]
    lines += [np.stack([along + i * n, along + (i + 1) * n], axis=-1) for i in range(k - 1)]
    return Triangles(
        every,
        np.concatenate([*triangles, *ends]),
        np.concatenate([*normals, *out]),
        np.concatenate([np.zeros((0, 2), np.int64), *lines]),
    )


def circle(radius: float, count: int = SEGMENTS) -> FloatArray:
    """Points (count, 2) on a circle."""
    angle = 2.0 * math.pi / count * np.arange(count)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def together(surfaces: Sequence[Triangles]) -> Triangles:
    """Several solids as one surface."""
    return surfaces[0] if len(surfaces) == 1 else joined(surfaces)


# ---- source

# What a scene is made from: the description of a model, and how its parts move if it was run.

POSES = 4000
"""Most samples of poses in a block."""


@dataclass(frozen=True, eq=False)
class SceneSource:
    """model: the description, plain data. time: of the poses [s]. keep: which samples of the result they are.

    surfaces: points (p, 3) [m] and triangles (t, 3) of flexible bodies by name, in their axes, if a model is available.
    read: values of signals at these times, as far as they were asked for.
    """

    model: dict[str, Any]
    time: NDArray[np.float64]
    keep: slice
    signals: Mapping[str, Any]
    surfaces: Mapping[str, tuple[NDArray[np.float64], NDArray[np.int64]]] = field(default_factory=dict)
    read: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    @classmethod
    def of_result(cls, result: Result, model: Model | None = None) -> SceneSource:
        """model: the one that was run, if it is available."""
        keep = slice(None, None, max(1, math.ceil(result.samples / POSES)))
        made = cls(result.model, result.time[keep], keep, result.signals, {} if model is None else surfaces_of(model))
        if (
            result.samples > POSES
        ):  # poses are needed in any case: of a file, they are read and checked beside each other
            poses = [name for name in result.signals if name.endswith((".position", ".orientation"))]
            with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
                list(pool.map(made.signal, poses))
        return made

    @classmethod
    def of_model(cls, model: Model) -> SceneSource:
        from pitchline.model.describe import describe

        return cls(describe(model), np.zeros(1), slice(None), {}, surfaces_of(model))

    @classmethod
    def of_pose(cls, pose: OperatingPose) -> SceneSource:
        """A model at the point about which it was linearised."""
        still: dict[str, Any] = {}
        for name, place, turn in zip(pose.bodies, pose.positions, pose.orientations, strict=True):
            still |= {f"{name}.position": place[None], f"{name}.orientation": turn[None]}
        surfaces = {}
        for name, (points, triangles) in pose.surfaces.items():
            said = pose.model["flexible_bodies"][name]
            surfaces[name] = ((points - np.asarray(said["position"])) @ np.asarray(said["orientation"]), triangles)
        return cls(pose.model, np.zeros(1), slice(None), still, surfaces)

    def signal(self, name: str) -> NDArray[np.float64] | None:
        """Values of a signal at the times of the poses; None where there is none."""
        found = self.signals.get(name)
        if found is None:
            return None
        if name not in self.read:  # of a signal in a file, no more than this is kept in memory
            self.read[name] = np.asarray(found[self.keep])
        return self.read[name]


def surfaces_of(model: Model) -> dict[str, tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Surfaces of the flexible bodies of a model that have one."""
    found = {}
    for name, structure in model.structures.items():
        body = getattr(structure, "superelement", None)
        if body is not None and len(body.triangles):
            found[name] = (body.points, body.triangles)
    return found


# ---- poses

# Poses of the bodies of a described model, at the start and over the samples of a result.

STRUCTURES = {"shafts": "Shafts", "beams": "Beams", "flexible_bodies": "Flexible bodies", "membranes": "Membranes"}
"""Tables of structures in a description, and the groups of a page."""


def station_names(model: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Stations of all structures by the names of their bodies."""
    return {
        body: said
        for table in STRUCTURES
        for structure in model.get(table, {}).values()
        for body, said in structure["stations"].items()
    }


def rest_pose(model: dict[str, Any], body: str) -> tuple[FloatArray, FloatArray]:
    """Position (3,) [m] and axes (3, 3) of a body as the model is built."""
    said = model["bodies"].get(body)
    if said is None:
        for table in STRUCTURES:
            for structure in model.get(table, {}).values():
                said = said or structure["stations"].get(body)
    if said is None:
        return np.zeros(3), np.eye(3)
    return np.asarray(said["position"], dtype=np.float64), np.asarray(said["orientation"], dtype=np.float64)


def frame_pose(model: dict[str, Any], frame: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
    """Position (3,) [m] and axes (3, 3) of a frame in the world as the model is built."""
    x, R = rest_pose(model, frame["body_name"])
    return x + R @ np.asarray(frame["position"]), R @ np.asarray(frame["rotation"])


def motion_of(source: SceneSource, body: str) -> tuple[FloatArray, FloatArray]:
    """Positions (n, 3) [m] and quaternions (n, 4) w, x, y, z at the times of the source; one row where the body rests."""
    place, turn = source.signal(f"{body}.position"), source.signal(f"{body}.orientation")
    if body == GROUND_NAME or place is None or turn is None or not len(place):
        x, R = rest_pose(source.model, body)
        return x[None], quaternion_of(R)[None]
    if not np.ptp(place, axis=0).any() and not np.ptp(turn, axis=0).any():
        return place[:1], turn[:1]
    return place, turn


# ---- colours

# Colours of bodies: soft, distinguishable by most people, the same for equal gears, different for meshing gears.

PALETTE = ("#5f96c4", "#dcb25c", "#68b096", "#c688a4", "#8dc0dd", "#d68c5c", "#9c90c6", "#a3ad84")
"""After Okabe and Ito, softened."""
STEEL, RING, BALL, HOUSING, PLAIN = "#a3adb8", "#c2c9d1", "#e3e7eb", "#b9c6d2", "#aab4bd"


def body_colours(model: dict[str, Any], parts: PartList) -> dict[str, str]:
    """Colours by name of body. Colours of the model come first. Bodies with gears then use the palette, others are grey."""
    said = {name: body["colour"] for name, body in model["bodies"].items() if body.get("colour")}
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            if structure.get("colour"):
                said |= dict.fromkeys([structure["name"], *structure["stations"]], structure["colour"])
            said |= {name: each["colour"] for name, each in structure["stations"].items() if each.get("colour")}
    if model.get("ground", {}).get("colour"):
        said["ground"] = model["ground"]["colour"]
    mates = _mates(model)
    of_shape: dict[str, str] = {}
    found: dict[str, str] = {}
    count = 0
    for name, listed in parts.by_body.items():
        gears = [part["shape"] for part in listed if part["kind"] in ("gear", "rack")]
        if name in said or not gears:
            continue
        taken = {found.get(other) for other in mates.get(name, ())}
        colour = of_shape.get(gears[0])
        if colour is None or colour in taken:
            free = [PALETTE[(count + k) % len(PALETTE)] for k in range(len(PALETTE))]
            colour = next((each for each in free if each not in taken), free[0])
            count += 1
            of_shape.setdefault(gears[0], colour)
        found[name] = colour
    links = [
        name
        for name, listed in parts.by_body.items()
        if name not in found and name not in said and any("colour" not in part for part in listed)
    ]
    if not found:  # a mechanism without gears: its links are told apart
        found = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(links)}
    else:
        found |= dict.fromkeys(links, PLAIN)
    return found | said


def _mates(model: dict[str, Any]) -> dict[str, set[str]]:
    wheels = model.get("wheels", {})
    found: dict[str, set[str]] = {}
    for pair in model.get("gear_pairs", {}).values():
        ends = [wheels[pair[key]]["frame"]["body_name"] for key in ("wheel_a", "wheel_b") if pair.get(key) in wheels]
        if len(ends) == 2:
            for own, other in (ends, ends[::-1]):
                found.setdefault(own, set()).add(other)
    return found


# ---- scene size

# Size of a model from its description only, for sizes that are not specified.


def rest_size(model: dict[str, Any]) -> float:
    """Longest side [m] of the box around bodies, stations, joints and gears as the model is built; 0 where all is in a point."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)

    def take(place: Any, reach: float = 0.0) -> None:
        nonlocal low, high
        at = np.asarray(place, dtype=np.float64)
        low, high = np.minimum(low, at - reach), np.maximum(high, at + reach)

    for body in model["bodies"].values():
        take(body["position"])
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            for station in structure["stations"].values():
                take(station["position"])
    for joint in model.get("joints", {}).values():
        take(frame_pose(model, joint["frame_a"])[0])
    for wheel in model.get("wheels", {}).values():
        gear = wheel.get("gear")
        if gear:
            across = gear["normal_module"] / max(math.cos(gear["helix_angle"]), 0.02)
            reach = 0.5 * gear["teeth"] * across if gear.get("type") == "Gear" else 5.0 * gear["normal_module"]
            take(frame_pose(model, wheel["frame"])[0], reach)
    return float((high - low).max()) if np.isfinite(low).all() else 0.0
