"""Tables for the elements of a model, from the shortest possible table to the one with all numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import unknown_part
from ..model import Model
from . import catalogue
from .catalogue import Entry
from .written_elements import ElementWords
from .written_loads import LoadWords
from .written_looks import LookWords
from .written_places import Places, Table, tidied
from .written_quantities import axis_of, direction, orientation, quantities, rounded, with_unit
from .written_structures import StructureWords
from .written_values import function_data, mesh_data

__all__ = ["Words"]

GearName = Callable[[Any], str]


class Words:
    """Possible tables for the elements of a model."""

    def __init__(self, model: Model) -> None:
        self.m = model
        self.places = Places(model)
        self.loads = LoadWords(model, self.places)
        self.elements = ElementWords(model, self.places)
        self.structures = StructureWords(model, self.places)
        self.looks = LookWords(model)

    def of(self, section: str, name: str, gear_name: GearName) -> Iterator[tuple[Any, Table]]:
        """Entries and tables for one element, the shortest first."""
        look = self.looks.of(name)
        if section == "looks":
            yield catalogue.LOOK, look
            return
        for entry, table in self._without_look(section, name, gear_name):
            yield entry, table if self.looks.apart(name) else {**table, **look}

    def _without_look(self, section: str, name: str, gear_name: GearName) -> Iterator[tuple[Any, Table]]:
        if section == "bodies":
            yield from self._body(name, gear_name)
        elif section in ("shafts", "beams", "flexible_bodies", "membranes"):
            yield from self.structures.of(name)
        elif section == "wheels":
            yield from self._wheel(name, gear_name)
        elif section == "joints":
            yield from self._joint(name)
        elif section == "gear_pairs":
            yield from self._pair(name)
        elif section == "drives":
            yield catalogue.DRIVE, self._drive(name)
        elif section == "loads":
            yield from self.loads.of(name)
        elif section == "elements":
            yield from self.elements.of(name)
        else:
            raise unknown_part("part", name, "the writer of model files", kind=section)

    def is_gear_body(self, name: str) -> bool:
        """Whether a wheel was created with its body."""
        wheel = self.m.wheels[name]
        frame = wheel.frame
        same = frame.body_name == name == frame.name
        return same and not frame.position.any() and bool(np.array_equal(frame.rotation, np.eye(3)))

    # ---- bodies and wheels

    def _body(self, name: str, gear_name: GearName) -> Iterator[tuple[Entry, Table]]:
        body = self.m.bodies[name]
        mass: Table = {"mass": with_unit(body.mass, "mass"), "inertia": _inertia(body.inertia)}
        if body.centre_of_mass.any():
            mass["centre_of_mass"] = quantities(body.centre_of_mass, "length")
        if body.any_inertia:
            mass["any_inertia"] = True
        place: Table = {"position": quantities(body.position, "length")} if body.position.any() else {}
        turned = orientation(body.orientation)
        moving: Table = {}
        for key, dimension in (("velocity", "velocity"), ("angular_velocity", "angular velocity")):
            if getattr(body, key).any():
                moving[key] = quantities(getattr(body, key), dimension)
        if name in self.m.wheels and self.is_gear_body(name):
            gear = {"gear": gear_name(self.m.wheels[name].gear)}
            axis = axis_of(body.orientation)
            by_axes = {**place, **({"axis": axis} if axis is not None else {"orientation": turned})}
            centre = {"centre_of_mass": quantities(body.centre_of_mass, "length")}
            weights: list[Table] = [{}, {"mass": mass["mass"]}, mass, {**mass, **centre}]
            for where in (*self._in_mesh(name), by_axes) if axis is None else (by_axes,):
                for weight in weights:
                    yield catalogue.GEAR_BODY, {**gear, **where, **weight, **moving}
            return
        where = {} if turned is None else {"orientation": turned}
        yield catalogue.BODY, {**mass, **place, **where, **moving}

    def _in_mesh(self, name: str) -> Iterator[Table]:
        """Wheel placed by its mesh with another wheel."""
        x = self.m.bodies[name].position
        for pair in self.m.gear_pairs.values():
            wheels = [pair.wheel_a, pair.wheel_b]
            if name not in [wheel.name for wheel in wheels]:
                continue
            other = wheels[0] if wheels[1].name == name else wheels[1]
            yield {"mesh_with": other.name}
            out = x - self.m.placed(other.frame)[0]
            if out.any():
                for v in tidied(out / np.linalg.norm(out)):
                    yield {"mesh_with": other.name, "towards": direction(v)}

    def _wheel(self, name: str, gear_name: GearName) -> Iterator[tuple[Entry, Table]]:
        wheel = self.m.wheels[name]
        frame = wheel.frame
        x, R = self.m.placed(frame)
        gear = {"gear": gear_name(wheel.gear)}
        axis = axis_of(R)
        ways: list[Table] = [{}] if axis is None else [{}, {"axis": axis}]
        weights: list[Table] = [{}, {"with_mass": wheel.solid is not None}]
        for where in ways:
            for at in ({}, *self.places.places("at", x)):
                for mass in weights:
                    yield catalogue.WHEEL, {"body": frame.body_name, **gear, **at, **where, **mass}
        for mass in weights:
            yield catalogue.WHEEL, {"body": self.places.frame(frame, named=False), **gear, **mass}

    # ---- joints, pairs, drives

    def _joint(self, name: str) -> Iterator[tuple[Entry, Table]]:
        joint = self.m.joints[name]
        entry = catalogue.JOINTS[joint.kind]
        own: list[Table] = [{}]
        if joint.pitch is not None:
            lead = joint.pitch * 2 * math.pi
            own = [{"lead": with_unit(x, "length")} for x in (*rounded([lead], abs(lead)), lead, *_beside(lead))]
        ends = {"a": joint.body_a, "b": joint.body_b}
        exact = {"a": self.places.frame(joint.frame_a), "b": self.places.frame(joint.frame_b)}
        if joint.length is not None:
            yield entry, {"kind": joint.kind, **ends}
            length = {"length": with_unit(joint.length, "length")}
            points = [self.m.placed(frame)[0] for frame in (joint.frame_a, joint.frame_b)]
            for at in self.places.both(points):
                yield entry, {"kind": joint.kind, **ends, **at}
                yield entry, {"kind": joint.kind, **ends, **at, **length}
            yield entry, {"kind": joint.kind, **exact, **length}
            return
        for further in own:
            for where in self.places.meeting(joint.frame_a, joint.frame_b):
                yield entry, {"kind": joint.kind, **ends, **where, **further}
        for further in own:
            yield entry, {"kind": joint.kind, **exact, **further}

    def _pair(self, name: str) -> Iterator[tuple[Entry, Table]]:
        made = self.m.gear_pairs[name]
        mesh = {"mesh": mesh_data(made.mesh, f'gear pair "{name}"')}
        if made.wheel_a.gear is None:
            frames = (made.wheel_a.frame, made.wheel_b.frame)
            yield catalogue.GEAR_PAIR, {"a": frames[0].body_name, "b": frames[1].body_name, **mesh}
            yield catalogue.GEAR_PAIR, {"a": self.places.frame(frames[0]), "b": self.places.frame(frames[1]), **mesh}
            return
        ends = {"a": made.wheel_a.name, "b": made.wheel_b.name}
        distance = {"centre_distance": with_unit(made.pair.centre_distance, "length")}
        angle = {"shaft_angle": with_unit(made.pair.shaft_angle, "angle")}
        for phase in ({}, {"phase": "as placed"}, {"phase": "fit"}):
            for geometry in ({}, distance, angle, {**distance, **angle}):
                yield catalogue.GEAR_PAIR, {**ends, **mesh, **geometry, **phase}

    def _drive(self, name: str) -> Table:
        drive = self.m.drives[name]
        turns = drive.coordinate == "angle"
        if drive.given == "speed":
            key, dimension = "speed", "angular velocity" if turns else "velocity"
        else:
            key, dimension = drive.coordinate, "angle" if turns else "length"
        table = {"joint": drive.joint_name, key: function_data(drive.function, dimension, f'drive "{name}": {key}')}
        if key == "speed" and len(self.m.joints[drive.joint_name].coordinates) > 1:
            table["coordinate"] = drive.coordinate
        return table


def _inertia(inertia: np.ndarray) -> list[Any]:
    if np.array_equal(inertia, np.diag(np.diag(inertia))):
        return quantities(np.diag(inertia), "inertia")
    return [quantities(row, "inertia") for row in inertia]


def _beside(value: float) -> list[float]:
    """Nearest numbers."""
    up, down = math.nextafter(value, math.inf), math.nextafter(value, -math.inf)
    return [up, down, math.nextafter(up, math.inf), math.nextafter(down, -math.inf)]
