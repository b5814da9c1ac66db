"""Tangents of a gear pair: geometric stiffness, derivatives of the law, friction; with respect to poses and velocities.

Exact except for the rotation of friction and losses with the poses, which is small and does not affect Newton.
"""

from ..math.compiled import A1, A2, F8, I8, block
from ..math.vectors import add, cross, mtv, mul, mv, row, set_vec, vec
from .contract import Ask, Node
from .mesh_damper import damper_levers
from .mesh_fading import fade_stiffness
from .mesh_frame import psi_gradients, solve_transposed
from .mesh_friction import velocity_stiffness
from .mesh_geometric_stiffness import geometric_stiffness, put_skew
from .mesh_law import IN_PLANE
from .mesh_line import line_rows, tilt_about_centres_gradient
from .mesh_records import Gradients, MeshFrame, MeshMotion, MeshParameters, MeshScratch
from .mesh_tilt import tilt_rows, tilt_stiffness
from .mesh_wrench import put_work, wrench_by_force


@block
def _radial_gradient(f: MeshFrame, motion: MeshMotion, out: Gradients):
    """Gradient of the reduction of the centre distance: that of a unit force along eta2 at C_B, and its dependence on
    psi_A and psi_B."""
    e2 = f.e2
    psi_a = out.psi_a
    psi_b = out.psi_b
    closer = out.closer
    put_work(closer, e2, cross(e2, f.arm_a), cross(e2, f.arm_b))
    by_a = motion.closer_a
    by_b = motion.closer_b
    for j in range(12):
        closer[j] += by_a * psi_a[j] + by_b * psi_b[j]


@block
def _add_rate(k: I8, node: Node, rise: F8, cA: F8, cB: F8, w: Gradients, rate: A1):
    """Contribution of node k to the gradient of a rate: V^T (second derivative), and the rotation of omega with the node."""
    second = w.second
    psi_a = w.psi_a
    psi_b = w.psi_b
    o = 6 * k
    v = node.v
    omega = mv(node.R, node.w)
    for j in range(12):
        s = 0.0
        for i in range(3):
            s += v[i] * second[o + i, j] + omega[i] * second[o + 3 + i, j]
        rate[j] += s
    gradient = (
        cA * psi_a[o + 3] + cB * psi_b[o + 3],
        cA * psi_a[o + 4] + cB * psi_b[o + 4],
        cA * psi_a[o + 5] + cB * psi_b[o + 5],
    )
    if rise != 0.0:
        gradient = add(gradient, mul(rise, vec(w.closer, o + 3)))
    turning = cross(omega, gradient)
    for i in range(3):
        rate[o + 3 + i] += turning[i]


@block
def _rate_gradient(pair: MeshParameters, a: Node, b: Node, cA: F8, cB: F8, rise: F8, w: MeshScratch, rate: A1):
    """Gradient with respect to the poses of cA psi_A' + cB psi_B' + rise y': V^T (second derivative), and the rotation of omega
    with its node, whose components are constant in node axes."""
    g = w.gradients
    second = g.second
    for i in range(12):
        rate[i] = 0.0
        for j in range(12):
            second[i, j] = 0.0
    wa = cA
    wb = cB
    if rise != 0.0:
        wa += rise * w.motion.closer_a
        wb += rise * w.motion.closer_b
    l2, l3 = solve_transposed(w.frame, wa, wb)
    geometric_stiffness(pair.geometry, w.frame, g, 1.0, l2, l3, 0.0, rise, rise, second)
    _add_rate(0, a, rise, cA, cB, g, rate)
    _add_rate(1, b, rise, cA, cB, g, rate)


@block
def _damper_rates(pair: MeshParameters, a: Node, b: Node, w: MeshScratch) -> I8:
    """Gradients of the rates on which the damper acts. 1: of the drive flank, `rate`, and of both flanks, `closing`, apart; 0:
    `rate` contains both, for one flank in contact."""
    law = w.law
    g = w.gradients
    t = pair.geometry.radial
    if law.damper_1 * law.damper_1 == law.damper * law.damper_2 and pair.geometry.line == 0:
        side = law.damper_1 / law.damper
        cA = law.rate_a + side * law.close_a
        cB = law.rate_b + side * law.close_b
        _rate_gradient(pair, a, b, cA, cB, side * t, w, g.rate)
        return 0
    _rate_gradient(pair, a, b, law.rate_a, law.rate_b, float(pair.geometry.line) * t, w, g.rate)
    rise = t if pair.geometry.line == 0 else 0.0
    _rate_gradient(pair, a, b, law.close_a, law.close_b, rise, w, g.closing)
    return 1


@block
def _law_stiffness(pair: MeshParameters, a: Node, b: Node, K: F8, d: F8, w: MeshScratch, J: A2):
    """Add the derivatives of the law: K times with respect to the poses, d times with respect to the velocities. Spatial."""
    law = w.law
    t = pair.geometry.radial
    line = pair.law.width > 0.0
    fixed = float(pair.geometry.line)
    both = (t > 0.0 and fixed == 0.0) or law.close_a != 0.0 or law.close_b != 0.0
    along = damper_levers(pair, law)
    tips = K * w.engaged.tip_stiffness
    radial = t > 0.0 or tips != 0.0
    damper = law.damper
    if line:
        tilt_about_centres_gradient(w.frame, w.gradients)
    if radial:
        _radial_gradient(w.frame, w.motion, w.gradients)
    apart = _damper_rates(pair, a, b, w) if damper != 0.0 else 0
    psi_a = w.gradients.psi_a
    psi_b = w.gradients.psi_b
    tilt = w.gradients.tilt
    closer = w.gradients.closer
    rate = w.gradients.rate
    closing = w.gradients.closing
    by_force = w.wrench.by_force
    for j in range(12):
        qa = psi_a[j]
        qb = psi_b[j]
        moves = d * (law.rate_a * qa + law.rate_b * qb)  # rate of the drive flank
        closes = d * (law.close_a * qa + law.close_b * qb)  # of both
        if t > 0.0:
            if fixed == 0.0:
                closes += d * t * closer[j]
            else:
                moves += d * fixed * t * closer[j]
        if damper != 0.0:
            moves += K * rate[j]
        if apart != 0:
            closes += K * closing[j]
        dc = K * (law.c_a * qa + law.c_b * qb) + damper * moves + law.damper_1 * closes
        dd = 0.0
        if line:
            dc += K * law.c_t * tilt[j]
        if both:
            dd = K * (law.d_a * qa + law.d_b * qb) + law.damper_1 * moves + law.damper_2 * closes
            if line:
                dd += K * law.d_t * tilt[j]
        wa = K * (law.w_aa * qa + law.w_ab * qb)
        wb = K * (law.w_ba * qa + law.w_bb * qb)
        df = K * (law.f_a * qa + law.f_b * qb)
        dm = 0.0
        dn = 0.0
        if t > 0.0:
            y = K * t * closer[j]
            dc += law.c_y * y
            dd += law.d_y * y
            wa += law.w_ay * y
            wb += law.w_by * y
            df += law.both_u * y
            dm = law.both_t * y
            dn = t * (K * (law.both_a * qa + law.both_b * qb) + law.both_y * y)
            dn += t * (dd if fixed == 0.0 else fixed * dc)
        wa += along[0] * dc + along[2] * dd
        wb += along[1] * dc + along[3] * dd
        df += dc
        if line:
            dt = K * tilt[j]
            wa += law.w_at * dt
            wb += law.w_bt * dt
            df += law.f_t * dt
            dm += K * (law.m_a * qa + law.m_b * qb) + law.m_t * dt
            if t > 0.0:
                dn += t * law.both_t * dt
            for i in range(12):
                J[i, j] += tilt[i] * dm
        for i in range(12):
            J[i, j] += psi_a[i] * wa + psi_b[i] * wb + by_force[i] * df
        if radial:
            dn += tips * closer[j]
            for i in range(12):
                J[i, j] += closer[i] * dn
    if pair.law.tilted == IN_PLANE:
        tilt_stiffness(pair, K, w, J)


@block
def force_gradient(pair: MeshParameters, a: Node, b: Node, ask: Ask, w: MeshScratch, out: A1):
    """Derivative of the tooth force, with the factors of the tangent, rotations in node axes. After `spring_tangent`; the tilt in
    the plane of action and the ends of contact are left out."""
    law = w.law
    K = ask.K
    D = ask.D
    t = pair.geometry.radial
    damper = law.damper
    apart = law.damper_1 * law.damper_1 != damper * law.damper_2 or pair.geometry.line != 0
    closing = w.gradients.closing
    fixed = float(pair.geometry.line)
    by_y = law.damper_1 if fixed == 0.0 else fixed * damper
    psi_a = w.gradients.psi_a
    psi_b = w.gradients.psi_b
    tilt = w.gradients.tilt
    closer = w.gradients.closer
    rate = w.gradients.rate
    for j in range(12):
        qa = psi_a[j]
        qb = psi_b[j]
        df = K * ((law.f_a + law.c_a) * qa + (law.f_b + law.c_b) * qb)
        if damper != 0.0:
            df += damper * (K * rate[j] + D * (law.rate_a * qa + law.rate_b * qb))
            if apart != 0:
                df += law.damper_1 * K * closing[j]
            df += law.damper_1 * D * (law.close_a * qa + law.close_b * qb)
        if pair.law.width > 0.0:
            df += K * (law.f_t + law.c_t) * tilt[j]
        if t > 0.0:
            df += t * (K * (law.both_u + law.c_y) + D * by_y) * closer[j]
        out[j] = df
    set_vec(out, 3, mtv(a.R, vec(out, 3)))
    set_vec(out, 9, mtv(b.R, vec(out, 9)))


@block
def _row_stiffness(pair: MeshParameters, K: F8, w: MeshScratch, J: A2):
    """The same for the multiplier form: stiffness with constant force, its column and its row."""
    law = w.law
    rise = w.motion.rise
    t = pair.geometry.radial
    if t > 0.0:
        _radial_gradient(w.frame, w.motion, w.gradients)
    psi_a = w.gradients.psi_a
    psi_b = w.gradients.psi_b
    closer = w.gradients.closer
    by_force = w.wrench.by_force
    for j in range(12):
        qa = psi_a[j]
        qb = psi_b[j]
        wa = K * (law.w_aa * qa + law.w_ab * qb)
        wb = K * (law.w_ba * qa + law.w_bb * qb)
        J[j, 12] = law.f_a * qa + law.f_b * qb + by_force[j]
        J[12, j] = law.row_a * qa + law.row_b * qb
        if t > 0.0:
            y = K * t * closer[j]
            wa += law.w_ay * y
            wb += law.w_by * y
            dn = t * (K * (law.both_a * qa + law.both_b * qb) + law.both_y * y)
            J[j, 12] += t * law.both_l * closer[j]
            if law.flank != 0.0:
                J[12, j] += rise * closer[j]
            for i in range(12):
                J[i, j] += closer[i] * dn
        for i in range(12):
            J[i, j] += psi_a[i] * wa + psi_b[i] * wb
    J[12, 12] = law.row_l
    if pair.law.tilted != 0:
        if law.tilt_side > 0.0:
            tilt_rows(pair, K, 1.0, law.on_drive, w, J)
        else:
            tilt_rows(pair, K, -1.0, law.on_coast, w, J)


@block
def to_material(a: Node, b: Node, K: F8, w: MeshScratch, J: A2):
    """Rotation rows and columns from world axes to those of the nodes: d(R^T n) = R^T (dn + n x dtheta)."""
    put_skew(J, 3, 3, K, w.wrench.moment_a)
    put_skew(J, 9, 9, K, w.wrench.moment_b)
    n = J.shape[0]
    for k in range(2):
        o = 6 * k + 3
        R = a.R if k == 0 else b.R
        for j in range(n):
            v = mtv(R, (J[o, j], J[o + 1, j], J[o + 2, j]))
            J[o, j] = v[0]
            J[o + 1, j] = v[1]
            J[o + 2, j] = v[2]
        for i in range(n):
            v = mtv(R, row(J, i, o))
            J[i, o] = v[0]
            J[i, o + 1] = v[1]
            J[i, o + 2] = v[2]


@block
def _frozen_stiffness(pair: MeshParameters, K: F8, w: MeshScratch, J: A2):
    """Gradients of psi, and the geometric stiffness with constant tooth forces."""
    out = w.wrench
    psi_gradients(w.frame, w.gradients)
    geometric_stiffness(
        pair.geometry, w.frame, w.gradients, K, out.l2, out.l3, w.law.moment, out.radial, out.radial_gradient, J
    )
    wrench_by_force(pair, w)


@block
def spring_tangent(pair: MeshParameters, a: Node, b: Node, functions: A1, ask: Ask, w: MeshScratch, J: A2):
    """The tangent of a law that is a function of the approach."""
    spring_stiffness(pair, a, b, functions, ask, w, J)
    to_material(a, b, ask.K, w, J)


@block
def spring_stiffness(pair: MeshParameters, a: Node, b: Node, functions: A1, ask: Ask, w: MeshScratch, J: A2):
    """The same in world axes, before `to_material`."""
    K = ask.K
    _frozen_stiffness(pair, K, w, J)
    _law_stiffness(pair, a, b, K, ask.D, w, J)
    if w.engaged.changes != 0:
        fade_stiffness(K, w.frame, w.engaged, w.wrench, J)
    velocity_stiffness(pair, functions, ask.D, w, J)


@block
def multiplier_tangent(
    pair: MeshParameters, a: Node, b: Node, functions: A1, ask: Ask, w: MeshScratch, J: A2, line: I8
):
    """Tangent of a law whose force is a separate unknown. line: row of the tilt of rigid teeth with line contact; -1: none."""
    K = ask.K
    _frozen_stiffness(pair, K, w, J)
    _row_stiffness(pair, K, w, J)
    if line >= 0:
        line_rows(w.frame, line, w.gradients, J)
    velocity_stiffness(pair, functions, ask.D, w, J)
    to_material(a, b, K, w, J)
