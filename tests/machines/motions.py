"""Initial motions that all joints of a tree permit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from machines.draws import Rng
from machines.machine import Part
from machines.values import Arrow, On

Twist = tuple[np.ndarray, np.ndarray]
"""Velocity of the point at the world origin, and angular velocity."""


def set_in_motion(rng: Rng, parts: list[Part], *, speed: float = 1.0) -> list[Part]:
    """The parts with initial velocities of the bodies: a motion of the tree of joints. Bodies without a joint move freely."""
    bodies = {part.name: part for part in parts if part.maker == "body"}
    joints = [part for part in parts if "a" in part.given and "b" in part.given and part.maker in _FREE]
    twists: dict[str, Twist] = {"ground": (np.zeros(3), np.zeros(3))}
    left = list(joints)
    while len(twists) <= len(bodies):
        ready = [j for j in left if _ends(j)[0] in twists or _ends(j)[1] in twists]
        if not ready:
            root = next(name for name in bodies if name not in twists)
            twists[root] = (speed * rng.normal(size=3), speed * rng.normal(size=3))
            continue
        joint = ready[0]
        left.remove(joint)
        a, b = _ends(joint)
        if a in twists and b in twists:
            continue
        old, new = (a, b) if a in twists else (b, a)
        v, w = _relative(rng, joint, bodies, speed)
        twists[new] = (twists[old][0] + v, twists[old][1] + w)
    return [_moving(part, twists) if part.name in bodies else part for part in parts]


def _ends(joint: Part) -> tuple[str, str]:
    a, b = joint.given["a"], joint.given["b"]
    return (a.body if isinstance(a, On) else a.value, b.body if isinstance(b, On) else b.value)


def _moving(part: Part, twists: dict[str, Twist]) -> Part:
    v, w = twists[part.name]
    given = {key: value for key, value in part.given.items() if key not in ("velocity", "angular_velocity")}
    x = np.asarray(part.given["position"].value)
    velocity = v + np.cross(w, x)
    if np.any(velocity):
        given["velocity"] = Arrow(tuple(velocity), "m/s", moves=True)
    if np.any(w):
        given["angular_velocity"] = Arrow(tuple(w), "rad/s", axial=True)
    return replace(part, given=given)


def _place(joint: Part, bodies: dict[str, Part]) -> tuple[np.ndarray, np.ndarray]:
    """Point and direction of a joint in the world."""
    for end in (joint.given["a"], joint.given["b"]):
        if isinstance(end, On):
            body = bodies[end.body].given
            turn = np.asarray(body["orientation"].value) if "orientation" in body else np.eye(3)
            point = np.asarray(body["position"].value) + turn @ np.asarray(end.position)
            return point, turn @ np.asarray(end.rotation)[:, 2]
    key = "at" if "at" in joint.given else "at_b"
    axis: Any = joint.given.get("axis")
    return np.asarray(joint.given[key].value), np.asarray(axis.value) if axis is not None else np.array([0.0, 0.0, 1.0])


def _relative(rng: Rng, joint: Part, bodies: dict[str, Part], speed: float) -> Twist:
    """A motion of one body relative to the other that the joint permits."""
    point, axis = _place(joint, bodies)
    rates = speed * rng.normal(size=6)
    across = np.linalg.svd(axis[None])[2][1:]
    translation, rotation = np.zeros(3), np.zeros(3)
    for kind, r in zip(_FREE[joint.maker], rates, strict=False):
        if kind == "turn":
            rotation = rotation + r * axis
        elif kind == "slide":
            translation = translation + r * axis
        elif kind == "across":
            translation = translation + r * across[0] + rates[-1] * across[1]
        elif kind == "turns":
            rotation = rotation + rates[:3]
        elif kind == "screw":
            rotation, translation = r * axis, r * joint.given["lead"].value / (2.0 * np.pi) * axis
        elif kind == "pins":
            rotation = r * axis + rates[-1] * np.asarray(joint.given["axis_b"].value)
        elif kind == "rod":
            d = np.asarray(joint.given["at_b"].value) - np.asarray(joint.given["at_a"].value)
            translation = translation + np.cross(d, rates[3:])
    return translation - np.cross(rotation, point), rotation


_FREE: dict[str, tuple[str, ...]] = {
    "revolute": ("turn",), "prismatic": ("slide",), "cylindrical": ("turn", "slide"), "spherical": ("turns",),
    "universal": ("pins",), "planar": ("turn", "across"), "fixed": (), "screw": ("screw",), "distance": ("turns", "rod"),
    "point_on_line": ("turns", "slide"), "point_on_plane": ("turns", "across"), "plane_on_plane": ("turn", "across"),
    "parallel_axes": ("turn", "slide", "across"),
}  # fmt: skip
