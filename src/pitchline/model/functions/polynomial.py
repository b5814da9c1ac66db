"""Polynomial: one polynomial in t for all times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import Subject
from ...units import array, dimension_of
from .base import Array, Function

__all__ = ["Polynomial"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Polynomial(Function):
    """f(t) = c_0 + c_1 t + c_2 t^2 + ...

    Parameters
    ----------
    coefficients
        Coefficients in SI, ascending powers of t [s].
    """

    coefficients: Array

    def __init__(self, coefficients: object) -> None:
        values = array(coefficients, None, what=Subject("Polynomial") / "coefficients")
        object.__setattr__(self, "coefficients", values)
        if isinstance(coefficients, (list, tuple)):
            object.__setattr__(self, "dimension", dimension_of(coefficients[0]))

    def _values(self, t: Array) -> Array:
        result = np.zeros_like(t)
        for c in self.coefficients[::-1]:
            result = result * t + c
        return result

    def derivative(self) -> Function:
        c = self.coefficients
        return Polynomial(c[1:] * np.arange(1, len(c))) if len(c) > 1 else Polynomial(np.zeros(1))

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        c = self.coefficients
        raised = np.concatenate([[0.0], c / np.arange(1, len(c) + 1)])
        raised[0] = value_at_t0 - Polynomial(raised)(t0)
        return Polynomial(raised)

    def scaled(self, k: float) -> Function:
        return Polynomial(k * self.coefficients)

    def encode(self) -> Array:
        from .fourier import FourierLine
        from .piecewise import PiecewisePolynomial

        if len(self.coefficients) <= 2:
            return FourierLine(*self.coefficients.tolist()).encode()
        return PiecewisePolynomial((0.0, 1.0), self.coefficients.reshape(1, -1), outside="continue").encode()

    def describe(self) -> dict[str, Any]:
        return {"function": "polynomial", "coefficients": self.coefficients.tolist()}
