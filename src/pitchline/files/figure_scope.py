"""FigureScope: meaning of names in expressions of figures: signals, properties, parameters, earlier figures.

Before the run (`run` is None), signals and properties of results are ones with the right unit and, if it is known, the
right
shape. Evaluation of an expression then checks its names and dimensions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import PitchlineError, near_names, shown
from ..gears import Gear, Rack
from ..model import Model, Planetary
from ..results import Modes, Result, Signal
from .amounts import Amount, AmountError
from .analysis_kinds import STUDIES, WITH_SIGNALS
from .analysis_steps import Step
from .expressions import is_expression
from .figure_expressions import Chain, evaluate_figure, parse_figure
from .figure_numbers import Numbers, listed, of_signal, picked
from .property_units import CLASS_OF_KIND, HEAVY, METHODS, unit_of
from .property_values import as_array, known_properties, property_of
from .study_figures import found_in_study, planned_in_study
from .table_figures import cell_of_table, planned_cell, table_names

if TYPE_CHECKING:
    from ..elements.contract import SignalSpec

__all__ = ["FigureScope", "FileParts", "ToldAlready", "figure_value", "unknown_signal"]

_NUMBER = re.compile(r"\s*[+-]?(\d|\.\d)")
_OBJECTS = ("gears", "wheels", "bodies", "joints", "gear_pairs", "planetary")
STATISTICS = {
    **dict.fromkeys(("steps", "iterations", "factorisations", "rejected"), ""),
    **dict.fromkeys(("newton_failures", "impacts", "load_steps", "unknowns"), ""),
    "wall_time": "s",
    "total_time": "s",
}
"""Statistics of analyses with signals, and their units."""
_ROOTS = (*_OBJECTS, "analyses", "model", "figures", "parameters")


class ToldAlready(AmountError):
    """An expression that depends on another one with an error."""


@dataclass(frozen=True)
class FileParts:
    """Contents of a file: its model, its gears and trains by name, its analyses, its parameters."""

    model: Model
    gears: Mapping[str, Gear | Rack]
    steps: tuple[Step, ...]
    parameters: Mapping[str, Amount]
    trains: Mapping[str, Planetary] = field(default_factory=dict)

    @cached_property
    def signals(self) -> dict[str, SignalSpec]:
        """All signals that an analysis can have."""
        from ..system.signal_list import signals_of

        return signals_of(self.model)

    def signals_of_step(self, step: Step) -> dict[str, SignalSpec]:
        """Signals of one analysis: without the elements that it leaves out, and without energies for analyses without
        dynamics."""
        left_out = {*step.without, *(("energy",) if step.kind in ("statics", "kinematics") else ())}
        if not left_out:
            return self.signals
        return {name: spec for name, spec in self.signals.items() if name.rpartition(".")[0] not in left_out}

    def step(self, name: str) -> Step:
        for step in self.steps:
            if step.name == name:
                return step
        raise AmountError(f"there is no analysis {shown(name)}; {near_names(name, [step.name for step in self.steps])}")

    def objects(self, section: str) -> Mapping[str, Any]:
        """Elements of a section by name; gears also by the names of their wheels."""
        if section == "gears":
            return {**{name: wheel.gear for name, wheel in self.model.wheels.items()}, **self.gears}
        if section == "wheels":
            return {name: wheel.gear for name, wheel in self.model.wheels.items()}
        found: Mapping[str, Any] = self.trains if section == "planetary" else getattr(self.model, section)
        return found


@dataclass
class FigureScope:
    """Scope of one figure.

    figures:       earlier figures by key
    analysis:      default analysis for signals
    after, before: limits of the time range [s]
    run:           results by name; None before the run
    needed:        analyses that this figure uses
    behind:        analyses that earlier figures use
    failed:        keys of earlier figures with errors
    """

    parts: FileParts
    figures: Mapping[str, Numbers]
    analysis: str = ""
    after: float | None = None
    before: float | None = None
    run: Mapping[str, Any] | None = None
    needed: set[str] = field(default_factory=set)
    behind: Mapping[str, Iterable[str]] = field(default_factory=dict)
    failed: Iterable[str] = ()

    # ---- names

    def name(self, name: str) -> Numbers:
        """Parameter, or earlier figure."""
        parameter, figure = self.parts.parameters.get(name), self.earlier(name)
        if parameter is not None and figure is not None:
            raise AmountError(
                f'"{name}" is the name of a parameter and of a figure. Write parameters.{name} or figures.{name}'
            )
        if parameter is not None:
            return Numbers.of_amount(parameter)
        if figure is not None:
            return figure
        if name in _ROOTS:
            raise AmountError(f'"{name}" is a group. Specify an item and its property: {name}.NAME.PROPERTY')
        known = [*self.parts.parameters, *self.figures]
        raise AmountError(
            f'unknown name "{name}": it is neither a parameter nor an earlier figure; {near_names(name, known)}'
        )

    def chain(self, chain: Chain) -> Numbers:
        """gears.pinion.teeth etc. Other names with dots are earlier figures."""
        root = chain[0]
        if root == "parameters" and len(chain) == 2 and isinstance(chain[1], str):
            if chain[1] not in self.parts.parameters:
                raise AmountError(f'there is no parameter "{chain[1]}"; {near_names(chain[1], self.parts.parameters)}')
            return Numbers.of_amount(self.parts.parameters[chain[1]])
        if root == "model":
            return self._walked(self.parts.model, "Model", chain[1:], "model")
        if root in _OBJECTS and len(chain) > 1:
            things = self.parts.objects(str(root))
            thing = things.get(str(chain[1]))
            if thing is None:
                raise AmountError(
                    f"there is no {_one(str(root))} {shown(chain[1])}; {near_names(str(chain[1]), things)}"
                )
            return self._walked(thing, type(thing).__name__, chain[2:], f"{root}.{chain[1]}")
        if root == "analyses" and len(chain) > 1:
            return self._of_analysis(str(chain[1]), chain[2:])
        return self._figure(chain[1:] if root == "figures" else chain)

    def _figure(self, chain: Chain) -> Numbers:
        """The longest sequence of steps that is the key of an earlier figure; the remaining steps are indices."""
        if len(chain) == 2 and isinstance(chain[0], str) and isinstance(chain[1], int):
            return picked(self.name(chain[0]), chain[1])
        words = [str(step) for step in chain if isinstance(step, str)]
        key = ".".join(words)
        found = self.earlier(key)
        if found is None or any(isinstance(step, tuple) for step in chain):
            if self.spec_of(key, self.parts.signals) is not None:
                raise AmountError(f'{key} is a signal. Write it in quotes, "{key}"')
            known = [*self.figures, *(f"{root}." for root in _ROOTS)]
            raise AmountError(
                f'unknown name "{key}": it is neither an earlier figure nor a property; {near_names(key, known)}'
            )
        for step in chain[len(words) :]:
            found = picked(found, step)  # type: ignore[arg-type]
        return found

    def earlier(self, key: str) -> Numbers | None:
        if key in self.failed:
            raise ToldAlready(f'the figure "{key}" has no value')
        if key in self.figures:
            self.needed.update(self.behind.get(key, ()))
        return self.figures.get(key)

    # ---- signals

    def signal(self, text: str) -> Numbers | None:
        """The signal of a text "item.signal" or "analysis: item.signal"; None if the text is a quantity."""
        before, colon, after = text.partition(":")
        name, analysis = text.strip(), self.analysis
        if colon and any(step.name == before.strip() for step in self.parts.steps):
            name, analysis = after.strip(), before.strip()
        elif _NUMBER.match(text) and self.spec_of(text, self.parts.signals) is None:
            return None
        elif colon and self.spec_of(name, self.parts.signals) is None:
            raise AmountError(
                f"there is no analysis {shown(before.strip())}; {near_names(before.strip(), [s.name for s in self.parts.steps])}"
            )
        if not analysis:
            raise AmountError(f'"{text}": the file has no analysis with signals. Add [[analyses]]')
        step = self.parts.step(analysis)
        if step.kind not in WITH_SIGNALS:
            raise AmountError(
                f'"{text}": "{analysis}" ({step.kind}) has no signals. Specify an analysis with signals, "analysis: {name}"'
            )
        self.needed.add(analysis)
        return self._planned(name, step) if self.run is None else self._sampled(name, analysis)

    @staticmethod
    def spec_of(name: str, known: Mapping[str, SignalSpec]) -> tuple[SignalSpec, int] | None:
        """The signal of a name, and the number of selected components."""
        from ..system.signal_list import component_names

        if name in known:
            return known[name], known[name].size
        whole, _, label = name.rpartition(".")
        return (known[whole], 1) if whole in known and label in component_names(known[whole].size) else None

    def _planned(self, name: str, step: Step) -> Numbers:
        known = self.parts.signals_of_step(step)
        found = self.spec_of(name, known)
        if found is None:
            raise AmountError(unknown_signal(name, known))
        spec, size = found
        values = np.ones(2 if size == 1 else (2, size))
        return of_signal(Signal(name, values, np.array([0.0, 1.0]), spec.unit), known=False)

    def _sampled(self, name: str, analysis: str) -> Numbers:
        result = self._result(analysis)
        assert isinstance(result, Result)
        signal = result[name]
        if (self.after is None and self.before is None) or len(signal) < 2:  # statics has only one sample
            return of_signal(signal)
        first = -np.inf if self.after is None else self.after
        last = np.inf if self.before is None else self.before
        slack = 1e-9 * (signal.time[-1] - signal.time[0])
        return of_signal(signal.between(first - slack, last + slack))

    def _result(self, analysis: str) -> Any:
        assert self.run is not None
        if analysis not in self.run:
            raise PitchlineError(f'the analysis "{analysis}" was not run')
        return self.run[analysis]

    # ---- properties

    def mode(self, analysis: str | None, prop: str, mode: int) -> Numbers:
        """Property of one mode, counted from 1, of an analysis; default: the last modes analysis."""
        names = [step.name for step in self.parts.steps if step.kind == "modes"]
        if not names:
            raise AmountError('the file has no modes analysis. Add one with kind = "modes"')
        if analysis is not None and analysis not in names:
            raise AmountError(f"there is no modes analysis {shown(analysis)}; {near_names(analysis, names)}")
        name = analysis or names[-1]
        if self.run is not None:
            modes: Modes = self._result(name)
            if mode > len(modes):
                raise AmountError(f'"{name}" has only {len(modes)} modes; there is no mode {mode}')
        return self._of_analysis(name, (prop, mode - 1))

    def _of_analysis(self, name: str, chain: Chain) -> Numbers:
        step = self.parts.step(name)
        self.needed.add(name)
        if step.kind in WITH_SIGNALS and chain[:1] == ("statistics",):
            return self._statistic(name, chain[1:])
        if step.kind in WITH_SIGNALS and chain[:1] and chain[0] in table_names():
            return self._of_table(name, chain)
        if step.kind in WITH_SIGNALS:
            raise AmountError(f'"{name}" ({step.kind}) has signals. Write e.g. final("{name}: item.signal")')
        if step.kind in STUDIES:
            planned = planned_in_study(step, chain, self)  # checks the names
            return planned if self.run is None else found_in_study(self._result(name), chain)
        if self.run is not None:
            result = self._result(name)
            return self._walked(result, type(result).__name__, chain, f"analyses.{name}")
        return self._walked(_PlannedResult(*self._units(step)), CLASS_OF_KIND[step.kind], chain, f"analyses.{name}")

    def _statistic(self, name: str, chain: Chain) -> Numbers:
        """Solver statistics of an analysis, or its computing time."""
        key = str(chain[0]) if len(chain) == 1 else ""
        if key not in STATISTICS:
            raise AmountError(f'"{name}" has the statistics {", ".join(STATISTICS)}; {near_names(key, STATISTICS)}')
        if self.run is None:
            return Numbers.of_unit(1.0, STATISTICS[key], known=False, shaped=False)
        found = self._result(name).statistics
        if key not in found:
            raise AmountError(f'"{name}" has no statistic {key}; {near_names(key, found)}')
        return Numbers.of_unit(float(found[key]), STATISTICS[key])

    def _of_table(self, name: str, chain: Chain) -> Numbers:
        """analyses.rest.bearing_loads.B1.radial: a number of a results table."""
        if self.run is None:
            return planned_cell(chain)
        return cell_of_table(self._result(name), chain, self.after, self.before)

    def _units(self, step: Step) -> tuple[str, str]:
        """Units of the signal and of the speed of a signal analysis."""
        inner = FigureScope(self.parts, {}, step.start or "")
        found = []
        for key in ("signal", "speed"):
            text = str(step.options.get(key, ""))
            taken = (
                evaluate_figure(parse_figure(text), inner)
                if is_expression(text)
                else inner.signal(text)
                if text
                else None
            )
            found.append("" if taken is None else taken.default_unit())
        return found[0], found[1]

    def _walked(self, thing: Any, of: str, chain: Chain, said: str) -> Numbers:
        """From an object, or from a future result, step by step to a number."""
        steps, planned = list(chain), isinstance(thing, _PlannedResult)
        while steps:
            step = steps.pop(0)
            said = f"{said}.{step}" if isinstance(step, str) else f"{said}[{step}]"
            known = known_properties(of)
            if not isinstance(step, str) or step not in known:
                raise AmountError(f"{said}: there is no such property; {near_names(str(step), known)}")
            following, called = steps[0] if steps else None, step in METHODS.get(of, ())
            given = following if isinstance(following, tuple) else ()
            if isinstance(following, tuple):
                steps.pop(0)
                if not called:
                    raise AmountError(f"{said} is not a function. Remove the parentheses")
            (unit, through), owner = known[step], thing
            if step == "load_sharing" and of == "Planetary":
                planned, thing = self.run is None, self._load_sharing(thing, given)
            elif step in HEAVY and self.run is None:
                planned, thing = True, _PlannedResult()
            elif not planned:
                thing = property_of(thing, through, step, given if called else None, said)
            if unit.startswith("@"):
                of = unit[1:] if planned else type(thing).__name__
                continue
            values = 1.0 if planned else as_array(thing, said)
            found = Numbers.of_unit(values, unit_of(owner, unit), known=not planned, shaped=not planned)
            for index in steps:
                if not isinstance(index, int):
                    raise AmountError(f"{said} is a number or a list. Use an index to select an item, e.g. [0]")
                found = picked(found, index)
            return found
        raise AmountError(f"{said}: specify a property; known: {', '.join(list(known_properties(of))[:40])}")

    def _load_sharing(self, train: Planetary, given: tuple[str | int, ...]) -> Any:
        """Load sharing of a train in an analysis with signals: the named one, or that of the figure."""
        if len(given) > 1 or not all(isinstance(name, str) for name in given):
            raise AmountError(
                'load_sharing(...) takes the name of an analysis: planetary.stage.load_sharing("run").k_gamma'
            )
        analysis = str(given[0]) if given else self.analysis
        names = [f"{mesh.name}.signed_force" for mesh in (*train.sun_meshes, *train.ring_meshes)]
        signals = {name: self.signal(f"{analysis}: {name}" if analysis else name) for name in names}
        if self.run is None:
            return _PlannedResult()
        return train.load_sharing({name: found.signal for name, found in signals.items() if found is not None})


@dataclass(frozen=True)
class _PlannedResult:
    """Placeholder for a future result; with its units if they are those of a signal."""

    unit: str = ""
    speed_unit: str = ""


def figure_value(value: Any, scope: FigureScope, *, signals: bool = False) -> Numbers:
    """Value of "= ...", of a number, of a text with a unit, or of a list of these. signals: whether a signal over time
    is allowed."""
    if isinstance(value, list):
        return listed([figure_value(item, scope) for item in value])
    if isinstance(value, bool):
        return Numbers(np.asarray(value))
    if not is_expression(value):
        if isinstance(value, str) and not _NUMBER.match(value):
            raise AmountError(f'{shown(value)} is neither a quantity nor an expression; an expression starts with "="')
        return Numbers.of_amount(Amount.of(value, "value"))
    found = evaluate_figure(parse_figure(value), scope)
    if found.signal is not None and not signals:
        raise AmountError(
            "it is a signal over time. Use final(...), mean(...), max(...) or similar, or add show = false to use it in others"
        )
    return found


def unknown_signal(name: str, known: Mapping[str, SignalSpec]) -> str:
    """Message for a signal that no element of the model has."""
    items = {key.rpartition(".")[0] for key in known}
    item = next((item for item in sorted(items, key=len, reverse=True) if name.startswith(f"{item}.")), None)
    if item is None:
        first = name.partition(".")[0]
        return f"{shown(name)}: there is no part {shown(first)}; {near_names(first, sorted(items))}"
    own = [key for key in known if key.rpartition(".")[0] == item]
    return f"there is no signal {shown(name)}; {near_names(name, own)}"


def _one(section: str) -> str:
    return {"bodies": "body", "gear_pairs": "gear pair", "planetary": "planetary train"}.get(section, section[:-1])
