"""Units of an FMU: from its unit definitions, or the name of the unit, to SI units of this package."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ...units.parser import UnitSyntax, parse_unit
from ...units.table import BASE_UNITS, NONE, Exponents
from ..limits import ExchangeError
from ..safe_xml import XmlElement

__all__ = ["FmuUnit", "unit_by_name", "unit_of_definition"]

_BASE = ("m", "kg", "s", "K", "A", "rad")
"""Attributes of BaseUnit in the order of `Exponents`."""
_NO_PLACE = ("mol", "cd")
_POWER = re.compile(r"(?<=[A-Za-z])([+-]?\d+)")
"""Power in the notation of Modelica: kg.m2, s-1."""


@dataclass(frozen=True)
class FmuUnit:
    """Unit of a variable: SI value = factor * value + offset.

    name:   as in the FMU
    powers: powers of the base units
    """

    name: str
    factor: float
    offset: float
    powers: Exponents

    @property
    def si(self) -> str:
        """Unit of the SI value as text, e.g. "m^2*kg*s^-2"; empty for a number."""
        return si_text(self.powers)


def si_text(powers: Exponents) -> str:
    """Common name of an SI unit, or the product of base units."""
    for text in (
        "",
        "N*m",
        "rad/s",
        "rad",
        "N",
        "m",
        "m/s",
        "m/s^2",
        "rad/s^2",
        "W",
        "Pa",
        "A",
        "V",
        "K",
        "s",
        "kg",
        "kg*m^2",
    ):
        if parse_unit(text).powers == powers:
            return text
    return "*".join(f"{base}^{p}" if p != 1 else base for base, p in zip(BASE_UNITS, powers, strict=True) if p)


def unit_of_definition(element: XmlElement, where: str) -> FmuUnit | None:
    """Unit of an element Unit; None if neither a base unit is given nor the name is a unit of this package."""
    name = element.attributes.get("name", "")
    base = element.first("BaseUnit")
    if base is None:
        return unit_by_name(name)
    for key in _NO_PLACE:
        if _integer(base, key, where):
            return None
    powers = tuple(_integer(base, key, where) for key in _BASE)
    factor, offset = _number(base, "factor", 1.0, where), _number(base, "offset", 0.0, where)
    if factor == 0.0:
        raise ExchangeError(f'{where}, line {base.line}: unit "{name}": the factor of BaseUnit is 0')
    named = unit_by_name(name)
    if named is not None and named.powers[:-1] == powers[:-1] and powers[-1] == 0 != named.powers[-1]:
        return named  # Hz and 1/min are revolutions: base units have no place for that
    return FmuUnit(name, factor, offset, powers)  # type: ignore[arg-type]


def unit_by_name(name: str) -> FmuUnit | None:
    """Unit from its name in the notation of Modelica ("N.m", "rad/s", "kg.m2") or of this package; None if it is not understood."""
    if name in ("", "1"):
        return FmuUnit(name, 1.0, 0.0, NONE)
    if name in ("degC", "°C", "Celsius"):
        return FmuUnit(name, 1.0, 273.15, parse_unit("K").powers)
    for text in (name, _POWER.sub(r"^\1", name)):
        try:
            unit = parse_unit(text)
        except UnitSyntax:
            continue
        return FmuUnit(name, unit.factor, 0.0, unit.powers)
    return None


def _integer(element: XmlElement, key: str, where: str) -> int:
    text = element.attributes.get(key, "0")
    if not re.fullmatch(r"[+-]?\d{1,3}", text.strip()) or abs(int(text)) > 100:
        raise ExchangeError(f"{where}, line {element.line}: BaseUnit {key}: expected a whole number, got {text[:40]!r}")
    return int(text)


def _number(element: XmlElement, key: str, default: float, where: str) -> float:
    text = element.attributes.get(key)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ExchangeError(f"{where}, line {element.line}: BaseUnit {key}: expected a number, got {text[:40]!r}")
    return value
