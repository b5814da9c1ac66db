"""How one sector is repeated to a whole gear: turned by a pitch about the axis, or shifted by a pitch along a rack."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..gears.gear import Gear
from ..gears.rack import Rack
from ..gears.teeth.arrays import FloatArray, IntArray
from .solid_grid import SolidGrid

__all__ = ["RepeatedGrid", "Repetition", "sector_count"]

_LEAST = 16
"""Sectors of a rack: so many that what is done to a tooth has no effect on its repetition."""


@dataclass(frozen=True)
class Repetition:
    """From a sector to the next one, and the number of sectors after which they repeat.

    angle: about z [rad]. travel: along y [m], of a rack.
    """

    count: int
    angle: float
    travel: float = 0.0

    @classmethod
    def of(cls, gear: Gear | Rack, reach: int = 0) -> Repetition:
        """Of a gear or a rack. reach: number of neighbour teeth on each side to which compliance is needed."""
        if isinstance(gear, Rack):
            return cls(sector_count(gear, reach), 0.0, gear.transverse_pitch)
        return cls(gear.teeth, 2.0 * math.pi / gear.teeth)

    @property
    def turn(self) -> FloatArray:
        """(3, 3) from a sector to the next one."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    @property
    def shift(self) -> FloatArray:
        """(3,) from a sector to the next one [m]."""
        return np.array([0.0, self.travel, 0.0])

    @property
    def straight(self) -> bool:
        """Whether it is that of a rack."""
        return self.travel != 0.0


def sector_count(gear: Gear | Rack, reach: int = 0) -> int:
    """Number of sectors that repeat: the teeth of a gear.

    A rack is computed as if it repeated after so many teeth: after its own number, but not after fewer than 16, nor than its
    compliance reaches.
    """
    return max(gear.teeth, _LEAST, 4 * reach + 2) if isinstance(gear, Rack) else gear.teeth


class RepeatedGrid(Protocol):
    """The grid of one sector of a gear or a rack."""

    @property
    def solid(self) -> SolidGrid:
        """Nodes and elements."""

    @property
    def low_side(self) -> IntArray:
        """Nodes of one side ..."""

    @property
    def high_side(self) -> IntArray:
        """... and of the other one, in the same order."""

    @property
    def bore(self) -> IntArray:
        """Nodes of the bore, or of the back of a rack."""

    @property
    def repetition(self) -> Repetition:
        """From a sector to the next one."""
