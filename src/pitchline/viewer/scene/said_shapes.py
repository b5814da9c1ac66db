"""Shapes that the model specifies for bodies, stations, the ground and attached masses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...errors import ModelError
from ...model.names import GROUND_NAME
from ...solids.drawn_mesh import drawn_mesh
from ..block import Block
from .parts import PartList
from .poses import STRUCTURES

__all__ = ["add_said_shapes"]

_APART = ("position", "rotation", "colour", "opacity")
"""What pieces that share a shape may have each of their own."""


def add_said_shapes(parts: PartList) -> set[str]:
    """Add the pieces of every specified shape as parts of the bodies that have them; return the names of these bodies."""
    found = set()
    for body, name, said, position, rotation in _said(parts.model):
        if name == body:
            found.add(body)
        for piece in said["shape"]:
            try:
                shape = _shape(parts, piece)
                at = position + rotation @ np.asarray(piece["position"], dtype=np.float64)
                axes = rotation @ np.asarray(piece["rotation"], dtype=np.float64)
            except (ModelError, KeyError, TypeError, ValueError) as error:
                parts.note(f"a piece of its shape is not drawn: {error}", name)
                continue
            own = said if name != body else {}
            more = {key: piece.get(key, own.get(key)) for key in ("colour", "opacity") if key in piece or key in own}
            parts.add(body, shape, name=name, kind="shape", position=at, rotation=axes, **more)
    return found


def _said(model: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any], np.ndarray, np.ndarray]]:
    """The body that carries a shape, the name of what has it, its description, and its origin and axes on the body."""
    here = np.zeros(3), np.eye(3)
    bodies = dict(model["bodies"])
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            bodies |= structure["stations"]
    bodies[GROUND_NAME] = model.get(GROUND_NAME, {})
    for name, body in bodies.items():
        if "shape" in body:
            yield name, name, body, *here
    for name, element in model.get("elements", {}).items():
        if "shape" in element:
            (frame, *_) = element["frames"].values()
            yield frame["body_name"], name, element, np.asarray(frame["position"]), np.asarray(frame["rotation"])


def _shape(parts: PartList, piece: dict[str, Any]) -> str:
    sizes = {key: value for key, value in piece.items() if key not in _APART}
    key = hashlib.sha256(json.dumps(sizes, sort_keys=True).encode()).hexdigest()
    return parts.shape(f"given {key}", lambda name: _made(parts.block, name, piece))


def _made(block: Block, name: str, piece: dict[str, Any]) -> dict[str, Any]:
    kind = piece["type"]
    if kind == "box":
        return {"type": "box", "size": [float(x) for x in piece["size"]]}
    if kind == "cylinder":
        return {
            "type": "cylinder",
            "size": [float(piece["radius"]), float(piece["length"]), float(piece.get("inner", 0.0))],
        }
    if kind == "cone":
        return {"type": "cone", "size": [float(piece["radius"]), float(piece["end_radius"]), float(piece["length"])]}
    if kind == "sphere":
        return {"type": "sphere", "size": [float(piece["radius"])]}
    if kind != "mesh":
        raise ModelError(
            f'its kind "{kind}" is unknown; make the page with the version of pitchline that wrote the result'
        )
    mesh = drawn_mesh(piece)
    return {
        "type": "mesh",
        "position": block.add(f"{name}.position", mesh.position, "f4"),
        "normal": block.add(f"{name}.normal", np.round(127.0 * mesh.normal), "i1"),
        "index": block.add(f"{name}.index", mesh.index.reshape(-1), "u2" if len(mesh.position) < 65536 else "u4"),
        **({"edge": block.add(f"{name}.edge", mesh.edge, "f4")} if len(mesh.edge) else {}),
    }
