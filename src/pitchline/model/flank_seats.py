"""Warnings about `Flank` meshes whose gears deform between their seats and their mean motion, on which a shaft acts."""

from __future__ import annotations

from collections.abc import Iterator

from ..gears.gear import Gear
from ..gears.inputs import positive
from ..gears.pair import GearPair
from ..gears.seat_compliance import seat_compliance
from ..gears.stiffness import iso_stiffness
from .gear_mesh import GearMesh
from .meshes import Flank
from .registry import Registry

__all__ = ["seat_warnings"]

_SMALL = 0.05
"""Share of the deflection of the teeth that is left without a warning."""


def seat_warnings(model: Registry) -> list[str]:
    """Warn if the deflection that `Flank` leaves out is more than a small share of that of the teeth, with its estimated amount."""
    notes = []
    for part in model.gear_pairs.values():
        pair = part.pair
        if not isinstance(part.mesh, Flank) or not isinstance(pair, GearPair) or not pair.kind.parallel:
            continue
        missing = dict(_missing(part))
        share = sum(missing.values()) * iso_stiffness(pair).mesh_alpha * pair.face_width
        if share > _SMALL:
            each = " and ".join(f'{1e9 * value:.2g} um for "{name}"' for name, value in missing.items())
            notes.append(
                f'gear pair "{part.name}": Flank does not contain the deformation of the gears between the bore (of a ring, the '
                f"outside) and their mean motion. Estimated for 1 kN of tooth force: {each}, in total about {100 * share:.0f} % of "
                "the deflection of the teeth. Loaded() contains it"
            )
    return notes


def _missing(part: GearMesh) -> Iterator[tuple[str, float]]:
    """Wheels with an elastic body, and the displacement of their teeth that is left out [m/N]."""
    assert isinstance(part.mesh, Flank)
    for wheel, elements in ((part.wheel_a, part.mesh.elements_a), (part.wheel_b, part.mesh.elements_b)):
        gear = wheel.gear
        if "body" in elements or not isinstance(gear, Gear):
            continue
        given = elements.get("rim_diameter" if gear.internal else "bore")
        own = gear.rim_diameter if gear.internal else gear.bore
        seat = own if given is None else positive(given, "length", "seat of an elastic gear")
        if seat is not None:
            yield wheel.name, seat_compliance(gear, seat=0.5 * seat)
