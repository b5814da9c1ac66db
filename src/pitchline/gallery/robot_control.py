"""Controller of the robot arm: a smooth trajectory, the motor torques that it needs (computed torque), and feedback gains.

Mechanics in joint coordinates, only with numpy. A body is a node of a tree. The angle of its hinge is a fixed row of
factors times q = (q₁ … q₆) (`robot_gears.turns`). Hinge j has the axis a_j, the point p_j, both moving with the bodies
before it,
and the row of factors n_j. Velocity and angular velocity of a body with the centre of mass x are

    ω = Σ a_j (n_j q̇) ,   v = Σ a_j × (x − p_j) (n_j q̇)      over the hinges between the ground and the body ,

linear in q̇ with the Jacobians J_ω and J_v. By virtual work the joints need

    Q = Σ_bodies  J_vᵀ m (v̇ − g) + J_ωᵀ (I ω̇ + ω × I ω)

and the motors, whose rotor angles relative to their stators are N q with a constant matrix N,  τ = N⁻ᵀ Q.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .robot_gears import Array, turns
from .robot_parts import PARTS

__all__ = ["DURATION", "GRAVITY", "MOTOR_TURNS", "MOVE", "SPEED", "BodyMotion", "body_motions", "duration_of",
           "BANDWIDTH", "motor_inertias", "motor_torques", "move_of", "trajectory"]  # fmt: skip

_TURNS = turns()
MOTOR_TURNS: Array = np.array([_TURNS[f"rotor_{n}"] for n in range(1, 7)])
"""N (6, 6): the angles of the rotors relative to their stators are N q."""

GRAVITY: Array = np.array([0.0, 0.0, -9.81])
"""[m/s²]"""

# --- the trajectory -----------------------------------------------------------------------------------------------------

STATIONS: Array = np.radians(
    [
        [0, 0, 0, 0, 0, 0],
        [24, 20, -25, 30, 40, -50],
        [0, -12, 12, 0, 55, 40],
    ]
)
"""Positions in which the arm comes to rest, in order (n, 6) [rad]."""
REST, MOVE = 0.1, 1.5
"""Rest time at every position, and travel time between two positions [s]."""


def duration_of(move: float) -> float:
    """Duration of the whole motion [s], for a travel time between two positions."""
    return REST * len(STATIONS) + move * (len(STATIONS) - 1)


def move_of(speed: float) -> float:
    """Travel time between two positions [s] in which the fastest rotor reaches a speed [rad/s]."""
    return MOVE * SPEED / speed


SPEED = float(np.max(np.abs(np.diff(STATIONS, axis=0) @ MOTOR_TURNS.T))) * 140 / 64 / MOVE
"""Speed of the fastest rotor [rad/s]: 140/64 is the largest slope of the polynomial of `trajectory`."""
DURATION = duration_of(MOVE)
"""[s]"""


def trajectory(t: Array | float, move: float = MOVE) -> tuple[Array, Array, Array]:
    """q [rad], q̇ [rad/s] and q̈ [rad/s²] at n times, each (n, 6); move: travel time between two positions [s].

    From rest to rest with 35 s⁴ − 84 s⁵ + 70 s⁶ − 20 s⁷, 0 <= s <= 1. Its third derivative is continuous, so the
    torques are smooth.
    """
    t = np.atleast_1d(np.asarray(t, float))[:, None]
    q, qd, qdd = STATIONS[0] + np.zeros_like(t), np.zeros((len(t), 6)), np.zeros((len(t), 6))
    for k, way in enumerate(np.diff(STATIONS, axis=0)):
        s = np.clip((t - k * (REST + move) - REST) / move, 0.0, 1.0)
        q = q + s**4 * (35 - 84 * s + 70 * s**2 - 20 * s**3) * way
        qd = qd + 140 * (s * (1 - s)) ** 3 / move * way
        qdd = qdd + 420 * (s * (1 - s)) ** 2 * (1 - 2 * s) / move**2 * way
    return q, qd, qdd


# --- mechanics in joint coordinates -------------------------------------------------------------------------------------


@dataclass
class BodyMotion:
    """A body at q, for n instants at once: rotated by R from home; the point p of the home position is now at R p +
    shift.

    Speeds are linear in q̇, accelerations are linear in q̈ with a remainder that is quadratic in q̇.
    """

    R: Array  # (n, 3, 3)
    shift: Array  # (n, 3) [m]
    x: Array  # (n, 3), centre of mass [m]
    J_omega: Array  # (n, 3, 6)
    J_v: Array  # (n, 3, 6), of the centre of mass [m]
    omega_dot: Array  # (n, 3), at q̈ = 0 [rad/s²]
    v_dot: Array  # (n, 3), of the centre of mass, at q̈ = 0 [m/s²]

    def point(self, home: Array) -> Array:
        """Current position of a point of the body that was at `home` in the home position (n, 3) [m]."""
        return self.R @ home + self.shift


@dataclass
class _FrameMotion:
    """Frame of the tree: speed and acceleration are those of the body's point at the world origin."""

    R: Array
    shift: Array
    J_omega: Array
    J_0: Array
    omega: Array
    omega_dot: Array
    a_0: Array

    def acceleration(self, x: Array) -> Array:
        """Acceleration of the point at x, for q̈ = 0."""
        return self.a_0 + np.cross(self.omega_dot, x) + np.cross(self.omega, np.cross(self.omega, x))


def body_motions(q: Array, qd: Array | None = None) -> dict[str, BodyMotion]:
    """All bodies by name at the joint angles q (n, 6), with their Jacobians and the remainders of their accelerations."""
    q = np.atleast_2d(q)
    qd = np.zeros_like(q) if qd is None else np.atleast_2d(qd)
    n = len(q)
    still = _FrameMotion(
        np.tile(np.eye(3), (n, 1, 1)), *np.zeros((1, n, 3)), *np.zeros((2, n, 3, 6)), *np.zeros((3, n, 3))
    )
    frames, found = {"ground": still}, {}
    for part in PARTS:
        own = frames[part.parent]
        if part.axis is not None:
            own = _hinged(own, part.axis, part.held_at, _TURNS[part.name], q, qd)
        frames[part.name] = own
        x = own.R @ (part.origin + part.solid.centre_of_mass) + own.shift
        J_v = own.J_0 + np.cross(own.J_omega, x[:, :, None], axis=1)
        found[part.name] = BodyMotion(own.R, own.shift, x, own.J_omega, J_v, own.omega_dot, own.acceleration(x))
    return found


def _hinged(before: _FrameMotion, axis: Array, at: Array, row: Array, q: Array, qd: Array) -> _FrameMotion:
    """The frame after a hinge with the angle row·q."""
    a, p = before.R @ axis, before.R @ at + before.shift
    turn = _rotations(a, q @ row)
    rate = (qd @ row)[:, None]
    after = _FrameMotion(
        turn @ before.R,
        p + _times(turn, before.shift - p),
        before.J_omega + a[:, :, None] * row,
        before.J_0 + np.cross(p, a)[:, :, None] * row,
        before.omega + rate * a,
        before.omega_dot + rate * np.cross(before.omega, a),
        np.zeros_like(a),
    )
    # a point on the axis belongs to both bodies and has one acceleration
    after.a_0 = before.acceleration(p) - after.acceleration(p)
    return after


def motor_torques(q: Array, qd: Array | None = None, qdd: Array | None = None) -> Array:
    """Motor torques for a motion, at n instants (n, 6) [N m]; without q̇ and q̈: torques that hold the arm at rest."""
    q = np.atleast_2d(q)
    qd = np.zeros_like(q) if qd is None else np.atleast_2d(qd)
    qdd = np.zeros_like(q) if qdd is None else np.atleast_2d(qdd)
    needed = np.zeros_like(q)
    bodies = body_motions(q, qd)
    for part in PARTS:
        b, solid = bodies[part.name], part.solid
        I = b.R @ solid.inertia @ b.R.transpose(0, 2, 1)
        omega = _times(b.J_omega, qd)
        force = solid.mass * (_times(b.J_v, qdd) + b.v_dot - GRAVITY)
        moment = _times(I, _times(b.J_omega, qdd) + b.omega_dot) + np.cross(omega, _times(I, omega))
        needed += _times(b.J_v.transpose(0, 2, 1), force) + _times(b.J_omega.transpose(0, 2, 1), moment)
    return np.asarray(np.linalg.solve(MOTOR_TURNS.T, needed.T).T, float)


BANDWIDTH = 2.0 * np.pi * 8.0
"""Natural frequency of the feedback of the motors [rad/s]; their damping is critical."""


def motor_inertias() -> Array:
    """Moments of inertia that the motors drive, with the arm behind them, in the home position (6,) [kg m²]."""
    bodies = body_motions(np.zeros((1, 6)))
    M = np.zeros((6, 6))
    for part in PARTS:
        b, solid = bodies[part.name], part.solid
        J_v, J_omega, R = b.J_v[0], b.J_omega[0], b.R[0]
        M += solid.mass * J_v.T @ J_v + J_omega.T @ (R @ solid.inertia @ R.T) @ J_omega
    back = np.linalg.inv(MOTOR_TURNS)
    return np.asarray(np.diag(back.T @ M @ back), float)


def _times(A: Array, x: Array) -> Array:
    """A x at every instant."""
    return (A @ x[:, :, None])[:, :, 0]


def _rotations(axis: Array, angle: Array) -> Array:
    """Rotations about unit vectors, by Rodrigues."""
    x, y, z = axis.T
    o = np.zeros_like(x)
    k = np.array([[o, -z, y], [z, o, -x], [-y, x, o]]).transpose(2, 0, 1)
    return np.eye(3) + np.sin(angle)[:, None, None] * k + (1.0 - np.cos(angle))[:, None, None] * (k @ k)
