"""Pose of the second gear of a pair relative to the first one, in phase, from the poses of both."""

from __future__ import annotations

import numpy as np

from .alignment import Alignment
from .placement import Placement, axial_rotation

__all__ = ["in_phase"]


def in_phase(
    alignment: Alignment, pose_a: tuple[np.ndarray, np.ndarray], pose_b: tuple[np.ndarray, np.ndarray]
) -> Placement:
    """Pose of gear B in the axes of A, both turned about their own axes so that a tooth of A is in the middle of a space of B at
    the pitch point."""
    (x_a, R_a), (x_b, R_b) = pose_a, pose_b
    pitch = alignment.pitch
    turned_a = R_a @ alignment.triad_a @ axial_rotation(-alignment.psi_a) @ alignment.triad_a.T
    if pitch.is_rack:
        x_b = x_b + alignment.psi_b * (R_b @ alignment.triad_b[:, 2])
        turned_b = R_b
    else:
        turned_b = R_b @ alignment.triad_b @ axial_rotation(-alignment.psi_b) @ alignment.triad_b.T
    return Placement(turned_a.T @ (x_b - x_a), turned_a.T @ turned_b)
