"""How two wheels in mesh stand and move: frame, approach, rates, turns. Scratch rows that all laws of a mesh share."""

import numpy as np

from ..math.compiled import A1, A2, F8, I8, block, leaf
from ..math.vectors import (
    cross,
    dot,
    mv,
    rotation,
    row,
    sub,
)
from .mesh_geometry import (
    ARM_A,
    ARM_B,
    CENTRE,
    E1,
    E2,
    E2_P,
    E3,
    ENDS,
    H3,
    LEVER_A,
    LEVER_B,
    MORE_VECTORS,
    PITCH,
    PSI_A,
    PSI_B,
    RACK,
    SCALARS,
    TEETH_A,
    TEETH_B,
    TRAVEL,
    TWO_PI,
    VECTORS,
    mesh_frame,
    solve,
)
from .mesh_law_layout import WIDTH
from .mesh_limits import CONTACT_ENDS, FIRST_LOOK, IN_MESH_STILL, PARTED, engagement, in_place, wrong_teeth

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
"""Scratch row: gradient of how much closer the centres are, y; then its derivatives by psi_A and psi_B, and its rate."""
Y_A, Y_B, Y_RATE = 12, 13, 14
SPARE = 16
"""First of twelve columns of J in which a second derivative is built."""


@leaf
def unwrapped(angle: F8, reference: F8) -> F8:
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def approach_of(p: A1, h: A1, J: A2) -> F8:
    """u from principal angles and whole teeth."""
    psi_a = J[SCALARS, PSI_A]
    psi_b = J[SCALARS, PSI_B]
    teeth = h[2] + p[TEETH_A] * np.round((h[0] - psi_a) / TWO_PI)
    if p[RACK] == 0.0:
        teeth += p[TEETH_B] * np.round((h[1] - psi_b) / TWO_PI)
    return p[LEVER_A] * psi_a + p[LEVER_B] * psi_b + p[PITCH] * teeth


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
    J[MOTION, CLOSER] = engagement(p, J)
    u = approach_of(p, h, J)
    J[MOTION, U] = u - p[PITCH] * wrong_teeth(p, u, h[3], J)
    J[MOTION, U_RATE] = p[LEVER_A] * rate_a + p[LEVER_B] * rate_b
    J[MOTION, RATE_A] = rate_a
    J[MOTION, RATE_B] = rate_b
    J[MOTION, TILT] = dot(row(J, VECTORS, E1), h3) if p[WIDTH] > 0.0 else 0.0
    # zero where the pitch points meet: the point runs along the pitch surfaces
    by_a = dot(row(J, MORE_VECTORS, E2_P), row(J, MORE_VECTORS, CENTRE))
    by_b = dot(e2, row(J, MORE_VECTORS, TRAVEL))
    J[RADIAL_Q, Y_A] = by_a
    J[RADIAL_Q, Y_B] = by_b
    J[RADIAL_Q, Y_RATE] = dot(e2, vr) + by_a * rate_a + by_b * rate_b
    for i in range(3):
        J[MOTION, RELATIVE + i] = vr[i]
        J[MOTION, SPIN + i] = spin[i]
    return 1


@block
def count_turns(p: A1, h: A1, P: A2, J: A2) -> I8:
    """Turns and teeth of an accepted state, into the memory. 1 the first time, 0 later, -1 out of mesh."""
    if mesh_frame(p, P, J) == 0:
        if h[3] != FIRST_LOOK:
            h[3] = PARTED
        return -1
    if h[3] == FIRST_LOOK:  # the teeth that stand next to each other mesh
        h[0] = J[SCALARS, PSI_A]
        h[1] = J[SCALARS, PSI_B]
        h[2] = 0.0
        h[2] = -np.round(approach_of(p, h, J) / p[PITCH])
        h[3] = IN_MESH_STILL
        return 1
    h[0] = unwrapped(J[SCALARS, PSI_A], h[0])
    h[1] = unwrapped(J[SCALARS, PSI_B], h[1]) if p[RACK] == 0.0 else J[SCALARS, PSI_B]
    engagement(p, J)
    h[2] -= wrong_teeth(p, approach_of(p, h, J), h[3], J)
    h[3] = IN_MESH_STILL if int(p[ENDS]) != CONTACT_ENDS or in_place(p, J) else PARTED
    return 0
