"""Forms of a number as a function of one parameter or of several: found from a few points, valid at all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = [
    "Columns",
    "CornerForm",
    "GridForm",
    "LineForm",
    "ProductForm",
    "SumForm",
    "TableForm",
    "ValueForm",
    "closed_form",
]

Columns = Mapping[str, np.ndarray]
"""Values of the parameters at all points, by name."""

SAME = 1e-12
"""Relative difference that is rounding."""


class ValueForm(ABC):
    """A number as a function of parameters."""

    @abstractmethod
    def __call__(self, columns: Columns) -> np.ndarray:
        """(n,) numbers."""


@dataclass(frozen=True, eq=False)
class LineForm(ValueForm):
    """Function g of the number is linear in the parameter: g = a + b (p - p0). kind: "value" (g is the number), "inverse", or
    "square" (c: sign of the number); or "power": the number is a (p / p0)^c."""

    name: str
    kind: str
    p0: float
    a: float
    b: float = 0.0
    c: float = 0.0

    def __call__(self, columns: Columns) -> np.ndarray:
        p = np.asarray(columns[self.name], float)
        if self.kind == "power":
            return self.a * (p / self.p0) ** self.c
        g = self.a + self.b * (p - self.p0)
        return g if self.kind == "value" else 1.0 / g if self.kind == "inverse" else self.c * np.sqrt(g)

    @property
    def is_line(self) -> bool:
        """Whether the number itself is linear in the parameter."""
        return self.kind == "value" or (self.kind == "power" and self.c == 1.0)


@dataclass(frozen=True, eq=False)
class TableForm(ValueForm):
    """Numbers at all values of one parameter that occur."""

    name: str
    values: Mapping[Any, float]

    def __call__(self, columns: Columns) -> np.ndarray:
        column = columns[self.name]
        if column.dtype.kind in "iuf":
            keys = np.array(sorted(self.values), float)
            found = np.array([self.values[k] for k in sorted(self.values)])
            return found[np.searchsorted(keys, column)]
        return np.array([self.values[k] for k in column.tolist()])


@dataclass(frozen=True, eq=False)
class SumForm(ValueForm):
    """base + sum of (form - base)."""

    base: float
    forms: Sequence[ValueForm]

    def __call__(self, columns: Columns) -> np.ndarray:
        found: Any = self.base
        for form in self.forms:
            found = found + (form(columns) - self.base)
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class ProductForm(ValueForm):
    """base times the product of form / base."""

    base: float
    forms: Sequence[ValueForm]

    def __call__(self, columns: Columns) -> np.ndarray:
        found: Any = self.base
        for form in self.forms:
            found = found * (form(columns) / self.base)
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class CornerForm(ValueForm):
    """Linear in each of several parameters: numbers (2, ..., 2) at all combinations of two values of each.

    limits : parameter -> its two values.
    """

    limits: Mapping[str, tuple[float, float]]
    numbers: np.ndarray

    def __call__(self, columns: Columns) -> np.ndarray:
        found = self.numbers[None]
        for name, (low, high) in self.limits.items():  # one parameter after the other
            x = (np.asarray(columns[name], float) - low) / (high - low)
            found = found[:, 0] + x.reshape(-1, *[1] * (found.ndim - 2)) * (found[:, 1] - found[:, 0])
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class GridForm(ValueForm):
    """Numbers at all combinations of some parameters that occur: numbers[place[i]] at point i."""

    place: np.ndarray
    numbers: np.ndarray

    def __call__(self, columns: Columns) -> np.ndarray:
        return self.numbers[self.place]


def closed_form(name: str, p: np.ndarray, v: np.ndarray, rounding: float) -> ValueForm | None:
    """Form through the numbers v at different values p of a parameter; None if none of the forms fits all of them."""
    order = np.argsort(p)
    p, v = p[order].astype(float), v[order]
    if len(p) < 3 or not np.all(np.isfinite(v)):
        return None
    scale = float(np.abs(v).max())
    with np.errstate(all="ignore"):  # forms that overflow do not fit
        forms = _candidates(name, p, v)
        numbers = [form({name: p}) for form in forms]
    for form, found in zip(forms, numbers, strict=True):
        if np.all(np.isfinite(found)) and np.all(
            np.abs(found - v) <= SAME * np.maximum(np.abs(v), 1e-3 * scale) + rounding
        ):
            return form
    return None


def _candidates(name: str, p: np.ndarray, v: np.ndarray) -> list[ValueForm]:
    found: list[ValueForm] = []

    def line(kind: str, g: np.ndarray, c: float = 0.0) -> None:
        found.append(LineForm(name, kind, float(p[0]), float(g[0]), float((g[-1] - g[0]) / (p[-1] - p[0])), c))

    one_sign = bool(np.all(v > 0.0) or np.all(v < 0.0))
    if one_sign and np.all(p > 0.0):
        exponent = np.log(v[-1] / v[0]) / np.log(p[-1] / p[0])
        near = np.round(4.0 * exponent) / 4.0
        if near and abs(near - exponent) < 1e-9:
            found.append(LineForm(name, "power", float(p[0]), float(v[0]), 0.0, float(near)))
    line("value", v)
    if one_sign:
        line("inverse", 1.0 / v)
        line("square", v * v, float(np.sign(v[0])))
    return found
