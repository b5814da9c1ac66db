"""Bevel gears of REXS."""

from __future__ import annotations

import math

import numpy as np

from ...gears import Gear
from ...gears.material import Material
from ...solids.rotations import Array
from ..imported import ImportReport
from .component import RexsComponent
from .flanks import same_on_both
from .places import RexsPlace
from .structure import StageParts, UnitStructure

__all__ = ["bevel_centre", "bevel_gear"]

_CROSSING = 1e-5
"""Largest distance of the axes of a bevel stage [m]."""


def stage_of(structure: UnitStructure, gear: RexsComponent) -> StageParts:
    """First stage of a gear."""
    found = next((one for one in structure.stages if gear.id in (one.gears[0].id, one.gears[1].id)), None)
    if found is None:
        raise gear.error(None, "is not in a stage")
    return found


def bevel_gear(structure: UnitStructure, gear: RexsComponent, material: Material, report: ImportReport) -> Gear:
    """Bevel gear with the sign of its cone from `bevel_cone_orientation`; see `bevel_centre` for its place."""
    stage = stage_of(structure, gear)
    offset = stage.component.number("hypoid_offset")
    if offset:
        raise stage.component.error("hypoid_offset", "hypoid gears cannot be imported. Model them with pl.Gear")
    mate = stage.gears[1] if stage.gears[0].id == gear.id else stage.gears[0]
    teeth, others = (one.require_integer("number_of_teeth") for one in (gear, mate))
    if not (0 < teeth <= 10_000 and 0 < others <= 10_000):
        raise gear.error("number_of_teeth", "must be from 1 to 10000")
    angle = stage.component.number("shaft_angle")
    if angle is None:
        angle = 0.5 * math.pi
        report.add("assumed", f"{stage.component.label}: shaft_angle 90 deg")
    cone = gear.number("pitch_angle")
    computed = math.atan2(math.sin(angle), others / teeth + math.cos(angle))
    if cone is None:
        cone = computed
    elif abs(cone - computed) > math.radians(0.01):
        raise gear.error("pitch_angle", f"must be {math.degrees(computed):.6g} deg for this ratio and shaft angle")
    pressure = same_on_both(structure, gear, "normal_pressure_angle")
    given: dict[str, object] = {
        "teeth": teeth, "cone_angle": -computed if _apex_ahead(gear, report) else computed,
        "face_width": gear.require_number("face_width"), "helix_angle": _spiral(gear, stage, report), "material": material,
    }  # fmt: skip
    if pressure is not None:
        given["normal_pressure_angle"] = pressure
    shift = gear.number("profile_shift_coefficient")
    if shift is not None:
        given["profile_shift"] = shift
    mean = gear.number("mean_normal_module") or stage.component.number("mean_normal_module")
    if mean is not None:
        return Gear(normal_module=mean, **given)  # type: ignore[arg-type]
    outer = gear.number("outer_transverse_module") or stage.component.number("outer_transverse_module")
    if outer is None:
        raise gear.error(
            "mean_normal_module", "the value is missing. Specify it, or outer_transverse_module of the stage"
        )
    return Gear.from_outer_module(outer_module=outer, **given)


def _apex_ahead(gear: RexsComponent, report: ImportReport) -> bool:
    """Whether the apex is ahead along +u."""
    where = gear.string("bevel_cone_orientation")
    if where not in ("positive", "negative"):
        raise gear.error(
            "bevel_cone_orientation", 'must be "positive" or "negative": the direction along u of the apex'
        )
    return where == "positive"


def _spiral(gear: RexsComponent, stage: StageParts, report: ImportReport) -> float:
    """Mean spiral angle, positive for right-hand teeth. The gears of a pair have opposite hands."""
    angles = []
    for one in stage.gears:
        value = one.number("mean_spiral_angle") or 0.0
        hand = (one.string("spiral_angle_pitch_direction") or "").lower()
        if "left" in hand or "right" in hand:
            value = abs(value) * (-1.0 if "left" in hand else 1.0)
        angles.append(value)
    if angles[0] * angles[1] > 0.0:
        report.add("assumed", f"{stage.gears[1].label}: hand of the spiral opposite to that of {stage.gears[0].label}")
        angles[1] = -angles[1]
    return angles[0] if stage.gears[0].id == gear.id else angles[1]


def bevel_centre(gear: Gear, component: RexsComponent, own: RexsPlace, mate: RexsPlace, report: ImportReport) -> Array:
    """Centre of the mean pitch circle: on the own axis, at the mean cone distance from the crossing point of both axes.

    The origin of a bevel gear in REXS is another point of its axis, so it is compared and not used.
    """
    u, w = own.u, mate.u
    normal = np.cross(u, w)
    size = float(normal @ normal)
    if size < 1e-12:
        raise component.error("u_axis_vector", "the axes of the bevel stage are parallel")
    between = mate.origin - own.origin
    if abs(float(between @ normal)) / math.sqrt(size) > _CROSSING:
        raise component.error(
            "support_vector", "the axes of the bevel stage do not cross (a hypoid pair cannot be imported)"
        )
    apex = own.origin + float(np.cross(between, w) @ normal) / size * u
    along = gear.mean_cone_distance * math.cos(gear.cone_angle) * math.copysign(1.0, gear.cone_angle)
    centre: Array = apex + along * u
    away = float((own.origin - centre) @ u)
    report.add(
        "used",
        f"{component.label}: middle of its teeth at {1e3 * along:.6g} mm along u from the crossing point of the axes; "
        f"the origin in the file is {1e3 * away:.6g} mm further along u",
    )
    return centre
