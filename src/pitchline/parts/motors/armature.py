"""Inertia of a motor that only adds to the equation of a joint: on an angle, or on a displacement."""

from pitchline.engine.elements.contract import measure_stiffness
from pitchline.engine.elements.frame_motion import add_effort
from pitchline.extend import (
    TANGENT,
    Element,
    add_mat,
    add_vec,
    dot,
    joint,
    measure,
    mul,
    number,
    outer,
    rate,
    scratch,
    signal,
)

from ..friction.kernel_sliding import sliding_acceleration, sliding_acceleration_derivatives

# ---- armature

# Inertia on the angle of a joint, such as that of a motor behind a gearbox that is not modelled: the rotor only adds
# to the equation of this angle.
#
# With the axes n_a and n_b of the joint in both bodies, the rate of the angle is n_b . omega_b - n_a . omega_a, and
#
# kinetic energy J (dphi/dt)^2 / 2 , moment on B: J phi'' n_b , moment on A: -J phi'' n_a .
#
# A real rotor also has a gyroscopic moment, and its speed includes the rotation of the body that carries it
# (`SpinInertia`).


class Armature(Element):
    """Inertia on the angle of a joint: it has an effect on the rotation of the second body relative to the first, and no other."""

    key = "armature"
    has_inertia = True
    exchanges_power = False
    on = joint("joint whose angle has the inertia")
    inertia = number("kg*m^2", "moment of inertia on the angle of the joint", least=0.0)
    torque = signal("N*m", "torque of the inertia on the second body")

    def evaluate(s, m, x, w, ask, r, J):
        I = s.inertia
        A = s.on.a.axes
        B = s.on.b.axes
        n_a = (A[2], A[5], A[8])
        n_b = (B[2], B[5], B[8])
        T = I * (dot(n_b, x.on_b.al) - dot(n_a, x.on_a.al))
        add_vec(r, 9, mul(T, n_b))
        add_vec(r, 3, mul(-T, n_a))
        if ask.mode == TANGENT:
            k = ask.M * I
            add_mat(J, 9, 9, k, outer(n_b, n_b))
            add_mat(J, 9, 3, -k, outer(n_b, n_a))
            add_mat(J, 3, 9, -k, outer(n_a, n_b))
            add_mat(J, 3, 3, k, outer(n_a, n_a))

    def report(s, m, x, w, ask, out):
        A = s.on.a.axes
        B = s.on.b.axes
        n_a = (A[2], A[5], A[8])
        n_b = (B[2], B[5], B[8])
        speed = dot(n_b, x.on_b.w) - dot(n_a, x.on_a.w)
        out.kinetic = 0.5 * s.inertia * speed * speed
        out.torque = -s.inertia * (dot(n_b, x.on_b.al) - dot(n_a, x.on_a.al))


class SlidingArmature(Element):
    """Mass on the displacement of a joint: it has an effect on the motion of the second body relative to the first only."""

    key = "sliding_armature"
    has_inertia = True
    exchanges_power = False
    on = joint("joint whose displacement has the mass", "displacement")
    mass = number("kg", "mass on the displacement of the joint", least=0.0)
    g = scratch("gradient of the displacement", 12)
    by_v = scratch("derivative of its acceleration by velocities", 12)
    by_q = scratch("derivative of its acceleration by positions", 12)
    force = signal("N", "force of the mass on the second body")

    def evaluate(s, m, x, w, ask, r, J):
        g = w.g
        measure(s.on, x.on_turns, x.on_a, x.on_b, g)
        F = s.mass * sliding_acceleration(s.on, x.on_a, x.on_b)
        add_effort(r, g, F)
        if ask.mode == TANGENT:
            by_v = w.by_v
            by_q = w.by_q
            sliding_acceleration_derivatives(s.on, x.on_a, x.on_b, by_v, by_q)
            measure_stiffness(s.on, x.on_a, x.on_b, J)
            for j in range(12):
                change = s.mass * (ask.M * g[j] + ask.D * by_v[j] + ask.K * by_q[j])
                for i in range(12):
                    J[i, j] = ask.K * F * J[i, j] + g[i] * change

    def report(s, m, x, w, ask, out):
        measure(s.on, x.on_turns, x.on_a, x.on_b, w.g)
        speed = rate(w.g, x.on_a, x.on_b)
        out.kinetic = 0.5 * s.mass * speed * speed
        out.force = -s.mass * sliding_acceleration(s.on, x.on_a, x.on_b)
