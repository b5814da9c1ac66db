"""Scalar measures between two nodes: value, gradient and second derivative, apart from any law.

| measure | s |
|---|---|
| ANGLE | twist of frame B against frame A about their z axes, counting turns |
| DISPLACEMENT | z_A . (o_B - o_A) |
| DISTANCE | distance of o_A and o_B |
| HELIX | displacement - pitch * angle |

The twist is atan2(x_B.y_A - y_B.x_A, x_B.x_A + y_B.y_A). Its spatial gradient is (z_A + z_B)/(1 + z_A.z_B), which is the
common axis when the axes agree, and exact when they do not.

Parameters: measure, pitch, o_A (3), R_A of the frame (9), o_B (3), R_B of the frame (9), all in node axes. Memory: the
angle at the last accepted step, angle and displacement at the start of the analysis.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from ..math.vectors import (
    add,
    add_mat,
    add_vec,
    cross,
    dot,
    mat,
    mm,
    mtv,
    mul,
    mv,
    outer,
    rotation,
    row,
    skew,
    sub,
    tr,
    vec,
)

ANGLE, DISPLACEMENT, DISTANCE, HELIX = 0, 1, 2, 3
SIZE = 26
MEMORY = 3
TWO_PI = 2.0 * np.pi


@leaf
def _z(M: M9) -> V3:
    return (M[2], M[5], M[8])


@leaf
def principal_angle(p: A1, P: A2) -> F8:
    """Twist in (-pi, pi]."""
    FA = mm(rotation(P, 0), mat(p, 5))
    FB = mm(rotation(P, 1), mat(p, 17))
    M = mm(tr(FA), FB)  # M[i, j] = axis i of A . axis j of B
    return np.arctan2(M[3] - M[1], M[0] + M[4])


@leaf
def nearest_turn(angle: F8, reference: F8) -> F8:
    """The angle that differs from a principal one by whole turns and is nearest to the reference."""
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def displacement(p: A1, P: A2) -> F8:
    RA = rotation(P, 0)
    d = mtv(RA, sub(add(row(P, 1, 0), mv(rotation(P, 1), vec(p, 14))), row(P, 0, 0)))
    return dot(_z(mat(p, 5)), sub(d, vec(p, 2)))


@block
def angle_gradient(p: A1, P: A2, scale: F8, hessian: I8, r: A1, J: A2):
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    zA = mv(RA, _z(mat(p, 5)))
    zB = mv(RB, _z(mat(p, 17)))
    q = 1.0 / (1.0 + dot(zA, zB))
    g = mul(q, add(zA, zB))
    add_vec(r, 3, mul(-scale, mtv(RA, g)))
    add_vec(r, 9, mul(scale, mtv(RB, g)))
    if hessian:
        n = cross(zA, zB)
        G = skew(g)
        # spatial: dg/dtheta_A = -q z_A~ - q g n^T, dg/dtheta_B = -q z_B~ + q g n^T; the frame of the row adds g~
        SA = skew(zA)
        SB = skew(zB)
        N = outer(g, n)
        TA = tr(RA)
        TB = tr(RB)
        for i in range(2):
            T = TA if i == 0 else TB
            s = -scale if i == 0 else scale
            at = 3 if i == 0 else 9
            add_mat(J, at, 3, -s * q, mm(mm(T, SA), RA))
            add_mat(J, at, 3, -s * q, mm(mm(T, N), RA))
            add_mat(J, at, 9, -s * q, mm(mm(T, SB), RB))
            add_mat(J, at, 9, s * q, mm(mm(T, N), RB))
        add_mat(J, 3, 3, -scale, mm(mm(TA, G), RA))
        add_mat(J, 9, 9, scale, mm(mm(TB, G), RB))


@block
def direction_stiffness(pB: V3, P: A2, e: V3, k: F8, J: A2):
    """k times the second derivative of e . R_A^T (x_B + R_B p_B - x_A), e fixed in A (node axes)."""
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    d = mtv(RA, sub(add(row(P, 1, 0), mv(RB, pB)), row(P, 0, 0)))
    Se = skew(e)
    Sp = skew(pB)
    RE = mm(RA, Se)
    add_mat(J, 0, 3, k, RE)
    add_mat(J, 6, 3, -k, RE)
    add_mat(J, 3, 0, k, tr(RE))  # -e~ R_A^T = (R_A e~)^T
    add_mat(J, 3, 6, -k, tr(RE))
    add_mat(J, 3, 3, k, mm(Se, skew(d)))
    AB = mm(Se, mm(mm(tr(RA), RB), Sp))
    add_mat(J, 3, 9, -k, AB)
    add_mat(J, 9, 3, -k, tr(AB))
    add_mat(J, 9, 9, k, mm(Sp, skew(mtv(RB, mv(RA, e)))))


@block
def displacement_gradient(p: A1, P: A2, hessian: I8, r: A1, J: A2):
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    pB = vec(p, 14)
    z = _z(mat(p, 5))
    zW = mv(RA, z)
    d = mtv(RA, sub(add(row(P, 1, 0), mv(RB, pB)), row(P, 0, 0)))
    add_vec(r, 0, mul(-1.0, zW))
    add_vec(r, 3, cross(z, d))
    add_vec(r, 6, zW)
    add_vec(r, 9, cross(pB, mtv(RB, zW)))
    if hessian:
        direction_stiffness(pB, P, z, 1.0, J)


@block
def _distance_gradient(p: A1, P: A2, hessian: I8, r: A1, J: A2) -> F8:
    RA = rotation(P, 0)
    RB = rotation(P, 1)
    pA = vec(p, 2)
    pB = vec(p, 14)
    d = sub(add(row(P, 1, 0), mv(RB, pB)), add(row(P, 0, 0), mv(RA, pA)))
    s = np.sqrt(dot(d, d))
    n = (0.0, 0.0, 0.0)  # two coincident points have no direction: no force
    if s > 0.0:
        n = mul(1.0 / s, d)
    nA = mtv(RA, n)
    nB = mtv(RB, n)
    add_vec(r, 0, mul(-1.0, n))
    add_vec(r, 3, cross(nA, pA))
    add_vec(r, 6, n)
    add_vec(r, 9, cross(pB, nB))
    if hessian and s > 0.0:
        # delta n = N delta d with N = (1 - n n^T)/s, delta d = (-1, R_A p_A~, 1, -R_B p_B~) delta q
        O = outer(n, n)
        i = 1.0 / s
        N = (i - i * O[0], -i * O[1], -i * O[2], -i * O[3], i - i * O[4], -i * O[5], -i * O[6], -i * O[7], i - i * O[8])
        DA = mm(RA, skew(pA))
        DB = mm(RB, skew(pB))
        NA = mm(N, DA)
        NB = mm(N, DB)
        add_mat(J, 0, 0, 1.0, N)
        add_mat(J, 0, 3, -1.0, NA)
        add_mat(J, 0, 6, -1.0, N)
        add_mat(J, 0, 9, 1.0, NB)
        add_mat(J, 6, 0, -1.0, N)
        add_mat(J, 6, 3, 1.0, NA)
        add_mat(J, 6, 6, 1.0, N)
        add_mat(J, 6, 9, -1.0, NB)
        add_mat(J, 3, 0, -1.0, tr(NA))
        add_mat(J, 3, 3, 1.0, mm(tr(DA), NA))
        add_mat(J, 3, 6, 1.0, tr(NA))
        add_mat(J, 3, 9, -1.0, mm(tr(DA), NB))
        add_mat(J, 9, 0, 1.0, tr(NB))
        add_mat(J, 9, 3, -1.0, mm(tr(DB), NA))
        add_mat(J, 9, 6, -1.0, tr(NB))
        add_mat(J, 9, 9, 1.0, mm(tr(DB), NB))
        add_mat(J, 3, 3, -1.0, mm(skew(pA), skew(nA)))
        add_mat(J, 9, 9, 1.0, mm(skew(pB), skew(nB)))
    return s


@block
def measure(kind: I8, p: A1, h: A1, P: A2, hessian: I8, r: A1, J: A2) -> F8:
    """s; adds its gradient to r[0:12] and, if asked, the derivative of the gradient to J[0:12, 0:12]."""
    if kind == DISTANCE:
        return _distance_gradient(p, P, hessian, r, J)
    s = 0.0
    if kind == DISPLACEMENT or kind == HELIX:
        displacement_gradient(p, P, hessian, r, J)
        s = displacement(p, P)
    if kind == ANGLE or kind == HELIX:
        angle = nearest_turn(principal_angle(p, P), h[0])
        if kind == ANGLE:
            angle_gradient(p, P, 1.0, hessian, r, J)
            s = angle
        else:
            angle_gradient(p, P, -p[1], hessian, r, J)
            s -= p[1] * angle
    return s


@leaf
def rate(r: A1, V: A2) -> F8:
    """ds/dt from the gradient in r[0:12]."""
    s = 0.0
    for k in range(2):
        for i in range(6):
            s += r[6 * k + i] * V[k, i]
    return s


def encode_measure(
    kind: int,
    frame_a: tuple[np.ndarray, np.ndarray],
    frame_b: tuple[np.ndarray, np.ndarray],
    pitch: float = 0.0,
) -> np.ndarray:
    """Parameters of a measure between two frames (origin, rotation), each in the axes of its node."""
    (oA, RA), (oB, RB) = frame_a, frame_b
    return np.concatenate([[kind, pitch], oA, np.ravel(RA), oB, np.ravel(RB)])
