"""Wheels and racks on their bodies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...gears import Gear, Rack
from .gear_shapes import GearShapes
from .parts import Info, PartList
from .planar_layers import layer_shifts
from .tooth_phase import drawn_once, tooth_turns

__all__ = ["add_wheels", "gear_info"]


def add_wheels(parts: PartList, *, magnify_corrections: float = 1.0) -> None:
    """Every wheel of the model; equal gears share a shape, and gears at the same place are drawn once."""
    model = parts.model
    gears = GearShapes(model, parts.block, parts.shapes, magnify_corrections=magnify_corrections)
    turns, notes = tooth_turns(model)
    for note in notes:
        parts.note(note)
    once = drawn_once(model)
    drawn = {name: gears.of_wheel(wheel) for name, wheel in model.get("wheels", {}).items() if once[name] == name}
    layers = layer_shifts(
        model, {name: shape.gear.face_width or 0.0 for name, shape in drawn.items() if shape and shape.gear}
    )
    if layers:
        parts.note("planar model: wheels of one body at the same place are drawn side by side")
    for name, shape in drawn.items():
        wheel = model["wheels"][name]
        if shape is None:
            continue
        if shape.gear is None:
            for note in shape.notes:
                parts.note(note, name)
            continue
        same = [other for other, first in once.items() if first == name and other != name]
        frame = wheel["frame"]
        rotation = np.asarray(frame["rotation"], dtype=np.float64)
        position = np.asarray(frame["position"], dtype=np.float64) + layers.get(name, 0.0)
        if name in turns and isinstance(shape.gear, Rack):
            position = position + turns[name] * rotation[:, 1]
        elif name in turns:
            rotation = rotation @ _about_z(turns[name])
        parts.add(
            frame["body_name"],
            shape.name,
            name=name,
            kind="rack" if isinstance(shape.gear, Rack) else "gear",
            position=position,
            rotation=rotation,
            notes=shape.notes,
            colour=wheel.get("colour"),
            info=gear_info(shape.gear, wheel["gear"], shape.modifications),
            also=same or None,
        )


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _mm(length: float) -> str:
    return f"{1e3 * length:.5g} mm"


def _deg(angle: float) -> str:
    return f"{math.degrees(angle):.5g}°"


def gear_info(gear: Gear | Rack, said: dict[str, Any], modifications: str = "") -> Info:
    """Numbers of the drawing of a gear for a panel. An assumed face width is left out."""
    rows: Info = [("Kind", _kind(gear)), ("Teeth", str(gear.teeth)), ("Normal module", _mm(gear.normal_module))]
    rows.append(("Pressure angle", _deg(gear.normal_pressure_angle)))
    if gear.helix_angle:
        hand = "right" if gear.helix_angle > 0.0 else "left"
        label = "Spiral angle" if isinstance(gear, Gear) and gear.cone_angle else "Helix angle"
        rows.append((label, f"{_deg(abs(gear.helix_angle))} {hand}-hand"))
    if isinstance(gear, Gear):
        if gear.cone_angle:
            rows.append(("Cone angle", _deg(abs(gear.cone_angle))))
        if gear.profile_shift_angle:
            rows.append(("Profile shift angle", _deg(gear.profile_shift_angle)))
        if gear.profile_shift:
            rows.append(("Profile shift", f"{gear.profile_shift:.4g}"))
        rows.append(("Reference diameter", _mm(gear.reference_diameter)))
        if not gear.cone_angle:
            rows += [("Tip diameter", _mm(gear.tip_diameter)), ("Root diameter", _mm(gear.root_diameter))]
        if gear.bore:
            rows.append(("Bore", _mm(gear.bore)))
        if modifications:
            rows.append(("Modifications", modifications))
    else:
        rows.append(("Length", _mm(gear.length)))
    if said.get("face_width"):
        rows.insert(3, ("Face width", _mm(said["face_width"])))
    material = said.get("material") or {}
    if material.get("name"):
        rows.append(("Material", str(material["name"])))
    return rows


def _kind(gear: Gear | Rack) -> str:
    helical = "helical" if gear.helix_angle else "spur"
    if isinstance(gear, Rack):
        return "helical rack" if gear.helix_angle else "rack"
    if gear.cone_angle:
        return "spiral bevel gear" if gear.helix_angle else "straight bevel gear"
    if gear.worm:
        return "worm"
    if gear.profile_shift_angle:
        return "conical involute gear (beveloid)"
    return f"internal {helical} gear" if gear.internal else f"{helical} gear"
