"""result_of: the result of a sweep from the outcomes of its points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import PitchlineError
from ...version import __version__
from ..points import Points
from ..study_result import FAILED, FINE, NOT_COMPUTED, StudyResult, StudyVariable
from .point_block import PointBlock, PointColumn, StudyValue

__all__ = ["result_of"]

Coordinates = dict[str, tuple[NDArray[Any], str]]
_SHOWN_WARNINGS = 20


def result_of(name: str, points: Points, blocks: Iterable[PointBlock]) -> StudyResult:
    """Result with the outcomes of all blocks. Points of no block have the status "not computed"."""
    n = len(points)
    status = np.full(n, NOT_COMPUTED, dtype=np.int8)
    reasons: dict[int, str] = {}
    texts: Counter[str] = Counter()
    first_with: dict[str, int] = {}
    labels: dict[str, tuple[str, ...]] = {}
    columns: dict[str, list[PointColumn]] = {}
    axes: dict[str, list[PointColumn]] = {}
    seconds = 0.0
    for block in blocks:
        # Two processes may have computed a point, and a failed point may have been computed again.
        before = status[block.first : block.first + len(block)]
        mine = (before == NOT_COMPUTED) | ((before == FAILED) & (block.status == FINE))
        before[mine] = block.status[mine]
        seconds += float(block.seconds[mine].sum())
        reasons |= {i: reason for i, reason in block.reasons.items() if mine[i - block.first]}
        for i, found in block.warnings.items():
            for text in found:
                texts[text] += int(mine[i - block.first])
                first_with.setdefault(text, i)
        labels |= block.labels
        for kind, found_in in ((block.columns, columns), (block.axes, axes)):
            for column in kind:
                found_in.setdefault(column.name, []).append(column._replace(rows=column.rows + block.first))
    taken = {*points.names, *(dim for dim, _ in points.dims), "status"}
    dims = {dim: f"signal.{dim}" if dim in taken or dim in columns else dim for dim in (*axes, *labels)}
    coordinates, varying = _axes({dims[dim]: group for dim, group in axes.items()})
    coordinates |= {dims[dim]: (np.array(names, dtype=object), "") for dim, names in labels.items()}
    variables: dict[str, StudyVariable] = {}
    for key, group in {**columns, **varying}.items():
        variables[f"figure.{key}" if key in taken else key] = _variable(key, group, n, dims, coordinates)
    used = {dim for variable in variables.values() for dim in variable.dims}
    return StudyResult(
        name,
        points,
        variables,
        status,
        {i: reasons[i] for i in sorted(reasons) if status[i] != FINE},
        coordinates={dim: found for dim, found in coordinates.items() if dim in used},
        warnings=_warnings(texts, first_with),
        facts={"pitchline_version": __version__, "seconds": seconds},
    )


def _warnings(texts: Mapping[str, int], first_with: Mapping[str, int]) -> tuple[str, ...]:
    """Warnings of the analyses, each once, with the number of points."""
    shown = [
        f"{count} point{'s' if count > 1 else ''}, first point {first_with[text]}: {text}"
        for text, count in list(texts.items())[:_SHOWN_WARNINGS]
    ]
    left = len(texts) - len(shown)
    return (*shown, f"and {left} other warnings") if left > 0 else tuple(shown)


def _axes(axes: Mapping[str, list[PointColumn]]) -> tuple[Coordinates, dict[str, list[PointColumn]]]:
    """Dimensions whose numbers are the same at all points, and those of which each point has its own numbers."""
    same: Coordinates = {}
    varying: dict[str, list[PointColumn]] = {}
    for dim, group in axes.items():
        first = group[0].value
        line = first.values[0]
        equal = all(
            column.value.values.shape[1:] == line.shape and bool((column.value.values == line).all())
            for column in group
        )
        if equal:
            same[dim] = (line, first.unit)
        else:
            varying[dim] = [column._replace(value=column.value._replace(dims=(_sample(dim),))) for column in group]
    return same, varying


def _sample(dim: str) -> str:
    """Dimension of signals of which each point has its own times."""
    return f"{dim.removesuffix('time')}sample"


def _variable(
    name: str, group: list[PointColumn], n: int, names: Mapping[str, str], coordinates: Coordinates
) -> StudyVariable:
    """Values at all points; nan where there is none, and after the end of a shorter array."""
    first: StudyValue = group[0].value
    for _, rows, value in group:
        if value.values.ndim != first.values.ndim or value.unit != first.unit:
            one, other = (f"{len(each.dims)} dimensions and unit {each.unit or '-'}" for each in (first, value))
            raise PitchlineError(
                f'the value "{name}" is not of the same kind at all points: {one} at point {group[0].rows[0]}, '
                f"{other} at point {rows[0]}. Return the same kind of value for all points"
            )
    sizes = np.array([column.value.values.shape[1:] for column in group], dtype=int).reshape(len(group), -1)
    shape = tuple(int(size) for size in sizes.max(axis=0))
    ragged = bool((sizes != shape).any())
    values = np.full((n, *shape), np.nan)
    for column in group:
        part = column.value.values
        place: Any = (column.rows, *(slice(size) for size in part.shape[1:]))
        values[place] = part
    dims = tuple(_dim(names.get(dim, dim), name, ragged, coordinates) for dim in first.dims)
    return StudyVariable(values, first.unit, dims, first.description)


def _dim(dim: str, name: str, ragged: bool, coordinates: Coordinates) -> str:
    if dim.startswith("item_"):
        return f"{name}.item" if ragged else dim
    return _sample(dim) if dim.endswith("time") and dim not in coordinates else dim
