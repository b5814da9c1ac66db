"""Smooth curve through the points of a table: monotone cubic pieces, and straight lines beyond both ends.

One row for each piece: its first x, then four coefficients of powers of x - first. The first row is the line before the table.
"""

import numpy as np

from ..math.compiled import A2, F8, V2, block


def curve_table(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pieces (n + 1, 5) of a curve through n points. x increases."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    if len(x) == 1:
        return np.array([[x[0], y[0], 0.0, 0.0, 0.0]])
    if len(x) == 2:
        return np.array([[x[0], y[0], (y[1] - y[0]) / (x[1] - x[0]), 0.0, 0.0]])
    from scipy.interpolate import PchipInterpolator  # late: scipy takes long to import and few models need it

    curve = PchipInterpolator(x, y)
    first, last = float(curve(x[0], 1)), float(curve(x[-1], 1))
    inside = np.column_stack([x[:-1], curve.c[::-1].T])
    before = [x[0], y[0], first, 0.0, 0.0]
    after = [x[-1], y[-1], last, 0.0, 0.0]
    return np.vstack([before, inside, after])


@block
def curve_value(table: A2, x: F8) -> V2:
    """Value and slope of the curve at x."""
    low = 0
    if table.shape[0] > 1 and x >= table[0, 0]:
        low = 1
        high = table.shape[0]
        while high - low > 1:
            middle = (low + high) // 2
            if table[middle, 0] <= x:
                low = middle
            else:
                high = middle
    d = x - table[low, 0]
    c1 = table[low, 2]
    c2 = table[low, 3]
    c3 = table[low, 4]
    return (table[low, 1] + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + 3.0 * d * c3))
