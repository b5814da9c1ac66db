"""OptimumPlan: the checked arguments of an optimum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, near_names, shown
from ..function_source import FunctionSource, ProgramSource
from ..points import ParameterValues, Points, grid
from ..points.designs import points_of
from ..source import Source
from ..sources import source_of
from .objective import OF_CASES, Limit, Objective, checked_names, read_limits
from .search import LOCAL, METHODS

__all__ = ["OptimumPlan"]

Array = NDArray[np.float64]


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
    first: Array
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
    def low(self) -> Array:
        """Lower bounds."""
        return np.array([axis.values[0] for axis in self.bounds.values()])

    @property
    def high(self) -> Array:
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


def _start(source: Source, bounds: Mapping[str, ParameterValues], given: Mapping[str, Any] | None) -> Array:
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
