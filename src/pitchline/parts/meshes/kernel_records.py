"""Records that the functions of a gear pair share, and the damper of its flanks.

The laws use only `Hoop`, `Law`, `LawOut`, `Limits` and `Engagement`, so that they can be called without nodes. Lengths and
forces of the law are along the hoop direction eta3. Gradients are with respect to (x_A, theta_A, x_B, theta_B), spatial.
"""

import numpy as np

from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, embedded, fields, inline, packed
from pitchline.numerics.machine_code.compiled import F8, I8, V3, V4, leaf

from ..springs.kernel_stop import DeadZone
from .kernel_law import ALWAYS, IN_CONTACT, LIMITED, NEVER_PULLING, OF_DEFLECTION, Geometry, Law, LoadedFlank
from .kernel_tilt import TiltMix

# ---- mesh limits

# Parameters of the end of contact: tips, faces, the ends of a rack (`kernel_engagement` has the equations).

UNLIMITED, CONTACT_ENDS, RUN_ENDS = 0, 1, 2
"""Behaviour out of mesh: none (analyses check later), contact ends, or the position is invalid (rigid teeth)."""
NO_FACES, LINE, CROSSED = 0, 1, 2
"""Faces: unknown; parallel along one pitch line; on crossed axes, with point contact."""
FAR = 1e30
"""Value of a missing limit."""
FREE, ROUND = 0.01, 0.02
"""Fractions of the face: this fraction may be lost without effect, then the corner of Phi is rounded."""

Limits = fields(
    "MeshLimits",
    ends=INTEGER,
    depth=NUMBER,  # by how much tips overlap as built
    shallow=NUMBER,  # overlap of tips below which teeth can pass each other
    faces=INTEGER,
    along_1=NUMBER,  # line: the pitch line of A by mu1 and mu2
    along_2=NUMBER,
    low=NUMBER,  # line: places along it where faces part; crossed: ends of the face of A
    high=NUMBER,
    width=NUMBER,  # line: the smaller face
    gain=NUMBER,  # line: 1/S as built
    low_b=NUMBER,  # crossed: ends of the face of B, and the length beyond over which contact ends
    high_b=NUMBER,
    beyond=NUMBER,
    travel_low=NUMBER,  # of a rack: ends of its travel, and the length beyond over which contact ends; 0: it does not end
    travel_high=NUMBER,
    travel_beyond=NUMBER,
    reach=NUMBER,  # distance of the centres from which on the wheels cannot touch
)


@leaf
def of_face(part: F8) -> V3:
    """S of the part of the face that meets, and two derivatives: 1 from 99 %, a rounded corner, then a straight line to 0."""
    scale = 1.0 / (1.0 - FREE - 0.5 * ROUND)
    lost = 1.0 - part - FREE
    if lost <= 0.0:
        return (1.0, 0.0, 0.0)
    if part <= 0.0:
        return (0.0, 0.0, 0.0)
    if lost < ROUND:
        return (1.0 - 0.5 * scale * lost * lost / ROUND, scale * lost / ROUND, -scale / ROUND)
    return (1.0 - scale * (lost - 0.5 * ROUND), scale, 0.0)


def encode_limits(
    *,
    ends: int,
    depth: float = FAR,
    pitch: float = 0.0,
    backlash: float = 0.0,
    cos_alpha: float = 1.0,
    line: tuple[tuple[float, float], tuple[float, float], tuple[float, float]] | None = None,
    crossed: tuple[tuple[float, float], tuple[float, float], float] | None = None,
    travel: tuple[float, float, float] | None = None,
    reach: float = FAR,
) -> np.void:
    """Record `Limits` of a pair [m].

    depth: initial overlap of the tips; pitch, backlash: along the hoop. line: faces of A and B along the pitch line from the
    pitch point (low, high), and the direction of that line by mu1 and mu2. crossed: the same on each axis mu1 and xi1, and the
    length over which contact ends beyond them. travel: lowest, highest, and the length over which contact ends beyond. Faces
    or ends that are not given have no limit.
    """
    values = {
        "ends": ends,
        "depth": depth,
        "shallow": 0.5 * (pitch - backlash) * cos_alpha,
        "faces": NO_FACES,
        "reach": reach,
    }
    if travel is not None:
        values |= dict(zip(("travel_low", "travel_high", "travel_beyond"), travel, strict=True))
    if line is not None:
        (a0, a1), (b0, b1), (along_1, along_2) = line
        width = min(a1 - a0, b1 - b0)
        built = of_face.py_func(min(b1 - a0, a1 - b0, width) / width)[0]
        values |= {"faces": LINE, "along_1": along_1, "along_2": along_2}
        values |= {"low": a0 - b1, "high": a1 - b0, "width": width, "gain": 1.0 / built}
    if crossed is not None:
        (a0, a1), (b0, b1), beyond = crossed
        values |= {"faces": CROSSED, "low": a0, "high": a1, "low_b": b0, "high_b": b1, "beyond": beyond}
    return Limits.named(packed(Limits, values))


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
    impacts=NUMBER,  # of rigid teeth since the start, and the sum of their impulses along the hoop (see `engine.solvers.impact`)
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
    "MeshPotential",  # of the relative position of the axes (`kernel_potential`)
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


# ---- mesh damper

# Damper of elastic teeth.
#
# A flank whose teeth are deflected by x has the force f(x) of its springs and that of a damper, parallel to them:
#
# F = max(0, f(x) + c q r) , r = dx/dt ,
#
# q is the part of the face in contact. F never pulls: where the damper would exceed the springs, the teeth separate
# before their deflection is zero. The deflection contains errors, a varying backlash and the unloaded approach of
# tables, so that r is
#
# drive flank: r = d(u + x_err)/dt + d(t y + p)/dt , coast flank: r = -d(u + x_err)/dt + d(t y + p)/dt
#
# (p: minus half of a varying backlash). F acts along the gradient of the deflection, as f does. The damper dissipates
# (F - f) r >= 0, also while F = 0: the energy of the springs then becomes heat.
#
# Publications use other laws, which remain available: the damper acts in contact and may pull (IN_CONTACT), also in
# the gap (ALWAYS), or with at most the force of the springs in both directions (LIMITED); and only on the rate of the
# approach u + t y (OF_APPROACH).
#
# Teeth without backlash are in contact on both flanks, and a force of either sign pushes on one of them:
# NEVER_PULLING is then IN_CONTACT, a linear law.


@leaf
def rate_of_drive_flank(pair: MeshParameters, hoop: Hoop, out: LawOut) -> F8:
    """Rate of the drive flank with the centres held. How it depends on the rates of psi_A and psi_B, in `out`."""
    law = pair.law
    terms = out.terms
    rate = hoop.rate
    out.rate_a = pair.geometry.lever_a
    out.rate_b = pair.geometry.lever_b
    out.close_a = 0.0
    out.close_b = 0.0
    if law.damping_rate == OF_DEFLECTION:
        rate += terms.x_a * hoop.rate_a + terms.x_b * hoop.rate_b + terms.x_t
        out.rate_a += terms.x_a
        out.rate_b += terms.x_b
        if law.n_plays != 0:
            out.close_a = terms.p_a
            out.close_b = terms.p_b
    return rate


@leaf
def damper_levers(pair: MeshParameters, out: LawOut) -> V4:
    """Torques about psi_A and psi_B of the damping force, and of that along t y by a varying backlash."""
    if pair.law.consistent != 0:
        return (out.rate_a, out.rate_b, out.close_a, out.close_b)
    return (pair.geometry.lever_a, pair.geometry.lever_b, 0.0, 0.0)


@leaf
def begin_damper(out: LawOut):
    """No force yet, and no derivative."""
    out.damping = out.damped = out.lost = 0.0
    out.damper = out.damper_1 = out.damper_2 = 0.0
    both = out.flanks_damped
    both.by_s = both.by_y = both.by_c = both.by_c_both = 0.0
    both.slope_drive = both.slope_coast = both.open_drive = both.open_coast = 0.0


@leaf
def no_slopes(out: LawOut):
    """No derivative of the damper."""
    out.c_a = out.c_b = out.c_t = out.c_y = out.c_u = 0.0
    out.d_a = out.d_b = out.d_t = out.d_y = 0.0


@leaf
def damp_flank(sign: F8, c: F8, rate: F8, force: F8, stiffness: F8, share: F8, curve: F8, out: LawOut):
    """Add the damper of a flank in contact that never pulls. sign: 1 drive, -1 coast; rate: r; force, stiffness: f and df/dx;
    share, curve: q and dq/dx."""
    both = out.flanks_damped
    damping = c * share * rate
    if damping < -force:
        damping = -force
        by_depth = -stiffness
        if sign > 0.0:
            both.open_drive = 1.0
        else:
            both.open_coast = 1.0
    else:
        by_depth = c * curve * rate
        out.damper += c * share
        out.damper_1 += sign * c * share
        out.damper_2 += c * share
        both.by_c += sign * share * rate
        both.by_c_both += share * rate
        if sign > 0.0:
            both.slope_drive = c * rate
        else:
            both.slope_coast = c * rate
    out.damping += sign * damping
    out.damped += damping
    out.lost += damping * rate
    both.by_s += by_depth
    both.by_y += sign * by_depth


@leaf
def put_slopes(pair: MeshParameters, hoop: Hoop, damp: F8, both: FlankDampers, out: LawOut):
    """Derivatives of both sums of dampers that never pull, by psi_A, psi_B and t y; without those by the stiffness."""
    terms = out.terms
    along_a = pair.geometry.lever_a + terms.x_a
    along_b = pair.geometry.lever_b + terms.x_b
    out.c_u = both.by_s
    out.c_y = both.by_y
    out.d_y = both.by_s
    out.c_a = both.by_s * along_a + damp * both.by_c * terms.c_a
    out.c_b = both.by_s * along_b + damp * both.by_c * terms.c_b
    out.d_a = both.by_y * along_a + damp * both.by_c_both * terms.c_a
    out.d_b = both.by_y * along_b + damp * both.by_c_both * terms.c_b
    put_turning(pair, hoop, out)


@leaf
def put_turning(pair: MeshParameters, hoop: Hoop, out: LawOut):
    """Derivatives by psi_A and psi_B of the rates of errors and backlash."""
    law = pair.law
    if law.damping_rate != OF_DEFLECTION:
        return
    terms = out.terms
    by_a = terms.x_aa * hoop.rate_a
    by_b = terms.x_bb * hoop.rate_b
    out.c_a += out.damper * by_a
    out.c_b += out.damper * by_b
    out.d_a += out.damper_1 * by_a
    out.d_b += out.damper_1 * by_b
    if law.n_plays == 0:
        return
    by_a = terms.p_aa * hoop.rate_a
    by_b = terms.p_bb * hoop.rate_b
    out.c_a += out.damper_1 * by_a
    out.c_b += out.damper_1 * by_b
    out.d_a += out.damper_2 * by_a
    out.d_b += out.damper_2 * by_b


@leaf
def damping_mode(pair: MeshParameters, backlash: F8, small: F8) -> I8:
    """Action of the damper at a backlash; small: backlash that counts as zero."""
    mode = pair.law.damping_mode
    if mode == NEVER_PULLING and abs(backlash) <= small:
        return IN_CONTACT
    return mode


@leaf
def one_damper(c: F8, mode: I8, rate: F8, side: F8, force: F8, share: F8, curve: F8, curve_y: F8, out: LawOut) -> F8:
    """Force of the laws that refer to both flanks together: ALWAYS, IN_CONTACT, LIMITED; its derivatives c_u and c_y without those
    of the springs. rate: of the flank `side`; share: in contact, with its derivatives by s and t y. Return the ratio to the force
    of the springs to which it is limited, or 0."""
    limited = 0.0
    by_rate = c if mode == ALWAYS else c * share
    damping = by_rate * rate
    by_c = rate if mode == ALWAYS else share * rate
    out.c_u = 0.0 if mode == ALWAYS else c * curve * rate
    out.c_y = 0.0 if mode == ALWAYS else c * curve_y * rate
    if mode == LIMITED and abs(damping) > abs(force):
        # the sum neither pulls nor exceeds twice the spring
        by_rate = 0.0
        by_c = 0.0
        out.c_u = 0.0
        out.c_y = 0.0
        limited = 1.0 if (damping > 0.0) == (force > 0.0) else -1.0
        damping = limited * force
    out.damping = damping
    out.damped = side * damping
    out.lost = damping * rate
    out.damper = by_rate
    out.damper_1 = side * by_rate
    out.damper_2 = side * side * by_rate
    out.flanks_damped.by_c = by_c
    return limited
