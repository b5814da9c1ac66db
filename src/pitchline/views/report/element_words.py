"""Declared elements in words: where they act and what they are, from the description of the model alone."""

from __future__ import annotations

from typing import Any

from pitchline.views.report.function_words import function_words
from pitchline.views.report.html import Html, code, join
from pitchline.views.report.numbers import counted, number, quantity


def element_words(said: dict[str, Any]) -> tuple[Html, str]:
    """Where it acts, and what it is with its values."""
    ends = [frame.get("body_name", "") for frame in said.get("frames", {}).values()]
    where = join([code(end) for end in (*ends, *said.get("joints", {}).values())], " – ")
    what = str(said.get("what", said.get("type", ""))).rstrip(".")
    values = [
        f"{name.replace('_', ' ')} {_value(one.get('value'), str(one.get('unit', '')))}"
        for name, one in said.get("parameters", {}).items()
        if one.get("value") is not None
    ]
    return where, f"{what}; {', '.join(values)}" if values else what


def _value(value: Any, unit: str) -> str:
    if isinstance(value, dict) and "words" in value:
        return str(value["words"])
    if isinstance(value, dict):
        return function_words(value, unit)
    if isinstance(value, list):
        return (
            counted(len(value), "value")
            if len(value) > 3
            else f"({', '.join(number(x) for x in value)}) {unit}".strip()
        )
    if isinstance(value, (bool, str)):
        return str(value)
    return quantity(value, unit) if unit else number(value)
