"""The half-space under all cells of one pair of teeth: rectangles in strips side by side, compiled.

The mean of 1/ρ over two rectangles h × w is a second difference of Love's G in both directions (`half_space`). All strips have
cells of one size; they may start at any place, so that strips follow a curved line of contact. Two strips have few distances: the
difference of their starts and whole numbers of cells.
"""

import math

import numpy as np
import numpy.typing as npt

from ..math.compiled import A1, A2, F8, I1, I8, leaf, unlocked_entry

__all__ = ["cell_half_space"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@leaf
def _antiderivative(x: F8, y: F8) -> F8:
    """G(x, y) for x, y >= 0."""
    rho = math.sqrt(x * x + y * y)
    value = -rho * rho * rho / 6.0
    if x > 0.0 and y > 0.0:
        value += 0.5 * x * y * (x * math.asinh(y / x) + y * math.asinh(x / y))
    return value


@leaf
def _along(x: F8, y: F8, w: F8) -> F8:
    """Second difference of G in y."""
    x = abs(x)
    return _antiderivative(x, abs(y - w)) - 2.0 * _antiderivative(x, abs(y)) + _antiderivative(x, abs(y + w))


@unlocked_entry
def _fill(starts: A1, firsts: I1, columns: I1, count: I8, h: F8, w: F8, scale: F8, table: A1, out: A2) -> None:
    """starts: (strips,) x of the first cell of each strip; firsts: (strips + 1,) its cells among all, whose `columns` are their
    places in the strip; table: (2 count + 1,), overwritten."""
    strips = starts.size
    factor = scale / (h * h * w * w)
    for j in range(strips):
        if firsts[j] == firsts[j + 1]:
            continue
        for k in range(j + 1):
            if firsts[k] == firsts[k + 1]:
                continue
            y = (j - k) * w
            shift = starts[j] - starts[k]
            before = _along(shift - count * h, y, w)
            here = _along(shift - (count - 1) * h, y, w)
            for d in range(-(count - 1), count):
                after = _along(shift + (d + 1) * h, y, w)
                table[d + count - 1] = factor * (before - 2.0 * here + after)
                before = here
                here = after
            for p in range(firsts[j], firsts[j + 1]):
                for q in range(firsts[k], firsts[k + 1]):
                    value = table[columns[p] - columns[q] + count - 1]
                    out[p, q] += value
                    if k < j:
                        out[q, p] += value


def cell_half_space(
    out: FloatArray, starts: FloatArray, rows: IntArray, columns: IntArray, *, count: int, height: float, width: float, scale: float
) -> None:  # fmt: skip
    """Adds the mean sinking of cells per unit force on cells [m/N] to `out` (cells, cells).

    starts: (strips,) [m]; rows, columns: (cells,) the strip of each cell, ascending, and its place there; height, width: of cells
    across and along the line of contact [m]; scale: Σ (1 − ν²)/(π E) of the bodies [1/Pa].
    """
    firsts = np.searchsorted(rows, np.arange(len(starts) + 1)).astype(np.int64)
    _fill(
        np.ascontiguousarray(starts), firsts, np.ascontiguousarray(columns), count, float(height), float(width), float(scale),
        np.empty(2 * count + 1), out,
    )  # fmt: skip
