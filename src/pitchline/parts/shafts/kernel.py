"""Beam element: logarithm of the motion between its ends, elastic forces, internal damping.

Elastic forces and internal damping of a beam element.

    V = (d - d0)^T K (d - d0)/2,   n = K (d - d0) + C rate,   rate = P v,   f = P^T n

v and f are velocities and forces of both nodes in their own axes. A frame that is fixed in a node away from its origin is a
constant change of these axes, and affects only P. Damping acts in axes that rotate with the beam: it is internal damping.
"""

import math

import numpy as np

from pitchline.engine.elements.contract import TANGENT, Element, ElementKind, Node, SignalSpec
from pitchline.numerics.fields import packed
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V3, block, kernel, leaf
from pitchline.numerics.vectors import (
    add,
    add_mat,
    add_vec,
    cross,
    dot,
    mat_sum,
    mm,
    mtv,
    mul,
    mv,
    scaled,
    skew,
    sub,
    tr,
    vec,
)

from .kernel_inertia import BeamData, BeamWork, add_inertial_tangent, body_velocities, inertial_force
from .sections import adjoint, exp_se3
from .sections import skew as skew_matrix

# ---- beam motion

# Relative motion of the two section frames of a beam, d = log(H_A^-1 H_B), and the terms of its derivatives.
#
# Six-vectors are (translation, rotation) in body axes; d = (v, w), x = |w|^2. A motion of SE(3) is one of SO(3) with
# the dual number w + eps v in place of w. With Theta(w) = 1 + w~/2 + c w~^2, c = (1 - gamma)/x, gamma = (|w|/2)
# cot(|w|/2):
#
# T^-1(d) = [[Theta, Psi], [0, Theta]], Psi = (dTheta/dw) v = v~/2 + c (w~v~ + v~w~) + 2 c' (w.v) w~^2
#
# and the change of d is T^-1(d) h_B - T^-1(-d) h_A for small motions h of both frames in their own axes (Sonneville,
# Cardona and Brüls, Comput. Methods Appl. Mech. Engrg. 268, 2014). Psi(d), and Theta without w~/2, are even and do
# not change in T^-1(-d).

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


@leaf
def put(A: A2, i: I8, j: I8, M: M9):
    """A[i:i+3, j:j+3] = M."""
    A[i, j] = M[0]
    A[i, j + 1] = M[1]
    A[i, j + 2] = M[2]
    A[i + 1, j] = M[3]
    A[i + 1, j + 1] = M[4]
    A[i + 1, j + 2] = M[5]
    A[i + 2, j] = M[6]
    A[i + 2, j + 1] = M[7]
    A[i + 2, j + 2] = M[8]


@leaf
def get(A: A2, i: I8, j: I8) -> M9:
    """A[i:i+3, j:j+3]."""
    return (
        A[i, j], A[i, j + 1], A[i, j + 2],
        A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2],
        A[i + 2, j], A[i + 2, j + 1], A[i + 2, j + 2],
    )  # fmt: skip


@leaf
def _put_motion(P: A2, j: I8, rotation: M9, coupling: M9):
    """Columns of P for one node: [[rotation, coupling], [0, rotation]]."""
    put(P, 0, j, rotation)
    put(P, 0, j + 3, coupling)
    put(P, 3, j + 3, rotation)
    for i in range(3, 6):
        P[i, j] = P[i, j + 1] = P[i, j + 2] = 0.0


@leaf
def _in_node(s: BeamData, P: A2):
    """Transform from small motions of the section frames to those of the nodes: P Ad, Ad = [[S^T, -S^T p~], [0, S^T]]."""
    for k in range(2):
        j = 6 * k
        axes = s.a.axes if k == 0 else s.b.axes
        at = s.a.at if k == 0 else s.b.at
        rotation = mm(get(P, 0, j), tr(axes))
        coupling = mat_sum(mm(get(P, 0, j + 3), tr(axes)), scaled(-1.0, mm(rotation, skew(at))))
        _put_motion(P, j, rotation, coupling)


@block
def deform(s: BeamData, a: Node, b: Node, w: BeamWork, damp: F8):
    """d, P, rate and n. The body velocities must be available."""
    RA = a.R
    RB = b.R
    if s.plain == 1:
        x = mtv(RA, sub(b.x, a.x))
    else:
        pA = s.a.at
        pB = s.b.at
        SA = s.a.axes
        x = mtv(SA, sub(mtv(RA, sub(add(b.x, mv(RB, pB)), a.x)), pA))
        RA = mm(RA, SA)
        RB = mm(RB, s.b.axes)
    turn = rotation_vector(mm(tr(RA), RB))
    c = coefficients(dot(turn, turn))
    v = logarithm(x, turn, c[0])
    w.c = c
    d = w.d
    d[0], d[1], d[2] = v
    d[3], d[4], d[5] = turn
    even = even_rotation(turn, c[0])
    coupling = even_coupling(v, turn, c[0], c[1])
    P = w.P
    _put_motion(P, 0, scaled(-1.0, plus_half(even, -1.0, turn)), scaled(-1.0, plus_half(coupling, -1.0, v)))
    _put_motion(P, 6, plus_half(even, 1.0, turn), plus_half(coupling, 1.0, v))
    if s.plain != 1:
        _in_node(s, P)
    rest = s.rest
    stiffness = s.stiffness
    damping = s.damping
    rate = w.rate
    n = w.n
    e0, e1, e2 = d[0] - rest[0], d[1] - rest[1], d[2] - rest[2]
    e3, e4, e5 = d[3] - rest[3], d[4] - rest[4], d[5] - rest[5]
    for i in range(6):
        n[i] = (
            stiffness[i, 0] * e0 + stiffness[i, 1] * e1 + stiffness[i, 2] * e2
            + stiffness[i, 3] * e3 + stiffness[i, 4] * e4 + stiffness[i, 5] * e5
        )  # fmt: skip
    velocity = w.velocity
    for i in range(6):
        total = 0.0
        for j in range(12):
            total += P[i, j] * velocity[j]
        rate[i] = total
    if s.damped == 1 and damp != 0.0:
        for i in range(6):
            for j in range(6):
                n[i] += damp * damping[i, j] * rate[j]


@leaf
def add_elastic_force(w: BeamWork):
    """force += P^T n."""
    P = w.P
    n = w.n
    force = w.force
    for j in range(12):
        force[j] += P[0, j] * n[0] + P[1, j] * n[1] + P[2, j] * n[2] + P[3, j] * n[3] + P[4, j] * n[4] + P[5, j] * n[5]


@leaf
def loss(s: BeamData, w: BeamWork, damp: F8) -> F8:
    """Power dissipated by internal damping."""
    total = 0.0
    if s.damped == 1 and damp != 0.0:
        rate = w.rate
        damping = s.damping
        for i in range(6):
            for j in range(6):
                total += rate[i] * damping[i, j] * rate[j]
    return damp * total


@leaf
def strain_energy(s: BeamData, w: BeamWork) -> F8:
    """(d - d0)^T K (d - d0)/2."""
    d = w.d
    rest = s.rest
    stiffness = s.stiffness
    total = 0.0
    for i in range(6):
        for j in range(6):
            total += (d[i] - rest[i]) * stiffness[i, j] * (d[j] - rest[j])
    return 0.5 * total


@leaf
def _section_velocity(axes: M9, at: V3, velocity: A1, i: I8, linear: I8) -> V3:
    """Linear or angular velocity of a section frame in its axes, from those of its node."""
    w = vec(velocity, i + 3)
    if linear == 1:
        return mtv(axes, add(vec(velocity, i), cross(w, at)))
    return mtv(axes, w)


@leaf
def _force_by_d(s: BeamData, w: BeamWork, K: F8):
    """by_d = K times the derivative of P^T n with respect to d at constant n, in node axes."""
    d = w.d
    n = w.n
    c = w.c
    v = vec(d, 0)
    turn = vec(d, 3)
    nf = vec(n, 0)
    nm = vec(n, 3)
    even_f = first_derivative(turn, nf, c[0], c[1])
    even_m = mat_sum(first_derivative(turn, nm, c[0], c[1]), second_derivative(turn, nf, v, c))
    by_d = w.by_d
    for k in range(2):
        sign = -1.0 if k == 0 else 1.0
        i = 6 * k
        f = scaled(sign * K, plus_half(even_f, sign, nf))
        m = scaled(sign * K, plus_half(even_m, sign, nm))
        g = f
        if s.plain == 1:
            for j in range(3):
                by_d[i, j] = by_d[i + 1, j] = by_d[i + 2, j] = 0.0
        else:  # forces at the section frame as those at the node: rows S f, p x S f + S m
            axes = s.a.axes if k == 0 else s.b.axes
            lever = skew(s.a.at if k == 0 else s.b.at)
            g = mm(axes, f)
            m = mat_sum(mm(axes, m), mm(lever, g))
            f = g
            for j in range(3):
                by_d[i, j] = by_d[i + 1, j] = by_d[i + 2, j] = 0.0
        put(by_d, i, 3, f)
        put(by_d, i + 3, 0, g)
        put(by_d, i + 3, 3, m)


@leaf
def _rate_by_d(s: BeamData, w: BeamWork, A: A2):
    """Derivative of the rate of d with respect to d at constant velocities: [[G_w, G_u + H], [0, G_w]]."""
    velocity = w.velocity
    c = w.c
    d = w.d
    v = vec(d, 0)
    turn = vec(d, 3)
    uA = _section_velocity(s.a.axes, s.a.at, velocity, 0, 1)
    wA = _section_velocity(s.a.axes, s.a.at, velocity, 0, 0)
    uB = _section_velocity(s.b.axes, s.b.at, velocity, 6, 1)
    wB = _section_velocity(s.b.axes, s.b.at, velocity, 6, 0)
    dw = sub(wB, wA)
    by_w = plus_half(first_derivative(turn, dw, c[0], c[1]), -1.0, add(wA, wB))
    by_u = plus_half(first_derivative(turn, sub(uB, uA), c[0], c[1]), -1.0, add(uA, uB))
    put(A, 0, 0, by_w)
    put(A, 0, 3, mat_sum(by_u, second_derivative(turn, dw, v, c)))
    put(A, 3, 0, scaled(0.0, by_w))
    put(A, 3, 3, by_w)


@block
def elastic_tangent(s: BeamData, w: BeamWork, K: F8, D: F8, damp: F8):
    """tangent = K df/dq + D df/dv of elastic and damping forces, in node axes; without the rotation of f with its node."""
    _force_by_d(s, w, K)
    P = w.P
    by_d = w.by_d
    on_d = w.on_d
    stiffness = s.stiffness
    damped = s.damped == 1 and damp != 0.0
    if damped:
        # n by d: K (stiffness + C rate_by_d) + D C
        by_rate = w.tangent  # its first rows temporarily contain the derivative of the rate
        _rate_by_d(s, w, by_rate)
        damping = s.damping
        for i in range(6):
            for j in range(6):
                total = 0.0
                for k in range(6):
                    total += damping[i, k] * by_rate[k, j]
                on_d[i, j] = K * stiffness[i, j] + damp * (K * total + D * damping[i, j])
    else:
        for i in range(6):
            for j in range(6):
                on_d[i, j] = K * stiffness[i, j]
    # by_d + P^T on_d
    for i in range(12):
        for k in range(6):
            p = P[k, i]
            for j in range(6):
                by_d[i, j] += p * on_d[k, j]
    tangent = w.tangent
    for i in range(12):
        b0, b1, b2, b3, b4, b5 = by_d[i, 0], by_d[i, 1], by_d[i, 2], by_d[i, 3], by_d[i, 4], by_d[i, 5]
        for j in range(12):
            tangent[i, j] = b0 * P[0, j] + b1 * P[1, j] + b2 * P[2, j] + b3 * P[3, j] + b4 * P[4, j] + b5 * P[5, j]
    if damped:
        _velocity_turns(s, w, K * damp)


@leaf
def _velocity_turns(s: BeamData, w: BeamWork, k: F8):
    """The body velocity R^T v of a node changes by v~ when it rotates: add k P^T C P_t v~ to the columns of rotation."""
    P = w.P
    PC = w.PC
    damping = s.damping
    velocity = w.velocity
    tangent = w.tangent
    for i in range(12):
        for j in range(3):
            PC[i, j] = 0.0
        for l in range(6):
            p = P[l, i]
            for j in range(3):
                PC[i, j] += p * damping[l, j]
    for node in range(2):
        j = 6 * node
        turning = scaled(k, mm(get(P, 0, j), skew(vec(velocity, j))))
        for i in range(12):
            a, b, c = PC[i, 0], PC[i, 1], PC[i, 2]
            tangent[i, j + 3] += a * turning[0] + b * turning[3] + c * turning[6]
            tangent[i, j + 4] += a * turning[1] + b * turning[4] + c * turning[7]
            tangent[i, j + 5] += a * turning[2] + b * turning[5] + c * turning[8]


# ---- beam

# Beam: an elastic segment of a shaft or beam between two nodes, with inertia, internal damping and weight.
#
# Large rotations, small strains: d is the logarithm of the motion between the section frames at its two ends
# (`logarithm`). Elastic forces follow from a constant stiffness for d (`add_elastic_force`), inertia from a constant
# mass for the velocities of the ends in their own axes (`kernel_inertia`). Stiffness and mass are those of `segment`:
# exact for steps and tapers inside the segment in linear statics. Rotations within one element must be smaller than
# 180 deg.


@leaf
def _weigh(R: M9, weight: F8, moment: V3, gravity: V3, K: F8, i: I8, r: A1, J: A2):
    """Weight of the mass fraction of one node: the negative load, and its tangent if K is not 0."""
    add_vec(r, i, mul(-weight, gravity))
    local = mtv(R, gravity)
    add_vec(r, i + 3, cross(local, moment))
    if K != 0.0:
        add_mat(J, i + 3, i + 3, -K, mm(skew(moment), skew(local)))


@leaf
def _in_world(w: BeamWork, a: Node, b: Node, K: F8, J: A2):
    """Add the tangent in node axes to J: translations in world axes, and forces that rotate with their node."""
    tangent = w.tangent
    force = w.force
    for i in range(0, 12, 6):
        RI = a.R if i == 0 else b.R
        turning = skew(vec(force, i))
        for j in range(0, 12, 6):
            back = tr(a.R if j == 0 else b.R)
            coupling = get(tangent, i, j + 3)
            if i == j:
                coupling = (
                    coupling[0], coupling[1] - K * turning[1], coupling[2] - K * turning[2],
                    coupling[3] - K * turning[3], coupling[4], coupling[5] - K * turning[5],
                    coupling[6] - K * turning[6], coupling[7] - K * turning[7], coupling[8],
                )  # fmt: skip
            add_mat(J, i, j, 1.0, mm(mm(RI, get(tangent, i, j)), back))
            add_mat(J, i, j + 3, 1.0, mm(RI, coupling))
            add_mat(J, i + 3, j, 1.0, mm(get(tangent, i + 3, j), back))
            add_mat(J, i + 3, j + 3, 1.0, get(tangent, i + 3, j + 3))


@kernel
def evaluate(s, m, x, w, ask, r, J):
    body_velocities(x.a, x.b, w)
    deform(s, x.a, x.b, w, ask.damp)
    inertial_force(s, x.a, x.b, w)
    add_elastic_force(w)
    ask.power_out += loss(s, w, ask.damp)
    force = w.force
    add_vec(r, 0, mv(x.a.R, vec(force, 0)))
    add_vec(r, 3, vec(force, 3))
    add_vec(r, 6, mv(x.b.R, vec(force, 6)))
    add_vec(r, 9, vec(force, 9))
    K = 0.0
    if ask.mode == TANGENT:
        K = ask.K
        elastic_tangent(s, w, K, ask.D, ask.damp)
        add_inertial_tangent(s, w, ask.M, ask.D, K)
        _in_world(w, x.a, x.b, K, J)
    g = mul(ask.load, s.gravity)
    if g[0] != 0.0 or g[1] != 0.0 or g[2] != 0.0:
        _weigh(x.a.R, s.weight_a, s.moment_a, g, K, 0, r, J)
        _weigh(x.b.R, s.weight_b, s.moment_b, g, K, 6, r, J)


@kernel
def report(s, m, x, w, ask, out):
    body_velocities(x.a, x.b, w)
    deform(s, x.a, x.b, w, ask.damp)
    inertial_force(s, x.a, x.b, w)
    velocity = w.velocity
    momentum = w.momentum
    kinetic = 0.0
    for i in range(12):
        kinetic += 0.5 * velocity[i] * momentum[i]
    g = mul(ask.load, s.gravity)
    out.kinetic = kinetic
    out.potential = (
        strain_energy(s, w)
        - dot(g, add(mul(s.weight_a, x.a.x), mv(x.a.R, s.moment_a)))
        - dot(g, add(mul(s.weight_b, x.b.x), mv(x.b.R, s.moment_b)))
    )
    out.power_out = loss(s, w, ask.damp)
    # forces in the end sections balance those of the nodes: elastic forces, inertia and weight of the segment
    add_elastic_force(w)
    force = w.force
    local = mtv(x.a.R, g)
    f = sub(mul(s.weight_a, local), vec(force, 0))
    moment = sub(cross(s.moment_a, local), vec(force, 3))
    out.force_a = mtv(s.a.axes, f)
    out.moment_a = mtv(s.a.axes, sub(moment, cross(s.a.at, f)))
    local = mtv(x.b.R, g)
    f = sub(vec(force, 6), mul(s.weight_b, local))
    moment = sub(vec(force, 9), cross(s.moment_b, local))
    out.force_b = mtv(s.b.axes, f)
    out.moment_b = mtv(s.b.axes, sub(moment, cross(s.b.at, f)))
    d = w.d
    rest = s.rest
    out.stretch = (d[0] - rest[0], d[1] - rest[1], d[2] - rest[2])
    out.bend = (d[3] - rest[3], d[4] - rest[4], d[5] - rest[5])


BEAM = ElementKind(
    "beam",
    evaluate,
    BeamData,
    scratch=BeamWork,
    report=report,
    signals=(
        SignalSpec("force_a", "N", "force in the section at the first end, section axes; tension positive along z", 3),
        SignalSpec("moment_a", "N*m", "moment in the section at the first end, section axes", 3),
        SignalSpec("force_b", "N", "force in the section at the second end, section axes", 3),
        SignalSpec("moment_b", "N*m", "moment in the section at the second end, section axes", 3),
        SignalSpec(
            "stretch", "m", "shear and extension: translation in the logarithm of the motion between the ends", 3
        ),
        SignalSpec("bend", "rad", "bending and torsion: rotation between the ends", 3),
    ),
    has_inertia=True,
    exchanges_power=True,
    full_pattern=True,
)

Placement = tuple[np.ndarray, np.ndarray]


def beam_element(
    name: str,
    nodes: tuple[int, int],
    on_a: Placement,
    on_b: Placement,
    *,
    K: np.ndarray,
    M: np.ndarray,
    rest: np.ndarray,
    damping: np.ndarray | None = None,
    gravity: np.ndarray | None = None,
) -> Element:
    """Make a beam between two section frames, given by position and axes in node axes (z along the beam).

    K (6, 6) for d - rest, M (12, 12) for the velocities of both section frames in their axes, rest (6): undeformed d, damping
    (6, 6) for the rate of d, gravity (3) in world axes.
    """
    plain = all(not np.any(at) and np.array_equal(axes, np.eye(3)) for at, axes in (on_a, on_b))
    to_section = np.zeros((12, 12))
    for i, (at, axes) in ((0, on_a), (6, on_b)):
        to_section[i : i + 6, i : i + 6] = np.linalg.inv(adjoint(np.asarray(at), np.asarray(axes)))
    mass = to_section.T @ M @ to_section
    weights = _weights(np.asarray(M, float), np.asarray(rest, float))
    values = {
        "a": {"at": on_a[0], "axes": on_a[1]}, "b": {"at": on_b[0], "axes": on_b[1]}, "plain": plain, "rest": rest,
        "stiffness": 0.5 * (K + K.T), "mass": 0.5 * (mass + mass.T),
        "damping": np.zeros((6, 6)) if damping is None else damping,
        "damped": damping is not None and bool(np.any(damping)),
        "gravity": np.zeros(3) if gravity is None else gravity,
    }  # fmt: skip
    for end, (at, axes), (weight, moment) in zip("ab", (on_a, on_b), weights, strict=True):
        values[f"weight_{end}"] = weight
        values[f"moment_{end}"] = weight * np.asarray(at) + np.asarray(axes) @ moment
    return Element(BEAM, name, nodes, packed(BeamData, values))


def _weights(M: np.ndarray, rest: np.ndarray) -> tuple[tuple[float, np.ndarray], tuple[float, np.ndarray]]:
    """Weight of each end and its static moment in section axes: the consistent gravity load across the beam.

    It has a potential, because it is the weight of two bodies that are fixed to the ends. Total weight and centre of mass are
    exact.
    """
    x, R = exp_se3(rest)
    both = np.vstack(
        [np.eye(3), np.zeros((3, 3)), R.T, np.zeros((3, 3))]
    )  # the same acceleration of both ends, axes of A
    load = M @ both
    total = both.T @ load
    mass = float(np.trace(total)) / 3
    share = R @ load[6:9]
    at_b = 0.5 * float(share[0, 0] + share[1, 1])
    moment_a = _axial(load[3:6])
    about_a = load[3:6] + R @ load[9:12] + skew_matrix(x) @ share
    moment_b = R.T @ (_axial(about_a) - moment_a - at_b * x)
    return (mass - at_b, moment_a), (at_b, moment_b)


def _axial(A: np.ndarray) -> np.ndarray:
    """a of the skew-symmetric part a~ of a matrix."""
    return 0.5 * np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
