"""Coordinates in which a constant mass matrix is diagonal.

From the last bodies of the tree to the first, each coordinate absorbs those it is coupled with: x_i = q_i + (m_ij / m_ii) q_j + ...
For a planet on a carrier with a parallel axis this is its absolute angle, and the inertia of the carrier includes the masses of the
planets. Driven coordinates come last and stay as they are.
"""

from __future__ import annotations

import numpy as np

from ....system.train_search import NotATrain
from ....system.tree_kernels import RIGID
from .rolling_tree import RollingTree, snapped

__all__ = ["diagonal_coordinates"]

NO_INERTIA = 1e-12
"""Inertia of a coordinate, relative to the sum it was part of, that is rounding."""


def diagonal_coordinates(tree: RollingTree, mass: np.ndarray, driven: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(L (n, n), inertia (n,)) with x = L q and mass = L^T diag(inertia) L."""
    n = len(mass)
    rest, L, inertia = mass.copy(), np.eye(n), np.zeros(n)
    order = sorted((i for i in range(n) if i not in driven), key=lambda i: -_depth(tree, i)) + driven
    for place, i in enumerate(order):
        later = order[place + 1 :]
        inertia[i] = rest[i, i]
        if i in driven:
            continue
        if rest[i, i] <= NO_INERTIA * mass[i, i] or not mass[i, i] > 0.0:
            raise NotATrain(f'the body of joint "{tree.coordinates[i].name}" has no inertia about its axis')
        share = snapped(rest[i, later] / rest[i, i])
        L[i, later] = share
        rest[np.ix_(later, later)] -= rest[i, i] * np.outer(share, share)
    return L, inertia


def _depth(tree: RollingTree, i: int) -> int:
    """Number of moving joints between the ground and the first body that coordinate i moves."""
    depth = {0: 0}
    found = len(tree.edges)
    for edge, gamma in zip(tree.edges, tree.gamma, strict=True):
        depth[int(edge["node"])] = depth[int(edge["parent"])] + (edge["kind"] != RIGID)
        if abs(gamma[i]) > 1e-9:
            found = min(found, depth[int(edge["node"])])
    return found
