"""Signals that a program in the loop reads: names of signals, expressions, numbers with units, functions of time."""

from __future__ import annotations

import re
from typing import Any

from ...errors import ModelError, UnitError
from ...model.signal_expression import SignalExpression
from ...units import dimension_name, dimension_of
from ...units.parser import parse_unit

__all__ = ["check_signal_unit", "read_signal"]

_UNITS = {
    "angle": ("rad",),
    "angular_speed": ("rad/s",),
    "displacement": ("m",),
    "speed": ("m/s", "rad/s"),
    "position": ("m",),
    "velocity": ("m/s",),
    "angular_velocity": ("rad/s",),
}
"""Units of signals by the second part of their names."""
_NUMBER = re.compile(r"\s*[+-]?(\d|\.\d)")


def read_signal(value: Any, what: str) -> Any:
    """Value of an input. A text that is not a number with a unit is an expression over signals."""
    if not isinstance(value, str):
        return value
    if not _NUMBER.match(value):
        return SignalExpression(value, what=what)
    try:
        dimension_of(value)
    except UnitError:
        try:
            made = SignalExpression(value, what=what)
        except ModelError:
            return value  # the error about its unit is clearer
        return made if made.signals else value
    return value


def check_signal_unit(value: Any, unit: str, what: str) -> None:
    """ModelError if the value is the name of a signal whose unit does not fit. Units of other expressions are not checked."""
    if not isinstance(value, SignalExpression) or len(value.signals) != 1 or value.text.strip() != value.signals[0]:
        return
    units = _UNITS.get(value.signals[0].split(".")[1])
    wanted = parse_unit(unit).powers
    if units is None or not unit or any(parse_unit(one).powers[:-1] == wanted[:-1] for one in units):
        return
    raise ModelError(
        f'{what}: the variable of the program is a {dimension_name(wanted)} ({unit}), but the signal "{value.text.strip()}" is in '
        f"{' or '.join(units)}"
    )
