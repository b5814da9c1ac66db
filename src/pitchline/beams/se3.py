"""Rigid motions as six-vectors (translation, rotation) in body axes: exponential, logarithm and their derivatives.

For d = (v, w): ad_d (u, t) = (w x u + v x t, w x t). The derivative of the logarithm, log(H exp(dh)) = d + T^-1(d) dh, is a
polynomial of ad_d, because ad_d has the minimal polynomial x (x^2 + phi^2)^2, phi = |w|:

    T^-1(d) = 1 + ad/2 + c2 ad^2 + c4 ad^4

(Sonneville, Cardona and Brüls, Comput. Methods Appl. Mech. Engrg. 268, 2014; Selig, Geometric Fundamentals of Robotics).
"""

from __future__ import annotations

import numpy as np

__all__ = ["adjoint", "coefficients", "commutator", "exp_se3", "inverse_tangent", "log_se3", "log_so3", "skew"]

Array = np.ndarray
SERIES_BELOW = 0.05
"""Limit of phi^2 for the series. Below it, their error is below rounding; above it, cancellation is negligible."""


def skew(a: Array) -> Array:
    """Matrix of the cross product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def log_so3(R: Array) -> Array:
    """Rotation vector of a rotation matrix, |w| <= pi. Exact for very small angles and close to pi."""
    a = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = float(np.linalg.norm(a)), 0.5 * (float(np.trace(R)) - 1.0)
    if cosine > -0.9:
        return a * (np.arctan2(sine, cosine) / sine if sine > 1e-8 else 1.0 + sine**2 / 6.0)
    # near 180 deg: quaternion from its largest component, 4 q_i q_j = R_ij + R_ji
    i = int(np.argmax(np.diag(R)))
    j, k = (i + 1) % 3, (i + 2) % 3
    root = np.sqrt(1.0 + R[i, i] - R[j, j] - R[k, k])
    q = np.zeros(3)
    q[i], q[j], q[k] = 0.5 * root, 0.5 * (R[j, i] + R[i, j]) / root, 0.5 * (R[k, i] + R[i, k]) / root
    w = 0.5 * (R[k, j] - R[j, k]) / root
    if w < 0.0:
        q, w = -q, -w
    size = float(np.linalg.norm(q))
    return q * (2.0 * np.arctan2(size, w) / size)


def axis_rotation(before: Array, now: Array) -> Array:
    """Smallest rotation vectors (n, 3) between unit vectors, (n, 3) or (3,) each: angle times axis."""
    across = np.cross(before, now)
    sine = np.linalg.norm(across, axis=-1)
    angle = np.arctan2(sine, np.sum(before * now, axis=-1))
    size = np.where(sine > 1e-12, sine, 1.0)
    return np.asarray(across * np.where(sine > 1e-12, angle / size, 1.0)[..., None])


def coefficients(f2: float) -> tuple[float, float]:
    """c2, c4 of T^-1, for f2 = |rotation|^2."""
    if f2 < SERIES_BELOW:
        c2 = 1 / 12 - f2**2 / 30240 - f2**3 / 604800 - f2**4 / 15966720
        c4 = -1 / 720 - f2 / 15120 - f2**2 / 403200 - f2**3 / 11975040
        return c2, c4
    f = np.sqrt(f2)
    cotangent, sine2 = 1 / np.tan(f / 2), np.sin(f / 2) ** 2
    gamma, slope = f / 2 * cotangent, cotangent / 2 - f / 4 / sine2
    return 2 * (1 - gamma) / f2 + slope / (2 * f), (1 - gamma) / f2**2 + slope / (2 * f**3)


def commutator(d: Array) -> Array:
    """ad_d (6, 6)."""
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = skew(d[3:])
    A[:3, 3:] = skew(d[:3])
    return A


def inverse_tangent(d: Array) -> Array:
    """T^-1(d) (6, 6): log(H exp(dh)) = d + T^-1(d) dh for H = exp(d)."""
    A = commutator(d)
    A2 = A @ A
    c2, c4 = coefficients(float(d[3:] @ d[3:]))
    return np.eye(6) + 0.5 * A + c2 * A2 + c4 * A2 @ A2


def exp_se3(d: Array) -> tuple[Array, Array]:
    """Position and rotation matrix of the motion with the logarithm d."""
    t = d[3:]
    x = float(t @ t)
    if x < SERIES_BELOW:
        sine = 1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72)))
        a = 0.5 - x / 24 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90)))
        b = 1 / 6 - x / 120 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110)))
    else:
        f = np.sqrt(x)
        sine, a, b = np.sin(f) / f, (1 - np.cos(f)) / x, (f - np.sin(f)) / (x * f)
    W = skew(t)
    return d[:3] + a * W @ d[:3] + b * W @ W @ d[:3], np.eye(3) + sine * W + a * W @ W


def log_se3(x: Array, R: Array) -> Array:
    """Logarithm d of the motion to the position x and rotation R."""
    t = log_so3(R)
    f2 = float(t @ t)
    if f2 < SERIES_BELOW:
        c = 1 / 12 + f2 / 720 + f2**2 / 30240 + f2**3 / 1209600 + f2**4 / 47900160
    else:
        c = (1 - 0.5 * np.sqrt(f2) / np.tan(0.5 * np.sqrt(f2))) / f2
    W = skew(t)
    return np.concatenate([x - 0.5 * W @ x + c * W @ W @ x, t])


def adjoint(x: Array, R: Array) -> Array:
    """Ad (6, 6) of a frame at x with axes R: transforms body vectors of that frame to the frame in which x and R are given."""
    A = np.zeros((6, 6))
    A[:3, :3] = A[3:, 3:] = R
    A[:3, 3:] = skew(x) @ R
    return A
