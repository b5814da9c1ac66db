"""Constant sum of multiples of the coordinates of three joints, angles or displacements, as of a cable over three pulleys:

    c_a q_a + c_b q_b + c_c q_c = value .

The multiplier is the force in the cable. The loads on the coordinates have the ratio of the factors. Each joint transmits the
opposite load to its first body.
"""

from pitchline.elements.scalar_geometry import measure_stiffness
from pitchline.errors import ModelError, Subject
from pitchline.extend import RATE, TANGENT, Element, joint, measure, number, rate, scratch, signal

from .gear_ratio import joint_names


class JointSum(Element):
    """Constant sum of multiples of the coordinates of three joints, angles or displacements."""

    key = "joint_sum"
    rows = ("angle",)
    exchanges_power = False
    a = joint("first joint", "any")
    b = joint("second joint", "any")
    c = joint("third joint", "any")
    factor_a = number("", "factor of the coordinate of joint a", check=(0.5, 2.0))
    factor_b = number("", "factor of the coordinate of joint b", check=(0.5, 2.0))
    factor_c = number("", "factor of the coordinate of joint c", check=(0.5, 2.0))
    value = number("", "the sum; in SI units, rad and m", 0.0, check=(-1.0, 1.0))
    g = scratch("gradient for the bodies of one joint", 12)
    H = scratch("second derivative for the bodies of one joint", 12, columns=12)
    tension = signal("", "multiplier: the load on the second body of each joint is its factor times this [N*m, N]")

    @staticmethod
    def check(values):
        for end in "abc":
            if values[f"factor_{end}"] == 0.0:
                raise ModelError(
                    f"factor_{end} must not be zero; for two joints use a joint_relation",
                    about=Subject("joint_sum").at(f"factor_{end}"),
                )

    @staticmethod
    def problems(values, what):
        names = joint_names(values, "a", "b", "c")
        text = f"{what}: a, b and c must be three joints, got {', '.join(names)}"
        return [text] if len(set(names)) < 3 else []

    def evaluate(s, m, x, w, ask, r, J):
        g = w.g
        H = w.H
        l = x.lam[0]
        total = -s.value
        speed = 0.0
        for k in range(3):
            if k == 0:
                on, c, a, b, turns = s.a, s.factor_a, x.a_a, x.a_b, x.a_turns
            elif k == 1:
                on, c, a, b, turns = s.b, s.factor_b, x.b_a, x.b_b, x.b_turns
            else:
                on, c, a, b, turns = s.c, s.factor_c, x.c_a, x.c_b, x.c_turns
            total += c * measure(on, turns, a, b, g)
            speed += c * rate(g, a, b)
            if ask.mode == RATE:
                continue
            o = 12 * k
            for i in range(12):
                r[o + i] += l * c * g[i]
            if ask.mode == TANGENT:
                for i in range(12):
                    for j in range(12):
                        H[i, j] = 0.0
                measure_stiffness(on, a, b, H)
                for i in range(12):
                    for j in range(12):
                        J[o + i, o + j] += ask.K * l * c * H[i, j]
                    J[36, o + i] += c * g[i]
                    J[o + i, 36] += c * g[i]
        r[36] += speed if ask.mode == RATE else total

    def report(s, m, x, w, ask, out):
        out.tension = -x.lam[0]
