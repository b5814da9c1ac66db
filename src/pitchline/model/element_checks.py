"""Errors and warnings of declared elements in their model.

A class may define `problems(values, what)`, which returns texts of errors, and `warnings(values)`, which returns texts of
warnings. Both see values as `derive` does: frames are (position, rotation) in the world, in the initial pose. The key "turning"
contains, for each frame, the axes of the revolute joints about which the body of the frame rotates.
"""

from __future__ import annotations

from typing import Any

from ..errors import ModelError, listed
from .bearing_seats import seat_problems, seat_warnings
from .declared_element import DeclaredElement
from .element_fields import CoordinatesField, MemoryField, OutputField
from .registry import Registry

__all__ = ["element_problems", "element_warnings", "kinematic_notes", "linear_notes"]


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
