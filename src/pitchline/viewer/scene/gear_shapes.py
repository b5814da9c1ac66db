"""Gears by their true tooth surfaces: one pitch, which a page draws as many times as there are teeth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...files.gear_surface import gear_surface
from ...gears import Gear
from ..block import Block

__all__ = ["gear_shape"]


def gear_shape(block: Block, name: str, gear: Gear, profile_points: int = 6) -> dict[str, Any]:
    """One pitch of a gear, to be drawn `count` times about its axis."""
    surface = gear_surface(gear, profile_points=profile_points)
    triangles, edges = _sector(surface, gear.teeth)
    corners = surface.points[surface.triangles[triangles]].reshape(-1, 3)
    P, N, index = _welded(corners, surface.normals[triangles].reshape(-1, 3))
    return {
        "type": "turned",
        "count": gear.teeth,
        "position": block.add(f"{name}.position", P, "f4"),
        "normal": block.add(f"{name}.normal", np.round(127 * N), "i1"),
        "index": block.add(f"{name}.index", index, "u2" if len(P) < 65536 else "u4"),
        "edge": block.add(f"{name}.edge", surface.points[surface.edges[edges]], "f4"),
    }


def _sector(surface: Any, teeth: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the triangles and of the edges of one pitch: one of each set of `teeth` equal ones."""
    pitch = 2.0 * math.pi / teeth

    def first(centres: np.ndarray) -> np.ndarray:
        angle = np.arctan2(centres[:, 1], centres[:, 0]) - 0.12345 * pitch  # no centre lies on this border
        return np.nonzero(np.floor((angle % (2.0 * math.pi)) / pitch) == 0)[0]

    return first(surface.points[surface.triangles].mean(axis=1)), first(surface.points[surface.edges].mean(axis=1))


def _welded(points: np.ndarray, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners with the same place and normal as one vertex."""
    key = np.concatenate([np.round(points, 9), np.round(normals, 3)], axis=1)
    _, where, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return points[where], normals[where], index.ravel()
