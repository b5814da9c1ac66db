"""Motion and engagement of the teeth of a gear pair, the end of contact, and the signals of every gear pair.

Report of every gear pair: its signals, and their values.

Values that change sign with the flank are reported here relative to the drive flank. Results convert them to the loaded
flank (`analyses.signals`).

Lengths and stiffness are on the base circle: along the line of action in the transverse plane, or, where two wheels have no base
circles in one plane, along the normal (`parts.gears.geometry.directions`). The tooth force and its impulse are along the normal.
"""

import math
from functools import lru_cache

import numpy as np

from pitchline.engine.elements.contract import Element, ElementKind, Node, SignalSpec, unit_signal
from pitchline.numerics.machine_code.compiled import B1, F8, I8, V3, block, kernel, leaf
from pitchline.numerics.vectors import add, cross, dot, mul, mv, sub

from .kernel_law import ROUNDING, Geometry
from .kernel_potential import mesh_frame, solve, tilts_of
from .kernel_records import (
    CONTACT_ENDS,
    FIRST_LOOK,
    FREE,
    IN_MESH_STILL,
    LINE,
    NO_FACES,
    PARTED,
    Engagement,
    Limits,
    MeshFrame,
    MeshMemory,
    MeshParameters,
    MeshScratch,
    of_face,
)

# ---- mesh engagement

# Engagement of the teeth: overlap of the tips, common fraction of the faces, and the teeth that mesh when contact
# begins again.
#
# The pitch points C_A and C_B lie apart by C_A - C_B = y eta2 + w eta1. Tips overlap along the line of centres by
#
# d = h + y , h: as built,
#
# and teeth that are out of reach, d <= 0, have no force.
#
# Phi is the fraction of the initial common face width that is still in mesh, times a factor that decreases to zero at
# the ends of a rack. It is a function of the position of C_B along the face (a, along the pitch line of A) and along
# the rack (its travel s). Faces of crossed axes have point contact at the foot of the common perpendicular: Phi
# decreases from 1 to 0 beyond the ends of each face. `kernel_stiffness` describes the effect of Phi and d on the force.
#
# Engaged teeth: those counted in the memory, while teeth are in mesh. If they can pass each other (tips nearly apart,
# faces nearly apart), or if the count is invalid because they were out of mesh, the teeth closest to each other.

ENTERING = 0.25
"""Below this Phi the closest teeth are used."""
MISCOUNTED = 0.75
"""Fraction of a pitch: teeth that are farther from their space are not the counted ones."""
IN_PLACE = 0.9
"""Fraction of the initial depth and face from which on teeth cannot pass each other."""


@leaf
def _beyond(x: F8, low: F8, high: F8, length: F8) -> V3:
    """1 from low to high, 0 at a length beyond either, a cubic between; with two derivatives by x."""
    sign = 1.0
    e = (x - high) / length
    if x < low:
        e = (low - x) / length
        sign = -1.0
    if e <= 0.0:
        return (1.0, 0.0, 0.0)
    if e >= 1.0:
        return (0.0, 0.0, 0.0)
    return (1.0 - e * e * (3.0 - 2.0 * e), -6.0 * sign * e * (1.0 - e) / length, (12.0 * e - 6.0) / (length * length))


@leaf
def _over_square(second: F8, first: F8) -> F8:
    """Second derivative over the square of the first: what multiplies the product of two gradients."""
    return second / (first * first) if first != 0.0 else 0.0


@block
def _fading_line(p: Limits, a: F8, along: V3, out: Engagement):
    """Phi of parallel faces that overlap partially."""
    rising = a - p.low < p.high - a
    S = of_face((a - p.low if rising else p.high - a) / p.width)
    slope = p.gain * S[1] / p.width
    out.share = p.gain * S[0]
    out.changes = 1
    out.gradient = mul(-slope if rising else slope, along)  # a grows as A moves back
    out.couple_a = (0.0, 0.0, 0.0)
    out.couple_b = (0.0, 0.0, 0.0)
    out.curve = _over_square(p.gain * S[2] / (p.width * p.width), slope)


@leaf
def _between_centres(radius_b: F8, f: MeshFrame) -> V3:
    """x_A - x_B of the centres; of a rack from the pitch point, which differs along the rack and up its teeth."""
    return add(f.centre, mul(radius_b, f.x2))


@block
def _fading_crossed(p: Limits, radius_b: F8, rack: B1, f: MeshFrame, out: Engagement):
    """Phi of faces on crossed axes, from the position of the foot of the common perpendicular on each; for a rack, from the
    position of the middle of the pinion across it.

    With the axes a = mu1 and b = xi1, c = a.b, q = 1/(1 - c^2) and d from the centre of A to that of B, the feet lie at
    s_A = q (d.a - c d.b) and s_B = q (c d.a - d.b). They depend on the directions of the axes with the lever of d.
    """
    a = f.m1
    b = f.x1
    apart = _between_centres(radius_b, f)
    d = mul(-1.0, apart)
    c = 0.0 if rack else dot(a, b)
    q = 1.0 / (1.0 - c * c)
    to_a = mul(q, sub(a, mul(c, b)))
    to_b = mul(q, sub(b, mul(c, a)))
    foot_a = dot(d, to_a)
    foot_b = -dot(d, to_b)
    on_a = (1.0, 0.0, 0.0)
    if not rack:
        on_a = _beyond(foot_a, p.low, p.high, p.beyond)
    on_b = _beyond(foot_b, p.low_b, p.high_b, p.beyond)
    share = on_a[0] * on_b[0]
    out.share = share
    if share == 1.0:
        return
    out.changes = 1
    by_a = on_a[1] * on_b[0]
    by_b = on_b[1] * on_a[0]
    gradient = add(mul(-by_a, to_a), mul(by_b, to_b))
    out.gradient = gradient
    out.curve = 0.0  # of one face: where both end at once, Newton does without
    if on_b[0] == 1.0:
        out.curve = _over_square(on_a[2], by_a)
    elif on_a[0] == 1.0:
        out.curve = _over_square(on_b[2], by_b)
    # by the directions of the axes; those of a rack and its pinion do not depend on each other
    of_a = mul(by_a, d)
    of_b = mul(-by_b, d)
    if not rack:
        turn = by_b * dot(d, a) - by_a * dot(d, b) + 2.0 * c * (by_a * foot_a + by_b * foot_b)
        of_a = add(mul(by_a + c * by_b, d), mul(turn, b))
        of_b = add(mul(-c * by_a - by_b, d), mul(turn, a))
    # and the force acts at the centres, not at the point of contact
    centre = f.centre
    out.couple_a = add(mul(q, cross(a, of_a)), cross(centre, gradient))
    out.couple_b = add(mul(q, cross(b, of_b)), cross(sub(apart, centre), gradient))


@leaf
def travel_share(p: Limits, travel: F8, out: Engagement):
    """Phi along a rack; the rest as for teeth wholly in mesh."""
    out.share = 1.0
    out.changes = 0
    out.travel_1 = 0.0
    out.tip = 0.0
    out.tip_stiffness = 0.0
    if p.travel_beyond > 0.0 and (travel < p.travel_low or travel > p.travel_high):
        T = _beyond(travel, p.travel_low, p.travel_high, p.travel_beyond)
        out.share = T[0]
        out.travel_1 = T[1]
        out.travel_2 = T[2]


@leaf
def engagement(pair: MeshParameters, f: MeshFrame, out: Engagement) -> F8:
    """Phi and d of a mesh frame; return y, the reduction of the centre distance from its initial value."""
    p = pair.limits
    gap = add(f.centre, mul(pair.geometry.radius_a, f.m2))
    y = dot(gap, f.e2)
    travel_share(p, f.psi_b, out)
    out.left = p.depth + y
    if y > p.depth and p.depth > 0.0:
        # deeper than teeth can be: probably a pinion that has left its ring on the outside
        apart = _between_centres(pair.geometry.radius_b, f)
        if dot(apart, apart) > p.reach * p.reach:
            out.left = -y
    if p.faces == NO_FACES:
        return y
    travel = out.share
    if p.faces == LINE:
        along = add(mul(p.along_1, f.m1), mul(p.along_2, f.m2))
        a = -dot(gap, along)
        out.share = p.gain
        if min(a - p.low, p.high - a) < (1.0 - FREE) * p.width:
            _fading_line(p, a, along, out)
    else:
        _fading_crossed(p, pair.geometry.radius_b, pair.geometry.rack != 0, f, out)
    if travel != 1.0:
        face = out.share
        out.share = face * travel
        out.travel_1 *= face
        out.travel_2 *= face
        if out.changes != 0:
            out.curve = out.curve / travel if travel > 0.0 else 0.0  # multiplies the gradient squared
            out.gradient = mul(travel, out.gradient)
            out.couple_a = mul(travel, out.couple_a)
            out.couple_b = mul(travel, out.couple_b)
    return y


@leaf
def out_of_mesh(e: Engagement) -> I8:
    return 1 if not (e.left > 0.0 and e.share > 0.0) else 0


@leaf
def in_place(p: Limits, e: Engagement) -> B1:
    """Whether teeth overlap to nearly their initial depth and width: the count is then valid, for any deflection."""
    return e.left >= IN_PLACE * p.depth and e.share >= IN_PLACE


@leaf
def wrong_teeth(pair: MeshParameters, u: F8, state: F8, e: Engagement) -> F8:
    """Number of teeth by which the count for an approach u must be corrected; 0 in mesh. state, of the memory: if teeth were
    out of mesh at the last check, they may have passed each other since."""
    pitch = pair.geometry.pitch
    aside = u - pair.law.offset + 0.5 * pair.law.backlash
    if abs(aside) <= 0.5 * pitch or pair.limits.ends != CONTACT_ENDS:
        return 0.0
    if e.left < pair.limits.shallow or e.share < ENTERING:
        return np.round(aside / pitch)
    if abs(aside) > MISCOUNTED * pitch and (state == PARTED or not in_place(pair.limits, e)):
        return np.round(aside / pitch)
    return 0.0


@block
def far_apart(pair: MeshParameters, a: Node, b: Node) -> F8:
    """Distance between spheres around both wheels: there is no contact then, for any direction of their axes. 0 if
    contact is possible."""
    g = pair.geometry
    d = sub(add(a.x, mv(a.R, g.a.at)), add(b.x, mv(b.R, g.b.at)))
    return max(0.0, math.sqrt(dot(d, d)) - pair.limits.reach) if pair.limits.ends == CONTACT_ENDS else 0.0


# ---- mesh motion

# Position and motion of two wheels in mesh: frame, approach, rates, revolutions. Common to all laws of a mesh.

TWO_PI = 2.0 * math.pi


@leaf
def unwrapped(angle: F8, reference: F8) -> F8:
    return angle + TWO_PI * np.round((reference - angle) / TWO_PI)


@leaf
def approach_of(g: Geometry, m: MeshMemory, f: MeshFrame) -> F8:
    """u from principal angles and whole teeth."""
    teeth = m.teeth + g.teeth_a * np.round((m.psi_a - f.psi_a) / TWO_PI)
    if g.rack == 0:
        teeth += g.teeth_b * np.round((m.psi_b - f.psi_b) / TWO_PI)
    return g.lever_a * f.psi_a + g.lever_b * f.psi_b + g.pitch * teeth


@block
def mesh_motion(pair: MeshParameters, m: MeshMemory, a: Node, b: Node, w: MeshScratch) -> I8:
    """Frame, approach and rates of a state: `w.frame`, `w.engaged`, `w.hoop`, `w.motion`. 0 if the wheels are out of mesh."""
    g = pair.geometry
    f = w.frame
    if mesh_frame(g, a, b, f) == 0:
        return 0
    e2 = f.e2
    h3 = f.h3
    wA = mv(a.R, a.w)
    wB = mv(b.R, b.w)
    relative = sub(sub(sub(a.v, b.v), cross(wA, f.arm_a)), cross(wB, f.arm_b))
    spin = sub(wA, wB)
    rate_a, rate_b = solve(f, dot(f.e3, relative), dot(cross(e2, h3), spin))
    motion = w.motion
    motion.closer = engagement(pair, f, w.engaged)
    u = approach_of(g, m, f)
    u -= g.pitch * wrong_teeth(pair, u, m.state, w.engaged)
    motion.approach = u
    # zero if the pitch points coincide: the point moves along the pitch surfaces
    by_a = dot(f.e2p, f.centre)
    by_b = dot(e2, f.travel)
    motion.closer_a = by_a
    motion.closer_b = by_b
    motion.closer_rate = dot(e2, relative) + by_a * rate_a + by_b * rate_b
    motion.relative = relative
    motion.spin = spin
    hoop = w.hoop
    hoop.psi_a = f.psi_a
    hoop.psi_b = f.psi_b
    hoop.rate_a = rate_a
    hoop.rate_b = rate_b
    hoop.u = u
    hoop.rate = g.lever_a * rate_a + g.lever_b * rate_b
    hoop.closing = 0.0
    hoop.backlash = pair.law.backlash
    hoop.tilt = dot(f.e1, h3) if pair.law.width > 0.0 else 0.0
    if pair.law.tilted != 0:
        tilts_of(pair.law, f, hoop)
    return 1


@block
def count_turns(pair: MeshParameters, m: MeshMemory, a: Node, b: Node, w: MeshScratch) -> I8:
    """Store revolutions and teeth of an accepted state in the memory. 1 the first time, 0 later, -1 out of mesh."""
    g = pair.geometry
    f = w.frame
    if mesh_frame(g, a, b, f) == 0:
        if m.state != FIRST_LOOK:
            m.state = PARTED
        return -1
    if m.state == FIRST_LOOK:  # the teeth closest to each other mesh
        m.psi_a = f.psi_a
        m.psi_b = f.psi_b
        m.teeth = 0.0
        m.teeth = -np.round(approach_of(g, m, f) / g.pitch)
        m.state = IN_MESH_STILL
        return 1
    m.psi_a = unwrapped(f.psi_a, m.psi_a)
    m.psi_b = unwrapped(f.psi_b, m.psi_b) if g.rack == 0 else f.psi_b
    engagement(pair, f, w.engaged)
    m.teeth -= wrong_teeth(pair, approach_of(g, m, f), m.state, w.engaged)
    m.state = IN_MESH_STILL if pair.limits.ends != CONTACT_ENDS or in_place(pair.limits, w.engaged) else PARTED
    return 0


TABLE_LOAD = "table_load"
"""Signal of meshes with a table."""
TABLE_TILT = "table_tilt"
"""Signal of meshes whose table also depends on the tilt."""
FACE_LOAD_FACTOR = "face_load_factor"
"""Signal of meshes with a known load distribution along the face."""
TANGENTIAL_B, RADIAL_B = "tangential_force_b", "radial_force_b"
"""Signals of pairs whose axes are not parallel: otherwise both wheels have the same."""
IMPACTS, IMPULSE = "impacts", "impulse"
"""Signals of rigid teeth with backlash."""
SECOND_FORCE = "second_contact_force"
"""Signal of line contact."""
IN_MESH, TIP_OVERLAP = "in_mesh", "tip_overlap"
"""Signals of the engagement of the teeth."""


@kernel
def report_mesh(pair, m, w, out):
    """Report of a pair whose wrench is known. `out` is that of any kind of element with MESH_SIGNALS."""
    g = pair.geometry
    frame = w.frame
    law = w.law
    motion = w.motion
    wrench = w.wrench
    ca = g.cos_alpha
    length = g.length
    force = mul(-1.0, wrench.force)  # on A
    couple = mul(-1.0, sub(wrench.moment_a, cross(wrench.force, frame.arm_a)))
    to_b = mul(g.radius_b, frame.x2)  # C_B from the centre of B; of a rack moments are about the pitch point
    out.potential = law.energy
    out.power_in = wrench.put_in
    out.power_out = wrench.lost
    out.normal_force = out.signed_force = (law.elastic + law.damping) / ca
    # away from the other wheel: back along the tooth, which on rings is away from the axis
    off_a = 1.0 if dot(frame.m2, frame.e2) > -1e-9 else -1.0
    off_b = 1.0 if dot(frame.x2, frame.e2) < 1e-9 else -1.0
    out.tangential_force = -dot(force, frame.m3)
    out.radial_force = -off_a * dot(force, frame.m2)
    out.axial_force = g.axis_a * dot(force, frame.m1)
    out.tangential_force_b = dot(force, frame.x3)
    out.radial_force_b = off_b * dot(force, frame.x2)
    out.axial_force_b = -g.axis_b * dot(force, frame.x1)
    on_b = sub(wrench.moment_b, cross(wrench.force, frame.arm_b))
    # teeth beside the middle of their face tilt the wheel: moments about the origins of the frames of the wheels
    moment_a = add(couple, cross(force, sub(frame.centre, mul(g.from_a, frame.m1))))
    moment_b = sub(cross(force, add(to_b, mul(g.from_b, frame.x1))), on_b)
    out.force_a = force
    out.moment_a = moment_a
    out.force_b = mul(-1.0, force)
    out.moment_b = moment_b
    out.contact_point = frame.point
    out.contact_moment = couple
    # in the middle between the pitch lines of both wheels, which differ by du/dt while elastic teeth deflect
    half_gap = 0.5 * (g.lever_a * w.hoop.rate_a + g.lever_b * w.hoop.rate_b) / g.lever_a
    out.mesh_velocity = g.radius_a * (w.hoop.rate_a - half_gap)
    out.power = -dot(moment_a, frame.m1) * w.hoop.rate_a
    # a rack moves against the travel of the pitch point along it
    out.power_b = (dot(force, frame.x3) if g.rack != 0 else dot(moment_b, frame.x1)) * w.hoop.rate_b
    out.approach = motion.approach * length
    out.transmission_error = (motion.approach - pair.law.offset) * length
    out.deflection = law.deflection * length
    out.stiffness = law.stiffness / (length * length) if w.engaged.tip == 0.0 else 0.0
    out.sliding_speed = wrench.sliding
    out.friction_loss = wrench.friction_loss
    out.loss = wrench.lost
    out.contact = law.flank
    cycle = g.teeth_a * frame.psi_a / TWO_PI
    cycle -= np.floor(cycle)
    out.phase = cycle if cycle < 1.0 else 0.0
    out.psi_a = unwrapped(frame.psi_a, m.psi_a)
    out.psi_b = unwrapped(frame.psi_b, m.psi_b) if g.rack == 0 else frame.psi_b
    gap = add(frame.centre, mul(g.radius_a, frame.m2))
    out.misalignment = math.sqrt(dot(gap, gap))
    out.tilt = w.hoop.tilt
    if pair.law.tilted != 0:
        out.tilt = w.hoop.tilt_drive if law.flank >= 0.0 else w.hoop.tilt_coast
    tabled = pair.law.tabled != 0
    out.table_tilt = law.table_tilt if tabled and pair.law.tilted != 0 else 0.0
    out.table_load = law.table_load if tabled else 0.0
    out.impacts = m.impacts
    out.impulse = m.impulse / ca
    width = pair.law.width
    out.second_contact_force = 2.0 * law.moment / (width * ca) if width > 0.0 else 0.0
    left = w.engaged.left
    out.in_mesh = w.engaged.share if left > 0.0 else 0.0
    out.tip_overlap = left


@kernel
def report_apart(m, apart, out):
    """Report of wheels without a mesh frame. apart: their minimum distance, with the revolutions of the last count; 0: contact
    is possible, and no value is valid."""
    if apart > 0.0:
        out.psi_a = m.psi_a
        out.psi_b = m.psi_b
        out.misalignment = apart
        out.tip_overlap = -apart
        return
    out.kinetic = out.potential = out.power_in = out.power_out = np.nan
    out.normal_force = out.signed_force = np.nan
    out.tangential_force = out.radial_force = out.axial_force = np.nan
    out.tangential_force_b = out.radial_force_b = out.axial_force_b = np.nan
    out.force_a = out.force_b = out.contact_moment = (np.nan, np.nan, np.nan)
    out.mesh_velocity = out.power = out.power_b = np.nan


MESH_SIGNALS = (
    SignalSpec("normal_force", "N", "tooth force along the normal of the flanks, positive on the loaded flank"),
    SignalSpec("signed_force", "N", "the same with a sign: positive on the drive flank, negative on the coast flank"),
    SignalSpec("tangential_force", "N", "force along the pitch circle of wheel A, positive on the loaded flank"),
    SignalSpec("radial_force", "N", "radial force on wheel A, positive away from the other wheel"),
    SignalSpec("axial_force", "N", "force on wheel A along its own z axis"),
    SignalSpec(TANGENTIAL_B, "N", "force along the pitch circle of wheel B, positive on the loaded flank"),
    SignalSpec(RADIAL_B, "N", "radial force on wheel B, positive away from the other wheel"),
    SignalSpec("axial_force_b", "N", "force on wheel B along its own z axis"),
    unit_signal("force_a", "N", "force on wheel A"),
    unit_signal("moment_a", "N*m", "moment on wheel A about its centre"),
    unit_signal("force_b", "N", "force on wheel B"),
    unit_signal("moment_b", "N*m", "moment on wheel B about its centre (rack: about the pitch point)"),
    unit_signal("contact_point", "m", "pitch point at which the teeth are in contact"),
    unit_signal("contact_moment", "N*m", "moment of the teeth on wheel A, in addition to the force at the contact point"),
    SignalSpec("mesh_velocity", "m/s", "pitch line velocity in the mesh frame, mean of both wheels; positive if psi_a increases"),
    SignalSpec("power", "W", "power from wheel A to the teeth in the mesh frame, positive if A drives"),
    SignalSpec("power_b", "W", "power from the teeth to wheel B in the mesh frame, positive if A drives"),
    SignalSpec("approach", "m", "advance of the teeth of A relative to those of B on the base circle, including backlash"),
    SignalSpec("transmission_error", "m", "lag of the driven wheel from the loaded flank, on the base circle"),
    SignalSpec("deflection", "m", "deflection of the teeth on the base circle"),
    SignalSpec("stiffness", "N/m", "current mesh stiffness on the base circle"),
    SignalSpec("sliding_speed", "m/s", "sliding speed of the teeth at the pitch point"),
    SignalSpec("friction_loss", "W", "power loss by friction"),
    SignalSpec("loss", "W", "power loss by friction, damping and the efficiency of the mesh"),
    SignalSpec("contact", "", "1 on the drive flank, -1 on the coast flank, 0 in the backlash"),
    SignalSpec("phase", "", "fraction of the mesh cycle, 0 to 1"),
    SignalSpec("psi_a", "rad", "rotation of wheel A in the mesh frame, including full revolutions"),
    SignalSpec("psi_b", "rad", "rotation of wheel B in the mesh frame, including full revolutions"),
    SignalSpec("misalignment", "m", "distance between the two pitch points"),
    SignalSpec("tilt", "rad", "tilt of the teeth in the plane of action; with line contact about the line of centres"),
    SignalSpec(TABLE_LOAD, "", "force divided by the largest load of the table; above 1 the table is extrapolated linearly"),
    SignalSpec(TABLE_TILT, "", "tilt divided by the largest tilt of the table; above 1 the table is extrapolated linearly"),
    SignalSpec(FACE_LOAD_FACTOR, "", "largest load per face width divided by its mean, K_Hbeta; 0 without contact"),
    SignalSpec(IMPACTS, "", "number of impacts of the teeth since the start"),
    SignalSpec(IMPULSE, "N*s", "sum of the impulses of all impacts, along the normal of the flanks, without sign"),
    SignalSpec(SECOND_FORCE, "N", "line contact: part of the force at half the face width from the pitch point along the teeth"),
    SignalSpec(IN_MESH, "", "fraction of the face width in mesh, less at the ends of a rack; 0 out of mesh"),
    SignalSpec(TIP_OVERLAP, "m", "overlap of the tip circles of both wheels along the line of centres; negative out of mesh"),
)  # fmt: skip
"""Of every gear pair, in the order of the report."""


def published(
    kind_signals: tuple[SignalSpec, ...],
    axis_b: np.ndarray,
    *,
    tabled: bool,
    tilted: bool = False,
    face_loads: bool = False,
    impacts: bool = False,
    line: bool = False,
) -> tuple[str, ...]:
    """Names of the signals that apply to a pair. axis_b: of B in the triad of A; tabled: the law has a table; tilted: also
    over the tilt; face_loads: the load distribution along the face is known; impacts: rigid teeth with backlash; line: line
    contact."""
    parallel = math.hypot(axis_b[1], axis_b[2]) < 1e-6
    unsaid = {
        TANGENTIAL_B: parallel,
        RADIAL_B: parallel,
        TABLE_LOAD: not tabled,
        TABLE_TILT: not tilted,
        FACE_LOAD_FACTOR: not face_loads,
        IMPACTS: not impacts,
        IMPULSE: not impacts,
        SECOND_FORCE: not line,
    }
    left_out = [name for name, unknown in unsaid.items() if unknown]
    return tuple(s.name for s in kind_signals if s.name not in left_out)


# ---- loaded flank

# Signs of a gear pair relative to the loaded flank, as in results, for both directions of power.
#
# Internally a mesh refers to the drive flank: forces of the coast flank are negative, and its transmission error
# includes the backlash. Relative to the loaded flank, forces and deflection are positive, and the transmission error
# is the lag of the driven wheel:
#
# drive flank: e = K (u - offset) , coast flank: e = -K (u - offset + b) ,
#
# with the ratio K of lengths on the base circle to those along the hoop (`parts.gears.geometry.directions`).
#
# With backlash each sample refers to its loaded flank. In the gap it is the closer one, so that -e is the distance of
# the teeth from contact, and no earlier state is needed.
#
# Without backlash both flanks are always in contact, and the force passes from one to the other without a gap: an
# oscillation must not be rectified. All samples refer to the flank that is loaded on average; to the drive flank if
# there is no clear mean.

FLANK, FORCE, ERROR = "contact", "signed_force", "transmission_error"
TURNED = ("normal_force", "tangential_force", "tangential_force_b", "deflection", "pair_forces")
"""Signals that change sign with the flank."""

CLEARLY = 0.05
"""Without backlash: fraction of the largest force that the mean must reach for the coast flank to be used."""
UNFELT = 1e-6
"""Acceleration of the effective mass by a force of rigid teeth that counts as zero [m/s^2]."""


def is_gear_pair(element: Element) -> bool:
    """Whether an element has the signals of a gear pair."""
    return _has_mesh_signals(element.kind)


@lru_cache(maxsize=256)
def _has_mesh_signals(kind: ElementKind) -> bool:
    return kind.signals[: len(MESH_SIGNALS)] == MESH_SIGNALS


def sides(element: Element, reported: dict[str, np.ndarray]) -> np.ndarray:
    """For every sample, the flank to which it refers: 1 drive, -1 coast."""
    pair = _pair(element)
    flank, force, error = reported[FLANK], reported[FORCE], reported[ERROR]
    small = ROUNDING * pair["geometry"]["pitch"]
    if pair["law"]["backlash"] > small:
        nearer = np.where(error + 0.5 * _play(pair) >= 0.0, 1.0, -1.0)
        return np.where(flank == 0.0, nearer, np.sign(flank))
    known = force[np.isfinite(force)]
    if not known.size:
        return np.ones(force.size)
    coast = np.mean(known) < -max(CLEARLY * np.max(np.abs(known)), _unfelt(pair, small))
    return np.full(force.size, -1.0 if coast else 1.0)


def turned(element: Element, reported: dict[str, np.ndarray], side: np.ndarray) -> dict[str, np.ndarray]:
    """Signals of `reported` that change with the flank, relative to that of `side`."""
    found = {name: (reported[name].T * side).T + 0.0 for name in TURNED if name in reported}  # + 0.0: no -0
    error = reported[ERROR]
    return found | {ERROR: np.where(side > 0.0, error, -(error + _play(_pair(element)))) + 0.0}


def _pair(element: Element) -> np.void:
    """Parameters of the pair: records of elastic flanks begin with those of every pair."""
    return MeshParameters.named(element.parameters)


def _play(pair: np.void) -> float:
    """Backlash in the direction of the transmission error."""
    return float(pair["law"]["backlash"] * pair["geometry"]["length"])


def play_of(element: Element) -> tuple[float, bool, float]:
    """Backlash of a pair in the direction of the transmission error, whether it is more than rounding, and the force that counts
    as zero."""
    pair = _pair(element)
    small = ROUNDING * pair["geometry"]["pitch"]
    return _play(pair), bool(pair["law"]["backlash"] > small), _unfelt(pair, small)


def _unfelt(pair: np.void, small: float) -> float:
    """Force that counts as zero."""
    return float(max(small * pair["law"]["mean_stiffness"], UNFELT * pair["law"]["mass"]))
