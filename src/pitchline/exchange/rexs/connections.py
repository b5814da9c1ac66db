"""Bearings and couplings of REXS as bearings, bushings, joints and couplings of the model."""

from __future__ import annotations

import math

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError
from pitchline.model.model import Model
from pitchline.parts.bearings import ball_types, roller_types
from pitchline.parts.bearings import roller_types as inclined_roller_types
from pitchline.parts.bearings.design import BearingDesign
from pitchline.parts.bearings.roller_types import CylindricalRoller, NeedleRoller
from pitchline.parts.bodies.part import Body
from pitchline.parts.couplings.design import ElasticCoupling

from ..mass_table import ImportReport
from .bodies import Bodies, Held, held_by_bearing, operating_matrix
from .component import RexsComponent
from .places import ROLLING, Connection, RexsPlaces, UnitStructure
from .sections import PartNames, about

__all__ = ["design_of", "Connections"]


# ---- bearing designs

# Rolling bearings of REXS as bearing designs: by their internal geometry, or estimated from catalogue data.

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


_STIFF, _STIFF_ANGLE = 1e11, 1e8
"""Stiffness in place of a rigid direction of a coupling that is elastic in other directions [N/m, N m/rad]."""
_SLEEVE_MASS = 0.01
_STIFF_SUPPORT = 1e10
"""Stiffness in place of a rigid support in one direction [N/m]."""
_MOST_PRELOAD = 1e7


class Connections:
    """Adds bearings and couplings to a model."""

    def __init__(
        self, model: Model, structure: UnitStructure, places: RexsPlaces, bodies: Bodies, names: PartNames, report: ImportReport,
        *, by_geometry: bool,
    ) -> None:  # fmt: skip
        self.model, self.structure, self.places, self.bodies = model, structure, places, bodies
        self.names, self.report, self.by_geometry = names, report, by_geometry
        self._held_axially: set[frozenset[str]] = set()

    # ------------------------------------------------------------------------------------------- bearings

    def bearing(self, connection: Connection) -> None:
        """Add a bearing between its outer and its inner part."""
        one = connection.component
        point = self.places.of(one).origin
        outer, inner = self.bodies.at(connection.outer, point), self.bodies.at(connection.inner, point)
        if outer is inner or (outer.is_ground and inner.is_ground):
            self.report.add("ignored", f"{one.label}: its two parts are one rigid body")
            return
        if one.new_type not in (*ROLLING, "concept_bearing"):
            self.report.add("assumed", f"{one.label}: plain bearings are computed by their stiffness")
        name = self.names.of(one)
        design = design_of(self.structure, one, self.report) if self.by_geometry and one.new_type in ROLLING else None
        matrix = None if design is not None else operating_matrix(one, self.report)
        with about(one):
            own_way = design is not None and design.one_way  # its notes about directions do not apply
            held = held_by_bearing(one, ImportReport() if own_way else self.report)
            if held.way and matrix is not None:
                self.report.add("assumed", f"{one.label}: its operating point stiffness acts in both axial directions")
            finite = 0.0 < held.radial < np.inf or 0.0 < held.axial < np.inf
            if design is not None and not (design.estimated and finite):
                self._rolling(name, one, outer, inner, design, point, held)
            elif matrix is not None:
                turned = self._in_axes_of(one, inner if not inner.is_ground else outer, matrix)
                self.model.bushing(name, outer, inner, stiffness=turned, at=tuple(point))
                self.report.add("used", f"{one.label}: stiffness at its operating point")
            else:
                if design is not None:
                    self.report.add("used", f"{one.label}: the stiffness of the file, not its catalogue data")
                self._by_stiffness(name, one, outer, inner, held, point)
        self.bodies.parts[name] = one.id

    def _in_axes_of(self, one: RexsComponent, body: Body, matrix: FloatArray) -> FloatArray:
        turn = body.orientation.T @ self.places.of(one).turned
        both = np.kron(np.eye(2), turn)
        found: FloatArray = both @ matrix @ both.T
        found[np.abs(found) < 1e-12 * np.abs(found).max()] = 0.0
        return found

    def _rolling(
        self,
        name: str,
        one: RexsComponent,
        outer: Body,
        inner: Body,
        design: BearingDesign,
        point: FloatArray,
        held: Held,
    ) -> None:
        free_axially = held.axial == 0.0
        carries = not isinstance(design, (CylindricalRoller, NeedleRoller))
        u, z = self.places.of(one).u, (inner if not inner.is_ground else outer).orientation[:, 2]
        options: dict[str, object] = {"cage": "smooth"}
        preload = one.number("preload_force")
        if design.one_way:
            way = one.string("axial_force_absorption")
            along = -1.0 if way == "negative" else 1.0
            if way not in ("positive", "negative"):
                angle = self._signed_angle(one)
                along = math.copysign(1.0, angle)
                self.report.add(
                    "assumed",
                    f"{one.label}: supports axial forces on its inner ring along {'+' if along > 0 else '-'}u",
                )
            options["flipped"] = bool(along * float(u @ z) < 0.0)
            if preload and 0.0 < preload < _MOST_PRELOAD:
                options["preload"] = preload
        elif (free_axially or held.way) and carries:
            ring = self._sleeve(name, one, outer, point, held.way)
            if held.way:
                self._one_way(one, outer, ring, Held(0.0, np.inf, 0.0, way=held.way), point)
            outer = ring
        elif not carries and not free_axially:
            self._axial_stop(name, one, outer, inner, held, point)
        self.model.bearing(name, outer, inner, design, at=tuple(point), **options)  # type: ignore[arg-type]

    def _signed_angle(self, one: RexsComponent) -> float:
        rows = [row for row in self.structure.parts.get(one.id, []) if row.new_type == "rolling_bearing_row"]
        return (rows[0].number("pressure_angle") if rows else None) or 1.0

    def _sleeve(self, name: str, one: RexsComponent, outer: Body, point: FloatArray, way: str = "") -> Body:
        """Outer ring that can move along the axis: the bearing carries no axial force, or in one direction only."""
        place = self.places.of(one)
        ring = self.names.of(one, "ring")
        inertia = 3 * (_SLEEVE_MASS * 4e-4,)
        body = self.model.body(
            ring, mass=_SLEEVE_MASS, inertia=inertia, position=tuple(point), orientation=place.turned, hidden=True
        )
        self.model.prismatic(self.names.of(one, "seat"), outer, body)
        if not way:
            self.report.add("used", f"{one.label}: its outer ring is free to move along the axis")
        return body

    def _one_way(self, one: RexsComponent, outer: Body, inner: Body, held: Held, point: FloatArray) -> None:
        """Axial support in one direction."""
        k = held.axial
        if not np.isfinite(k):
            k = _STIFF_SUPPORT
            self.report.add("assumed", f"{one.label}: axial stiffness {k:.3g} N/m of its support in one direction")
        self.model.axial_support(
            self.names.of(one, "support"), outer, inner, stiffness=k, direction=held.way, at=tuple(point),
            axis=tuple(self.places.of(one).u),
        )  # fmt: skip
        sign = "+" if held.way == "positive" else "-"
        self.report.add("used", f"{one.label}: carries axial forces on its inner part along {sign}u only")

    def _axial_stop(
        self, name: str, one: RexsComponent, outer: Body, inner: Body, held: Held, point: FloatArray
    ) -> None:
        """Flanges of a roller bearing as a spring along the axis, or as a support in one direction."""
        k = held.axial
        if not np.isfinite(k):
            k = 1e8
            self.report.add("assumed", f"{one.label}: axial stiffness of its flanges 1e8 N/m")
        if held.way:
            self._one_way(one, outer, inner, Held(0.0, k, 0.0, way=held.way), point)
            return
        self.model.bushing(self.names.of(one, "flanges"), outer, inner, stiffness=(0, 0, k, 0, 0, 0), at=tuple(point))

    def _by_stiffness(
        self, name: str, one: RexsComponent, outer: Body, inner: Body, held: Held, point: FloatArray
    ) -> None:
        """Joint for the rigid directions, bushing for the elastic ones."""
        at = tuple(point)
        way = held.way
        if way:
            self._one_way(one, outer, inner, held, point)
            held = Held(held.radial, 0.0, held.tilt)
        held = self._without_redundancy(one, outer, inner, held)
        rigid = held.radial == np.inf, held.axial == np.inf, held.tilt == np.inf
        soft = [0.0 if value == np.inf else value for value in (held.radial, held.axial, held.tilt)]
        makers = {
            (True, True, False): self.model.spherical, (True, False, False): self.model.point_on_line,
            (False, True, False): self.model.point_on_plane, (True, True, True): self.model.revolute,
            (True, False, True): self.model.cylindrical, (False, False, True): self.model.parallel_axes,
            (False, True, True): self.model.planar,
        }  # fmt: skip
        joint = makers.get(rigid)
        if joint is not None:
            if joint == self.model.spherical:
                self.model.spherical(name, outer, inner, at=at)
            else:
                joint(name, outer, inner, at=at)
            self.report.add("used", f"{one.label}: rigid in the directions that it holds without a stiffness")
        if any(soft):
            called = name if joint is None else self.names.of(one, "spring")
            radial, axial, tilt = soft
            self.model.bushing(called, outer, inner, stiffness=(radial, radial, axial, tilt, tilt, 0.0), at=at)
            self.report.add(
                "used", f"{one.label}: radial {radial:.4g} N/m, axial {axial:.4g} N/m, tilt {tilt:.4g} N m/rad"
            )
        elif joint is None and not way:
            self.report.add("ignored", f"{one.label}: holds no direction")

    def _without_redundancy(self, one: RexsComponent, outer: Body, inner: Body, held: Held) -> Held:
        """Two rigid bodies are held along their axis only once."""
        if self.bodies.elastic or held.axial != np.inf:
            return held
        pair = frozenset((outer.name, inner.name))
        if pair in self._held_axially:
            self.report.add("assumed", f"{one.label}: another rigid bearing of these parts carries the axial force")
            return Held(held.radial, 0.0, held.tilt)
        self._held_axially.add(pair)
        return held

    # ------------------------------------------------------------------------------------------- couplings

    def coupling(self, connection: Connection, held: Held) -> None:
        """Add a coupling; rigid ones between rigid parts are already one body."""
        one = connection.component
        if self.bodies.same_body(connection.inner, connection.outer):
            self.report.add("used", f"{one.label}: its two parts are one rigid body")
            return
        point = self.places.of(one).origin
        a, b = self.bodies.at(connection.outer, point), self.bodies.at(connection.inner, point)
        if a is b:
            return
        name, at = self.names.of(one), tuple(point)
        with about(one):
            if held.rigid:
                self.model.fixed(name, a, b, at=at)
                self.report.add("used", f"{one.label}: rigid")
            elif held.torsion < np.inf and (held.radial, held.axial, held.tilt) == (np.inf, np.inf, np.inf):
                self.model.revolute(name, a, b, at=at)
                if held.torsion:
                    self.model.torsion_spring(self.names.of(one, "torsion"), name, stiffness=held.torsion)
            else:
                self._elastic(name, one, a, b, held, at)
        self.bodies.parts[name] = one.id

    def _elastic(self, name: str, one: RexsComponent, a: Body, b: Body, held: Held, at: tuple[float, ...]) -> None:
        values = [held.radial, held.axial, held.tilt, held.torsion]
        if np.inf in values:
            self.report.add(
                "assumed", f"{one.label}: its rigid directions have {_STIFF:g} N/m and {_STIFF_ANGLE:g} N m/rad"
            )
        radial, axial, tilt, torsion = (
            (_STIFF if n < 2 else _STIFF_ANGLE) if value == np.inf else value for n, value in enumerate(values)
        )
        if torsion:
            design = ElasticCoupling(torsion, radial_stiffness=radial, axial_stiffness=axial, tilt_stiffness=tilt)
            self.model.coupling(name, a, b, design, at=at)
        elif radial or axial or tilt:
            self.model.bushing(name, a, b, stiffness=(radial, radial, axial, tilt, tilt, 0.0), at=at)
        self.report.add(
            "used",
            f"{one.label}: radial {radial:.4g} N/m, axial {axial:.4g} N/m, tilt {tilt:.4g}, torsion {torsion:.4g} N m/rad",
        )
