"""Bodies: their drawn parts and their poses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.names import GROUND_NAME
from ..block import Block
from .cage_motion import Motion, cage_motions
from .colours import PLAIN, body_colours
from .parts import Info, PartList
from .poses import STRUCTURES, motion_of
from .source import SceneSource
from .turns import spin_of

__all__ = ["bodies_of"]


def bodies_of(source: SceneSource, block: Block, parts: PartList) -> list[dict[str, Any]]:
    """Bodies, structures with their stations, rolling elements of bearings, and the ground where it carries something."""
    model = source.model
    colours = body_colours(model, parts)
    hidden = {name for name, body in model["bodies"].items() if body.get("hidden")}
    said = []

    def take(
        name: str, group: str, info: Info, motion: Motion, *, like: str | None = None, hide: bool = False, **more: Any
    ) -> None:
        place, turn = motion
        opacity = _said_opacity(model, name)
        if opacity is not None:
            for part in parts.by_body.get(name, []):
                part.setdefault("opacity", opacity)
        said.append({
            "name": name, "group": group, "info": info, "parts": parts.by_body.get(name, []),
            "place": block.add_columns(f"{name}/x", place), "turn": block.add_columns(f"{name}/q", turn),
            **spin_of(source, block, parts, name, turn, like or name),
            "colour": colours.get(name) or _colour(parts, name), **({"hidden": True} if hide else {}), **more,
        })  # fmt: skip

    for name, body in model["bodies"].items():
        take(name, "Bodies", _info(body), motion_of(source, name), hide=name in hidden)
    for table, group in STRUCTURES.items():
        for structure in model.get(table, {}).values():
            called, hide = structure["name"], bool(structure.get("hidden"))
            if called in parts.structures:
                own = parts.by_body[called][0].get("info", [])
                take(
                    called,
                    group,
                    own,
                    motion_of(source, parts.structures[called]),
                    like=parts.structures[called],
                    hide=hide,
                )
            for name, station in structure["stations"].items():
                info: Info = [("Station", f"{station['station']} of {called}")]
                take(name, group, info, motion_of(source, name), hide=hide, structure=called)
    for name, motion in cage_motions(source).items():
        take(name, "Bearings", [], motion)
    if GROUND_NAME in parts.by_body:
        take(
            GROUND_NAME,
            "Ground",
            [],
            motion_of(source, GROUND_NAME),
            hide=bool(model.get(GROUND_NAME, {}).get("hidden")),
        )
    return said


def _colour(parts: PartList, name: str) -> str:
    """Of a body whose parts have colours of their own: that of the first."""
    return next((str(part["colour"]) for part in parts.by_body.get(name, []) if "colour" in part), PLAIN)


def _said_opacity(model: dict[str, Any], name: str) -> float | None:
    """Opacity of a body if the model specifies it: of the body, or of the structure whose station it is."""
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            if name in structure["stations"] or name == structure["name"]:
                own: float | None = structure["stations"].get(name, {}).get("opacity", structure.get("opacity"))
                return own
            if name == structure["name"]:
                whole: float | None = structure.get("opacity")
                return whole
    body = model.get(GROUND_NAME, {}) if name == GROUND_NAME else model["bodies"].get(name, {})
    found: float | None = body.get("opacity")
    return found


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
