"""Motor by a table of torque over speed, with a throttle and a lag.

With the speed w of the joint, the curves of full throttle and of zero throttle, and the throttle u(t)

    T = y T_full(w) + (1 - y) T_zero(w) ,      lag y' = u - y      (y = u without lag).
"""

import numpy as np

from pitchline.elements.constant_inputs import check_throttle
from pitchline.elements.curve_table import curve_table, curve_value
from pitchline.elements.speed_row import add_effort_by_state
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    coordinates,
    derived,
    input_signal,
    joint,
    measure,
    number,
    numbers,
    rate,
    scratch,
    signal,
)


class MotorMap(Element):
    """Motor on the angle of a joint: torque over speed by a table, with throttle and lag."""

    key = "motor_map"
    on = joint("joint that it turns")
    throttle = input_signal("", "throttle: 0 to 1", 1.0)
    speeds = numbers("points", "rad/s", "speeds of the joint", increasing=True, check=(-2.0, 2.0))
    torques = numbers("points", "N*m", "torques on the second body at full throttle")
    zero_torques = numbers("points", "N*m", "torques at zero throttle; default: none", None)
    lag = number("s", "time constant from throttle to torque; 0: none", 0.0, least=0.0, check=(0.5, 2.0))
    full = derived("curve of full throttle", "N*m", "pieces", columns=5)
    zero = derived("curve of zero throttle", "N*m", "zero_pieces", columns=5)
    delay = derived("time constant, if there is a lag", "s", "states")
    delayed = coordinates("states", "", "throttle after the lag", order=1)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    power = signal("W", "mechanical power")

    @staticmethod
    def check(values):
        check_throttle(values)

    @staticmethod
    def derive(values):
        zero = np.zeros(len(values["speeds"])) if values["zero_torques"] is None else values["zero_torques"]
        return {
            "zero_torques": zero, "full": curve_table(values["speeds"], values["torques"]),
            "zero": curve_table(values["speeds"], zero), "delay": np.array([values["lag"]] if values["lag"] > 0.0 else []),
        }  # fmt: skip

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        measure(s.on, m, x.on_a, x.on_b, g)
        speed = ask.damp * rate(g, x.on_a, x.on_b)
        u = x.throttle.value
        y = u
        if s.states == 1:
            y = x.delayed[0]
            r[12] += x.delayed_rate[0] - (u - y) / s.lag
        high, by_high = curve_value(s.full, speed)
        low, by_low = curve_value(s.zero, speed)
        T = ask.load * (y * high + (1.0 - y) * low)
        add_effort(r, g, -T)
        ask.power_in += T * speed
        if ask.mode == TANGENT:
            by_rate = -ask.damp * ask.load * (y * by_high + (1.0 - y) * by_low)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, 0.0, by_rate)
            if s.states == 1:
                add_effort_by_state(J, 12, -ask.K * ask.load * (high - low), g)
                J[12, 12] += ask.D + ask.K / s.lag
                J[12, x.throttle.column] -= 1.0 / s.lag
            else:
                add_effort_by_state(J, x.throttle.column, -ask.load * (high - low), g)

    def report(s, m, x, w, ask, out):
        measure(s.on, m, x.on_a, x.on_b, w.gradient)
        speed = ask.damp * rate(w.gradient, x.on_a, x.on_b)
        y = x.throttle.value
        if s.states == 1:
            y = x.delayed[0]
        high, _ = curve_value(s.full, speed)
        low, _ = curve_value(s.zero, speed)
        out.torque = ask.load * (y * high + (1.0 - y) * low)
        out.power = out.torque * speed
        out.power_in = out.power
