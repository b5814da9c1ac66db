"""Coefficient of friction over sliding speed and load: a table, interpolated by cubics that do not overshoot.

Between the points of the table it is a bicubic Hermite function of its values, of its slopes along both directions and of their
mixed derivative. Outside the table the values at its edges hold.
"""

import numpy as np

from ..math.compiled import A1, F8, I8, V3, V4, entry, leaf
from ..math.fields import INTEGER, behind, fields, packed, record_over

FrictionMap = fields(
    "FrictionMap",
    speeds=INTEGER,
    loads=INTEGER,
    speed=behind("speeds"),
    load=behind("loads"),
    count=INTEGER,
    values=behind("count"),  # value, slope by speed, slope by load, mixed derivative; by load, then by speed
)
"""Stored with the functions of a system."""

_map = record_over(FrictionMap)


@leaf
def _interval(x: A1, count: I8, value: F8) -> I8:
    """Index of the point below."""
    low = 0
    high = count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x[middle] <= value:
            low = middle
        else:
            high = middle
    return low


@leaf
def _hermite(s: F8, h: F8) -> V4:
    """Factors of the values at both ends, and of the slopes there, at the fraction s of an interval h."""
    return (
        (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s),
        s * s * (3.0 - 2.0 * s),
        h * s * (1.0 - s) * (1.0 - s),
        -h * s * s * (1.0 - s),
    )


@leaf
def _hermite_slope(s: F8, h: F8) -> V4:
    """Derivatives of these factors."""
    d = 6.0 * s * (1.0 - s) / h
    return (-d, d, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0))


@leaf
def _sum(values: A1, i: I8, j: I8, n: I8, along: V4, across: V4) -> F8:
    """Sum over the four corners of a cell: along the speeds, across the loads."""
    a = 4 * (j * n + i)
    b = a + 4
    c = a + 4 * n
    d = c + 4
    low = along[0] * values[a] + along[1] * values[b] + along[2] * values[a + 1] + along[3] * values[b + 1]
    high = along[0] * values[c] + along[1] * values[d] + along[2] * values[c + 1] + along[3] * values[d + 1]
    low_slope = (
        along[0] * values[a + 2] + along[1] * values[b + 2] + along[2] * values[a + 3] + along[3] * values[b + 3]
    )
    high_slope = (
        along[0] * values[c + 2] + along[1] * values[d + 2] + along[2] * values[c + 3] + along[3] * values[d + 3]
    )
    return across[0] * low + across[1] * high + across[2] * low_slope + across[3] * high_slope


@entry
def friction_at(functions: A1, place: I8, speed: F8, load: F8) -> V3:
    """mu, and its derivatives by the sliding speed and by the load."""
    t = _map(functions, place)
    n = t.speeds
    x = t.speed
    y = t.load
    v = min(max(speed, x[0]), x[n - 1])
    f = min(max(load, y[0]), y[t.loads - 1])
    i = _interval(x, n, v)
    j = _interval(y, t.loads, f)
    h = x[i + 1] - x[i]
    k = y[j + 1] - y[j]
    s = (v - x[i]) / h
    r = (f - y[j]) / k
    along = _hermite(s, h)
    across = _hermite(r, k)
    mu = _sum(t.values, i, j, n, along, across)
    by_speed = _sum(t.values, i, j, n, _hermite_slope(s, h), across) if v == speed else 0.0
    by_load = _sum(t.values, i, j, n, along, _hermite_slope(r, k)) if f == load else 0.0
    return (mu, by_speed, by_load)


def encode_friction_map(speeds: np.ndarray, loads: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The table as numbers for the functions of a system. values (loads, speeds, 4): see `FrictionMap`."""
    return packed(FrictionMap, {"speed": speeds, "load": loads, "values": values.ravel()})
