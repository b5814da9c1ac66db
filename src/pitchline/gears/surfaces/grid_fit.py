"""Spline patches through grids of points, or close to them if the points contain noise.

The parameters of rows and lines are mean chord lengths, or the numbers of rows and lines where points are close to equally
spaced: the spline through smoothly spaced points is better with those. The choice is the one with the smaller difference of
the splines of degrees five and three, which is also the estimate of the error between the points.

With a smoothing tolerance the spline has as few knots as possible: least squares, knots added in the direction that reduces
the residuals most, until their root mean square along the normals is within the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from .fitting import uniform_knots
from .patch import FlankPatch

__all__ = ["FlankFit", "fit_grid"]

_SMOOTH = 0.75
"""Control points of a smoothed spline, by points in one direction, at most."""
_UNEVEN = 3.0
"""Ratio of the largest and smallest distance of rows up to which their numbers may be parameters."""


@dataclass(frozen=True)
class FlankFit:
    """How a spline was made from points.

    Attributes
    ----------
    points
        Rows and lines.
    rms, largest
        Residuals of the points along the normals [m]: root mean square, and largest magnitude.
    worst
        Row (from the root) and line (along the face) of the largest residual.
    error
        Estimate of the error of the spline between the points [m].
    source
        Where the points come from.
    """

    points: tuple[int, int]
    rms: float
    largest: float
    worst: tuple[int, int]
    error: float
    source: str = ""

    def __str__(self) -> str:
        source = f" of {self.source}" if self.source else ""
        text = f"{self.points[0]} × {self.points[1]} points{source}"
        if self.largest > 1e-12:
            text += (
                f": residuals {1e6 * self.rms:.3g} µm rms, at most {1e6 * self.largest:.3g} µm at row {self.worst[0]}, "
                f"line {self.worst[1]}"
            )
        return f"{text}; error between points about {1e6 * self.error:.2g} µm"


def fit_grid(
    points: FloatArray, *, facing: float, smoothing: float | None = None, source: str = ""
) -> tuple[FlankPatch, FlankFit]:
    """The patch of an ordered grid (rows, lines, 3) [m]. smoothing: tolerance [m] of the residuals, None for none."""
    if smoothing is not None:
        patch, u, v = _smoothed(points, facing, smoothing)
        error = patch.error
    else:
        found = []
        for even in (False, True):
            u, v = _parameters(points, 0, even), _parameters(points, 1, even)
            fine, coarse = (_interpolated(points, u, v, facing, degree) for degree in (5, 3))
            at_u, at_v = _middles(u)[:, None], _middles(v)
            apart = np.linalg.norm(fine.point(at_u, at_v) - coarse.point(at_u, at_v), axis=-1)
            found.append((float(apart.max()), fine, u, v))
        error, patch, u, v = min(found, key=lambda item: item[0])
    forms = patch.forms(u[:, None], v)
    residuals = np.einsum("...i,...i->...", points - forms.point, forms.normal)
    worst = np.unravel_index(int(np.abs(residuals).argmax()), residuals.shape)
    rms = float(np.sqrt((residuals**2).mean()))
    fit = FlankFit(
        (points.shape[0], points.shape[1]),
        rms,
        float(np.abs(residuals).max()),
        (int(worst[0]), int(worst[1])),
        error,
        source,
    )
    return FlankPatch(patch.control, patch.knots_u, patch.knots_v, facing=facing, error=error), fit


def _parameters(points: FloatArray, axis: int, even: bool) -> FloatArray:
    """From 0 to 1 along an axis: mean chord lengths, or numbers where the points are spaced evenly enough."""
    steps = np.linalg.norm(np.diff(points, axis=axis), axis=-1).mean(axis=1 - axis)
    if even and steps.max() <= _UNEVEN * steps.min():
        return np.linspace(0.0, 1.0, points.shape[axis])
    total = np.concatenate([[0.0], np.cumsum(steps)])
    found: FloatArray = total / total[-1]
    found[-1] = 1.0
    return found


def _middles(x: FloatArray) -> FloatArray:
    return np.asarray(0.5 * (x[1:] + x[:-1]))


def _interpolated(points: FloatArray, u: FloatArray, v: FloatArray, facing: float, degree: int) -> FlankPatch:
    from scipy.interpolate import make_interp_spline

    p, q = min(degree, len(u) - 1), min(degree, len(v) - 1)
    first = make_interp_spline(u, points, k=p)
    second = make_interp_spline(v, np.moveaxis(first.c, 1, 0), k=q)
    return FlankPatch(np.moveaxis(second.c, 0, 1), _ended(first.t, p), _ended(second.t, q), facing=facing)


def _ended(knots: FloatArray, degree: int) -> FloatArray:
    """Knots with ends that are exactly 0 and 1."""
    t = np.array(knots)
    t[: degree + 1], t[-degree - 1 :] = 0.0, 1.0
    return t


def _smoothed(points: FloatArray, facing: float, tolerance: float) -> tuple[FlankPatch, FloatArray, FloatArray]:
    from scipy.interpolate import BSpline

    u, v = _parameters(points, 0, False), _parameters(points, 1, False)
    degrees = [5 if len(x) >= 10 else min(3, len(x) - 1) for x in (u, v)]

    def fitted(intervals: tuple[int, int]) -> tuple[float, FlankPatch]:
        knots = [uniform_knots(count + degree, degree) for count, degree in zip(intervals, degrees, strict=True)]
        matrices = [
            BSpline.design_matrix(x, t, degree).toarray() for x, t, degree in zip((u, v), knots, degrees, strict=True)
        ]
        inverse = [np.linalg.pinv(matrix) for matrix in matrices]
        control = np.einsum("ai,ijk,bj->abk", inverse[0], points, inverse[1])
        patch = FlankPatch(control, *knots, facing=facing)
        forms = patch.forms(u[:, None], v)
        residuals = np.einsum("...i,...i->...", points - forms.point, forms.normal)
        return float(np.sqrt((residuals**2).mean())), patch

    def allowed(intervals: tuple[int, int]) -> bool:
        # with almost as many knots as points the spline goes through them, and oscillates between
        return all(
            count + degree <= max(degree + 1, int(_SMOOTH * len(x)))
            for count, degree, x in zip(intervals, degrees, (u, v), strict=True)
        )

    intervals = (1, 1)
    rms, patch = fitted(intervals)
    while rms > tolerance:
        more = [(intervals[0] + 1, intervals[1]), (intervals[0], intervals[1] + 1)]
        tries = [(*fitted(way), way) for way in more if allowed(way)]
        if not tries:
            break
        rms, patch, intervals = min(tries, key=lambda item: item[0])
    return FlankPatch(patch.control, patch.knots_u, patch.knots_v, facing=facing, error=rms), u, v
