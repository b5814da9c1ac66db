"""Surfaces p(u, v) of users: functions and NURBS patches, brought into the order and the parameters of a patch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...errors import ModelError, Subject, shown
from ..arrays import FloatArray
from ..inputs import in_mm
from .fitting import fit_patch
from .patch import FlankPatch
from .point_grid import check_places, check_side, grid_order, ordered_grid
from .tooth_coordinates import ToothCoordinates, facing_of

__all__ = ["SurfaceFunction", "fit_surface"]

_PROBE = 9
_TRIAL = np.stack(np.meshgrid(np.linspace(0.0, 1.0, 3), np.linspace(0.0, 1.0, 4), indexing="ij")).reshape(2, 12)
"""Places at which a function is called with numbers and with arrays, to see whether it takes arrays."""
_UNEVEN = 2.0
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
    if steps.max() <= _UNEVEN * steps.min() or steps.min() <= 0.0:
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
