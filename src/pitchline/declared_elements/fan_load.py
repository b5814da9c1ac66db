"""Load of a fan or a pump on a joint: a torque against the rotation that grows with the square of the speed.

With the rated torque T_r at the rated speed w_r and the constant part T_0

    T = -( T_0 tanh(w / w_s) + (T_r - T_0) w |w| / w_r^2 ) .

The constant part is smooth near zero: it does not hold the joint at rest.
"""

import math

from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    joint,
    measure,
    number,
    rate,
    scratch,
    signal,
)


class FanLoad(Element):
    """Fan or pump on the angle of a joint: torque against the rotation, growing with the square of the speed."""

    key = "fan_load"
    on = joint("joint of the fan")
    rated_torque = number("N*m", "torque at the rated speed", least=0.0, check=(1.0, 2.0))
    rated_speed = number("rad/s", "rated speed", least=0.0)
    constant_torque = number(
        "N*m", "part of the torque that does not depend on the speed", 0.0, least=0.0, check=(0.1, 0.9)
    )
    smoothing_speed = number(
        "rad/s", "speed below which the constant part falls to zero", 0.1, least=0.0, check=(0.5, 2.0)
    )
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    power = signal("W", "power taken from the shaft")

    @staticmethod
    def check(values):
        for name in ("rated_speed", "smoothing_speed"):
            if values[name] == 0.0:
                raise ModelError(f"{name} must be positive, got 0 rad/s")
        if values["constant_torque"] > values["rated_torque"]:
            raise ModelError(
                f"constant_torque ({values['constant_torque']:g} N*m) must not be more than rated_torque "
                f"({values['rated_torque']:g} N*m), which includes it"
            )

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        k = ask.damp * (s.rated_torque - s.constant_torque) / (s.rated_speed * s.rated_speed)
        t = math.tanh(speed / s.smoothing_speed)
        T = ask.damp * s.constant_torque * t + k * speed * abs(speed)
        add_effort(r, g, T)
        ask.power_out += T * speed
        if ask.mode == TANGENT:
            by_rate = ask.damp * s.constant_torque * (1.0 - t * t) / s.smoothing_speed + 2.0 * k * abs(speed)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, T, 0.0, by_rate)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        k = ask.damp * (s.rated_torque - s.constant_torque) / (s.rated_speed * s.rated_speed)
        T = ask.damp * s.constant_torque * math.tanh(speed / s.smoothing_speed) + k * speed * abs(speed)
        out.torque = -T
        out.power = T * speed
        out.power_out = out.power
