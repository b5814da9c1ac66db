"""Cam with its follower in the initial pose: curve and direction for the compiled functions, and checks.

`values` are those of an element: profile, face, roller_radius, direction, cam_angle, and frames (position, rotation) a and b
in the world.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import ModelError
from ..solids.rotations import Array
from .closed_curve import ClosedCurve

__all__ = ["cam_turn", "mounted", "mounting_problems", "unknown_direction"]

_DEEPEST = 0.02
"""Largest distance between follower and cam in the initial pose, as a fraction of the distance from the cam axis."""
_PARALLEL = math.cos(math.radians(1.0))
"""Cosine of the largest angle between the cam axis and the axis of rotation of its body."""
_ACROSS = 1e-3
"""Largest component of a direction along the cam axis."""


def _curve(values: Mapping[str, Any], groove: bool, what: str) -> ClosedCurve:
    """Curve in the axes of frame a."""
    profile = values["profile"]
    if values["face"] == "flat":
        curve = profile.support_function(what=what)
    else:
        curve = profile.pitch_curve(values["roller_radius"], groove=groove, what=what)
    return curve.turned(cam_turn(values))


def cam_turn(values: Mapping[str, Any]) -> float:
    """Rotation of the axes of a profile from a lift relative to frame a, for the cam position `cam_angle`."""
    profile, flat = values["profile"], values["face"] == "flat"
    if profile.layout is None:
        return 0.0
    if flat:
        seen = values["a"][1].T @ _direction(values)
    else:
        seen = _place(values)
    follower = profile.layout.follower_angle(
        profile.lift(values["cam_angle"]), None if flat else values["roller_radius"]
    )
    return float(math.atan2(seen[1], seen[0]) - follower + values["cam_angle"])


def _place(values: Mapping[str, Any]) -> Array:
    """Point of the follower in the axes of frame a."""
    (o, axes), (point, _) = values["a"], values["b"]
    return np.asarray(axes.T @ (point - o))


def unknown_direction(values: Mapping[str, Any]) -> bool:
    """Whether the direction of motion of a roller follower is defined neither by the user nor by the profile."""
    return values["direction"] is None and values["profile"].layout is None


def _direction(values: Mapping[str, Any]) -> Array:
    """Direction of motion, or normal of the face, world axes in the initial pose; zero if it is not known."""
    if values["direction"] is not None:
        given = np.asarray(values["direction"], float)
        return np.asarray(given / np.linalg.norm(given))
    if unknown_direction(values):
        return np.zeros(3)
    y = _place(values)
    turn = values["profile"].layout.motion_direction(math.hypot(y[0], y[1])) + math.atan2(y[1], y[0])
    return np.asarray(values["a"][1] @ [math.cos(turn), math.sin(turn), 0.0])


def mounted(values: Mapping[str, Any], *, groove: bool) -> dict[str, Any]:
    """Data for compiled functions."""
    return {
        "curve": _curve(values, groove, "cam").table,
        "direction": values["b"][1].T @ _direction(values),  # in axes of frame b
        "roller_radius": values["roller_radius"] or 0.0,
        "width": values["width"] or 0.0,
    }


def mounting_problems(values: Mapping[str, Any], what: str, *, groove: bool) -> list[str]:
    """Errors of a cam, its follower and their positions."""
    about = [axis for axis in values["turning"]["a"] if abs(axis @ values["a"][1][:, 2]) < _PARALLEL]
    if about and len(about) == len(values["turning"]["a"]):
        return [
            f"{what}: its body rotates about {_words(about[0])}, but the cam axis, z of frame a, is {_axis(values)} in the "
            "world; specify axis, or a frame whose z is the axis of rotation"
        ]
    flat = values["face"] == "flat"
    if flat and values["roller_radius"] is not None:
        return [f'{what}: a flat face has no roller_radius; omit roller_radius, or face = "flat"']
    if not flat and values["roller_radius"] is None:
        return [f'{what}: roller_radius is missing; specify 0 for a knife edge, or face = "flat"']
    if not flat and values["width"] and values["roller_radius"] == 0.0:
        return [
            f"{what}: a knife edge (roller_radius = 0) has no Hertzian pressure; omit width, or specify the roller_radius of "
            "the edge"
        ]
    given = values["direction"]
    if given is None and flat:
        return [
            f"{what}: direction is missing: specify the normal of the flat face, away from the cam, in world axes of "
            "the initial pose"
        ]
    if given is not None:
        size = float(np.linalg.norm(given))
        if not size > 0.0:
            return [f"{what}: direction is zero; specify a direction such as (0, 1, 0)"]
        if abs(float(np.dot(given, values["a"][1][:, 2]))) > _ACROSS * size:
            return [
                f"{what}: direction must be perpendicular to the cam axis, z of frame a, which is {_axis(values)} in the "
                "world; specify a frame on the cam with its axis, or another direction"
            ]
    if values["cam_angle"] and values["profile"].layout is None:
        return [f"{what}: cam_angle is for cams from a lift; rotate an outline with the axes of the cam frame"]
    try:
        curve = _curve(values, groove, what)
    except ModelError as error:
        return [str(error)]
    y = _place(values)
    r = math.hypot(y[0], y[1])
    if flat:
        n = values["a"][1].T @ _direction(values)
        needed = float(curve(math.atan2(n[1], n[0])))
        gap = float(n @ y) - needed
        where = f"the face at {1e3 * needed:.6g} mm from the cam axis along direction"
    else:
        if r == 0.0:
            return [
                f"{what}: the roller centre is on the axis of the cam; specify at_b, the position of the roller centre"
            ]
        needed = float(curve(math.atan2(y[1], y[0])))
        gap = r - needed
        where = f"its centre at {1e3 * needed:.6g} mm from the cam axis"
    if gap < -_DEEPEST * needed or (groove and gap > _DEEPEST * needed):
        side = "inside" if gap < 0.0 else "off"
        return [
            f"{what}: the follower is {1e3 * abs(gap):.4g} mm {side} the cam in the initial pose; place {where}, "
            f"or rotate the cam (cam_angle); the cam axis, z of frame a, is {_axis(values)} in the world"
        ]
    return []


def _axis(values: Mapping[str, Any]) -> str:
    return _words(values["a"][1][:, 2])


def _words(direction: Array) -> str:
    x, y, z = (float(part) + 0.0 for part in np.round(direction, 6))
    return f"({x:g}, {y:g}, {z:g})"
