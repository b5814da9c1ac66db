"""ModelFile: a file as it was read: its model, its analyses, and the findings it wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError, SolveError
from ..gears import Gear, Rack
from ..model import Model, Planetary
from ..results import Result, Status
from ..results.errors import SignalError
from ..results.figures import Figure
from .amounts import Amount
from .analysis_kinds import OF_GEARS, OF_SIGNALS, analysis
from .analysis_steps import Step
from .declared_parameters import DeclaredParameter
from .figure_scope import FileParts
from .figure_specs import FigureSpec
from .figure_values import findings_of
from .parameters import Known, Word
from .plot_specs import PlotSpec, draw_plot
from .problems import FileError, Problem
from .signal_steps import with_signals

__all__ = ["ModelFile"]

_GEAR_PAIR = re.compile(r'gear pair "([^"]*)": (.*)', re.DOTALL)
"""How warnings of a model name the pair that they are about."""

Progress = Callable[[float, float], None]
OnStep = Callable[[Step, Any], None]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class ModelFile:
    """What a model file says. Made by `read`.

    Attributes
    ----------
    name : str
        Of the model.
    source : str
        The file, as messages call it.
    description : str
    model : Model
    parameters : dict
        Their values: numbers, or texts in base units.
    steps : tuple of Step
        The analyses, in order.
    figures : tuple of FigureSpec
        The findings, as asked for.
    plots : tuple of PlotSpec
        Pictures worth drawing.
    gears : dict
        The gears of the file by name.
    trains : dict
        Its planetary trains by name.
    descriptions : dict
        What it says of its parameters, by name.
    declared : tuple of DeclaredParameter
        Its parameters as a form shows them: value, unit, bounds, choices, remark.
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

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is allowed and questionable: plain numbers that were probably meant in another unit, and `Model.warnings`."""
        found = list(self.unlikely)
        for text in self.model.warnings:
            about = _GEAR_PAIR.match(text)
            key = f"gear_pairs.{about[1]}" if about else ""
            told = any(problem.key.endswith("normal_module") for problem in found) and "plain numbers" in text
            if not told:
                found.append(Problem(*self.lines.get(key, (self.source, 0)), key, about[2] if about else text))
        return tuple(found)

    def run(self, progress: Progress | None = None, on_step: OnStep | None = None) -> dict[str, Any]:
        """Carry out all analyses in order; their results by name. One that is interrupted from the keyboard is the last.

        progress: called now and then with (time reached, end time) of a dynamic analysis
        on_step:  called with (step, None) when one begins and with (step, result) when it is done, or with what was
                  computed of one that fails, before its SolveError is raised
        """
        done: dict[str, Any] = {}
        for n, step in enumerate(self.steps):
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
            if getattr(done[step.name], "status", None) == Status.INTERRUPTED:
                break
        return done

    def _step(self, step: Step, done: Mapping[str, Any], progress: Progress | None) -> Any:
        model = self.model_of(step)
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
        """Whether there is something to draw of a run: what the file names, or the outcome of an analysis without signals."""
        if self.plots:
            return self.plots[0].analysis in run
        return bool(run) and hasattr(list(run.values())[-1], "plot") and not isinstance(list(run.values())[-1], Result)

    def draw(self, run: Mapping[str, Any], path: str | FilePath, number: int = 0) -> None:
        """Save a picture that the file describes: the first one, or another, counted from 0."""
        if self.plots:
            draw_plot(self.plots[number], run, path)
        else:
            list(run.values())[-1].plot(path=path)

    def model_of(self, step: Step) -> Model:
        """The model of an analysis: with the parameters that hold in it alone, and without the parts that it leaves out."""
        return self.again(step) if step.parameters or step.without else self.model

    def findings(self, run: Mapping[str, Any]) -> list[Figure]:
        """The values of the findings of a run; PitchlineError where a result does not have what is asked for."""
        found = []
        for spec, figure in findings_of(self.figures, run, self.parts()):
            if isinstance(figure, PitchlineError):
                key = f"figures.{spec.key}"
                file, line = self.lines.get(key, (self.source, 0))
                raise FileError([Problem(file, line, key, str(figure))]) from figure
            found.append(figure)
        return found

    def parts(self) -> FileParts:
        """What expressions of figures may ask for."""
        amounts = {
            name: Amount.of(value, name) for name, value in self.parameters.items() if not isinstance(value, Word)
        }
        return FileParts(self.model, self.gears, self.steps, amounts, self.trains)


def plain_parameters(known: Mapping[str, Known]) -> dict[str, Any]:
    """Parameters as numbers and texts."""
    return {name: value if isinstance(value, Word) else value.plain for name, value in known.items()}
