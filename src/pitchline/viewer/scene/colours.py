"""Colours of bodies: soft, distinguishable by most people, the same for equal gears, different for meshing gears."""

from __future__ import annotations

from typing import Any

from .parts import PartList
from .poses import STRUCTURES

__all__ = ["BALL", "HOUSING", "PALETTE", "PLAIN", "RING", "STEEL", "body_colours"]

PALETTE = ("#5f96c4", "#dcb25c", "#68b096", "#c688a4", "#8dc0dd", "#d68c5c", "#9c90c6", "#a3ad84")
"""After Okabe and Ito, softened."""
STEEL, RING, BALL, HOUSING, PLAIN = "#a3adb8", "#c2c9d1", "#e3e7eb", "#b9c6d2", "#aab4bd"


def body_colours(model: dict[str, Any], parts: PartList) -> dict[str, str]:
    """Colours by name of body. Colours of the model come first. Bodies with gears then use the palette, others are grey."""
    said = {name: body["colour"] for name, body in model["bodies"].items() if body.get("colour")}
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            if structure.get("colour"):
                said |= dict.fromkeys([structure["name"], *structure["stations"]], structure["colour"])
            said |= {name: each["colour"] for name, each in structure["stations"].items() if each.get("colour")}
    if model.get("ground", {}).get("colour"):
        said["ground"] = model["ground"]["colour"]
    mates = _mates(model)
    of_shape: dict[str, str] = {}
    found: dict[str, str] = {}
    count = 0
    for name, listed in parts.by_body.items():
        gears = [part["shape"] for part in listed if part["kind"] in ("gear", "rack")]
        if name in said or not gears:
            continue
        taken = {found.get(other) for other in mates.get(name, ())}
        colour = of_shape.get(gears[0])
        if colour is None or colour in taken:
            free = [PALETTE[(count + k) % len(PALETTE)] for k in range(len(PALETTE))]
            colour = next((each for each in free if each not in taken), free[0])
            count += 1
            of_shape.setdefault(gears[0], colour)
        found[name] = colour
    links = [
        name
        for name, listed in parts.by_body.items()
        if name not in found and name not in said and any("colour" not in part for part in listed)
    ]
    if not found:  # a mechanism without gears: its links are told apart
        found = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(links)}
    else:
        found |= dict.fromkeys(links, PLAIN)
    return found | said


def _mates(model: dict[str, Any]) -> dict[str, set[str]]:
    wheels = model.get("wheels", {})
    found: dict[str, set[str]] = {}
    for pair in model.get("gear_pairs", {}).values():
        ends = [wheels[pair[key]]["frame"]["body_name"] for key in ("wheel_a", "wheel_b") if pair.get(key) in wheels]
        if len(ends) == 2:
            for own, other in (ends, ends[::-1]):
                found.setdefault(own, set()).add(other)
    return found
