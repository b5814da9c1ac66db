"""Sum of functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import names_wrong_arguments
from ...errors import ModelError, Subject, UnitError, shown
from ...units import dimension_name
from .base import Array, Function

__all__ = ["Sum"]


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
        from .convert import as_function

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

    def _values(self, t: Array) -> Array:
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

    def breakpoints(self, t0: float, t1: float, *, order: int = 1) -> Array:
        return np.unique(np.concatenate([term.breakpoints(t0, t1, order=order) for term in self.terms]))

    def encode(self) -> Array:
        from ...math.fields import packed  # late: numba takes long to import, and models do without it
        from ...math.functions import TERMS, Terms

        codes = [term.encode() for term in self._single_terms()]
        first = Terms.size + len(codes)
        places = first + np.concatenate([[0], np.cumsum([len(code) for code in codes])[:-1]])
        return np.concatenate([packed(Terms, {"kind": TERMS, "places": places}), *codes])

    def _single_terms(self) -> list[Function]:
        """Terms without nested sums, because compiled code does not support sums of sums."""
        return [one for term in self.terms for one in (term._single_terms() if isinstance(term, Sum) else [term])]

    def describe(self) -> dict[str, Any]:
        return {"function": "sum", "terms": [term.describe() for term in self.terms]}
