"""Names in expressions of figures: signals, properties, parameters, earlier figures and values of studies.

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

from pitchline.errors import PitchlineError, near_names, shown
from pitchline.model.model import Model
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.planetary.layout import Planetary
from pitchline.results.modes import Modes
from pitchline.results.result import Result
from pitchline.results.signal import Signal
from pitchline.units.parser import NONE, Exponents

from .amounts import (
    CLASS_OF_KIND,
    HEAVY,
    METHODS,
    Amount,
    AmountError,
    as_array,
    is_expression,
    known_properties,
    property_of,
    unit_of,
)
from .analysis_steps import Step, varied_names
from .figure_numbers import Numbers, listed, of_signal, picked
from .schema_types import STUDIES, WITH_SIGNALS
from .table_figures import Chain, cell_of_table, evaluate_figure, parse_figure, planned_cell, table_names

if TYPE_CHECKING:
    from pitchline.engine.elements.contract import SignalSpec

    from .analysis_steps import Step
    from .table_figures import Chain

__all__ = [
    "found_in_study",
    "planned_in_study",
    "FigureScope",
    "FileParts",
    "ToldAlready",
    "figure_value",
    "unknown_signal",
]


# ---- study figures

# Values of studies in expressions of figures: analyses.map["mesh.normal_force.max"], analyses.search.best.relief.
#
# Values at the points of a study are lists in the order of the points, without the points that have no valid values.
# Lists of one study have the same order: at_max(analyses.map["force"], analyses.map["speed"]) is the speed at the
# largest force.

UP, DOWN = "up", "down"
_COUNTS = ("points", "failed")
_OF_BRANCH = ("folds", "doublings", "tori", "stable", "largest", "complete", "points")
_OF_OPTIMUM = ("best", "start", "value", "start_value", "figures", "start_figures", "count", "converged", *_COUNTS)
_ANGLE: Exponents = (0, 0, 0, 0, 0, 1)


# --- before the run ----------------------------------------------------------------------------------


def planned_in_study(step: Step, chain: Chain, scope: FigureScope) -> Numbers:
    """Placeholder with the right dimension. AmountError if the study does not have this value."""
    if not chain:
        raise AmountError(f'"{step.name}" is a study. Specify a value, e.g. {_example(step)}')
    if step.kind == "optimum":
        return _planned_in_optimum(step, chain, scope)
    name = str(chain[0])
    if step.kind == "batch_sweep" and name in ("jumps", UP, DOWN):
        return _planned_in_directions(step, chain, scope)
    if step.kind == "continuation" and name in _OF_BRANCH:
        return _planned_in_branch(step, chain, scope)
    if name in _COUNTS and len(chain) == 1 and step.kind != "continuation":
        return Numbers(np.ones(()), known=False)
    return _indexed(_planned_value(step, name, scope), chain[1:], f'analyses.{step.name}["{name}"]')


def _planned_value(step: Step, name: str, scope: FigureScope) -> Numbers:
    """A parameter, a figure or a reduction at all points."""
    varied, samples = _varied(step), _poincare_names(step)
    known = [*varied, *step.options.get("figures", ()), *step.options.get("reduce", ()), *samples]
    if step.kind in ("batch", "batch_sweep"):
        known.append("closure")
    if name not in known:
        others = {"batch_sweep": ("jumps", UP, DOWN, *_COUNTS), "continuation": _OF_BRANCH}.get(step.kind, _COUNTS)
        raise AmountError(f'"{step.name}" has no value "{name}"; {near_names(name, [*known, *others])}')
    if name in varied:
        return _planned_parameter(name, scope)
    if name in step.options.get("figures", ()):
        return _planned_figure(step, name, scope)
    if name == "closure":
        return _list(NONE)
    return _planned_reduction(name, scope)


def _list(powers: Exponents, unit: str = "") -> Numbers:
    return Numbers(np.ones(()), powers, unit, known=False, shaped=False)


def _varied(step: Step) -> list[str]:
    return [str(step.options.get("over", "speed"))] if step.kind == "continuation" else varied_names(step.options)


def _poincare_names(step: Step) -> list[str]:
    given = step.options.get("poincare")
    return [f"{given[0]}.poincare", f"{given[0]}.poincare_rate"] if isinstance(given, list) and given else []


def _planned_parameter(name: str, scope: FigureScope) -> Numbers:
    if name not in scope.parts.parameters:
        raise AmountError(f'the parameter "{name}" is a text, not a number')
    return _list(scope.parts.parameters[name].powers)


def _planned_figure(step: Step, name: str, scope: FigureScope) -> Numbers:
    found = scope.earlier(name)
    if found is None:
        raise AmountError(
            f'the figure "{name}" of the study "{step.name}" must be specified before the figures that use it'
        )
    return _list(found.powers, found.unit)


def _planned_reduction(name: str, scope: FigureScope) -> Numbers:
    """Number of a batch, "mesh.transmission_error.peak_to_peak"; its name is checked by the batch."""
    signal, _, kind = name.rpartition(".")
    if kind == "contact_loss":
        return _list(NONE)
    if kind.startswith("phase_"):
        return _list(_ANGLE)
    part, _, what = signal.rpartition(".")
    if kind.startswith("poincare"):
        unit = (
            "m"
            if f"{signal}.approach" in scope.parts.signals or f"{signal}.displacement" in scope.parts.signals
            else "rad"
        )
        return _list(Numbers.of_unit(1.0, f"{unit}/s" if kind == "poincare_rate" else unit).powers)
    linear = f"{part}.displacement" in scope.parts.signals
    own = {"deviation": "m" if linear else "rad", "angular_speed_deviation": "rad/s", "speed_deviation": "m/s"}
    found = scope.spec_of(signal, scope.parts.signals)
    if found is None and what not in own:
        raise AmountError(f'there is no signal "{signal}"; {near_names(signal, scope.parts.signals)}')
    unit = own[what] if found is None else found[0].unit
    return _list(Numbers.of_unit(1.0, unit).powers, unit)


def _planned_in_directions(step: Step, chain: Chain, scope: FigureScope) -> Numbers:
    """analyses.NAME.jumps.up, analyses.NAME.down["mesh.normal_force.max"]"""
    if chain[0] == "jumps":
        _check_second(step, chain, [UP, DOWN])
        return _indexed(_planned_parameter(step.options["swept"], scope), chain[2:], f"analyses.{step.name}.jumps")
    known = [*_varied(step), *step.options.get("reduce", ()), "closure"]
    _check_second(step, chain, known)
    return _indexed(_planned_value(step, str(chain[1]), scope), chain[2:], f"analyses.{step.name}.{chain[0]}")


def _planned_in_branch(step: Step, chain: Chain, scope: FigureScope) -> Numbers:
    """analyses.NAME.folds.up, analyses.NAME.doublings[0]"""
    name, rest = str(chain[0]), chain[1:]
    if name in ("folds", "doublings", "tori"):
        if name == "folds" and rest and rest[0] in (UP, DOWN):
            rest = rest[1:]
        return _indexed(_planned_parameter(_varied(step)[0], scope), rest, f"analyses.{step.name}.{name}")
    if name in ("stable", "largest"):
        return _indexed(_list(NONE), rest, f"analyses.{step.name}.{name}")
    return Numbers(np.ones((), dtype=bool if name == "complete" else float), known=False)


def _planned_in_optimum(step: Step, chain: Chain, scope: FigureScope) -> Numbers:
    name = str(chain[0])
    figure = str(step.options.get("minimise", step.options.get("maximise", "")))
    if name in ("best", "start"):
        _check_second(step, chain, _varied(step))
        found = _planned_parameter(str(chain[1]), scope)
        return Numbers(np.ones(()), found.powers, found.unit, known=False)
    if name in ("value", "start_value"):
        planned = _planned_figure(step, figure, scope)
        return Numbers(np.ones(()), planned.powers, planned.unit, known=False)
    if name in ("figures", "start_figures"):
        _check_second(step, chain, [figure, *step.options.get("limits", {}), *step.options.get("figures", ())])
        return _indexed(_planned_figure(step, str(chain[1]), scope), chain[2:], f"analyses.{step.name}.{name}")
    if name in _OF_OPTIMUM:
        return Numbers(np.ones((), dtype=bool if name == "converged" else float), known=False)
    raise AmountError(f'"{step.name}" has no value "{name}"; {near_names(name, _OF_OPTIMUM)}')


def _check_second(step: Step, chain: Chain, known: list[str]) -> None:
    said = f"analyses.{step.name}.{chain[0]}"
    if len(chain) < 2:
        raise AmountError(f'{said}: specify a name, e.g. {said}["{known[0]}"]')
    if chain[1] not in known:
        raise AmountError(f'{said} has no value "{chain[1]}"; {near_names(str(chain[1]), known)}')


def _example(step: Step) -> str:
    names = [*step.options.get("figures", ()), *step.options.get("reduce", ()), *_varied(step)]
    return f"analyses.{step.name}.best.{names[-1]}" if step.kind == "optimum" else f'analyses.{step.name}["{names[0]}"]'


def _indexed(found: Numbers, chain: Chain, said: str) -> Numbers:
    for index in chain:
        if not isinstance(index, int):
            raise AmountError(f"{said} is a list. Use an index to select an item, e.g. [0]")
        found = picked(found, index)
    return found


# --- after the run -----------------------------------------------------------------------------------


def found_in_study(result: Any, chain: Chain) -> Numbers:
    """Value of a study. Its name was checked before the run."""
    name = str(chain[0])
    if result.kind == "continuation":
        return _found_in_branch(result, chain)
    study = getattr(result, "evaluations", result)
    if name in _COUNTS:
        return Numbers(np.asarray(len(study) if name == "points" else len(study.failed)))
    if study is not result:
        return _found_in_optimum(result, chain)
    if name == "jumps":
        pairs = [[jump.before, jump.after] for jump in result.jumps if jump.direction == chain[1]]
        rows = np.array(pairs, dtype=float).reshape(-1, 2)
        return _indexed(Numbers.of_unit(rows, result.unit(result.swept)), chain[2:], f"jumps.{chain[1]}")
    chosen = study.fine
    if name in (UP, DOWN):
        chosen = chosen & (study.points.column("direction") == name) if "direction" in study.points.axes else chosen
        chain = chain[1:]
        name = str(chain[0])
    if name in study.variables:
        values, unit = study.variables[name].values, study.variables[name].unit
    else:
        values, unit = study.points.column(name), study.points.units[name]
    return _indexed(Numbers.of_unit(values[chosen], unit), chain[1:], name)


def _found_in_branch(branch: Any, chain: Chain) -> Numbers:
    name, rest = str(chain[0]), chain[1:]
    if name == "points":
        return Numbers(np.asarray(len(branch)))
    if name in ("folds", "doublings", "tori"):
        special = getattr(branch, name)
        if name == "folds" and rest and rest[0] in (UP, DOWN):
            special, rest = [one for one in special if one.sweep == rest[0]], rest[1:]
        return _indexed(Numbers.of_unit(np.array([one.parameter for one in special]), branch.unit), rest, name)
    if name in _OF_BRANCH:
        return _indexed(Numbers(np.asarray(getattr(branch, name))), rest, name)
    unit = branch.unit if name == branch.over else branch.figure_units.get(name, "")
    return _indexed(Numbers.of_unit(branch[name], unit), rest, name)


def _found_in_optimum(result: Any, chain: Chain) -> Numbers:
    name = str(chain[0])
    found = getattr(result, name)
    if isinstance(found, Mapping):
        key = str(chain[1])
        return _indexed(Numbers.of_unit(np.asarray(found[key]), result.units.get(key, "")), chain[2:], f"{name}.{key}")
    unit = result.units.get(result.figure, "") if name in ("value", "start_value") else ""
    return Numbers.of_unit(np.asarray(found), unit)


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
        from pitchline.engine.compile.station_signals import signals_of

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
        from pitchline.engine.compile.station_signals import component_names

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
