"""Studies of a model file: running them, and checks before the first analysis runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError, SolveError
from ..studies.file_source import FileSource
from ..studies.optimum.plan import OptimumPlan
from ..studies.points import ParameterValues, Points, point_list
from .analysis_kinds import STUDIES
from .problems import FileError, Problem
from .study_kinds import batch_of, poincare_pair, study_function, study_points, swept_values, with_cases
from .study_points import OF_POINTS

if TYPE_CHECKING:
    from .analysis_steps import Step
    from .model_file import ModelFile

__all__ = ["check_studies", "run_study"]

Options = Mapping[str, Any]


def run_study(file: ModelFile, step: Step) -> Any:
    """Run a study of a file. SolveError if it has no valid point."""
    from ..studies.sweep.sweep import StudyError

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
    from ..studies.continuation.study_options import read_range

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
