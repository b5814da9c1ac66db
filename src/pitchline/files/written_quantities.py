"""Quantities and rotations as data of a file: with the unit that gives the shortest text that reads back exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..solids.rotations import Rotation, z_to
from ..units import canonical_unit, quantity

__all__ = ["LETTERS", "axis_of", "dimension_of_unit", "direction", "orientation", "quantities", "rounded", "with_unit"]

_UNITS = {
    "length": ("m", "mm", "um", "in"),
    "mass": ("kg", "g", "lb", "lbf*s^2/in"),
    "time": ("s", "ms", "us"),
    "angle": ("deg", "rad"),
    "angular velocity": ("rad/s", "rpm"),
    "velocity": ("m/s", "mm/s"),
    "acceleration": ("m/s^2",),
    "force": ("N", "kN", "lbf"),
    "torque": ("N*m", "lbf*in"),
    "stiffness": ("N/m", "N/um", "lbf/in"),
    "damping": ("N*s/m", "lbf*s/in"),
    "torsional stiffness": ("N*m/rad", "N*m/deg", "lbf*in/rad"),
    "torsional damping": ("N*m*s/rad", "lbf*in*s/rad"),
    "inertia": ("kg*m^2", "kg*mm^2", "lbf*in*s^2"),
    "pressure": ("Pa", "GPa"),
    "density": ("kg/m^3",),
    "frequency": ("Hz", "kHz"),
}
_FOREIGN = ("in", "lb", "lbf*s^2/in", "lbf", "lbf*in", "lbf/in", "lbf*s/in", "lbf*in/rad", "lbf*in*s/rad", "lbf*in*s^2")
_PRICE, _SHORT = 3, 10
"""Signs."""
LETTERS = ("x", "y", "z", "-x", "-y", "-z")


def dimension_of_unit(unit: str) -> str | None:
    """Dimension of numbers in an SI unit: by name, so that other units are tried as well, or the unit itself."""
    return next((name for name in _UNITS if canonical_unit(name) == unit), unit or None)


def with_unit(value: float, dimension: str | None) -> float | str:
    """Number in SI units as a text with a unit; zero and pure numbers are not changed."""
    value = float(value)
    if dimension in (None, "number") or value == 0.0:
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    assert dimension is not None
    own = canonical_unit(dimension)
    best, length = f"{value!r} {own}", len(repr(value))
    for unit in _UNITS.get(dimension, (own,)):
        number = value / quantity(f"1 {unit}", dimension, what="unit")
        for shown in (f"{number:.8g}", f"{number:.15g}"):
            if quantity(f"{shown} {unit}", dimension, what="unit") == value:
                # another unit is used only if the text becomes shorter
                if len(shown) + _PRICE * (unit in _FOREIGN) < length and (len(shown) <= _SHORT or unit == own):
                    best, length = f"{shown} {unit}", len(shown)
                break
    return best if quantity(best, dimension, what="unit") == value else value


def quantities(values: Any, dimension: str | None) -> list[float | str]:
    """List with the same dimension."""
    return [with_unit(value, dimension) for value in np.asarray(values, dtype=float).tolist()]


def rounded(values: Any, size: float = 1.0) -> list[float]:
    """Numbers without rounding errors in the last digits, as a user may have written them."""
    unit = 10.0 ** (math.floor(math.log10(size)) if size > 0.0 else 0)
    return [round(float(value) / unit, 12) * unit if value else 0.0 for value in np.asarray(values, dtype=float)]


def direction(v: Sequence[float] | np.ndarray) -> str | list[float]:
    """Unit vector as a letter, or as three numbers."""
    for letter in LETTERS:
        if np.array_equal(np.asarray(v), _unit(letter)):
            return letter
    return [float(x) for x in v]


def _unit(letter: str) -> np.ndarray:
    v = np.zeros(3)
    v["xyz".index(letter[-1])] = -1.0 if letter.startswith("-") else 1.0
    return v


def axis_of(r: np.ndarray) -> str | None:
    """Letter of the axis that `axis = ` needs for this rotation, if there is one."""
    return next((letter for letter in LETTERS if np.array_equal(z_to(_unit(letter)), r)), None)


def orientation(r: np.ndarray) -> Any:
    """Rotation: None for no rotation, axis and angle if that is exact, otherwise a matrix."""
    if np.array_equal(r, np.eye(3)):
        return None
    for k, letter in enumerate("xyz"):
        i, j = (k + 1) % 3, (k + 2) % 3
        angle = math.atan2(r[j, i], r[i, i])
        for value in (angle, math.radians(round(math.degrees(angle), 9))):
            if np.array_equal(Rotation(letter, value).matrix, r):
                return {"axis": letter, "angle": with_unit(value, "angle")}
    return [[float(x) for x in row] for row in r]
