"""The cylindrical wheel equivalent to a bevel wheel: its back cone, unrolled (Tredgold; ISO 23509, ISO 10300)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import ModelError
from .inputs import in_deg
from .thickness import ToothThickness

__all__ = ["EquivalentCylinder", "equivalent_cylinder"]


@dataclass(frozen=True, kw_only=True)
class EquivalentCylinder(ToothThickness):
    """A cylindrical wheel with z_v = z / cos δ teeth, in general not a whole number: it exists on paper only."""

    teeth: float
    normal_module: float
    normal_pressure_angle: float
    helix_angle: float
    profile_shift: float
    addendum_factor: float
    dedendum_factor: float
    root_radius_factor: float | None
    tip_alteration: float
    backlash_allowance: float
    internal: bool = False
    cone_angle: float = 0.0
    profile_shift_angle: float = 0.0


def equivalent_cylinder(gear: ToothThickness) -> EquivalentCylinder:
    """The wheel on the back cone: z_v = z / cos δ, everything else as in the middle of the face width."""
    cosine = math.cos(gear.cone_angle)
    if cosine < 1e-9:
        raise ModelError(
            f"gear: the equivalent gear of a crown wheel (cone angle {in_deg(gear.cone_angle)}) is a rack, not a cylinder"
        )
    return EquivalentCylinder(
        teeth=gear.teeth / cosine,
        normal_module=gear.normal_module,
        normal_pressure_angle=gear.normal_pressure_angle,
        helix_angle=gear.helix_angle,
        profile_shift=gear.profile_shift,
        addendum_factor=gear.addendum_factor,
        dedendum_factor=gear.dedendum_factor,
        root_radius_factor=gear.root_radius_factor,
        tip_alteration=gear.tip_alteration,
        backlash_allowance=gear.backlash_allowance,
        internal=gear.internal,
    )
