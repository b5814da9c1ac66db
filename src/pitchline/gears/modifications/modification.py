"""Microgeometry: deviation of a flank from its involute helicoid, as a function of roll length and face coordinate.

A deviation is measured along the normal of the flank [m]; **positive adds material**. Modifications are added with +.
The roll length L is that of the transverse section (L = r_b ξ with the roll angle ξ), the face coordinate ζ runs along
the axis from −b/2 to b/2. (Terms as in ISO 21771:2007, 7, and ISO 1328-1:2013.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, shown
from ...units import quantity
from ..arrays import FloatArray, along

__all__ = [
    "RIDGE",
    "Breaks",
    "Deviation",
    "FlankRange",
    "Modification",
    "PitchDeviation",
    "SumOfModifications",
    "as_modification",
]


RIDGE = 1e-4
"""Smallest angle [rad] between two parts of a flank that counts as an edge: with twice as many cells, the pressure on an edge of
this angle increases by 2.5 MPa."""

Breaks = tuple[tuple[float, ...], tuple[float, ...]]
"""Roll lengths and face coordinates [m]."""


class Deviation(NamedTuple):
    """δ [m] and its derivatives ∂δ/∂L and ∂δ/∂ζ."""

    value: FloatArray
    by_length: FloatArray
    by_face: FloatArray


@dataclass(frozen=True)
class FlankRange:
    """Range of a flank: roll lengths [m] at form and tip (middle of the face), face width b [m].

    base_radius [m] converts diameters to roll lengths. sense is +1 for external teeth, −1 for internal teeth, whose tip
    has the smaller roll length.
    """

    base_radius: float
    form: float
    tip: float
    face_width: float
    sense: float

    @property
    def length(self) -> float:
        """|L_tip − L_form| [m]."""
        return abs(self.tip - self.form)

    @property
    def middle(self) -> float:
        """(L_form + L_tip)/2 [m]."""
        return 0.5 * (self.form + self.tip)

    def roll_length(self, diameter: float, what: str) -> float:
        """L = sqrt(d² − d_b²)/2 [m]; an error inside the base circle."""
        square = 0.25 * diameter**2 - self.base_radius**2
        if square < 0.0:
            raise ModelError(
                f"{what}: the diameter {1e3 * diameter:.8g} mm is inside the base circle "
                f"({2e3 * self.base_radius:.8g} mm). Specify a larger one",
                about=what,
            )
        return float(np.sqrt(square))

    def height(self, length: FloatArray) -> tuple[FloatArray, float]:
        """(L − L_middle)/(half length), +1 at the tip, −1 at the form line; and its derivative by L."""
        slope = 2.0 / (self.tip - self.form)
        return (length - self.middle) * slope, slope


class Modification(ABC):
    """Deviation of a flank from its ideal surface. Modifications can be added."""

    @abstractmethod
    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ(L, ζ) [m] with its derivatives, arrays of one shape."""

    def breaks(self, flank: FlankRange) -> Breaks:
        """Roll lengths and face coordinates [m] at which δ or its derivatives jump; none for a smooth modification."""
        return (), ()

    def __add__(self, other: Modification) -> Modification:
        if not isinstance(other, Modification):
            return NotImplemented
        return SumOfModifications((*_parts(self), *_parts(other)))


@dataclass(frozen=True)
class SumOfModifications(Modification):
    """Sum of several modifications of one flank; an empty sum does not change the flank."""

    parts: tuple[Modification, ...] = ()

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """The sum."""
        L, _ = along(length, face)
        total = [np.zeros_like(L) for _ in range(3)]
        for part in self.parts:
            for k, term in enumerate(part.deviation(flank, length, face)):
                total[k] = total[k] + term
        return Deviation(*total)

    def breaks(self, flank: FlankRange) -> Breaks:
        """Those of all parts."""
        found = [part.breaks(flank) for part in self.parts]
        return tuple(L for lengths, _ in found for L in lengths), tuple(z for _, faces in found for z in faces)


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class PitchDeviation(Modification):
    """Offset of the whole flank along its normal by an amount [m]: pitch deviation of one tooth."""

    amount: float

    def __init__(self, amount: object) -> None:
        object.__setattr__(self, "amount", quantity(amount, "length", what=Subject("pitch deviation") / "amount"))

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ = amount."""
        L, _ = along(length, face)
        zero = np.zeros_like(L)
        return Deviation(zero + self.amount, zero, zero)


def _parts(item: Modification) -> tuple[Modification, ...]:
    return item.parts if isinstance(item, SumOfModifications) else (item,)


def as_modification(value: object, what: str) -> Modification:
    """Convert a modification, a list or tuple of them, or None."""
    if value is None:
        return SumOfModifications()
    if isinstance(value, Modification):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(part, Modification) for part in value):
        return SumOfModifications(tuple(part for item in value for part in _parts(item)))
    raise ModelError(
        f"{what}: expected a modification such as TipRelief, or a list of them, got {shown(value)}", about=what
    )
