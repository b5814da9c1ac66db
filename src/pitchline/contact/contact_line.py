"""The line along which two flanks come nearest, over the plane that touches flank A at its nearest point.

The gap of a pair of teeth is a function of two coordinates of the plane. Its curvatures are very different where teeth touch in a
line or in a long ellipse: x is across, where it opens quickly, y along. For stations y the least gap over x is found from samples
and by parabolas, and so are the ends of both flanks. Cells of a contact are then laid along this line, which may be curved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .contact_plane import ContactPlane, ParametricFlank, plane_at

__all__ = ["ContactLine", "Met", "contact_line"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

_STATIONS, _ACROSS = 25, 25
"""Stations along the line, and samples at each of them."""
_FIT = 0.06
"""Half width of the square of parameters in which curvatures are fitted."""
_NARROWING = 10
_ENDS = 14


class Met(NamedTuple):
    """Where points of flank A meet flank B; arrays of one shape.

    Attributes
    ----------
    touch
        How far B moves beyond its ideal position until it meets the point [rad], of a rack [m].
    lever
        Of the normal of contact about the axis of B [m]; of a rack: its component along the travel.
    u_b, v_b
        On B.
    tooth_b
    inside
        How far the point of B is from the edges of its flank, in parameters; negative: beyond them.
    """

    touch: FloatArray
    lever: FloatArray
    u_b: FloatArray
    v_b: FloatArray
    tooth_b: npt.NDArray[np.int64]
    inside: FloatArray


Meet = Callable[[FloatArray, FloatArray], Met]
"""Of points (u, v) of one tooth of A, both gears in one position."""


@dataclass(frozen=True, eq=False)
class ContactLine:
    """Of one pair of teeth in one position.

    Attributes
    ----------
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

    plane: ContactPlane
    meet: Meet
    least: float
    lever: float
    curvatures: tuple[float, float]
    y: FloatArray
    x: FloatArray
    touch: FloatArray
    low: FloatArray
    high: FloatArray
    ends: tuple[float, float]

    def at(self, x: FloatArray, y: FloatArray) -> tuple[Met, FloatArray, FloatArray, FloatArray]:
        """What points of the plane meet, their u and v, and how far they are inside both flanks."""
        u, v = self.plane.place(x, y)
        met = self.meet(u, v)
        return met, u, v, _inside(met, u, v)

    def course(self, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """x of the line and of the ends of the flanks at y [m]."""
        known = np.isfinite(self.touch)
        return tuple(np.interp(y, self.y[known], one[known]) for one in (self.x, self.low, self.high))  # type: ignore[return-value]

    def overlap(self, motion: float) -> tuple[float, float] | None:
        """Least and greatest y between which rigid flanks overlap if B has moved so far; None if they do not."""
        near = self.touch < motion
        if not near.any():
            return None
        step = float(self.y[1] - self.y[0])
        low, high = float(self.y[near].min()) - step, float(self.y[near].max()) + step
        return max(low, self.ends[0]), min(high, self.ends[1])


def _inside(met: Met, u: FloatArray, v: FloatArray) -> FloatArray:
    own = np.minimum(np.minimum(u, 1.0 - u), np.minimum(v, 1.0 - v))
    return np.minimum(met.inside, own)


def _valid(inside: FloatArray) -> BoolArray:
    return np.asarray(inside >= -1e-9)


def contact_line(flank: ParametricFlank, meet: Meet, u: float, v: float) -> ContactLine | None:
    """The line of a pair of teeth whose least gap is at (u, v) of A; None where B has no flank there."""
    plane, curvatures = _principal(flank, meet, u, v)
    here = meet(np.array([u]), np.array([v]))
    around = np.linspace(0.0, 1.0, 33)
    zero, one = np.zeros(33), np.ones(33)
    outline = flank.point(np.concatenate([around, around, zero, one]), np.concatenate([zero, one, around, around]))
    all_x, all_y = plane.coordinates(outline)
    y = _with_zero(float(all_y.min()), float(all_y.max()), _STATIONS)
    x = _with_zero(float(all_x.min()), float(all_x.max()), _ACROSS)
    at_u, at_v = plane.place(x[None, :], y[:, None])
    known = _valid(_inside(meet(at_u, at_v), at_u, at_v)).any(axis=1)
    if not known.any():
        return None
    ends = _ends(plane, meet, x, y, known)
    y = np.linspace(*ends, _STATIONS)
    found = _stations(plane, meet, x, y)
    if not np.isfinite(found[1]).any():
        return None
    return ContactLine(
        plane, meet, float(here.touch[0]), float(here.lever[0]), curvatures, y, *found, ends
    )  # fmt: skip


def _with_zero(low: float, high: float, count: int) -> FloatArray:
    """Equally spaced from about low to about high, one of them 0."""
    values = np.linspace(low, high, count)
    return np.asarray(values - values[np.argmin(np.abs(values))])


def _principal(flank: ParametricFlank, meet: Meet, u: float, v: float) -> tuple[ContactPlane, tuple[float, float]]:
    """The plane with x in the direction of the greatest curvature of the gap, and both curvatures [1/m]."""
    first = plane_at(flank, u, v)
    step = np.linspace(-_FIT, _FIT, 7)
    at_u, at_v = (one.ravel() for one in np.meshgrid(step, step, indexing="ij"))
    at_u, at_v = np.clip(u + at_u, 0.0, 1.0), np.clip(v + at_v, 0.0, 1.0)
    met = meet(at_u, at_v)
    good = met.inside >= 0.0
    if int(good.sum()) < 8:
        return first, (0.0, 0.0)
    x, y = first.coordinates(flank.point(at_u[good], at_v[good]))
    gap = met.lever[good] * met.touch[good]
    size = max(float(np.abs(x).max()), float(np.abs(y).max()))
    x, y = x / size, y / size
    terms = np.stack([np.ones_like(x), x, y, 0.5 * x * x, x * y, 0.5 * y * y], axis=1)
    c = np.linalg.lstsq(terms, gap, rcond=None)[0] / size**2
    values, vectors = np.linalg.eigh(np.array([[c[3], c[4]], [c[4], c[5]]]))
    across = vectors[0, 1] * first.across + vectors[1, 1] * first.along
    if across @ first.across < 0.0:
        across = -across
    return plane_at(flank, u, v, across=across), (float(values[0]), float(values[1]))


def _stations(
    plane: ContactPlane, meet: Meet, x: FloatArray, y: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """x and touch of the line, and the ends of the flanks, at stations y."""
    rows = np.arange(len(y))

    def at(along_x: FloatArray, along_y: FloatArray) -> tuple[FloatArray, FloatArray]:
        u, v = plane.place(along_x, along_y)
        met = meet(u, v)
        inside = _inside(met, u, v)
        return np.where(_valid(inside), met.touch, np.inf), inside

    touch, inside = at(x[None, :], y[:, None])
    valid = _valid(inside)
    any_valid = valid.any(axis=1)
    step = float(x[1] - x[0])
    first = np.argmax(valid, axis=1)
    last = len(x) - 1 - np.argmax(valid[:, ::-1], axis=1)
    low, high = x[first], x[last]
    for outside, edge, way in ((first - 1, low, -1.0), (last + 1, high, 1.0)):
        inner, outer = edge.copy(), edge + way * step
        cut = any_valid & (outside >= 0) & (outside < len(x))
        for _ in range(_ENDS):
            middle = 0.5 * (inner + outer)
            now = _valid(at(middle[cut], y[cut])[1])
            kept = middle[cut]
            inner[cut], outer[cut] = np.where(now, kept, inner[cut]), np.where(now, outer[cut], kept)
        edge[:] = np.where(cut, inner, edge)
    k = np.argmin(touch, axis=1)
    best, where = touch[rows, k], x[k]
    a, b = np.maximum(where - step, low), np.minimum(where + step, high)
    for narrowing in range(_NARROWING):
        third = (b - a) / (3.0 if narrowing < 2 else 2.5)
        c, d = a + third, b - third
        t_c, t_d = at(c, y)[0], at(d, y)[0]
        for t, p in ((t_c, c), (t_d, d)):
            better = t < best
            best, where = np.where(better, t, best), np.where(better, p, where)
        a = np.where(t_c <= t_d, a, c)
        b = np.where(t_c <= t_d, d, b)
    for edge in (low, high):
        t = at(edge, y)[0]
        better = any_valid & (t < best)
        best, where = np.where(better, t, best), np.where(better, edge, where)
    return where, np.where(any_valid, best, np.inf), low, high


def _ends(plane: ContactPlane, meet: Meet, x: FloatArray, y: FloatArray, known: BoolArray) -> tuple[float, float]:
    """Least and greatest y at which any x is on both flanks."""
    found = []
    for way, last in ((-1, int(np.argmax(known))), (1, len(y) - 1 - int(np.argmax(known[::-1])))):
        inner, outer = float(y[last]), float(y[last]) + way * float(y[1] - y[0])
        for _ in range(_ENDS):
            middle = 0.5 * (inner + outer)
            u, v = plane.place(x, np.full(len(x), middle))
            if bool(_valid(_inside(meet(u, v), u, v)).any()):
                inner = middle
            else:
                outer = middle
        found.append(inner)
    return found[0], found[1]


def hertz_semi_axes(curvatures: tuple[float, float], force: float, modulus: float) -> tuple[float, float]:
    """Semi-axes along and across [m] of Hertz's ellipse for curvatures of the gap [1/m], a force [N] and E* [Pa].

    From the approximation of Johnson (Contact Mechanics, 1985, 4.26 to 4.28): e² = 1 − (b/a)², b/a = (k_1/k_2)^(2/3)."""
    small, large = max(curvatures[0], 1e-4 * curvatures[1], 1e-3), max(curvatures[1], 1e-2)
    mean = 1.0 / math.sqrt(small * large)
    c = (3.0 * force * mean / (4.0 * modulus)) ** (1.0 / 3.0)
    ratio = (small / large) ** (2.0 / 3.0)
    return c / math.sqrt(ratio), c * math.sqrt(ratio)
