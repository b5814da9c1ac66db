"""Figures: the named key values of a run, with units."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .result import Result, text_table
from .series import plain_data
from .status import Scales, Status

__all__ = ["Figure", "Run", "Value", "figures_table", "report", "report_text", "status_of"]

Value = bool | float | list[float] | list[list[float]]
"""A number, true or false, a list of numbers (a vector: its components in world axes), or rows of numbers."""

Run = dict[str, Any]
"""Results of a model by name of the analysis, in the order in which they were run; the last one is the main one.

Each is a `Result`, or the result of a linear analysis (`Modes`, `FrequencyResponse`, ...). All have a `kind` and
`warnings`."""


@dataclass(frozen=True)
class Figure:
    """One key value with its name, its unit, a description, and the closed form to compare it with, if there is one.

    key:         name in programs, `item.quantity`, such as "mesh.normal_force"
    unit:        text; empty for a pure number
    description: short text
    expected:    value of the closed form, of the same shape
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
    """Table of figures, one row for each component, with a column of closed forms if any figure has one.

    A value that is zero within rounding is written as 0; see `status`.
    """
    heads, rows = ["figure", "what it is", "value", "unit"], []
    scales = Scales((value, f.unit) for f in figures for value in (f.value, f.expected) if _numbers(value))
    closed = any(f.expected is not None for f in figures)
    if closed:
        heads.append("closed form")
    for f in figures:
        values, expected = _parts(f.value), _parts(f.expected)
        for i, value in enumerate(values):
            label = f"{f.key}[{i}]" if len(values) > 1 else f.key
            row = [label, f.description if i == 0 else "", _text(value, f.digits, scales.least(f.unit)), f.unit or "-"]
            if closed:
                row.append("" if f.expected is None else _text(expected[i], f.digits, scales.least(f.unit)))
            rows.append(row)
    return text_table(heads, rows, left=2)


def report(name: str, run: Run, figures: Sequence[Figure]) -> dict[str, Any]:
    """Plain data of a run: its model, its analyses and their status, and its figures with all digits.

    Numbers that are not finite are null, because JSON cannot write them.
    """
    return {
        "model": name,
        "analyses": [{"name": key, "kind": found.kind, "status": str(status_of(found))} for key, found in run.items()],
        "figures": {f.key: {"value": _finite(f.value), "unit": f.unit} for f in figures},
    }


def report_text(data: dict[str, Any]) -> str:
    """The plain data as JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)


def status_of(found: Any) -> Status:
    """Status of an analysis. Analyses without steps either complete or raise an error; studies can be interrupted."""
    if isinstance(found, Result):
        return found.status
    return Status.INTERRUPTED if getattr(found, "interrupted", False) else Status.COMPLETED


def _parts(value: Value | None) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _numbers(value: Any) -> bool:
    return not isinstance(value, bool) and value is not None


def _text(value: Any, digits: int, least: float) -> str:
    """A value for people: 0 if it is rounding compared with the other figures of its quantity."""
    if isinstance(value, list):
        return ", ".join(_text(item, digits, least) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "0" if abs(value) <= least else f"{value:.{digits}g}"


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
