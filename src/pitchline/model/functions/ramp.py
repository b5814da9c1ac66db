"""Ramp: transition from one value to another, linear or smooth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ...units import quantity
from .base import SMALLEST_STEP, Array, Function, ValueReader
from .piecewise import PiecewisePolynomial

__all__ = ["PiecewiseBased", "Ramp"]


@names_wrong_arguments
class PiecewiseBased(Function):
    """Function for users that is evaluated by its piecewise polynomial."""

    _pieces: PiecewisePolynomial

    def _values(self, t: Array) -> Array:
        return self._pieces._values(t)

    def derivative(self) -> Function:
        return self._pieces.derivative()

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        return self._pieces.integral(value_at_t0, t0)

    def scaled(self, k: float) -> Function:
        return self._pieces.scaled(k)

    def resolved(self, t0: float, t1: float) -> Function:
        self._pieces.resolved(t0, t1)
        return self

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> Array:
        return self._pieces.breakpoints(t0, t1, order=order)

    def encode(self) -> Array:
        return self._pieces.encode()


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Ramp(PiecewiseBased):
    """Transition from `start` at t0 to `end` at t1; constant before and after.

    With s = (t - t0) / (t1 - t0) and D = end - start:

        smooth:     f = start + D (10 s^3 - 15 s^4 + 6 s^5)    (two continuous derivatives)
        not smooth: f = start + D s

    Parameters
    ----------
    start, end
        Values in SI, or texts with a unit.
    t0, t1
        Times [s] or texts with a unit; t0 < t1. Default 0 and 1 s.
    smooth
        Whether the transition is smooth, see the formulas above. Default True.
    """

    start: float
    end: float
    t0: float
    t1: float
    smooth: bool

    def __init__(self, start: object, end: object, t0: object = 0.0, t1: object = 1.0, smooth: bool = True) -> None:
        read = ValueReader("Ramp")
        object.__setattr__(self, "start", read(start, "start"))
        object.__setattr__(self, "end", read(end, "end"))
        object.__setattr__(self, "t0", quantity(t0, "time", what=read.what / "t0"))
        object.__setattr__(self, "t1", quantity(t1, "time", what=read.what / "t1"))
        object.__setattr__(self, "smooth", smooth)
        object.__setattr__(self, "dimension", read.dimension)
        if not isinstance(smooth, bool):
            raise ModelError(f"Ramp: smooth must be True or False, got {shown(smooth)}", about=read.what.at("smooth"))
        if self.t1 - self.t0 < SMALLEST_STEP:
            raise ModelError(
                f"Ramp: t0 must be less than t1, got t0 = {self.t0:g} s and t1 = {self.t1:g} s",
                about=read.what.at("t0"),
            )
        h, rise = self.t1 - self.t0, self.end - self.start
        if smooth:
            c = [self.start, 0.0, 0.0, 10 * rise / h**3, -15 * rise / h**4, 6 * rise / h**5]
        else:
            c = [self.start, rise / h]
        pieces = PiecewisePolynomial(np.array([self.t0, self.t1]), np.array([c]), what="Ramp")
        object.__setattr__(self, "_pieces", pieces)

    def scaled(self, k: float) -> Ramp:
        return Ramp(k * self.start, k * self.end, self.t0, self.t1, self.smooth)

    def describe(self) -> dict[str, Any]:
        return {
            "function": "ramp",
            "start": self.start,
            "end": self.end,
            "t0": self.t0,
            "t1": self.t1,
            "smooth": self.smooth,
        }
