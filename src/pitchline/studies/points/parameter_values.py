"""Values of one parameter: SI numbers with their unit, or texts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, PitchlineError, UnitError, listed, near_names, shown
from pitchline.units.parser import BASE_UNITS, DIMENSIONS, NONE, Exponents
from pitchline.units.quantity import canonical_unit, dimension_name, dimension_of, quantity

__all__ = [
    "MOST_POINTS",
    "ParameterValues",
    "linspace",
    "logspace",
    "read_quantity",
    "read_values",
    "scale_of",
    "si_unit",
    "POINT",
    "Points",
]


MOST_POINTS = 10**8
"""Most points of a study: their values fill 0.8 GB for each parameter."""
_UNIT = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*\*?\s*(?P<unit>.*?)\s*\Z", re.DOTALL)


@dataclass(frozen=True, eq=False)
class ParameterValues:
    """Values of one parameter, in order.

    values : (n,) numbers in `unit` (integers stay integers), booleans, or texts
    unit : SI unit of the numbers; Hz if they were specified in Hz, kHz etc.; "" for plain numbers and texts
    shown_unit : unit in which the user specified them, for pictures and tables; "" if there was none
    """

    values: NDArray[Any]
    unit: str = ""
    shown_unit: str = ""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def are_texts(self) -> bool:
        """Whether the values are texts."""
        return self.values.dtype.kind not in "biuf"


def si_unit(powers: Exponents) -> str:
    """Text of the SI unit of a dimension, e.g. "N*m" or "rad/s"; "" for a plain number."""
    if powers == NONE:
        return ""
    dimension = dimension_name(powers).split(" or ")[0]
    if dimension in DIMENSIONS:
        return canonical_unit(dimension)
    named = zip(BASE_UNITS, powers, strict=True)
    return "*".join(base if power == 1 else f"{base}^{power}" for base, power in named if power)


def read_quantity(value: object, what: str) -> tuple[float, str, str]:
    """(number in SI units, SI unit, unit as written) of a number or of a text with a unit. A frequency in Hz stays in Hz."""
    if not isinstance(value, str):
        return quantity(value, None, what=what), "", ""
    number, powers = quantity(value, None, what=what), dimension_of(value)
    match = _UNIT.match(value)
    written = match["unit"] if match else ""
    if written.endswith("Hz"):
        return quantity(value, "frequency", what=what), "Hz", written
    unit = si_unit(powers or NONE)
    return number, unit, written if unit else ""


def scale_of(unit: str, other: str) -> float | None:
    """Factor by which numbers in `unit` are multiplied to be in `other`; None if the dimensions differ."""
    if unit == other:
        return 1.0
    if not unit or not other:
        return None
    own, new = (dimension_of(f"1 {text}") or NONE for text in (unit, other))
    if own[:-1] != new[:-1]:
        return None
    return quantity(f"1 {unit}", None, what=unit) / quantity(f"1 {other}", None, what=other)


def read_values(given: object, what: str) -> ParameterValues:
    """Values of a parameter: a list of numbers (SI units), of texts with units, or of other texts; or one of them.

    what: name of the parameter in messages.
    """
    if isinstance(given, ParameterValues):
        return given
    items = _items(given, what)
    if not items:
        raise ModelError(f"{what}: the list of values is empty. Specify at least one value")
    if all(isinstance(item, (bool, np.bool_)) for item in items):
        return ParameterValues(np.array(items, dtype=bool))
    if all(isinstance(item, str) for item in items) and not any(_is_quantity(item) for item in items):
        blank = [item for item in items if not item.strip()]
        if blank:
            raise ModelError(f"{what}: a value is an empty text. Specify a number, a text with a unit or a name")
        return ParameterValues(np.array(items, dtype=object))
    if all(isinstance(item, (int, np.integer)) and not isinstance(item, bool) for item in items):
        return ParameterValues(np.array([_whole(item, what) for item in items], dtype=np.int64))
    return _numbers(items, what)


def _items(given: object, what: str) -> list[Any]:
    if isinstance(given, (str, bytes, bool, int, float, np.generic)):
        return [given]
    if isinstance(given, dict) or not isinstance(given, Iterable):
        raise ModelError(
            f'{what}: must be a list of values, e.g. [10, 20] or linspace("1000 rpm", "3000 rpm", 5), got {shown(given)}'
        )
    if isinstance(given, np.ndarray) and given.ndim > 1:
        raise ModelError(
            f"{what}: the array of values has {given.ndim} dimensions. Specify an array with one dimension"
        )
    items = [item.item() if isinstance(item, np.generic) else item for item in given]
    if len(items) > MOST_POINTS:
        raise ModelError(f"{what}: {len(items)} values are more than {MOST_POINTS:.0e}")
    return items


def _is_quantity(text: str) -> bool:
    try:
        quantity(text, None, what="value")
    except UnitError:
        return False
    return True


def _whole(value: int, what: str) -> int:
    if abs(value) > 2**53:
        raise ModelError(f"{what}: {value} is too large for an integer. Specify it as a number, e.g. 1e20")
    return int(value)


def _numbers(items: list[Any], what: str) -> ParameterValues:
    """Numbers and texts with units. Plain numbers among texts are in SI units; all texts have one dimension.

    Frequencies among speeds are speeds in rad/s, in any order.
    """
    found, unit, written = [], "", ""
    read = [read_quantity(item, what) for item in items]
    if any(own == "Hz" for _, own, _ in read):
        unit, written = next(((own, as_written) for _, own, as_written in read if own not in ("Hz", "")), ("", ""))
    for item, (number, own, as_written) in zip(items, read, strict=True):
        if own:
            unit, written = unit or own, written or as_written
            scale = scale_of(own, unit)
            if scale is None:
                raise UnitError(
                    f"{what}: {shown(_first_with(items, unit, what))} is {_dimension(unit)}, but {shown(item)} is "
                    f"{_dimension(own)}. Specify all values of a parameter with units of one dimension"
                )
            number *= scale
        found.append(number)
    return ParameterValues(np.array(found, dtype=float), unit, written)


def _dimension(unit: str) -> str:
    return dimension_name(dimension_of(f"1 {unit}") or NONE)


def _first_with(items: list[Any], unit: str, what: str) -> object:
    return next(item for item in items if isinstance(item, str) and read_quantity(item, what)[1] == unit)


# --- ranges ------------------------------------------------------------------------------------------


@names_wrong_arguments
def linspace(first: float | str, last: float | str, count: int) -> ParameterValues:
    """Evenly spaced values of a parameter, including both ends.

    first, last : numbers in SI units, or texts with units: ``linspace("1000 rpm", "12000 rpm", 50)``.
    count : number of values, at least 1 (then it is `first`).
    """
    a, b, unit, written = _ends(first, last, "linspace")
    return ParameterValues(np.linspace(a, b, _count(count, "linspace")), unit, written)


@names_wrong_arguments
def logspace(first: float | str, last: float | str, count: int) -> ParameterValues:
    """Values of a parameter with a constant ratio from one to the next, including both ends.

    first, last : numbers in SI units, or texts with units, both above zero: ``logspace("1 Hz", "1 kHz", 31)``.
    count : number of values, at least 1 (then it is `first`).
    """
    a, b, unit, written = _ends(first, last, "logspace")
    if a <= 0.0 or b <= 0.0:
        raise ModelError(
            f"logspace: both ends must be above zero, got {shown(first)} and {shown(last)}. Use linspace for other values"
        )
    return ParameterValues(np.geomspace(a, b, _count(count, "logspace")), unit, written)


def _ends(first: object, last: object, what: str) -> tuple[float, float, str, str]:
    both = read_values([first, last], what)
    if both.values.dtype.kind not in "iuf":
        raise ModelError(f"{what}: both ends must be numbers or texts with units, got {shown(first)} and {shown(last)}")
    return float(both.values[0]), float(both.values[1]), both.unit, both.shown_unit


def _count(count: object, what: str) -> int:
    whole = isinstance(count, (int, np.integer)) and not isinstance(count, bool)
    if not whole or not 1 <= count <= MOST_POINTS:  # type: ignore[operator]
        raise ModelError(f"{what}: count must be a whole number from 1 to {MOST_POINTS:.0e}, got {shown(count)}")
    return int(count)  # type: ignore[call-overload]


# ---- points

# Points: the parameter values of all points of a study.

POINT = "point"
"""Dimension of lists and samples."""
_RESERVED = (POINT, "status", "reason")


class NoSuchPoint(PitchlineError, IndexError):
    """There is no point with this number."""


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Points:
    """Points of a study, made by `grid`, `point_list` and `sample`.

    The product ``a * b`` has every point of a with every point of b.

    Attributes
    ----------
    dims : tuple of (name, size)
        One dimension for each axis of a grid; ("point", n) for a list or a sample.
    axes : name -> ParameterValues
        Values of each parameter along its dimension.
    along : name -> dimension
        The dimension of each parameter.
    design : dict
        How a sample was made: method, seed etc. Empty for grids and lists.
    """

    dims: tuple[tuple[str, int], ...]
    axes: Mapping[str, ParameterValues]
    along: Mapping[str, str]
    design: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.axes:
            raise ModelError("the study has no parameters. Specify at least one, e.g. grid(speed=[100, 200])")
        for name in self.axes:
            if name in _RESERVED:
                raise ModelError(
                    f'a parameter of a study cannot be named "{name}". Rename it; reserved: {listed(_RESERVED)}'
                )
        if len(self) > MOST_POINTS:
            sizes = " x ".join(str(size) for _, size in self.dims)
            raise ModelError(
                f"the study has {sizes} = {len(self):.3g} points, more than {MOST_POINTS:.0e}. Use fewer values"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return tuple(size for _, size in self.dims)

    @property
    def units(self) -> dict[str, str]:
        """SI unit of each parameter; "" for plain numbers and texts."""
        return {name: values.unit for name, values in self.axes.items()}

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """Values of each parameter at all points, (n,), in the order of the points (the last dimension changes fastest)."""
        return {name: self.column(name) for name in self.axes}

    def column(self, name: str) -> NDArray[Any]:
        """Values of one parameter at all points, (n,)."""
        if name not in self.axes:
            raise ModelError(f'the study has no parameter "{name}"; {near_names(name, self.axes)}')
        place = [dim for dim, _ in self.dims].index(self.along[name])
        line = self.axes[name].values.reshape([-1 if k == place else 1 for k in range(len(self.dims))])
        return np.broadcast_to(line, self.shape).reshape(-1)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def at(self, i: int) -> dict[str, Any]:
        """Values of point i that every source accepts: plain numbers, and texts in SI units, e.g. "104.7 rad/s"."""
        return {
            name: f"{value!r} {self.axes[name].unit}" if self.axes[name].unit else value
            for name, value in self.numbers(i).items()
        }

    def numbers(self, i: int) -> dict[str, Any]:
        """Values of point i as numbers in the units `units`, or texts."""
        place = np.unravel_index(self._index(i), self.shape)
        index = {dim: int(k) for (dim, _), k in zip(self.dims, place, strict=True)}
        values = {name: axis.values[index[self.along[name]]] for name, axis in self.axes.items()}
        return {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}

    def _index(self, i: int) -> int:
        n = len(self)
        if isinstance(i, bool) or not isinstance(i, (int, np.integer)):
            raise NoSuchPoint(f"the number of a point must be a whole number, got {shown(i)}")
        if not -n <= i < n:
            raise NoSuchPoint(f"there is no point {i}: the study has {n} points, counted from 0")
        return int(i) % n

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self.at(i) for i in range(len(self)))

    def __mul__(self, other: Points) -> Points:
        """Every point of this study with every point of the other one."""
        if not isinstance(other, Points):
            return NotImplemented
        twice = [name for name in self.axes if name in other.axes]
        if twice:
            raise ModelError(f"both factors of the product of points have the parameter {listed(twice)}")
        common = [dim for dim, _ in self.dims if dim in dict(other.dims)]
        if common:
            raise ModelError(
                f"both factors of the product of points have the dimension {listed(common)}: only one can be a list or a sample"
            )
        design = {**self.design, **other.design}
        return Points((*self.dims, *other.dims), {**self.axes, **other.axes}, {**self.along, **other.along}, design)

    def __repr__(self) -> str:
        sizes = " x ".join(f"{name}: {size}" for name, size in self.dims)
        return f"Points({len(self)} points, {sizes}, parameters {', '.join(self.names)})"

    # ---- plain data, for files

    def to_data(self) -> dict[str, Any]:
        """Plain data, for JSON. Numbers keep all their digits."""
        axes = {
            name: {
                "values": axis.values.tolist(),
                "unit": axis.unit,
                "shown_unit": axis.shown_unit,
                "along": self.along[name],
            }
            for name, axis in self.axes.items()
        }
        return {"dims": [list(dim) for dim in self.dims], "axes": axes, "design": dict(self.design)}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Points:
        """Points from `to_data`. ValueError, TypeError or KeyError if the data are damaged."""
        dims = tuple((str(name), int(size)) for name, size in data["dims"])
        axes = {name: _axis(about) for name, about in data["axes"].items()}
        along = {name: str(about["along"]) for name, about in data["axes"].items()}
        for name, axis in axes.items():
            if len(axis) != dict(dims).get(along[name]):
                raise ValueError(f'"{name}" has {len(axis)} values')
        return Points(dims, axes, along, dict(data["design"]))


def _axis(about: Mapping[str, Any]) -> ParameterValues:
    items = about["values"]
    kinds = {type(item) for item in items}
    if kinds <= {str}:
        values = np.array(items, dtype=object)
    elif kinds <= {int, float, bool} and len(kinds) == 1:
        values = np.array(items)
    else:
        raise ValueError("values of a parameter are of different types")
    return ParameterValues(values, str(about["unit"]), str(about["shown_unit"]))
