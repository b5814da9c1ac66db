"""Relative position of the two cylindrical gears of a pair in the initial pose, for contact analyses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..gears import Alignment, Gear, GearPair
from .joints import Placed

__all__ = ["MeshStanding", "mesh_standing", "standing_of_poses"]

_ALIKE = 1e-9
"""[m], [rad]: positions and axes that differ by less count as equal."""


@dataclass(frozen=True)
class MeshStanding:
    """Position and angles of gear B relative to gear A, as arguments of `contact.mesh_pose`.

    Attributes
    ----------
    centre_distance, face_offset : float
        [m] face_offset: offset of the middle of the face of B from that of A, along +z of A.
    deviation, inclination : float
        Angles between the axes of B and A [rad], out of the plane of the axes and in it.
    pitch_point : float
        Position of the pitch point, in the middle of the common face, along z of A from the middle of the face of A [m].
    start : float
        Angle of gear A [rad], from the pitch point to its x axis, at ψ_A = 0. There a tooth points at the pitch point in the middle
        of the common face. This need not be the middle of A, where its x axis passes through a tooth.
    reversed : bool
        Whether the axes point in opposite directions.
    """

    centre_distance: float
    face_offset: float
    deviation: float
    inclination: float
    pitch_point: float
    start: float
    reversed: bool


def mesh_standing(pair: GearPair, alignment: Alignment, pose_a: Placed, pose_b: Placed) -> MeshStanding:
    """Relative position of a pair on parallel axes, from the poses of its wheels. Rounding errors are removed."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    way = math.copysign(1.0, float(R_a[:, 2] @ R_b[:, 2]))
    z_b = way * R_b[:, 2]
    turned = alignment.pitch.triad_a @ alignment.triad_a.T
    return MeshStanding(
        centre_distance=round(pair.centre_distance, 12),
        face_offset=_rounded(float((x_b - x_a) @ R_a[:, 2])),
        deviation=_rounded(float(z_b @ alignment.mesh[:, 2])),
        inclination=_rounded(float(z_b @ alignment.mesh[:, 1])),
        pitch_point=_rounded(float(alignment.point_a[2])),
        start=_rounded(math.atan2(float(turned[1, 0]), float(turned[0, 0]))),
        reversed=way < 0.0,
    )


def standing_of_poses(pair: GearPair, pose_a: Placed, pose_b: Placed) -> MeshStanding:
    """The same from any poses, not only those in which the pair was put in mesh. Pitch point and start are 0."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    axis = R_a[:, 2]
    way = math.copysign(1.0, float(axis @ R_b[:, 2]))
    apart = x_b - x_a
    offset = float(apart @ axis)
    across = apart - offset * axis
    distance = math.sqrt(float(across @ across))
    inside = any(isinstance(gear, Gear) and gear.internal for gear in (pair.a, pair.b))
    towards = (
        -across if inside else across
    ) / distance  # from the axis of A to the pitch point; for a ring, A is the pinion
    tangent = np.cross(axis, towards)
    z_b = way * R_b[:, 2]
    return MeshStanding(
        centre_distance=round(distance, 12),
        face_offset=_rounded(offset),
        deviation=_rounded(float(z_b @ tangent)),
        inclination=_rounded(float(z_b @ towards)),
        pitch_point=0.0,
        start=0.0,
        reversed=way < 0.0,
    )


def _rounded(value: float) -> float:
    return round(value, 12) if abs(value) > _ALIKE else 0.0
