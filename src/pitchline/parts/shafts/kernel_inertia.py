"""Inertia of a beam element: T = v^T M v/2 with the velocities v of both nodes in their own axes and a constant M (12, 12).

p = M v,   a = (R^T xdd - omega x u, alpha),   f = M a - ad_v^T p  for each node        (Euler and Poincaré)

Gyroscopic effects are in ad_v^T p. Rigid motions are exact. Bending within an element changes M in second order, which is
neglected.
"""

from pitchline.engine.elements.contract import Node, Placed
from pitchline.numerics.fields import INTEGER, NUMBER, VECTOR, embedded, fields, inline
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, block, leaf
from pitchline.numerics.vectors import add, cross, mtv, set_vec, skew, sub, vec

# ---- beam records

# Data of a beam element (`BeamData`) and its values during an evaluation (`BeamWork`).

BeamData = fields(
    "Beam",
    a=embedded(Placed),  # section frames in node axes, z along the beam
    b=embedded(Placed),
    plain=INTEGER,  # 1: both section frames are the frames of their nodes
    rest=inline(6),  # d0: log of the motion from one section frame to the other, undeformed
    stiffness=inline(6, 6),  # on d - d0
    damping=inline(6, 6),  # on the rate of d
    damped=INTEGER,
    mass=inline(12, 12),  # on the body velocities of both nodes, in their axes
    gravity=VECTOR,  # world axes
    weight_a=NUMBER,  # mass at each node for gravity, and its static moment about the node
    weight_b=NUMBER,
    moment_a=VECTOR,
    moment_b=VECTOR,
)
BeamWork = fields(
    "BeamWork",
    d=inline(6),
    rate=inline(6),  # of d
    n=inline(6),  # K (d - d0) + C rate: force and moment on d
    c=VECTOR,  # coefficient of T^-1 and its derivatives
    P=inline(6, 12),  # d by motions of both nodes in their axes
    velocity=inline(12),  # body velocities of both nodes
    momentum=inline(12),
    acceleration=inline(12),  # rate of the body velocities
    force=inline(12),  # elastic and inertial, in node axes
    by_d=inline(12, 6),  # forces by d
    on_d=inline(6, 6),  # n by d
    PC=inline(12, 6),  # P^T C
    turned=inline(12, 12),  # -ad_v^T M - N(p)
    tangent=inline(12, 12),  # in node axes
)


@leaf
def body_velocities(a: Node, b: Node, w: BeamWork):
    """Velocities of both nodes in their axes."""
    velocity = w.velocity
    set_vec(velocity, 0, mtv(a.R, a.v))
    set_vec(velocity, 3, a.w)
    set_vec(velocity, 6, mtv(b.R, b.v))
    set_vec(velocity, 9, b.w)


@leaf
def _times(M: A2, x: A1, i: I8) -> F8:
    """Row i of M times x."""
    return (
        (M[i, 0] * x[0] + M[i, 1] * x[1] + M[i, 2] * x[2] + M[i, 3] * x[3])
        + (M[i, 4] * x[4] + M[i, 5] * x[5] + M[i, 6] * x[6] + M[i, 7] * x[7])
        + (M[i, 8] * x[8] + M[i, 9] * x[9] + M[i, 10] * x[10] + M[i, 11] * x[11])
    )


@block
def inertial_force(s: BeamData, a: Node, b: Node, w: BeamWork):
    """force = M a - ad_v^T p. The body velocities must be available."""
    M = s.mass
    velocity = w.velocity
    momentum = w.momentum
    acceleration = w.acceleration
    force = w.force
    set_vec(acceleration, 0, sub(mtv(a.R, a.a), cross(a.w, vec(velocity, 0))))
    set_vec(acceleration, 3, a.al)
    set_vec(acceleration, 6, sub(mtv(b.R, b.a), cross(b.w, vec(velocity, 6))))
    set_vec(acceleration, 9, b.al)
    for i in range(12):
        momentum[i] = _times(M, velocity, i)
        force[i] = _times(M, acceleration, i)
    for i in range(0, 12, 6):
        u = vec(velocity, i)
        omega = vec(velocity, i + 3)
        linear = vec(momentum, i)
        angular = vec(momentum, i + 3)
        set_vec(force, i, add(vec(force, i), cross(omega, linear)))
        set_vec(force, i + 3, add(vec(force, i + 3), add(cross(u, linear), cross(omega, angular))))


@block
def add_inertial_tangent(s: BeamData, w: BeamWork, mass: F8, D: F8, K: F8):
    """tangent += mass df/da + D df/dv + K df/dq, in node axes; without the turning of f with its node.

    With B = [[-omega~, u~], [0, 0]], C = [[0, u~], [0, 0]], E = [[0, R^T xdd~ - omega~ u~], [0, 0]] of each node and
    Y = -ad_v^T M - N(p) it is mass M + D (M B + Y) + K (M E + Y C). M is symmetric: M omega~ = -(omega~ M)^T, so that rows serve
    as columns.
    """
    M = s.mass
    velocity = w.velocity
    momentum = w.momentum
    acceleration = w.acceleration
    Y = w.turned
    L = w.tangent
    for i in range(12):
        for j in range(12):
            L[i, j] += mass * M[i, j]
    for i in range(0, 12, 6):
        u = vec(velocity, i)
        o = vec(velocity, i + 3)
        xdd = add(vec(acceleration, i), cross(o, u))
        for j in range(12):
            m = (M[i, j], M[i + 1, j], M[i + 2, j])
            om = cross(o, m)
            um = cross(u, m)
            orow = cross(o, (M[i + 3, j], M[i + 4, j], M[i + 5, j]))
            Y[i, j] = om[0]
            Y[i + 1, j] = om[1]
            Y[i + 2, j] = om[2]
            Y[i + 3, j] = um[0] + orow[0]
            Y[i + 4, j] = um[1] + orow[1]
            Y[i + 5, j] = um[2] + orow[2]
            xm = cross(xdd, m)
            uom = cross(u, om)
            L[j, i] += D * om[0]
            L[j, i + 1] += D * om[1]
            L[j, i + 2] += D * om[2]
            L[j, i + 3] -= D * um[0] + K * (xm[0] + uom[0])
            L[j, i + 4] -= D * um[1] + K * (xm[1] + uom[1])
            L[j, i + 5] -= D * um[2] + K * (xm[2] + uom[2])
        linear = skew(vec(momentum, i))
        angular = skew(vec(momentum, i + 3))
        for k in range(3):
            for l in range(3):
                Y[i + k, i + 3 + l] -= linear[3 * k + l]
                Y[i + 3 + k, i + l] -= linear[3 * k + l]
                Y[i + 3 + k, i + 3 + l] -= angular[3 * k + l]
    for i in range(12):
        for j in range(12):
            L[i, j] += D * Y[i, j]
    for j in range(0, 12, 6):
        u = (K * velocity[j], K * velocity[j + 1], K * velocity[j + 2])
        for i in range(12):
            yu = cross((Y[i, j], Y[i, j + 1], Y[i, j + 2]), u)
            L[i, j + 3] += yu[0]
            L[i, j + 4] += yu[1]
            L[i, j + 5] += yu[2]
