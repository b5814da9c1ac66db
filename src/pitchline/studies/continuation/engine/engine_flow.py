"""EngineFlow: the flow of any model by the time steps of `dynamics`. Derivatives are differences of motions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....analyses.signals import build_signals, parts_of
from ....model import Model
from ....solvers.motion import Samples
from ..flow import PeriodicMotion, Shot
from .lap import FreeDirections, Lap
from .period import PeriodRule, read_period

__all__ = ["EngineFlow"]

Array = NDArray[np.float64]

STATE_STEP = 1e-5
"""Step of the differences, relative to the ranges of the states in the motion."""
PARAMETER_STEP = 1e-6
"""The same, relative to the range of the parameter."""


class EngineFlow:
    """Flow of a model.

    build : model at a value of the parameter. start : first value. range : of the parameter. steps : time steps in a period.
    """

    def __init__(
        self,
        build: Callable[[float], Model],
        start: float,
        *,
        range: float,
        steps: int = 400,
        period: Any = None,
        shaft: str | None = None,
        reduce: tuple[Any, ...] = (),
    ) -> None:
        self._build, self._range, self.steps = build, range, steps
        self.reductions = reduce
        model = build(start)
        self.name = model.name
        self._rule: PeriodRule = read_period(model, period, shaft)
        self._free: FreeDirections | None = None
        self._laps: dict[tuple[float, int], Lap] = {}
        lap = self.lap(start, 1)
        self._free = lap.free
        self.names, self.units = _names(lap)
        self.figure_units: Mapping[str, str] = {}
        self.free = np.zeros((len(self.names), 0))
        self.sizes = np.ones(len(self.names))

    def lap(self, parameter: float, cycles: int) -> Lap:
        """The model at a value of the parameter."""
        key = (parameter, cycles)
        if key not in self._laps:
            made = Lap(self._build(parameter), parameter, self._rule, cycles, self._free)
            while len(self._laps) > 7:
                self._laps.pop(next(iter(self._laps)))
            self._laps[key] = made
        return self._laps[key]

    def first(self, parameter: float) -> Array:
        return np.zeros(len(self.names))

    def settle(self, state: Array, parameter: float, cycles: int) -> Array:
        lap = self.lap(parameter, 1)
        for _ in range(cycles):
            state = lap.end(state, self.steps)
        return state

    def scales(self, state: Array, parameter: float, cycles: int) -> Array:
        lap = self.lap(parameter, cycles)
        _, samples = lap.run(lap.start(state), self.steps, samples=min(self.steps, 64))
        rows = np.array([lap.coordinates(one, k) for one, k in _states(lap, samples)])
        return _floored(np.ptp(rows, axis=0), lap.counts[0], lap.period)

    def shoot(self, state: Array, parameter: float, cycles: int) -> Shot:
        lap = self.lap(parameter, cycles)
        end = lap.end(state, self.steps)
        columns = []
        for i, size in enumerate(STATE_STEP * self.sizes):
            step = np.zeros(len(state))
            step[i] = size
            columns.append((lap.end(state + step, self.steps) - lap.end(state - step, self.steps)) / (2 * size))
        dp = PARAMETER_STEP * self._range
        by_parameter = (
            self.lap(parameter + dp, cycles).end(state, self.steps) - self.lap(parameter - dp, cycles).end(state, self.steps)
        ) / (2 * dp)
        return Shot(end, np.array(columns).T, by_parameter, {})

    def motion(self, state: Array, parameter: float, cycles: int) -> PeriodicMotion:
        raise NotImplementedError


def _states(lap: Lap, samples: Samples) -> Iterator[tuple[Any, float]]:
    """States of samples, and the number of periods before each."""
    for k, t in enumerate(samples.t):
        state = lap.reference.copy()
        state.t = float(t)
        for name in ("pose", "v", "vd", "lam", "mem", "own", "condensed"):
            getattr(state, name)[...] = getattr(samples, name)[k]
        yield state, (float(t) - lap.start_time) / lap.period


def _floored(ranges: Array, positions: int, period: float) -> Array:
    """Ranges of states, not smaller than a thousandth of the largest of their kind."""
    found = ranges.copy()
    for part in (slice(0, positions), slice(positions, None)):
        if found[part].size:
            found[part] = np.maximum(found[part], 1e-3 * found[part].max())
    slow = found <= 0.0
    found[slow] = 1e-6
    return found


def _names(lap: Lap) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and units of the states."""
    s = lap.system
    names, units = [], []
    for directions, dot in ((lap.free.positions, ""), (lap.free.velocities, "/s")):
        for column in directions.T:
            i = int(np.argmax(np.abs(column)))
            owner = s.unknown_name(i).removeprefix("body ").strip('"')
            angle = s.layout.weight[i] == 1.0
            several = int(np.sum([s.unknown_name(j) == s.unknown_name(i) for j in range(s.n_q)]))
            place = "" if several == 1 else f"[{i - min(j for j in range(s.n_q) if s.unknown_name(j) == s.unknown_name(i))}]"
            names.append(f"{owner}{place}{'.rate' if dot else ''}")
            units.append(("rad" if angle else "m") + dot)
    return tuple(names), tuple(units)
