"""Figures: the few named values of a run that a reader, or a program, wants."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..results import Result, Status
from ..results.plain_data import plain_data
from ..results.report import text_table

__all__ = ["Figure", "Run", "Value", "figures_table", "report", "report_text", "status_of"]

Value = bool | float | list[float] | list[list[float]]
"""A number, a truth, a list of numbers (a vector: its components in world axes), or rows of numbers."""

Run = dict[str, Any]
"""The analyses of a model by name, in the order in which they were run; the last one is what it is about.

A `Result`, or what a linear analysis gives (`Modes`, `FrequencyResponse`, ...): all have a `kind` and `warnings`."""


@dataclass(frozen=True)
class Figure:
    """One value with its key, its unit and what it is, and the closed form it can be held against, if there is one.

    key:         `thing.quantity` as a program asks for it, such as "mesh.normal_force"
    unit:        as text; empty for a pure number
    description: what it is, in a few words
    expected:    the closed form, of the same shape
    digits:      significant digits in the table
    """

    key: str
    value: Value
    unit: str = ""
    description: str = ""
    expected: Value | None = None
    digits: int = 6

    def __post_init__(self) -> None:
        for name in ("value", "expected"):
            object.__setattr__(self, name, plain_data(getattr(self, name)))


def figures_table(figures: Sequence[Figure]) -> str:
    """Rows of figures, one a component; a column with the closed forms where any has one."""
    heads, rows = ["figure", "what it is", "value", "unit"], []
    closed = any(f.expected is not None for f in figures)
    if closed:
        heads.append("closed form")
    for f in figures:
        values, expected = _parts(f.value), _parts(f.expected)
        for i, value in enumerate(values):
            label = f"{f.key}[{i}]" if len(values) > 1 else f.key
            row = [label, f.description if i == 0 else "", _text(value, f.digits), f.unit or "-"]
            if closed:
                row.append("" if f.expected is None else _text(expected[i], f.digits))
            rows.append(row)
    return text_table(heads, rows, left=2)


def report(name: str, run: Run, figures: Sequence[Figure]) -> dict[str, Any]:
    """The plain data of a run: its model, its analyses and how they ended, its figures.

    Numbers that are not finite are null, as JSON has no others.
    """
    return {
        "model": name,
        "analyses": [{"name": key, "kind": found.kind, "status": str(status_of(found))} for key, found in run.items()],
        "figures": {f.key: {"value": _finite(f.value), "unit": f.unit} for f in figures},
    }


def report_text(data: dict[str, Any]) -> str:
    """The same as JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def status_of(found: Any) -> Status:
    """How an analysis ended. Those without steps end, or raise."""
    return found.status if isinstance(found, Result) else Status.COMPLETED


def _parts(value: Value | None) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _text(value: Any, digits: int) -> str:
    if isinstance(value, list):
        return ", ".join(_text(item, digits) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "0" if abs(value) < 1e-12 else f"{value:.{digits}g}"


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
