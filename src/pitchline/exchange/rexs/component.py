"""REXS documents in memory: components, attributes, relations, load spectra, and their values in SI units."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from ..safe_xml import ExchangeError
from .database import TYPE_RENAMES, RexsProblem, RexsUnit, known_attribute, names_of, rexs_unit

__all__ = [
    "CODES",
    "JSON_NUMBER",
    "NumberText",
    "bare",
    "decoded",
    "encoded",
    "float_of",
    "guessed",
    "typed",
    "RexsAttribute",
    "RexsUnknown",
    "Shape",
    "RexsComponent",
    "Findings",
    "RexsRef",
    "RexsRelation",
    "Container",
    "RexsDocument",
    "RexsLoadCase",
    "RexsLoadSpectrum",
]


# ---- values

# Texts of values in REXS files, and their meaning: numbers, flags, coded arrays.

CODES: dict[str, str] = {"int32": "<i4", "float32": "<f4", "float64": "<f8"}
"""Code of an array -> type of its numbers, little-endian."""
JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INTEGER_values = re.compile(r"[+-]?[0-9]{1,300}")
FLAGS = {"true": True, "false": False}
MOST_DIGITS = 400
"""Longest text of a number."""


class NumberText(str):
    """Number as it is written in a JSON file."""

    __slots__ = ()


def bare(text: str | None) -> str | None:
    """Text without blanks around numbers and flags; None for an empty text, which means no value."""
    if text is None:
        return None
    short = text.strip()
    if not short:
        return None
    return short if short in FLAGS or _NUMBER.fullmatch(short[: MOST_DIGITS + 1]) else text


def float_of(text: str) -> float:
    """Finite number of a text. ValueError with the reason otherwise."""
    short = text.strip()
    if len(short) > MOST_DIGITS or not _NUMBER.fullmatch(short):
        if short.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise ValueError("is not a finite number")
        if _NUMBER.fullmatch(short.replace(",", ".")):
            raise ValueError("is not a number. Write a point instead of the comma")
        raise ValueError("is not a number")
    number = float(short)
    if not math.isfinite(number):
        raise ValueError("is too large for a number")
    return number


def integer_of(text: str) -> int:
    """Integer of a text; "2.0" is accepted as well."""
    short = text.strip()
    if _INTEGER_values.fullmatch(short):
        number = int(short)
    else:
        value = float_of(short)
        if value != math.floor(value):
            raise ValueError("is not an integer")
        number = int(value)
    if abs(number) > 2**63:
        raise ValueError("is too large for an integer")
    return number


def flag_of(text: str) -> bool:
    """Flag of a text: true, false, in any case; 1 and 0 as XML has it."""
    short = text.strip().lower()
    if short in ("true", "1"):
        return True
    if short in ("false", "0"):
        return False
    raise ValueError('is neither "true" nor "false"')


def typed(text: str | None, value_type: str) -> Any:
    """Value of a text for a type of the standard. ValueError with the reason if it does not fit."""
    if text is None:
        return None
    if value_type.startswith("floating_point"):
        return float_of(text)
    if value_type.startswith(("integer", "reference_component", "array_of_integer")):
        return integer_of(text)
    if value_type.startswith("boolean"):
        return flag_of(text)
    return str(text)


def guessed(text: str | None) -> str:
    """Type of the standard for a text of unknown type."""
    if text in FLAGS:
        return "boolean"
    if text is not None and len(text) <= MOST_DIGITS and JSON_NUMBER.fullmatch(text):
        return "integer" if text.lstrip("-").isdigit() else "floating_point"
    return "string"


def decoded(text: str, code: str) -> np.ndarray:
    """Numbers of a coded array. ValueError with the reason if the text or the code is wrong."""
    if code not in CODES:
        raise ValueError(f'the code "{code}" is unknown. Known codes: {", ".join(CODES)}')
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("the coded text is not valid base64") from error
    size = np.dtype(CODES[code]).itemsize
    if len(data) % size:
        raise ValueError(f"the coded text has {len(data)} bytes, which is not a multiple of {size} ({code})")
    numbers = np.frombuffer(data, dtype=CODES[code]).astype(float if code[0] == "f" else np.int64)
    if not np.all(np.isfinite(numbers)):
        raise ValueError("contains a value that is not a finite number")
    return numbers


def encoded(numbers: np.ndarray, code: str) -> str:
    """Coded text of an array, row by row."""
    return base64.b64encode(np.ascontiguousarray(numbers, dtype=CODES[code]).tobytes()).decode("ascii")


# ---- attribute

# Attribute of a component in a REXS file: its texts as they are in the file, and their values.

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


# ---- findings

# Problems that are found while a REXS file is read.

MOST_PROBLEMS = 200
"""A file with more problems than this is not read further."""
_VERSION = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){1,2}")
_INTEGER = re.compile(r"([+-]?[0-9]{1,18})(\.0+)?")


@dataclass
class Findings:
    """Problems found while a file is read."""

    file: str
    problems: list[RexsProblem] = field(default_factory=list)

    def error(self, text: str, *, line: int = 0, component: int | None = None, attribute: str | None = None) -> None:
        """Add an error."""
        self.problems.append(RexsProblem("error", text, component, attribute, line, self.file))
        if len(self.problems) >= MOST_PROBLEMS:
            raise ExchangeError(self.text())

    def number(self, text: object, what: str, line: int) -> int | None:
        """Integer of a text, or None with an error."""
        short = str(text).strip() if text is not None else ""
        whole = _INTEGER.fullmatch(short)
        if whole:
            return int(whole[1])
        self.error(
            f"{what}: the id is missing" if not short else f'{what}: "{short[:40]}" is not an integer', line=line
        )
        return None

    def version(self, text: object, line: int) -> str:
        """Version of the standard, or "" with an error."""
        version = str(text).strip() if text is not None else ""
        if not version:
            self.error('model: the version is missing. Specify it, for example version="1.7"', line=line)
        elif not _VERSION.fullmatch(version):
            self.error(
                f'model: "{version[:40]}" is not a version of REXS. Expected for example "1.7" or "2.0.0"', line=line
            )
        return version

    def add_component(self, components: dict[int, RexsComponent], component: RexsComponent) -> None:
        """Add a component, unless its id is there."""
        first = components.setdefault(component.id, component)
        if first is not component:
            self.error(
                f"{component.label}: the id {component.id} is used twice, first in line {first.line} ({first.type})",
                line=component.line, component=component.id,
            )  # fmt: skip

    def text(self) -> str:
        """All problems as the text of an error."""
        lines = [
            f"{problem.file}{f', line {problem.line}' if problem.line else ''}: {problem.text}"
            for problem in self.problems
        ]
        if len(lines) == 1:
            return lines[0]
        shown = lines if len(lines) <= 20 else [*lines[:20], f"{len(lines) - 20} more"]
        return f"{self.file} breaks the REXS standard ({len(lines)} problems):" + "".join(
            f"\n  - {line}" for line in shown
        )


# ---- relation

# Relation between components of a REXS document.


@dataclass
class RexsRef:
    """Reference of a relation to a component.

    role: "assembly", "part", "gear_1", ...
    hint: type of the component, repeated by the writer; not used
    """

    id: int
    role: str
    hint: str | None = None
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)


@dataclass
class RexsRelation:
    """Relation: its type, its place in an order (from 1), and its references."""

    id: int
    type: str
    order: int | None = None
    refs: list[RexsRef] = field(default_factory=list)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)

    def role(self, name: str) -> int | None:
        """Id of the component in a role."""
        return next((ref.id for ref in self.refs if ref.role == name), None)

    def roles(self, name: str) -> list[int]:
        """Ids of all components in a role."""
        return [ref.id for ref in self.refs if ref.role == name]


# ---- document

# REXS document: components, relations and load spectra as they are in the file.

Container = Literal["xml", "json", "zip"]


@dataclass
class RexsLoadCase:
    """Load case: components with only those attributes that differ from the document."""

    id: int
    components: dict[int, RexsComponent] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)


@dataclass
class RexsLoadSpectrum:
    """Load spectrum: its cases, and the results of all cases together (accumulation)."""

    id: int
    cases: list[RexsLoadCase] = field(default_factory=list)
    accumulation: dict[int, RexsComponent] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    extra: dict[str, str] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)

    def case(self, number: int) -> RexsLoadCase | None:
        """Load case by its id."""
        return next((case for case in self.cases if case.id == number), None)


@dataclass
class RexsDocument:
    """Contents of a REXS file. Two documents are equal if their contents are equal, in any container.

    version:       version of the standard, for example "1.7" or "2.0.0"
    components:    by id, in the order of the file
    files:         other files of an archive, by their path in the archive
    container:     "xml", "json" or "zip"
    member:        name of the REXS file in an archive
    section_extra: further XML attributes of the elements relations, components and accumulation
    prefix:        prefix of the XML elements, if the file uses one
    source:        path of the file
    """

    version: str
    application_id: str | None = None
    application_version: str | None = None
    date: str | None = None
    language: str | None = None
    components: dict[int, RexsComponent] = field(default_factory=dict)
    relations: list[RexsRelation] = field(default_factory=list)
    spectra: list[RexsLoadSpectrum] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    extra: dict[str, str] = field(default_factory=dict)
    section_extra: dict[str, dict[str, str]] = field(default_factory=dict)
    unknown: list[RexsUnknown] = field(default_factory=list)
    container: Container = field(default="xml", compare=False)
    member: str | None = field(default=None, compare=False)
    prefix: str = field(default="", compare=False)
    source: Path | None = field(default=None, compare=False)

    def of_type(self, type_: str) -> list[RexsComponent]:
        """Components of a type (name of the newest version), in the order of the file."""
        return [component for component in self.components.values() if component.new_type == type_]

    def relations_of(self, type_: str) -> list[RexsRelation]:
        """Relations of a type; relations with an order come in this order."""
        found = [relation for relation in self.relations if relation.type == type_]
        return sorted(found, key=lambda relation: relation.order or 0)

    def parts_of(self, number: int) -> list[RexsComponent]:
        """Components that are parts of an assembly, by assembly and ordered_assembly."""
        found = [*self.relations_of("assembly"), *self.relations_of("ordered_assembly")]
        ids = [part for relation in found if relation.role("assembly") == number for part in relation.roles("part")]
        return [self.components[part] for part in ids if part in self.components]

    def with_case(self, spectrum: int, case: int) -> RexsDocument:
        """Document with the values of a load case.

        spectrum, case: ids
        """
        chosen = next((item for item in self.spectra if item.id == spectrum), None)
        if chosen is None:
            raise ExchangeError(
                f"{self.name}: there is no load spectrum {spectrum}. {_known(item.id for item in self.spectra)}"
            )
        values = chosen.case(case)
        if values is None:
            known = _known(item.id for item in chosen.cases)
            raise ExchangeError(f"{self.name}: load spectrum {spectrum} has no load case {case}. {known}")
        components = dict(self.components)
        for number, changed in values.components.items():
            if number not in components:
                raise changed.error(None, f"load case {case} refers to a component that does not exist")
            merged = copy(components[number])
            merged.attributes = {**merged.attributes}
            for attribute in changed.attributes.values():
                _put(merged, attribute)
            components[number] = merged
        return replace(self, components=components)

    @property
    def name(self) -> str:
        """Name of the file for messages."""
        return str(self.source) if self.source else "REXS document"

    def counts(self) -> Counter[str]:
        """Number of components of each type."""
        return Counter(component.new_type for component in self.components.values())


def _put(component: RexsComponent, attribute: RexsAttribute) -> None:
    """Replace an attribute; the old one may have an older or newer name."""
    from .database import names_of, new_name

    for name in names_of(component.new_type, new_name(component.new_type, attribute.id)):
        component.attributes.pop(name, None)
    component.attributes[attribute.id] = attribute


def _known(ids: object) -> str:
    listing = ", ".join(str(number) for number in ids)  # type: ignore[attr-defined]
    return f"Known: {listing}" if listing else "The file has none"
