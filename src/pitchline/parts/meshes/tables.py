"""Tables of loaded teeth: approach of one flank over force, mesh phase and tilt in the plane of action.

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

from pitchline.base.types import FloatArray

__all__ = ["LoadTable", "TiltTable"]


# ---- load table

# LoadTable: approach of one flank over force and mesh phase, with smooth interpolation.
#
# The points u(F_i, φ_j) define a surface. Its compliance c = ∂u/∂F is piecewise linear in F at each phase. Therefore
# u consists of parabolas with a continuous slope, F follows from u by a quadratic equation, and energies are
# polynomials. Between two loads there is one more knot in the middle. Its compliance is chosen so that u passes
# through both points (a quadratic spline after Schumaker, On shape preserving quadratic spline interpolation, SIAM J.
# Numer. Anal. 20, 1983),
#
# c_mid = 2 Δ − (c_i + c_i+1)/2 , Δ = (u_i+1 − u_i)/(F_i+1 − F_i) .
#
# The slopes at the loads are harmonic means of the neighbouring Δ, limited to 1.9 times the smaller one. Therefore
# c_mid and all other c are positive: u increases with F wherever the points do.
#
# Over the phase, the approach of first contact and the compliances are periodic cubic splines with two continuous
# derivatives. If a compliance varies so much that its spline would be close to zero, monotone cubics are used instead
# (one continuous derivative). Beyond the largest load the compliance is constant.

_STEEPEST = 1.9  # times the smaller neighbouring slope: a value below 2 keeps the slope in the middle positive
LOWEST = 0.25  # of the smallest value: a spline over phase or tilt that goes lower is replaced
_LOOKS = 16  # sampling points in each interval of phases


@dataclass(frozen=True, eq=False)
class LoadTable:
    """u(F, φ) of one flank. `LoadTable.through` makes it from points.

    Attributes
    ----------
    knots : (M,)
        Forces between which the compliance is linear [N]; the first one is 0.
    touch : (n, 4)
        Cubic polynomials of the approach of first contact [m], one for each interval of phases. Their variable is the fraction of
        the interval.
    compliance : (n, M, 4)
        Cubic polynomials of c at the knots [m/N].
    """

    knots: FloatArray
    touch: FloatArray
    compliance: FloatArray

    @classmethod
    def through(cls, loads: FloatArray, approach: FloatArray) -> LoadTable:
        """Make the table from the approach (loads, phases) at increasing loads, the first one 0, and equally spaced phases."""
        h = np.diff(loads)[:, None]
        delta = np.diff(approach, axis=0) / h
        slopes = np.empty_like(approach)
        if len(loads) == 2:
            slopes[:] = delta
        else:
            before, after, h1, h2 = delta[:-1], delta[1:], h[:-1], h[1:]
            mean = (h1 + h2) / (h2 / before + h1 / after)
            slopes[1:-1] = np.minimum(mean, _STEEPEST * np.minimum(before, after))
            slopes[0] = 2.0 * delta[0] - slopes[1]
            slopes[-1] = 2.0 * delta[-1] - slopes[-2]
        count = 2 * len(loads) - 1
        knots, c = np.empty(count), np.empty((count, approach.shape[1]))
        knots[::2], knots[1::2] = loads, 0.5 * (loads[1:] + loads[:-1])
        c[::2], c[1::2] = slopes, 2.0 * delta - 0.5 * (slopes[1:] + slopes[:-1])
        return cls(knots, periodic_spline(approach[0]), np.stack([_positive(row) for row in c], axis=1))

    # ------------------------------------------------------------------------------------------------- other tables

    def scaled(self, *, force: float, length: float) -> LoadTable:
        """Return the same table with other measures of force and length."""
        return LoadTable(force * self.knots, length * self.touch, length / force * self.compliance)

    def even(self) -> LoadTable:
        """Return a table without phase: mean approach of first contact, and mean stiffness at each load."""
        x = looked_at()
        touch, c = (
            periodic_values(self.touch, x).mean(),
            1.0 / np.mean(1.0 / periodic_values(self.compliance, x), axis=(0, 1)),
        )
        return LoadTable(self.knots, _constant(np.array([touch])), _constant(c[None, :]))

    # ------------------------------------------------------------------------------------------------------- values

    def approach(self, force: Any, phase: Any) -> Any:
        """u(F, φ) [m]: a number for numbers, an array for arrays of compatible shape. φ = 1 is one mesh cycle."""
        force, phase = np.broadcast_arrays(np.asarray(force, float), np.asarray(phase, float))
        m = np.clip(np.searchsorted(self.knots, force, side="right") - 1, 0, len(self.knots) - 1)
        U, c, k = self._at(m, phase)
        t = force - self.knots[m]
        return (U + t * (c + 0.5 * k * t))[()]

    def stiffness(self, force: Any, phase: Any) -> Any:
        """∂F/∂u at (F, φ) [N/m]."""
        force, phase = np.broadcast_arrays(np.asarray(force, float), np.asarray(phase, float))
        m = np.clip(np.searchsorted(self.knots, force, side="right") - 1, 0, len(self.knots) - 1)
        _, c, k = self._at(m, phase)
        return (1.0 / (c + k * (force - self.knots[m])))[()]

    def force(self, approach: Any, phase: Any) -> Any:
        """F(u, φ) [N]; 0 if the teeth are not in contact."""
        u, phase = np.broadcast_arrays(np.asarray(approach, float), np.asarray(phase, float))
        every = np.stack([self._at(np.full(u.shape, m), phase)[0] for m in range(len(self.knots))])
        m = np.maximum(np.sum(every <= u, axis=0) - 1, 0)
        U, c, k = self._at(m, phase)
        rest = np.maximum(u - U, 0.0)
        return (self.knots[m] + 2.0 * rest / (c + np.sqrt(np.maximum(c * c + 2.0 * k * rest, 0.0))) * (rest > 0.0))[()]

    def _at(self, m: FloatArray, phase: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Approach and compliance at the knots m, and the slope of the compliance above them."""
        n, last = len(self.touch), len(self.knots) - 1
        x = n * (phase - np.floor(phase))
        j = np.minimum(x.astype(int), n - 1)
        x = x - j
        after = np.minimum(m + 1, last)
        U, c, d = (
            _horner(part, x) for part in (self.approaches[j, m], self.compliance[j, m], self.compliance[j, after])
        )
        width = np.where(m < last, self.knots[after] - self.knots[m], 1.0)
        return U, c, (d - c) / width

    @cached_property
    def mean_stiffness(self) -> float:
        """∂F/∂u at the largest load, mean over the mesh cycle [N/m]."""
        return float(np.mean(1.0 / periodic_values(self.compliance[:, -1], looked_at())))

    @property
    def bend(self) -> float:
        """Largest relative change of the stiffness k with the approach: abs(∂k/∂u)/k [1/m]."""
        c = periodic_values(self.compliance, looked_at())
        least = np.minimum(c[..., 1:], c[..., :-1])
        return float(np.max(np.abs(np.diff(c, axis=-1)) / np.diff(self.knots) / least**2))

    @property
    def varies(self) -> bool:
        """Whether any value varies over the phase."""
        return bool(np.any(self.touch[:, 1:]) or np.any(self.compliance[..., 1:]))

    @property
    def largest_load(self) -> float:
        return float(self.knots[-1])

    def touch_at(self, phase: Any) -> Any:
        """Approach of first contact [m]."""
        return self.approach(0.0, phase)

    # ---------------------------------------------------------------------------------------------------- compiling

    @cached_property
    def approaches(self) -> FloatArray:
        """Cubic polynomials (n, M, 4) of the approach at the knots [m]."""
        h = np.diff(self.knots)[None, :, None]
        c = self.compliance
        rise = np.cumsum(0.5 * h * (c[:, 1:] + c[:, :-1]), axis=1)
        start = self.touch[:, None, :]
        return np.concatenate([start, start + rise], axis=1)

    @property
    def areas(self) -> FloatArray:
        """Cubic polynomials (n, M, 4) of the integral of the approach over the force, at the knots [J]."""
        h = np.diff(self.knots)[None, :, None]
        c, U = self.compliance, self.approaches
        area = np.cumsum(h * U[:, :-1] + h**2 * (2.0 * c[:, :-1] + c[:, 1:]) / 6.0, axis=1)
        return np.concatenate([np.zeros_like(self.touch[:, None, :]), area], axis=1)


def _horner(c: FloatArray, x: FloatArray) -> FloatArray:
    return c[..., 0] + x * (c[..., 1] + x * (c[..., 2] + x * c[..., 3]))


def periodic_values(c: FloatArray, x: FloatArray) -> FloatArray:
    """Values (x, n, ...) of cubic polynomials (n, ..., 4) at the fractions x of all intervals."""
    return np.stack([_horner(c, t) for t in x])


def looked_at() -> FloatArray:
    return (np.arange(_LOOKS) + 0.5) / _LOOKS


def _constant(values: FloatArray) -> FloatArray:
    """Cubic polynomials that are constant."""
    return np.concatenate([values[..., None], np.zeros((*values.shape, 3))], axis=-1)


def _hermite(y: FloatArray, slope: FloatArray) -> FloatArray:
    """Periodic cubic polynomials (..., n, 4) through values, with slopes per interval."""
    after, its = np.roll(y, -1, axis=-1), np.roll(slope, -1, axis=-1)
    rise = after - y
    return np.stack([y, slope, 3.0 * rise - 2.0 * slope - its, slope + its - 2.0 * rise], axis=-1)


def periodic_spline(y: FloatArray) -> FloatArray:
    """Periodic cubic spline (..., n, 4) through y (..., n). Its slopes fulfil s_j-1 + 4 s_j + s_j+1 = 3 (y_j+1 − y_j-1), solved by
    Fourier transform."""
    n = y.shape[-1]
    right = 3.0 * (np.roll(y, -1, axis=-1) - np.roll(y, 1, axis=-1))
    band = 4.0 + 2.0 * np.cos(2.0 * np.pi * np.arange(n // 2 + 1) / n)
    return _hermite(y, np.fft.irfft(np.fft.rfft(right) / band, n))


def _positive(y: FloatArray) -> FloatArray:
    """Periodic spline (n, 4) through positive values, or monotone cubics if the spline would be close to zero."""
    c = periodic_spline(y)
    if np.min(periodic_values(c, looked_at())) >= LOWEST * np.min(y):
        return c
    before, after = y - np.roll(y, 1), np.roll(y, -1) - y
    product = before * after
    slope = np.where(product > 0.0, 2.0 * product / np.where(product > 0.0, before + after, 1.0), 0.0)
    return _hermite(y, slope)


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

    tilts: FloatArray
    tables: tuple[LoadTable, ...]
    slopes: tuple[LoadTable, ...]

    @classmethod
    def through(cls, tilts: FloatArray, loads: FloatArray, approach: FloatArray) -> TiltTable:
        """Make the table from the approach (tilts, loads, phases); as `LoadTable.through`."""
        return cls.between(tilts, tuple(LoadTable.through(loads, rows) for rows in approach))

    @classmethod
    def between(cls, tilts: FloatArray, tables: tuple[LoadTable, ...]) -> TiltTable:
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
        value, slope = _hermite_tilt_table(y, 0), _hermite_tilt_table(y, 1)
        weights = np.array([v + beyond / h * s for v, s in zip(value, slope, strict=True)])
        parts = self.tables[i], self.tables[i + 1], self.slopes[i], self.slopes[i + 1]
        factors = weights * (1.0, 1.0, h, h)

        def mixed(arrays: list[FloatArray]) -> FloatArray:
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

    def cubics(self, name: str) -> FloatArray:
        """Cubic polynomials (n, T, M, 8) over the phase of "approaches", "compliance" or "areas", and of their slopes."""
        parts = [np.stack([getattr(one, name) for one in many], axis=1) for many in (self.tables, self.slopes)]
        return np.concatenate(parts, axis=-1)


def _hermite_tilt_table(y: float, d: int) -> tuple[float, float, float, float]:
    """H_0, H_1, G_0, G_1 at a fraction y of an interval; d = 1: their derivatives."""
    if d == 0:
        return (1.0 - y * y * (3.0 - 2.0 * y), y * y * (3.0 - 2.0 * y), y * (1.0 - y) ** 2, -y * y * (1.0 - y))
    return (-6.0 * y * (1.0 - y), 6.0 * y * (1.0 - y), (1.0 - y) * (1.0 - 3.0 * y), y * (3.0 * y - 2.0))


def _spline_slopes(x: FloatArray, y: FloatArray) -> FloatArray:
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


def _monotone_slopes(x: FloatArray, y: FloatArray) -> FloatArray:
    """Slopes of pieces that stay within the range of their ends: harmonic means of neighbouring slopes."""
    h = np.diff(x)[:, None]
    delta = np.diff(y, axis=0) / h
    slopes = np.zeros_like(y)
    product = delta[1:] * delta[:-1]
    safe = np.where(product > 0.0, delta[1:] + delta[:-1], 1.0)
    slopes[1:-1] = np.where(product > 0.0, 2.0 * product / safe, 0.0)
    return slopes


def _positive_slopes(tilts: FloatArray, cubics: FloatArray) -> FloatArray:
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


def _stays_positive(tilts: FloatArray, cubics: FloatArray, slopes: FloatArray) -> bool:
    value, slope = (periodic_values(c.swapaxes(0, 1), looked_at()) for c in (cubics, slopes))  # (looks, n, T)
    h = np.diff(tilts)
    least = np.inf
    for part in looked_at():
        H = _hermite_tilt_table(part, 0)
        between = H[0] * value[..., :-1] + H[1] * value[..., 1:] + h * (H[2] * slope[..., :-1] + H[3] * slope[..., 1:])
        least = min(least, float(between.min()))
    return least >= LOWEST * float(cubics[..., 0].min())
