"""The scene of a schematic: places of wheels, bodies, joints and springs of a described model in the world."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.views.scheme.members import Member, read_members, stations_of

Array = NDArray[np.float64]

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
    centre: Array
    axes: Array
    radius: float
    gear: dict[str, Any]
    internal: bool
    look: int

    @property
    def axis(self) -> Array:
        return self.axes[:, 2]

    @property
    def is_rack(self) -> bool:
        return self.gear.get("type") == "Rack"


@dataclass(frozen=True)
class JointMark:
    """A joint: its kind, its point and axis, and whether it holds on to the ground."""

    name: str
    kind: str
    point: Array
    axis: Array
    grounded: bool
    driven: bool = False


@dataclass(frozen=True)
class Link:
    """A spring, damper, bushing or element between two points; an element on one body has one point.

    stiff, damped: whether it has a stiffness and a damping.
    """

    name: str
    kind: str
    start: Array
    end: Array
    grounded: bool
    stiff: bool = True
    damped: bool = False
    word: str = "element"
    """Of an element, for the legend."""


@dataclass
class Scene:
    """All parts. `holds`: points at which joints and loads act on a body. `centres`: centres of mass."""

    name: str = ""
    centres: dict[str, Array] = field(default_factory=dict)
    holds: dict[str, list[Array]] = field(default_factory=dict)
    wheels: list[Round] = field(default_factory=list)
    joints: list[JointMark] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)

    def points(self) -> Array:
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

    def frame(self, said: dict[str, Any]) -> tuple[Array, Array]:
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
