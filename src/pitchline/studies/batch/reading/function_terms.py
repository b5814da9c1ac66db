"""Functions of a compiled system as terms: harmonics on a straight line, and piecewise polynomials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....math.fields import Fields
from ....math.functions import HARMONICS, TERMS, Harmonics, Pieces, Terms

__all__ = ["HarmonicTerm", "PieceTerm", "function_terms"]


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
