"""Kinds of the fields of a record. Their meaning in the record and in compiled code is described in `fields`."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FieldKind:
    """Kind of a field. The functions below make it."""

    what: str
    size: int = 1
    """Size in the record, in numbers."""
    count: str | int = ""
    """For an array: the field with its size or number of rows, or this number."""
    columns: str | int = 0
    """For a matrix: the field with its number of columns, or this number."""
    of: Any = None
    """Record behind an address, or content of an array."""


NUMBER = FieldKind("number")
INTEGER = FieldKind("integer")
VECTOR = FieldKind("tuple", 3)
MATRIX = FieldKind("tuple", 9)


def numbers(n: int) -> FieldKind:
    """A tuple of n numbers."""
    return FieldKind("tuple", n)


def inline(n: int, columns: int = 0) -> FieldKind:
    """An array of n numbers, or a matrix, inside the record."""
    return FieldKind("inline", n * (columns or 1), columns=columns)


def behind(count: str, columns: str | int = 0, of: str = "number") -> FieldKind:
    """Array of numbers, or of integers (`of="integer"`), with the size in the field `count`, behind the record in the same
    pool; a matrix with `columns`."""
    return FieldKind("behind", count=count, columns=columns, of=of)


def elsewhere(count: str | int, columns: str | int = 0, of: str = "number") -> FieldKind:
    """Array at an address, of numbers, integers (`of="integer"`), or unsigned integers of four bytes (`of="index"`)."""
    return FieldKind("elsewhere", count=count, columns=columns, of=of)


def embedded(record: Any) -> FieldKind:
    """A record inside the record."""
    return FieldKind("embedded", record.size, of=record)


def reference(record: Any) -> FieldKind:
    """The address of a record."""
    return FieldKind("reference", of=record)


def table(record: Any) -> FieldKind:
    """Address of the first of many consecutive records."""
    return FieldKind("table", of=record)
