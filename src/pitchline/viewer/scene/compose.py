"""The scene as one head: bodies with their parts, joints, springs, gear pairs, arrows."""

from __future__ import annotations

from typing import Any

from ..block import Block
from .arrows import arrows_of
from .bodies import bodies_of
from .gear_parts import add_wheels
from .joints import joints_of
from .pairs import pairs_of
from .parts import PartList
from .source import SceneSource

__all__ = ["scene"]


def scene(source: SceneSource, block: Block, *, magnify_corrections: float = 1.0) -> dict[str, Any]:
    """What a page draws of a source; arrays go into the block.

    magnify_corrections: factor of the modifications of flanks, which are micrometres, in the picture.
    """
    parts = PartList(source.model, block)
    time = block.add("time", source.time, "f8")
    add_wheels(parts, magnify_corrections=magnify_corrections)
    bodies = bodies_of(source, block, parts)
    return {
        "time": time, "shapes": parts.shapes, "bodies": bodies, "joints": joints_of(source), "springs": [],
        "pairs": pairs_of(source, block), "arrows": arrows_of(source, block), "notes": parts.notes,
    }  # fmt: skip
