"""Gearbox given as a ratio between the angles of two joints: elastic, with backlash, as measured at its output.

With the angles theta of the joints, counted from the initial pose, and the ratio i, the twist of the output is

    e = theta_a / i - theta_b .

The torque on the second body of joint b is T = k e + c de/dt. With backlash, e is replaced by the depth beyond half of the
backlash, and the damping never pulls. The torque on the second body of joint a is -T/i. Each joint transmits the opposite torque
to its first body, the housing.
"""

from pitchline.elements.joint_ratio import Ratio, encode_ratio, ratio_angle, ratio_gradient, ratio_rate, ratio_second
from pitchline.elements.scalar_geometry import turning
from pitchline.extend import TANGENT, Element, derived, joint, number, scratch, signal
from pitchline.math.compiled import F8, V4, leaf

from .gear_ratio import check_ratio, same_joint


@leaf
def _law(k: F8, c: F8, backlash: F8, e: F8, v: F8) -> V4:
    """Torque at the output, its derivatives by e and de/dt, and the stored energy."""
    if backlash == 0.0:
        return (k * e + c * v, k, c, 0.5 * k * e * e)
    depth = abs(e) - 0.5 * backlash
    if depth <= 0.0:
        return (0.0, 0.0, 0.0, 0.0)
    sign = 1.0 if e > 0.0 else -1.0
    energy = 0.5 * k * depth * depth
    torque = sign * k * depth + c * v
    if torque * sign <= 0.0:
        return (0.0, 0.0, 0.0, energy)
    return (torque, k, c, energy)


class ElasticGearRatio(Element):
    """Gearbox given as a ratio between the angles of two joints, with stiffness, damping and backlash at its output."""

    key = "elastic_gear_ratio"
    a = joint("input joint: its second body is the shaft, its first body the housing")
    b = joint("output joint: its second body is the shaft, its first body the housing")
    ratio = number(
        "", "speed of joint a divided by the speed of joint b; negative: opposite directions", check=(1.5, 3.0)
    )
    stiffness = number("N*m/rad", "torque at joint b per twist, with joint a held", least=0.0)
    damping = number("N*m*s/rad", "torque at joint b per rate of the twist", 0.0, least=0.0, check=(0.1, 1.0))
    backlash = number(
        "rad", "play of joint b with joint a held, symmetric about the initial pose", 0.0, least=0.0, check=(0.0, 0.2)
    )
    data = derived("ratio, and angles in the initial pose", record=Ratio)
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    g = scratch("gradient for all bodies", 24)
    change = scratch("derivative of the torque", 24)
    torque_a = signal("N*m", "torque of the gearbox on the second body of joint a")
    torque_b = signal("N*m", "torque of the gearbox on the second body of joint b")
    twist = signal("rad", "angle of joint a divided by the ratio, minus the angle of joint b; from the initial pose")

    @staticmethod
    def check(values):
        check_ratio(values)

    @staticmethod
    def problems(values, what):
        return same_joint(values, what)

    @staticmethod
    def derive(values):
        return {"data": encode_ratio(values["ratio"], values["a"], values["b"], at_output=True)}

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, g_a, g_b)
        e = ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        v = ratio_rate(g_a, g_b, x.a_a, x.a_b, x.b_a, x.b_b)
        T, k, c, _ = _law(s.stiffness, ask.damp * s.damping, s.backlash, e, v)
        for i in range(12):
            r[i] += T * g_a[i]
            r[12 + i] += T * g_b[i]
        if s.damping != 0.0:
            ask.power_out += (T - _law(s.stiffness, 0.0, s.backlash, e, 0.0)[0]) * v
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            g = w.g
            change = w.change
            K = ask.K
            ratio_second(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, H_a, H_b)
            for j in range(12):
                g[j] = g_a[j]
                g[12 + j] = g_b[j]
                change[j] = K * (k * g_a[j] + c * turning(H_a, j, x.a_a, x.a_b)) + ask.D * c * g_a[j]
                change[12 + j] = K * (k * g_b[j] + c * turning(H_b, j, x.b_a, x.b_b)) + ask.D * c * g_b[j]
            for i in range(24):
                for j in range(24):
                    J[i, j] += g[i] * change[j]
            for i in range(12):
                for j in range(12):
                    J[i, j] += K * T * H_a[i, j]
                    J[12 + i, 12 + j] += K * T * H_b[i, j]

    def report(s, m, x, w, ask, out):
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, w.g_a, w.g_b)
        e = ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        v = ratio_rate(w.g_a, w.g_b, x.a_a, x.a_b, x.b_a, x.b_b)
        T, _, _, energy = _law(s.stiffness, ask.damp * s.damping, s.backlash, e, v)
        out.potential = energy
        out.power_out = (T - _law(s.stiffness, 0.0, s.backlash, e, 0.0)[0]) * v
        out.torque_b = T
        out.torque_a = -T * s.data.c_a
        out.twist = e
