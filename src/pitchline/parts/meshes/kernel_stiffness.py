"""Tangents of a gear pair and the end of contact: derivatives with respect to poses and velocities.

Tangents of a gear pair: geometric stiffness, derivatives of the law, friction; with respect to poses and velocities.

Exact except for the rotation of friction and losses with the poses, which is small and does not affect Newton.
"""

from pitchline.engine.elements.contract import Ask, Node
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V3, block, leaf
from pitchline.numerics.vectors import add, cross, dot, mtv, mul, mv, row, set_vec, vec

from .kernel_engagement import IN_PLACE
from .kernel_law import IN_PLANE
from .kernel_potential import geometric_stiffness, psi_gradients, put_skew, solve_transposed, tilt_rows, tilt_stiffness
from .kernel_records import (
    Engagement,
    Gradients,
    Hoop,
    LawOut,
    MeshFrame,
    MeshMotion,
    MeshParameters,
    MeshScratch,
    TiltOut,
    Wrench,
    damper_levers,
    no_force,
)
from .kernel_wrench import put_work, velocity_stiffness, wrench_by_force

# ---- mesh fading

# Effect of the end of contact on the tooth force: tips, faces, the ends of a rack.
#
# Flanks cannot penetrate more than tips: the energy of the teeth is
#
# V = Phi min( V_flank , k d^2 / (2 cos^2 alpha) ) (Phi and d: `kernel_engagement`),
#
# so that it ends without a jump when tips separate, and tips in contact have a radial force if teeth do not enter
# spaces. Phi depends on the position of C_B along the face and along the rack, so that V has a gradient along both:
# the energy that contact releases when faces separate is the work of this force.


@leaf
def deeper_than_tips(pair: MeshParameters, e: Engagement, law: LawOut) -> I8:
    """Whether flanks would penetrate more than tips, or tips are apart. Not at the nominal centre distance: a step that does
    not resolve an impact deflects teeth by more than their height, and must not lose them."""
    d = e.left
    if d >= IN_PLACE * pair.limits.depth:
        return 0
    ca = pair.geometry.cos_alpha
    k = pair.law.mean_stiffness / (ca * ca)
    return 1 if not law.energy < 0.5 * k * d * abs(d) else 0


@block
def tip_law(pair: MeshParameters, e: Engagement, out: LawOut):
    """Contact of tips, or tips apart: no force of the flanks."""
    no_force(out)
    d = max(e.left, 0.0)
    ca = pair.geometry.cos_alpha
    k = pair.law.mean_stiffness / (ca * ca) if d > 0.0 else 0.0
    out.energy = 0.5 * k * d * d
    out.stiffness = k
    e.tip = k * d
    e.tip_stiffness = k


@block
def fade_law(pair: MeshParameters, tangent: I8, e: Engagement, out: LawOut):
    """Multiply the result of the law by Phi, and add the corresponding forces along faces and rack."""
    share = e.share
    energy = out.energy
    f = out.elastic
    both = out.both
    along = damper_levers(pair, out)
    by_a = out.w_a - along[0] * out.damping - along[2] * out.damped
    by_b = out.w_b - along[1] * out.damping - along[3] * out.damped
    out.elastic *= share
    out.damping *= share
    out.damped *= share
    out.lost *= share
    out.energy *= share
    out.stiffness *= share
    out.w_a *= share
    out.w_b *= share
    out.moment *= share
    out.power *= share
    out.timed *= share
    out.both *= share
    e.tip *= share
    e.tip_stiffness *= share
    if share <= 0.0:
        out.flank = 0.0
    if pair.law.tilted != 0:
        _fade_tilting(share, e.travel_1, out.on_drive)
        _fade_tilting(share, e.travel_1, out.on_coast)
    if e.changes != 0:
        e.face_energy = energy
        e.face_force = mul(energy, e.gradient)
        e.curve *= energy
    first = e.travel_1
    out.w_b += energy * first
    if tangent == 0:
        return
    _scale_slopes(share, out)
    if first != 0.0:
        out.w_bb += energy * e.travel_2 + 2.0 * first * by_b
        out.w_ab += first * by_a
        out.w_ba += first * by_a
        out.f_b += first * f
        out.w_by += first * both
        out.both_b += first * both


@leaf
def _fade_tilting(share: F8, first: F8, out: TiltOut):
    """The same for the moment against the tilt; w_b contains the effect of the travel of a rack."""
    by_travel = first * out.moment
    out.moment *= share
    out.f_t *= share
    out.w_at *= share
    out.w_bt = share * out.w_bt + by_travel
    out.c_t *= share
    out.d_t *= share
    out.both_t *= share
    out.m_a *= share
    out.m_b = share * out.m_b + by_travel
    out.m_t *= share


@leaf
def _scale_slopes(share: F8, out: LawOut):
    """share times the derivatives of the forces."""
    out.f_a *= share
    out.f_b *= share
    out.f_t *= share
    out.w_aa *= share
    out.w_ab *= share
    out.w_ba *= share
    out.w_bb *= share
    out.w_at *= share
    out.w_bt *= share
    out.w_ay *= share
    out.w_by *= share
    out.m_a *= share
    out.m_b *= share
    out.m_t *= share
    out.damper *= share
    out.damper_1 *= share
    out.damper_2 *= share
    out.c_a *= share
    out.c_b *= share
    out.c_t *= share
    out.c_y *= share
    out.d_a *= share
    out.d_b *= share
    out.d_t *= share
    out.d_y *= share
    out.both_u *= share
    out.both_a *= share
    out.both_b *= share
    out.both_t *= share
    out.both_y *= share
    out.both_l *= share


@block
def fade_stiffness(k: F8, f: MeshFrame, e: Engagement, wrench: Wrench, K: A2):
    """Add k times the derivative of the elastic wrench along the faces: symmetric, except for a term of the order of the
    energy divided by lengths squared, the rotation of the face with its wheel."""
    share = e.share
    if not share > 0.0:
        return
    force = wrench.force
    moment_a = wrench.moment_a
    moment_b = wrench.moment_b
    g = e.gradient
    face = e.face_force
    gA = add(cross(g, f.arm_a), e.couple_a)
    gB = add(cross(g, f.arm_b), e.couple_b)
    fA = mul(e.face_energy, gA)
    fB = mul(e.face_energy, gB)
    curve = k * e.curve
    for i in range(12):
        gi = _entry(i, g, gA, gB)
        wi = (_entry(i, force, moment_a, moment_b) - _entry(i, face, fA, fB)) / share
        for j in range(12):
            wj = (_entry(j, force, moment_a, moment_b) - _entry(j, face, fA, fB)) / share
            gj = _entry(j, g, gA, gB)
            K[i, j] += k * (wi * gj + gi * wj) + curve * gi * gj


@leaf
def _entry(i: I8, force: V3, on_a: V3, on_b: V3) -> F8:
    """Number i of the twelve of a unit of work: force on A and its moments, its opposite on B."""
    k = i % 3
    v = force
    if i >= 3 and i < 6:
        v = on_a
    elif i >= 9:
        v = on_b
    x = v[0] if k == 0 else (v[1] if k == 1 else v[2])
    return -x if i >= 6 and i < 9 else x


# ---- mesh line

# Line contact of rigid teeth: no tilt of the teeth about the line of centres.
#
# The teeth of both wheels stay parallel, tau = eta1_A . eta3_B = 0. The multiplier M of this second row is the moment
# conjugate to tau. It is the same as a second contact force F_c2 = 2 M/(w cos alpha) at half the face width w from
# the pitch point along the teeth, F_c = F_n - F_c2 remaining at the pitch point.


@leaf
def tilt_about_centres(f: MeshFrame, motion: MeshMotion, hoop: Hoop) -> F8:
    """Rate of tau."""
    turning = dot(cross(f.e1, f.h3), motion.spin)
    return turning + dot(f.e1p, f.h3) * hoop.rate_a + dot(f.e1, f.h3p) * hoop.rate_b


@block
def tilt_about_centres_gradient(f: MeshFrame, out: Gradients):
    """Gradient of tau = eta1_A . eta3_B."""
    turn = cross(f.e1, f.h3)
    a = dot(f.e1p, f.h3)
    b = dot(f.e1, f.h3p)
    psi_a = out.psi_a
    psi_b = out.psi_b
    tilt = out.tilt
    for j in range(12):
        t = a * psi_a[j] + b * psi_b[j]
        if j > 2 and j < 6:
            t += turn[j - 3]
        elif j > 8:
            t -= turn[j - 9]
        tilt[j] = t


@block
def line_rows(f: MeshFrame, row: I8, out: Gradients, J: A2):
    """Row and column of the second multiplier of rigid teeth with line contact."""
    tilt_about_centres_gradient(f, out)
    for j in range(12):
        J[row, j] = out.tilt[j]
        J[j, row] = out.tilt[j]


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
