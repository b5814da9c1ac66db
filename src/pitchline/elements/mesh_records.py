"""Records that the functions of a gear pair share: its parameters, its memory, and the parts of its scratch.

The laws use only `Hoop`, `Law`, `LawOut`, `Limits` and `Engagement`, so that they can be called without nodes. Lengths and
forces of the law are along the hoop direction eta3. Gradients are with respect to (x_A, theta_A, x_B, theta_B), spatial.
"""

import numpy as np

from ..math.compiled import leaf
from ..math.fields import INTEGER, NUMBER, VECTOR, embedded, fields, inline, packed
from .dead_zone import DeadZone
from .load_table import LoadedFlank
from .mesh_geometry import Geometry
from .mesh_law import Law
from .mesh_limits import Limits
from .tilt_table import TiltMix

MeshParameters = fields("GearPair", geometry=embedded(Geometry), limits=embedded(Limits), law=embedded(Law))
"""Parameters of a gear pair."""

IN_MESH_STILL, FIRST_LOOK, PARTED = 0.0, 1.0, 2.0
"""`state` of the memory: teeth were in mesh at the last check; there was no check yet; they were not in mesh."""
MeshMemory = fields(
    "MeshMemory",
    psi_a=NUMBER,  # of the last accepted state, counting turns
    psi_b=NUMBER,
    teeth=NUMBER,  # whole teeth between them
    state=NUMBER,
    impacts=NUMBER,  # of rigid teeth since the start, and the sum of their impulses along the hoop (see `solvers.impact`)
    impulse=NUMBER,
)

# ---- how the wheels stand and move

MeshFrame = fields(
    "MeshFrame",
    m1=VECTOR,  # mu'', turned with psi_A
    m2=VECTOR,
    m3=VECTOR,
    x1=VECTOR,  # xi'', turned with psi_B
    x2=VECTOR,
    x3=VECTOR,
    e1=VECTOR,  # eta_A, and its derivatives by psi_A
    e2=VECTOR,
    e3=VECTOR,
    e1p=VECTOR,
    e2p=VECTOR,
    e3p=VECTOR,
    h3=VECTOR,  # eta3_B, and its derivative by psi_B
    h3p=VECTOR,
    centre=VECTOR,  # x_A - C_B of the centre of A
    arm_a=VECTOR,  # from C_B to node A
    arm_b=VECTOR,  # from node B to C_B
    travel=VECTOR,  # derivative of x_A - C_B by psi_B
    point=VECTOR,  # C_B
    psi_a=NUMBER,  # principal values; of a rack psi_B is its travel s
    psi_b=NUMBER,
    p11=NUMBER,  # P = d(phi2, phi3)/d(psi_A, psi_B), and 1/det(P)
    p12=NUMBER,
    p21=NUMBER,
    p22=NUMBER,
    inverse=NUMBER,
)

Potential = fields(
    "MeshPotential",  # of the relative position of the axes (`mesh_potential`)
    force=VECTOR,  # F
    h1=VECTOR,
    h2=VECTOR,
    h3=VECTOR,
)

Hoop = fields(
    "Hoop",
    psi_a=NUMBER,
    psi_b=NUMBER,
    rate_a=NUMBER,  # of psi_A and psi_B
    rate_b=NUMBER,
    u=NUMBER,  # approach of the drive flank
    rate=NUMBER,  # of u with the centres held
    closing=NUMBER,  # what the motion of the centres adds to it on either flank
    backlash=NUMBER,  # with the centres where they are
    tilt=NUMBER,  # of a line contact
    tilt_drive=NUMBER,  # f of both flanks, of teeth that feel it
    tilt_coast=NUMBER,
    time=NUMBER,
)
"""Motion as input of the law."""

MeshMotion = fields(
    "MeshMotion",
    approach=NUMBER,  # u of the poses
    closer=NUMBER,  # y, how much closer the centres are than as built; its derivatives by psi_A and psi_B; its rate
    closer_a=NUMBER,
    closer_b=NUMBER,
    closer_rate=NUMBER,
    relative=VECTOR,  # v_r, relative velocity of the bodies at C_B
    spin=VECTOR,  # omega_A - omega_B
    rise=NUMBER,  # derivative of the approach of the bearing flank by y
)

Engagement = fields(
    "Engagement",
    share=NUMBER,  # Phi
    left=NUMBER,  # d, overlap of the tips
    changes=INTEGER,  # 1: Phi changes along the faces
    gradient=VECTOR,  # of Phi by x_A
    couple_a=VECTOR,  # of Phi by rotations, beyond that of a force at C_B
    couple_b=VECTOR,
    curve=NUMBER,  # second derivative of Phi over the square of the first
    travel_1=NUMBER,  # derivatives of Phi by the travel of a rack
    travel_2=NUMBER,
    tip=NUMBER,  # radial force of the tips, and its derivative by y
    tip_stiffness=NUMBER,
    face_energy=NUMBER,  # energy of the whole face, and the force of the faces on A
    face_force=VECTOR,
)
"""Engagement of the teeth, and loads on tips and faces."""

# ---- what the law gives

LawTerms = fields(
    "MeshTerms",
    k=NUMBER,  # stiffness, and its derivatives by psi_A and psi_B
    k_a=NUMBER,
    k_b=NUMBER,
    k_aa=NUMBER,
    k_ab=NUMBER,
    k_bb=NUMBER,
    x=NUMBER,  # transmission error likewise
    x_a=NUMBER,
    x_b=NUMBER,
    x_aa=NUMBER,
    x_bb=NUMBER,
    x_t=NUMBER,  # and by the time
    x_tt=NUMBER,
    c=NUMBER,  # damping
    c_a=NUMBER,
    c_b=NUMBER,
    p=NUMBER,  # by how much either flank is closer than with the constant backlash, and derivatives
    p_a=NUMBER,
    p_b=NUMBER,
    p_aa=NUMBER,
    p_bb=NUMBER,
    p_t=NUMBER,
    p_tt=NUMBER,
)

LoadedSide = fields(
    "LoadedSide",
    bears=NUMBER,  # 1 in contact
    force=NUMBER,  # without sign, and its derivatives by the approach of this flank and by psi_A
    stiffness=NUMBER,
    by_a=NUMBER,
    touch_1=NUMBER,  # derivatives of the unloaded approach by psi_A
    touch_2=NUMBER,
    touch_1f=NUMBER,  # and by psi_A and the tilt
)
"""One flank with a table, as its damper needs it."""

LoadedFlanks = fields(
    "LoadedFlanks",
    table=embedded(LoadedFlank),  # the flank that was looked at last
    mix=embedded(TiltMix),
    V=NUMBER,  # sums over both flanks: energy, and its derivatives by s and psi_A
    V_s=NUMBER,
    V_p=NUMBER,
    V_ss=NUMBER,
    V_sp=NUMBER,
    V_pp=NUMBER,
    bent=NUMBER,  # of the deflections, and of the signs of the flanks that bear
    bears=NUMBER,
    total=NUMBER,  # of the forces without sign, and of their derivatives by s and psi_A
    total_s=NUMBER,
    total_p=NUMBER,
    drive=embedded(LoadedSide),
    coast=embedded(LoadedSide),
)

TiltOut = fields(
    "TiltOut",
    moment=NUMBER,  # dV/df
    f_t=NUMBER,  # derivatives of the force, of w_a and w_b, of both damping forces and of N by f (multiplier form: f_t is the
    w_at=NUMBER,  # derivative of the moment by lambda)
    w_bt=NUMBER,
    c_t=NUMBER,
    d_t=NUMBER,
    both_t=NUMBER,
    m_a=NUMBER,  # of the moment by psi_A, psi_B and f
    m_b=NUMBER,
    m_t=NUMBER,
    row_t=NUMBER,  # multiplier form: of Phi by f
    V_sf=NUMBER,  # second derivatives of the energy of the flank by s and f, psi_A and f
    V_pf=NUMBER,
)
"""Additional results for teeth with tilt, of one flank."""

FlankDampers = fields(
    "FlankDampers",  # of a damper that never pulls: what the flanks have together, with the sign of each flank and without
    by_s=NUMBER,  # derivative of the sum with signs by s; by t y that of the sum without
    by_y=NUMBER,  # of the sum with signs by t y; by s that of the sum without
    by_c=NUMBER,  # of both sums by the damping
    by_c_both=NUMBER,
    slope_drive=NUMBER,  # damping times rate of each flank, if the force of the flank is not zero
    slope_coast=NUMBER,
    open_drive=NUMBER,  # 1 if it is zero
    open_coast=NUMBER,
)

LawOut = fields(
    "LawOut",
    elastic=NUMBER,  # forces of spring and damper
    damping=NUMBER,
    damped=NUMBER,  # of the damper along t y: sum over both flanks, without sign
    lost=NUMBER,  # power that the damper dissipates
    energy=NUMBER,
    flank=NUMBER,  # 1 drive, -1 coast, 0 none
    deflection=NUMBER,
    depth=NUMBER,  # of tables: deflection of the one flank that bears; 0 if none or both do
    stiffness=NUMBER,
    power=NUMBER,  # power supplied by error and stiffness if their torques are omitted
    timed=NUMBER,  # part of it from errors and backlash over time, which are prescribed motions
    table_load=NUMBER,  # force over the largest load of its table
    table_tilt=NUMBER,  # tilt over the largest tilt of its table
    w_a=NUMBER,  # conjugate to psi_A, psi_B (the force along u included) and to the tilt
    w_b=NUMBER,
    moment=NUMBER,
    # of teeth that follow their centres: N, the sum of the forces of both flanks, conjugate to t y; the flank on which the
    # centres close: 1 drive, -1 coast, 0 none or both
    both=NUMBER,
    sigma=NUMBER,
    # derivatives of the elastic force by psi_A, psi_B and the tilt
    f_a=NUMBER,
    f_b=NUMBER,
    f_t=NUMBER,
    # of w_a, w_b and the moment by psi_A, psi_B, the tilt and t y
    w_aa=NUMBER,
    w_ab=NUMBER,
    w_ba=NUMBER,
    w_bb=NUMBER,
    w_at=NUMBER,
    w_bt=NUMBER,
    w_ay=NUMBER,
    w_by=NUMBER,
    m_a=NUMBER,
    m_b=NUMBER,
    m_t=NUMBER,
    # the rate of the drive flank contains rate_a psi_A', that of both flanks close_a psi_A'; the same of psi_B
    rate_a=NUMBER,
    rate_b=NUMBER,
    close_a=NUMBER,
    close_b=NUMBER,
    # of the damping force by the rate of the drive flank and by that of both flanks, by psi_A, psi_B, the tilt and t y
    damper=NUMBER,
    damper_1=NUMBER,
    damper_2=NUMBER,
    c_a=NUMBER,
    c_b=NUMBER,
    c_t=NUMBER,
    c_y=NUMBER,
    c_u=NUMBER,  # by u alone
    # of that along t y: by the rates damper_1 and damper_2
    d_a=NUMBER,
    d_b=NUMBER,
    d_t=NUMBER,
    d_y=NUMBER,
    flanks_damped=embedded(FlankDampers),
    # of N by u, psi_A, psi_B, the tilt, t y and, in multiplier form, lambda
    both_u=NUMBER,
    both_a=NUMBER,
    both_b=NUMBER,
    both_t=NUMBER,
    both_y=NUMBER,
    both_l=NUMBER,
    # multiplier form: Phi and its derivatives by psi_A, psi_B and lambda
    gap=NUMBER,
    row_a=NUMBER,
    row_b=NUMBER,
    row_l=NUMBER,
    tilt_side=NUMBER,  # and the flank whose table was taken
    own_in=inline(3),  # of a law of the user: its arguments, and its value and derivatives, in motion and at rest
    own_out=inline(4),
    own_rest=inline(4),
    terms=embedded(LawTerms),
    zone=embedded(DeadZone),
    flanks=embedded(LoadedFlanks),
    on_drive=embedded(TiltOut),
    on_coast=embedded(TiltOut),
)
"""Derivatives are available if the tangent was requested."""


@leaf
def no_force(out: LawOut):
    """Law of teeth without contact."""
    out.elastic = out.damping = out.energy = out.flank = out.deflection = out.depth = out.stiffness = out.power = (
        out.timed
    ) = 0.0
    no_damper(out)
    out.w_a = out.w_b = out.moment = 0.0
    out.f_a = out.f_b = out.f_t = 0.0
    out.w_aa = out.w_ab = out.w_ba = out.w_bb = out.w_at = out.w_bt = out.w_ay = out.w_by = 0.0
    out.m_a = out.m_b = out.m_t = 0.0
    out.gap = out.row_a = out.row_b = out.row_l = 0.0
    out.table_tilt = 0.0
    no_tilting(out.on_drive)
    no_tilting(out.on_coast)
    no_both(out)


@leaf
def no_damper(out: LawOut):
    """No force of the damper."""
    out.damping = out.damped = out.lost = 0.0
    out.damper = out.damper_1 = out.damper_2 = out.c_a = out.c_b = out.c_t = out.c_y = out.c_u = 0.0
    out.rate_a = out.rate_b = out.close_a = out.close_b = 0.0
    out.d_a = out.d_b = out.d_t = out.d_y = 0.0


@leaf
def no_tilting(out: TiltOut):
    """No moment against the tilt."""
    out.moment = out.f_t = out.w_at = out.w_bt = out.c_t = out.d_t = out.both_t = 0.0
    out.m_a = out.m_b = out.m_t = out.row_t = out.V_sf = out.V_pf = 0.0


@leaf
def no_both(out: LawOut):
    """No force along t y."""
    out.both = out.sigma = 0.0
    out.both_u = out.both_a = out.both_b = out.both_t = out.both_y = out.both_l = 0.0


# ---- what acts on the wheels

Wrench = fields(
    "MeshWrench",
    l2=NUMBER,  # P^T l = -w
    l3=NUMBER,
    radial=NUMBER,  # force along eta2, and the part of it that has a potential
    radial_gradient=NUMBER,
    force=VECTOR,  # on A as in the residual, its opposite on B; moments about both nodes
    moment_a=VECTOR,
    moment_b=VECTOR,
    by_force=inline(12),  # what goes with the force of the teeth: derivative of the wrench
    friction_gain=NUMBER,  # derivative of friction by the tooth force, over that of a coefficient that does not depend on it
    friction=VECTOR,  # force and couple of friction and losses on A; derivative of the couple by the rate of psi_A
    couple=VECTOR,
    couple_slope=VECTOR,
    sliding=NUMBER,  # speed
    friction_loss=NUMBER,
    couple_loss=NUMBER,
    put_in=NUMBER,  # powers
    lost=NUMBER,
)

Gradients = fields(
    "MeshGradients",
    psi_a=inline(12),
    psi_b=inline(12),
    tilt=inline(12),
    closer=inline(12),
    rate=inline(
        12
    ),  # of the rate of the drive flank, and of that of both flanks; of one flank in contact both together
    closing=inline(12),
    second=inline(12, 12),  # second derivative of the approach of the bearing flank
    work_a=inline(12),
    work_b=inline(12),
)

MeshScratch = fields(
    "MeshScratch",
    frame=embedded(MeshFrame),
    hoop=embedded(Hoop),
    motion=embedded(MeshMotion),
    engaged=embedded(Engagement),
    law=embedded(LawOut),
    wrench=embedded(Wrench),
    gradients=embedded(Gradients),
    potential=embedded(Potential),  # of the forces, and of one coordinate
    unit=embedded(Potential),
)


def gear_pair(geometry: np.void, law: np.void, limits: np.void | None = None) -> np.ndarray:
    """Parameters of a pair: from `encode_geometry`, `encode_law` and `encode_limits`. Without limits contact does not end."""
    values = {"geometry": geometry, "law": law}
    if limits is not None:
        values["limits"] = limits
    return packed(MeshParameters, values)
