"""What declared elements say of themselves as they stand in a model: problems and warnings.

A class may have `problems(values, what)`, which returns texts of errors, and `warnings(values)`, which returns texts of what is
possible but questionable. They see values as `derive` does: frames are (position, rotation) in the world, in the initial pose; and
under "turning" the axes, by frame, about which the body of the frame turns in revolute joints.
"""

from __future__ import annotations

from typing import Any

from ..errors import ModelError
from .bearing_seats import seat_problems, seat_warnings
from .declared_element import DeclaredElement
from .registry import Registry

__all__ = ["element_problems", "element_warnings"]


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
    """What is wrong with an element in a model."""
    hook = _hook(element, "problems")
    texts = [] if hook is None else hook(_seen(model, element), str(element.words))
    return [ModelError(text, about=element.words) for text in texts] + seat_problems(model, element)


def element_warnings(model: Registry) -> list[str]:
    """What is questionable about the elements of a model; what is the same of several elements of a class is said once."""
    own: dict[tuple[str, str], list[DeclaredElement]] = {}
    seats = []
    for element in model.elements.values():
        hook = _hook(element, "warnings")
        for text in () if hook is None else hook(_seen(model, element)):
            own.setdefault((type(element).__name__, text), []).append(element)
        seats += seat_warnings(model, element)
    return [f"{_together(alike)}: {text}" for (_, text), alike in own.items()] + seats


def _together(alike: list[DeclaredElement]) -> str:
    return ", ".join([alike[0].words, *(f'"{element.name}"' for element in alike[1:])])
