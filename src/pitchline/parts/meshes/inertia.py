"""Inertia of a wheel about its axis, for damping ratios and the effective mass of a mesh."""

from __future__ import annotations

import math

from pitchline.declare.registry import Registry
from pitchline.declare.structure import Station

from ..bodies.part import Body
from ..gears.part import Wheel

__all__ = ["inertia_in_mesh"]


def inertia_in_mesh(model: Registry, wheel: Wheel, *, rack: bool = False) -> float:
    """I of a body about the axis of its wheel [kg m²], z·J·z + m d². d is the distance from the axis to the centre of mass.

    Includes the mass of the wheel. On a station it is the inertia of the whole structure, without other wheels on it. For a
    rack it is the mass [kg]. Infinite for the ground.
    """
    body = model._body_named(wheel.body_name, wheel.name)
    if body.is_ground:
        return math.inf
    structure = model.structures[body.structure] if isinstance(body, Station) else None
    if rack or wheel.is_rack:
        return body.mass + (wheel.solid.mass if wheel.solid else 0.0) + (structure.solid.mass if structure else 0.0)
    total = _of_body(body, wheel)
    if wheel.solid is not None:
        off = wheel.solid.centre_of_mass[:2]
        total += float(wheel.solid.inertia[2, 2] + wheel.solid.mass * (off @ off))
    if structure is not None:
        origin, axes = model.placed(wheel.frame)
        total += structure.inertia_about(origin, axes[:, 2])
    return total


def _of_body(body: Body, wheel: Wheel) -> float:
    axis = wheel.frame.rotation[:, 2]
    arm = body.centre_of_mass - wheel.frame.position
    across = arm - (arm @ axis) * axis
    return float(axis @ body.inertia @ axis + body.mass * (across @ across))
