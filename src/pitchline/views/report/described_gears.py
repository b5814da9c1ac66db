"""Gears and pairs from the description of a model, so that a result file alone gives their data sheets."""

from __future__ import annotations

from typing import Any

from pitchline.errors import PitchlineError
from pitchline.gears import Gear, GearPair, Material, Rack


def gear_of(said: Any) -> Gear | Rack | None:
    """The gear or rack; None where the description is not one of this version."""
    if not isinstance(said, dict):
        return None
    arguments = {key: value for key, value in said.items() if key != "type"}
    kind: Any = {"Gear": Gear, "Rack": Rack}.get(said.get("type", ""))
    if kind is None:
        return None
    try:
        if isinstance(arguments.get("material"), dict):
            stuff = {key: value for key, value in arguments["material"].items() if key != "type"}
            arguments["material"] = Material(**stuff)
        made: Gear | Rack = kind(**arguments)
    except (PitchlineError, TypeError, ValueError):
        return None
    return made


def pair_of(said: dict[str, Any], model: dict[str, Any]) -> GearPair | None:
    """The pair; None where its wheels have no teeth."""
    wheels = model.get("wheels", {})
    a, b = (gear_of(wheels.get(said.get(side), {}).get("gear")) for side in ("wheel_a", "wheel_b"))
    if not isinstance(a, Gear) or b is None:
        return None
    distance, angle = said.get("centre_distance"), said.get("shaft_angle")
    # which of the two a pair takes depends on its kind
    for wanted, turned in ((distance, None), (None, angle), (distance, angle), (None, None)):
        try:
            made = GearPair(a, b, centre_distance=wanted, shaft_angle=turned)
        except (PitchlineError, TypeError, ValueError):
            continue
        if str(made.kind) == said.get("kind"):
            return made
    return None
