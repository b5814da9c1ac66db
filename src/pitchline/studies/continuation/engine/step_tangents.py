"""Exact derivatives of a motion over time steps by its start: the product of the derivatives of its steps.

A step of the generalized-alpha method (`solvers.generalized_alpha`) has, with s = beta h^2, the increments

    da1 = ddq/s - dv0/(beta h) - (1/2 - beta)/beta da0 ,     dv1 = dv0 + h ((1 - gamma) da0 + gamma da1) ,
    dvd1 = ((1 - am) da1 + am da0 - af dvd0)/(1 - af) ,      dq1 = P dq0 + Q ddq ,

with P = Q = 1, except for free rotations by theta: P = exp(-theta), Q the tangent operator. Its equations at the end,

    M dvd1 + D dv1 + K dq1 + C dlam = 0 ,     B dq1 = 0 ,

have the matrices of Newton's method, evaluated at the samples of the motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....solvers.generalized_alpha import coefficients
from ....solvers.motion import Samples
from ....system.system import State, System
from ....system.workspace import Workspace
from .run_periods import RHO

__all__ = ["StepTangents"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Matrices:
    """(k, n, n) mass, damping, stiffness; (k, n, m) C; (k, m, n) B at k samples."""

    M: Array
    D: Array
    K: Array
    C: Array
    B: Array


class StepTangents:
    """Derivatives of motions of a system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.work = Workspace(system)

    def over(self, samples: Samples, h: float, dq: Array, dv: Array, dvd: Array) -> tuple[Array, Array]:
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

    def accelerations(self, state: State, dq: Array, dv: Array) -> Array:
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

    def _dense(self) -> Array:
        s, work = self.system, self.work
        if s.dense:
            return np.asarray(work.Ax.reshape(s.n, s.n).T)
        import scipy.sparse as sp

        return np.asarray(sp.csc_matrix((work.Ax, s.layout.Ai, s.layout.Ap), (s.n, s.n)).toarray())

    def _inverse(self, A: Array, C: Array, B: Array) -> Array:
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

    def _rotations(self, samples: Samples) -> tuple[Array, Array]:
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


def step_rotations(q: Array) -> Array:
    """(k, 3) rotation vectors from each of (k + 1, 4) quaternions, scalar part first, to the next one, in its axes."""
    w0, v0, w1, v1 = q[:-1, :1], q[:-1, 1:], q[1:, :1], q[1:, 1:]
    w = w0 * w1 + np.sum(v0 * v1, axis=1, keepdims=True)
    v = w0 * v1 - w1 * v0 - np.cross(v0, v1)
    sign = np.where(w < 0.0, -1.0, 1.0)
    size = np.linalg.norm(v, axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(size, sign * w)
    return np.asarray(sign * v * np.where(size > 1e-12, angle / np.maximum(size, 1e-300), 2.0))


def rotation_matrices(theta: Array) -> Array:
    """(k, 3, 3) exp of (k, 3) rotation vectors."""
    S, a = _skew(theta), np.linalg.norm(theta, axis=1)[:, None, None]
    first, second = np.sinc(a / np.pi), 0.5 * np.sinc(0.5 * a / np.pi) ** 2
    return np.asarray(np.eye(3) + first * S + second * (S @ S))


def tangent_operators(theta: Array) -> Array:
    """(k, 3, 3) T with exp(theta + d) = exp(theta) exp(T d) for small d."""
    S, a = _skew(theta), np.linalg.norm(theta, axis=1)[:, None, None]
    small = a < 1e-4
    safe = np.where(small, 1.0, a)
    second = np.where(small, 0.5 - a * a / 24.0, (1.0 - np.cos(safe)) / safe**2)
    third = np.where(small, 1.0 / 6.0 - a * a / 120.0, (safe - np.sin(safe)) / safe**3)
    return np.asarray(np.eye(3) - second * S + third * (S @ S))


def _skew(theta: Array) -> Array:
    S = np.zeros((len(theta), 3, 3))
    S[:, 0, 1], S[:, 0, 2], S[:, 1, 2] = -theta[:, 2], theta[:, 1], -theta[:, 0]
    return S - np.transpose(S, (0, 2, 1))
