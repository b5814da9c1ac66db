"""Friction on the coordinate of a joint that acts only in motion: it is zero at rest and does not stick. Equations in joint
coordinates use it in place of `friction` and `sliding_friction`, because there the motion is given.

    effort against the motion = sign(v) (C + (S - C) exp(-(v/v_S)^2)) + c v
"""

from pitchline.elements.joint_effort import add_effort, add_effort_tangent
from pitchline.elements.joint_friction import DIRECTIONS, direction_factors, friction_effort
from pitchline.extend import TANGENT, Element, choice, derived, joint, measure, number, rate, scratch, signal


class MotionFriction(Element):
    """Friction on the angle or displacement of a joint against its motion; zero at rest."""

    key = "motion_friction"
    on = joint("joint with friction", "any")
    capacity = number("", "friction in motion [N*m or N]", least=0.0)
    static_ratio = number("", "friction at the start of motion over that in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number("", "speed of the transition between both [rad/s or m/s]", 0.0, least=0.0, check=(0.5, 1.0))
    viscous = number("", "viscous friction over the speed [N*m*s/rad or N*s/m]", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of motion against which it acts", "both")
    forward = derived("factor in the positive direction")
    backward = derived("factor in the negative direction")
    g = scratch("gradient of the coordinate", 12)
    load = signal("", "torque [N*m] or force [N] on the second body")

    @staticmethod
    def derive(values):
        factors = direction_factors(values["against"])
        return {key: factors[key] for key in ("forward", "backward")}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.g
        measure(s.on, x.on_turns, x.on_a, x.on_b, g)
        v = rate(g, x.on_a, x.on_b)
        sign = s.forward if v > 0.0 else -s.backward if v < 0.0 else 0.0
        e, slope = friction_effort(
            ask.damp * s.capacity, s.static_ratio, s.stribeck_speed, ask.damp * s.viscous, sign, v
        )
        add_effort(r, g, e)
        ask.power_out += e * v
        if ask.mode == TANGENT:
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, e, 0.0, slope)

    def report(s, m, x, w, ask, out):
        measure(s.on, x.on_turns, x.on_a, x.on_b, w.g)
        v = rate(w.g, x.on_a, x.on_b)
        sign = s.forward if v > 0.0 else -s.backward if v < 0.0 else 0.0
        e, _ = friction_effort(ask.damp * s.capacity, s.static_ratio, s.stribeck_speed, ask.damp * s.viscous, sign, v)
        out.load = -e
        out.power_out = e * v
