"""Functions of one variable in compiled code, as the classes of the package `functions` encode them.

Functions are in one flat array of numbers. Each begins with its kind, and is a record of that kind. `value_of` returns value,
first and second derivative.
"""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from . import dual  # noqa: F401  (the functions are compiled for numbers with derivatives)
from .fields import INTEGER, NUMBER, behind, fields, record_over
from .machine_code.compiled import A1, F8, I8, V2, V3, block, entry, leaf

__all__ = [
    "deadband",
    "limit",
    "sign",
    "step",
    "HARMONICS",
    "PIECES",
    "TERMS",
    "Harmonics",
    "Pieces",
    "Terms",
    "is_constant",
    "value_and_rate",
    "value_of",
    "ninth_root",
]


# ---- expression functions

# Functions of expressions over signals that neither Python nor numpy has, for compiled code and for Python.


@register_jitable
def limit(x: Any, low: Any, high: Any) -> Any:
    """x, but not less than `low` and not more than `high`."""
    return min(max(x, low), high)


@register_jitable
def deadband(x: Any, half_width: Any) -> Any:
    """0 for |x| <= half_width, else the distance from there, with the sign of x."""
    return x - min(max(x, -half_width), half_width)


@register_jitable
def step(x: Any) -> float:
    """1 for x >= 0, else 0."""
    if x >= 0.0:
        return 1.0
    return 0.0


@register_jitable
def sign(x: Any) -> Any:
    """-1, 0 or 1."""
    return np.sign(x)


HARMONICS, PIECES, TERMS = 0, 1, 2
"""Kinds."""

_Any = fields("Function", kind=INTEGER)

Harmonics = fields(
    "Harmonics",
    kind=INTEGER,
    constant=NUMBER,
    slope=NUMBER,
    omega=NUMBER,
    count=INTEGER,
    cosines=behind("count"),
    sines=behind("count"),
)
"""constant + slope t + sum_k cosines_k cos(k omega t) + sines_k sin(k omega t), k = 1 .. count."""

Pieces = fields(
    "Pieces",
    kind=INTEGER,
    period=NUMBER,  # 0: not periodic
    gain=NUMBER,  # increase in every period
    step=NUMBER,  # distance of the knots; 0 if they are not evenly spaced
    continued=INTEGER,  # without a period, beyond the ends: 1 the first and last piece continue, 0 the end values hold
    count=INTEGER,
    order=INTEGER,
    ends=INTEGER,
    knots=behind("ends"),
    coefficients=behind("count", "order"),
)
"""sum_k coefficients[i, k] (t - knots_i)^k for knots_i <= t < knots_(i+1); with a period, f(t) = f(t - n period) + n gain."""

Terms = fields("Terms", kind=INTEGER, count=INTEGER, places=behind("count", of="integer"))
"""Sum of functions of the other two kinds, which are behind it, at these positions from its start."""

_any, _harmonics_at, _pieces_at, _terms_at = (
    record_over(_Any),
    record_over(Harmonics),
    record_over(Pieces),
    record_over(Terms),
)


@block
def _harmonics(s: Harmonics, t: F8) -> V3:
    omega = s.omega
    f = s.constant + s.slope * t
    d = s.slope
    dd = 0.0
    cosines, sines = s.cosines, s.sines
    for k in range(s.count):
        w = (k + 1) * omega
        cos = np.cos(w * t)
        sin = np.sin(w * t)
        a = cosines[k]
        b = sines[k]
        f += a * cos + b * sin
        d += w * (b * cos - a * sin)
        dd -= w * w * (a * cos + b * sin)
    return (f, d, dd)


@block
def _piece(s: Pieces, t: F8) -> I8:
    """Index of the piece that contains t (the last piece also for its right end)."""
    knots, n = s.knots, s.count
    if s.step > 0.0:
        i = int(np.floor((t - knots[0]) / s.step))
        i = min(max(i, 0), n - 1)
        # the quotient may have a rounding error: the knots decide
        if i > 0 and t < knots[i]:
            i -= 1
        elif i < n - 1 and t >= knots[i + 1]:
            i += 1
        return i
    low = 0
    high = n
    while high - low > 1:
        middle = (low + high) // 2
        if knots[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@block
def _pieces(s: Pieces, t: F8) -> V3:
    knots = s.knots
    offset = 0.0
    held = False
    if s.period > 0.0:
        turns = np.floor((t - knots[0]) / s.period)
        t = t - turns * s.period
        offset = turns * s.gain
    elif s.continued == 0:  # outside the table the end values hold
        if t < knots[0]:
            t = knots[0]
            held = True
        elif t > knots[s.count]:
            t = knots[s.count]
            held = True
    i = _piece(s, t)
    x = t - knots[i]
    coefficients = s.coefficients
    f = 0.0
    d = 0.0
    dd = 0.0
    for k in range(s.order - 1, -1, -1):
        dd = dd * x + 2.0 * d
        d = d * x + f
        f = f * x + coefficients[i, k]
    if held:
        return (f + offset, 0.0, 0.0)
    return (f + offset, d, dd)


@leaf
def _single(F: A1, place: I8, t: F8) -> V3:
    if _any(F, place).kind == HARMONICS:
        return _harmonics(_harmonics_at(F, place), t)
    return _pieces(_pieces_at(F, place), t)


@entry
def value_of(F: A1, place: I8, t: F8) -> V3:
    """(f, f', f'') at t of the function at a position of F."""
    if _any(F, place).kind != TERMS:
        return _single(F, place, t)
    f = 0.0
    d = 0.0
    dd = 0.0
    places = _terms_at(F, place).places
    for i in range(places.size):
        v = _single(F, place + places[i], t)
        f += v[0]
        d += v[1]
        dd += v[2]
    return (f, d, dd)


@leaf
def value_and_rate(F: A1, place: I8, t: F8) -> V2:
    """(f, f') as `value_of`; without a call for straight lines, the most frequent case of drives and loads."""
    line = _harmonics_at(F, place)
    if line.kind == HARMONICS and line.count == 0:
        return (line.constant + line.slope * t, line.slope)
    f = value_of(F, place, t)
    return (f[0], f[1])


def is_constant(F: np.ndarray, place: int) -> bool:
    """Whether the function at a position of F is constant."""
    head = np.zeros(Harmonics.size)  # other kinds may be shorter
    head[: F.size - place] = F[place : place + Harmonics.size]
    line = head.view(Harmonics.dtype)[0]
    return bool(line["kind"] == HARMONICS and line["count"] == 0 and line["slope"] == 0.0)


# ---- ninth root

# Ninth root of a positive number, several times faster than exp(log(x)/9): line contacts of rollers need very many.
#
# With x = 2^e m and the middle c of that 128th of 1 <= m < 2 in which m lies,
#
# x^(1/9) = 2^(e/9) c^(1/9) (1 + r)^(1/9) , r = m/c - 1 , |r| < 1/256 :
#
# two factors from tables, and a series that ends when its terms are below the rounding.

_PARTS = 128
_MIDDLES = 1.0 + (np.arange(_PARTS) + 0.5) / _PARTS
_INVERSES = 1.0 / _MIDDLES
_ROOTS = _MIDDLES ** (1.0 / 9.0)
_EXPONENTS = np.arange(2048) - 1023
_POWERS = np.ldexp(2.0 ** (_EXPONENTS % 9 / 9.0), _EXPONENTS // 9)
_C1 = 1.0 / 9.0
_C2 = _C1 * (_C1 - 1.0) / 2.0
_C3 = _C2 * (_C1 - 2.0) / 3.0
_C4 = _C3 * (_C1 - 3.0) / 4.0
_C5 = _C4 * (_C1 - 4.0) / 5.0
_C6 = _C5 * (_C1 - 5.0) / 6.0


@leaf
def ninth_root(x: F8) -> F8:
    """x^(1/9) of x > 0 to the last digits (x above the smallest normal number, 2e-308)."""
    bits = np.float64(x).view(np.int64)
    part = np.uint64((bits >> 45) & 127)
    m = np.int64((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000).view(np.float64)
    r = m * _INVERSES[part] - 1.0
    series = r * (_C1 + r * (_C2 + r * (_C3 + r * (_C4 + r * (_C5 + r * _C6)))))
    y = _POWERS[np.uint64(bits >> 52)] * _ROOTS[part]
    return y + y * series
