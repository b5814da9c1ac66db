"""Contact laws of rolling bearings over six deflections: energy V(e), its gradient and its second derivative.

e: displacement of the inner ring in axes of the outer ring [m], tilts about x and y [rad], and rotation about z [rad], which
moves the cage. A law sums rows of rolling elements at the angles φ = phase + 2π j/Z + ν e_6. ν is the ratio of cage speed to
the relative speed of the rings. All functions also accept complex deflections, so that derivatives can be checked by the
complex step.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

__all__ = ["ContactLaw", "ContactState", "RowPlace"]

Array = np.ndarray[Any, Any]


class RowPlace(NamedTuple):
    """Position of a row of rolling elements."""

    direction: float = 1.0  # of the axial force on the inner ring that its contact angle supports: +1 or -1 along z
    position: float = 0.0  # along z, m
    phase: float = 0.0  # angle of its first rolling element from x, rad


class ContactState(NamedTuple):
    """Bearing at a deflection. Arrays have one row for each row of the bearing and one column for each rolling element."""

    energy: Any
    force: Array  # (6,) gradient of the energy: force of the inner ring on the bearing, N and N m
    stiffness: Array  # (6, 6)
    loads: Array  # of each rolling element, N; several positions for each if the stiffness is distributed evenly
    angles: Array  # contact angles [rad], positive towards +z
    pressures: Array  # largest of each rolling element, Pa


@dataclasses.dataclass(frozen=True, eq=False)
class ContactLaw(ABC):
    """Base class of the contact laws of balls and rollers."""

    rolling: ClassVar[str]
    rows: tuple[RowPlace, ...]
    elements: int  # in a row
    cage_ratio: float  # ν; 0: the cage does not move
    flange: FlangeLaw
    lever: float  # R, half the pitch diameter
    times: int  # number of its elements that represent one rolling element, if the stiffness is distributed evenly

    def waves(self, e: Array) -> tuple[Array, Array]:
        """Cosine and sine of the angles of all rolling elements."""
        phases = np.array([row.phase for row in self.rows])[:, None]
        angle = phases + 2.0 * np.pi * np.arange(self.elements) / self.elements + self.cage_ratio * e[5]
        return np.cos(angle), np.sin(angle)

    @abstractmethod
    def at(self, e: Array) -> ContactState:
        """State of the bearing at six deflections."""

    def flipped(self) -> Self:
        """Return the bearing reversed along z."""
        rows = tuple(RowPlace(-row.direction, -row.position, row.phase) for row in self.rows)
        flange = FlangeLaw(self.flange.stiffness, self.flange.gap_down, self.flange.gap_up)
        return dataclasses.replace(self, rows=rows, flange=flange)


class FlangeLaw(NamedTuple):
    """Flanges of a cylindrical roller bearing: an axial stiffness beyond a gap, in each direction."""

    stiffness: float = 0.0
    gap_up: float = np.inf  # towards +z
    gap_down: float = np.inf

    def at(self, z: Any) -> tuple[Any, Any, float]:
        """Energy, force and stiffness."""
        up, down = z - self.gap_up, z + self.gap_down
        x = up if np.real(up) > 0.0 else down if np.real(down) < 0.0 else 0.0 * z
        return 0.5 * self.stiffness * x * x, self.stiffness * x, self.stiffness if np.real(x) != 0.0 else 0.0
