"""The gear pairs of Do, Ziegler and Eberhard, with grids of the size they used.

T. P. Do, P. Ziegler, P. Eberhard, Simulation of elastic gears with non-standard flank profiles. Table 1: a spur pair of 18
and 37 teeth, normal module 2 mm, face width 10 mm, root fillet radius 0.25 mm, and the same with a helix angle of 8 deg.
Table 3: a straight beveloid pair of 19 and 38 teeth, face width 20 mm, profile shift angle 10 deg on both, shafts at 20
deg, clearance 0.2 mm. Steel with E = 2.1e11 N/m², ν = 0.3, ρ = 7850 kg/m³.

Left open there, and taken here: bores of 0.4 times the pitch diameter; the addendum of the standard basic rack, and for
Table 1 its dedendum of 1.25 modules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pitchline as pl
from pitchline.gears.teeth import Teeth

__all__ = ["BORE", "STEEL", "PublishedPair", "table1_pair", "table3_pair"]

STEEL = pl.Material("steel", density=7850.0, youngs_modulus=2.1e11, poissons_ratio=0.3)

BORE = 0.4
"""Diameter of the bores by that of the pitch circles; not published."""


@dataclass(frozen=True, kw_only=True)
class PublishedPair:
    """Two toothed gears, the options of grids as fine as published, and what was published of these.

    Attributes
    ----------
    pinion, gear : Teeth
    pinion_grid, gear_grid : mapping
        Options of `sector_grid` for either.
    nodes, elements : int | None
        Published numbers of the pair, None where there is none.
    flank_edge : float
        Published length of the smallest edges on the flanks [m].
    shaft_angle : float
        [rad]
    load : float
        Torque on the large gear [N m].
    speed : float
        Of the pinion [rad/s].
    """

    pinion: Teeth
    gear: Teeth
    pinion_grid: Mapping[str, Any]
    gear_grid: Mapping[str, Any]
    nodes: int
    elements: int | None
    flank_edge: float
    shaft_angle: float
    load: float
    speed: float

    @property
    def wheels(self) -> tuple[tuple[str, Teeth, Mapping[str, Any]], ...]:
        """("pinion", its teeth, its grid options) and the same of the gear."""
        return ("pinion", self.pinion, self.pinion_grid), ("gear", self.gear, self.gear_grid)


def _gear(teeth: int, **others: Any) -> pl.Gear:
    gear = pl.Gear(teeth=teeth, normal_module="2 mm", root_radius_factor=0.125, material=STEEL, **others)
    return gear.with_(bore=BORE * gear.reference_diameter)


def table1_pair(*, helical: bool = False) -> PublishedPair:
    """The pair of Table 1: spur, or with a helix angle of 8 deg (a right-hand pinion)."""
    beta = math.radians(8.0) if helical else 0.0
    pinion, gear = (
        Teeth(_gear(z, helix_angle=hand * beta, face_width="10 mm")) for z, hand in ((18, 1.0), (37, -1.0))
    )
    if helical:
        shared = {"order": 1, "face_elements": 8, "across_elements": 8, "root_elements": 5, "body_elements": 10}
        pinion_grid = shared | {"flank_elements": 54, "fillet_elements": 10}
        gear_grid = shared | {"flank_elements": 64, "fillet_elements": 8}
    else:
        shared = {"order": 1, "face_elements": 9, "across_elements": 6, "root_elements": 4, "body_elements": 10}
        pinion_grid = shared | {"flank_elements": 57, "fillet_elements": 10}
        gear_grid = shared | {"flank_elements": 67, "fillet_elements": 7}
    return PublishedPair(
        pinion=pinion,
        gear=gear,
        pinion_grid=pinion_grid,
        gear_grid=gear_grid,
        nodes=406_000 if helical else 360_000,
        elements=None,
        flank_edge=0.063e-3 if helical else 0.06e-3,
        shaft_angle=0.0,
        load=100.0,
        speed=50.0,
    )


def table3_pair() -> PublishedPair:
    """The straight beveloid pair of Table 3."""
    pinion, gear = (
        Teeth(_gear(z, face_width="20 mm", dedendum_factor=1.1), profile_shift_angle="10 deg") for z in (19, 38)
    )
    shared = {
        "order": 1, "face_elements": 14, "fillet_elements": 5, "across_elements": 6, "root_elements": 2, "body_elements": 11
    }  # fmt: skip
    return PublishedPair(
        pinion=pinion,
        gear=gear,
        pinion_grid=shared | {"flank_elements": 26},
        gear_grid=shared | {"flank_elements": 30},
        nodes=303_000,
        elements=250_000,
        flank_edge=0.13e-3,
        shaft_angle=math.radians(20.0),
        load=1000.0,
        speed=50.0,
    )
