"""Attribute of a component in a REXS file: its texts as they are in the file, and their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from .values import decoded, float_of, guessed, typed

__all__ = ["RexsAttribute", "RexsUnknown", "Shape"]

Shape = Literal["scalar", "array", "matrix", "arrays"]


@dataclass
class RexsUnknown:
    """XML element that the standard does not define. It is kept for writing."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[RexsUnknown] = field(default_factory=list)


@dataclass(eq=False)
class RexsAttribute:
    """Attribute of a component.

    id:            name
    text:          texts of the file: one text, a list (array) or a list of lists (matrix, array of arrays); None means no value.
                   For a coded array the base64 text
    unit:          unit as in the file, or None
    shape:         "scalar", "array", "matrix" or "arrays"
    code:          "int32", "float32" or "float64" of a coded array
    size:          (rows, columns) as the file states them for a coded matrix
    value_type:    type from the standard, or as a JSON file names it; None if unknown
    line:          line in the file, from 1; 0 for new attributes
    extra:         further XML attributes or JSON keys
    inner_extra:   further XML attributes of the element array or matrix
    unknown:       XML elements inside the attribute that the standard does not define
    """

    id: str
    text: Any = None
    unit: str | None = None
    shape: Shape = "scalar"
    code: str | None = None
    size: tuple[int, int] | None = None
    value_type: str | None = None
    line: int = 0
    extra: dict[str, str] = field(default_factory=dict)
    inner_extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)

    @property
    def value(self) -> float | int | bool | str | list[Any] | None:
        """Value in the unit of the file: number, flag, text or lists of these. ValueError if the text does not fit the type."""
        if self.text is None:
            return None
        if self.code is not None:
            numbers = self._decoded()
            return [row.tolist() for row in numbers] if self.shape == "arrays" else numbers.tolist()
        if self.shape == "scalar":
            return self._one(self.text)
        if self.shape == "array":
            return [self._one(item) for item in self.text]
        return [[self._one(item) for item in row] for row in self.text]

    def floats(self) -> np.ndarray:
        """Numbers of an array or a matrix, in the unit of the file. ValueError if there are none."""
        if self.code is not None:
            if self.shape == "arrays":
                raise ValueError("is a list of arrays. Expected an array or a matrix")
            return np.asarray(self._decoded(), dtype=float)
        if self.shape == "scalar":
            raise ValueError("is a single value. Expected an array")
        if self.shape == "array":
            return np.array([_filled(item) for item in self.text], dtype=float)
        rows = [[_filled(item) for item in row] for row in self.text]
        if len({len(row) for row in rows}) > 1:
            raise ValueError("has rows of different length")
        return np.array(rows, dtype=float)

    def _decoded(self) -> Any:
        assert self.code is not None
        if self.shape == "arrays":
            return [decoded(text or "", self.code) for text in self.text]
        numbers = decoded(self.text, self.code)
        if self.shape == "matrix":
            if self.size is None:
                raise ValueError("is a coded matrix without rows and columns")
            if self.size[0] * self.size[1] != len(numbers):
                raise ValueError(
                    f"has {len(numbers)} coded numbers. Expected {self.size[0]} rows * {self.size[1]} columns"
                )
            numbers = numbers.reshape(self.size)
        return numbers

    def _one(self, text: str | None) -> Any:
        return typed(text, self.value_type or guessed(text))

    def __eq__(self, other: object) -> bool:
        """The same name, unit, texts and additions; line and type are not compared, because not every container has them."""
        if not isinstance(other, RexsAttribute):
            return NotImplemented
        numeric = self._numeric or other._numeric
        return self._key(numeric) == other._key(numeric)

    __hash__ = None  # type: ignore[assignment]

    def _key(self, numeric: bool) -> tuple[Any, ...]:
        texts = _compared(self.text, numeric)
        return self.id, self.unit, self.shape, self.code, self.size, texts, self.extra, self.inner_extra, self.unknown

    @property
    def _numeric(self) -> bool:
        return self.code is None and (self.value_type or "").startswith(("floating_point", "integer"))


def _filled(text: str | None) -> float:
    if text is None:
        raise ValueError("has an empty place")
    return float_of(text)


def _compared(text: Any, numeric: bool) -> Any:
    """Texts for a comparison: numbers of a known type by value, as "+5" and "5.0"; all others by their text."""
    if isinstance(text, list):
        return [_compared(item, numeric) for item in text]
    if text is None or not numeric:
        return text if text is None else str(text)
    try:
        return float_of(text)
    except ValueError:
        return str(text)
