"""ModelFile: the contents of a model file: its model, its analyses, its figures and their problems."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.errors import ModelError, PitchlineError, SolveError, near_names
from pitchline.model.model import Model
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.planetary.layout import Planetary
from pitchline.results.figures import Figure, status_of
from pitchline.results.modes import Modes
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.results.status import SignalError, Status
from pitchline.units.parser import NONE, parse_unit
from pitchline.units.quantity import quantity

from .amounts import Amount, AmountError, is_expression
from .analysis_steps import Step, with_earlier
from .figure_functions import amplitude
from .figure_numbers import Numbers
from .figure_scope import FigureScope, FileParts, figure_value
from .figure_specs import FigureSpec
from .key_lines import FileError, Problem
from .parameters import DeclaredParameter, Known, Word
from .plot_specs import PlotSpec, draw_plot
from .schema_types import OF_GEARS, OF_SIGNALS, SIGNALS, STUDIES, analysis
from .sources import FileOrigin, Sources
from .study_runs import check_studies, run_study
from .table_figures import evaluate_figure, parse_figure

__all__ = ["finding", "findings_of", "check_signals", "with_signals", "ModelFile"]


# ---- figure values

# Value of a figure from the results of a run.


def findings_of(
    specs: tuple[FigureSpec, ...], run: Mapping[str, Any], parts: FileParts, names: Collection[str] | None = None
) -> list[tuple[FigureSpec, Figure | PitchlineError]]:
    """Values of all listed figures, in order, or the reason why one has none. Later figures may depend on earlier ones.

    names: only these figures, also those that are not listed otherwise; and errors of others.
    """
    values: dict[str, Numbers] = {}
    found: list[tuple[FigureSpec, Figure | PitchlineError]] = []
    for spec in specs:
        asked = spec.show if names is None else spec.key in names
        try:
            if asked:
                found.append((spec, finding(spec, run, parts, values)))
            else:
                hidden(spec, run, parts, values)
        except PitchlineError as error:
            found.append((spec, error))
    return found


def hidden(spec: FigureSpec, run: Mapping[str, Any], parts: FileParts, earlier: dict[str, Numbers]) -> None:
    """Add the value of a figure that serves other figures; it may be a signal over time."""
    try:
        earlier[spec.key] = _value(spec, run, parts, earlier)
    except AmountError as error:
        raise PitchlineError(f'figure "{spec.key}": {error}') from error


def finding(
    spec: FigureSpec, run: Mapping[str, Any], parts: FileParts | None = None, earlier: dict[str, Numbers] | None = None
) -> Figure:
    """Value of a figure. PitchlineError if the results do not contain it.

    parts, earlier: names available to expressions. The value is added to the earlier figures.
    """
    earlier = {} if earlier is None else earlier
    try:
        value = _value(spec, run, parts, earlier)
        earlier[spec.key] = value
        unit = spec.unit or value.default_unit()
        closed = _closed(spec, unit, run, parts, earlier)
        return Figure(spec.key, _plain(value.converted(unit)), unit, _description(spec), closed, spec.digits)
    except AmountError as error:
        raise PitchlineError(f'figure "{spec.key}": {error}') from error


def _value(spec: FigureSpec, run: Mapping[str, Any], parts: FileParts | None, earlier: dict[str, Numbers]) -> Numbers:
    if spec.value is not None:
        return figure_value(spec.value, _scope(spec, run, parts, earlier), signals=not spec.show)
    if spec.analysis not in run:
        raise PitchlineError(f'figure "{spec.key}": the analysis "{spec.analysis}" was not run')
    result = run[spec.analysis]
    if isinstance(result, Modes):
        return _of_modes(spec, result)
    if not isinstance(result, Result):
        raise PitchlineError(f'figure "{spec.key}": "{spec.analysis}" has no signals')
    signal = result[spec.signal]
    if spec.after is not None or spec.before is not None:
        first = -np.inf if spec.after is None else spec.after
        last = np.inf if spec.before is None else spec.before
        slack = 1e-9 * (signal.time[-1] - signal.time[0]) if len(signal) else 0.0
        signal = signal.between(first - slack, last + slack)
    taken: Any
    if spec.of == "amplitude":
        taken = _amplitude(spec, signal, result)
    elif spec.of == "value":
        taken = signal.at(spec.at)  # type: ignore[arg-type]
    else:
        taken = getattr(signal, spec.of)
        taken = taken if spec.of in ("final", "initial") else taken()
    if spec.unit and parse_unit(spec.unit).powers[:-1] != parse_unit(signal.unit).powers[:-1]:
        text = f"{spec.signal} is in {signal.unit or '1'} and cannot be expressed in {spec.unit}"
        raise PitchlineError(f'figure "{spec.key}": {text}')
    return Numbers.of_unit(taken, signal.unit)


def _scope(
    spec: FigureSpec, run: Mapping[str, Any], parts: FileParts | None, earlier: dict[str, Numbers]
) -> FigureScope:
    if parts is None:
        raise PitchlineError(f'figure "{spec.key}": an expression needs its model file. Use `ModelFile.findings`')
    return FigureScope(parts, earlier, spec.analysis, spec.after, spec.before, run)


def _closed(
    spec: FigureSpec, unit: str, run: Mapping[str, Any], parts: FileParts | None, earlier: dict[str, Numbers]
) -> Any:
    """Reference value in the unit of the figure. A value without dimension is already in that unit."""
    if not _is_expressed(spec.expected):
        return spec.expected
    found = figure_value(spec.expected, _scope(spec, run, parts, earlier))
    in_unit = found.powers == NONE and parse_unit(unit).powers != NONE
    return _plain(found.values if in_unit else found.converted(unit))


def _is_expressed(value: Any) -> bool:
    return any(map(_is_expressed, value)) if isinstance(value, list) else is_expression(value)


def _plain(value: Any) -> Any:
    """Numbers as results store them: logical values, integers and others, or lists of them."""
    return np.asarray(value).tolist()


def _description(spec: FigureSpec) -> str:
    if spec.description or spec.value is not None:
        return spec.description
    return (
        f"mode {spec.mode}, {spec.of.replace('_', ' ')}" if spec.mode else f"{spec.signal}, {spec.of.replace('_', ' ')}"
    )


def _of_modes(spec: FigureSpec, modes: Modes) -> Numbers:
    assert spec.mode is not None
    if spec.mode > len(modes):
        raise PitchlineError(
            f'figure "{spec.key}": "{spec.analysis}" has only {len(modes)} modes; there is no mode {spec.mode}'
        )
    if spec.of == "frequency":
        return Numbers.of_unit(float(modes.frequencies[spec.mode - 1]), "Hz")
    return Numbers.of_unit(float(modes.damping_ratios[spec.mode - 1]), "")


def _amplitude(spec: FigureSpec, signal: Signal, result: Result) -> Any:
    if spec.frequency is not None:
        return amplitude(signal.values, signal.time, 1.0 / spec.frequency, f"{spec.frequency:g} Hz")
    assert spec.order is not None and spec.angle is not None
    angle = result[spec.angle].between(signal.time[0], signal.time[-1])
    x = np.abs(angle.values - angle.values[0])
    return amplitude(signal.values, x, 2.0 * np.pi / spec.order, f"order {spec.order:g}")


# ---- signal steps

# Signals that an analysis takes from an earlier one: by name, or as an expression over several signals.


def check_signals(parts: FileParts, sources: Sources) -> None:
    """Check names and expressions of all steps before the run. Errors are added to the problems."""
    for n, step in enumerate(parts.steps):
        earlier = replace(parts, steps=parts.steps[:n])
        for key in SIGNALS if step.kind in OF_SIGNALS else ():
            if key in step.options:
                try:
                    _taken(step, key, earlier, None)
                except (AmountError, ModelError) as error:
                    sources.problems.append(sources.problem(("analyses", n, key), str(error)))


def with_signals(step: Step, parts: FileParts, run: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a step with signals instead of their names."""
    options = {key: value for key, value in step.options.items() if key not in ("after", "before")}
    for key in SIGNALS:
        if key not in options:
            continue
        try:
            options[key] = _taken(step, key, parts, run)
        except AmountError as error:
            raise ModelError(f"{key}: {error}") from error
    return options


def _taken(step: Step, key: str, parts: FileParts, run: Mapping[str, Any] | None) -> Signal:
    text = step.options[key]
    first, last = (_time(step, name) for name in ("after", "before"))
    scope = FigureScope(parts, {}, step.start or "", first, last, run)
    if not isinstance(text, str):
        raise AmountError(f'must be the name of a signal, e.g. "mesh.normal_force", or "= expression", got {text!r}')
    found = evaluate_figure(parse_figure(text), scope) if is_expression(text) else scope.signal(text)
    if found is None or found.signal is None:
        raise AmountError(f'{text} is not a signal over time. Specify one, e.g. "mesh.normal_force"')
    return _signal(found, text, step)


def _signal(found: Numbers, text: str, step: Step) -> Signal:
    signal = found.signal
    assert signal is not None
    if not is_expression(text):
        return signal
    name = " ".join(text.lstrip("= ").split())
    return Signal(
        name if "/" not in name and len(name) < 60 else step.name, found.values, signal.time, found.default_unit()
    )


def _time(step: Step, name: str) -> float | None:
    value = step.options.get(name)
    return None if value is None else quantity(value, "time", what=name)


_GEAR_PAIR = re.compile(r'gear pair "([^"]*)": (.*)', re.DOTALL)
"""Format of warnings of a model about a gear pair."""

Progress = Callable[[float, float], None]
OnStep = Callable[[Step, Any], None]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class ModelFile:
    """Contents of a model file. Created by `read`.

    Attributes
    ----------
    name : str
        Name of the model.
    source : str
        Name of the file in messages.
    description : str
    model : Model
    parameters : dict
        Parameter values: numbers, or texts in base units.
    steps : tuple of Step
        The analyses, in order.
    figures : tuple of FigureSpec
        The declared figures.
    plots : tuple of PlotSpec
        The declared pictures.
    gears : dict
        The gears of the file by name.
    trains : dict
        Its planetary trains by name.
    descriptions : dict
        Descriptions of its parameters, by name.
    declared : tuple of DeclaredParameter
        Its parameters for input forms: value, unit, bounds, choices, description.
    origin : FileOrigin
        What it was read from.
    fmu : dict
        Its table [fmu]: options of an export as FMU.
    """

    name: str
    source: str
    description: str
    model: Model
    parameters: dict[str, Any]
    steps: tuple[Step, ...]
    figures: tuple[FigureSpec, ...]
    plots: tuple[PlotSpec, ...] = ()
    gears: Mapping[str, Gear | Rack] = field(repr=False, default_factory=dict)
    trains: Mapping[str, Planetary] = field(repr=False, default_factory=dict)
    descriptions: Mapping[str, str] = field(repr=False, default_factory=dict)
    again: Callable[[Step], Model] = field(repr=False, default=lambda step: Model("none"))
    lines: Mapping[str, tuple[str, int]] = field(repr=False, default_factory=dict)
    unlikely: tuple[Problem, ...] = field(repr=False, default=())
    declared: tuple[DeclaredParameter, ...] = field(repr=False, default=())
    origin: FileOrigin = field(repr=False, default_factory=FileOrigin)
    fmu: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings about the file: plain numbers that were probably meant in another unit, and `Model.warnings`."""
        found = list(self.unlikely)
        for text in self.model.warnings:
            about = _GEAR_PAIR.match(text)
            key = f"gear_pairs.{about[1]}" if about else ""
            told = any(problem.key.endswith("normal_module") for problem in found) and "plain numbers" in text
            if not told:
                found.append(Problem(*self.lines.get(key, (self.source, 0)), key, about[2] if about else text))
        return tuple(found)

    def run(
        self,
        progress: Progress | None = None,
        on_step: OnStep | None = None,
        only: Iterable[str] | None = None,
    ) -> dict[str, Any]:
        """Run all analyses in order; return their results by name. An analysis that is interrupted from the keyboard is
        the last.

        progress: called regularly with (current time, end time) of a dynamic analysis
        on_step:  called with (step, None) when an analysis starts and with (step, result) when it is complete. If an
                  analysis fails, it gets the partial result, before its SolveError is raised
        only:     names of the analyses to run; those that they start from are run too
        """
        done: dict[str, Any] = {}
        chosen = with_earlier(self.steps, only)
        check_studies(self, [step for step in self.steps if step.name in chosen])
        for n, step in enumerate(self.steps):
            if step.name not in chosen:
                continue
            if on_step is not None:
                on_step(step, None)
            try:
                done[step.name] = self._step(step, done, progress)
            except SolveError as error:
                if on_step is not None and error.result is not None:
                    on_step(step, error.result)
                raise
            except FileError:
                raise
            except (ModelError, SignalError) as error:
                key = f"analyses[{n}]"
                file, line = self.lines.get(key, (self.source, 0))
                texts = error.problems if isinstance(error, ModelError) else [str(error)]
                raise FileError([Problem(file, line, key, text) for text in texts]) from error
            if on_step is not None:
                on_step(step, done[step.name])
            if status_of(done[step.name]) is Status.INTERRUPTED:
                break
        return done

    def evaluate(self, keys: Sequence[str]) -> dict[str, Figure]:
        """Figures by key: runs only the analyses that they need. PitchlineError if one of them has no value."""
        needed: set[str] = set()
        for key in keys:
            specs = [spec for spec in self.figures if spec.key == key]
            if not specs:
                raise ModelError(
                    f'{self.source}: there is no figure "{key}"; {near_names(key, [spec.key for spec in self.figures])}'
                )
            needed.update(specs[0].needed)
        run = self.run(only=needed)
        wanted = replace(self, figures=tuple(spec for spec in self.figures if {*spec.needed} <= {*run}))
        found = {figure.key: figure for figure in wanted.findings(run, keys)}
        return {key: found[key] for key in keys}

    def _step(self, step: Step, done: Mapping[str, Any], progress: Progress | None) -> Any:
        model = self.model_of(step)
        if step.kind in STUDIES:
            return run_study(self, step)
        call = analysis(step.kind).call
        if step.kind in OF_SIGNALS:
            return call(**with_signals(step, self.parts(), done))
        options = dict(step.options)
        if step.kind in OF_GEARS:
            name = options.pop("gear")
            return call(self.parts().objects("gears")[name], name=name, **options)
        if step.start is not None:
            options[step.key] = done[step.start]
        if step.kind == "dynamics":
            options["progress"] = progress
        return call(model, **options)

    @property
    def plot(self) -> tuple[str, ...]:
        """Signals of the first picture."""
        return self.plots[0].signals if self.plots else ()

    def draws(self, run: Mapping[str, Any]) -> bool:
        """Whether a run can be plotted: pictures of the file, or results of an analysis without signals."""
        if self.plots:
            return bool(self.plots[0].drawn(run))
        return bool(run) and hasattr(list(run.values())[-1], "plot") and not isinstance(list(run.values())[-1], Result)

    def draw(self, run: Mapping[str, Any], path: str | FilePath, number: int = 0) -> None:
        """Save a picture of the file: the first one, or another one, counted from 0."""
        if self.plots:
            draw_plot(self.plots[number], run, path)
        else:
            list(run.values())[-1].plot(path=path)

    def study_pictures(self, run: Mapping[str, Any]) -> dict[str, Callable[[], Any]]:
        """Functions that return the first declared picture of each study of a run, by the name of the study."""
        studies = {step.name for step in self.steps if step.is_study and step.name in run}
        first: dict[str, PlotSpec] = {}
        for spec in self.plots:
            if spec.analysis in studies:
                first.setdefault(spec.analysis, replace(spec, options={**spec.options, "title": ""}))
        return {name: lambda spec=spec: draw_plot(spec, run, None) for name, spec in first.items()}  # type: ignore[misc]

    def model_of(self, step: Step) -> Model:
        """Model of an analysis: with its own parameter values, and without the elements that it leaves out."""
        return self.again(step) if step.parameters or step.without else self.model

    def findings(self, run: Mapping[str, Any], names: Collection[str] | None = None) -> list[Figure]:
        """Values of the figures of a run. PitchlineError if a result does not contain the requested value.

        names: figures to return; default: all that are listed. Problems of others that they do not need are ignored.
        """
        skipped = {step.name for step in self.steps if step.skipped} - {*run}
        specs = tuple(spec for spec in self.figures if not skipped & {*spec.needed})
        found = findings_of(specs, run, self.parts(), names)
        failed = [(spec, figure) for spec, figure in found if isinstance(figure, PitchlineError)]
        if any(
            names is None or spec.key in names for spec, _ in failed
        ):  # the first one may be the cause of the others
            spec, error = failed[0]
            key = f"figures.{spec.key}"
            file, line = self.lines.get(key, (self.source, 0))
            raise FileError([Problem(file, line, key, str(error))]) from error
        return [figure for _, figure in found if isinstance(figure, Figure)]

    def parts(self) -> FileParts:
        """Names available to expressions of figures."""
        amounts = {
            name: Amount.of(value, name) for name, value in self.parameters.items() if not isinstance(value, Word)
        }
        return FileParts(self.model, self.gears, self.steps, amounts, self.trains)


def plain_parameters(known: Mapping[str, Known]) -> dict[str, Any]:
    """Parameters as numbers and texts."""
    return {name: value if isinstance(value, Word) else value.plain for name, value in known.items()}
