"""Hydrodynamic torque converter by its table: capacity and torque ratio over the speed ratio.

Speeds w_p of the pump (input) and w_t of the turbine (output) are relative to the housing, about z of its frame. While the pump
is faster, with nu = w_t / w_p,

    pump takes  T_p = C(nu) w_p |w_p| ,     turbine gives  mu(nu) T_p ,     housing takes the difference (stator).

While the turbine is faster (coasting), it drives the pump like a fluid coupling, with eta = w_p / w_t and mu = 1:

    T_p = -c C(eta) w_t |w_t| .

C(1) = 0. For opposite directions (nu from 0 to -1) the capacity goes to the mean of drive and coast and mu to 1, so that torques
are continuous. The K factor of data sheets is w_p / sqrt(T_p) = 1 / sqrt(C).
"""

import numpy as np

from pitchline.elements.curve_table import curve_table, curve_value
from pitchline.elements.spin_axis import add_moment, add_moment_by_spin, add_moment_rotation, spin_about
from pitchline.errors import ModelError
from pitchline.extend import TANGENT, Element, derived, frame, number, numbers, signal
from pitchline.math.compiled import A2, F8, M9, V3, block, leaf

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
