"""Schema of studies in model files: values of parameters, points, figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .docstrings import first_line
from .schema_types import QUANTITY, Schema, value_schema
from .study_plots import LISTS, TEXTS
from .study_points import RANGE, VALUES
from .study_steps import THEN

__all__ = ["study_definitions", "study_plot_keys", "study_value"]

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
    "start": {"anyOf": [QUANTITY, {"type": "object", "additionalProperties": QUANTITY}]},
    "reduce": _NAMES,
    "swept": {"type": "string"},
    "values": {"$ref": "#/$defs/study_values"},
    "then": {"enum": list(THEN)},
    "poincare": {"type": "array", "prefixItems": [{"type": "string"}, _WHOLE], "minItems": 2, "maxItems": 2},
    **dict.fromkeys(("settle", "record", "steps", "cycles", "max_points"), _WHOLE),
    **{key: {"type": "string"} for key in ("cycle", "period", "shaft", "flow", "device")},
    "limits": {
        "type": "object",
        "additionalProperties": {
            "type": "object", "properties": {"min": QUANTITY, "max": QUANTITY}, "additionalProperties": False, "minProperties": 1,
        },
    },
}  # fmt: skip
"""Keys of studies."""


def study_value(key: str, table: Mapping[str, Any]) -> Schema | None:
    """Schema of a key of a study. table: the properties that it already has, with its kind."""
    if key == "over" and table.get("kind") == {"const": "continuation"}:
        return {"type": "string"}
    return OF_STUDIES.get(key)


def study_plot_keys() -> Schema:
    """Keys of plots of studies."""
    texts: Schema = {key: {"type": "string"} for key in TEXTS}
    lists: Schema = dict.fromkeys(LISTS, _NAMES)
    return {**texts, **lists, "where": {"type": "object", "additionalProperties": QUANTITY}}


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
