"""EngineFlow: the flow of any model by the time steps of `dynamics`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from pitchline.analyses.signals import build_signals, left_tables, parts_of
from pitchline.base.types import FloatArray
from pitchline.engine.compile.compiler import compile_model
from pitchline.engine.compile.system import State, System
from pitchline.engine.solvers.consistent import consistent_accelerations
from pitchline.engine.solvers.linear import Samples
from pitchline.errors import ModelError
from pitchline.model.model import Model
from pitchline.results.signal import Signal

from .flow import PeriodicMotion, Shot, state_scales
from .lap import FreeDirections, Lap, periodic_motion
from .period import PeriodRule, default_reductions, read_period, read_reductions

__all__ = ["check_elements", "check_symmetry", "state_names", "EngineFlow"]


# ---- checks

# Checks that the map from the start of a motion to its end is that of a smooth motion with the stated period.

SMALL_MOTION = 1e-6
"""Amplitude of a vibration whose accelerations are compared [rad, and fractions of the length of the model]."""
SAME_ACCELERATION = 1e-6
"""Difference of accelerations, relative to the largest one, that is rounding."""


def check_elements(system: System) -> None:
    """ModelError if elements have a past that is not part of the state, or act suddenly."""
    for element in system.elements[: system.active]:
        reason = ""
        if element.switches or element.kind.guard is not None:
            reason = "its friction sticks and slips, so that the end of a motion is not a smooth function of its start"
        elif element.opening_rows:
            reason = "rigid teeth and stops that open and close have impacts. Use elastic teeth"
        elif element.every_step or element.own(condensed=True) or (element.kind.outputs and element.memory.size):
            reason = "it has internal values that are not part of the state (a delay, a sampled controller, a relay, contact cells)"
        if reason:
            raise ModelError(f'continuation: "{element.name}" is not supported: {reason}')


def check_symmetry(lap: Lap, y: np.ndarray) -> None:
    """ModelError if the machine, rotated by the steady rotation of a period, one period later, has other accelerations."""
    s = lap.system
    before = lap.start(y)
    after = lap.chart.advanced(before, lap.turn)
    after.t += lap.period
    consistent_accelerations(s, after)
    # accelerations of free rotations are in the axes of their nodes, as velocities are
    turned, back = before.copy(), after.copy()
    turned.v, back.v = before.vd.copy(), after.vd.copy()
    reference = lap.reference.copy()
    reference.v = np.zeros_like(reference.v)
    difference = lap.chart.difference(back, reference, lap.turn)[1] - turned.v
    weight = s.layout.weight[: s.n_q]
    size = float(np.max(np.abs(before.vd) * weight, initial=0.0))
    size = max(size, SMALL_MOTION * (2 * np.pi / lap.period) ** 2)
    wrong = np.abs(difference) * weight
    wrong[s.own.first_order] = 0.0
    if wrong.max(initial=0.0) > SAME_ACCELERATION * size:
        name = s.unknown_name(int(np.argmax(wrong)))
        raise ModelError(
            f"continuation: the model does not repeat after {lap.described} ({lap.period:.4g} s): {name} then has another "
            "acceleration in the same position. Common causes are another mesh cycle, a wheel with runout or unbalance, a load "
            'with another period and gravity. Specify with period= a time after which everything repeats, or "revolution"'
        )


# ---- state names

# Names and units of the states of a model.

_AXES = {1: ("",), 2: ("[0]", "[1]"), 3: ("[0]", "[1]", "[2]"), 6: (".x", ".y", ".z", ".rx", ".ry", ".rz")}


def state_names(lap: Lap) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the coordinates, then of their rates, and their units. A coordinate is named after its body or element."""
    s = lap.system
    names, units = [], []
    owners = [s.unknown_name(i).removeprefix("body ").strip('"') for i in range(s.n_q)]
    for directions, rate in ((lap.free.positions, False), (lap.free.velocities, True)):
        for column in directions.T:
            i = int(np.argmax(np.abs(column)))
            mine = [j for j, owner in enumerate(owners) if owner == owners[i]]
            axes = _AXES.get(len(mine), tuple(f"[{k}]" for k in range(len(mine))))
            names.append(f"{owners[i]}{axes[mine.index(i)]}{'.rate' if rate else ''}")
            unit = "" if i >= s.own.first else ("rad" if s.layout.weight[i] == 1.0 else "m")
            units.append(f"{unit or '1'}/s" if rate else unit)
    return tuple(names), tuple(units)


STATE_STEP = 1e-5
"""Step of the differences, relative to the ranges of the states in the motion."""
PARAMETER_STEP = 1e-6
"""The same, relative to the range of the parameter."""
LEAST_PARAMETER_STEP = 1e-8
"""The same, relative to the parameter, at least."""
FEW_STATES = 4
"""Number of states up to which differences need less time than the derivatives of the time steps."""
CHECK_STEPS = (1e-5, 1e-6, 1e-7)
"""Steps of the differences with which the derivatives of the time steps are compared once."""
SAME_CHANGE = 1e-3
"""Difference of the two derivatives, relative to the derivatives, up to which those of the time steps are used."""
FIRST_STEPS, MOST_STEPS = 200, 6400
"""Time steps in a period, if they are not specified."""
ACCURATE = 5e-5
"""Error of the end of a motion by the time steps, relative to the ranges of the states, that is accepted then."""
LEAST = 1e-6
"""Scale of coordinates that do not move [rad, m]. Positions are known to 1e-16 of a radian and of the length of the model."""
NEAR = 1e-3
"""Distance of two motions, relative to the ranges of states and parameter, that have the same derivatives by the parameter."""
WHOLE_TURNS = 1e-9
KEPT_LAPS = 8


class EngineFlow:
    """Flow of a model over a parameter.

    build : model at a value of the parameter. start, end : range of the parameter. steps : time steps in a period; None: as many as
    the accuracy requires. period, shaft : as in `continuation`. reduce : names of reductions; None: those of gears or joints.
    """

    def __init__(
        self,
        build: Callable[[float], Model],
        start: float,
        end: float,
        *,
        steps: int | None = None,
        period: Any = None,
        shaft: str | None = None,
        reduce: tuple[str, ...] | None = None,
    ) -> None:
        self._build, self._range = build, abs(end - start)
        self.steps, self._steps_given = steps or FIRST_STEPS, steps is not None
        model = build(start)
        self.name = model.name
        check_elements(
            compile_model(model)[0]
        )  # before the speed of the period: unloaded rigid teeth have no linear model either
        self._rule: PeriodRule = read_period(model, period, shaft)
        self._free: FreeDirections | None = None
        self._laps: dict[tuple[float, int], Lap] = {}
        lap = self._checked(start)
        self._free = lap.free
        self.lap(end, 1)  # a model without a period there is an error before the first motion is computed
        self.names, self.units = state_names(lap)
        n = len(self.names)
        self.free = np.zeros((n, 0))
        if self._rule.rolls_freely(model) and self._rule.turn is not None:
            rolling = lap.free.positions.T @ (lap.turn / lap.period)
            self.free = np.concatenate([rolling, np.zeros(n - len(rolling))])[:, None] / np.linalg.norm(rolling)
        self._sizes: FloatArray = np.ones(n)
        self._exact = True
        self._left: dict[str, str] = {}
        self._known: list[tuple[FloatArray, float, int, FloatArray]] = []
        signals = self._signals(lap, Samples(*(x[None] for x in _one_sample(lap.start(np.zeros(n))))), None)
        names = default_reductions(model) if reduce is None else reduce
        self._reductions = read_reductions(names, signals)
        self.figure_units: Mapping[str, str] = {one.name: one.unit(signals) for one in self._reductions}

    def _checked(self, start: float) -> Lap:
        """The first lap, of a model that repeats after the period."""
        lap = self.lap(start, 1)
        check_elements(lap.system)
        try:
            check_symmetry(lap, np.zeros(sum(lap.counts)))
            return lap
        except ModelError:
            turns = lap.speed * lap.period / (2 * np.pi)
            if self._rule.turn is None or not round(turns) or abs(turns - round(turns)) > WHOLE_TURNS:
                raise
            # a mechanism whose parts have no constant ratio of speeds is again where it was after whole revolutions
            self._rule = replace(self._rule, turn=None)
            self._laps.clear()
            whole = self.lap(start, 1)
            check_symmetry(whole, np.zeros(sum(whole.counts)))
            return whole

    def lap(self, parameter: float, cycles: int) -> Lap:
        """The model at a value of the parameter."""
        key = (parameter, cycles)
        if key not in self._laps:
            made = Lap(self._build(parameter), parameter, self._rule, cycles, self._free)
            while len(self._laps) >= KEPT_LAPS:
                self._laps.pop(next(iter(self._laps)))
            self._laps[key] = made
        return self._laps[key]

    # ---- what a flow has

    @property
    def described(self) -> str:
        """Text that describes the method."""
        derivatives = "those of the steps" if self._exact else "differences of motions"
        return f"time steps of dynamics, {self.steps} in a period, derivatives: {derivatives}"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about forces and tilts beyond tables."""
        return tuple(self._left.values())

    def first(self, parameter: float) -> FloatArray:
        """Steady rolling without loads."""
        return np.zeros(len(self.names))

    def settle(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """State after a number of periods."""
        lap = self.lap(parameter, 1)
        for _ in range(cycles):
            state = lap.end(state, self.steps)
        return state

    def prepare(self, state: FloatArray, parameter: float, cycles: int) -> None:
        """Choose the number of steps with which the end of a motion is accurate, and the method of the derivatives."""
        lap = self.lap(parameter, cycles)
        check_symmetry(lap, state)
        self._sizes = self.scales(state, parameter, cycles)
        while not self._steps_given and self.steps < MOST_STEPS:
            error = np.abs(self.refined_change(state, parameter, cycles)) / self._sizes
            if error.max() < ACCURATE:
                break
            self.steps *= 2
        self._check_tangents(lap, state)

    def scales(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """Ranges of the states in the motion."""
        lap = self.lap(parameter, cycles)
        _, samples = lap.run(lap.start(state), self.steps, samples=True)
        every = max(1, self.steps // 64)
        rows = np.array([lap.coordinates(one, k) for one, k in _states(lap, Samples(*(x[::every] for x in samples)))])
        self._sizes = state_scales(np.ptp(rows, axis=0), state, self.units, 2 * np.pi / lap.period, LEAST)
        return self._sizes

    def shoot(self, state: FloatArray, parameter: float, cycles: int) -> Shot:
        """Motion over a number of periods, with its derivatives."""
        lap, steps = self.lap(parameter, cycles), self.steps
        last, samples = lap.run(lap.start(state), steps, samples=True)
        by_state = lap.by_state(state, steps, last, samples) if self._exact else self._differences(lap, state)
        figures = _Figures(lambda: self.figures(lap, samples, cycles))
        return Shot(lap.coordinates(last, cycles), by_state, self._by_parameter(state, parameter, cycles), figures)

    def _by_parameter(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """Derivatives of the end by the parameter. Those of a motion very near are used again: each needs two more models. Folds
        and other special points do not depend on them."""
        for y, p, k, found in self._known:
            near = np.max(np.abs(y - state) / self._sizes) < NEAR and abs(p - parameter) < NEAR * self._range
            if k == cycles and near:
                return found
        dp = max(PARAMETER_STEP * self._range, LEAST_PARAMETER_STEP * abs(parameter))
        after, before = (self.lap(parameter + d, cycles).end(state, self.steps) for d in (dp, -dp))
        found = (after - before) / (2 * dp)
        self._known = [(state.copy(), parameter, cycles, found), *self._known[:3]]
        return found

    def _differences(self, lap: Lap, state: FloatArray) -> FloatArray:
        """(n, n) derivatives of the end by the start, from motions with starts moved either way."""
        columns = []
        for step in np.diag(STATE_STEP * self._sizes):
            columns.append(self._along(lap, state, step))
        return np.array(columns).T / (STATE_STEP * self._sizes)

    def _along(self, lap: Lap, state: FloatArray, step: FloatArray) -> FloatArray:
        """Change of the end for a change of the start by `step`."""
        return np.asarray(0.5 * (lap.end(state + step, self.steps) - lap.end(state - step, self.steps)))

    def _check_tangents(self, lap: Lap, state: FloatArray) -> None:
        """Use differences if there are few, or if the elements of the model have inexact derivatives."""
        self._exact = len(state) > FEW_STATES
        if not self._exact:
            return
        last, samples = lap.run(lap.start(state), self.steps, samples=True)
        by_state = lap.by_state(state, self.steps, last, samples)
        errors = []
        for size in CHECK_STEPS:  # teeth that touch within one of them, or rounding, disturb the comparison
            step = size * self._sizes * np.cos(np.arange(len(state)) + 0.5)
            change = self._along(lap, state, step)
            errors.append(np.max(np.abs(by_state @ step - change) / self._sizes) / np.max(np.abs(change) / self._sizes))
        self._exact = bool(min(errors) < SAME_CHANGE)

    def refined_change(self, state: FloatArray, parameter: float, cycles: int) -> FloatArray:
        """Error of the end by the time steps, which decreases with their square."""
        lap = self.lap(parameter, cycles)
        return np.asarray(4.0 / 3.0 * (lap.end(state, self.steps) - lap.end(state, 2 * self.steps)))

    def motion(self, state: FloatArray, parameter: float, cycles: int) -> PeriodicMotion:
        """All signals of the motion."""
        lap = self.lap(parameter, cycles)
        _, samples = lap.run(lap.start(state), self.steps, samples=True)
        found = self._signals(lap, samples, None)
        return periodic_motion(found, samples.t - lap.start_time, cycles * lap.period, parameter, state)

    # ---- signals

    def _signals(self, lap: Lap, samples: Samples, wanted: tuple[str, ...] | None) -> dict[str, Signal]:
        parts = None if wanted is None else parts_of(lap.system, wanted)
        return build_signals(lap.system, samples, lap.rank, inertial=True, parts=parts)

    def figures(self, lap: Lap, samples: Samples, cycles: int) -> dict[str, float]:
        """Values of the reductions."""
        if not self._reductions:
            return {}
        signals = self._signals(lap, samples, tuple(one.signal for one in self._reductions))
        for text in left_tables(signals):
            self._left.setdefault(text.partition(":")[0], text)
        return {one.name: one.of(signals, cycles) for one in self._reductions}


class _Figures(Mapping[str, float]):
    """Reductions that are computed when they are read: trials of Newton's method do not need them."""

    def __init__(self, compute: Callable[[], dict[str, float]]) -> None:
        self._compute = compute

    @cached_property
    def _found(self) -> dict[str, float]:
        return self._compute()

    def __getitem__(self, name: str) -> float:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


_OF_STATE = ("pose", "v", "vd", "lam", "mem", "own", "condensed")


def _one_sample(state: State) -> tuple[np.ndarray, ...]:
    return (np.asarray(state.t), *(getattr(state, name) for name in _OF_STATE), np.zeros(3))


def _states(lap: Lap, samples: Samples) -> Iterator[tuple[State, float]]:
    """States of samples, and the number of periods before each."""
    for k, t in enumerate(samples.t):
        state = lap.reference.copy()
        state.t = float(t)
        for name in _OF_STATE:
            getattr(state, name)[...] = getattr(samples, name)[k]
        yield state, (float(t) - lap.start_time) / lap.period
