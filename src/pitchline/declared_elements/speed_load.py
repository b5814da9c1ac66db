"""Load on a joint by a table of torque over speed.

A table of positive speeds is used in both directions: T(-w) = -T(w). The torque of the table acts against the rotation.
"""

import numpy as np

from pitchline.elements.curve_table import curve_table, curve_value
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    derived,
    joint,
    measure,
    numbers,
    rate,
    scratch,
    signal,
)


class SpeedLoad(Element):
    """Load on the angle of a joint by a table: torque against the rotation over speed."""

    key = "speed_load"
    on = joint("joint that is loaded")
    speeds = numbers(
        "points", "rad/s", "speeds; only positive ones, or both directions", increasing=True, check=(0.3, 2.0)
    )
    torques = numbers("points", "N*m", "torques against the rotation at these speeds")
    curve = derived("curve through the points", "N*m", "pieces", columns=5)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    power = signal("W", "power taken from the shaft")

    @staticmethod
    def check(values):
        speeds, torques = values["speeds"], values["torques"]
        if speeds[0] == 0.0 and torques[0] != 0.0:
            raise ModelError(
                f"the torque at speed 0 is {torques[0]:g} N*m, which would jump at the change of direction; start the table with "
                "(0, 0) and a small speed, or specify also negative speeds"
            )

    @staticmethod
    def derive(values):
        x, y = values["speeds"], values["torques"]
        if x[0] >= 0.0:
            keep = slice(1, None) if x[0] == 0.0 else slice(None)
            middle = [[0.0]] if x[0] == 0.0 else []
            x, y = (np.concatenate([-v[keep][::-1], *middle, v[keep]]) for v in (x, y))
        return {"curve": curve_table(x, y)}

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = rate(g, x.on_a, x.on_b)
        T, by_rate = curve_value(s.curve, speed)
        T *= ask.damp
        add_effort(r, g, T)
        power = T * speed
        if power > 0.0:
            ask.power_out += power
        else:
            ask.power_in -= power
        if ask.mode == TANGENT:
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, T, 0.0, ask.damp * by_rate)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = rate(w.gradient, x.on_a, x.on_b)
        T, _ = curve_value(s.curve, speed)
        T *= ask.damp
        out.torque = -T
        out.power = T * speed
        out.power_out = max(out.power, 0.0)
        out.power_in = max(-out.power, 0.0)
