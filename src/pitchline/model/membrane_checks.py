"""Parts that may be connected to the nodes of membranes: those that exert forces, not moments."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import ModelError, Subject
from ..solids.rotations import Array
from .body import Body
from .frames import Frame
from .loads import Bushing, Force, Spring
from .membrane import MembraneNode
from .names import part_subject
from .registry import Registry

__all__ = ["membrane_problems"]

_JOINTS = ("spherical",)
_ELEMENTS = ("attached_mass", "cubic_spring", "sensor")


def membrane_problems(model: Registry) -> list[ModelError]:
    """Errors for parts that would exert a moment on a node of a membrane: nodes do not rotate, and would carry any moment."""
    problems: list[ModelError] = []
    if not any(isinstance(body, MembraneNode) for body in model.bodies.values()):
        return problems
    for what, kind, body, arm, fits in _connected(model):
        if not isinstance(body, MembraneNode):
            continue
        if not fits:
            problems.append(
                ModelError(
                    f'{what}: {kind} cannot be connected to "{body.name}", a node of a membrane, because nodes do not rotate and '
                    "the sheet carries no moment. Use a force, a spring or a spherical joint, or fix the membrane to a body "
                    "(attached=)",
                    about=what,
                )
            )
        elif arm.any():
            problems.append(
                ModelError(
                    f'{what}: it must act at the origin of "{body.name}", a node of a membrane, not at a distance from it',
                    about=what,
                )
            )
    return problems


def _connected(model: Registry) -> Iterator[tuple[Subject, str, Body | None, Array, bool]]:
    """Bodies of all parts: the part, its kind, the body, the position on it, and whether the part exerts forces only."""
    for joint in model.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            what = part_subject("joint", joint.name)
            yield what, f"a {joint.kind} joint", frame.owner, frame.position, joint.kind in _JOINTS
    for load in model.loads.values():
        fits = isinstance(load, Force | Spring) or (
            isinstance(load, Bushing) and not np.any(load.stiffness[3:]) and not np.any(load.damping[3:])
        )
        kind, what = type(load).__name__.lower(), part_subject(type(load).__name__.lower(), load.name)
        for field in ("frame", "frame_a", "frame_b"):
            found = getattr(load, field, None)
            if isinstance(found, Frame):
                yield what, f"a {kind}", found.owner, found.position, fits
        for field in ("body_name", "reaction"):
            body = model.bodies.get(getattr(load, field, None) or "")
            yield what, f"a {kind}", body, np.zeros(3), fits and field != "reaction"
    for wheel in model.wheels.values():
        yield part_subject("wheel", wheel.name), "a wheel", wheel.frame.owner, wheel.frame.position, False
    for element in model.elements.values():
        for frame in element.frames.values():
            yield (
                Subject(f'element "{element.name}"'), f"a {type(element).key}", frame.owner, frame.position,
                type(element).key in _ELEMENTS,
            )  # fmt: skip
