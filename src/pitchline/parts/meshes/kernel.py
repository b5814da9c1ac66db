"""Gear pair: two wheels of any kind, at any position in space, coupled by their teeth.

Geometry, law and wrench are separate: `mesh_frame` and `mesh_motion` define position and motion of the teeth, `spring_law` or
`multiplier_law` their force, `vary_play` and `fix_line` the effect of a varying backlash and of a fixed line of action,
`kernel_engagement` and `kernel_stiffness` the end of contact, `mesh_wrench` the loads on the wheels, `kernel_stiffness` their
derivatives.

Memory: psi_A and psi_B of the last accepted state, including full revolutions, and whole teeth between them. u is computed
from principal angles and integers, so that the accuracy does not depend on the number of revolutions.
"""

import numpy as np

from pitchline.engine.elements.contract import PAIR_ROWS, RATE, TANGENT, Ask, Element, ElementKind, Node, SignalSpec
from pitchline.numerics.fields import INTEGER, behind, fields, packed, record_over
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V2, block, kernel, leaf

from ..bodies.kernel_joint import multiplier_law
from ..springs.kernel_law import spring_law
from .kernel_engagement import (
    MESH_SIGNALS,
    count_turns,
    far_apart,
    mesh_motion,
    out_of_mesh,
    published,
    report_apart,
    report_mesh,
)
from .kernel_law import OF_DEFLECTION, RIGID, SPRING, Law, phase_interval
from .kernel_loaded import play_terms
from .kernel_potential import potential_rate, tilt_unit
from .kernel_records import (
    CONTACT_ENDS,
    FIRST_LOOK,
    RUN_ENDS,
    Hoop,
    LawOut,
    LawTerms,
    MeshMemory,
    MeshParameters,
    MeshScratch,
    TiltOut,
    gear_pair,
)
from .kernel_stiffness import (
    deeper_than_tips,
    fade_law,
    multiplier_tangent,
    spring_tangent,
    tilt_about_centres,
    tip_law,
)
from .kernel_wrench import mesh_wrench, put_wrench

# ---- face load

# Face load factor K_Hbeta of a mesh: the largest load per face width divided by its mean, at one instant.
#
# As in ISO 6336-1, w(zeta) being the normal force per face width, summed over all pairs of teeth that bear there,
#
# K_Hbeta = max w / (F/b) .
#
# Tables contain it over load, tilt and phase. Between their points max w = K F is linear, from zero without load.
# Beyond the largest load and the outermost tilts K is constant. Springs of equal stiffness over the face have a
# linear load distribution over its width, and over a part of it after an edge has lifted off.

FaceLoads = fields(
    "FaceLoads",
    phases=INTEGER,
    tilts=INTEGER,
    loads=INTEGER,
    force=behind("loads"),  # the first is 0
    tilt=behind("tilts"),
    count=INTEGER,
    most=behind("count"),  # K F, by phase, tilt and load
)
"""Stored with the functions of a system."""

_table = record_over(FaceLoads)


@leaf
def _place(x: A1, count: I8, value: F8) -> F8:
    """Index of the point below, and the fraction of the interval to the next one; within the points."""
    i = 0
    while i < count - 2 and x[i + 1] <= value:
        i += 1
    return i + min(max((value - x[i]) / (x[i + 1] - x[i]), 0.0), 1.0)


@leaf
def _over_loads(most: A1, row: I8, part: F8, m: I8) -> F8:
    return most[row + m] + part * (most[row + m + 1] - most[row + m])


@block
def tabled_face_load(functions: A1, place: I8, force: F8, tilt: F8, angle: F8) -> F8:
    """K_Hbeta of a flank with a force; 0 without force."""
    if not force > 0.0:
        return 0.0
    t = _table(functions, place)
    n = t.loads
    inside = min(force, t.force[n - 1])
    at = _place(t.force, n, inside)
    m = min(int(at), n - 2)
    i = 0
    z = 0.0
    above = 0
    if t.tilts > 1:
        along = _place(t.tilt, t.tilts, tilt)
        i = min(int(along), t.tilts - 2)
        z = along - i
        above = n
    j, x = phase_interval(t.phases, angle)
    here = int(j)
    there = (here + 1) % t.phases
    low = n * (t.tilts * here + i)
    high = n * (t.tilts * there + i)
    part = at - m
    most = t.most
    first = (1.0 - z) * _over_loads(most, low, part, m) + z * _over_loads(most, low + above, part, m)
    second = (1.0 - z) * _over_loads(most, high, part, m) + z * _over_loads(most, high + above, part, m)
    return ((1.0 - x) * first + x * second) / inside


@block
def mesh_face_load(pair: MeshParameters, functions: A1, w: MeshScratch) -> F8:
    """K_Hbeta of a pair after the evaluation of its law: for tables, and for springs over the face. 0 without contact."""
    law = pair.law
    out = w.law
    hoop = w.hoop
    share = w.engaged.share if w.engaged.share > 0.0 else 1.0
    if out.flank == 0.0:
        return 0.0
    if law.face_loads != 0:
        angle = pair.geometry.teeth_a * hoop.psi_a
        both = out.both if pair.geometry.line == 0 else abs(out.elastic)
        drive = 0.5 * (both + out.elastic) / share
        coast = 0.5 * (both - out.elastic) / share
        if drive >= coast:
            return tabled_face_load(functions, law.drive_face_loads, drive, hoop.tilt_drive, angle)
        return tabled_face_load(functions, law.coast_face_loads, coast, hoop.tilt_coast, angle)
    s = hoop.u + out.terms.x - law.offset
    depth = s if out.flank > 0.0 else -(s + hoop.backlash)
    slope = abs(hoop.tilt) * law.width
    if law.tilt_width > 0.0:
        slope = abs(hoop.tilt_drive if out.flank > 0.0 else hoop.tilt_coast) * law.tilt_width
    if depth >= 0.5 * slope:
        return 1.0 + 0.5 * slope / depth if depth > 0.0 else 1.0
    bears = depth / slope + 0.5  # fraction of the width in contact
    return 2.0 / bears if bears > 0.0 else 0.0


def encode_face_loads(loads: np.ndarray, tilts: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """The table as numbers for the functions of a system: loads above zero (L), tilts (T), K_Hbeta (T, L, n)."""
    most = np.concatenate([np.zeros_like(factors[:, :1]), factors * loads[:, None]], axis=1)
    values = {
        "phases": factors.shape[2],
        "force": np.append(0.0, loads),
        "tilt": tilts,
        "most": most.transpose(2, 0, 1).ravel(),
    }
    return packed(FaceLoads, values)


# ---- mesh play

# Backlash that varies with the rotation of a wheel or with time, and lines of action that do not follow the load.
#
# The law of a mesh has the energy V(psi_A, psi_B, Y): Y is the distance by which both flanks are closer than with the
# constant backlash, and N = dV/dY the sum of the forces of both flanks. If the backlash is b + d(psi_A, psi_B, t),
# then Y = t y - d/2: the torques of V contain N dY/dpsi, and N dY/dt is supplied from outside.
#
# With a fixed line of action both flanks have the same normal. Then V(psi_A, psi_B, u + l t y), l = 1 for the normal
# of the drive flank and -1 for that of the coast flank, and the force along t y is l f.


@block
def vary_play(law: Law, tangent: I8, multiplier: I8, hoop: Hoop, terms: LawTerms, out: LawOut):
    """Add the effect of a varying backlash to the result of a law. multiplier: in multiplier form."""
    consistent = law.consistent
    N = out.both
    if law.damping_rate == OF_DEFLECTION:
        N += out.damped
    pa = terms.p_a
    pb = terms.p_b
    out.power += N * terms.p_t
    out.timed += N * terms.p_t
    if consistent != 0:
        out.w_a += N * pa
        out.w_b += N * pb
    else:
        out.power += N * (pa * hoop.rate_a + pb * hoop.rate_b)
    if multiplier != 0:
        out.row_a += out.sigma * pa
        out.row_b += out.sigma * pb
    elif tangent == 0:
        return
    aa = out.w_ay * pa
    ab = out.w_ay * pb
    ba = out.w_by * pa
    bb = out.w_by * pb
    yy = out.both_y
    if consistent != 0:
        aa += pa * (out.both_a + yy * pa) + N * terms.p_aa
        ab += pa * (out.both_b + yy * pb)
        ba += pb * (out.both_a + yy * pa)
        bb += pb * (out.both_b + yy * pb) + N * terms.p_bb
        out.w_ay += pa * yy
        out.w_by += pb * yy
        out.w_at += pa * out.both_t
        out.w_bt += pb * out.both_t
        out.f_a += out.both_l * pa if multiplier != 0 else 0.0
        out.f_b += out.both_l * pb if multiplier != 0 else 0.0
    if multiplier == 0:
        out.f_a += out.both_u * pa
        out.f_b += out.both_u * pb
    out.w_aa += aa
    out.w_ab += ab
    out.w_ba += ba
    out.w_bb += bb
    out.m_a += out.both_t * pa
    out.m_b += out.both_t * pb
    out.c_a += out.c_y * pa
    out.c_b += out.c_y * pb
    out.d_a += out.d_y * pa
    out.d_b += out.d_y * pb
    out.both_a += yy * pa
    out.both_b += yy * pb
    _vary_tilting(consistent, pa, pb, out.on_drive)
    _vary_tilting(consistent, pa, pb, out.on_coast)


@leaf
def _vary_tilting(consistent: I8, pa: F8, pb: F8, part: TiltOut):
    """The same for the moment against the tilt of a flank."""
    part.m_a += part.both_t * pa
    part.m_b += part.both_t * pb
    if consistent != 0:
        part.w_at += part.both_t * pa
        part.w_bt += part.both_t * pb


@block
def fix_line(line: F8, lever_a: F8, lever_b: F8, consistent: I8, multiplier: I8, out: LawOut):
    """Force along t y of a law whose approach contains l t y."""
    f = out.elastic
    out.sigma = line
    out.both = line * f
    out.damped = line * out.damping
    if multiplier != 0:
        out.both_l = line
        return
    k = out.stiffness
    out.both_u = line * k
    out.both_y = k
    out.both_a = line * out.f_a
    out.both_b = line * out.f_b
    out.both_t = line * out.f_t
    out.d_y = line * out.c_y
    out.c_y = line * out.c_u
    out.w_ay = line * (out.f_a if consistent != 0 else lever_a * k)
    out.w_by = line * (out.f_b if consistent != 0 else lever_b * k)


@leaf
def _with_centres(pair: MeshParameters, u: F8, y: F8, lam: F8) -> V2:
    """Approach of the drive flank and backlash with centres that are closer by y: u + t y, b - 2 t y.

    One multiplier cannot represent both flanks at once unless the teeth are elastic: rigid teeth keep a small backlash, and
    without any the flank follows from the force. The same for tables in multiplier form."""
    b = pair.law.backlash
    t = pair.geometry.radial
    form = pair.law.form
    if form == SPRING or (form != RIGID and pair.law.tabled == 0):
        return (u + t * y, b - 2.0 * t * y)
    if b <= 0.0:
        return (u + t * y if lam >= 0.0 else u - t * y, b)
    return (u + t * y, max(b - 2.0 * t * y, 1e-3 * b))


@leaf
def teeth_rows(law: Law) -> I8:
    """Number of rows of the teeth: none if their force is a function of the approach; two for rigid teeth with line contact."""
    if law.form == SPRING:
        return 0
    return 2 if law.form == RIGID and law.width > 0.0 else 1


@block
def _placed_flanks(s: MeshParameters, functions: A1, lam: F8, w: MeshScratch):
    """Approach and backlash with the centres where they are, and a varying backlash."""
    hoop = w.hoop
    motion = w.motion
    t = s.geometry.radial
    if t > 0.0:
        if s.geometry.line != 0:
            hoop.u = motion.approach + s.geometry.line * t * motion.closer
            hoop.rate += s.geometry.line * t * motion.closer_rate
        else:
            hoop.closing = t * motion.closer_rate
            hoop.u, hoop.backlash = _with_centres(s, motion.approach, motion.closer, lam)
    if s.law.n_plays != 0:
        terms = w.law.terms
        play_terms(s, functions, hoop, terms)
        hoop.u += terms.p
        hoop.backlash -= 2.0 * terms.p
        if s.law.damping_rate == OF_DEFLECTION:
            hoop.closing += terms.p_a * hoop.rate_a + terms.p_b * hoop.rate_b + terms.p_t
        if s.law.form == RIGID and hoop.backlash < 0.0:
            hoop.u = np.nan  # rigid teeth do not fit into their spaces


@block
def loaded_teeth(
    s: MeshParameters, m: MeshMemory, a: Node, b: Node, lam: V2, tangent: I8, sliding: I8, ask: Ask, w: MeshScratch
) -> I8:
    """Motion, law and wrench of a state. lam: multipliers of the teeth. sliding: as in `mesh_wrench`. 0 if the wheels are out of
    mesh."""
    if mesh_motion(s, m, a, b, w) == 0:
        return 0
    t = s.geometry.radial
    hoop = w.hoop
    motion = w.motion
    functions = ask.functions
    hoop.time = ask.t
    spring = s.law.form == SPRING
    if t > 0.0 or s.law.n_plays != 0:
        _placed_flanks(s, functions, lam[0], w)
    if spring:
        spring_law(s, functions, hoop, ask.damp, tangent, w.law)
    else:
        multiplier_law(s, functions, hoop, lam[0], ask, w.law)
        if sliding != 0 and w.law.flank == 0.0 and lam[0] != 0.0:
            # in a report: teeth apart have no force, and the rounding of its equation does not choose a flank
            multiplier_law(s, functions, hoop, 0.0, ask, w.law)
        if s.law.form == RIGID and s.law.width > 0.0:
            w.law.moment = lam[1]
    along = w.law.elastic
    if s.law.damping_rate == OF_DEFLECTION:
        along += w.law.damping
    w.law.timed = along * w.law.terms.x_t
    if s.law.n_plays != 0:
        vary_play(s.law, tangent, 0 if spring else 1, hoop, w.law.terms, w.law)
    if s.geometry.line != 0 and t > 0.0:
        g = s.geometry
        fix_line(float(g.line), g.lever_a, g.lever_b, s.law.consistent, 0 if spring else 1, w.law)
    if s.limits.ends == CONTACT_ENDS:
        if deeper_than_tips(s, w.engaged, w.law) == 1:
            tip_law(s, w.engaged, w.law)
        if w.engaged.share != 1.0 or w.engaged.changes != 0:
            fade_law(s, tangent, w.engaged, w.law)
    else:
        w.engaged.changes = 0
    motion.rise = t * w.law.sigma
    mesh_wrench(s, functions, ask.damp, sliding, w)
    return 1


@leaf
def no_position(r: A1):
    """Set invalid values, which are reported to Newton."""
    for i in range(12):
        r[i] = np.nan


@block
def mesh_rows(s: MeshParameters, a: Node, b: Node, ask: Ask, w: MeshScratch, r: A1, J: A2):
    """Wrench and row of the teeth, and their tangent, after `loaded_teeth`."""
    spring = s.law.form == SPRING
    tangent = ask.mode == TANGENT
    law = w.law
    if ask.mode == RATE:
        if spring:
            return
        if law.flank != 0.0:
            r[12] = law.row_a * w.hoop.rate_a + law.row_b * w.hoop.rate_b
            if w.motion.rise != 0.0:
                r[12] += w.motion.rise * w.motion.closer_rate
            if s.law.tilted != 0:
                part = law.on_drive if law.tilt_side > 0.0 else law.on_coast
                tilt_unit(s.law, w.frame, law.tilt_side, w.unit)
                r[12] += part.row_t * potential_rate(s.geometry, w.frame, w.motion, w.hoop, w.unit)
            r[12] += law.terms.x_t + ask.shift * law.terms.x_tt
            if s.law.n_plays != 0:
                r[12] += law.flank * (law.terms.p_t + ask.shift * law.terms.p_tt)
        elif ask.K > 0.0:
            r[12] = law.gap * ask.D / ask.K  # the same row lambda = 0, in the scale of a rate
        if teeth_rows(s.law) == 2:
            r[13] = tilt_about_centres(w.frame, w.motion, w.hoop)
        return
    if s.limits.ends == RUN_ENDS and out_of_mesh(w.engaged) == 1:
        no_position(r)
        return
    if not spring:
        r[12] = law.gap
    if teeth_rows(s.law) == 2:
        r[13] = w.hoop.tilt
    if tangent:
        if spring:
            spring_tangent(s, a, b, ask.functions, ask, w, J)
        else:
            multiplier_tangent(s, a, b, ask.functions, ask, w, J, 13 if teeth_rows(s.law) == 2 else -1)
    put_wrench(a, b, w.wrench, r)
    ask.power_in += w.wrench.put_in
    ask.power_teeth += w.wrench.put_in - law.timed
    ask.power_out += w.wrench.lost


@kernel
def evaluate(s, m, x, w, ask, r, J):
    spring = s.law.form == SPRING
    if spring and ask.mode == RATE:
        return
    lam = (0.0 if spring else x.lam[0], x.lam[1] if teeth_rows(s.law) == 2 else 0.0)
    tangent = 1 if ask.mode == TANGENT else 0
    if loaded_teeth(s, m, x.a, x.b, lam, tangent, 0, ask, w) == 0:
        if far_apart(s, x.a, x.b) == 0.0:
            no_position(r)
        return
    mesh_rows(s, x.a, x.b, ask, w, r, J)


@kernel
def accept(s, m, x, w, ask):
    count_turns(s, m, x.a, x.b, w)


@kernel
def report(s, m, x, w, ask, out):
    lam = (0.0 if s.law.form == SPRING else x.lam[0], x.lam[1] if teeth_rows(s.law) == 2 else 0.0)
    if loaded_teeth(s, m, x.a, x.b, lam, 0, 1, ask, w) == 1:
        report_mesh(s, m, w, out)
        if s.law.face_loads != 0 or (s.law.width > 0.0 and s.law.form != RIGID) or s.law.tilt_width > 0.0:
            out.face_load_factor = mesh_face_load(s, ask.functions, w)
    else:
        report_apart(m, far_apart(s, x.a, x.b), out)


GEAR_MESH = ElementKind(
    "gear mesh",
    evaluate,
    MeshParameters,
    seen=PAIR_ROWS,
    memory=MeshMemory,
    scratch=MeshScratch,
    accept=accept,
    report=report,
    signals=MESH_SIGNALS,
    exchanges_power=True,
    full_pattern=True,
)


RACK_SIGNALS = {"psi_b": SignalSpec("psi_b", "m", "travel of the rack B in the mesh frame")}
"""Signals of a pair with a rack that differ from those of two wheels."""


def gear_mesh(
    name: str, nodes: tuple[int, int], geometry: np.void, law: np.void, limits: np.void | None = None
) -> Element:
    """Make a gear pair: `geometry` from `encode_geometry`, `law` from `encode_law`, `limits` from `encode_limits` (default:
    contact does not end). Its memory is set when a state is accepted for the first time."""
    rows = "" if law["form"] == SPRING else "t"
    line = bool(law["width"] > 0.0)
    if line and law["form"] == RIGID:
        rows = "tr"
    springs = (line and law["form"] != RIGID and law["smoothing"] == 0.0) or law["tilt_width"] > 0.0
    signals = published(
        GEAR_MESH.signals, geometry["z1"], tabled=bool(law["tabled"]), tilted=bool(law["tabled"] and law["tilted"]),
        face_loads=bool(law["face_loads"] or springs), impacts=bool(law["form"] == RIGID and law["backlash"] > 0.0),
        line=line,
    )  # fmt: skip
    rename = dict(RACK_SIGNALS) if geometry["rack"] else {}
    memory = packed(MeshMemory, {"state": FIRST_LOOK})
    parameters = gear_pair(geometry, law, limits)
    return Element(GEAR_MESH, name, nodes, parameters, rows=rows, memory=memory, signals=signals, rename=rename)
