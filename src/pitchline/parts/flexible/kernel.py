"""Superelement: an elastic body between any number of interface nodes, with its modes as open coordinates.

Large rotations, small deformations: elastic forces and weight follow from the motions of its nodes relative to the first one
(`kernel_elastic`), inertia from velocities in node axes (`inertial_force`). Modes with fixed interfaces have no
rigid motion and need no frame (Craig and Bampton 1968; Cardona and Géradin 1991). With two nodes and no modes it is the beam.
"""

from typing import Any

import numpy as np

from pitchline.engine.elements.contract import TANGENT, Element, ElementKind, Node, SignalSpec
from pitchline.numerics.fields import packed
from pitchline.numerics.machine_code.compiled import A1, F8, I8, V3, block, kernel, leaf
from pitchline.numerics.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, set_vec, skew, sub, tr, vec

from ..shafts.sections import adjoint, inverse_tangent, log_se3
from .kernel_elastic import (
    MODES,
    SuperelementData,
    SuperelementSeen,
    SuperelementWork,
    add_elastic_force,
    add_elastic_tangent,
    add_weight_tangent,
    centre_moment,
    efforts,
    get,
    loss,
    node_at,
    relative_motion,
    set_rate_by_d,
    strain_energy,
)
from .kernel_rigid import rigid_by, rigid_mass_by
from .superelement import Superelement

__all__ = ["SUPERELEMENT", "superelement_element"]


# ---- superelement carried

# Inertia of a rotating superelement that moves: effect of its deformation on the mass matrix of its rigid motion.
#
# T += vr^T Z vr/2 + m (omega_r x c)^2/2, Z = sum x_k Z_k, c = sum x_k c_k, x = (e, eta), vr = B v
#
# with the mean rigid velocity vr of the body in the axes of the first node. Z_k and B are constant: with them,
# translation of the centre of mass and motion about it are uncoupled to first order of the deformation, as required.
# Therefore the acceleration omega x v acts on the deformation. The square, with the shift c of the centre of mass,
# keeps the mass matrix positive if slender bodies bend by more than their thickness; for smaller deformations Z is
# sufficient. The mass matrix becomes M + B^T Z B (`inertial_force` continues from there), and in addition
#
# f = B^T Z' vr on nodes and modes, -vr^T Z,k vr/2 on x_k (Euler and Poincaré)


@leaf
def _centre_by(s: SuperelementData, k: I8) -> V3:
    """Shift of the centre of mass by a change."""
    per_mass = 1.0 / s.weight
    if k < s.n_relative:
        c = s.centre_by_relative
        return (per_mass * c[k, 0], per_mass * c[k, 1], per_mass * c[k, 2])
    c = s.centre_by_modes
    i = k - s.n_relative
    return (per_mass * c[i, 0], per_mass * c[i, 1], per_mass * c[i, 2])


@leaf
def _of_squares(m: F8, a: V3, b: V3, omega: V3) -> V3:
    """m (2 (a b) omega - a (b omega) - b (a omega)): omega by the mixed derivative of m (omega x c)^2/2 along a and b."""
    return mul(m, sub(mul(2.0 * dot(a, b), omega), add(mul(dot(b, omega), a), mul(dot(a, omega), b))))


@block
def set_mass(s: SuperelementData, w: SuperelementWork, modes: A1):
    """mass = M + B^T Z B, and B^T Z' B; after velocities and changes."""
    n = s.n_all
    M = s.mass
    B = s.rigid_by
    by = s.rigid_mass_by
    mass = w.mass
    mass_rate = w.mass_rate
    Z = w.rigid_mass
    Zd = w.rigid_mass_rate
    for i in range(6):
        for j in range(6):
            Z[i, j] = 0.0
            Zd[i, j] = 0.0
    shift = (0.0, 0.0, 0.0)
    shift_rate = (0.0, 0.0, 0.0)
    for k in range(s.n_changes):
        if k < s.n_relative:
            x = w.change[k]
            xd = w.rate[k]
        else:
            x = modes[k - s.n_relative]
            xd = w.velocity[w.n_coordinates + k - s.n_relative]
        for i in range(6):
            for j in range(6):
                Z[i, j] += x * by[k, 6 * i + j]
                Zd[i, j] += xd * by[k, 6 * i + j]
        own = _centre_by(s, k)
        shift = add(shift, mul(x, own))
        shift_rate = add(shift_rate, mul(xd, own))
    set_vec(w.shift, 0, shift)
    set_vec(w.shift, 3, shift_rate)
    for i in range(3):
        Z[3 + i, 3 + i] += s.weight * dot(shift, shift)
        Zd[3 + i, 3 + i] += 2.0 * s.weight * dot(shift, shift_rate)
        for j in range(3):
            Z[3 + i, 3 + j] -= s.weight * shift[i] * shift[j]
            Zd[3 + i, 3 + j] -= s.weight * (shift[i] * shift_rate[j] + shift_rate[i] * shift[j])
    for j in range(n):
        for i in range(6):
            a = 0.0
            b = 0.0
            for l in range(6):
                a += Z[i, l] * B[j, l]
                b += Zd[i, l] * B[j, l]
            w.column[i] = a
            w.column[6 + i] = b
        for i in range(n):
            a = 0.0
            b = 0.0
            for l in range(6):
                a += B[i, l] * w.column[l]
                b += B[i, l] * w.column[6 + l]
            mass[i, j] = M[i, j] + a
            mass_rate[i, j] = b


@block
def add_carried_force(s: SuperelementData, w: SuperelementWork):
    """Add to force and efforts; after both."""
    n = s.n_all
    B = s.rigid_by
    by = s.rigid_mass_by
    velocity = w.velocity
    acceleration = w.acceleration
    force = w.force
    motion = w.column
    for i in range(6):
        v = 0.0
        a = 0.0
        for j in range(n):
            v += B[j, i] * velocity[j]
            a += B[j, i] * acceleration[j]
        motion[i] = v
        motion[6 + i] = a
    omega = vec(motion, 3)
    alpha = vec(motion, 9)
    shift = vec(w.shift, 0)
    for i in range(n):
        for j in range(n):
            force[i] += w.mass_rate[i, j] * velocity[j]
    for k in range(s.n_changes):
        pull = w.pull[k]
        push = w.push[k]
        for j in range(n):
            pull[j] = 0.0
            push[j] = 0.0
        energy = 0.0
        own = _centre_by(s, k)
        square_v = _of_squares(s.weight, own, shift, omega)
        square_a = add(_of_squares(s.weight, own, shift, alpha), _of_squares(s.weight, own, vec(w.shift, 3), omega))
        for i in range(6):
            by_v = 0.0 if i < 3 else square_v[i - 3]
            by_a = 0.0 if i < 3 else square_a[i - 3]
            for j in range(6):
                by_v += by[k, 6 * i + j] * motion[j]
                by_a += by[k, 6 * i + j] * motion[6 + j]
            energy += 0.5 * motion[i] * by_v
            for j in range(n):
                pull[j] += B[j, i] * by_v
                push[j] += B[j, i] * by_a
        for i in range(0, w.n_coordinates, 6):
            linear = vec(pull, i)
            o = vec(velocity, i + 3)
            moment = add(cross(vec(velocity, i), linear), cross(o, vec(pull, i + 3)))
            set_vec(push, i, add(vec(push, i), cross(o, linear)))
            set_vec(push, i + 3, add(vec(push, i + 3), moment))
        if k < s.n_relative:
            w.effort[k] -= energy
        else:
            force[w.n_coordinates + k - s.n_relative] -= energy


@block
def add_carried_tangent(s: SuperelementData, w: SuperelementWork, D: F8, K: F8):
    """tangent += D df/dv + K df/dq, in node axes, of what M + B^T Z B does not have at constant deformation."""
    velocity = w.velocity
    L = w.tangent
    P = w.P
    seen = w.column
    n = s.n_relative
    own = w.n_coordinates
    for i in range(s.n_all):
        _add_by_velocity(s, w, i, 1.0, w.mass_rate[i], D, K)
    for i in range(0, n, 6):
        other = i + 6
        set_rate_by_d(w, i, other)
        for k in range(i, i + 6):
            # rates of d by the coordinates of both nodes
            for l in range(12):
                total = D * P[k, l]
                for q in range(6):
                    total += K * w.rate_by_d[k - i, q] * P[i + q, l]
                seen[l] = total
            turn = cross((P[k, 0], P[k, 1], P[k, 2]), vec(velocity, 0))
            turn_other = cross((P[k, 6], P[k, 7], P[k, 8]), vec(velocity, other))
            for l in range(3):
                seen[3 + l] += K * turn[l]
                seen[9 + l] += K * turn_other[l]
            for row in range(s.n_all):
                by_rate = w.pull[k, row]
                by_x = K * w.push[k, row]
                for l in range(6):
                    L[row, l] += by_rate * seen[l] + by_x * P[k, l]
                    L[row, other + l] += by_rate * seen[6 + l] + by_x * P[k, 6 + l]
            for row in range(6):
                _add_by_velocity(s, w, row, -P[k, row], w.pull[k], D, K)
                _add_by_velocity(s, w, other + row, -P[k, 6 + row], w.pull[k], D, K)
    for k in range(n, s.n_changes):
        for row in range(s.n_all):
            L[row, own + k - n] += D * w.pull[k, row] + K * w.push[k, row]
        _add_by_velocity(s, w, own + k - n, -1.0, w.pull[k], D, K)
    _add_squares_tangent(s, w, K)


@block
def _add_squares_tangent(s: SuperelementData, w: SuperelementWork, K: F8):
    """tangent -= K m A^T A, A = derivative of omega_r x c: second derivatives of m (omega_r x c)^2/2 with respect to the
    changes."""
    n = s.n_relative
    A = w.across
    L = w.tangent
    P = w.P
    x = 0.0
    y = 0.0
    z = 0.0
    for j in range(s.n_all):
        x += s.rigid_by[j, 3] * w.velocity[j]
        y += s.rigid_by[j, 4] * w.velocity[j]
        z += s.rigid_by[j, 5] * w.velocity[j]
        for l in range(3):
            A[j, l] = 0.0
    omega = (x, y, z)
    for k in range(n):
        across = cross(omega, _centre_by(s, k))
        other = 6 * (k // 6) + 6
        for j in range(6):
            for l in range(3):
                A[j, l] += across[l] * P[k, j]
                A[other + j, l] += across[l] * P[k, 6 + j]
    for k in range(n, s.n_changes):
        set_vec(A[w.n_coordinates + k - n], 0, cross(omega, _centre_by(s, k)))
    factor = K * s.weight
    for i in range(s.n_all):
        for j in range(s.n_all):
            L[i, j] -= factor * (A[i, 0] * A[j, 0] + A[i, 1] * A[j, 1] + A[i, 2] * A[j, 2])


@block
def _add_by_velocity(s: SuperelementData, w: SuperelementWork, row: I8, factor: F8, by: A1, D: F8, K: F8):
    """tangent[row] += factor times the change of by . v with the coordinates."""
    L = w.tangent
    for j in range(s.n_all):
        L[row, j] += factor * D * by[j]
    for j in range(0, w.n_coordinates, 6):
        turn = cross(vec(by, j), vec(w.velocity, j))
        for l in range(3):
            L[row, j + 3 + l] += factor * K * turn[l]


# ---- superelement inertia

# Inertia of a superelement: T = v^T M v/2 with velocities of its nodes in their own axes, rates of its modes.
#
# p = M v, a = (R^T xdd - omega x u, alpha, eta''), f = M a - ad_v^T p for each node (Euler and Poincaré)
#
# M follows the deformation to first order (`add_carried_force` has the forces of this change). Rigid
# motions are exact. Neglected are squares of the deformation, Coriolis forces between modes, and centrifugal forces
# on modes by the rotation about the centre of mass.


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


@kernel
def evaluate(s, m, x, w, ask, r, J):
    first = node_at(x.nodes[0])
    node_motion(w, first, 0)
    for k in range(1, x.n_nodes):
        node_motion(w, node_at(x.nodes[k]), 6 * k)
        relative_motion(w, first, node_at(x.nodes[k]), 6 * k - 6, 6 * k)
    modal_motion(w, x.modes_rate, x.modes_acceleration)
    gravity = mul(ask.load, s.gravity)
    g = mtv(first.R, gravity)
    efforts(s, w, ask.damp, g)
    set_mass(s, w, x.modes)
    inertial_force(s, w)
    add_carried_force(s, w)
    add_elastic_force(s, w)
    moment = centre_moment(s, w, x.modes)
    force = w.force
    modes = x.modes
    rates = x.modes_rate
    own = w.n_coordinates
    by_modes = s.centre_by_modes
    for i in range(s.n_modes):
        weight = by_modes[i, 0] * g[0] + by_modes[i, 1] * g[1] + by_modes[i, 2] * g[2]
        r[own + i] += (
            force[own + i] + s.modal_stiffness[i] * modes[i] + ask.damp * s.modal_damping[i] * rates[i] - weight
        )
    for k in range(x.n_nodes):
        add_vec(r, 6 * k, mv(node_at(x.nodes[k]).R, vec(force, 6 * k)))
        add_vec(r, 6 * k + 3, vec(force, 6 * k + 3))
    add_vec(r, 0, mul(-s.weight, gravity))
    add_vec(r, 3, cross(g, moment))
    ask.power_out += loss(s, w, rates, ask.damp)
    if ask.mode == TANGENT:
        K = ask.K
        set_inertial_tangent(s, w, ask.M, ask.D, K)
        add_carried_tangent(s, w, ask.D, K)
        add_elastic_tangent(s, w, K, ask.D, ask.damp, g)
        add_weight_tangent(s, w, moment, g, K)
        L = w.tangent
        for i in range(s.n_modes):
            L[own + i, own + i] += K * s.modal_stiffness[i] + ask.D * ask.damp * s.modal_damping[i]
        # translations to world axes; forces rotate with their nodes
        for a in range(x.n_nodes):
            i = 6 * a
            R = node_at(x.nodes[a]).R
            for b in range(x.n_nodes):
                j = 6 * b
                back = tr(node_at(x.nodes[b]).R)
                add_mat(J, i, j, 1.0, mm(mm(R, get(L, i, j)), back))
                add_mat(J, i, j + 3, 1.0, mm(R, get(L, i, j + 3)))
                add_mat(J, i + 3, j, 1.0, mm(get(L, i + 3, j), back))
                add_mat(J, i + 3, j + 3, 1.0, get(L, i + 3, j + 3))
            add_mat(J, i, i + 3, -K, mm(R, skew(vec(force, i))))
            for column in range(own, s.n_all):
                push = mv(R, (L[i, column], L[i + 1, column], L[i + 2, column]))
                for k in range(3):
                    J[i + k, column] += push[k]
                    J[i + 3 + k, column] += L[i + 3 + k, column]
                add_vec(J[column], i, mv(R, (L[column, i], L[column, i + 1], L[column, i + 2])))
                add_vec(J[column], i + 3, (L[column, i + 3], L[column, i + 4], L[column, i + 5]))
        for p in range(s.n_modes):
            for q in range(s.n_modes):
                J[own + p, own + q] += L[own + p, own + q]


@kernel
def report(s, m, x, w, ask, out):
    first = node_at(x.nodes[0])
    node_motion(w, first, 0)
    for k in range(1, x.n_nodes):
        node_motion(w, node_at(x.nodes[k]), 6 * k)
        relative_motion(w, first, node_at(x.nodes[k]), 6 * k - 6, 6 * k)
    modal_motion(w, x.modes_rate, x.modes_acceleration)
    gravity = mul(ask.load, s.gravity)
    efforts(s, w, ask.damp, mtv(first.R, gravity))
    set_mass(s, w, x.modes)
    inertial_force(s, w)
    velocity = w.velocity
    momentum = w.momentum
    kinetic = 0.0
    for i in range(s.n_all):
        kinetic += 0.5 * velocity[i] * momentum[i]
    strain = strain_energy(s, w)
    modes = x.modes
    for i in range(s.n_modes):
        strain += 0.5 * s.modal_stiffness[i] * modes[i] * modes[i]
    moment = centre_moment(s, w, modes)
    out.kinetic = kinetic
    out.potential = strain - dot(gravity, add(mul(s.weight, first.x), mv(first.R, moment)))
    out.power_out = loss(s, w, x.modes_rate, ask.damp)
    out.strain_energy = strain


SUPERELEMENT = ElementKind(
    "superelement",
    evaluate,
    SuperelementData,
    SuperelementSeen,
    scratch=SuperelementWork,
    report=report,
    signals=(SignalSpec("strain_energy", "J", "elastic energy"),),
    coordinates=(MODES,),
    has_inertia=True,
    exchanges_power=True,
    full_pattern=True,
)

Placement = tuple[np.ndarray, np.ndarray]


def superelement_element(
    name: str,
    nodes: tuple[int, ...],
    placed: tuple[Placement, ...],
    body: Superelement,
    *,
    damping: float = 0.0,
    modal_damping: float = 0.0,
    gravity: np.ndarray | None = None,
) -> Element:
    """Make an elastic body whose interfaces are frames on nodes, given by position and axes in node axes.

    damping: ratio to the stiffness [s]. modal_damping: damping ratio of each mode. gravity: world axes.
    """
    values, order = superelement_values(placed, body, damping, modal_damping, gravity)
    sizes = {name: int(values[name]) for name in ("n_relative", "n_all", "n_changes")}
    sizes["n_coordinates"] = 6 * len(nodes)
    return Element(
        SUPERELEMENT, name, tuple(nodes[i] for i in order), packed(SuperelementData, values),
        counts={"n_modes": int(values["n_modes"])}, scratch=packed(SuperelementWork, _room(sizes)),
    )  # fmt: skip


def superelement_values(
    placed: tuple[Placement, ...], body: Superelement, damping: float, modal_damping: float, gravity: np.ndarray | None
) -> tuple[dict[str, Any], list[int]]:
    """Data of the element, by name, and the order of its interfaces."""
    k, m = len(placed), len(body.modal_stiffness)
    T = np.eye(6 * k + m)  # motions of the interfaces by those of the nodes, each in its axes
    x, R = np.zeros((k, 3)), np.zeros((k, 3, 3))
    for i, (at, axes) in enumerate(placed):
        T[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.linalg.inv(adjoint(np.asarray(at), np.asarray(axes)))
        R[i] = body.axes[i] @ np.asarray(axes).T
        x[i] = body.positions[i] - R[i] @ at
    M = T.T @ body.mass_matrix @ T
    K = T[: 6 * k, : 6 * k].T @ body.stiffness @ T[: 6 * k, : 6 * k]
    # motions are relative to the heaviest interface
    heaviest = int(np.argmax([np.trace(M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3]) for i in range(k)]))
    order = [heaviest, *(i for i in range(k) if i != heaviest)]
    rows = np.concatenate([*(6 * i + np.arange(6) for i in order), 6 * k + np.arange(m)]).astype(np.int64)
    M, K = M[np.ix_(rows, rows)], K[np.ix_(rows[: 6 * k], rows[: 6 * k])]
    x, R = x[order], R[order]
    rest, S = np.zeros(6 * k - 6), np.zeros((6 * k - 6, 6 * k - 6))
    for i in range(1, k):
        mine = slice(6 * i - 6, 6 * i)
        rest[mine] = log_se3(R[0].T @ (x[i] - x[0]), R[0].T @ R[i])
        S[mine, mine] = np.linalg.inv(inverse_tangent(rest[mine]))
    stiffness = S.T @ K[6:, 6:] @ S
    # a common acceleration in the axes of the first node, and the forces that it needs
    common = np.zeros((6 * k + m, 3))
    for i in range(k):
        common[6 * i : 6 * i + 3] = R[i].T @ R[0]
    load = M @ common
    whole = _about_first(load[: 6 * k], x, R)
    modal = np.diagonal(M)[6 * k :]
    values: dict[str, Any] = {
        "n_all": 6 * k + m, "n_relative": 6 * k - 6, "n_modes": m,
        "rest": rest, "stiffness": 0.5 * (stiffness + stiffness.T), "damping": damping,
        "modal_stiffness": body.modal_stiffness,
        "modal_damping": damping * body.modal_stiffness + 2.0 * modal_damping * np.sqrt(body.modal_stiffness * modal),
        "mass": 0.5 * (M + M.T),
        "n_changes": 6 * k - 6 + m,
        "gravity": np.zeros(3) if gravity is None else gravity,
        "weight": float(np.trace(common.T @ load)) / 3.0,
        "centre": 0.5 * np.array([whole[2, 1] - whole[1, 2], whole[0, 2] - whole[2, 0], whole[1, 0] - whole[0, 1]]),
        "centre_by_relative": S.T @ load[6 : 6 * k],
        "centre_by_modes": load[6 * k :],
    }  # fmt: skip
    values["rigid_by"] = rigid_by(M, rest)
    by_changes = np.vstack([values["centre_by_relative"], values["centre_by_modes"]])
    values["rigid_mass_by"] = rigid_mass_by(M, rest, values["weight"], values["centre"], by_changes)
    return values, order


def _about_first(load: np.ndarray, x: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Moment (3, 3) about the first node, in its axes, of the forces for common accelerations."""
    total = np.zeros((3, 3))
    for i in range(len(x)):
        turn = R[0].T @ R[i]
        arm = R[0].T @ (x[i] - x[0])
        force, moment = turn @ load[6 * i : 6 * i + 3], turn @ load[6 * i + 3 : 6 * i + 6]
        total += moment + np.cross(arm, force.T).T
    return total


def _room(sizes: dict[str, int]) -> dict[str, np.ndarray]:
    """Zeros for the arrays of the scratch."""
    found = {}
    for name, kind in SuperelementWork.layout:
        if kind.what == "behind":
            shape = [sizes[str(kind.count)]]
            if kind.columns:
                shape.append(sizes[kind.columns] if isinstance(kind.columns, str) else kind.columns)
            found[name] = np.zeros(shape)
    return found
