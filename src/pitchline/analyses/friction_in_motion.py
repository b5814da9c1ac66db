"""Friction of joints for equations in joint coordinates: it acts against the motion, and is zero at rest.

Friction that sticks removes a degree of freedom. In joint coordinates the motion is given, so that each friction is a torque or a
force that depends on the speed of its joint.
"""

from __future__ import annotations

from ..disk.element_finder import element_of_package
from ..model import Model
from ..model.functions import Constant

__all__ = ["with_friction_in_motion"]

ON_JOINTS = ("friction", "sliding_friction")
BETWEEN_JOINTS = ("clutch",)
SAME = ("on", "static_ratio", "stribeck_speed", "viscous", "against")


def with_friction_in_motion(model: Model) -> tuple[Model, list[str]]:
    """The model with friction that does not stick, and warnings for friction that is left out."""
    left, added, warnings = [], [], []
    for name, element in model.elements.items():
        if element.key not in (*ON_JOINTS, *BETWEEN_JOINTS):
            continue
        left.append(name)
        capacity = element.values["capacity"]
        if element.key in ON_JOINTS and isinstance(capacity, Constant):
            values = {key: element.values[key] for key in SAME}
            added.append(element_of_package("motion_friction")(name, capacity=float(capacity(0.0)), **values))
        else:
            warnings.append(
                f'"{name}": joint coordinates do not include this friction, because it changes with time or connects two joints'
            )
    if not left:
        return model, []
    other = model.replaced(without=left)
    for element in added:
        other.add(element)
    return other, warnings
