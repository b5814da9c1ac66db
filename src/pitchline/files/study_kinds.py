"""Kinds of studies in model files: a function for each kind, whose arguments are the keys of its table.

The functions import the compiled kernels only when they are called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from ..studies.file_source import FileSource
from ..studies.optimum.optimum import optimum
from ..studies.optimum.optimum_result import Optimum
from ..studies.points import ParameterValues, Points
from .study_points import points_of_table, read_values_table

if TYPE_CHECKING:
    from ..studies.batch.batch import Batch
    from ..studies.batch.batch_result import BatchResult
    from ..studies.batch.batch_sweep import BatchSweep
    from ..studies.study_result import StudyResult

__all__ = [
    "STOP",
    "batch_of",
    "cases_table",
    "poincare_pair",
    "study_function",
    "study_points",
    "swept_values",
    "with_cases",
]


STOP = "stop"
"""Instead of the direction back: a sweep ends at its last value."""
_OF_POINTS = {"over": None, "points": None, "samples": None, "method": "latin", "seed": 0}
"""Keys of points, and their default values."""
_POINTS_TEXT = """    over
        Values or distributions of parameters: all combinations of the values.
    points
        List of points, each a table of parameters.
    samples
        Number of random points, if parameters have distributions.
    method
        Of the random points: "latin" (Latin hypercube), "sobol" or "random".
    seed
        Of the random points.
"""


def _over_points(function: Callable[..., Any]) -> Callable[..., Any]:
    """Function with the keys of points in place of its second argument, a `Points` or None."""

    @wraps(function)
    def call(source: FileSource, **options: Any) -> Any:
        given = {key: options.pop(key) for key in _OF_POINTS if options.get(key) is not None}
        return function(source, study_points(source, given), **options)

    keyword = inspect.Parameter.KEYWORD_ONLY
    first, _, *others = inspect.signature(function).parameters.values()
    further = [inspect.Parameter(key, keyword, default=value) for key, value in _OF_POINTS.items()]
    call.__signature__ = inspect.Signature([first, *others, *further])  # type: ignore[attr-defined]
    call.__doc__ = f"{(function.__doc__ or '').rstrip()}\n{_POINTS_TEXT}    "
    return call


@_over_points
def sweep(
    source: FileSource, points: Points | None, *, figures: Sequence[str], budget: float | str | None = None
) -> StudyResult:
    """Figures of the file at many points. At each point, the analyses that the figures need are run.

    Parameters
    ----------
    figures
        Figures of the file to record.
    budget
        Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h".
    """
    from ..studies.sweep.sweep import sweep as run

    return run(source, _needed(points), figures=list(figures), budget=budget)


@_over_points
def batch(
    source: FileSource,
    points: Points | None,
    *,
    reduce: Sequence[str],
    settle: int = 200,
    record: int = 50,
    steps: int | None = None,
    poincare: Sequence[Any] | None = None,
    time: float | str | None = None,
    cycle: str | None = None,
    device: str = "auto",
    budget: float | str | None = None,
) -> BatchResult:
    """All points of a gear train in one compiled kernel.

    Parameters
    ----------
    reduce
        Numbers to record, "PAIR.SIGNAL.REDUCTION", such as "mesh.transmission_error.peak_to_peak" or "mesh.contact_loss".
    settle, record
        Mesh cycles before the reductions, and during them.
    steps
        Time steps of a mesh cycle; default: from the largest eigenfrequency of each point.
    poincare
        Gear pair or joint, and number of samples at the ends of the last mesh cycles, e.g. ["mesh", 40].
    time
        Time of the model at which the lanes start; default: the end of the last ramp.
    cycle
        Gear pair whose mesh cycle is the unit of settle and record; default: the first one with elastic teeth.
    device
        "cpu", "cuda" (a GPU of NVIDIA), or "auto": the GPU if there is one.
    budget
        Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h".
    """
    made = batch_of(source, time=time, cycle=cycle, device=device)
    named = None if poincare is None else poincare_pair(poincare)
    return made.run(
        _needed(points), settle=settle, record=record, steps=steps, reduce=list(reduce), poincare=named, budget=budget
    )


@_over_points
def batch_sweep(
    source: FileSource,
    points: Points | None,
    *,
    swept: str,
    values: Any,
    reduce: Sequence[str],
    then: str = "down",
    settle: int = 200,
    record: int = 50,
    steps: int | None = None,
    time: float | str | None = None,
    cycle: str | None = None,
    device: str = "auto",
    budget: float | str | None = None,
) -> BatchSweep:
    """One parameter of a gear train changes step by step, and the motion goes on from one value to the next.

    Points of other parameters are all swept.

    Parameters
    ----------
    swept
        The parameter.
    values
        Its values in order: a list, or a range, e.g. { first = "1000 rpm", last = "6000 rpm", count = 251 }.
    reduce
        Numbers to record, "PAIR.SIGNAL.REDUCTION"; the first one is used to find jumps.
    then
        "down": back through the same values after the last one; "stop": not back.
    settle, record
        Mesh cycles before the reductions, and during them, for each value.
    steps, time, cycle, device, budget
        As for a batch.
    """
    made = batch_of(source, time=time, cycle=cycle, device=device)
    return made.sweep(
        swept, swept_values(source, swept, values), then=None if then == STOP else then, lanes=points, settle=settle,
        record=record, steps=steps, reduce=list(reduce), budget=budget,
    )  # fmt: skip


def study_function(kind: str) -> Callable[..., Any]:
    """The function of a kind. Its first argument is the source."""
    if kind == "continuation":
        return _continuation()
    functions: dict[str, Callable[..., Any]] = {
        "sweep": sweep, "batch": batch, "batch_sweep": batch_sweep, "optimum": _optimum,
    }  # fmt: skip
    return functions[kind]


def _continuation() -> Callable[..., Any]:
    from ..studies.continuation.continuation import continuation

    @wraps(continuation)
    def call(source: FileSource, **options: Any) -> Any:
        found = continuation(source, **options)
        return replace(found, shown_unit=source.parameters[found.over].shown_unit or found.shown_unit)

    return call


@wraps(optimum)
def _optimum(source: FileSource, **options: Any) -> Optimum:
    return optimum(source, **with_cases(source, options))


# --- arguments ---------------------------------------------------------------------------------------


def study_points(source: FileSource, table: Mapping[str, Any]) -> Points | None:
    """Points of a study in the units of its parameters; None if it has none. ModelError if they do not fit."""
    wrong: list[str] = []
    points = points_of_table(table, lambda _, message: wrong.append(message), needed=False)
    if wrong:
        raise ModelError(wrong)
    return None if points is None else _in_declared_units(source, source.fitted(points))


def _in_declared_units(source: FileSource, points: Points) -> Points:
    """Points that are shown in the units in which the file declares the parameters."""
    axes = {
        name: ParameterValues(axis.values, axis.unit, source.parameters[name].shown_unit or axis.shown_unit)
        for name, axis in points.axes.items()
    }
    return Points(points.dims, axes, points.along, points.design)


def _needed(points: Points | None) -> Points:
    if points is None:
        raise ModelError("the study has no points. Specify values of parameters with over or points")
    return points


def swept_values(source: FileSource, name: str, values: Any) -> ParameterValues:
    """Values of a swept parameter in its unit."""
    wrong: list[str] = []
    made = read_values_table(values, ("values",), lambda _, message: wrong.append(message))
    if wrong or not isinstance(made, ParameterValues):
        raise ModelError(wrong or "values: must be a list or a range, not a distribution")
    points = Points(((name, len(made)),), {name: made}, {name: name})
    return _in_declared_units(source, source.fitted(points)).axes[name]


def batch_of(source: FileSource, *, time: Any, cycle: Any, device: Any) -> Batch:
    """Batch of the model of a file."""
    from ..studies.batch.batch import batch as made

    return made(source, time=time, cycle=cycle, device=device)


def poincare_pair(given: Any) -> tuple[str, int]:
    """Name and number of samples of a list."""
    if not isinstance(given, list) or len(given) != 2:
        raise ModelError(
            f'poincare must be a list of a gear pair or joint and a number, e.g. ["mesh", 40], got {given!r}'
        )
    return given[0], given[1]


def cases_table(cases: Any) -> dict[str, Any]:
    """Table of the cases of an optimum as a table of points."""
    return {"points": cases} if isinstance(cases, list) else {"over": cases}


def with_cases(source: FileSource, options: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of an optimum, with its cases as points."""
    if options.get("cases") is None:
        return dict(options)
    return {**options, "cases": study_points(source, cases_table(options["cases"]))}
