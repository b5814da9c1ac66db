"""Inverse dynamics along a tree of bodies: poses from the root to the leaves, forces from the leaves to the root.

Body c moves relative to its parent p on one fixed axis (a screw with the pitch h; h = 0 is a hinge), on a fixed line, or not at
all. Its coordinate is linear in the joint coordinates q, theta = gamma . (q - q0), so that gears with constant ratios are
included. In the axes of the parent, with the direction e, a point o of the axis and d from o to the node of c at theta = 0:

    R_c = R_p exp(e theta) R_0 ,     x_c = x_p + R_p (o + h theta e + exp(e theta) d) .

Elements are evaluated at these poses and rates. Their forces on the nodes, with inertia, are summed from the leaves to the root;
the part along each axis, times gamma, is the generalised force.
"""

import math

from ..elements.contract import RESIDUAL, call_hook
from ..math.compiled import A1, A2, F8, I8, M9, V3, block, entry, leaf
from ..math.fields import INTEGER, MATRIX, NUMBER, VECTOR, elsewhere, fields, record_at, reference, table
from ..math.vectors import add, cross, dot, mm, mtv, mul, mv
from .assembly import evaluate
from .records import SystemRecord

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
