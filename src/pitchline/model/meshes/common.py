"""Reading and checking of values that all mesh descriptions share."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TypeAlias

from ...errors import ModelError, Subject, shown
from ...gears.directions import ALONG, NORMAL
from ...units import quantity
from ..names import one_of
from .varying import TIME, Varying, as_varying

__all__ = [
    "LINES_OF_ACTION",
    "SIDES",
    "SLIDING",
    "Variable",
    "at_least_zero",
    "choice",
    "flag",
    "optional",
    "positive",
    "read_along",
    "read_backlash",
    "read_efficiency",
    "read_errors",
    "read_follow_centres",
    "read_springs",
    "read_sticks",
    "read_tilt",
]

Variable: TypeAlias = float | Varying
"""A number, or a value that varies over a cycle."""

SIDES = ("centred", "drive", "coast")
SLIDING = ("pitch point", "path of contact")
"""Where teeth slide for friction."""
LINES_OF_ACTION = ("automatic", "clockwise", "counter-clockwise")
_FORMER = "line of action"
"""Name of the normal in earlier versions."""


_MOST_PLAYS = 2


def choice(value: object, options: Collection[str], what: str) -> str:
    """Read one of several texts."""
    if not one_of(value, options):
        listing = " or ".join(f'"{option}"' for option in options)
        raise ModelError(f"{what} must be {listing}, got {shown(value)}", about=what)
    return str(value)


def read_along(value: object, what: str) -> str | None:
    """Read the direction of lengths, stiffness and damping. None: the usual one of the pair (`gears.directions`)."""
    if value is None:
        return None
    return NORMAL if one_of(value, (_FORMER,)) else choice(value, ALONG, what)


def flag(value: object, what: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ModelError(f"{what} must be True or False, got {shown(value)} ({type(value).__name__})", about=what)
    return value


def at_least_zero(value: object, dimension: str, what: str) -> float:
    """Read a quantity that is not negative."""
    result = quantity(value, dimension, what=what)
    if result < 0.0:
        raise ModelError(f"{what} must not be negative, got {shown(value)}", about=what)
    return result


def positive(value: object, dimension: str, what: str) -> float:
    """Read a quantity greater than zero."""
    result = quantity(value, dimension, what=what)
    if result <= 0.0:
        raise ModelError(f"{what} must be greater than zero, got {shown(value)}", about=what)
    return result


def optional(value: object, dimension: str, what: str) -> float | None:
    """Read a quantity that is not negative, or None."""
    return None if value is None else at_least_zero(value, dimension, what)


def read_springs(value: object, what: Subject, dimension: str = "stiffness") -> tuple[Variable, ...]:
    """Read one stiffness, or several springs in series [N/m]. Each must be positive over its whole cycle. The same for dampers."""
    items = value if isinstance(value, (list, tuple)) else (value,)
    spring = dimension == "stiffness"
    if not items:
        several = "one stiffness, or several springs in series" if spring else "one value, or several dampers in series"
        raise ModelError(f"{what}: the list is empty; specify {several}", about=what)
    springs = []
    for i, item in enumerate(items):
        where = what / i if len(items) > 1 else what
        found = as_varying(item, dimension, what=where)
        not_over_time(found, where)
        lowest = found.bounds[0] if isinstance(found, Varying) else found
        if lowest <= 0.0:
            cycle = " over the whole cycle" if isinstance(found, Varying) else ""
            advice = f"{lowest:.6g} N/m; for rigid teeth use Rigid()" if spring else f"{lowest:.6g} N*s/m"
            raise ModelError(f"{where}: must be greater than zero{cycle}, got {advice}", about=where)
        springs.append(found)
    return tuple(springs)


def not_over_time(value: object, what: Subject) -> None:
    """Only errors and backlash may depend on time."""
    if isinstance(value, Varying) and value.over == TIME:
        raise ModelError(
            f'{what}: only error and backlash can be functions of time; use over="mesh cycle", "revolution of a" or '
            '"revolution of b"',
            about=what,
        )


def read_backlash(value: object, what: Subject) -> float | tuple[Variable, ...] | None:
    """Read the backlash [m]: a number, values that vary, or a list of both, which are added. None: from the geometry."""
    if value is None:
        return None
    items = value if isinstance(value, (list, tuple)) else (value,)
    if not items:
        raise ModelError(f"{what}: the list is empty; specify a length, or omit it", about=what)
    several = len(items) > 1
    parts = tuple(as_varying(item, "length", what=what / i if several else what) for i, item in enumerate(items))
    varying = [part for part in parts if isinstance(part, Varying)]
    lowest = sum(part.bounds[0] if isinstance(part, Varying) else part for part in parts)
    if lowest < 0.0:
        if not varying:
            raise ModelError(f"{what} must not be negative, got {shown(value)}", about=what)
        raise ModelError(
            f"{what}: must not be negative, but it decreases to {lowest:.6g} m; add a constant length", about=what
        )
    if len(varying) > _MOST_PLAYS:
        raise ModelError(
            f"{what}: has {len(varying)} values that vary; at most {_MOST_PLAYS} are possible. Add those over the same cycle",
            about=what,
        )
    return parts if varying else float(sum(parts))  # type: ignore[arg-type]


def read_errors(value: object, what: Subject) -> tuple[Variable, ...]:
    """Read the terms of a transmission error [m], which are added. None: no errors."""
    if value is None:
        return ()
    items = value if isinstance(value, (list, tuple)) else (value,)
    several = len(items) > 1
    parts = (as_varying(item, "length", what=what / i if several else what) for i, item in enumerate(items))
    return tuple(part for part in parts if isinstance(part, Varying) or part != 0.0)


def read_follow_centres(value: object, separating: object, what: str) -> bool:
    """Read follow_centres, which needs the separating force. None: True if the separating force acts."""
    if value is None:
        return bool(separating)
    if flag(value, what) and not separating:
        raise ModelError(f"{what}: needs the separating force; omit separating=False", about=what)
    return bool(value)


def read_tilt(value: object, what: str) -> bool | None:
    """Read tilt: whether the mesh depends on the tilt of its wheels. None: if a wheel is on an elastic structure."""
    return None if value is None else flag(value, what)


def read_sticks(value: object, friction: object, efficiency: object, what: Subject) -> bool:
    """Read sticks: whether friction or losses, which must be specified, hold at rest."""
    if flag(value, what / "sticks") and friction is None and efficiency is None:
        raise ModelError(
            f"{what}: sticks=True needs friction or efficiency; specify one of them, or omit sticks",
            about=what.at("sticks"),
        )
    return bool(value)


def read_efficiency(value: object, friction: object, what: str, *, locking: bool = False) -> tuple[float, float] | None:
    """Read (a drives, b drives), each in 0 < η <= 1, from one number or two. None: no efficiency. It includes friction.

    locking: one of both may be zero or negative, for a self-locking pair."""
    if value is None:
        return None
    if friction is not None:
        raise ModelError(
            f"{what}: the efficiency {shown(value)} already includes tooth friction; specify efficiency or friction, not both",
            about=what,
        )
    items = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    if len(items) != 2:
        raise ModelError(
            f"{what}: specify one number, or two: (a drives, b drives); got {len(items)}: {shown(value)}", about=what
        )
    numbers = [quantity(item, "number", what=what) for item in items]
    if locking and max(numbers) > 0.0:
        for eta in numbers:
            if not -math.inf < eta <= 1.0:
                raise ModelError(f"{what} must be at most 1, got {eta:g}", about=what)
        return numbers[0], numbers[1]
    for eta in numbers:
        if not 0.0 < eta <= 1.0:
            more = "; a self-locking pair (one of both zero or negative) needs sticks=True" if not locking else ""
            raise ModelError(f"{what} must be greater than 0 and at most 1, got {eta:g}{more}", about=what)
    return numbers[0], numbers[1]
