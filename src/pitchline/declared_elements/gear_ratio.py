"""Gearbox given as a ratio between the angles of two joints: rigid, as one constraint.

With the angles theta of the joints, counted from the initial pose, and the ratio i,

    theta_a - i theta_b = 0     (divided by i if abs(i) < 1).

The multiplier is the torque at the faster joint. The torques on the second bodies of the joints have the ratio
T_b = -i T_a. Each joint transmits the opposite torque to its first body, the housing.
"""

import math

from pitchline.elements.joint_ratio import Ratio, encode_ratio, ratio_angle, ratio_gradient, ratio_rate, ratio_second
from pitchline.errors import ModelError, Subject
from pitchline.extend import RATE, TANGENT, Element, derived, joint, number, scratch, signal


class GearRatio(Element):
    """Gearbox given as a ratio between the angles of two joints, without elasticity."""

    key = "gear_ratio"
    rows = ("angle",)
    exchanges_power = False
    a = joint("input joint: its second body is the shaft, its first body the housing")
    b = joint("output joint: its second body is the shaft, its first body the housing")
    ratio = number(
        "", "speed of joint a divided by the speed of joint b; negative: opposite directions", check=(1.5, 3.0)
    )
    data = derived("ratio, and angles in the initial pose", record=Ratio)
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    torque_a = signal("N*m", "torque of the gearbox on the second body of joint a")
    torque_b = signal("N*m", "torque of the gearbox on the second body of joint b")

    @staticmethod
    def check(values):
        check_ratio(values)

    @staticmethod
    def problems(values, what):
        return same_joint(values, what)

    @staticmethod
    def derive(values):
        return {"data": encode_ratio(values["ratio"], values["a"], values["b"], at_output=False)}

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        ratio_gradient(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, g_a, g_b)
        if ask.mode == RATE:
            r[24] += ratio_rate(g_a, g_b, x.a_a, x.a_b, x.b_a, x.b_b)
            return
        l = x.lam[0]
        r[24] += ratio_angle(s.data, s.a, s.b, x.a_turns, x.b_turns, x.a_a, x.a_b, x.b_a, x.b_b)
        for i in range(12):
            r[i] += l * g_a[i]
            r[12 + i] += l * g_b[i]
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            ratio_second(s.data, s.a, s.b, x.a_a, x.a_b, x.b_a, x.b_b, H_a, H_b)
            k = ask.K * l
            for i in range(12):
                for j in range(12):
                    J[i, j] += k * H_a[i, j]
                    J[12 + i, 12 + j] += k * H_b[i, j]
                J[24, i] += g_a[i]
                J[i, 24] += g_a[i]
                J[24, 12 + i] += g_b[i]
                J[12 + i, 24] += g_b[i]

    def report(s, m, x, w, ask, out):
        out.torque_a = -x.lam[0] * s.data.c_a
        out.torque_b = -x.lam[0] * s.data.c_b


def check_ratio(values):
    """ModelError if the ratio is zero."""
    ratio = values["ratio"]
    if ratio == 0.0 or not math.isfinite(1.0 / ratio):
        raise ModelError(
            f"ratio is the speed of joint a divided by that of joint b and must not be {ratio:g}",
            about=Subject("ratio").at("ratio"),
        )


def joint_names(values, *ends):
    """Names of joints, which are in one model: until then, joints of the same name can be of two models."""
    return [values[end] if isinstance(values[end], str) else values[end].name for end in ends]


def same_joint(values, what):
    """Error if both joints are the same."""
    a, b = joint_names(values, "a", "b")
    return [f'{what}: a and b are the same joint "{b}"; specify two joints'] if a == b else []
