"""Inertia of a rotating superelement that moves: effect of its deformation on the mass matrix of its rigid motion.

    T += vr^T Z vr/2 + m (omega_r x c)^2/2,   Z = sum x_k Z_k,   c = sum x_k c_k,   x = (e, eta),   vr = B v

with the mean rigid velocity vr of the body in the axes of the first node. Z_k and B are constant: with them, translation of
the centre of mass and motion about it are uncoupled to first order of the deformation, as required. Therefore the acceleration
omega x v acts on the deformation. The square, with the shift c of the centre of mass, keeps the mass matrix positive if
slender bodies bend by more than their thickness; for smaller deformations Z is sufficient. The mass matrix becomes M + B^T Z B
(`superelement_inertia` continues from there), and in addition

    f = B^T Z' vr  on nodes and modes,   -vr^T Z,k vr/2  on x_k                                   (Euler and Poincaré)
"""

from ..math.compiled import A1, F8, I8, V3, block, leaf
from ..math.vectors import add, cross, dot, mul, set_vec, sub, vec
from .superelement_elastic import set_rate_by_d
from .superelement_records import SuperelementData, SuperelementWork


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
