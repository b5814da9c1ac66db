"""Rotations: unit quaternions (w, x, y, z) and their exponential map.

A rotation R_WB is changed by an increment theta in *body* axes: R <- R exp(theta~).
"""

import numpy as np

from .compiled import M9, V3, V4, leaf
from .vectors import mm, skew


@leaf
def quaternion_product(a: V4, b: V4) -> V4:
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@leaf
def turned(q: V4, theta: V3) -> V4:
    """q exp(theta), normalised."""
    angle2 = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]
    if angle2 > 1e-4:
        angle = np.sqrt(angle2)
        s = np.sin(0.5 * angle) / angle
        c = np.cos(0.5 * angle)
    else:  # series, exact to rounding below 1e-2 rad; most steps are shorter
        s = 0.5 - angle2 * (1.0 / 48.0 - angle2 * (1.0 / 3840.0 - angle2 / 645120.0))
        c = 1.0 - angle2 * (1.0 / 8.0 - angle2 * (1.0 / 384.0 - angle2 / 46080.0))
    p = quaternion_product(q, (c, s * theta[0], s * theta[1], s * theta[2]))
    n = 1.0 / np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    return (n * p[0], n * p[1], n * p[2], n * p[3])


@leaf
def matrix_of(q: V4) -> M9:
    """R of a unit quaternion."""
    w, x, y, z = q
    return (
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    )  # fmt: skip


@leaf
def tangent_operator(theta: V3) -> M9:
    """T(theta) = I - (1 - cos a)/a^2 theta~ + (a - sin a)/a^3 theta~^2 (a = |theta|): derivative of the rotation at the end of
    an increment, in body axes, with respect to the increment: delta Theta = T delta theta. By series, with an error of 1e-6
    for a < 0.5."""
    a2 = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]
    b = 0.5 - a2 / 24.0
    c = 1.0 / 6.0 - a2 / 120.0
    S = skew(theta)
    Q = mm(S, S)
    return (
        1.0 + c * Q[0], -b * S[1] + c * Q[1], -b * S[2] + c * Q[2],
        -b * S[3] + c * Q[3], 1.0 + c * Q[4], -b * S[5] + c * Q[5],
        -b * S[6] + c * Q[6], -b * S[7] + c * Q[7], 1.0 + c * Q[8],
    )  # fmt: skip
