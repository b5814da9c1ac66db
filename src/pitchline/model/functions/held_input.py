"""HeldInput: a value that another program, or the user, sets during a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from .base import Array, Function
from .fourier import Constant

__all__ = ["ORDER", "HeldInput", "HeldIntegral", "polynomial_record"]

ORDER = 4
"""Number of coefficients of the polynomial that an input may become during a run."""


class HeldInput(Function):
    """Input of a run that is continued step by step (`analyses.stepper`). Until it is set it is constant.

    Its record in the table of functions has the size of a polynomial, and is not marked as constant: compiled code reads it at
    every step.
    """

    def __init__(self, value: float) -> None:
        self.value = float(value)

    def _values(self, t: Array) -> Array:
        return np.full_like(t, self.value)

    def derivative(self) -> Function:
        return Constant(0.0)

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        return HeldIntegral(self, value_at_t0, t0)

    def scaled(self, k: float) -> Function:
        raise TypeError(
            "an input of a stepper cannot be scaled"
        )  # no part of a model scales its functions when compiled

    def encode(self) -> Array:
        return polynomial_record(0.0, (self.value, 0.0, 0.0, 0.0))

    def describe(self) -> dict[str, Any]:
        return {"function": "input", "value": self.value}


class HeldIntegral(Function):
    """Integral of an input: the coordinate of a drive whose speed is the input."""

    def __init__(self, of: HeldInput, value_at_t0: float, t0: float) -> None:
        self.of, self.value_at_t0, self.t0 = of, float(value_at_t0), float(t0)

    def _values(self, t: Array) -> Array:
        return self.value_at_t0 + self.of.value * (t - self.t0)

    def derivative(self) -> Function:
        return self.of

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        raise TypeError("the coordinate of a drive is not integrated")

    def scaled(self, k: float) -> Function:
        raise TypeError("an input of a stepper cannot be scaled")

    def encode(self) -> Array:
        return polynomial_record(self.t0, (self.value_at_t0, self.of.value, 0.0, 0.0))

    def describe(self) -> dict[str, Any]:
        return {"function": "integral of an input", "value": self.of.value, "start": self.value_at_t0}


def polynomial_record(t0: float, coefficients: tuple[float, ...]) -> Array:
    """Record of c0 + c1 (t - t0) + ... for all times. Its size is the same for every polynomial."""
    from ...math.fields import packed  # late: numba takes long to import, and models do without it
    from ...math.functions import PIECES, Pieces

    given = {"knots": np.array([t0, t0 + 1.0]), "coefficients": np.array([coefficients])}
    return packed(Pieces, {"kind": PIECES, "continued": 1, **given})
