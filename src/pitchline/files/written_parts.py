"""Tables of the parts of a model in a written file: elements, shafts, programs in the loop."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from pitchline.declare.declared_element import (
    CoordinatesField,
    DeclaredElement,
    JointField,
    ParameterField,
    point_argument,
)
from pitchline.declare.field_declarations import DescriptionField
from pitchline.declare.names import Frame
from pitchline.errors import ModelError, PitchlineError, shown, unknown_part
from pitchline.facades import program_element
from pitchline.model.model import Model
from pitchline.parts.flexible.part import FlexibleBody
from pitchline.parts.gears.geometry.inputs import STEEL, Material
from pitchline.parts.gears.text import material_data
from pitchline.parts.membranes.part import Membrane
from pitchline.parts.membranes.text import membrane_table
from pitchline.parts.shafts.beam import Beam, BeamDamping
from pitchline.parts.shafts.line_inputs import between_ends
from pitchline.parts.shafts.part import Shaft
from pitchline.parts.shafts.sections import BeamSection, ShaftSection
from pitchline.parts.springs.text import LoadWords

from . import catalogue
from .catalogue import Entry
from .element_schema import EVERY_FMU, EVERY_MODULE, description_data
from .key_lines import Path
from .written_values import (
    CannotWrite,
    LookWords,
    Places,
    Table,
    axis_of,
    dimension_of_unit,
    direction,
    function_data,
    mesh_data,
    orientation,
    quantities,
    rounded,
    tidied,
    with_unit,
)

__all__ = ["FMU", "add_fmu", "fmu_table", "ElementWords", "StructureWords", "Words"]


# ---- program elements

# FMUs in model files: `type = "fmu"`. An FMU is a program: it is used only if the user who reads the file allows it.

FMU = "fmu"
"""Type of the element in model files."""
_KEYS = {
    "file": True,
    "step": True,
    "inputs": False,
    "outputs": False,
    "parameters": False,
    "units": False,
    "between": False,
}
"""Keys of the table, and whether they are required."""


def _no_call(**given: Any) -> None:
    raise NotImplementedError


ENTRY = Entry(
    _no_call,
    {
        key: inspect.Parameter(
            key, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if required else None
        )
        for key, required in _KEYS.items()
    },
)


def add_fmu(values: Any, table: Mapping[str, Any], path: Path, model: Model, name: str) -> None:
    """Add the FMU of a table to the model. Errors are reported at their key."""

    def inputs(value: Any, here: Path) -> Any:
        if not isinstance(value, dict):
            raise values.tell(here, f'must be a table of signals, {{ speed = "axis.speed" }}, got {shown(value)}')
        return {key: values.function(one, (*here, key)) for key, one in value.items()}

    def file(value: Any, here: Path) -> Any:
        if not isinstance(value, str):
            raise values.tell(here, f"must be the name of a file, got {shown(value)}")
        if not any(one in (EVERY_MODULE, EVERY_FMU) for one in values.allow):
            raise values.tell(
                here,
                f"{shown(value)} is a program. It runs only if you allow it: use the option --allow-fmu, or --allow-code; in "
                f'Python allow="{EVERY_FMU}"',
            )
        found = values.data_file(here, value)
        if isinstance(found, str):
            raise values.tell(here, found)
        return found

    given = values.arguments(ENTRY, table, path, {"inputs": inputs, "file": file}, also=("type",))

    def add() -> None:
        try:
            model.add(program_element(name, **given))
        except ModelError:
            raise
        except PitchlineError as error:
            raise ModelError(str(error)) from error

    values.call(add, table, path, {})


def fmu_table(element: DeclaredElement) -> dict[str, Any]:
    """Table of an FMU of a model."""
    program = element.values["program"]
    inputs = {}
    for port in program.inputs:
        field = element.fields_of(ParameterField)[port.signal]
        inputs[port.variable] = function_data(
            element.values[port.signal], dimension_of_unit(field.unit), element.argument(port.signal)
        )
    table: dict[str, Any] = {
        "type": FMU,
        "file": FilePath(program.file).name,
        "step": with_unit(element.values["step"], "time"),
    }
    if inputs:
        table["inputs"] = inputs
    table["outputs"] = {port.signal: port.variable for port in program.outputs}
    if program.parameters:
        table["parameters"] = {port.variable: given for port, _, given in program.parameters}
    if program.units:
        table["units"] = dict(program.units)
    if element.values["between"] != "hold":
        table["between"] = element.values["between"]
    return table


# ---- written elements

# Tables for the declared elements of a model: values that differ from their defaults.


class ElementWords:
    """Possible tables for the declared elements of a model, the shortest first."""

    def __init__(self, model: Model, places: Places) -> None:
        self.m, self.places = model, places

    def of(self, name: str) -> Iterator[tuple[type[DeclaredElement], Table]]:
        element = self.m.elements[name]
        cls = type(element)
        if cls.key == FMU:
            yield cls, fmu_table(element)
            return
        if cls.key.startswith("__main__:") or "<locals>" in cls.key:
            raise CannotWrite(
                f"{element.words}: its class is not in a module that can be imported by name. Move it to one"
            )
        joints = {key: element.values[key] for key in cls.fields_of(JointField)}
        rest = {**joints, **{key: self._value(element, key, value) for key, value in element.given.items()}}
        for c in cls.fields_of(CoordinatesField).values():
            for key, unit in c.start_arguments.items():
                if key in element.start:
                    rest[key] = quantities(element.start[key], dimension_of_unit(unit))
        frames = element.frames
        bodies = {key: frame.body_name for key, frame in frames.items()}
        for where in self._meeting(frames) if cls.meeting else self._points(cls, frames):
            yield cls, {"type": cls.key, **bodies, **where, **rest}
        yield cls, {"type": cls.key, **{key: self.places.frame(frame) for key, frame in frames.items()}, **rest}

    def _meeting(self, frames: dict[str, Frame]) -> Iterator[Table]:
        return self.places.meeting(*frames.values())

    def _points(self, cls: type[DeclaredElement], frames: dict[str, Frame]) -> list[Table]:
        points: list[Table] = [{}]
        for key, frame in frames.items():
            at = self.places.places(point_argument(cls, key), self.m.placed(frame)[0])
            points = [{**before, **one} for before in points for one in ({}, *at)]
        return sorted(points, key=len)

    @staticmethod
    def _value(element: DeclaredElement, key: str, value: Any) -> Any:
        field = element.fields_of(ParameterField)[key]
        what = element.argument(key)
        if field.kind == "law":
            raise CannotWrite(
                f"{what} is a Python function. Model files contain data, not code. Add a default to the class"
            )
        if isinstance(field, DescriptionField):
            return description_data(field, value, what)
        dimension = dimension_of_unit(field.unit)
        if field.kind in ("function", "input"):
            return function_data(value, dimension, what)
        if field.kind in ("vector", "numbers"):
            return quantities(value, dimension)
        return with_unit(value, dimension) if field.kind == "number" else value


# ---- written structures

# Tables for shafts, beams and flexible bodies: values that differ from the defaults.

_SECTION_UNITS = {
    "area": "area", "second_moments": "m^4", "torsion_constant": "m^4", "shear_areas": "area", "bending_moduli": "volume",
    "torsion_modulus": "volume", "angle": "angle",
}  # fmt: skip
"""Dimensions of values of beam sections that are not lengths."""


class StructureWords:
    """Possible tables for the shafts, beams and flexible bodies of a model."""

    def __init__(self, model: Model, places: Places) -> None:
        self.m, self.places = model, places

    def of(self, name: str) -> Iterator[tuple[Entry, Table]]:
        structure = self.m.structures[name]
        if isinstance(structure, Shaft):
            yield catalogue.SHAFT, self._shaft(structure)
        elif isinstance(structure, Beam):
            yield catalogue.BEAM, self._beam(structure)
        elif isinstance(structure, FlexibleBody):
            yield catalogue.FLEXIBLE_BODY, self._flexible_body(structure)
        elif isinstance(structure, Membrane):
            yield catalogue.MEMBRANE, membrane_table(structure)
        else:
            raise unknown_part("structure", structure, "the writer of model files")

    def _shaft(self, shaft: Shaft) -> Table:
        table: Table = {"sections": [_shaft_section(section) for section in shaft.sections]}
        if shaft.material != STEEL:
            table["material"] = material_data(shaft.material)
        if shaft.position.any():
            table["position"] = quantities(shaft.position, "length")
        axis = axis_of(shaft.orientation)
        if axis is None:
            table["orientation"] = orientation(shaft.orientation)
        elif axis != "z":
            table["axis"] = axis
        table |= _line(shaft)
        if shaft.hubs:
            table["hubs"] = {station: quantities(hub, "length") for station, hub in shaft.hubs.items()}
        if shaft.step_angle is not None:
            table["step_angle"] = with_unit(shaft.step_angle, "angle")
        if shaft.speed:
            table["speed"] = with_unit(shaft.speed, "angular velocity")
        return table | _moving(shaft)

    def _beam(self, beam: Beam) -> Table:
        rest: Table = {"section": _beam_section(beam.beam_section)}
        if beam.points:
            rest["points"] = [quantities(point, "length") for point in beam.points]
        for key in ("tangent", "end_tangent", "up"):
            if getattr(beam, key) is not None:
                rest[key] = direction(getattr(beam, key))
        rest |= {**_line(beam), **_moving(beam)}
        return {**{key: self._end(getattr(beam, key)) for key in "ab"}, **rest}

    def _flexible_body(self, body: FlexibleBody) -> Table:
        source = body.superelement.source
        if source is None:
            raise CannotWrite(
                f"{body.subject}: its superelement was created from arrays in Python, which a file cannot contain. Save it with "
                '.save("body.h5"), and create the flexible body with read_superelement("body.h5")'
            )
        said = dict(source)
        for key in ("file", "mesh"):
            if key in said:
                said[key] = FilePath(said[key]).name  # next to the model file
        if "material" in said:
            said["material"] = material_data(said["material"])
        table: Table = {"superelement": said}
        if body.position.any():
            table["position"] = quantities(body.position, "length")
        if not np.array_equal(body.orientation, np.eye(3)):
            table["orientation"] = orientation(body.orientation)
        if body.damping:
            table["damping"] = with_unit(body.damping, "time")
        if body.modal_damping:
            table["modal_damping"] = body.modal_damping
        return table | _moving(body)

    def _end(self, end: Frame | np.ndarray) -> Any:
        if not isinstance(end, Frame):
            return quantities(end, "length")
        return self.places.frame(end, named=False) if end.position.any() else end.body_name


def _line(line: Shaft | Beam) -> Table:
    """Values that shafts and beams have in common."""
    table: Table = {}
    given = between_ends(line.places)
    if given:
        table["stations"] = {name: with_unit(place, "length") for name, place in given.items()}
    if line.elements_at_least != 4:
        table["elements"] = line.elements_at_least
    if line.frequency is not None:
        table["frequency"] = with_unit(line.frequency, "frequency")
    if line.damping != BeamDamping():
        table["damping"] = _damping(line.damping)
    if line.mass != "tuned":
        table["mass"] = line.mass
    return table


def _damping(damping: BeamDamping) -> Any:
    parts = {key: getattr(damping, key) for key in ("bending", "torsion", "axial")}
    if len(set(parts.values())) == 1:
        return with_unit(damping.bending, "time")
    return {key: with_unit(value, "time") for key, value in parts.items() if value}


def _moving(line: Shaft | Beam | FlexibleBody) -> Table:
    table: Table = {}
    for key, dimension in (("velocity", "velocity"), ("angular_velocity", "angular velocity")):
        value = getattr(line, key)
        if value is not None and (isinstance(line, Beam) or value.any()):
            table[key] = quantities(value, dimension)
    return table


def _shaft_section(section: ShaftSection) -> Table:
    table = {"length": with_unit(section.length, "length"), "outer": with_unit(section.outer, "length")}
    if section.inner:
        table["inner"] = with_unit(section.inner, "length")
    for key, begin in (("outer_end", section.outer), ("inner_end", section.inner)):
        if getattr(section, key) != begin:
            table[key] = with_unit(getattr(section, key), "length")
    if section.material is not None:
        table["material"] = material_data(section.material)
    if section.notch_factor != 1.0:
        table["notch_factor"] = section.notch_factor
    return table


def _beam_section(section: BeamSection) -> Table:
    entry = catalogue.BEAM_SECTIONS[section.shape]
    given: Mapping[str, Any] = section.given
    table: Table = {"kind": section.shape}
    for key in entry.arguments:
        if key not in given or (key not in entry.required and _is_default(given[key], entry.default(key))):
            continue
        value = given[key]
        if isinstance(value, Material):
            table[key] = material_data(value)
        elif section.shape == "matrices":
            table[key] = [[float(x) for x in row] for row in np.asarray(value)]
        else:
            dimension = _SECTION_UNITS.get(key, "length")
            table[key] = quantities(value, dimension) if isinstance(value, tuple) else with_unit(value, dimension)
    return table


def _is_default(value: Any, default: Any) -> bool:
    return value is default or value == default or (default is None and not np.any(value))


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
