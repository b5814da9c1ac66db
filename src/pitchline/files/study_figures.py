"""Values of studies in expressions of figures: analyses.map["mesh.normal_force.max"], analyses.best.best.relief.

Values at the points of a study are lists in the order of the points, without the points that have no valid values. Lists of
one study have the same order: at_max(analyses.map["force"], analyses.map["speed"]) is the speed at the largest force.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import near_names
from .amounts import Amount, AmountError
from .figure_numbers import Numbers, picked
from .study_steps import varied_names

if TYPE_CHECKING:
    from .analysis_steps import Step
    from .figure_expressions import Chain

__all__ = ["found_in_study", "planned_in_study"]

_COUNTS = ("points", "failed")
_OF_OPTIMUM = ("best", "start", "value", "start_value", "figures", "start_figures", "count", "converged", *_COUNTS)

Figures = Callable[[str], "Numbers | None"]
"""Planned value of an earlier figure."""


# --- before the run ----------------------------------------------------------------------------------


def planned_in_study(step: Step, chain: Chain, parameters: Mapping[str, Amount], figures: Figures) -> Numbers:
    """Placeholder with the right dimension. AmountError if the study does not have this value."""
    if not chain:
        raise AmountError(f'"{step.name}" is a study. Specify a value, e.g. {_example(step)}')
    if step.kind == "optimum":
        return _planned_in_optimum(step, chain, parameters, figures)
    name = str(chain[0])
    if name in _COUNTS and len(chain) == 1:
        return Numbers(np.ones(()), known=False)
    known = [*varied_names(step.options), *step.options.get("figures", ())]
    if name not in known:
        raise AmountError(f'"{step.name}" has no value "{name}"; {near_names(name, [*known, *_COUNTS])}')
    if name in varied_names(step.options):
        found = _planned_parameter(name, parameters)
    else:
        found = _planned_figure(step, name, figures)
    return _indexed(found, chain[1:], f'analyses.{step.name}["{name}"]')


def _planned_parameter(name: str, parameters: Mapping[str, Amount]) -> Numbers:
    if name not in parameters:
        raise AmountError(f'the parameter "{name}" is a text, not a number')
    return Numbers(np.ones(()), parameters[name].powers, known=False, shaped=False)


def _planned_figure(step: Step, name: str, figures: Figures) -> Numbers:
    found = figures(name)
    if found is None:
        raise AmountError(
            f'the figure "{name}" of the study "{step.name}" must be specified before the figures that use it'
        )
    return Numbers(np.ones(()), found.powers, found.unit, known=False, shaped=False)


def _planned_in_optimum(step: Step, chain: Chain, parameters: Mapping[str, Amount], figures: Figures) -> Numbers:
    name = str(chain[0])
    figure = str(step.options.get("minimise", step.options.get("maximise", "")))
    if name in ("best", "start"):
        _check_second(step, chain, varied_names(step.options))
        found = _planned_parameter(str(chain[1]), parameters)
        return Numbers(np.ones(()), found.powers, found.unit, known=False)
    if name in ("value", "start_value"):
        planned = _planned_figure(step, figure, figures)
        return Numbers(np.ones(()), planned.powers, planned.unit, known=False)
    if name in ("figures", "start_figures"):
        names = [figure, *step.options.get("limits", {}), *step.options.get("figures", ())]
        _check_second(step, chain, names)
        return _indexed(_planned_figure(step, str(chain[1]), figures), chain[2:], f"analyses.{step.name}.{name}")
    if name in _OF_OPTIMUM:
        return Numbers(np.ones((), dtype=bool if name == "converged" else float), known=False)
    raise AmountError(f'"{step.name}" has no value "{name}"; {near_names(name, _OF_OPTIMUM)}')


def _check_second(step: Step, chain: Chain, known: list[str]) -> None:
    said = f"analyses.{step.name}.{chain[0]}"
    if len(chain) < 2:
        raise AmountError(f"{said}: specify a name, e.g. {said}.{known[0]}")
    if chain[1] not in known:
        raise AmountError(f'{said} has no value "{chain[1]}"; {near_names(str(chain[1]), known)}')


def _example(step: Step) -> str:
    names = [*step.options.get("figures", ()), *varied_names(step.options)]
    return f"analyses.{step.name}.best.{names[-1]}" if step.kind == "optimum" else f'analyses.{step.name}["{names[0]}"]'


def _indexed(found: Numbers, chain: Chain, said: str) -> Numbers:
    for index in chain:
        if not isinstance(index, int):
            raise AmountError(f"{said} is a list. Use an index to select an item, e.g. [0]")
        found = picked(found, index)
    return found


# --- after the run -----------------------------------------------------------------------------------


def found_in_study(result: Any, chain: Chain) -> Numbers:
    """Value of a study."""
    name = str(chain[0])
    study = getattr(result, "evaluations", result)
    if name == "points":
        return Numbers(np.asarray(len(study)))
    if name == "failed":
        return Numbers(np.asarray(len(study.failed)))
    if study is not result:
        return _found_in_optimum(result, chain)
    if name in study.variables:
        values, unit = study.variables[name].values, study.variables[name].unit
    else:
        values, unit = study.points.column(name), study.points.units[name]
    return _indexed(Numbers.of_unit(values[study.fine], unit), chain[1:], name)


def _found_in_optimum(result: Any, chain: Chain) -> Numbers:
    name = str(chain[0])
    found = getattr(result, name)
    if isinstance(found, Mapping):
        key = str(chain[1])
        return _indexed(Numbers.of_unit(np.asarray(found[key]), result.units.get(key, "")), chain[2:], f"{name}.{key}")
    unit = result.units.get(result.figure, "") if name in ("value", "start_value") else ""
    return Numbers.of_unit(np.asarray(found), unit)
