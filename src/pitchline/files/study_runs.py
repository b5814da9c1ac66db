"""Studies in model files: kinds, points, runs and checks.

Kinds of studies in model files: a function for each kind, whose arguments are the keys of its table.

The functions import the compiled kernels only when they are called.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from pitchline.errors import ModelError, SolveError, near_names, shown
from pitchline.studies.optimisation import OptimumPlan, optimum
from pitchline.studies.optimum_result import Optimum
from pitchline.studies.points.parameter_values import ParameterValues, Points, linspace, logspace
from pitchline.studies.points.samples import (
    METHODS,
    Choice,
    Distribution,
    LogNormal,
    Normal,
    Triangular,
    Uniform,
    grid,
    point_list,
    sample,
)
from pitchline.studies.sources import FileSource

from .catalogue import Entry, entry_of
from .key_lines import FileError, Path, Problem
from .schema_types import STUDIES

if TYPE_CHECKING:
    from pitchline.studies.batch.batch import Batch
    from pitchline.studies.batch.batch_sweep import BatchSweep
    from pitchline.studies.batch.lane_study import BatchResult
    from pitchline.studies.study_result import StudyResult

    from .analysis_steps import Step
    from .model_file import ModelFile

__all__ = [
    "OF_POINTS",
    "VALUES",
    "points_of_table",
    "read_values_table",
    "STOP",
    "batch_of",
    "cases_table",
    "poincare_pair",
    "study_function",
    "study_points",
    "swept_values",
    "with_cases",
    "check_studies",
    "run_study",
]


# ---- study points

# Points of a study in a model file: `over` (values or distributions of parameters), `points` (a list), `samples`.
#
# over = { speed = { first = "1000 rpm", last = "12000 rpm", count = 500 }, load = ["50 N*m", "100 N*m"] } points = [{
# teeth_a = 20, teeth_b = 40 }, { teeth_a = 21, teeth_b = 39 }] over = { pin_1 = { kind = "normal", mean = 0, sigma =
# "4 um" } }, samples = 512

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
    from pitchline.studies.sweep.sweep import sweep as run

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
    from pitchline.studies.continuation.continuation import continuation

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
    from pitchline.studies.batch.batch import batch as made

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


# ---- study runs

# Studies of a model file: running them, and checks before the first analysis runs.

Options = Mapping[str, Any]


def run_study(file: ModelFile, step: Step) -> Any:
    """Run a study of a file. SolveError if it has no valid point."""
    from pitchline.studies.sweep.sweep import StudyError

    try:
        return study_function(step.kind)(_source(file, step), **step.options)
    except StudyError as error:
        raise SolveError(str(error), result=error.result) from error


def _source(file: ModelFile, step: Step) -> FileSource:
    """The file with the parameters of the study."""
    made = FileSource.of(file)
    return FileSource(made.name, made.called, made.files, {**made.overrides, **step.parameters}, made.allow)


def check_studies(file: ModelFile, steps: Sequence[Step]) -> None:
    """Check before the first analysis runs that the options fit and that the models at the ends of all studies can be built.

    FileError if not.
    """
    problems: list[Problem] = []
    for step in steps:
        if step.kind in STUDIES:
            problems += _problems(file, step)
    if problems:
        raise FileError(problems)


def _problems(file: ModelFile, step: Step) -> list[Problem]:
    key = f"analyses[{[own.name for own in file.steps].index(step.name)}]"
    where = file.lines.get(key, (file.source, 0))
    source = _source(file, step)
    values: Mapping[str, Any] = {}
    try:
        points = _ENDS[step.kind](source, step.options)
        for values in [points.at(0), points.at(-1)]:
            source.read(values)
    except FileError as error:
        text = ", ".join(f"{name} = {value}" for name, value in values.items())
        called = f'"{step.name}"{" at " if text else ""}{text}'
        return [Problem(*where, key, f"{called}: {one.key}: {one.message}") for one in error.found]
    except ModelError as error:
        return [_located(file, step, key, text.removeprefix(f"{source.called}: ")) for text in error.problems]
    return []


def _located(file: ModelFile, step: Step, place: str, text: str) -> Problem:
    """Problem at the key that a message starts with, or at the whole study."""
    for prefix in ("batch: ", "sweep: ", "optimum: ", "continuation: "):
        text = text.removeprefix(prefix)
    key = next((key for key in step.options if text.startswith((f"{key}:", f"{key} ", f"unknown {key} "))), "")
    place = f"{place}.{key}" if key else place
    return Problem(*file.lines.get(place, (file.source, 0)), place, text.removeprefix(f"{key}: ") if key else text)


# --- points whose first and last one are checked, after the options were checked ---------------------------


def _sweep_ends(source: FileSource, options: Options) -> Points:
    found = study_points(source, {key: options[key] for key in OF_POINTS if key in options})
    assert found is not None
    return found


def _batch_ends(source: FileSource, options: Options) -> Points:
    points = _sweep_ends(source, options)
    named = None if "poincare" not in options else poincare_pair(options["poincare"])
    _check_batch(source, options, points, poincare=named)
    return points


def _batch_sweep_ends(source: FileSource, options: Options) -> Points:
    name = options["swept"]
    source.check([name])
    values = swept_values(source, name, options["values"])
    along = Points(((name, len(values)),), {name: values}, {name: name})
    lanes = study_points(source, {key: options[key] for key in OF_POINTS if key in options})
    points = along if lanes is None else along * lanes
    _check_batch(source, options, points)
    return points


def _check_batch(source: FileSource, options: Options, points: Points, **more: Any) -> None:
    """Check that the model is a train of a batch and has what is requested, at the first and the last point."""
    made = batch_of(source, time=options.get("time"), cycle=options.get("cycle"), device=options.get("device", "auto"))
    numbers = {key: options[key] for key in ("settle", "record", "steps") if key in options}
    made.check(_ends_of(points), reduce=list(options["reduce"]), **numbers, **more)


def _ends_of(points: Points) -> Points:
    """The first and the last point."""
    return point_list(
        {
            name: ParameterValues(points.column(name)[[0, -1]], axis.unit, axis.shown_unit)
            for name, axis in points.axes.items()
        }
    )


def _continuation_ends(source: FileSource, options: Options) -> Points:
    from pitchline.studies.continuation.continuation_result import read_range

    name = options.get("over", "speed")
    first, last, unit, shown_unit = read_range(source, name, options["start"], options["end"])
    return point_list({name: ParameterValues(np.array([first, last]), unit, shown_unit)})


def _optimum_ends(source: FileSource, options: Options) -> Points:
    plan = OptimumPlan.read(source, **with_cases(source, options))
    cases = {} if plan.cases is None else plan.cases.axes
    return point_list(
        {
            name: ParameterValues(axis.values[[0, -1]], axis.unit, axis.shown_unit)
            for name, axis in {**plan.bounds, **cases}.items()
        }
    )


_ENDS: dict[str, Callable[[FileSource, Options], Points]] = {
    "sweep": _sweep_ends,
    "batch": _batch_ends,
    "batch_sweep": _batch_sweep_ends,
    "continuation": _continuation_ends,
    "optimum": _optimum_ends,
}
