"""Loads, drives and additional masses of the model."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...couplings import ElasticCoupling
from ...model import Model
from ...solids.mass_properties import MassProperties
from ...solids.rotations import Array
from ..imported import ImportReport
from .bodies import Bodies
from .component import RexsComponent
from .naming_errors import about
from .part_names import PartNames
from .places import RexsPlaces
from .sections import SectionLine
from .structure import UnitStructure
from .train import GivenLoad, Hold, LoadedTrain

__all__ = ["LoadNames", "add_loads", "add_masses"]

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


def mass_point(one: RexsComponent, shaft: RexsComponent, places: RexsPlaces) -> Array:
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


def _plain(vector: Array) -> tuple[float, float, float]:
    """Vector without rounding errors."""
    largest = float(np.abs(vector).max())
    x, y, z = (0.0 if abs(value) < 1e-14 * largest else float(value) for value in vector)
    return x, y, z


def slug(text: str) -> str:
    """Name of a parameter from the name of a part."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return plain if plain and plain[0].isalpha() else f"load_{plain}".rstrip("_")
