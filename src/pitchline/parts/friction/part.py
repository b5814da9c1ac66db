"""Clutches, friction on joints, and torque converters as elements of a model.

Hydrodynamic torque converter by its table: capacity and torque ratio over the speed ratio.

Speeds w_p of the pump (input) and w_t of the turbine (output) are relative to the housing, about z of its frame. While the pump
is faster, with nu = w_t / w_p,

    pump takes  T_p = C(nu) w_p |w_p| ,     turbine gives  mu(nu) T_p ,     housing takes the difference (stator).

While the turbine is faster (coasting), it drives the pump like a fluid coupling, with eta = w_p / w_t and mu = 1:

    T_p = -c C(eta) w_t |w_t| .

C(1) = 0. For opposite directions (nu from 0 to -1) the capacity goes to the mean of drive and coast and mu to 1, so that torques
are continuous. The K factor of data sheets is w_p / sqrt(T_p) = 1 / sqrt(C).
"""

import numpy as np

from pitchline.engine.elements.frame_motion import (
    add_effort,
    add_effort_tangent,
    add_moment,
    add_moment_by_spin,
    add_moment_rotation,
    curve_table,
    curve_value,
    spin_about,
)
from pitchline.errors import ModelError
from pitchline.extend import (
    TANGENT,
    Element,
    choice,
    derived,
    frame,
    input_signal,
    joint,
    measure,
    memory,
    number,
    numbers,
    rate,
    scratch,
    signal,
)
from pitchline.numerics.machine_code.compiled import A2, F8, M9, V3, block, leaf

from . import kernel as joint_friction
from . import kernel_clutch as clutch_friction
from .kernel import DIRECTIONS, check_capacity, direction_factors, friction_effort
from .kernel_sticking import MEMORY, SCRATCH

# ---- clutch

# Clutch between two shafts on joints of their own (`kernel_clutch` has the equations).


class Clutch(Element):
    """Clutch between two shafts: friction torque on the angle of joint a minus that of joint b."""

    key = "clutch"
    rows = ("angle",)
    switches = True
    a = joint("joint of the first shaft")
    b = joint("joint of the second shaft")
    capacity = input_signal("N*m", "torque while it slips")
    static_ratio = number("", "breakaway torque over the torque in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number(
        "rad/s", "speed of the transition between both; 0: it is sudden", 0.0, least=0.0, check=(0.5, 1.0)
    )
    viscous = number("N*m*s/rad", "viscous torque over the slip speed", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of slip against which it acts", "both")
    forward = derived("factor of the torque in the positive direction")
    backward = derived("factor of the torque in the negative direction")
    reference = derived("inertia that scales the row")
    compliance = derived("compliance of the row, relative to the inertia in a step")
    law = memory("law, held angle, whether it is new, whether drives prescribe the angle", MEMORY)
    gradient_a = scratch("gradient of the angle of a", 12)
    gradient_b = scratch("gradient of the angle of b", 12)
    second = scratch("second derivative of an angle", 12, columns=12)
    step = scratch("law within a step", SCRATCH)
    torque = signal("N*m", "torque on the second shaft, in the direction of its angle")
    slip_speed = signal("rad/s", "speed of joint a minus that of joint b")
    state = signal("", "0: sticks; +1 or -1: slips in that direction")
    dissipated = signal("W", "dissipated power")

    check = staticmethod(check_capacity)

    @staticmethod
    def problems(values, what):
        same = values["a"] == values["b"]
        return [f"{what}: a and b are the same joint; specify the joints of two shafts"] if same else []

    @staticmethod
    def derive(values):
        return direction_factors(values["against"])

    evaluate = clutch_friction.evaluate
    begin = clutch_friction.begin
    guard = clutch_friction.guard
    accept = clutch_friction.accept
    report = clutch_friction.report


# ---- friction

# Friction on the angle of a joint that sticks exactly (`kernel` has the equations).


class Friction(Element):
    """Friction torque on the angle of a joint: Coulomb, Stribeck and viscous friction that holds at rest without creep."""

    key = "friction"
    rows = ("angle",)
    switches = True
    on = joint("joint with friction")
    capacity = input_signal("N*m", "friction torque in motion")
    static_ratio = number("", "breakaway torque over the friction torque in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number(
        "rad/s", "speed of the transition between both; 0: it is sudden", 0.0, least=0.0, check=(0.5, 1.0)
    )
    viscous = number("N*m*s/rad", "viscous torque over the speed", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of motion against which it acts", "both")
    forward = derived("factor of the torque in the positive direction")
    backward = derived("factor of the torque in the negative direction")
    reference = derived("inertia that scales the row")
    compliance = derived("compliance of the row, relative to the inertia in a step")
    law = memory("law, held angle, whether it is new, whether a drive prescribes the angle", MEMORY)
    gradient = scratch("gradient of the angle", 12)
    step = scratch("law within a step", SCRATCH)
    torque = signal("N*m", "torque on the second body")
    slip_speed = signal("rad/s", "speed of the second body relative to the first")
    state = signal("", "0: sticks; +1 or -1: slips in that direction")
    dissipated = signal("W", "dissipated power")

    check = staticmethod(check_capacity)

    @staticmethod
    def derive(values):
        return direction_factors(values["against"])

    evaluate = joint_friction.evaluate
    begin = joint_friction.begin
    guard = joint_friction.guard
    accept = joint_friction.accept
    report = joint_friction.report_torque


# ---- motion friction

# Friction on the coordinate of a joint that acts only in motion: it is zero at rest and does not stick. Equations in
# joint coordinates use it in place of `friction` and `sliding_friction`, because there the motion is given.
#
# effort against the motion = sign(v) (C + (S - C) exp(-(v/v_S)^2)) + c v


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


# ---- sliding friction

# Friction on the displacement of a joint that sticks exactly (`kernel` has the equations).


class SlidingFriction(Element):
    """Friction force on the displacement of a joint: Coulomb, Stribeck and viscous friction that holds at rest without creep."""

    key = "sliding_friction"
    rows = ("length",)
    switches = True
    on = joint("joint with friction", "displacement")
    capacity = input_signal("N", "friction force in motion")
    static_ratio = number("", "breakaway force over the friction force in motion", 1.0, least=1.0, check=(1.2, 1.8))
    stribeck_speed = number(
        "m/s", "speed of the transition between both; 0: it is sudden", 0.0, least=0.0, check=(0.5, 1.0)
    )
    viscous = number("N*s/m", "viscous force over the speed", 0.0, least=0.0, check=(0.1, 0.4))
    against = choice(DIRECTIONS, "directions of motion against which it acts", "both")
    forward = derived("factor of the force in the positive direction")
    backward = derived("factor of the force in the negative direction")
    reference = derived("mass that scales the row")
    compliance = derived("compliance of the row, relative to the mass in a step")
    law = memory("law, held displacement, whether it is new, whether a drive prescribes the displacement", MEMORY)
    gradient = scratch("gradient of the displacement", 12)
    step = scratch("law within a step", SCRATCH)
    force = signal("N", "force on the second body")
    slip_speed = signal("m/s", "speed of the second body relative to the first")
    state = signal("", "0: sticks; +1 or -1: slips in that direction")
    dissipated = signal("W", "dissipated power")

    check = staticmethod(check_capacity)

    @staticmethod
    def derive(values):
        return direction_factors(values["against"])

    evaluate = joint_friction.evaluate
    begin = joint_friction.begin
    guard = joint_friction.guard
    accept = joint_friction.accept
    report = joint_friction.report_force


_MOST_TILT = np.cos(np.radians(5.0))


@leaf
def _z(M: M9) -> V3:
    return (M[2], M[5], M[8])


@block
def _square(table: A2, fast: F8, slow: F8) -> V3:
    """f(slow/fast) fast |fast|, and its derivatives with respect to fast and slow."""
    f, slope = curve_value(table, slow / fast)
    size = abs(fast)
    sign = 1.0 if fast > 0.0 else -1.0
    return (f * fast * size, 2.0 * f * size - sign * slope * slow, slope * size)


@block
def _torque(drive: A2, coast: A2, w_p: F8, w_t: F8) -> V3:
    """Torque of the pump, and its derivatives with respect to w_p and w_t. With the table of mu C: torque of the turbine."""
    if w_p == 0.0 and w_t == 0.0:
        return (0.0, 0.0, 0.0)
    if abs(w_p) >= abs(w_t):
        return _square(drive, w_p, w_t)
    T, by_t, by_p = _square(coast, w_t, w_p)
    return (-T, -by_p, -by_t)


class TorqueConverter(Element):
    """Hydrodynamic torque converter between two shafts, by capacity and torque ratio over the speed ratio."""

    key = "torque_converter"
    housing = frame("housing, which takes the torque of the stator; z of the frame is the axis")
    pump = frame("input shaft")
    turbine = frame("output shaft")
    speed_ratios = numbers(
        "points", "", "speed ratios turbine over pump, 0 to 1", least=0.0, most=1.0, increasing=True, check=(0.05, 0.9)
    )
    capacities = numbers("points", "N*m*s^2/rad^2", "torque of the pump over the square of its speed", least=0.0)
    torque_ratios = numbers("points", "", "torque of the turbine over torque of the pump", least=0.0, check=(0.9, 1.0))
    coast_factor = number("", "capacity while coasting over capacity while driving", 1.0, least=0.0, check=(0.2, 1.5))
    drag = number(
        "N*m*s/rad", "drag of the turbine against the housing, over its speed", 0.0, least=0.0, check=(0.1, 1.0)
    )
    drive = derived("capacity", "N*m*s^2/rad^2", "drive_pieces", columns=5)
    multiplied = derived("capacity times torque ratio", "N*m*s^2/rad^2", "multiplied_pieces", columns=5)
    coast = derived("capacity while coasting", "N*m*s^2/rad^2", "coast_pieces", columns=5)
    pump_torque = signal("N*m", "torque that the converter takes from the pump shaft")
    turbine_torque = signal("N*m", "torque of the converter on the turbine shaft")
    stator_torque = signal("N*m", "torque on the housing about the axis")
    pump_speed = signal("rad/s", "speed of the pump relative to the housing")
    turbine_speed = signal("rad/s", "speed of the turbine relative to the housing")
    speed_ratio = signal("", "turbine speed over pump speed; 0 if the pump does not rotate")
    loss = signal("W", "power converted to heat")

    @staticmethod
    def check(values):
        nu, C, mu = values["speed_ratios"], values["capacities"], values["torque_ratios"]
        if nu[-1] == 1.0 and C[-1] != 0.0:
            raise ModelError(
                f"the capacity at speed ratio 1 is {C[-1]:g}, but there is no torque without slip; end the table below 1, or with 0"
            )
        if np.any(nu * mu > 1.0 + 1e-9):
            at = int(np.argmax(nu * mu))
            raise ModelError(
                f"torque ratio {mu[at]:g} at speed ratio {nu[at]:g} is an efficiency of {nu[at] * mu[at]:.4g}, more than 1; "
                "check the table"
            )
        if not np.any(C > 0.0):
            raise ModelError("all capacities are 0; specify the torque of the pump over the square of its speed")

    @staticmethod
    def derive(values):
        nu, C, mu = values["speed_ratios"], values["capacities"], values["torque_ratios"]
        if nu[0] > 0.0:
            nu, C, mu = (np.concatenate([[first], x]) for first, x in ((0.0, nu), (C[0], C), (mu[0], mu)))
        if nu[-1] < 1.0:
            nu, C, mu = (np.append(x, last) for x, last in ((nu, 1.0), (C, 0.0), (mu, 1.0)))
        c = values["coast_factor"]
        back = 0.5 * (1.0 + c) * C[0]
        nu = np.concatenate([[-1.0], nu])
        return {
            "drive": curve_table(nu, np.concatenate([[back], C])),
            "multiplied": curve_table(nu, np.concatenate([[back], C * mu])),
            "coast": curve_table(nu, np.concatenate([[back], c * C])),
        }

    @staticmethod
    def problems(values, what):
        z = values["housing"][1][:, 2]
        for name in ("pump", "turbine"):
            turns = values["turning"][name]
            if turns and all(abs(float(axis @ z)) < _MOST_TILT for axis in turns):
                return [
                    f"{what}: the body of {name} does not rotate about z of the housing frame, the axis of the converter; give a "
                    "frame of the housing whose z is the axis"
                ]
        return []

    def evaluate(s, m, x, w, ask, r, J):
        z = _z(s.housing.axes)
        w_p = spin_about(z, x.housing, x.pump)
        w_t = spin_about(z, x.housing, x.turbine)
        T, by_p, by_t = _torque(s.drive, s.coast, w_p, w_t)
        Q, Q_p, Q_t = _torque(s.multiplied, s.coast, w_p, w_t)
        k = ask.damp
        Q = Q - s.drag * w_t
        Q_t = Q_t - s.drag
        add_moment(r, 9, 3, z, x.housing, x.pump, -k * T)
        add_moment(r, 15, 3, z, x.housing, x.turbine, k * Q)
        loss = k * (T * w_p - Q * w_t)
        ask.power_out += max(loss, 0.0)
        ask.power_in += max(-loss, 0.0)
        if ask.mode == TANGENT:
            add_moment_by_spin(J, 9, 3, 9, z, x.housing, x.pump, x.pump, ask, -k * by_p)
            add_moment_by_spin(J, 9, 3, 15, z, x.housing, x.pump, x.turbine, ask, -k * by_t)
            add_moment_by_spin(J, 15, 3, 9, z, x.housing, x.turbine, x.pump, ask, k * Q_p)
            add_moment_by_spin(J, 15, 3, 15, z, x.housing, x.turbine, x.turbine, ask, k * Q_t)
            add_moment_rotation(J, 9, 3, z, x.housing, x.pump, ask, -k * T)
            add_moment_rotation(J, 15, 3, z, x.housing, x.turbine, ask, k * Q)

    def report(s, m, x, w, ask, out):
        z = _z(s.housing.axes)
        w_p = spin_about(z, x.housing, x.pump)
        w_t = spin_about(z, x.housing, x.turbine)
        out.pump_torque = ask.damp * _torque(s.drive, s.coast, w_p, w_t)[0]
        out.turbine_torque = ask.damp * (_torque(s.multiplied, s.coast, w_p, w_t)[0] - s.drag * w_t)
        out.stator_torque = out.pump_torque - out.turbine_torque
        out.pump_speed = w_p
        out.turbine_speed = w_t
        out.speed_ratio = w_t / w_p if w_p != 0.0 else 0.0
        out.loss = out.pump_torque * w_p - out.turbine_torque * w_t
        out.power_out = max(out.loss, 0.0)
        out.power_in = max(-out.loss, 0.0)
