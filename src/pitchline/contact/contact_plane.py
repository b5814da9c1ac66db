"""The plane that touches a flank where two flanks come nearest.

Cells of a contact that follows any direction are rectangles of this plane: x across the line of contact, where the flanks part
quickly, y along it. A point (x, y) of the plane belongs to the point p(u, v) of the flank with the same coordinates,

    (p(u, v) − p_0) · e_x = x ,    (p(u, v) − p_0) · e_y = y ,

found by Newton's method (`plane_search`). Along a line of contact the normal of a flank hardly turns, so that lengths in the plane
are those on the flank.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..gears.surfaces import FlankPatch
from ..math.fields import packed
from .plane_search import PlaneRecord

__all__ = ["ContactPlane", "plane_at"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ContactPlane:
    """Coordinates x, y [m] about a point of a flank.

    Attributes
    ----------
    u, v : float
        The point of the flank.
    step_v : float
        Longest step of searches along v.
    tooth_b : int
        The tooth of B opposite to it.
    origin : (3,)
        [m] in the axes of the gear, on tooth 0.
    across, along : (3,)
        e_x and e_y.
    """

    u: float
    v: float
    step_v: float
    tooth_b: int
    origin: FloatArray
    across: FloatArray
    along: FloatArray

    @cached_property
    def record(self) -> FloatArray:
        """For compiled code."""
        names = ("u", "v", "step_v", "tooth_b", "origin", "across", "along")
        return packed(PlaneRecord, {name: getattr(self, name) for name in names})

    def coordinates(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """x and y [m] of points in the axes of the gear."""
        away = points - self.origin
        return away @ self.across, away @ self.along


def plane_at(flank: FlankPatch, u: float, v: float, tooth_b: int, *, across: FloatArray | None = None) -> ContactPlane:
    """The plane that touches a flank at a point; across: about which direction x has, that of u without it."""
    by_u, by_v = flank.tangents(u, v)
    normal = np.cross(by_u, by_v)
    normal = normal / np.linalg.norm(normal)
    e_x = by_u if across is None else across
    e_x = e_x - (e_x @ normal) * normal
    e_x = e_x / np.linalg.norm(e_x)
    e_y = np.cross(normal, e_x)
    if e_y @ by_v < 0.0:
        e_y = -e_y
    wide, long = flank.lengths
    step = min(0.3, 0.6 * wide / long)
    return ContactPlane(u, v, step, tooth_b, flank.point(u, v), e_x, e_y)
