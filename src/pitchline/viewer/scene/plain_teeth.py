"""Teeth as trapezoids, for gears of which no exact surface can be made: right in number, height, thickness and helix."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...files.gear_surface import GearSurface, closed_surface
from ...files.gear_surface_profile import Piece, Profile
from ...gears import Gear

__all__ = ["plain_teeth_surface"]

_THIN = 0.08
"""A tip or a root space has at least this part of the pitch."""


def plain_teeth_surface(gear: Gear, turn: float) -> GearSurface:
    """The closed surface of a cylindrical gear with straight flanks. turn: between two sections, at most [rad]."""
    width = gear.required_face_width("the surface of a gear")
    z, sense = gear.teeth, gear.sense
    twist = 2.0 * math.tan(gear.helix_angle) / gear.reference_diameter
    count = min(max(2, math.ceil(abs(twist) * width / turn) + 1), 200)
    heights = np.linspace(-0.5 * width, 0.5 * width, count)
    r, r_a, r_f = 0.5 * gear.reference_diameter, 0.5 * gear.tip_diameter, 0.5 * gear.root_diameter
    pitch = 2.0 * math.pi / z
    half = gear.transverse_tooth_thickness / gear.reference_diameter
    slope = math.tan(gear.transverse_pressure_angle)

    def half_angle(radius: float) -> float:
        return float(np.clip(half - sense * (radius - r) * slope / r, 0.5 * _THIN * pitch, 0.5 * (1.0 - _THIN) * pitch))

    foot, tip = half_angle(r_f), half_angle(r_a)
    middle = 0.5 * (r_f + r_a)
    corners = [(r_f, 0.5 * pitch), (r_f, foot), (middle, 0.5 * (foot + tip)), (r_a, tip)]  # from the space to the tip
    names = ("root", "fillet", "involute")
    rows: list[tuple[float, float]] = [(radius, -angle) for radius, angle in corners]
    rows += [(radius, angle) for radius, angle in reversed(corners)]
    points = _points(rows, heights, twist)
    order = [f"right {name}" for name in names] + ["tip"] + [f"left {name}" for name in reversed(names)]
    pieces = {name: Piece(k, 2, _normals(points[k : k + 2], heights, twist, sense)) for k, name in enumerate(order)}
    wall = [(float(t), float(twist * width * t)) for t in np.linspace(0.0, 1.0, count)]
    for name in ("right involute", "left involute"):
        pieces[name] = Piece(pieces[name].start, 2, pieces[name].normals, np.zeros((2, count)))
    return closed_surface(Profile(points[:-1], pieces, heights, ([], []), wall), gear, None)


def _points(rows: list[tuple[float, float]], heights: NDArray[np.float64], twist: float) -> NDArray[np.float64]:
    radius, angle = (np.array(column)[:, None] for column in zip(*rows, strict=True))
    turned = angle + twist * heights
    return np.stack([radius * np.cos(turned), radius * np.sin(turned), np.broadcast_to(heights, turned.shape)], axis=-1)


def _normals(
    ends: NDArray[np.float64], heights: NDArray[np.float64], twist: float, sense: float
) -> NDArray[np.float64]:
    """Of a piece between two rows of points (2, s, 3): across the row and along the helix, out of the material."""
    up = np.stack([-twist * ends[..., 1], twist * ends[..., 0], np.ones(ends.shape[:-1])], axis=-1)
    across = np.broadcast_to(ends[1] - ends[0], ends.shape)
    n = np.cross(across, up) * sense
    return np.asarray(n / np.linalg.norm(n, axis=-1, keepdims=True))
