"""Evaluation of elements, assembly of residual and tangent, and forces of bodies that form a tree.

Rows and columns are scaled so that the matrix does not depend on the step size (Bottasso et al. 2008): equations of motion by s
(beta h^2 in dynamics, 1 in statics), constraint rows by l, multipliers lambda = (l/s) lambda-bar. The factors M, D, K for the
elements already include s, so that only the entries of B are scaled by l.
"""

import math

from pitchline.numerics.fields import (
    INTEGER,
    MATRIX,
    NUMBER,
    VECTOR,
    elsewhere,
    fields,
    matrix_over,
    record_at,
    reference,
    table,
)
from pitchline.numerics.machine_code.compiled import A1, A2, B1, F8, I8, M9, V3, block, entry, leaf
from pitchline.numerics.vectors import add, cross, dot, mm, mtv, mul, mv

from ..elements.contract import RATE, RESIDUAL, TANGENT, call_evaluate, call_hook
from .nodes import end_tangents, move, rest, spread_rates
from .signal_pass import PlacedElement, SystemRecord, differentiate_signals, feed_tangent, rate_signals, update_signals

system_at = record_at(SystemRecord)


@leaf
def evaluate(sys: SystemRecord, e: PlacedElement, mode: I8):
    """Evaluate one element into the local block. The block is cleared first."""
    m = e.size
    r = sys.local_r
    J = sys.local_J
    for i in range(m):
        r[i] = 0.0
    if mode == TANGENT:
        for i in range(m * m):
            J[i] = 0.0
    sys.ask.mode = mode
    call_evaluate(e.evaluate, e.s, e.m, e.x, e.w, sys.ask, r[0:m], matrix_over(J, m, m))


@leaf
def evaluate_open(sys: SystemRecord, e: PlacedElement):
    """Residual of one element with its condensed coordinates unchanged. During a motion these do not follow the forces; the
    closed form is valid at the end of a step, or at rest."""
    r = sys.local_r
    for i in range(e.open_size):
        r[i] = 0.0
    sys.ask.mode = RESIDUAL
    call_evaluate(e.evaluate, e.s, e.m, e.x, e.w, sys.ask, r[0 : e.open_size], matrix_over(sys.local_J, e.size, e.size))


@block
def reduce_tangent(sys: SystemRecord, e: PlacedElement, J: A2):
    """J <- T^T J T at local indices 6k+j (j < nd)."""
    m = e.size
    for k in range(e.n_nodes):
        node = sys.nodes[e.nodes[k]]
        nd = node.count
        if nd == 6:
            continue
        T = node.T
        o = 6 * k
        for i in range(m):
            b0 = J[i, o]
            b1 = J[i, o + 1]
            b2 = J[i, o + 2]
            b3 = J[i, o + 3]
            b4 = J[i, o + 4]
            b5 = J[i, o + 5]
            for j in range(nd):
                J[i, o + j] = b0 * T[0, j] + b1 * T[1, j] + b2 * T[2, j] + b3 * T[3, j] + b4 * T[4, j] + b5 * T[5, j]
        for i in range(m):
            b0 = J[o, i]
            b1 = J[o + 1, i]
            b2 = J[o + 2, i]
            b3 = J[o + 3, i]
            b4 = J[o + 4, i]
            b5 = J[o + 5, i]
            for j in range(nd):
                J[o + j, i] = b0 * T[0, j] + b1 * T[1, j] + b2 * T[2, j] + b3 * T[3, j] + b4 * T[4, j] + b5 * T[5, j]


@block
def turn_columns(sys: SystemRecord, e: PlacedElement, J: A2):
    """J <- J T(theta) in the rotation columns of freely rotating nodes."""
    m = e.size
    for k in range(e.n_nodes):
        g = e.nodes[k]
        if sys.nodes[g].free >= 0:
            E = sys.turns[g].M
            o = 6 * k + 3
            for i in range(m):
                a = J[i, o]
                b = J[i, o + 1]
                c = J[i, o + 2]
                J[i, o] = a * E[0] + b * E[3] + c * E[6]
                J[i, o + 1] = a * E[1] + b * E[4] + c * E[7]
                J[i, o + 2] = a * E[2] + b * E[5] + c * E[8]


@leaf
def _add_residual(sys: SystemRecord, e: PlacedElement, s: F8) -> F8:
    """Add the local residual to that of the system. Return the largest violation of its omitted rows."""
    r = sys.r
    local = sys.local_r
    for k in range(e.n_nodes):
        node = sys.nodes[e.nodes[k]]
        first = node.first
        nd = node.count
        if nd == 6:
            for i in range(6):
                r[first + i] += s * local[6 * k + i]
        else:
            T = node.T
            for j in range(nd):
                t = 0.0
                for i in range(6):
                    t += T[i, j] * local[6 * k + i]
                r[first + j] += s * t
    at = 6 * e.n_nodes
    for i in range(e.n_own):
        r[e.own + i] += s * local[at + i]
    at = e.size - e.n_rows
    loose = 0.0
    l0 = e.lam
    for i in range(e.n_rows):
        q = sys.equation[l0 + i]
        if q >= 0:
            r[q] += sys.lam_scale[l0 + i] * local[at + i]
        elif q == -1:
            loose = max(loose, abs(local[at + i]))
    return loose


@block
def _penalise(sys: SystemRecord, e: PlacedElement, J: A2):
    """Add the penalties of constraint rows, s p G B, to the rows of motion: B is the row, G the column of the multiplier."""
    first = e.size - e.n_rows
    for i in range(e.n_rows):
        p = sys.lam_penalty[e.lam + i]
        row = first + i
        if p == 0.0 or sys.equation[e.lam + i] < 0:
            continue
        for a in range(6 * e.n_nodes + e.n_own):
            g = p * J[a, row]
            if g != 0.0:
                for b in range(first):
                    J[a, b] += g * J[row, b]


@leaf
def _scatter(sys: SystemRecord, e: PlacedElement):
    """Add the local tangent to the matrix."""
    J = sys.local_J
    if e.is_reduced != 0:
        reduce_tangent(sys, e, matrix_over(J, e.size, e.size))
    Ax = sys.Ax
    entry_from = sys.entry_from
    entry_to = sys.entry_to
    entry_scale = sys.entry_scale
    for q in range(e.entry0, e.entry1):
        Ax[entry_to[q]] += J[entry_from[q]] * entry_scale[q]


@block
def _scatter_turned(sys: SystemRecord, e: PlacedElement):
    """Add the tangent of an element with inertia and stiffness. Only the terms of positions are rotated."""
    ask = sys.ask
    M = ask.M
    D = ask.D
    K = ask.K
    power_in = ask.power_in
    power_out = ask.power_out
    power_teeth = ask.power_teeth
    ask.M = 0.0
    ask.D = 0.0
    evaluate(sys, e, TANGENT)
    turn_columns(sys, e, matrix_over(sys.local_J, e.size, e.size))
    _scatter(sys, e)
    if e.n_inputs > 0:
        feed_tangent(sys, e, sys.local_J)
    ask.M = M
    ask.D = D
    ask.K = 0.0
    evaluate(sys, e, TANGENT)
    _scatter(sys, e)
    ask.K = K
    ask.power_in = power_in
    ask.power_out = power_out
    ask.power_teeth = power_teeth


@block
def assemble(sys: SystemRecord, mode: I8, turn: B1, s: F8) -> F8:
    """Scaled residual (and matrix values, if mode is TANGENT). Return the largest violation of omitted rows. `ask` contains
    the supplied and the dissipated power.

    turn: rotation columns are multiplied by the tangent operators of the increments, so that the matrix refers to the
    increments themselves (except inertia, which acts on accelerations)."""
    tangent = mode == TANGENT
    r = sys.r
    for i in range(sys.n):
        r[i] = 0.0
    Ax = sys.Ax
    if tangent:
        for i in range(sys.n_values):
            Ax[i] = 0.0
    ask = sys.ask
    ask.power_in = 0.0
    ask.power_out = 0.0
    ask.power_teeth = 0.0
    loose = 0.0
    if tangent:
        differentiate_signals(sys, turn)
    else:
        update_signals(sys)
    for n in range(sys.n_active):
        e = sys.elements[n]
        apart = turn and e.has_inertia != 0 and e.n_nodes > 1
        evaluate(sys, e, RESIDUAL if apart else mode)
        loose = max(loose, _add_residual(sys, e, s))
        if not tangent:
            continue
        if apart:
            _scatter_turned(sys, e)
            continue
        if sys.penalised != 0 and e.n_rows > 0:
            _penalise(sys, e, matrix_over(sys.local_J, e.size, e.size))
        if turn and e.has_inertia == 0:
            turn_columns(sys, e, matrix_over(sys.local_J, e.size, e.size))
        _scatter(sys, e)
        if e.n_inputs > 0:
            feed_tangent(sys, e, sys.local_J)
    return loose


@block
def constraint_rows(sys: SystemRecord, mode: I8, r: A1):
    """Scaled Phi (mode RESIDUAL) or dPhi/dt (mode RATE) in the constraint rows of r; zero elsewhere. The power is still that
    of the last assembly."""
    ask = sys.ask
    power_in = ask.power_in
    power_out = ask.power_out
    power_teeth = ask.power_teeth
    for i in range(sys.n):
        r[i] = 0.0
    local = sys.local_r
    if mode == RATE:
        rate_signals(sys)
    else:
        update_signals(sys)
    for n in range(sys.n_constraints):
        e = sys.elements[sys.constraints[n]]
        evaluate(sys, e, mode)
        at = e.size - e.n_rows
        for i in range(e.n_rows):
            l = e.lam + i
            if sys.equation[l] >= 0:
                r[sys.equation[l]] += sys.lam_scale[l] * local[at + i]
    ask.power_in = power_in
    ask.power_out = power_out
    ask.power_teeth = power_teeth


@block
def begin_step(sys: SystemRecord):
    """Elements prepare a step from the accepted state, which must be the evaluated one. Signals are those of that state."""
    ask = sys.ask
    end = ask.t
    ask.t = end - ask.h
    update_signals(sys)
    ask.t = end
    ask.grip = 0.0
    ask.acting = 0.0
    if sys.n_guards > 0:
        for i in range(sys.n_lam):
            ask.acting = max(ask.acting, abs(sys.lam[i]) / math.sqrt(sys.lam_scale[i]))
    for n in range(sys.n_begins):
        e = sys.elements[sys.begins[n]]
        call_hook(e.begin, e.s, e.m, e.x, e.w, sys.ask)


@block
def guard_step(sys: SystemRecord, most: F8, near: F8) -> F8:
    """Fraction of the step, from the accepted to the evaluated state, at which the first event occurs; `most`: none before.
    near: elements whose event is as close to the end will switch (see "Events" in `contract`)."""
    update_signals(sys)
    sys.ask.cut = most
    sys.ask.shift = near
    for n in range(sys.n_guards):
        e = sys.elements[sys.guards[n]]
        call_hook(e.guard, e.s, e.m, e.x, e.w, sys.ask)
    sys.ask.shift = 0.0
    return sys.ask.cut


@block
def accept_state(sys: SystemRecord):
    """Elements store the evaluated state."""
    update_signals(sys)
    for n in range(sys.n_accepts):
        e = sys.elements[sys.accepts[n]]
        call_hook(e.accept, e.s, e.m, e.x, e.w, sys.ask)


# ---- for callers in Python, with the address of the record


@entry
def place(address: I8, moving: B1):
    """Poses, own coordinates and, if `moving`, rates of the evaluated state. Elements start there: it is not part of a step."""
    sys = system_at(address)
    move(sys)
    if moving:
        spread_rates(sys)
    else:
        rest(sys)
    begin_step(sys)


@entry
def assemble_at(address: I8, mode: I8, turn: B1) -> F8:
    """`assemble` with unscaled rows of motion."""
    sys = system_at(address)
    if turn:
        end_tangents(sys)
    return assemble(sys, mode, turn, 1.0)


@entry
def rows_at(address: I8, rates: B1):
    """`constraint_rows`."""
    sys = system_at(address)
    constraint_rows(sys, RATE if rates else RESIDUAL, sys.r)


@entry
def evaluate_at(address: I8, e: I8, mode: I8):
    """Evaluate one element into the local block."""
    sys = system_at(address)
    sys.ask.power_in = 0.0
    sys.ask.power_out = 0.0
    sys.ask.power_teeth = 0.0
    evaluate(sys, sys.elements[e], mode)


@entry
def accept_at(address: I8):
    """`accept_state`."""
    accept_state(system_at(address))


# ---- tree kernels

# Inverse dynamics along a tree of bodies: poses from the root to the leaves, forces from the leaves to the root.
#
# Body c moves relative to its parent p on one fixed axis (a screw with the pitch h; h = 0 is a hinge), on a fixed
# line, or not at all. Its coordinate is linear in the joint coordinates q, theta = gamma . (q - q0), so that gears
# with constant ratios are included. In the axes of the parent, with the direction e, a point o of the axis and d from
# o to the node of c at theta = 0:
#
# R_c = R_p exp(e theta) R_0 , x_c = x_p + R_p (o + h theta e + exp(e theta) d) .
#
# Elements are evaluated at these poses and rates. Their forces on the nodes, with inertia, are summed from the leaves
# to the root; the part along each axis, times gamma, is the generalised force.

RIGID, TURNING, SLIDING = 0, 1, 2
"""Kinds of edges of a tree."""

Edge = fields(
    "Edge",
    node=INTEGER,
    parent=INTEGER,
    kind=INTEGER,
    pitch=NUMBER,
    e=VECTOR,  # axes of the parent, as the following
    o=VECTOR,
    d=VECTOR,
    R0=MATRIX,
    # of the last sample
    axis=VECTOR,  # world axes, as the following
    arm=VECTOR,  # from the axis to the node of the body
    span=VECTOR,  # from the node of the parent to that of the body
)

Tree = fields(
    "Tree",
    system=reference(SystemRecord),
    n_edges=INTEGER,
    n_coordinates=INTEGER,
    n_nodes=INTEGER,
    n_forces=INTEGER,
    n_begins=INTEGER,
    n_angles=INTEGER,
    edges=table(Edge),  # parents before their children
    gamma=elsewhere("n_edges", "n_coordinates"),
    q0=elsewhere("n_coordinates"),
    forces=elsewhere("n_forces", of="integer"),  # elements that cause forces, without constraints
    begins=elsewhere("n_begins", of="integer"),  # those of them that prepare an evaluation
    angles=elsewhere("n_angles", of="integer"),  # places in the memory that contain joint angles
    angle0=elsewhere("n_angles"),
    angle_gamma=elsewhere("n_angles", "n_coordinates"),
    wrench=elsewhere("n_nodes", 6),  # force, and moment about the node, world axes
)
tree_at = record_at(Tree)


@leaf
def _about(e: V3, c: F8, s: F8) -> M9:
    """Rotation about a unit vector, from cosine and sine of its angle."""
    k = 1.0 - c
    x, y, z = e
    return (
        c + k * x * x, k * x * y - s * z, k * x * z + s * y,
        k * x * y + s * z, c + k * y * y, k * y * z - s * x,
        k * x * z - s * y, k * y * z + s * x, c + k * z * z,
    )  # fmt: skip


@leaf
def _sum(gamma: A2, k: I8, q: A1) -> F8:
    s = 0.0
    for j in range(q.shape[0]):
        s += gamma[k, j] * q[j]
    return s


@leaf
def _difference(gamma: A2, k: I8, q: A1, q0: A1) -> F8:
    s = 0.0
    for j in range(q.shape[0]):
        s += gamma[k, j] * (q[j] - q0[j])
    return s


@block
def spread(tree: Tree, q: A1, qd: A1, qdd: A1):
    """Poses, velocities and accelerations of all nodes. Angular rates are in world axes until `to_node_axes`."""
    sys = tree.system
    gamma = tree.gamma
    for k in range(tree.n_edges):
        edge = tree.edges[k]
        p = sys.bodies[edge.parent]
        c = sys.bodies[edge.node]
        R = p.R
        if edge.kind == RIGID:
            span = mv(R, add(edge.o, edge.d))
            c.R = mm(R, edge.R0)
            relative = (0.0, 0.0, 0.0)
            own = (0.0, 0.0, 0.0)
            c.w = p.w
            c.al = p.al
        else:
            theta = _difference(gamma, k, q, tree.q0)
            rate = _sum(gamma, k, qd)
            acceleration = _sum(gamma, k, qdd)
            e = mv(R, edge.e)
            edge.axis = e
            if edge.kind == SLIDING:
                arm = mv(R, edge.d)
                span = add(add(mv(R, edge.o), mul(theta, e)), arm)
                c.R = mm(R, edge.R0)
                relative = mul(rate, e)
                own = mul(acceleration, e)
                c.w = p.w
                c.al = p.al
            else:
                turn = _about(edge.e, math.cos(theta), math.sin(theta))
                arm = mv(R, mv(turn, edge.d))
                span = add(mv(R, add(edge.o, mul(edge.pitch * theta, edge.e))), arm)
                c.R = mm(R, mm(turn, edge.R0))
                across = cross(e, arm)
                way = add(across, mul(edge.pitch, e))
                relative = mul(rate, way)
                own = add(mul(acceleration, way), mul(rate * rate, cross(e, across)))
                c.w = add(p.w, mul(rate, e))
                c.al = add(add(p.al, mul(acceleration, e)), mul(rate, cross(p.w, e)))
            edge.arm = arm
        edge.span = span
        c.x = add(p.x, span)
        c.v = add(add(p.v, cross(p.w, span)), relative)
        carried = add(cross(p.al, span), cross(p.w, cross(p.w, span)))
        c.a = add(add(add(p.a, carried), mul(2.0, cross(p.w, relative))), own)


@block
def to_node_axes(tree: Tree):
    """Angular velocities and accelerations in the axes of their nodes, as elements read them."""
    sys = tree.system
    for k in range(tree.n_edges):
        body = sys.bodies[tree.edges[k].node]
        R = body.R
        body.w = mtv(R, body.w)
        body.al = mtv(R, body.al)


@block
def sum_forces(tree: Tree):
    """Forces of all elements on the nodes, world axes."""
    sys = tree.system
    wrench = tree.wrench
    for k in range(tree.n_nodes):
        for i in range(6):
            wrench[k, i] = 0.0
    for n in range(tree.n_begins):
        e = sys.elements[tree.begins[n]]
        call_hook(e.begin, e.s, e.m, e.x, e.w, sys.ask)
    r = sys.local_r
    for n in range(tree.n_forces):
        e = sys.elements[tree.forces[n]]
        evaluate(sys, e, RESIDUAL)
        for i in range(e.n_nodes):
            g = e.nodes[i]
            moment = mv(sys.bodies[g].R, (r[6 * i + 3], r[6 * i + 4], r[6 * i + 5]))
            for j in range(3):
                wrench[g, j] += r[6 * i + j]
            wrench[g, 3] += moment[0]
            wrench[g, 4] += moment[1]
            wrench[g, 5] += moment[2]


@block
def project(tree: Tree, tau: A1):
    """Generalised forces from the forces on the nodes."""
    wrench = tree.wrench
    gamma = tree.gamma
    for j in range(tau.shape[0]):
        tau[j] = 0.0
    for k in range(tree.n_edges - 1, -1, -1):
        edge = tree.edges[k]
        g = edge.node
        f = (wrench[g, 0], wrench[g, 1], wrench[g, 2])
        m = (wrench[g, 3], wrench[g, 4], wrench[g, 5])
        if edge.kind != RIGID:
            along = dot(edge.axis, f)
            if edge.kind == TURNING:
                along = edge.pitch * along + dot(edge.axis, add(m, cross(edge.arm, f)))
            for j in range(tau.shape[0]):
                tau[j] += gamma[k, j] * along
        p = edge.parent
        m = add(m, cross(edge.span, f))
        for j in range(3):
            wrench[p, j] += f[j]
            wrench[p, 3 + j] += m[j]


@entry
def tree_forces(address: I8, t: A1, q: A2, qd: A2, qdd: A2, tau: A2):
    """Generalised forces (samples, coordinates) for a motion, one row for each sample."""
    tree = tree_at(address)
    sys = tree.system
    mem = sys.mem
    for n in range(q.shape[0]):
        sys.ask.t = t[n]
        for i in range(tree.n_angles):
            mem[tree.angles[i]] = tree.angle0[i] + _difference(tree.angle_gamma, i, q[n], tree.q0)
        spread(tree, q[n], qd[n], qdd[n])
        to_node_axes(tree)
        sum_forces(tree)
        project(tree, tau[n])


@entry
def tree_poses(address: I8, q: A1, qd: A1, qdd: A1):
    """Poses and rates of the nodes, written into the workspace."""
    tree = tree_at(address)
    spread(tree, q, qd, qdd)
    to_node_axes(tree)
