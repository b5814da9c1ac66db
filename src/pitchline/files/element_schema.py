"""JSON schema of declared elements, generated from their fields."""

from __future__ import annotations

import inspect

from ..declared_elements import declared_elements
from ..model.declared_element import DeclaredElement, point_argument
from ..model.description_field import DescriptionField
from ..model.element_fields import CoordinatesField, FrameField, JointField, ParameterField
from .descriptions import description_schema
from .schema_types import QUANTITY, Schema

__all__ = ["element_schema", "elements_schema"]


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
            properties[name] = {**_value(field), "description": field.described}
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


def _value(field: ParameterField) -> Schema:
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
