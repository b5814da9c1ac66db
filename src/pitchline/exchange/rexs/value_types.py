"""Type of a value: from the standard, or from its text."""

from __future__ import annotations

from typing import Any

from .attribute import RexsAttribute
from .database import value_type_of
from .values import guessed

__all__ = ["derived_type"]

_SUFFIX = {"scalar": "", "array": "_array", "matrix": "_matrix", "arrays": "_array"}


def derived_type(component_type: str, attribute: RexsAttribute) -> str:
    """Type of an attribute without the type that a JSON file may have named."""
    known = value_type_of(component_type, attribute.id)
    if known is not None and _fits(known, attribute.shape):
        return known
    if attribute.code is not None:
        kind = "integer" if attribute.code == "int32" else "floating_point"
    else:
        kind = _common({guessed(text) for text in _texts(attribute.text) if text is not None})
    if attribute.shape == "arrays":
        return f"array_of_{kind if kind in ('integer', 'floating_point') else 'string'}_arrays"
    return kind + _SUFFIX[attribute.shape]


def _fits(known: str, shape: str) -> bool:
    plain = known.removesuffix("_array").removesuffix("_matrix")
    if shape == "arrays":
        return known.startswith("array_of")
    return not known.startswith("array_of") and known == plain + _SUFFIX[shape]


def _common(kinds: set[str]) -> str:
    if kinds == {"integer", "floating_point"}:
        return "floating_point"
    return kinds.pop() if len(kinds) == 1 else "string"


def _texts(text: Any) -> list[str | None]:
    if isinstance(text, list):
        return [item for part in text for item in _texts(part)]
    return [text]
