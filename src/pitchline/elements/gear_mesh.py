"""Gear pair: two wheels of any kind, at any position in space, coupled by their teeth.

Geometry, law and wrench are separate: `mesh_frame` and `mesh_motion` define position and motion of the teeth, `spring_law` or
`multiplier_law` their force, `mesh_play` the effect of a varying backlash and of a fixed line of action, `mesh_engagement` and
`mesh_fading` the end of contact, `mesh_wrench` the loads on the wheels, `mesh_stiffness` their derivatives.

Memory: psi_A and psi_B of the last accepted state, including full revolutions, and whole teeth between them. u is computed
from principal angles and integers, so that the accuracy does not depend on the number of revolutions.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, I8, V2, block, kernel, leaf
from ..math.fields import packed
from .contract import PAIR_ROWS, RATE, TANGENT, Ask, Element, ElementKind, Node, SignalSpec
from .face_load import mesh_face_load
from .mesh_engagement import far_apart, out_of_mesh
from .mesh_fading import deeper_than_tips, fade_law, tip_law
from .mesh_law import OF_DEFLECTION, RIGID, SPRING, Law
from .mesh_limits import CONTACT_ENDS, RUN_ENDS
from .mesh_line import tilt_about_centres
from .mesh_motion import count_turns, mesh_motion
from .mesh_play import fix_line, vary_play
from .mesh_potential import potential_rate
from .mesh_records import FIRST_LOOK, MeshMemory, MeshParameters, MeshScratch, gear_pair
from .mesh_report import MESH_SIGNALS, published, report_apart, report_mesh
from .mesh_stiffness import multiplier_tangent, spring_tangent
from .mesh_terms import play_terms
from .mesh_tilt import tilt_unit
from .mesh_wrench import mesh_wrench, put_wrench
from .multiplier_law import multiplier_law
from .spring_law import spring_law


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
