"""Mounted rolling bearing: its type with preload, cage, direction and speed; loads and life at given deflections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from pitchline.errors import ModelError

from .ball_types import AngularContactBall, DeepGrooveBall
from .design import BearingDesign, ball_dynamic_rating, ball_static_rating, roller_dynamic_rating, roller_static_rating
from .law import Array, ContactLaw, ContactState, RollerLaw
from .life import ball_reference_life, roller_reference_life
from .roller_types import CylindricalRoller, NeedleRoller, SphericalRoller, TaperedRoller

__all__ = [
    "BEARING_KINDS",
    "BEARING_TYPES",
    "SLICES",
    "MountedBearing",
    "mounted",
    "mounted_as_described",
    "rating_warnings",
]


# ---- types

# All types of rolling bearings, by their kinds in model files.

_TYPES = (DeepGrooveBall, AngularContactBall, CylindricalRoller, TaperedRoller, SphericalRoller, NeedleRoller)
BEARING_TYPES: Mapping[str, Callable[..., Any]] = MappingProxyType({cls.__name__: cls for cls in _TYPES})
BEARING_KINDS: Mapping[str, Callable[..., Any]] = MappingProxyType({
    **{cls.kind: cls for cls in _TYPES},
    **{f"{cls.kind}_from_catalogue": cls.from_catalogue for cls in _TYPES},
})  # fmt: skip


_FAR_RATING = 3.0
SLICES = 41
"""Number of slices of rollers, for the life."""


@dataclass(frozen=True, eq=False)
class MountedBearing:
    """Bearing with all data for its contact law."""

    design: BearingDesign
    law: ContactLaw

    def at(self, deflection: Array, rotation: Array) -> ContactState:
        """Loads, contact angles and pressures of the rolling elements.

        Parameters
        ----------
        deflection
            Displacements of the inner ring in axes of the outer ring (3,) [m]: signal `deflection`.
        rotation
            Rotations of the inner ring in these axes (3,) [rad]: signal `rotation`.
        """
        return self.law.at(np.concatenate([deflection, rotation]))

    def positions(self, rotation: Array) -> Array:
        """Angles [rad] of the rolling elements from x of the outer ring, (rows, elements).

        Parameters
        ----------
        rotation
            Rotations of the inner ring in axes of the outer ring (3,) [rad].
        """
        phases = np.array([row.phase for row in self.law.rows])[:, None]
        angles: Array = phases + 2.0 * np.pi * np.arange(self.law.elements) / self.law.elements
        return angles + self.law.cage_ratio * rotation[2]

    def reference_life(self, deflection: Array, rotation: Array, *, turning_against_load: str = "inner") -> float:
        """L10r [10⁶ revolutions] at given deflections. ModelError if the bearing has no rating.

        Parameters
        ----------
        deflection, rotation
            As in `at`.
        turning_against_load
            Ring that rotates relative to the load: "inner" (default) or "outer".
        """
        d, rating = self.design, self.design.whole_rating
        if rating is None:
            raise ModelError(f"{d.title}: has no rating, which its life needs; specify rating, the C of the catalogue")
        e = np.concatenate([deflection, rotation])
        same = {
            "pitch": d.pitch, "contact_angle": d.contact_angle, "elements": d.number,
            "turning_against_load": turning_against_load,
        }  # fmt: skip
        if isinstance(self.law, RollerLaw):
            x = ((np.arange(SLICES) + 0.5) / SLICES - 0.5) * d.length
            slices = self.law.slices(e, SLICES, d.gaps(x))
            return roller_reference_life(slices, rating, roller=d.diameter, **same)  # type: ignore[arg-type]
        grooves = {name: getattr(d, name) * d.diameter for name in ("inner_groove", "outer_groove")}
        return ball_reference_life(self.law.at(e).loads, rating, ball=d.diameter, **grooves, **same)  # type: ignore[arg-type]


def mounted(values: Mapping[str, Any]) -> MountedBearing:
    """Make it from values of an element: design, cage, offset, preload, flipped, speed. ModelError if the pressure is too high."""
    design: BearingDesign = values["design"]
    offset = values["offset"] + (design.offset_of(values["preload"]) if values["preload"] else 0.0)
    if offset and not design.held_along_axis:
        text = "it has no contact angle, so that an axial shift has no effect; specify a negative clearance"
        raise design.error("offset", text)
    law = design.law(offset=offset, cage=values["cage"], speed=values["speed"])
    if offset:
        design.check_rest(law, "preload" if values["preload"] else "offset")
    return MountedBearing(design, law.flipped() if values["flipped"] else law)


def mounted_as_described(parameters: Mapping[str, Mapping[str, Any]]) -> MountedBearing:
    """Make it from the parameters of an element in the description of a model: {"design": {"value": {...}}, ...}."""
    values = {name: said["value"] for name, said in parameters.items()}
    design = dict(values["design"])
    del design["words"]
    make = BEARING_TYPES[design.pop("type")]
    return mounted({**values, "design": make(**design)})


def rating_warnings(design: BearingDesign) -> list[str]:
    """Warnings if a rating is far from that of ISO 281 and ISO 76 for the geometry: a wrong unit, or another bearing."""
    rows = 1 if design.is_pair else design.rows
    same = {"contact_angle": design.contact_angle, "rows": rows}
    sizes = (design.number, design.diameter)
    if design.rolling == "ball":
        usual = ball_dynamic_rating(*sizes, design.pitch, **same), ball_static_rating(*sizes, design.pitch, **same)  # type: ignore[arg-type]
    else:
        sizes = (*sizes, design.length)  # type: ignore[assignment]
        usual = roller_dynamic_rating(*sizes, design.pitch, **same), roller_static_rating(*sizes, design.pitch, **same)  # type: ignore
    found = []
    for name, standard, expected in (("rating", "ISO 281", usual[0]), ("static_rating", "ISO 76", usual[1])):
        given = getattr(design, name)
        if given is not None and not 1.0 / _FAR_RATING < given / expected < _FAR_RATING:
            found.append(f"its {name} of {given:.4g} N is far from the {expected:.4g} N of {standard} for its geometry")
    return found
