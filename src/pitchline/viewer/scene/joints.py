"""Joints of a model, where they stand on their bodies."""

from __future__ import annotations

from typing import Any

from .source import SceneSource

__all__ = ["joints_of"]


def joints_of(source: SceneSource) -> list[dict[str, Any]]:
    return [
        {
            "name": joint["name"], "kind": joint["kind"], "body": joint["frame_b"]["body_name"],
            "other": joint["frame_a"]["body_name"], "position": joint["frame_b"]["position"],
            "axis": [row[2] for row in joint["frame_b"]["rotation"]], "size": 0.0,
        }
        for joint in source.model.get("joints", {}).values()
    ]  # fmt: skip
