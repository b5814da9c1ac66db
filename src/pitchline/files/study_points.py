"""Points of a study in a model file: `over` (values or distributions of parameters), `points` (a list), `samples`.

over = { speed = { first = "1000 rpm", last = "12000 rpm", count = 500 }, load = ["50 N*m", "100 N*m"] }
points = [{ teeth_a = 20, teeth_b = 40 }, { teeth_a = 21, teeth_b = 39 }]
over = { pin_1 = { kind = "normal", mean = 0, sigma = "4 um" } }, samples = 512
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ModelError, near_names, shown
from ..studies.points import (
    Choice,
    Distribution,
    LogNormal,
    Normal,
    Points,
    Triangular,
    Uniform,
    grid,
    linspace,
    logspace,
    point_list,
    sample,
)
from ..studies.points.samples import METHODS
from .catalogue import Entry, entry_of
from .problems import Path

__all__ = ["OF_POINTS", "VALUES", "points_of_table", "read_values_table"]

OF_POINTS = ("over", "points", "samples", "method", "seed")
"""Keys of an analysis that specify the points of a study."""
RANGE = "linspace"
VALUES: dict[str, Entry] = {
    RANGE: entry_of(linspace),
    "logspace": entry_of(logspace),
    "normal": entry_of(Normal),
    "uniform": entry_of(Uniform),
    "triangular": entry_of(Triangular),
    "lognormal": entry_of(LogNormal),
    "choice": entry_of(Choice),
}
"""Kinds of tables for the values of a parameter: ranges and distributions."""

Tell = Callable[[Path, str], None]
"""Reports an error at a place in the table."""


def points_of_table(table: Mapping[str, Any], tell: Tell, *, needed: bool = True) -> Points | None:
    """Points of a study; None after an error is reported, or if there are none and none are needed."""
    if needed and "over" not in table and "points" not in table:
        tell((), '"over" is missing. Specify values of parameters, e.g. over = { speed = ["1000 rpm", "2000 rpm"] }')
        return None
    listed = _listed(table["points"], tell) if "points" in table else None
    values = _over(table.get("over", {}), tell)
    if values is None or ("points" in table and listed is None):
        return None
    axes = {name: value for name, value in values.items() if not isinstance(value, Distribution)}
    random = {name: value for name, value in values.items() if isinstance(value, Distribution)}
    if listed is not None and random:
        tell(("points",), "a study has either a list of points or distributions. Remove one of them")
        return None
    sampled = _sampled(table, random, tell)
    if random and sampled is None:
        return None
    try:
        factors = [grid(axes)] if axes else []
        factors += [made for made in (listed, sampled) if made is not None]
        if not factors:
            return None
        return factors[0] if len(factors) == 1 else factors[0] * factors[1]
    except ModelError as error:
        tell(("over",), _plain(error))
        return None


def _over(given: Any, tell: Tell) -> dict[str, Any] | None:
    """Values or distribution of each parameter; None after an error."""
    if not isinstance(given, dict):
        tell(
            ("over",), f'must be a table of parameters, e.g. {{ speed = ["1000 rpm", "2000 rpm"] }}, got {shown(given)}'
        )
        return None
    found = {name: read_values_table(value, ("over", name), tell) for name, value in given.items()}
    return None if any(value is None for value in found.values()) else found


def read_values_table(given: Any, path: Path, tell: Tell) -> Any:
    """A list of values, a range or a distribution; None after an error."""
    try:
        if not isinstance(given, dict):
            items = given if isinstance(given, list) else [given]
            return next(iter(grid({"values": items}).axes.values()))
        kind = given.get("kind", RANGE)
        if kind not in VALUES:
            tell((*path, "kind"), f"there is no kind {shown(kind)} of values; {near_names(str(kind), VALUES)}")
            return None
        entry = VALUES[kind]
        options = {key: value for key, value in given.items() if key != "kind"}
        wrong = [key for key in options if key not in entry.arguments]
        for key in wrong:
            tell((*path, key), f'unknown key "{key}"; {near_names(key, [*entry.arguments, "kind"])}')
        missing = [key for key in entry.required if key not in options]
        for key in missing:
            tell(path, f'"{key}" is missing. Add it')
        return None if wrong or missing else entry.call(**options)
    except (ModelError, TypeError) as error:
        tell(path, _plain(error))
        return None


def _listed(given: Any, tell: Tell) -> Points | None:
    try:
        return point_list(given)
    except ModelError as error:
        tell(("points",), _plain(error))
        return None


def _sampled(table: Mapping[str, Any], random: Mapping[str, Distribution], tell: Tell) -> Points | None:
    for key in ("samples", "method", "seed"):
        if key in table and not random:
            message = "applies only to distributions of parameters. Remove it, or specify one, e.g. over = "
            tell((key,), f'{message}{{ error = {{ kind = "normal", mean = 0, sigma = "5 um" }} }}')
            return None
    if not random:
        return None
    if "samples" not in table:
        tell((), '"samples" is missing: the number of random points. Add it, e.g. samples = 256')
        return None
    method = table.get("method", "latin")
    if method not in METHODS:
        tell(("method",), f"there is no method {shown(method)}; {near_names(str(method), METHODS)}")
        return None
    try:
        sample(1, random, method=method, seed=table.get("seed", 0))
    except ModelError as error:
        tell(("seed",), _plain(error))
        return None
    try:
        return sample(table["samples"], random, method=method, seed=table.get("seed", 0))
    except ModelError as error:
        tell(("samples",), _plain(error))
        return None


def _plain(error: Exception) -> str:
    """Message without the name of the Python function."""
    text = str(error)
    for name in ("grid: values: ", "grid: ", "point_list: ", "sample: "):
        text = text.removeprefix(name)
    return text
