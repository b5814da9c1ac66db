"""Kinds of the fields of a record: what each is in the record and in compiled code is said in `fields`, which offers them."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FieldKind:
    """What a field is. Made by the functions below."""

    what: str
    size: int = 1
    """Numbers that it takes in the record."""
    count: str | int = ""
    """Of an array: the field with its size or number of rows, or this number."""
    columns: str | int = 0
    """Of a matrix: the field with its number of columns, or this number."""
    of: Any = None
    """Record behind an address, or what an array holds."""


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
    """An array of as many numbers, or integers (`of="integer"`), as the field `count` says, behind the record in the same pool; a
    matrix with `columns`."""
    return FieldKind("behind", count=count, columns=columns, of=of)


def elsewhere(count: str | int, columns: str | int = 0, of: str = "number") -> FieldKind:
    """An array at an address, of numbers, of integers (`of="integer"`), or of unsigned integers of four bytes (`of="index"`)."""
    return FieldKind("elsewhere", count=count, columns=columns, of=of)


def embedded(record: Any) -> FieldKind:
    """A record inside the record."""
    return FieldKind("embedded", record.size, of=record)


def reference(record: Any) -> FieldKind:
    """The address of a record."""
    return FieldKind("reference", of=record)


def table(record: Any) -> FieldKind:
    """The address of the first of many records that follow one another."""
    return FieldKind("table", of=record)
