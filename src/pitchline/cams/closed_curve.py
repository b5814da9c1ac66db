"""Periodic function of an angle with pieces of degree five: radius of a pitch curve, or support function of a profile."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..solids.rotations import Array

__all__ = ["ClosedCurve", "curve_through", "hermite"]

TURN = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class ClosedCurve:
    """f(angle) = sum_k coefficients[i, k] (angle - knots[i])^k in piece i."""

    knots: Array
    """Starts of the pieces [rad], increasing over less than a revolution, (n,)."""
    coefficients: Array
    """(n, 6)."""

    def __call__(self, angle: object, derivative: int = 0) -> Array:
        """Value or derivative at angles. A complex angle belongs to the piece of its real part."""
        at = np.asarray(angle)
        turned = at - TURN * np.floor((at.real - self.knots[0]) / TURN)
        i = np.clip(np.searchsorted(self.knots, turned.real, side="right") - 1, 0, len(self.knots) - 1)
        x = turned - self.knots[i]
        total = np.zeros_like(x)
        for k in range(5, derivative - 1, -1):
            total = total * x + math.perm(k, derivative) * self.coefficients[i, k]
        return total

    @property
    def samples(self) -> Array:
        """Angles for checks: eight in every piece, and close to its ends."""
        widths = np.diff(np.append(self.knots, self.knots[0] + TURN))
        inside = np.concatenate([[1e-9], np.linspace(0.0, 1.0, 8, endpoint=False)[1:], [1.0 - 1e-9]])
        return (self.knots[:, None] + widths[:, None] * inside).ravel()

    @property
    def table(self) -> Array:
        """Knots and coefficients in one matrix, (n, 7), for compiled functions."""
        return np.column_stack([self.knots, self.coefficients])

    def turned(self, angle: float) -> ClosedCurve:
        """Return the same function, rotated forwards by an angle [rad]."""
        return ClosedCurve(self.knots + angle, self.coefficients)


def hermite(knots: Array, begin: Array, end: Array) -> ClosedCurve:
    """Make pieces from the value and two derivatives at both ends. knots: (n + 1,), over a revolution; begin, end: (n, 3)."""
    h = np.diff(knots)
    f0, d0, a0 = begin[:, 0], begin[:, 1] * h, begin[:, 2] * h**2
    f1, d1, a1 = end[:, 0], end[:, 1] * h, end[:, 2] * h**2
    rest = f1 - f0 - d0 - 0.5 * a0
    slope = d1 - d0 - a0
    bend = a1 - a0
    c = [
        f0,
        d0,
        0.5 * a0,
        10 * rest - 4 * slope + 0.5 * bend,
        -15 * rest + 7 * slope - bend,
        6 * rest - 3 * slope + 0.5 * bend,
    ]
    return ClosedCurve(knots[:-1], np.column_stack([value / h**k for k, value in enumerate(c)]))


def curve_through(angles: Array, values: Array) -> ClosedCurve:
    """Closed cubic spline through values at increasing angles over less than a revolution."""
    from scipy.interpolate import CubicSpline  # late: scipy takes long to import and few models need it

    spline = CubicSpline(np.append(angles, angles[0] + TURN), np.append(values, values[0]), bc_type="periodic")
    c = spline.c[::-1].T
    return ClosedCurve(np.asarray(angles), np.column_stack([c, np.zeros((len(angles), 2))]))
