"""The gear pair: two wheels of any kind, anywhere in space, joined by their teeth.

Geometry (`mesh_geometry`) and law (`mesh_law`) are apart. From the force f along the hoop and the torques about psi_A and psi_B,
(w_A, w_B), one small solve P^T l = -w gives the wrench, in balance in every configuration: one force at one point and one couple,

    F = l2 eta3_A + |f| tan(alpha) eta2_A - F_friction   at C_B,     couple l3 eta2_A x eta3_B + tilting moment + losses,

on A, and their opposites on B (signs of the residual: what the teeth exert is its negative). At an aligned pair l2 = f, l3 = 0.
|f| tan(alpha) is the separating force of the inclined flanks, which may be left out. Friction opposes the sliding velocity v_s,
what is left of the relative velocity v_r of the two bodies at C_B across the normal n:

    F_f = -mu |F_n| v_s / sqrt(v_s^2 + v_0^2),     n = cos(alpha) eta3 + sign(f) sin(alpha) eta2,     F_n = f / cos(alpha).

Losses of pairs whose pitch point does not slide are a couple against the relative rotation, proportional to |f|.

Teeth may follow their centres: a flank comes closer by t y, t = tan(alpha), when the centres do by y = eta2_A . (C_A - C_B) (and
backlash shrinks by 2 t y, until both flanks bear). The separating force is then the gradient of the same energy, exactly so: y
depends on psi_A and psi_B too where the pitch points do not meet, and these parts enter w_A and w_B.

The tangent is exact but for the turning of friction and losses with the poses, which is small and costs Newton nothing.

Memory: psi_A and psi_B of the last accepted step, counting turns, and whole teeth between them; u is made of principal
angles and integers, so that no number of turns costs a digit.
"""

import numpy as np

from ..math.compiled import (
    A1,
    A2,
    F8,
    I8,
    V2,
    block,
    kernel,
    leaf,
)
from .contract import (
    C_D,
    C_K,
    COMMIT,
    DAMP,
    POWER_IN,
    POWER_OUT,
    POWER_TEETH,
    RATE,
    REPORT,
    TANGENT,
    Element,
    ElementKind,
    SignalSpec,
)
from .mesh_geometry import ENDS, RACK, RADIAL
from .mesh_law import multiplier_law, spring_law
from .mesh_law_layout import (
    BACKLASH,
    FLANK,
    FORM,
    GAP,
    LAW,
    RIGID,
    ROW_A,
    ROW_B,
    SIGMA,
    SPRING,
    TABLED,
    TERMS,
)
from .mesh_limits import (
    CHANGES,
    CONTACT_ENDS,
    LIMITS,
    RUN_ENDS,
    SHARE_NOW,
    deeper_than_tips,
    fade_law,
    far_apart,
    out_of_mesh,
    tip_law,
)
from .mesh_motion import (
    CLOSER,
    CLOSING,
    LOST,
    MOTION,
    PUT_IN,
    RADIAL_Q,
    RATE_A,
    RATE_B,
    RISE,
    TILT,
    U_RATE,
    Y_RATE,
    U,
    count_turns,
    mesh_motion,
)
from .mesh_report import MESH_SIGNALS, TABLE_LOAD, report_apart, report_mesh
from .mesh_stiffness import multiplier_tangent, spring_tangent
from .mesh_wrench import mesh_wrench, put_wrench


@leaf
def _with_centres(p: A1, u: F8, y: F8, lam: F8) -> V2:
    """Approach of the drive flank and backlash with centres that are y closer: u + t y, b - 2 t y.

    One multiplier cannot carry both flanks at once unless the teeth give: rigid teeth keep a little of their backlash, and without
    any the flank is that of the force. Of tables in multiplier form the same."""
    b = p[BACKLASH]
    t = p[RADIAL]
    form = int(p[FORM])
    if form == SPRING or (form != RIGID and p[TABLED] == 0.0):
        return (u + t * y, b - 2.0 * t * y)
    if b <= 0.0:
        return (u + t * y if lam >= 0.0 else u - t * y, b)
    return (u + t * y, max(b - 2.0 * t * y, 1e-3 * b))


@block
def _loaded(p: A1, h: A1, F: A1, P: A2, V: A2, lam: F8, c: A1, mode: I8, J: A2) -> I8:
    """Geometry, law and wrench of a state, in the scratch rows of J. 0 if the wheels are out of mesh."""
    if mesh_motion(p, h, P, V, J) == 0:
        return 0
    rate_a = J[MOTION, RATE_A]
    rate_b = J[MOTION, RATE_B]
    approach = J[MOTION, U]
    backlash = p[BACKLASH]
    closing = 0.0
    if p[RADIAL] > 0.0:
        closing = p[RADIAL] * J[RADIAL_Q, Y_RATE]
        approach, backlash = _with_centres(p, approach, J[MOTION, CLOSER], lam)
    if int(p[FORM]) == SPRING:
        tangent = 1 if mode == TANGENT else 0
        rate = J[MOTION, U_RATE]
        spring_law(p, F, approach, backlash, rate, closing, J[MOTION, TILT], rate_a, rate_b, c[DAMP], tangent, J)
    else:
        multiplier_law(p, F, c, approach, backlash, rate_a, rate_b, lam, J)
    if int(p[ENDS]) == CONTACT_ENDS:
        if deeper_than_tips(p, J) == 1:
            tip_law(p, J)
        if J[LIMITS, SHARE_NOW] != 1.0 or J[LIMITS, CHANGES] != 0.0:
            fade_law(p, 1 if mode == TANGENT else 0, J)
    else:
        J[LIMITS, CHANGES] = 0.0
    J[MOTION, RISE] = p[RADIAL] * J[TERMS, SIGMA]
    J[MOTION, CLOSING] = J[MOTION, U_RATE] + J[TERMS, SIGMA] * closing
    mesh_wrench(p, F, c, mode, J)
    return 1


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    form = int(p[FORM])
    if mode == COMMIT:
        count_turns(p, h, P, J)
        return
    l = lam[0] if form != SPRING else 0.0
    if _loaded(p, h, F, P, V, l, c, mode, J) == 0:
        apart = far_apart(p, P)
        if apart > 0.0:
            if mode == REPORT:
                report_apart(h, apart, r)
            return
        # no mesh frame in these poses: no number can be right, and Newton is told so
        for i in range(12):
            r[i] = np.nan
        return
    if mode == REPORT:
        report_mesh(p, h, P, J, r)
        return
    if int(p[ENDS]) == RUN_ENDS and mode != RATE and out_of_mesh(J) == 1:
        for i in range(12):
            r[i] = np.nan
        return
    if form != SPRING:
        if mode == RATE:
            if J[LAW, FLANK] != 0.0:
                r[12] = J[LAW, ROW_A] * J[MOTION, RATE_A] + J[LAW, ROW_B] * J[MOTION, RATE_B]
                if J[MOTION, RISE] != 0.0:
                    r[12] += J[MOTION, RISE] * J[RADIAL_Q, Y_RATE]
            elif c[C_K] > 0.0:
                r[12] = J[LAW, GAP] * c[C_D] / c[C_K]  # the same row lambda = 0, in the scale of a rate
            return
        r[12] = J[LAW, GAP]
    if mode == TANGENT:
        if form == SPRING:
            spring_tangent(p, F, P, V, c, J)
        else:
            multiplier_tangent(p, F, P, c, J)
    put_wrench(P, J, r)
    r[POWER_IN] = J[MOTION, PUT_IN]
    r[POWER_TEETH] = J[MOTION, PUT_IN]
    r[POWER_OUT] = J[MOTION, LOST]


GEAR_MESH = ElementKind(
    "gear mesh",
    evaluate,
    signals=MESH_SIGNALS,
    commits=True,
    exchanges_power=True,
    full_pattern=True,
)


def gear_mesh(name: str, nodes: tuple[int, int], geometry: np.ndarray, law: np.ndarray) -> Element:
    """A gear pair: `geometry` from `encode_geometry`, `law` from `encode_law`. Its memory is set by a first COMMIT."""
    p = np.concatenate([geometry, law])
    rows = "" if int(p[FORM]) == SPRING else "t"
    signals = None if p[TABLED] else tuple(s.name for s in GEAR_MESH.signals if s.name != TABLE_LOAD)
    rename = {"psi_b": SignalSpec("psi_b", "m", "travel of the rack B in the mesh frame")} if p[RACK] else {}
    memory = np.array([0.0, 0.0, 0.0, 1.0])
    return Element(GEAR_MESH, name, nodes, p, rows=rows, memory=memory, signals=signals, rename=rename)
