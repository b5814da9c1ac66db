"""Strips of cells between two flanks, and where they are kept: `strips` for callers in Python."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..gears.placement import Placement
from ..math.fields import packed
from .flank_gap import Position, position_of
from .flank_shape import FlankShape
from .strips import Cell, Strip, StripSearchRecord, find_strips

__all__ = ["RecordArray", "StripSearch"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
RecordArray = npt.NDArray[np.void]


class StripSearch:
    """Looks for strips in given slices of the face of gear A.

    Parameters
    ----------
    a, b, pose
        The flanks; pose of gear B in the axes in which A turns about z.
    zeta
        Of the slices [m].
    count, resolution, modulus
        Cells in a strip, and in Hertz's half width, which follows with E* [Pa].

    Attributes
    ----------
    strips, cells
        What was found last, with the fields of `Strip` and `Cell`; overwritten by the next call.
    slots : int
        Number of teeth for which there is memory.
    """

    def __init__(
        self, a: FlankShape, b: FlankShape, pose: Placement, zeta: FloatArray, *, count: int, resolution: float, modulus: float
    ) -> None:  # fmt: skip
        self._a, self._b = a.record, b.record
        self._zeta = np.ascontiguousarray(zeta, dtype=np.float64)
        self._count = count
        self._given = {"resolution": resolution, "modulus": modulus}
        self._position = position_of(pose, 0.0, 0.0)
        self._at = self._position.view(Position.dtype)[0]
        self._make_room(1)

    def _make_room(self, slots: int) -> None:
        size = slots * len(self._zeta)
        self.slots = slots
        self._strips, self._cells = np.zeros(size, Strip.dtype), np.zeros(size * self._count, Cell.dtype)
        self._teeth, self._stretch = np.zeros(slots, dtype=np.int64), np.zeros((slots, len(self._zeta)))
        self._nearest = np.zeros((slots, 4 * len(self._zeta)))
        arrays = {
            "zeta": self._zeta,
            "teeth": self._teeth,
            "stretch": self._stretch,
            "strips": self._strips,
            "cells": self._cells,
        }
        arrays["nearest"] = self._nearest
        self._record = packed(StripSearchRecord, {"count": self._count, **self._given, **arrays})
        self._where: tuple[float, float, tuple[int, ...]] | None = None
        self._search = self._record.view(StripSearchRecord.dtype)[0]
        self.strips, self.cells = self._strips[:0], self._cells[:0]

    def __call__(
        self, angle_a: float, angle_b: float, teeth: IntArray, *, reach: float, line_load: float = 1.0,
        stretch: FloatArray | None = None,
    ) -> float:  # fmt: skip
        """Strips of the teeth of A whose least gap [m] is within reach, the gears at their angles [rad]; returns the least gap of
        all, infinite where none of the teeth face each other.

        line_load [N/m]: that the height of cells is chosen for; stretch: (teeth, slices) by which cells are higher.
        """
        n, search = len(teeth), self._search
        if n > self.slots:
            self._make_room(n)
            search = self._search
        self._teeth[:n] = teeth
        self._stretch[:n] = 1.0 if stretch is None else stretch
        self._at["angle_a"], self._at["angle_b"] = angle_a, angle_b
        search["slots"], search["reach"], search["line_load"] = n, reach, line_load
        where = float(angle_a), float(angle_b), tuple(int(k) for k in teeth)
        if where != self._where:
            self._where = where
            search["known"] = -np.inf
        find_strips(self._a, self._b, self._position, self._record)
        self.strips, self.cells = self._strips[: search["found_strips"]], self._cells[: search["found_cells"]]
        return float(search["least"])
