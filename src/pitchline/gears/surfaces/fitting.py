"""Splines through surfaces that are given as functions: knots are added until the spline is close enough.

Degree five in both directions, knots uniform between the lines on which the surface has a kink or a jump of its curvature.
There the knots are multiple, so that the spline has them as well. The spline interpolates at the Greville abscissae of its
knots (de Boor, A Practical Guide to Splines, 1978, ch. XIII). In between it is compared with the surface, along u and along v
separately, and knots are doubled in the direction that is not good enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..arrays import FloatArray
from .patch import FlankPatch

__all__ = ["DEGREE", "POINT_TOLERANCE", "fit_patch", "interpolate_grid", "sites_of", "uniform_knots"]

DEGREE = 5
POINT_TOLERANCE = 1e-9
"""[m]"""
_SLOPE_TOLERANCE = 1e-8
"""Of normals; the derivative of the error follows from the error and the distance of knots."""
_SLOPE_OF_ERROR = 8.0
"""Greatest slope of the error of a spline, in units of the error by the distance of knots."""
_MOST = (160, 400)
"""Number of intervals at which refinement ends, along u and v."""

Surface = Callable[[FloatArray, FloatArray], FloatArray]
"""p(u, v) [m], (…, 3), of arrays that broadcast."""


@dataclass(frozen=True)
class _Direction:
    """Knots along u or v: pieces between kinks, each divided uniformly."""

    ends: tuple[float, ...]
    intervals: tuple[int, ...]

    @property
    def knots(self) -> FloatArray:
        parts = [np.zeros(DEGREE + 1)]
        for k, count in enumerate(self.intervals):
            parts.append(np.linspace(self.ends[k], self.ends[k + 1], count + 1)[1:-1])
            parts.append(np.full(DEGREE, self.ends[k + 1]))
        return np.concatenate([*parts, np.ones(1)])

    @property
    def total(self) -> int:
        return sum(self.intervals)

    def doubled(self) -> _Direction:
        return _Direction(self.ends, tuple(2 * n for n in self.intervals))


def _direction(kinks: Sequence[float], intervals: int) -> _Direction:
    inside = sorted({float(k) for k in kinks if 1e-9 < k < 1.0 - 1e-9})
    ends = (0.0, *inside, 1.0)
    share = [max(1, round(intervals * (b - a))) for a, b in pairwise(ends)]
    return _Direction(ends, tuple(share))


def uniform_knots(count: int, degree: int) -> FloatArray:
    """Knots from 0 to 1 of `count` control points, uniform inside."""
    inside = np.linspace(0.0, 1.0, count - degree + 1)[1:-1]
    return np.concatenate([np.zeros(degree + 1), inside, np.ones(degree + 1)])


def sites_of(knots: FloatArray, degree: int) -> FloatArray:
    """Greville abscissae: means of `degree` consecutive knots."""
    count = len(knots) - degree - 1
    return np.array([knots[k + 1 : k + degree + 1].mean() for k in range(count)])


def interpolate_grid(
    points: FloatArray, sites_u: FloatArray, sites_v: FloatArray, knots_u: FloatArray, knots_v: FloatArray
) -> FloatArray:
    """Control points of the spline through points (n, m, 3) at sites."""
    from scipy.interpolate import make_interp_spline

    p, q = len(knots_u) - len(sites_u) - 1, len(knots_v) - len(sites_v) - 1
    along_u = make_interp_spline(sites_u, points, k=p, t=knots_u, axis=0).c
    return np.asarray(np.moveaxis(make_interp_spline(sites_v, np.moveaxis(along_u, 1, 0), k=q, t=knots_v).c, 0, 1))


def _between(sites: FloatArray) -> FloatArray:
    """Three places between the sites: in the middle the error may vanish."""
    return np.concatenate([sites[:-1] + f * np.diff(sites) for f in (0.29, 0.5, 0.71)])


def fit_patch(
    surface: Surface,
    *,
    facing: float,
    kinks_u: Sequence[float] = (),
    kinks_v: Sequence[float] = (),
    start: tuple[int, int] = (8, 4),
    tolerance: float = POINT_TOLERANCE,
) -> FlankPatch:
    """The spline of a surface p(u, v) [m]. Its `error` is the largest distance that was found.

    tolerance: of points [m]; normals follow within 1e-8 for the default.
    """
    slope = _SLOPE_TOLERANCE * tolerance / POINT_TOLERANCE
    ways = [_direction(kinks_u, start[0]), _direction(kinks_v, start[1])]
    while True:
        knots = [way.knots for way in ways]
        sites = [sites_of(t, DEGREE) for t in knots]
        control = interpolate_grid(surface(sites[0][:, None], sites[1]), *sites, *knots)
        patch = FlankPatch(control, *knots, facing=facing)
        lengths = patch.lengths
        errors = []
        more = []
        for k in (0, 1):
            at = list(sites)
            at[k] = _between(sites[k])
            error = float(
                np.linalg.norm(patch.point(at[0][:, None], at[1]) - surface(at[0][:, None], at[1]), axis=-1).max()
            )
            errors.append(error)
            spacing = lengths[k] / ways[k].total
            good = error <= max(min(tolerance, slope * spacing / _SLOPE_OF_ERROR), 1e-15 * max(lengths))
            more.append(not good and 2 * ways[k].total <= _MOST[k])
        if not any(more):
            return FlankPatch(control, *knots, facing=facing, error=max(errors))
        ways = [way.doubled() if double else way for way, double in zip(ways, more, strict=True)]
