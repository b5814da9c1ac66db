"""The elastic half-space: what a uniform pressure on a small rectangle does to its neighbours, and Hertz's line contact.

A pressure p on the surface of a half-space sinks it by (Boussinesq; Johnson, Contact Mechanics, 1985, 3.2)

    u(x, y) = (1 − ν²)/(π E) ∬ p(x', y')/ρ dx' dy' ,     ρ² = (x − x')² + (y − y')² .

Love (1929) integrated it over a rectangle. Here the displacement is averaged over a second rectangle too, which makes
the compliance symmetric. With

    G(x, y) = x² y/2 asinh(y/abs x) + x y²/2 asinh(x/abs y) − ρ³/6 ,     ∂⁴G/∂x²∂y² = 1/ρ ,

the mean over two rectangles h × w whose centres are X apart in x is a second difference of G in both directions. The
cells of a contact strip lie side by side in x (along the profile) and have the width w of one slice of the face.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..gears.material import Material
from ..math.compiled import A1, F8, I8, block, entry, leaf

__all__ = ["cell_compliances", "contact_modulus", "hertz_half_width", "hertz_pressure", "hat_compliance"]

FloatArray = npt.NDArray[np.float64]

_PARTS = 16
"""Cells in a spacing of hats when the half-space is averaged over hats."""


@leaf
def _antiderivative(x: F8, y: F8) -> F8:
    """G(x, y) for x, y >= 0."""
    rho = math.sqrt(x * x + y * y)
    value = -rho * rho * rho / 6.0
    if x > 0.0 and y > 0.0:
        value += 0.5 * x * y * (x * math.asinh(y / x) + y * math.asinh(x / y))
    return value


@leaf
def _across(x: F8, w: F8) -> F8:
    """Second difference of G in y over the width w."""
    return 2.0 * (_antiderivative(x, w) - _antiderivative(x, 0.0))


@block
def cell_kernel(h: F8, w: F8, scale: F8, count: I8, table: A1) -> None:
    """table[m], m < count: mean sinking of a cell h × w per unit force on a cell m cells away [m/N].

    scale is Σ (1 − ν²)/(π E) of the bodies [1/Pa].
    """
    before = _across(h, w)
    here = _across(0.0, w)
    for m in range(count):
        after = _across((m + 1) * h, w)
        table[m] = scale * (before - 2.0 * here + after) / (h * h * w * w)
        before = here
        here = after


@entry
def cell_table(h: F8, w: F8, scale: F8, table: A1) -> None:
    """`cell_kernel` over all of the table, for callers in Python."""
    cell_kernel(h, w, scale, table.size, table)


def cell_compliances(height: float, width: float, count: int, *, scale: float) -> FloatArray:
    """Mean sinking [m/N] of cells 0 .. count − 1 away from a loaded one, of the size height × width [m]; (count,)."""
    table = np.empty(count)
    cell_table(float(height), float(width), float(scale), table)
    return table


def contact_modulus(*materials: Material) -> float:
    """E* [Pa] of two bodies in contact, 1/E* = Σ (1 − ν²)/E; of one against a rigid one."""
    return 1.0 / sum((1.0 - m.poissons_ratio**2) / m.youngs_modulus for m in materials)


def hertz_half_width(line_load: float, radius: float, modulus: float) -> float:
    """b = sqrt(4 F' R/(π E*)) [m] of cylinders in contact (Johnson, 4.43): F' [N/m], 1/R = 1/R_1 + 1/R_2."""
    return math.sqrt(4.0 * line_load * radius / (math.pi * modulus))


def hertz_pressure(line_load: float, radius: float, modulus: float) -> float:
    """p_0 = sqrt(F' E*/(π R)) [Pa] (Johnson, 4.45)."""
    return math.sqrt(line_load * modulus / (math.pi * radius))


@lru_cache(maxsize=64)
def hat_compliance(spacing: float, width: float, hats: int, *, scale: float) -> FloatArray:
    """The same for hats: piecewise linear pressures over the profile, in one slice of the face; (hats, hats) [m/N].

    Hat i rises from its neighbours' places to its own, `spacing` [m] away; the first and the last are one-sided. Each
    has unit force, and sinking is averaged with the hat as weight: what a finite element model answers for the same
    hats. Hats are cut into cells, whose compliance is exact.
    """
    cells = _PARTS * (hats - 1)
    at = (np.arange(cells) + 0.5) / _PARTS
    weights = np.maximum(0.0, 1.0 - np.abs(at - np.arange(hats)[:, None]))
    weights /= weights.sum(axis=1, keepdims=True)
    table = cell_compliances(spacing / _PARTS, width, cells, scale=scale)
    index = np.arange(cells)
    toeplitz = table[np.abs(index[:, None] - index)]
    answer = np.asarray(weights @ toeplitz @ weights.T)
    answer.flags.writeable = False  # kept, for gears are met again with other modifications
    return answer
