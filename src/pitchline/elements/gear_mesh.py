"""The gear pair: two wheels of any kind, anywhere in space, joined by their teeth.

Geometry (`mesh_geometry`) and law (`mesh_law`) are apart. From the force f along the hoop and the torques about psi_A and psi_B,
(w_A, w_B), one small solve P^T l = -w gives the wrench, in balance in every configuration: one force at one point and one couple,

    F = l2 eta3_A + |f| tan(alpha) eta2_A - F_friction   at C_B,     couple l3 eta2_A x eta3_B + tilting moment + losses,

on A, and their opposites on B (signs of the residual: what the teeth exert is its negative). At an aligned pair l2 = f, l3 = 0.
|f| tan(alpha) is the separating force of the inclined flanks, which may be left out. Friction opposes the sliding velocity v_s,
what is left of the relative velocity v_r of the two bodies at C_B across the normal n:

    F_f = -mu |F_n| v_s / sqrt(v_s^2 + v_0^2),     n = cos(alpha) eta3 + sign(f) sin(alpha) eta2,     F_n = f / cos(alpha).

Losses of pairs whose pitch point does not slide are a couple against the relative rotation, proportional to |f|.

Teeth may follow their centres: a flank comes closer by t y, t = tan(alpha), when the centres do by y (and backlash shrinks by
2 t y). The separating force is then the gradient of the same energy: s = u +- t y.

The tangent is exact but for the turning of friction and losses with the poses, which is small and costs Newton nothing, and for
second derivatives of y where the pitch points do not meet.

Memory: psi_A and psi_B of the last accepted step, counting turns, and whole teeth between them; u is made of principal
angles and integers, so that no number of turns costs a digit.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, F8, I8, V2, block, kernel, leaf
from ..math.vectors import add, cross, dot, mtv, mul, mv, rotation, row, set_vec, sub
from .contract import (
    C_D,
    C_K,
    COMMIT,
    DAMP,
    POWER_IN,
    POWER_OUT,
    RATE,
    REPORT,
    TANGENT,
    Element,
    ElementKind,
    SignalSpec,
    unit_signal,
)
from .mesh_geometry import (
    ARM_A,
    ARM_B,
    CENTRE,
    COS_ALPHA,
    E1,
    E1_P,
    E2,
    E3,
    H3,
    H3_P,
    LEVER_A,
    LEVER_B,
    M1,
    M2,
    M3,
    MORE_VECTORS,
    PITCH,
    POINT,
    PSI_A,
    PSI_A_Q,
    PSI_B,
    PSI_B_Q,
    RACK,
    RADIAL,
    RADIUS_A,
    RATE_Q,
    SCALARS,
    SEPARATION,
    TAN_ALPHA,
    TEETH_A,
    TEETH_B,
    TILT_Q,
    TWO_PI,
    VECTORS,
    X1,
    X2,
    X3,
    geometric_stiffness,
    mesh_frame,
    psi_gradients,
    solve,
    solve_transposed,
)
from .mesh_law import friction_coefficient, multiplier_law, spring_law
from .mesh_law_layout import (
    BACKLASH,
    DAMPER,
    DEFLECTION,
    ENERGY,
    ERROR_TERM,
    F_A,
    F_B,
    F_T,
    FC_A,
    FC_B,
    FC_S,
    FC_T,
    FLANK,
    FORCE_C,
    FORCE_K,
    FORM,
    FRICTION,
    FRICTION_SPEED,
    GAP,
    LAW,
    LEVER_AB,
    LEVER_BA,
    LOSS_SPEED,
    M_TT,
    MOMENT,
    NO_FRICTION,
    OFFSET,
    POWER,
    ROW_A,
    ROW_B,
    ROW_L,
    SHARE,
    SPRING,
    STIFFNESS,
    TABLED,
    TERMS,
    W_A,
    W_AA,
    W_AB,
    W_AS,
    W_AT,
    W_B,
    W_BA,
    W_BB,
    W_BS,
    W_BT,
    WIDTH,
)
from .mesh_terms import law_terms

MOTION = 29
"""Scratch row of J: u, its rate, rates of psi_A and psi_B, tilt, l2, l3, separating force, sliding speed, losses."""
U, U_RATE, RATE_A, RATE_B, TILT, L2, L3, SEPARATING, SLIDING, FRICTION_LOSS, COUPLE_LOSS = range(11)
FRICTION_FORCE, COUPLE, RELATIVE, SPIN = 12, 15, 18, 21  # on A; couple on A; v_r; omega_A - omega_B
PUT_IN, LOST, COUPLE_SLOPE = 24, 25, 26  # the last: derivative of the couple by the rate of psi_A
RISE = 11  # derivative of the approach of the bearing flank by how much closer the centres are
CLOSER, CLOSING = 29, 30  # how much closer the centres are; rate at which the bearing flank closes
WRENCH = 30
"""Scratch row: force and moment about node A, moment about node B, spatial, as in the residual; then the part that goes with df."""
BY_FORCE = 12
RADIAL_Q = 31
"""Scratch row: gradient of how much closer the centres are."""
TABLE_LOAD = "table_load"
"""Signal of meshes whose force comes from a table."""
SPARE = 16
"""First of twelve columns of J in which a second derivative is built."""


@leaf
def unwrapped(angle: F8, reference: F8) -> F8:
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def _approach(p: A1, h: A1, J: A2) -> F8:
    """u from principal angles and whole teeth."""
    psi_a = J[SCALARS, PSI_A]
    psi_b = J[SCALARS, PSI_B]
    teeth = h[2] + p[TEETH_A] * np.round((h[0] - psi_a) / TWO_PI)
    if p[RACK] == 0.0:
        teeth += p[TEETH_B] * np.round((h[1] - psi_b) / TWO_PI)
    return p[LEVER_A] * psi_a + p[LEVER_B] * psi_b + p[PITCH] * teeth


@leaf
def _rise(p: A1, F: A1, u: F8, lam: F8, J: A2) -> F8:
    """tan(alpha) on the drive flank, its negative on the coast flank: what the flank gains as the centres close in.

    Which flank: that of the force, or the nearer one."""
    t = p[RADIAL]
    if int(p[FORM]) != SPRING and lam != 0.0:
        return t if lam > 0.0 else -t
    law_terms(p, F, J)
    return t if u + J[TERMS, ERROR_TERM] - p[OFFSET] + 0.5 * p[BACKLASH] >= 0.0 else -t


@leaf
def _with_centres(p: A1, u: F8, y: F8, rise: F8) -> V2:
    """Approach of the drive flank and backlash with centres that are y closer: u + t y, b - 2 t y; b = 0 has no play to lose."""
    b = p[BACKLASH]
    if b <= 0.0:
        return (u + rise * y, b)
    t = p[RADIAL]
    return (u + t * y, max(b - 2.0 * t * y, 1e-3 * b))


@block
def _friction(p: A1, F: A1, f: F8, rate_a: F8, damp: F8, J: A2):
    """Friction force and couple of the losses on A, times `damp`, into row MOTION."""
    e2 = row(J, VECTORS, E2)
    e3 = row(J, VECTORS, E3)
    zero = (0.0, 0.0, 0.0)
    force = zero
    couple = zero
    vr = row(J, MOTION, RELATIVE)
    ca = p[COS_ALPHA]
    sign = 1.0 if f >= 0.0 else -1.0
    n = add(mul(ca, e3), mul(sign * ca * p[TAN_ALPHA], e2))
    vs = sub(vr, mul(dot(n, vr), n))
    speed = math.sqrt(dot(vs, vs))
    J[MOTION, SLIDING] = speed
    if int(p[FRICTION]) != 0:
        mu = friction_coefficient(p, F, speed)
        v0 = p[FRICTION_SPEED]
        force = mul(-damp * mu[0] * abs(f) / ca / math.sqrt(speed * speed + v0 * v0), vs)
    slope = zero
    if p[LEVER_AB] > 0.0 or p[LEVER_BA] > 0.0:
        lever = p[LEVER_AB] if f * rate_a > 0.0 else p[LEVER_BA]
        axis = row(J, VECTORS, M1)
        if p[RACK] == 0.0:
            axis = add(axis, mul(p[LEVER_A] / p[LEVER_B], row(J, VECTORS, X1)))
        q = math.sqrt(rate_a * rate_a + p[LOSS_SPEED] * p[LOSS_SPEED])
        axis = mul(-damp * lever * abs(f) / math.sqrt(dot(axis, axis)), axis)
        couple = mul(rate_a / q, axis)
        slope = mul(p[LOSS_SPEED] * p[LOSS_SPEED] / (q * q * q), axis)
    J[MOTION, FRICTION_LOSS] = -dot(force, vr)
    J[MOTION, COUPLE_LOSS] = -dot(couple, row(J, MOTION, SPIN))
    for i in range(3):
        J[MOTION, FRICTION_FORCE + i] = force[i]
        J[MOTION, COUPLE + i] = couple[i]
        J[MOTION, COUPLE_SLOPE + i] = slope[i]


@block
def mesh_motion(p: A1, h: A1, P: A2, V: A2, J: A2) -> I8:
    """Frame, approach and rates of a state, in the scratch rows of J. 0 if the wheels are out of mesh."""
    if mesh_frame(p, P, J) == 0:
        return 0
    e2 = row(J, VECTORS, E2)
    e3 = row(J, VECTORS, E3)
    h3 = row(J, MORE_VECTORS, H3)
    wA = mv(rotation(P, 0), row(V, 0, 3))
    wB = mv(rotation(P, 1), row(V, 1, 3))
    at_a = cross(wA, row(J, MORE_VECTORS, ARM_A))
    vr = sub(sub(sub(row(V, 0, 0), row(V, 1, 0)), at_a), cross(wB, row(J, MORE_VECTORS, ARM_B)))
    spin = sub(wA, wB)
    rate_a, rate_b = solve(J, dot(e3, vr), dot(cross(e2, h3), spin))
    J[MOTION, U] = _approach(p, h, J)
    J[MOTION, U_RATE] = p[LEVER_A] * rate_a + p[LEVER_B] * rate_b
    J[MOTION, RATE_A] = rate_a
    J[MOTION, RATE_B] = rate_b
    J[MOTION, TILT] = dot(row(J, VECTORS, E1), h3) if p[WIDTH] > 0.0 else 0.0
    J[MOTION, CLOSER] = 0.0
    if p[RADIAL] > 0.0:
        gap = add(row(J, MORE_VECTORS, CENTRE), mul(p[RADIUS_A], row(J, VECTORS, M2)))
        J[MOTION, CLOSER] = dot(gap, e2)
    for i in range(3):
        J[MOTION, RELATIVE + i] = vr[i]
        J[MOTION, SPIN + i] = spin[i]
    return 1


@block
def _loaded(p: A1, h: A1, F: A1, P: A2, V: A2, lam: F8, c: A1, mode: I8, J: A2) -> I8:
    """Geometry, law and wrench of a state, in the scratch rows of J. 0 if the wheels are out of mesh."""
    if mesh_motion(p, h, P, V, J) == 0:
        return 0
    rate_a = J[MOTION, RATE_A]
    rate_b = J[MOTION, RATE_B]
    approach = J[MOTION, U]
    backlash = p[BACKLASH]
    closing = J[MOTION, U_RATE]
    rise = 0.0
    if p[RADIAL] > 0.0:
        rise = _rise(p, F, approach, lam, J)
        closing += rise * dot(row(J, VECTORS, E2), row(J, MOTION, RELATIVE))
        approach, backlash = _with_centres(p, approach, J[MOTION, CLOSER], rise)
    if int(p[FORM]) == SPRING:
        tangent = 1 if mode == TANGENT else 0
        spring_law(p, F, approach, backlash, closing, J[MOTION, TILT], rate_a, rate_b, c[DAMP], tangent, J)
    else:
        multiplier_law(p, F, c, approach, backlash, rate_a, rate_b, lam, J)
        if p[RADIAL] > 0.0 and p[BACKLASH] > 0.0:
            rise = p[RADIAL] * J[LAW, FLANK]
    J[MOTION, RISE] = rise
    J[MOTION, CLOSING] = closing
    mesh_wrench(p, F, c, mode, J)
    return 1


@block
def mesh_wrench(p: A1, F: A1, c: A1, mode: I8, J: A2):
    """Wrench and powers of what the law has left in row LAW, in the scratch rows of J."""
    e2 = row(J, VECTORS, E2)
    e3 = row(J, VECTORS, E3)
    h3 = row(J, MORE_VECTORS, H3)
    D = row(J, MORE_VECTORS, ARM_A)
    B = row(J, MORE_VECTORS, ARM_B)
    vr = row(J, MOTION, RELATIVE)
    rise = J[MOTION, RISE]
    f = J[LAW, FORCE_K] + J[LAW, FORCE_C]
    m = J[LAW, MOMENT]
    w1 = J[LAW, W_A]
    w2 = J[LAW, W_B]
    if m != 0.0:
        w1 += m * dot(row(J, MORE_VECTORS, E1_P), h3)
        w2 += m * dot(row(J, VECTORS, E1), row(J, MORE_VECTORS, H3_P))
    l2, l3 = solve_transposed(J, w1, w2)
    t = abs(f) * p[SEPARATION]
    force = add(mul(l2, e3), mul(t, e2))
    couple = mul(l3, cross(e2, h3))
    if m != 0.0:
        couple = add(couple, mul(m, cross(row(J, VECTORS, E1), h3)))
    J[MOTION, L2] = l2
    J[MOTION, L3] = l3
    J[MOTION, SEPARATING] = t
    J[MOTION, FRICTION_LOSS] = 0.0
    J[MOTION, COUPLE_LOSS] = 0.0
    J[MOTION, SLIDING] = 0.0
    dissipating = c[DAMP] > 0.0 and (int(p[FRICTION]) != NO_FRICTION or p[LEVER_AB] > 0.0 or p[LEVER_BA] > 0.0)
    friction = (0.0, 0.0, 0.0)
    loss = (0.0, 0.0, 0.0)
    if dissipating or mode == REPORT:
        _friction(p, F, f, J[MOTION, RATE_A], c[DAMP], J)
        friction = row(J, MOTION, FRICTION_FORCE)
        loss = row(J, MOTION, COUPLE)
        force = sub(force, friction)
        couple = sub(couple, loss)
    momentA = add(cross(force, D), couple)
    momentB = sub(cross(force, B), couple)
    for i in range(3):
        J[WRENCH, i] = force[i]
        J[WRENCH, 3 + i] = momentA[i]
        J[WRENCH, 6 + i] = -force[i]
        J[WRENCH, 9 + i] = momentB[i]
    if mode == TANGENT:
        sign = 1.0 if f > 0.0 else (-1.0 if f < 0.0 else 0.0)
        by_force = mul(sign * p[SEPARATION] if rise == 0.0 else rise, e2)
        by_couple = (0.0, 0.0, 0.0)
        if f != 0.0:
            by_force = sub(by_force, mul(1.0 / f, friction))
            by_couple = mul(-1.0 / f, loss)
        byA = add(cross(by_force, D), by_couple)
        byB = sub(cross(by_force, B), by_couple)
        for i in range(3):
            J[WRENCH, BY_FORCE + i] = by_force[i]
            J[WRENCH, BY_FORCE + 3 + i] = byA[i]
            J[WRENCH, BY_FORCE + 6 + i] = -by_force[i]
            J[WRENCH, BY_FORCE + 9 + i] = byB[i]
    # a separating force without a potential: what it does when the wheels move apart comes from outside
    J[MOTION, PUT_IN] = J[LAW, POWER] - (t - f * rise) * dot(e2, vr)
    J[MOTION, LOST] = J[LAW, FORCE_C] * J[MOTION, CLOSING] + J[MOTION, FRICTION_LOSS] + J[MOTION, COUPLE_LOSS]


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
    """Gradient of the rate of u by the poses into row RATE_Q: V^T (second derivative of u), and the turning of omega with its
    node, whose components are constant in node axes. Spatial."""
    for i in range(12):
        for j in range(SPARE, SPARE + 12):
            J[i, j] = 0.0
    l2, l3 = solve_transposed(J, p[LEVER_A], p[LEVER_B])
    geometric_stiffness(p, 1.0, l2, l3, 0.0, 0.0, SPARE, J)
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
        turning = cross(omega, gradient)
        for i in range(3):
            J[RATE_Q, o + 3 + i] += turning[i]


@block
def _radial_gradient(J: A2):
    """Gradient of how much closer the centres are, into row RADIAL_Q: that of a unit force along eta2 at C_B. Spatial."""
    e2 = row(J, VECTORS, E2)
    on_a = cross(e2, row(J, MORE_VECTORS, ARM_A))
    on_b = cross(e2, row(J, MORE_VECTORS, ARM_B))
    for i in range(3):
        J[RADIAL_Q, i] = e2[i]
        J[RADIAL_Q, 3 + i] = on_a[i]
        J[RADIAL_Q, 6 + i] = -e2[i]
        J[RADIAL_Q, 9 + i] = on_b[i]


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
    if rise != 0.0:
        _radial_gradient(J)
    damper = J[LAW, DAMPER]
    if damper != 0.0:
        _rate_gradient(p, P, V, J)
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    for j in range(12):
        a = J[PSI_A_Q, j]
        b = J[PSI_B_Q, j]
        y = rise * J[RADIAL_Q, j] if rise != 0.0 else 0.0
        dc = K * damper * J[RATE_Q, j] if damper != 0.0 else 0.0
        dc += K * (J[LAW, FC_A] * a + J[LAW, FC_B] * b + J[LAW, FC_S] * y) + d * damper * (cA * a + cB * b + y)
        if p[WIDTH] > 0.0:
            dc += K * J[LAW, FC_T] * J[TILT_Q, j]
        wa = K * (J[LAW, W_AA] * a + J[LAW, W_AB] * b + J[LAW, W_AS] * y) + cA * dc
        wb = K * (J[LAW, W_BA] * a + J[LAW, W_BB] * b + J[LAW, W_BS] * y) + cB * dc
        df = K * (J[LAW, F_A] * a + J[LAW, F_B] * b + J[LAW, STIFFNESS] * y) + dc
        if p[WIDTH] > 0.0:
            t = K * J[TILT_Q, j]
            wa += J[LAW, W_AT] * t
            wb += J[LAW, W_BT] * t
            df += J[LAW, F_T] * t
            dm = K * (J[LAW, ROW_A] * a + J[LAW, ROW_B] * b + J[LAW, F_T] * y) + J[LAW, M_TT] * t
            for i in range(12):
                J[i, j] += J[TILT_Q, i] * dm
        for i in range(12):
            J[i, j] += J[PSI_A_Q, i] * wa + J[PSI_B_Q, i] * wb + J[WRENCH, BY_FORCE + i] * df


@block
def _multiplier_stiffness(p: A1, K: F8, J: A2):
    """The same for the multiplier form: stiffness with the force frozen, its column and its row."""
    rise = J[MOTION, RISE]
    if rise != 0.0:
        _radial_gradient(J)
    for j in range(12):
        a = J[PSI_A_Q, j]
        b = J[PSI_B_Q, j]
        wa = K * (J[LAW, W_AA] * a + J[LAW, W_AB] * b)
        wb = K * (J[LAW, W_BA] * a + J[LAW, W_BB] * b)
        for i in range(12):
            J[i, j] += J[PSI_A_Q, i] * wa + J[PSI_B_Q, i] * wb
        J[j, 12] = J[LAW, F_A] * a + J[LAW, F_B] * b + J[WRENCH, BY_FORCE + j]
        J[12, j] = J[LAW, ROW_A] * a + J[LAW, ROW_B] * b
        if rise != 0.0 and J[LAW, FLANK] != 0.0:
            J[12, j] += rise * J[RADIAL_Q, j]
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


@leaf
def put_wrench(P: A2, J: A2, r: A1):
    F = row(J, WRENCH, 0)
    set_vec(r, 0, F)
    set_vec(r, 3, mtv(rotation(P, 0), row(J, WRENCH, 3)))
    set_vec(r, 6, mul(-1.0, F))
    set_vec(r, 9, mtv(rotation(P, 1), row(J, WRENCH, 9)))


@block
def report_mesh(p: A1, h: A1, P: A2, J: A2, r: A1):
    f = J[LAW, FORCE_K] + J[LAW, FORCE_C]
    ca = p[COS_ALPHA]
    force = mul(-1.0, row(J, WRENCH, 0))  # on A
    couple = mul(-1.0, sub(row(J, WRENCH, 3), cross(row(J, WRENCH, 0), row(J, MORE_VECTORS, ARM_A))))
    centre = row(J, MORE_VECTORS, CENTRE)  # x_A - C_B
    point = row(J, MORE_VECTORS, POINT)
    m1 = row(J, VECTORS, M1)
    m2 = row(J, VECTORS, M2)
    m3 = row(J, VECTORS, M3)
    x2 = row(J, VECTORS, X2)
    x3 = row(J, VECTORS, X3)
    to_b = mul(p[2], x2)  # C_B from the centre of B; of a rack moments are about the pitch point
    loss = J[MOTION, LOST]
    r[1] = J[LAW, ENERGY]
    r[2] = J[MOTION, PUT_IN]
    r[3] = loss
    r[4] = f / ca
    r[5] = dot(force, m3)
    r[6] = dot(force, m2)
    r[7] = dot(force, m1)
    r[8] = -dot(force, x3)
    r[9] = -dot(force, x2)
    r[10] = -dot(force, row(J, VECTORS, X1))
    set_vec(r, 11, force)
    set_vec(r, 14, add(couple, cross(force, centre)))
    set_vec(r, 17, mul(-1.0, force))
    set_vec(r, 20, sub(cross(force, to_b), couple))
    set_vec(r, 23, point)
    r[26] = J[MOTION, U]
    r[27] = J[MOTION, U] * ca
    r[28] = J[LAW, DEFLECTION] * ca
    r[29] = J[LAW, STIFFNESS]
    r[30] = J[MOTION, SLIDING]
    r[31] = J[MOTION, FRICTION_LOSS]
    r[32] = loss
    r[33] = J[LAW, FLANK]
    cycle = p[TEETH_A] * J[SCALARS, PSI_A] / TWO_PI
    cycle -= np.floor(cycle)
    r[34] = cycle if cycle < 1.0 else 0.0
    r[35] = unwrapped(J[SCALARS, PSI_A], h[0])
    r[36] = unwrapped(J[SCALARS, PSI_B], h[1]) if p[RACK] == 0.0 else J[SCALARS, PSI_B]
    gap = add(centre, mul(p[RADIUS_A], m2))
    r[37] = math.sqrt(dot(gap, gap))
    r[38] = J[MOTION, TILT]
    r[39] = J[LAW, SHARE] if p[TABLED] != 0.0 else 0.0


@block
def count_turns(p: A1, h: A1, P: A2, J: A2) -> I8:
    """Turns and teeth of an accepted state, into the memory. 1 the first time, 0 later, -1 out of mesh."""
    if mesh_frame(p, P, J) == 0:
        return -1
    if h[3] != 0.0:  # first time: the teeth that stand next to each other mesh
        h[0] = J[SCALARS, PSI_A]
        h[1] = J[SCALARS, PSI_B]
        h[2] = 0.0
        h[2] = -np.round(_approach(p, h, J) / p[PITCH])
        h[3] = 0.0
        return 1
    h[0] = unwrapped(J[SCALARS, PSI_A], h[0])
    h[1] = unwrapped(J[SCALARS, PSI_B], h[1]) if p[RACK] == 0.0 else J[SCALARS, PSI_B]
    return 0


@block
def spring_tangent(p: A1, F: A1, P: A2, V: A2, c: A1, J: A2):
    """The tangent of a law that is a function of the approach."""
    K = c[C_K]
    psi_gradients(J)
    geometric_stiffness(p, K, J[MOTION, L2], J[MOTION, L3], J[LAW, MOMENT], J[MOTION, SEPARATING], 0, J)
    _law_stiffness(p, P, V, K, c[C_D], J)
    _velocity_stiffness(p, F, c[C_D], J)
    _to_material(P, K, 12, J)


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    form = int(p[FORM])
    if mode == COMMIT:
        count_turns(p, h, P, J)
        return
    l = lam[0] if form != SPRING else 0.0
    if _loaded(p, h, F, P, V, l, c, mode, J) == 0:
        # out of mesh: no number can be right, and Newton is told so
        for i in range(12):
            r[i] = np.nan
        return
    if mode == REPORT:
        report_mesh(p, h, P, J, r)
        return
    if form != SPRING:
        if mode == RATE:
            if J[LAW, FLANK] != 0.0:
                r[12] = J[LAW, ROW_A] * J[MOTION, RATE_A] + J[LAW, ROW_B] * J[MOTION, RATE_B]
                if J[MOTION, RISE] != 0.0:
                    r[12] += J[MOTION, RISE] * dot(row(J, VECTORS, E2), row(J, MOTION, RELATIVE))
            elif c[C_K] > 0.0:
                r[12] = J[LAW, GAP] * c[C_D] / c[C_K]  # the same row lambda = 0, in the scale of a rate
            return
        r[12] = J[LAW, GAP]
    if mode == TANGENT:
        if form == SPRING:
            spring_tangent(p, F, P, V, c, J)
        else:
            K = c[C_K]
            psi_gradients(J)
            geometric_stiffness(p, K, J[MOTION, L2], J[MOTION, L3], J[LAW, MOMENT], J[MOTION, SEPARATING], 0, J)
            _multiplier_stiffness(p, K, J)
            _velocity_stiffness(p, F, c[C_D], J)
            _to_material(P, K, 13, J)
    put_wrench(P, J, r)
    r[POWER_IN] = J[MOTION, PUT_IN]
    r[POWER_OUT] = J[MOTION, LOST]


GEAR_MESH = ElementKind(
    "gear mesh",
    evaluate,
    signals=(
        SignalSpec("normal_force", "N", "force along the line of action, positive where A drives turning positively"),
        SignalSpec("tangential_force", "N", "force on wheel A along its pitch circle"),
        SignalSpec("radial_force", "N", "force on wheel A from its centre towards the pitch point"),
        SignalSpec("axial_force", "N", "force on wheel A along the axis of its triad"),
        SignalSpec("tangential_force_b", "N", "force on wheel B along its pitch circle"),
        SignalSpec("radial_force_b", "N", "force on wheel B from its centre towards the pitch point"),
        SignalSpec("axial_force_b", "N", "force on wheel B along the axis of its triad"),
        unit_signal("force_a", "N", "force on wheel A"),
        unit_signal("moment_a", "N*m", "moment on wheel A about its centre"),
        unit_signal("force_b", "N", "force on wheel B"),
        unit_signal("moment_b", "N*m", "moment on wheel B about its centre (of a rack: about the pitch point)"),
        unit_signal("contact_point", "m", "pitch point at which the teeth touch"),
        SignalSpec("approach", "m", "how far the teeth of A are ahead of those of B, along the hoop"),
        SignalSpec("transmission_error", "m", "the same along the line of action: dynamic transmission error"),
        SignalSpec("deflection", "m", "deflection of the teeth along the line of action"),
        SignalSpec("stiffness", "N/m", "present stiffness of the mesh along the hoop"),
        SignalSpec("sliding_speed", "m/s", "sliding speed of the teeth at the pitch point"),
        SignalSpec("friction_loss", "W", "power lost by friction"),
        SignalSpec("loss", "W", "power lost by friction, damping and the mesh's efficiency"),
        SignalSpec("contact", "", "1 on the drive flank, -1 on the coast flank, 0 in the backlash"),
        SignalSpec("phase", "", "part of the mesh cycle, 0 to 1"),
        SignalSpec("psi_a", "rad", "rotation of wheel A in the mesh frame, counting turns"),
        SignalSpec("psi_b", "rad", "rotation of wheel B in the mesh frame, counting turns"),
        SignalSpec("misalignment", "m", "distance of the two pitch points"),
        SignalSpec("tilt", "rad", "tilt of the teeth about the centre line, where contact is along a line"),
        SignalSpec(TABLE_LOAD, "", "force over the largest load of the table; beyond 1 the table is continued straight"),
    ),
    commits=True,
    exchanges_power=True,
    full_pattern=True,
)  # fmt: skip


def gear_mesh(name: str, nodes: tuple[int, int], geometry: np.ndarray, law: np.ndarray) -> Element:
    """A gear pair: `geometry` from `encode_geometry`, `law` from `encode_law`. Its memory is set by a first COMMIT."""
    p = np.concatenate([geometry, law])
    rows = "" if int(p[FORM]) == SPRING else "t"
    signals = None if p[TABLED] else tuple(s.name for s in GEAR_MESH.signals if s.name != TABLE_LOAD)
    rename = {"psi_b": SignalSpec("psi_b", "m", "travel of the rack B in the mesh frame")} if p[RACK] else {}
    memory = np.array([0.0, 0.0, 0.0, 1.0])
    return Element(GEAR_MESH, name, nodes, p, rows=rows, memory=memory, signals=signals, rename=rename)
