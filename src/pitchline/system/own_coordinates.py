"""Coordinates of elements, and their positions in the state."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..elements.contract import Coordinates, Element, ElementKind


@dataclass(frozen=True)
class Group:
    """Coordinates with one name of one element."""

    element: int
    what: Coordinates
    first: int
    """Index of the first one, among the open or among the condensed coordinates."""
    count: int


class OwnCoordinates:
    """Open coordinates of all elements, after those of the nodes, and condensed coordinates.

    elements: their kinds, and the numbers of their coordinates in the order of the kind. first: number of coordinates of the nodes.
    opened: condensed coordinates are also open."""

    def __init__(self, elements: Sequence[tuple[ElementKind, tuple[int, ...]]], *, first: int, opened: bool) -> None:
        self.first = first
        self.open: list[Group] = []
        self.condensed: list[Group] = []
        self.first_of = np.zeros(len(elements), np.int64)
        """First open coordinate of each element, among all coordinates."""
        self.count_of = np.zeros(len(elements), np.int64)
        self.count = self.condensed_count = 0
        for i, (kind, counts) in enumerate(elements):
            self.first_of[i] = first + self.count
            # in the local block open coordinates come before condensed ones
            for c, n in sorted(zip(kind.coordinates, counts, strict=True), key=lambda item: item[0].condensed):
                if c.condensed and not opened:
                    self.condensed.append(Group(i, c, self.condensed_count, n))
                    self.condensed_count += n
                else:
                    self.open.append(Group(i, c, self.count, n))
                    self.count += n
                    self.count_of[i] += n

    @cached_property
    def typical(self) -> np.ndarray:
        """Typical magnitude of each open coordinate."""
        return np.concatenate([np.full(g.count, g.what.typical) for g in self.open] + [np.zeros(0)])

    @cached_property
    def first_order(self) -> np.ndarray:
        """Indices of open coordinates without a mass, among all coordinates."""
        parts = [self.first + g.first + np.arange(g.count) for g in self.open if g.what.order == 1]
        return np.concatenate([*parts, np.zeros(0)]).astype(np.int64)

    def with_mass(self, elements: list[Element]) -> list[tuple[str, slice]]:
        """Names, by element and coordinate, and slices among all coordinates, of open coordinates of order 2."""
        first = self.first
        return [
            (f"{elements[g.element].name}.{g.what.name}", slice(first + g.first, first + g.first + g.count))
            for g in self.open
            if g.what.order == 2 and g.count
        ]

    def owner(self, coordinate: int) -> int:
        """Element of a coordinate."""
        at = coordinate - self.first
        return next(g.element for g in self.open if g.first <= at < g.first + g.count)
