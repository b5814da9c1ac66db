"""Points: the parameter values of all points of a study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...errors import ModelError, PitchlineError, listed, near_names, shown
from .parameter_values import MOST_POINTS, ParameterValues

__all__ = ["POINT", "Points"]

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
