"""TiltTable: approach of one flank over force, tilt of the teeth in the plane of action and mesh phase.

Wheels whose axes are not parallel have a higher load on one end of the face. At each tilt f_i there is a `LoadTable` u(F, φ),
all at the same loads and phases. Between the tilts, the approach of first contact and the compliances are cubic polynomials in f,

    y(f) = H_0 y_i + H_1 y_i+1 + h (G_0 y'_i + G_1 y'_i+1) ,

with the slopes y' of the cubic spline without knots at the second and the last but one tilt. u stays piecewise parabolic in F and
monotone, because compliances stay positive: if a spline over the tilt would be close to zero, the slopes of monotone cubics
are used. Beyond the first and last tilt, first contact is extrapolated linearly. Compliances become constant with one
continuous derivative, by a parabola over a width R within which none of them decreases to less than half of its value. Two
additional tilts at the distance R outside represent this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..solids.rotations import Array
from .load_table import LOWEST, LoadTable, looked_at, periodic_spline, periodic_values

__all__ = ["TiltTable"]


@dataclass(frozen=True, eq=False)
class TiltTable:
    """u(F, f, φ) of one flank. `TiltTable.through` makes it from points.

    Attributes
    ----------
    tilts : (T,)
        f [rad], increasing; slope of the gap along the face. The first and the last one are added to those of the points.
    tables, slopes : T tables
        u(F, φ) at the tilts, and its derivative with respect to f.
    """

    tilts: Array
    tables: tuple[LoadTable, ...]
    slopes: tuple[LoadTable, ...]

    @classmethod
    def through(cls, tilts: Array, loads: Array, approach: Array) -> TiltTable:
        """Make the table from the approach (tilts, loads, phases); as `LoadTable.through`."""
        return cls.between(tilts, tuple(LoadTable.through(loads, rows) for rows in approach))

    @classmethod
    def between(cls, tilts: Array, tables: tuple[LoadTable, ...]) -> TiltTable:
        """Make the table from tables at several tilts."""
        touch = np.stack([table.touch for table in tables])
        compliance = np.stack([table.compliance for table in tables])
        touch_slopes = periodic_spline(_spline_slopes(tilts, touch[..., 0]))
        rows = [_positive_slopes(tilts, compliance[:, :, m]) for m in range(compliance.shape[2])]
        slopes = np.stack(rows, axis=2)
        knots = tables[0].knots
        values, rates = list(tables), [LoadTable(knots, t, c) for t, c in zip(touch_slopes, slopes, strict=True)]
        places = list(tilts)
        for end, outward in ((0, -1.0), (-1, 1.0)):
            value, rate = values[end], rates[end]
            R = outward * _settling(value, rate, outward, float(tilts[-1] - tilts[0]))
            at = 0 if end == 0 else len(places)
            places.insert(at, places[end] + R)
            settled = LoadTable(knots, value.touch + R * rate.touch, value.compliance + 0.5 * R * rate.compliance)
            values.insert(at, settled)
            rates.insert(at, LoadTable(knots, rate.touch, np.zeros_like(rate.compliance)))
        return cls(np.array(places), tuple(values), tuple(rates))

    # ------------------------------------------------------------------------------------------------- other tables

    def scaled(self, *, force: float, length: float) -> TiltTable:
        """Return the same table with other measures of force and length; the tilts do not change."""
        tables, slopes = (
            tuple(one.scaled(force=force, length=length) for one in many) for many in (self.tables, self.slopes)
        )
        return TiltTable(self.tilts, tables, slopes)

    def even(self) -> TiltTable:
        """Return a table without phase, as `LoadTable.even`."""
        return TiltTable.between(self.tilts[1:-1], tuple(table.even() for table in self.tables[1:-1]))

    def at(self, tilt: float) -> LoadTable:
        """Return the table at one tilt."""
        i = int(np.clip(np.searchsorted(self.tilts, tilt, side="right") - 1, 0, len(self.tilts) - 2))
        h = float(self.tilts[i + 1] - self.tilts[i])
        inside = float(np.clip(tilt, self.tilts[0], self.tilts[-1]))
        y, beyond = (inside - self.tilts[i]) / h, tilt - inside
        value, slope = _hermite(y, 0), _hermite(y, 1)
        weights = np.array([v + beyond / h * s for v, s in zip(value, slope, strict=True)])
        parts = self.tables[i], self.tables[i + 1], self.slopes[i], self.slopes[i + 1]
        factors = weights * (1.0, 1.0, h, h)

        def mixed(arrays: list[Array]) -> Array:
            return np.tensordot(factors, np.stack(arrays), axes=1)

        return LoadTable(parts[0].knots, mixed([one.touch for one in parts]), mixed([one.compliance for one in parts]))

    # ------------------------------------------------------------------------------------------------------- values

    @cached_property
    def aligned(self) -> LoadTable:
        """Without tilt."""
        return self.at(0.0)

    def approach(self, force: Any, phase: Any, tilt: float = 0.0) -> Any:
        """u(F, f, φ) [m]."""
        return (self.at(tilt) if tilt else self.aligned).approach(force, phase)

    @property
    def mean_stiffness(self) -> float:
        """Mean stiffness without tilt, as in `LoadTable`."""
        return self.aligned.mean_stiffness

    @property
    def bend(self) -> float:
        """As in `LoadTable`, at the tilt where it is largest."""
        return max(table.bend for table in self.tables)

    @property
    def least_touch(self) -> float:
        """Earliest approach of first contact at any phase and tilt of the points [m]."""
        return min(float(periodic_values(table.touch, looked_at()).min()) for table in self.tables[1:-1])

    @property
    def largest_load(self) -> float:
        return self.tables[0].largest_load

    def touch_at(self, phase: Any) -> Any:
        """Approach of first contact without tilt [m]."""
        return self.aligned.touch_at(phase)

    @property
    def varies(self) -> bool:
        """Whether any value varies over the phase."""
        return any(table.varies for table in self.tables)

    # ---------------------------------------------------------------------------------------------------- compiling

    def cubics(self, name: str) -> Array:
        """Cubic polynomials (n, T, M, 8) over the phase of "approaches", "compliance" or "areas", and of their slopes."""
        parts = [np.stack([getattr(one, name) for one in many], axis=1) for many in (self.tables, self.slopes)]
        return np.concatenate(parts, axis=-1)


def _hermite(y: float, d: int) -> tuple[float, float, float, float]:
    """H_0, H_1, G_0, G_1 at a fraction y of an interval; d = 1: their derivatives."""
    if d == 0:
        return (1.0 - y * y * (3.0 - 2.0 * y), y * y * (3.0 - 2.0 * y), y * (1.0 - y) ** 2, -y * y * (1.0 - y))
    return (-6.0 * y * (1.0 - y), 6.0 * y * (1.0 - y), (1.0 - y) * (1.0 - 3.0 * y), y * (3.0 * y - 2.0))


def _spline_slopes(x: Array, y: Array) -> Array:
    """Slopes at the points x of the cubic spline through y (T, ...) without knots at the second and the last but one point."""
    n, h = len(x), np.diff(x)
    flat = y.reshape(n, -1)
    delta = np.diff(flat, axis=0) / h[:, None]
    if n == 2:
        return np.repeat(delta, 2, axis=0).reshape(y.shape)
    if n == 3:  # one parabola
        middle = (h[1] * delta[0] + h[0] * delta[1]) / (h[0] + h[1])
        return np.stack([2.0 * delta[0] - middle, middle, 2.0 * delta[1] - middle]).reshape(y.shape)
    A, right = np.zeros((n, n)), np.empty_like(flat)
    for i in range(1, n - 1):
        A[i, i - 1 : i + 2] = h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1]
        right[i] = 3.0 * (h[i] * delta[i - 1] + h[i - 1] * delta[i])
    for end, inner, a, b, near, far in (
        (0, 1, h[0], h[1], delta[0], delta[1]),
        (-1, -2, h[-1], h[-2], delta[-1], delta[-2]),
    ):
        A[end, end], A[end, inner] = b, a + b
        right[end] = ((a + 2.0 * (a + b)) * b * near + a * a * far) / (a + b)
    return np.asarray(np.linalg.solve(A, right)).reshape(y.shape)


def _monotone_slopes(x: Array, y: Array) -> Array:
    """Slopes of pieces that stay within the range of their ends: harmonic means of neighbouring slopes."""
    h = np.diff(x)[:, None]
    delta = np.diff(y, axis=0) / h
    slopes = np.zeros_like(y)
    product = delta[1:] * delta[:-1]
    safe = np.where(product > 0.0, delta[1:] + delta[:-1], 1.0)
    slopes[1:-1] = np.where(product > 0.0, 2.0 * product / safe, 0.0)
    return slopes


def _positive_slopes(tilts: Array, cubics: Array) -> Array:
    """Cubic polynomials (T, n, 4) over the phase of the slopes with respect to f of a compliance with the polynomials (T, n,
    4), so that it is positive at every tilt."""
    y = cubics[..., 0]
    for slopes in (_spline_slopes(tilts, y), _monotone_slopes(tilts, y), np.zeros_like(y)):
        found = periodic_spline(slopes)
        if _stays_positive(tilts, cubics, found):
            break
    return found


def _settling(value: LoadTable, rate: LoadTable, outward: float, most: float) -> float:
    """Width R [rad] within which no compliance decreases by more than its value; not larger than `most`."""
    c, s = (periodic_values(table.compliance, looked_at()) for table in (value, rate))
    falls = np.maximum(-outward * s, 0.0)
    return min(most, 1.0 / float(np.max(falls / c, initial=1.0 / most)))


def _stays_positive(tilts: Array, cubics: Array, slopes: Array) -> bool:
    value, slope = (periodic_values(c.swapaxes(0, 1), looked_at()) for c in (cubics, slopes))  # (looks, n, T)
    h = np.diff(tilts)
    least = np.inf
    for part in looked_at():
        H = _hermite(part, 0)
        between = H[0] * value[..., :-1] + H[1] * value[..., 1:] + h * (H[2] * slope[..., :-1] + H[3] * slope[..., 1:])
        least = min(least, float(between.min()))
    return least >= LOWEST * float(cubics[..., 0].min())
