"""`optimum`: search for the best parameter values, with its objectives and limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import limit, with_budget
from pitchline.base.progress.display import stage
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError, PitchlineError, SolveError, near_names, shown

from .optimum_result import LOCAL, METHODS, Optimum, SearchRecord, search
from .points.parameter_values import ParameterValues, Points, read_quantity, scale_of
from .points.samples import grid, point_list, points_of
from .sources import FileSource, FunctionSource, ProgramSource, Source, source_of
from .study_result import FAILED, FINE, StudyResult

__all__ = ["OF_CASES", "ObjectiveValue", "Limit", "Objective", "read_limits", "OptimumPlan", "optimum"]


# ---- objective

# Objective: the value that an optimum minimises, from figures of a source at one or several cases, within limits.

OF_CASES: dict[str, Callable[[FloatArray], float]] = {
    "max": lambda values: float(np.max(values)),
    "mean": lambda values: float(np.mean(values)),
    "sum": lambda values: float(np.sum(values)),
    "min": lambda values: float(np.min(values)),
}
"""Value of all cases together."""
_OUTSIDE = 1e50
"""Value for the search at places outside the limits; it increases with the distance from the limits."""


@dataclass(frozen=True)
class Limit:
    """Bounds of a figure in SI units; None: no bound."""

    low: float | None = None
    high: float | None = None
    unit: str = ""

    def excess(self, values: FloatArray) -> float:
        """By how much the values exceed the limit, relative to the limit."""
        beyond = [0.0]
        for bound, sign in ((self.low, -1.0), (self.high, 1.0)):
            if bound is not None:
                beyond.append(float(np.max(sign * (values - bound))) / (abs(bound) or 1.0))
        return max(beyond)


@dataclass(frozen=True)
class ObjectiveValue:
    """Figures at one place.

    value : of all cases together; nan if a case failed
    figures : name -> (cases,) numbers
    excess : by how much limits are exceeded, relative; 0 within the limits
    reason : why there is no value
    """

    value: float
    figures: Mapping[str, FloatArray]
    excess: float = 0.0
    reason: str = ""


@dataclass
class Objective:
    """Value to minimise.

    names : figures to evaluate; the first is minimised or maximised
    sign : 1.0 to minimise, -1.0 to maximise
    of_cases : key of `OF_CASES`
    """

    source: Source
    names: tuple[str, ...]
    cases: Points | None
    of_cases: str
    sign: float
    limits: Mapping[str, Limit]
    units: dict[str, str] = field(default_factory=dict)
    evaluations: list[ObjectiveValue] = field(default_factory=list)

    def at(self, values: Mapping[str, Any]) -> float:
        """Value for the search at parameter values. Every call is recorded."""
        made = self._evaluated(values)
        self.evaluations.append(made)
        if made.reason:
            return np.inf
        return self.sign * made.value if made.excess <= 0.0 else _OUTSIDE * (1.0 + made.excess)

    def _evaluated(self, values: Mapping[str, Any]) -> ObjectiveValue:
        found: dict[str, list[float]] = {name: [] for name in self.names}
        cases = [{}] if self.cases is None else list(self.cases)
        for n, case in enumerate(cases):
            try:
                one = self._figures({**values, **case})
            except Exception as error:  # one evaluation must not end the search
                text = str(error) if isinstance(error, PitchlineError) else f"{type(error).__name__}: {error}"
                return self._failed(f"case {n}: {text}" if len(cases) > 1 else text, len(cases))
            for name in self.names:
                found[name].append(one[name])
        arrays = {name: np.array(items) for name, items in found.items()}
        if not all(np.isfinite(array).all() for array in arrays.values()):
            wrong = next(name for name, array in arrays.items() if not np.isfinite(array).all())
            return self._failed(f'the figure "{wrong}" is not a finite number', len(cases))
        excess = max([limit.excess(arrays[name]) for name, limit in self.limits.items()], default=0.0)
        return ObjectiveValue(OF_CASES[self.of_cases](arrays[self.names[0]]), arrays, excess)

    def _failed(self, reason: str, cases: int) -> ObjectiveValue:
        return ObjectiveValue(np.nan, {name: np.full(cases, np.nan) for name in self.names}, reason=reason)

    def _figures(self, values: Mapping[str, Any]) -> dict[str, float]:
        """Figures in SI units at one case."""
        if isinstance(self.source, FileSource):
            made = self.source.read(values).evaluate(self.names)
            return {name: self._number(name, figure.value, figure.unit) for name, figure in made.items()}
        assert isinstance(self.source, FunctionSource)
        found = self.source.call(values)
        if not isinstance(found, Mapping):
            if len(self.names) > 1 or isinstance(found, (bool, str)) or np.ndim(found):
                raise ModelError(
                    f"{self.source.called} must return a number, or a dict of numbers by name, got {shown(found)}"
                )
            return {self.names[0]: self._number(self.names[0], found, "")}
        for name in self.names:
            if name not in found:
                raise ModelError(f'{self.source.called} returned no value "{name}"; {near_names(name, found)}')
        return {name: self._number(name, found[name], "") for name in self.names}

    def _number(self, name: str, value: Any, unit: str) -> float:
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            raise ModelError(f'the figure "{name}" must be one number, got {shown(value)}')
        size, si, _ = read_quantity(f"1 {unit}", name) if unit and unit != "1" else (1.0, "", "")
        self.units.setdefault(name, si)
        return float(value) * size


def read_limits(given: Any) -> dict[str, Limit]:
    """Limits of figures: {"pressure": {"max": "1500 MPa"}}."""
    if given is None:
        return {}
    example = '{"pressure": {"max": "1500 MPa"}}'
    if not isinstance(given, Mapping):
        raise ModelError(f"optimum: limits must be a dict of figures, e.g. {example}, got {shown(given)}")
    found = {}
    for name, bounds in given.items():
        if not isinstance(bounds, Mapping) or not bounds or {*bounds} - {"min", "max"}:
            raise ModelError(
                f"optimum: the limit of {name} must be a dict with min or max, e.g. {example}, got {shown(bounds)}"
            )
        numbers: dict[str, float] = {}
        unit = ""
        for key, bound in bounds.items():
            number, own, _ = read_quantity(bound, f"limits of {name}")
            unit = unit or own
            numbers[key] = number * _scale(own, unit, name)
        low, high = numbers.get("min"), numbers.get("max")
        if low is not None and high is not None and low > high:
            raise ModelError(f"optimum: the limits of {name}: min is above max, got {shown(dict(bounds))}")
        found[str(name)] = Limit(low, high, unit)
    return found


def _scale(unit: str, other: str, name: str) -> float:
    scale = scale_of(unit, other)
    if scale is None:
        raise ModelError(f"optimum: the limits of {name} have different dimensions")
    return scale


def checked_names(source: Source, names: Sequence[str]) -> None:
    """ModelError if a model file has no such figure."""
    if not isinstance(source, FileSource):
        return
    known = [spec.key for spec in source.file.figures]
    for name in names:
        if name not in known:
            raise ModelError(f'optimum: {source.called} has no figure "{name}"; {near_names(name, known)}')


@dataclass(frozen=True, eq=False)
class OptimumPlan:
    """Everything that determines an optimum.

    bounds : lower and upper bound of each parameter, in the units of the source
    first : first value of each parameter
    names : figures to evaluate; the first is minimised (sign 1) or maximised (sign -1)
    most : largest number of evaluations
    """

    source: Source
    bounds: Mapping[str, ParameterValues]
    first: FloatArray
    names: tuple[str, ...]
    sign: float
    cases: Points | None
    of_cases: str
    limits: Mapping[str, Limit]
    method: str
    most: int
    tolerance: float
    seed: int

    @property
    def low(self) -> FloatArray:
        """Lower bounds."""
        return np.array([axis.values[0] for axis in self.bounds.values()])

    @property
    def high(self) -> FloatArray:
        """Upper bounds."""
        return np.array([axis.values[1] for axis in self.bounds.values()])

    def objective(self) -> Objective:
        """The value to minimise, without evaluations."""
        return Objective(self.source, self.names, self.cases, self.of_cases, self.sign, self.limits)

    @staticmethod
    def read(
        source: Any, over: Any, *, minimise: Any = None, maximise: Any = None, cases: Any = None, of_cases: Any = "max",
        limits: Any = None, figures: Any = (), start: Any = None, method: Any = LOCAL, evaluations: Any = 200,
        tolerance: Any = 1e-3, seed: Any = 0,
    ) -> OptimumPlan:  # fmt: skip
        """Check the arguments of `optimum`. ModelError if one of them is wrong."""
        made = source_of(source)
        if isinstance(made, ProgramSource):
            raise ModelError(f'optimum: the gallery model "{made.name}" is a program. Use a model file or a function')
        figure, sign = _figure(minimise, maximise)
        bounds = _bounds(made, over)
        points = _cases(made, cases, over)
        if of_cases not in OF_CASES:
            raise ModelError(f"optimum: there is no of_cases {shown(of_cases)}; {near_names(str(of_cases), OF_CASES)}")
        if method not in METHODS:
            raise ModelError(f"optimum: there is no method {shown(method)}; {near_names(str(method), METHODS)}")
        most, tolerance = _whole(evaluations, "evaluations", 1), _fraction(tolerance)
        seed = _whole(seed, "seed", 0)
        allowed = read_limits(limits)
        others = [figures] if isinstance(figures, str) else list(figures)
        names = tuple(dict.fromkeys([figure, *allowed, *others]))
        checked_names(made, names)
        first = _start(made, bounds, start)
        return OptimumPlan(made, bounds, first, names, sign, points, of_cases, allowed, method, most, tolerance, seed)


def _figure(minimise: object, maximise: object) -> tuple[str, float]:
    if (minimise is None) == (maximise is None):
        raise ModelError('optimum: specify the figure, either minimise="..." or maximise="..."')
    figure = minimise if maximise is None else maximise
    if not isinstance(figure, str) or not figure.strip():
        raise ModelError(f"optimum: the figure must be a name, got {shown(figure)}")
    return figure, 1.0 if maximise is None else -1.0


def _bounds(source: Source, over: object) -> dict[str, ParameterValues]:
    """Lower and upper bound of each parameter, in the units of the source."""
    example = 'over={"relief": ("0 um", "40 um")}'
    if not isinstance(over, Mapping) or not over:
        raise ModelError(f"optimum: specify bounds of at least one parameter, {example}, got {shown(over)}")
    found = {}
    for name, pair in over.items():
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise ModelError(f"optimum: {name} must have a lower and an upper bound, e.g. {example}, got {shown(pair)}")
        axis = _fitted(source, name, pair)
        if axis.are_texts or axis.values.dtype.kind == "b":
            raise ModelError(f"optimum: the bounds of {name} must be numbers or texts with units, got {shown(pair)}")
        default = source.parameters[name].default if name in source.parameters else None
        if isinstance(default, int) and not isinstance(default, bool) and not isinstance(source, FunctionSource):
            raise ModelError(
                f"optimum: the parameter {name} is an integer ({default}), but the search varies real numbers. Use a sweep over "
                "its values, or write its value with a decimal point if it is a real number"
            )
        low, high = float(axis.values[0]), float(axis.values[1])
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ModelError(f"optimum: the lower bound of {name} must be below the upper bound, got {shown(pair)}")
        found[str(name)] = ParameterValues(np.array([low, high]), axis.unit, axis.shown_unit)
    return found


def _fitted(source: Source, name: str, values: Any) -> ParameterValues:
    if isinstance(source, FunctionSource):  # other arguments may be in the cases
        if name not in source.parameters:
            source.check([name])
        return source._fitted(name, grid({name: list(values)}).axes[name])
    return source.fitted(grid({name: list(values)})).axes[name]


def _cases(source: Source, cases: Any, over: Mapping[str, Any]) -> Points | None:
    if cases is None:
        if isinstance(source, FunctionSource):
            source.check(over)
        return None
    points = points_of(cases, "optimum: cases")
    twice = [name for name in points.names if name in over]
    if twice:
        raise ModelError(f'optimum: "{twice[0]}" is varied and also specified by the cases. Remove one of them')
    if isinstance(source, FunctionSource):
        source.check([*over, *points.names])
        axes = {name: source._fitted(name, axis) for name, axis in points.axes.items()}
        return Points(points.dims, axes, points.along, points.design)
    return source.fitted(points)


def _start(source: Source, bounds: Mapping[str, ParameterValues], given: Mapping[str, Any] | None) -> FloatArray:
    """First values. Those of the model if they are within the bounds, otherwise the middle."""
    if given is not None and not isinstance(given, Mapping):
        raise ModelError(f'optimum: start must be a dict of parameters, e.g. {{"relief": "10 um"}}, got {shown(given)}')
    for name in given or {}:
        if name not in bounds:
            raise ModelError(f'optimum: start has "{name}", which is not varied; {near_names(name, bounds)}')
    first = []
    for name, axis in bounds.items():
        low, high = axis.values
        if given is not None and name in given:
            value = float(_fitted(source, name, [given[name]]).values[0])
            if not low <= value <= high:
                raise ModelError(f"optimum: the start of {name}, {shown(given[name])}, is outside its bounds")
        else:
            own = source.parameters[name].default if name in source.parameters else None
            inside = isinstance(own, (int, float)) and not isinstance(own, bool) and low <= own <= high
            value = float(own) if inside else 0.5 * (low + high)  # type: ignore[arg-type]
        first.append(value)
    return np.array(first)


def _whole(value: object, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= 10**6:
        raise ModelError(f"optimum: {name} must be a whole number from {least} to 1000000, got {shown(value)}")
    return int(value)


def _fraction(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1e-12 <= value < 1.0:
        raise ModelError(f"optimum: tolerance must be a number above 0 and below 1, got {shown(value)}")
    return float(value)


# ---- optimum

# optimum: parameter values at which a figure of a model is smallest or largest.

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

        def value(place: FloatArray) -> float:
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


def _values(bounds: Mapping[str, ParameterValues], numbers: FloatArray) -> dict[str, Any]:
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


def _named(bounds: Mapping[str, ParameterValues], numbers: FloatArray) -> dict[str, float]:
    return dict(zip(bounds, map(float, numbers), strict=True))


def _study(
    source: Source,
    objective: Objective,
    bounds: Mapping[str, ParameterValues],
    numbers: FloatArray,
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


def _at_bounds(bounds: Mapping[str, ParameterValues], best: FloatArray, low: FloatArray, high: FloatArray) -> list[str]:
    found = []
    for k, (name, axis) in enumerate(bounds.items()):
        for bound, side in ((low[k], "lower"), (high[k], "upper")):
            if abs(best[k] - bound) <= _AT_BOUND * (high[k] - low[k]):
                value = f"{bound:.6g} {axis.unit}".rstrip()
                found.append(f"{name} is at its {side} bound, {value}. A wider range may give a better value")
    return found
