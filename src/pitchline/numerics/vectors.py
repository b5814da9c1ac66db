"""3-vectors and 3x3 matrices (row-major) as tuples, and their conversion from and to arrays."""

import numpy as np

from .machine_code.compiled import A1, A2, F8, I8, M9, V3, V4, leaf

EYE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@leaf
def vec(a: A1, i: I8) -> V3:
    """Three entries of a 1D array from i on."""
    return (a[i], a[i + 1], a[i + 2])


@leaf
def row(a: A2, k: I8, i: I8) -> V3:
    """Three entries of row k of a 2D array from column i on."""
    return (a[k, i], a[k, i + 1], a[k, i + 2])


@leaf
def add(a: V3, b: V3) -> V3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@leaf
def sub(a: V3, b: V3) -> V3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@leaf
def mul(s: F8, a: V3) -> V3:
    return (s * a[0], s * a[1], s * a[2])


@leaf
def dot(a: V3, b: V3) -> F8:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@leaf
def cross(a: V3, b: V3) -> V3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@leaf
def mv(M: M9, a: V3) -> V3:
    """M a."""
    return (
        M[0] * a[0] + M[1] * a[1] + M[2] * a[2],
        M[3] * a[0] + M[4] * a[1] + M[5] * a[2],
        M[6] * a[0] + M[7] * a[1] + M[8] * a[2],
    )


@leaf
def mtv(M: M9, a: V3) -> V3:
    """M^T a."""
    return (
        M[0] * a[0] + M[3] * a[1] + M[6] * a[2],
        M[1] * a[0] + M[4] * a[1] + M[7] * a[2],
        M[2] * a[0] + M[5] * a[1] + M[8] * a[2],
    )


@leaf
def tr(M: M9) -> M9:
    return (M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8])


@leaf
def mm(A: M9, B: M9) -> M9:
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@leaf
def mat_sum(A: M9, B: M9) -> M9:
    return (
        A[0] + B[0], A[1] + B[1], A[2] + B[2],
        A[3] + B[3], A[4] + B[4], A[5] + B[5],
        A[6] + B[6], A[7] + B[7], A[8] + B[8],
    )  # fmt: skip


@leaf
def scaled(s: F8, A: M9) -> M9:
    return (s * A[0], s * A[1], s * A[2], s * A[3], s * A[4], s * A[5], s * A[6], s * A[7], s * A[8])


@leaf
def skew(a: V3) -> M9:
    """The matrix of a x."""
    return (0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)


@leaf
def outer(a: V3, b: V3) -> M9:
    """a b^T."""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@leaf
def add_vec(r: A1, i: I8, a: V3):
    """r[i:i+3] += a."""
    r[i] += a[0]
    r[i + 1] += a[1]
    r[i + 2] += a[2]


@leaf
def set_vec(r: A1, i: I8, a: V3):
    """r[i:i+3] = a."""
    r[i] = a[0]
    r[i + 1] = a[1]
    r[i + 2] = a[2]


@leaf
def add_mat(J: A2, i: I8, j: I8, s: F8, M: M9):
    """J[i:i+3, j:j+3] += s M."""
    J[i, j] += s * M[0]
    J[i, j + 1] += s * M[1]
    J[i, j + 2] += s * M[2]
    J[i + 1, j] += s * M[3]
    J[i + 1, j + 1] += s * M[4]
    J[i + 1, j + 2] += s * M[5]
    J[i + 2, j] += s * M[6]
    J[i + 2, j + 1] += s * M[7]
    J[i + 2, j + 2] += s * M[8]


@leaf
def add_gradient(J: A2, i: I8, j: I8, a: V3):
    """One constraint row: J[i, j:j+3] += a, and its transpose."""
    J[i, j] += a[0]
    J[i, j + 1] += a[1]
    J[i, j + 2] += a[2]
    J[j, i] += a[0]
    J[j + 1, i] += a[1]
    J[j + 2, i] += a[2]


@leaf
def add_gradients(J: A2, i: I8, j: I8, M: M9):
    """Three constraint rows: J[i:i+3, j:j+3] += M, and the transpose."""
    add_mat(J, i, j, 1.0, M)
    add_mat(J, j, i, 1.0, tr(M))


# ---- rotations

# Rotations: unit quaternions (w, x, y, z) and their exponential map.
#
# A rotation R_WB is changed by an increment theta in *body* axes: R <- R exp(theta~).


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
