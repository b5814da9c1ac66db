"""Bodies: what is drawn of each, and where it stands."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...errors import PitchlineError
from ...gears import Gear
from ...model.described_gears import gear_of
from ...solids.rotations import quaternion_of
from ..block import Block
from .gear_shapes import gear_shape
from .source import SceneSource

__all__ = ["bodies_of"]


def bodies_of(source: SceneSource, block: Block, shapes: dict[str, Any], notes: list[str]) -> list[dict[str, Any]]:
    parts = _wheels(source, block, shapes, notes)
    said = []
    for name, body in source.model["bodies"].items():
        entry = {"name": name, "group": "Bodies", "info": [], "parts": parts.get(name, [])}
        place, turn = source.signal(f"{name}.position"), source.signal(f"{name}.orientation")
        if place is None or turn is None:
            place, turn = np.array([body["position"]]), np.array([quaternion_of(np.array(body["orientation"]))])
        elif not np.ptp(place, axis=0).any() and not np.ptp(turn, axis=0).any():
            place, turn = place[:1], turn[:1]
        said.append(entry | {"place": block.add_columns(f"{name}/x", place), "turn": block.add_columns(f"{name}/q", turn)})
    return said


def _wheels(source: SceneSource, block: Block, shapes: dict[str, Any], notes: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Gears by the names of their bodies; equal gears share a shape."""
    known: dict[str, str] = {}
    found: dict[str, list[dict[str, Any]]] = {}
    for wheel in source.model.get("wheels", {}).values():
        key = json.dumps(wheel["gear"], sort_keys=True)
        if key not in known:
            gear, called = gear_of(wheel["gear"]), f"gear {len(known) + 1}"
            try:
                if not isinstance(gear, Gear):
                    raise PitchlineError("no surface for this kind of gear")
                shapes[called] = gear_shape(block, called, gear)
            except PitchlineError as error:
                notes.append(f"{wheel['name']}: not drawn: {error}")
                continue
            known[key] = called
        frame = wheel["frame"]
        found.setdefault(frame["body_name"], []).append(
            {"shape": known[key], "position": frame["position"], "rotation": frame["rotation"], "kind": "gear",
             "name": wheel["name"]}
        )
    return found
