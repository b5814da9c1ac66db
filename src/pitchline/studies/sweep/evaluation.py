"""evaluate: one point of a sweep, from parameter values to figures and signals."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ...analyses.observers import Moment, observed_by
from ...budget import unless_given
from ...errors import ModelError, PitchlineError, shown
from ...fem.blas_threads import one_blas_thread
from ...model import Model
from ...results import Result, Signal, Status
from ...results.figures import Figure
from ..sources import FileSource, FunctionSource, ProgramSource, Source
from ..study_result import FAILED
from .point_block import PointOutcome, StudyValue
from .read_files import files_read
from .request import LAST, SweepRequest

__all__ = ["evaluate"]

_COMPONENTS: dict[tuple[str, ...], str] = {("x", "y", "z"): "component"}


class _PointObserver:
    """Collects the warnings of all analyses of a point. Ctrl-C ends the point, not only an analysis."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def reached(self, moment: Moment) -> None:
        """Nothing to do."""

    def finished(self, result: Result) -> None:
        """Called with the result of each analysis."""
        if result.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        self.warnings += result.warnings


def evaluate(source: Source, request: SweepRequest, values: Mapping[str, Any]) -> PointOutcome:
    """Outcome of one point. An error of this point is its reason; it does not raise an exception."""
    began = time.perf_counter()
    observer = _PointObserver()
    outcome = PointOutcome()
    with files_read() as files:
        try:
            with observed_by(observer), one_blas_thread(), unless_given():
                _compute(source, request, values, outcome)
        except (Exception, SystemExit) as error:  # one point must not end the others
            outcome = PointOutcome(FAILED, _reason(error))
    outcome.files = files
    outcome.warnings = tuple(dict.fromkeys(observer.warnings))
    outcome.seconds = time.perf_counter() - began
    return outcome


def _reason(error: BaseException) -> str:
    """Reason of a failure; with the line of the code if it is not an error of pitchline."""
    text = str(error).strip()
    if isinstance(error, PitchlineError):
        return text
    place = ""
    with suppress(IndexError):
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f" ({frame.filename}, line {frame.lineno})"
    return f"{type(error).__name__}: {text or 'no message'}{place}"


def _compute(source: Source, request: SweepRequest, values: Mapping[str, Any], outcome: PointOutcome) -> None:
    if isinstance(source, FunctionSource):
        found = source.call(values)
        if request.run is not None:
            found = request.run(found)
        if (
            not isinstance(found, (Model, Result)) and hasattr(found, "findings") and hasattr(found, "run")
        ):  # a ModelFile
            _run_file(found, request, outcome)
        else:
            _of_function(source, request, found, outcome)
    elif isinstance(source, FileSource):
        _run_file(source.read(values), request, outcome)
    elif isinstance(source, ProgramSource):
        program = source.with_values(values)
        run = program.run()
        _add_figures(program.figures(run), request, outcome)
        _add_signals(run, request, outcome)
    else:
        raise ModelError(f"a sweep cannot run a source of type {type(source).__name__}")


def _run_file(file: Any, request: SweepRequest, outcome: PointOutcome) -> None:
    """Run what the figures need. Studies of the file are left out, unless a requested figure needs them."""
    if request.figures is not None and not request.signals:
        _add_figures(list(file.evaluate(request.figures).values()), request, outcome)
        return
    names = {step.name for step in file.steps if not step.is_study}
    needed = {name for spec in file.figures if spec.key in (request.figures or ()) for name in spec.needed}
    run = file.run(only=names | needed)
    keys = [spec.key for spec in file.figures if spec.show and {*spec.needed} <= {*run}]
    _add_figures(file.findings(run, keys if request.figures is None else request.figures), request, outcome)
    _add_signals({name: found for name, found in run.items() if name in names}, request, outcome)


def _add_figures(figures: list[Figure], request: SweepRequest, outcome: PointOutcome) -> None:
    for figure in figures:
        if request.figures is None or figure.key in request.figures:
            outcome.values[figure.key] = _value(figure.key, figure.value, figure.unit, figure.description)


def _value(name: str, value: Any, unit: str = "", description: str = "") -> StudyValue:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ModelError(f'the value "{name}" must be a number or an array of numbers, got {shown(value)}')
    if np.ma.is_masked(value):
        raise ModelError(f'the value "{name}" is masked: it has no number')
    # true and false as 1 and 0, so that points without a value are nan
    array = np.array(array, dtype=float)
    if not np.isfinite(array).all():
        wrong = array[~np.isfinite(array)].ravel()[0]
        place = "" if array.ndim == 0 else f" (item {np.flatnonzero(~np.isfinite(array).ravel())[0]})"
        raise ModelError(f'the value "{name}" is {wrong:g}{place}, which is not a finite number')
    return StudyValue(array, unit, tuple(f"item_{n}" for n in array.shape), description)


# --- signals -----------------------------------------------------------------------------------------


def _add_signals(run: Mapping[str, Any], request: SweepRequest, outcome: PointOutcome) -> None:
    several = len(request.signals) > 1
    for analysis, names in request.signals.items():
        key = analysis if analysis != LAST else list(run)[-1]
        result = run[key]
        if not isinstance(result, Result):
            raise ModelError(f'the analysis "{key}" does not have signals. Choose another analysis')
        for signal in result.select(*names):
            _add_signal(signal, f"{key}." if several else "", signal.name, outcome)


def _add_signal(signal: Signal, prefix: str, name: str, outcome: PointOutcome) -> None:
    """Signal with its times. Signals with the same times share a dimension."""
    time_dim = f"{prefix}time"
    known = outcome.axes.get(time_dim)
    if known is not None and not np.array_equal(known.values, signal.time):
        time_dim = f"{prefix}{name}.time"
    outcome.axes[time_dim] = StudyValue(np.asarray(signal.time, dtype=float), "s")
    dims: tuple[str, ...] = (time_dim,)
    if signal.components:
        labels = tuple(signal.components)
        dim = _COMPONENTS.get(labels, f"component_{''.join(labels)}")
        outcome.labels[dim] = labels
        dims = (time_dim, dim)
    values = np.array(signal.values, dtype=float)
    if np.isinf(values).any() or np.isnan(values).all():  # a signal may be nan at some samples, e.g. without contact
        raise ModelError(f'the signal "{name}" has no finite numbers')
    outcome.values[f"{prefix}{name}"] = StudyValue(values, signal.unit, dims, signal.description)


# --- functions ---------------------------------------------------------------------------------------


def _of_function(source: FunctionSource, request: SweepRequest, found: Any, outcome: PointOutcome) -> None:
    """Values from what the functions of the user returned."""
    called = source.called if request.run is None else FunctionSource(request.run).called
    if isinstance(found, Model):
        raise ModelError(
            f"{called} returned a model. Specify what to compute: run=function, which gets the model and returns a dict of numbers"
        )
    if isinstance(found, Result):
        found = {found.kind: found}
    if isinstance(found, Mapping) and found and all(isinstance(one, Result) for one in found.values()):
        if not request.signals:
            raise ModelError(
                f'{called} returned a Result. Return a dict of numbers, or choose signals, e.g. signals=["mesh.normal_force"]'
            )
        _add_signals(found, request, outcome)
        return
    if isinstance(found, (list, tuple)) and found and all(isinstance(one, Figure) for one in found):
        found = {figure.key: figure for figure in found}
    if not isinstance(found, Mapping):
        found = {"value": found}
    chosen = list(found) if request.figures is None else list(request.figures)
    for name in chosen:
        if name not in found:
            raise ModelError(f'{called} did not return "{name}", but {", ".join(map(str, found)) or "nothing"}')
        _add(str(name), found[name], outcome)


def _add(name: str, value: Any, outcome: PointOutcome) -> None:
    if isinstance(value, Signal):
        _add_signal(value, "", name, outcome)
    elif isinstance(value, Figure):
        outcome.values[name] = _value(name, value.value, value.unit, value.description)
    elif isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str):
        outcome.values[name] = _value(name, value[0], value[1])
    else:
        outcome.values[name] = _value(name, value)
