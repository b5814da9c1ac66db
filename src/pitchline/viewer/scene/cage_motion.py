"""How the rolling elements of a bearing go round: with the cage, between both rings.

The cage turns about the axis of the outer ring by the part  (1 − D_w cos α / D_pw)/2  of the angle by which the inner ring has
turned against the outer one: rolling without slip.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...solids.rotations import quaternion_of
from .bearings import BearingGeometry, bearing_geometry, cage_name
from .poses import motion_of
from .source import SceneSource

__all__ = ["Motion", "cage_motion", "cage_motions"]

FloatArray = NDArray[np.float64]
Motion = tuple[FloatArray, FloatArray]
"""Positions (n, 3) [m] and quaternions (n, 4) w, x, y, z."""
MOST_VALUES = 100_000
"""Samples times bearings above which rolling elements stay with the outer ring: poses of a page are not for free."""


def cage_motions(source: SceneSource) -> dict[str, Motion]:
    """Of all bearings of a model, by the names of the bodies that carry their rolling elements."""
    elements = [e for e in source.model.get("elements", {}).values() if e.get("type") == "RollingBearing"]
    turning = len(elements) * len(source.time) <= MOST_VALUES
    found = {}
    for element in elements:
        made = bearing_geometry(element)
        if made is not None:
            found[cage_name(element["name"])] = cage_motion(source, element, made, turning=turning)
    return found


def cage_motion(source: SceneSource, element: dict[str, Any], made: BearingGeometry, *, turning: bool = True) -> Motion:
    """Of the cage of one bearing; one row where it rests. turning: False leaves it with the outer ring."""
    frames = element["frames"]
    x, q = motion_of(source, frames["a"]["body_name"])
    place = x + rotated(q, np.asarray(frames["a"]["position"], dtype=np.float64))
    turn = product(q, quaternion_of(np.asarray(frames["a"]["rotation"], dtype=np.float64)))
    _, inner = motion_of(source, frames["b"]["body_name"])
    inner = product(inner, quaternion_of(np.asarray(frames["b"]["rotation"], dtype=np.float64)))
    if not turning or (len(turn) == 1 and len(inner) == 1):
        return place, turn
    count = max(len(turn), len(inner))
    turn, inner = np.broadcast_to(turn, (count, 4)), np.broadcast_to(inner, (count, 4))
    relative = product(turn * np.array([1.0, -1.0, -1.0, -1.0]), inner)
    angle = 2.0 * np.arctan2(relative[:, 3], relative[:, 0])
    angle = _continued(angle, _turned_by(source, element, turn))
    half = 0.5 * made.design.cage_ratio * (angle - angle[0])
    about_z = np.column_stack([np.cos(half), np.zeros(count), np.zeros(count), np.sin(half)])
    turned = product(turn, about_z)
    flips = np.cumprod(np.where(np.einsum("ij,ij->i", turned[1:], turned[:-1]) < 0.0, -1.0, 1.0))
    turned[1:] *= flips[:, None]
    return np.broadcast_to(place, (count, 3)), turned


def _turned_by(source: SceneSource, element: dict[str, Any], outer: FloatArray) -> FloatArray | None:
    """By how much the inner ring turns against the outer one from sample to sample, from their angular velocities [rad]."""
    spins = []
    for side in "ab":
        found = source.signal(f"{element['frames'][side]['body_name']}.angular_velocity")
        spins.append(np.zeros((1, 3)) if found is None else found)
    speed = spins[1] - spins[0]
    if len(speed) != len(outer):
        return None
    about = np.einsum("ij,ij->i", speed, rotated(outer, np.array([0.0, 0.0, 1.0])))
    return np.asarray(0.5 * (about[1:] + about[:-1]) * np.diff(source.time))


def _continued(angle: FloatArray, steps: FloatArray | None) -> FloatArray:
    """The angle without jumps. Whole revolutions between two samples follow from the speeds."""
    change = np.diff(angle)
    expected = np.zeros_like(change) if steps is None else steps
    change = expected + (change - expected + math.pi) % (2.0 * math.pi) - math.pi
    return np.concatenate([angle[:1], angle[0] + np.cumsum(change)])


def product(p: FloatArray, q: FloatArray) -> FloatArray:
    """p q of quaternions w, x, y, z, (…, 4)."""
    a, b, c, d = np.moveaxis(np.asarray(p), -1, 0)
    e, f, g, h = np.moveaxis(np.asarray(q), -1, 0)
    return np.stack(
        [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
         a * h + b * g - c * f + d * e], axis=-1,
    )  # fmt: skip


def rotated(q: FloatArray, v: FloatArray) -> FloatArray:
    """The vector v (3,) turned by quaternions (n, 4)."""
    w, u = q[:, :1], q[:, 1:]
    t = 2.0 * np.cross(u, v)
    return np.asarray(v + w * t + np.cross(u, t))
