"""Wheels that do not turn about their own axes: how far their centres circle, and what that does to the mesh.

Looked at are pairs whose wheels both turn about joints on one body (or stand on it, or slide along it), so that the centre distance
changes with every turn, by up to twice the sum of both eccentricities. Where a link carries one of the wheels after the other the
distance may stay as it is: such pairs are not judged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..errors import ModelError
from ..gears.inputs import in_mm
from ..gears.reach import reach_of
from ..solids.vectors import crossed
from .gear_mesh import GearMesh
from .joints import Joint
from .names import part_subject
from .registry import Registry
from .wheels import Wheel

__all__ = ["eccentric_problems", "eccentric_warnings"]

_PARALLEL = 2e-3  # rad: joint axes and wheel axes are one direction
_WORTH_A_WORD = 0.1  # of m_n: run-out of ground wheels is far below


def eccentric_problems(model: Registry) -> list[ModelError]:
    """Pairs whose teeth cannot stay in mesh over a turn."""
    found, held = [], _held_by(model)
    for pair in model.gear_pairs.values():
        way, text = _beside(model, pair, held)
        depth = reach_of(pair.pair, pair.alignment).depth
        if way > 0.5 * depth:
            what = part_subject("gear pair", pair.name)
            problem = (
                f"{what}: {text}; over a turn the centre distance changes by {in_mm(2.0 * way)}, and the teeth "
                f"overlap by {in_mm(depth)} only, so that they leave mesh or jam; put the axis of the wheel on that of its joint"
            )
            found.append(ModelError(problem, about=what))
    return found


def eccentric_warnings(model: Registry) -> list[str]:
    """Pairs that run on wheels much more eccentric than wheels are made."""
    found, held = [], _held_by(model)
    for pair in model.gear_pairs.values():
        way, text = _beside(model, pair, held)
        if (
            way > _WORTH_A_WORD * pair.pair.pitch.normal_module
            and way <= 0.5 * reach_of(pair.pair, pair.alignment).depth
        ):
            found.append(
                f'gear pair "{pair.name}": {text}; over a turn the centre distance changes by {in_mm(2.0 * way)}. If that is not '
                "meant, put the axis of the wheel on that of its joint"
            )
    return found


def _held_by(model: Registry) -> dict[str, list[Joint]]:
    """The joints of each body."""
    found: dict[str, list[Joint]] = {}
    for joint in model.joints.values():
        for name in {joint.body_a, joint.body_b}:
            found.setdefault(name, []).append(joint)
    return found


def _beside(model: Registry, pair: GearMesh, held: Mapping[str, list[Joint]]) -> tuple[float, str]:
    """By how much the centre of one wheel circles relative to that of the other [m], and a sentence that says so."""
    a, b = pair.wheel_a, pair.wheel_b
    on_a, on_b = _carriers(model, a, held), _carriers(model, b, held)
    shared = [name for name in on_a if name in on_b]
    total, texts = 0.0, []
    for wheel, other, joint in ((a, b, on_a[shared[0]]), (b, a, on_b[shared[0]])) if shared else ():
        if joint is None:
            continue
        e = _from_axis(model, wheel, joint)
        if e > 0.0:  # a wheel that turns about the centre of the other keeps its distance
            e = min(e, _from_axis(model, other, joint))
        if e > 0.0:
            total += e
            texts.append(
                f'wheel "{wheel.name}" stands {in_mm(e)} beside the axis of joint "{joint.name}", about which it turns'
            )
    return total, " and ".join(texts)


def _from_axis(model: Registry, wheel: Wheel, joint: Joint) -> float:
    """The distance of the centre of a wheel from the axis of a joint [m]."""
    point, frame = model.placed(joint.frame_a)
    off, axis = model.placed(wheel.frame)[0] - point, frame[:, 2]
    off = off - (off @ axis) * axis
    return math.sqrt(off.dot(off))


def _carriers(model: Registry, wheel: Wheel, held: Mapping[str, list[Joint]]) -> dict[str, Joint | None]:
    """The bodies on which a wheel stands or slides, and those on which it turns, about which joint."""
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
