"""Objective: the value that an optimum minimises, from figures of a source at one or several cases, within limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, PitchlineError, near_names, shown
from ..file_source import FileSource
from ..function_source import FunctionSource
from ..points import Points
from ..points.parameter_values import read_quantity, scale_of
from ..source import Source

__all__ = ["OF_CASES", "ObjectiveValue", "Limit", "Objective", "read_limits"]

Array = NDArray[np.float64]

OF_CASES: dict[str, Callable[[Array], float]] = {
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

    def excess(self, values: Array) -> float:
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
    figures: Mapping[str, Array]
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
