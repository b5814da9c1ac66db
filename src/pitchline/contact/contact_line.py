"""Contact lines of two flanks, and the planes in which they are searched.

The line along which two flanks come nearest, over the plane that touches flank A at its nearest point.

The gap of a pair of teeth is a function of two coordinates of the plane. Its curvatures are very different where teeth touch in a
line or in a long ellipse: x is across, where it opens quickly, y along. For stations y the least gap over x is found, and so are
the ends of both flanks (`plane_search`). Cells of a contact are then laid along this line, which may be curved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pitchline.base.types import FloatArray, IntArray
from pitchline.numerics.fields import packed
from pitchline.parts.gears.surfaces.patch import FlankPatch

from .plane_search import PlaneRecord, meet_on_plane, search_lines
from .strips import Position
from .surface_gap import SIZE, SurfaceMeeting
from .surface_strips import SurfacePair

__all__ = ["ContactPlane", "plane_at", "LeastGapLine", "Met", "TeethInPosition", "contact_line"]


# ---- contact plane

# The plane that touches a flank where two flanks come nearest.
#
# Cells of a contact that follows any direction are rectangles of this plane: x across the line of contact, where the
# flanks part quickly, y along it. A point (x, y) of the plane belongs to the point p(u, v) of the flank with the same
# coordinates,
#
# (p(u, v) − p_0) · e_x = x , (p(u, v) − p_0) · e_y = y ,
#
# found by Newton's method (`plane_search`). Along a line of contact the normal of a flank hardly turns, so that
# lengths in the plane are those on the flank.


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


_STATIONS, _ACROSS, _NEAR = 19, 27, 9
"""Stations along the line, samples at each of them, and at places near a known line."""
_FIT = 0.06
"""Half width of the square of parameters in which curvatures are fitted."""
_HALVINGS = 12


@dataclass(frozen=True, eq=False)
class TeethInPosition:
    """A tooth of A and the flanks of B at angles of both gears [rad], of a rack [m]."""

    pair: SurfacePair
    tooth: int
    angle_a: float
    angle_b: float

    def records(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """For compiled code, in this position."""
        a, b, position = self.pair.records
        at = position.view(Position.dtype)[0]
        at["angle_a"], at["angle_b"] = self.angle_a, self.angle_b
        return a, b, position


@dataclass(frozen=True, eq=False)
class Met:
    """Where points of flank A meet flank B; arrays of one shape.

    Attributes
    ----------
    touch
        How far B moves beyond its ideal position until it meets the point [rad], of a rack [m].
    lever
        Of the normal of contact about the axis of B [m]; of a rack: its component along the travel.
    u_a, v_a, u_b, v_b
        Places on both flanks.
    tooth_b
    inside
        How far the points are from the edges of both flanks, in parameters; negative: beyond one of them.
    """

    touch: FloatArray
    lever: FloatArray
    u_a: FloatArray
    v_a: FloatArray
    u_b: FloatArray
    v_b: FloatArray
    tooth_b: IntArray
    inside: FloatArray


@dataclass(frozen=True, eq=False)
class LeastGapLine:
    """Of one pair of teeth in one position.

    Attributes
    ----------
    teeth : TeethInPosition
    plane : ContactPlane
    least : float
        The least motion of B at which the teeth touch [rad], of a rack [m].
    lever : float
        There [m].
    curvatures : (2,)
        Of the gap, along and across [1/m].
    y, x, touch : (stations,)
        The line, and the motion of B at which it touches; infinite where one of the flanks has ended.
    low, high : (stations,)
        x at the ends of both flanks [m].
    ends : (2,)
        Least and greatest y [m] at which both flanks exist.
    """

    teeth: TeethInPosition
    plane: ContactPlane
    least: float
    lever: float
    curvatures: tuple[float, float]
    y: FloatArray
    x: FloatArray
    touch: FloatArray
    low: FloatArray
    high: FloatArray
    ends: tuple[float, float]
    span: tuple[float, float]

    def at(self, x: FloatArray, y: FloatArray) -> Met:
        """What the points over (x, y) of the plane meet."""
        return _met(self.teeth, self.plane, x, y)

    def course(self, y: FloatArray, beside: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """x of the line, and of the ends of the flanks as far as `beside` from it, at y [m]."""
        known = np.isfinite(self.touch)
        about = np.interp(y, self.y[known], self.x[known])
        step = (self.span[1] - self.span[0]) / (_ACROSS - 1)
        beside = max(beside, 2.0 * step)
        found = _search(self.teeth, self.plane, y, (about - beside, about + beside), _NEAR)
        lost = np.flatnonzero(~(np.abs(found[0] - about) < 0.25 * beside))
        lost = np.union1d(lost, np.flatnonzero(np.isinf(found[1])))
        if len(lost):
            found[:, lost] = _search(self.teeth, self.plane, y[lost], self.span, _ACROSS)
        return found[0], found[2], found[3]

    def overlap(self, motion: float) -> tuple[float, float] | None:
        """Least and greatest y between which rigid flanks overlap if B has moved so far; None if they do not."""
        near = self.touch < motion
        if not near.any():
            return None
        found = np.flatnonzero(near)
        low, high = self.y[max(found[0] - 1, 0)], self.y[min(found[-1] + 1, len(self.y) - 1)]
        return float(low), float(high)


def _met(teeth: TeethInPosition, plane: ContactPlane, x: FloatArray, y: FloatArray) -> Met:
    x, y = np.broadcast_arrays(x, y)
    n = x.size
    points = np.ascontiguousarray(np.stack([x.ravel(), y.ravel()], axis=1), dtype=np.float64)
    places, inside, out = np.empty((n, 2)), np.empty(n), np.zeros((n, SIZE))
    meet_on_plane(*teeth.records(), plane.record, teeth.tooth, points, places, inside, np.empty(2), out)
    m = out.view(SurfaceMeeting.dtype)[:, 0]
    columns = (m["gap"], m["lever_b"], places[:, 0], places[:, 1], m["u"], m["v"], m["tooth"], inside)
    return Met(*(np.array(one).reshape(x.shape) for one in columns))


def _search(
    teeth: TeethInPosition, plane: ContactPlane, y: FloatArray, between: tuple[npt.ArrayLike, npt.ArrayLike], samples: int, *,
    fine: bool = True,
) -> FloatArray:  # fmt: skip
    """(4, stations) x of the least gap, its motion of B, and the ends of both flanks."""
    lines = np.ascontiguousarray(np.stack(np.broadcast_arrays(y, *between), axis=1), dtype=np.float64)
    results, out = np.empty((len(lines), 4)), np.zeros((1, SIZE))
    search_lines(*teeth.records(), plane.record, teeth.tooth, lines, samples, int(fine), results, np.empty(2), out)
    return np.ascontiguousarray(results.T)


def contact_line(
    pair: SurfacePair, angle_a: float, angle_b: float, tooth: int, tooth_b: int, u: float, v: float,
    between: tuple[float, float] = (0.0, 1.0),
) -> LeastGapLine | None:  # fmt: skip
    """The line of a pair of teeth whose least gap is at (u, v) of A; None where B has no flank there.

    between: v of the part of the flank of A that is opposite to this tooth of B."""
    teeth = TeethInPosition(pair, tooth, angle_a, angle_b)
    flank = pair.a.flank(pair.side, tooth)
    here = pair.meet(angle_a, tooth, u, v, angle_b=angle_b)
    plane, curvatures = _principal(teeth, u, v, tooth_b)
    around, low, high = np.linspace(0.0, 1.0, 33), np.full(33, between[0]), np.full(33, between[1])
    beside = between[0] + around * (between[1] - between[0])
    outline = flank.point(
        np.concatenate([around, around, 0.0 * around, 0.0 * around + 1.0]), np.concatenate([low, high, beside, beside])
    )
    all_x, all_y = plane.coordinates(outline)
    span = float(all_x.min()), float(all_x.max())
    y = np.linspace(float(all_y.min()), float(all_y.max()), _STATIONS)
    y = np.sort(np.append(y, 0.0))  # with the station of the nearest point
    rough = _search(teeth, plane, y, span, _ACROSS, fine=False)
    exists = np.isfinite(rough[1])
    if not exists.any():
        return None
    ends = _ends(teeth, plane, y, exists, span)
    y = np.linspace(*ends, _STATIONS)
    y = np.unique(np.append(y, min(max(0.0, ends[0]), ends[1])))  # light loads touch only near the nearest point
    x, touch, low, high = _search(teeth, plane, y, span, _ACROSS)
    if not np.isfinite(touch).any():
        return None
    return LeastGapLine(
        teeth, plane, float(here["gap"]), float(here["lever_b"]), curvatures, y, x, touch, low, high, ends, span
    )


def _principal(teeth: TeethInPosition, u: float, v: float, tooth_b: int) -> tuple[ContactPlane, tuple[float, float]]:
    """The plane with x in the direction of the greatest curvature of the gap, and both curvatures [1/m]."""
    pair = teeth.pair
    flank = pair.a.flank(pair.side, teeth.tooth)
    first = plane_at(flank, u, v, tooth_b)
    across, along = flank.lengths
    step, wide = np.linspace(-_FIT, _FIT, 7), min(1.0, 4.0 * across / along)
    at_u, at_v = (one.ravel() for one in np.meshgrid(step, wide * step, indexing="ij"))
    at_u, at_v = np.clip(u + at_u, 0.0, 1.0), np.clip(v + at_v, 0.0, 1.0)
    met = pair.meet(teeth.angle_a, teeth.tooth, at_u, at_v, angle_b=teeth.angle_b)
    good = (met["inside"] >= 0.0) & (met["tooth"] == tooth_b)
    if int(good.sum()) < 8:
        return first, (0.0, 0.0)
    x, y = first.coordinates(flank.point(at_u[good], at_v[good]))
    gap = met["normal_gap"][good]
    size = max(float(np.abs(x).max()), float(np.abs(y).max()))
    x, y = x / size, y / size
    terms = np.stack([np.ones_like(x), x, y, 0.5 * x * x, x * y, 0.5 * y * y], axis=1)
    c = np.linalg.lstsq(terms, gap, rcond=None)[0] / size**2
    values, vectors = np.linalg.eigh(np.array([[c[3], c[4]], [c[4], c[5]]]))
    direction = vectors[0, 1] * first.across + vectors[1, 1] * first.along
    if direction @ first.across < 0.0:
        direction = -direction
    return plane_at(flank, u, v, tooth_b, across=direction), (float(values[0]), float(values[1]))


def _ends(
    teeth: TeethInPosition, plane: ContactPlane, y: FloatArray, exists: npt.NDArray[np.bool_], span: tuple[float, float]
) -> tuple[float, float]:
    """Least and greatest y at which any x is on both flanks."""
    last = np.array([int(np.argmax(exists)), len(y) - 1 - int(np.argmax(exists[::-1]))])
    step = float(y[-1] - y[0]) / (len(y) - 2)
    inner, outer = y[last], y[last] + np.array([-step, step])
    for _ in range(_HALVINGS):
        middle = 0.5 * (inner + outer)
        found = _search(teeth, plane, middle, span, _ACROSS, fine=False)
        there = np.isfinite(found[1])
        inner, outer = np.where(there, middle, inner), np.where(there, outer, middle)
    return float(inner[0]), float(inner[1])
