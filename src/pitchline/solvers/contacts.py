"""Rows that open and close: rigid teeth with backlash, rigid stops.

A contact is a row and a side: 1 for the drive flank or the upper limit, -1 for the other. Its penetration and its approach
speed are the row and its rate times the side. Positive means towards the other part.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from ..elements.contract import Element
from ..system.matrix import Evaluator
from ..system.system import State, System

CLOSED = 1e-9
"""Largest gap of a closed contact, in radians or as a fraction of the length of the model."""
TOUCH = 1e-12
"""Distance at which two parts are in contact, in radians or as a fraction of the length of the model."""


class ContactSide(NamedTuple):
    """One side of a row that opens and closes."""

    row: int
    """Index of its multiplier."""
    side: int


class ContactRows:
    """Rows of a system that can be opened and closed."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.elements: dict[int, int] = {}
        """Element of every row."""
        for e, element in enumerate(system.elements[: system.active]):
            if element.apart is not None:
                rows = [int(system.lam0[e]) + i for i in element.opening_rows]
                self.elements |= {row: e for row in rows if system.layout.equation[row] >= 0}

    @property
    def rows(self) -> list[int]:
        return list(self.elements)

    def element(self, row: int) -> Element:
        return self.system.elements[self.elements[row]]

    @contextmanager
    def held_apart(self, rows: list[int]) -> Iterator[None]:
        """Within the context these rows stay open, at any position."""
        s = self.system
        spans = [
            (slice(s.parameter0[e], s.parameter0[e] + s.elements[e].parameters.size), s.elements[e].apart)
            for e in {self.elements[row] for row in rows}
        ]
        kept = [s.parameters[span].copy() for span, _ in spans]
        for span, apart in spans:
            s.parameters[span] = apart
        try:
            yield
        finally:
            for (span, _), values in zip(spans, kept, strict=True):
                s.parameters[span] = values

    def closing(self, contacts: list[ContactSide]) -> np.ndarray:
        """Multipliers with which these contacts are closed at any position, and zeros."""
        lam = np.zeros(max(self.system.n_lam, 1))
        for c in contacts:
            lam[c.row] = c.side * self.element(c.row).closing_force
        return lam

    def penetrations(self, state: State, contacts: list[ContactSide], evaluator: Evaluator) -> np.ndarray:
        """Penetration of each contact, in radians or as a fraction of the length of the model. Negative: a gap."""
        found = np.zeros(len(contacts))
        for side in (1, -1):
            mine = [i for i, c in enumerate(contacts) if c.side == side]
            if not mine:
                continue
            evaluator.place(state, moving=False, lam=self.closing([contacts[i] for i in mine]))
            for i in mine:
                e = self.elements[contacts[i].row]
                k = contacts[i].row - int(self.system.lam0[e])
                size = 1.0 if self.system.elements[e].rows[k] == "r" else self.system.length
                found[i] = side * evaluator.element_rows(e)[0][k] / size
        return found

    def speeds(self, state: State, contacts: list[ContactSide], evaluator: Evaluator) -> np.ndarray:
        """Approach speed of each contact, in the scale of the equations."""
        found = np.zeros(len(contacts))
        if not contacts:
            return found
        moved = state.copy()
        for side in (1, -1):
            mine = [i for i, c in enumerate(contacts) if c.side == side]
            if mine:
                moved.lam[:] = self.closing([contacts[i] for i in mine])
                rates = evaluator.rates(moved)
                for i in mine:
                    found[i] = side * rates[self.equation(contacts[i]) - self.system.n_q]
        return found

    def equation(self, contact: ContactSide) -> int:
        return int(self.system.layout.equation[contact.row])
