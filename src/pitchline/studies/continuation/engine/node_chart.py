"""Coordinates of a state relative to a reference state, without the steady rotation between them.

Every node of the system has a constant map T from coordinates to motions (`system.nodes`). The steady rotation of a period moves
node k by T d; a wheel rotates about its own axis. A motion is periodic if every node is again where it was, after this rotation is
taken back: x - T d, R exp(-T d).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....system.system import State, System
from .step_tangents import rotation_matrices, tangent_operators

__all__ = ["NodeChart"]

Array = NDArray[np.float64]


class NodeChart:
    """Differences of the coordinates (n_q,) and velocities of states from a reference state."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.inverse = [np.linalg.pinv(system.T[k, :, : system.ndof[k]]) for k in range(len(system.ndof))]

    def difference(self, state: State, reference: State, turn: Array) -> tuple[Array, Array]:
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

    def derivatives(self, state: State, reference: State, turn: Array, by_q: Array, by_v: Array) -> tuple[Array, Array]:
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

    def displaced(self, dq: Array, by: Array) -> Array:
        """Derivatives (n_q, c) of the coordinates in the axes of the nodes, displaced by dq, from those of dq."""
        s, found = self.system, by.copy()
        for k in range(1, len(s.ndof)):
            o = int(s.free_rotation[k])
            if o >= 0:
                part = slice(o, o + 3)
                found[part] = tangent_operators(dq[None, part])[0] @ by[part]
        return found

    def advanced(self, state: State, turn: Array) -> State:
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


def _quaternion(theta: Array) -> Array:
    """Of a rotation vector, scalar part first."""
    angle = float(np.linalg.norm(theta))
    return np.concatenate([[np.cos(0.5 * angle)], 0.5 * np.sinc(0.5 * angle / np.pi) * theta])


def _conjugate(q: Array) -> Array:
    return np.concatenate([q[:1], -q[1:]])


def _product(a: Array, b: Array) -> Array:
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def _rotation_vector(q: Array) -> Array:
    """Of a quaternion, the shortest one."""
    q = q if q[0] >= 0.0 else -q
    size = float(np.linalg.norm(q[1:]))
    return np.asarray(2.0 * q[1:] if size < 1e-12 else 2.0 * np.arctan2(size, q[0]) / size * q[1:])


def _turned(q: Array, v: Array) -> Array:
    """v rotated by a quaternion."""
    return np.asarray(v + 2.0 * np.cross(q[1:], np.cross(q[1:], v) + q[0] * v))
