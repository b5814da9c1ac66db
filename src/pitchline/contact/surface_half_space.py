"""The half-space under bilinear hats on a flank of any shape: the local part of what finite elements answer for them, compiled.

Hats are bilinear between the points of a grid, whose cells may be of different size and oblique: those of a bevel tooth become
smaller towards the apex, those of a helical one are parallelograms. Between two cells of the grid the integral of hat · hat / ρ is
taken by Gauss's rule if they are apart. Close ones are cut into parts, between which Love's integral is used as if they were
rectangles.
"""

import math

import numpy as np
import numpy.typing as npt

from ..math.compiled import A1, A2, A3, F8, I8, V3, block, leaf, unlocked_entry
from ..math.vectors import dot, sub

__all__ = ["surface_half_space"]

FloatArray = npt.NDArray[np.float64]

_ACROSS, _ALONG = 6, 4
"""Parts of a cell of the grid."""
_CLOSE, _NEAR = 2, 2.5
"""Cells of the grid that are not further apart are cut into parts; and along only, up to this many lengths."""
_GAUSS = 0.5 / math.sqrt(3.0)
_APART = 3.0
"""Parts that are further apart than this many of their sizes act as points."""


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
    x = abs(x)
    return _antiderivative(x, abs(y - w)) - 2.0 * _antiderivative(x, abs(y)) + _antiderivative(x, abs(y + w))


@leaf
def _rectangles(x: F8, y: F8, h: F8, w: F8) -> F8:
    """Mean of 1/ρ between two rectangles h × w that are (x, y) apart."""
    return (_along(x - h, y, w) - 2.0 * _along(x, y, w) + _along(x + h, y, w)) / (h * h * w * w)


@leaf
def _corner(points: A3, i: I8, j: I8) -> V3:
    return points[i, j, 0], points[i, j, 1], points[i, j, 2]


@block
def _part(points: A3, i: I8, j: I8, s: F8, t: F8, out: A1) -> None:
    """Point of cell (i, j) at its fractions s and t; size across and along [m], unit vectors along and across."""
    a, b = _corner(points, i, j), _corner(points, i, j + 1)
    c, d = _corner(points, i + 1, j), _corner(points, i + 1, j + 1)
    for k in range(3):
        out[k] = (1.0 - s) * ((1.0 - t) * a[k] + t * b[k]) + s * ((1.0 - t) * c[k] + t * d[k])
        out[3 + k] = (1.0 - s) * (b[k] - a[k]) + s * (d[k] - c[k])
        out[6 + k] = (1.0 - t) * (c[k] - a[k]) + t * (d[k] - b[k])
    long = math.sqrt(out[3] * out[3] + out[4] * out[4] + out[5] * out[5])
    along = (out[3] * out[6] + out[4] * out[7] + out[5] * out[8]) / (long * long)
    for k in range(3):
        out[6 + k] -= along * out[3 + k]
    wide = math.sqrt(out[6] * out[6] + out[7] * out[7] + out[8] * out[8])
    for k in range(3):
        out[3 + k] /= long
        out[6 + k] /= wide
    out[9] = long
    out[10] = wide


@block
def _between(p: A1, q: A1, across: F8, along: F8) -> F8:
    """Mean of 1/ρ between two parts of cells: 1/across and 1/along of them."""
    away: V3 = sub((p[0], p[1], p[2]), (q[0], q[1], q[2]))
    rho = math.sqrt(dot(away, away))
    w = 0.5 * (p[9] + q[9]) / along
    h = 0.5 * (p[10] + q[10]) / across
    if rho > _APART * max(w, h):
        return 1.0 / rho
    y = dot(away, (p[3], p[4], p[5]))
    x = dot(away, (p[6], p[7], p[8]))
    return _rectangles(x, y, h, w)


@block
def _add(F: A2, lines: I8, i: I8, j: I8, s: F8, t: F8, k: I8, m: I8, a: F8, b: F8, value: F8) -> None:
    """Adds value times the hats at (s, t) of cell (i, j) and at (a, b) of cell (k, m)."""
    for e in range(2):
        for f in range(2):
            first = value * (s if e == 1 else 1.0 - s) * (t if f == 1 else 1.0 - t)
            g = (i + e) * lines + j + f
            for c in range(2):
                for d in range(2):
                    h = (k + c) * lines + m + d
                    F[g, h] += first * (a if c == 1 else 1.0 - a) * (b if d == 1 else 1.0 - b)


@leaf
def _node(n: I8, parts: I8) -> F8:
    """Two nodes of Gauss's rule, or the middles of parts."""
    if parts == 2:
        return 0.5 + (_GAUSS if n == 1 else -_GAUSS)
    return (n + 0.5) / parts


@unlocked_entry
def _fill(points: A3, p: A1, q: A1, areas: A1, F: A2) -> None:
    """F: ∫∫ hat_g hat_h / ρ over pairs of cells, each pair once; areas: ∫ hat."""
    rows, lines = points.shape[0], points.shape[1]
    cells = (rows - 1) * (lines - 1)
    for c in range(cells):
        i = c // (lines - 1)
        j = c % (lines - 1)
        for n in range(4):
            s = 0.5 + (_GAUSS if n // 2 == 1 else -_GAUSS)
            t = 0.5 + (_GAUSS if n % 2 == 1 else -_GAUSS)
            _part(points, i, j, s, t, p)
            area = 0.25 * p[9] * p[10]
            for e in range(2):
                for f in range(2):
                    areas[(i + e) * lines + j + f] += area * (s if e == 1 else 1.0 - s) * (t if f == 1 else 1.0 - t)
        for d in range(c + 1):
            k = d // (lines - 1)
            m = d % (lines - 1)
            twice = 0.5 if d == c else 1.0
            if abs(i - k) <= _CLOSE and abs(j - m) <= _CLOSE:
                for n in range(_ACROSS * _ALONG):
                    s = (n // _ALONG + 0.5) / _ACROSS
                    t = (n % _ALONG + 0.5) / _ALONG
                    _part(points, i, j, s, t, p)
                    size = p[9] * p[10] / (_ACROSS * _ALONG)
                    for o in range(_ACROSS * _ALONG):
                        a = (o // _ALONG + 0.5) / _ACROSS
                        b = (o % _ALONG + 0.5) / _ALONG
                        _part(points, k, m, a, b, q)
                        value = _between(p, q, float(_ACROSS), float(_ALONG))
                        value *= twice * size * q[9] * q[10] / (_ACROSS * _ALONG)
                        _add(F, lines, i, j, s, t, k, m, a, b, value)
                continue
            _part(points, i, j, 0.5, 0.5, p)
            _part(points, k, m, 0.5, 0.5, q)
            away: V3 = sub((p[0], p[1], p[2]), (q[0], q[1], q[2]))
            parts = 2
            if math.sqrt(dot(away, away)) < _NEAR * max(p[9], q[9], p[10], q[10]):
                parts = _ALONG
            weight = 0.25 / parts**2
            for n in range(2 * parts):
                s = 0.5 + (_GAUSS if n // parts == 1 else -_GAUSS)
                t = _node(n % parts, parts)
                _part(points, i, j, s, t, p)
                for o in range(2 * parts):
                    a = 0.5 + (_GAUSS if o // parts == 1 else -_GAUSS)
                    b = _node(o % parts, parts)
                    _part(points, k, m, a, b, q)
                    away = sub((p[0], p[1], p[2]), (q[0], q[1], q[2]))
                    value = weight * p[9] * p[10] * q[9] * q[10] / math.sqrt(dot(away, away))
                    _add(F, lines, i, j, s, t, k, m, a, b, value)


def surface_half_space(points: FloatArray, *, scale: float) -> FloatArray:
    """Mean sinking of hats per unit force on hats [m/N], (rows · lines)², hat g = i · lines + j.

    points: (rows, lines, 3) at which the hats are 1 [m]; scale: (1 − ν²)/(π E) [1/Pa].
    """
    rows, lines = points.shape[:2]
    F, areas = np.zeros((rows * lines, rows * lines)), np.zeros(rows * lines)
    _fill(np.ascontiguousarray(points, dtype=np.float64), np.empty(11), np.empty(11), areas, F)
    return np.asarray(scale * (F + F.T) / np.multiply.outer(areas, areas))
