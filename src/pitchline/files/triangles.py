"""Closed surfaces of triangles: surface of a solid grid, moved, combined, and with normals for shading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, shown
from ..fem.hexahedra import FACES

if TYPE_CHECKING:
    from ..fem.sector_grid import SectorGrid
    from ..fem.solid_grid import SolidGrid

__all__ = ["Triangles", "joined", "outer_faces", "skin", "solid_of"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Triangles:
    """Surface of triangles, counter-clockwise seen from outside.

    Attributes
    ----------
    points : (n, 3)
        [m]
    triangles : (t, 3)
        Point indices.
    normals : (t, 3, 3) or None
        Unit normals at the corners of each triangle, for smooth shading; None: those of the flat triangles.
    edges : (e, 2)
        Point indices of the lines for drawings.
    """

    points: FloatArray
    triangles: IntArray
    normals: FloatArray | None = None
    edges: IntArray | None = None

    @property
    def volume(self) -> float:
        """Enclosed volume [m³]: V = Σ p_1 · (p_2 × p_3) / 6, by the divergence theorem; points relative to their mean,
        for accuracy."""
        p = (self.points - self.points.mean(axis=0))[self.triangles]
        return float(np.einsum("ti,ti->", p[:, 0], np.cross(p[:, 1], p[:, 2]))) / 6.0

    @property
    def face_normals(self) -> FloatArray:
        """(t, 3) unit normals of the flat triangles; zero for triangles without area."""
        p = self.points[self.triangles]
        n = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        length = np.linalg.norm(n, axis=1, keepdims=True)
        return np.asarray(n / np.where(length > 0.0, length, 1.0))

    def moved(self, rotation: npt.ArrayLike, position: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Triangles:
        """x + R p: the surface after a rotation (3, 3) and a translation (3,) [m]."""
        R = np.asarray(rotation, dtype=np.float64)
        normals = None if self.normals is None else self.normals @ R.T
        return replace(self, points=self.points @ R.T + np.asarray(position, dtype=np.float64), normals=normals)

    def smoothed(self, crease: float = 0.6) -> Triangles:
        """With normals averaged by area over neighbouring triangles whose angle is less than `crease` [rad]."""
        p = self.points[self.triangles]
        area = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        unit = self.face_normals
        corner = self.triangles.ravel()
        owner = np.repeat(np.arange(len(self.triangles)), 3)
        order = np.argsort(corner, kind="stable")
        count = np.bincount(corner, minlength=len(self.points))
        first = np.cumsum(count) - count
        total = np.zeros((len(corner), 3))
        for k in range(int(count.max())):  # k-th triangle at the point of each corner
            has = k < count[corner]
            other = owner[order[first[corner[has]] + k]]
            near = np.einsum("ci,ci->c", unit[owner[has]], unit[other]) > np.cos(crease)
            total[has] += np.where(near[:, None], area[other], 0.0)
        length = np.linalg.norm(total, axis=1, keepdims=True)
        return replace(self, normals=(total / np.where(length > 0.0, length, 1.0)).reshape(-1, 3, 3))


def solid_of(grid: SolidGrid | SectorGrid) -> SolidGrid:
    """The solid grid of a sector, or the given solid grid; an error for other objects."""
    solid: Any = getattr(grid, "solid", grid)
    elements, nodes = getattr(solid, "elements", None), getattr(solid, "nodes", None)
    if elements is None or nodes is None:
        raise ModelError(f"grid: expected a SolidGrid or a SectorGrid, got {shown(grid)}")
    if np.ndim(elements) != 2 or np.shape(elements)[1] not in (8, 20):
        raise ModelError(f"grid: expected hexahedra with 8 or 20 nodes, got elements of the shape {np.shape(elements)}")
    found: SolidGrid = solid
    return found


def outer_faces(elements: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Faces that belong to only one element: nodes (f, 4) or (f, 8: corners, then the middles after each), element,
    side.

    The side is 0 to 5 for S1 to S6.
    """
    count = 4 if elements.shape[1] == 8 else 8
    faces = np.stack([elements[:, list(nodes[:count])] for nodes in FACES], axis=1).reshape(-1, count)
    # two faces with the same corners are one face between two elements
    key = np.sort(faces[:, :4], axis=1)
    _, first, uses = np.unique(key, axis=0, return_index=True, return_counts=True)
    outer = np.sort(first[uses == 1])
    return faces[outer], outer // 6, outer % 6


def skin(grid: SolidGrid | SectorGrid, nodes: FloatArray | None = None) -> Triangles:
    """Outer surface of a solid grid; its edges are those of the elements. nodes: other positions of its nodes [m].

    Faces with four nodes are divided along the shorter diagonal, faces with eight nodes into six triangles over all
    their nodes.
    Only points of the surface are kept.
    """
    solid = solid_of(grid)
    place = np.asarray(solid.nodes if nodes is None else nodes, dtype=np.float64)
    faces, _, _ = outer_faces(np.asarray(solid.elements, dtype=np.int64))
    kept, local = np.unique(faces, return_inverse=True)
    return _triangulated(place[kept], local.reshape(faces.shape))


def _triangulated(points: FloatArray, faces: IntArray) -> Triangles:
    if faces.shape[1] == 4:
        p = points[faces]
        other = np.linalg.norm(p[:, 0] - p[:, 2], axis=1) > np.linalg.norm(p[:, 1] - p[:, 3], axis=1)
        quads = np.where(other[:, None], np.roll(faces, -1, axis=1), faces)
        triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
        around = faces
    else:
        cut = [(0, 4, 7), (1, 5, 4), (2, 6, 5), (3, 7, 6), (4, 5, 6), (4, 6, 7)]
        triangles = np.concatenate([faces[:, list(corners)] for corners in cut])
        around = faces[:, [0, 4, 1, 5, 2, 6, 3, 7]]
    pairs = np.stack([around, np.roll(around, -1, axis=1)], axis=-1).reshape(-1, 2)
    return Triangles(points, triangles, edges=np.unique(np.sort(pairs, axis=1), axis=0))


def joined(surfaces: Sequence[Triangles]) -> Triangles:
    """Combine several surfaces; with corner normals of all of them."""
    offsets = np.cumsum([0, *(len(surface.points) for surface in surfaces)])
    normals = [np.repeat(s.face_normals[:, None], 3, axis=1) if s.normals is None else s.normals for s in surfaces]
    edges = [
        np.zeros((0, 2), np.int64) if s.edges is None else s.edges + o for s, o in zip(surfaces, offsets, strict=False)
    ]
    return Triangles(
        np.concatenate([s.points for s in surfaces]),
        np.concatenate([s.triangles + o for s, o in zip(surfaces, offsets, strict=False)]),
        np.concatenate(normals),
        np.concatenate(edges),
    )
