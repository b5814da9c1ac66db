"""The scene of a schematic: wheels, bodies, joints and springs of a described model, and its arrangement in two views."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray

# ---- members

# Outlines of shafts, beams and flexible bodies in a schematic.

SECTIONS = ("shafts", "beams", "flexible_bodies", "membranes")
"""Parts of the description of a model with stations."""


@dataclass(frozen=True)
class Member:
    """A structure: points along it, or from its middle to its nodes, with the radius there [m]; 0: a line.

    along: the points are one line, otherwise the spokes of a star about the first one
    """

    name: str
    points: FloatArray
    radii: FloatArray
    along: bool

    def outline(self, view: Projection) -> list[FloatArray]:
        """Closed outlines (n, 2) of what is thick, in a view: the side of each piece, or its circle."""
        found = []
        for a, b, ra, rb in zip(self.points, self.points[1:], self.radii, self.radii[1:], strict=False):
            if not (self.along and ra and rb) or not np.any(a != b):  # a step of a shaft has no length
                continue
            start, end = view.flat(a), view.flat(b)
            across = np.array([start[1] - end[1], end[0] - start[0]])
            length, whole = float(np.hypot(*across)), float(np.linalg.norm(b - a))
            if length > 0.02 * whole:
                across = across / length
                found.append(np.array([start + ra * across, end + rb * across, end - rb * across, start - ra * across]))
            else:
                turn = np.linspace(0.0, 2.0 * np.pi, 61)
                found.append(start + max(ra, rb) * np.column_stack([np.cos(turn), np.sin(turn)]))
        return found

    def lines(self, view: Projection) -> list[FloatArray]:
        """Lines (n, 2) of what has no thickness."""
        if np.any(self.radii):
            return []
        flat = view.flat(self.points)
        return [flat] if self.along else [np.stack([flat[0], point]) for point in flat[1:]]


def stations_of(model: dict[str, Any]) -> dict[str, Any]:
    """Stations of all structures of a described model, by the names of their bodies."""
    return {
        name: said
        for section in SECTIONS
        for s in model.get(section, {}).values()
        for name, said in s["stations"].items()
    }


def read_members(model: dict[str, Any], frame: Any) -> list[Member]:
    """Structures of a described model; frame: from the description of a frame to its place in the world."""
    found = []
    for name, said in model.get("shafts", {}).items():
        found.append(Member(name, *_shaft(said), along=True))
    for name, said in model.get("beams", {}).items():
        points = [np.asarray(s["position"], float) for s in said["stations"].values()]
        for key, at in (("a", 0), ("b", len(points) + 1)):
            if isinstance(said.get(key), dict):
                points.insert(at, frame(said[key])[0])
        found.append(Member(name, np.array(points), np.zeros(len(points)), along=True))
    for name, said in model.get("flexible_bodies", {}).items():
        points = [np.asarray(s["position"], float) for s in said["stations"].values()]
        star = np.array([np.mean(points, axis=0), *points])
        found.append(Member(name, star, np.zeros(len(star)), along=False))
    return found


def _shaft(said: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
    """Points and radii where the sections of a shaft begin and end."""
    start, axis = np.asarray(said["position"], float), np.asarray(said["orientation"], float)[:, 2]
    points, radii, z = [], [], 0.0
    for section in said["sections"]:
        points += [start + z * axis, start + (z + section["length"]) * axis]
        radii += [0.5 * section["outer"], 0.5 * section["outer_end"]]
        z += section["length"]
    return np.array(points), np.array(radii)


_WORDS = {
    "RollingBearing": "rolling bearing",
    "Coupling": "coupling",
    "Cam": "cam",
    "GroovedCam": "cam",
    "CubicSpring": "cubic spring",
    "BeltDrive": "belt",
    "ChainDrive": "chain",
    "TorqueConverter": "torque converter",
    "Propeller": "propeller",
}
"""Elements by their types."""


@dataclass(frozen=True)
class Round:
    """A wheel: its centre, its axes (columns: x through a tooth, y, z the axis), its working pitch radius [m].

    gear: description of its gear; empty for a body that rolls without teeth
    internal: teeth inside; look: wheels that look alike have the same number
    """

    name: str
    body: str
    centre: FloatArray
    axes: FloatArray
    radius: float
    gear: dict[str, Any]
    internal: bool
    look: int

    @property
    def axis(self) -> FloatArray:
        return self.axes[:, 2]

    @property
    def is_rack(self) -> bool:
        return self.gear.get("type") == "Rack"


@dataclass(frozen=True)
class JointMark:
    """A joint: its kind, its point and axis, and whether it holds on to the ground."""

    name: str
    kind: str
    point: FloatArray
    axis: FloatArray
    grounded: bool
    driven: bool = False


@dataclass(frozen=True)
class Link:
    """A spring, damper, bushing or element between two points; an element on one body has one point.

    stiff, damped: whether it has a stiffness and a damping.
    """

    name: str
    kind: str
    start: FloatArray
    end: FloatArray
    grounded: bool
    stiff: bool = True
    damped: bool = False
    word: str = "element"
    """Of an element, for the legend."""


@dataclass
class Scene:
    """All parts. `holds`: points at which joints and loads act on a body. `centres`: centres of mass."""

    name: str = ""
    centres: dict[str, FloatArray] = field(default_factory=dict)
    holds: dict[str, list[FloatArray]] = field(default_factory=dict)
    wheels: list[Round] = field(default_factory=list)
    joints: list[JointMark] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)

    def points(self) -> FloatArray:
        """(n, 3), everything that has a place; wheels by points on their rims."""
        found = [*self.centres.values(), *(p for held in self.holds.values() for p in held)]
        found += [point for link in self.links for point in (link.start, link.end)]
        turn = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
        for wheel in self.wheels:
            found.append(wheel.centre)
            if not wheel.is_rack:
                rim = np.outer(np.cos(turn), wheel.axes[:, 0]) + np.outer(np.sin(turn), wheel.axes[:, 1])
                found += list(wheel.centre + wheel.radius * rim)
            else:
                half = 0.5 * wheel.radius * wheel.axes[:, 1]
                found += [wheel.centre - half, wheel.centre + half]
        for member in self.members:
            found += list(member.points)
            if member.along and np.any(member.radii):
                u = member.points[-1] - member.points[0]
                side = np.cross(u, np.eye(3)[np.argmin(np.abs(u))])
                side *= np.max(member.radii) / np.linalg.norm(side)
                other = np.cross(u, side) / np.linalg.norm(u)
                found += [p + d for p in (member.points[0], member.points[-1]) for d in (side, -side, other, -other)]
        return np.array(found).reshape(-1, 3)


class _Poses:
    """Poses of bodies, and of frames on them, in the world."""

    def __init__(self, bodies: dict[str, Any]) -> None:
        self.bodies = {
            name: (np.asarray(b["position"], float), np.asarray(b["orientation"], float)) for name, b in bodies.items()
        }

    def frame(self, said: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
        x, R = self.bodies.get(said.get("body_name", ""), (np.zeros(3), np.eye(3)))
        return x + R @ np.asarray(said["position"], float), R @ np.asarray(said["rotation"], float)


def read_scene(model: dict[str, Any]) -> Scene:
    """The scene of what `Model.describe()` gave."""
    bodies = model.get("bodies", {})
    poses, scene = _Poses({**bodies, **stations_of(model)}), Scene(str(model.get("name", "")))
    scene.members = read_members(model, poses.frame)
    for name, body in bodies.items():
        x, R = poses.bodies[name]
        scene.centres[name] = x + R @ np.asarray(body.get("centre_of_mass", (0.0, 0.0, 0.0)), float)
        scene.holds[name] = []
    _read_wheels(model, poses, scene)
    driven = {drive.get("joint_name") for drive in model.get("drives", {}).values()}
    for name, joint in model.get("joints", {}).items():
        point, axes = poses.frame(joint["frame_a"])
        other, _ = poses.frame(joint["frame_b"])
        owners = [joint[side].get("body_name", "ground") for side in ("frame_a", "frame_b")]
        kind = str(joint.get("kind", ""))
        # what only compares directions or planes takes hold nowhere in particular
        if kind not in ("plane_on_plane", "parallel_axes"):
            for owner, place in zip(owners, (point, other), strict=True):
                scene.holds.setdefault(owner, []).append(place)
        scene.joints.append(
            JointMark(
                name, kind, other if owners[0] == "ground" else point, axes[:, 2], "ground" in owners, name in driven
            )
        )
    for name, load in model.get("loads", {}).items():
        if "frame_a" in load:
            (start, _), (end, _) = poses.frame(load["frame_a"]), poses.frame(load["frame_b"])
            owners = [load[side].get("body_name", "ground") for side in ("frame_a", "frame_b")]
            for owner, place in zip(owners, (start, end), strict=True):
                scene.holds.setdefault(owner, []).append(place)
            if owners[0] == "ground":  # the ground is the end
                start, end = end, start
            scene.links.append(Link(name, str(load.get("type", "")), start, end, "ground" in owners, *_law(load)))
        elif load.get("type") == "TorsionSpring" and load.get("joint_name") in model.get("joints", {}):
            joint = model["joints"][load["joint_name"]]
            at, _ = poses.frame(joint["frame_b"])
            scene.links.append(Link(name, "TorsionSpring", at, at, False, *_law(load)))
    for name, said in model.get("elements", {}).items():
        _read_element(name, said, poses, scene)
    scene.holds.pop("ground", None)
    return scene


def _law(load: dict[str, Any]) -> tuple[bool, bool]:
    """Whether a load has a stiffness and a damping."""
    damped = bool(np.any(np.asarray(load.get("damping") or 0.0, dtype=np.float64)))
    stiff = bool(load.get("table")) or bool(np.any(np.asarray(load.get("stiffness") or 0.0, dtype=np.float64)))
    return stiff or not damped, damped


def _read_element(name: str, said: dict[str, Any], poses: _Poses, scene: Scene) -> None:
    """A declared element from its first frame to its last; one on a joint is not drawn."""
    frames = list(said.get("frames", {}).values())
    if not frames:
        return
    places = [poses.frame(frame)[0] for frame in frames]
    owners = [frame.get("body_name", "ground") for frame in frames]
    for owner, place in zip(owners, places, strict=True):
        scene.holds.setdefault(owner, []).append(place)
    ends = (places[-1], places[0]) if owners[0] == "ground" else (places[0], places[-1])  # the ground is the end
    word = _WORDS.get(str(said.get("type", "")), "element")
    scene.links.append(Link(name, "Element", *ends, "ground" in (owners[0], owners[-1]), word=word))


def _read_wheels(model: dict[str, Any], poses: _Poses, scene: Scene) -> None:
    wheels, pairs = model.get("wheels", {}), model.get("gear_pairs", {})
    radii = _working_radii(wheels, pairs)
    looks: dict[str, int] = {}
    for name, wheel in wheels.items():
        gear = wheel.get("gear")
        if not gear:
            continue
        centre, axes = poses.frame(wheel["frame"])
        look = looks.setdefault(json.dumps(gear, sort_keys=True), len(looks))
        radius = radii.get(name) or _reference_radius(gear)
        body = wheel["frame"].get("body_name", "")
        scene.wheels.append(Round(name, body, centre, axes, radius, gear, bool(gear.get("internal")), look))
        scene.holds.setdefault(body, []).append(centre)
    for pair in pairs.values():
        ratio = pair.get("mesh", {}).get("ratio")
        if "frame_a" not in pair or ratio is None or not pair.get("centre_distance"):
            continue
        i = float(Fraction(str(ratio)))
        internal = bool(pair["mesh"].get("internal"))
        small = pair["centre_distance"] / (abs(i - 1.0) if internal else 1.0 + i)
        for side, radius in (("a", small), ("b", small * i)):
            said = pair[f"frame_{side}"]
            centre, axes = poses.frame(said)
            outer = internal and radius == max(small, small * i)
            look = looks.setdefault(f"rolling {radius:.9g}", len(looks))
            scene.wheels.append(
                Round(said.get("body_name", ""), said.get("body_name", ""), centre, axes, radius, {}, outer, look)
            )
            scene.holds.setdefault(said.get("body_name", ""), []).append(centre)


def _working_radii(wheels: dict[str, Any], pairs: dict[str, Any]) -> dict[str, float]:
    """Pitch radii at which wheels on parallel axes roll on each other, by the first pair of each wheel."""
    found: dict[str, float] = {}
    for pair in pairs.values():
        gears = [(wheels.get(pair.get(side), {}).get("gear") or {}) for side in ("wheel_a", "wheel_b")]
        if pair.get("kind") not in ("spur", "helical", "internal") or any("teeth" not in gear for gear in gears):
            continue
        z = [gear["teeth"] for gear in gears]
        total = abs(z[0] - z[1]) if pair["kind"] == "internal" else z[0] + z[1]
        for side, teeth in zip(("wheel_a", "wheel_b"), z, strict=True):
            if total:
                found.setdefault(pair[side], pair.get("centre_distance", 0.0) * teeth / total)
    return found


def _reference_radius(gear: dict[str, Any]) -> float:
    """Of the reference circle; of a rack its length."""
    transverse = gear["normal_module"] / np.cos(gear.get("helix_angle", 0.0))
    if gear.get("type") == "Rack":
        return float(np.pi * transverse * gear["teeth"])
    return float(0.5 * transverse * gear["teeth"])


# ---- view

# Views of a scene: from where it is looked at, so that most of it shows.

_WORLD = np.eye(3)

#: Wheels of a pair or two; more of them are a machine, which has a side that shows most.
_FEW = 6


@dataclass(frozen=True)
class Projection:
    """An orthographic view: unit vectors to the right, up, and towards the viewer."""

    right: FloatArray
    up: FloatArray

    @property
    def towards(self) -> FloatArray:
        return np.cross(self.right, self.up)

    def flat(self, points: FloatArray) -> FloatArray:
        """(..., 2) of (..., 3)."""
        return np.stack([points @ self.right, points @ self.up], axis=-1)


@dataclass(frozen=True)
class Arrangement:
    """One or two views; the second next to the first, or below it."""

    views: tuple[Projection, ...]
    below: bool = False


#: Along z from above, along y from the front, along x from the right; and from a corner.
PLAN = Projection(_WORLD[0], _WORLD[1])
FRONT = Projection(_WORLD[0], _WORLD[2])
SIDE = Projection(_WORLD[1], _WORLD[2])
_CORNER = np.array([0.75, -1.0, 0.62])
_RIGHT = np.cross(_WORLD[2], _CORNER) / np.linalg.norm(np.cross(_WORLD[2], _CORNER))
CORNER = Projection(_RIGHT, np.cross(_CORNER, _RIGHT) / np.linalg.norm(np.cross(_CORNER, _RIGHT)))


def arrange(scene: Scene) -> Arrangement:
    """Parallel wheels: along their axes, and across them. Others: the plane that shows most, and from a corner."""
    axes = [wheel.axes[:, 2] for wheel in scene.wheels if not wheel.is_rack]
    racks = any(wheel.is_rack for wheel in scene.wheels)
    points = scene.points()
    if not len(points):
        return Arrangement((FRONT,))
    if axes and all(abs(float(axis @ axes[0])) > 1.0 - 1e-6 for axis in axes):
        first = _along(axes[0])
        size = np.ptp(first.flat(points), axis=0)
        depth = float(np.ptp(points @ first.towards))
        if racks or depth < 0.04 * float(max(size)):
            return Arrangement((first,)) if racks else _across(scene, first)
        return _across(scene, first)
    if axes:
        return Arrangement((_skew(scene) or _widest(points), CORNER))
    best = _widest(points)
    depth = float(np.ptp(points @ best.towards))
    return Arrangement((best,) if depth < 0.2 * float(np.max(np.ptp(best.flat(points), axis=0))) else (best, CORNER))


def _skew(scene: Scene) -> Projection | None:
    """Of few wheels on axes of two directions: bevels across both axes, others along the axis of the largest wheel."""
    wheels = [wheel for wheel in scene.wheels if not wheel.is_rack]
    first = wheels[0].axis
    others = [wheel.axis for wheel in wheels if abs(float(wheel.axis @ first)) < 1.0 - 1e-6]
    if len(wheels) > _FEW or any(abs(float(axis @ others[0])) < 1.0 - 1e-6 for axis in others):
        return None
    if any(wheel.gear.get("cone_angle") for wheel in wheels):
        normal = np.cross(first, others[0])
        return _along(normal / np.linalg.norm(normal))
    return _along(max(wheels, key=lambda wheel: wheel.radius).axis)


def _across(scene: Scene, first: Projection) -> Arrangement:
    """The second view is next to the first or below it, so that gears do not cover each other."""
    centres = first.flat(np.array([wheel.centre for wheel in scene.wheels]))
    wide, high = np.ptp(centres, axis=0)
    if wide > high * 1.2:
        return Arrangement((first, Projection(first.right, first.towards)), below=True)
    return Arrangement((first, Projection(first.towards, first.up)))


def _along(axis: FloatArray) -> Projection:
    """Along an axis; a world axis as drawings have it."""
    for k, view in enumerate((SIDE, FRONT, PLAN)):
        if abs(axis[k]) > 1.0 - 1e-6:
            return view
    helper = _WORLD[2] if abs(axis[2]) < 0.9 else _WORLD[1]
    right = np.cross(helper, axis)
    right /= np.linalg.norm(right)
    if right @ np.array([1.0, 0.1, 0.01]) < 0.0:  # x to the right, as far as there is one
        right = -right
    up = np.cross(axis, right)
    return Projection(right, up if up @ helper > 0.0 else -up)


def _widest(points: FloatArray) -> Projection:
    """The plane in which the scene is spread most; z up where it is as good."""
    spread = np.ptp(points, axis=0)
    areas = {view: spread[i] * spread[j] for view, i, j in ((0, 0, 2), (1, 1, 2), (2, 0, 1))}
    lengths = {view: max(spread[i], spread[j]) for view, i, j in ((0, 0, 2), (1, 1, 2), (2, 0, 1))}
    # of views that are as good, a line stands upright
    best = max(areas, key=lambda view: (round(areas[view], 12), round(lengths[view], 12), spread[(2, 2, 1)[view]]))
    return (FRONT, SIDE, PLAN)[best]


# ---- outlines

# Outlines of gears: teeth, seen along the axis; edges and tooth lines, seen from other directions.

#: Of a wheel whose face width nobody said: this many modules, at most this part of its radius.
_FACE_MODULES, _FACE_RADII = 10.0, 0.5


def face_width(wheel: Round) -> float:
    """Face width b [m], as specified or estimated."""
    said = wheel.gear.get("face_width")
    if said:
        return float(said)
    if not wheel.gear:
        return 0.12 * wheel.radius
    if wheel.gear.get("cone_angle"):
        return 0.3 * wheel.radius / abs(math.sin(wheel.gear["cone_angle"]))
    return float(min(_FACE_MODULES * wheel.gear["normal_module"], _FACE_RADII * wheel.radius))


def tip_and_root(wheel: Round) -> tuple[float, float]:
    """Radii of the tips and roots of the teeth [m]; a body that rolls has none."""
    gear = wheel.gear
    if not gear:
        return wheel.radius, wheel.radius
    m, shift = gear["normal_module"], gear.get("profile_shift", 0.0)
    middle = 0.5 * gear["teeth"] * m / math.cos(gear.get("helix_angle", 0.0))
    if gear.get("cone_angle"):
        middle = wheel.radius
    sense = -1.0 if wheel.internal else 1.0
    tip = middle + sense * m * (gear.get("addendum_factor", 1.0) + shift + gear.get("tip_alteration", 0.0))
    root = middle - sense * m * (gear.get("dedendum_factor", 1.25) - shift)
    return tip, max(root, 0.2 * middle)


def rim(wheel: Round) -> float:
    """Outer radius of a ring [m]."""
    if wheel.gear.get("rim_diameter"):
        return 0.5 * float(wheel.gear["rim_diameter"])
    _, root = tip_and_root(wheel)
    return root + (3.0 * wheel.gear["normal_module"] if wheel.gear else 0.08 * wheel.radius)


def teeth_outline(wheel: Round) -> FloatArray:
    """(n, 2), the transverse profile in the wheel's own x and y: involute flanks, radial below the base circle."""
    gear = wheel.gear
    tip, root = tip_and_root(wheel)
    z: int = gear["teeth"]
    beta = gear.get("helix_angle", 0.0)
    alpha = math.atan(math.tan(gear["normal_pressure_angle"]) / math.cos(beta))
    r = 0.5 * z * gear["normal_module"] / math.cos(beta) if not gear.get("cone_angle") else wheel.radius
    base = r * math.cos(alpha)
    half = math.pi / (2 * z) + 2.0 * gear.get("profile_shift", 0.0) * math.tan(gear["normal_pressure_angle"]) / z
    sense = -1.0 if wheel.internal else 1.0
    radii = np.linspace(root, tip, 5)
    angles = np.arccos(np.clip(base / np.maximum(radii, base), -1.0, 1.0))
    width = half + sense * (math.tan(alpha) - alpha - (np.tan(angles) - angles))
    width = np.clip(width, 0.02 * half, 1.9 * half)
    centres = 2.0 * math.pi * np.arange(z) / z
    flank = np.concatenate([-width, width[::-1]])
    reach = np.concatenate([radii, radii[::-1]])
    turn = (centres[:, None] + flank[None, :]).ravel()
    far = np.tile(reach, z)
    closed = np.column_stack([far * np.cos(turn), far * np.sin(turn)])
    return np.vstack([closed, closed[:1]])


def rack_profile(wheel: Round) -> FloatArray:
    """(n, 3), the profile of a rack in its own axes at z = 0: teeth along y, body below them."""
    gear = wheel.gear
    m, count = gear["normal_module"], gear["teeth"]
    pitch = math.pi * m / math.cos(gear.get("helix_angle", 0.0))
    up, down = m * gear.get("addendum_factor", 1.0), m * gear.get("dedendum_factor", 1.25)
    slope = math.tan(gear["normal_pressure_angle"])
    first = -((count - 1) // 2)
    points = []
    for k in range(first, first + count):
        y = k * pitch
        points += [(-down, y - pitch / 4 - down * slope), (up, y - pitch / 4 + up * slope),
                   (up, y + pitch / 4 - up * slope), (-down, y + pitch / 4 + down * slope)]  # fmt: skip
    depth = gear.get("depth") or 4.0 * m
    points += [(-depth, points[-1][1]), (-depth, points[0][1]), points[0]]
    return np.array([(x, y, 0.0) for x, y in points])


def end_circles(wheel: Round, reach: float, points: int = 120) -> tuple[FloatArray, FloatArray]:
    """Both edges (points, 3) in the world, of a wheel that reaches so far from its axis in the middle."""
    b, delta = face_width(wheel), float(wheel.gear.get("cone_angle", 0.0) or 0.0)
    turn = np.linspace(0.0, 2.0 * np.pi, points)
    around = np.outer(np.cos(turn), wheel.axes[:, 0]) + np.outer(np.sin(turn), wheel.axes[:, 1])
    made = []
    for t in (-0.5 * b, 0.5 * b):
        along, radius = t * math.cos(delta), max(reach + t * math.sin(delta), 0.0)
        made.append(wheel.centre + along * wheel.axis + radius * around)
    return made[0], made[1]


def hull(points: FloatArray) -> FloatArray:
    """Convex hull (m, 2) of points in the plane, counter-clockwise: Andrew's monotone chain."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(chain: Any) -> list[FloatArray]:
        made: list[FloatArray] = []
        for p in chain:
            while len(made) > 1 and _turn(made[-2], made[-1], p) <= 0.0:
                made.pop()
            made.append(p)
        return made

    lower, upper = half(ordered), half(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _turn(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def tooth_lines(wheel: Round, view: Projection, most: int = 140) -> list[FloatArray]:
    """Crests of the teeth that the viewer sees, (n, 2) each, with gaps where they go out of sight."""
    gear = wheel.gear
    if not gear or wheel.internal or gear["teeth"] > most:
        return []
    tip, _ = tip_and_root(wheel)
    b, delta, beta = face_width(wheel), float(gear.get("cone_angle") or 0.0), float(gear.get("helix_angle") or 0.0)
    worm = abs(beta) > 1.0
    t = np.linspace(-0.5 * b, 0.5 * b, 600 if worm else 2 if beta == 0.0 else 12)
    turn = t * math.tan(beta) / wheel.radius
    lines = []
    for k in range(gear["teeth"]):
        phi = 2.0 * math.pi * k / gear["teeth"] + turn
        out = np.outer(np.cos(phi), wheel.axes[:, 0]) + np.outer(np.sin(phi), wheel.axes[:, 1])
        # outwards from the flank of the cone
        normal = math.cos(delta) * out - math.sin(delta) * wheel.axis
        points = wheel.centre + np.outer(t * math.cos(delta), wheel.axis) + (tip + t * math.sin(delta))[:, None] * out
        seen = normal @ view.towards > 0.02
        if seen.any():
            flat = view.flat(points)
            flat[~seen] = np.nan
            lines.append(flat)
    return lines
