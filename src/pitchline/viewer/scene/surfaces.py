"""Surfaces of triangles as shapes of a block: whole, or one piece that is repeated about the z axis.

`reach` of a shape is the distance [m] of its farthest point from its origin.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...files.triangles import Triangles
from ..block import Block

__all__ = ["content_key", "mesh_shape", "one_of", "turned_shape"]

_BORDER = 0.12345
"""Where one of several equal pieces begins, in pieces: a place where no triangle of the surfaces here has its centre."""

FloatArray = NDArray[np.float64]


def content_key(*arrays: ArrayLike) -> str:
    """Equal for equal arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        data = np.ascontiguousarray(array)
        digest.update(repr((data.shape, str(data.dtype))).encode() + data.tobytes())
    return digest.hexdigest()


def mesh_shape(block: Block, name: str, surface: Triangles) -> dict[str, Any]:
    """A surface as it is; one without normals is shaded flat."""
    return {"type": "mesh", **_arrays(block, name, surface)}


def turned_shape(block: Block, name: str, surface: Triangles, count: int) -> dict[str, Any]:
    """One piece of a surface, which a page draws `count` times about z."""
    return {"type": "turned", "count": count, **_arrays(block, name, surface)}


def one_of(surface: Triangles, count: int) -> Triangles | None:
    """One of `count` equal pieces about z; None where the triangles or edges are not such pieces.

    A triangle belongs to the piece in which its centre lies, so that each set of equal ones is cut into one each. Triangles with
    their centre on the axis cannot be distinguished.
    """
    piece = 2.0 * math.pi / count

    def first(centres: FloatArray) -> NDArray[np.int64]:
        angle = np.arctan2(centres[:, 1], centres[:, 0]) - _BORDER * piece
        return np.flatnonzero(np.floor((angle % (2.0 * math.pi)) / piece) == 0)

    triangles = first(surface.points[surface.triangles].mean(axis=1))
    edges = surface.edges if surface.edges is not None else np.zeros((0, 2), np.int64)
    lines = first(surface.points[edges].mean(axis=1))
    if len(triangles) * count != len(surface.triangles) or len(lines) * count != len(edges):
        return None
    normals = None if surface.normals is None else surface.normals[triangles]
    return Triangles(surface.points, surface.triangles[triangles], normals, edges[lines])


def _arrays(block: Block, name: str, surface: Triangles) -> dict[str, Any]:
    normals = surface.normals
    if normals is None:
        normals = np.repeat(surface.face_normals[:, None], 3, axis=1)
    P, N, index = _welded(surface.points[surface.triangles].reshape(-1, 3), normals.reshape(-1, 3))
    said: dict[str, Any] = {
        "reach": float(np.sqrt((P**2).sum(axis=1).max())),
        "position": block.add(f"{name}.position", P, "f4"),
        "normal": block.add(f"{name}.normal", N, "i1"),
        "index": block.add(f"{name}.index", index, "u2" if len(P) < 65536 else "u4"),
    }
    if surface.edges is not None and len(surface.edges):
        said["edge"] = block.add(f"{name}.edge", surface.points[surface.edges], "f4")
    return said


def _welded(points: FloatArray, normals: FloatArray) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
    """Corners with the same place and normal, as they are stored, as one vertex; in the order of their first use."""
    key = np.empty((len(points), 4), np.float32)
    key[:, :3] = points
    shade = np.round(127.0 * normals).astype(np.int8)
    key[:, 3] = shade.astype(np.int32) @ np.array([65536, 256, 1])
    raw = np.ascontiguousarray(key + np.float32(0.0)).view([("", np.void, 16)]).ravel()  # + 0: −0 is 0
    _, where, index = np.unique(raw, return_index=True, return_inverse=True)
    order = np.argsort(where, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    where = where[order]
    return points[where], shade[where].astype(np.float64), rank[index.ravel()]
