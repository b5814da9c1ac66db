"""Objects that describe an element in model files: tables with `kind`; their keys are arguments of the callable for
this kind."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from ..errors import shown
from ..model.description_field import DescriptionField, unit_of
from ..model.functions import Function
from .catalogue import Entry
from .docstrings import argument_texts, first_line
from .problems import Path
from .schema_types import QUANTITY, Schema
from .written_quantities import dimension_of_unit, quantities, with_unit
from .written_values import CannotWrite, function_data

__all__ = ["description_data", "description_maker", "description_schema"]


def description_maker(field: DescriptionField, values: Any) -> Callable[[Any, Path], Any]:
    """How `values` creates an object from a table. A table inside it that has a kind is a function."""

    def made(table: Any, path: Path) -> Any:
        make = field.kinds[values.kind(table, path, field.kinds, "kind here")]
        entry = _entry(make)
        convert = {key: values.function for key, value in table.items() if isinstance(value, dict) and "kind" in value}
        hints = _hints(make)
        convert |= {key: values.of_gears.file for key in table if _is_path(hints.get(key))}
        return values.make(entry, table, path, convert, also=("kind",))

    return made


def _entry(make: Callable[..., Any]) -> Entry:
    return Entry(make, inspect.signature(make).parameters)


def description_data(field: DescriptionField, value: Any, what: str) -> dict[str, Any]:
    """The table from which the same object can be created again."""
    kind, arguments = field.said(value)
    return {"kind": kind, **{key: _data(one, unit_of(value, key), f"{what}: {key}") for key, one in arguments.items()}}


def _data(value: Any, unit: str, what: str) -> Any:
    dimension = dimension_of_unit(unit)
    if isinstance(value, (bool, str)) or (isinstance(value, (int, np.integer)) and not unit):
        return value
    if isinstance(value, (int, float)):
        return with_unit(value, dimension)
    if isinstance(value, Function):
        return function_data(value, dimension, what)
    if isinstance(value, (np.ndarray, list, tuple)):
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            return [_data(item, unit, what) for item in value]
        return quantities(array, dimension) if array.ndim == 1 else [_data(row, unit, what) for row in array]
    if isinstance(value, dict):
        return {str(key): _data(item, unit, what) for key, item in value.items()}
    raise CannotWrite(f"{what} is {shown(value)}, which model files do not support")


def description_schema(field: DescriptionField) -> Schema:
    """One table for each kind."""
    return {"oneOf": [_table(kind, make) for kind, make in field.kinds.items()]}


def _table(kind: str, make: Callable[..., Any]) -> Schema:
    entry = _entry(make)
    texts = argument_texts(make)
    hints = _hints(make)
    properties: Schema = {"kind": {"const": kind}}
    for key, parameter in entry.arguments.items():
        value = _value(hints.get(key, object), parameter.default)
        properties[key] = {**value, "description": texts[key]} if key in texts else value
    return {
        "type": "object",
        "description": first_line(make),
        "properties": properties,
        "additionalProperties": False,
        "required": ["kind", *entry.required],
    }


def _hints(make: Callable[..., Any]) -> dict[str, Any]:
    """Types of arguments, by their annotations."""
    function = inspect.unwrap(vars(make)["__init__"] if isinstance(make, type) else make.__func__)  # type: ignore[attr-defined]
    return get_type_hints(function)


def _is_path(hint: Any) -> bool:
    """Whether an argument is a file name."""
    return any(get_origin(part) is os.PathLike or part is os.PathLike for part in get_args(hint))


def _value(hint: Any, default: Any) -> Schema:
    """Schema of one argument. None is the default."""
    parts = [
        part
        for part in (get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,))
        if part is not type(None)
    ]
    if any(get_origin(part) is Literal for part in parts):
        return {"enum": [word for part in parts for word in get_args(part)]}
    if _is_path(hint):
        return {"type": "string"}
    if bool in parts or isinstance(default, bool):
        return {"type": "boolean"}
    if parts == [int]:
        return {"$ref": "#/$defs/whole"}
    if parts == [str]:
        return {"type": "string"}
    if any(isinstance(part, type) and issubclass(part, Function) for part in parts):
        return {"$ref": "#/$defs/time_value"}
    if any(part is np.ndarray or get_origin(part) in (list, tuple, Sequence) for part in parts):
        return {"$ref": "#/$defs/rows"}
    return QUANTITY
