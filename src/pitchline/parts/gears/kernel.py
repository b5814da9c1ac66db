"""Inertia of rotors of motors that turn with a fixed ratio to the angle of a joint.

z is the joint axis, fixed in A (node axes); E = R_A^T R_B. With the angular velocities w_A, w_B in node axes, u = E w_B and the
ratio n, the absolute spin of the rotor about z and its rate are

    sigma  = n z.(u - w_A) + z.w_A
    sigma' = n (z.E al_B - z.(w_A x u) - z.al_A) + z.al_A .

The rotor is axially symmetric. Its mass and its transverse inertia belong to body A, so that only the angular momentum
I sigma z is added here. Virtual rotations dtheta_A + n z ds give

    rows of A:  I sigma' (1 - n) z + I sigma w_A x z        rows of B:  I sigma' n E^T z

which is exact for a carrier that moves in any way. The kinetic energy is I sigma^2 / 2.
"""

from pitchline.engine.elements.contract import Ask, Measure, Node
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V2, V3, block, leaf
from pitchline.numerics.vectors import add, add_mat, add_vec, cross, dot, mm, mtv, mul, mv, outer, skew, sub, tr


@leaf
def _axis(s: Measure) -> V3:
    A = s.a.axes
    return (A[2], A[5], A[8])


@leaf
def rotor_spin(s: Measure, a: Node, b: Node, ratio: F8) -> V2:
    """Absolute spin of the rotor and its rate."""
    z = _axis(s)
    u = mtv(a.R, mv(b.R, b.w))
    c = mtv(a.R, mv(b.R, b.al))
    spin = ratio * dot(z, sub(u, a.w)) + dot(z, a.w)
    rate = ratio * (dot(z, c) - dot(z, cross(a.w, u)) - dot(z, a.al)) + dot(z, a.al)
    return (spin, rate)


@block
def add_rotor(r: A1, s: Measure, a: Node, b: Node, inertia: F8, ratio: F8):
    """Add the inertia of the rotor to the residual."""
    z = _axis(s)
    spin, rate = rotor_spin(s, a, b, ratio)
    y = mtv(b.R, mv(a.R, z))
    add_vec(r, 3, add(mul(inertia * rate * (1.0 - ratio), z), mul(inertia * spin, cross(a.w, z))))
    add_vec(r, 9, mul(inertia * rate * ratio, y))


@leaf
def _add_rows(J: A2, j: I8, k: F8, along_a: V3, along_b: V3, gradient: V3):
    """Add k along (gradient . delta) to the rows of both rotations, columns j."""
    add_mat(J, 3, j, k, outer(along_a, gradient))
    add_mat(J, 9, j, k, outer(along_b, gradient))


@block
def add_rotor_tangent(J: A2, s: Measure, a: Node, b: Node, ask: Ask, inertia: F8, ratio: F8):
    """Add its derivatives to the tangent."""
    I = inertia
    n = ratio
    z = _axis(s)
    E = mm(tr(a.R), b.R)
    y = mtv(E, z)
    u = mv(E, b.w)
    c = mv(E, b.al)
    spin, rate = rotor_spin(s, a, b, n)
    p_a = mul(1.0 - n, z)
    p_b = mul(n, y)
    gyro = cross(a.w, z)
    zero = (0.0, 0.0, 0.0)
    # derivatives of sigma' by accelerations, and of sigma by velocities, are p_a and p_b
    _add_rows(J, 3, ask.M * I, p_a, p_b, p_a)
    _add_rows(J, 9, ask.M * I, p_a, p_b, p_b)
    q = cross(z, a.w)
    y_q = mtv(E, q)
    D = ask.D * I
    _add_rows(J, 3, D, p_a, p_b, mul(-n, cross(u, z)))
    _add_rows(J, 9, D, p_a, p_b, mul(-n, y_q))
    _add_rows(J, 3, D, gyro, zero, p_a)
    _add_rows(J, 9, D, gyro, zero, p_b)
    add_mat(J, 3, 3, -D * spin, skew(z))
    K = ask.K * I
    by_a = mul(n, sub(cross(u, q), cross(c, z)))
    by_b = mul(n, sub(cross(b.al, y), cross(b.w, y_q)))
    _add_rows(J, 3, K, p_a, p_b, by_a)
    _add_rows(J, 9, K, p_a, p_b, by_b)
    _add_rows(J, 3, K, gyro, zero, mul(-n, cross(u, z)))
    _add_rows(J, 9, K, gyro, zero, mul(n, cross(b.w, y)))
    add_mat(J, 9, 9, K * rate * n, skew(y))
    add_mat(J, 9, 3, -K * rate * n, mm(tr(E), skew(z)))
