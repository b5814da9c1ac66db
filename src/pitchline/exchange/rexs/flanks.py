"""Flanks of a cylindrical gear in REXS: pressure angle, profile shift, tool and modifications."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...gears.tool import Hob, Shaper
from ..imported import ImportReport
from .component import RexsComponent
from .structure import UnitStructure

__all__ = ["SharedFlankData", "Tooling", "flank_data", "same_on_both", "tooling"]

TOOLS = ("rack_shaped_tool", "cutter_wheel_tool")


@dataclass(frozen=True)
class SharedFlankData:
    """Data of a gear that REXS keeps on its flanks."""

    pressure_angle: float
    profile_shift: float | None


@dataclass(frozen=True)
class Tooling:
    """Data of the tool that cut the root."""

    dedendum_factor: float | None = None
    root_radius_factor: float | None = None
    tool: Hob | Shaper | None = None


def same_on_both(structure: UnitStructure, gear: RexsComponent, attribute: str) -> float | None:
    """Value of an attribute that both flanks of a gear must share; the gear itself may have it, too."""
    values = {}
    for side, flank in structure.flanks.get(gear.id, {}).items():
        value = flank.number(attribute)
        if value is not None:
            values[side] = value, flank
    if not values:
        return gear.number(attribute)
    (first, _), *others = values.values()
    for value, flank in others:
        if not math.isclose(value, first, rel_tol=1e-9, abs_tol=1e-12):
            raise flank.error(
                attribute, f"differs from the value of the other flank of {gear.label}; both flanks must be equal"
            )
    return first


def flank_data(structure: UnitStructure, gear: RexsComponent, module: float, report: ImportReport) -> SharedFlankData:
    """Pressure angle and profile shift of a gear; the shift is None if the file has none."""
    angle = same_on_both(structure, gear, "normal_pressure_angle")
    if angle is None:
        report.add("assumed", f"{gear.label}: normal_pressure_angle is 20 deg")
        angle = math.radians(20.0)
    shift = same_on_both(structure, gear, "addendum_modification_coefficient")
    if shift is None:
        length = same_on_both(structure, gear, "addendum_modification")
        shift = None if length is None else length / module
    return SharedFlankData(angle, shift)


def tooling(structure: UnitStructure, gear: RexsComponent, module: float, report: ImportReport) -> Tooling:
    """Basic rack and tool. The tool of the first manufacturing step cuts the root."""
    tool = _first_tool(structure, gear)
    if tool is None:
        return Tooling()
    deep = _factor(tool, "addendum_coefficient_reference_profile", "addendum_reference_profile", module)
    radius = _factor(tool, "tip_corner_radius_factor_reference_profile", "tip_corner_radius_reference_profile", module)
    if deep is not None and not 0.3 <= deep <= 4.0:
        raise tool.error("addendum_coefficient_reference_profile", f"{deep:g} is not plausible; expected about 1.25")
    made: Hob | Shaper | None = None
    internal = gear.new_type == "ring_gear"
    if tool.new_type == "cutter_wheel_tool" and internal:
        teeth = tool.integer("number_of_teeth")
        if teeth is not None:
            made = Shaper(teeth=teeth)
        radius = radius or None
    elif tool.new_type == "rack_shaped_tool" and not internal:
        amount = tool.number("protuberance_amount")
        if amount is None and (factor := tool.number("protuberance_amount_factor")) is not None:
            amount = factor * module
        if amount:
            report.add("used", f"{tool.label}: protuberance {1e3 * amount:g} mm of {gear.label}")
            made = Hob(protuberance=amount, protuberance_angle=tool.number("protuberance_angle"))
    return Tooling(deep, radius, made)


def _first_tool(structure: UnitStructure, gear: RexsComponent) -> RexsComponent | None:
    components = structure.document.components
    for workpiece in (*structure.flanks.get(gear.id, {}).values(), gear):
        for step in structure.steps.get(workpiece.id, []):
            number = step.role("tool")
            if number in components and components[number].new_type in TOOLS:
                return components[number]
    found = structure.referenced(gear.id, *TOOLS)
    return found[0] if found else None


def _factor(tool: RexsComponent, factor: str, length: str, module: float) -> float | None:
    value = tool.number(factor)
    if value is None and (size := tool.number(length)) is not None:
        value = size / module
    return value
