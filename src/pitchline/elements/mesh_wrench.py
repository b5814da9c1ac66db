"""From the force of the teeth to the wrench on both wheels: balance, separating force, friction, losses, powers."""

import math

from ..math.compiled import A1, A2, F8, I8, block, leaf
from ..math.vectors import (
    add,
    cross,
    dot,
    mtv,
    mul,
    rotation,
    row,
    set_vec,
    sub,
)
from .contract import DAMP, REPORT, TANGENT
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
    M1,
    MORE_VECTORS,
    RACK,
    RADIAL,
    SEPARATION,
    TAN_ALPHA,
    VECTORS,
    X1,
    solve_transposed,
)
from .mesh_law import friction_coefficient
from .mesh_law_layout import (
    BOTH,
    FORCE_C,
    FORCE_K,
    FRICTION,
    FRICTION_SPEED,
    LAW,
    LEVER_AB,
    LEVER_BA,
    LOSS_SPEED,
    MOMENT,
    NO_FRICTION,
    POWER,
    TERMS,
    W_A,
    W_B,
)
from .mesh_limits import CHANGES, COUPLE_A, COUPLE_B, FACE_ENERGY, FACE_FORCE, LIMITS, RADIAL_GRADIENT, TIP
from .mesh_motion import (
    BY_FORCE,
    CLOSING,
    COUPLE,
    COUPLE_LOSS,
    COUPLE_SLOPE,
    FRICTION_FORCE,
    FRICTION_LOSS,
    L2,
    L3,
    LOST,
    MOTION,
    PUT_IN,
    RADIAL_Q,
    RATE_A,
    RELATIVE,
    RISE,
    SEPARATING,
    SLIDING,
    SPIN,
    WRENCH,
    Y_A,
    Y_B,
)


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
    follows = p[RADIAL] > 0.0
    t = abs(f) * p[SEPARATION]
    if follows:
        # conjugate to y, with what y has of psi_A and psi_B
        t = p[RADIAL] * J[TERMS, BOTH] + rise * J[LAW, FORCE_C]
    radial = t + J[LIMITS, TIP]
    gradient = radial if follows else J[LIMITS, TIP]  # the part of it that has a potential
    if gradient != 0.0:
        w1 += gradient * J[RADIAL_Q, Y_A]
        w2 += gradient * J[RADIAL_Q, Y_B]
    l2, l3 = solve_transposed(J, w1, w2)
    force = add(mul(l2, e3), mul(radial, e2))
    if J[LIMITS, CHANGES] != 0.0:
        force = add(force, row(J, LIMITS, FACE_FORCE))
    couple = mul(l3, cross(e2, h3))
    if m != 0.0:
        couple = add(couple, mul(m, cross(row(J, VECTORS, E1), h3)))
    J[MOTION, L2] = l2
    J[MOTION, L3] = l3
    J[MOTION, SEPARATING] = radial
    J[LIMITS, RADIAL_GRADIENT] = gradient
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
    if J[LIMITS, CHANGES] != 0.0:
        momentA = add(momentA, mul(J[LIMITS, FACE_ENERGY], row(J, LIMITS, COUPLE_A)))
        momentB = add(momentB, mul(J[LIMITS, FACE_ENERGY], row(J, LIMITS, COUPLE_B)))
    for i in range(3):
        J[WRENCH, i] = force[i]
        J[WRENCH, 3 + i] = momentA[i]
        J[WRENCH, 6 + i] = -force[i]
        J[WRENCH, 9 + i] = momentB[i]
    if mode == TANGENT:
        sign = 1.0 if f > 0.0 else (-1.0 if f < 0.0 else 0.0)
        by_force = mul(0.0 if follows else sign * p[SEPARATION], e2)  # what follows the centres is added with its gradient
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
    J[MOTION, PUT_IN] = J[LAW, POWER] if follows else J[LAW, POWER] - t * dot(e2, vr)
    J[MOTION, LOST] = J[LAW, FORCE_C] * J[MOTION, CLOSING] + J[MOTION, FRICTION_LOSS] + J[MOTION, COUPLE_LOSS]


@leaf
def put_wrench(P: A2, J: A2, r: A1):
    F = row(J, WRENCH, 0)
    set_vec(r, 0, F)
    set_vec(r, 3, mtv(rotation(P, 0), row(J, WRENCH, 3)))
    set_vec(r, 6, mul(-1.0, F))
    set_vec(r, 9, mtv(rotation(P, 1), row(J, WRENCH, 9)))
