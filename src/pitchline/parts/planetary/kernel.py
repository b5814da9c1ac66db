"""Ratio between the angles of two joints, and losses of a gearbox.

With the angles theta_a and theta_b of the joints, counted from the initial pose, and the ratio i = p/q,

    e = c_a theta_a + c_b theta_b ,     c_a / c_b = -1/i .

theta = phi + 2 pi n - theta_0 with the principal value phi and n full revolutions. The full revolutions enter only as
q n_a - p n_b, which is computed without rounding errors: a product of two numbers is the sum of two numbers (Dekker 1971).
Therefore the accuracy of e does not depend on the number of revolutions. The difference is small, because the revolutions of
both joints have this ratio.

Rows of the element: 12 of the bodies of joint a, 12 of the bodies of joint b.
"""

from fractions import Fraction

import numpy as np

from pitchline.engine.elements.contract import (
    TWO_PI,
    Measure,
    Node,
    Turns,
    angle_gradient,
    angle_stiffness,
    principal_angle,
    rate,
)
from pitchline.numerics.fields import NUMBER, fields
from pitchline.numerics.machine_code.compiled import A1, A2, F8, V2, V3, block, leaf

__all__ = [
    "Ratio",
    "encode_ratio",
    "ratio_angle",
    "ratio_gradient",
    "ratio_rate",
    "ratio_second",
    "loss_of",
    "set_loss_limits",
]


Ratio = fields(
    "Ratio",
    p=NUMBER,  # ratio p/q: whole numbers, or q = 1
    q=NUMBER,
    c_a=NUMBER,  # factors of the angles
    c_b=NUMBER,
    unit=NUMBER,  # c_a/q: factor of q n_a - p n_b
    start_a=NUMBER,  # angles in the initial pose
    start_b=NUMBER,
)

LARGEST_TEETH = 10_000
"""A ratio is one of whole numbers if its denominator is not larger."""
_SPLIT = 134217729.0
"""2^27 + 1: splits a number of 53 bits in two halves."""


@leaf
def _product(x: F8, y: F8) -> V2:
    """x y as a sum of two numbers without rounding errors."""
    product = x * y
    c = _SPLIT * x
    x_high = c - (c - x)
    x_low = x - x_high
    c = _SPLIT * y
    y_high = c - (c - y)
    y_low = y - y_high
    return (product, x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low))


@leaf
def ratio_angle(
    s: Ratio, a: Measure, b: Measure, turns_a: Turns, turns_b: Turns, a1: Node, a2: Node, b1: Node, b2: Node
) -> F8:
    """e. turns_a, turns_b: memory of the joints."""
    phi_a = principal_angle(a.a, a.b, a1, a2)
    phi_b = principal_angle(b.a, b.b, b1, b2)
    n_a = np.round((turns_a.angle - phi_a) / TWO_PI)
    n_b = np.round((turns_b.angle - phi_b) / TWO_PI)
    a_high, a_low = _product(s.q, n_a)
    b_high, b_low = _product(s.p, n_b)
    turns = (a_high - b_high) + (a_low - b_low)
    return s.c_a * (phi_a - s.start_a) + s.c_b * (phi_b - s.start_b) + TWO_PI * s.unit * turns


@block
def ratio_gradient(s: Ratio, a: Measure, b: Measure, a1: Node, a2: Node, b1: Node, b2: Node, g_a: A1, g_b: A1):
    """Gradient of e, for the bodies of joint a and of joint b."""
    for i in range(12):
        g_a[i] = 0.0
        g_b[i] = 0.0
    angle_gradient(a.a, a.b, a1, a2, s.c_a, g_a)
    angle_gradient(b.a, b.b, b1, b2, s.c_b, g_b)


@leaf
def ratio_rate(g_a: A1, g_b: A1, a1: Node, a2: Node, b1: Node, b2: Node) -> F8:
    """de/dt from the gradient."""
    return rate(g_a, a1, a2) + rate(g_b, b1, b2)


@block
def _second(s: Measure, a: Node, b: Node, factor: F8, H: A2):
    for i in range(12):
        for j in range(12):
            H[i, j] = 0.0
    angle_stiffness(s.a, s.b, a, b, factor, H)


@leaf
def ratio_second(s: Ratio, a: Measure, b: Measure, a1: Node, a2: Node, b1: Node, b2: Node, H_a: A2, H_b: A2):
    """Second derivative of e: one block for each joint."""
    _second(a, a1, a2, s.c_a, H_a)
    _second(b, b1, b2, s.c_b, H_b)


def encode_ratio(ratio: float, start_a: float, start_b: float, *, at_output: bool) -> dict[str, float]:
    """Values of a record `Ratio`. start_a, start_b: angles in the initial pose [rad].

    at_output: e is an angle of joint b. Otherwise e is an angle of the faster joint, so that a tolerance for e is one for both.
    """
    whole = Fraction(ratio).limit_denominator(LARGEST_TEETH)
    is_whole = whole != 0 and abs(float(whole) - ratio) <= 1e-12 * abs(ratio)
    p, q = (float(whole.numerator), float(whole.denominator)) if is_whole else (ratio, 1.0)
    c_a, c_b, unit = (q / p, -1.0, 1.0 / p) if at_output or abs(ratio) < 1.0 else (1.0, -p / q, 1.0 / q)
    return {"p": p, "q": q, "c_a": c_a, "c_b": c_b, "unit": unit, "start_a": start_a, "start_b": start_b}


# ---- ratio loss

# Losses of a gearbox that is given as a ratio (`ratios` has the equations).


@leaf
def loss_of(levers: V3, T: F8, sign: F8) -> F8:
    """Loss torque over |T| in a direction of motion, with its sign; zero at rest. levers: if a drives, if b drives."""
    if sign == 0.0:
        return 0.0
    return sign * (levers[0] if T * sign > 0.0 else levers[1])


@leaf
def set_loss_limits(levers: V3, T: F8, limits: A1):
    """Limits of the loss torque at rest: those of both directions of motion."""
    limits[0] = loss_of(levers, T, -1.0) * abs(T)
    limits[1] = loss_of(levers, T, 1.0) * abs(T)
