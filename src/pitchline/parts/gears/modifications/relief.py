"""Reliefs: material removed towards tip, root or the ends of the face, from a starting line.

With the distance e beyond the starting line and the length ℓ from there to the edge of the flank, an amount C gives

    linear  δ = −C e/ℓ ,     parabolic  δ = −C (e/ℓ)² ,     zero before the starting line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, shown

from ..geometry.inputs import at_most_one, in_mm, positive, size
from ..geometry.involute import along
from .deviations import Breaks, Deviation, FlankRange, Modification

__all__ = ["EndRelief", "RootRelief", "TipRelief"]

_POWERS = {"linear": 1, "parabolic": 2}


def _shape(value: object, what: Subject) -> str:
    if value not in _POWERS:
        raise ModelError(f'{what}: shape must be "linear" or "parabolic", got {shown(value)}', about=what.at("shape"))
    return str(value)


def _relief(beyond: FloatArray, reach: float, amount: float, shape: str) -> tuple[FloatArray, FloatArray]:
    """δ and dδ/de of a relief, e = beyond, ℓ = reach."""
    e = np.maximum(beyond, 0.0) / reach
    if _POWERS[shape] == 1:
        return -amount * e, np.where(beyond > 0.0, -amount / reach, 0.0)
    return -amount * e * e, -2.0 * amount * e / reach


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class _ProfileRelief(Modification):
    amount: float
    diameter: float | None
    roll_length: float | None
    length: float | None
    shape: str

    _what = Subject("relief")
    _towards_tip = True

    def __init__(
        self,
        amount: object,
        *,
        diameter: object = None,
        roll_length: object = None,
        length: object = None,
        shape: str = "linear",
    ) -> None:
        what = self._what
        object.__setattr__(self, "amount", size(amount, "length", what / "amount"))
        if at_most_one(what, diameter=diameter, roll_length=roll_length, length=length) is None:
            raise ModelError(
                f"{what}: the start is missing. Specify diameter or roll_length of the starting line, or the length of "
                "roll that is relieved",
                about=what,
            )
        for name, value in (("diameter", diameter), ("roll_length", roll_length), ("length", length)):
            object.__setattr__(self, name, None if value is None else positive(value, "length", what / name))
        object.__setattr__(self, "shape", _shape(shape, what))

    def start(self, flank: FlankRange) -> float:
        """L [m] of the starting line."""
        edge = flank.tip if self._towards_tip else flank.form
        inward = np.sign(flank.middle - edge)
        if self.diameter is not None:
            begin = flank.roll_length(self.diameter, self._what)
        elif self.roll_length is not None:
            begin = self.roll_length
        else:
            begin = edge + float(inward) * (self.length or 0.0)
        low, high = sorted((flank.form, flank.tip))
        if not low <= begin <= high or begin == edge:
            raise ModelError(
                f"{self._what}: begins at the roll length {in_mm(begin)}, but the flank extends from {in_mm(low)} to "
                f"{in_mm(high)}. Start it between these values"
            )
        return begin

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ of the relief."""
        L, _ = along(length, face)
        begin = self.start(flank)
        edge = flank.tip if self._towards_tip else flank.form
        sign = 1.0 if edge > begin else -1.0
        value, slope = _relief(sign * (L - begin), abs(edge - begin), self.amount, self.shape)
        return Deviation(value, sign * slope, np.zeros_like(L))

    def breaks(self, flank: FlankRange) -> Breaks:
        """The starting line."""
        return (self.start(flank),), ()


@dataclass(frozen=True, init=False)
class TipRelief(_ProfileRelief):
    """Tip relief: C_αa = `amount` [m] on the tip circle, zero below the starting line.

    Specify one of `diameter` d_Ca, `roll_length` L_Ca of the starting line, or the `length` of roll from there to the tip
    [m]. shape: "linear" or "parabolic".
    """

    _what = Subject("tip relief")
    _towards_tip = True


@dataclass(frozen=True, init=False)
class RootRelief(_ProfileRelief):
    """Root relief: C_αf = `amount` [m] on the form circle, zero above the starting line.

    Specify one of `diameter` d_Cf, `roll_length` L_Cf of the starting line, or the `length` of roll from there to the form
    circle [m]. shape: "linear" or "parabolic".
    """

    _what = Subject("root relief")
    _towards_tip = False


_END = Subject("end relief")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class EndRelief(Modification):
    """End relief: `amount` [m] at the end of the face, over `length` [m] along the axis.

    end: "both", "upper" (towards +z) or "lower" (towards −z). shape: "linear" or "parabolic".
    """

    amount: float
    length: float
    end: str
    shape: str

    def __init__(self, amount: object, *, length: object, end: str = "both", shape: str = "linear") -> None:
        object.__setattr__(self, "amount", size(amount, "length", _END / "amount"))
        object.__setattr__(self, "length", positive(length, "length", _END / "length"))
        if end not in ("both", "upper", "lower"):
            raise ModelError(
                f'end relief: end must be "both", "upper" or "lower", got {shown(end)}', about=_END.at("end")
            )
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "shape", _shape(shape, _END))

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ of the relief."""
        _, z = along(length, face)
        if self.length > flank.face_width:
            raise ModelError(
                f"end relief: {in_mm(self.length)} is longer than the face width of {in_mm(flank.face_width)}. Make it shorter"
            )
        value, slope = np.zeros_like(z), np.zeros_like(z)
        begin = 0.5 * flank.face_width - self.length
        for sign, name in ((1.0, "upper"), (-1.0, "lower")):
            if self.end in ("both", name):
                part, rate = _relief(sign * z - begin, self.length, self.amount, self.shape)
                value, slope = value + part, slope + sign * rate
        return Deviation(value, np.zeros_like(z), slope)

    def breaks(self, flank: FlankRange) -> Breaks:
        """The starting lines."""
        begin = 0.5 * flank.face_width - self.length
        return (), tuple(sign * begin for sign, name in ((1.0, "upper"), (-1.0, "lower")) if self.end in ("both", name))
