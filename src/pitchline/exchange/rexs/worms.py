"""Worms and worm wheels of REXS."""

from __future__ import annotations

import math

from ...gears import Gear
from ...gears.material import Material
from ..imported import ImportReport
from .bevels import stage_of
from .component import RexsComponent
from .flanks import same_on_both
from .structure import UnitStructure

__all__ = ["worm_gear"]


def worm_gear(structure: UnitStructure, gear: RexsComponent, material: Material, report: ImportReport) -> Gear:
    """Worm, or worm wheel with the data of its worm. The sign of the lead angle is the hand of both."""
    stage = stage_of(structure, gear)
    worm = next((one for one in stage.gears if one.new_type == "worm_gear"), None)
    wheel = next((one for one in stage.gears if one.new_type == "worm_wheel"), None)
    if worm is None or wheel is None:
        raise stage.component.error(None, "a worm stage needs a worm_gear and a worm_wheel")
    starts = worm.require_integer("number_of_teeth")
    teeth = wheel.require_integer("number_of_teeth")
    for one, count in ((worm, starts), (wheel, teeth)):
        if not 1 <= abs(count) <= 10_000:
            raise one.error("number_of_teeth", "must be from 1 to 10000")
    module = worm.number("axial_module") or stage.component.number("axial_module")
    diameter = worm.number("reference_diameter_worm_gear")
    lead = worm.number("lead_angle_worm_gear")
    if module is None:
        raise worm.error("axial_module", "the value is missing")
    if diameter is None and not lead:
        raise worm.error("reference_diameter_worm_gear", "the value is missing. Specify it, or lead_angle_worm_gear")
    if diameter is not None:
        computed = math.atan(abs(starts) * module / diameter)
        if lead and abs(abs(lead) - computed) > math.radians(0.01):
            raise worm.error(
                "lead_angle_worm_gear", f"must be {math.degrees(computed):.6g} deg for this module and diameter"
            )
        lead = math.copysign(computed, lead or 1.0)
    assert lead is not None
    normal = module * math.cos(lead)
    pressure = _pressure_angle(structure, worm, lead, report)
    common: dict[str, object] = {"normal_module": normal, "normal_pressure_angle": pressure, "material": material}
    form = worm.string("flank_form")
    if form and form.lower() not in ("zi", "i"):
        report.add("assumed", f"{worm.label}: flank_form {form} is computed as an involute worm (ZI)")
    if gear.id == worm.id:
        length = worm.number("length_worm_gear") or worm.number("face_width")
        if length is None:
            raise worm.error("length_worm_gear", "the value is missing")
        return Gear(starts=abs(starts), lead_angle=lead, face_width=length, **common)  # type: ignore[arg-type]
    width = (
        wheel.number("face_width_worm_wheel")
        or wheel.number("face_width")
        or wheel.number("effective_face_width_worm_wheel")
    )
    if width is None:
        raise wheel.error("face_width_worm_wheel", "the value is missing")
    shift = wheel.number("addendum_modification_coefficient_worm_wheel")
    if shift is None:
        shift = wheel.number("profile_shift_coefficient")
    if shift is None:
        distance = stage.component.number("center_distance")
        d1 = abs(starts) * module / math.tan(abs(lead))
        shift = 0.0 if distance is None else (distance - 0.5 * (d1 + abs(teeth) * module)) / normal
        shift = 0.0 if abs(shift) < 1e-9 else shift
    return Gear(teeth=abs(teeth), helix_angle=lead, face_width=width, profile_shift=shift, **common)  # type: ignore[arg-type]


def _pressure_angle(structure: UnitStructure, worm: RexsComponent, lead: float, report: ImportReport) -> float:
    normal = same_on_both(structure, worm, "normal_pressure_angle")
    if normal is not None:
        return normal
    other = worm.number("pressure_angle_worm_gear")
    if other is not None:
        report.add("assumed", f"{worm.label}: pressure_angle_worm_gear is in the normal section")
        return other
    report.add("assumed", f"{worm.label}: normal pressure angle 20 deg")
    return math.radians(20.0)
