"""Component of a REXS document: values in SI units by the names of the newest version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ..limits import ExchangeError
from .attribute import RexsAttribute, RexsUnknown
from .database import known_attribute
from .renames import TYPE_RENAMES, names_of
from .units import RexsUnit, rexs_unit
from .values import flag_of, float_of, integer_of

__all__ = ["RexsComponent"]

V = TypeVar("V")


@dataclass
class RexsComponent:
    """Component of a document.

    id, type, name: as in the file
    attributes:     by the names of the file
    new_type:       type by the newest version of the standard, for example "coupling" for "fixed_coupling"
    file:           name of the file, for messages

    The functions take the names of the newest version and find attributes with old names, too. Numbers are in SI units: m, rad,
    rad/s, N, N*m, N/m, Pa, kg, K; 1 for 100 %. An attribute without a value counts as missing.
    """

    id: int
    type: str
    name: str | None = None
    attributes: dict[str, RexsAttribute] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)
    new_type: str = field(default="", compare=False)
    file: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        self.new_type = self.new_type or TYPE_RENAMES.get(self.type, self.type)

    @property
    def label(self) -> str:
        """Name for messages: component 5 (shaft "Input shaft")."""
        name = f' "{self.name}"' if self.name else ""
        return f"component {self.id} ({self.type}{name})"

    def find(self, attribute: str) -> RexsAttribute | None:
        """Attribute by its newest name, also if the file has an old name; None if it is missing or without value."""
        for name in names_of(self.new_type, attribute):
            found = self.attributes.get(name)
            if found is not None and found.text is not None:
                return found
        return None

    def has(self, attribute: str) -> bool:
        """Whether the attribute has a value."""
        return self.find(attribute) is not None

    def error(self, attribute: str | None, text: str) -> ExchangeError:
        """Error about this component: file, line, component, attribute and the text."""
        found = self.attributes.get(attribute) if attribute else None
        if attribute and found is None:
            found = self.find(attribute)
        line = (found.line if found is not None else 0) or self.line
        place = f"{self.file or 'REXS document'}{f', line {line}' if line else ''}: {self.label}"
        return ExchangeError(
            f'{place}, attribute "{found.id if found else attribute}": {text}' if attribute else f"{place}: {text}"
        )

    def number(self, attribute: str) -> float | None:
        """Number in SI units."""
        return self._read(attribute, lambda found: self._unit(attribute, found).to_si(float_of(_scalar(found))))

    def numbers(self, attribute: str) -> np.ndarray | None:
        """Array or matrix in SI units; shape (n,) or (rows, columns). Direction vectors are returned as they are."""

        def read(found: RexsAttribute) -> np.ndarray:
            unit = self._unit(attribute, found)
            return found.floats() * unit.factor + unit.offset

        return self._read(attribute, read)

    def integer(self, attribute: str) -> int | None:
        """Integer."""
        return self._read(attribute, lambda found: integer_of(_scalar(found)))

    def flag(self, attribute: str) -> bool | None:
        """True or False."""
        return self._read(attribute, lambda found: flag_of(_scalar(found)))

    def flags(self, attribute: str) -> list[bool] | None:
        """List of True and False; a single value gives one item."""
        return self._read(attribute, lambda found: [flag_of(item) for item in _items(found)])

    def string(self, attribute: str) -> str | None:
        """Text, for example the value of an enumeration."""
        return self._read(attribute, lambda found: str(_scalar(found)).strip())

    def strings(self, attribute: str) -> list[str] | None:
        """List of texts; a single value gives one item."""
        return self._read(attribute, lambda found: [str(item).strip() for item in _items(found)])

    def reference(self, attribute: str) -> int | None:
        """Id of another component."""
        return self.integer(attribute)

    def require_number(self, attribute: str) -> float:
        """Number in SI units, or an error."""
        return self._required(attribute, self.number(attribute))

    def require_numbers(self, attribute: str) -> np.ndarray:
        """Array in SI units, or an error."""
        return self._required(attribute, self.numbers(attribute))

    def require_integer(self, attribute: str) -> int:
        """Integer, or an error."""
        return self._required(attribute, self.integer(attribute))

    def require_string(self, attribute: str) -> str:
        """Text, or an error."""
        return self._required(attribute, self.string(attribute))

    def _required(self, attribute: str, value: V | None) -> V:
        if value is None:
            raise self.error(attribute, "the value is missing")
        return value

    def _read(self, attribute: str, read: Callable[[RexsAttribute], V]) -> V | None:
        found = self.find(attribute)
        if found is None:
            return None
        try:
            return read(found)
        except (ValueError, OverflowError) as error:
            shown = found.text if isinstance(found.text, str) and not found.code else None
            value = f'"{_short(shown)}" ' if shown is not None else ""
            raise self.error(found.id, f"{value}{error}") from error

    def _unit(self, attribute: str, found: RexsAttribute) -> RexsUnit:
        """Unit of the file, or of the standard if the file has none. Different quantities are an error."""
        known = known_attribute(self.new_type, attribute)
        if known is not None and known.direction:
            return RexsUnit("number", 1.0)
        standard = rexs_unit(known.unit) if known is not None else None
        if not found.unit:
            return standard or RexsUnit("number", 1.0)
        written = rexs_unit(found.unit)
        if written is None:
            raise ValueError(
                f'has the unknown unit "{found.unit}"'
                + (f'. The unit of the standard is "{known.unit}"' if known is not None else "")
            )
        if standard is not None and known is not None and written.quantity != standard.quantity:
            raise ValueError(
                f'has the unit "{found.unit}" ({written.quantity}). The standard requires "{known.unit}" ({standard.quantity})'
            )
        return written


def _scalar(found: RexsAttribute) -> str:
    if found.shape != "scalar":
        raise ValueError("is an array. Expected a single value")
    return str(found.text)


def _items(found: RexsAttribute) -> list[str]:
    if found.shape == "scalar":
        return [str(found.text)]
    if found.shape != "array" or found.code:
        raise ValueError("is not a list of single values")
    items: list[Any] = found.text
    if any(item is None for item in items):
        raise ValueError("has an empty place")
    return [str(item) for item in items]


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:56] + " ..."
