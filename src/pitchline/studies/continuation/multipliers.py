"""Floquet multipliers of a periodic motion, and the verdict on its stability."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["NEUTRAL", "ROUNDING", "counted_outside", "growing", "multipliers_of"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

NEUTRAL = 1e-4
"""Distance from 1 of the multipliers of free motions."""
ROUNDING = 1e-6
"""Multipliers up to 1 + this count as not growing: derivatives by differences are not more accurate."""


def multipliers_of(by_state: Array) -> Complex:
    """Eigenvalues of the monodromy matrix, by falling magnitude; of a complex pair first that with the positive imaginary part."""
    found = np.linalg.eigvals(by_state).astype(complex)
    return found[np.lexsort((-found.imag, -np.round(np.abs(found), 12)))]


def growing(multipliers: Complex, free: int) -> Complex:
    """Multipliers without those of `free` free motions: each has the multiplier 1, twice if nothing damps it."""
    if not free:
        return multipliers
    order = np.argsort(np.abs(multipliers - 1.0))
    left_out = min(2 * free, int(np.sum(np.abs(multipliers - 1.0) < NEUTRAL)))
    return multipliers[np.sort(order[left_out:])]


def counted_outside(multipliers: Complex, free: int) -> int:
    """Number of multipliers outside the unit circle."""
    return int(np.sum(np.abs(growing(multipliers, free)) > 1.0 + ROUNDING))
