"""Inertia of a superelement: T = v^T M v/2 with velocities of its nodes in their own axes, rates of its modes.

    p = M v,   a = (R^T xdd - omega x u, alpha, eta''),   f = M a - ad_v^T p  for each node        (Euler and Poincaré)

M follows the deformation to first order (`superelement_carried`, which has the forces of this change). Rigid motions are
exact. Neglected are squares of the deformation, Coriolis forces between modes, and centrifugal forces on modes by the rotation
about the centre of mass.
"""

from ..math.compiled import A1, F8, I8, block
from ..math.vectors import add, cross, mtv, set_vec, skew, sub, vec
from .contract import Node
from .superelement_records import SuperelementData, SuperelementWork


@block
def node_motion(w: SuperelementWork, node: Node, i: I8):
    """Velocity of a node and its rate, in its axes, from index i on."""
    u = mtv(node.R, node.v)
    set_vec(w.velocity, i, u)
    set_vec(w.velocity, i + 3, node.w)
    set_vec(w.acceleration, i, sub(mtv(node.R, node.a), cross(node.w, u)))
    set_vec(w.acceleration, i + 3, node.al)


@block
def modal_motion(w: SuperelementWork, rates: A1, accelerations: A1):
    """Rates of the modes after those of the nodes."""
    first = w.n_coordinates
    velocity = w.velocity
    acceleration = w.acceleration
    for i in range(rates.size):
        velocity[first + i] = rates[i]
        acceleration[first + i] = accelerations[i]


@block
def inertial_force(s: SuperelementData, w: SuperelementWork):
    """force = M a - ad_v^T p."""
    n = s.n_all
    M = w.mass
    velocity = w.velocity
    acceleration = w.acceleration
    momentum = w.momentum
    force = w.force
    for i in range(n):
        p = 0.0
        f = 0.0
        for j in range(n):
            p += M[i, j] * velocity[j]
            f += M[i, j] * acceleration[j]
        momentum[i] = p
        force[i] = f
    for i in range(0, w.n_coordinates, 6):
        u = vec(velocity, i)
        omega = vec(velocity, i + 3)
        linear = vec(momentum, i)
        angular = vec(momentum, i + 3)
        set_vec(force, i, add(vec(force, i), cross(omega, linear)))
        set_vec(force, i + 3, add(vec(force, i + 3), add(cross(u, linear), cross(omega, angular))))


@block
def set_inertial_tangent(s: SuperelementData, w: SuperelementWork, mass: F8, D: F8, K: F8):
    """tangent = mass df/da + D df/dv + K df/dq, in node axes; without the rotation of f with its node.

    With B = [[-omega~, u~], [0, 0]], C = [[0, u~], [0, 0]], E = [[0, R^T xdd~ - omega~ u~], [0, 0]] of each node and
    Y = -ad_v^T M - N(p) it is mass M + D (M B + Y) + K (M E + Y C). M is symmetric: M omega~ = -(omega~ M)^T, so that rows
    serve as columns.
    """
    n = s.n_all
    M = w.mass
    velocity = w.velocity
    momentum = w.momentum
    acceleration = w.acceleration
    Y = w.turned
    L = w.tangent
    for i in range(n):
        for j in range(n):
            L[i, j] = mass * M[i, j]
    for i in range(0, w.n_coordinates, 6):
        u = vec(velocity, i)
        o = vec(velocity, i + 3)
        xdd = add(vec(acceleration, i), cross(o, u))
        for j in range(n):
            m = (M[i, j], M[i + 1, j], M[i + 2, j])
            om = cross(o, m)
            um = cross(u, m)
            orow = cross(o, (M[i + 3, j], M[i + 4, j], M[i + 5, j]))
            xm = cross(xdd, m)
            uom = cross(u, om)
            for k in range(3):
                Y[i + k, j] = om[k]
                Y[i + 3 + k, j] = um[k] + orow[k]
                L[j, i + k] += D * om[k]
                L[j, i + 3 + k] -= D * um[k] + K * (xm[k] + uom[k])
        linear = skew(vec(momentum, i))
        angular = skew(vec(momentum, i + 3))
        for k in range(3):
            for l in range(3):
                Y[i + k, i + 3 + l] -= linear[3 * k + l]
                Y[i + 3 + k, i + l] -= linear[3 * k + l]
                Y[i + 3 + k, i + 3 + l] -= angular[3 * k + l]
    for i in range(w.n_coordinates):
        for j in range(n):
            L[i, j] += D * Y[i, j]
        for j in range(0, w.n_coordinates, 6):
            yu = cross((Y[i, j], Y[i, j + 1], Y[i, j + 2]), vec(velocity, j))
            for k in range(3):
                L[i, j + 3 + k] += K * yu[k]
