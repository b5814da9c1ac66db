"""Beam element written down a second time: plain numpy that complex numbers pass through, power series in place of closed forms.

The inverse of the tangent of the exponential is the series of x/(1 - exp(-x)) in ad_d, which converges for rotations below a turn.
"""

from math import factorial

import numpy as np

Array = np.ndarray
# B_0, B_1 = +1/2, B_2, ... of x/(1 - exp(-x)) = sum B_k x^k/k!
BERNOULLI = [1.0, 0.5, 1 / 6, 0, -1 / 30, 0, 1 / 42, 0, -1 / 30, 0, 5 / 66, 0, -691 / 2730, 0, 7 / 6, 0, -3617 / 510, 0]
BERNOULLI += [
    43867 / 798,
    0,
    -174611 / 330,
    0,
    854513 / 138,
    0,
    -236364091 / 2730,
    0,
    8553103 / 6,
    0,
    -23749461029 / 870,
]


def skew(a: Array) -> Array:
    zero = 0 * a[0]
    return np.array([[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]])


def bracket(d: Array) -> Array:
    """ad_d."""
    A = np.zeros((6, 6), dtype=d.dtype)
    A[:3, :3] = A[3:, 3:] = skew(d[3:])
    A[:3, 3:] = skew(d[:3])
    return A


def inverse_tangent(d: Array) -> Array:
    A, power, total = bracket(d), np.eye(6, dtype=d.dtype), np.zeros((6, 6), dtype=d.dtype)
    for k, b in enumerate(BERNOULLI):
        total = total + b / factorial(k) * power
        power = power @ A
    return total


def rotation(w: Array) -> Array:
    """exp(w~) by its series."""
    W, term, total = skew(w), np.eye(3, dtype=w.dtype), np.eye(3, dtype=w.dtype)
    for k in range(1, 30):
        term = term @ W / k
        total = total + term
    return total


def logarithm(x: Array, R: Array) -> Array:
    """log of the motion (x, R): Newton on the rotation, then v = V(w)^-1 x with V = sum w~^k/(k+1)!."""
    a = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    size = np.sqrt(a @ a)
    w = a if abs(size) < 1e-6 else a * (2 * np.arctan(size / (1 + 0.5 * (np.trace(R) - 1))) / size)
    W, term, V = skew(w), np.eye(3, dtype=w.dtype), np.eye(3, dtype=w.dtype)
    for k in range(1, 30):
        term = term @ W / (k + 1)
        V = V + term
    return np.concatenate([np.linalg.solve(V, x), w])


def beam_residual(values: dict[str, Array], x: Array, R: Array, V: Array, A: Array) -> Array:
    """Residual (12) in the engine's coordinates; x (2, 3), R (2, 3, 3), V and A (2, 6). `values`: K, C, M, rest, gravity and the
    weight of each end with its static moment."""
    Q = np.zeros((12, 12), dtype=np.result_type(x, R, V, A))
    for k in range(2):
        Q[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = R[k].T
        Q[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = np.eye(3)
    v = Q @ V.ravel()
    d = logarithm(R[0].T @ (x[1] - x[0]), R[0].T @ R[1])
    P = np.hstack([-inverse_tangent(-d), inverse_tangent(d)])
    f = P.T @ (values["K"] @ (d - values["rest"]) + values["C"] @ (P @ v))
    a, p = Q @ A.ravel(), values["M"] @ v
    for i in (0, 6):
        a[i : i + 3] -= np.cross(v[i + 3 : i + 6], v[i : i + 3])
    f = f + values["M"] @ a
    for i in (0, 6):
        f[i : i + 6] -= bracket(v[i : i + 6]).T @ p[i : i + 6]
    r = Q.T @ f
    g = values["gravity"]
    for k, i in enumerate((0, 6)):
        weight, moment = values["weights"][k]
        r[i : i + 3] -= weight * g
        r[i + 3 : i + 6] -= np.cross(moment, R[k].T @ g)
    return r


def derivatives(values: dict[str, Array], x: Array, R: Array, V: Array, A: Array) -> tuple[Array, Array, Array]:
    """Residual by position, velocity and acceleration, (12, 12) each, by complex steps."""
    h = 1e-30
    out = [np.zeros((12, 12)) for _ in range(3)]
    for k in range(12):
        e = np.zeros((2, 6), complex)
        e[k // 6, k % 6] = 1j * h
        turned = np.array([R[n] @ rotation(e[n, 3:]) for n in range(2)])
        out[0][:, k] = beam_residual(values, x + e[:, :3], turned, V, A).imag / h
        out[1][:, k] = beam_residual(values, x.astype(complex), R, V + e, A).imag / h
        out[2][:, k] = beam_residual(values, x.astype(complex), R, V.astype(complex), A + e).imag / h
    return out[0], out[1], out[2]
