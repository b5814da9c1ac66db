"""A rolling bearing as it is mounted: its type with preload, cage, direction and speed; loads and life at given deflections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError
from .design import BearingDesign
from .law import Array, ContactLaw, ContactState
from .life import ball_reference_life, roller_reference_life
from .ratings import ball_dynamic_rating, ball_static_rating, roller_dynamic_rating, roller_static_rating
from .rollers import RollerLaw
from .types import BEARING_TYPES

__all__ = ["SLICES", "MountedBearing", "mounted", "mounted_as_described", "rating_warnings"]

_FAR_RATING = 3.0
SLICES = 41
"""Of rollers, for the life."""


@dataclass(frozen=True, eq=False)
class MountedBearing:
    """A bearing with all that its contact law depends on."""

    design: BearingDesign
    law: ContactLaw

    def at(self, deflection: Array, rotation: Array) -> ContactState:
        """Loads, contact angles and pressures of the rolling elements at displacements [m] and rotations [rad] of the inner ring in
        axes of the outer ring, (3,) each: signals `deflection` and `rotation`."""
        return self.law.at(np.concatenate([deflection, rotation]))

    def positions(self, rotation: Array) -> Array:
        """Angles [rad] of the rolling elements from x of the outer ring, (rows, elements)."""
        phases = np.array([row.phase for row in self.law.rows])[:, None]
        angles: Array = phases + 2.0 * np.pi * np.arange(self.law.elements) / self.law.elements
        return angles + self.law.cage_ratio * rotation[2]

    def reference_life(self, deflection: Array, rotation: Array, *, turning_against_load: str = "inner") -> float:
        """L10r [10⁶ revolutions] at such deflections; ModelError where the bearing has no rating."""
        d, rating = self.design, self.design.whole_rating
        if rating is None:
            raise ModelError(f"{d.title}: has no rating, which its life needs; give rating, its C of the catalogue")
        e = np.concatenate([deflection, rotation])
        same = {"pitch": d.pitch, "contact_angle": d.contact_angle, "turning_against_load": turning_against_load}
        if isinstance(self.law, RollerLaw):
            x = ((np.arange(SLICES) + 0.5) / SLICES - 0.5) * d.length  # type: ignore[attr-defined]
            slices = self.law.slices(e, SLICES, d.gaps(x))  # type: ignore[attr-defined]
            return roller_reference_life(self._counted(slices), rating, roller=d.diameter, **same)  # type: ignore[arg-type]
        grooves = {name: getattr(d, name) * d.diameter for name in ("inner_groove", "outer_groove")}
        return ball_reference_life(self._counted(self.law.at(e).loads), rating, ball=d.diameter, **grooves, **same)  # type: ignore[arg-type]

    def _counted(self, loads: Array) -> Array:
        """Loads of as many rolling elements as there are: where their stiffness is spread, each stands for several softer ones."""
        return loads[:, :: self.law.times] * self.law.times


def mounted(values: Mapping[str, Any]) -> MountedBearing:
    """From the values of an element: design, cage, offset, preload, flipped, speed. ModelError if it is pressed too hard."""
    design: BearingDesign = values["design"]
    offset = values["offset"] + (design.offset_of(values["preload"]) if values["preload"] else 0.0)
    if offset and not design.held_along_axis:
        text = "it has no contact angle, so that a shift along the axis presses nothing; give a negative clearance"
        raise design.error("offset", text)
    law = design.law(offset=offset, cage=values["cage"], speed=values["speed"])
    if offset:
        design.check_rest(law, "preload" if values["preload"] else "offset")
    return MountedBearing(design, law.flipped() if values["flipped"] else law)


def mounted_as_described(parameters: Mapping[str, Mapping[str, Any]]) -> MountedBearing:
    """From the parameters of an element as the description of a model has them: {"design": {"value": {...}}, ...}."""
    values = {name: said["value"] for name, said in parameters.items()}
    design = dict(values["design"])
    del design["words"]
    make = BEARING_TYPES[design.pop("type")]
    return mounted({**values, "design": make(**design)})


def rating_warnings(design: BearingDesign) -> list[str]:
    """Where a rating is far from what ISO 281 and ISO 76 give for the geometry: a wrong unit, or another bearing."""
    rows = 1 if design.is_pair else design.rows
    same = {"contact_angle": design.contact_angle, "rows": rows}
    sizes = (design.number, design.diameter)
    if design.rolling == "ball":
        usual = ball_dynamic_rating(*sizes, design.pitch, **same), ball_static_rating(*sizes, design.pitch, **same)  # type: ignore[arg-type]
    else:
        sizes = (*sizes, design.length)  # type: ignore[attr-defined, assignment]
        usual = roller_dynamic_rating(*sizes, design.pitch, **same), roller_static_rating(*sizes, design.pitch, **same)  # type: ignore
    found = []
    for name, standard, expected in (("rating", "ISO 281", usual[0]), ("static_rating", "ISO 76", usual[1])):
        given = getattr(design, name)
        if given is not None and not 1.0 / _FAR_RATING < given / expected < _FAR_RATING:
            found.append(
                f"its {name} of {given:.4g} N is far from the {expected:.4g} N that {standard} gives for its geometry"
            )
    return found
