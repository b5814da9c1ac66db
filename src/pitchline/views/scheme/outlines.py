"""Outlines of gears: teeth, seen along the axis; edges and tooth lines, seen from other directions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.views.scheme.scene import Round
from pitchline.views.scheme.view import Projection

Array = NDArray[np.float64]

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


def teeth_outline(wheel: Round) -> Array:
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


def rack_profile(wheel: Round) -> Array:
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


def end_circles(wheel: Round, reach: float, points: int = 120) -> tuple[Array, Array]:
    """Both edges (points, 3) in the world, of a wheel that reaches so far from its axis in the middle."""
    b, delta = face_width(wheel), float(wheel.gear.get("cone_angle", 0.0) or 0.0)
    turn = np.linspace(0.0, 2.0 * np.pi, points)
    around = np.outer(np.cos(turn), wheel.axes[:, 0]) + np.outer(np.sin(turn), wheel.axes[:, 1])
    made = []
    for t in (-0.5 * b, 0.5 * b):
        along, radius = t * math.cos(delta), max(reach + t * math.sin(delta), 0.0)
        made.append(wheel.centre + along * wheel.axis + radius * around)
    return made[0], made[1]


def hull(points: Array) -> Array:
    """Convex hull (m, 2) of points in the plane, counter-clockwise: Andrew's monotone chain."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(chain: Any) -> list[Array]:
        made: list[Array] = []
        for p in chain:
            while len(made) > 1 and _turn(made[-2], made[-1], p) <= 0.0:
                made.pop()
            made.append(p)
        return made

    lower, upper = half(ordered), half(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def tooth_lines(wheel: Round, view: Projection, most: int = 140) -> list[Array]:
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
