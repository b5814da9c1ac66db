"""Functions of one variable in compiled code, as `model.functions` encodes them.

A function is a stretch of one flat array: kind, length, data. `value_of` gives value, first and second derivative.

| kind | data |
|---|---|
| 0 | c0, c1, omega, N, a_1..a_N, b_1..b_N:  c0 + c1 t + sum a_k cos(k omega t) + b_k sin(k omega t) |
| 1 | pieces, degree, period, gain, uniform step, outside, knots, coefficients (ascending, of t - knot, piece by piece) |
| 2 | count, then that many functions of kind 0 or 1: their sum |
"""

import numpy as np

from .compiled import A1, F8, I8, V3, block, entry, leaf


@block
def _harmonics(F: A1, o: I8, t: F8) -> V3:
    omega = F[o + 4]
    n = int(F[o + 5])
    f = F[o + 2] + F[o + 3] * t
    d = F[o + 3]
    dd = 0.0
    for k in range(1, n + 1):
        w = k * omega
        c = np.cos(w * t)
        s = np.sin(w * t)
        a = F[o + 5 + k]
        b = F[o + 5 + n + k]
        f += a * c + b * s
        d += w * (b * c - a * s)
        dd -= w * w * (a * c + b * s)
    return (f, d, dd)


@block
def _piece(F: A1, knots: I8, n: I8, uniform: F8, t: F8) -> I8:
    """Index of the piece that holds t (the last piece also for its right end)."""
    if uniform > 0.0:
        i = int(np.floor((t - F[knots]) / uniform))
        i = min(max(i, 0), n - 1)
        # the quotient may be off by one rounding: the knots decide
        if i > 0 and t < F[knots + i]:
            i -= 1
        elif i < n - 1 and t >= F[knots + i + 1]:
            i += 1
        return i
    lo = 0
    hi = n
    while hi - lo > 1:
        middle = (lo + hi) // 2
        if F[knots + middle] <= t:
            lo = middle
        else:
            hi = middle
    return lo


@block
def _pieces(F: A1, o: I8, t: F8) -> V3:
    n = int(F[o + 2])
    degree = int(F[o + 3])
    period = F[o + 4]
    uniform = F[o + 6]
    knots = o + 8
    offset = 0.0
    held = False
    if period > 0.0:
        turns = np.floor((t - F[knots]) / period)
        t = t - turns * period
        offset = turns * F[o + 5]
    elif F[o + 7] == 0.0:  # outside the table the end values hold
        if t < F[knots]:
            t = F[knots]
            held = True
        elif t > F[knots + n]:
            t = F[knots + n]
            held = True
    i = _piece(F, knots, n, uniform, t)
    s = t - F[knots + i]
    c = knots + n + 1 + i * (degree + 1)
    f = 0.0
    d = 0.0
    dd = 0.0
    for k in range(degree, -1, -1):
        dd = dd * s + 2.0 * d
        d = d * s + f
        f = f * s + F[c + k]
    if held:
        return (f + offset, 0.0, 0.0)
    return (f + offset, d, dd)


@leaf
def _single(F: A1, o: I8, t: F8) -> V3:
    if F[o] == 0.0:
        return _harmonics(F, o, t)
    return _pieces(F, o, t)


@entry
def value_of(F: A1, o: I8, t: F8) -> V3:
    """(f, f', f'') at t of the function that starts at F[o]."""
    if F[o] != 2.0:
        return _single(F, o, t)
    f = 0.0
    d = 0.0
    dd = 0.0
    at = o + 3
    for _ in range(int(F[o + 2])):
        v = _single(F, at, t)
        f += v[0]
        d += v[1]
        dd += v[2]
        at += int(F[at + 1])
    return (f, d, dd)
