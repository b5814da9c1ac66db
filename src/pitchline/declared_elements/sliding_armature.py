"""Mass on the displacement of a joint, such as the inertia of a motor behind a spindle that is not modelled: it only adds to the
equation of this displacement (`elements.sliding_acceleration` has the equations).
"""

from pitchline.elements.joint_effort import add_effort
from pitchline.elements.scalar_geometry import measure_stiffness
from pitchline.elements.sliding_acceleration import sliding_acceleration, sliding_acceleration_derivatives
from pitchline.extend import TANGENT, Element, joint, measure, number, rate, scratch, signal


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
