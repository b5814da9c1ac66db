"""Simpler gears for bevel gears: the back cone, unrolled (Tredgold; ISO 23509, ISO 10300), and straight teeth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ModelError
from .inputs import in_deg
from .thickness import ToothThickness

if TYPE_CHECKING:
    from .gear import Gear

__all__ = ["EquivalentCylinder", "equivalent_cylinder", "transverse_gear"]


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


def transverse_gear(gear: Gear) -> Gear:
    """Straight bevel gear with the same cone and heights; its teeth are those of the transverse section."""
    cosine = math.cos(gear.helix_angle)
    return gear.with_(
        helix_angle=0.0,
        normal_module=gear.normal_module / cosine,
        normal_pressure_angle=math.atan(math.tan(gear.normal_pressure_angle) / cosine),
        profile_shift=gear.profile_shift * cosine,
        addendum_factor=gear.addendum_factor * cosine,
        dedendum_factor=gear.dedendum_factor * cosine,
        tip_alteration=gear.tip_alteration * cosine,
        root_radius_factor=None,
        backlash_allowance=gear.backlash_allowance / cosine,
        modifications=None,
    )
