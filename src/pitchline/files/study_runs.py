"""Studies of a model file: functions for each kind, whose arguments are the keys of its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ModelError
from ..studies.file_source import FileSource
from ..studies.points import ParameterValues, Points
from .analysis_kinds import STUDIES, analysis
from .problems import FileError, Problem
from .study_points import points_of_table

if TYPE_CHECKING:
    from ..studies.optimum.optimum_result import Optimum
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
    try:
        points = study_points(source, step.options)
        ends = [] if points is None else [points.at(0), points.at(-1)]
        for values in ends:
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
    from ..studies.sweep import sweep

    return sweep(source, _points(source, over, points, samples, method, seed), figures=list(figures))


def optimum_study(
    source: FileSource,
    *,
    over: Mapping[str, Any],
    minimise: str | None = None,
    maximise: str | None = None,
    cases: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    of_cases: str = "max",
    limits: Mapping[str, Any] | None = None,
    figures: Sequence[str] = (),
    first: Mapping[str, Any] | None = None,
    method: str = "local",
    evaluations: int = 200,
    tolerance: float = 1e-3,
    seed: int = 0,
) -> Optimum:
    """Parameter values at which a figure of the file is smallest or largest.

    Parameters
    ----------
    over
        Lower and upper bound of each parameter.
    minimise, maximise
        Figure of the file.
    cases
        Values of other parameters, at all of which the figure is evaluated: a table of lists, or a list of points.
    of_cases
        Value of all cases together: "max", "mean", "sum" or "min".
    limits
        Bounds of figures, e.g. { pressure = { max = "1500 MPa" } }.
    figures
        Other figures to record.
    first
        First values of parameters; default: the values of the file.
    method
        "local" or "global".
    evaluations
        Largest number of evaluated points.
    tolerance
        The search ends when its steps are below this fraction of the ranges.
    seed
        Of the global search.
    """
    from ..studies.optimum.optimum import optimum

    made = None if cases is None else study_points(source, cases_table(cases))
    return optimum(
        source, over, minimise=minimise, maximise=maximise, cases=made, of_cases=of_cases, limits=limits, figures=figures,
        start=first, method=method, evaluations=evaluations, tolerance=tolerance, seed=seed,
    )  # fmt: skip


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
