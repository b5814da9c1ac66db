"""Gears and pairs from the description of a model, so that a result file is sufficient for their data sheets."""

from __future__ import annotations

from typing import Any

from pitchline.errors import PitchlineError
from pitchline.gears import Gear, GearBody, GearPair, Hob, Material, Rack, Shaper, modifications
from pitchline.gears.surfaces import FlankPatch, FlankSurfaces

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Material, GearBody, Hob, Shaper, modifications.FlankModifications, modifications.Bias, modifications.DeviationGrid,
        modifications.EndRelief, modifications.HelixSlope, modifications.LeadCrowning, modifications.PitchDeviation,
        FlankPatch, FlankSurfaces,
        modifications.PressureAngleSlope, modifications.ProfileCrowning, modifications.RootRelief, modifications.TipRelief,
    )
}  # fmt: skip
_PARTS = ("material", "body", "tool", "modifications", "flanks")


def gear_of(said: Any) -> Gear | Rack | None:
    """Make the gear or rack again. None if the description was written by another version."""
    if not isinstance(said, dict):
        return None
    arguments = {key: value for key, value in said.items() if key != "type"}
    kind: Any = {"Gear": Gear, "Rack": Rack}.get(said.get("type", ""))
    if kind is None:
        return None
    try:
        for key in _PARTS:
            if isinstance(arguments.get(key), dict):
                arguments[key] = _part(arguments[key])
        if "body" in arguments:  # the body contains bore and rim diameter
            del arguments["bore"], arguments["rim_diameter"]
        made: Gear | Rack = kind(**arguments)
    except (PitchlineError, TypeError, ValueError, LookupError):
        return None
    return made


def _part(said: Any) -> Any:
    """Make a material, body, tool or modification from its description."""
    if isinstance(said, list):
        return [_part(item) for item in said]
    if not isinstance(said, dict):
        return said
    values = {key: _part(value) for key, value in said.items() if key != "type"}
    if said.get("type") == "FlankModifications":
        values["per_tooth"] = {(tooth, side): parts for (tooth, side), parts in values["per_tooth"]}
    if said.get("type") == "FlankSurfaces":
        values["per_tooth"] = tuple(((tooth, side), patch) for (tooth, side), patch in values["per_tooth"])
    return _KINDS[said["type"]](**values)


def pair_of(said: dict[str, Any], model: dict[str, Any]) -> GearPair | None:
    """Make the pair again. None if its wheels have no teeth."""
    wheels = model.get("wheels", {})
    a, b = (gear_of(wheels.get(said.get(side), {}).get("gear")) for side in ("wheel_a", "wheel_b"))
    if not isinstance(a, Gear) or b is None:
        return None
    distance, angle = said.get("centre_distance"), said.get("shaft_angle")
    # the kind of the pair determines which of the two it takes
    for wanted, turned in ((distance, None), (None, angle), (distance, angle), (None, None)):
        try:
            made = GearPair(a, b, centre_distance=wanted, shaft_angle=turned)
        except (PitchlineError, TypeError, ValueError):
            continue
        if str(made.kind) == said.get("kind"):
            return made
    return None
