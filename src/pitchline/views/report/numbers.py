"""Numbers as engineers write them: four digits, a unit with its prefix, a minus sign."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pitchline.views.labels import scaled_unit, unit_text

_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_MINUS = "\N{MINUS SIGN}"
_THIN = "\N{NARROW NO-BREAK SPACE}"


def number(value: Any, digits: int = 4) -> str:
    """A number with a count of significant digits; a power of ten replaces long rows of zeros."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}".replace(",", _THIN).replace("-", _MINUS)
    try:
        x = float(value)
    except (TypeError, ValueError):
        return str(value)
    if not math.isfinite(x):
        return "–" if math.isnan(x) else f"{_MINUS if x < 0 else ''}∞"
    if x == 0.0:
        return "0"
    size = math.floor(math.log10(abs(x)))
    if size < -3 or size >= max(6, digits):
        mantissa, _, power = f"{x:.{digits - 1}e}".partition("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        raised = f"10{str(int(power)).translate(_RAISED)}"
        shown = raised if mantissa == "1" else f"-{raised}" if mantissa == "-1" else f"{mantissa}·{raised}"
    else:
        shown = f"{x:.{digits}g}" if size < digits else f"{x:.0f}"
    return shown.replace("-", _MINUS)


def quantity(value: Any, unit: str, digits: int = 4) -> str:
    """A number with its unit: 2203.4 N as "2203 N", 0.00012 m as "0.12 mm"."""
    x = float(value)
    factor, shown = scaled_unit(unit, abs(x)) if math.isfinite(x) else (1.0, unit_text(unit))
    return f"{number(factor * x, digits)} {shown}".rstrip()


def percent(fraction: float, digits: int = 3) -> str:
    """A fraction in percent; below a thousandth of a percent only that it is smaller."""
    if not math.isfinite(fraction):
        return "–"
    if fraction == 0.0:
        return "0 %"
    if abs(fraction) < 1e-5:
        return "< 0.001 %"
    return f"{number(100.0 * fraction, digits)} %"


def seconds(value: float) -> str:
    """A computing time."""
    if value >= 120.0:
        return f"{int(value // 60)} min {value % 60:.0f} s"
    return quantity(value, "s", 3)


def length(value: float, digits: int = 5) -> str:
    """A length [m] in millimetres."""
    return f"{number(1e3 * value, digits)} mm"


def angle(value: float, digits: int = 5) -> str:
    """An angle [rad] in degrees."""
    return f"{number(math.degrees(value), digits)}°"


def vector(values: Any, digits: int = 4, factor: float = 1.0) -> str:
    """Three numbers; a component that is rounding compared with the largest is 0."""
    parts = [factor * float(value) for value in values]
    least = 1e-9 * max((abs(part) for part in parts), default=0.0)
    return ", ".join(number(0.0 if abs(part) <= least else part, digits) for part in parts)


def counted(count: int, one: str, many: str | None = None) -> str:
    """ "1 body", "3 bodies"."""
    return f"{count} {one}" if count == 1 else f"{count} {many or one + 's'}"
