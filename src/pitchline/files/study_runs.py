"""Studies of a model file: functions for each kind, whose arguments are the keys of its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from ..studies.file_source import FileSource
from ..studies.optimum.optimum import optimum
from ..studies.optimum.optimum_result import Optimum
from ..studies.optimum.plan import OptimumPlan
from ..studies.points import ParameterValues, Points, point_list
from .analysis_kinds import STUDIES, analysis
from .problems import FileError, Problem
from .study_points import OF_POINTS, points_of_table

if TYPE_CHECKING:
    from ..studies.study_result import StudyResult
    from .analysis_steps import Step
    from .model_file import ModelFile

__all__ = ["check_studies", "optimum_study", "run_study", "sweep_study"]


def run_study(file: ModelFile, step: Step) -> Any:
    """Run a study of a file."""
    return analysis(step.kind).call(_source(file, step), **step.options)


def _source(file: ModelFile, step: Step) -> FileSource:
    """The file with the parameters of the study."""
    made = FileSource.of(file)
    return FileSource(made.name, made.called, made.files, {**made.overrides, **step.parameters}, made.allow)


def check_studies(file: ModelFile, steps: Sequence[Step]) -> None:
    """Check before the first analysis runs that the models of all studies can be built. FileError if not."""
    problems: list[Problem] = []
    for step in steps:
        if step.kind in STUDIES:
            problems += _problems(file, step)
    if problems:
        raise FileError(problems)


def _problems(file: ModelFile, step: Step) -> list[Problem]:
    """Problems of the first and the last point of a study."""
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
        return [Problem(*where, key, f'"{step.name}" at {text}: {one.key}: {one.message}') for one in error.found]
    except ModelError as error:
        return [Problem(*where, key, text.removeprefix(f"{source.called}: ")) for text in error.problems]
    return []


def study_points(source: FileSource, table: Mapping[str, Any]) -> Points | None:
    """Points of a study in the units of its parameters; None if it has none. ModelError if they do not fit."""
    wrong: list[str] = []
    points = points_of_table(table, lambda _, message: wrong.append(message), needed=False)
    if wrong:
        raise ModelError(wrong)
    return None if points is None else in_declared_units(source, source.fitted(points))


def in_declared_units(source: FileSource, points: Points) -> Points:
    """Points that are shown in the units in which the file declares the parameters."""
    axes = {
        name: ParameterValues(axis.values, axis.unit, source.parameters[name].shown_unit or axis.shown_unit)
        for name, axis in points.axes.items()
    }
    return Points(points.dims, axes, points.along, points.design)


def _sweep_ends(source: FileSource, options: Mapping[str, Any]) -> Points:
    """Points of a sweep. ModelError if they do not fit the file."""
    found = study_points(source, {key: options[key] for key in OF_POINTS if key in options})
    assert found is not None
    return found


def _optimum_ends(source: FileSource, options: Mapping[str, Any]) -> Points:
    """Lower and upper bounds of an optimum as points. ModelError if its options are wrong."""
    plan = OptimumPlan.read(source, **_with_cases(source, options))
    cases = {} if plan.cases is None else plan.cases.axes
    return point_list(
        {
            name: ParameterValues(axis.values[[0, -1]], axis.unit, axis.shown_unit)
            for name, axis in {**plan.bounds, **cases}.items()
        }
    )


_ENDS: dict[str, Callable[[FileSource, Mapping[str, Any]], Points]] = {"sweep": _sweep_ends, "optimum": _optimum_ends}
"""Functions that check the options of a study and return points of which the first and the last are checked."""


# --- kinds -------------------------------------------------------------------------------------------


def sweep_study(
    source: FileSource,
    *,
    figures: Sequence[str],
    over: Mapping[str, Any] | None = None,
    points: Sequence[Mapping[str, Any]] | None = None,
    samples: int | None = None,
    method: str = "latin",
    seed: int = 0,
) -> StudyResult:
    """Figures of the file at many points. At each point, the analyses that the figures need are run.

    Parameters
    ----------
    figures
        Figures of the file to record.
    over
        Values or distributions of parameters.
    points
        List of points, each a table of parameters.
    samples
        Number of random points, if parameters have distributions.
    method
        Of the random points: "latin" (Latin hypercube), "sobol" or "random".
    seed
        Of the random points.
    """
    from ..studies.sweep.sweep import sweep

    return sweep(source, _points(source, over, points, samples, method, seed), figures=list(figures))


@wraps(optimum)
def optimum_study(source: FileSource, **options: Any) -> Optimum:
    return optimum(source, **_with_cases(source, options))


def _with_cases(source: FileSource, options: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of an optimum, with its cases as points."""
    if options.get("cases") is None:
        return dict(options)
    return {**options, "cases": study_points(source, cases_table(options["cases"]))}


def cases_table(cases: Any) -> dict[str, Any]:
    """Table of the cases of an optimum as a table of points."""
    return {"points": cases} if isinstance(cases, list) else {"over": cases}


def _points(source: FileSource, over: Any, points: Any, samples: Any, method: Any, seed: Any) -> Points:
    table = {"over": over, "points": points}
    if samples is not None:
        table |= {"samples": samples, "method": method, "seed": seed}
    found = study_points(source, {key: value for key, value in table.items() if value is not None})
    assert found is not None
    return found
