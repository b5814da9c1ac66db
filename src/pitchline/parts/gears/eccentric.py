"""Eccentric wheels: effect of wheels that rotate about an axis other than their own on the mesh.

The checks cover pairs whose wheels both rotate about joints on one body (or are fixed to it, or slide along it). Their centre
distance changes during each revolution, by up to twice the sum of both eccentricities. If one wheel is carried by a link that
moves with the other wheel, the distance may be constant. Such pairs are not checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from pitchline.declare.names import part_subject
from pitchline.declare.registry import Registry
from pitchline.errors import ModelError
from pitchline.solids.rotations import crossed

from ..bodies.part import Joint
from ..meshes.part import GearMesh
from .geometry.inputs import in_mm
from .part import Wheel

__all__ = ["eccentric_problems", "eccentric_warnings"]

_PARALLEL = 2e-3  # rad: joint axes and wheel axes count as parallel
_WORTH_A_WORD = 0.1  # of m_n: run-out of ground wheels is far smaller


def eccentric_problems(model: Registry) -> list[ModelError]:
    """Errors for pairs whose teeth cannot stay in mesh over a revolution."""
    found = []
    for pair, way, text in _eccentricities(model):
        depth = pair.reach.depth
        if way > 0.5 * depth:
            what = part_subject("gear pair", pair.name)
            problem = (
                f"{what}: {text}; during a revolution the centre distance changes by {in_mm(2.0 * way)}, but the "
                "working depth of the "
                f"teeth is only {in_mm(depth)}, so that they leave mesh or jam; move the axis of the wheel to the axis of its joint"
            )
            found.append(ModelError(problem, about=what))
    return found


def eccentric_warnings(model: Registry) -> list[str]:
    """Warnings for pairs whose wheels are much more eccentric than manufactured wheels."""
    found = []
    for pair, way, text in _eccentricities(model):
        if way > _WORTH_A_WORD * pair.pair.pitch.normal_module and way <= 0.5 * pair.reach.depth:
            found.append(
                f'gear pair "{pair.name}": {text}; during a revolution the centre distance changes by '
                f"{in_mm(2.0 * way)}. If this is "
                "not intended, move the axis of the wheel to the axis of its joint"
            )
    return found


def _eccentricities(model: Registry) -> list[tuple[GearMesh, float, str]]:
    """Gear pairs, and the results of `_beside` for them."""
    known = model._of_parts()
    if "eccentricities" not in known:
        held = _held_by(model)
        known["eccentricities"] = [(pair, *_beside(model, pair, held)) for pair in model.gear_pairs.values()]
    found: list[tuple[GearMesh, float, str]] = known["eccentricities"]
    return found


def _held_by(model: Registry) -> dict[str, list[Joint]]:
    """Joints of each body."""
    found: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        for name in {joint.body_a, joint.body_b}:
            found.setdefault(name, []).append(joint)
    return found


def _beside(model: Registry, pair: GearMesh, held: Mapping[str, list[Joint]]) -> tuple[float, str]:
    """Radius of the relative motion of the wheel centres [m], and a sentence that describes it."""
    a, b = pair.wheel_a, pair.wheel_b
    on_a, on_b = _carriers(model, a, held), _carriers(model, b, held)
    shared = [name for name in on_a if name in on_b]
    total, texts = 0.0, []
    for wheel, other, joint in ((a, b, on_a[shared[0]]), (b, a, on_b[shared[0]])) if shared else ():
        if joint is None:
            continue
        e = _from_axis(model, wheel, joint)
        if e > 0.0:  # a wheel that rotates about the centre of the other keeps its distance
            e = min(e, _from_axis(model, other, joint))
        if e > 0.0:
            total += e
            texts.append(
                f'the centre of wheel "{wheel.name}" is {in_mm(e)} off the axis of joint "{joint.name}", about which it rotates'
            )
    return total, " and ".join(texts)


def _from_axis(model: Registry, wheel: Wheel, joint: Joint) -> float:
    """Distance between the centre of a wheel and the axis of a joint [m]."""
    point, frame = model.placed(joint.frame_a)
    off, axis = model.placed(wheel.frame)[0] - point, frame[:, 2]
    off = off - (off @ axis) * axis
    return math.sqrt(off.dot(off))


def _carriers(model: Registry, wheel: Wheel, held: Mapping[str, list[Joint]]) -> dict[str, Joint | None]:
    """Bodies to which a wheel is fixed or along which it slides, and bodies relative to which it rotates, with the joint."""
    found: dict[str, Joint | None] = {wheel.body_name: None}
    axis = model.placed(wheel.frame)[1][:, 2]
    for joint in held.get(wheel.body_name, ()):
        other = joint.body_b if joint.body_a == wheel.body_name else joint.body_a
        if joint.kind == "prismatic":
            found.setdefault(other, None)
            continue
        if joint.kind in ("revolute", "cylindrical", "screw"):
            across = crossed(axis, model.placed(joint.frame_a)[1][:, 2])
            if math.sqrt(across.dot(across)) < _PARALLEL:
                found.setdefault(other, joint)
    return found
