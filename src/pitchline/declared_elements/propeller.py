"""Propeller by its thrust and torque coefficients over the advance ratio.

The axis is z of the frame, in the direction of the thrust. With the speed v of the frame along z, the revolutions per second
n = w / 2 pi of its body about z (sign +1 for a right-handed propeller, -1 for a left-handed one), the diameter D and the density

    J = v / (n D) ,   thrust = rho n |n| D^4 K_T(J) ,   torque = rho n |n| D^5 K_Q(J) .

The fluid is at rest. Beyond the table the coefficients continue as straight lines. Near n = 0 the thrust is then proportional
to n v.
"""

import math

from pitchline.elements.axial_force import add_axial, add_axial_tangent, axial_speeds
from pitchline.elements.curve_table import curve_table, curve_value
from pitchline.errors import ModelError
from pitchline.extend import TANGENT, Element, choice, derived, frame, number, numbers, signal
from pitchline.math.compiled import A2, F8, M9, V3, block, leaf

HANDS = ("right", "left")


@leaf
def _z(M: M9) -> V3:
    return (M[2], M[5], M[8])


@block
def _coefficient(table: A2, n: F8, v: F8, diameter: F8) -> V3:
    """n |n| K(J), and its derivatives with respect to n and v."""
    if n == 0.0:
        end = table.shape[0] - 1
        # J is infinite: only the slope of the line beyond the table remains
        slope = table[end, 2] if v > 0.0 else table[0, 2]
        return (0.0, slope * abs(v) / diameter, 0.0)
    K, slope = curve_value(table, v / (n * diameter))
    size = abs(n)
    sign = 1.0 if n > 0.0 else -1.0
    return (n * size * K, 2.0 * size * K - sign * slope * v / diameter, size * slope / diameter)


class Propeller(Element):
    """Propeller on a body: thrust along z of its frame and torque about it, by coefficients over the advance ratio."""

    key = "propeller"
    on = frame("body that rotates; z of the frame is the direction of the thrust")
    diameter = number("m", "diameter", least=0.0)
    density = number("kg/m^3", "density of the fluid, such as 1.225 for air or 1025 for sea water", least=0.0)
    advance_ratios = numbers("points", "", "advance ratios v / (n D)", increasing=True, check=(-0.5, 1.5))
    thrust_coefficients = numbers("points", "", "thrust coefficients K_T")
    torque_coefficients = numbers("points", "", "torque coefficients K_Q")
    hand = choice(HANDS, "direction of rotation for thrust along z", "right")
    thrust_curve = derived("curve of thrust", "", "thrust_pieces", columns=5)
    torque_curve = derived("curve of torque", "", "torque_pieces", columns=5)
    thrust = signal("N", "force on the body along z")
    torque = signal("N*m", "torque of the fluid against the rotation of the propeller")
    advance_ratio = signal("", "advance ratio; 0 without rotation")
    efficiency = signal("", "power of the thrust over power of the shaft; 0 if it does not drive")

    @staticmethod
    def check(values):
        if values["diameter"] == 0.0:
            raise ModelError("diameter must be positive, got 0 m")

    @staticmethod
    def derive(values):
        J = values["advance_ratios"]
        return {
            "thrust_curve": curve_table(J, values["thrust_coefficients"]),
            "torque_curve": curve_table(J, values["torque_coefficients"]),
        }

    def evaluate(s, m, x, w, ask, r, J):
        z = _z(s.on.axes)
        v, spin = axial_speeds(x.on, s.on.at, z)
        hand = 1.0 - 2.0 * s.hand
        n = hand * spin / (2.0 * math.pi)
        D = s.diameter
        scale = ask.damp * s.density * D * D * D * D
        T, T_n, T_v = _coefficient(s.thrust_curve, n, v, D)
        Q, Q_n, Q_v = _coefficient(s.torque_curve, n, v, D)
        F = scale * T
        M = -hand * scale * D * Q
        add_axial(r, x.on, s.on.at, z, F, M)
        loss = -F * v - M * spin
        ask.power_out += max(loss, 0.0)
        ask.power_in += max(-loss, 0.0)
        if ask.mode == TANGENT:
            per_spin = hand / (2.0 * math.pi)
            by_v = (scale * T_v, -hand * scale * D * Q_v)
            by_w = (per_spin * scale * T_n, -hand * per_spin * scale * D * Q_n)
            add_axial_tangent(J, x.on, s.on.at, z, ask, F, by_v, by_w)

    def report(s, m, x, w, ask, out):
        v, spin = axial_speeds(x.on, s.on.at, _z(s.on.axes))
        hand = 1.0 - 2.0 * s.hand
        n = hand * spin / (2.0 * math.pi)
        D = s.diameter
        scale = ask.damp * s.density * D * D * D * D
        out.thrust = scale * _coefficient(s.thrust_curve, n, v, D)[0]
        out.torque = scale * D * _coefficient(s.torque_curve, n, v, D)[0]
        out.advance_ratio = v / (n * D) if n != 0.0 else 0.0
        shaft = out.torque * hand * spin
        driven = out.thrust * v
        out.efficiency = driven / shaft if shaft > 0.0 and driven > 0.0 else 0.0
        out.power_out = max(shaft - driven, 0.0)
        out.power_in = max(driven - shaft, 0.0)
