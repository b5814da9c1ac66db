"""Positions of components by the rules of REXS: vectors in the frame of a reference component, or coordinates on shafts."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from pitchline.base.types import FloatArray

from ..mass_table import ImportReport
from .component import RexsComponent, RexsDocument, RexsRelation

__all__ = ["Connection", "ShaftParts", "StageParts", "UnitStructure", "read_structure", "RexsPlace", "RexsPlaces"]


# ---- structure

# Structure of a gear unit in a REXS document: which part is on which shaft, which gears mesh, what connects two
# parts.

GEARS = ("cylindrical_gear", "ring_gear", "bevel_gear", "worm_gear", "worm_wheel")
STAGES = ("cylindrical_stage", "bevel_stage", "worm_stage")
ROLLING = ("rolling_bearing_with_catalog_geometry", "rolling_bearing_with_detailed_geometry")
BEARINGS = (*ROLLING, "concept_bearing", "slide_bearing", "hydrodynamic_radial_plain_bearing")
COUPLINGS = ("coupling", "switchable_coupling")
BODIES = ("shaft", "side_plate", "gear_casing", "planet_carrier", "gear_unit")


@dataclass
class ShaftParts:
    """Shaft, and what is on it."""

    component: RexsComponent
    sections: list[RexsComponent] = field(default_factory=list)
    gears: list[RexsComponent] = field(default_factory=list)
    loads: list[RexsComponent] = field(default_factory=list)
    masses: list[RexsComponent] = field(default_factory=list)


@dataclass(frozen=True)
class Connection:
    """Bearing or coupling between two parts."""

    component: RexsComponent
    inner: RexsComponent
    outer: RexsComponent


@dataclass(frozen=True)
class StageParts:
    """Stage with its two gears."""

    component: RexsComponent
    gears: tuple[RexsComponent, RexsComponent]


@dataclass
class UnitStructure:
    """Structure of a gear unit.

    shaft_of:   id of the shaft of each part
    parts:      parts of each assembly, by its id
    references: components to which each component refers, by its id
    flanks:     left and right flank of each gear, by its id
    steps:      manufacturing steps of each flank or gear in order, by its id
    stage_data: (stage, gear) to the data of the gear in the stage
    """

    document: RexsDocument
    unit: RexsComponent
    shafts: dict[int, ShaftParts] = field(default_factory=dict)
    plates: list[RexsComponent] = field(default_factory=list)
    bearings: list[Connection] = field(default_factory=list)
    couplings: list[Connection] = field(default_factory=list)
    stages: list[StageParts] = field(default_factory=list)
    shaft_of: dict[int, int] = field(default_factory=dict)
    parts: dict[int, list[RexsComponent]] = field(default_factory=dict)
    references: dict[int, list[RexsComponent]] = field(default_factory=dict)
    flanks: dict[int, dict[str, RexsComponent]] = field(default_factory=dict)
    steps: dict[int, list[RexsRelation]] = field(default_factory=dict)

    def referenced(self, number: int, *types: str) -> list[RexsComponent]:
        """Components of some types to which a component refers."""
        return [one for one in self.references.get(number, []) if one.new_type in types]


def read_structure(document: RexsDocument) -> UnitStructure:
    """Structure of a document. ExchangeError if a relation refers to a missing component, or a needed one is missing."""
    units = document.of_type("gear_unit")
    if not units:
        from ..safe_xml import ExchangeError

        raise ExchangeError(f"{document.name}: there is no component of the type gear_unit")
    if len(units) > 1:
        raise units[1].error(None, f"is the second gear unit; {units[0].label} is the first. Split the file")
    found = UnitStructure(document, units[0])
    parts: dict[int, list[RexsComponent]] = defaultdict(list)
    references: dict[int, list[RexsComponent]] = defaultdict(list)
    steps: dict[int, list[RexsRelation]] = defaultdict(list)
    for relation in sorted(document.relations, key=lambda one: one.order or 0):
        if relation.type in ("assembly", "ordered_assembly"):
            whole = _part(document, relation, "assembly")
            for number in relation.roles("part"):
                parts[whole.id].append(_known(document, relation, number))
        elif relation.type in ("reference", "ordered_reference"):
            origin, other = _part(document, relation, "origin"), _part(document, relation, "referenced")
            references[origin.id].append(other)
        elif relation.type == "flank":
            gear = _part(document, relation, "gear")
            sides = {side: relation.role(side) for side in ("left", "right")}
            found.flanks[gear.id] = {
                side: _known(document, relation, number) for side, number in sides.items() if number is not None
            }
        elif relation.type == "manufacturing_step":
            steps[_part(document, relation, "workpiece").id].append(relation)
        elif relation.type == "stage":
            _add_stage(found, document, relation)
        elif relation.type == "side":
            _add_side(found, document, relation)
    found.parts, found.references, found.steps = dict(parts), dict(references), dict(steps)
    _sort_parts(found)
    _check(found)
    return found


def _add_stage(found: UnitStructure, document: RexsDocument, relation: RexsRelation) -> None:
    stage = _part(document, relation, "stage")
    gears = _part(document, relation, "gear_1"), _part(document, relation, "gear_2")
    if gears[0].id == gears[1].id:
        raise stage.error(None, f"has the same gear twice, {gears[0].label} (relation {relation.id})")
    for gear in gears:
        if gear.new_type not in GEARS:
            raise gear.error(None, f"is a gear of {stage.label}, but its type is not a gear (relation {relation.id})")
    found.stages.append(StageParts(stage, gears))


def _add_side(found: UnitStructure, document: RexsDocument, relation: RexsRelation) -> None:
    part = _part(document, relation, "assembly")
    inner, outer = _part(document, relation, "inner_part"), _part(document, relation, "outer_part")
    if inner.id == outer.id:
        raise part.error(None, f"connects {inner.label} with itself (relation {relation.id})")
    if part.new_type in BEARINGS:
        found.bearings.append(Connection(part, inner, outer))
    elif part.new_type in COUPLINGS:
        found.couplings.append(Connection(part, inner, outer))


def _sort_parts(found: UnitStructure) -> None:
    document = found.document
    for component in document.components.values():
        if component.new_type == "shaft":
            found.shafts[component.id] = ShaftParts(component)
        elif component.new_type == "side_plate":
            found.plates.append(component)
    for number, shaft in found.shafts.items():
        for part in found.parts.get(number, []):
            kind = part.new_type
            lists = {"shaft_section": shaft.sections, "external_load": shaft.loads, "additional_mass": shaft.masses}
            target = shaft.gears if kind in GEARS else lists.get(kind)
            if target is None:
                continue
            if found.shaft_of.get(part.id, number) != number:
                other = document.components[found.shaft_of[part.id]]
                raise part.error(None, f"is on two shafts: {other.label} and {shaft.component.label}")
            if part.id not in found.shaft_of:
                found.shaft_of[part.id] = number
                target.append(part)


def _check(found: UnitStructure) -> None:
    if not found.shafts:
        raise found.unit.error(None, "has no shaft")
    for connection in (*found.bearings, *found.couplings):
        for part in (connection.inner, connection.outer):
            if part.new_type not in BODIES:
                raise connection.component.error(
                    None, f"connects {part.label}. It can connect shafts, side plates and the casing"
                )
    for stage in found.stages:
        for gear in stage.gears:
            if gear.id not in found.shaft_of:
                raise gear.error(None, f"is not on a shaft, but {stage.component.label} needs it")


def _part(document: RexsDocument, relation: RexsRelation, role: str) -> RexsComponent:
    number = relation.role(role)
    if number is None:
        raise _relation_error(document, relation, f'has no reference with the role "{role}"')
    return _known(document, relation, number)


def _known(document: RexsDocument, relation: RexsRelation, number: int) -> RexsComponent:
    if number not in document.components:
        raise _relation_error(document, relation, f"refers to component {number}, which does not exist")
    return document.components[number]


def _relation_error(document: RexsDocument, relation: RexsRelation, text: str) -> Exception:
    from ..safe_xml import ExchangeError

    line = f", line {relation.line}" if relation.line else ""
    return ExchangeError(f"{document.name}{line}: relation {relation.id} ({relation.type}) {text}")


SAME = 1e-6
"""Largest difference of two statements of one position [m]."""
_SQUARE = 1e-6
"""Largest product of the directions u and w, which must be perpendicular."""
_FARTHEST = 1e4
"""Positions beyond this distance [m] are refused."""


@dataclass(frozen=True)
class RexsPlace:
    """Frame of a component in the gear unit.

    origin: (3,) [m]
    axes:   (3, 3), columns u, v, w
    """

    origin: FloatArray
    axes: FloatArray

    @property
    def u(self) -> FloatArray:
        """Direction of the axis."""
        return self.axes[:, 0]

    @property
    def turned(self) -> FloatArray:
        """Axes of pitchline as columns: x = w, y = -v, z = u."""
        return np.column_stack([self.axes[:, 2], 0.0 - self.axes[:, 1], self.axes[:, 0]])

    def along(self, distance: float) -> RexsPlace:
        """The same axes, moved along u."""
        return RexsPlace(tidy(self.origin + distance * self.u), self.axes)


WORLD = RexsPlace(np.zeros(3), np.eye(3))


def tidy(values: FloatArray) -> FloatArray:
    """Values without the rounding errors of units: multiples of 1e-13 (m, or a direction), and 0 without a sign."""
    return np.asarray(np.round(values, 13) + 0.0)


class RexsPlaces:
    """Frames of all components that have a position."""

    def __init__(self, structure: UnitStructure, report: ImportReport) -> None:
        self.structure, self.report = structure, report
        self._found: dict[int, RexsPlace] = {structure.unit.id: WORLD}
        self._connections = {one.component.id: one for one in (*structure.bearings, *structure.couplings)}
        unit = self._own(structure.unit)
        if unit is not None and (np.abs(unit.origin).max() > SAME or np.abs(unit.axes - np.eye(3)).max() > _SQUARE):
            report.add(
                "ignored", f"{structure.unit.label}: its own position; the world axes are those of the gear unit"
            )
        self._lay_out_shafts()

    def of(self, component: RexsComponent) -> RexsPlace:
        """Frame of a component in the world."""
        found = self._vectors(component, ())
        if found is None:
            found = self._by_coordinate(component)
        if found is None:
            found = self._at_an_end(component)
        if found is None:
            raise component.error(
                "support_vector", "the position is missing. Specify support_vector, u_axis_vector and w_axis_vector"
            )
        return found

    def on_shaft(
        self, component: RexsComponent, shaft: RexsComponent, coordinate: str = "u_coordinate_on_shaft"
    ) -> float:
        """Distance of a part from the left end of its shaft [m]. The vectors win; both are compared."""
        written = component.number(coordinate)
        place = self._vectors(component, ())
        if place is None:
            if written is None:
                raise component.error(coordinate, "the position on the shaft is missing")
            if component.new_type.endswith("gear") and self.structure.document.version.startswith("1.0"):
                self.report.add(
                    "assumed",
                    f"{component.label}: u_coordinate_on_shaft is the middle of its face (files of version 1.0 differ)",
                )
            return written
        line = self.of(shaft)
        offset = place.origin - line.origin
        along = round(float(offset @ line.u), 13)
        if written is not None and abs(written - along) > SAME:
            self.report.add(
                "assumed",
                f"{component.label}: at {1e3 * along:.6g} mm on its shaft by its vectors; "
                f"{coordinate} {1e3 * written:.6g} mm differs",
            )
        return along

    # ------------------------------------------------------------------------------------------------ vectors

    def _own(self, component: RexsComponent) -> RexsPlace | None:
        """Frame in the axes of the reference component; None without vectors."""
        origin = component.numbers("support_vector")
        if origin is None:
            return None
        u, w = component.numbers("u_axis_vector"), component.numbers("w_axis_vector")
        vectors = {"support_vector": origin, "u_axis_vector": u, "w_axis_vector": w}
        for name, value in vectors.items():
            if value is None:
                if name == "w_axis_vector" and u is not None and u.shape == (3,):
                    continue
                raise component.error(name, "the value is missing, but support_vector is given")
            if value.shape != (3,) or not np.all(np.isfinite(value)):
                raise component.error(name, f"must have three finite numbers, got {value.size}")
        if np.abs(origin).max() > _FARTHEST:
            raise component.error("support_vector", f"is {np.abs(origin).max():.3g} m away; check the unit")
        assert u is not None
        if w is None:
            w = np.eye(3)[int(np.argmin(np.abs(u)))]
            w = w - (w @ u) * u / max(float(u @ u), 1e-30)
        return RexsPlace(origin, _axes(component, u, w))

    def _vectors(self, component: RexsComponent, waiting: tuple[int, ...]) -> RexsPlace | None:
        """Frame in the world by vectors, through the tree of references."""
        if component.id in self._found:
            return self._found[component.id]
        if component.id in waiting:
            raise component.error("reference_component_for_position", "refers to itself through other components")
        if len(waiting) > 500:
            raise component.error("reference_component_for_position", "the references are nested more than 500 deep")
        own = self._own(component)
        if own is None:
            return None
        number = component.reference("reference_component_for_position")
        if number is None:
            self.report.add("assumed", f"{component.label}: its position is relative to the gear unit")
            number = self.structure.unit.id
        parent = self.structure.document.components.get(number)
        if parent is None:
            raise component.error("reference_component_for_position", f"component {number} does not exist")
        base = self._vectors(parent, (*waiting, component.id)) or self._by_coordinate(parent)
        if base is None:
            raise component.error("reference_component_for_position", f"{parent.label} has no position")
        found = RexsPlace(tidy(base.origin + base.axes @ own.origin), tidy(base.axes @ own.axes))
        self._found[component.id] = found
        return found

    # ------------------------------------------------------------------------------------------------ coordinates

    def _by_coordinate(self, component: RexsComponent) -> RexsPlace | None:
        """Frame of a part by its coordinate on its shaft."""
        shaft: RexsComponent | None = None
        coordinate = component.number("u_coordinate_on_shaft")
        connection = self._connections.get(component.id)
        if connection is not None:
            shaft, coordinate = self._side(component, connection)
        elif component.id in self.structure.shaft_of:
            shaft = self.structure.document.components[self.structure.shaft_of[component.id]]
        if shaft is None or coordinate is None:
            return None
        line = self._vectors(shaft, ())
        return None if line is None else line.along(coordinate)

    def _at_an_end(self, component: RexsComponent) -> RexsPlace | None:
        """Place of a coupling without any position."""
        connection = self._connections.get(component.id)
        if connection is None or component.new_type not in COUPLINGS:
            return None
        for part in (connection.inner, connection.outer):
            if part.id in self.structure.shafts and self.structure.shafts[part.id].sections:
                line = self._vectors(part, ())
                if line is not None:
                    self.report.add(
                        "assumed", f"{component.label}: without a position; at the left end of {part.label}"
                    )
                    return line
        return None

    def _side(self, component: RexsComponent, connection: Connection) -> tuple[RexsComponent | None, float | None]:
        for part, side in ((connection.inner, "inner"), (connection.outer, "outer")):
            value = component.number(f"u_coordinate_on_shaft_{side}_side")
            if part.new_type == "shaft" and value is not None:
                return part, value
        if component.new_type in ROLLING:
            return connection.inner, component.number("u_coordinate_on_shaft")
        return None, None

    def _lay_out_shafts(self) -> None:
        """RexsPlace shafts without vectors from the first one by centre distances and angles of the stages."""
        shafts = {number: one.component for number, one in self.structure.shafts.items()}
        missing = [one for one in shafts.values() if self._vectors(one, ()) is None]
        if not missing:
            return
        if len(missing) == len(shafts):
            first = missing[0]
            self._found[first.id] = WORLD
            self.report.add("assumed", f"{first.label}: its left end is at the origin of the gear unit, along u")
        changed = True
        while changed:
            changed = any([self._place_by_stage(stage, shafts) for stage in self.structure.stages])
            changed = changed or self._place_by_connection(shafts)

    def _place_by_connection(self, shafts: dict[int, RexsComponent]) -> bool:
        """Place one shaft on the axis of another one, to which a bearing or a coupling connects it."""
        for one in (*self.structure.couplings, *self.structure.bearings):
            for part, other in ((one.inner, one.outer), (one.outer, one.inner)):
                if part.id in shafts and part.id not in self._found and other.id in shafts and other.id in self._found:
                    self._found[part.id] = self._found[other.id]
                    self.report.add(
                        "assumed",
                        f"{part.label}: without a position; on the axis of {other.label}, to which {one.component.label} "
                        "connects it, with the same left end",
                    )
                    return True
        return False

    def _place_by_stage(self, stage: StageParts, shafts: dict[int, RexsComponent]) -> bool:
        numbers = [self.structure.shaft_of[gear.id] for gear in stage.gears]
        known = [number in self._found for number in numbers]
        if sum(known) != 1 or stage.component.new_type != "cylindrical_stage":
            return False
        distance = stage.component.require_number("center_distance")
        angle = stage.component.number("rotating_angle_around_neg_u_axis")
        if angle is None:
            angle = 0.0
            self.report.add("assumed", f"{stage.component.label}: rotating_angle_around_neg_u_axis is 0")
        old = 0 if known[0] else 1
        line = self._found[numbers[old]]
        towards = math.sin(angle) * line.axes[:, 1] + math.cos(angle) * line.axes[:, 2]
        places = [gear.require_number("u_coordinate_on_shaft") for gear in stage.gears]
        shift = places[old] - places[1 - old]
        sign = 1.0 if known[0] else -1.0
        at = tidy(line.origin + shift * line.u + sign * distance * towards)
        self._found[numbers[1 - old]] = RexsPlace(at, line.axes)
        self.report.add(
            "used", f"{shafts[numbers[1 - old]].label}: placed by the centre distance of {stage.component.label}"
        )
        return True


def _axes(component: RexsComponent, u: FloatArray, w: FloatArray) -> FloatArray:
    lengths = float(np.linalg.norm(u)), float(np.linalg.norm(w))
    for name, length in zip(("u_axis_vector", "w_axis_vector"), lengths, strict=True):
        if not 1e-6 < length < 1e6:
            raise component.error(name, f"must be a direction of length 1, got length {length:.3g}")
    u, w = u / lengths[0], w / lengths[1]
    if abs(float(u @ w)) > _SQUARE:
        raise component.error("w_axis_vector", f"must be perpendicular to u_axis_vector; u·w is {float(u @ w):.3g}")
    w = w - float(u @ w) * u
    w = w / np.linalg.norm(w)
    return np.column_stack([u, np.cross(w, u), w])
