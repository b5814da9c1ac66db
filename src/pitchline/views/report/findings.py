"""Key results: the figures of a run, with units and expected values."""

from __future__ import annotations

import math
from typing import Any

from pitchline.results.plain_data import plain_data
from pitchline.results.rounding import RELATIVE, Scales
from pitchline.views.labels import unit_text
from pitchline.views.report.html import Html, code, join, table, tag
from pitchline.views.report.numbers import number, percent


def findings(figures: tuple[Any, ...]) -> Html:
    """A table of figures, one row for each component; with expected values and differences if any figure has one."""
    if not figures:
        return Html("")
    read = [_read(figure) for figure in figures]
    closed = any(expected is not None for *_, expected, _ in read)
    heads = ["Result", "Description", "Value", "Unit", *(["Expected", "Difference"] if closed else [])]
    scales = Scales((value, unit) for _, _, found, unit, expected, _ in read for value in _numbers(found, expected))
    rows = []
    for key, words, value, unit, expected, digits in read:
        values = _parts(value)
        wanted = _parts(expected) if expected is not None else [None] * len(values)
        least = scales.least(unit)
        size = _size(wanted) if _size(wanted) > least else least / RELATIVE
        for i, part in enumerate(values):
            label = f"{key}[{i}]" if len(values) > 1 else key
            row: list[object] = [code(label), words if i == 0 else "", _shown(part, least, digits), unit_text(unit)]
            if closed and wanted[i] is None:
                row += ["", ""]
            elif closed:
                row += [_shown(wanted[i], least, digits), _difference(part, wanted[i], size, least)]
            rows.append(row)
    words = "Expected: value of the closed form. The difference is a fraction of the expected value, or of its largest component."
    made = table(heads, rows, numbers=(2, 4, 5), class_="wide")
    return join([made, tag("p", words, class_="where")]) if closed else made


def _read(figure: Any) -> tuple[str, str, Any, str, Any, int]:
    """Key, description, value, unit, expected value and digits of a figure, or of a tuple (key, value, unit, description)."""
    if isinstance(figure, (tuple, list)) and not hasattr(figure, "key"):
        key, value, unit, words = [*figure, "", "", ""][:4]
        return str(key), str(words), plain_data(value), str(unit), None, 6
    words = getattr(figure, "description", "") or getattr(figure, "text", "")
    expected = getattr(figure, "expected", None)
    return (
        figure.key,
        str(words),
        plain_data(figure.value),
        figure.unit or "",
        plain_data(expected),
        int(getattr(figure, "digits", 6)),
    )


def _parts(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _size(values: list[Any]) -> float:
    return max((abs(v) for v in values if isinstance(v, (int, float)) and math.isfinite(v)), default=0.0)


def _numbers(*values: Any) -> list[float]:
    """All numbers in values that may be lists or missing."""
    parts = [part for value in values for part in _parts(value)]
    return [float(part) for part in parts if isinstance(part, (int, float)) and not isinstance(part, bool)]


def _shown(value: Any, least: float, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float) and abs(value) <= least:
        return "0"
    return number(value, digits)


def _difference(value: Any, wanted: Any, size: float, least: float) -> object:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return "as expected" if bool(value) == bool(wanted) else tag("b", "differs")
    if value is None or not math.isfinite(value) or not math.isfinite(wanted):
        return "–"
    if abs(value - wanted) <= max(least, RELATIVE * size) or size == 0.0:
        return "0 %"
    off = (value - wanted) / size
    return f"{'+' if off > 0.0 and abs(off) >= 1e-5 else ''}{percent(off, 2)}"
