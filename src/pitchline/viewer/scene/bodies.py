"""Bodies: what is drawn of each, and where it stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.names import GROUND_NAME
from ..block import Block
from .colours import body_colours
from .parts import Info, PartList
from .poses import STRUCTURES, motion_of
from .source import SceneSource

__all__ = ["bodies_of"]


def bodies_of(source: SceneSource, block: Block, parts: PartList) -> list[dict[str, Any]]:
    """Bodies, then stations of structures, and the ground where it carries something."""
    model = source.model
    colours = body_colours(model, parts)
    said = [
        _entry(source, block, parts, name, "Bodies", _info(body), colours.get(name), body.get("hidden", False))
        for name, body in model["bodies"].items()
    ]
    for table, group in STRUCTURES.items():
        for structure in model.get(table, {}).values():
            for name, station in structure["stations"].items():
                info: Info = [("Station", f"{station['station']} of {structure['name']}")]
                entry = _entry(source, block, parts, name, group, info, colours.get(name), structure.get("hidden", False))
                said.append(entry | {"structure": structure["name"]})
    if GROUND_NAME in parts.by_body:
        said.append(_entry(source, block, parts, GROUND_NAME, "Ground", [], colours.get(GROUND_NAME), False))
    return said


def _entry(
    source: SceneSource,
    block: Block,
    parts: PartList,
    name: str,
    group: str,
    info: Info,
    colour: str | None,
    hidden: bool,
) -> dict[str, Any]:
    place, turn = motion_of(source, name)
    return {
        "name": name, "group": group, "info": info, "parts": parts.by_body.get(name, []),
        "place": block.add_columns(f"{name}/x", place), "turn": block.add_columns(f"{name}/q", turn),
        **({"colour": colour} if colour else {}), **({"hidden": True} if hidden else {}),
    }  # fmt: skip


def _info(body: dict[str, Any]) -> Info:
    mass = float(body["mass"])
    rows: Info = [("Mass", f"{mass:.5g} kg")]
    moments = np.diag(np.asarray(body["inertia"], dtype=np.float64))
    if moments.any():
        rows.append(("Inertia Ixx, Iyy, Izz", ", ".join(f"{value:.4g}" for value in moments) + " kg m²"))
    centre = 1e3 * np.asarray(body["centre_of_mass"], dtype=np.float64)
    if mass and np.abs(centre).max() > 1e-6:
        rows.append(("Centre of mass", "(" + ", ".join(f"{value + 0.0:.4g}" for value in centre) + ") mm"))
    return rows
