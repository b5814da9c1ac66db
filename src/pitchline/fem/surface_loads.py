"""Points of integration on the faces of finite elements: quadrilaterals of 4 or 8 nodes, triangles of 3 or 6.

A face is cut into equal parts, each with a Gauss rule, because the functions to integrate have kinks anywhere on the face.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError

from .hexahedra import FACES
from .solid_grid import SolidGrid

__all__ = ["face_shapes", "faces_among", "pressure_loads", "FacePoints", "face_points", "triangle_shapes"]


# ---- surface loads

# Consistent nodal forces of pressures on the faces of hexahedra.

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


_GAUSS = 3
"""Gauss points along each side of a part of a quadrilateral."""

# Six points, exact to degree 4 (Dunavant 1985): barycentric (a, a, 1 - 2a) and their weights.
_TRIANGLE = ((0.445948490915965, 0.223381589678011), (0.091576213509771, 0.109951743655322))


class FacePoints:
    """Points of integration of faces that all have the same number of nodes.

    Attributes
    ----------
    shapes : (points, nodes of a face)
        Shape functions at the points of one face.
    positions : (faces, points, 3)
        [m]
    areas : (faces, points, 3)
        Normal times area dA times weight [m²]; its sense follows the order of the nodes.
    """

    def __init__(self, nodes: FloatArray, faces: IntArray, parts: int) -> None:
        shapes, slopes, weights = face_points(faces.shape[1], parts)
        corners = nodes[faces]
        self.shapes = shapes
        self.positions: FloatArray = np.einsum("pa,fak->fpk", shapes, corners, optimize=True)
        tangents = np.einsum("pda,fak->dfpk", slopes, corners, optimize=True)
        self.areas: FloatArray = np.cross(tangents[0], tangents[1]) * weights[:, None]


@lru_cache(maxsize=32)
def face_points(n_nodes: int, parts: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shape functions (points, nodes), their derivatives (points, 2, nodes) and weights (points,) of a reference face.

    parts: along each side of the face.
    """
    if n_nodes in (4, 8):
        points, weights = _quadrilateral(parts)
        shapes, slopes = face_shapes(n_nodes, points)
    elif n_nodes in (3, 6):
        points, weights = _triangle(parts)
        shapes, slopes = triangle_shapes(n_nodes, points)
    else:
        raise ModelError(f"faces of finite elements must have 3, 4, 6 or 8 nodes, got {n_nodes}")
    return shapes, slopes, weights


def triangle_shapes(n_nodes: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """N (points, nodes) and dN/d(ξ, η) (points, 2, nodes) of triangles: corners (0, 0), (1, 0), (0, 1), then the middles of
    the edges 0-1, 1-2, 2-0."""
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    L = np.column_stack([1.0 - points.sum(axis=1), points])
    dL = np.broadcast_to(np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]), (len(points), 2, 3))
    if n_nodes == 3:
        return L, dL.copy()
    a, b = [0, 1, 2], [1, 2, 0]
    N = np.concatenate([L * (2.0 * L - 1.0), 4.0 * L[:, a] * L[:, b]], axis=1)
    edges = 4.0 * (dL[:, :, a] * L[:, None, b] + dL[:, :, b] * L[:, None, a])
    return N, np.concatenate([dL * (4.0 * L - 1.0)[:, None, :], edges], axis=2)


def _quadrilateral(parts: int) -> tuple[FloatArray, FloatArray]:
    """Points (n, 2) and weights over −1 to 1."""
    x, w = np.polynomial.legendre.leggauss(_GAUSS)
    line = ((np.arange(parts)[:, None] + 0.5 * (x + 1.0)) * (2.0 / parts) - 1.0).ravel()
    weight = np.tile(w / parts, parts)
    points = np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
    return points, np.outer(weight, weight).ravel()


def _triangle(parts: int) -> tuple[FloatArray, FloatArray]:
    """Points (n, 2) and weights over the triangle of area 1/2."""
    barycentric, weights = [], []
    for a, w in _TRIANGLE:
        for k in range(3):
            point = np.full(3, a)
            point[k] = 1.0 - 2.0 * a
            barycentric.append(point)
            weights.append(0.5 * w)
    L = np.array(barycentric)
    found = []
    for i in range(parts):
        for j in range(parts - i):
            corners = [(i, j), (i + 1, j), (i, j + 1)]
            found.append(L @ np.array(corners, dtype=float))
            if i + j < parts - 1:
                found.append(L @ np.array([(i + 1, j + 1), (i, j + 1), (i + 1, j)], dtype=float))
    points = np.concatenate(found) / parts
    return points, np.tile(np.array(weights) / parts**2, len(found))
