"""Crownings, slopes and twist: smooth modifications over the whole flank.

h is +1 at the tip, −1 at the form circle, 0 between; w is +1 at the end of the face towards +z, −1 at the other.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import Subject
from ...units import quantity
from ..arrays import FloatArray, along
from .modification import Deviation, FlankRange, Modification

__all__ = ["Bias", "HelixSlope", "LeadCrowning", "PressureAngleSlope", "ProfileCrowning"]


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class _Smooth(Modification):
    amount: float

    _what = Subject("modification")

    def __init__(self, amount: object) -> None:
        object.__setattr__(self, "amount", quantity(amount, "length", what=self._what / "amount"))

    @abstractmethod
    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """δ/amount and its derivatives by h and w."""

    def deviation(self, flank: FlankRange, length: npt.ArrayLike, face: npt.ArrayLike) -> Deviation:
        """δ of the modification."""
        L, z = along(length, face)
        h, rate = flank.height(L)
        w, across = 2.0 * z / flank.face_width, 2.0 / flank.face_width
        value, by_h, by_w = self._terms(h, w)
        zero = np.zeros_like(L)
        return Deviation(
            self.amount * value + zero, self.amount * rate * by_h + zero, self.amount * across * by_w + zero
        )


@dataclass(frozen=True, init=False)
class ProfileCrowning(_Smooth):
    """C_α = `amount` [m]: δ = −C_α h², a parabola over the profile, zero in its middle."""

    _what = Subject("profile crowning")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return -h * h, -2.0 * h, np.zeros_like(w)


@dataclass(frozen=True, init=False)
class LeadCrowning(_Smooth):
    """C_β = `amount` [m]: δ = −C_β w², a parabola over the face, zero in its middle."""

    _what = Subject("lead crowning")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return -w * w, np.zeros_like(h), -2.0 * w


@dataclass(frozen=True, init=False)
class PressureAngleSlope(_Smooth):
    """f_Hα = `amount` [m] from form circle to tip: δ = f h/2; positive adds material at the tip."""

    _what = Subject("pressure angle slope")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return 0.5 * h, np.full_like(h, 0.5), np.zeros_like(w)


@dataclass(frozen=True, init=False)
class HelixSlope(_Smooth):
    """f_Hβ = `amount` [m] over the face: δ = f w/2; positive adds material at the end towards +z."""

    _what = Subject("helix slope")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return 0.5 * w, np.zeros_like(h), np.full_like(w, 0.5)


@dataclass(frozen=True, init=False)
class Bias(_Smooth):
    """A twisted flank, S = `amount` [m] at its corners: δ = S h w; positive adds material at tip and +z together."""

    _what = Subject("bias")

    def _terms(self, h: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return h * w, w, h
