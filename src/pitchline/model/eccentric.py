"""Wheels that do not turn about their own axes: how far their centres circle, and what that does to the mesh.

Looked at are pairs whose wheels both turn about joints on one body (or stand on it, or slide along it), so that the centre distance
changes with every turn, by up to twice the sum of both eccentricities. Where a link carries one of the wheels after the other the
distance may stay as it is: such pairs are not judged.
"""

from __future__ import annotations

import numpy as np

from ..gears.inputs import in_mm
from ..gears.reach import reach_of
from .gear_mesh import GearMesh
from .registry import Registry
from .wheels import Wheel

__all__ = ["eccentric_problems", "eccentric_warnings"]

_PARALLEL = 2e-3  # rad: joint axes and wheel axes are one direction
_WORTH_A_WORD = 0.1  # of m_n: run-out of ground wheels is far below


def eccentric_problems(model: Registry) -> list[str]:
    """Pairs whose teeth cannot stay in mesh over a turn."""
    found = []
    for pair in model.gear_pairs.values():
        way, text = _beside(model, pair)
        depth = reach_of(pair.pair, pair.alignment).depth
        if way > 0.5 * depth:
            found.append(
                f'gear pair "{pair.name}": {text}; over a turn the centre distance changes by {in_mm(2.0 * way)}, and the teeth '
                f"overlap by {in_mm(depth)} only, so that they leave mesh or jam; put the axis of the wheel on that of its joint"
            )
    return found


def eccentric_warnings(model: Registry) -> list[str]:
    """Pairs that run on wheels much more eccentric than wheels are made."""
    found = []
    for pair in model.gear_pairs.values():
        way, text = _beside(model, pair)
        if way > _WORTH_A_WORD * pair.pair.pitch.normal_module and way <= 0.5 * reach_of(pair.pair, pair.alignment).depth:
            found.append(
                f'gear pair "{pair.name}": {text}; over a turn the centre distance changes by {in_mm(2.0 * way)}. If that is not '
                "meant, put the axis of the wheel on that of its joint"
            )
    return found


def _beside(model: Registry, pair: GearMesh) -> tuple[float, str]:
    """By how much the centre of one wheel circles relative to that of the other [m], and a sentence that says so."""
    on_a, on_b = _carriers(model, pair.wheel_a), _carriers(model, pair.wheel_b)
    shared = [name for name in on_a if name in on_b]
    if not shared:
        return 0.0, ""
    (e_a, joint_a), (e_b, joint_b) = on_a[shared[0]], on_b[shared[0]]
    texts = [
        f'wheel "{wheel.name}" stands {in_mm(e)} beside the axis of joint "{joint}", about which it turns'
        for wheel, e, joint in ((pair.wheel_a, e_a, joint_a), (pair.wheel_b, e_b, joint_b))
        if e > 0.0
    ]
    return e_a + e_b, " and ".join(texts)


def _carriers(model: Registry, wheel: Wheel) -> dict[str, tuple[float, str]]:
    """The bodies on which a wheel stands, slides or turns: by how much its axis lies beside that of the joint [m], its name."""
    found: dict[str, tuple[float, str]] = {wheel.body_name: (0.0, "")}
    centre, axes = model.placed(wheel.frame)
    for joint in model.joints.values():
        if wheel.body_name not in (joint.body_a, joint.body_b):
            continue
        other = joint.body_b if joint.body_a == wheel.body_name else joint.body_a
        if joint.kind == "prismatic":
            found.setdefault(other, (0.0, joint.name))
        elif joint.kind in ("revolute", "cylindrical", "screw"):
            point, frame = model.placed(joint.frame_a)
            axis = frame[:, 2]
            if float(np.linalg.norm(np.cross(axis, axes[:, 2]))) < _PARALLEL:
                off = centre - point
                found.setdefault(other, (float(np.linalg.norm(off - (off @ axis) * axis)), joint.name))
    return found
