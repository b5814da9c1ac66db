"""optimum: parameter values at which a figure of a model is smallest or largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arguments import names_wrong_arguments
from ...budget import limit, with_budget
from ...errors import SolveError
from ...progress import stage
from ..points import point_list
from ..points.parameter_values import ParameterValues
from ..source import Source
from ..study_result import FAILED, FINE, StudyResult
from .objective import Objective, ObjectiveValue
from .optimum_result import Optimum
from .plan import OptimumPlan
from .search import LOCAL, SearchRecord, search

__all__ = ["optimum"]

Array = NDArray[np.float64]
_AT_BOUND = 1e-6


@names_wrong_arguments
@with_budget
def optimum(
    source: Any,
    over: Mapping[str, Any],
    *,
    minimise: str | None = None,
    maximise: str | None = None,
    cases: Any = None,
    of_cases: str = "max",
    limits: Mapping[str, Mapping[str, Any]] | None = None,
    figures: Sequence[str] = (),
    start: Mapping[str, Any] | None = None,
    method: str = LOCAL,
    evaluations: int = 200,
    tolerance: float = 1e-3,
    seed: int = 0,
    budget: Any = None,
) -> Optimum:
    """Find the parameter values within bounds at which a figure is smallest (or largest). Derivatives are not needed.

    Parameters
    ----------
    source
        Model file with figures, gallery name, or a Python function of the parameters that returns a number or a dict of numbers.
    over
        Bounds of each parameter: ``{"relief": ("0 um", "40 um")}``.
    minimise, maximise
        Name of the figure. Specify one of them.
    cases
        Points at which the figure is evaluated, e.g. ``grid(torque=[100, 200])``. Default: one case, with the values of the model.
    of_cases
        Value of all cases together: "max", "mean", "sum" or "min".
    limits
        Bounds of figures at all cases: ``{"pressure": {"max": "1500 MPa"}}``.
    figures
        Other figures to record.
    start
        First values of parameters. Default: the values of the model, if they are within the bounds, otherwise the middle.
    method
        "local": simplex search of Nelder and Mead from the start. "global": differential evolution over the whole range, then a
        simplex search.
    evaluations
        Largest number of evaluated points.
    tolerance
        The search ends when its steps are below this fraction of the ranges.
    seed
        Seed of the global search.
    budget
        Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it, and its attribute `result` has the optimum so far.

    Returns
    -------
    Optimum
        Best values, all evaluations, and why the search ended.

    Raises
    ------
    SolveError
        If no evaluation has a value. `result` has all evaluations.
    """
    plan = OptimumPlan.read(
        source, over, minimise=minimise, maximise=maximise, cases=cases, of_cases=of_cases, limits=limits, figures=figures,
        start=start, method=method, evaluations=evaluations, tolerance=tolerance, seed=seed,
    )  # fmt: skip
    objective = plan.objective()
    low, high = plan.low, plan.high
    with stage(f"optimum of {plan.names[0]}", total=plan.most) as now:
        limit(now)

        def value(place: Array) -> float:
            if objective.evaluations:  # those of which the search has the values
                now.done(len(objective.evaluations), _detail(objective))
            return objective.at(_values(plan.bounds, low + place * (high - low)))

        first = (plan.first - low) / (high - low)
        done = search(value, first, method=plan.method, most=plan.most, tolerance=plan.tolerance, seed=plan.seed)
    found = _result(plan, objective, done)
    if done.too_long is not None:
        done.too_long.result = found
        raise done.too_long
    return found


def _values(bounds: Mapping[str, ParameterValues], numbers: Array) -> dict[str, Any]:
    units = [axis.unit for axis in bounds.values()]
    return {
        name: f"{float(x)!r} {unit}" if unit else float(x) for name, x, unit in zip(bounds, numbers, units, strict=True)
    }


def _detail(objective: Objective) -> str:
    best = [objective.sign * made.value for made in objective.evaluations if not made.reason and made.excess <= 0.0]
    return f"{len(objective.evaluations)} evaluations" + (f", best {objective.sign * min(best):.6g}" if best else "")


def _result(plan: OptimumPlan, objective: Objective, done: SearchRecord) -> Optimum:
    source, bounds, low, high = plan.source, plan.bounds, plan.low, plan.high
    numbers = low + np.array(done.places) * (high - low)
    records = objective.evaluations[: len(done.values)]
    study = _study(source, objective, bounds, numbers, records)
    if all(made.reason for made in records):
        raise SolveError(
            f"optimum: none of the {len(records)} evaluations has a value. The first one: {records[0].reason}",
            result=study,
        )
    best = done.best
    figure = objective.names[0]
    warnings = list(_at_bounds(bounds, numbers[best], low, high))
    if records[best].excess > 0.0:
        warnings.insert(
            0, "no evaluated point satisfies the limits; the best values have the smallest excess. Check the limits"
        )
    failed = sum(bool(made.reason) for made in records)
    if failed:
        warnings.append(f"{failed} of {len(records)} evaluations have no value. The reasons are in evaluations.failed")
    if not done.converged:
        warnings.append(done.stopped)
    return Optimum(
        source.name, figure, _named(bounds, numbers[best]), records[best].value, _named(bounds, numbers[0]), records[0].value,
        {**{name: axis.unit for name, axis in bounds.items()}, **objective.units},
        records[best].figures, records[0].figures, study, done.converged, done.stopped, tuple(warnings),
    )  # fmt: skip


def _named(bounds: Mapping[str, ParameterValues], numbers: Array) -> dict[str, float]:
    return dict(zip(bounds, map(float, numbers), strict=True))


def _study(
    source: Source,
    objective: Objective,
    bounds: Mapping[str, ParameterValues],
    numbers: Array,
    records: list[ObjectiveValue],
) -> StudyResult:
    """All evaluations as a list of points."""
    points = point_list(
        {
            name: ParameterValues(numbers[:, k], axis.unit, axis.shown_unit)
            for k, (name, axis) in enumerate(bounds.items())
        }
    )
    units = objective.units
    figure = objective.names[0]
    together = f"{figure}, {objective.of_cases} of cases" if objective.cases is not None else figure
    variables: dict[str, Any] = {
        "objective": (np.array([made.value for made in records]), units.get(figure, ""), (), together),
        "within_limits": (np.array([not made.reason and made.excess <= 0.0 for made in records]), ""),
    }
    for name in objective.names:
        found = np.array([made.figures[name] for made in records])
        single = objective.cases is None
        variables[name] = (found[:, 0] if single else found, units.get(name, ""), () if single else ("case",))
    coordinates = {} if objective.cases is None else {"case": (np.arange(len(objective.cases)), "")}
    status = np.array([FAILED if made.reason else FINE for made in records])
    reasons = {k: made.reason for k, made in enumerate(records) if made.reason}
    facts = {} if objective.cases is None else {"cases": objective.cases.to_data()}
    return StudyResult(
        source.name, points, variables, status, reasons, coordinates=coordinates, study="optimum", facts=facts
    )  # fmt: skip


def _at_bounds(bounds: Mapping[str, ParameterValues], best: Array, low: Array, high: Array) -> list[str]:
    found = []
    for k, (name, axis) in enumerate(bounds.items()):
        for bound, side in ((low[k], "lower"), (high[k], "upper")):
            if abs(best[k] - bound) <= _AT_BOUND * (high[k] - low[k]):
                value = f"{bound:.6g} {axis.unit}".rstrip()
                found.append(f"{name} is at its {side} bound, {value}. A wider range may give a better value")
    return found
