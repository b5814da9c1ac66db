"""PhaseTable: cosine, sine and fraction of a cycle of order θ at the half steps of a launch, the same for all lanes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from .phase_text import TURN, Phases

__all__ = ["PhaseTable"]

LARGEST = 1 << 20
"""Numbers of a table [8 MB]."""
_SAME = 1e-13
"""Relative difference up to which an order is a ratio of whole numbers: orders are computed from such ratios."""


class PhaseTable:
    """Tables of the phases of a train for steps of a base cycle.

    period : base cycles after which all phases repeat, if the table of so many cycles is not too large; otherwise 0.
    most : base cycles in one launch.
    """

    def __init__(self, phases: Phases, steps: int) -> None:
        self._phases, self._steps = phases, steps
        self._orders = [_ratio(group.order) for group in phases.groups]
        self.width = max(len(phases.columns), 1)
        room = max(LARGEST // (2 * steps * self.width), 1)
        period = math.lcm(*(order.denominator for order in self._orders)) if self._orders else 1
        self.period = period if period <= room else 0
        self.most = room if not self.period else 0
        self._known: np.ndarray | None = None

    def of(self, first: int, cycles: int) -> tuple[np.ndarray, int, int]:
        """Table, column of the start of cycle `first` and column at which it starts again, each times the width."""
        if not self.period:
            return self._tabled(first, cycles), 0, (2 * self._steps * cycles + 2) * self.width
        if self._known is None:
            self._known = self._tabled(0, self.period)
        return (
            self._known,
            2 * self._steps * (first % self.period) * self.width,
            2 * self._steps * self.period * self.width,
        )

    def _tabled(self, first: int, cycles: int) -> np.ndarray:
        half = np.arange(2 * self._steps * cycles + 1)
        out = np.zeros((half.size, self.width))
        for (g, what), column in self._phases.columns.items():
            order = self._orders[g]
            start = order * first % 1
            turn: np.ndarray
            if order.denominator <= 1 << 20:  # whole numbers have no rounding errors
                size = 2 * self._steps * order.denominator
                turn = (half * (order.numerator % size) + round(start * size)) % size / size
            else:
                turn = half * (float(order) / (2 * self._steps)) + float(start)
                turn -= np.floor(turn)
            out[:, column] = turn if what == "turn" else np.cos(TURN * turn) if what == "cos" else np.sin(TURN * turn)
        return out.ravel()


def _ratio(order: float) -> Fraction:
    """The ratio of small whole numbers that an order is, or its exact value."""
    near = Fraction(order).limit_denominator(100_000)
    return near if abs(float(near) - order) <= _SAME * abs(order) else Fraction(order)
