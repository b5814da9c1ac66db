"""Common spellings of units: torques without multiplication sign, wrong upper or lower case, unit names instead of
symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import near_names
from .table import METRIC, OTHER, PREFIXES, Exponents

__all__ = ["TORQUES", "other_case", "refused_name", "suggestion"]

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
