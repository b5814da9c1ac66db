"""Parser for the text of a unit, e.g. "lbf*s^2/in": a small recursive descent, without eval."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from .names import TORQUES, refused_name, suggestion
from .table import METRIC, NONE, OTHER, PREFIXES, Exponents

__all__ = ["ONE", "Unit", "UnitSyntax", "parse_unit"]

_TOKEN = re.compile(r"\s*(?:(\*\*|[*/^()·⋅.])|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|([A-Za-zµμΩ°%]+)|([+-]?\d+(?:\.\d+)?))")
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_LARGEST_POWER = 12
_PER_MINUTE = 60.0**-1


@dataclass(frozen=True)
class Unit:
    """Unit: its size in SI units, its powers, and whether its angles, if any, are all in radians."""

    factor: float
    powers: Exponents
    radians_only: bool = True

    def times(self, other: Unit, power: int = 1) -> Unit:
        a, b = self.powers, other.powers
        powers = (
            a[0] + power * b[0],
            a[1] + power * b[1],
            a[2] + power * b[2],
            a[3] + power * b[3],
            a[4] + power * b[4],
            a[5] + power * b[5],
        )
        return Unit(self.factor * other.factor**power, powers, self.radians_only and other.radians_only)


ONE = Unit(1.0, NONE)


class UnitSyntax(ValueError):
    """Error in the text of a unit; converted to a UnitError with the name of the item."""


def _named_unit(name: str) -> Unit:
    """The unit with this name, with or without a metric prefix."""
    if name in TORQUES:
        force, arm = TORQUES[name]
        return _named_unit(force).times(_named_unit(arm))
    entry = OTHER.get(name) or METRIC.get(name)
    scale = 1.0
    if entry is None and name[1:] in METRIC and name[0] in PREFIXES:
        entry, scale = METRIC[name[1:]], PREFIXES[name[0]]
    refused = refused_name(name)
    if refused:
        raise UnitSyntax(refused)
    if entry is None:
        raise UnitSyntax(f'unknown unit "{name}"; {suggestion(name)}')
    factor, powers = entry
    return Unit(scale * factor, powers, radians_only=powers[-1] == 0 or name == "rad")


class _UnitParser:
    """Recursive descent over: expression = term {("*" | "/" | blank) term}; term = atom ["^" integer]."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        position = 0
        text = text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                rest = text[position:].strip()
                way_out = '; write a product with *, e.g. "N*m"' if rest.startswith("-") and self.tokens else ""
                raise UnitSyntax(f'cannot read "{rest}" as a unit{way_out}')
            token = match.group().strip()
            if match.group(2):
                self.tokens += ["^", token.translate(_SUPERSCRIPTS)]
            else:
                self.tokens.append({"**": "^", "·": "*", "⋅": "*", ".": "*"}.get(token, token))
            position = match.end()
        self.next = 0

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.next += 1
        return token

    def whole(self) -> Unit:
        if not self.tokens:
            return ONE
        unit = self.expression()
        if self.peek():
            raise UnitSyntax(f'unexpected "{self.peek()}" in the unit')
        return unit

    def expression(self) -> Unit:
        unit = self.term()
        while self.peek() and self.peek() != ")":
            sign = 1
            if self.peek() in "*/":
                sign = -1 if self.take() == "/" else 1
            unit = unit.times(self.term(), sign)
        return unit

    def term(self) -> Unit:
        name = self.peek()
        unit = self.atom()
        while self.peek() == "^":
            self.take()
            if name in TORQUES:
                force, arm = TORQUES[name]
                raise UnitSyntax(
                    f'a power of "{name}" can be read in two ways; write "{force}*{arm}^2" or "({force}*{arm})^2"'
                )
            unit = ONE.times(unit, self.power())
        return unit

    def power(self) -> int:
        token = self.take()
        bracketed = token == "("
        if bracketed:
            token = self.take()
            if self.take() != ")":
                raise UnitSyntax('a power must be one integer, e.g. "s^2" or "s^(-2)"')
        try:
            power = int(token)
        except ValueError:
            raise UnitSyntax(f'a power must be an integer, e.g. "s^2", not "{token}"') from None
        if abs(power) > _LARGEST_POWER:
            raise UnitSyntax(f"the power {power} is too large (at most {_LARGEST_POWER})")
        return power

    def atom(self) -> Unit:
        token = self.take()
        if token == "(":
            unit = self.expression()
            if self.take() != ")":
                raise UnitSyntax('a ")" is missing in the unit')
            return unit
        if token == "1":
            return ONE
        if token == "":
            raise UnitSyntax("the unit is incomplete")
        if token[-1].isdigit():
            raise UnitSyntax(f'unexpected number {token} in the unit; write powers with ^, e.g. "m/s^2"')
        if not (token[0].isalpha() or token[0] in "°%"):
            raise UnitSyntax(f'unexpected "{token}" in the unit')
        return _named_unit(token)


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    try:
        unit = _UnitParser(text).whole()
    except RecursionError:
        raise UnitSyntax("the unit has too many parentheses") from None
    except OverflowError:
        raise UnitSyntax("the unit is out of the range of numbers") from None
    if unit.factor == 0.0 or not math.isfinite(unit.factor):
        raise UnitSyntax("the unit is out of the range of numbers")
    return _turning(unit)


def _turning(unit: Unit) -> Unit:
    """1/min, min^-1 and 1/min/s count revolutions, as on the nameplate of a machine, not radians."""
    length, mass, time, *others = unit.powers
    if unit.factor == _PER_MINUTE and not any((length, mass, *others)) and time in (-1, -2):
        return Unit(METRIC["Hz"][0] * unit.factor, (0, 0, time, 0, 0, 1), radians_only=False)
    return unit
