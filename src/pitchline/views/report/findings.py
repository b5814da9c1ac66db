"""Findings: the named values of a run, with units and closed forms."""

from __future__ import annotations

import math
from typing import Any

from pitchline.results.plain_data import plain_data
from pitchline.views.labels import unit_text
from pitchline.views.report.html import Html, code, table, tag
from pitchline.views.report.numbers import number

#: Less than this beside the largest component, or beside its closed form, is rounding.
_ROUNDING = 1e-9


def findings(figures: tuple[Any, ...]) -> Html:
    """A table of figures, one row a component; with closed forms and deviations where any figure has one."""
    if not figures:
        return Html("")
    read = [_read(figure) for figure in figures]
    closed = any(expected is not None for *_, expected, _ in read)
    heads = ["Figure", "What it is", "Value", "Unit", *(["Closed form", "Deviation"] if closed else [])]
    rows = []
    sizes: dict[str, float] = {}  # the largest of each unit: beside it, what should be nought may be rounding
    for _, _, value, unit, expected, _ in read:
        if expected is not None:
            sizes[unit] = max(sizes.get(unit, 0.0), _size([*_parts(value), *_parts(expected)]))
    for key, words, value, unit, expected, digits in read:
        values = _parts(value)
        wanted = _parts(expected) if expected is not None else [None] * len(values)
        size = _size([*values, *wanted])
        if expected is not None and _size(wanted) == 0.0:
            size = max(size, sizes[unit])
        for i, part in enumerate(values):
            label = f"{key}[{i}]" if len(values) > 1 else key
            row: list[object] = [code(label), words if i == 0 else "", _shown(part, size, digits), unit_text(unit)]
            if closed:
                row += (
                    ["", ""]
                    if wanted[i] is None
                    else [_shown(wanted[i], size, digits), _deviation(part, wanted[i], size)]
                )
            rows.append(row)
    return table(heads, rows, numbers=(2, 4, 5), class_="wide")


def _read(figure: Any) -> tuple[str, str, Any, str, Any, int]:
    """key, words, value, unit, closed form, digits; of an object with such attributes, or of (key, value, unit, words)."""
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


def _shown(value: Any, size: float, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float) and abs(value) <= _ROUNDING * size:
        return "0"
    return number(value, digits)


def _deviation(value: Any, wanted: Any, size: float) -> object:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return "as expected" if bool(value) == bool(wanted) else tag("b", "differs")
    if value is None or not math.isfinite(value) or not math.isfinite(wanted):
        return "–"
    if size == 0.0 or value == wanted:
        return "0"
    off = abs(value - wanted) / size
    if off < _ROUNDING:
        return "rounding"
    return f"{number(100.0 * off, 2)} %"
