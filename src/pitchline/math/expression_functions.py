"""Functions of expressions over signals that neither Python nor numpy has, for compiled code and for Python."""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from . import dual  # noqa: F401  (the functions are compiled for numbers with derivatives)

__all__ = ["deadband", "limit", "sign", "step"]


@register_jitable
def limit(x: Any, low: Any, high: Any) -> Any:
    """x, but not less than `low` and not more than `high`."""
    return min(max(x, low), high)


@register_jitable
def deadband(x: Any, half_width: Any) -> Any:
    """0 for |x| <= half_width, else the distance from there, with the sign of x."""
    return x - min(max(x, -half_width), half_width)


@register_jitable
def step(x: Any) -> float:
    """1 for x >= 0, else 0."""
    if x >= 0.0:
        return 1.0
    return 0.0


@register_jitable
def sign(x: Any) -> Any:
    """-1, 0 or 1."""
    return np.sign(x)
