"""Elastic forces, internal damping and weight of a superelement.

d_j is the logarithm of the motion from the first node to node j (see `parts.shafts.kernel`), e = d - d0:

    V = e^T K e/2,   n = K (e + beta rate),   rate_j = P_j v,   f = P^T n

with velocities v and forces f of the nodes in their own axes. It is objective, and to first order independent of the choice of
the first node. The centre of mass follows the deformation, m c = m c0 + G e + H eta in the axes of the first node: its weight
is conservative, and equals the consistent load of finite elements for small deformations.
"""

from pitchline.engine.elements.axis_rows import pair_stiffness
from pitchline.engine.elements.contract import (
    Coordinates,
    Node,
    Placed,
    angle_gradient,
    angle_stiffness,
    direction_stiffness,
    nearest_turn,
    principal_angle,
    seen,
    seen_from_a,
)
from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, behind, fields, inline, record_at
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from pitchline.numerics.vectors import add, cross, dot, mat_sum, mm, mtv, mul, mv, scaled, set_vec, skew, sub, tr, vec

from ..shafts.kernel import (
    coefficients,
    even_coupling,
    even_rotation,
    first_derivative,
    logarithm,
    plus_half,
    rotation_vector,
    second_derivative,
)

# ---- frame deflection

# Deflections of one frame relative to another, for bushings and bearings: value, gradient and second derivative of
# each.
#
# Frame B relative to frame A, in the axes of A:
#
# e_1..3 = R_A^T (o_B - o_A), e_4 = -y_A . z_B, e_5 = x_A . z_B, e_6 = twist about z (including full revolutions)
#
# (for small tilts e_4, e_5 are the tilt angles about x_A, y_A). Rotation about z is not limited, as for a shaft in
# its bearing; tilts are assumed to be small.


@leaf
def _axis(M: M9, i: I8) -> V3:
    """Axis i of a frame, node axes."""
    if i == 0:
        return (M[0], M[3], M[6])
    if i == 1:
        return (M[1], M[4], M[7])
    return (M[2], M[5], M[8])


@leaf
def _tilt_axis(fa: Placed, i: I8) -> V3:
    """The direction of A whose product with z_B is the tilt e_i."""
    return mul(-1.0, _axis(fa.axes, 1)) if i == 3 else _axis(fa.axes, 0)


@leaf
def _put(g: A1, a: V3, b: V3, c: V3, d: V3):
    """One gradient."""
    set_vec(g, 0, a)
    set_vec(g, 3, b)
    set_vec(g, 6, c)
    set_vec(g, 9, d)


@block
def deflection(fa: Placed, fb: Placed, turns: F8, a: Node, b: Node, i: I8, g: A1) -> F8:
    """e_i, and its gradient in g; turns: the twist of the last accepted step, whose revolutions are counted."""
    zero = (0.0, 0.0, 0.0)
    RA = a.R
    RB = b.R
    if i < 3:
        pB = fb.at
        d = seen_from_a(pB, a, b)
        axis = _axis(fa.axes, i)
        inW = mv(RA, axis)
        _put(g, mul(-1.0, inW), cross(axis, d), inW, cross(pB, mtv(RB, inW)))
        return dot(axis, sub(d, fa.at))
    if i < 5:
        z = _axis(fb.axes, 2)
        zA = mtv(RA, mv(RB, z))
        axis = _tilt_axis(fa, i)
        _put(g, zero, cross(axis, zA), zero, cross(z, mtv(RB, mv(RA, axis))))
        return dot(axis, zA)
    _put(g, zero, zero, zero, zero)
    angle_gradient(fa, fb, a, b, 1.0, g)
    return nearest_turn(principal_angle(fa, fb, a, b), turns)


@block
def deflection_stiffness(fa: Placed, fb: Placed, a: Node, b: Node, i: I8, w: F8, J: A2):
    """Add w times the derivative of gradient i to J[0:12, 0:12]."""
    if i < 3:
        direction_stiffness(fb.at, a, b, _axis(fa.axes, i), w, J)
    elif i < 5:
        pair_stiffness(J, 1.0, _tilt_axis(fa, i), mul(w, _axis(fb.axes, 2)), a.R, b.R)
    else:
        angle_stiffness(fa, fb, a, b, w, J)


# ---- superelement records

# Data of a superelement (`SuperelementData`), its input (`SuperelementSeen`) and its values during an evaluation
# (`SuperelementWork`).

MODES = Coordinates("modes", "n_modes", "m", "modal displacements", typical=0.1)
"""Amplitudes of the modes with fixed interfaces: the largest displacement in each."""

SuperelementSeen = seen(nodes="n_nodes", coordinates=(MODES,))
node_at = record_at(Node)
"""node_at(x.nodes[i]): the record of node i."""

SuperelementData = fields(
    "Superelement",
    n_relative=INTEGER,  # 6 (k - 1): motions of the other nodes relative to the first
    n_modes=INTEGER,
    n_all=INTEGER,  # 6 k + modes
    rest=behind("n_relative"),  # logarithms of these motions, undeformed
    stiffness=behind("n_relative", "n_relative"),  # on their change
    damping=NUMBER,  # over stiffness
    modal_stiffness=behind("n_modes"),
    modal_damping=behind("n_modes"),
    mass=behind("n_all", "n_all"),  # on velocities of the nodes in their axes, and rates of the modes
    n_changes=INTEGER,  # relative motions and modes
    rigid_mass_by=behind("n_changes", 36),  # their change of the 6x6 mass matrix of rigid motions, see `kernel`
    rigid_by=behind("n_all", 6),  # mean rigid velocity of the body, axes of the first node, by those of nodes and modes
    gravity=VECTOR,  # world axes
    weight=NUMBER,  # mass for gravity
    centre=VECTOR,  # mass times centre of mass, undeformed, axes of the first node
    centre_by_relative=behind("n_relative", 3),  # its change with deformation
    centre_by_modes=behind("n_modes", 3),
)
SuperelementWork = fields(
    "SuperelementWork",
    n_relative=INTEGER,
    n_all=INTEGER,
    n_coordinates=INTEGER,  # 6 k
    n_changes=INTEGER,
    d=behind("n_relative"),
    change=behind("n_relative"),  # d - rest
    rate=behind("n_relative"),
    effort=behind("n_relative"),  # force and moment on d
    c=behind("n_relative"),  # three numbers for each motion: coefficient of T^-1 and its derivatives
    P=behind("n_relative", 12),  # d by motions of the first node and of its own, in their axes
    velocity=behind("n_all"),
    momentum=behind("n_all"),
    acceleration=behind("n_all"),
    force=behind("n_all"),
    by_coordinates=behind(
        "n_relative", 12
    ),  # d and its rate for the first node and the own node, as used by the stiffness
    effort_by=behind("n_relative", "n_coordinates"),
    turned=behind("n_coordinates", "n_all"),
    tangent=behind("n_all", "n_all"),  # in node axes
    by_d=inline(12, 6),
    rate_by_d=inline(6, 6),
    mass=behind("n_all", "n_all"),  # including the effect of deformation
    mass_rate=behind("n_all", "n_all"),
    pull=behind("n_changes", "n_all"),  # change of momentum with each relative motion and mode, and of its force
    push=behind("n_changes", "n_all"),
    rigid_mass=inline(6, 6),  # effect of deformation on it
    rigid_mass_rate=inline(6, 6),
    column=inline(12),
    shift=inline(6),  # of the centre of mass, and its rate
    across=behind("n_all", 3),
)


@leaf
def put(A: A2, i: I8, j: I8, M: M9):
    """A[i:i+3, j:j+3] = M."""
    for k in range(3):
        for l in range(3):
            A[i + k, j + l] = M[3 * k + l]


@leaf
def get(A: A2, i: I8, j: I8) -> M9:
    """A[i:i+3, j:j+3]."""
    return (
        A[i, j], A[i, j + 1], A[i, j + 2],
        A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2],
        A[i + 2, j], A[i + 2, j + 1], A[i + 2, j + 2],
    )  # fmt: skip


@leaf
def _put_motion(P: A2, i: I8, j: I8, rotation: M9, coupling: M9):
    """P[i:i+6, j:j+6] = [[rotation, coupling], [0, rotation]]."""
    put(P, i, j, rotation)
    put(P, i, j + 3, coupling)
    put(P, i + 3, j + 3, rotation)
    for k in range(3):
        for l in range(3):
            P[i + 3 + k, j + l] = 0.0


@block
def relative_motion(w: SuperelementWork, first: Node, other: Node, i: I8, j: I8):
    """d, P and rate of the motion in rows i; the other node has coordinates from j on. The body velocities must be available."""
    x = mtv(first.R, sub(other.x, first.x))
    turn = rotation_vector(mm(tr(first.R), other.R))
    c = coefficients(dot(turn, turn))
    v = logarithm(x, turn, c[0])
    set_vec(w.c, i, c)
    set_vec(w.d, i, v)
    set_vec(w.d, i + 3, turn)
    even = even_rotation(turn, c[0])
    coupling = even_coupling(v, turn, c[0], c[1])
    P = w.P
    _put_motion(P, i, 0, scaled(-1.0, plus_half(even, -1.0, turn)), scaled(-1.0, plus_half(coupling, -1.0, v)))
    _put_motion(P, i, 6, plus_half(even, 1.0, turn), plus_half(coupling, 1.0, v))
    velocity = w.velocity
    rate = w.rate
    for k in range(6):
        total = 0.0
        for l in range(6):
            total += P[i + k, l] * velocity[l] + P[i + k, 6 + l] * velocity[j + l]
        rate[i + k] = total


@block
def efforts(s: SuperelementData, w: SuperelementWork, damp: F8, g: V3):
    """effort = K (e + beta rate) - G^T g, with gravity g in the axes of the first node."""
    n = s.n_relative
    stiffness = s.stiffness
    rest = s.rest
    by_relative = s.centre_by_relative
    d = w.d
    change = w.change
    rate = w.rate
    effort = w.effort
    beta = damp * s.damping
    for i in range(n):
        change[i] = d[i] - rest[i]
    for i in range(n):
        total = -(by_relative[i, 0] * g[0] + by_relative[i, 1] * g[1] + by_relative[i, 2] * g[2])
        for j in range(n):
            total += stiffness[i, j] * (change[j] + beta * rate[j])
        effort[i] = total


@block
def add_elastic_force(s: SuperelementData, w: SuperelementWork):
    """force += P^T n."""
    P = w.P
    effort = w.effort
    force = w.force
    for i in range(0, s.n_relative, 6):
        for l in range(6):
            a = 0.0
            b = 0.0
            for k in range(6):
                a += P[i + k, l] * effort[i + k]
                b += P[i + k, 6 + l] * effort[i + k]
            force[l] += a
            force[i + 6 + l] += b


@block
def strain_energy(s: SuperelementData, w: SuperelementWork) -> F8:
    """e^T K e/2."""
    total = 0.0
    stiffness = s.stiffness
    change = w.change
    for i in range(s.n_relative):
        for j in range(s.n_relative):
            total += change[i] * stiffness[i, j] * change[j]
    return 0.5 * total


@block
def loss(s: SuperelementData, w: SuperelementWork, rates: A1, damp: F8) -> F8:
    """Power dissipated by damping of the interfaces and of the modes."""
    total = 0.0
    if damp == 0.0:
        return total
    if s.damping != 0.0:
        stiffness = s.stiffness
        rate = w.rate
        for i in range(s.n_relative):
            for j in range(s.n_relative):
                total += s.damping * rate[i] * stiffness[i, j] * rate[j]
    modal = s.modal_damping
    for i in range(s.n_modes):
        total += modal[i] * rates[i] * rates[i]
    return damp * total


@block
def centre_moment(s: SuperelementData, w: SuperelementWork, modes: A1) -> V3:
    """Mass times centre of mass, axes of the first node."""
    x, y, z = s.centre
    by_relative = s.centre_by_relative
    by_modes = s.centre_by_modes
    change = w.change
    for i in range(s.n_relative):
        x += by_relative[i, 0] * change[i]
        y += by_relative[i, 1] * change[i]
        z += by_relative[i, 2] * change[i]
    for i in range(s.n_modes):
        x += by_modes[i, 0] * modes[i]
        y += by_modes[i, 1] * modes[i]
        z += by_modes[i, 2] * modes[i]
    return (x, y, z)


@block
def set_rate_by_d(w: SuperelementWork, i: I8, j: I8):
    """Derivative of the rate in rows i by d at constant velocities: [[A, B], [0, A]]."""
    v = vec(w.d, i)
    turn = vec(w.d, i + 3)
    c = vec(w.c, i)
    velocity = w.velocity
    uA = vec(velocity, 0)
    tA = vec(velocity, 3)
    uB = vec(velocity, j)
    tB = vec(velocity, j + 3)
    u = sub(uB, uA)
    t = sub(tB, tA)
    A = plus_half(first_derivative(turn, t, c[0], c[1]), -1.0, add(tA, tB))
    B = mat_sum(first_derivative(turn, u, c[0], c[1]), second_derivative(turn, t, v, c))
    _put_motion(w.rate_by_d, 0, 0, A, plus_half(B, -1.0, add(uA, uB)))


@block
def _force_by_d(w: SuperelementWork, i: I8, K: F8):
    """by_d = K times the derivative of P^T n by d at constant n, for the motion in rows i."""
    v = vec(w.d, i)
    turn = vec(w.d, i + 3)
    c = vec(w.c, i)
    nf = vec(w.effort, i)
    nm = vec(w.effort, i + 3)
    even_f = first_derivative(turn, nf, c[0], c[1])
    even_m = mat_sum(first_derivative(turn, nm, c[0], c[1]), second_derivative(turn, nf, v, c))
    by_d = w.by_d
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for k in range(2):
        sign = -1.0 if k == 0 else 1.0
        f = scaled(sign * K, plus_half(even_f, sign, nf))
        put(by_d, 6 * k, 0, zero)
        put(by_d, 6 * k, 3, f)
        put(by_d, 6 * k + 3, 0, f)
        put(by_d, 6 * k + 3, 3, scaled(sign * K, plus_half(even_m, sign, nm)))


@block
def add_elastic_tangent(s: SuperelementData, w: SuperelementWork, K: F8, D: F8, damp: F8, g: V3):
    """tangent += K df/dq + D df/dv in node axes, including the weight on d; without the rotation of f with its node."""
    n = s.n_relative
    P = w.P
    L = w.tangent
    seen = w.by_coordinates
    velocity = w.velocity
    beta = damp * s.damping
    by_d = w.by_d
    rate_by_d = w.rate_by_d
    for i in range(0, n, 6):
        other = i + 6
        # effect of the stiffness, for the first node and the own node: (K + beta D) P, and beta K times the change of P v
        for k in range(i, i + 6):
            for l in range(12):
                seen[k, l] = (K + beta * D) * P[k, l]
        if beta != 0.0:
            set_rate_by_d(w, i, other)
            for k in range(6):
                for q in range(6):
                    a = K * beta * rate_by_d[k, q]
                    for l in range(12):
                        seen[i + k, l] += a * P[i + q, l]
            for node in range(2):
                turning = scaled(K * beta, mm(get(P, i, 6 * node), skew(vec(velocity, 0 if node == 0 else other))))
                for k in range(3):
                    for l in range(3):
                        seen[i + k, 6 * node + 3 + l] += turning[3 * k + l]
        # forces change with d at constant efforts
        _force_by_d(w, i, K)
        for half in range(2):
            row = 0 if half == 0 else other
            for k in range(6):
                for q in range(6):
                    a = by_d[6 * half + k, q]
                    for l in range(6):
                        L[row + k, l] += a * P[i + q, l]
                        L[row + k, other + l] += a * P[i + q, 6 + l]
    _add_stiffness(s, w, K, skew(g))


@block
def _add_stiffness(s: SuperelementData, w: SuperelementWork, K: F8, across: M9):
    """tangent += P^T times the change of the efforts. A motion depends only on the first node and its own: most of P is zero."""
    n = s.n_relative
    P = w.P
    L = w.tangent
    seen = w.by_coordinates
    by_relative = s.centre_by_relative
    stiffness = s.stiffness
    effort_by = w.effort_by
    columns = w.n_coordinates
    for i in range(n):
        # gravity rotates relative to the first node
        for l in range(3):
            effort_by[i, l] = 0.0
            effort_by[i, 3 + l] = -K * (
                by_relative[i, 0] * across[l] + by_relative[i, 1] * across[3 + l] + by_relative[i, 2] * across[6 + l]
            )
        for j in range(0, n, 6):
            for l in range(6):
                first = 0.0
                own = 0.0
                for k in range(j, j + 6):
                    first += stiffness[i, k] * seen[k, l]
                    own += stiffness[i, k] * seen[k, 6 + l]
                effort_by[i, l] += first
                effort_by[i, j + 6 + l] = own
    for i in range(0, n, 6):
        for k in range(6):
            for q in range(i, i + 6):
                a = P[q, k]
                b = P[q, 6 + k]
                for j in range(columns):
                    L[k, j] += a * effort_by[q, j]
                    L[i + 6 + k, j] += b * effort_by[q, j]


@block
def add_weight_tangent(s: SuperelementData, w: SuperelementWork, moment: V3, g: V3, K: F8):
    """tangent += K times the derivatives of the moment of weight about the first node, and of the weight on modes."""
    if g[0] == 0.0 and g[1] == 0.0 and g[2] == 0.0:
        return
    L = w.tangent
    P = w.P
    across = skew(g)
    own = mm(skew(moment), across)
    for k in range(3):
        for l in range(3):
            L[3 + k, 3 + l] -= K * own[3 * k + l]
    by_relative = s.centre_by_relative
    for i in range(s.n_relative):
        at = cross(g, (by_relative[i, 0], by_relative[i, 1], by_relative[i, 2]))
        other = 6 * (i // 6) + 6
        for l in range(6):
            for k in range(3):
                L[3 + k, l] += K * at[k] * P[i, l]
                L[3 + k, other + l] += K * at[k] * P[i, 6 + l]
    by_modes = s.centre_by_modes
    for i in range(s.n_modes):
        at = cross(g, (by_modes[i, 0], by_modes[i, 1], by_modes[i, 2]))
        row = w.n_coordinates + i
        for k in range(3):
            L[3 + k, row] += K * at[k]
            L[row, 3 + k] += K * at[k]
