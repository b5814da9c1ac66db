"""The plane that touches a flank where two flanks come nearest, and the flank over it.

Cells of a contact that follows any direction are rectangles of this plane: x across the line of contact, where the flanks part
quickly, y along it. A point (x, y) of the plane belongs to the point p(u, v) of the flank with the same coordinates,

    (p(u, v) − p_0) · e_x = x ,    (p(u, v) − p_0) · e_y = y ,

found by Newton's method. Along a line of contact the normal of a flank hardly turns, so that lengths in the plane are those on
the flank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["ContactPlane", "ParametricFlank", "plane_at"]

FloatArray = npt.NDArray[np.float64]

_STEPS = 12
_OUTSIDE = 0.15
"""Surfaces are continued by this part of their length, so that their ends can be found."""


class ParametricFlank(Protocol):
    """A flank p(u, v) in the axes of its gear, with tangents."""

    def point(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """[m], (…, 3)."""

    def tangents(self, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """By u and by v [m], (…, 3) each."""


@dataclass(frozen=True, eq=False)
class ContactPlane:
    """Coordinates x, y [m] about a point of a flank.

    Attributes
    ----------
    u, v : float
        The point of the flank.
    origin : (3,)
        [m] in the axes of the gear.
    across, along : (3,)
        e_x and e_y.
    normal : (3,)
        Out of the material or into it.
    """

    flank: ParametricFlank
    u: float
    v: float
    origin: FloatArray
    across: FloatArray
    along: FloatArray
    normal: FloatArray

    def coordinates(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """x and y [m] of points in the axes of the gear."""
        away = points - self.origin
        return away @ self.across, away @ self.along

    def place(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """u and v of points of the plane; near the ends of the flank up to 15 % beyond them, further away on that border."""
        x, y = (np.asarray(one, dtype=np.float64) for one in np.broadcast_arrays(x, y))
        u, v = np.full(x.shape, self.u), np.full(x.shape, self.v)
        size = max(float(np.abs(x).max(initial=0.0)), float(np.abs(y).max(initial=0.0)), 1e-9)
        for _ in range(_STEPS):
            at_x, at_y = self.coordinates(self.flank.point(u, v))
            r_x, r_y = x - at_x, y - at_y
            by_u, by_v = self.flank.tangents(u, v)
            a, b, c, d = by_u @ self.across, by_v @ self.across, by_u @ self.along, by_v @ self.along
            determinant = a * d - b * c
            step_u = (d * r_x - b * r_y) / determinant
            step_v = (a * r_y - c * r_x) / determinant
            new_u = np.clip(u + np.clip(step_u, -0.5, 0.5), -_OUTSIDE, 1.0 + _OUTSIDE)
            new_v = np.clip(v + np.clip(step_v, -0.5, 0.5), -_OUTSIDE, 1.0 + _OUTSIDE)
            moved = max(float(np.abs(new_u - u).max(initial=0.0)), float(np.abs(new_v - v).max(initial=0.0)))
            u, v = new_u, new_v
            if moved < 1e-11 * min(1.0, size / 1e-2 + 1e-3):
                break
        return u, v


def plane_at(flank: ParametricFlank, u: float, v: float, *, across: FloatArray | None = None) -> ContactPlane:
    """The plane that touches a flank at a point; across: about which direction x has, that of u without it."""
    at_u, at_v = np.array([u]), np.array([v])
    by_u, by_v = (one[0] for one in flank.tangents(at_u, at_v))
    normal = np.cross(by_u, by_v)
    normal = normal / np.linalg.norm(normal)
    e_x = by_u if across is None else across
    e_x = e_x - (e_x @ normal) * normal
    e_x = e_x / np.linalg.norm(e_x)
    e_y = np.cross(normal, e_x)
    if e_y @ by_v < 0.0:
        e_y = -e_y
    return ContactPlane(flank, u, v, flank.point(at_u, at_v)[0], e_x, e_y, normal)
