"""Tangents of a gear pair: geometric stiffness, what the law changes by, friction; by poses and velocities."""

import math

from ..math.compiled import A1, A2, F8, I8, block
from ..math.vectors import (
    add,
    cross,
    dot,
    mtv,
    mul,
    mv,
    rotation,
    row,
    sub,
)
from .contract import C_D, C_K
from .mesh_geometry import (
    ARM_A,
    ARM_B,
    COS_ALPHA,
    E1,
    E1_P,
    E2,
    E3,
    H3,
    H3_P,
    LEVER_A,
    LEVER_B,
    MORE_VECTORS,
    PSI_A_Q,
    PSI_B_Q,
    RADIAL,
    RATE_Q,
    TAN_ALPHA,
    TILT_Q,
    VECTORS,
    geometric_stiffness,
    psi_gradients,
    solve_transposed,
)
from .mesh_law import friction_coefficient
from .mesh_law_layout import (
    BOTH_A,
    BOTH_B,
    BOTH_L,
    BOTH_T,
    BOTH_U,
    BOTH_Y,
    DAMPER,
    F_A,
    F_B,
    F_T,
    FC_A,
    FC_B,
    FC_T,
    FC_Y,
    FLANK,
    FORCE_C,
    FORCE_K,
    FRICTION,
    FRICTION_SPEED,
    LAW,
    LEVER_AB,
    LEVER_BA,
    M_TT,
    MOMENT,
    ROW_A,
    ROW_B,
    ROW_L,
    TERMS,
    W_AA,
    W_AB,
    W_AT,
    W_AY,
    W_BA,
    W_BB,
    W_BT,
    W_BY,
    WIDTH,
)
from .mesh_limits import CHANGES, LIMITS, RADIAL_GRADIENT, TIP_STIFFNESS, fade_stiffness
from .mesh_motion import (
    BY_FORCE,
    COUPLE_SLOPE,
    L2,
    L3,
    MOTION,
    RADIAL_Q,
    RELATIVE,
    RISE,
    SEPARATING,
    SLIDING,
    SPARE,
    WRENCH,
    Y_A,
    Y_B,
)


@block
def _velocity_stiffness(p: A1, F: A1, d: F8, J: A2):
    """Adds d times the derivative of friction and losses by the velocities."""
    if int(p[FRICTION]) != 0:
        f = J[LAW, FORCE_K] + J[LAW, FORCE_C]
        ca = p[COS_ALPHA]
        sign = 1.0 if f >= 0.0 else -1.0
        e2 = row(J, VECTORS, E2)
        e3 = row(J, VECTORS, E3)
        n = add(mul(ca, e3), mul(sign * ca * p[TAN_ALPHA], e2))
        vr = row(J, MOTION, RELATIVE)
        vs = sub(vr, mul(dot(n, vr), n))
        speed = J[MOTION, SLIDING]
        v0 = p[FRICTION_SPEED]
        q = math.sqrt(speed * speed + v0 * v0)
        mu = friction_coefficient(p, F, speed)
        a = d * mu[0] * abs(f) / (ca * q)
        b = -a / (q * q)
        if speed > 0.0:
            b += d * mu[1] * abs(f) / (ca * q * speed)
        D = row(J, MORE_VECTORS, ARM_A)
        B = row(J, MORE_VECTORS, ARM_B)
        # columns of the map from velocities to v_r, one after another: what the friction force changes by
        for j in range(12):
            i = j % 3
            unit = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
            if j < 3:
                v = unit
            elif j < 6:
                v = cross(D, unit)
            elif j < 9:
                v = mul(-1.0, unit)
            else:
                v = cross(B, unit)
            w = sub(v, mul(dot(n, v), n))
            df = add(mul(a, w), mul(b * dot(vs, w), vs))
            mA = cross(df, D)
            mB = cross(df, B)
            for k in range(3):
                J[k, j] += df[k]
                J[3 + k, j] += mA[k]
                J[6 + k, j] -= df[k]
                J[9 + k, j] += mB[k]
    if p[LEVER_AB] > 0.0 or p[LEVER_BA] > 0.0:
        slope = mul(d, row(J, MOTION, COUPLE_SLOPE))
        for j in range(12):
            rate = J[PSI_A_Q, j]
            for k in range(3):
                J[3 + k, j] -= slope[k] * rate
                J[9 + k, j] += slope[k] * rate


@block
def _rate_gradient(p: A1, P: A2, V: A2, J: A2):
    """Gradient by the poses of the rate at which the bearing flank closes into row RATE_Q: V^T (second derivative of u and of what
    the centres add), and the turning of omega with its node, whose components are constant in node axes. Spatial."""
    for i in range(12):
        for j in range(SPARE, SPARE + 12):
            J[i, j] = 0.0
    rise = J[MOTION, RISE]
    wa = p[LEVER_A]
    wb = p[LEVER_B]
    if rise != 0.0:
        wa += rise * J[RADIAL_Q, Y_A]
        wb += rise * J[RADIAL_Q, Y_B]
    l2, l3 = solve_transposed(J, wa, wb)
    geometric_stiffness(p, 1.0, l2, l3, 0.0, rise, rise, SPARE, J)
    for j in range(12):
        J[RATE_Q, j] = 0.0
    for k in range(2):
        o = 6 * k
        omega = mv(rotation(P, k), row(V, k, 3))
        for j in range(12):
            s = 0.0
            for i in range(3):
                s += V[k, i] * J[o + i, SPARE + j] + omega[i] * J[o + 3 + i, SPARE + j]
            J[RATE_Q, j] += s
        gradient = (
            p[LEVER_A] * J[PSI_A_Q, o + 3] + p[LEVER_B] * J[PSI_B_Q, o + 3],
            p[LEVER_A] * J[PSI_A_Q, o + 4] + p[LEVER_B] * J[PSI_B_Q, o + 4],
            p[LEVER_A] * J[PSI_A_Q, o + 5] + p[LEVER_B] * J[PSI_B_Q, o + 5],
        )
        if rise != 0.0:
            gradient = add(gradient, mul(rise, row(J, RADIAL_Q, o + 3)))
        turning = cross(omega, gradient)
        for i in range(3):
            J[RATE_Q, o + 3 + i] += turning[i]


@block
def _radial_gradient(J: A2):
    """Gradient of how much closer the centres are, into row RADIAL_Q: that of a unit force along eta2 at C_B, and what y has of
    psi_A and psi_B. Spatial."""
    e2 = row(J, VECTORS, E2)
    on_a = cross(e2, row(J, MORE_VECTORS, ARM_A))
    on_b = cross(e2, row(J, MORE_VECTORS, ARM_B))
    for i in range(3):
        J[RADIAL_Q, i] = e2[i]
        J[RADIAL_Q, 3 + i] = on_a[i]
        J[RADIAL_Q, 6 + i] = -e2[i]
        J[RADIAL_Q, 9 + i] = on_b[i]
    by_a = J[RADIAL_Q, Y_A]
    by_b = J[RADIAL_Q, Y_B]
    for j in range(12):
        J[RADIAL_Q, j] += by_a * J[PSI_A_Q, j] + by_b * J[PSI_B_Q, j]


@block
def _law_stiffness(p: A1, P: A2, V: A2, K: F8, d: F8, J: A2):
    """Adds what the law changes by: K times by the poses, d times by the velocities. Spatial."""
    if p[WIDTH] > 0.0:
        h3 = row(J, MORE_VECTORS, H3)
        e1 = row(J, VECTORS, E1)
        turn = cross(e1, h3)
        a = dot(row(J, MORE_VECTORS, E1_P), h3)
        b = dot(e1, row(J, MORE_VECTORS, H3_P))
        for j in range(12):
            t = a * J[PSI_A_Q, j] + b * J[PSI_B_Q, j]
            if j > 2 and j < 6:
                t += turn[j - 3]
            elif j > 8:
                t -= turn[j - 9]
            J[TILT_Q, j] = t
    rise = J[MOTION, RISE]
    t = p[RADIAL]
    tips = K * J[LIMITS, TIP_STIFFNESS]
    radial = t > 0.0 or tips != 0.0
    if radial:
        _radial_gradient(J)
    damper = J[LAW, DAMPER]
    if damper != 0.0:
        _rate_gradient(p, P, V, J)
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    for j in range(12):
        a = J[PSI_A_Q, j]
        b = J[PSI_B_Q, j]
        dc = K * damper * J[RATE_Q, j] if damper != 0.0 else 0.0
        dc += K * (J[LAW, FC_A] * a + J[LAW, FC_B] * b) + d * damper * (cA * a + cB * b)
        if p[WIDTH] > 0.0:
            dc += K * J[LAW, FC_T] * J[TILT_Q, j]
        wa = K * (J[LAW, W_AA] * a + J[LAW, W_AB] * b)
        wb = K * (J[LAW, W_BA] * a + J[LAW, W_BB] * b)
        df = K * (J[LAW, F_A] * a + J[LAW, F_B] * b)
        dm = 0.0
        dn = 0.0
        if t > 0.0:
            y = K * t * J[RADIAL_Q, j]
            dc += J[LAW, FC_Y] * y + d * damper * rise * J[RADIAL_Q, j]
            wa += J[LAW, W_AY] * y
            wb += J[LAW, W_BY] * y
            df += J[TERMS, BOTH_U] * y
            dm = J[TERMS, BOTH_T] * y
            dn = t * (K * (J[TERMS, BOTH_A] * a + J[TERMS, BOTH_B] * b) + J[TERMS, BOTH_Y] * y) + rise * dc
        wa += cA * dc
        wb += cB * dc
        df += dc
        if p[WIDTH] > 0.0:
            tilt = K * J[TILT_Q, j]
            wa += J[LAW, W_AT] * tilt
            wb += J[LAW, W_BT] * tilt
            df += J[LAW, F_T] * tilt
            dm += K * (J[LAW, ROW_A] * a + J[LAW, ROW_B] * b) + J[LAW, M_TT] * tilt
            if t > 0.0:
                dn += t * J[TERMS, BOTH_T] * tilt
            for i in range(12):
                J[i, j] += J[TILT_Q, i] * dm
        for i in range(12):
            J[i, j] += J[PSI_A_Q, i] * wa + J[PSI_B_Q, i] * wb + J[WRENCH, BY_FORCE + i] * df
        if radial:
            dn += tips * J[RADIAL_Q, j]
            for i in range(12):
                J[i, j] += J[RADIAL_Q, i] * dn


@block
def _row_stiffness(p: A1, K: F8, J: A2):
    """The same for the multiplier form: stiffness with the force frozen, its column and its row."""
    rise = J[MOTION, RISE]
    t = p[RADIAL]
    if t > 0.0:
        _radial_gradient(J)
    for j in range(12):
        a = J[PSI_A_Q, j]
        b = J[PSI_B_Q, j]
        wa = K * (J[LAW, W_AA] * a + J[LAW, W_AB] * b)
        wb = K * (J[LAW, W_BA] * a + J[LAW, W_BB] * b)
        J[j, 12] = J[LAW, F_A] * a + J[LAW, F_B] * b + J[WRENCH, BY_FORCE + j]
        J[12, j] = J[LAW, ROW_A] * a + J[LAW, ROW_B] * b
        if t > 0.0:
            y = K * t * J[RADIAL_Q, j]
            wa += J[LAW, W_AY] * y
            wb += J[LAW, W_BY] * y
            dn = t * (K * (J[TERMS, BOTH_A] * a + J[TERMS, BOTH_B] * b) + J[TERMS, BOTH_Y] * y)
            J[j, 12] += t * J[TERMS, BOTH_L] * J[RADIAL_Q, j]
            if J[LAW, FLANK] != 0.0:
                J[12, j] += rise * J[RADIAL_Q, j]
            for i in range(12):
                J[i, j] += J[RADIAL_Q, i] * dn
        for i in range(12):
            J[i, j] += J[PSI_A_Q, i] * wa + J[PSI_B_Q, i] * wb
    J[12, 12] = J[LAW, ROW_L]


@block
def _to_material(P: A2, K: F8, columns: I8, J: A2):
    """Rotation rows and columns from world axes to those of the nodes: d(R^T n) = R^T (dn + n x dtheta)."""
    for k in range(2):
        o = 6 * k + 3
        n = row(J, WRENCH, o)
        J[o, o + 1] -= K * n[2]
        J[o, o + 2] += K * n[1]
        J[o + 1, o] += K * n[2]
        J[o + 1, o + 2] -= K * n[0]
        J[o + 2, o] -= K * n[1]
        J[o + 2, o + 1] += K * n[0]
    for k in range(2):
        o = 6 * k + 3
        R = rotation(P, k)
        for j in range(columns):
            v = mtv(R, (J[o, j], J[o + 1, j], J[o + 2, j]))
            J[o, j] = v[0]
            J[o + 1, j] = v[1]
            J[o + 2, j] = v[2]
        for i in range(columns):
            v = mtv(R, row(J, i, o))
            J[i, o] = v[0]
            J[i, o + 1] = v[1]
            J[i, o + 2] = v[2]


@block
def spring_tangent(p: A1, F: A1, P: A2, V: A2, c: A1, J: A2):
    """The tangent of a law that is a function of the approach."""
    K = c[C_K]
    psi_gradients(J)
    t, g = J[MOTION, SEPARATING], J[LIMITS, RADIAL_GRADIENT]
    geometric_stiffness(p, K, J[MOTION, L2], J[MOTION, L3], J[LAW, MOMENT], t, g, 0, J)
    _law_stiffness(p, P, V, K, c[C_D], J)
    if J[LIMITS, CHANGES] != 0.0:
        fade_stiffness(K, WRENCH, J)
    _velocity_stiffness(p, F, c[C_D], J)
    _to_material(P, K, 12, J)


@block
def multiplier_tangent(p: A1, F: A1, P: A2, c: A1, J: A2):
    """The tangent of a law whose force is an unknown of its own."""
    K = c[C_K]
    psi_gradients(J)
    t, g = J[MOTION, SEPARATING], J[LIMITS, RADIAL_GRADIENT]
    geometric_stiffness(p, K, J[MOTION, L2], J[MOTION, L3], J[LAW, MOMENT], t, g, 0, J)
    _row_stiffness(p, K, J)
    _velocity_stiffness(p, F, c[C_D], J)
    _to_material(P, K, 13, J)
