"""Coordinates of the relative position of the axes to which elastic flanks respond, and the levels of their strips."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..contact.flank_data import FlankData, FlankSide
from ..contact.surface_elastic_pair import involutes_of
from ..gears.alignment import Alignment
from ..gears.placement import Placement
from ..model.gear_mesh import GearMesh

__all__ = ["Shifts", "position_shifts", "tilt_shifts"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shifts:
    """As in `elements.flank_shifts`.

    Attributes
    ----------
    base : (K,)
        Values in the position for which the tables were made.
    along : (K, 3)
        Components of the displacement of C_B along mu.
    turning : (K, 9)
        Of the direction cosines mu_i . xi_j, row by row.
    levels, slides : two of (phases, strips, K)
        Approach along the hoop and sliding per shift, of the drive and the coast flank.
    """

    base: FloatArray
    along: FloatArray
    turning: FloatArray
    levels: tuple[FloatArray, FloatArray]
    slides: tuple[FloatArray, FloatArray]

    @property
    def farthest(self) -> FloatArray:
        """Greatest levels (K,)."""
        found: FloatArray = np.max([np.abs(level).max(axis=(0, 1)) for level in self.levels], axis=0)
        return found


def tilt_shifts(part: GearMesh, data: FlankData, normal: tuple[float, float]) -> Shifts | None:
    """Tilt in the plane of action of both flanks of cylindrical gears. normal: that of the drive flank along ξ3 and ξ2.

    A rotation by f about the pitch point, in the plane of action, closes a gap by f ζ along the normals in a section. It moves
    points at q along the path of contact by −f q along the axis, which closes the gap of helical teeth by tan β_b of it.
    """
    stands = part.standing
    if stands is None:
        return None
    pitch = part.alignment.pitch
    alpha = math.atan(math.tan(pitch.pressure_angle) / math.cos(pitch.beta_a))
    hoop = math.cos(pitch.beta_a) / math.cos(alpha)
    levels, turning = [], np.zeros((2, 9))
    for k, (side, name, sign) in enumerate(((data.drive, "left", 1.0), (data.coast, "right", -1.0))):
        flank = involutes_of(data.a.teeth).flank(name).involute
        beyond = side.gaps.roll_a - flank.base_radius * math.tan(alpha)
        level = np.zeros((*beyond.shape, 2))
        level[..., k] = hoop * (side.gaps.zeta_a - stands.pitch_point + sign * flank.twist * flank.base_radius * beyond)
        levels.append(level)
        turning[k, 1:3] = normal[1], sign * normal[0]  # μ1·ξ2, μ1·ξ3
    across, towards = -math.cos(alpha) * stands.deviation, -math.sin(alpha) * stands.inclination
    built = np.array([towards + across, towards - across])
    slides = np.zeros_like(levels[0]), np.zeros_like(levels[1])
    return Shifts(built, np.zeros((2, 3)), turning, (levels[0], levels[1]), slides)


def position_shifts(aligned: Alignment, pose: Placement, data: FlankData, lever_b: float) -> Shifts:
    """Displacements of C_B and rotations of the frame of B, about the axes μ, from the pose of the tables.

    pose: of gear B in the axes of A, in phase. lever_b: c_B.
    """
    mu, xi = aligned.triad_a, pose.rotation @ aligned.triad_b
    point = pose.position + pose.rotation @ aligned.point_b
    if not aligned.pitch.is_rack:
        point = point + aligned.pitch.radius_b * xi[:, 1]
    along, turning = np.zeros((6, 3)), np.zeros((6, 3, 3))
    along[:3] = np.eye(3)
    R = mu.T @ xi
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        # the axial vector of E = (μ·ξ) Rᵀ: (E_ji − E_ij)/2
        turning[3 + k, j], turning[3 + k, i] = 0.5 * R[i], -0.5 * R[j]
    base = np.concatenate([mu.T @ (point - aligned.point_a), np.zeros(3)])
    (drive, slides), (coast, coast_slides) = (_levels(side, mu, point, lever_b) for side in (data.drive, data.coast))
    return Shifts(base, along, turning.reshape(6, 9), (drive, coast), (slides, coast_slides))


def _levels(side: FlankSide, mu: FloatArray, point: FloatArray, lever_b: float) -> tuple[FloatArray, FloatArray]:
    """(phases, strips, 6): approach along the hoop that closes a gap as much as a unit displacement or rotation of B, and sliding
    of A relative to B by it."""
    assert side.points is not None and side.normals is not None and side.slides is not None
    r = (side.points - point) @ mu
    opening, along = (np.concatenate([d, np.cross(r, d)], axis=-1) for d in (side.normals @ mu, side.slides @ mu))
    known = np.isfinite(side.gaps.play)[..., None]
    levels = np.where(known, -opening * (lever_b / side.gaps.lever)[..., None], 0.0)
    return levels, np.where(known, -along, 0.0)
