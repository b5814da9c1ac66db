"""Descriptions of elements: the bodies they act on, their kind and their values, from the model description."""

from __future__ import annotations

from typing import Any

from pitchline.results.tables.interactions import BEARING
from pitchline.views.report.function_words import function_words
from pitchline.views.report.html import Html, code, join
from pitchline.views.report.numbers import counted, number, quantity


def element_words(said: dict[str, Any]) -> tuple[Html, str]:
    """Bodies that an element acts on, and its kind with its values other than zero."""
    ends = [frame.get("body_name", "") for frame in said.get("frames", {}).values()]
    where = join([code(end) for end in (*ends, *said.get("joints", {}).values())], " – ")
    what = str(said.get("what", said.get("type", ""))).rstrip(".")
    values = []
    for name, one in said.get("parameters", {}).items():
        value = one.get("value")
        if said.get("key") == BEARING and isinstance(value, dict) and "words" in value:
            what = str(value["words"])  # the type of the bearing and its data
        elif value is not None and value not in (0.0, False, "", "none"):
            values.append(f"{name.replace('_', ' ')} {_value(value, str(one.get('unit', '')))}")
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
