"""Stiffness and errors over an angle as terms of a lane: Fourier sums, and tables of cubics over equal intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pitchline.engine.compile.train_search import NotATrain
from pitchline.numerics.fields import Fields
from pitchline.numerics.functions import HARMONICS, TERMS, Harmonics, Pieces, Terms

__all__ = ["HarmonicTerm", "PieceTerm", "function_terms", "AngleSum", "AngleTable", "angle_terms", "subdivided"]


# ---- function terms

# Functions of a compiled system as terms: harmonics on a straight line, and piecewise polynomials.


@dataclass(frozen=True, eq=False)
class HarmonicTerm:
    """constant + slope t + sum_k cos_k cos(k omega t) + sin_k sin(k omega t), k = 1, 2, ..."""

    constant: float
    slope: float
    omega: float
    cos: np.ndarray
    sin: np.ndarray


@dataclass(frozen=True, eq=False)
class PieceTerm:
    """sum_k coefficients[i, k] (t - knots_i)^k. period: 0 if it is not periodic. continued: beyond the ends the end pieces
    continue; otherwise the end values hold."""

    period: float
    gain: float
    continued: bool
    knots: np.ndarray
    coefficients: np.ndarray


def function_terms(functions: np.ndarray, place: int) -> list[HarmonicTerm | PieceTerm]:
    """Terms of the function at a position of the table of functions."""
    kind = int(functions[place : place + 1].view(np.int64)[0])
    if kind == TERMS:
        head = _head(functions, place, Terms)
        first = place + int(head["places"])
        places = functions[first : first + int(head["count"])].view(np.int64)
        return [term for other in places for term in function_terms(functions, place + int(other))]
    if kind == HARMONICS:
        head = _head(functions, place, Harmonics)
        cos, sin = (_behind(functions, place, head, name, int(head["count"])) for name in ("cosines", "sines"))
        return [HarmonicTerm(float(head["constant"]), float(head["slope"]), float(head["omega"]), cos, sin)]
    head = _head(functions, place, Pieces)
    rows, order = int(head["count"]), int(head["order"])
    knots = _behind(functions, place, head, "knots", int(head["ends"]))
    c = _behind(functions, place, head, "coefficients", rows * order).reshape(rows, order)
    return [PieceTerm(float(head["period"]), float(head["gain"]), bool(head["continued"]), knots, c)]


def _head(functions: np.ndarray, place: int, record: Fields) -> np.void:
    found: np.void = functions[place : place + record.size].view(record.dtype)[0]
    return found


def _behind(functions: np.ndarray, place: int, head: np.void, name: str, count: int) -> np.ndarray:
    first = place + int(head[name])
    return functions[first : first + count].copy()


TWO_PI = 2.0 * math.pi
MOST_INTERVALS = 8192
"""Largest number of intervals of a table over its cycle."""
ON_KNOT = 1e-9
"""Distance of a knot from a multiple of the interval, relative to the cycle, that is rounding."""


@dataclass(frozen=True, eq=False)
class AngleSum:
    """mean + sum_h cos_h cos(h angle) + sin_h sin(h angle)."""

    mean: float
    cos: np.ndarray
    sin: np.ndarray


@dataclass(frozen=True, eq=False)
class AngleTable:
    """mean + scale times cubics (n, 4) over equal intervals of 0 .. 2 pi."""

    mean: float
    scale: float
    coefficients: np.ndarray


def angle_terms(functions: np.ndarray, place: int, what: str) -> list[AngleSum | AngleTable]:
    """Terms whose sum is a function of an angle with the period 2 pi: a Fourier sum, a table, or both.

    The mean of a table is separated from it, so that tables of points that differ only by a mean and a factor agree.
    """
    sums, tables = [], []
    for term in function_terms(functions, place):
        if isinstance(term, HarmonicTerm):
            sums.append(_fourier(term, what))
        else:
            tables.append(_cubics(term, what))
    found: list[AngleSum | AngleTable] = []
    if tables:
        n = math.lcm(*(len(t) for t in tables))
        if n > MOST_INTERVALS:
            raise _uneven(what)
        found.append(_table(np.sum([subdivided(t, n) for t in tables], axis=0)))
    if sums or not found:
        found.insert(0, _added(sums))
    return found


def _fourier(term: HarmonicTerm, what: str) -> AngleSum:
    count = len(term.cos)
    if not count:
        return AngleSum(term.constant, np.zeros(0), np.zeros(0))
    multiple = round(term.omega)
    if abs(term.omega - multiple) > ON_KNOT or multiple < 1:  # Varying has checked it
        raise NotATrain(f"the variation of {what} does not repeat with its cycle")
    cos, sin = np.zeros(count * multiple), np.zeros(count * multiple)
    cos[multiple - 1 :: multiple], sin[multiple - 1 :: multiple] = term.cos, term.sin
    return AngleSum(term.constant, cos, sin)


def _added(sums: list[AngleSum]) -> AngleSum:
    count = max((len(s.cos) for s in sums), default=0)
    cos, sin = np.zeros(count), np.zeros(count)
    for s in sums:
        cos[: len(s.cos)] += s.cos
        sin[: len(s.sin)] += s.sin
    return AngleSum(sum(s.mean for s in sums), cos, sin)


def _uneven(what: str) -> NotATrain:
    return NotATrain(
        f"the knots of the table of {what} are not at multiples of an interval of its cycle. Use knots at equal distances, at "
        f"most {MOST_INTERVALS} intervals"
    )


def _cubics(term: PieceTerm, what: str) -> np.ndarray:
    """(n, 4) cubics of the fraction of equal intervals of 0 .. 2 pi."""
    if term.coefficients.shape[1] > 4 and np.any(term.coefficients[:, 4:]):
        raise NotATrain(f"the table of {what} has polynomials of a degree above 3")
    period, repeats = term.period, round(TWO_PI / term.period)
    knots = (term.knots - term.knots[0]) / period
    n = _intervals(knots, what)
    c = np.pad(term.coefficients[:, :4], ((0, 0), (0, max(0, 4 - term.coefficients.shape[1]))))
    width = period / n
    rows = []
    for j in range(n):
        # at the middle of the interval the piece is certain
        i = int(np.clip(np.searchsorted(knots, (j + 0.5) / n, side="right") - 1, 0, len(c) - 1))
        rows.append(_moved(c[i], (j / n - knots[i]) * period, width))
    start = term.knots[0] / period * n
    shift = round(start)
    if abs(start - shift) > ON_KNOT * n:
        raise _uneven(what)
    return np.tile(np.roll(np.array(rows), shift, axis=0), (repeats, 1))


def _intervals(knots: np.ndarray, what: str) -> int:
    """Smallest number of equal intervals of 0 .. 1 with all knots at their ends."""
    n = 1
    for x in knots[1:-1]:
        found = Fraction(float(x)).limit_denominator(MOST_INTERVALS)
        if abs(float(found) - x) > ON_KNOT:
            raise _uneven(what)
        n = math.lcm(n, found.denominator)
        if n > MOST_INTERVALS:
            raise _uneven(what)
    return n


def _moved(c: np.ndarray, by: float, width: float) -> np.ndarray:
    """Cubic c(t) as a cubic of the fraction x: t = by + width x."""
    c0, c1, c2, c3 = c
    moved = np.array(
        [c0 + by * (c1 + by * (c2 + by * c3)), c1 + by * (2.0 * c2 + 3.0 * by * c3), c2 + 3.0 * by * c3, c3]
    )
    return moved * width ** np.arange(4)


def subdivided(c: np.ndarray, n: int) -> np.ndarray:
    """The same cubics (m, ..., 4) over n intervals, n a multiple of m."""
    parts = n // len(c)
    if parts == 1:
        return c
    found = np.empty((n, *c.shape[1:]))
    w = 1.0 / parts
    for k in range(parts):
        x = k * w
        c0, c1, c2, c3 = (c[..., i] for i in range(4))
        found[k::parts, ..., 0] = c0 + x * (c1 + x * (c2 + x * c3))
        found[k::parts, ..., 1] = w * (c1 + x * (2.0 * c2 + 3.0 * x * c3))
        found[k::parts, ..., 2] = w * w * (c2 + 3.0 * x * c3)
        found[k::parts, ..., 3] = w**3 * c3
    return found


def _table(c: np.ndarray) -> AngleTable:
    mean = float(np.mean(c @ (1.0 / np.arange(1, 5))))
    c = c - np.array([mean, 0.0, 0.0, 0.0])
    scale = float(c[np.argmax(np.abs(c[:, 0])), 0])
    if abs(scale) <= 1e-14 * abs(mean):
        return AngleTable(mean, 0.0, np.zeros((1, 4)))
    return AngleTable(mean, scale, c / scale)
