"""The gap between a point of one flank and the flank of another gear, compiled.

A point of flank A lies in the axes of gear B at the radius r, the polar angle ϑ and the height z. The flank of B has a
point at the same r and z; turning B until the two meet moves that point along the base tangent, so that the gap along
the normal is exactly

    g = r_b cos β_b (difference of polar angles) − δ_B ,

and the force acts on B with the lever r_b cos β_b, wherever the point is. (Parallel curves of an involute are involutes
of the same base circle.) The poses are arbitrary, misaligned axes included.
"""

import math

import numpy as np

from ..math.compiled import A1, A2, A3, F8, I1, I8, V2, V4, block, entry, leaf
from .shape_layout import (
    BASE_ANGLE,
    BASE_RADIUS,
    COS_BETA,
    FACE_0,
    LENGTH_0,
    LIMIT_0,
    MODIFIED,
    PER_FACE,
    PER_LENGTH,
    PER_LIMIT,
    PITCH,
    SENSE,
    SIDE,
    SIN_BETA,
    TEETH,
    TWIST,
)

__all__ = ["flank_limits", "gap_and_place", "gaps"]

_BEHIND = 0.1
"""Part of a pitch by which flanks may overlap before the next tooth counts as the one they meet."""


@leaf
def deviation(numbers: A1, tables: A3, table: I8, length: F8, face: F8) -> F8:
    """δ(L, ζ) [m], linear between the points of a table, its edge beyond it."""
    n, m = tables.shape[1], tables.shape[2]
    u = min(max((length - numbers[LENGTH_0]) * numbers[PER_LENGTH], 0.0), n - 1.0)
    v = min(max((face - numbers[FACE_0]) * numbers[PER_FACE], 0.0), m - 1.0)
    i = min(int(u), n - 2)
    j = min(int(v), m - 2)
    u -= i
    v -= j
    low = (1.0 - v) * tables[table, i, j] + v * tables[table, i, j + 1]
    high = (1.0 - v) * tables[table, i + 1, j] + v * tables[table, i + 1, j + 1]
    return (1.0 - u) * low + u * high


@leaf
def flank_limits(numbers: A1, limits: A2, face: F8) -> V2:
    """Least and greatest L [m] at ζ."""
    n = limits.shape[0]
    v = min(max((face - numbers[LIMIT_0]) * numbers[PER_LIMIT], 0.0), n - 1.0)
    j = min(int(v), n - 2)
    v -= j
    return (1.0 - v) * limits[j, 0] + v * limits[j + 1, 0], (1.0 - v) * limits[j, 1] + v * limits[j + 1, 1]


@block
def gap_and_place(
    a: A1, deviations_a: A3, table_a: I1, b: A1, deviations_b: A3, table_b: I1, pose: A1, angle_a: F8, angle_b: F8,
    tooth: I8, length: F8, face: F8,
) -> V4:  # fmt: skip
    """Gap [m] along the normal of B, roll length L_B and face coordinate ζ_B [m] of the point, and the tooth of B.

    pose: rotation matrix of B row by row, then its centre [m], in the axes in which A turns about z. The angles [rad]
    are those of both gears about their own axes. L_B is −1 inside the base circle of B, where there is no flank.
    """
    # the point of A: p = e^{iτ} (r_b + i c (L + σ δ cos β_b)), z = ζ − s δ sin β_b
    side, curl = a[SIDE], a[SIDE] * a[SENSE]
    shift = 0.0
    if a[MODIFIED] != 0.0:
        shift = deviation(a, deviations_a, table_a[tooth % np.int64(a[TEETH])], length, face)
    arm = curl * (length + a[SENSE] * shift * a[COS_BETA])
    turn = curl * (a[BASE_ANGLE] - length / a[BASE_RADIUS]) + a[TWIST] * face + a[PITCH] * tooth + angle_a
    cosine, sine = math.cos(turn), math.sin(turn)
    x = cosine * a[BASE_RADIUS] - sine * arm - pose[9]
    y = sine * a[BASE_RADIUS] + cosine * arm - pose[10]
    z = face - side * shift * a[SIN_BETA] - pose[11]
    # in the axes of B: q = Rᵀ (p − x)
    q_x = pose[0] * x + pose[3] * y + pose[6] * z
    q_y = pose[1] * x + pose[4] * y + pose[7] * z
    face_b = pose[2] * x + pose[5] * y + pose[8] * z
    r_b = b[BASE_RADIUS]
    square = q_x * q_x + q_y * q_y - r_b * r_b
    if square < 0.0:
        return np.inf, -1.0, face_b, 0.0
    full = math.sqrt(square)
    c = b[SIDE] * b[SENSE]
    # polar angle less c atan(L/r_b), less τ(L, ζ) of the flank
    behind = math.atan2(q_y * r_b - c * full * q_x, q_x * r_b + c * full * q_y) - angle_b
    behind -= c * (b[BASE_ANGLE] - full / r_b) + b[TWIST] * face_b
    behind -= 2.0 * math.pi * np.rint(behind / (2.0 * math.pi))
    raw = b[SIDE] * behind
    number = math.floor(raw / b[PITCH] + _BEHIND)
    tooth_b = np.int64(b[SIDE] * number) % np.int64(b[TEETH])
    gap = r_b * b[COS_BETA] * (raw - number * b[PITCH])
    length_b = full
    if b[MODIFIED] != 0.0:
        place = table_b[tooth_b]
        more = deviation(b, deviations_b, place, full, face_b)
        for _ in range(2):  # δ belongs to the foot of the normal
            length_b = full - b[SENSE] * more * b[COS_BETA]
            more = deviation(b, deviations_b, place, length_b, face_b + b[SIDE] * more * b[SIN_BETA])
        gap -= more
    return gap, length_b, face_b, float(tooth_b)


@entry
def gaps(
    a: A1, deviations_a: A3, table_a: I1, b: A1, deviations_b: A3, table_b: I1, pose: A1, angle_a: F8, angle_b: F8,
    tooth: I8, lengths: A1, faces: A1, out: A2,
) -> None:  # fmt: skip
    """`gap_and_place` of many points of one tooth: out (n, 4)."""
    for i in range(lengths.size):
        found = gap_and_place(
            a, deviations_a, table_a, b, deviations_b, table_b, pose, angle_a, angle_b, tooth, lengths[i], faces[i]
        )
        for k in range(4):
            out[i, k] = found[k]
