"""Elastic forces and internal damping of a beam element.

    V = (d - d0)^T K (d - d0)/2,   n = K (d - d0) + C rate,   rate = P v,   f = P^T n

v and f are velocities and forces of both nodes in their own axes. A frame that is fixed in a node away from its origin is a
constant change of these axes, and affects only P. Damping acts in axes that rotate with the beam: it is internal damping.
"""

from ..math.compiled import A1, A2, F8, I8, M9, V3, block, leaf
from ..math.vectors import add, cross, dot, mat_sum, mm, mtv, mv, scaled, skew, sub, tr, vec
from .beam_motion import (
    coefficients,
    even_coupling,
    even_rotation,
    first_derivative,
    logarithm,
    plus_half,
    rotation_vector,
    second_derivative,
)
from .beam_records import BeamData, BeamWork
from .contract import Node


@leaf
def put(A: A2, i: I8, j: I8, M: M9):
    """A[i:i+3, j:j+3] = M."""
    A[i, j] = M[0]
    A[i, j + 1] = M[1]
    A[i, j + 2] = M[2]
    A[i + 1, j] = M[3]
    A[i + 1, j + 1] = M[4]
    A[i + 1, j + 2] = M[5]
    A[i + 2, j] = M[6]
    A[i + 2, j + 1] = M[7]
    A[i + 2, j + 2] = M[8]


@leaf
def get(A: A2, i: I8, j: I8) -> M9:
    """A[i:i+3, j:j+3]."""
    return (
        A[i, j], A[i, j + 1], A[i, j + 2],
        A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2],
        A[i + 2, j], A[i + 2, j + 1], A[i + 2, j + 2],
    )  # fmt: skip


@leaf
def _put_motion(P: A2, j: I8, rotation: M9, coupling: M9):
    """Columns of P for one node: [[rotation, coupling], [0, rotation]]."""
    put(P, 0, j, rotation)
    put(P, 0, j + 3, coupling)
    put(P, 3, j + 3, rotation)
    for i in range(3, 6):
        P[i, j] = P[i, j + 1] = P[i, j + 2] = 0.0


@leaf
def _in_node(s: BeamData, P: A2):
    """Transform from small motions of the section frames to those of the nodes: P Ad, Ad = [[S^T, -S^T p~], [0, S^T]]."""
    for k in range(2):
        j = 6 * k
        axes = s.a.axes if k == 0 else s.b.axes
        at = s.a.at if k == 0 else s.b.at
        rotation = mm(get(P, 0, j), tr(axes))
        coupling = mat_sum(mm(get(P, 0, j + 3), tr(axes)), scaled(-1.0, mm(rotation, skew(at))))
        _put_motion(P, j, rotation, coupling)


@block
def deform(s: BeamData, a: Node, b: Node, w: BeamWork, damp: F8):
    """d, P, rate and n. The body velocities must be available."""
    RA = a.R
    RB = b.R
    if s.plain == 1:
        x = mtv(RA, sub(b.x, a.x))
    else:
        pA = s.a.at
        pB = s.b.at
        SA = s.a.axes
        x = mtv(SA, sub(mtv(RA, sub(add(b.x, mv(RB, pB)), a.x)), pA))
        RA = mm(RA, SA)
        RB = mm(RB, s.b.axes)
    turn = rotation_vector(mm(tr(RA), RB))
    c = coefficients(dot(turn, turn))
    v = logarithm(x, turn, c[0])
    w.c = c
    d = w.d
    d[0], d[1], d[2] = v
    d[3], d[4], d[5] = turn
    even = even_rotation(turn, c[0])
    coupling = even_coupling(v, turn, c[0], c[1])
    P = w.P
    _put_motion(P, 0, scaled(-1.0, plus_half(even, -1.0, turn)), scaled(-1.0, plus_half(coupling, -1.0, v)))
    _put_motion(P, 6, plus_half(even, 1.0, turn), plus_half(coupling, 1.0, v))
    if s.plain != 1:
        _in_node(s, P)
    rest = s.rest
    stiffness = s.stiffness
    damping = s.damping
    rate = w.rate
    n = w.n
    e0, e1, e2 = d[0] - rest[0], d[1] - rest[1], d[2] - rest[2]
    e3, e4, e5 = d[3] - rest[3], d[4] - rest[4], d[5] - rest[5]
    for i in range(6):
        n[i] = (
            stiffness[i, 0] * e0 + stiffness[i, 1] * e1 + stiffness[i, 2] * e2
            + stiffness[i, 3] * e3 + stiffness[i, 4] * e4 + stiffness[i, 5] * e5
        )  # fmt: skip
    velocity = w.velocity
    for i in range(6):
        total = 0.0
        for j in range(12):
            total += P[i, j] * velocity[j]
        rate[i] = total
    if s.damped == 1 and damp != 0.0:
        for i in range(6):
            for j in range(6):
                n[i] += damp * damping[i, j] * rate[j]


@leaf
def add_elastic_force(w: BeamWork):
    """force += P^T n."""
    P = w.P
    n = w.n
    force = w.force
    for j in range(12):
        force[j] += P[0, j] * n[0] + P[1, j] * n[1] + P[2, j] * n[2] + P[3, j] * n[3] + P[4, j] * n[4] + P[5, j] * n[5]


@leaf
def loss(s: BeamData, w: BeamWork, damp: F8) -> F8:
    """Power dissipated by internal damping."""
    total = 0.0
    if s.damped == 1 and damp != 0.0:
        rate = w.rate
        damping = s.damping
        for i in range(6):
            for j in range(6):
                total += rate[i] * damping[i, j] * rate[j]
    return damp * total


@leaf
def strain_energy(s: BeamData, w: BeamWork) -> F8:
    """(d - d0)^T K (d - d0)/2."""
    d = w.d
    rest = s.rest
    stiffness = s.stiffness
    total = 0.0
    for i in range(6):
        for j in range(6):
            total += (d[i] - rest[i]) * stiffness[i, j] * (d[j] - rest[j])
    return 0.5 * total


@leaf
def _section_velocity(axes: M9, at: V3, velocity: A1, i: I8, linear: I8) -> V3:
    """Linear or angular velocity of a section frame in its axes, from those of its node."""
    w = vec(velocity, i + 3)
    if linear == 1:
        return mtv(axes, add(vec(velocity, i), cross(w, at)))
    return mtv(axes, w)


@leaf
def _force_by_d(s: BeamData, w: BeamWork, K: F8):
    """by_d = K times the derivative of P^T n with respect to d at constant n, in node axes."""
    d = w.d
    n = w.n
    c = w.c
    v = vec(d, 0)
    turn = vec(d, 3)
    nf = vec(n, 0)
    nm = vec(n, 3)
    even_f = first_derivative(turn, nf, c[0], c[1])
    even_m = mat_sum(first_derivative(turn, nm, c[0], c[1]), second_derivative(turn, nf, v, c))
    by_d = w.by_d
    for k in range(2):
        sign = -1.0 if k == 0 else 1.0
        i = 6 * k
        f = scaled(sign * K, plus_half(even_f, sign, nf))
        m = scaled(sign * K, plus_half(even_m, sign, nm))
        g = f
        if s.plain == 1:
            for j in range(3):
                by_d[i, j] = by_d[i + 1, j] = by_d[i + 2, j] = 0.0
        else:  # forces at the section frame as those at the node: rows S f, p x S f + S m
            axes = s.a.axes if k == 0 else s.b.axes
            lever = skew(s.a.at if k == 0 else s.b.at)
            g = mm(axes, f)
            m = mat_sum(mm(axes, m), mm(lever, g))
            f = g
            for j in range(3):
                by_d[i, j] = by_d[i + 1, j] = by_d[i + 2, j] = 0.0
        put(by_d, i, 3, f)
        put(by_d, i + 3, 0, g)
        put(by_d, i + 3, 3, m)


@leaf
def _rate_by_d(s: BeamData, w: BeamWork, A: A2):
    """Derivative of the rate of d with respect to d at constant velocities: [[G_w, G_u + H], [0, G_w]]."""
    velocity = w.velocity
    c = w.c
    d = w.d
    v = vec(d, 0)
    turn = vec(d, 3)
    uA = _section_velocity(s.a.axes, s.a.at, velocity, 0, 1)
    wA = _section_velocity(s.a.axes, s.a.at, velocity, 0, 0)
    uB = _section_velocity(s.b.axes, s.b.at, velocity, 6, 1)
    wB = _section_velocity(s.b.axes, s.b.at, velocity, 6, 0)
    dw = sub(wB, wA)
    by_w = plus_half(first_derivative(turn, dw, c[0], c[1]), -1.0, add(wA, wB))
    by_u = plus_half(first_derivative(turn, sub(uB, uA), c[0], c[1]), -1.0, add(uA, uB))
    put(A, 0, 0, by_w)
    put(A, 0, 3, mat_sum(by_u, second_derivative(turn, dw, v, c)))
    put(A, 3, 0, scaled(0.0, by_w))
    put(A, 3, 3, by_w)


@block
def elastic_tangent(s: BeamData, w: BeamWork, K: F8, D: F8, damp: F8):
    """tangent = K df/dq + D df/dv of elastic and damping forces, in node axes; without the rotation of f with its node."""
    _force_by_d(s, w, K)
    P = w.P
    by_d = w.by_d
    on_d = w.on_d
    stiffness = s.stiffness
    damped = s.damped == 1 and damp != 0.0
    if damped:
        # n by d: K (stiffness + C rate_by_d) + D C
        by_rate = w.tangent  # its first rows temporarily contain the derivative of the rate
        _rate_by_d(s, w, by_rate)
        damping = s.damping
        for i in range(6):
            for j in range(6):
                total = 0.0
                for k in range(6):
                    total += damping[i, k] * by_rate[k, j]
                on_d[i, j] = K * stiffness[i, j] + damp * (K * total + D * damping[i, j])
    else:
        for i in range(6):
            for j in range(6):
                on_d[i, j] = K * stiffness[i, j]
    # by_d + P^T on_d
    for i in range(12):
        for k in range(6):
            p = P[k, i]
            for j in range(6):
                by_d[i, j] += p * on_d[k, j]
    tangent = w.tangent
    for i in range(12):
        b0, b1, b2, b3, b4, b5 = by_d[i, 0], by_d[i, 1], by_d[i, 2], by_d[i, 3], by_d[i, 4], by_d[i, 5]
        for j in range(12):
            tangent[i, j] = b0 * P[0, j] + b1 * P[1, j] + b2 * P[2, j] + b3 * P[3, j] + b4 * P[4, j] + b5 * P[5, j]
    if damped:
        _velocity_turns(s, w, K * damp)


@leaf
def _velocity_turns(s: BeamData, w: BeamWork, k: F8):
    """The body velocity R^T v of a node changes by v~ when it rotates: add k P^T C P_t v~ to the columns of rotation."""
    P = w.P
    PC = w.PC
    damping = s.damping
    velocity = w.velocity
    tangent = w.tangent
    for i in range(12):
        for j in range(3):
            PC[i, j] = 0.0
        for l in range(6):
            p = P[l, i]
            for j in range(3):
                PC[i, j] += p * damping[l, j]
    for node in range(2):
        j = 6 * node
        turning = scaled(k, mm(get(P, 0, j), skew(vec(velocity, j))))
        for i in range(12):
            a, b, c = PC[i, 0], PC[i, 1], PC[i, 2]
            tangent[i, j + 3] += a * turning[0] + b * turning[3] + c * turning[6]
            tangent[i, j + 4] += a * turning[1] + b * turning[4] + c * turning[7]
            tangent[i, j + 5] += a * turning[2] + b * turning[5] + c * turning[8]
