"""Rolling(ratio=...) for two shafts on one axis: a gearbox, as a ratio between the joints of the shafts."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError, Subject
from ..gears.axes import AXES_TOLERANCE
from ..solids.rotations import misalignment
from ..solids.vectors import crossed
from .frames import Frame
from .joints import ANGLE, Joint
from .meshes import Rolling
from .registry import Registry

__all__ = ["check_sign", "on_one_axis", "ratio_on_axis"]

_APART = 1e-9
"""Distance of axes that coincide, as a fraction of the size of the model."""


def on_one_axis(model: Registry, a: Frame, b: Frame) -> bool:
    """Whether the z axes of two frames are one line in the initial pose."""
    (x_a, R_a), (x_b, R_b) = model.placed(a), model.placed(b)
    tilt = misalignment(R_a[:, 2], R_b[:, 2])
    apart = float(np.linalg.norm(crossed(R_a[:, 2], x_b - x_a)))
    return bool(min(tilt, np.pi - tilt) <= AXES_TOLERANCE and apart <= _APART * model.size)


def check_sign(mesh: Rolling, what: Subject) -> None:
    """Raise an error for a negative ratio or losses of wheels that roll on each other."""
    if mesh.efficiency is not None:
        raise ModelError(
            f"{what}: efficiency of Rolling is for two shafts on one axis; for wheels that roll on each other use "
            "Rigid(efficiency=...)",
            about=what.at("mesh"),
        )
    if mesh.ratio is not None and mesh.ratio < 0:
        raise ModelError(
            f"{what}: ratio must be greater than zero, got {float(mesh.ratio):g}: a negative ratio is for two shafts on one axis; "
            "for a ring specify internal=True",
            about=what.at("mesh"),
        )


def ratio_on_axis(model: Registry, mesh: Rolling, a: Frame, b: Frame, what: Subject) -> tuple[Joint, Joint, float]:
    """Joints of two shafts on one axis, and the ratio of their angles. ModelError if the joints are not clear."""
    assert mesh.ratio is not None
    if mesh.internal:
        raise ModelError(
            f"{what}: both shafts are on one axis, where internal has no meaning; omit it, and specify a negative ratio for "
            "opposite directions",
            about=what.at("mesh"),
        )
    found = [
        (joint_a, joint_b, sign_a * sign_b * float(mesh.ratio))
        for joint_a, housing_a, sign_a in _axles(model, a)
        for joint_b, housing_b, sign_b in _axles(model, b)
        if housing_a == housing_b
    ]
    if len(found) != 1:
        several = (
            f"have {len(found)} common housings" if found else "have no common housing with a joint about this axis"
        )
        raise ModelError(
            f'{what}: "{a.body_name}" and "{b.body_name}" are on one axis, and {several}; add a revolute joint from one housing to '
            'each of them, or specify the joints with ratio("...", joint_a, joint_b, ratio=...)',
            about=what,
        )
    return found[0]


def _axles(model: Registry, frame: Frame) -> list[tuple[Joint, str, float]]:
    """Joints about which a shaft rotates on its axis, with the other body and the sign of the angle: that of the shaft, about the
    same direction for all shafts on this axis."""
    z = model.placed(frame)[1][:, 2]
    found = []
    for joint in model.joints.values():
        if frame.body_name not in (joint.body_a, joint.body_b) or ANGLE not in joint.coordinates:
            continue
        second = joint.body_b == frame.body_name
        if on_one_axis(model, frame, joint.frame_b if second else joint.frame_a):
            along = float(model.placed(joint.frame_a)[1][:, 2] @ _one_direction(z))
            sign = 1.0 if second == (along > 0.0) else -1.0
            found.append((joint, joint.body_a if second else joint.body_b, sign))
    return found


def _one_direction(z: np.ndarray) -> np.ndarray:
    """One of both directions of an axis, the same for all parallel directions."""
    largest = int(np.argmax(np.abs(z)))
    return z if z[largest] > 0.0 else -z
