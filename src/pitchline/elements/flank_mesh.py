"""The gear pair with elastic flanks: the geometry of every gear pair, the law of two elastic gears (`flank_law`).

In a motion the law belongs to the step from the last accepted state, which the memory keeps with the elastic motion; a look at
that state itself gives what was found there. A look at another pose at the same time is one of statics or kinematics: contact is
at rest then.
"""

import numpy as np

from ..math.compiled import A1, A2, I8, block, kernel
from .contract import (
    COMMIT,
    DAMP,
    N_ENERGIES,
    POWER_IN,
    POWER_OUT,
    POWER_TEETH,
    RATE,
    REPORT,
    TANGENT,
    TIME,
    Element,
    ElementKind,
    SignalSpec,
)
from .flank_law import flank_accept, flank_rest, flank_solve
from .flank_layout import (
    CONJUGATE,
    FORCE,
    FRICTION_A,
    FRICTION_B,
    IN_CONTACT,
    KINETIC,
    NORMAL,
    PAIRS,
    PRESSURE,
    PSI_DONE,
    RATE_PSI,
    RATE_U,
    SLOTS,
    STORED,
    TIME_DONE,
    U_DONE,
)
from .flank_layout import FRICTION_LOSS as FLANK_FRICTION
from .flank_layout import LOST as MODAL_LOSS
from .mesh_geometry import ENDS, LEVER_A, LEVER_B, PSI_A, RADIAL, SCALARS
from .mesh_law_layout import (
    BACKLASH,
    BOTH,
    BOTH_A,
    BOTH_B,
    BOTH_T,
    BOTH_U,
    BOTH_Y,
    DEFLECTION,
    ENERGY,
    F_A,
    F_B,
    FLANK,
    FORCE_K,
    LAW,
    OFFSET,
    STIFFNESS,
    TERMS,
    W_A,
    W_AA,
    W_AB,
    W_AY,
    W_B,
    W_BA,
    W_BB,
    W_BY,
)
from .mesh_law_layout import END as FLANKS
from .mesh_limits import CHANGES, CONTACT_ENDS, LIMITS, out_of_mesh
from .mesh_motion import (
    CLOSER,
    CLOSING,
    FRICTION_LOSS,
    LOST,
    MOTION,
    PUT_IN,
    RATE_A,
    RATE_B,
    RISE,
    U_RATE,
    U,
    count_turns,
    mesh_motion,
    unwrapped,
)
from .mesh_report import MESH_SIGNALS, TABLE_LOAD, report_mesh
from .mesh_stiffness import spring_tangent
from .mesh_wrench import mesh_wrench, put_wrench

AT = 4
"""Place of the flanks' memory behind that of the gear pair."""
OWN = sum(signal.size for signal in MESH_SIGNALS)
"""Numbers of the report of every gear pair."""


@block
def _flank_motion(p: A1, h: A1, P: A2, V: A2, J: A2) -> I8:
    """`mesh_motion`, with the approach of teeth in the middle of their play where they are out of mesh: none of them touches,
    and the gears go on vibrating."""
    if mesh_motion(p, h, P, V, J) == 0:
        return 0
    if int(p[ENDS]) == CONTACT_ENDS and out_of_mesh(J) == 1:
        J[MOTION, U] = p[OFFSET] - 0.5 * p[BACKLASH]
        J[MOTION, CLOSER] = 0.0
    return 1


@block
def _law(p: A1, h: A1, c: A1, J: A2) -> I8:
    """Force of the flanks into row LAW. 0: contact was not solved."""
    u = J[MOTION, U]
    y = p[RADIAL] * J[MOTION, CLOSER]
    psi = unwrapped(J[SCALARS, PSI_A], h[0])
    rate_a = J[MOTION, RATE_A]
    rate_b = J[MOTION, RATE_B]
    time = c[TIME]
    since = time - h[AT + TIME_DONE]
    if since > 1e-15 and c[DAMP] > 0.0:
        if flank_solve(p, FLANKS, h, AT, time, since, u, y, psi, rate_a, rate_b) == 0:
            return 0
    elif abs(u - h[AT + U_DONE]) > 1e-13 or abs(psi - h[AT + PSI_DONE]) > 1e-11:
        if flank_solve(p, FLANKS, h, AT, time, -1.0, u, y, psi, 0.0, 0.0) == 0:
            return 0
        h[AT + U_DONE] = u
        h[AT + PSI_DONE] = psi
    f = h[AT + FORCE]
    k = h[AT + RATE_U]
    kp = h[AT + RATE_PSI]
    g = h[AT + CONJUGATE]
    cA = p[LEVER_A]
    cB = p[LEVER_B]
    for i in range(31):
        J[LAW, i] = 0.0
    sign = 1.0 if f > 0.0 else (-1.0 if f < 0.0 else 0.0)
    s = u - p[OFFSET]
    J[LAW, FORCE_K] = f
    J[LAW, FLANK] = sign
    J[LAW, DEFLECTION] = s if sign > 0.0 else (s + p[BACKLASH] if sign < 0.0 else 0.0)
    J[LAW, STIFFNESS] = k
    J[LAW, ENERGY] = h[AT + STORED]
    J[LAW, W_A] = f * cA + g + h[AT + FRICTION_A]
    J[LAW, W_B] = f * cB + h[AT + FRICTION_B]
    fA = cA * k + kp
    fB = cB * k
    J[LAW, F_A] = fA
    J[LAW, F_B] = fB
    by_psi = kp * kp / k if k > 0.0 else 0.0
    J[LAW, W_AA] = cA * (fA + kp) + by_psi
    J[LAW, W_AB] = cA * fB + cB * kp
    J[LAW, W_BA] = cB * fA
    J[LAW, W_BB] = cB * fB
    J[TERMS, BOTH] = abs(f)
    J[TERMS, BOTH_U] = sign * k
    J[TERMS, BOTH_A] = sign * fA
    J[TERMS, BOTH_B] = sign * fB
    J[TERMS, BOTH_T] = 0.0
    J[TERMS, BOTH_Y] = k
    J[LAW, W_AY] = sign * fA
    J[LAW, W_BY] = sign * fB
    J[MOTION, RISE] = sign * p[RADIAL]
    J[MOTION, CLOSING] = J[MOTION, U_RATE]
    return 1


@kernel
def evaluate(p, h, F, P, V, A, lam, c, mode, r, J):
    if mode == RATE:
        return
    if mode == COMMIT:
        first = count_turns(p, h, P, J)
        if first >= 0 and _flank_motion(p, h, P, V, J) == 1:
            if first == 1 or c[DAMP] == 0.0:
                y = p[RADIAL] * J[MOTION, CLOSER]
                flank_rest(p, FLANKS, h, AT, c[TIME], J[MOTION, U], y, unwrapped(J[SCALARS, PSI_A], h[0]))
            elif c[TIME] > h[AT + TIME_DONE]:
                # here V holds the displacement of the step, not a velocity: friction is that of Newton's last look
                friction_a = h[AT + FRICTION_A]
                friction_b = h[AT + FRICTION_B]
                friction = h[AT + FLANK_FRICTION]
                if _law(p, h, c, J) == 1:
                    h[AT + FRICTION_A] = friction_a
                    h[AT + FRICTION_B] = friction_b
                    h[AT + FLANK_FRICTION] = friction
                    flank_accept(p, FLANKS, h, AT, c[TIME], J[MOTION, U], unwrapped(J[SCALARS, PSI_A], h[0]))
        return
    solved = 0
    if _flank_motion(p, h, P, V, J) == 1:
        if mode == REPORT and c[DAMP] == 0.0:
            y = p[RADIAL] * J[MOTION, CLOSER]
            flank_rest(p, FLANKS, h, AT, c[TIME], J[MOTION, U], y, unwrapped(J[SCALARS, PSI_A], h[0]))
        solved = _law(p, h, c, J)
    if solved == 0:
        # out of mesh, or contact without a solution: Newton is told so
        for i in range(12):
            r[i] = np.nan
        return
    J[LIMITS, CHANGES] = 0.0  # the flanks themselves know where their faces end
    mesh_wrench(p, F, c, mode, J)
    friction = h[AT + FLANK_FRICTION]
    lost = friction + h[AT + MODAL_LOSS] if c[DAMP] > 0.0 else 0.0
    J[MOTION, FRICTION_LOSS] = friction
    J[MOTION, LOST] += lost
    if mode == REPORT:
        report_mesh(p, h, P, J, r)
        r[0] = h[AT + KINETIC]
        at = N_ENERGIES + OWN
        r[at] = h[AT + NORMAL]
        r[at + 1] = h[AT + PRESSURE]
        r[at + 2] = h[AT + IN_CONTACT]
        for i in range(SLOTS):
            r[at + 3 + i] = h[AT + PAIRS + i]
        return
    if mode == TANGENT:
        spring_tangent(p, F, P, V, c, J)
    put_wrench(P, J, r)
    r[POWER_IN] = J[MOTION, PUT_IN]
    r[POWER_TEETH] = J[MOTION, PUT_IN]
    r[POWER_OUT] = J[MOTION, LOST]


PAIR_FORCES = "pair_forces"
FLANK_MESH = ElementKind(
    "elastic flanks",
    evaluate,
    signals=(
        *MESH_SIGNALS,
        SignalSpec("contact_force", "N", "sum of the normal forces of all strips in contact"),
        SignalSpec("peak_pressure", "Pa", "greatest contact pressure"),
        SignalSpec("strips_in_contact", "", "number of strips of the face in contact, all tooth pairs together"),
        SignalSpec(
            PAIR_FORCES, "N", f"normal force of tooth k of wheel A at place k modulo {SLOTS}, negative on the coast flank", SLOTS
        ),
    ),
    commits=True,
    exchanges_power=True,
    full_pattern=True,
)


def flank_mesh(
    name: str, nodes: tuple[int, int], geometry: np.ndarray, law: np.ndarray, flanks: np.ndarray, memory: int
) -> Element:
    """A gear pair with elastic flanks: `geometry` and `law` as of every pair, `flanks` and the size of their memory from
    `system.flank_tables`."""
    p = np.concatenate([geometry, law, flanks])
    own = tuple(s.name for s in FLANK_MESH.signals if s.name != TABLE_LOAD)
    h = np.concatenate([[0.0, 0.0, 0.0, 1.0], np.zeros(memory)])
    return Element(FLANK_MESH, name, nodes, p, memory=h, signals=own, every_step=True)
