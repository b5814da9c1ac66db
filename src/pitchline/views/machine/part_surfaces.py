"""Surfaces of the shapes of a scene, in the axes of their parts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pitchline.files.triangles import FloatArray, Triangles
from pitchline.solids.rotations import z_to
from pitchline.viewer.scene.solids import box, disc, sphere, turned
from pitchline.views.machine.state_source import MachineState

__all__ = ["surface_of"]

_AROUND = 96


def surface_of(state: MachineState, shape: dict[str, Any]) -> Triangles:
    """Return the whole surface of a shape, with its edges."""
    if shape["type"] in ("mesh", "turned"):
        return _listed(state, shape)
    made = _simple(shape)
    turn = np.eye(3)
    if shape["type"] == "box":
        turn = np.asarray(shape.get("axes", np.eye(3)), dtype=np.float64).T
    elif "axis" in shape:
        turn = z_to(np.asarray(shape["axis"], dtype=np.float64))
    return made.moved(turn, shape.get("at", (0.0, 0.0, 0.0)))


def _simple(shape: dict[str, Any]) -> Triangles:
    size = [float(x) for x in shape["size"]]
    match shape["type"]:
        case "box":
            return box(size)
        case "sphere":
            return sphere(size[0], 40, 20)
        case "cylinder":
            inner = size[2] if len(size) > 2 else 0.0
            return turned(disc(size[0], inner, -0.5 * size[1], 0.5 * size[1]), _AROUND)
        case "cone":
            half = 0.5 * size[2]
            return turned([(0.0, -half), (size[0], -half), (size[1], half), (0.0, half)], _AROUND)
        case _:  # capsule: radius, length without the caps
            half, angle = 0.5 * size[1], np.linspace(0.0, 0.5 * math.pi, 9)
            low = np.column_stack([size[0] * np.sin(angle), -half - size[0] * np.cos(angle)])
            high = np.column_stack([low[::-1, 0], -low[::-1, 1]])
            outline = np.concatenate([low, high])
            outline[[0, -1], 0] = 0.0
            return turned(outline, _AROUND)


def _listed(state: MachineState, shape: dict[str, Any]) -> Triangles:
    """Triangles of a mesh, or of one piece that is repeated about z."""
    points = np.asarray(state.array(shape["position"]), dtype=np.float64).reshape(-1, 3)
    normals = np.asarray(state.array(shape["normal"]), dtype=np.float64).reshape(-1, 3)
    index = np.asarray(state.array(shape["index"]), dtype=np.int64).reshape(-1, 3)
    edge = (
        np.asarray(state.array(shape["edge"]), dtype=np.float64).reshape(-1, 3) if "edge" in shape else np.zeros((0, 3))
    )
    count = int(shape.get("count", 1)) if shape["type"] == "turned" else 1
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    if count > 1:
        turns = _turns(count)
        first = len(points) * np.arange(count)
        index = (index[None] + first[:, None, None]).reshape(-1, 3)
        points, normals, edge = (np.einsum("kij,nj->kni", turns, v).reshape(-1, 3) for v in (points, normals, edge))
    # corners of edges are points of their own behind those of the triangles
    lines = len(points) + np.arange(len(edge)).reshape(-1, 2)
    return Triangles(np.concatenate([points, edge]), index, normals[index], lines if len(lines) else None)


def _turns(count: int) -> FloatArray:
    angle = 2.0 * math.pi * np.arange(count) / count
    made = np.zeros((count, 3, 3))
    made[:, 0, 0] = made[:, 1, 1] = np.cos(angle)
    made[:, 1, 0] = np.sin(angle)
    made[:, 0, 1] = -made[:, 1, 0]
    made[:, 2, 2] = 1.0
    return made
