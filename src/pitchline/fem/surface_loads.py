"""Consistent nodal forces of pressures on the faces of hexahedra."""

from __future__ import annotations

import numpy as np

from .hexahedra import FACES
from .solid_grid import FloatArray, IntArray, SolidGrid

__all__ = ["face_shapes", "faces_among", "pressure_loads"]

# Corners counter-clockwise seen from outside, then the middles of edges 0-1, 1-2, 2-3, 3-0.
_CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=float)


def faces_among(grid: SolidGrid, nodes: IntArray) -> IntArray:
    """(faces, 4 or 8) the faces of elements all of whose nodes are among those given; outward, counter-clockwise."""
    chosen = np.zeros(len(grid.nodes), dtype=bool)
    chosen[nodes] = True
    n_face = 4 if grid.order == 1 else 8
    faces = grid.elements[:, [list(face[:n_face]) for face in FACES]].reshape(-1, n_face)
    return faces[chosen[faces].all(axis=1)]


def face_shapes(n_nodes: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """N (points, nodes) and dN/d(ξ, η) (points, 2, nodes) of the faces with 4 or 8 nodes, at points (points, 2).

    4 nodes: (1 + ξ ξ_a)(1 + η η_a)/4. 8 nodes: corners that times (ξ ξ_a + η η_a - 1); mid-edges (1 - ξ²)(1 + η η_a)/2
    and (1 + ξ ξ_a)(1 - η²)/2.
    """
    places = _CORNERS
    if n_nodes == 8:
        places = np.concatenate([_CORNERS, (_CORNERS + np.roll(_CORNERS, -1, axis=0)) / 2])
    xi = np.asarray(points, dtype=float).reshape(-1, 1, 2)
    f = np.where(places == 0.0, 1.0 - xi**2, 1.0 + xi * places)
    df = np.where(places == 0.0, -2.0 * xi, np.broadcast_to(places, f.shape))
    scale = np.array([0.25] * 4 + [0.5] * (n_nodes - 4))
    N = f[..., 0] * f[..., 1] * scale
    dN = np.stack([df[..., 0] * f[..., 1], f[..., 0] * df[..., 1]], axis=1) * scale
    if n_nodes == 8:
        factor = (xi * _CORNERS).sum(axis=2) - 1.0
        dN[..., :4] = dN[..., :4] * factor[:, None] + N[:, None, :4] * _CORNERS.T
        N[:, :4] *= factor
    return N, dN


def pressure_loads(grid: SolidGrid, faces: IntArray, pressures: FloatArray | float) -> FloatArray:
    """(3 nodes,) forces f_a = -∫ N_a p n dA [N] of pressures on faces, positive into the material.

    Parameters
    ----------
    faces
        (faces, 4 or 8) from `faces_among`.
    pressures
        [Pa] one for all, (faces,), or at the nodes of each face (faces, 4 or 8), interpolated by its shape functions.
    """
    faces = np.asarray(faces)
    n_face = faces.shape[1]
    x, w = np.polynomial.legendre.leggauss(3 if n_face == 8 else 2)
    points = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
    weights = np.outer(w, w).ravel()
    N, dN = face_shapes(n_face, points)
    tangents = np.matmul(dN[None], grid.nodes[faces][:, None])
    normals = np.cross(tangents[:, :, 0], tangents[:, :, 1]) * weights[:, None]  # n dA, outward
    given = np.asarray(pressures, dtype=float)
    values = np.broadcast_to(given[:, None] if given.ndim == 1 else given, faces.shape)
    at_points = values @ N.T
    forces = -np.einsum("fp,pa,fpi->fai", at_points, N, normals, optimize=True)
    where, n = faces.ravel(), len(grid.nodes)
    total = np.zeros((n, 3))
    for i in range(3):
        total[:, i] = np.bincount(where, forces[..., i].ravel(), minlength=n)
    return total.ravel()
