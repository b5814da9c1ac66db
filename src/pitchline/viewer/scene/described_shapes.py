"""Bodies by the shapes that the model gives them: boxes, cylinders, cones, spheres and meshes."""

from __future__ import annotations

import json
from typing import Any

from ...files.triangles import Triangles
from .parts import PartList
from .solids import SEGMENTS, box, disc, sphere, turned_piece
from .surfaces import mesh_shape, turned_shape

__all__ = ["add_described_shapes"]


def add_described_shapes(parts: PartList) -> set[str]:
    """Every body whose description says its shape; returns their names."""
    found = set()
    for name, body in parts.model["bodies"].items():
        pieces = body.get("shape")
        if pieces is None:
            continue
        found.add(name)
        for piece in pieces:
            _add(parts, name, piece)
    return found


def _add(parts: PartList, body: str, piece: dict[str, Any]) -> None:
    said = {key: value for key, value in piece.items() if key not in ("position", "rotation", "colour")}
    key = f"piece {json.dumps(said, sort_keys=True)}"
    try:
        shape = parts.shape(key, lambda n: _shape(parts, n, said))
    except (KeyError, TypeError, ValueError):
        parts.note(f'a shape of the kind "{said.get("type")}" is not one of this version: not drawn', body)
        return
    more = {"colour": piece["colour"]} if piece.get("colour") else {}
    parts.add(body, shape, name=body, kind="shape", position=piece["position"], rotation=piece["rotation"], **more)


def _shape(parts: PartList, name: str, said: dict[str, Any]) -> dict[str, Any]:
    kind = said["type"]
    if kind == "box":
        return mesh_shape(parts.block, name, box(said["size"]))
    if kind == "sphere":
        return mesh_shape(parts.block, name, sphere(float(said["radius"]), 48, 24))
    if kind in ("cylinder", "cone"):
        half = 0.5 * float(said["length"])
        if kind == "cylinder":
            outline = disc(float(said["radius"]), float(said.get("inner") or 0.0), -half, half)
        else:
            start, end = float(said["radius"]), float(said["end_radius"])
            outline = [(0.0, -half), (start, -half), (end, half), (0.0, half)]
        return turned_shape(parts.block, name, turned_piece(outline), SEGMENTS)
    if kind == "mesh":
        return mesh_shape(parts.block, name, _mesh(said))
    raise ValueError(kind)


def _mesh(said: dict[str, Any]) -> Triangles:
    raise ValueError("mesh")
