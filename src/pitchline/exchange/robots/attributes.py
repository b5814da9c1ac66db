"""Attributes of XML elements as numbers and vectors. Errors name the file, the line, the item and the value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...solids.rotations import Array
from ..limits import ExchangeError
from ..safe_xml import XmlElement

__all__ = ["ElementReading"]

LARGEST = 1e18
"""Largest number that is accepted, in SI units."""


@dataclass(frozen=True)
class ElementReading:
    """One XML element that is read: a file, the element, and what it describes, such as 'link "arm"'."""

    file: Path
    element: XmlElement
    what: str

    def error(self, text: str) -> ExchangeError:
        """Error with file, line and item."""
        return ExchangeError(f"{self.file}, line {self.element.line}: {self.what}: {text}")

    def of(self, element: XmlElement) -> ElementReading:
        """The same item, at a child element."""
        return ElementReading(self.file, element, self.what)

    def text(self, key: str) -> str | None:
        """Text of an attribute without blanks at its ends; None if it is not there or empty."""
        value = self.element.attributes.get(key, "").strip()
        return value or None

    def needed(self, key: str, way_out: str) -> str:
        """Text of an attribute that must be there."""
        value = self.text(key)
        if value is None:
            raise self.error(f'attribute "{key}" of <{self.element.tag}> is missing. {way_out}')
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Number; without a default the attribute is required."""
        given = self.text(key)
        if given is None:
            if default is None:
                raise self.error(f'attribute "{key}" of <{self.element.tag}> is missing. Specify a number')
            return default
        return self._numbers(key, given, (1,))[0]

    def optional(self, key: str) -> float | None:
        """Number, or None if the attribute is not there."""
        return None if self.text(key) is None else self.number(key)

    def not_negative(self, key: str, default: float | None = None) -> float:
        """Number that is zero or positive."""
        value = self.number(key, default)
        if value < 0.0:
            raise self.error(f'attribute "{key}" of <{self.element.tag}> must not be negative, got {value:g}')
        return value

    def vector(self, key: str, default: tuple[float, ...] | None, *counts: int) -> Array:
        """Numbers that are separated by blanks; counts: allowed numbers of them, default 3."""
        given = self.text(key)
        if given is None:
            if default is None:
                n = counts[0] if counts else 3
                raise self.error(f'attribute "{key}" of <{self.element.tag}> is missing. Specify {n} numbers')
            return np.array(default, float)
        return np.array(self._numbers(key, given, counts or (3,)))

    def flag(self, key: str, default: bool) -> bool:
        """Attribute with the value "true" or "false"."""
        given = self.text(key)
        if given is None:
            return default
        if given not in ("true", "false"):
            raise self.error(f'attribute "{key}" of <{self.element.tag}> must be "true" or "false", got "{given[:40]}"')
        return given == "true"

    def choice(self, key: str, options: tuple[str, ...], default: str) -> str:
        """One of several texts."""
        given = self.text(key)
        if given is None:
            return default
        if given not in options:
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> must be one of {", ".join(options)}, got "{given[:40]}"'
            )
        return given

    def _numbers(self, key: str, given: str, counts: tuple[int, ...]) -> list[float]:
        words = given.split()
        if "${" in given or "$(" in given:
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> is "{given[:60]}": the file contains xacro macros. Expand it first: '
                "xacro robot.xacro > robot.urdf"
            )
        try:
            values = [float(word) for word in words]
        except ValueError:
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> must contain numbers, got "{given[:60]}"'
            ) from None
        if len(values) not in counts:
            expected = " or ".join(str(n) for n in counts)
            raise self.error(
                f'attribute "{key}" of <{self.element.tag}> must have {expected} number{"" if counts == (1,) else "s"}, '
                f'got {len(values)}: "{given[:60]}"'
            )
        for value in values:
            if not math.isfinite(value) or abs(value) > LARGEST:
                raise self.error(
                    f'attribute "{key}" of <{self.element.tag}> has the value {value:g}, which is not finite or larger than '
                    f"{LARGEST:g}"
                )
        return values
