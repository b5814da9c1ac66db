"""Texts of study results: ranges of all variables, or all points as a table."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.report import text_table
from .points import ParameterValues
from .points.parameter_values import scale_of
from .study_result import NOT_COMPUTED

if TYPE_CHECKING:
    from .study_result import StudyResult

__all__ = ["study_csv", "study_data", "study_text"]

MOST_ROWS = 24
"""Up to this number of points, the text has all of them."""
_MOST_REASONS = 3


def study_text(result: StudyResult) -> str:
    """Summary for people."""
    sizes = " x ".join(f"{dim}: {size}" for dim, size in result.points.dims)
    absent = int(np.count_nonzero(result.status == NOT_COMPUTED)) if "not computed" in result.status_names else 0
    failed = len(result.failed) - absent
    parts = [f"{_points(len(result))} ({sizes})"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{absent} not computed"] if absent else []
    lines = [f"{result.study} of {result.name}: {', '.join(parts)}", ""]
    scalars = [name for name, found in result.variables.items() if not found.dims]
    if scalars:
        lines += [_table(result, scalars) if len(result) <= MOST_ROWS else _ranges(result, scalars), ""]
    for name, found in result.variables.items():
        if found.dims:
            lines.append(f"{name}: array over {', '.join((*result.dims, *found.dims))} [{found.unit or '-'}]")
    lines += _reasons(result)
    lines += [f"warning: {text}" for text in result.warnings if " points failed. " not in text]
    return "\n".join(lines).rstrip()


def _reasons(result: StudyResult) -> list[str]:
    """The first different reasons of failed points."""
    first: dict[str, list[int]] = {}
    for i, reason in result.reasons.items():
        first.setdefault(reason, []).append(i)
    lines = [
        f"failed: {_points(len(points))}, first point {points[0]} ({_values(result, points[0])}): {reason}"
        for reason, points in list(first.items())[:_MOST_REASONS]
    ]
    more = len(first) - len(lines)
    return [*lines, f"failed: {more} other reasons"] if more > 0 else lines


def _points(count: int) -> str:
    return f"{count} point{'s' if count != 1 else ''}"


def _shown(axis: ParameterValues, value: Any) -> str:
    """A value of a parameter in the unit of the user."""
    if isinstance(value, (str, bool, np.bool_)):
        return str(value)
    scale = scale_of(axis.unit, axis.shown_unit) if axis.shown_unit else 1.0
    return f"{float(value) * (scale or 1.0):.6g}"


def _values(result: StudyResult, i: int) -> str:
    texts = []
    for name, value in result.points.numbers(i).items():
        axis = result.points.axes[name]
        unit = axis.shown_unit or axis.unit
        texts.append(f"{name} = {_shown(axis, value)}{' ' + unit if unit else ''}")
    return ", ".join(texts)


def _table(result: StudyResult, names: list[str]) -> str:
    axes = result.points.axes
    heads = [f"{name}/{axis.shown_unit or axis.unit}" if axis.unit else name for name, axis in axes.items()]
    heads += [f"{name}/{result.variables[name].unit}" if result.variables[name].unit else name for name in names]
    rows = []
    for i in range(len(result)):
        row = [_shown(axes[name], value) for name, value in result.points.numbers(i).items()]
        if result.status[i]:
            row += [result.status_names[result.status[i]], *[""] * (len(names) - 1)]
        else:
            row += [f"{result.variables[name].values[i]:.6g}" for name in names]
        rows.append(row)
    return text_table(heads, rows)


def _ranges(result: StudyResult, names: list[str]) -> str:
    rows = []
    for name in names:
        found = result.variables[name]
        use = np.flatnonzero(result.fine & np.isfinite(found.values))
        if not use.size:
            rows.append([name, found.unit or "-", "-", "", "-", "", "-"])
            continue
        values = found.values[use]
        low, high = use[np.argmin(values)], use[np.argmax(values)]
        rows.append(
            [
                name,
                found.unit or "-",
                f"{values.min():.6g}",
                str(low),
                f"{values.max():.6g}",
                str(high),
                f"{values.mean():.6g}",
            ]
        )
    text = text_table(["value", "unit", "min", "at point", "max", "at point", "mean"], rows, left=2)
    places = sorted({int(row[k]) for row in rows for k in (3, 5) if row[k]})
    lines = [f"point {i}: {_values(result, i)}" for i in places[:8]]
    return "\n".join([text, "", *lines])


def study_csv(result: StudyResult) -> str:
    """Table of all points: parameters in SI units, variables that are single numbers, status and reason."""
    scalars = [name for name, found in result.variables.items() if not found.dims]
    heads = [f"{name} [{unit}]" if unit else name for name, unit in result.points.units.items()]
    heads += [f"{name} [{result.variables[name].unit}]" if result.variables[name].unit else name for name in scalars]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*heads, "status", "reason"])
    columns = list(result.points.columns.values())
    for i in range(len(result)):
        values = [column[i] for column in columns] + [result.variables[name].values[i] for name in scalars]
        texts = [value if isinstance(value, str) else repr(value.item()) for value in values]
        writer.writerow([*texts, result.status_names[result.status[i]], result.reasons.get(i, "")])
    return stream.getvalue()


def study_data(result: StudyResult) -> dict[str, Any]:
    """Plain data for JSON. Numbers that are not finite are null."""
    return {
        "model": result.name,
        "study": result.study,
        "dims": [list(dim) for dim in result.points.dims],
        "parameters": {
            name: {"value": axis.values.tolist(), "unit": axis.unit, "along": result.points.along[name]}
            for name, axis in result.points.axes.items()
        },
        "figures": {
            name: {"value": _finite(result[name].tolist()), "unit": found.unit, "dims": [*result.dims, *found.dims]}
            for name, found in result.variables.items()
        },
        "status": result["status"].tolist(),
        "status_names": list(result.status_names),
        "failed": {str(i): reason for i, reason in result.failed.items()},
        **({"warnings": list(result.warnings)} if result.warnings else {}),
    }


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
