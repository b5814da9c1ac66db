"""Model as plain data (for JSON and result files) and as readable text."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping, Sized
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import shown, unknown_part
from ..gears import Gear
from ..gears.modifications import Modification
from ..gears.teeth import Teeth
from ..gears.words import modification_words
from ..solids.triangle_mesh import TriangleMesh
from ..superelements.superelement import Superelement
from .body import Body
from .declared_element import DeclaredElement
from .description_field import words_of
from .element_fields import FrameField, JointField, ParameterField, SignalField
from .functions import Constant, Function
from .gear_mesh import GearMesh
from .loads import Bushing, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from .look_methods import described_look
from .meshes import OwnMesh, Varying
from .registry import Registry
from .shifted_signal import ShiftedSignal
from .signal_expression import SignalExpression
from .signal_values import SignalValue
from .state_law import StateLaw
from .station import Station
from .structure import Structure
from .train_assembly import FORCED
from .wheels import Wheel

__all__ = ["describe", "summary"]

_STRUCTURES = (("shaft", "shafts"), ("beam", "beams"), ("flexible body", "flexible bodies"), ("membrane", "membranes"))
_IF_ANY = ("wheel", "gear pair", "element", *(one for one, _ in _STRUCTURES))
_MOST_POINTS = 20_000
"""Maximum number of surface points of a flexible body in a description, for pictures."""
_AS_THEY_ARE = {bool, str, int, float, type(None)}
_LEFT_OUT = ("owner",)  # the body of a frame is already in the model


def plain_data(value: object) -> Any:
    """Convert any part of a model to dicts, lists, numbers and texts."""
    make = _maker(type(value))  # type: ignore[arg-type]
    if make is None:
        raise TypeError(f"{shown(value)} ({type(value).__name__}) has no description as plain data")
    return make(value)


@functools.cache
def _maker(kind: type) -> Callable[[Any], Any] | None:
    """Return the function that converts values of a type to plain data, or None."""
    if kind is type(None) or issubclass(kind, (str, bool, int, float, np.generic)):
        return _itself
    if issubclass(kind, np.ndarray):
        return _listed
    if issubclass(kind, (Function, Varying, SignalExpression, StateLaw)):
        return _described
    if issubclass(kind, GearMesh):
        return _gear_pair
    if issubclass(kind, Gear):
        return _gear
    if issubclass(kind, Teeth):
        return _teeth
    if issubclass(kind, DeclaredElement):
        return _element
    if issubclass(kind, OwnMesh):
        return _own_mesh
    if issubclass(kind, Superelement):
        return _superelement
    if dataclasses.is_dataclass(kind):
        return _fields
    if issubclass(kind, Modification):
        return _own_modification
    if issubclass(kind, Fraction):
        return str
    if issubclass(kind, Mapping):
        return _mapping
    return _sequence if issubclass(kind, (list, tuple)) else None


def _superelement(value: Superelement) -> Any:
    """Describe a superelement by its identification and its shape. Its matrices are too large for a description."""
    count = len(value.frequencies)
    said = {"interfaces": list(value.interfaces), "mass": value.mass, "modes": count, "fingerprint": value.fingerprint}
    if value.source is not None and "shape" in value.source:
        return said | {"shape": plain_data(value.source["shape"])}
    if 0 < len(value.points) <= _MOST_POINTS:
        surface = TriangleMesh(value.points.astype(np.float32), value.triangles.astype(np.uint32))
        return said | {"surface": surface.described()}
    return said


def _itself(value: Any) -> Any:
    return value


def _listed(value: np.ndarray) -> Any:
    return value.tolist()


def _described(value: Any) -> Any:
    return value.describe()


def _fields(value: Any) -> dict[str, Any]:
    said = {"type": type(value).__name__}
    for name in _said_of(type(value)):  # type: ignore[arg-type]
        item = getattr(value, name)
        said[name] = item if type(item) in _AS_THEY_ARE else plain_data(item)
    return said


def _mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): plain_data(item) for key, item in value.items()}


def _sequence(value: list[Any] | tuple[Any, ...]) -> list[Any]:
    return [plain_data(item) for item in value]


@functools.cache
def _said_of(kind: Any) -> tuple[str, ...]:
    """Names of the dataclass fields that are part of a description."""
    names = [field.name for field in dataclasses.fields(kind)]
    return tuple(name for name in names if name not in _LEFT_OUT and not name.startswith("_"))


def describe(model: Registry) -> dict[str, Any]:
    """Return the complete model as data for JSON. Callables are described by their repr."""
    said = {
        "name": model.name,
        "gravity": plain_data(model.gravity),
        "bodies": _with_looks(model, plain_data(_free_bodies(model))),
        "joints": plain_data(model.joints),
        "drives": plain_data(model.drives),
        "loads": plain_data(model.loads),
    }
    if model.plane is not None:
        said["plane"] = model.plane.name
    for structure in model.structures.values():
        said.setdefault(structure.section, {})[structure.name] = _structure(structure) | described_look(
            model, structure.name
        )
        _with_looks(model, said[structure.section][structure.name]["stations"])
    if model.elements:
        said["elements"] = _with_looks(model, plain_data(model.elements))
    if model.wheels or model.gear_pairs:
        own = {
            name: wheel for name, wheel in model.wheels.items() if name not in model.bodies
        }  # other parts look like their bodies
        wheels = plain_data(model.wheels)
        _with_looks(model, {name: wheels[name] for name in own})
        said |= {"wheels": wheels, "gear_pairs": plain_data(model.gear_pairs)}
    ground = described_look(model, model.ground.name)
    return {**said, "ground": ground} if ground else said


def _with_looks(model: Registry, parts: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Descriptions of parts by name, with shape, colour and hidden if they were specified."""
    for name, part in parts.items():
        part |= described_look(model, name)
    return parts


def _free_bodies(model: Registry) -> dict[str, Body]:
    """Bodies that are not stations of structures."""
    return {name: body for name, body in model.bodies.items() if not isinstance(body, Station)}


def _structure(structure: Structure) -> dict[str, Any]:
    """Describe a structure by its arguments, its total mass, and its stations in the initial pose by body name."""
    stations = {
        body.name: {"station": name, "position": plain_data(body.position), "orientation": plain_data(body.orientation)}
        for name, body in structure.stations.items()
    }
    said = {key: plain_data(value) for key, value in structure.said().items()}
    return {"type": type(structure).__name__, **said, "total_mass": structure.solid.mass, "stations": stations}


def _own_mesh(mesh: OwnMesh) -> dict[str, Any]:
    """Describe a mesh law of a user with units and descriptions."""
    fields = {
        name: {"value": mesh.values[name], "unit": field.unit, "text": field.text}
        for name, field in mesh.fields.items()
    }
    options = {key: plain_data(value) for key, value in mesh.options.items() if key not in mesh.fields}
    return {"type": type(mesh).__name__, "key": mesh.key, "parameters": fields, **options}


def _element(element: DeclaredElement) -> dict[str, Any]:
    """Describe an element with units and descriptions, so that a report needs no other data."""
    parameters = {
        name: {"value": _parameter(element.values[name], field), "unit": field.unit, "text": field.text}
        for name, field in element.fields_of(ParameterField).items()
    }
    joints = {name: element.values[name] for name in element.fields_of(JointField)}
    return {
        "type": type(element).__name__,
        "key": element.key,
        "name": element.name,
        "what": element.what(),
        "frames": {name: plain_data(element.values[name]) for name in element.fields_of(FrameField)},
        **({"joints": joints} if joints else {}),
        "parameters": parameters,
        **({"start": plain_data(element.start)} if element.start else {}),
        "signals": list(element.fields_of(SignalField)),
    }


def _parameter(value: Any, field: ParameterField) -> Any:
    if field.kind == "description" and value is not None:
        made = getattr(value, "described", None)
        return {**(plain_data(value) if made is None else made()), "words": words_of(value)}
    return repr(value) if field.kind == "law" else plain_data(value)


def _own_modification(value: Modification) -> dict[str, Any]:
    """Describe a modification that is a user's class."""
    return {"type": type(value).__name__, "repr": shown(value)}


def _gear(gear: Gear) -> dict[str, Any]:
    """Describe a gear by all its arguments. For pictures, bore and rim_diameter are given twice: in the body and separately."""
    return {**_fields(gear), "bore": gear.bore, "rim_diameter": gear.rim_diameter}


def _teeth(teeth: Teeth) -> dict[str, Any]:
    """Describe teeth by their gear and the tool that cuts them."""
    return {
        "type": "Teeth",
        "gear": plain_data(teeth.gear),
        "tool": plain_data(teeth.rack or teeth.cutter),
    }


def _gear_pair(pair: GearMesh) -> dict[str, Any]:
    """Describe a gear pair by its wheels, its mesh and its position. For wheels without gears also by its frames."""
    frames = (
        {}
        if pair.wheel_a.gear
        else {"frame_a": plain_data(pair.wheel_a.frame), "frame_b": plain_data(pair.wheel_b.frame)}
    )
    return {
        "type": "GearMesh",
        "name": pair.name,
        "wheel_a": pair.wheel_a.name,
        "wheel_b": pair.wheel_b.name,
        "kind": str(pair.pair.kind),
        "centre_distance": pair.pair.centre_distance,
        "shaft_angle": pair.pair.shaft_angle,
        "mesh": plain_data(pair.mesh),
        "psi_a": pair.alignment.psi_a,
        "psi_b": pair.alignment.psi_b,
        "point_b": plain_data(pair.alignment.point_b),
        "triad_b": plain_data(pair.alignment.triad_b),
        **({"phase": FORCED} if pair.phase == FORCED else {}) | frames,
    }


def summary(model: Registry) -> str:
    """Return the model as a text with one line for each part."""
    parts: tuple[tuple[Sized, str, str], ...] = (
        (_free_bodies(model), "body", "bodies"),
        *((_of_kind(model, one), one, many) for one, many in _STRUCTURES),
        (model.joints, "joint", "joints"),
        (model.drives, "drive", "drives"),
        (model.loads, "load", "loads"),
        (model.wheels, "wheel", "wheels"),
        (model.gear_pairs, "gear pair", "gear pairs"),
        (model.elements, "element", "elements"),
    )
    counts = ", ".join(
        _count(len(items), one, many)
        for items, one, many in parts
        if items or one not in _IF_ANY  # gears are only listed if the model has some
    )
    lines = [f'Model "{model.name}": {counts}', f"gravity {_triple(model.gravity)} m/s^2"]
    if model.plane is not None:
        lines.append(f"planar: all bodies move in the {model.plane.name} plane")
    others = (model.joints, model.drives, model.loads, model.structures, model.wheels, model.gear_pairs, model.elements)
    names = [*_free_bodies(model), *(name for items in others for name in items)]
    width = max((len(name) for name in names), default=0) + 2
    rows: dict[str, list[tuple[str, str]]] = {
        "bodies": [(b.name, f"{b.mass:.6g} kg at {_triple(b.position)} m") for b in _free_bodies(model).values()],
        **{many: [(s.name, s.summary_line()) for s in _of_kind(model, one).values()] for one, many in _STRUCTURES},
        "joints": [(j.name, f"{j.kind}, {j.body_a} - {j.body_b}") for j in model.joints.values()],
        "drives": [
            (d.name, f"{d.given} of {d.joint_name} {d.coordinate}: {_function(d.function)}")
            for d in model.drives.values()
        ],
        "loads": [(load.name, _load(load)) for load in model.loads.values()],
        "wheels": [(wheel.name, _wheel(wheel)) for wheel in model.wheels.values()],
        "gear pairs": [(pair.name, _mesh(pair)) for pair in model.gear_pairs.values()],
        "elements": [(element.name, _element_line(element)) for element in model.elements.values()],
    }
    for heading, items in rows.items():
        if items:
            lines.append(heading)
            lines += [f"  {name:<{width}}{text}" for name, text in items]
    return "\n".join(lines)


def _of_kind(model: Registry, kind: str) -> dict[str, Structure]:
    return {name: structure for name, structure in model.structures.items() if structure.kind == kind}


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _triple(values: Any) -> str:
    return "(" + ", ".join(f"{value + 0.0:.6g}" for value in values) + ")"


def _function(function: SignalValue | ShiftedSignal) -> str:
    if isinstance(function, SignalExpression):
        return shown(function.text)
    if isinstance(function, ShiftedSignal):
        return f"{_function(function.value)} + {function.shift:.6g}"
    if isinstance(function, StateLaw):
        return f"law of {', '.join(function.signals)}"
    return f"{function.value:.6g}" if isinstance(function, Constant) else str(function.describe()["function"])


def _wheel(wheel: Wheel) -> str:
    gear = wheel.gear
    assert gear is not None
    kind = "rack, " if wheel.is_rack else ""
    teeth = _count(gear.teeth, "tooth", "teeth")
    changed = modification_words(gear.modifications) if isinstance(gear, Gear) else ""
    return f"{kind}{teeth}, module {1e3 * gear.normal_module:.6g} mm, on {wheel.body_name}{f'; {changed}' if changed else ''}"


def _mesh(made: GearMesh) -> str:
    pair, a, b = made.pair, made.wheel_a, made.wheel_b
    where = f"{1e3 * pair.centre_distance:.6g} mm"
    if pair.kind.bevel or (pair.kind == "beveloid" and pair.shaft_angle):
        where = f"{math.degrees(pair.shaft_angle):.6g} deg"
    teeth = f"{pair.pitch.teeth_a}" if pair.pitch.is_rack else f"{pair.pitch.teeth_a}:{pair.pitch.teeth_b}"
    return f"{pair.kind}, {a.name} - {b.name}, {teeth}, {where}, {type(made.mesh).__name__}{_table(made)}"


def _table(made: GearMesh) -> str:
    """ " (table from the gears up to 86.5 N m on b)" """
    if made.request is None:
        return ""
    torque = f"{made.request.torques[-1]:.6g} {'N' if made.wheel_b.is_rack else 'N m'} on {made.wheel_b.name}"
    return (
        f" (table from the gears up to {torque})" if len(made.request.torques) > 1 else f" (loaded teeth at {torque})"
    )


def _element_line(element: DeclaredElement) -> str:
    """ "CubicSpring, rod - ground: stiffness 2000 N/m" """
    ends = [frame.body_name for frame in element.frames.values()]
    ends += [element.values[name] for name in element.fields_of(JointField)]
    said = [f"{key.replace('_', ' ')} {_said(value, element.fields[key].unit)}" for key, value in element.given.items()]
    where = f"{type(element).__name__}, {' - '.join(ends)}" if ends else type(element).__name__
    return f"{where}: {', '.join(said)}" if said else where


def _said(value: Any, unit: str) -> str:
    if isinstance(value, (Function, SignalExpression)):
        text = _function(value)
    elif isinstance(value, np.ndarray):
        text = _triple(value) if value.size <= 3 else f"{value.size} values"
    elif isinstance(value, (bool, str)):
        return str(value)
    elif dataclasses.is_dataclass(value):
        return words_of(value)
    else:
        text = f"{value:.6g}" if isinstance(value, (int, float)) else getattr(value, "__name__", "a function")
    return f"{text} {unit}".strip()


def _load(load: Load) -> str:
    kind = type(load).__name__
    match load:
        case Spring() | Bushing():
            return f"{kind}, {load.frame_a.body_name} - {load.frame_b.body_name}"
        case JointLoad():
            return f"{kind} on {load.joint_name} {load.coordinate}: {_function(load.function)}"
        case Stop():
            what = f"rigid, restitution {load.restitution or 0.0:g}" if load.rigid else "elastic"
            return f"{kind} on {load.joint_name} {load.coordinate}: {what}"
        case TorsionSpring():
            return f"{kind} on {load.joint_name} angle"
        case Force() | Torque():
            target = load.frame.body_name if isinstance(load, Force) else load.body_name
            return f"{kind} on {target}: ({', '.join(_function(part) for part in load.components)}), {load.axes} axes"
    raise unknown_part("load", load, "the summary")
