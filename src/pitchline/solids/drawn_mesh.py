"""drawn_mesh: the mesh of a described shape as it is drawn, smooth over flat edges and creased at sharp ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, shown
from .distinct_rows import distinct_rows
from .triangle_mesh import TriangleMesh

__all__ = ["DrawnMesh", "drawn_mesh"]

_SHARP = math.cos(math.radians(30.0))
_MOST_AROUND = 100
"""Triangles around a vertex beyond which its corners keep the normals of their triangles."""


@dataclass(frozen=True, eq=False)
class DrawnMesh:
    """A surface in the axes of its piece.

    position: (n, 3) float32 [m], normal: (n, 3) float32, of unit length; a vertex at a crease is there several times
    index:    (m, 3) uint32
    edge:     (e, 2, 3) float32, both ends of the sharp and the open edges [m]
    """

    position: npt.NDArray[np.float32]
    normal: npt.NDArray[np.float32]
    index: npt.NDArray[np.uint32]
    edge: npt.NDArray[np.float32]


def drawn_mesh(piece: Mapping[str, Any]) -> DrawnMesh:
    """The surface of a piece {"type": "mesh", ...} of a described shape; what is damaged is a ModelError."""
    mesh = TriangleMesh.from_description(piece)
    scale = piece.get("scale")
    if not isinstance(scale, (int, float)) or not 0.0 < scale < 1e30:
        raise ModelError(f"the surface of a shape is damaged: scale {shown(scale)}; run the model again")
    points = float(scale) * mesh.vertices.astype(np.float64)
    faces = mesh.triangles.astype(np.int64)
    area = np.cross(points[faces[:, 1]] - points[faces[:, 0]], points[faces[:, 2]] - points[faces[:, 0]])
    size = np.linalg.norm(area, axis=1, keepdims=True)
    unit = np.divide(area, size, out=np.zeros_like(area), where=size > 0.0)
    normals = _corner_normals(faces, area, unit)
    corners = np.concatenate([faces.reshape(-1, 1), np.round(normals * 1e3).astype(np.int64)], axis=1)
    where, index = distinct_rows(corners)
    return DrawnMesh(
        points[faces.reshape(-1)[where]].astype(np.float32),
        normals[where].astype(np.float32),
        index.reshape(-1, 3).astype(np.uint32),
        points[_sharp_edges(faces, unit)].astype(np.float32),
    )


def _corner_normals(faces: np.ndarray, area: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Unit normals (3 m, 3) at the corners: of all triangles around the vertex that are not turned by more than a crease."""
    vertex = faces.reshape(-1)
    face = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    normals = area[face].copy()
    most = int(count[count <= _MOST_AROUND].max(initial=0))
    for turn in range(1, most):  # each corner with the one `turn` places farther around its vertex
        here = np.nonzero((count[vertex[order]] > turn) & (count[vertex[order]] <= _MOST_AROUND))[0]
        start, around = first[vertex[order[here]]], count[vertex[order[here]]]
        other = order[start + (here - start + turn) % around]
        mine = order[here]
        near = np.einsum("ni,ni->n", unit[face[mine]], unit[face[other]]) >= _SHARP
        normals[mine[near]] += area[face[other[near]]]
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.divide(normals, length, out=np.tile([0.0, 0.0, 1.0], (len(normals), 1)), where=length > 0.0)


def _sharp_edges(faces: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Vertex numbers (e, 2) of edges between triangles that meet at an angle, or that belong to only one triangle."""
    ends = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    face = np.tile(np.arange(len(faces)), 3)
    where, edge_of = distinct_rows(ends)
    count = np.bincount(edge_of)
    order = np.argsort(edge_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    a = face[order[first]]
    b = face[order[first + count - 1]]
    flat = (count == 2) & (np.einsum("ni,ni->n", unit[a], unit[b]) >= _SHARP)
    found: np.ndarray = ends[where[~flat]]
    return found
