"""Signals of a model that loads, drives and elements can read during the computation, by name: "PART.SIGNAL".

| signal | of |
|---|---|
| `angle`, `angular_speed`, `displacement`, `speed` | joints; `speed` of a joint without displacement is its angular speed |
| `position.x`, `velocity.x`, `angular_velocity.x` and y, z | bodies, in world axes |
| the same | sensors that are not relative to another body |
| own coordinates, `NAME_rate`, outputs | declared elements |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import ModelError, Subject, near_names
from .coordinate_counts import coordinate_count
from .declared_element import DeclaredElement
from .element_fields import CoordinatesField, OutputField
from .joints import ANGLE, DISPLACEMENT, Joint
from .names import GROUND_NAME
from .registry import Registry

__all__ = ["BodySignal", "ElementCoordinate", "ElementOutput", "JointSignal", "Readable", "readable_signal"]

MOTIONS = ("position", "velocity", "angular_velocity")
AXES = ("x", "y", "z")


@dataclass(frozen=True)
class JointSignal:
    """Coordinate of a joint, or its rate."""

    joint: str
    coordinate: str
    rate: bool


@dataclass(frozen=True)
class BodySignal:
    """Component of the motion of a body, in world axes."""

    body: str
    motion: str
    axis: str
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Point of the body, in body axes [m]."""


@dataclass(frozen=True)
class ElementCoordinate:
    """Own coordinate of an element, or its rate."""

    element: str
    coordinate: str
    index: int
    rate: bool


@dataclass(frozen=True)
class ElementOutput:
    """Output of an element."""

    element: str
    output: str


Readable = JointSignal | BodySignal | ElementCoordinate | ElementOutput


def readable_signal(model: Registry, name: str, what: Subject) -> Readable:
    """Find a signal by its name. ModelError, with similar names, if the model has no such signal or it cannot be read.

    Parameters
    ----------
    model
        Model.
    name
        "PART.SIGNAL".
    what
        Item that reads the signal, for messages.
    """
    part = name.partition(".")[0]
    found = dict(_of_part(model, part))
    if name in found:
        return found[name]
    if not found:
        parts = [*model.joints, *model.elements, *model.bodies]
        raise ModelError(
            f'{what}: there is no joint, body or element "{part}" with the signal "{name}"; {near_names(part, parts)}',
            about=what,
        )
    raise ModelError(
        f'{what}: the signal "{name}" cannot be read during the computation; {near_names(name, list(found))}',
        about=what,
    )


def _of_part(model: Registry, part: str) -> Iterator[tuple[str, Readable]]:
    if part in model.joints:
        yield from _of_joint(model.joints[part])
    if part in model.bodies:
        yield from ((f"{part}.{m}.{axis}", BodySignal(part, m, axis)) for m in MOTIONS for axis in AXES)
    if part in model.elements:
        element = model.elements[part]
        yield from _of_element(element)
        if element.key == "sensor":
            yield from _of_sensor(element)


def _of_joint(joint: Joint) -> Iterator[tuple[str, Readable]]:
    name = joint.name
    if ANGLE in joint.coordinates:
        yield f"{name}.angle", JointSignal(name, ANGLE, False)
        yield f"{name}.angular_speed", JointSignal(name, ANGLE, True)
        if DISPLACEMENT not in joint.coordinates:
            yield f"{name}.speed", JointSignal(name, ANGLE, True)
    if DISPLACEMENT in joint.coordinates:
        yield f"{name}.displacement", JointSignal(name, DISPLACEMENT, False)
        yield f"{name}.speed", JointSignal(name, DISPLACEMENT, True)


def _of_sensor(sensor: DeclaredElement) -> Iterator[tuple[str, Readable]]:
    """Motion of the point of a sensor in world axes; sensors relative to other bodies cannot be read."""
    on, reference = sensor.values["on"], sensor.values["relative_to"]
    moved = np.any(reference.position) or not np.array_equal(reference.rotation, np.eye(3))
    if reference.body_name != GROUND_NAME or moved:
        return
    x, y, z = (float(c) for c in on.position)
    for m in MOTIONS:
        for axis in AXES:
            yield f"{sensor.name}.{m}.{axis}", BodySignal(on.body_name, m, axis, (x, y, z))


def _of_element(element: DeclaredElement) -> Iterator[tuple[str, Readable]]:
    name = element.name
    for output in element.fields_of(OutputField):
        yield f"{name}.{output}", ElementOutput(name, output)
    for own, field in element.fields_of(CoordinatesField).items():
        if field.condensed:
            continue
        count = coordinate_count(element, field)
        for i in range(count):
            called = own if count == 1 else f"{own}.{i}"
            yield f"{name}.{called}", ElementCoordinate(name, own, i, False)
            rate = f"{own}_rate" if count == 1 else f"{own}_rate.{i}"
            yield f"{name}.{rate}", ElementCoordinate(name, own, i, True)
