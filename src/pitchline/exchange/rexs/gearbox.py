"""Model of a gear unit from a REXS document."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import ModelError
from ...model import Model
from ..imported import ImportReport
from ..limits import ExchangeError
from .bodies import Bodies
from .connections import Connections
from .document import RexsDocument
from .gears import Gears
from .groups import part_number, spinning_groups
from .kinematics import Kinematics
from .lenient import repaired
from .loads import LoadNames, add_loads, add_masses, mass_point
from .materials import Materials
from .options import RexsOptions
from .origin import RexsOrigin, keep_origin
from .part_names import PartNames, cleaned
from .places import RexsPlaces
from .sections import SectionLine, shaft_line
from .stages import Stages
from .stiffness import Held, held_by_coupling
from .structure import Connection, UnitStructure, read_structure
from .train import LoadedTrain, read_train

__all__ = ["Gearbox", "build_gearbox"]

MOST_PARTS = 5000
"""Largest number of shafts, bearings, couplings, stages and loads together."""
_USED = {
    "gear_unit", "gear_casing", "shaft", "shaft_section", "side_plate", "planet_carrier", "planetary_stage", "material",
    "external_load", "additional_mass", "cylindrical_gear", "ring_gear", "bevel_gear", "worm_gear", "worm_wheel",
    "cylindrical_stage", "bevel_stage", "worm_stage", "concept_bearing", "rolling_bearing_with_catalog_geometry",
    "rolling_bearing_with_detailed_geometry", "slide_bearing", "hydrodynamic_radial_plain_bearing", "rolling_bearing_row",
    "rolling_element", "coupling", "switchable_coupling", "cylindrical_gear_flank", "bevel_gear_flank", "worm_gear_flank",
    "rack_shaped_tool", "cutter_wheel_tool", "tip_relief", "root_relief", "end_relief_datum_face",
    "end_relief_non_datum_face", "profile_crowning", "helix_crowning", "profile_slope", "helix_slope", "profile_twist",
    "topographical_modification",
}  # fmt: skip


@dataclass
class Gearbox:
    """Model of a gear unit, and what depends on the load case."""

    model: Model
    train: LoadedTrain
    loads: LoadNames
    origin: RexsOrigin
    structure: UnitStructure
    places: RexsPlaces
    names: PartNames


def build_gearbox(
    document: RexsDocument, options: RexsOptions, *, complete: RexsDocument | None = None,
    case: tuple[int, int] | None = None, kinds: Mapping[int, Collection[str]] | None = None,
) -> Gearbox:  # fmt: skip
    """Build the model.

    document: with the values of the load case
    complete: document of the file
    kinds:    "force" and "torque" of loads that must be in the model even if they are zero, by the id of the load
    """
    try:
        with np.errstate(all="ignore"):
            return _build(document, options, complete or document, case, kinds or {})
    except ModelError as error:
        raise ExchangeError(f"{document.name}: {error}") from error
    except (np.linalg.LinAlgError, ArithmeticError) as error:  # absurd sizes, beyond the range of numbers
        raise ExchangeError(f"{document.name}: sizes or positions are not plausible: {error}") from error


def _build(
    document: RexsDocument, options: RexsOptions, complete: RexsDocument, case: tuple[int, int] | None,
    kinds: Mapping[int, Collection[str]],
) -> Gearbox:  # fmt: skip
    report = ImportReport()
    document = repaired(document, report)
    structure = read_structure(document)
    _limit(structure)
    places = RexsPlaces(structure, report)
    materials = Materials(structure, report)
    lines: dict[int, SectionLine] = {}
    for number, shaft in structure.shafts.items():
        line = shaft_line(structure, shaft, materials, report)
        if line is not None:
            lines[number] = line
        else:
            report.add("assumed", f"{shaft.component.label}: no sections; a rigid body")
    couplings = _engaged(structure, options, report)
    groups, spinning = spinning_groups(structure, places, couplings)
    stages = Stages(structure, places, Gears(structure, materials, report), lines, report)
    kinematics = Kinematics(spinning, [stages.mesh_row(stage, groups) for stage in structure.stages])
    train = read_train(structure, places, kinematics, groups, report, also=frozenset(kinds))
    names = PartNames()
    origin = RexsOrigin(complete, report, {}, case)
    model = Model(cleaned(structure.unit.name) or "gear unit", gravity=_gravity(structure, report))
    links = [(part_number(one.inner), part_number(one.outer)) for one, held in couplings if held.rigid]
    bodies = Bodies(
        model, structure, places, lines, materials, names, report, origin.parts, options.shafts == "elastic", links
    )
    _attach(structure, places, stages, couplings, train, bodies)
    bodies.build(train.motion)
    connections = Connections(
        model, structure, places, bodies, names, report, by_geometry=options.bearings == "geometry"
    )
    for bearing in structure.bearings:
        connections.bearing(bearing)
    for coupling, held in couplings:
        connections.coupling(coupling, held)
    stages.add(model, bodies, names, options.mesh)
    add_masses(model, structure, places, bodies, names, report)
    loads = add_loads(model, bodies, names, train, lines, report, kinds)
    _kept(structure, report)
    keep_origin(model, origin)
    return Gearbox(model, train, loads, origin, structure, places, names)


def _limit(structure: UnitStructure) -> None:
    count = (
        len(structure.shafts) + len(structure.bearings) + len(structure.couplings) + len(structure.stages)
        + sum(len(one.loads) + len(one.masses) for one in structure.shafts.values())
    )  # fmt: skip
    if count > MOST_PARTS:
        raise ExchangeError(f"{structure.document.name}: {count} parts, the limit is {MOST_PARTS}")


def _gravity(structure: UnitStructure, report: ImportReport) -> tuple[float, float, float]:
    unit = structure.unit
    if unit.flag("account_for_gravity") is not True:
        if unit.has("gravitational_acceleration"):
            report.add("used", f"{unit.label}: gravity is not taken into account")
        return 0.0, 0.0, 0.0
    size = unit.number("gravitational_acceleration")
    size = 9.81 if size is None else size
    direction = np.array([unit.number(f"direction_vector_gravity_{axis}") or 0.0 for axis in "uvw"])
    length = float(np.linalg.norm(direction))
    if length < 1e-9 or not 0.0 <= size < 1e6:
        raise unit.error("direction_vector_gravity_w", "gravity has no direction or no plausible value")
    x, y, z = size * direction / length
    return float(x), float(y), float(z)


def _engaged(structure: UnitStructure, options: RexsOptions, report: ImportReport) -> list[tuple[Connection, Held]]:
    """Couplings with their stiffness, without those that are not engaged in the chosen gear."""
    gear = options.gear_shift if options.gear_shift is not None else structure.unit.integer("gear_shift_index") or 1
    found = []
    for one in structure.couplings:
        if one.component.new_type == "switchable_coupling":
            states = one.component.flags("is_engaged")
            if states:
                if len(states) > 1 and not 1 <= gear <= len(states):
                    raise one.component.error("is_engaged", f"has {len(states)} gears; gear {gear} does not exist")
                if not states[gear - 1 if len(states) > 1 else 0]:
                    report.add("used", f"{one.component.label}: not engaged in gear {gear}")
                    continue
            else:
                report.add("assumed", f"{one.component.label}: engaged")
        found.append((one, held_by_coupling(one.component)))
    return found


def _attach(
    structure: UnitStructure,
    places: RexsPlaces,
    stages: Stages,
    couplings: list[tuple[Connection, Held]],
    train: LoadedTrain,
    bodies: Bodies,
) -> None:
    """Request stations for all parts; gears and bearings first, so that stations have their names."""
    used = {gear.id: gear for stage in structure.stages for gear in stage.gears}
    for shaft in structure.shafts.values():
        for gear in shaft.gears:
            if gear.id in used:
                bodies.attach(shaft.component, stages.place(gear).origin, gear.name or f"gear {gear.id}")
            else:
                bodies.report.add("ignored", f"{gear.label}: is not in a stage")
    for connection in (*structure.bearings, *(one for one, _ in couplings)):
        point = places.of(connection.component).origin
        for part in (connection.inner, connection.outer):
            bodies.attach(
                part, point, connection.component.name or f"{connection.component.new_type} {connection.component.id}"
            )
    for load in train.loads:
        bodies.attach(load.shaft, load.point, load.component.name or f"load {load.component.id}")
    for hold in train.holds:
        bodies.attach(hold.shaft, hold.point, hold.component.name or f"drive {hold.component.id}")
    for shaft in structure.shafts.values():
        for mass in shaft.masses:
            bodies.attach(shaft.component, mass_point(mass, shaft.component, places), mass.name or f"mass {mass.id}")


def _kept(structure: UnitStructure, report: ImportReport) -> None:
    """Name the types of components that have no effect on the model."""
    others: dict[str, int] = {}
    for one in structure.document.components.values():
        if one.new_type not in _USED:
            others[one.new_type] = others.get(one.new_type, 0) + 1
    for kind, count in sorted(others.items()):
        report.add("kept", f"{count} x {kind}")
    on_shafts = {*structure.shaft_of}
    for one in structure.document.components.values():
        if one.new_type in ("external_load", "additional_mass") and one.id not in on_shafts:
            report.add("ignored", f"{one.label}: is not on a shaft")
