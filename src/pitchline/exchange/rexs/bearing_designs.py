"""Rolling bearings of REXS as bearing designs: by their internal geometry, or estimated from catalogue data."""

from __future__ import annotations

import math

from ...bearings import ball_types, inclined_roller_types, roller_types
from ...bearings.design import BearingDesign
from ...errors import ModelError
from ..imported import ImportReport
from .component import RexsComponent
from .structure import UnitStructure

__all__ = ["design_of"]

_TYPES: dict[str, tuple[str, type[BearingDesign]]] = {
    "radial_grooved_ball_bearing": ("ball", ball_types.DeepGrooveBall),
    "angular_contact_ball_bearing": ("ball", ball_types.AngularContactBall),
    "radial_roller_bearing": ("roller", roller_types.CylindricalRoller),
    "radial_needle_roller_bearing": ("roller", roller_types.NeedleRoller),
    "radial_tapered_roller_bearing": ("roller", inclined_roller_types.TaperedRoller),
    "radial_self_aligning_roller_bearing": ("roller", inclined_roller_types.SphericalRoller),
}
_ANGLED = (ball_types.AngularContactBall, inclined_roller_types.TaperedRoller, inclined_roller_types.SphericalRoller)
_MOST_ELEMENTS = 500


def design_of(structure: UnitStructure, bearing: RexsComponent, report: ImportReport) -> BearingDesign | None:
    """Design of a rolling bearing; None if the file has too few data, or pitchline does not have its type."""
    kind = bearing.string("bearing_type")
    if kind is None:
        return None
    if kind not in _TYPES:
        report.add("assumed", f"{bearing.label}: the type {kind} is computed by its stiffness")
        return None
    rows = [one for one in structure.parts.get(bearing.id, []) if one.new_type == "rolling_bearing_row"]
    common = _common(bearing)
    try:
        made = _by_geometry(structure, bearing, rows, kind, common, report)
        return made if made is not None else _by_catalogue(bearing, rows, kind, common, report)
    except (ModelError, ValueError, ArithmeticError) as error:  # absurd sizes
        report.add("assumed", f"{bearing.label}: its data are not used, and its stiffness is used: {error}")
        return None


def _common(bearing: RexsComponent) -> dict[str, object]:
    clearance = bearing.number("operating_radial_bearing_clearance")
    if clearance is None:
        clearance = bearing.number("radial_bearing_clearance")
    return {
        "bore": bearing.number("inner_diameter"), "outer": bearing.number("outer_diameter"), "width": bearing.number("width"),
        "rating": bearing.number("radial_dynamic_load_rating"), "static_rating": bearing.number("radial_static_load_rating"),
        "clearance": clearance,
    }  # fmt: skip


def _by_geometry(
    structure: UnitStructure,
    bearing: RexsComponent,
    rows: list[RexsComponent],
    kind: str,
    common: dict[str, object],
    report: ImportReport,
) -> BearingDesign | None:
    """Number, diameter and pitch circle of the rolling elements of the first row; a second row must be equal."""
    if not rows or len(rows) > 2:
        return None
    found = [_row(structure, row) for row in rows]
    first = found[0]
    if first is None or any(one is None for one in found):
        return None
    if len(found) == 2 and found[1] != first:
        report.add("assumed", f"{bearing.label}: both rows have the geometry of the first one")
    rolling, design = _TYPES[kind]
    number, diameter, length, pitch, angle, raceways = first
    if not 3 <= number <= _MOST_ELEMENTS:
        raise rows[0].error("number_of_rolling_elements", f"must be from 3 to {_MOST_ELEMENTS}")
    given = {key: value for key, value in common.items() if value is not None}
    if rolling == "ball":
        given |= {"balls": number, "ball": diameter, "pitch": pitch}
        for name, radius in zip(("inner_groove", "outer_groove"), raceways, strict=True):
            if radius is not None and diameter:
                given[name] = radius / diameter
    else:
        if length is None:
            return None
        given |= {"rollers": number, "roller": diameter, "length": length, "pitch": pitch}
    if design in _ANGLED:
        if not angle:
            return None
        given["contact_angle"] = abs(angle)
    if design in (ball_types.AngularContactBall, inclined_roller_types.TaperedRoller):
        given.pop("clearance", None)
    if len(rows) == 2:
        given |= _second_row(bearing, design)
    made = design(**given)
    report.add("used", f"{bearing.label}: {made.words}")
    return made


def _row(
    structure: UnitStructure, row: RexsComponent
) -> tuple[int, float, float | None, float, float | None, tuple[float | None, float | None]] | None:
    """Number, diameter, length, pitch diameter, contact angle and raceway radii of a row; None if incomplete."""
    elements = [one for one in structure.parts.get(row.id, []) if one.new_type == "rolling_element"]
    number, pitch = row.integer("number_of_rolling_elements"), row.number("reference_diameter_rolling_bearing")
    if number is None or pitch is None or not elements:
        return None
    element = elements[0]
    diameter = element.number("diameter_of_rolling_element")
    if diameter is None:
        return None
    length = element.number("effective_length_of_rolling_element") or element.number("length_of_rolling_element")
    raceways = row.number("raceway_radius_of_inner_ring"), row.number("raceway_radius_of_outer_ring")
    return number, diameter, length, pitch, row.number("pressure_angle"), raceways


def _second_row(bearing: RexsComponent, design: type[BearingDesign]) -> dict[str, object]:
    distance = bearing.number("distance_between_bearing_rows")
    if design is roller_types.CylindricalRoller:
        if not distance:
            raise ModelError("the distance between its two rows is missing")
        return {"rows_of_rollers": 2, "distance": distance}
    if design is inclined_roller_types.SphericalRoller:
        return {}
    if design in (ball_types.AngularContactBall, inclined_roller_types.TaperedRoller):
        where = (bearing.string("arrangement") or "").lower()
        if not distance:
            raise ModelError("the distance between its two rows is missing")
        return {"arrangement": "face-to-face" if where.startswith("x") else "back-to-back", "distance": distance}
    raise ModelError("bearings of this type with two rows are not available")


def _by_catalogue(
    bearing: RexsComponent, rows: list[RexsComponent], kind: str, common: dict[str, object], report: ImportReport
) -> BearingDesign | None:
    """Estimate from bore, outer diameter, width and load ratings."""
    _, design = _TYPES[kind]
    sizes = {key: common[key] for key in ("bore", "outer", "width")}
    rating = common["rating"]
    if rating is None or any(value is None for value in sizes.values()) or len(rows) > 1:
        return None
    given: dict[str, object] = {**sizes, "C": rating, "C0": common["static_rating"]}
    angle = abs(rows[0].number("pressure_angle") or 0.0) if rows else 0.0
    if not angle and design in _ANGLED:
        e = bearing.number("catalogue_value_e")
        angle = math.atan(e / 1.5) if e else 0.0
    if design in _ANGLED:
        if not angle and design is not inclined_roller_types.SphericalRoller:
            return None
        given |= {"contact_angle": angle} if angle else {}
    if common["clearance"] is not None and design not in (
        ball_types.AngularContactBall,
        inclined_roller_types.TaperedRoller,
    ):
        given["clearance"] = common["clearance"]
    made: BearingDesign = design.from_catalogue(**given)  # type: ignore[attr-defined]
    report.add("assumed", f"{bearing.label}: internal geometry estimated from its catalogue data: {made.words}")
    return made
