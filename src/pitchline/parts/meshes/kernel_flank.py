"""The gear pair with elastic flanks: functions of the element, shifts of the axes, and rows for linear analyses.

The geometry is that of every gear pair, the law that of two elastic gears (`kernel_flank_law`).
Modal coordinates of both gears are condensed: a step moves them together with the contact. At rest they follow the forces.
Opened, for linear analyses, they have their own rows.
"""

from typing import Any

import numpy as np

from pitchline.engine.elements.contract import RATE, TANGENT, Ask, Element, ElementKind, Node, SignalSpec
from pitchline.numerics.fields import packed
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, block, kernel, leaf
from pitchline.numerics.vectors import add, cross, dot, mtv, mul, mv, sub

from .kernel_engagement import (
    MESH_SIGNALS,
    count_turns,
    far_apart,
    mesh_motion,
    out_of_mesh,
    published,
    report_apart,
    report_mesh,
    unwrapped,
)
from .kernel_flank_law import (
    FlankAlone,
    accept_contact,
    begin_step,
    collect,
    contact_totals,
    product,
    solve_rest,
    solve_step,
    sum_strips,
)
from .kernel_flank_records import (
    MODES,
    PSI,
    SHIFT,
    SLOTS,
    ContactForces,
    ContactMemory,
    ElasticFlankPair,
    ElasticGearData,
    FlankMemory,
    Flanks,
    FlankScratch,
    GearScratch,
    Seen,
    StripScratch,
    U,
    Y,
    candidate,
)
from .kernel_flank_stability import substitute_forward, touch
from .kernel_potential import combined, potential_gradient, potential_rate, potential_stiffness, solve
from .kernel_records import (
    CONTACT_ENDS,
    FIRST_LOOK,
    MeshFrame,
    MeshMemory,
    MeshParameters,
    MeshScratch,
    Potential,
    no_force,
)
from .kernel_stiffness import spring_stiffness, to_material
from .kernel_wrench import mesh_wrench, put_wrench

# ---- flank face load

# The face load factor K_Hbeta (`kept_face_load`) of elastic flanks: from the forces of their strips, on the side that
# carries more.
#
# The mean is taken over the common part of the faces, as in tables of loaded contact.


@leaf
def _of_strips(most: F8, total: F8, width: F8) -> F8:
    return most * width / total if total > 0.0 else 0.0


@block
def kept_face_load(s: Flanks, m: ContactMemory) -> F8:
    """Of the strips of elastic flanks, as they were accepted."""
    forces = m.forces
    found = 0.0
    greatest = 0.0
    for side in range(2):
        total = 0.0
        most = 0.0
        for k in range(s.strips):
            f = 0.0
            for slot in range(SLOTS):
                f += forces[(side * SLOTS + slot) * s.strips + k]
            total += f
            most = max(most, f / s.widths[k])
        if total > greatest:
            greatest = total
            found = _of_strips(most, total, s.face)
    return found


@block
def present_face_load(s: Flanks, w: StripScratch) -> F8:
    """Of the strips as they have just been solved."""
    found = 0.0
    greatest = 0.0
    for side in range(2):
        total = 0.0
        most = 0.0
        for k in range(s.strips):
            f = 0.0
            for n in range(w.count):
                c = candidate(w, n)
                if c.strip == k and c.side == side and c.force > 0.0:
                    f += c.force
            total += f
            most = max(most, f / s.widths[k])
        if total > greatest:
            greatest = total
            found = _of_strips(most, total, s.face)
    return found


# ---- flank open

# Flanks with open modes, for linear analyses: contact with fixed modes, and their interaction.
#
# With the modes c as separate coordinates, the strips in contact fulfil (S_res + local') dlambda = b dq - Phi dc , b
# the derivatives of the gaps by u, psi_A, y and the shifts. With the factors U^T U of the matrix on the left, X =
# U^-T Phi and z = U^-T b, the forces on the modes change by -Phi^T dlambda = X^T X dc - X^T z dq , the forces of the
# teeth by z^T z dq - z^T X dc .

NODES = 12
"""Rows of the two nodes, before those of the modes."""
WITH_FRICTION, NO_FRICTION = 1, 2  # contact with fixed modes: in a motion, and for linear analyses


@leaf
def _hold(w: GearScratch, c: A1):
    """The modes are fixed at c: they have no compliance."""
    for m in range(w.modes):
        w.propagators[m, 3] = 0.0
    for i in range(w.coordinates):
        w.free[i] = c[i]


@block
def solve_held(
    s: Flanks, m: ContactMemory, x: Seen, w: StripScratch, u: F8, y: F8, psi: F8, rate_a: F8, rate_b: F8
) -> I8:
    """Contact with fixed modes, in `w.contact`; rate_a, rate_b: of psi_A and psi_B, for friction. 0: not converged."""
    w.made_for = -1.0  # no step: the propagators are changed here
    _hold(w.a, x.c_a)
    _hold(w.b, x.c_b)
    collect(s, m, w, u, y, psi, 1)
    if touch(s, w, u, y, psi) == 0:
        return 0
    contact_totals(s, w, rate_a, rate_b)
    return 1


@block
def modal_forces(w: StripScratch, g: GearScratch):
    """Phi^T lambda of a gear, into its scratch."""
    force = g.force
    phi = g.phi
    for i in range(g.coordinates):
        total = 0.0
        for n in range(w.count):
            total += phi[i, n] * candidate(w, n).force
        force[i] = total


@block
def _solve_traces(w: StripScratch, g: GearScratch, n: I8):
    """X of a gear in place of Phi, strips in contact only."""
    for i in range(g.coordinates):
        row = g.phi[i]
        k = 0
        for c in range(w.count):
            if candidate(w, c).active != 0:
                row[k] = row[c]
                k += 1
        substitute_forward(w.factors, n, row)


@block
def solve_traces(w: StripScratch) -> I8:
    """X of both gears in place of Phi, z in place of the derivatives b. Returns the number of strips in contact."""
    n = 0
    for c in range(w.count):
        if candidate(w, c).active != 0:
            n += 1
    _solve_traces(w, w.a, n)
    _solve_traces(w, w.b, n)
    for k in range(w.kinds):
        substitute_forward(w.factors, n, w.by[k])
    return n


@block
def modal_residual(s: ElasticGearData, zeta: F8, w: GearScratch, c: A1, rate: A1, acceleration: A1, r: A1):
    """c'' + 2 zeta w c' + w^2 c - Phi^T lambda of a gear, into r."""
    modes = s.modes
    omega = s.omega
    force = w.force
    for i in range(w.coordinates):
        o = omega[i if i < modes else i - modes]
        r[i] = acceleration[i] + o * (2.0 * zeta * rate[i] + o * c[i]) - force[i]


@block
def _by_themselves(s: ElasticGearData, zeta: F8, first: I8, ask: Ask, J: A2):
    """Adds the tangent of the modes of a gear without contact."""
    modes = s.modes
    omega = s.omega
    for i in range(modes + s.paired):
        o = omega[i if i < modes else i - modes]
        J[first + i, first + i] += ask.M + 2.0 * ask.D * zeta * o + ask.K * o * o


@block
def _through_contact(n: I8, K: F8, i0: I8, x: A2, j0: I8, y: A2, J: A2):
    """Adds K x y^T, of n strips in contact, from the row i0 and the column j0 on."""
    for i in range(x.shape[0]):
        row = J[i0 + i]
        for j in range(y.shape[0]):
            row[j0 + j] += K * product(n, x[i], y[j])


@block
def _with_nodes(s: ElasticFlankPair, w: FlankScratch, n: I8, K: F8, x: A2, first: I8, J: A2):
    """Add the interaction of the modes of a gear and the nodes, rotations in world axes."""
    by = w.flanks.by
    g = w.mesh.gradients
    psi_a = g.psi_a
    psi_b = g.psi_b
    closer = g.closer
    by_force = w.mesh.wrench.by_force
    cA = s.pair.geometry.lever_a
    cB = s.pair.geometry.lever_b
    t = s.pair.geometry.radial
    for i in range(x.shape[0]):
        row = J[first + i]
        force = -K * product(n, x[i], by[U])
        on_a = cA * force - K * product(n, x[i], by[PSI])
        on_b = cB * force
        radial = -K * t * product(n, x[i], by[Y])
        for k in range(NODES):
            both = psi_a[k] * on_a + psi_b[k] * on_b
            if t > 0.0:
                both += closer[k] * radial
            row[k] += both
            J[k, first + i] += both + by_force[k] * force


@block
def _with_shifts(s: ElasticFlankPair, w: FlankScratch, n: I8, K: F8, x: A2, first: I8, J: A2):
    """Add the same of the shifts."""
    by = w.flanks.by
    for q in range(s.flanks.shifts):
        one = w.shifts[q]
        for i in range(x.shape[0]):
            moment = -K * product(n, x[i], by[SHIFT + q])
            for k in range(NODES):
                J[first + i, k] += one[k] * moment
                J[k, first + i] += one[k] * moment


@block
def modal_tangent(s: ElasticFlankPair, x: Seen, w: FlankScratch, ask: Ask, J: A2):
    """Add the rows and columns of the modes, after the tangent of the nodes, whose gradients are needed."""
    n = solve_traces(w.flanks)
    K = ask.K
    zeta = ask.damp * s.flanks.damping_ratio
    x_a = w.flanks.a.phi
    x_b = w.flanks.b.phi
    second = NODES + x_a.shape[0]
    _by_themselves(s.flanks.a, zeta, NODES, ask, J)
    _by_themselves(s.flanks.b, zeta, second, ask, J)
    _through_contact(n, K, NODES, x_a, NODES, x_a, J)
    _through_contact(n, K, NODES, x_a, second, x_b, J)
    _through_contact(n, K, second, x_b, NODES, x_a, J)
    _through_contact(n, K, second, x_b, second, x_b, J)
    _with_nodes(s, w, n, K, x_a, NODES, J)
    _with_nodes(s, w, n, K, x_b, second, J)
    _with_shifts(s, w, n, K, x_a, NODES, J)
    _with_shifts(s, w, n, K, x_b, second, J)
    for node in range(2):
        R = x.a.R if node == 0 else x.b.R
        o = 6 * node + 3
        for i in range(NODES, J.shape[0]):
            by_node = mtv(R, (J[i, o], J[i, o + 1], J[i, o + 2]))
            by_mode = mtv(R, (J[o, i], J[o + 1, i], J[o + 2, i]))
            for k in range(3):
                J[i, o + k] = by_node[k]
                J[o + k, i] = by_mode[k]


# ---- flank shifts

# Response of elastic flanks to the relative position of the axes of both wheels, besides the approach along the hoop.
#
# A shift is a coordinate d_k of the mesh frame, linear in the position X of C_B relative to wheel A and in the
# direction cosines of both frames,
#
# d_k = along_k . X + sum over i, j of turning_kij (mu_i . xi_j) - base_k , X_i = mu_i . (C_B - x_A) ,
#
# zero as built. The gap of strip j closes by W_j level_jk d_k. Two sets are in use (`compile.Shifts`):
#
# * the tilt in the plane of action of the drive and of the coast flank (`kernel_potential`), of cylindrical gears;
# * the three displacements of C_B and the three rotations of frame B, of all others. A point of contact p with the normal n
#   of the flank of A then opens its gap by n . (dx + dtheta x (p - C_B)), which is exact to first order, and the strips act
#   on the wheels with their forces at their points of contact. The tooth force along the hoop contains the same forces. Both
#   are derivatives of one potential, in which psi_A and psi_B follow the poses, and nothing is counted twice.


@block
def shifts_of(s: Flanks, f: MeshFrame, to: A1):
    """All d_k."""
    for k in range(s.shifts):
        x = s.shift_along[k]
        t = s.shift_turning[k]
        d = -s.shift_base[k] - dot(f.centre, combined(1.0, combined(x[0], f.m1, x[1], f.m2), x[2], f.m3))
        d += dot(f.m1, add(combined(t[0], f.x1, t[1], f.x2), mul(t[2], f.x3)))
        d += dot(f.m2, add(combined(t[3], f.x1, t[4], f.x2), mul(t[5], f.x3)))
        d += dot(f.m3, add(combined(t[6], f.x1, t[7], f.x2), mul(t[8], f.x3)))
        to[k] = d


@leaf
def _no_potential(out: Potential):
    out.force = out.h1 = out.h2 = out.h3 = (0.0, 0.0, 0.0)


@block
def _add_shift(s: Flanks, k: I8, moment: F8, f: MeshFrame, out: Potential):
    """Add the potential of a moment that is conjugate to d_k."""
    x = s.shift_along[k]
    t = s.shift_turning[k]
    out.force = sub(out.force, mul(moment, add(combined(x[0], f.m1, x[1], f.m2), mul(x[2], f.m3))))
    out.h1 = add(out.h1, mul(moment, add(combined(t[0], f.x1, t[1], f.x2), mul(t[2], f.x3))))
    out.h2 = add(out.h2, mul(moment, add(combined(t[3], f.x1, t[4], f.x2), mul(t[5], f.x3))))
    out.h3 = add(out.h3, mul(moment, add(combined(t[6], f.x1, t[7], f.x2), mul(t[8], f.x3))))


@block
def shift_potential(s: Flanks, found: ContactForces, w: MeshScratch):
    """That of the forces of all strips, in `w.potential`. Friction has none, but it acts in the same way."""
    _no_potential(w.potential)
    for k in range(s.shifts):
        _add_shift(s, k, found.shifts[k] + found.rubbing[k], w.frame, w.potential)


@block
def shift_rates(s: Flanks, w: MeshScratch, pair: MeshParameters, to: A1):
    """Rates of all d_k."""
    for k in range(s.shifts):
        _no_potential(w.unit)
        _add_shift(s, k, 1.0, w.frame, w.unit)
        to[k] = potential_rate(pair.geometry, w.frame, w.motion, w.hoop, w.unit)


@block
def shift_stiffness(s: Flanks, pair: MeshParameters, found: ContactForces, K: F8, w: FlankScratch, J: A2):
    """Add the derivatives of the law with respect to the shifts, and of their moments with respect to all variables, in world
    axes. Needs the gradients of psi, and of closer if teeth follow their centres."""
    mesh = w.mesh
    g = mesh.gradients
    potential_stiffness(pair.geometry, mesh.frame, mesh.potential, g, K, J)
    shifts = s.shifts
    t = pair.geometry.radial
    cA = pair.geometry.lever_a
    cB = pair.geometry.lever_b
    psi_a = g.psi_a
    psi_b = g.psi_b
    closer = g.closer
    by_force = mesh.wrench.by_force
    second = found.second
    gradients = w.shifts
    for k in range(shifts):
        _no_potential(mesh.unit)
        _add_shift(s, k, 1.0, mesh.frame, mesh.unit)
        potential_gradient(pair.geometry, mesh.frame, mesh.unit, g, gradients[k])
    for k in range(shifts):
        one = gradients[k]
        by_u = second[U, SHIFT + k]
        on_a = K * (cA * by_u + second[PSI, SHIFT + k])
        on_b = K * cB * by_u
        radial = K * t * second[Y, SHIFT + k]
        for i in range(12):
            with_turns = on_a * psi_a[i] + on_b * psi_b[i]
            if t > 0.0:
                with_turns += radial * closer[i]
            on_law = with_turns + K * by_u * by_force[i]
            own = 0.0
            for l in range(shifts):
                own += K * second[SHIFT + k, SHIFT + l] * gradients[l, i]
            for j in range(12):
                J[i, j] += on_law * one[j]
                J[j, i] += one[j] * (with_turns + own)


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
    """Contact in the current pose, in `w.flanks.contact`. held: 0, or with fixed modes. 0: not converged."""
    motion = w.mesh.motion
    hoop = w.mesh.hoop
    u = motion.approach
    y = s.pair.geometry.radial * motion.closer
    psi = _turned(m.turns, w.mesh)
    _position(s, w)
    for k in range(s.flanks.shifts):
        w.flanks.shift_rate[k] = 0.0
    if held == NO_FRICTION:
        return solve_held(s.flanks, m.flanks, x, w.flanks, u, y, psi, 0.0, 0.0)
    if held == 0 and _at_rest(ask) == 1:
        return solve_rest(s.flanks, m.flanks, w.flanks, u, y, psi)
    if s.flanks.friction > 0.0:
        shift_rates(s.flanks, w.mesh, s.pair, w.flanks.shift_rate)
    if held == WITH_FRICTION:
        return solve_held(s.flanks, m.flanks, x, w.flanks, u, y, psi, hoop.rate_a, hoop.rate_b)
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
    # forces of joints in a motion, from samples with open modes, include friction
    still = ask.open == 1 or (ask.h == 0.0 and m.flanks.moving == 1)
    held = (WITH_FRICTION if ask.damp > 0.0 else NO_FRICTION) if still else 0
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
    collect(s.flanks, m.flanks, w.flanks, u, g.radial * y, psi, 0)


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
    if ask.open == 1 and _solve(s, m, x, w, ask, NO_FRICTION) == 1:
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
    the flanks and the numbers of their modal coordinates from `compile.FlankTables`."""
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
