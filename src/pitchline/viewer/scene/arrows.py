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
                "point": block.add_columns(f"{name}/at", point), "vector": block.add_columns(f"{name}/on b", force),
            })  # fmt: skip
    return said
