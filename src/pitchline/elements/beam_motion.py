"""Relative motion of the two section frames of a beam, d = log(H_A^-1 H_B), and the terms of its derivatives.

Six-vectors are (translation, rotation) in body axes; d = (v, w), x = |w|^2. A motion of SE(3) is one of SO(3) with the dual number
w + eps v in place of w. With Theta(w) = 1 + w~/2 + c w~^2, c = (1 - gamma)/x, gamma = (|w|/2) cot(|w|/2):

    T^-1(d) = [[Theta, Psi], [0, Theta]],   Psi = (dTheta/dw) v = v~/2 + c (w~v~ + v~w~) + 2 c' (w.v) w~^2

and the change of d is T^-1(d) h_B - T^-1(-d) h_A for small motions h of both frames in their own axes (Sonneville, Cardona and
Brüls, Comput. Methods Appl. Mech. Engrg. 268, 2014). Psi(d), and Theta without w~/2, are even and do not change in T^-1(-d).
"""

import math

from ..math.compiled import F8, M9, V3, leaf
from ..math.vectors import cross, dot

SERIES_BELOW = 0.05
"""Limit of |w|^2 for the series of c: seven terms are exact to rounding there, and above it cancellation is negligible."""
SMALL_SINE = 1e-3
"""Limit of the square of the sine for the series of the angle."""
HALF_TURN = -0.9
"""Limit of the cosine below which the rotation vector is computed from the symmetric part of the matrix."""


@leaf
def _half_turn(R: M9) -> V3:
    """Rotation vector near 180 deg: quaternion from its largest component, 4 q_i q_j = R_ij + R_ji."""
    if R[0] >= R[4] and R[0] >= R[8]:
        root = math.sqrt(1.0 + R[0] - R[4] - R[8])
        q = (0.5 * root, 0.5 * (R[1] + R[3]) / root, 0.5 * (R[2] + R[6]) / root)
        real = 0.5 * (R[7] - R[5]) / root
    elif R[4] >= R[8]:
        root = math.sqrt(1.0 + R[4] - R[8] - R[0])
        q = (0.5 * (R[1] + R[3]) / root, 0.5 * root, 0.5 * (R[5] + R[7]) / root)
        real = 0.5 * (R[2] - R[6]) / root
    else:
        root = math.sqrt(1.0 + R[8] - R[0] - R[4])
        q = (0.5 * (R[2] + R[6]) / root, 0.5 * (R[5] + R[7]) / root, 0.5 * root)
        real = 0.5 * (R[3] - R[1]) / root
    size = math.sqrt(dot(q, q))
    k = 2.0 * math.atan2(size, abs(real)) / size
    if real < 0.0:
        k = -k
    return (k * q[0], k * q[1], k * q[2])


@leaf
def rotation_vector(R: M9) -> V3:
    """w of R = exp(w~), |w| <= pi."""
    a = (0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1]))
    sine2 = dot(a, a)
    cosine = 0.5 * (R[0] + R[4] + R[8] - 1.0)
    if sine2 < SMALL_SINE and cosine > 0.0:
        k = 1.0 + sine2 * (1 / 6 + sine2 * (3 / 40 + sine2 * (5 / 112 + sine2 * (35 / 1152 + sine2 * (63 / 2816)))))
        return (k * a[0], k * a[1], k * a[2])
    if cosine < HALF_TURN:
        return _half_turn(R)
    sine = math.sqrt(sine2)
    k = math.atan2(sine, cosine) / sine
    return (k * a[0], k * a[1], k * a[2])


@leaf
def coefficients(x: F8) -> V3:
    """c, c', c'': c and its derivatives by x = |w|^2."""
    if x < SERIES_BELOW:
        b1, b2, b3, b4, b5 = 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000
        b6 = 1 / 74724249600
        c = 1 / 12 + x * (b1 + x * (b2 + x * (b3 + x * (b4 + x * b5))))
        first = b1 + x * (2 * b2 + x * (3 * b3 + x * (4 * b4 + x * (5 * b5 + x * 6 * b6))))
        second = 2 * b2 + x * (6 * b3 + x * (12 * b4 + x * (20 * b5 + x * 30 * b6)))
        return (c, first, second)
    f = math.sqrt(x)
    sine, cosine = math.sin(0.5 * f), math.cos(0.5 * f)
    cotangent, sine2 = cosine / sine, sine * sine
    gamma = 0.5 * f * cotangent
    by_f = 0.5 * cotangent - 0.25 * f / sine2
    by_ff = -0.5 / sine2 + 0.25 * f * cotangent / sine2
    by_x = by_f / (2 * f)
    by_xx = (by_ff - by_f / f) / (4 * x)
    c = (1.0 - gamma) / x
    first = -(by_x + c) / x
    return (c, first, -(by_xx + 2.0 * first) / x)


@leaf
def logarithm(x: V3, w: V3, c: F8) -> V3:
    """v of d = (v, w) for the position x: v = x - w x x/2 + c w x (w x x)."""
    wx = cross(w, x)
    wwx = cross(w, wx)
    return (x[0] - 0.5 * wx[0] + c * wwx[0], x[1] - 0.5 * wx[1] + c * wwx[1], x[2] - 0.5 * wx[2] + c * wwx[2])


@leaf
def square(w: V3) -> M9:
    """w~ w~ = w w^T - |w|^2."""
    a, b, c = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    d, e, f = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return (-b - c, d, e, d, -a - c, f, e, f, -a - b)


@leaf
def even_rotation(w: V3, c: F8) -> M9:
    """1 + c w~^2: the even part of Theta."""
    W = square(w)
    return (1.0 + c * W[0], c * W[1], c * W[2], c * W[3], 1.0 + c * W[4], c * W[5], c * W[6], c * W[7], 1.0 + c * W[8])


@leaf
def even_coupling(v: V3, w: V3, c: F8, c1: F8) -> M9:
    """c (w~v~ + v~w~) + 2 c' (w.v) w~^2: the even part of Psi."""
    vw = dot(v, w)
    W = square(w)
    k = 2.0 * c1 * vw
    xy, xz, yz = v[0] * w[1] + v[1] * w[0], v[0] * w[2] + v[2] * w[0], v[1] * w[2] + v[2] * w[1]
    return (
        2.0 * c * (v[0] * w[0] - vw) + k * W[0], c * xy + k * W[1], c * xz + k * W[2],
        c * xy + k * W[3], 2.0 * c * (v[1] * w[1] - vw) + k * W[4], c * yz + k * W[5],
        c * xz + k * W[6], c * yz + k * W[7], 2.0 * c * (v[2] * w[2] - vw) + k * W[8],
    )  # fmt: skip


@leaf
def plus_half(A: M9, sign: F8, a: V3) -> M9:
    """A + sign a~/2."""
    x, y, z = 0.5 * sign * a[0], 0.5 * sign * a[1], 0.5 * sign * a[2]
    return (A[0], A[1] - z, A[2] + y, A[3] + z, A[4], A[5] - x, A[6] - y, A[7] + x, A[8])


@leaf
def first_derivative(w: V3, a: V3, c: F8, c1: F8) -> M9:
    """Derivative of c w~^2 a by w: c ((w.a) + w a^T - 2 a w^T) + 2 c' (w~^2 a) w^T."""
    wa, ww = dot(w, a), dot(w, w)
    k = 2.0 * c1
    # (w~^2 a)_i = w_i wa - ww a_i: collected by w w^T, w a^T and a w^T
    p, q = k * wa, -2.0 * c - k * ww
    d = c * wa
    return (
        d + w[0] * (p * w[0] + c * a[0]) + q * a[0] * w[0],
        w[0] * (p * w[1] + c * a[1]) + q * a[0] * w[1],
        w[0] * (p * w[2] + c * a[2]) + q * a[0] * w[2],
        w[1] * (p * w[0] + c * a[0]) + q * a[1] * w[0],
        d + w[1] * (p * w[1] + c * a[1]) + q * a[1] * w[1],
        w[1] * (p * w[2] + c * a[2]) + q * a[1] * w[2],
        w[2] * (p * w[0] + c * a[0]) + q * a[2] * w[0],
        w[2] * (p * w[1] + c * a[1]) + q * a[2] * w[1],
        d + w[2] * (p * w[2] + c * a[2]) + q * a[2] * w[2],
    )


@leaf
def second_derivative(w: V3, a: V3, v: V3, cs: V3) -> M9:
    """Derivative of `first_derivative` times v, by w; symmetric in no pair of its arguments but smooth at w = 0."""
    c, c1, c2 = cs
    wa, wv, av, ww = dot(w, a), dot(w, v), dot(a, v), dot(w, w)
    y = (w[0] * wa - ww * a[0], w[1] * wa - ww * a[1], w[2] * wa - ww * a[2])
    k = 2.0 * c1
    d = c * av + k * wv * wa
    # rows: v_i (c a + k wa w) + w_i (k av w + k wv a) - a_i (2 c v + 4 k wv w) + y_i (k v + 4 c'' wv w)
    e = 4.0 * c2 * wv
    g = 2.0 * k * wv
    p0, p1, p2 = c * a[0] + k * wa * w[0], c * a[1] + k * wa * w[1], c * a[2] + k * wa * w[2]
    q0, q1, q2 = k * (av * w[0] + wv * a[0]), k * (av * w[1] + wv * a[1]), k * (av * w[2] + wv * a[2])
    s0, s1, s2 = 2.0 * (c * v[0] + g * w[0]), 2.0 * (c * v[1] + g * w[1]), 2.0 * (c * v[2] + g * w[2])
    t0, t1, t2 = k * v[0] + e * w[0], k * v[1] + e * w[1], k * v[2] + e * w[2]
    return (
        d + v[0] * p0 + w[0] * q0 - a[0] * s0 + y[0] * t0,
        v[0] * p1 + w[0] * q1 - a[0] * s1 + y[0] * t1,
        v[0] * p2 + w[0] * q2 - a[0] * s2 + y[0] * t2,
        v[1] * p0 + w[1] * q0 - a[1] * s0 + y[1] * t0,
        d + v[1] * p1 + w[1] * q1 - a[1] * s1 + y[1] * t1,
        v[1] * p2 + w[1] * q2 - a[1] * s2 + y[1] * t2,
        v[2] * p0 + w[2] * q0 - a[2] * s0 + y[2] * t0,
        v[2] * p1 + w[2] * q1 - a[2] * s1 + y[2] * t1,
        d + v[2] * p2 + w[2] * q2 - a[2] * s2 + y[2] * t2,
    )
