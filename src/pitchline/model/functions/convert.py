"""as_function: whatever the user wrote for a value over time becomes a Function."""

from __future__ import annotations

from ...errors import ModelError, UnitError, shown
from ...units import canonical_unit, compatible, dimension_name, quantity
from .base import Function
from .fourier import Constant
from .sampled import Sampled

__all__ = ["as_function"]


def as_function(value: object, dimension: str | None, *, what: str) -> Function:
    """A number (SI), a text with a unit, a Function or a Python callable t -> value as a Function.

    A Function whose values were given as texts must fit the dimension; one of plain numbers is SI as it is.
    """
    if isinstance(value, Function):
        if dimension is not None and value.dimension is not None and not compatible(value.dimension, dimension):
            raise UnitError(
                f"{what}: expected values of {dimension} ({canonical_unit(dimension)}), "
                f"got a function of {dimension_name(value.dimension)}",
                about=what,
            )
        return value
    if isinstance(value, type):
        raise ModelError(f"{what}: {shown(value)} is a class; make a function of it, or give a number", about=what)
    if callable(value):
        return Sampled(value, what=what)
    if isinstance(value, str) and dimension is None:
        return Constant(value, what=what)
    return Constant(quantity(value, dimension, what=what))
