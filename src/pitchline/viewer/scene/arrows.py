"""Forces between teeth as arrows at the points of contact."""

from __future__ import annotations

from typing import Any

from ..block import Block
from .source import SceneSource

__all__ = ["mesh_arrows"]


def mesh_arrows(source: SceneSource, block: Block) -> list[dict[str, Any]]:
    said = []
    for name in source.model.get("gear_pairs", {}):
        point, force = source.signal(f"{name}.contact_point"), source.signal(f"{name}.force_b")
        if point is not None and force is not None:
            said.append({
                "name": name, "of": name, "kind": "force", "group": "mesh", "unit": "N",
                "point": block.add(f"{name}/at", point, "f4"), "vector": block.add(f"{name}/on b", force, "f4"),
            })  # fmt: skip
    return said
