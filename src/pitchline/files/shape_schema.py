"""Schema of the shapes of flexible bodies, from the table of their kinds."""

from __future__ import annotations

from ..superelements.shapes import OPTIONAL, SHAPES
from .schema_types import QUANTITY, Schema

__all__ = ["shape_schema"]

_SEAT: Schema = {
    "type": "object", "required": ["at", "diameter"], "additionalProperties": False,
    "properties": {
        "at": {"type": "array", "items": QUANTITY, "minItems": 2, "maxItems": 2}, "diameter": QUANTITY,
        "plate": {"enum": ["low", "high"]},
    },
}  # fmt: skip
_VALUES: dict[str, Schema] = {
    "size": {"type": "array", "items": QUANTITY, "minItems": 3, "maxItems": 3},
    "seats": {"type": "object", "additionalProperties": _SEAT},
}


def shape_schema() -> Schema:
    """One of several tables, by its kind."""
    found = []
    for kind, keys in SHAPES.items():
        properties: Schema = {"kind": {"const": kind}}
        properties |= {key: {**_VALUES.get(key, QUANTITY), "description": text} for key, text in keys.items()}
        required = ["kind", *(key for key in keys if key not in OPTIONAL)]
        found.append({"type": "object", "properties": properties, "required": required, "additionalProperties": False})
    return {"oneOf": found}
