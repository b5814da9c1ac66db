"""What all descriptions of a mesh share: reading and checking of their values."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from ...errors import ModelError, Subject, shown
from ...units import quantity
from ..names import one_of
from .varying import Varying, as_varying

__all__ = [
    "ALONG",
    "SIDES",
    "Variable",
    "at_least_zero",
    "choice",
    "flag",
    "optional",
    "positive",
    "read_efficiency",
    "read_errors",
    "read_follow_centres",
    "read_springs",
    "read_tilt",
]

Variable: TypeAlias = float | Varying
"""A number, or one that varies over a cycle."""

ALONG = ("line of action", "hoop")
SIDES = ("centred", "drive", "coast")


def choice(value: object, options: Collection[str], what: str) -> str:
    """One of some texts."""
    if not one_of(value, options):
        listing = " or ".join(f'"{option}"' for option in options)
        raise ModelError(f"{what} must be {listing}, got {shown(value)}", about=what)
    return str(value)


def flag(value: object, what: str) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ModelError(f"{what} must be True or False, got {shown(value)} ({type(value).__name__})", about=what)
    return value


def at_least_zero(value: object, dimension: str, what: str) -> float:
    """A quantity that is not negative."""
    result = quantity(value, dimension, what=what)
    if result < 0.0:
        raise ModelError(f"{what} must not be negative, got {shown(value)}", about=what)
    return result


def positive(value: object, dimension: str, what: str) -> float:
    """A quantity greater than zero."""
    result = quantity(value, dimension, what=what)
    if result <= 0.0:
        raise ModelError(f"{what} must be greater than zero, got {shown(value)}", about=what)
    return result


def optional(value: object, dimension: str, what: str) -> float | None:
    """A quantity that is not negative, or None."""
    return None if value is None else at_least_zero(value, dimension, what)


def read_springs(value: object, what: Subject) -> tuple[Variable, ...]:
    """One stiffness, or several springs in series [N/m]; each positive over its whole cycle."""
    items = value if isinstance(value, (list, tuple)) else (value,)
    if not items:
        raise ModelError(f"{what}: an empty list; give one stiffness, or several springs in series", about=what)
    springs = []
    for i, item in enumerate(items):
        where = what / i if len(items) > 1 else what
        spring = as_varying(item, "stiffness", what=where)
        lowest = spring.bounds[0] if isinstance(spring, Varying) else spring
        if lowest <= 0.0:
            cycle = " over the whole cycle" if isinstance(spring, Varying) else ""
            raise ModelError(
                f"{where}: must be greater than zero{cycle}, got {lowest:.6g} N/m; for teeth that do not give use "
                "Rigid()",
                about=where,
            )
        springs.append(spring)
    return tuple(springs)


def read_errors(value: object, what: Subject) -> tuple[Variable, ...]:
    """The parts of a transmission error [m], which add up; none for None."""
    if value is None:
        return ()
    items = value if isinstance(value, (list, tuple)) else (value,)
    several = len(items) > 1
    parts = (as_varying(item, "length", what=what / i if several else what) for i, item in enumerate(items))
    return tuple(part for part in parts if isinstance(part, Varying) or part != 0.0)


def read_follow_centres(value: object, separating: object, what: str) -> bool:
    """A flag that needs the separating force, which belongs to it. None: wherever there is one."""
    if value is None:
        return bool(separating)
    if flag(value, what) and not separating:
        raise ModelError(
            f"{what}: teeth that follow their centres push them apart; leave out separating=False", about=what
        )
    return bool(value)


def read_tilt(value: object, what: str) -> bool | None:
    """Whether teeth feel the tilt of their wheels; None: where the wheels sit on structures that bend."""
    return None if value is None else flag(value, what)


def read_efficiency(value: object, friction: object, what: str) -> tuple[float, float] | None:
    """(a drives, b drives), each in 0 < η <= 1, from one number or two; None for none. It includes friction."""
    if value is None:
        return None
    if friction is not None:
        raise ModelError(
            f"{what}: the efficiency {shown(value)} includes the friction of the teeth; give one of them, not both",
            about=what,
        )
    items = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    if len(items) != 2:
        raise ModelError(
            f"{what}: give one number, or two: (a drives, b drives); got {len(items)}: {shown(value)}", about=what
        )
    numbers = [quantity(item, "number", what=what) for item in items]
    for eta in numbers:
        if not 0.0 < eta <= 1.0:
            raise ModelError(f"{what} must be greater than 0 and at most 1, got {eta:g}", about=what)
    return numbers[0], numbers[1]
