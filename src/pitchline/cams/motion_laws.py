"""Motion laws of cams: relative lift s over relative angle x, both from 0 to 1, with two derivatives.

A law may consist of regions that meet at inner angles. `at` selects the region, so that derivatives at such an angle can be
one-sided. Sources: R. L. Norton, *Cam Design and Manufacturing Handbook*; VDI 2143. They also contain the largest velocities
and accelerations for the tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..solids.rotations import Array

__all__ = ["MOTION_LAWS", "MotionLaw"]

Motion = Callable[[Array, Array], tuple[Array, Array, Array]]


@dataclass(frozen=True)
class MotionLaw:
    """One law: its function (x, at) -> s, s', s'', and the inner angles at which its regions meet."""

    motion: Motion
    joints: tuple[float, ...] = ()


def _polynomial(*coefficients: float) -> MotionLaw:
    s = np.polynomial.Polynomial(coefficients)
    return MotionLaw(lambda x, at: (s(x), s.deriv()(x), s.deriv(2)(x)))


def _mirrored(half: Callable[[Array, Array], tuple[Array, Array, Array]]) -> Motion:
    """Law whose second half is the reversed first half: s(1 - x) = 1 - s(x)."""

    def motion(x: Array, at: Array) -> tuple[Array, Array, Array]:
        late = at > 0.5
        s, v, a = half(np.where(late, 1.0 - x, x), np.where(late, 1.0 - at, at))
        return np.where(late, 1.0 - s, s), v, np.where(late, -a, a)

    return motion


def _parabolic(x: Array, at: Array) -> tuple[Array, Array, Array]:
    return 2.0 * x**2, 4.0 * x, np.full_like(x, 4.0)


def _harmonic(x: Array, at: Array) -> tuple[Array, Array, Array]:
    p = math.pi
    return 0.5 * (1.0 - np.cos(p * x)), 0.5 * p * np.sin(p * x), 0.5 * p**2 * np.cos(p * x)


def _cycloidal(x: Array, at: Array) -> tuple[Array, Array, Array]:
    p = 2.0 * math.pi
    return x - np.sin(p * x) / p, 1.0 - np.cos(p * x), p * np.sin(p * x)


def _modified_sine(x: Array, at: Array) -> tuple[Array, Array, Array]:
    """First half: a sine with the period 1/2 up to 1/8, then one with the period 3/2."""
    p, scale = math.pi, 1.0 / (4.0 + math.pi)
    early = at < 0.125
    slow = p / 3.0 * (1.0 + 4.0 * x)
    s = np.where(early, p * x - 0.25 * np.sin(4 * p * x), 2.0 + p * x - 2.25 * np.sin(slow))
    v = np.where(early, p * (1.0 - np.cos(4 * p * x)), p * (1.0 - 3.0 * np.cos(slow)))
    a = 4.0 * p**2 * np.where(early, np.sin(4 * p * x), np.sin(slow))
    return scale * s, scale * v, scale * a


def _modified_trapezoid(x: Array, at: Array) -> tuple[Array, Array, Array]:
    """First half: acceleration as a quarter sine, constant from 1/8 to 3/8, then a quarter cosine."""
    p = 4.0 * math.pi
    peak = 8.0 * math.pi / (2.0 + math.pi)
    rise, late = at < 0.125, at > 0.375
    x1, x2 = x - 0.125, x - 0.375
    s1 = (0.125 - 1.0 / p) / p
    v2 = 1.0 / p + 0.25
    s2 = s1 + 0.25 / p + 0.5 * 0.25**2
    s = np.where(rise, (x - np.sin(p * x) / p) / p, s1 + x1 / p + 0.5 * x1**2)
    v = np.where(rise, (1.0 - np.cos(p * x)) / p, 1.0 / p + x1)
    a = np.where(rise, np.sin(p * x), 1.0)
    s = np.where(late, s2 + v2 * x2 + (1.0 - np.cos(p * x2)) / p**2, s)
    v = np.where(late, v2 + np.sin(p * x2) / p, v)
    a = np.where(late, np.cos(p * x2), a)
    return peak * s, peak * v, peak * a


MOTION_LAWS: dict[str, MotionLaw] = {
    "linear": _polynomial(0.0, 1.0),
    "parabolic": MotionLaw(_mirrored(_parabolic), (0.5,)),
    "harmonic": MotionLaw(_harmonic),
    "cycloidal": MotionLaw(_cycloidal),
    "modified_sine": MotionLaw(_mirrored(_modified_sine), (0.125, 0.875)),
    "modified_trapezoid": MotionLaw(_mirrored(_modified_trapezoid), (0.125, 0.375, 0.625, 0.875)),
    "polynomial_345": _polynomial(0.0, 0.0, 0.0, 10.0, -15.0, 6.0),
    "polynomial_4567": _polynomial(0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0),
}
"""Laws by name."""
