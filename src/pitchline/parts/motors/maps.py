"""Combustion engine, and motors by a map of their torque.

Combustion engine: mean torque by a table over speed, and gas torque over the crank angle.

With crank angle phi, speed w and throttle y (after a lag, as in `MotorMap`)

    T = y (T_full(w) + G(phi)) + (1 - y) (T_zero(w) + G_0(phi)) ,
    G(phi) = sum of g(phi - phi_c) over the cylinders, without its mean.

g is the gas torque of one cylinder over one working cycle, 720 deg for four strokes, from equally spaced values by a Fourier
series. The mean torque is only in T_full and T_zero. Torques of reciprocating masses are not included.
"""

import math

import numpy as np

from pitchline.engine.elements.axis_rows import add_effort_by_state, check_throttle
from pitchline.engine.elements.frame_motion import curve_table, curve_value
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    add_effort,
    add_effort_tangent,
    coordinates,
    derived,
    input_signal,
    integer,
    joint,
    measure,
    number,
    numbers,
    rate,
    scratch,
    signal,
)
from pitchline.numerics.machine_code.compiled import A2, F8, V4, block


def engine_harmonics(values, firing, strokes):
    """Cosine and sine amplitudes of all cylinders together, for orders k of the cycle, k = 1, 2, ...; (n, 2)."""
    n = len(values)
    c = np.fft.rfft(np.asarray(values, float)) / n
    k = np.arange(1, len(c))
    weight = np.where((n % 2 == 0) & (k == n // 2), 1.0, 2.0)
    order = 2.0 * k / strokes  # per revolution of the crank
    shift = np.exp(-1j * np.outer(order, np.asarray(firing, float))).sum(axis=1)
    found = weight * c[1:] * shift
    return np.column_stack([found.real, -found.imag])


@block
def _ripple(table: A2, order: F8, angle: F8) -> V4:
    """Gas torque of full and of zero throttle, and their derivatives with respect to the crank angle."""
    c1 = math.cos(order * angle)
    s1 = math.sin(order * angle)
    c = 1.0
    s = 0.0
    full = 0.0
    by_full = 0.0
    zero = 0.0
    by_zero = 0.0
    for k in range(table.shape[0]):
        c, s = c * c1 - s * s1, s * c1 + c * s1
        n = (k + 1) * order
        full += table[k, 0] * c + table[k, 1] * s
        by_full += n * (table[k, 1] * c - table[k, 0] * s)
        zero += table[k, 2] * c + table[k, 3] * s
        by_zero += n * (table[k, 3] * c - table[k, 2] * s)
    return (full, by_full, zero, by_zero)


class CombustionEngine(Element):
    """Combustion engine on the angle of a crankshaft joint: mean torque by a table, and gas torque over the crank angle."""

    key = "combustion_engine"
    on = joint("joint of the crankshaft; its angle is the crank angle")
    throttle = input_signal("", "throttle: 0 to 1", 1.0)
    speeds = numbers("points", "rad/s", "speeds of the crankshaft", increasing=True, check=(-2.0, 2.0))
    torques = numbers("points", "N*m", "mean torques at full throttle")
    zero_torques = numbers("points", "N*m", "mean torques at zero throttle; default: none", None)
    gas_torque = numbers(
        "samples",
        "N*m",
        "gas torque of one cylinder at full throttle, equally spaced over one cycle from its firing angle",
    )
    zero_gas_torque = numbers("zero_samples", "N*m", "the same at zero throttle (compression); default: none", None)
    firing_angles = numbers("cylinders", "rad", "crank angle at which the cycle of each cylinder starts")
    strokes = integer("strokes of a cycle: 4 or 2", 4, least=2, most=4)
    crank_angle = number("rad", "crank angle at joint angle zero", 0.0, check=(0.1, 1.0))
    lag = number("s", "time constant from throttle to torque; 0: none", 0.0, least=0.0, check=(0.5, 2.0))
    full = derived("curve of full throttle", "N*m", "pieces", columns=5)
    zero = derived("curve of zero throttle", "N*m", "zero_pieces", columns=5)
    harmonics = derived(
        "cosine and sine amplitudes of the gas torque, full and zero throttle", "N*m", "orders", columns=4
    )
    delay = derived("time constant, if there is a lag", "s", "states")
    delayed = coordinates("states", "", "throttle after the lag", order=1)
    gradient = scratch("gradient of the angle", 12)
    torque = signal("N*m", "torque on the second body")
    mean_torque = signal("N*m", "torque without the alternating part of the gas torque")
    power = signal("W", "mechanical power")

    @staticmethod
    def check(values):
        check_throttle(values)
        if values["strokes"] not in (2, 4):
            raise ModelError(f"strokes must be 4 or 2, got {values['strokes']}")
        for name in ("gas_torque", "zero_gas_torque"):
            if values[name] is not None and len(values[name]) < 2:
                raise ModelError(
                    f"{name} must have at least 2 values over a cycle; specify one value every 10 deg, for example"
                )

    @staticmethod
    def derive(values):
        nothing = np.zeros(len(values["speeds"]))
        zero = nothing if values["zero_torques"] is None else values["zero_torques"]
        gas = values["gas_torque"]
        zero_gas = np.zeros(1) if values["zero_gas_torque"] is None else values["zero_gas_torque"]
        both = [engine_harmonics(g, values["firing_angles"], values["strokes"]) for g in (gas, zero_gas)]
        table = np.zeros((max(1, *map(len, both)), 4))
        for i, part in enumerate(both):
            table[: len(part), 2 * i : 2 * i + 2] = part
        used = np.nonzero(np.abs(table).max(axis=1) > 1e-14 * np.abs(table).max())[0]
        return {
            "zero_torques": zero, "zero_gas_torque": zero_gas, "full": curve_table(values["speeds"], values["torques"]),
            "zero": curve_table(values["speeds"], zero), "harmonics": table[: max(1, *(used + 1))] if len(used) else table[:1],
            "delay": np.array([values["lag"]] if values["lag"] > 0.0 else []),
        }  # fmt: skip

    def evaluate(s, m, x, w, ask, r, J):
        g = w.gradient
        angle = measure(s.on, m, x.on_a, x.on_b, g) + s.crank_angle
        speed = rate(g, x.on_a, x.on_b)
        u = x.throttle.value
        y = u
        if s.states == 1:
            y = x.delayed[0]
            r[12] += x.delayed_rate[0] - (u - y) / s.lag
        high, by_high = curve_value(s.full, ask.damp * speed)
        low, by_low = curve_value(s.zero, ask.damp * speed)
        full, by_full, zero, by_zero = _ripple(s.harmonics, 2.0 / s.strokes, angle)
        T = ask.load * (y * (high + full) + (1.0 - y) * (low + zero))
        add_effort(r, g, -T)
        ask.power_in += T * speed
        if ask.mode == TANGENT:
            by_angle = -ask.load * (y * by_full + (1.0 - y) * by_zero)
            by_rate = -ask.damp * ask.load * (y * by_high + (1.0 - y) * by_low)
            add_effort_tangent(J, s.on, x.on_a, x.on_b, g, ask, -T, by_angle, by_rate)
            if s.states == 1:
                add_effort_by_state(J, 12, -ask.K * ask.load * (high + full - low - zero), g)
                J[12, 12] += ask.D + ask.K / s.lag
                J[12, x.throttle.column] -= 1.0 / s.lag
            else:
                add_effort_by_state(J, x.throttle.column, -ask.load * (high + full - low - zero), g)

    def report(s, m, x, w, ask, out):
        angle = measure(s.on, m, x.on_a, x.on_b, w.gradient) + s.crank_angle
        speed = rate(w.gradient, x.on_a, x.on_b)
        y = x.throttle.value
        if s.states == 1:
            y = x.delayed[0]
        high, _ = curve_value(s.full, ask.damp * speed)
        low, _ = curve_value(s.zero, ask.damp * speed)
        full, _, zero, _ = _ripple(s.harmonics, 2.0 / s.strokes, angle)
        out.mean_torque = ask.load * (y * high + (1.0 - y) * low)
        out.torque = out.mean_torque + ask.load * (y * full + (1.0 - y) * zero)
        out.power = out.torque * speed
        out.power_in = out.power


# ---- motor map

# Motor by a table of torque over speed, with a throttle and a lag.
#
# With the speed w of the joint, the curves of full throttle and of zero throttle, and the throttle u(t)
#
# T = y T_full(w) + (1 - y) T_zero(w) , lag y' = u - y (y = u without lag).


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
