"""The scene as one head: bodies with their parts, joints, springs, gear pairs, arrows."""

from __future__ import annotations

from typing import Any

from ..block import Block
from .arrows import arrows_of
from .bearings import add_bearings
from .bodies import bodies_of
from .carriers import add_carriers
from .contact_lines import contact_lines
from .deformed import deformed_of
from .far_away import far_away
from .gear_parts import add_wheels
from .housings import add_flexible_bodies
from .joints import joints_of
from .machine_elements import add_attached_masses, add_cams, add_couplings
from .membranes import membrane_edges, membrane_sheets
from .pairs import pairs_of
from .parts import PartList
from .said_shapes import add_said_shapes
from .shafts import add_beams, add_shafts
from .source import SceneSource
from .springs import add_bushings, springs_of
from .stand_ins import add_stand_ins

__all__ = ["scene"]


def scene(source: SceneSource, block: Block, *, magnify_corrections: float = 1.0) -> dict[str, Any]:
    """What a page draws of a source; arrays go into the block.

    magnify_corrections: factor of the modifications of flanks, which are micrometres, in the picture.
    """
    parts = PartList(source.model, block)
    time = block.add("time", source.time, "f8")
    said = add_said_shapes(parts)
    add_wheels(parts, magnify_corrections=magnify_corrections)
    add_shafts(parts)
    add_beams(parts)
    add_flexible_bodies(parts, source)
    add_cams(parts)
    add_carriers(parts, said)
    add_stand_ins(parts, said)
    add_bearings(parts)
    add_bushings(parts)
    add_couplings(parts)
    add_attached_masses(parts)
    bodies = bodies_of(source, block, parts)
    deformed = deformed_of(source, block, parts)
    return {
        "time": time, "gravity": list(source.model.get("gravity") or (0.0, 0.0, 0.0)),
        "shapes": parts.shapes, "bodies": bodies, "joints": joints_of(source, parts),
        "springs": [*springs_of(source.model), *membrane_edges(source.model)],
        "sheets": membrane_sheets(source.model), "pairs": pairs_of(source, block), "arrows": arrows_of(source, block),
        "contact": {"lines": contact_lines(source, block), "tables": []}, "deformed": deformed,
        "notes": [*far_away(source), *parts.notes, *deformed["notes"]],
    }  # fmt: skip
