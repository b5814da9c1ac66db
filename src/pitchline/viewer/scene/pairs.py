"""Gear pairs: their wheels, the normal force between them, where they touch."""

from __future__ import annotations

from typing import Any

from ..block import Block
from .source import SceneSource

__all__ = ["pairs_of"]


def pairs_of(source: SceneSource, block: Block) -> list[dict[str, Any]]:
    wheels = source.model.get("wheels", {})
    said = []
    for name, pair in source.model.get("gear_pairs", {}).items():
        entry: dict[str, Any] = {"name": name, "kind": pair.get("kind", "")}
        for side in "ab":
            wheel = pair[f"wheel_{side}"]
            entry |= {f"wheel_{side}": wheel, f"body_{side}": wheels[wheel]["frame"]["body_name"]}
        for key, signal in (("force", "normal_force"), ("point", "contact_point")):
            values = source.signal(f"{name}.{signal}")
            if values is not None:
                entry[key] = block.add_columns(f"{name}/{key}", values)
        said.append(entry)
    return said
