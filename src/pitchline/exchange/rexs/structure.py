"""Structure of a gear unit in a REXS document: which part is on which shaft, which gears mesh, what connects two parts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from .component import RexsComponent
from .document import RexsDocument
from .relation import RexsRelation

__all__ = ["Connection", "ShaftParts", "StageParts", "UnitStructure", "read_structure"]

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
        from ..limits import ExchangeError

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
    from ..limits import ExchangeError

    line = f", line {relation.line}" if relation.line else ""
    return ExchangeError(f"{document.name}{line}: relation {relation.id} ({relation.type}) {text}")
