"""Values of records, packed from Python as an array of numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .fields import Fields

__all__ = ["packed"]


# ---- field kinds

# Kinds of the fields of a record. Their meaning in the record and in compiled code is described in `fields`.


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


_NUMPY = {"number": "f8", "integer": "i8", "index": "u4"}
_NO_VALUES: dict[str, Any] = {}


def packed(record: "Fields", values: Mapping[str, Any]) -> np.ndarray:
    """Pack a record as float64 numbers, with the arrays behind it. Sizes of arrays follow from the arrays; all other fields
    that are not given are zero.

    An embedded record is given by its own values, including arrays behind it. For an array at another address, a table or a
    referenced record, the address is used: the caller must keep the array as long as the record is in use.
    """
    head = np.zeros(record.size)
    tail: list[np.ndarray] = []
    _fill(record, values, head, 0, tail)
    return np.concatenate([head, *tail]) if tail else head


def _fill(record: "Fields", values: Mapping[str, Any], whole: np.ndarray, start: int, tail: list[np.ndarray]) -> None:
    """Write the values of a record at a position of the whole, and append its arrays to those behind the whole."""
    places = record.places
    sizes: dict[str, int] = {}
    for name, value in values.items():
        if name not in places:
            raise TypeError(
                f"{record.name}: no field {', '.join(sorted(set(values) - {name for name, _ in record.layout}))}"
            )
        at, kind = places[name]
        at += start
        what = kind.what
        if what == "number":
            whole[at] = value
        elif what == "integer":
            sizes[name] = int(value)
        elif what == "tuple" or what == "inline":
            if type(value) is not np.ndarray or value.shape != (kind.size,):
                value = np.asarray(value).reshape(kind.size)
            whole[at : at + kind.size] = value
        elif what == "embedded" and type(value) is not dict and not isinstance(value, Mapping):
            if value.dtype is kind.of.dtype:
                whole[at : at + kind.size] = np.frombuffer(value)
            else:
                np.ndarray((1,), kind.of.dtype, whole, 8 * at)[0] = value
    if not record.addressed and not sizes:
        return
    integers = whole.view(np.int64)
    missing = []
    for name, at, kind in record.addressed:
        at += start
        if kind.what == "behind":
            integers[at] = whole.size + sum(part.size for part in tail) - start
            if name in values:
                data = np.ascontiguousarray(values[name], _NUMPY[kind.of])
                _note_sizes(record, sizes, name, kind, data)
                tail.append(data.ravel().view("f8"))
            else:
                missing.append((name, kind))
        elif kind.what == "embedded":
            inner = values.get(name, _NO_VALUES)
            if inner is _NO_VALUES and not kind.of.has_arrays_behind:
                continue
            if isinstance(inner, Mapping):
                _fill(kind.of, inner, whole, at, tail)
        elif name in values:
            integers[at] = _address(record, sizes, name, kind, values[name])
    for name, kind in missing:
        if sizes.get(str(kind.count)):
            raise TypeError(f"{record.name}.{name}: {kind.count} is {sizes[str(kind.count)]}, the array is not given")
    for name, size in sizes.items():  # and all other integers
        integers[start + places[name][0]] = size


def _address(record: "Fields", sizes: dict[str, int], name: str, kind: FieldKind, value: Any) -> int:
    """Address of an array, a table or a record; or this number."""
    if not isinstance(value, np.ndarray):
        return int(value)
    expected = np.dtype(_NUMPY[kind.of]) if kind.what == "elsewhere" else kind.of.dtype
    if not value.flags.c_contiguous or (
        value.dtype != expected and (kind.what == "elsewhere" or value.dtype != np.float64)
    ):
        raise TypeError(f"{record.name}.{name}: expected a contiguous array of {expected}, got {value.dtype}")
    if kind.what == "elsewhere":
        _note_sizes(record, sizes, name, kind, value)
    return int(value.ctypes.data)


def _note_sizes(record: "Fields", sizes: dict[str, int], name: str, kind: FieldKind, data: np.ndarray) -> None:
    _note_size(record, sizes, name, kind.count, data.shape[0])
    if kind.columns:
        _note_size(record, sizes, name, kind.columns, data.shape[1])


def _note_size(record: "Fields", sizes: dict[str, int], name: str, count: str | int, size: int) -> None:
    """Check that arrays that share a count have the same size."""
    if isinstance(count, int):
        if size != count:
            raise TypeError(f"{record.name}.{name}: a size of {count} expected, got {size}")
    elif sizes.setdefault(count, size) != size:
        raise TypeError(f"{record.name}.{name}: {count} is {sizes[count]}, the array has {size}")
