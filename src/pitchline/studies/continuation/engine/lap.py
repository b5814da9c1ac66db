"""Lap: a model at one value of the parameter, compiled, and its motion over whole periods from a state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....analyses.preparation import Prepared, prepare
from ....errors import ModelError
from ....model import Model
from ....solvers.consistent import consistent_accelerations, project_velocities
from ....solvers.linearised import null_space
from ....solvers.motion import Samples
from ....system.matrix import Evaluator
from ....system.rank import Rank
from ....system.snapshot import Snapshot
from ....system.system import State, System
from ..flow import FlowFailed
from .node_chart import NodeChart
from .period import PeriodRule
from .run_periods import run_periods
from .step_tangents import StepTangents

__all__ = ["FreeDirections", "Lap"]

Array = NDArray[np.float64]

START_STEP = 1e-6
"""Step of the differences of starts."""
FAR = 0.3
"""Displacement at which constraint rows are compared [rad, m]."""
CLOSED = 1e-13
"""Violation of constraints, in radians or as a fraction of the length of the model, that is rounding."""


@dataclass(frozen=True, eq=False)
class FreeDirections:
    """Basis of the motions that the constraints allow at the reference state.

    positions : (n_q, k). velocities : (n_q, m), without coordinates of order 1, whose rates follow from their values.
    held : (n_q, c) the other directions, in which the constraints determine the motion.
    """

    positions: Array
    velocities: Array
    held: Array

    @staticmethod
    def of(system: System, state: State) -> FreeDirections:
        """At a state."""
        n = system.n_q
        B = _constraint_rows(Evaluator(system), state)[1]
        coupled = np.flatnonzero(np.any(B != 0.0, axis=0))
        single = np.setdiff1d(np.arange(n), coupled)
        positions = np.zeros((n, 0))
        if coupled.size:
            basis = null_space(B[:, coupled])
            positions = np.zeros((n, basis.shape[1]))
            positions[coupled] = basis
        positions = np.concatenate([positions, np.eye(n)[:, single]], axis=1)
        positions = positions[:, np.argsort(np.argmax(np.abs(positions), axis=0), kind="stable")]
        positions *= np.sign(positions[np.argmax(np.abs(positions), axis=0), np.arange(positions.shape[1])])
        slow = np.any(positions[system.own.first_order] != 0.0, axis=0)
        held = null_space(positions.T) if positions.shape[1] < n else np.zeros((n, 0))
        return FreeDirections(positions, positions[:, ~slow], held)


class Lap:
    """A model at a value of the parameter. free: directions of the first lap of a flow, which define its coordinates."""

    def __init__(
        self, model: Model, parameter: float, rule: PeriodRule, cycles: int, free: FreeDirections | None
    ) -> None:
        self.model, self.parameter, self.cycles = model, parameter, cycles
        self.start_time, self.period, self.speed = rule.of(model, parameter)
        self.described = rule.described
        end = self.start_time + (cycles + 1) * self.period  # one more, for the check of symmetry
        ready = prepare(model, Snapshot.of_model(model, self.start_time), until=end, reduce=True)
        self.system: System = ready.system
        self.rank: Rank = ready.rank
        self.loose = ready.loose
        s, state = self.system, ready.state
        if not s.n_q:
            raise ModelError(f'continuation: model "{model.name}" has no coordinate that can move')
        self.turn = np.zeros(s.n_q)
        state.v[:] = 0.0
        if rule.turn is not None:
            first = s.own.first
            self.turn[:first] = rule.turn[:first] * self.speed * self.period
            state.v[:first] = rule.turn[:first] * self.speed
        project_velocities(s, state)
        self.reference: State = state
        self.chart = NodeChart(s)
        self._evaluator = Evaluator(s)
        self.free = free or FreeDirections.of(s, state)
        if not self.free.positions.shape[1]:
            raise ModelError(
                f'continuation: model "{model.name}" has no coordinate that can vibrate: its drives prescribe all motions'
            )
        if free is not None and len(free.positions) != s.n_q:
            raise ModelError(
                f'continuation: the number of coordinates of model "{model.name}" changes with the parameter: {s.n_q} at '
                f"{parameter:g}, {len(free.positions)} before"
            )

    @property
    def counts(self) -> tuple[int, int]:
        """Number of positions and of velocities of a state."""
        return self.free.positions.shape[1], self.free.velocities.shape[1]

    # ---- states

    def start(self, y: Array) -> State:
        """State with coordinates y (n,): deviations from steady rotation, then their rates."""
        s, (k, _) = self.system, self.counts
        state = self.reference.copy()
        s.displace(state, self.free.positions @ y[:k])
        if self.free.held.shape[1]:
            self._close(state)
        s.commit(state)
        state.v[:] = self.reference.v + self.free.velocities @ y[k:]
        if self.free.held.shape[1]:
            B = _constraint_rows(self._evaluator, state)[1]
            rates = self._evaluator.rates(state)
            state.v += self.free.held @ np.linalg.lstsq(B @ self.free.held, -rates, rcond=None)[0]
        consistent_accelerations(s, state)
        return state

    def _close(self, state: State) -> None:
        """Move along the held directions until the constraints are satisfied."""
        s = self.system
        for _ in range(12):
            violation, B = _constraint_rows(self._evaluator, state)
            step = self.free.held @ np.linalg.lstsq(B @ self.free.held, -violation, rcond=None)[0]
            if float(np.max(np.abs(step) * s.layout.weight[: s.n_q], initial=0.0)) < CLOSED:
                return
            s.displace(state, step)
        raise FlowFailed("the constraints cannot be satisfied at this state")

    def coordinates(self, state: State, cycles: float = 0.0) -> Array:
        """y (n,) of a state after a number of periods."""
        dq, dv = self.chart.difference(state, self.reference, cycles * self.turn)
        return np.concatenate([self.free.positions.T @ dq, self.free.velocities.T @ dv])

    # ---- motion

    def run(self, state: State, steps: int, *, samples: bool = False) -> tuple[State, Samples]:
        """State after all cycles, and samples of the motion: after each step, or the two ends."""
        ready = Prepared(self.system, state, self.rank, [])
        return run_periods(ready, self.loose, self.period, self.cycles, steps, samples=samples)

    def by_state(self, y: Array, steps: int, last: State, samples: Samples) -> Array:
        """(n, n) derivatives of the end by y, from the derivatives of the time steps. last, samples : of the motion from y."""
        k, m = self.counts
        start = self.start(y)
        by_q, by_v, by_vd = np.zeros((3, self.system.n_q, k + m))
        by_q[:, :k] = self.chart.displaced(self.free.positions @ y[:k], self.free.positions)
        by_v[:, k:] = self.free.velocities
        if self.constant_rows:
            by_vd = self._tangents.accelerations(start, by_q, by_v)
        else:
            by_q, by_v, by_vd = self._start_differences(y, start)
        end_q, end_v = self._tangents.over(samples, self.period / steps, by_q, by_v, by_vd)
        end_q, end_v = self.chart.derivatives(last, self.reference, self.cycles * self.turn, end_q, end_v)
        return np.concatenate([self.free.positions.T @ end_q, self.free.velocities.T @ end_v])

    def _start_differences(self, y: Array, start: State) -> tuple[Array, Array, Array]:
        """Derivatives (n_q, n) of coordinates, velocities and accelerations of the start, by differences."""
        none, columns = np.zeros(self.system.n_q), []
        for i in range(len(y)):
            step = np.zeros(len(y))
            step[i] = START_STEP * max(1.0, abs(y[i]))
            after, before = self.start(y + step), self.start(y - step)
            dq = self.chart.difference(after, start, none)[0] - self.chart.difference(before, start, none)[0]
            columns.append(np.array([dq, after.v - before.v, after.vd - before.vd]) / (2 * step[i]))
        by_q, by_v, by_vd = np.moveaxis(np.array(columns), 0, 2)
        return by_q, by_v, by_vd

    @cached_property
    def _tangents(self) -> StepTangents:
        return StepTangents(self.system)

    @cached_property
    def constant_rows(self) -> bool:
        """Whether the constraints have the same rows at all positions, as drives of hinges have."""
        if not self.free.held.shape[1]:
            return True
        moved = self.reference.copy()
        self.system.displace(moved, FAR * self.free.positions.sum(axis=1))
        rows = [_constraint_rows(self._evaluator, state)[1] for state in (self.reference, moved)]
        return bool(np.abs(rows[1] - rows[0]).max() < 1e-10 * np.abs(rows[0]).max())

    def end(self, y: Array, steps: int) -> Array:
        """y (n,) after all cycles."""
        state, _ = self.run(self.start(y), steps)
        return self.coordinates(state, self.cycles)


def _constraint_rows(evaluator: Evaluator, state: State) -> tuple[Array, Array]:
    """(violations, derivatives (m, n_q)) of the constraints, in units of the multipliers."""
    n = evaluator.system.n_q
    r, K = evaluator.tangent(state, mass=1.0, moving=False, lam=np.zeros_like(state.lam), small_as_array=True)
    rows = K[n:, :n] if isinstance(K, np.ndarray) else K[n:, :n].toarray()
    return r[n:], rows
