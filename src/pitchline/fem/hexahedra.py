"""The reference hexahedra of 8 and 20 nodes: shape functions, Gauss points, and the map to an element's true shape.

Reference coordinates ξ, η, ζ run from -1 to 1. The order of nodes is that of VTK and of the Abaqus/CalculiX elements
C3D8 and C3D20: corners 0-3 of the bottom ζ = -1 counter-clockwise, 4-7 above them, then the mid-edges 8-11 of the
bottom, 12-15 of the top and 16-19 of the vertical edges.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError

__all__ = [
    "CORNERS",
    "EDGES",
    "FACES",
    "REFERENCE_NODES",
    "element_gradients",
    "gauss_points",
    "reference_nodes",
    "shape_functions",
    "shape_gradients",
]


CORNERS: Final[FloatArray] = np.array(
    [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], dtype=float
)
"""(8, 3) reference coordinates of the corners."""

EDGES: Final = (
    (0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7),
)  # fmt: skip
"""The corners at both ends of edge e, whose middle is node 8 + e."""

FACES: Final = (
    (0, 3, 2, 1, 11, 10, 9, 8),
    (4, 5, 6, 7, 12, 13, 14, 15),
    (0, 1, 5, 4, 8, 17, 12, 16),
    (1, 2, 6, 5, 9, 18, 13, 17),
    (2, 3, 7, 6, 10, 19, 14, 18),
    (3, 0, 4, 7, 11, 16, 15, 19),
)
"""Four corners, counter-clockwise seen from outside, and four mid-edges of each of the six faces."""

REFERENCE_NODES: Final[FloatArray] = np.concatenate([CORNERS, [(CORNERS[a] + CORNERS[b]) / 2 for a, b in EDGES]])
"""(20, 3) reference coordinates of all nodes; the first eight are the corners."""


def reference_nodes(n_nodes: int) -> FloatArray:
    """(n_nodes, 3) reference coordinates of the nodes of the element with 8 or 20 nodes."""
    if n_nodes not in (8, 20):
        raise ModelError(f"hexahedra must have 8 or 20 nodes, got elements of {n_nodes} nodes")
    return REFERENCE_NODES[:n_nodes]


@lru_cache(maxsize=8)
def gauss_points(per_direction: int) -> tuple[FloatArray, FloatArray]:
    """Points (n³, 3) and weights (n³,) of the product Gauss rule, exact to degree 2n - 1 in each direction."""
    x, w = np.polynomial.legendre.leggauss(per_direction)
    points = np.stack(np.meshgrid(x, x, x, indexing="ij"), axis=-1).reshape(-1, 3)
    weights = np.einsum("i,j,k->ijk", w, w, w).ravel()
    points.flags.writeable = weights.flags.writeable = False
    return points, weights


def shape_functions(n_nodes: int, points: FloatArray) -> FloatArray:
    """N (points, n_nodes): the trilinear functions, or the 20 serendipity functions, at reference points (points, 3)."""
    return _shapes(n_nodes, points)[0]


def shape_gradients(n_nodes: int, points: FloatArray) -> FloatArray:
    """dN/dξ (points, 3, n_nodes) at reference points (points, 3)."""
    return _shapes(n_nodes, points)[1]


def _shapes(n_nodes: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values and reference gradients of the shape functions.

    8 nodes: N_a = f_1 f_2 f_3 / 8 with f_i = 1 + ξ_i ξ_ai. 20 nodes: corners N_a = f_1 f_2 f_3 (Σ ξ_i ξ_ai - 2) / 8;
    mid-edges, where ξ_ai = 0 along the edge: N_a = f_1 f_2 f_3 / 4 with that factor replaced by 1 - ξ_i².
    """
    nodes = reference_nodes(n_nodes)
    xi = np.asarray(points, dtype=float).reshape(-1, 1, 3)
    f = np.where(nodes == 0.0, 1.0 - xi**2, 1.0 + xi * nodes)
    df = np.where(nodes == 0.0, -2.0 * xi, np.broadcast_to(nodes, f.shape))
    scale = np.full(n_nodes, 0.125 if n_nodes == 8 else 0.25)
    scale[:8] = 0.125
    N = f.prod(axis=2) * scale
    dN = np.stack([df[..., i] * f[..., i - 1] * f[..., i - 2] for i in range(3)], axis=1) * scale[None, None, :]
    if n_nodes == 20:
        factor = (xi * nodes[:8]).sum(axis=2) - 2.0
        dN[:, :, :8] = dN[:, :, :8] * factor[:, None, :] + N[:, None, :8] * nodes[:8].T[None]
        N[:, :8] *= factor
    return N, dN


def element_gradients(
    coordinates: FloatArray, reference_gradients: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gradients in space, and what is needed to integrate, of many elements at once.

    Parameters
    ----------
    coordinates
        (elements, nodes, 3) places of the nodes [m].
    reference_gradients
        (points, 3, nodes) dN/dξ from `shape_gradients`.

    Returns
    -------
    gradients
        (elements, points, 3, nodes) dN/dx = J⁻¹ dN/dξ with J_ij = dx_j/dξ_i [1/m].
    determinants
        (elements, points) det J [m³]; positive in a valid element.
    inverses
        (elements, points, 3, 3) J⁻¹ [1/m].
    """
    J = np.matmul(reference_gradients[None], coordinates[:, None])
    adjugate = np.empty_like(J)
    for i in range(3):
        a, b = J[:, :, (i + 1) % 3], J[:, :, (i + 2) % 3]
        for j in range(3):  # column i of the adjugate is the cross product of the two other rows of J
            k, l = (j + 1) % 3, (j + 2) % 3
            adjugate[:, :, j, i] = a[..., k] * b[..., l] - a[..., l] * b[..., k]
    determinants = (J[:, :, 0] * adjugate[:, :, :, 0]).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverses = adjugate / determinants[..., None, None]
    return np.matmul(inverses, reference_gradients[None]), determinants, inverses
