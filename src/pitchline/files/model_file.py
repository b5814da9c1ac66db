"""ModelFile: a file as it was read: its model, its analyses, and the findings it wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..arguments import names_wrong_arguments
from ..errors import ModelError, PitchlineError, SolveError
from ..model import Model
from ..results import Status
from ..results.figures import Figure
from . import catalogue
from .amounts import Amount
from .analysis_steps import Step
from .figure_specs import FigureSpec
from .figure_values import finding
from .problems import FileError, Problem

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
    plot : tuple of str
        Signals worth a picture.
    plot_analysis : str | None
        The analysis they are of; the last one without.
    """

    name: str
    source: str
    description: str
    model: Model
    parameters: dict[str, Any]
    steps: tuple[Step, ...]
    figures: tuple[FigureSpec, ...]
    plot: tuple[str, ...]
    plot_analysis: str | None = None
    again: Callable[[Mapping[str, Any]], Model] = field(repr=False, default=lambda changes: Model("none"))
    lines: Mapping[str, tuple[str, int]] = field(repr=False, default_factory=dict)
    unlikely: tuple[Problem, ...] = field(repr=False, default=())

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
            except ModelError as error:
                key = f"analyses[{n}]"
                file, line = self.lines.get(key, (self.source, 0))
                raise FileError([Problem(file, line, key, text) for text in error.problems]) from error
            if on_step is not None:
                on_step(step, done[step.name])
            if getattr(done[step.name], "status", None) == Status.INTERRUPTED:
                break
        return done

    def _step(self, step: Step, done: Mapping[str, Any], progress: Progress | None) -> Any:
        model = self.again(step.parameters) if step.parameters else self.model
        options = dict(step.options)
        if step.start is not None:
            options[step.key] = done[step.start]
        if step.kind == "dynamics":
            options["progress"] = progress
        return catalogue.analysis(step.kind).call(model, **options)

    def findings(self, run: Mapping[str, Any]) -> list[Figure]:
        """The values of the findings of a run; PitchlineError where a result does not have what is asked for."""
        found = []
        for spec in self.figures:
            try:
                found.append(finding(spec, run))
            except PitchlineError as error:
                key = f"figures.{spec.key}"
                file, line = self.lines.get(key, (self.source, 0))
                raise FileError([Problem(file, line, key, str(error))]) from error
        return found


def plain_parameters(known: Mapping[str, Amount]) -> dict[str, Any]:
    """Parameters as numbers and texts."""
    return {name: amount.plain for name, amount in known.items()}
