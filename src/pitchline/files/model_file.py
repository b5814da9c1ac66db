"""ModelFile: the contents of a model file: its model, its analyses and its figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError, SolveError, near_names
from ..gears import Gear, Rack
from ..model import Model, Planetary
from ..results import Result, Status
from ..results.errors import SignalError
from ..results.figures import Figure, status_of
from .amounts import Amount
from .analysis_kinds import OF_GEARS, OF_SIGNALS, STUDIES, analysis
from .analysis_steps import Step, with_earlier
from .declared_parameters import DeclaredParameter
from .figure_scope import FileParts
from .figure_specs import FigureSpec
from .figure_values import findings_of
from .file_origin import FileOrigin
from .parameters import Known, Word
from .plot_specs import PlotSpec, draw_plot
from .problems import FileError, Problem
from .signal_steps import with_signals
from .study_runs import check_studies, run_study

__all__ = ["ModelFile"]

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
