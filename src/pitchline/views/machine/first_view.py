"""The direction from which a machine is drawn: the same as the first view of the viewer.

Upwards is against gravity. Without gravity, long shafts lie horizontally and flat gears are seen from above.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pitchline.errors import PitchlineError, shown
from pitchline.files.triangles import FloatArray
from pitchline.views.machine.solid_parts import SolidPart
from pitchline.views.machine.state_source import MachineState
from pitchline.views.solid_scene import Camera

__all__ = ["camera_for", "first_view"]

_TURNING = ("gear", "shaft", "bearing", "coupling")
_FLAT, _THIN = 0.75, 0.45
_LONG, _FACE, _ABOVE = (0.55, -0.75, 0.5), (0.92, -0.34, 0.3), (0.55, -0.75, 0.6)
_SIDES = {"x": (1.0, 0.0, 0.0), "y": (0.0, -1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_UP = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def camera_for(
    view: object,
    up: str | None,
    state: MachineState,
    parts: Sequence[SolidPart],
    towards: FloatArray | None = None,
) -> Camera:
    """Return the camera of a view: "corner", an axis such as "x" or "-x", or (azimuth, elevation) in degrees.

    towards: direction from which the picture should be seen if possible; by default that of the teeth of bevel gears.
    """
    back, upwards = first_view(state, parts, towards)
    if up is not None:
        if up not in _UP:
            raise PitchlineError(f'picture: up must be "x", "y" or "z", got {shown(up)}')
        upwards = np.array(_UP[up])
    if isinstance(view, str):
        if view == "corner":
            level = back - (back @ upwards) * upwards
            if up is not None and float(np.linalg.norm(level)) < 0.2:
                along, across = _square(upwards)
                back = _ABOVE[0] * along + _ABOVE[1] * across + _ABOVE[2] * upwards
            return Camera.facing(back, upwards)
        axis, sign = view.removeprefix("-"), -1.0 if view.startswith("-") else 1.0
        if axis not in _SIDES:
            raise PitchlineError(
                f'picture: view must be "corner", "x", "y", "z", "-x", "-y", "-z" or (azimuth, elevation) in degrees, '
                f"got {shown(view)}"
            )
        back = sign * np.array(_SIDES[axis])
        return Camera.facing(back, _square(upwards)[1] if abs(back @ upwards) > 0.999 else upwards)
    return Camera.about(view, upwards)


def first_view(
    state: MachineState, parts: Sequence[SolidPart], towards: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the directions to the eye and upwards."""
    points = np.concatenate([part.surface.points for part in parts])
    axis = _common(parts)
    if axis is None:
        axis = _thin(points)
    flat = axis is None or _spread(points, axis) < _FLAT * max(_spread(points, v) for v in _square(axis))
    gravity = np.asarray(state.head.get("gravity") or (0.0, 0.0, 0.0), dtype=np.float64)
    if gravity.any():
        up = -gravity / np.linalg.norm(gravity)
    elif axis is not None and abs(axis[2]) > 0.9 and not flat:
        up = np.array([0.0, 1.0, 0.0])
    else:
        up = np.array([0.0, 0.0, 1.0])
    lying = axis is not None and abs(float(axis @ up)) < 0.3
    if lying and axis is not None:
        along = axis - (axis @ up) * up
        along = along / np.linalg.norm(along)
    else:
        along = _square(up)[0]
    across = np.cross(up, along)
    i, j, k = (_FACE if flat else _LONG) if lying else _ABOVE
    best: FloatArray | None = None
    seen = _teeth(state, parts) if towards is None else towards
    for a, b in ((1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)):
        back = a * i * along + b * j * across + k * up
        if best is None or seen @ back > seen @ best + 1e-6:
            best = back
    assert best is not None
    return best / np.linalg.norm(best), up


def _square(v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two directions square to one and to each other."""
    x, y, z = np.abs(v)
    first = np.array([1.0, 0.0, 0.0] if z >= x and z >= y else [0.0, 0.0, 1.0] if y >= x else [0.0, 1.0, 0.0])
    first = first - (first @ v) * v
    first /= np.linalg.norm(first)
    return first, np.cross(v, first)


def _spread(points: FloatArray, v: FloatArray) -> float:
    return float(np.ptp(points @ v))


def _common(parts: Sequence[SolidPart]) -> FloatArray | None:
    """The direction about which nearly all gears, shafts and bearings turn; None if there is none."""
    axes = np.array([part.axis for part in parts if part.kind in _TURNING and part.axis is not None])
    for axis in axes[:8]:
        if (np.abs(axes @ axis) > 0.98).sum() >= 0.8 * len(axes):
            x, y, z = np.abs(axis)
            largest = axis[2] if z >= x and z >= y else axis[1] if y >= x else axis[0]
            return np.asarray(axis * np.sign(largest))
    return None


def _thin(points: FloatArray) -> FloatArray | None:
    """The normal of a mechanism that lies in a plane; None for others."""
    axes = np.eye(3)[[2, 1, 0]]
    sizes = np.array([_spread(points, v) for v in axes])
    for k in range(3):
        if all(sizes[k] < _THIN * other for i, other in enumerate(sizes) if i != k):
            return np.asarray(axes[k])
    return None


def _teeth(state: MachineState, parts: Sequence[SolidPart]) -> FloatArray:
    """If the axes of most pairs cross: the sum of the directions in which the larger gears show their teeth."""
    gears = {part.name: part for part in parts if part.kind == "gear" and part.axis is not None}
    total, crossed = np.zeros(3), 0
    pairs = state.head["pairs"]
    for pair in pairs:
        a, b = gears.get(pair["wheel_a"]), gears.get(pair["wheel_b"])
        if a is None or b is None or abs(_axis(a) @ _axis(b)) > 0.9:
            continue
        crossed += 1
        small, large = (b, a) if _radius(a) > _radius(b) else (a, b)
        side = float((small.surface.points.mean(axis=0) - large.surface.points.mean(axis=0)) @ _axis(large))
        if abs(side) > 0.2 * _radius(small):
            total += np.sign(side) * _axis(large)
    return total if 2 * crossed >= len(pairs) else np.zeros(3)


def _axis(part: SolidPart) -> FloatArray:
    assert part.axis is not None
    return part.axis


def _radius(part: SolidPart) -> float:
    assert part.pose is not None
    local = (part.surface.points - part.pose[0]) @ part.pose[1]
    return float(np.hypot(local[:, 0], local[:, 1]).max())
