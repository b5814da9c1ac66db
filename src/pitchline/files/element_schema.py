"""Declared elements in model files: classes by type, tables, makers of values and the schema.

Classes of the package have keys. A user-defined class has the name "module:Class". Importing it runs the code of the
module, so
the user who reads the file must allow the module.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
from collections.abc import Callable, Iterable, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from pitchline.declare.declared_element import (
    CoordinatesField,
    DeclaredElement,
    FrameField,
    JointField,
    ParameterField,
    point_argument,
)
from pitchline.declare.field_declarations import DescriptionField, unit_of
from pitchline.declare.search import declared_elements
from pitchline.errors import ModelError, PitchlineError, near_names, shown
from pitchline.functions.piecewise import Function
from pitchline.parts.meshes.laws.own import OwnMesh

from .catalogue import Entry
from .key_lines import Path
from .schema_types import QUANTITY, Schema
from .written_values import CannotWrite, dimension_of_unit, function_data, quantities, with_unit

__all__ = [
    "argument_texts",
    "first_line",
    "description_data",
    "description_maker",
    "description_schema",
    "element_schema",
    "elements_schema",
    "allowed_modules",
    "element_class",
    "element_entry",
    "mesh_class",
    "value_makers",
]


# ---- docstrings

# Descriptions of arguments from the docstrings of the API, for editors.

_HEAD = re.compile(r"^(\w+(?:, \w+)*)(?: : (.*))?$")


def first_line(call: Callable[..., Any]) -> str:
    """First line of the docstring of a callable."""
    lines = (inspect.getdoc(call) or "").splitlines()
    return lines[0].strip() if lines else ""


def argument_texts(call: Callable[..., Any]) -> dict[str, str]:
    """Arguments and their descriptions in the section "Parameters"."""
    lines = (inspect.getdoc(call) or "").splitlines()
    if "Parameters" not in lines:
        return {}
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines[lines.index("Parameters") + 2 :]:
        if line.startswith("---") or line in ("Attributes", "Raises", "Returns"):
            break
        head = _HEAD.match(line)
        if head is not None:
            names = head.group(1).split(", ")
            found.update(dict.fromkeys(names, (head.group(2) or "").strip()))
        elif line.startswith(" ") and names:
            for name in names:
                found[name] = f"{found[name]} {line.strip()}".strip()
        elif line.strip():
            names = []
    return {name: _plain(text) for name, text in found.items() if text}


def _plain(text: str) -> str:
    """Text without markup."""
    return re.sub(r"\*\*|`", "", text)


# ---- descriptions

# Objects that describe an element in model files: tables with `kind`; their keys are arguments of the callable for
# this kind.


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


# ---- element schema

# JSON schema of declared elements, generated from their fields.

FMU_SCHEMA: Schema = {
    "type": "object",
    "description": "FMU for co-simulation in the loop; it must be allowed.",
    "properties": {
        "type": {"const": "fmu"},
        "file": {"type": "string", "description": "FMU, in the folder of the model file or below"},
        "step": {**QUANTITY, "description": "communication step [s]"},
        "inputs": {
            "type": "object",
            "additionalProperties": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/signal_value"}]},
            "description": "signals by the name of the variable",
        },
        "outputs": {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}},
                {"type": "object", "additionalProperties": {"type": "string"}},
            ],
            "description": "names of variables, or variables by the name of the signal; default: all outputs",
        },
        "parameters": {"type": "object", "description": "values by the name of the parameter"},
        "units": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "units of variables for which the FMU declares none",
        },
        "between": {"enum": ["hold", "linear"], "description": "signals between communication points"},
    },
    "additionalProperties": False,
    "required": ["type", "file", "step"],
}


def elements_schema() -> Schema:
    """Table of any element: an element of the package by its key, or a user-defined class."""
    own: Schema = {
        "type": "object",
        "description": "User-defined element; its module must be allowed.",
        "properties": {"type": {"type": "string", "pattern": ":"}},
        "required": ["type"],
    }
    return {"oneOf": [*(element_schema(cls) for cls in declared_elements().values()), FMU_SCHEMA, own]}


def element_schema(cls: type[DeclaredElement]) -> Schema:
    """Table of elements of one class."""
    properties: Schema = {"type": {"const": cls.key}}
    required = ["type"]
    for name, parameter in inspect.signature(cls).parameters.items():
        field = cls.fields.get(name)
        if isinstance(field, ParameterField) and field.kind == "law":
            continue
        if isinstance(field, FrameField):
            properties[name] = {"$ref": "#/$defs/end", "description": field.text}
        elif isinstance(field, JointField):
            properties[name] = {"type": "string", "description": field.text}
        elif isinstance(field, DescriptionField):
            properties[name] = {**description_schema(field), "description": field.text}
        elif isinstance(field, ParameterField):
            properties[name] = {**_value_element_schema(field), "description": field.described}
        else:
            continue
        if parameter.default is parameter.empty:
            required.append(name)
    for name in cls.fields_of(FrameField):
        text = f"World point of {name}, in the initial pose; default: the origin of its body."
        if cls.meeting:
            text = "World point at which its frames meet in the initial pose; default: the origin of the second body."
            default = "Direction of their z axis; default: that of the second body."
            properties["axis"] = {"$ref": "#/$defs/direction", "description": default}
        properties[point_argument(cls, name)] = {"$ref": "#/$defs/vector", "description": text}
    for field in cls.fields_of(CoordinatesField).values():
        for name, unit in field.start_arguments.items():
            text = (
                f"Initial value: {field.text} [{unit}]" if name == field.name else f"Initial value of its rate [{unit}]"
            )
            properties[name] = {"anyOf": [QUANTITY, {"$ref": "#/$defs/list"}], "description": text}
    return {
        "type": "object",
        "description": cls.what(),
        "properties": properties,
        "additionalProperties": False,
        "required": required,
    }


def _value_element_schema(field: ParameterField) -> Schema:
    if field.kind == "choice":
        return {"anyOf": [{"enum": list(field.options)}, {"type": "string", "pattern": "^\\s*="}]}
    kinds: dict[str, Schema] = {
        "number": QUANTITY,
        "vector": {"$ref": "#/$defs/vector"},
        "numbers": {"$ref": "#/$defs/list"},
        "integer": {"$ref": "#/$defs/whole"},
        "flag": {"type": "boolean"},
        "function": {"$ref": "#/$defs/time_value"},
        "input": {"$ref": "#/$defs/signal_value"},
    }
    return kinds[field.kind]


EVERY_MODULE = "*"
"""Allows every module that a file names."""


EVERY_FMU = "*.fmu"
"""Allows every FMU that a file names (`written_parts`)."""


def allowed_modules(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names of modules whose code may run."""
    found = (given,) if isinstance(given, str) else tuple(given)
    for name in found:
        if name in (EVERY_MODULE, EVERY_FMU):
            continue
        if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
            raise ModelError(f"allow: expected the name of a module, e.g. my.module, got {shown(name)}")
    return found


def element_class(kind: object, allow: tuple[str, ...]) -> type[DeclaredElement]:
    """The class that a file names. ModelError if it does not exist, or its module is not allowed."""
    known = declared_elements()
    if not isinstance(kind, str):
        raise ModelError(f"must be a text, got {shown(kind)}")
    if ":" not in kind:
        if kind not in known:
            raise ModelError(
                f'there is no element {shown(kind)}; {near_names(kind, known)}; the name of a user-defined class is "module:Class"'
            )
        return known[kind]
    found = _imported(kind, allow)
    if not isinstance(found, type) or not issubclass(found, DeclaredElement) or found is DeclaredElement:
        raise ModelError(f"{shown(kind)} is not an element class. It must be derived from pitchline.extend.Element")
    return found


def mesh_class(kind: object, allow: tuple[str, ...]) -> type[OwnMesh]:
    """The mesh law that a file names. ModelError if it does not exist, or its module is not allowed."""
    if not isinstance(kind, str) or ":" not in kind:
        raise ModelError(f'the type of a mesh law is "module:Class", got {shown(kind)}')
    found = _imported(kind, allow)
    if not isinstance(found, type) or not issubclass(found, OwnMesh) or found is OwnMesh:
        raise ModelError(f"{shown(kind)} is not a mesh law. It must be derived from pitchline.extend.MeshLaw")
    return found


def _imported(kind: str, allow: tuple[str, ...]) -> Any:
    """The object "module:name". Its module must be allowed."""
    module, _, name = kind.partition(":")
    allowed_modules(module)
    if not any(one == EVERY_MODULE or module == one or module.startswith(f"{one}.") for one in allow):
        raise ModelError(
            f"{shown(kind)} is code of the module {module}. It runs only if you allow it: use the option --allow {module}, or "
            f'--allow-code for all modules; in Python allow="{module}"'
        )
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except PitchlineError:
        raise
    except Exception as error:  # user code can raise any exception
        raise ModelError(
            f"{shown(kind)} cannot be imported: {type(error).__name__}: {shown(str(error), width=200)}"
        ) from error
    return found


def element_entry(cls: type[DeclaredElement]) -> Entry:
    """Arguments in the table of an element. Laws are Python functions and cannot be written in a file."""
    laws = {name for name, p in cls.fields_of(ParameterField).items() if p.kind == "law"}
    arguments = {
        key: p
        for key, p in inspect.signature(cls).parameters.items()
        if key != "name" and (key not in laws or p.default is p.empty)
    }
    return Entry(cls, arguments)


def value_makers(cls: type[DeclaredElement], values: Any) -> dict[str, Callable[[Any, Path], Any]]:
    """How `values` creates frames, joints, functions and descriptions from the data of a table."""
    made: dict[str, Callable[[Any, Path], Any]] = {}
    for name, field in cls.fields.items():
        if isinstance(field, FrameField):
            made[name] = values.end
        elif isinstance(field, JointField):
            made[name] = values.reference
        elif isinstance(field, DescriptionField):
            made[name] = description_maker(field, values)
        elif isinstance(field, ParameterField) and field.kind in ("function", "input"):
            made[name] = values.function
    return made
