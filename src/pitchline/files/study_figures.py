"""Values of studies in expressions of figures: analyses.map["mesh.normal_force.max"], analyses.search.best.relief.

Values at the points of a study are lists in the order of the points, without the points that have no valid values. Lists of
one study have the same order: at_max(analyses.map["force"], analyses.map["speed"]) is the speed at the largest force.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import near_names
from ..units.table import NONE, Exponents
from .amounts import AmountError
from .figure_numbers import Numbers, picked
from .study_steps import varied_names

if TYPE_CHECKING:
    from .analysis_steps import Step
    from .figure_expressions import Chain
    from .figure_scope import FigureScope

__all__ = ["found_in_study", "planned_in_study"]

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
