"""Functions of time: polynomials, sums of functions, and inputs that are constant within a step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, Subject, UnitError, shown
from pitchline.units.quantity import array, dimension_name, dimension_of

from .piecewise import Constant, Function

__all__ = ["ORDER", "HeldInput", "HeldIntegral", "polynomial_record", "Polynomial", "Sum"]


# ---- held input

# HeldInput: a value that another program, or the user, sets during a run.

ORDER = 4
"""Number of coefficients of the polynomial that an input may become during a run."""


class HeldInput(Function):
    """Input of a run that is continued step by step (`analyses.stepper`). Until it is set it is constant.

    Its record in the table of functions has the size of a polynomial, and is not marked as constant: compiled code reads it at
    every step.
    """

    def __init__(self, value: float) -> None:
        self.value = float(value)

    def _values(self, t: FloatArray) -> FloatArray:
        return np.full_like(t, self.value)

    def derivative(self) -> Function:
        return Constant(0.0)

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        return HeldIntegral(self, value_at_t0, t0)

    def scaled(self, k: float) -> Function:
        raise TypeError(
            "an input of a stepper cannot be scaled"
        )  # no part of a model scales its functions when compiled

    def encode(self) -> FloatArray:
        return polynomial_record(0.0, (self.value, 0.0, 0.0, 0.0))

    def describe(self) -> dict[str, Any]:
        return {"function": "input", "value": self.value}


class HeldIntegral(Function):
    """Integral of an input: the coordinate of a drive whose speed is the input."""

    def __init__(self, of: HeldInput, value_at_t0: float, t0: float) -> None:
        self.of, self.value_at_t0, self.t0 = of, float(value_at_t0), float(t0)

    def _values(self, t: FloatArray) -> FloatArray:
        return self.value_at_t0 + self.of.value * (t - self.t0)

    def derivative(self) -> Function:
        return self.of

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        raise TypeError("the coordinate of a drive is not integrated")

    def scaled(self, k: float) -> Function:
        raise TypeError("an input of a stepper cannot be scaled")

    def encode(self) -> FloatArray:
        return polynomial_record(self.t0, (self.value_at_t0, self.of.value, 0.0, 0.0))

    def describe(self) -> dict[str, Any]:
        return {"function": "integral of an input", "value": self.of.value, "start": self.value_at_t0}


def polynomial_record(t0: float, coefficients: tuple[float, ...]) -> FloatArray:
    """Record of c0 + c1 (t - t0) + ... for all times. Its size is the same for every polynomial."""
    from pitchline.numerics.fields import packed  # late: numba takes long to import, and models do without it
    from pitchline.numerics.functions import PIECES, Pieces

    given = {"knots": np.array([t0, t0 + 1.0]), "coefficients": np.array([coefficients])}
    return packed(Pieces, {"kind": PIECES, "continued": 1, **given})


# ---- polynomial

# Polynomial: one polynomial in t for all times.


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Polynomial(Function):
    """f(t) = c_0 + c_1 t + c_2 t^2 + ...

    Parameters
    ----------
    coefficients
        Coefficients in SI, ascending powers of t [s].
    """

    coefficients: FloatArray

    def __init__(self, coefficients: object) -> None:
        values = array(coefficients, None, what=Subject("Polynomial") / "coefficients")
        object.__setattr__(self, "coefficients", values)
        if isinstance(coefficients, (list, tuple)):
            object.__setattr__(self, "dimension", dimension_of(coefficients[0]))

    def _values(self, t: FloatArray) -> FloatArray:
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

    def encode(self) -> FloatArray:
        from .piecewise import FourierLine, PiecewisePolynomial

        if len(self.coefficients) <= 2:
            return FourierLine(*self.coefficients.tolist()).encode()
        return PiecewisePolynomial((0.0, 1.0), self.coefficients.reshape(1, -1), outside="continue").encode()

    def describe(self) -> dict[str, Any]:
        return {"function": "polynomial", "coefficients": self.coefficients.tolist()}


@names_wrong_arguments
@dataclass(frozen=True, eq=False, init=False)
class Sum(Function):
    """f(t) = f_1(t) + f_2(t) + ...

    Parameters
    ----------
    terms
        Functions or numbers.
    """

    terms: tuple[Function, ...]

    def __init__(self, terms: object) -> None:
        from .sampled import as_function

        what = Subject("Sum")
        if not isinstance(terms, (list, tuple)) or not terms:
            raise ModelError(f"Sum: expected a list of functions, got {shown(terms)}", about=what.at("terms"))
        made = tuple(as_function(term, None, what=what / "terms" / i) for i, term in enumerate(terms))
        known = [term.dimension for term in made if term.dimension is not None]
        for dimension in known[1:]:
            if dimension[:-1] != known[0][:-1]:
                raise UnitError(
                    f"Sum: cannot add {dimension_name(known[0])} and {dimension_name(dimension)}",
                    about=what.at("terms"),
                )
        object.__setattr__(self, "terms", made)
        object.__setattr__(self, "dimension", known[0] if known else None)

    def _values(self, t: FloatArray) -> FloatArray:
        result = np.zeros_like(t)
        for term in self.terms:
            result = result + term._values(t)
        return result

    def derivative(self) -> Function:
        return Sum(tuple(term.derivative() for term in self.terms))

    def integral(self, value_at_t0: float, t0: float = 0.0) -> Function:
        first, *others = self.terms
        return Sum((first.integral(value_at_t0, t0), *(term.integral(0.0, t0) for term in others)))

    def scaled(self, k: float) -> Function:
        return Sum(tuple(term.scaled(k) for term in self.terms))

    def resolved(self, t0: float, t1: float) -> Function:
        terms = tuple(term.resolved(t0, t1) for term in self.terms)
        same = all(new is old for new, old in zip(terms, self.terms, strict=True))
        return self if same else Sum(terms)

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> FloatArray:
        return np.unique(np.concatenate([term.breakpoints(t0, t1, order=order) for term in self.terms]))

    def encode(self) -> FloatArray:
        from pitchline.numerics.fields import packed  # late: numba takes long to import, and models do without it
        from pitchline.numerics.functions import TERMS, Terms

        codes = [term.encode() for term in self._single_terms()]
        first = Terms.size + len(codes)
        places = first + np.concatenate([[0], np.cumsum([len(code) for code in codes])[:-1]])
        return np.concatenate([packed(Terms, {"kind": TERMS, "places": places}), *codes])

    def _single_terms(self) -> list[Function]:
        """Terms without nested sums, because compiled code does not support sums of sums."""
        return [one for term in self.terms for one in (term._single_terms() if isinstance(term, Sum) else [term])]

    def describe(self) -> dict[str, Any]:
        return {"function": "sum", "terms": [term.describe() for term in self.terms]}
