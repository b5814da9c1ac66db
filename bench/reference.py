"""Where the bodies of a benchmark really are in the end, by methods no contestant uses.

Both mechanisms are integrated in minimal coordinates, without constraints, by an explicit Runge-Kutta method
of order 8 with a tolerance far below the errors that are compared.
"""

import numpy as np
from cases import (
    BAR_LENGTH,
    BAR_MASS,
    CHAIN_AXES,
    CHAIN_DURATION,
    CHAIN_GRAVITY,
    FOUR_BAR_DURATION,
    FOUR_BAR_GRAVITY,
    ROD_INERTIA,
    ROD_LENGTH,
    ROD_MASS,
    TIP_SPEED,
    bar_inertia,
)
from numba import njit
from scipy.integrate import solve_ivp


def chain_positions(n: int, duration: float = CHAIN_DURATION) -> np.ndarray:
    """Centres of mass (n, 3) of the chain after `duration`, from its n joint angles."""
    gravity, inertia = np.array(CHAIN_GRAVITY), np.array(bar_inertia())

    def derivative(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate((y[n:], _joint_accelerations(y[:n], y[n:], gravity, inertia)))

    # Error norms are root mean squares: n times as strict a tolerance bounds the worst joint of a long chain.
    run = solve_ivp(derivative, (0, duration), np.zeros(2 * n), "DOP853", rtol=1e-10, atol=1e-11 / np.sqrt(n))
    return _poses(run.y[:n, -1])[1]


@njit(cache=True)
def _poses(q):  # type: ignore[no-untyped-def]
    """Rotations R_WB (n, 3, 3) and centres x_WB (n, 3) for the joint angles q."""
    n = q.size
    R, x = np.zeros((n, 3, 3)), np.zeros((n, 3))
    turned, tip = np.eye(3), np.zeros(3)
    for i in range(n):
        c, s = np.cos(q[i]), np.sin(q[i])
        step = np.eye(3)
        if i % 2 == 0:
            step[0, 0], step[0, 2], step[2, 0], step[2, 2] = c, s, -s, c
        else:
            step[0, 0], step[0, 1], step[1, 0], step[1, 1] = c, -s, s, c
        turned = turned @ step
        R[i] = turned
        x[i] = tip + turned[:, 0] * (BAR_LENGTH / 2)
        tip = tip + turned[:, 0] * BAR_LENGTH
    return R, x


@njit(cache=True)
def _joint_accelerations(q, qd, gravity, inertia):  # type: ignore[no-untyped-def]
    """Articulated-body algorithm (Featherstone), all vectors in world axes, each body at its centre of mass.

    V_i = X_i V_p + S_i qd_i,  A_i = X_i A_p + S_i qdd_i + c_i,  wrench_i = M_i A_i + b_i,  p = i - 1,
    with V = (omega, v), X = [[1, 0], [-skew(x_i - x_p), 1]].
    """
    n = q.size
    half = BAR_LENGTH / 2
    R, x = _poses(q)
    X, S, c = np.zeros((n, 6, 6)), np.zeros((n, 6)), np.zeros((n, 6))
    M, b = np.zeros((n, 6, 6)), np.zeros((n, 6))

    # outwards: velocities, and what depends on them
    omega_p, x_p, tip_p = np.zeros(3), np.zeros(3), np.zeros(3)
    for i in range(n):
        axis = R[i] @ np.array(CHAIN_AXES[i % 2])
        arm = R[i][:, 0] * half
        omega = omega_p + axis * qd[i]
        turn = np.cross(omega_p, axis) * qd[i]
        S[i, :3], S[i, 3:] = axis, np.cross(axis, arm)
        c[i, :3] = turn
        c[i, 3:] = (
            np.cross(omega_p, np.cross(omega_p, tip_p)) + np.cross(omega, np.cross(omega, arm)) + np.cross(turn, arm)
        )
        d = x[i] - x_p
        X[i] = np.eye(6)
        X[i, 3, 1], X[i, 3, 2] = d[2], -d[1]
        X[i, 4, 0], X[i, 4, 2] = -d[2], d[0]
        X[i, 5, 0], X[i, 5, 1] = d[1], -d[0]
        J = (R[i] * inertia) @ R[i].T
        M[i, :3, :3] = J
        for k in range(3):
            M[i, 3 + k, 3 + k] = BAR_MASS
        b[i, :3] = np.cross(omega, J @ omega)
        b[i, 3:] = -BAR_MASS * gravity
        omega_p, x_p, tip_p = omega, x[i], arm

    # inwards: articulated inertia and bias
    U, D, u = np.zeros((n, 6)), np.zeros(n), np.zeros(n)
    for i in range(n - 1, -1, -1):
        U[i] = M[i] @ S[i]
        D[i] = S[i] @ U[i]
        u[i] = -(S[i] @ b[i])
        if i > 0:
            rest = M[i] - np.outer(U[i], U[i]) / D[i]
            bias = b[i] + rest @ c[i] + U[i] * (u[i] / D[i])
            M[i - 1] += X[i].T @ rest @ X[i]
            b[i - 1] += X[i].T @ bias

    # outwards: accelerations
    qdd, A = np.zeros(n), np.zeros(6)
    for i in range(n):
        A = X[i] @ A + c[i]
        qdd[i] = (u[i] - U[i] @ A) / D[i]
        A = A + S[i] * qdd[i]
    return qdd


def four_bar_positions(windows: int, duration: float = FOUR_BAR_DURATION) -> np.ndarray:
    """Centres of mass (2 windows + 1, 3): with θ from the upward vertical, all cranks turn alike, so that

    T = ½ (n_c (I + m L²/4) + n_k m L²) θ̇²,   V = (n_c/2 + n_k) m g L cos θ,

    for n_c = windows + 1 cranks and n_k = windows couplers.
    """
    cranks, couplers = windows + 1, windows
    inertia = cranks * (ROD_INERTIA + ROD_MASS * ROD_LENGTH**2 / 4) + couplers * ROD_MASS * ROD_LENGTH**2
    weight = (cranks / 2 + couplers) * ROD_MASS * -FOUR_BAR_GRAVITY[1] * ROD_LENGTH

    def derivative(t: float, y: np.ndarray) -> tuple[float, float]:
        return y[1], weight / inertia * np.sin(y[0])

    start = (0.0, TIP_SPEED / ROD_LENGTH)
    theta = solve_ivp(derivative, (0, duration), start, "DOP853", rtol=1e-13, atol=1e-14).y[0, -1]
    tip = ROD_LENGTH * np.array((np.sin(theta), np.cos(theta), 0.0))
    positions = []
    for i in range(cranks):
        foot = np.array((i * ROD_LENGTH, 0.0, 0.0))
        positions.append(foot + tip / 2)
        if i > 0:
            positions.append(foot + tip - (ROD_LENGTH / 2, 0.0, 0.0))
    return np.array(positions)
