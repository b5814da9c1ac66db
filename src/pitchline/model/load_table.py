"""LoadTable: approach of one flank over force and mesh phase, with smooth interpolation.

The points u(F_i, φ_j) define a surface. Its compliance c = ∂u/∂F is piecewise linear in F at each phase. Therefore u consists of
parabolas with a continuous slope, F follows from u by a quadratic equation, and energies are polynomials. Between two loads there
is one more knot in the middle. Its compliance is chosen so that u passes through both points (a quadratic spline after
Schumaker, On shape preserving quadratic spline interpolation, SIAM J. Numer. Anal. 20, 1983),

    c_mid = 2 Δ − (c_i + c_i+1)/2 ,    Δ = (u_i+1 − u_i)/(F_i+1 − F_i) .

The slopes at the loads are harmonic means of the neighbouring Δ, limited to 1.9 times the smaller one. Therefore c_mid and all
other c are positive: u increases with F wherever the points do.

Over the phase, the approach of first contact and the compliances are periodic cubic splines with two continuous derivatives. If a
compliance varies so much that its spline would be close to zero, monotone cubics are used instead (one continuous derivative).
Beyond the largest load the compliance is constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..solids.rotations import Array

__all__ = ["LoadTable"]

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

    knots: Array
    touch: Array
    compliance: Array

    @classmethod
    def through(cls, loads: Array, approach: Array) -> LoadTable:
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

    def _at(self, m: Array, phase: Array) -> tuple[Array, Array, Array]:
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
    def approaches(self) -> Array:
        """Cubic polynomials (n, M, 4) of the approach at the knots [m]."""
        h = np.diff(self.knots)[None, :, None]
        c = self.compliance
        rise = np.cumsum(0.5 * h * (c[:, 1:] + c[:, :-1]), axis=1)
        start = self.touch[:, None, :]
        return np.concatenate([start, start + rise], axis=1)

    @property
    def areas(self) -> Array:
        """Cubic polynomials (n, M, 4) of the integral of the approach over the force, at the knots [J]."""
        h = np.diff(self.knots)[None, :, None]
        c, U = self.compliance, self.approaches
        area = np.cumsum(h * U[:, :-1] + h**2 * (2.0 * c[:, :-1] + c[:, 1:]) / 6.0, axis=1)
        return np.concatenate([np.zeros_like(self.touch[:, None, :]), area], axis=1)


def _horner(c: Array, x: Array) -> Array:
    return c[..., 0] + x * (c[..., 1] + x * (c[..., 2] + x * c[..., 3]))


def periodic_values(c: Array, x: Array) -> Array:
    """Values (x, n, ...) of cubic polynomials (n, ..., 4) at the fractions x of all intervals."""
    return np.stack([_horner(c, t) for t in x])


def looked_at() -> Array:
    return (np.arange(_LOOKS) + 0.5) / _LOOKS


def _constant(values: Array) -> Array:
    """Cubic polynomials that are constant."""
    return np.concatenate([values[..., None], np.zeros((*values.shape, 3))], axis=-1)


def _hermite(y: Array, slope: Array) -> Array:
    """Periodic cubic polynomials (..., n, 4) through values, with slopes per interval."""
    after, its = np.roll(y, -1, axis=-1), np.roll(slope, -1, axis=-1)
    rise = after - y
    return np.stack([y, slope, 3.0 * rise - 2.0 * slope - its, slope + its - 2.0 * rise], axis=-1)


def periodic_spline(y: Array) -> Array:
    """Periodic cubic spline (..., n, 4) through y (..., n). Its slopes fulfil s_j-1 + 4 s_j + s_j+1 = 3 (y_j+1 − y_j-1), solved by
    Fourier transform."""
    n = y.shape[-1]
    right = 3.0 * (np.roll(y, -1, axis=-1) - np.roll(y, 1, axis=-1))
    band = 4.0 + 2.0 * np.cos(2.0 * np.pi * np.arange(n // 2 + 1) / n)
    return _hermite(y, np.fft.irfft(np.fft.rfft(right) / band, n))


def _positive(y: Array) -> Array:
    """Periodic spline (n, 4) through positive values, or monotone cubics if the spline would be close to zero."""
    c = periodic_spline(y)
    if np.min(periodic_values(c, looked_at())) >= LOWEST * np.min(y):
        return c
    before, after = y - np.roll(y, 1), np.roll(y, -1) - y
    product = before * after
    slope = np.where(product > 0.0, 2.0 * product / np.where(product > 0.0, before + after, 1.0), 0.0)
    return _hermite(y, slope)
