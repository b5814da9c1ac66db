"""select: the part of a study with certain parameter values, or the points of a mask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pitchline.errors import ModelError, UnitError, listed, near_names, shown

from .points.parameter_values import POINT, ParameterValues, Points, read_quantity, scale_of

if TYPE_CHECKING:
    from .study_result import StudyResult

__all__ = ["select"]

CLOSE = 1e-9
"""Relative difference of numbers that count as equal: "3000 rpm" is not exactly 314.16 rad/s."""


def select(result: StudyResult, mask: Any, conditions: Mapping[str, Any]) -> StudyResult:
    """See `StudyResult.where`."""
    if mask is not None:
        chosen = np.asarray(mask)
        if chosen.dtype != bool or chosen.shape not in (result.shape, (len(result),)):
            raise ModelError(
                f"where: the mask must be true or false for each point, with the shape {result.shape}, got {shown(mask)}"
            )
        if not chosen.any():
            raise ModelError("where: the mask is false at all points")
        rows = np.flatnonzero(chosen.reshape(-1))
        result = _with_points(result, _list_of(result.points, rows), rows)
    return _by_values(result, conditions) if conditions else result


def _list_of(points: Points, rows: NDArray[np.int64]) -> Points:
    axes = {
        name: ParameterValues(points.column(name)[rows], axis.unit, axis.shown_unit)
        for name, axis in points.axes.items()
    }
    return Points(((POINT, len(rows)),), axes, dict.fromkeys(axes, POINT))


def _by_values(result: StudyResult, conditions: Mapping[str, Any]) -> StudyResult:
    points = result.points
    keep = {dim: np.ones(size, dtype=bool) for dim, size in points.dims}
    single = set()
    for name, wanted in conditions.items():
        if name not in points.axes:
            raise ModelError(f'where: the study has no parameter "{name}"; {near_names(name, points.axes)}')
        fits = _fits(points.axes[name], wanted, name)
        if not fits.any():
            raise ModelError(
                f"where: no point has {name} = {shown(wanted)}. Its values are {_values(points.axes[name])}"
            )
        keep[points.along[name]] &= fits
        if not isinstance(wanted, tuple) and points.along[name] == name:
            single.add(name)
    for dim, kept in keep.items():
        if not kept.any():
            raise ModelError(f"where: no point has all of {listed(conditions)} = {shown(list(conditions.values()))}")
        single -= {dim} if kept.sum() > 1 else set()
    if len(single) == len(points.dims):
        single.discard(points.dims[-1][0])
    rows = np.arange(len(points)).reshape(points.shape)[np.ix_(*keep.values())].reshape(-1)
    axes = {
        name: ParameterValues(axis.values[keep[points.along[name]]], axis.unit, axis.shown_unit)
        for name, axis in points.axes.items()
        if name not in single
    }
    dims = tuple((dim, int(kept.sum())) for dim, kept in keep.items() if dim not in single)
    whole = POINT not in keep or bool(keep[POINT].all())
    smaller = Points(dims, axes, {name: points.along[name] for name in axes}, points.design if whole else {})
    fixed = {name: _shown(points.axes[name], np.flatnonzero(keep[name])[0]) for name in single}
    found = _with_points(result, smaller, rows)
    return replace(found, facts={**found.facts, "where": {**found.facts.get("where", {}), **fixed}})


def _fits(axis: ParameterValues, wanted: Any, name: str) -> NDArray[np.bool_]:
    """Which values are equal to a value, or in a range (low, high)."""
    if isinstance(wanted, tuple):
        if len(wanted) != 2 or axis.are_texts:
            raise ModelError(f"where: {name}: a range has two numbers, (low, high), got {shown(wanted)}")
        low, high = (None if end is None else _number(axis, end, name) for end in wanted)
        fits = np.ones(len(axis), dtype=bool)
        if low is not None:
            fits &= (axis.values >= low) | np.isclose(axis.values, low, rtol=CLOSE, atol=0.0)
        if high is not None:
            fits &= (axis.values <= high) | np.isclose(axis.values, high, rtol=CLOSE, atol=0.0)
        return fits
    if axis.are_texts or isinstance(wanted, bool):
        return np.asarray(axis.values == wanted)
    number = _number(axis, wanted, name)
    scale = float(np.abs(axis.values.astype(float)).max())
    return np.asarray(np.isclose(axis.values, number, rtol=CLOSE, atol=1e-12 * scale))


def _number(axis: ParameterValues, value: Any, name: str) -> float:
    number, unit, _ = read_quantity(value, f"where: {name}")
    scale = scale_of(unit, axis.unit) if unit and axis.unit else 1.0
    if scale is None:
        raise UnitError(f"where: {name} is in {axis.shown_unit or axis.unit}, got {shown(value)}")
    return number * scale


def _values(axis: ParameterValues) -> str:
    texts = [_shown(axis, k) for k in range(min(len(axis), 8))]
    return ", ".join(texts) + (", ..." if len(axis) > 8 else "")


def _shown(axis: ParameterValues, k: int) -> str:
    """A value in the unit of the user."""
    value = axis.values[k]
    if axis.are_texts or value.dtype == bool:
        return str(value)
    scale = scale_of(axis.unit, axis.shown_unit) or 1.0
    unit = axis.shown_unit or axis.unit
    return f"{float(value) * scale:.6g}{' ' + unit if unit else ''}"


def _with_points(result: StudyResult, points: Points, rows: NDArray[np.int64]) -> StudyResult:
    place = {int(row): k for k, row in enumerate(rows)}
    return replace(
        result,
        points=points,
        variables={name: found._replace(values=found.values[rows]) for name, found in result.variables.items()},
        status=result.status[rows],
        reasons={place[i]: reason for i, reason in result.reasons.items() if i in place},
    )
