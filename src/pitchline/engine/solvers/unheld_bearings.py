"""Rolling bearings that do not support a shaft axially: text for messages if no other part supports it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pitchline.model.model import Model

__all__ = ["bearings_without_hold"]

_ALONG = 0.9
"""Cosine of the largest angle between the motion and the axis of a bearing for an axial motion."""


def bearings_without_hold(model: Model, along: np.ndarray) -> str:
    """Bearings with an axis along a direction and without support in it; empty if there are none."""
    none, one_way = [], []
    for name, element in model.elements.items():
        if type(element).key != "bearing":
            continue
        axis = model.placed(element.frames["a"])[1][:, 2]
        if abs(axis @ along) < _ALONG * np.linalg.norm(along):
            continue
        design: Any = element.values["design"]
        if 2 not in design.held:
            none.append(f'"{name}" ({design.title})')
        elif design.one_way:
            one_way.append(f'"{name}" ({design.title})')
    said = [f"{', '.join(none)} {'carry' if len(none) > 1 else 'carries'} no axial force"] if none else []
    if one_way:
        said.append(
            f"{', '.join(one_way)} {'support' if len(one_way) > 1 else 'supports'} the shaft in one direction only, see flipped"
        )
    return "; ".join(said)
