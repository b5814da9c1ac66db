"""The law of a mesh whose tooth force comes from tables of loaded teeth, one for each flank.

With the error x(psi_A, psi_B), s = u + x - offset, and theta = z_A psi_A,

    V(s, psi_A) = V_drive(s, theta) + V_coast(-(s + b), theta) ,     f = dV/ds ,

each flank bearing where its approach exceeds that of first touch; of teeth that follow their centres both approaches grow by t y
(s and b are given so), and the force along t y is the sum of both. V depends on psi_A also through theta: an energy-consistent
law is the whole gradient, with the torques f x_A + V_psi about psi_A and f x_B about psi_B.

As one multiplier lam the law is Phi = s - u_drive(lam, theta) = 0 on the drive flank and s + b + u_coast(-lam, theta) = 0 on the
coast flank: the table itself, without its inverse. The energy is then lam s - V*(lam, theta), of which psi-derivatives at a frozen
lam are taken. Flanks are chosen by the force, as in `mesh_law`.
"""

from ..math.compiled import A1, A2, F8, I8, block, leaf
from .contract import C_K, C_L
from .load_table import (
    T_APPROACH,
    T_COMPLIANCE,
    T_FORCE,
    T_SHARE,
    T_STAR,
    T_STAR_1,
    T_STAR_2,
    T_TOUCH,
    T_TURN,
    table_at_approach,
    table_at_force,
)
from .mesh_geometry import LEVER_A, LEVER_B, PSI_A, SCALARS, TEETH_A
from .mesh_law_layout import (
    ALWAYS,
    BOTH,
    BOTH_A,
    BOTH_B,
    BOTH_L,
    BOTH_T,
    BOTH_U,
    BOTH_Y,
    COAST_TABLE,
    CONSISTENT,
    DAMPER,
    DAMPING,
    DAMPING_MODE,
    DEFLECTION,
    DEPTH,
    DRIVE_TABLE,
    ENERGY,
    ERROR_TERM,
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
    GAP,
    LAW,
    M_TT,
    MEAN_STIFFNESS,
    MOMENT,
    NEVER_PULLING,
    OFFSET,
    POWER,
    ROW_A,
    ROW_B,
    ROW_L,
    SHARE,
    SIGMA,
    STIFFNESS,
    TABLE,
    TERMS,
    W_A,
    W_AA,
    W_AB,
    W_AT,
    W_AY,
    W_B,
    W_BA,
    W_BB,
    W_BT,
    W_BY,
)
from .mesh_terms import law_terms

# behind what the table gives: sums over both flanks of V, of its derivatives by s and psi_A, of the deflections, and of
# the signs of the flanks that bear; of the forces without sign, and of their derivatives by s and psi_A
V_0, V_S, V_P, V_SS, V_SP, V_PP, BENT, BEARS, SUM, SUM_S, SUM_P = 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26


@leaf
def _add_flank(F: A1, o: I8, sign: F8, approach: F8, z: F8, angle: F8, J: A2):
    """Adds what a flank gives, if it bears; sign: of its force."""
    if table_at_approach(F, o, approach, angle, J) == 0:
        return
    f = J[TABLE, T_FORCE]
    k = 1.0 / J[TABLE, T_COMPLIANCE]
    turn = z * J[TABLE, T_TURN]
    J[TABLE, V_0] += f * approach - J[TABLE, T_STAR]
    J[TABLE, V_S] += sign * f
    J[TABLE, V_P] -= z * J[TABLE, T_STAR_1]
    J[TABLE, V_SS] += k
    J[TABLE, V_SP] -= sign * k * turn
    J[TABLE, V_PP] += k * turn * turn - z * z * J[TABLE, T_STAR_2]
    J[TABLE, BENT] += sign * (approach - J[TABLE, T_TOUCH])
    J[TABLE, BEARS] += sign
    J[TABLE, SUM] += f
    J[TABLE, SUM_S] += sign * k
    J[TABLE, SUM_P] -= k * turn
    J[LAW, SHARE] = max(J[LAW, SHARE], J[TABLE, T_SHARE])


@block
def loaded_spring_law(
    p: A1, F: A1, u: F8, b: F8, rate: F8, closing: F8, rate_a: F8, rate_b: F8, damp: F8, tangent: I8, J: A2
):
    """Force and, if asked, derivatives of the law as a function of the approach u at a backlash b, into row LAW.
    closing: what the motion of the centres adds to the rate on either flank."""
    law_terms(p, F, J)
    xA = J[TERMS, 7]
    xB = J[TERMS, 8]
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    z = p[TEETH_A]
    angle = z * J[SCALARS, PSI_A]
    s = u + J[TERMS, ERROR_TERM] - p[OFFSET]
    for i in range(V_0, SUM_P + 1):
        J[TABLE, i] = 0.0
    J[LAW, SHARE] = 0.0
    _add_flank(F, int(p[DRIVE_TABLE]), 1.0, s, z, angle, J)
    _add_flank(F, int(p[COAST_TABLE]), -1.0, -(s + b), z, angle, J)
    f = J[TABLE, V_S]
    k = J[TABLE, V_SS]
    side = J[TABLE, BEARS]  # none in the gap, and none where both bear
    rate += side * closing
    J[TERMS, BOTH] = J[TABLE, SUM]
    J[TERMS, SIGMA] = side
    # the damper
    c = damp * p[DAMPING]
    mode = int(p[DAMPING_MODE])
    fc = 0.0
    ct = 0.0
    limited = 0.0  # its ratio to the force of the teeth, to which it is limited
    if c > 0.0 and (mode == ALWAYS or k > 0.0):
        ct = c
        fc = c * rate
        if mode == NEVER_PULLING and abs(fc) > abs(f):
            ct = 0.0
            limited = 1.0 if (fc > 0.0) == (f > 0.0) else -1.0
            fc = limited * f
    J[LAW, FORCE_K] = f
    J[LAW, FORCE_C] = fc
    J[LAW, ENERGY] = J[TABLE, V_0]
    J[LAW, FLANK] = 0.0 if k == 0.0 else (1.0 if f >= 0.0 else -1.0)
    J[LAW, DEFLECTION] = J[TABLE, BENT]
    J[LAW, DEPTH] = abs(J[TABLE, BEARS]) * J[TABLE, BENT]
    J[LAW, STIFFNESS] = k
    J[LAW, MOMENT] = 0.0
    total = f + fc
    torque_a = f * xA + J[TABLE, V_P]
    torque_b = f * xB
    consistent = p[CONSISTENT] != 0.0
    if consistent:
        J[LAW, W_A] = total * cA + torque_a
        J[LAW, W_B] = total * cB + torque_b
        J[LAW, POWER] = 0.0
    else:
        J[LAW, W_A] = total * cA
        J[LAW, W_B] = total * cB
        J[LAW, POWER] = torque_a * rate_a + torque_b * rate_b
    if tangent == 0:
        return
    VsA = J[TABLE, V_SP]
    VuA = k * xA + VsA
    VuB = k * xB
    fA = cA * k + VuA
    fB = cB * k + VuB
    J[LAW, F_A] = fA
    J[LAW, F_B] = fB
    J[LAW, F_T] = 0.0
    J[LAW, DAMPER] = ct
    J[LAW, FC_A] = limited * fA
    J[LAW, FC_B] = limited * fB
    J[LAW, FC_T] = 0.0
    J[LAW, M_TT] = 0.0
    J[LAW, ROW_A] = 0.0
    J[LAW, ROW_B] = 0.0
    J[LAW, W_AT] = 0.0
    J[LAW, W_BT] = 0.0
    J[LAW, W_AA] = cA * fA
    J[LAW, W_AB] = cA * fB
    J[LAW, W_BA] = cB * fA
    J[LAW, W_BB] = cB * fB
    by_u = J[TABLE, SUM_S]
    J[TERMS, BOTH_U] = by_u
    J[TERMS, BOTH_A] = by_u * (cA + xA) + J[TABLE, SUM_P]
    J[TERMS, BOTH_B] = by_u * (cB + xB)
    J[TERMS, BOTH_T] = 0.0
    J[TERMS, BOTH_Y] = k
    J[LAW, FC_Y] = limited * by_u
    J[LAW, W_AY] = J[TERMS, BOTH_A] if consistent else cA * by_u
    J[LAW, W_BY] = J[TERMS, BOTH_B] if consistent else cB * by_u
    if consistent:
        VAA = (VuA + VsA) * xA + f * J[TERMS, 9] + J[TABLE, V_PP]
        VAB = VuA * xB
        VBB = VuB * xB + f * J[TERMS, 10]
        J[LAW, W_AA] += cA * VuA + VAA
        J[LAW, W_AB] += cB * VuA + VAB
        J[LAW, W_BA] += cA * VuB + VAB
        J[LAW, W_BB] += cB * VuB + VBB


@block
def loaded_multiplier_law(p: A1, F: A1, c: A1, u: F8, b: F8, rate_a: F8, rate_b: F8, lam: F8, J: A2):
    """The law with the elastic force as an unknown of its own, at a backlash b, into row LAW."""
    law_terms(p, F, J)
    xA = J[TERMS, 7]
    xB = J[TERMS, 8]
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    z = p[TEETH_A]
    angle = z * J[SCALARS, PSI_A]
    s = u + J[TERMS, ERROR_TERM] - p[OFFSET]
    reference = p[MEAN_STIFFNESS]
    rho = 1e-3 * reference
    # the flank that the force says; a gap belongs to the nearer side of the force
    sign = 1.0
    flank = 1.0
    table_at_force(F, int(p[DRIVE_TABLE]), lam, angle, J)
    gap = s - J[TABLE, T_APPROACH]
    if lam + rho * gap < 0.0:
        table_at_force(F, int(p[COAST_TABLE]), -lam, angle, J)
        gap = s + b + J[TABLE, T_APPROACH]
        sign = -1.0
        flank = -1.0
        if lam + rho * gap > 0.0:
            flank = 0.0
            if lam > 0.0:
                table_at_force(F, int(p[DRIVE_TABLE]), lam, angle, J)
                sign = 1.0
    compliance = J[TABLE, T_COMPLIANCE]
    turn = sign * z * J[TABLE, T_TURN]
    for i in range(BOTH, SIGMA + 1):
        J[TERMS, i] = 0.0
    J[TERMS, BOTH] = abs(lam)
    J[TERMS, BOTH_L] = 1.0 if lam > 0.0 else (-1.0 if lam < 0.0 else 0.0)
    J[TERMS, SIGMA] = flank
    J[LAW, W_AY] = 0.0
    J[LAW, W_BY] = 0.0
    J[LAW, FORCE_K] = lam
    J[LAW, FORCE_C] = 0.0
    J[LAW, FLANK] = flank
    J[LAW, DEFLECTION] = sign * (J[TABLE, T_APPROACH] - J[TABLE, T_TOUCH])
    J[LAW, STIFFNESS] = 1.0 / compliance if flank != 0.0 else 0.0
    J[LAW, ENERGY] = sign * lam * J[TABLE, T_APPROACH] - J[TABLE, T_STAR]
    J[LAW, MOMENT] = 0.0
    J[LAW, SHARE] = max(J[TABLE, T_SHARE], 0.0)
    torque_a = lam * xA - z * J[TABLE, T_STAR_1]
    torque_b = lam * xB
    J[LAW, W_A] = lam * cA
    J[LAW, W_B] = lam * cB
    J[LAW, W_AB] = 0.0
    J[LAW, W_BA] = 0.0
    if p[CONSISTENT] != 0.0:
        J[LAW, W_A] += torque_a
        J[LAW, W_B] += torque_b
        J[LAW, W_AA] = lam * J[TERMS, 9] - z * z * J[TABLE, T_STAR_2]
        J[LAW, W_BB] = lam * J[TERMS, 10]
        J[LAW, F_A] = cA + xA - turn
        J[LAW, F_B] = cB + xB
        J[LAW, POWER] = 0.0
    else:
        J[LAW, W_AA] = 0.0
        J[LAW, W_BB] = 0.0
        J[LAW, F_A] = cA
        J[LAW, F_B] = cB
        J[LAW, POWER] = torque_a * rate_a + torque_b * rate_b
    if flank == 0.0:
        J[LAW, GAP] = -lam / reference
        J[LAW, ROW_A] = 0.0
        J[LAW, ROW_B] = 0.0
        J[LAW, ROW_L] = -c[C_L] / reference
    else:
        J[LAW, GAP] = gap
        J[LAW, ROW_A] = cA + xA - turn
        J[LAW, ROW_B] = cB + xB
        # as in `multiplier_law`
        J[LAW, ROW_L] = -compliance * c[C_K] * c[C_L] * c[C_L]
