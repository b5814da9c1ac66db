"""Parser for the text of a unit, e.g. "lbf*s^2/in": a small recursive descent, without eval."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pitchline.errors import near_names

__all__ = [
    "BASE_UNITS",
    "DIMENSIONS",
    "METRIC",
    "NONE",
    "OTHER",
    "PREFIXES",
    "RATE",
    "Exponents",
    "TORQUES",
    "other_case",
    "refused_name",
    "suggestion",
    "ONE",
    "Unit",
    "UnitSyntax",
    "parse_unit",
]


# ---- table

# Dimensions and units.

Exponents = tuple[int, int, int, int, int, int]
"""Powers of length, mass, time, temperature, electric current and angle. Angles are last, because they can be ignored."""

BASE_UNITS = ("m", "kg", "s", "K", "A", "rad")

DIMENSIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    # name: (unit of the returned number, units to suggest in messages)
    "number": ("1", ("no unit", "%")),
    "length": ("m", ("m", "mm", "um", "in")),
    "mass": ("kg", ("kg", "g", "lb")),
    "time": ("s", ("s", "ms", "min")),
    "angle": ("rad", ("rad", "deg")),
    "temperature": ("K", ("K",)),
    "area": ("m^2", ("m^2", "mm^2")),
    "volume": ("m^3", ("m^3", "l")),
    "density": ("kg/m^3", ("kg/m^3", "g/cm^3")),
    "velocity": ("m/s", ("m/s", "mm/s")),
    "acceleration": ("m/s^2", ("m/s^2",)),
    "angular velocity": ("rad/s", ("rad/s", "rpm", "deg/s")),
    "angular acceleration": ("rad/s^2", ("rad/s^2", "rpm/s")),
    "frequency": ("Hz", ("Hz", "kHz", "rpm")),
    "force": ("N", ("N", "kN", "lbf")),
    "torque": ("N*m", ("N*m", "N*mm", "lbf*in")),
    "energy": ("J", ("J", "kJ")),
    "power": ("W", ("W", "kW", "hp")),
    "stiffness": ("N/m", ("N/m", "N/um", "lbf/in")),
    "torsional stiffness": ("N*m/rad", ("N*m/rad", "N*m/deg")),
    "damping": ("N*s/m", ("N*s/m", "lbf*s/in")),
    "torsional damping": ("N*m*s/rad", ("N*m*s/rad",)),
    "inertia": ("kg*m^2", ("kg*m^2", "kg*mm^2", "lbf*in*s^2")),
    "pressure": ("Pa", ("Pa", "MPa", "GPa", "psi")),
    "viscosity": ("Pa*s", ("Pa*s", "cP")),
    "kinematic viscosity": ("m^2/s", ("m^2/s", "cSt")),
    "electric current": ("A", ("A", "mA")),
    "voltage": ("V", ("V", "mV", "kV")),
    "resistance": ("ohm", ("ohm", "mohm")),
    "inductance": ("H", ("H", "mH", "uH")),
}

_INCH = 0.0254
_POUND = 0.45359237
_G0 = 9.80665
_TURN = 2.0 * math.pi
_FORCE = (1, 1, -2, 0, 0, 0)
_PRESSURE = (-1, 1, -2, 0, 0, 0)
_ENERGY = (2, 1, -2, 0, 0, 0)
_POWER = (2, 1, -3, 0, 0, 0)
NONE = (0, 0, 0, 0, 0, 0)
_ANGLE = (0, 0, 0, 0, 0, 1)
RATE = (0, 0, -1, 0, 0, 1)

METRIC: dict[str, tuple[float, Exponents]] = {  # prefixes allowed
    "m": (1.0, (1, 0, 0, 0, 0, 0)),
    "g": (1e-3, (0, 1, 0, 0, 0, 0)),
    "s": (1.0, (0, 0, 1, 0, 0, 0)),
    "K": (1.0, (0, 0, 0, 1, 0, 0)),
    "rad": (1.0, _ANGLE),
    "N": (1.0, _FORCE),
    "Pa": (1.0, _PRESSURE),
    "J": (1.0, _ENERGY),
    "W": (1.0, _POWER),
    "Hz": (_TURN, RATE),
    "bar": (1e5, _PRESSURE),
    "l": (1e-3, (3, 0, 0, 0, 0, 0)),
    "L": (1e-3, (3, 0, 0, 0, 0, 0)),
    "P": (0.1, (-1, 1, -1, 0, 0, 0)),
    "St": (1e-4, (2, 0, -1, 0, 0, 0)),
    "A": (1.0, (0, 0, 0, 0, 1, 0)),
    "V": (1.0, (2, 1, -3, 0, -1, 0)),
    "ohm": (1.0, (2, 1, -3, 0, -2, 0)),
    "Ω": (1.0, (2, 1, -3, 0, -2, 0)),
    "H": (1.0, (2, 1, -2, 0, -2, 0)),
    "Wb": (1.0, (2, 1, -2, 0, -1, 0)),
}

OTHER: dict[str, tuple[float, Exponents]] = {  # no prefixes
    "in": (_INCH, (1, 0, 0, 0, 0, 0)),
    "inch": (_INCH, (1, 0, 0, 0, 0, 0)),
    "ft": (12 * _INCH, (1, 0, 0, 0, 0, 0)),
    "thou": (1e-3 * _INCH, (1, 0, 0, 0, 0, 0)),
    "micron": (1e-6, (1, 0, 0, 0, 0, 0)),
    "lb": (_POUND, (0, 1, 0, 0, 0, 0)),
    "lbm": (_POUND, (0, 1, 0, 0, 0, 0)),
    "oz": (_POUND / 16, (0, 1, 0, 0, 0, 0)),
    "slug": (_POUND * _G0 / (12 * _INCH), (0, 1, 0, 0, 0, 0)),
    "t": (1e3, (0, 1, 0, 0, 0, 0)),
    "min": (60.0, (0, 0, 1, 0, 0, 0)),
    "h": (3600.0, (0, 0, 1, 0, 0, 0)),
    "deg": (math.pi / 180, _ANGLE),
    "°": (math.pi / 180, _ANGLE),
    "arcmin": (math.pi / 180 / 60, _ANGLE),
    "arcsec": (math.pi / 180 / 3600, _ANGLE),
    "rev": (_TURN, _ANGLE),
    "turn": (_TURN, _ANGLE),
    "r": (_TURN, _ANGLE),  # "r/min", as ISO 80000-3 writes it
    "rpm": (_TURN / 60, RATE),
    "RPM": (_TURN / 60, RATE),
    "lbf": (_POUND * _G0, _FORCE),
    "ozf": (_POUND * _G0 / 16, _FORCE),
    "kgf": (_G0, _FORCE),
    "psi": (_POUND * _G0 / _INCH**2, _PRESSURE),
    "ksi": (1e3 * _POUND * _G0 / _INCH**2, _PRESSURE),
    "hp": (550 * 12 * _INCH * _POUND * _G0, _POWER),
    "%": (1e-2, NONE),
    "ppm": (1e-6, NONE),
}

PREFIXES = {
    "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
    "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
}  # fmt: skip


# ---- names

# Common spellings of units: torques without multiplication sign, wrong upper or lower case, unit names instead of
# symbols.

TORQUES = {
    f"{force}{arm}": (force, arm) for force in ("N", "kN", "MN", "mN", "uN", "µN", "μN") for arm in ("m", "mm", "cm")
} | {f"{force}s": (force, "s") for force in ("N", "kN", "mN")}
"""Products that are written as one text: "Nm", "kNm", "Nmm", and "Ns" for an impulse. "Nms" is ambiguous: N*ms or
N*m*s."""

_NM = re.compile(r"(?<![A-Za-zµμ°])[Nn]m(?![A-Za-zµμ°])")
_SLIPS = {"Mm": ("megametre", "mm"), "Ms": ("megasecond", "ms"), "Mrad": ("megaradian", "mrad")}
"""Correct by the rules of prefixes, but almost certainly a typing error in this field."""

_WORDS = {
    "m": "metre metres meter meters", "mm": "millimetre millimetres millimeter millimeters mms",
    "um": "micrometre micrometres micrometer micrometers mic microns mu",
    "in": "inches", "kg": "kilogram kilograms kilo kgs", "g": "gram grams gr", "lb": "pound pounds lbs", "t": "ton tonne tonnes",
    "s": "sec secs second seconds", "ms": "msec millisecond milliseconds", "min": "minute minutes mins",
    "h": "hr hrs hour hours", "deg": "degree degrees grad", "rad": "radian radians", "rev": "revolution revolutions turns U",
    "rev/s": "rps", "rpm": "upm", "N": "newton newtons", "Pa": "pascal", "MPa": "megapascal", "J": "joule joules",
    "W": "watt watts", "Hz": "hertz cps",
    "A": "amp amps ampere amperes", "V": "volt volts", "ohm": "ohms", "H": "henry henries",
    "lbf*ft": "ftlb ftlbf lbft lbfft", "lbf*in": "inlb inlbf lbin lbfin",
}  # fmt: skip
_SYMBOLS = {word: symbol for symbol, words in _WORDS.items() for word in words.split()}

_COMMON = (
    *METRIC, *OTHER, "mm", "um", "nm", "cm", "km", "kg", "ms", "us", "kN", "MPa", "GPa", "kHz", "kW", "mrad", "Nm", "Nmm", "kNm",
)  # fmt: skip


def refused_name(name: str) -> str:
    """Reason why a unit with a valid prefix is rejected; empty for all others."""
    if name not in _SLIPS:
        return ""
    meaning, meant = _SLIPS[name]
    return f'"{name}" would be a {meaning}; did you mean "{meant}"?'


def other_case(text: str) -> str:
    """The text with newton metres instead of nanometres, or vice versa; empty if it contains neither."""
    swapped = _NM.sub(lambda found: "nm" if found.group() == "Nm" else "Nm", text)
    return "" if swapped == text else swapped


def suggestion(name: str) -> str:
    """Suggestion for an unknown unit."""
    folded = [unit for unit in _COMMON if unit.lower() == name.lower()]
    if folded:
        return f"did you mean {' or '.join(map(_quoted, folded))}?"
    if name.lower() in _SYMBOLS or name in _SYMBOLS:
        return f"did you mean {_quoted(_SYMBOLS.get(name) or _SYMBOLS[name.lower()])}?"
    if name in ("°C", "degC", "°F", "degF"):
        return 'specify temperatures in kelvin, "K"'
    products = [_quoted("*".join(parts)) for parts in _split(name)]
    if products:
        return f"write a product with *, e.g. {' or '.join(products[:3])}"
    return near_names(name, _COMMON)


def _quoted(unit: str) -> str:
    return f'"{unit}"'


def _split(name: str) -> Iterator[list[str]]:
    """Possible splits of a name into a product of two or three units of different dimensions."""
    for cut in range(1, len(name)):
        first, rest = name[:cut], name[cut:]
        powers = _powers(first)
        if powers is None:
            continue
        if _powers(rest) not in (None, powers):
            yield [first, rest]
        for further in range(1, len(rest)):
            three = (powers, _powers(rest[:further]), _powers(rest[further:]))
            if None not in three and len(set(three)) == 3:
                yield [first, rest[:further], rest[further:]]


def _powers(name: str) -> Exponents | None:
    entry = OTHER.get(name) or METRIC.get(name)
    if entry is None and name and name[0] in PREFIXES and name[0] not in "fpdhGT":
        entry = METRIC.get(name[1:])
    return None if entry is None else entry[1]


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
