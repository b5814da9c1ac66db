"""A model as plain data (for JSON and result files) and as readable text, and notes on its assembly."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pitchline.declare.declared_element import DeclaredElement, FrameField, JointField, ParameterField, SignalField
from pitchline.declare.field_declarations import words_of
from pitchline.declare.names import StateLaw, part_subject
from pitchline.declare.registry import Registry
from pitchline.declare.signal_expression import ShiftedSignal, SignalExpression, SignalValue
from pitchline.declare.structure import Station, Structure
from pitchline.errors import ModelError, shown, unknown_part
from pitchline.functions.piecewise import Constant, Function
from pitchline.parts.bodies.part import Body, Placed
from pitchline.parts.flexible.superelement import Superelement
from pitchline.parts.gears.geometry.axes import Alignment
from pitchline.parts.gears.geometry.gear import Gear
from pitchline.parts.gears.geometry.inputs import modification_words
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.modifications.deviations import Modification
from pitchline.parts.gears.part import Wheel
from pitchline.parts.gears.teeth.teeth import Teeth
from pitchline.parts.meshes.laws.elastic import Rolling
from pitchline.parts.meshes.laws.own import OwnMesh
from pitchline.parts.meshes.laws.varying import Varying
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.springs.part import Bushing, Force, JointLoad, Load, Spring, Stop, Torque, TorsionSpring
from pitchline.solids.mass_properties import TriangleMesh

from .structure_methods import described_look

__all__ = ["FORCED", "as_text", "assembly_problems", "assembly_warnings", "trains_that_fit", "describe", "summary"]


# ---- train assembly

# Closed trains of toothed wheels: whether all their teeth fit at the same time.
#
# In the initial pose each mesh k is out of phase by c_k pitches. A rotation of a wheel of z teeth by θ changes it by
# ± z θ/(2π). The wheels of a train without loops can always be rotated so that all c_k are whole numbers. Each loop,
# such as sun, planet, ring, planet, has one condition more. Rotating a wheel by whole pitches, or the whole train,
# does not change it: only other tooth numbers or other positions of the wheels do.

FORCED = "fit"
"""Value of `GearMesh.phase` if teeth are moved to their spaces in any case."""

_FITS = 0.02
"""Deviation of the teeth of a loop in pitches, in addition to the backlash, that counts as inaccuracy of the positions."""
_PLACED = 0.1
"""The same with teeth as placed, whose positions may have errors that are part of the model."""
_MOST_SUGGESTIONS = 3


@dataclass(frozen=True)
class _Mesh:
    """Phase of one mesh: c = start + rate_a θ_a + rate_b θ_b [pitches], with its play [pitches]."""

    pair: GearMesh
    start: float
    rate_a: float
    rate_b: float
    play: float


@dataclass(frozen=True)
class _Loop:
    """Meshes of a loop, and the distance of its teeth from their spaces [pitches]."""

    meshes: tuple[GearMesh, ...]
    misfit: float
    forced: bool


def assembly_problems(model: Registry) -> list[ModelError]:
    """Errors for closed trains whose teeth do not fit."""
    problems = []
    for loop in _loops(model):
        if not loop.forced:
            what = part_subject("gear pair", loop.meshes[0].name)
            problems.append(ModelError(f"{what}: {_text(loop)}{_advice(loop)}", about=what))
    return problems


def assembly_warnings(model: Registry) -> list[str]:
    """Warnings for closed trains whose teeth were moved to their spaces."""
    return [
        f'gear pair "{loop.meshes[0].name}": {_text(loop)}. phase="fit" moves them to their spaces, as if each mesh had its own '
        "gears"
        for loop in _loops(model)
        if loop.forced
    ]


def trains_that_fit(sun: int, ring: int, planets: int) -> list[tuple[int, int, int]]:
    """Tooth numbers (sun, planet, ring) near the given ones with which equally spaced simple planets can be assembled."""
    near = [
        (abs(s - sun) + abs(r - ring), s, r)
        for s in range(max(3, sun - 6), sun + 7)
        for r in range(max(s + 6, ring - 8), ring + 9)
        if (s + r) % planets == 0 and (r - s) % 2 == 0
    ]
    return [(s, (r - s) // 2, r) for _, s, r in sorted(near)[:_MOST_SUGGESTIONS]]


def as_text(trains: Iterable[tuple[int, int, int]]) -> str:
    """Tooth numbers for a message."""
    return ", ".join("/".join(str(z) for z in train) for train in trains)


def _loops(model: Registry) -> list[_Loop]:
    """Loops whose teeth do not fit."""
    known = model._of_parts()
    if "misfits" not in known:
        known["misfits"] = _find_loops(model)
    found: list[_Loop] = known["misfits"]
    return found


def _find_loops(model: Registry) -> list[_Loop]:
    meshes = [mesh for mesh in map(_phase_of, model.gear_pairs.values()) if mesh is not None]
    at: dict[str, list[_Mesh]] = {}
    for mesh in meshes:
        for wheel in (mesh.pair.wheel_a, mesh.pair.wheel_b):
            at.setdefault(wheel.name, []).append(mesh)
    angle: dict[
        str, tuple[float, float]
    ] = {}  # rotation of a wheel: value, and change with the first wheel of its train
    back: dict[str, tuple[_Mesh, str]] = {}
    in_tree: set[str] = set()
    for first in at:
        if first in angle:
            continue
        angle[first] = (0.0, 1.0)
        waiting = [first]
        while waiting:
            name = waiting.pop(0)
            for mesh in at[name]:
                a, b = mesh.pair.wheel_a.name, mesh.pair.wheel_b.name
                other = b if name == a else a
                if other in angle:
                    continue
                own, its = (mesh.rate_a, mesh.rate_b) if name == a else (mesh.rate_b, mesh.rate_a)
                value, slope = angle[name]
                angle[other] = (-(mesh.start + own * value) / its, -own * slope / its)
                back[other] = (mesh, name)
                in_tree.add(mesh.pair.name)
                waiting.append(other)
    loops = [_closed(mesh, angle, back) for mesh in meshes if mesh.pair.name not in in_tree]
    of_trains: dict[str, _Loop] = {}  # one for each train
    for loop in loops:
        if loop is not None:
            of_trains.setdefault(_first_wheel(loop.meshes[0].wheel_a.name, back), loop)
    return list(of_trains.values())


def _closed(mesh: _Mesh, angle: dict[str, tuple[float, float]], back: dict[str, tuple[_Mesh, str]]) -> _Loop | None:
    """The loop that a mesh closes, if its teeth do not fit."""
    a, b = mesh.pair.wheel_a.name, mesh.pair.wheel_b.name
    slope = mesh.rate_a * angle[a][1] + mesh.rate_b * angle[b][1]
    if abs(slope) > 1e-9 * abs(mesh.rate_a * angle[a][1]):
        return None  # the wheels block each other, at any phase of their teeth
    c = mesh.start + mesh.rate_a * angle[a][0] + mesh.rate_b * angle[b][0]
    misfit = abs(c - round(c))
    ways = [_way(name, back) for name in (a, b)]
    while ways[0] and ways[1] and ways[0][-1] is ways[1][-1]:
        ways[0].pop()
        ways[1].pop()
    around = [*reversed(ways[0]), mesh, *ways[1]]
    pairs = tuple(one.pair for one in around)
    accepted = _PLACED if any(pair.phase == "as placed" for pair in pairs) else _FITS
    if misfit <= accepted + sum(one.play for one in around):
        return None
    return _Loop(pairs, misfit, any(pair.phase == FORCED for pair in pairs))


def _first_wheel(name: str, back: dict[str, tuple[_Mesh, str]]) -> str:
    while name in back:
        name = back[name][1]
    return name


def _way(name: str, back: dict[str, tuple[_Mesh, str]]) -> list[_Mesh]:
    """Meshes from a wheel to the first wheel of its train."""
    found = []
    while name in back:
        mesh, name = back[name]
        found.append(mesh)
    return found


def _phase_of(part: GearMesh) -> _Mesh | None:
    """Phase of a mesh in the initial pose, before its teeth were moved. None without teeth that must fit."""
    if isinstance(part.mesh, Rolling) or not isinstance(part.pair, GearPair) or part.poses is None:
        return None
    alignment = part.pair.align(*part.poses[0], *part.poses[1])
    pitch = alignment.pitch
    apart = math.pi * pitch.normal_module
    start, play = alignment.tooth_offset / apart, 0.5 * max(part.known_law.backlash, 0.0) / part.length_factor / apart
    return _Mesh(part, start, pitch.teeth_a * pitch.axis_sign_a / (2.0 * math.pi), _rate_b(alignment), play)


def _rate_b(alignment: Alignment) -> float:
    pitch = alignment.pitch
    if pitch.is_rack:
        return pitch.axis_sign_b * math.cos(pitch.beta_b) / (math.pi * pitch.normal_module)
    return pitch.teeth_b * pitch.axis_sign_b / (2.0 * math.pi)


def _text(loop: _Loop) -> str:
    names = ", ".join(f'"{pair.name}"' for pair in loop.meshes[1:])
    return f"the teeth of the closed train with {names} do not fit: they deviate from their spaces by {loop.misfit:.3g} pitches"


def _advice(loop: _Loop) -> str:
    """How to change the train."""
    train = _simple_train(loop)
    text = "; change tooth numbers or positions of the wheels"
    if train is not None:
        sun, ring, angle = train
        total = sun + ring
        text = (
            f". Sun and ring have {sun} + {ring} = {total} teeth, so that planets fit at multiples of {360.0 / total:.6g} deg, but "
            f"these two are {math.degrees(angle):.6g} deg apart"
        )
        equal = round(2.0 * math.pi / angle) if angle else 0
        if equal > 1 and math.isclose(angle * equal, 2.0 * math.pi, rel_tol=1e-6):
            near = as_text(trains_that_fit(sun, ring, equal))
            text += f". {equal} equally spaced planets need z_sun + z_ring that is a multiple of {equal}, such as {near} teeth"
        text += "; change tooth numbers or the angles of the planets"
    return f'{text}, or specify phase="fit" for a gear pair to move all teeth to their spaces'


def _simple_train(loop: _Loop) -> tuple[int, int, float] | None:
    """Teeth of sun and ring, and the angle between the planets [rad], of a loop of sun, ring and two simple planets."""
    wheels = {wheel.name: wheel for pair in loop.meshes for wheel in (pair.wheel_a, pair.wheel_b)}
    gears = {name: wheel.gear for name, wheel in wheels.items() if isinstance(wheel.gear, Gear)}
    rings = [name for name, gear in gears.items() if gear.internal]
    if len(loop.meshes) != 4 or len(gears) != 4 or len(rings) != 1:
        return None
    mates = {frozenset((pair.wheel_a.name, pair.wheel_b.name)) for pair in loop.meshes}
    suns = [name for name in gears if name != rings[0] and frozenset((name, rings[0])) not in mates]
    if len(suns) != 1:
        return None
    places: dict[str, Placed] = {}
    for pair in loop.meshes:
        assert pair.poses is not None
        places |= dict(zip((pair.wheel_a.name, pair.wheel_b.name), pair.poses, strict=True))
    first, second = (places[name][0] - places[suns[0]][0] for name in gears if name not in (*rings, *suns))
    size = math.sqrt(float(first @ first) * float(second @ second))
    angle = math.acos(max(-1.0, min(1.0, float(first @ second) / size)))
    return gears[suns[0]].teeth, gears[rings[0]].teeth, angle


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
