"""Friction of joints for equations in joint coordinates: it acts against the motion, and is zero at rest.

Friction that sticks removes a degree of freedom. In joint coordinates the motion is given, so that each friction is a torque or a
force that depends on the speed of its joint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..model import Model
from ..model.functions import Constant
from ..model.joints import ANGLE, DISPLACEMENT
from ..model.loads import JointLoad
from ..model.signal_expression import expression

__all__ = ["with_friction_in_motion"]

ON_JOINTS = {"friction": ANGLE, "sliding_friction": DISPLACEMENT}
BETWEEN_JOINTS = ("clutch",)


def with_friction_in_motion(model: Model) -> tuple[Model, list[str]]:
    """The model with friction as loads against the motion, and warnings for friction that is left out."""
    loads, left, warnings = [], [], []
    for name, element in model.elements.items():
        if element.key in ON_JOINTS:
            left.append(name)
            if isinstance(element.values["capacity"], Constant):
                loads.append(
                    JointLoad(name, element.values["on"], ON_JOINTS[element.key], expression(_effort(element.values)))
                )
                continue
        elif element.key in BETWEEN_JOINTS:
            left.append(name)
        else:
            continue
        warnings.append(
            f'"{name}": joint coordinates do not include this friction, because it changes with time or connects two joints'
        )
    if not left:
        return model, []
    return model.replaced(without=left).replaced(*loads), warnings


def _effort(values: Mapping[str, Any]) -> str:
    """Load over the speed v: Coulomb, Stribeck and viscous friction, as in motion."""
    rate = f"{values['on']}.speed"
    v = f"signal({json.dumps(rate, ensure_ascii=False)})"
    capacity, ratio = float(values["capacity"](0.0)), float(values["static_ratio"])
    stribeck, viscous = float(values["stribeck_speed"]), float(values["viscous"])
    sign = {"both": f"sign({v})", "forward": f"step({v})*abs(sign({v}))", "backward": f"-step(-{v})*abs(sign({v}))"}
    size = f"({capacity!r})"
    if stribeck > 0.0 and ratio > 1.0:
        size += f"*(1 + ({ratio - 1.0!r})*exp(-({v}/({stribeck!r}))**2))"
    return f"-{sign[values['against']]}*{size} - ({viscous!r})*{v}"
