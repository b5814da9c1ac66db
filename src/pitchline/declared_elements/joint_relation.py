"""Relation between the coordinates of two joints, angles or displacements: one follows the other by a polynomial.

With the coordinates y of joint a and x of joint b and their reference values y0 and x0,

    y - y0 = c0 + c1 (x - x0) + c2 (x - x0)^2 + c3 (x - x0)^3 + c4 (x - x0)^4 .

The multiplier is the load on the coordinate of joint a. Each joint transmits the opposite load to its first body.
"""

from pitchline.elements.scalar_geometry import measure_stiffness
from pitchline.extend import RATE, TANGENT, Element, joint, measure, number, numbers, rate, scratch, signal

from .gear_ratio import same_joint


class JointRelation(Element):
    """The coordinate of a joint, an angle or a displacement, as a polynomial of the coordinate of another joint."""

    key = "joint_relation"
    rows = ("angle",)
    exchanges_power = False
    a = joint("joint that follows", "any")
    b = joint("joint that it follows", "any")
    coefficients = numbers(
        5, "", "of the powers 0 to 4 of the coordinate of joint b; in SI units, rad and m", check=(-1.0, 1.0)
    )
    reference_a = number("", "reference value of the coordinate of joint a, rad or m", 0.0, check=(-1.0, 1.0))
    reference_b = number("", "reference value of the coordinate of joint b, rad or m", 0.0, check=(-1.0, 1.0))
    g_a = scratch("gradient for the bodies of joint a", 12)
    g_b = scratch("gradient for the bodies of joint b", 12)
    H_a = scratch("second derivative for the bodies of joint a", 12, columns=12)
    H_b = scratch("second derivative for the bodies of joint b", 12, columns=12)
    load_a = signal("", "torque [N*m] or force [N] of the relation on the second body of joint a")
    load_b = signal("", "torque [N*m] or force [N] of the relation on the second body of joint b")

    @staticmethod
    def problems(values, what):
        return same_joint(values, what)

    def evaluate(s, m, x, w, ask, r, J):
        g_a = w.g_a
        g_b = w.g_b
        y = measure(s.a, x.a_turns, x.a_a, x.a_b, g_a) - s.reference_a
        u = measure(s.b, x.b_turns, x.b_a, x.b_b, g_b) - s.reference_b
        c = s.coefficients
        slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + 4.0 * u * c[4]))
        if ask.mode == RATE:
            r[24] += rate(g_a, x.a_a, x.a_b) - slope * rate(g_b, x.b_a, x.b_b)
            return
        l = x.lam[0]
        r[24] += y - (c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4]))))
        for i in range(12):
            r[i] += l * g_a[i]
            r[12 + i] -= l * slope * g_b[i]
        if ask.mode == TANGENT:
            H_a = w.H_a
            H_b = w.H_b
            bend = 2.0 * c[2] + u * (6.0 * c[3] + 12.0 * u * c[4])
            for i in range(12):
                for j in range(12):
                    H_a[i, j] = 0.0
                    H_b[i, j] = 0.0
            measure_stiffness(s.a, x.a_a, x.a_b, H_a)
            measure_stiffness(s.b, x.b_a, x.b_b, H_b)
            k = ask.K * l
            for i in range(12):
                for j in range(12):
                    J[i, j] += k * H_a[i, j]
                    J[12 + i, 12 + j] -= k * (slope * H_b[i, j] + bend * g_b[i] * g_b[j])
                J[24, i] += g_a[i]
                J[i, 24] += g_a[i]
                J[24, 12 + i] -= slope * g_b[i]
                J[12 + i, 24] -= slope * g_b[i]

    def report(s, m, x, w, ask, out):
        u = measure(s.b, x.b_turns, x.b_a, x.b_b, w.g_b) - s.reference_b
        c = s.coefficients
        slope = c[1] + u * (2.0 * c[2] + u * (3.0 * c[3] + 4.0 * u * c[4]))
        out.load_a = -x.lam[0]
        out.load_b = x.lam[0] * slope
