"""Free rigid bodies in closed form.

Symmetric (I1 = I2): the axis precesses about the angular momentum L at the rate |L|/I1, the body turns back about its
axis:

    R(t) = Rot(L/|L|, |L| t/I1) R(0) Rot(e_3, -(I3 - I1)/I1 w_3 t)

Asymmetric, I1 < I2 < I3, L^2 > 2 T I2 (Landau & Lifshitz, Mechanics, section 37), from a moment with w_2 = 0, body
axes:

    w_1 = a_1 cn(p t, k),  w_2 = a_2 sn(p t, k),  w_3 = a_3 dn(p t, k)
    p^2 = (I3 - I2)(L^2 - 2 T I1)/(I1 I2 I3),   k^2 = (I2 - I1)(2 T I3 - L^2)/((I3 - I2)(L^2 - 2 T I1))

(for L^2 < 2 T I2 with 1 and 3 exchanged). Near L^2 = 2 T I2 the body turns over about its middle axis, once in 2
K(k)/p.
"""

import numpy as np
from references.newton_euler import rotation
from scipy.special import ellipj, ellipk


def rotation_about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit vector."""
    return rotation(np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.asarray(axis)]))


def symmetric_top(t: float, inertia: tuple[float, float, float], w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R(t), w(t) in world axes) with R(0) = 1."""
    I1, _, I3 = inertia
    L = np.array(inertia) * w
    size = float(np.linalg.norm(L))
    R = rotation_about(L / size, size * t / I1) @ rotation_about(np.array([0, 0, 1.0]), -(I3 - I1) / I1 * w[2] * t)
    slip = (I3 - I1) / I1 * w[2] * t
    body = np.array([w[0] * np.cos(slip) - w[1] * np.sin(slip), w[0] * np.sin(slip) + w[1] * np.cos(slip), w[2]])
    return R, R @ body


def _constants(inertia: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Amplitudes, p and k^2 for L^2 > 2 T I2."""
    I1, I2, I3 = inertia
    T2, L2 = float(inertia @ w**2), float((inertia * w) @ (inertia * w))
    high, low = T2 * I3 - L2, L2 - T2 * I1
    amplitude = np.sqrt([high / (I1 * (I3 - I1)), high / (I2 * (I3 - I2)), low / (I3 * (I3 - I1))])
    return amplitude, np.sqrt((I3 - I2) * low / (I1 * I2 * I3)), (I2 - I1) * high / ((I3 - I2) * low)


def asymmetric_top(t: np.ndarray, inertia: tuple[float, float, float], w: tuple[float, float, float]) -> np.ndarray:
    """(n, 3) angular velocity in body axes; at t = 0 it is w, with w_2 = 0, w_1, w_3 > 0 and L^2 > 2 T I2."""
    amplitude, p, m = _constants(np.array(inertia), np.array(w))
    sn, cn, dn, _ = ellipj(p * np.asarray(t), m)
    return amplitude * np.stack([cn, sn, dn], axis=-1)


def turnover_time(inertia: tuple[float, float, float], w: tuple[float, float, float]) -> float:
    """Time between zeros of w_2."""
    I, speed = np.array(inertia), np.array(w)
    if (I * speed) @ (I * speed) < I @ speed**2 * I[1]:
        I, speed = I[::-1], speed[::-1]
        # with 1 and 3 exchanged all differences change sign in pairs
    _, p, m = _constants(I, speed)
    return float(2 * ellipk(m) / p)
