"""grid and point_list: points of a study from values of the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...arguments import names_wrong_arguments
from ...errors import ModelError, listed, near_names, shown
from .distributions import Distribution
from .parameter_values import ParameterValues, read_values
from .points import POINT, Points

__all__ = ["grid", "point_list", "points_of"]


@names_wrong_arguments
def grid(axes: Mapping[str, Any] | None = None, /, **named: Any) -> Points:
    """All combinations of parameter values: ``grid(speed=linspace("1000 rpm", "12000 rpm", 50), load=["50 N*m", "100 N*m"])``.

    Each parameter has a list of values: numbers in SI units, texts with units, other texts, or `linspace` and `logspace`.
    Names that are not Python names are specified in a dict: ``grid({"motor.speed": [100, 200]})``. The last
    parameter changes fastest.
    """
    values = _read(_together(axes, named, "grid"), "grid")
    return Points(tuple((name, len(axis)) for name, axis in values.items()), values, {name: name for name in values})


@names_wrong_arguments
def point_list(columns: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None = None, /, **named: Any) -> Points:
    """List of points: ``point_list(speed=["1000 rpm", "2000 rpm"], load=["50 N*m", "80 N*m"])`` has two points.

    All lists have the same length; a single value holds for all points. A list of points is also accepted:
    ``point_list([{"speed": "1000 rpm", "load": "50 N*m"}, ...])``, and a table with named columns (pandas).
    """
    if columns is not None and not hasattr(columns, "items"):
        columns = _of_rows(columns)
    given = _together(columns, named, "point_list")  # type: ignore[arg-type]
    values = _read(given, "point_list")
    sizes = {name: len(axis) for name, axis in values.items()}
    single = {name for name, size in sizes.items() if size == 1 and _is_single(given[name])}
    n = next((size for name, size in sizes.items() if name not in single), 1)
    wrong = [name for name, size in sizes.items() if name not in single and size != n]
    if wrong:
        text = ", ".join(f"{name}: {size}" for name, size in sizes.items())
        raise ModelError(f"point_list: the lists have different lengths ({text}). Specify one value for each point")
    full = {
        name: ParameterValues(axis.values.repeat(n), axis.unit, axis.shown_unit) if name in single else axis
        for name, axis in values.items()
    }
    return Points(((POINT, n),), full, dict.fromkeys(full, POINT))


def points_of(given: object, what: str) -> Points:
    """Points of a study: `Points` as they are, or a list of dicts, one for each point."""
    if isinstance(given, Points):
        return given
    if isinstance(given, (list, tuple)) and given and all(isinstance(row, Mapping) for row in given):
        return point_list(given)
    raise ModelError(
        f"{what}: points must be made by grid, point_list or sample, or be a list of dicts "
        f'such as [{{"speed": "1000 rpm"}}], got {shown(given)}'
    )


def _is_single(value: object) -> bool:
    return isinstance(value, (str, bool, int, float)) or getattr(value, "ndim", None) == 0


def _together(columns: Mapping[str, Any] | None, named: dict[str, Any], what: str) -> dict[str, Any]:
    if columns is not None and not hasattr(columns, "items"):
        raise ModelError(f"{what}: specify values by name, e.g. {what}(speed=[100, 200]), got {shown(columns)}")
    first = dict(columns.items()) if columns is not None else {}
    twice = [name for name in first if name in named]
    if twice:
        raise ModelError(f"{what}: {listed(twice)} is given twice")
    for name in first:
        if not isinstance(name, str) or not name.strip():
            raise ModelError(f"{what}: names of parameters must be texts, got {shown(name)}")
    if not first and not named:
        raise ModelError(f"{what}: no parameters are given. Specify at least one, e.g. {what}(speed=[100, 200])")
    return {**first, **named}


def _read(given: Mapping[str, Any], what: str) -> dict[str, ParameterValues]:
    for name, value in given.items():
        if isinstance(value, Distribution):
            raise ModelError(
                f"{what}: {name} is a distribution. Use sample(n, {name}={type(value).__name__}(...)), or specify a list of values"
            )
    return {name: read_values(value, f"{what}: {name}") for name, value in given.items()}


def _of_rows(rows: object) -> dict[str, list[Any]]:
    listing = list(rows) if isinstance(rows, Iterable) and not isinstance(rows, (str, bytes)) else []
    if not listing or not all(isinstance(row, Mapping) for row in listing):
        raise ModelError(f'point_list: must be a list of dicts such as [{{"speed": "1000 rpm"}}], got {shown(rows)}')
    names = list(listing[0])
    for k, row in enumerate(listing):
        if set(row) != set(names):
            odd = next(iter(set(row) ^ set(names)))
            missing = "has no" if odd in names else "has another parameter,"
            raise ModelError(
                f'point_list: point {k} {missing} "{odd}"; {near_names(odd, names if odd not in names else row)}. '
                "Specify the same parameters for all points"
            )
    return {name: [row[name] for row in listing] for name in names}
