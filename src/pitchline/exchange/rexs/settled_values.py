"""Constant and final values of functions of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.functions import Constant, PiecewisePolynomial, Ramp, Sum, Table

__all__ = ["constants", "settled_value", "settled_values"]


def constants(components: Any) -> np.ndarray | None:
    """Values of components that do not depend on time; None if one does."""
    if not all(isinstance(one, Constant) for one in components):
        return None
    return np.array([one.value for one in components], dtype=float)


def settled_value(function: object) -> float | None:
    """Value that a function of time keeps in the end: of a constant, a ramp, a table that ends; None for others."""
    if isinstance(function, Constant):
        return float(function.value)
    if isinstance(function, Ramp):
        return float(function.end)
    if isinstance(function, (Table, PiecewisePolynomial)):
        if function.periodic or function.outside != "hold" or function.over != "time":
            return None
        return float(function(float(function.t[-1])))
    if isinstance(function, Sum):
        parts = [settled_value(one) for one in function.terms]
        return None if None in parts else float(sum(one for one in parts if one is not None))
    return None


def settled_values(components: Any) -> np.ndarray | None:
    """Values that components keep in the end; None if one of them varies."""
    found = [settled_value(one) for one in components]
    return None if None in found else np.array(found, dtype=float)
