"""Rolling(ratio=...) for two shafts on one axis: a gearbox, as a ratio between the joints of the shafts."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError, Subject, listed
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
    """Raise an error for a negative ratio of wheels that roll on each other."""
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
    (joint_a, sign_a), (joint_b, sign_b) = (_axle(model, frame, side, what) for side, frame in (("a", a), ("b", b)))
    housings = [
        joint.body_a if joint.body_b == frame.body_name else joint.body_b
        for joint, frame in ((joint_a, a), (joint_b, b))
    ]
    if housings[0] != housings[1]:
        raise ModelError(
            f'{what}: "{a.body_name}" rotates on "{housings[0]}" and "{b.body_name}" on "{housings[1]}", so that the housing is '
            f'not clear; specify the joints with ratio("...", "{joint_a.name}", "{joint_b.name}", ratio=...)',
            about=what,
        )
    return joint_a, joint_b, sign_a * sign_b * float(mesh.ratio)


def _axle(model: Registry, frame: Frame, side: str, what: Subject) -> tuple[Joint, float]:
    """Joint about which a shaft rotates, and the sign of its angle: of the shaft, about z of the frame of side a."""
    z = model.placed(frame)[1][:, 2]
    found = []
    for joint in model.joints.values():
        if frame.body_name in (joint.body_a, joint.body_b) and ANGLE in joint.coordinates:
            on = joint.frame_b if joint.body_b == frame.body_name else joint.frame_a
            if on_one_axis(model, frame, on):
                found.append((joint, 1.0 if on is joint.frame_b else -1.0))
    if len(found) != 1:
        which = f"has {len(found)} joints: {listed([joint.name for joint, _ in found])}" if found else "has no joint"
        raise ModelError(
            f'{what}: {side}: both shafts are on one axis, but "{frame.body_name}" {which} about this axis; add one revolute '
            'joint to the housing, or specify the joints with ratio("...", joint_a, joint_b, ratio=...)',
            about=what.at(side),
        )
    ((joint, sign),) = found
    common = model.placed(joint.frame_a)[1][:, 2]
    return joint, sign * (1.0 if float(common @ _reference(z)) > 0.0 else -1.0)


def _reference(z: np.ndarray) -> np.ndarray:
    """One of both directions of an axis, the same for all parallel directions."""
    largest = int(np.argmax(np.abs(z)))
    return z if z[largest] > 0.0 else -z
