"""`replaced`: a copy of a model in which named parts are replaced, added or removed.

replaced: a copy of a model in which named parts are replaced, added or removed.

Parts are frozen and shared by both models; only the mappings by name are new. Every part of the copy is then checked against
the parts to which it refers. A copy is either consistent or not made at all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, TypeVar

from pitchline.declare.declared_element import DeclaredElement, JointField
from pitchline.declare.names import GROUND_NAME, Frame, part_subject
from pitchline.declare.registry import Registry
from pitchline.declare.structure import Station, Structure
from pitchline.errors import ModelError, near_names, shown
from pitchline.parts.bodies.methods import angle_problem
from pitchline.parts.bodies.part import Body, Joint
from pitchline.parts.bodies.plane_checks import (
    body_problem,
    coordinate_problem,
    joint_problem,
    load_problem,
    mesh_problem,
    structure_problem,
)
from pitchline.parts.gears.methods import blank_on_body
from pitchline.parts.gears.part import Wheel
from pitchline.parts.meshes.part import GearMesh
from pitchline.parts.springs.part import Drive, Load

from .shared_flanks import shared_body_problem
from .structure_methods import placed_on

__all__ = ["Part", "replaced"]

Part: TypeAlias = Body | Joint | Drive | Load | Wheel | GearMesh | DeclaredElement | Structure
AnyModel = TypeVar("AnyModel", bound=Registry)

_KINDS: tuple[tuple[Any, str, str], ...] = (
    (Body, "_bodies", "body"),
    (Joint, "_joints", "joint"),
    (Drive, "_drives", "drive"),
    (Load, "_loads", "load"),
    (Wheel, "_wheels", "wheel"),
    (GearMesh, "_gear_pairs", "gear pair"),
    (DeclaredElement, "_declared", "element"),
    (Structure, "_structures", "structure"),
)
"""Types of parts, the mapping of the model that contains them, and their name in messages."""


def with_shared_parts(model: AnyModel) -> AnyModel:
    """Copy of a model with its own mappings of the same parts: changes of either model do not change the other."""
    other = object.__new__(type(model))
    other.__dict__.update(model.__dict__)
    for mapping in (*(mapping for _, mapping, _ in _KINDS), "_looks"):
        other.__dict__[mapping] = dict(model.__dict__[mapping])
    return other


def replaced(model: AnyModel, parts: Iterable[object], without: str | Iterable[str]) -> AnyModel:
    """See `Model.replaced`."""
    other = with_shared_parts(model)
    left_out = _leave_out(other, [without] if isinstance(without, str) else list(without))
    new = _put_in(other, list(parts), left_out)
    other._looks = {name: look for name, look in model._looks.items() if _is_there(other, name)}
    _move_frames(model, other)
    for part in new:
        if isinstance(part, DeclaredElement):
            other._declared[part.name] = placed_on(other, part)
    if left_out or any(isinstance(part, (Body, Joint, Wheel, Structure)) for part in new):  # others may refer to these
        checked = [part for _, mapping, _ in _KINDS for part in getattr(other, mapping).values()]
    else:
        checked = new
    for part in checked:
        _check_references(model, other, part, f'{_kind_of(other, part)[1]} "{part.name}"')
    for part in new:
        _check_new(other, part)
    return other


def _leave_out(other: Registry, names: list[str]) -> set[str]:
    """Remove all parts with these names. A wheel is removed with the body of its name, stations with their structure."""
    for name in names:
        if not isinstance(name, str):
            raise ModelError(f'model "{other.name}": without must be names of parts, got {shown(name)}')
        if isinstance(other.bodies.get(name), Station):
            raise _part_of_structure(other, name, "remove it")
        holding = [getattr(other, mapping) for _, mapping, _ in _KINDS if name in getattr(other, mapping)]
        if not holding:
            known = [known for _, mapping, _ in _KINDS for known in getattr(other, mapping)]
            raise ModelError(
                f'model "{other.name}": there is no part {shown(name)} to remove; {near_names(str(name), known)}'
            )
        if name in other.structures:
            _take_stations(other, other.structures[name])
        for mapping in holding:
            del mapping[name]
    return set(names)


def _is_there(other: Registry, name: str) -> bool:
    """Whether a look belongs to a part of the copy."""
    kinds: tuple[Any, ...] = (other._bodies, other._structures, other._wheels, other._declared)
    return name == GROUND_NAME or any(name in kind for kind in kinds)


def _take_stations(other: Registry, structure: Structure) -> None:
    for station in structure.stations.values():
        del other._bodies[station.name]


def _part_of_structure(other: Registry, name: str, do: str) -> ModelError:
    station = other.bodies[name]
    assert isinstance(station, Station)
    structure = other.structures[station.structure]
    return ModelError(
        f'body "{name}" is station "{station.station}" of {structure.subject} and belongs to it; {do} with the {structure.kind}'
    )


def _put_in(other: Registry, parts: list[object], left_out: set[str]) -> list[Any]:
    """Replace parts by those of the same name; add new parts at the end."""
    seen: set[tuple[str, str]] = set()
    for part in parts:
        mapping, kind = _kind_of(other, part)
        name = part.name  # type: ignore[attr-defined]  # every part has one
        if (mapping, name) in seen or name in left_out:
            how = "both removed and given" if name in left_out else "given twice"
            raise ModelError(f'{kind} "{name}": is {how}; specify it only once')
        seen.add((mapping, name))
        for _, holder, taken_by in _KINDS:
            with_its_body = {mapping, holder} == {"_bodies", "_wheels"}
            if holder != mapping and not with_its_body and name in getattr(other, holder):
                raise ModelError(
                    f'{kind} "{name}": the name is already used by a {taken_by} of model "{other.name}"; names are unique in '
                    "the whole model, choose another name"
                )
        if isinstance(part, Station):
            raise _part_of_structure(other, name, "replace it") if name in other.bodies else _without_structure(part)
        if isinstance(part, Structure):
            _put_stations(other, part)
        getattr(other, mapping)[name] = part
    return parts


def _without_structure(station: Station) -> ModelError:
    return ModelError(f'body "{station.name}" is a station of "{station.structure}"; give this structure instead')


def _put_stations(other: Registry, structure: Structure) -> None:
    """Replace the stations of the structure. Frames on stations that no longer exist are detected later."""
    if structure.name in other.structures:
        _take_stations(other, other.structures[structure.name])
    for station in structure.stations.values():
        other._new_name(station.name, f'{structure.kind} "{structure.name}": the body of station "{station.station}"')
        other._bodies[station.name] = station


def _kind_of(model: Registry, part: object) -> tuple[str, str]:
    """Mapping for a part, and its kind for messages."""
    for type_, mapping, kind in _KINDS:
        if isinstance(part, type_) and part is not model.ground:
            return mapping, part.kind if isinstance(part, Structure) else kind
    raise ModelError(
        f'model "{model.name}": {shown(part)} ({type(part).__name__}) cannot replace a part; give bodies, joints, '
        "drives, loads, wheels, gear pairs, elements or structures"
    )


# ---- references of parts


def _move_frames(model: Registry, other: Registry) -> None:
    """Frames on a replaced body keep their position on the new body."""
    changed = {
        id(body): other.bodies[name]
        for name, body in model.bodies.items()
        if other.bodies.get(name) not in (None, body)
    }
    if not changed:
        return
    for structure in list(other.structures.values()):
        _move_structure(other, structure, changed)
    holders: tuple[dict[str, Any], ...] = (other._joints, other._loads, other._wheels, other._declared)
    for holder in holders:
        for name, part in holder.items():
            moved = {
                field: Frame(
                    frame.body_name, frame.position, frame.rotation, frame.name, owner=changed[id(frame.owner)]
                )
                for field, frame in _frames(part)
                if id(frame.owner) in changed
            }
            if moved:
                holder[name] = (
                    part.replaced(**moved) if isinstance(part, DeclaredElement) else dataclasses.replace(part, **moved)
                )
                if isinstance(part, Wheel) and part.solid is not None:
                    holder[name] = _seated(other, holder[name])


def _move_structure(other: Registry, structure: Structure, changed: dict[int, Body]) -> None:
    """Make a structure that is fixed to replaced bodies again on the new bodies, with its stations."""
    if not any(id(frame.owner) in changed for frame in structure.outside):
        return
    made = structure.on_bodies({body.name: body for body in changed.values()})
    for name, station in structure.stations.items():
        changed[id(station)] = made[name]
    _put_stations(other, made)
    other._structures[made.name] = made


def _seated(other: Registry, wheel: Wheel) -> Wheel:
    """Return a wheel with the blank that fits its new body."""
    body, gear = other._body_named(wheel.body_name, wheel.name), wheel.gear
    assert gear is not None
    with_mass = None if isinstance(body, Station) else True
    what = part_subject("wheel", wheel.name)
    return dataclasses.replace(wheel, solid=blank_on_body(other, body, gear, wheel.frame, with_mass, what))


def _frames(part: Any) -> Iterator[tuple[str, Frame]]:
    """Frames of a part by the names of their fields."""
    named = part.values.items() if isinstance(part, DeclaredElement) else vars(part).items()
    for name, value in named:
        if isinstance(value, Frame):
            yield name, value


def _check_references(model: Registry, other: Registry, part: Any, what: str) -> None:
    """Check that the bodies, joints and wheels to which a part refers are those of the copy."""
    if isinstance(part, GearMesh):
        _check_wheels(model, other, part, what)
        return
    if isinstance(part, Structure):
        for frame in part.outside:
            _check_body(model, other, frame.body_name, what)
            other._own_frame(frame, what)
        return
    for _, frame in _frames(part):
        _check_body(model, other, frame.body_name, what)
        other._own_frame(frame, what)
    for field in ("body_name", "reaction"):
        name = vars(part).get(field)
        if name is not None:
            _check_body(model, other, name, what)
    if isinstance(part, DeclaredElement):
        on_joints = [(part.values[name], field.coordinate) for name, field in part.fields_of(JointField).items()]
    else:
        on_joints = [(vars(part).get("joint_name"), vars(part).get("coordinate"))]
    for joint_name, coordinate in on_joints:
        if joint_name is not None:
            _check_joint(model, other, joint_name, coordinate, what)


def _check_joint(model: Registry, other: Registry, name: str, coordinate: str | None, what: str) -> None:
    if name in model.joints and name not in other.joints:
        raise _needed(what, "joint", name)
    joint = other._joint(name, what)
    if coordinate is not None:
        other._coordinate(joint, coordinate, what)


def _check_body(model: Registry, other: Registry, name: str, what: str) -> None:
    if name in model.bodies and name not in other.bodies:
        raise _needed(what, "body", name)
    other._body_named(name, what)


def _check_wheels(model: Registry, other: Registry, pair: GearMesh, what: str) -> None:
    """Check that the bodies of a pair are unchanged. The mesh law depends on their poses and inertias."""
    for wheel in (pair.wheel_a, pair.wheel_b):
        body = wheel.body_name
        _check_body(model, other, body, what)
        if wheel.gear is not None and wheel.name not in other.wheels:
            raise _needed(what, "wheel", wheel.name)
        same_body = body == GROUND_NAME or other.bodies[body] is wheel.frame.owner
        if not same_body or (wheel.gear is not None and other.wheels[wheel.name] is not wheel):
            raise ModelError(
                f'{what}: was made with another wheel "{wheel.name}" on body "{body}" than that of the copy; remove the pair '
                "with without=, and make it again in the copy with gear_pair(...)",
                about=what,
            )


def _needed(what: str, kind: str, name: str) -> ModelError:
    return ModelError(f'{what}: needs {kind} "{name}", which is removed; remove it as well, or replace it', about=what)


# ---- checks of new parts


def _check_new(other: Registry, part: Part) -> None:
    """The same checks that the methods of a model make for a new part."""
    problem: ModelError | None = None
    if isinstance(part, Body):
        problem = body_problem(other, part)
    elif isinstance(part, Structure):
        problem = structure_problem(other, part)
        for station in part.stations.values():
            problem = problem or body_problem(other, station)
    elif isinstance(part, Joint):
        joint = other.joints[part.name]
        problem = joint_problem(other, joint) or angle_problem(other, joint)
    elif isinstance(part, Drive):
        problem = coordinate_problem(other, other.joints[part.joint_name], part.coordinate, f'drive "{part.name}"')
        problem = problem or _driven_twice(other, part)
    elif isinstance(part, GearMesh):
        problem = mesh_problem(other, part) or shared_body_problem(other, part)
    elif isinstance(part, Load):
        problem = load_problem(other, part)
    if problem:
        raise problem


def _driven_twice(other: Registry, drive: Drive) -> ModelError | None:
    screw = other.joints[drive.joint_name].kind == "screw"
    for known in other.drives.values():
        same = known.joint_name == drive.joint_name and (known.coordinate == drive.coordinate or screw)
        if same and known is not drive:
            return ModelError(
                f'drive "{drive.name}": joint "{drive.joint_name}" is already driven by "{known.name}"; use one drive '
                "for each coordinate"
            )
    return None
