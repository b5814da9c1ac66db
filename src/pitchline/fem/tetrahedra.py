"""The reference tetrahedra of 4 and 10 nodes: shape functions and points of integration.

Reference coordinates ξ, η, ζ ≥ 0 with ξ + η + ζ ≤ 1. The order of nodes is that of VTK and of the Abaqus/CalculiX elements C3D4
and C3D10: the corners (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), then the middles of the edges 0-1, 1-2, 2-0, 0-3, 1-3, 2-3.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["TET_EDGES", "TET_FACES", "tet_mass_points", "tet_shapes", "tet_stiffness_points"]

FloatArray = NDArray[np.float64]

TET_EDGES: Final = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
"""The corners at both ends of edge e, whose middle is node 4 + e."""

TET_FACES: Final = ((0, 2, 1, 6, 5, 4), (0, 1, 3, 4, 8, 7), (1, 2, 3, 5, 9, 8), (0, 3, 2, 7, 9, 6))
"""Three corners, counter-clockwise seen from outside, and three mid-edges of each of the four faces."""

_BARYCENTRIC = np.array([[-1.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 1.0]])
"""Gradients of the four barycentric coordinates by ξ, η, ζ."""


def tet_shapes(n_nodes: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """N (points, n_nodes) and dN/dξ (points, 3, n_nodes) of the element with 4 or 10 nodes.

    4 nodes: N_a = L_a, the barycentric coordinates. 10 nodes: corners L_a (2 L_a - 1), mid-edges 4 L_a L_b.
    """
    points = np.asarray(points, dtype=float).reshape(-1, 3)
    L = np.column_stack([1.0 - points.sum(axis=1), points])
    dL = np.broadcast_to(_BARYCENTRIC, (len(points), 3, 4))
    if n_nodes == 4:
        return L, dL.copy()
    a, b = np.array(TET_EDGES).T
    N = np.concatenate([L * (2.0 * L - 1.0), 4.0 * L[:, a] * L[:, b]], axis=1)
    corners = dL * (4.0 * L - 1.0)[:, None, :]
    edges = 4.0 * (dL[:, :, a] * L[:, None, b] + dL[:, :, b] * L[:, None, a])
    return N, np.concatenate([corners, edges], axis=2)


@lru_cache(maxsize=4)
def _conical(n: int) -> tuple[FloatArray, FloatArray]:
    """n³ points and positive weights, exact to degree 2n - 1: products of Gauss-Jacobi rules in a cube collapsed to a corner."""
    from scipy.special import roots_jacobi

    rules = []
    for power in (2, 1, 0):
        x, w = roots_jacobi(n, power, 0)
        rules.append(((1.0 + x) / 2.0, w / 2.0 ** (power + 1)))
    (x, wx), (y, wy), (z, wz) = rules
    X, Y, Z = np.meshgrid(x, y, z, indexing="ij")
    points = np.stack([X, Y * (1.0 - X), Z * (1.0 - X) * (1.0 - Y)], axis=-1).reshape(-1, 3)
    weights = np.einsum("i,j,k->ijk", wx, wy, wz).ravel()
    points.flags.writeable = weights.flags.writeable = False
    return points, weights


def tet_stiffness_points(n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Points and weights at which the stiffness is integrated, exact for straight edges: degree 0, or 2 with 10 nodes."""
    return _conical(1 if n_nodes == 4 else 2)


def tet_mass_points(n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Points and weights for the mass, exact for straight edges: degree 2, or 4 with 10 nodes."""
    return _conical(2 if n_nodes == 4 else 3)
