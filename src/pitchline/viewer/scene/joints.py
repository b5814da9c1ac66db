"""Joints of a model, at their places on their bodies, as large as the bodies that they join."""

from __future__ import annotations

import math
from typing import Any

from ...model.names import GROUND_NAME
from .parts import PartList
from .scene_size import rest_size
from .source import SceneSource

__all__ = ["joints_of"]

_PART = 0.18
"""Of the reach of the smaller body that a symbol measures."""


def joints_of(source: SceneSource, parts: PartList) -> list[dict[str, Any]]:
    """Joints with their kind, place and axis on the second body, and the size of a symbol [m]."""
    scene = rest_size(source.model)
    reach = {name: _reach(parts, name) for name in parts.by_body}
    said = []
    for joint in source.model.get("joints", {}).values():
        a, b = joint["frame_a"], joint["frame_b"]
        sizes = [reach[f["body_name"]] for f in (a, b) if f["body_name"] != GROUND_NAME and reach.get(f["body_name"])]
        size = _PART * min(sizes) if sizes else 0.03 * scene
        own, other = (a, b) if b["body_name"] == GROUND_NAME else (b, a)
        said.append({
            "name": joint["name"], "kind": joint["kind"], "body": own["body_name"], "other": other["body_name"],
            "position": own["position"], "axis": [row[2] for row in own["rotation"]], "size": float(size) or 0.0,
            "info": [("Kind", joint["kind"].replace("_", " ")), ("Bodies", f"{a['body_name']}, {b['body_name']}")],
        })  # fmt: skip
    return said


def _reach(parts: PartList, body: str) -> float:
    """How far the largest part of a body reaches from its own origin [m]."""
    return max((_reach_of(parts.shapes[part["shape"]]) for part in parts.by_body[body]), default=0.0)


def _reach_of(shape: dict[str, Any]) -> float:
    if "reach" in shape:
        return float(shape["reach"])
    size = [float(x) for x in shape.get("size", [0.0])]
    match shape["type"]:
        case "cylinder":
            return math.hypot(size[0], 0.5 * size[1])
        case "cone":
            return math.hypot(max(size[:2]), 0.5 * size[2])
        case "box":
            return 0.5 * math.hypot(*size)
        case _:
            return size[0]
