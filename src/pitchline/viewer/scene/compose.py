"""The scene as one head: bodies with their parts, joints, gear pairs, arrows."""

from __future__ import annotations

from typing import Any

from ..block import Block
from .arrows import mesh_arrows
from .bodies import bodies_of
from .joints import joints_of
from .pairs import pairs_of
from .source import SceneSource

__all__ = ["scene"]


def scene(source: SceneSource, block: Block) -> dict[str, Any]:
    """What a page draws of a source; arrays go into the block."""
    shapes: dict[str, Any] = {}
    notes: list[str] = []
    time = block.add("time", source.time, "f8")
    bodies = bodies_of(source, block, shapes, notes)
    return {
        "time": time, "shapes": shapes, "bodies": bodies, "joints": joints_of(source), "springs": [],
        "pairs": pairs_of(source, block), "arrows": mesh_arrows(source, block), "notes": notes,
    }  # fmt: skip
