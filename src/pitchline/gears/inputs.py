"""Reading of gear data: numbers with units and their ranges, with messages that give advice."""

from __future__ import annotations

import math
import numbers

from ..errors import ModelError, Subject, shown
from ..units import quantity

__all__ = ["MOST", "angle", "at_most_one", "flag", "in_deg", "in_mm", "module", "number", "positive", "size", "whole"]

MOST = 50_000
"""Largest number of teeth, and of other parts that are counted one by one: the time of pictures and of contact analyses grows with
it."""


def in_mm(length: float) -> str:
    """A length for a message, such as "2.5 mm"."""
    return f"{1e3 * length:.8g} mm"


def in_deg(value: float) -> str:
    """An angle for a message, such as "20 deg"."""
    return f"{math.degrees(value):.8g} deg"


def whole(value: object, what: str, *, at_least: int = 1, at_most: int = MOST) -> int:
    """A whole number, such as a number of teeth."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        result = math.nan
    else:
        try:
            result = float(value)
        except OverflowError:
            result = math.inf
    if math.isnan(result) or (math.isfinite(result) and not result.is_integer()):
        raise ModelError(f"{what}: expected a whole number, got {shown(value)} ({type(value).__name__})", about=what)
    if not at_least <= result <= at_most:
        raise ModelError(f"{what}: must be from {at_least} to {at_most}, got {shown(value)}", about=what)
    return int(result)


def flag(value: object, what: str) -> bool:
    """True or False, nothing that only looks like it."""
    if not isinstance(value, bool):
        raise ModelError(f"{what}: expected True or False, got {shown(value)} ({type(value).__name__})", about=what)
    return value


def number(value: object, what: str) -> float:
    """A number without dimension."""
    return quantity(value, "number", what=what)


def positive(value: object, dimension: str, what: str) -> float:
    """A quantity greater than zero."""
    result = quantity(value, dimension, what=what)
    if result <= 0.0:
        raise ModelError(f"{what}: must be greater than zero, got {shown(value)}", about=what)
    return result


def module(value: object, what: str) -> float:
    """A module [m], from a nanometre to a kilometre: beyond, a unit is wrong."""
    result = positive(value, "length", what)
    if not 1e-9 <= result <= 1e3:
        raise ModelError(f"{what}: {result:.6g} m is not a reasonable value. Check the unit", about=what)
    return result


def size(value: object, dimension: str, what: str) -> float:
    """A quantity that is not negative."""
    result = quantity(value, dimension, what=what)
    if result < 0.0:
        raise ModelError(f"{what}: must not be negative, got {shown(value)}", about=what)
    return result


def angle(value: object, what: str, *, lowest: float, highest: float, ends: bool = False) -> float:
    """An angle [rad] between two limits [deg]. The limits are included if `ends` is set."""
    result = quantity(value, "angle", what=what)
    degrees = math.degrees(result)
    slack = 1e-12 * max(abs(lowest), abs(highest))
    if ends:
        good = lowest - slack <= degrees <= highest + slack
    else:
        good = lowest < degrees < highest
    if not good:
        hint = '. Plain numbers are radians. Write "20 deg" for degrees' if not isinstance(value, str) else ""
        where = "from" if ends else "between"
        to = "to" if ends else "and"
        raise ModelError(
            f"{what}: must be {where} {lowest:g} {to} {highest:g} deg, got {degrees:.6g} deg{hint}", about=what
        )
    return result


def at_most_one(what: str, **given: object) -> str | None:
    """The name of the one argument that is not None, or None; two of them are an error."""
    names = [name for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise ModelError(
            f"{what}: specify one of {' and '.join(names)}, not both. One follows from the other",
            about=Subject(what).at(names[1]),
        )
    return names[0] if names else None
