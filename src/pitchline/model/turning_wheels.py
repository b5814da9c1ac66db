"""Gear pairs whose wheels cannot turn about their axes: their joints hold both of them."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError
from ..solids.rotations import Array
from .gear_mesh import GearMesh
from .joints import Joint
from .names import GROUND_NAME, part_subject
from .registry import Registry
from .wheels import Wheel

__all__ = ["turning_problems"]

_ACROSS = 1e-6
"""Sine of the angle between an axis of rotation and the plane across a wheel axis that counts as zero."""
_ALL_AXES = ("spherical", "distance", "point_on_line", "point_on_plane")
_NO_AXIS = ("prismatic", "fixed")


def turning_problems(model: Registry) -> list[ModelError]:
    """Errors for pairs that no motion of the joints can turn."""
    problems = []
    held = _held_by(model)
    for pair in model.gear_pairs.values():
        wheels = (pair.wheel_a, pair.wheel_b)
        if all(_cannot_turn(model, wheel, pair, held) for wheel in wheels) or _turn_together(model, pair, held):
            problems.append(_problem(pair, held))
    return problems


def _problem(pair: GearMesh, held: dict[str, list[Joint]]) -> ModelError:
    what = part_subject("gear pair", pair.name)
    texts = []
    for wheel in (pair.wheel_a, pair.wheel_b):
        if wheel.body_name == GROUND_NAME:
            texts.append(f'"{wheel.name}" is on the ground')
        else:
            joints = " and ".join(f'"{joint.name}" ({joint.kind})' for joint in held[wheel.body_name])
            texts.append(f'"{wheel.name}" is held by {joints}')
    motion = "its wheels cannot turn about their axes relative to each other"
    if pair.wheel_b.is_rack:
        motion = "neither can its pinion turn about its axis nor its rack move"
    return ModelError(
        f"{what}: {motion}: {' and '.join(texts)}. Use a revolute joint along the axis of a wheel, or remove the gear pair",
        about=what,
    )


def _held_by(model: Registry) -> dict[str, list[Joint]]:
    found: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        for name in (joint.body_a, joint.body_b):
            found.setdefault(name, []).append(joint)
    return found


def _cannot_turn(model: Registry, wheel: Wheel, pair: GearMesh, held: dict[str, list[Joint]]) -> bool:
    """Whether joints prevent the rotation of a wheel about its axis, or the travel of a rack."""
    if wheel.is_rack:
        return wheel.body_name == GROUND_NAME or _cannot_travel(model, wheel, pair, held)
    return GROUND_NAME in _fixed_with(model, wheel.body_name, model.placed(wheel.frame)[1][:, 2], held)


def _cannot_travel(model: Registry, rack: Wheel, pair: GearMesh, held: dict[str, list[Joint]]) -> bool:
    """Whether a rack is fixed to the ground, or slides across its length."""
    along = model.placed(rack.frame)[1] @ pair.alignment.triad_b[:, 2]
    for joint in held.get(rack.body_name, ()):
        on_ground = GROUND_NAME in (joint.body_a, joint.body_b)
        slides = joint.kind == "prismatic" and abs(float(model.placed(joint.frame_a)[1][:, 2] @ along)) > _ACROSS
        if on_ground and joint.kind in _NO_AXIS and not slides:
            return True
    return False


def _turn_together(model: Registry, pair: GearMesh, held: dict[str, list[Joint]]) -> bool:
    """Whether joints prevent rotation of the wheels of parallel axes relative to each other."""
    if pair.wheel_b.is_rack:
        return False
    a, b = (model.placed(wheel.frame)[1][:, 2] for wheel in (pair.wheel_a, pair.wheel_b))
    if float(np.linalg.norm(np.cross(a, b))) > _ACROSS:
        return False
    return pair.wheel_b.body_name in _fixed_with(model, pair.wheel_a.body_name, a, held)


def _fixed_with(model: Registry, name: str, axis: Array, held: dict[str, list[Joint]]) -> set[str]:
    """Bodies that have the same angular velocity about an axis as a body, because of their joints."""
    reached, waiting = {name}, [name]
    while waiting:
        for joint in held.get(waiting.pop(), ()):
            other = joint.body_b if joint.body_a in reached else joint.body_a
            if other not in reached and not _turns_about(model, joint, axis):
                reached.add(other)
                waiting.append(other)
    return reached


def _turns_about(model: Registry, joint: Joint, axis: Array) -> bool:
    """Whether a joint allows relative rotation with a component about an axis."""
    if joint.kind in _ALL_AXES:
        return True
    if joint.kind in _NO_AXIS:
        return False
    z_a, (_, b) = model.placed(joint.frame_a)[1][:, 2], model.placed(joint.frame_b)
    free = (z_a, b[:, 0]) if joint.kind == "universal" else (z_a,)
    return any(abs(float(one @ axis)) > _ACROSS for one in free)
