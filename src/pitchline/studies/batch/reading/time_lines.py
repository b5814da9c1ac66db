"""Functions of time as straight lines: value and slope from a time on, and the time until which the line is exact."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....system.train_search import NotATrain
from .function_terms import HarmonicTerm, PieceTerm, function_terms

__all__ = ["TimeLine", "last_change", "line_of"]

SAME = 1e-12
"""Difference of two lines, relative to their values, that is rounding."""


@dataclass(frozen=True)
class TimeLine:
    """value + slope (t - t0) for t0 <= t <= until."""

    value: float
    slope: float
    until: float = math.inf

    def __add__(self, other: TimeLine) -> TimeLine:
        return TimeLine(self.value + other.value, self.slope + other.slope, min(self.until, other.until))


def line_of(functions: np.ndarray, place: int, t0: float, what: str) -> TimeLine:
    """The line of a function of time from t0 on. what: the part, for the message if there is none."""
    found = TimeLine(0.0, 0.0)
    for term in function_terms(functions, place):
        found = found + (
            _of_harmonics(term, t0, what) if isinstance(term, HarmonicTerm) else _of_pieces(term, t0, what)
        )
    return found


def last_change(functions: np.ndarray, place: int) -> float:
    """Time from which on a function of time is a straight line; 0 if it always is one."""
    latest = 0.0
    for term in function_terms(functions, place):
        if isinstance(term, PieceTerm) and term.period == 0.0:
            inner = term.knots[-1] if not term.continued else term.knots[-2]
            latest = max(latest, float(inner) if len(term.knots) > 2 or not term.continued else 0.0)
    return latest


def _of_harmonics(term: HarmonicTerm, t0: float, what: str) -> TimeLine:
    if np.any(term.cos) or np.any(term.sin):
        raise NotATrain(f"{what} varies periodically with time. Use a constant value, or a Ramp with smooth=False")
    return TimeLine(term.constant + term.slope * t0, term.slope)


def _of_pieces(term: PieceTerm, t0: float, what: str) -> TimeLine:
    if term.period > 0.0:
        raise NotATrain(f"{what} varies periodically with time. Use a constant value, or a Ramp with smooth=False")
    knots, c = term.knots, np.pad(term.coefficients, ((0, 0), (0, max(0, 2 - term.coefficients.shape[1]))))
    if not term.continued and t0 >= knots[-1]:
        x = knots[-1] - knots[-2]
        return TimeLine(float(np.polyval(c[-1][::-1], x)), 0.0)
    if not term.continued and t0 < knots[0]:
        return _continued(TimeLine(float(c[0, 0]), 0.0, float(knots[0])), t0, knots, c, 0, term.continued)
    i = int(np.clip(np.searchsorted(knots, t0, side="right") - 1, 0, len(c) - 1))
    _check_straight(c[i], float(knots[i + 1] - knots[i]), what)
    line = TimeLine(float(c[i, 0] + c[i, 1] * (t0 - knots[i])), float(c[i, 1]), float(knots[i + 1]))
    return _continued(line, t0, knots, c, i + 1, term.continued)


def _continued(line: TimeLine, t0: float, knots: np.ndarray, c: np.ndarray, first: int, continues: bool) -> TimeLine:
    """The line as far as the following pieces continue it."""
    for i in range(first, len(c)):
        size = abs(line.value) + abs(line.slope) * max(knots[-1] - t0, 0.0) + abs(float(c[i, 0]))
        at_knot = line.value + line.slope * (knots[i] - t0)
        rise = np.abs(c[i, 2:]) * np.diff(knots)[i] ** np.arange(2, c.shape[1])
        slopes = abs(c[i, 1] - line.slope) * np.diff(knots)[i]
        if abs(c[i, 0] - at_knot) > SAME * size or slopes > SAME * size or np.any(rise > SAME * size):
            return TimeLine(line.value, line.slope, float(knots[i]))
    return TimeLine(line.value, line.slope, math.inf if continues or line.slope == 0.0 else float(knots[-1]))


def _check_straight(c: np.ndarray, width: float, what: str) -> None:
    size = np.abs(c) * width ** np.arange(len(c))
    if np.any(size[2:] > SAME * max(float(size.max()), 1e-300)):
        raise NotATrain(f"{what} is not a straight line over time. Use a constant value, or a Ramp with smooth=False")
