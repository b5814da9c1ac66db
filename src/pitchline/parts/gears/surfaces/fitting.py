"""Surfaces p(u, v) of users: functions and NURBS patches, brought into the order and the parameters of a patch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown

from ..geometry.inputs import in_mm
from .patch import FlankPatch
from .point_grid import ToothCoordinates, check_places, check_side, facing_of, grid_order, ordered_grid

__all__ = [
    "DEGREE",
    "POINT_TOLERANCE",
    "fit_patch",
    "interpolate_grid",
    "sites_of",
    "uniform_knots",
    "FlankFit",
    "fit_grid",
    "SurfaceFunction",
    "fit_surface",
]


# ---- fitting

# Splines through surfaces that are given as functions: knots are added until the spline is close enough.
#
# Degree five in both directions, knots uniform between the lines on which the surface has a kink or a jump of its
# curvature. There the knots are multiple, so that the spline has them as well. The spline interpolates at the
# Greville abscissae of its knots (de Boor, A Practical Guide to Splines, 1978, ch. XIII). In between it is compared
# with the surface, along u and along v separately, and knots are doubled in the direction that is not good enough.

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


# ---- grid fit

# Spline patches through grids of points, or close to them if the points contain noise.
#
# The parameters of rows and lines are mean chord lengths, or the numbers of rows and lines where points are close to
# equally spaced: the spline through smoothly spaced points is better with those. The choice is the one with the
# smaller difference of the splines of degrees five and three, which is also the estimate of the error between the
# points.
#
# With a smoothing tolerance the spline has as few knots as possible: least squares, knots added in the direction that
# reduces the residuals most, until their root mean square along the normals is within the tolerance.

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


_PROBE = 9
_TRIAL = np.stack(np.meshgrid(np.linspace(0.0, 1.0, 3), np.linspace(0.0, 1.0, 4), indexing="ij")).reshape(2, 12)
"""Places at which a function is called with numbers and with arrays, to see whether it takes arrays."""
_UNEVEN_parametric = 2.0
"""Ratio of the largest and smallest speed along a parameter up to which it is kept."""
_ROUGHEST = 1e-7
"""[m] A surface that splines do not meet within this has kinks or is not continuous."""
_MANY = 64


class SurfaceFunction:
    """p(u, v) over [0, 1]² [m], from a function over a domain, or from a NURBS patch.

    Attributes
    ----------
    kinks : (tuple, tuple)
        Places along u and v where derivatives jump, as far as they are known.
    """

    def __init__(self, given: object, unit: float, domain: object, what: Subject) -> None:
        self._unit, self._what = unit, what
        self.kinks: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        if isinstance(given, Mapping):
            self._call, self.kinks = _nurbs(given, what)
            self._domain = np.array([[0.0, 1.0], [0.0, 1.0]])
            return
        if not callable(given):
            raise ModelError(
                f"{what}: expected a function p(u, v), a NURBS patch (a mapping with control, knots_u, knots_v, weights) or a "
                f"FlankPatch, got {shown(given)}. Use Teeth.from_points for points",
                about=what,
            )
        self._domain = _read_domain(domain, what)
        self._call = _vectorised(given, self._domain, what)

    def __call__(self, u: FloatArray, v: FloatArray) -> FloatArray:
        a, b = np.broadcast_arrays(np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64))
        (u0, u1), (v0, v1) = self._domain
        p = self._unit * self._call(u0 + (u1 - u0) * a, v0 + (v1 - v0) * b)
        bad = ~np.isfinite(p).all(axis=-1)
        if bad.any():
            at = tuple(np.argwhere(bad)[0])
            raise ModelError(
                f"{self._what}: the surface is not finite at ({a[at]:.6g}, {b[at]:.6g}) of [0, 1]²", about=self._what
            )
        return p


def _read_domain(domain: object, what: Subject) -> FloatArray:
    try:
        found = np.array(domain, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (2, 2) or not np.isfinite(found).all() or (found[:, 0] == found[:, 1]).any():
        raise ModelError(f"{what}: domain must be ((u0, u1), (v0, v1)), got {shown(domain)}", about=what.at("domain"))
    return found


def _vectorised(
    given: Callable[..., Any], domain: FloatArray, what: Subject
) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """The function for arrays: as it is if it takes arrays, otherwise called once for each point."""
    u, v = (domain[:, :1] + np.diff(domain) * _TRIAL).reshape(2, 3, 4)

    def stacked(a: FloatArray, b: FloatArray) -> FloatArray:
        found = given(a, b)
        if isinstance(found, list | tuple):
            return np.stack(np.broadcast_arrays(*[np.asarray(x, dtype=np.float64) for x in found], a)[:-1], axis=-1)
        return np.asarray(found, dtype=np.float64)

    def one_by_one(a: FloatArray, b: FloatArray) -> FloatArray:
        found = [
            np.asarray(given(float(x), float(y)), dtype=np.float64) for x, y in zip(a.ravel(), b.ravel(), strict=True)
        ]
        return np.array(found).reshape(*a.shape, 3)

    failures = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError)
    try:
        alone = one_by_one(u, v)
    except failures as error:
        raise ModelError(
            f"{what}: the function p(u, v) must return a point of three numbers: {error}", about=what
        ) from None
    try:
        together = stacked(u, v)
    except failures:
        return one_by_one
    return stacked if together.shape == alone.shape and np.allclose(together, alone, rtol=1e-12) else one_by_one


def _nurbs(
    table: Mapping[str, Any], what: Subject
) -> tuple[Callable[[FloatArray, FloatArray], FloatArray], tuple[tuple[float, ...], tuple[float, ...]]]:
    """A rational B-spline patch: control (n, m, 3), weights (n, m) or none, knots of any range."""
    for key in table:
        if key not in ("control", "knots_u", "knots_v", "weights"):
            raise ModelError(
                f"{what}: a NURBS patch has no {shown(key)}. It has control, knots_u, knots_v, weights", about=what
            )
    try:
        control = np.array(table["control"], dtype=np.float64)
        knots = [np.array(table[name], dtype=np.float64) for name in ("knots_u", "knots_v")]
        weights = np.array(table.get("weights", np.ones(control.shape[:2])), dtype=np.float64)
    except KeyError as error:
        raise ModelError(
            f"{what}: a NURBS patch requires control, knots_u and knots_v; {error} is missing", about=what
        ) from None
    except (TypeError, ValueError):
        raise ModelError(
            f"{what}: control, knots_u, knots_v and weights of a NURBS patch must be numbers", about=what
        ) from None
    if control.ndim != 3 or control.shape[2] != 3 or weights.shape != control.shape[:2]:
        raise ModelError(
            f"{what}: control must have the shape (n, m, 3) and weights (n, m), got {control.shape} and {weights.shape}",
            about=what,
        )
    if not (np.isfinite(control).all() and (weights > 0.0).all() and np.isfinite(weights).all()):
        raise ModelError(f"{what}: control points must be finite, weights positive", about=what)
    ends, kinks, degrees = [], [], []
    for name, t, count in (("knots_u", knots[0], control.shape[0]), ("knots_v", knots[1], control.shape[1])):
        degree = len(t) - count - 1
        if t.ndim != 1 or not 1 <= degree < count or (np.diff(t) < 0.0).any() or not t[degree] < t[count]:
            raise ModelError(
                f"{what}: {name} must be increasing, with (number of control points + degree + 1) knots; got {len(t)} knots for "
                f"{count} control points",
                about=what.at(name),
            )
        low, high = float(t[degree]), float(t[count])
        inside = np.unique((t[(t > low) & (t < high)] - low) / (high - low))
        ends.append((low, high))
        kinks.append(tuple(inside.tolist()) if len(inside) <= _MANY else ())
        degrees.append(degree)
    homogeneous = np.concatenate([control * weights[..., None], weights[..., None]], axis=-1)

    def evaluate(u: FloatArray, v: FloatArray) -> FloatArray:
        from scipy.interpolate import NdBSpline

        places = [low + (high - low) * x for (low, high), x in zip(ends, (u, v), strict=True)]
        found = NdBSpline(tuple(knots), homogeneous, k=tuple(degrees))(np.stack(places, axis=-1))
        return np.asarray(found[..., :3] / found[..., 3:])

    return evaluate, (kinks[0], kinks[1])


def fit_surface(surface: SurfaceFunction, coordinates: ToothCoordinates, side: str, what: Subject) -> FlankPatch:
    """The patch of a surface: u from root to tip, v along the face, both close to proportional to length."""
    probe = np.linspace(0.0, 1.0, _PROBE)
    grid = surface(probe[:, None], probe)
    check_places(grid, coordinates, what)
    order = grid_order(grid, coordinates)
    check_side(coordinates.of(ordered_grid(grid, coordinates, what)), coordinates, side, what)

    def in_order(u: FloatArray, v: FloatArray) -> FloatArray:
        a = 1.0 - u if order.turn_rows else u
        b = 1.0 - v if order.turn_lines else v
        return surface(b, a) if order.exchange else surface(a, b)

    kinks = list(reversed(surface.kinks)) if order.exchange else list(surface.kinks)
    if order.turn_rows:
        kinks[0] = tuple(1.0 - x for x in kinks[0])
    if order.turn_lines:
        kinks[1] = tuple(1.0 - x for x in kinks[1])
    maps = [_by_length(in_order, axis) for axis in (0, 1)]
    kinks = [tuple(float(way.forward(x)) for x in places) for way, places in zip(maps, kinks, strict=True)]

    def by_length(u: FloatArray, v: FloatArray) -> FloatArray:
        return in_order(maps[0].back(u), maps[1].back(v))

    patch = fit_patch(by_length, facing=facing_of(coordinates.gear, side), kinks_u=kinks[0], kinks_v=kinks[1])
    if patch.error > _ROUGHEST:
        raise ModelError(
            f"{what}: the surface has kinks or jumps: the closest spline is {in_mm(patch.error)} away from it. Divide it, or "
            "use Teeth.from_points with points of the surface",
            about=what,
        )
    return patch


class _Kept:
    """The parameter as it is."""

    @staticmethod
    def forward(x: FloatArray | float) -> FloatArray:
        return np.asarray(x)

    back = forward


class _ByLength:
    """A parameter in proportion to length, by a polynomial of its own; monotone."""

    def __init__(self, forward: np.polynomial.Polynomial) -> None:
        self._forward, self._slope = forward, forward.deriv()

    def forward(self, x: FloatArray | float) -> FloatArray:
        return np.asarray(self._forward(np.asarray(x)))

    def back(self, s: FloatArray | float) -> FloatArray:
        x = np.array(s, dtype=np.float64)
        for _ in range(50):
            step = (self._forward(x) - s) / self._slope(x)
            x = np.clip(x - step, 0.0, 1.0)
            if not np.abs(step).max(initial=0.0) > 1e-15:
                break
        return x


def _by_length(surface: Callable[[FloatArray, FloatArray], FloatArray], axis: int) -> _Kept | _ByLength:
    """A smooth change of the parameter along an axis after which the mean speed along it is about constant."""
    x, across = np.linspace(0.0, 1.0, 129), np.linspace(0.0, 1.0, 5)
    p = surface(x[:, None], across) if axis == 0 else np.swapaxes(surface(across[:, None], x), 0, 1)
    steps = np.linalg.norm(np.diff(p, axis=0), axis=-1).mean(axis=1)
    if steps.max() <= _UNEVEN_parametric * steps.min() or steps.min() <= 0.0:
        return _Kept()
    length = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    for degree in (5, 4, 3, 2):
        inner = np.polynomial.polynomial.polyfit(x, length - x, degree)
        inner[0] = 0.0
        inner[1] += 1.0 - inner.sum()  # from 0 to 1, and so forward(1) = 1
        forward = np.polynomial.Polynomial(inner)
        if forward.deriv()(x).min() > 0.15:
            return _ByLength(forward)
    return _Kept()
