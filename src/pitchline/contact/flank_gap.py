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

from ..gears.placement import Placement
from ..math.compiled import A1, F8, I1, I8, V2, V4, block, entry, leaf
from ..math.fields import INTEGER, MATRIX, NUMBER, VECTOR, behind, fields, packed, record_over
from ..math.vectors import mtv, sub

__all__ = [
    "FlankSurface",
    "Position",
    "flank_limits",
    "gap_and_place",
    "gaps",
    "position_at",
    "position_of",
    "surface_at",
]

_BEHIND = 0.1
"""Part of a pitch by which flanks may overlap before the next tooth counts as the one they meet."""

FlankSurface = fields(
    "FlankSurface",
    side=NUMBER,  # s: 1 left, −1 right
    sense=NUMBER,  # σ: 1 external, −1 internal
    base_radius=NUMBER,  # r_b [m]
    base_angle=NUMBER,  # η [rad]
    twist=NUMBER,  # κ [rad/m]
    cos_beta=NUMBER,  # of the base helix angle
    sin_beta=NUMBER,
    pitch=NUMBER,  # angular [rad]
    half_face=NUMBER,  # half the face width, and a little more [m]
    # least and greatest L [m] over ζ
    limit_lines=INTEGER,
    first_limit=NUMBER,  # ζ of the first line [m]
    limits_per_metre=NUMBER,
    limits=behind("limit_lines", 2),
    # tables of deviations δ [m] over L and ζ, one for each tooth that differs from others, one below the other
    modified=INTEGER,
    teeth=INTEGER,
    table_of=behind("teeth", of="integer"),
    lengths=INTEGER,
    first_length=NUMBER,  # [m]
    lengths_per_metre=NUMBER,
    faces=INTEGER,
    first_face=NUMBER,  # [m]
    faces_per_metre=NUMBER,
    rows=INTEGER,
    deviations=behind("rows", "faces"),
)
"""An involute flank with its microgeometry."""

Position = fields("Position", R=MATRIX, x=VECTOR, angle_a=NUMBER, angle_b=NUMBER)
"""Rotation and centre [m] of gear B in the axes in which A turns about z; angles [rad] of both gears about their own axes."""

surface_at, position_at = record_over(FlankSurface), record_over(Position)


def position_of(pose: Placement, angle_a: float, angle_b: float) -> np.ndarray:
    """Gears at their angles [rad], B in its pose."""
    return packed(Position, {"R": pose.rotation, "x": pose.position, "angle_a": angle_a, "angle_b": angle_b})


@leaf
def deviation(s: FlankSurface, tooth: I8, length: F8, face: F8) -> F8:
    """δ(L, ζ) [m] of a tooth, linear between the points of its table, its edge beyond it."""
    u = min(max((length - s.first_length) * s.lengths_per_metre, 0.0), s.lengths - 1.0)
    v = min(max((face - s.first_face) * s.faces_per_metre, 0.0), s.faces - 1.0)
    i = min(int(u), s.lengths - 2)
    j = min(int(v), s.faces - 2)
    u -= i
    v -= j
    deviations = s.deviations
    row = s.table_of[tooth] * s.lengths + i
    low = (1.0 - v) * deviations[row, j] + v * deviations[row, j + 1]
    high = (1.0 - v) * deviations[row + 1, j] + v * deviations[row + 1, j + 1]
    return (1.0 - u) * low + u * high


@leaf
def flank_limits(s: FlankSurface, face: F8) -> V2:
    """Least and greatest L [m] at ζ."""
    n, limits = s.limit_lines, s.limits
    v = min(max((face - s.first_limit) * s.limits_per_metre, 0.0), n - 1.0)
    j = min(int(v), n - 2)
    v -= j
    return (1.0 - v) * limits[j, 0] + v * limits[j + 1, 0], (1.0 - v) * limits[j, 1] + v * limits[j + 1, 1]


@block
def gap_and_place(a: FlankSurface, b: FlankSurface, at: Position, tooth: I8, length: F8, face: F8) -> V4:
    """Gap [m] along the normal of B, roll length L_B and face coordinate ζ_B [m] of the point, and the tooth of B.

    The point is that of a tooth of A at L and ζ [m]. L_B is −1 inside the base circle of B, where there is no flank.
    """
    # the point of A: p = e^{iτ} (r_b + i c (L + σ δ cos β_b)), z = ζ − s δ sin β_b
    side, curl = a.side, a.side * a.sense
    shift = 0.0
    if a.modified != 0:
        shift = deviation(a, tooth % a.teeth, length, face)
    arm = curl * (length + a.sense * shift * a.cos_beta)
    turn = curl * (a.base_angle - length / a.base_radius) + a.twist * face + a.pitch * tooth + at.angle_a
    cosine, sine = math.cos(turn), math.sin(turn)
    r_a = a.base_radius
    point = (cosine * r_a - sine * arm, sine * r_a + cosine * arm, face - side * shift * a.sin_beta)
    q_x, q_y, face_b = mtv(at.R, sub(point, at.x))  # in the axes of B
    r_b = b.base_radius
    square = q_x * q_x + q_y * q_y - r_b * r_b
    if square < 0.0:
        return np.inf, -1.0, face_b, 0.0
    full = math.sqrt(square)
    c = b.side * b.sense
    # polar angle less c atan(L/r_b), less τ(L, ζ) of the flank
    behind = math.atan2(q_y * r_b - c * full * q_x, q_x * r_b + c * full * q_y) - at.angle_b
    behind -= c * (b.base_angle - full / r_b) + b.twist * face_b
    behind -= 2.0 * math.pi * np.rint(behind / (2.0 * math.pi))
    raw = b.side * behind
    number = math.floor(raw / b.pitch + _BEHIND)
    tooth_b = np.int64(b.side * number) % b.teeth
    gap = r_b * b.cos_beta * (raw - number * b.pitch)
    length_b = full
    if b.modified != 0:
        more = deviation(b, tooth_b, full, face_b)
        for _ in range(2):  # δ belongs to the foot of the normal
            length_b = full - b.sense * more * b.cos_beta
            more = deviation(b, tooth_b, length_b, face_b + b.side * more * b.sin_beta)
        gap -= more
    return gap, length_b, face_b, float(tooth_b)


@entry
def gaps(a: A1, b: A1, position: A1, tooth: I8, lengths: A1, faces: A1, gap: A1, teeth_b: I1) -> None:
    """Gap and tooth of B of many points of one tooth; a, b: `FlankSurface`, position: `Position`."""
    s_a, s_b, at = surface_at(a, 0), surface_at(b, 0), position_at(position, 0)
    for i in range(lengths.size):
        gap[i], _, _, tooth_b = gap_and_place(s_a, s_b, at, tooth, lengths[i], faces[i])
        teeth_b[i] = np.int64(tooth_b)
