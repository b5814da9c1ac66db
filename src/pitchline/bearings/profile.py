"""Roller profiles: drop of the surface towards the ends, and integration points along the roller.

Logarithmic profiles of ISO/TS 16281:2008: cylindrical 0.00035 D ln 1/(1 - (2x/L)²) if L <= 2.5 D, and for longer rollers
0.0005 D ln 1/(1 - ((2|x| - (L - 2.5 D)) / (2.5 D))²) near the ends; tapered 0.00045 D ln 1/(1 - (2x/L)²). Spherical rollers:
x²/2 times the difference of the curvatures of roller and raceway.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["PROFILES", "crowned", "gauss_points", "logarithmic"]

Array = np.ndarray[Any, Any]

PROFILES = ("logarithmic", "straight")
_LONG = 2.5


@lru_cache
def gauss_points(count: int) -> tuple[Array, Array]:
    """Points from -1/2 to 1/2 along a roller, and their fractions of its length."""
    x, weights = np.polynomial.legendre.leggauss(count)
    return 0.5 * x, 0.5 * weights


def logarithmic(x: Array, diameter: float, length: float, *, tapered: bool) -> Array:
    """P(x) [m] of a roller, x [m] from its middle."""
    if tapered:
        return _log(0.00045 * diameter, 2.0 * x / length)
    if length <= _LONG * diameter:
        return _log(0.00035 * diameter, 2.0 * x / length)
    past = np.maximum(0.0, 2.0 * np.abs(x) - (length - _LONG * diameter)) / (_LONG * diameter)
    return _log(0.0005 * diameter, past)


def _log(factor: float, place: Array) -> Array:
    return -factor * np.log1p(-np.minimum(place * place, 1.0 - 1e-12))


def crowned(x: Array, raceway_radius: float, osculation: float) -> Array:
    """P(x) [m] of a spherical roller whose profile radius is `osculation` times that of the raceway."""
    return 0.5 * x * x * (1.0 / osculation - 1.0) / raceway_radius
