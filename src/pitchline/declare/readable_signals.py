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
from typing import Any

import numpy as np

from pitchline.errors import ModelError, Subject, listed, near_names
from pitchline.parts.bearings.seats import seat_problems, seat_warnings
from pitchline.parts.bodies.part import ANGLE, DISPLACEMENT, Joint

from .declared_element import CoordinatesField, DeclaredElement, MemoryField, OutputField
from .names import GROUND_NAME, StateLaw, part_subject
from .registry import Registry
from .signal_expression import SignalExpression

__all__ = [
    "element_problems",
    "element_warnings",
    "kinematic_notes",
    "linear_notes",
    "BodySignal",
    "ElementCoordinate",
    "ElementOutput",
    "JointSignal",
    "Readable",
    "readable_signal",
    "signal_problems",
    "signals_read",
]


# ---- element checks

# Errors and warnings of declared elements in their model.
#
# A class may define `problems(values, what)`, which returns texts of errors, and `warnings(values)`, which returns
# texts of warnings. Both see values as `derive` does: frames are (position, rotation) in the world, in the initial
# pose. The key "turning" contains, for each frame, the axes of the revolute joints about which the body of the frame
# rotates.


def _seen(model: Registry, element: DeclaredElement) -> dict[str, Any]:
    frames = element.frames
    turning = {
        name: [
            model.placed(joint.frame_b)[1][:, 2]
            for joint in model.joints.values()
            if joint.kind == "revolute" and frame.body_name in (joint.body_a, joint.body_b)
        ]
        for name, frame in frames.items()
    }
    return {**element.values, **{name: model.placed(frame) for name, frame in frames.items()}, "turning": turning}


def _hook(element: DeclaredElement, name: str) -> Any:
    found = vars(type(element)).get(name)
    return getattr(found, "__func__", found)


def element_problems(model: Registry, element: DeclaredElement) -> list[ModelError]:
    """Errors of an element in a model."""
    hook = _hook(element, "problems")
    texts = [] if hook is None else hook(_seen(model, element), str(element.words))
    return [ModelError(text, about=element.words) for text in texts] + seat_problems(model, element)


def linear_notes(model: Registry) -> list[str]:
    """Warnings about elements that do not act in statics and linear analyses as in time."""
    said: dict[str, list[str]] = {}
    for element in model.elements.values():
        if element.linear_note:
            said.setdefault(element.linear_note, []).append(element.name)
    return [f"{listed(names)}: {text}" for text, names in said.items()]


def kinematic_notes(model: Registry) -> list[str]:
    """Warning about elements with outputs that have states or a past, which kinematics does not compute."""

    def has(element: DeclaredElement, *kinds: type) -> bool:
        return any(isinstance(field, kinds) for field in element.fields.values())

    elements = model.elements.values()
    names = [e.name for e in elements if has(e, OutputField) and has(e, MemoryField, CoordinatesField)]
    text = "kinematics computes positions one by one: states and outputs of controllers, filters and delays are those of rest"
    return [f"{listed(names)}: {text}. Use dynamics"] if names else []


def element_warnings(model: Registry) -> list[str]:
    """Warnings about the elements of a model. A warning that several elements of one kind have in common is one sentence."""
    said: dict[tuple[str, str], list[str]] = {}
    for element in model.elements.values():
        hook = _hook(element, "warnings")
        texts = () if hook is None else hook(_seen(model, element))
        for text in (*texts, *seat_warnings(model, element)):
            said.setdefault((type(element).__name__, text), []).append(element.name)
    return [f"{kind} {listed(names)}: {text}" for (kind, text), names in said.items()]


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
    from pitchline.model.described_lines import coordinate_count  # imports this module

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


# ---- signal checks

# Checks of the signals that loads, drives and elements of a model read.


def signals_read(model: Registry) -> Iterator[tuple[SignalExpression | StateLaw, Subject, bool]]:
    """Expressions and laws of a model, the argument of each in messages, and whether it is the target of a drive."""
    for load in model.loads.values():
        values = getattr(load, "components", None) or (getattr(load, "function", None),)
        for value in values:
            if isinstance(value, (SignalExpression, StateLaw)):
                yield value, part_subject("load", load.name).at("value"), False
    for drive in model.drives.values():
        if isinstance(drive.function, SignalExpression):
            yield drive.function, part_subject("drive", drive.name).at(drive.coordinate), True
    for element in model.elements.values():
        for name, value in element.values.items():
            if isinstance(value, SignalExpression):
                yield value, element.argument(name), False


def signal_problems(model: Registry) -> list[ModelError]:
    """Errors for signals that do not exist, or that cannot be read."""
    problems = []
    for value, what, drives in signals_read(model):
        for name in value.signals:
            if name == "t":
                continue
            try:
                found = readable_signal(model, name, what)
            except ModelError as error:
                problems.append(error)
                continue
            if drives and _is_rate(found):
                problems.append(
                    ModelError(
                        f'{what}: the target of a drive cannot depend on the speed "{name}"; use angles, displacements and '
                        "states of elements, or a torque",
                        about=what,
                    )
                )
    return problems


def _is_rate(signal: Readable) -> bool:
    if isinstance(signal, BodySignal):
        return signal.motion != "position"
    return isinstance(signal, (JointSignal, ElementCoordinate)) and signal.rate
