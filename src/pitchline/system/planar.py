"""Planar models: what the constraints say within the plane.

Of the six velocities of a node three are left, along e1 and e2 in the plane and about its normal n:

    V = E w ,   E = [e1 e2 0; 0 0 R^T n]   (6 x 3, constant: the bodies turn about n alone),

and of the gradients B of a joint's rows B E. A hinge about n has five rows, three of which are zero then; a slider along the
plane has rows that repeat each other. Such rows are idle: nothing can violate them, and they are no redundancy of the joints.
"""

from dataclasses import dataclass

import numpy as np

NOTHING = 1e-9
"""A row of unit length with less than this in the plane says nothing there."""


@dataclass(frozen=True)
class PlaneMaps:
    """The plane of a system."""

    maps: np.ndarray  # (nodes, 6, 3): E of each node
    idle: (
        np.ndarray
    )  # (multipliers) whether a row says nothing in the plane, or repeats another one of its element there
    left_out: (
        np.ndarray
    )  # idle multipliers that are not in the equations: all but those of what holds bodies in the plane

    def projected(self, nodes: tuple[int, ...], B: np.ndarray) -> np.ndarray:
        """Gradients (rows, 6 nodes) with their part in the plane alone."""
        out = np.zeros_like(B)
        for k, g in enumerate(nodes):
            part = slice(6 * k, 6 * k + 6)
            out[:, part] = B[:, part] @ self.maps[g] @ self.maps[g].T
        return out


def plane_maps(axes: np.ndarray, rotations: list[np.ndarray]) -> np.ndarray:
    """E of nodes with rotations R_WN, after that of the ground, which does not move; axes: columns e1, e2, n."""
    maps = np.zeros((len(rotations) + 1, 6, 3))
    for k, R in enumerate(rotations, 1):
        maps[k, :3, :2] = axes[:, :2]
        maps[k, 3:, 2] = R.T @ axes[:, 2]
    return maps


def idle_rows(B: np.ndarray, in_plane: np.ndarray) -> np.ndarray:
    """Which rows of an element say nothing in the plane, or repeat there what its other rows say.

    B, in_plane: gradients and their part in the plane, in one unit. The rows with most in the plane are taken first.
    """
    size = np.linalg.norm(B, axis=1)
    rows = in_plane / np.where(size > 0.0, size, 1.0)[:, None]
    idle = np.ones(len(rows), bool)
    basis: list[np.ndarray] = []
    for i in np.argsort(-np.linalg.norm(rows, axis=1), kind="stable"):
        w = rows[i].copy()
        for b in basis:
            w -= (w @ b) * b
        length = float(np.linalg.norm(w))
        if length > NOTHING:
            basis.append(w / length)
            idle[i] = False
    return idle
