"""Amount: a number with its dimension, and arithmetic with amounts; used by expressions in files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..errors import UnitError
from ..units import LARGEST, Exponents, canonical_unit, dimension_name, dimension_of, quantity
from ..units.table import BASE_UNITS, DIMENSIONS, NONE

__all__ = [
    "FUNCTIONS", "Amount", "AmountError", "combined_powers", "divided", "modulo", "powered", "raised_powers", "summed", "times",
    "whole_powers",
]  # fmt: skip

_ANGLE: Exponents = (0, 0, 0, 0, 0, 1)
_MOST_POWER = 12
_MOST_EXPONENT = 64.0


class AmountError(ValueError):
    """Error of a computation, as one sentence."""


@dataclass(frozen=True)
class Amount:
    """Number in SI units and the powers of its dimension. An integer without dimension stays an integer."""

    value: int | float
    powers: Exponents = NONE

    @staticmethod
    def of(value: object, what: str = "value") -> Amount:
        """From a number, or a text with a unit."""
        if isinstance(value, int) and not isinstance(value, bool):
            return _made(value, NONE)
        number = quantity(value, None, what=what)
        powers = dimension_of(value)
        return _made(number, NONE if powers is None else powers)

    @property
    def plain(self) -> int | float | str:
        """Value for the Python API: a number, or a text in base units."""
        return self.value if self.powers == NONE else f"{self.value!r} {_unit(self.powers)}"

    def __str__(self) -> str:
        """For messages: few digits, and the usual unit, e.g. "-209.44 rad/s"."""
        if self.powers == NONE:
            return str(self.value)
        dimension = dimension_name(self.powers).split(" or ")[0]
        return f"{self.value:.6g} {canonical_unit(dimension) if dimension in DIMENSIONS else _unit(self.powers)}"


@lru_cache(maxsize=256)
def _unit(powers: Exponents) -> str:
    return "*".join(
        base if power == 1 else f"{base}^{power}" for base, power in zip(BASE_UNITS, powers, strict=True) if power
    )


def _made(value: int | float, powers: Exponents) -> Amount:
    if powers != NONE or (isinstance(value, int) and abs(value) > 2**53):
        value = float(value) if abs(value) <= LARGEST else math.inf
    if not abs(value) <= LARGEST:
        raise AmountError(f"the result is not a number below {LARGEST:g}")
    if max(powers) > _MOST_POWER or min(powers) < -_MOST_POWER:
        raise AmountError(f"the powers of the dimension {_unit(powers)} are too large")
    return Amount(value, powers)


def _alike(a: Amount, b: Amount, doing: str) -> Exponents:
    """Common dimension of both values. Angles are ignored, as in quantities."""
    if a.powers[:-1] != b.powers[:-1]:
        names = [dimension_name(x.powers) for x in (a, b)]
        raise AmountError(f"cannot {doing} {names[0]} ({a}) and {names[1]} ({b})")
    return a.powers if a.powers[-1] else b.powers


def summed(a: Amount, b: Amount, sign: int = 1) -> Amount:
    """a + b, or a - b."""
    return _made(a.value + sign * b.value, _alike(a, b, "add" if sign > 0 else "subtract"))


def times(a: Amount, b: Amount) -> Amount:
    """a b."""
    return _made(a.value * b.value, combined_powers(a.powers, b.powers, 1))


def divided(a: Amount, b: Amount) -> Amount:
    """a / b; exact quotients of integers stay integers."""
    if b.value == 0:
        raise AmountError(f"division of {a} by zero")
    powers = combined_powers(a.powers, b.powers, -1)
    if isinstance(a.value, int) and isinstance(b.value, int) and a.value % b.value == 0:
        return _made(a.value // b.value, powers)
    return _made(a.value / b.value, powers)


def modulo(a: Amount, b: Amount) -> Amount:
    """a % b."""
    if b.value == 0:
        raise AmountError(f"division of {a} by zero")
    return _made(a.value % b.value, _alike(a, b, "divide, for a remainder,"))


def powered(a: Amount, b: Amount) -> Amount:
    """a ** b. The exponent is a number. If a has a dimension, the resulting powers must be integers."""
    if b.powers != NONE:
        raise AmountError(f"an exponent must not have a unit, got {b}")
    n = float(b.value)
    if abs(n) > _MOST_EXPONENT:
        raise AmountError(f"the exponent {b} is too large (at most {_MOST_EXPONENT:g})")
    raised = raised_powers(a.powers, n)
    if any(power != round(power) for power in raised):
        raise AmountError(
            f"{dimension_name(a.powers)} ({a}) to the power {b} does not have integer powers of the base units"
        )
    try:
        whole = isinstance(a.value, int) and isinstance(b.value, int) and b.value >= 0
        value = a.value**b.value if whole else float(a.value) ** n
    except (OverflowError, ZeroDivisionError):
        raise AmountError(f"{a} to the power {b} is out of the range of numbers") from None
    if isinstance(value, complex):
        raise AmountError(f"{a} to the power {b} is not a real number")
    return _made(value, whole_powers(raised))


def raised_powers(powers: Exponents, n: float) -> list[float]:
    """Powers of a quantity to the power n. A fractional power of an angle is dropped: sqrt(k/I) with k in N*m/rad is in
    1/s."""
    angle = powers[-1] * n
    return [*(power * n for power in powers[:-1]), angle if angle == round(angle) else 0.0]


def whole_powers(powers: Iterable[float]) -> Exponents:
    """Powers rounded to integers."""
    length, mass, time, temperature, current, angle = (round(power) for power in powers)
    return length, mass, time, temperature, current, angle


def combined_powers(a: Exponents, b: Exponents, sign: int) -> Exponents:
    """Powers of a product (sign 1) or quotient (sign -1)."""
    return whole_powers(x + sign * y for x, y in zip(a, b, strict=True))


# ---- functions


def _number(a: Amount, name: str, *, angle: bool = False) -> float:
    if a.powers != NONE and not (angle and a.powers == _ANGLE):
        wanted = "an angle or a number" if angle else "a number"
        raise AmountError(f"{name}(...) takes {wanted}, got {dimension_name(a.powers)} ({a})")
    return float(a.value)


def _of_number(
    name: str, function: Callable[..., float], powers: Exponents = NONE, *, angle: bool = False
) -> Callable[..., Amount]:
    def apply(*given: Amount) -> Amount:
        try:
            return _made(function(*(_number(a, name, angle=angle) for a in given)), powers)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            if isinstance(error, (AmountError, UnitError)):
                raise
            raise AmountError(f"{name}({', '.join(map(str, given))}) is not a number") from None

    return apply


def _atan2(y: Amount, x: Amount) -> Amount:
    _alike(y, x, "take atan2 of")
    return _made(math.atan2(y.value, x.value), _ANGLE)


def _chosen(name: str, function: Callable[..., int | float]) -> Callable[..., Amount]:
    def apply(*given: Amount) -> Amount:
        powers = given[0].powers
        for other in given[1:]:
            powers = _alike(Amount(given[0].value, powers), other, f"take the {name} of")
        return _made(function(a.value for a in given), powers)

    return apply


def _round(a: Amount) -> Amount:
    return _made(round(_number(a, "round")), NONE)


FUNCTIONS: dict[str, tuple[Callable[..., Amount], int, int]] = {
    "sin": (_of_number("sin", math.sin, angle=True), 1, 1),
    "cos": (_of_number("cos", math.cos, angle=True), 1, 1),
    "tan": (_of_number("tan", math.tan, angle=True), 1, 1),
    "asin": (_of_number("asin", math.asin, _ANGLE), 1, 1),
    "acos": (_of_number("acos", math.acos, _ANGLE), 1, 1),
    "atan": (_of_number("atan", math.atan, _ANGLE), 1, 1),
    "atan2": (_atan2, 2, 2),
    "sqrt": (lambda a: powered(a, Amount(0.5)), 1, 1),
    "exp": (_of_number("exp", math.exp), 1, 1),
    "log": (_of_number("log", math.log), 1, 1),
    "abs": (lambda a: Amount(abs(a.value), a.powers), 1, 1),
    "min": (_chosen("smallest", min), 1, 64),
    "max": (_chosen("largest", max), 1, 64),
    "round": (_round, 1, 1),
}
"""Functions of expressions, with the minimum and maximum number of arguments."""
