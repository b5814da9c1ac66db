"""Schema of studies in model files: values of parameters, points, figures."""

from __future__ import annotations

from .docstrings import first_line
from .schema_types import QUANTITY, Schema, value_schema
from .study_points import RANGE, VALUES

__all__ = ["OF_STUDIES", "study_definitions"]

_NAMES: Schema = {"type": "array", "items": {"type": "string"}}
_VALUES: Schema = {"type": "object", "additionalProperties": {"$ref": "#/$defs/study_values"}, "minProperties": 1}
_POINTS: Schema = {"type": "array", "items": {"type": "object", "additionalProperties": QUANTITY}, "minItems": 1}
_WHOLE: Schema = {"$ref": "#/$defs/whole"}

OF_STUDIES: dict[str, Schema] = {
    "over": _VALUES,
    "points": _POINTS,
    "samples": _WHOLE,
    "seed": _WHOLE,
    "evaluations": _WHOLE,
    "method": {"type": "string"},
    "figures": _NAMES,
    "cases": {"anyOf": [_VALUES, _POINTS]},
    "of_cases": {"type": "string"},
    "minimise": {"type": "string"},
    "maximise": {"type": "string"},
    "start": {"type": "object", "additionalProperties": QUANTITY},
    "limits": {
        "type": "object",
        "additionalProperties": {
            "type": "object", "properties": {"min": QUANTITY, "max": QUANTITY}, "additionalProperties": False, "minProperties": 1,
        },
    },
}  # fmt: skip
"""Keys of studies."""


def study_definitions() -> Schema:
    """Values of a parameter in a study: a list, a range or a distribution."""
    tables = []
    for kind, entry in VALUES.items():
        properties: Schema = {"kind": {"const": kind}}
        for key in entry.arguments:
            properties[key] = _VALUES_OF.get(key) or value_schema(entry, key, "study_values")
        required = [*([] if kind == RANGE else ["kind"]), *entry.required]
        tables.append(
            {
                "type": "object", "description": first_line(entry.call), "properties": properties, "required": required,
                "additionalProperties": False,
            }
        )  # fmt: skip
    listed: Schema = {"type": "array", "items": {"anyOf": [QUANTITY, {"type": "boolean"}]}, "minItems": 1}
    return {"study_values": {"anyOf": [listed, QUANTITY, *tables]}}


_VALUES_OF: dict[str, Schema] = {
    "count": _WHOLE, "options": {"type": "array", "minItems": 1}, "weights": {"type": "array", "items": {"type": "number"}},
}  # fmt: skip
