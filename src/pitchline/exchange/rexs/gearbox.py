"""Model of a gear unit from a REXS document, with its loads and masses, and the origin of its parts."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.errors import ModelError
from pitchline.model.model import Model
from pitchline.parts.couplings.design import ElasticCoupling
from pitchline.solids.mass_properties import MassProperties

from ..mass_table import ImportReport
from ..safe_xml import ExchangeError
from .bodies import Bodies, Held, Kinematics, held_by_coupling, part_number, spinning_groups
from .component import FLAGS, RexsAttribute, RexsComponent, RexsDocument, RexsRelation
from .connections import Connections
from .database import value_type_of
from .gears import Gears
from .places import Connection, RexsPlaces, UnitStructure, read_structure
from .sections import Materials, PartNames, RexsOptions, SectionLine, about, cleaned, shaft_line
from .stages import GivenLoad, Hold, LoadedTrain, Stages, read_train

__all__ = [
    "repaired",
    "LoadNames",
    "add_loads",
    "add_masses",
    "RexsOrigin",
    "keep_origin",
    "origin_of",
    "origins_of_copies",
    "rexs_origin",
    "Gearbox",
    "build_gearbox",
]


# ---- lenient

# Repairs of documents whose meaning is clear although they break the standard, each with a note in the report.
#
# Some programs write `false` where they have no value, leave empty shafts and sections in the file, and keep
# references to numbers that a component had before it was renumbered. The document of the file itself does not
# change.

_LOOSE = {"assembly": "part", "ordered_assembly": "part", "reference": "referenced", "ordered_reference": "referenced"}
"""Relations that list parts or references, and their role."""
_POSITION = "reference_component_for_position"
_VECTORS = ("support_vector", "u_axis_vector", "w_axis_vector")
_NAMED = 4


def repaired(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document with its repairs."""
    made = replace(
        document, components=_without_flags(document, report), relations=_without_dead_parts(document, report)
    )
    made = _without_empty_sections(made, report)
    made = _without_empty_shafts(made, report)
    return _without_dead_positions(made, report)


def _without_flags(document: RexsDocument, report: ImportReport) -> dict[int, RexsComponent]:
    """Components without flags in place of other values."""
    found = dict(document.components)
    changed: dict[tuple[str, str], list[str]] = defaultdict(list)
    for number, component in document.components.items():
        wrong = {name: one for name, one in component.attributes.items() if _is_placeholder(component, one)}
        if wrong:
            found[number] = _changed(component, {name: None for name in wrong})
            for name, one in wrong.items():
                changed[name, str(one.text)].append(component.label)
    for (name, text), labels in changed.items():
        report.add("repaired", f'{_listed(labels)}: the value {text} of "{name}" is read as no value')
    return found


def _is_placeholder(component: RexsComponent, attribute: RexsAttribute) -> bool:
    """Whether a flag is in place of a number, an array, a text or a reference."""
    if attribute.shape != "scalar" or str(attribute.text).strip().lower() not in FLAGS:
        return False
    wanted = value_type_of(component.new_type, attribute.id)
    if wanted is None or wanted.startswith("boolean"):
        return False
    return attribute.value_type == "boolean" or not wanted.startswith(("enum", "string"))


def _without_dead_parts(document: RexsDocument, report: ImportReport) -> list[RexsRelation]:
    """Relations without parts of the gear unit, and without references, that do not exist. Other missing components are errors."""
    units = {one.id for one in document.of_type("gear_unit")}
    found = []
    for relation in document.relations:
        role = _LOOSE.get(relation.type)
        if role == "part" and relation.role("assembly") not in units:
            role = None  # a missing section or gear of a shaft changes it
        dead = [ref for ref in relation.refs if ref.role == role and ref.id not in document.components]
        if not dead:
            found.append(relation)
            continue
        report.add(
            "repaired",
            f"relation {relation.id} ({relation.type}): component {dead[0].id}"
            f"{f' ({dead[0].hint})' if dead[0].hint else ''} does not exist; it is left out",
        )
        kept = copy(relation)
        kept.refs = [ref for ref in relation.refs if ref not in dead]
        if kept.roles(role or ""):
            found.append(kept)
    return found


def _without_empty_sections(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document without sections of shafts that have no length and no diameter."""
    empty = {
        number
        for number, one in document.components.items()
        if one.new_type == "shaft_section" and not one.has("length") and not one.has("outer_diameter_begin")
    }
    if not empty:
        return document
    labels = [document.components[number].label for number in sorted(empty)]
    report.add("repaired", f"{_listed(labels)}: without length and diameter; left out")
    return _without(document, empty)


def _without_empty_shafts(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document without shafts that have no position and nothing on them, and that nothing connects."""
    used: set[int] = set()
    for relation in document.relations:
        whole = "assembly" if relation.type in ("assembly", "ordered_assembly") else "origin"
        if relation.type in _LOOSE:
            used |= {ref.id for ref in relation.refs if ref.role == whole and relation.type.endswith("assembly")}
        else:
            used |= {ref.id for ref in relation.refs}
    empty = {
        number
        for number, one in document.components.items()
        if one.new_type == "shaft" and number not in used and not one.has("support_vector")
    }
    if not empty:
        return document
    labels = [document.components[number].label for number in sorted(empty)]
    report.add("repaired", f"{_listed(labels)}: without position and parts, and not connected; left out")
    return _without(document, empty)


def _without(document: RexsDocument, empty: set[int]) -> RexsDocument:
    """The document without some components."""
    relations = []
    for relation in document.relations:
        if any(ref.id in empty for ref in relation.refs):
            relation = copy(relation)
            relation.refs = [ref for ref in relation.refs if ref.id not in empty]
            whole = "origin" if "reference" in relation.type else "assembly"
            if not relation.roles(_LOOSE.get(relation.type, "")) or relation.role(whole) is None:
                continue
        relations.append(relation)
    components = {number: one for number, one in document.components.items() if number not in empty}
    return replace(document, components=components, relations=relations)


def _without_dead_positions(document: RexsDocument, report: ImportReport) -> RexsDocument:
    """The document without positions relative to components that do not exist.

    A part with a coordinate on its shaft keeps this coordinate. The vectors of others are read in the axes of the gear unit.
    """
    components = dict(document.components)
    for number, one in document.components.items():
        if not one.has(_POSITION) or one.new_type == "gear_unit":
            continue
        reference = one.reference(_POSITION)
        if reference in document.components:
            continue
        coordinates = [name for name in one.attributes if name.startswith("u_coordinate_on_shaft") and one.has(name)]
        if coordinates:
            components[number] = _changed(one, dict.fromkeys((_POSITION, *_VECTORS)))
            how = f"its position is that of {coordinates[0]}"
        else:
            components[number] = _changed(one, {_POSITION: None})
            how = "its position is read relative to the gear unit"
        report.add(
            "repaired", f"{one.label}: its position refers to component {reference}, which does not exist; {how}"
        )
    return replace(document, components=components)


def _changed(component: RexsComponent, without: dict[str, None]) -> RexsComponent:
    """A component without some values."""
    made = copy(component)
    made.attributes = {name: one for name, one in component.attributes.items() if name not in without}
    return made


def _listed(labels: list[str]) -> str:
    first = ", ".join(labels[:_NAMED])
    return first if len(labels) <= _NAMED else f"{first} and {len(labels) - _NAMED} others"


# ---- loads

# Loads, drives and additional masses of the model.

_STIFFER = 100.0
"""Torsional stiffness of the connection to a drive, compared with that of its shaft."""
_WITHOUT_SHAFT = 1e7
_ROTOR = 1e-3
"""Inertia of the rotor of a drive [kg m^2]; it has no effect, because its speed is prescribed."""
COMPONENTS = ("force_u", "force_v", "force_w", "torque", "moment_v", "moment_w")


@dataclass
class LoadNames:
    """Names of the parts that depend on the load case.

    forces, torques: part of the model to the load
    drives:          drive to the hold
    """

    forces: dict[str, GivenLoad] = field(default_factory=dict)
    torques: dict[str, GivenLoad] = field(default_factory=dict)
    drives: dict[str, Hold] = field(default_factory=dict)


def add_loads(
    model: Model, bodies: Bodies, names: PartNames, train: LoadedTrain, lines: dict[int, SectionLine], report: ImportReport,
    kinds: Mapping[int, Collection[str]],
) -> LoadNames:  # fmt: skip
    """Add forces, torques and the drives that balance them.

    kinds: "force" and "torque" of loads that must be in the model even if they are zero, by the id of the load
    """
    made = LoadNames()
    held = {id(hold.component) for hold in train.holds}
    for load in train.loads:
        one = load.component
        body = bodies.at(load.shaft, load.point)
        if body.is_ground:
            report.add("ignored", f"{one.label}: acts on the casing, without effect")
            continue
        force, torque = load.axes @ np.array(load.forces), load.axes @ np.array(load.torques)
        own = id(one) not in held  # the joint of a hold has the name of its load
        with about(one):
            with_torque = "torque" in kinds.get(one.id, ()) or bool(np.any(torque))
            with_force = "force" in kinds.get(one.id, ()) or bool(np.any(force))
            if with_torque:
                name = names.of(one) if own and not with_force else names.of(one, "torque")
                model.torque(name, body, _plain(torque))
                made.torques[name] = load
                bodies.parts[name] = one.id
            if with_force:
                name = names.of(one) if own and not with_torque else names.of(one, "force")
                model.force(name, body, _plain(force), at=tuple(load.point))
                made.forces[name] = load
                bodies.parts[name] = one.id
    rotations = train.rotations
    for hold in train.holds:
        _hold(model, bodies, names, hold, float(hold.row @ rotations), lines, made, report)
    return made


def _hold(
    model: Model, bodies: Bodies, names: PartNames, hold: Hold, speed: float, lines: dict[int, SectionLine], made: LoadNames,
    report: ImportReport,
) -> None:  # fmt: skip
    """Prescribe the speed: a rotor on the casing, connected to the shaft by a coupling that transmits torque only."""
    one = hold.component
    station = bodies.at(hold.shaft, hold.point)
    if station.is_ground:
        return
    line = lines.get(hold.shaft.id)
    stiffness = _WITHOUT_SHAFT if line is None else _STIFFER * line.torsional_stiffness()
    stiffness = float(f"{stiffness:.1e}")
    place = bodies.places.of(hold.shaft)
    joint = names.of(one) if one is not hold.shaft else names.of(one, "drive")
    coupling, drive = names.of(one, "connection"), names.of(one, "speed")
    rotor = names.unique(f"{joint} rotor", one.id)
    with about(one):
        model.rotor(
            joint, model.ground, inertia=_ROTOR, axis=tuple(place.u), at=tuple(hold.point), speed=speed, hidden=True
        )
        model.coupling(coupling, rotor, station, ElasticCoupling(stiffness), at=tuple(hold.point))
        model.drive(drive, joint, speed=speed)
    made.drives[drive] = hold
    bodies.parts[joint] = one.id
    report.add(
        "assumed",
        f"{one.label}: its speed is prescribed through a coupling of {stiffness:.2g} N m/rad that transmits torque only",
    )


def add_masses(
    model: Model, structure: UnitStructure, places: RexsPlaces, bodies: Bodies, names: PartNames, report: ImportReport
) -> None:
    """Add the additional masses of all shafts."""
    for shaft in structure.shafts.values():
        for one in shaft.masses:
            _add_mass(model, shaft.component, one, places, bodies, names, report)


def mass_point(one: RexsComponent, shaft: RexsComponent, places: RexsPlaces) -> FloatArray:
    """Point of the axis at which an additional mass is attached."""
    return places.of(shaft).along(places.on_shaft(one, shaft)).origin


def _add_mass(
    model: Model,
    shaft: RexsComponent,
    one: RexsComponent,
    places: RexsPlaces,
    bodies: Bodies,
    names: PartNames,
    report: ImportReport,
) -> None:
    mass = one.number("mass_of_component") or 0.0
    moments = [one.number(f"moment_of_inertia_{axis}_axis") or 0.0 for axis in "uvw"]
    given = [one.has(f"moment_of_inertia_{axis}_axis") for axis in "uvw"]
    if given == [True, False, False] and moments[0] > 0.0:
        moments[1] = moments[2] = 0.5 * moments[0]
        report.add("assumed", f"{one.label}: moments of inertia about v and w of a thin disc, half of that about u")
    if mass < 0.0 or min(moments) < 0.0 or mass > 1e7:
        raise one.error("mass_of_component", "mass and moments of inertia must not be negative, and must be plausible")
    if mass == 0.0:
        if any(moments):
            report.add("ignored", f"{one.label}: moments of inertia without a mass")
        return
    place = places.of(one) if one.has("support_vector") else places.of(shaft)
    point = mass_point(one, shaft, places)
    body = bodies.at(shaft, point)
    if body.is_ground:
        return
    shift = one.numbers("eccentricity_vector")
    centre = point if shift is None or shift.shape != (3,) else point + place.axes @ shift
    if math.dist(centre, point) > 10.0:
        raise one.error("eccentricity_vector", "is not plausible")
    turn = body.orientation.T @ place.axes
    inertia = turn @ np.diag(moments) @ turn.T
    name = names.of(one)
    with about(one):
        solid = MassProperties(mass, (0.0, 0.0, 0.0), 0.5 * (inertia + inertia.T))
        model.attached_mass(name, body, solid=solid.moved(tuple(body.orientation.T @ (centre - body.position))))
    bodies.parts[name] = one.id
    report.add("used", f"{one.label}: {mass:.4g} kg; its moments of inertia are about its own centre")


def _plain(vector: FloatArray) -> tuple[float, float, float]:
    """Vector without rounding errors."""
    largest = float(np.abs(vector).max())
    x, y, z = (0.0 if abs(value) < 1e-14 * largest else float(value) for value in vector)
    return x, y, z


def slug(text: str) -> str:
    """Name of a parameter from the name of a part."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return plain if plain and plain[0].isalpha() else f"load_{plain}".rstrip("_")


# ---- origin

# Where the parts of an imported model come from: the document of the file, and the component of each part.


@dataclass
class RexsOrigin:
    """What a model was made from.

    Attributes
    ----------
    document : RexsDocument
        Contents of the file, complete and unchanged.
    report : ImportReport
        What was used, assumed, kept and ignored.
    parts : dict
        Component id of each part of the model, by the name of the part.
    case : tuple of (spectrum id, case id), or None
        Load case of the model; None: the values without a load case.
    """

    document: RexsDocument
    report: ImportReport
    parts: dict[str, int] = field(default_factory=dict)
    case: tuple[int, int] | None = None


_origins: WeakKeyDictionary[Model, RexsOrigin] = WeakKeyDictionary()


def keep_origin(model: Model, origin: RexsOrigin) -> None:
    """Keep the origin of a model as long as the model exists."""
    _origins[model] = origin


def origin_of(model: Model) -> RexsOrigin | None:
    """Origin of a model, or None if it was not made from a REXS file."""
    return _origins.get(model)


@names_wrong_arguments
def rexs_origin(model: Model) -> RexsOrigin:
    """Return the document, the report and the component ids of a model from `from_rexs`.

    Parameters
    ----------
    model
        Model that `from_rexs` has returned.
    """
    found = origin_of(model)
    if found is None:
        raise ModelError(f'model "{model.name}" was not made from a REXS file; use pl.from_rexs(path)')
    return found


def origins_of_copies(model: Model) -> tuple[Model, RexsOrigin] | None:
    """Imported model of which a model is a changed copy (`Model.replaced`): the one that shares most of its parts with it."""
    own = {id(part) for part in _parts(model)}
    best: tuple[Model, RexsOrigin] | None = None
    most = 0
    for other, origin in list(_origins.items()):
        shared = sum(id(part) in own for part in _parts(other))
        if shared > most:
            most, best = shared, (other, origin)
    return best


def _parts(model: Model) -> list[object]:
    sections = (model.bodies, model.joints, model.drives, model.loads, model.structures, model.elements, model.wheels)
    return [part for section in sections for part in section.values()]


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
