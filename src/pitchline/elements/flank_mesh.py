"""The gear pair with elastic flanks: the geometry of every gear pair, the law of two elastic gears (`flank_law`).

Modal coordinates of both gears are condensed: a step moves them together with the contact. At rest they follow the forces of
the teeth. Opened, for linear analyses, they have their own rows (`flank_open`).
"""

from typing import Any

import numpy as np

from ..math.compiled import F8, I8, block, kernel, leaf
from ..math.fields import packed
from ..math.vectors import cross, dot, mv, sub
from .contract import RATE, TANGENT, Ask, Element, ElementKind, Node, SignalSpec
from .flank_alone import FlankAlone
from .flank_face_load import kept_face_load, present_face_load
from .flank_law import accept_contact, begin_step, collect, solve_rest, solve_step, sum_strips
from .flank_open import NODES, modal_forces, modal_residual, modal_tangent, solve_held
from .flank_records import (
    MODES,
    PSI,
    SLOTS,
    ContactForces,
    ContactMemory,
    ElasticFlankPair,
    FlankMemory,
    FlankScratch,
    Seen,
    U,
    Y,
)
from .flank_shifts import shift_potential, shift_rates, shift_stiffness, shifts_of
from .mesh_engagement import far_apart, out_of_mesh
from .mesh_frame import solve
from .mesh_limits import CONTACT_ENDS
from .mesh_motion import count_turns, mesh_motion, unwrapped
from .mesh_records import FIRST_LOOK, MeshMemory, MeshParameters, MeshScratch, no_force
from .mesh_report import MESH_SIGNALS, published, report_apart, report_mesh
from .mesh_stiffness import spring_stiffness, to_material
from .mesh_wrench import mesh_wrench, put_wrench


@block
def _flank_motion(s: MeshParameters, m: MeshMemory, a: Node, b: Node, w: MeshScratch) -> I8:
    """`mesh_motion`, with an approach in the middle of the play if the teeth are out of mesh: there is no contact, and the
    gears continue to vibrate. The flanks themselves contain the ends of their faces."""
    if mesh_motion(s, m, a, b, w) == 0:
        return 0
    if s.limits.ends == CONTACT_ENDS and out_of_mesh(w.engaged) == 1:
        w.motion.approach = s.law.offset - 0.5 * s.law.backlash
        w.motion.closer = 0.0
    w.engaged.changes = 0
    return 1


@leaf
def _turned(m: MeshMemory, w: MeshScratch) -> F8:
    """psi_A, including full revolutions."""
    return unwrapped(w.frame.psi_a, m.psi_a)


@leaf
def _at_rest(ask: Ask) -> I8:
    """Whether nothing moves: statics, kinematics, the start of a motion."""
    return 1 if ask.h == 0.0 or ask.damp == 0.0 else 0


@block
def _position(s: ElasticFlankPair, w: FlankScratch):
    """Shifts in the current pose; none if the teeth are out of mesh, where displacements are not small."""
    shifts_of(s.flanks, w.mesh.frame, w.flanks.shift)
    if s.pair.limits.ends == CONTACT_ENDS and out_of_mesh(w.mesh.engaged) == 1:
        for k in range(s.flanks.shifts):
            w.flanks.shift[k] = 0.0


@block
def _solve(s: ElasticFlankPair, m: FlankMemory, x: Seen, w: FlankScratch, ask: Ask, held: I8) -> I8:
    """Contact in the current pose, in `w.flanks.contact`. held: with fixed modes. 0: not converged."""
    motion = w.mesh.motion
    hoop = w.mesh.hoop
    u = motion.approach
    y = s.pair.geometry.radial * motion.closer
    psi = _turned(m.turns, w.mesh)
    _position(s, w)
    for k in range(s.flanks.shifts):
        w.flanks.shift_rate[k] = 0.0
    if held == 1:
        return solve_held(s.flanks, m.flanks, x, w.flanks, u, y, psi)
    if _at_rest(ask) == 1:
        return solve_rest(s.flanks, m.flanks, w.flanks, u, y, psi)
    if s.flanks.friction > 0.0:
        shift_rates(s.flanks, w.mesh, s.pair, w.flanks.shift_rate)
    return solve_step(s.flanks, m.flanks, w.flanks, u, y, psi, hoop.rate_a, hoop.rate_b)


@block
def _law(s: ElasticFlankPair, found: ContactForces, stored: F8, w: MeshScratch):
    """Values of the law that every gear pair needs, from the contact of the flanks."""
    out = w.law
    no_force(out)
    g = s.pair.geometry
    law = s.pair.law
    cA = g.lever_a
    cB = g.lever_b
    f = found.force
    second = found.second
    k = second[U, U]
    kp = second[U, PSI]
    ky = second[U, Y]
    sign = 1.0 if f > 0.0 else (-1.0 if f < 0.0 else 0.0)
    e = w.motion.approach - law.offset
    out.elastic = f
    out.flank = sign
    out.deflection = e if sign > 0.0 else (e + law.backlash if sign < 0.0 else 0.0)
    out.stiffness = k
    out.energy = stored
    out.w_a = f * cA + found.conjugate + found.friction_a
    out.w_b = f * cB + found.friction_b
    out.f_a = cA * k + kp
    out.f_b = cB * k
    out.w_aa = cA * (out.f_a + kp) + second[PSI, PSI]
    out.w_ab = cA * out.f_b + cB * kp
    out.w_ba = cB * out.f_a
    out.w_bb = cB * out.f_b
    out.both = found.both
    out.both_u = ky
    out.both_a = cA * ky + second[PSI, Y]
    out.both_b = cB * ky
    out.both_y = second[Y, Y]
    out.w_ay = out.both_a
    out.w_by = out.both_b
    shift_potential(s.flanks, found, w)
    w.motion.rise = sign * g.radial


@leaf
def _losses(m: ContactMemory, friction: F8, damp: F8, w: MeshScratch):
    """Losses of friction and of the modes, with those of the wrench."""
    w.wrench.friction_loss = friction
    w.wrench.lost += friction + m.lost if damp > 0.0 else 0.0


@kernel
def evaluate(s, m, x, w, ask, r, J):
    if ask.mode == RATE:
        return
    mesh = w.mesh
    flanks = w.flanks
    # between steps of a motion the modes do not follow the forces immediately
    held = 1 if ask.open == 1 or (ask.h == 0.0 and m.flanks.moving == 1) else 0
    if _flank_motion(s.pair, m.turns, x.a, x.b, mesh) == 0 or _solve(s, m, x, w, ask, held) == 0:
        # out of mesh, or contact not converged: reported to Newton
        for i in range(NODES):
            r[i] = np.nan
        return
    contact = flanks.contact
    _law(s, contact, m.flanks.stored, mesh)
    mesh_wrench(s.pair, ask.functions, ask.damp, 0, mesh)
    _losses(m.flanks, contact.friction_loss, ask.damp, mesh)
    if ask.open == 1:
        modal_forces(flanks, flanks.a)
        modal_forces(flanks, flanks.b)
        zeta = ask.damp * s.flanks.damping_ratio
        own = flanks.a.coordinates
        modal_residual(s.flanks.a, zeta, flanks.a, x.c_a, x.c_a_rate, x.c_a_acceleration, r[NODES : NODES + own])
        modal_residual(s.flanks.b, zeta, flanks.b, x.c_b, x.c_b_rate, x.c_b_acceleration, r[NODES + own :])
    if ask.mode == TANGENT:
        spring_stiffness(s.pair, x.a, x.b, ask.functions, ask, mesh, J)
        if s.flanks.shifts > 0:
            shift_stiffness(s.flanks, s.pair, contact, ask.K, w, J)
        to_material(x.a, x.b, ask.K, mesh, J)
        if ask.open == 1:
            modal_tangent(s, x, w, ask, J)
    put_wrench(x.a, x.b, mesh.wrench, r)
    ask.power_in += mesh.wrench.put_in
    ask.power_teeth += mesh.wrench.put_in
    ask.power_out += mesh.wrench.lost


@block
def _expect(s: ElasticFlankPair, m: FlankMemory, a: Node, b: Node, w: FlankScratch, h: F8):
    """Collect candidates at the expected positions of the wheels after a step h."""
    mesh = w.mesh
    frame = mesh.frame
    motion = mesh.motion
    g = s.pair.geometry
    alpha_a = mv(a.R, a.al)
    alpha_b = mv(b.R, b.al)
    relative = sub(sub(sub(a.a, b.a), cross(alpha_a, frame.arm_a)), cross(alpha_b, frame.arm_b))
    on_a, on_b = solve(frame, dot(frame.e3, relative), dot(cross(frame.e2, frame.h3), sub(alpha_a, alpha_b)))
    closer = dot(frame.e2, relative) + motion.closer_a * on_a + motion.closer_b * on_b
    k = 0.5 * h * h
    u = motion.approach + h * mesh.hoop.rate + k * (g.lever_a * on_a + g.lever_b * on_b)
    y = motion.closer + h * motion.closer_rate + k * closer
    psi = _turned(m.turns, mesh) + h * mesh.hoop.rate_a + k * on_a
    _position(s, w)
    shift_rates(s.flanks, mesh, s.pair, w.flanks.shift_rate)
    for k in range(s.flanks.shifts):
        w.flanks.shift[k] += h * w.flanks.shift_rate[k]
    collect(s.flanks, m.flanks, w.flanks, u, g.radial * y, psi)


@kernel
def begin(s, m, x, w, ask):
    if _at_rest(ask) == 1:
        return
    begin_step(s.flanks, m.flanks, x, w.flanks, ask.h)
    if _flank_motion(s.pair, m.turns, x.a, x.b, w.mesh) == 1:
        _expect(s, m, x.a, x.b, w, ask.h)


@kernel
def accept(s, m, x, w, ask):
    first = count_turns(s.pair, m.turns, x.a, x.b, w.mesh)
    if ask.open == 1:
        return
    if first >= 0 and _flank_motion(s.pair, m.turns, x.a, x.b, w.mesh) == 1 and _solve(s, m, x, w, ask, 0) == 1:
        accept_contact(s.flanks, m.flanks, x, w.flanks)
        m.flanks.moving = 1 - _at_rest(ask)


@block
def _report(s: ElasticFlankPair, m: ContactMemory, contact: ContactForces, ask: Ask, w: MeshScratch):
    """Law, wrench and losses for a report."""
    _law(s, contact, m.stored, w)
    mesh_wrench(s.pair, ask.functions, ask.damp, 1, w)
    _losses(m, contact.friction_loss, ask.damp, w)


@kernel
def _report_strips(found, out):
    """Values of the strips, from the memory or from the scratch."""
    out.contact_force = found.normal
    out.peak_pressure = found.pressure
    out.strips_in_contact = found.touching
    p = found.pairs
    out.pair_forces = (p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7])


@kernel
def report(s, m, x, w, ask, out):
    mesh = w.mesh
    found = m.flanks
    if _flank_motion(s.pair, m.turns, x.a, x.b, mesh) == 0:
        report_apart(m.turns, far_apart(s.pair, x.a, x.b), out)
        return
    if ask.open == 1 and _solve(s, m, x, w, ask, 1) == 1:
        # for linear analyses, whose outputs are differences of reports: from the current positions, not the accepted ones
        sum_strips(s.flanks, w.flanks, w.flanks)
        _report(s, found, w.flanks.contact, ask, mesh)
        _report_strips(w.flanks, out)
        out.face_load_factor = present_face_load(s.flanks, w.flanks)
    else:
        _report(s, found, found.contact, ask, mesh)
        _report_strips(found, out)
        out.face_load_factor = kept_face_load(s.flanks, found)
    report_mesh(s.pair, m.turns, mesh, out)
    out.kinetic = found.kinetic


PAIR_FORCES = "pair_forces"
FLANK_MESH = ElementKind(
    "elastic flanks",
    evaluate,
    ElasticFlankPair,
    seen=Seen,
    memory=FlankMemory,
    scratch=FlankScratch,
    begin=begin,
    accept=accept,
    report=report,
    signals=(
        *MESH_SIGNALS,
        SignalSpec("contact_force", "N", "sum of the normal forces of all strips in contact"),
        SignalSpec(
            "peak_pressure", "Pa", "largest contact pressure of a strip (Hertz); edges are not taken into account"
        ),
        SignalSpec("strips_in_contact", "", "number of strips of the face in contact, all tooth pairs together"),
        SignalSpec(
            PAIR_FORCES,
            "N",
            f"normal force of tooth k of wheel A at index k modulo {SLOTS}, negative on the opposite flank",
            SLOTS,
        ),
    ),
    coordinates=MODES,
    exchanges_power=True,
    full_pattern=True,
)


def flank_mesh(
    name: str,
    nodes: tuple[int, int],
    pair: dict[str, Any],
    flanks: dict[str, Any],
    memory: dict[str, Any],
    scratch: dict[str, Any],
    coordinates: tuple[int, int],
) -> Element:
    """Make a gear pair with elastic flanks: geometry, limits and law of the `pair` as for every pair; values of the records of
    the flanks and the numbers of their modal coordinates from `system.flank_tables`."""
    return Element(
        FLANK_MESH,
        name,
        nodes,
        packed(ElasticFlankPair, {"pair": pair, "flanks": flanks}),
        memory=packed(FlankMemory, {"turns": {"state": FIRST_LOOK}, "flanks": memory}),
        scratch=packed(FlankScratch, {"flanks": scratch}),
        counts=dict(zip((c.count for c in MODES), coordinates, strict=True)),
        signals=published(
            FLANK_MESH.signals, pair["geometry"]["z1"], tabled=bool(pair["law"]["tabled"]), face_loads=True
        ),
        every_step=True,
    )


def flank_alone(element: Element) -> FlankAlone:
    """Law of an element without a model, with its own arrays."""
    s, m, w = element.parameters, element.memory, element.first_scratch
    parts = (
        s[ElasticFlankPair.place("flanks")[0] :],
        m[FlankMemory.place("flanks")[0] :],
        w[FlankScratch.place("flanks")[0] :],
    )
    counts = element.counts
    return FlankAlone(*parts, (counts[MODES[0].count], counts[MODES[1].count]))
