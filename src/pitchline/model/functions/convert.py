"""as_function: conversion of a value over time to a Function."""

from __future__ import annotations

from ...errors import ModelError, UnitError, shown
from ...units import canonical_unit, compatible, dimension_name, quantity
from .base import Function
from .fourier import Constant
from .sampled import Sampled

__all__ = ["as_function"]


def as_function(value: object, dimension: str | None, *, what: str) -> Function:
    """Convert a number (SI), a text with a unit, a Function or a Python callable t -> value to a Function.

    If the values of a Function were given as texts, they must have the right dimension. Plain numbers are in SI.
    """
    if isinstance(value, Function):
        if dimension is not None and value.dimension is not None and not compatible(value.dimension, dimension):
            raise UnitError(
                f"{what}: expected values of {dimension} ({canonical_unit(dimension)}), "
                f"got a function of {dimension_name(value.dimension)}",
                about=what,
            )
        return value
    if hasattr(value, "signals"):
        raise ModelError(
            f"{what}: an expression over signals is not possible here; specify a number or a function of time",
            about=what,
        )
    if isinstance(value, type):
        raise ModelError(
            f"{what}: {shown(value)} is a class; create an instance of it, or specify a number", about=what
        )
    if callable(value):
        return Sampled(value, what=what)
    if isinstance(value, str) and dimension is None:
        return Constant(value, what=what)
    return Constant(quantity(value, dimension, what=what))
