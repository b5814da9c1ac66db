"""Units and quantities as an axis shows them."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axis import Axis

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

#: Prefixes that engineers write before the leading unit; nobody writes km/s² for a gear.
_SMALL = ((1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_LARGE = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
_PREFIXES: dict[str, tuple[tuple[float, str], ...]] = {
    "m": _SMALL,
    "s": _SMALL,
    "rad": _SMALL[:2],
    "N": _LARGE + _SMALL[:2],
    "Pa": ((1e6, "M"), (1e3, "k")),  # stresses are in MPa, whatever their size
    "J": _LARGE + _SMALL,
    "W": _LARGE + _SMALL,
    "Hz": _LARGE,
}

#: Angles from this [rad] are in degrees, and from the second one in revolutions.
_SMALLEST_DEGREES, _MOST_DEGREES = 0.02, 20.0 * math.pi

#: Quantity of a unit, if the signals in one panel have different names.
_QUANTITIES = {
    "s": "time",
    "m": "length",
    "m/s": "velocity",
    "m/s^2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "rad/s^2": "angular acceleration",
    "N": "force",
    "N*m": "torque",
    "N/m": "stiffness",
    "N*m/rad": "torsional stiffness",
    "J": "energy",
    "W": "power",
    "Hz": "frequency",
    "Pa": "pressure",
    "kg": "mass",
    "kg*m/s": "momentum",
    "kg*m^2/s": "angular momentum",
}


def unit_text(unit: str) -> str:
    """A unit as people write it: "kg*m^2" becomes "kg·m²"; a pure number has none."""
    if unit in ("", "1"):
        return ""
    unit = re.sub(r"\bu(?=(m|s|rad|N|W|J)\b)", "µ", unit)
    raised = re.sub(r"\^(-?\d+)", lambda match: match[1].translate(_SUPERSCRIPTS), unit)
    return raised.replace("*", "·")


def scaled_unit(unit: str, largest: float) -> tuple[float, str]:
    """(factor, text) of the unit that engineers write for values up to `largest`: value · factor is in the unit `text`.

    Speeds of rotation are in rpm. Angles are in deg from 0.02 rad (1.1°), in revolutions from ten of them, and below in
    mrad or µrad. Other units take a prefix so that the numbers have few zeros: from 0.1 to 10 000 no prefix is needed.
    Magnitudes below all prefixes (rounding), and units without prefixes, stay as they are.
    """
    if unit == "rad/s":
        return 30.0 / math.pi, "rpm"
    if unit == "rad" and largest >= _SMALLEST_DEGREES:
        return (180.0 / math.pi, "deg") if largest < _MOST_DEGREES else (0.5 / math.pi, "rev")
    text = unit_text(unit)
    lead = re.match(r"[A-Za-z]+(?![A-Za-z^])", unit)
    for size, prefix in _PREFIXES.get(lead[0], ()) if lead else ():
        if largest >= max(size, 1e4) if size > 1.0 else 0.1 * size <= largest < 100.0 * size:
            return 1.0 / size, prefix + text
    return 1.0, text


def axis_label(quantity: str, unit: str) -> str:
    """Label of an axis, "force (kN)"; only the quantity for a pure number."""
    return f"{quantity} ({unit})" if unit else quantity


def quantity_text(names: list[str], unit: str) -> str:
    """Quantity in a panel: the common last part of the names, else the quantity of the unit."""
    last = {name.rpartition(".")[2].replace("_", " ") for name in names}
    return last.pop() if len(last) == 1 else _QUANTITIES.get(unit, "value")


def signal_quantity(name: str) -> str:
    """The quantity of a signal: its name without the element; "position x" for a component; an expression as it is."""
    if not re.fullmatch(r"[\w. -]+", name) or " - " in name:
        return name.replace('"', "")
    owner, _, last = name.rpartition(".")
    if len(last) == 1 and owner:
        return f"{quantity_text([owner], '')} {last}"
    return quantity_text([name], "")


def plain_decades(axis: Axis) -> None:
    """Write the decades of a logarithmic axis as 0.01, 0.1, 1, 10 instead of powers, if they are few and near 1."""
    from matplotlib.ticker import FuncFormatter, LogFormatterSciNotation

    low, high = axis.get_view_interval()
    if low >= 0.9e-4 and high <= 1.1e5:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        if high < 30.0 * low:  # few decades: names between them too
            axis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(2, 0.4)))
