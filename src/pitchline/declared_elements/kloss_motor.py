"""Induction motor by its breakdown torque and breakdown slip (equation of Kloss), on a supply of constant voltage per frequency.

With the synchronous speed w_0 = 2 pi f / p of the rotor, the slip speed d = w_0 - n w (ratio n, joint speed w) and the slip
speed d_b = s_b w_rated at breakdown

    T = n 2 T_b d d_b / (d^2 + d_b^2) .

At the rated frequency this is T = 2 T_b / (s/s_b + s_b/s). With voltage proportional to frequency T_b and d_b are constant.
"""

import math

from pitchline.elements.constant_inputs import frequency_warnings
from pitchline.elements.geared_rotor import add_rotor, add_rotor_tangent, rotor_spin
from pitchline.elements.speed_row import add_effort_by_state
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    input_signal,
    integer,
    joint,
    measure,
    number,
    rate,
    scratch,
    signal,
)


class KlossMotor(Element):
    """Induction motor on the angle of a joint, by breakdown torque and breakdown slip."""

    key = "kloss_motor"
    has_inertia = True
    on = joint("joint that it turns; the stator is on its first body")
    angular_frequency = input_signal(
        "rad/s", 'angular frequency of the supply, such as "50 Hz"; the voltage is proportional to it'
    )
    pole_pairs = integer("number of pole pairs", least=1, most=50)
    breakdown_torque = number("N*m", "largest torque of the rotor", least=0.0)
    breakdown_slip = number("", "slip at the breakdown torque, at the rated frequency", least=0.0, check=(0.1, 0.5))
    rated_angular_frequency = number(
        "rad/s", 'rated angular frequency, such as "50 Hz"', 2.0 * math.pi * 50.0, check=(1.0, 3.0)
    )
    ratio = number(
        "", "speed of the rotor over speed of the joint, both relative to the first body", 1.0, check=(-3.0, 3.0)
    )
    inertia = number("kg*m^2", "moment of inertia of the rotor about its axis", 0.0, least=0.0, check=(0.1, 1.0))
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque of the motor on the second body, without inertia of the rotor")
    slip_speed = signal("rad/s", "synchronous speed less speed of the rotor")

    @staticmethod
    def check(values):
        for name in ("breakdown_slip", "rated_angular_frequency"):
            if values[name] <= 0.0:
                raise ModelError(f"{name} must be positive, got {values[name]:g}")
        if values["ratio"] == 0.0:
            raise ModelError("ratio must not be 0; specify the speed of the rotor over the speed of the joint")

    @staticmethod
    def warnings(values):
        return frequency_warnings(values)

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = ask.damp * rate(g, x.on_a, x.on_b)
        d_b = s.breakdown_slip * s.rated_angular_frequency / s.pole_pairs
        d = x.angular_frequency.value / s.pole_pairs - s.ratio * speed
        size = d * d + d_b * d_b
        top = 2.0 * s.ratio * ask.load * s.breakdown_torque * d_b
        T = top * d / size
        add_effort(r, g, -T)
        ask.power_in += T * speed
        add_rotor(r, s.on, x.on_a, x.on_b, s.inertia, s.ratio)
        if ask.mode == TANGENT:
            by_rate = ask.damp * s.ratio * top * (d_b * d_b - d * d) / (size * size)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, by_rate)
            by_frequency = -top * (d_b * d_b - d * d) / (size * size) / s.pole_pairs
            add_effort_by_state(J, x.angular_frequency.column, by_frequency, g)
            add_rotor_tangent(J, s.on, x.on_a, x.on_b, ask, s.inertia, s.ratio)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = ask.damp * rate(w.gradient, x.on_a, x.on_b)
        d_b = s.breakdown_slip * s.rated_angular_frequency / s.pole_pairs
        d = x.angular_frequency.value / s.pole_pairs - s.ratio * speed
        spin, _ = rotor_spin(s.on, x.on_a, x.on_b, s.ratio)
        out.torque = 2.0 * s.ratio * ask.load * s.breakdown_torque * d_b * d / (d * d + d_b * d_b)
        out.slip_speed = d
        out.power_in = out.torque * speed
        out.kinetic = 0.5 * s.inertia * spin * spin
