"""Named fields in compiled code: a record is an address with a layout that is known to the compiler.

    Law = fields("Law", stiffness=NUMBER, axis=VECTOR, modes=INTEGER, omega=behind("modes"))

In compiled code `s.stiffness` is a number, `s.axis` a tuple of three, `s.modes` an integer, `s.omega` an array of s.modes
numbers. All except arrays and records can be assigned. Every field has a size of eight bytes or a multiple, so that a record
fits in a pool of float64 numbers. There is no reference counting and no allocation, and in machine code all records have one
type: a function compiled for its own records can be called by address with one signature (see `calling`).

| kind | in the record | in compiled code |
|---|---|---|
| NUMBER, INTEGER | one value | number, integer |
| VECTOR, MATRIX, numbers(n) | 3, 9, n numbers | tuple |
| inline(n), inline(n, m) | n (m) numbers | array of that shape |
| behind(count, columns, of) | position of an array behind the record | array of numbers or integers |
| elsewhere(count, columns, of) | address of an array | array of numbers, integers or indices |
| embedded(T) | a record | record |
| reference(T) | address of a record | record |
| table(T) | address of the first of many records | `t[i]` is record i |

`count` and `columns` name the fields with the size of an array. Its position is in numbers from the start of the record.

Addresses and counts must not change while a compiled function that reads them runs: the compiler assumes this, and reads them
once instead of in every iteration of a loop. Numbers may change. There are no checks: an array that was freed, or an index out
of bounds, is as fatal as in C (NUMBA_BOUNDSCHECK=1 checks the indices of arrays).

This uses numba's extension interface, and one function of its arrays. It is limited to this file, and a test checks it.
"""

import hashlib
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import register_default
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import infer_getattr, intrinsic, lower_builtin
from numba.np.arrayobj import populate_array

from .packing import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    FieldKind,
    behind,
    elsewhere,
    embedded,
    inline,
    numbers,
    packed,
    reference,
    table,
)

__all__ = [
    "INTEGER",
    "MATRIX",
    "NUMBER",
    "VECTOR",
    "Any_",
    "Fields",
    "FieldKind",
    "behind",
    "elsewhere",
    "embedded",
    "fields",
    "inline",
    "matrix_over",
    "numbers",
    "packed",
    "record_as",
    "record_at",
    "record_over",
    "reference",
    "table",
    "address",
    "new_record",
    "point",
]


_WORD = ir.IntType(64)
_POINTER = ir.DoubleType().as_pointer()
_DTYPES = {"number": types.float64, "integer": types.int64, "index": types.uint32}
_RESERVED = {"view"}
"""Names that numba resolves before it uses the type."""


class Fields(types.Type):
    """The numba type of a record."""

    named_by_content = True
    """Its name contains a hash of its layout."""

    def __init__(self, name: str, layout: tuple[tuple[str, FieldKind], ...]) -> None:
        self.layout = layout
        self.places: dict[str, tuple[int, FieldKind]] = {}
        """Position of each field, in numbers, and its kind."""
        at = 0
        for field, kind in layout:
            self.places[field] = (at, kind)
            at += kind.size
        self.size = at
        """Size in numbers of eight bytes."""
        plain = ("number", "integer", "tuple", "inline")
        self.addressed = [(field, *place) for field, place in self.places.items() if place[1].what not in plain]
        """Names, positions and kinds of records and of arrays at other addresses."""
        self.has_arrays_behind = any(
            kind.what == "behind" or (kind.what == "embedded" and kind.of.has_arrays_behind) for _, kind in layout
        )
        self.dtype = np.dtype([(field, *_numpy_type(kind)) for field, kind in layout])
        """The same layout for numpy; arrays behind the record are not part of it."""
        super().__init__(name)

    @property
    def key(self) -> Any:
        return self.name

    @property
    def mangling_args(self) -> Any:
        return (self.name, ())

    def place(self, field: str) -> tuple[int, FieldKind]:
        """Position of a field, in numbers, and its kind."""
        return self.places[field]

    def named(self, numbers: np.ndarray, first: int = 0) -> np.void:
        """The record in an array of numbers or integers, from position `first` on: its fields by name. It shares the memory."""
        found: np.void = np.ndarray((1,), self.dtype, numbers, 8 * first)[0]
        return found

    def __contains__(self, field: str) -> bool:
        return field in self.places


def _numpy_type(kind: FieldKind) -> tuple[Any, ...]:
    if kind.what == "embedded":
        return (kind.of.dtype,)
    if kind.what == "tuple":
        return ("f8", (kind.size,))
    if kind.what == "inline":
        return (
            "f8",
            (kind.size // kind.columns, kind.columns)
            if isinstance(kind.columns, int) and kind.columns
            else (kind.size,),
        )
    return ("f8",) if kind.what == "number" else ("i8",)


def fields(name: str, /, **layout: FieldKind) -> Fields:
    """Make a record type. Its name contains a hash of its layout, so that symbols are short and unique."""
    for field in layout.keys() & _RESERVED:
        raise TypeError(f'{name}: "{field}" cannot be the name of a field, numba uses it for arrays')
    for field, kind in layout.items():
        for other in (kind.count, kind.columns):
            if isinstance(other, str) and other and layout.get(other) != INTEGER:
                raise TypeError(f'{name}.{field}: its size "{other}" must be an integer field of the same record')
    digest = hashlib.sha256(repr([(field, repr(kind)) for field, kind in layout.items()]).encode()).hexdigest()
    return Fields(f"{name}.{digest[:16]}", tuple(layout.items()))


Any_ = Fields("Any", ())
"""Any record, if only its address is used."""


class RecordTable(types.Type):
    """The numba type of many records: `t[i]` is one of them."""

    def __init__(self, record: Fields) -> None:
        self.record = record
        super().__init__(f"table({record.name})")


@register_default(Fields)
@register_default(RecordTable)
class _RecordModel(PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _POINTER)


def _value_type(kind: FieldKind) -> Any:
    if kind.what in ("embedded", "reference"):
        return kind.of
    if kind.what == "table":
        return RecordTable(kind.of)
    if kind.what in ("inline", "behind", "elsewhere"):
        return types.Array(_DTYPES[kind.of or "number"], 2 if kind.columns else 1, "C")
    if kind.what == "tuple":
        return types.UniTuple(types.float64, kind.size)
    return _DTYPES[kind.what]


@infer_getattr
class _FieldsAttribute(AttributeTemplate):
    key = Fields

    def generic_resolve(self, value: Any, field: str) -> Any:  # type: ignore[override]
        return _value_type(value.place(field)[1]) if field in value else None


@infer_global(operator.getitem)
class _TableItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], RecordTable) and isinstance(args[1], types.Integer):
            return signature(args[0].record, args[0], types.int64)
        return None


@lower_builtin(operator.getitem, RecordTable, types.int64)
def _table_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.gep(args[0], [builder.mul(args[1], _WORD(sig.args[0].record.size))], inbounds=True)


def _pointer(builder: Any, base: Any, at: int) -> Any:
    return builder.gep(base, [_WORD(at)], inbounds=True)


def _integer(builder: Any, base: Any, at: int) -> Any:
    return builder.load(builder.bitcast(_pointer(builder, base, at), _WORD.as_pointer()))


def _constant(builder: Any, base: Any, at: int) -> Any:
    """An address or a count: constant while the function runs. The compiler uses this."""
    value = _integer(builder, base, at)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _array(context: Any, builder: Any, record: Fields, base: Any, at: int, kind: FieldKind) -> Any:
    array_type = _value_type(kind)
    array = context.make_array(array_type)(context, builder)
    item = array_type.dtype.bitwidth // 8

    def size(of: str | int) -> Any:
        return _WORD(of) if isinstance(of, int) else _constant(builder, base, record.place(of)[0])

    if kind.what == "inline":
        data = _pointer(builder, base, at)
        shape = [_WORD(n) for n in _numpy_type(kind)[1]]
    else:
        shape = [size(kind.count)] + ([size(kind.columns)] if kind.columns else [])
        if kind.what == "behind":
            data = builder.gep(base, [_constant(builder, base, at)])
        else:
            data = builder.inttoptr(_constant(builder, base, at), _POINTER)
    data = builder.bitcast(data, context.get_data_type(array_type.dtype).as_pointer())
    strides = [_WORD(item)]
    if kind.columns:
        strides = [builder.mul(shape[1], _WORD(item)), _WORD(item)]
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=_WORD(item), meminfo=None)
    return array._getvalue()


@lower_getattr_generic(Fields)
def _get(context: Any, builder: Any, record: Fields, base: Any, field: str) -> Any:
    at, kind = record.place(field)
    if kind.what == "embedded":
        return _pointer(builder, base, at)
    if kind.what in ("reference", "table"):
        return builder.inttoptr(_constant(builder, base, at), _POINTER)
    if kind.what in ("inline", "behind", "elsewhere"):
        return _array(context, builder, record, base, at, kind)
    if kind.what == "integer":
        return _integer(builder, base, at)
    if kind.what == "number":
        return builder.load(_pointer(builder, base, at))
    return cgutils.pack_array(builder, [builder.load(_pointer(builder, base, at + i)) for i in range(kind.size)])


@lower_setattr_generic(Fields)
def _set(context: Any, builder: Any, sig: Any, args: Any, field: str) -> None:
    record, given = sig.args
    at, kind = record.place(field)
    if kind.what not in ("number", "integer", "tuple"):
        raise TypeError(f'"{field}" of {record.name} cannot be assigned to: it is an array or a record')
    value = context.cast(builder, args[1], given, _value_type(kind))
    if kind.what == "tuple":
        for i in range(kind.size):
            builder.store(builder.extract_value(value, i), _pointer(builder, args[0], at + i))
    elif kind.what == "integer":
        builder.store(value, builder.bitcast(_pointer(builder, args[0], at), _WORD.as_pointer()))
    else:
        builder.store(value, _pointer(builder, args[0], at))


def record_over(record: Fields) -> Any:
    """over(array, place): the record at a position of an array of numbers. For compiled code."""

    @intrinsic
    def over(typing: Any, array: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = context.make_array(sig.args[0])(context, builder, args[0]).data
            return builder.gep(builder.bitcast(data, _POINTER), [args[1]])

        return record(array, types.int64), generate

    return over


def record_at(record: Fields) -> Any:
    """at(address): the record at an address. For compiled code."""

    @intrinsic
    def at(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], _POINTER)

        return record(types.int64), generate

    return at


def record_as(record: Fields) -> Any:
    """of(any): the same address, as a record of this type. For compiled code."""

    @intrinsic
    def of(typing: Any, other: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return args[0]

        return record(other), generate

    return of


def _matrix_over(typing: Any, array: Any, rows: Any, columns: Any) -> Any:
    """The first numbers of an array as a matrix. For compiled code."""
    matrix = types.Array(types.float64, 2, "C")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = context.make_array(sig.args[0])(context, builder, args[0])
        result = context.make_array(matrix)(context, builder)
        strides = [builder.mul(args[2], _WORD(8)), _WORD(8)]
        populate_array(
            result, data=source.data, shape=[args[1], args[2]], strides=strides, itemsize=_WORD(8), meminfo=None
        )
        return result._getvalue()

    return matrix(array, types.int64, types.int64), generate


matrix_over: Any = intrinsic(_matrix_over)


# ---- record addresses

# Records filled from Python: integers, and arrays by their address.


def address(array: np.ndarray) -> int:
    """Address of the first number of an array. The caller must keep the array as long as the address is in use."""
    return int(array.ctypes.data)


class _AddressedRecord(np.ndarray):
    """Integers of a record, with the arrays whose addresses are among them: they exist as long as the record."""

    arrays: tuple[np.ndarray, ...]


def new_record(record: Fields, values: Mapping[str, Any]) -> np.ndarray:
    """A record as an array of integers: numbers of arrays and other counts by value, arrays by their address; all else is zero.

    The result keeps the arrays.
    """
    words = np.zeros(record.size, np.int64).view(_AddressedRecord)
    point(words, record, values)
    words.arrays = tuple(value for value in values.values() if isinstance(value, np.ndarray))
    return words


def point(words: np.ndarray, record: Fields, values: Mapping[str, Any]) -> None:
    """Set integers and addresses of a record, in the same way."""
    places = record.places
    for name, value in values.items():
        words[places[name][0]] = address(value) if isinstance(value, np.ndarray) else value
