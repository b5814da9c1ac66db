"""Pose of gear B in the axes of gear A of a pair, both turned about their own axes until their teeth are in phase."""

from __future__ import annotations

from ..gears import Alignment
from ..gears.placement import Placement, axial_rotation
from .joints import Placed

__all__ = ["in_phase_pose"]


def in_phase_pose(alignment: Alignment, pose_a: Placed, pose_b: Placed) -> Placement:
    """A tooth of A is in the middle of a space of B, at the pitch point."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    turned_a = R_a @ alignment.triad_a @ axial_rotation(-alignment.psi_a) @ alignment.triad_a.T
    turned_b = R_b
    if alignment.pitch.is_rack:
        x_b = x_b + alignment.psi_b * (R_b @ alignment.triad_b[:, 2])
    else:
        turned_b = R_b @ alignment.triad_b @ axial_rotation(-alignment.psi_b) @ alignment.triad_b.T
    return Placement(turned_a.T @ (x_b - x_a), turned_a.T @ turned_b)
