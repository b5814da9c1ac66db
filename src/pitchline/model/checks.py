"""Checks of the whole model. Each problem is one error."""

from __future__ import annotations

import numpy as np

from ..errors import ModelError
from .eccentric import eccentric_problems
from .element_checks import element_problems
from .joint_methods import large_angle
from .joints import Joint, joint_misfit
from .loads import Bushing
from .membrane_checks import membrane_problems
from .names import part_subject
from .registry import Registry
from .signal_checks import signal_problems
from .station import Station
from .train_assembly import assembly_problems
from .turning_wheels import turning_problems

__all__ = ["MOST_GAP", "find_problems"]

MOST_GAP = 0.05
"""If joint frames are farther apart in the initial pose than this fraction of the model's size, it is an error."""


def find_problems(model: Registry) -> list[ModelError]:
    """Find all problems of a model that cannot be detected when its single parts are made."""
    problems = []
    if not model.bodies:
        problems.append(ModelError(f'model "{model.name}": has no bodies; add one with body(...)'))
    problems += _weightless(model)
    size = model.size
    for joint in model.joints.values():
        problems += _joint_problems(model, joint, size)
    for element in model.elements.values():
        problems += element_problems(model, element)
    problems += membrane_problems(model) + signal_problems(model) + eccentric_problems(model)
    return problems + turning_problems(model) + assembly_problems(model)


def _weightless(model: Registry) -> list[ModelError]:
    """Errors for bodies without joints that have no mass or no inertia, so that their motion is undetermined."""
    held = {name for joint in model.joints.values() for name in (joint.body_a, joint.body_b)}
    turned = {
        frame.body_name
        for load in model.loads.values()
        if isinstance(load, Bushing)
        for frame in (load.frame_a, load.frame_b)
    }
    problems = []
    for body in model.bodies.values():
        if body.name in held or isinstance(body, Station):  # the inertia of a station is that of its structure
            continue
        what = part_subject("body", body.name)
        if body.mass == 0.0:
            problems.append(
                ModelError(
                    f"{what}: zero mass on a free body: it has no joint, so its motion is "
                    "undetermined; specify a mass, or add a joint",
                    about=what,
                )
            )
        elif not np.any(body.inertia) and body.name not in turned:
            problems.append(
                ModelError(
                    f"{what}: zero inertia on a free body: it has no joint, so its rotation "
                    "is undetermined; specify an inertia, or add a joint",
                    about=what,
                )
            )
    return problems


def _joint_problems(model: Registry, joint: Joint, size: float) -> list[ModelError]:
    """Errors in the initial positions and directions of the frames of a joint."""
    a, b = model.placed(joint.frame_a), model.placed(joint.frame_b)
    misfit = joint_misfit(joint, a, b)
    gap = misfit[0]
    if model.plane is not None and joint.kind != "distance":  # offsets along the normal have no effect
        gap, _ = joint_misfit(joint, a, (a[0] + model.plane.flat(b[0] - a[0]), b[1]))
    found = (_gap_problem(joint, gap, size), large_angle(joint, misfit[1]))
    return [problem for problem in found if problem is not None]


def _gap_problem(joint: Joint, gap: float, size: float) -> ModelError | None:
    if gap <= MOST_GAP * size:
        return None
    what = part_subject("joint", joint.name, f" ({joint.kind})")
    return ModelError(
        f'{what}: its frames on "{joint.body_a}" and "{joint.body_b}" are {gap:.4g} m apart '
        f"in the initial pose (the size of the model is {size:.4g} m); move a frame or a body so that they coincide, "
        "or give bodies with at=, so that the joint places both frames",
        about=what,
    )
