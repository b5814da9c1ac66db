"""Joints of a model, where they stand on their bodies, as large as what they join."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    """From the nearest part: how far its points reach from its own origin [m]."""
    found = [float(parts.shapes[part["shape"]].get("reach", 0.0)) for part in parts.by_body[body]]
    return float(np.max(found)) if found else 0.0
