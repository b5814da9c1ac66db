"""Lap: a model at one value of the parameter, its motion over whole periods, and the derivatives of that motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pitchline.analyses.start_positions import Prepared, prepare
from pitchline.analyses.time_options import TimeOptions
from pitchline.base.types import FloatArray
from pitchline.engine.compile.nodes import Snapshot
from pitchline.engine.compile.rank import Evaluator, Rank
from pitchline.engine.compile.system import State, System, Workspace
from pitchline.engine.solvers.consistent import consistent_accelerations, project_velocities
from pitchline.engine.solvers.integrator import Integrator, SampleStore
from pitchline.engine.solvers.linear import Samples
from pitchline.engine.solvers.linearised import null_space
from pitchline.engine.solvers.run_record import DONE
from pitchline.engine.solvers.time_loop import coefficients
from pitchline.errors import ModelError, SolveError
from pitchline.model.model import Model
from pitchline.numerics.slow_laws import take_stored
from pitchline.results.signal import Signal

from .flow import FlowFailed, PeriodicMotion
from .period import PeriodRule

__all__ = ["periodic_motion", "run_periods", "StepTangents", "NodeChart", "FreeDirections", "Lap"]


# ---- run periods

# Time steps of a model over whole periods.

NEWTON = 1e-12
"""Tolerance of the Newton corrections of a time step: differences of motions are derivatives."""
RHO = 0.9
"""Spectral radius at infinity of the time steps: less damping of the resolved motion than the default of `dynamics`."""


def run_periods(
    ready: Prepared, loose: float, period: float, cycles: int, steps: int, *, samples: bool
) -> tuple[State, Samples]:
    """State after `cycles` periods of `steps` steps each, and samples: after each step, or the two ends."""
    system, state = ready.system, ready.state
    step, duration = period / steps, cycles * period
    options = TimeOptions.read(
        duration=duration, step=step, tolerance=None, output_step=step if samples else duration, rho=RHO, hht=None,
        max_step=None, min_step=None, newton_tolerance=NEWTON, stabilised=False,
    ).for_model(system.model)  # fmt: skip
    store = SampleStore(system)
    try:
        integrator = Integrator.begin(system, state, options.layout(system, state), ready.rank, loose)
        store.add(integrator)
        outcome = integrator.run(store)
    except SolveError as error:
        raise FlowFailed(str(error)) from error
    failed = take_stored()
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    if outcome != DONE:
        raise FlowFailed(f"time steps failed after {integrator.t - state.t:.3g} s of the motion")
    return integrator.state(), store.samples(integrator)


def periodic_motion(
    signals: Mapping[str, Signal], time: FloatArray, period: float, parameter: float, state: FloatArray
) -> PeriodicMotion:
    """Signals and components of signals over a period."""
    found, units = {}, {}
    for signal in signals.values():
        for part in [signal.component(c) for c in signal.components] or [signal]:
            found[part.name], units[part.name] = np.asarray(part.values), part.unit
    return PeriodicMotion(parameter, period, time, found, units, state.copy())


# ---- step tangents

# Exact derivatives of a motion over time steps by its start: the product of the derivatives of its steps.
#
# A step of the generalized-alpha method (`engine.solvers.time_loop`) has, with s = beta h^2, the increments
#
#     da1 = ddq/s - dv0/(beta h) - (1/2 - beta)/beta da0 ,     dv1 = dv0 + h ((1 - gamma) da0 + gamma da1) ,
#     dvd1 = ((1 - am) da1 + am da0 - af dvd0)/(1 - af) ,      dq1 = P dq0 + Q ddq ,
#
# with P = Q = 1, except for free rotations by theta: P = exp(-theta), Q the tangent operator. Its equations at the
# end,
#
# M dvd1 + D dv1 + K dq1 + C dlam = 0 , B dq1 = 0 ,
#
# have the matrices of Newton's method, evaluated at the samples of the motion.


@dataclass(frozen=True)
class _Matrices:
    """(k, n, n) mass, damping, stiffness; (k, n, m) C; (k, m, n) B at k samples."""

    M: FloatArray
    D: FloatArray
    K: FloatArray
    C: FloatArray
    B: FloatArray


class StepTangents:
    """Derivatives of motions of a system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.work = Workspace(system)

    def over(
        self, samples: Samples, h: float, dq: FloatArray, dv: FloatArray, dvd: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Derivatives (n_q, c) of coordinates and velocities at the end, from those at the start. samples: after each step."""
        am, af, beta, gamma = coefficients(RHO)
        m = self._matrices(samples)
        P, Q = self._rotations(samples)
        mass = (1.0 - am) / (1.0 - af)
        A = m.M * (mass / (beta * h * h)) + m.D * (gamma / (beta * h)) + m.K @ Q
        inverse = self._inverse(A, m.C, m.B @ Q)
        half = (0.5 - beta) / beta
        by_q = m.K @ P
        by_v = m.M * (-mass / (beta * h)) + m.D * (1.0 - gamma / beta)
        by_a = m.M * (am / (1.0 - af) - mass * half) + m.D * (h * ((1.0 - gamma) - gamma * half))
        by_vd = m.M * (-af / (1.0 - af))
        held = m.B @ P
        a, vd = dvd.copy(), dvd.copy()
        q, v = dq, dv
        n = self.system.n_q
        for k in range(len(A)):
            right = by_q[k] @ q + by_v[k] @ v + by_a[k] @ a + by_vd[k] @ vd
            if held.shape[1]:
                right = np.concatenate([right, held[k] @ q])
            step = -(inverse[k, :n] @ right)
            new = step / (beta * h * h) - v / (beta * h) - half * a
            vd = mass * new + (am * a - af * vd) / (1.0 - af)
            v = v + h * ((1.0 - gamma) * a + gamma * new)
            q = P[k] @ q + Q[k] @ step
            a = new
        return q, v

    def accelerations(self, state: State, dq: FloatArray, dv: FloatArray) -> FloatArray:
        """Derivatives (n_q, c) of consistent accelerations, for constraints whose rows do not depend on the position."""
        m = self._matrices(_one(state))
        M, massless = m.M[0].copy(), self.system.own.first_order
        # rates of coordinates of order 1 follow from their rows: their factors are in D
        M[:, massless] += m.D[0][:, massless]
        inverse = self._inverse(M[None], m.C, m.B)[0]
        right = m.D[0] @ dv + m.K[0] @ dq
        n = self.system.n_q
        found = -(inverse[:n, :n] @ right)
        dv[massless] = found[massless]
        found[massless] = 0.0
        return np.asarray(found)

    # ---- matrices

    def _matrices(self, samples: Samples) -> _Matrices:
        """At all samples but the first, or at the only one."""
        s, work = self.system, self.work
        first = 1 if len(samples.t) > 1 else 0
        count, n, size = len(samples.t) - first, s.n_q, s.n
        found = np.zeros((3, count, size, size))
        for k in range(count):
            i = k + first
            work.pose0[:], work.own0[:], work.mem[:] = samples.pose[i], samples.own[i], samples.mem[i]
            work.condensed[:] = samples.condensed[i]
            work.dq[:] = 0.0
            work.v[:], work.vd[:], work.lam[:] = samples.v[i], samples.vd[i], samples.lam[i]
            work.question(float(samples.t[i]))
            work.place()
            for which, name in enumerate("MDK"):
                work.ask[name] = 1.0
                work.assemble(tangent=True)
                found[which, k] = self._dense()
                work.ask[name] = 0.0
        M, D, K = found[:, :, :n, :n]
        return _Matrices(M, D, K, found[0, :, :n, n:], found[0, :, n:, :n])

    def _dense(self) -> FloatArray:
        s, work = self.system, self.work
        if s.dense:
            return np.asarray(work.Ax.reshape(s.n, s.n).T)
        import scipy.sparse as sp

        return np.asarray(sp.csc_matrix((work.Ax, s.layout.Ai, s.layout.Ap), (s.n, s.n)).toarray())

    def _inverse(self, A: FloatArray, C: FloatArray, B: FloatArray) -> FloatArray:
        """(k, n + m, n + m) inverse of [A C; B 0], of rows and columns with scaled entries."""
        count, n, m = len(A), A.shape[1], C.shape[2]
        whole = np.zeros((count, n + m, n + m))
        whole[:, :n, :n], whole[:, :n, n:], whole[:, n:, :n] = A, C, B
        rows = np.abs(whole).max(axis=2)
        scaled = whole / np.where(rows > 0.0, rows, 1.0)[:, :, None]
        columns = np.abs(scaled).max(axis=1)
        columns = np.where(columns > 0.0, columns, 1.0)
        inverse = np.linalg.inv(scaled / columns[:, None, :])
        return np.asarray(inverse / columns[:, :, None] / np.where(rows > 0.0, rows, 1.0)[:, None, :])

    def _rotations(self, samples: Samples) -> tuple[FloatArray, FloatArray]:
        """(k, n, n) P and Q of all steps."""
        s = self.system
        count = len(samples.t) - 1
        P = np.broadcast_to(np.eye(s.n_q), (count, s.n_q, s.n_q)).copy()
        Q = P.copy()
        for node in range(1, len(s.ndof)):
            o = int(s.free_rotation[node])
            if o >= 0:
                theta = step_rotations(samples.pose[:, node, 3:])
                part = slice(o, o + 3)
                P[:, part, part] = rotation_matrices(-theta)
                Q[:, part, part] = tangent_operators(theta)
        return P, Q


def _one(state: State) -> Samples:
    return Samples(
        np.array([state.t]), state.pose[None], state.v[None], state.vd[None], state.lam[None], state.mem[None], state.own[None],
        state.condensed[None], np.zeros((1, 3)),
    )  # fmt: skip


def step_rotations(q: FloatArray) -> FloatArray:
    """(k, 3) rotation vectors from each of (k + 1, 4) quaternions, scalar part first, to the next one, in its axes."""
    w0, v0, w1, v1 = q[:-1, :1], q[:-1, 1:], q[1:, :1], q[1:, 1:]
    w = w0 * w1 + np.sum(v0 * v1, axis=1, keepdims=True)
    v = w0 * v1 - w1 * v0 - np.cross(v0, v1)
    sign = np.where(w < 0.0, -1.0, 1.0)
    size = np.linalg.norm(v, axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(size, sign * w)
    return np.asarray(sign * v * np.where(size > 1e-12, angle / np.maximum(size, 1e-300), 2.0))


def rotation_matrices(theta: FloatArray) -> FloatArray:
    """(k, 3, 3) exp of (k, 3) rotation vectors."""
    S, a = _skew(theta), np.linalg.norm(theta, axis=1)[:, None, None]
    first, second = np.sinc(a / np.pi), 0.5 * np.sinc(0.5 * a / np.pi) ** 2
    return np.asarray(np.eye(3) + first * S + second * (S @ S))


def tangent_operators(theta: FloatArray) -> FloatArray:
    """(k, 3, 3) T with exp(theta + d) = exp(theta) exp(T d) for small d."""
    S, a = _skew(theta), np.linalg.norm(theta, axis=1)[:, None, None]
    small = a < 1e-4
    safe = np.where(small, 1.0, a)
    second = np.where(small, 0.5 - a * a / 24.0, (1.0 - np.cos(safe)) / safe**2)
    third = np.where(small, 1.0 / 6.0 - a * a / 120.0, (safe - np.sin(safe)) / safe**3)
    return np.asarray(np.eye(3) - second * S + third * (S @ S))


def _skew(theta: FloatArray) -> FloatArray:
    S = np.zeros((len(theta), 3, 3))
    S[:, 0, 1], S[:, 0, 2], S[:, 1, 2] = -theta[:, 2], theta[:, 1], -theta[:, 0]
    return S - np.transpose(S, (0, 2, 1))


# ---- node chart

# Coordinates of a state relative to a reference state, without the steady rotation between them.
#
# Every node of the system has a constant map T from coordinates to motions (`engine.compile.nodes`). The steady rotation of a
# period moves node k by T d; a wheel rotates about its own axis. A motion is periodic if every node is again where it
# was, after this rotation is taken back: x - T d, R exp(-T d).


class NodeChart:
    """Differences of the coordinates (n_q,) and velocities of states from a reference state."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.inverse = [np.linalg.pinv(system.T[k, :, : system.ndof[k]]) for k in range(len(system.ndof))]

    def difference(self, state: State, reference: State, turn: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(coordinates, velocities) (n_q,) of a state after a steady rotation by `turn` (n_q,), relative to a reference state."""
        s = self.system
        dq, v = np.zeros(s.n_q), state.v.copy()
        for k in range(1, len(s.ndof)):
            nd, i = int(s.ndof[k]), int(s.dof0[k])
            if not nd:
                continue
            d = s.T[k, :, :nd] @ turn[i : i + nd]
            back = _quaternion(-d[3:])
            q = _product(_product(_conjugate(reference.pose[k, 3:]), state.pose[k, 3:]), back)
            way = np.concatenate([state.pose[k, :3] - d[:3] - reference.pose[k, :3], _rotation_vector(q)])
            dq[i : i + nd] = self.inverse[k] @ way
            o = int(s.free_rotation[k])
            if o >= 0 and np.any(d[3:]):
                v[o : o + 3] = _turned(_conjugate(back), v[o : o + 3])
        first = s.own.first
        dq[first:] = state.own - reference.own
        return dq, v - reference.v

    def derivatives(
        self, state: State, reference: State, turn: FloatArray, by_q: FloatArray, by_v: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Derivatives (n_q, c) of `difference`, from those of the coordinates, in the axes of the nodes, and of the velocities."""
        s = self.system
        dq, dv = by_q.copy(), by_v.copy()
        difference = self.difference(state, reference, turn)[0]
        for k in range(1, len(s.ndof)):
            o, i = int(s.free_rotation[k]), int(s.dof0[k])
            if o >= 0:
                part = slice(o, o + 3)
                d = s.T[k, 3:, : s.ndof[k]] @ turn[i : i + s.ndof[k]]
                ahead = rotation_matrices(d[None])[0]
                dq[part] = np.linalg.solve(tangent_operators(difference[None, part])[0], ahead @ by_q[part])
                dv[part] = ahead @ by_v[part]
        return dq, dv

    def displaced(self, dq: FloatArray, by: FloatArray) -> FloatArray:
        """Derivatives (n_q, c) of the coordinates in the axes of the nodes, displaced by dq, from those of dq."""
        s, found = self.system, by.copy()
        for k in range(1, len(s.ndof)):
            o = int(s.free_rotation[k])
            if o >= 0:
                part = slice(o, o + 3)
                found[part] = tangent_operators(dq[None, part])[0] @ by[part]
        return found

    def advanced(self, state: State, turn: FloatArray) -> State:
        """The state after a steady rotation, with the velocities of its nodes in their new axes."""
        s, new = self.system, state.copy()
        pieces = max(1, int(np.ceil(np.abs(turn).max(initial=0.0))))
        for _ in range(pieces):  # elements count revolutions only over less than half a revolution
            s.displace(new, turn / pieces)
            s.commit(new)
        for k in range(1, len(s.ndof)):
            o, i = int(s.free_rotation[k]), int(s.dof0[k])
            if o >= 0:
                d = s.T[k, 3:, : s.ndof[k]] @ turn[i : i + s.ndof[k]]
                new.v[o : o + 3] = _turned(_quaternion(-d), new.v[o : o + 3])
        return new


def _quaternion(theta: FloatArray) -> FloatArray:
    """Of a rotation vector, scalar part first."""
    angle = float(np.linalg.norm(theta))
    return np.concatenate([[np.cos(0.5 * angle)], 0.5 * np.sinc(0.5 * angle / np.pi) * theta])


def _conjugate(q: FloatArray) -> FloatArray:
    return np.concatenate([q[:1], -q[1:]])


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def _rotation_vector(q: FloatArray) -> FloatArray:
    """Of a quaternion, the shortest one."""
    q = q if q[0] >= 0.0 else -q
    size = float(np.linalg.norm(q[1:]))
    return np.asarray(2.0 * q[1:] if size < 1e-12 else 2.0 * np.arctan2(size, q[0]) / size * q[1:])


def _turned(q: FloatArray, v: FloatArray) -> FloatArray:
    """v rotated by a quaternion."""
    return np.asarray(v + 2.0 * np.cross(q[1:], np.cross(q[1:], v) + q[0] * v))


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

    positions: FloatArray
    velocities: FloatArray
    held: FloatArray

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

    def start(self, y: FloatArray) -> State:
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

    def coordinates(self, state: State, cycles: float = 0.0) -> FloatArray:
        """y (n,) of a state after a number of periods."""
        dq, dv = self.chart.difference(state, self.reference, cycles * self.turn)
        return np.concatenate([self.free.positions.T @ dq, self.free.velocities.T @ dv])

    # ---- motion

    def run(self, state: State, steps: int, *, samples: bool = False) -> tuple[State, Samples]:
        """State after all cycles, and samples of the motion: after each step, or the two ends."""
        ready = Prepared(self.system, state, self.rank, [])
        return run_periods(ready, self.loose, self.period, self.cycles, steps, samples=samples)

    def by_state(self, y: FloatArray, steps: int, last: State, samples: Samples) -> FloatArray:
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

    def _start_differences(self, y: FloatArray, start: State) -> tuple[FloatArray, FloatArray, FloatArray]:
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

    def end(self, y: FloatArray, steps: int) -> FloatArray:
        """y (n,) after all cycles."""
        state, _ = self.run(self.start(y), steps)
        return self.coordinates(state, self.cycles)


def _constraint_rows(evaluator: Evaluator, state: State) -> tuple[FloatArray, FloatArray]:
    """(violations, derivatives (m, n_q)) of the constraints, in units of the multipliers."""
    n = evaluator.system.n_q
    r, K = evaluator.tangent(state, mass=1.0, moving=False, lam=np.zeros_like(state.lam), small_as_array=True)
    rows = K[n:, :n] if isinstance(K, np.ndarray) else K[n:, :n].toarray()
    return r[n:], rows
