"""Inertia of a rotor about its axis, the axis of a joint: it has no inertia about other axes.

With the axis n_a in the first body (carrier, A) and n_b in the second body (rotor, B), the spin of the rotor in space is
s = n_b . omega_b, its angular momentum J s n. Its derivative is a moment J s' along the axis on the rotor, and the gyroscopic
moment J s omega_a x n_a on the carrier:

    kinetic energy J s^2 / 2 ,     moment on B: J (n_b . alpha_b) n_b ,     moment on A: J s omega_a x n_a .

The gyroscopic moment contains the angular velocity of the carrier, not that of the rotor, which rotates in the axes of the
rotor: its error does not depend on the spin.
"""

from pitchline.extend import TANGENT, Element, add_mat, add_vec, cross, dot, joint, mul, number, outer, signal, skew


class SpinInertia(Element):
    """Inertia of the second body of a joint about the axis of the joint, with the gyroscopic moment on the first body."""

    key = "spin_inertia"
    has_inertia = True
    exchanges_power = False
    on = joint("joint whose second body is the rotor")
    inertia = number("kg*m^2", "moment of inertia about the axis", least=0.0)
    momentum = signal("kg*m^2/s", "angular momentum about the axis")

    def evaluate(s, m, x, w, ask, r, J):
        I = s.inertia
        A = s.on.a.axes
        B = s.on.b.axes
        n_a = (A[2], A[5], A[8])
        n_b = (B[2], B[5], B[8])
        spin = dot(n_b, x.on_b.w)
        add_vec(r, 9, mul(I * dot(n_b, x.on_b.al), n_b))
        add_vec(r, 3, mul(I * spin, cross(x.on_a.w, n_a)))
        if ask.mode == TANGENT:
            add_mat(J, 9, 9, ask.M * I, outer(n_b, n_b))
            add_mat(J, 3, 3, -ask.D * I * spin, skew(n_a))
            add_mat(J, 3, 9, ask.D * I, outer(cross(x.on_a.w, n_a), n_b))

    def report(s, m, x, w, ask, out):
        B = s.on.b.axes
        spin = dot((B[2], B[5], B[8]), x.on_b.w)
        out.kinetic = 0.5 * s.inertia * spin * spin
        out.momentum = s.inertia * spin
