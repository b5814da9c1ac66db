"""Reference case: numbers from a source, and the function that computes the same numbers with pitchline."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

__all__ = ["CLOSED_FORM", "INDEPENDENT", "OTHER_CODE", "PUBLISHED", "Case", "Subject", "Value", "listed"]

PUBLISHED = "published"
CLOSED_FORM = "closed form"
OTHER_CODE = "other program"
INDEPENDENT = "independent solution"
"""Where a reference number comes from."""


@dataclass(frozen=True)
class Value:
    """One number: its name, unit, the reference and the number of pitchline."""

    quantity: str
    unit: str
    reference: float
    ours: float

    @property
    def difference(self) -> float:
        """Relative difference; absolute if the reference is zero."""
        return abs(self.ours - self.reference) / (abs(self.reference) or 1.0)


@dataclass(frozen=True)
class Case:
    """Reference case."""

    key: str
    title: str
    source: str
    kind: str
    compute: Callable[[], list[Value]]
    reason: str = ""
    """Cause of differences above rounding."""
    table_only: bool = False
    """Not run again by the tests: it takes long, or it is chaotic and depends on rounding."""
    shown: int = 6
    """Most values in the table; the largest difference of all values is in the table in any case."""
    only: tuple[str, ...] = ()
    """Quantities in the table; by default they are evenly spread over all."""


@dataclass(frozen=True)
class Subject:
    """Cases that stand together in the table."""

    title: str
    cases: list[Case]


def listed(name: str, unit: str, references: Iterable[float], ours: Iterable[float]) -> list[Value]:
    """Values of a list, numbered from 1."""
    pairs = zip(np.ravel(list(references)), np.ravel(list(ours)), strict=True)
    return [Value(f"{name} {i}", unit, float(a), float(b)) for i, (a, b) in enumerate(pairs, 1)]
