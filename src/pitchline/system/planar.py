"""Planar models: constraints within the plane.

Of the six velocities of a node, three remain: along e1 and e2 in the plane, and about its normal n:

    V = E w ,   E = [e1 e2 0; 0 0 R^T n]   (6 x 3, constant: the bodies rotate only about n),

and B E of the gradients B of a joint's rows. A revolute joint about n has five rows, three of which are then zero; a slider in
the plane has linearly dependent rows. Such rows are idle: they cannot be violated, and they are not redundant constraints.
"""

from dataclasses import dataclass

import numpy as np

NOTHING = 1e-9
"""If a row of unit length has less than this in the plane, it has no effect there."""


@dataclass(frozen=True)
class PlaneMaps:
    """Plane of a system."""

    maps: np.ndarray  # (nodes, 6, 3): E of each node
    idle: (
        np.ndarray
    )  # (multipliers) whether a row has no effect in the plane, or depends there on another row of its element
    left_out: (
        np.ndarray
    )  # idle multipliers that are not in the equations: all except those that constrain bodies to the plane

    def projected(self, nodes: tuple[int, ...], B: np.ndarray) -> np.ndarray:
        """Gradients (rows, 6 nodes), only their components in the plane."""
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
    """Rows of an element that have no effect in the plane, or depend there on its other rows.

    B, in_plane: gradients and their components in the plane, in one unit. Rows with the largest components in the plane come first.
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
