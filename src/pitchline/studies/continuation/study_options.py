"""Options of a continuation: reading and checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import ModelError, shown
from ..points import Points
from ..points.parameter_values import ParameterValues, read_values
from ..source import Source

__all__ = ["parameter_reader", "positive_fraction", "read_limits", "read_range", "whole_number"]


def whole_number(value: Any, what: str, least: int) -> int:
    """A whole number that is not smaller than `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ModelError(f"continuation: {what} must be a whole number of {least} or more, got {shown(value)}")
    return int(value)


def positive_fraction(value: Any, what: str) -> float:
    """A fraction of the range: greater than zero, and at most 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0.0 < float(value) <= 1.0:
        raise ModelError(
            f"continuation: {what} is a fraction of the range, greater than 0 and at most 1, got {shown(value)}"
        )
    return float(value)


def read_limits(limits: Any, read: Callable[[Any], float], start: float) -> tuple[float, float]:
    """Lowest and highest value of the parameter. The start is between them."""
    if not isinstance(limits, (tuple, list)) or len(limits) != 2:
        raise ModelError(f"continuation: limits must be two values of the parameter, got {shown(limits)}")
    low, high = sorted(read(value) for value in limits)
    if not low <= start <= high or low == high:
        raise ModelError(
            f"continuation: the branch starts at {start:g}, which is not between its limits {low:g} and {high:g}"
        )
    return low, high


def parameter_values(source: Source, over: str, given: list[Any]) -> ParameterValues:
    """Values of a parameter of a source in SI units."""
    what = f"continuation: {over}"
    values = read_values(given, what)
    fitted = source.fitted(Points(((over, len(given)),), {over: values}, {over: over})).axes[over]
    if fitted.are_texts or fitted.values.dtype == bool:
        raise ModelError(f"{what} must be a parameter with numbers, got {shown(given[0])}")
    if not np.all(np.isfinite(fitted.values.astype(float))):
        raise ModelError(f"{what}: start and end must be finite numbers, got {shown(given[0])}")
    return fitted


def read_range(source: Source, over: Any, start: Any, end: Any) -> tuple[float, float, str, str]:
    """(start, end, SI unit, unit as specified) of the parameter."""
    if not isinstance(over, str):
        raise ModelError(f'continuation: over must be the name of a parameter, e.g. over="speed", got {shown(over)}')
    source.check([over])
    found = parameter_values(source, over, [start, end])
    first, last = (float(value) for value in found.values)
    if first == last:
        raise ModelError(f"continuation: start and end of {over} are both {shown(start)}. Specify a range")
    return first, last, found.unit, found.shown_unit


def parameter_reader(source: Source, over: str) -> Callable[[Any], float]:
    """Function that reads a value of the parameter."""
    return lambda value: float(parameter_values(source, over, [value]).values[0])
