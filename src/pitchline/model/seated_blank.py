"""The mass of the blank of a gear: of a body that is a gear, and what a wheel brings to the body it is put on."""

from __future__ import annotations

import math
from typing import Any

from ..errors import ModelError, Subject, shown
from ..gears import Gear, Rack
from ..gears.inputs import in_mm
from ..solids.mass_properties import MassProperties
from ..units import quantity
from .bearing_seats import LEAN
from .body import Body
from .frames import Frame
from .registry import Registry
from .shaft import Shaft
from .station import Station

__all__ = ["blank_on_body", "blank_or_given"]


def blank_on_body(
    model: Registry, body: Body, gear: Gear | Rack, frame: Frame, with_mass: object, what: Subject
) -> MassProperties | None:
    """The blank of a gear in the axes of its frame, where it is to be added to the mass of its body.

    On a shaft its bore is the outer diameter of the shaft in the middle of the wheel, unless its own is larger; teeth that are cut
    into the shaft add nothing.
    """
    if with_mass not in (None, True, False):
        raise ModelError(f"{what}: with_mass must be True or False, got {shown(with_mass)}", about=what.at("with_mass"))
    if isinstance(body, Station):
        _check_on_shaft(model, body, gear, frame, with_mass, what)
    if with_mass is False or (with_mass is None and not isinstance(body, Station)):
        return None
    if body.is_ground:
        raise ModelError(
            f"{what}: is on the ground, whose mass does not matter; leave out with_mass", about=what.at("with_mass")
        )
    try:
        if isinstance(body, Station) and isinstance(gear, Gear) and not gear.internal:
            structure = model.structures[body.structure]
            if isinstance(structure, Shaft):
                outer = structure.outer_at(structure.place_of(frame, body))
                if outer >= gear.root_diameter:
                    if with_mass:
                        raise ModelError(
                            f"the shaft there, {in_mm(outer)}, is as thick as its root, {in_mm(gear.root_diameter)}: its teeth are "
                            "cut into the shaft, which has the mass already"
                        )
                    return None
                if outer > gear.bore:
                    gear = gear.with_(body=gear.body.with_(bore=outer))
        return gear.solid
    except ModelError as error:
        raise ModelError(
            f"{what}: its mass is added to that of the shaft, but {error}; or say with_mass=False, and give the mass with "
            "attached_mass(...)",
            about=what,
        ) from None


def _check_on_shaft(
    model: Registry, station: Station, gear: Gear | Rack, frame: Frame, with_mass: object, what: Subject
) -> None:
    """A wheel on a shaft sits on it: no farther off its axis than the shaft is thick, nor beyond its ends, nor across it, nor
    with its teeth inside the shaft, unless all that is wanted of it is how it rolls (with_mass=False)."""
    shaft = model.structures[station.structure]
    if not isinstance(shaft, Shaft) or isinstance(gear, Rack):
        return
    place = shaft.place_of(frame, station)
    off = float((frame.position[0] ** 2 + frame.position[1] ** 2) ** 0.5)
    half = 0.5 * (gear.face_width or 0.0)
    if place < -half or place > shaft.length + half:
        raise ModelError(
            f"{what}: its middle would be at {in_mm(place)} from the start of {shaft.subject}, off its ends (0 and "
            f"{in_mm(shaft.length)}); move it, or make the shaft longer",
            about=what,
        )
    if off > 0.5 * shaft.outer_at(min(max(place, 0.0), shaft.length)):
        raise ModelError(
            f"{what}: its centre would be {in_mm(off)} off the axis of {shaft.subject}; put it on the axis, or on another body",
            about=what,
        )
    lean = math.degrees(math.acos(min(abs(float(frame.rotation[2, 2])), 1.0)))
    if lean > LEAN:
        raise ModelError(
            f"{what}: its axis would lean by {lean:.3g} deg against {shaft.subject}; give the axis of the shaft, or leave axis out",
            about=what,
        )
    seat = shaft.outer_at(min(max(place, 0.0), shaft.length), smaller=True)
    if with_mass is not False and not gear.internal and seat > gear.tip_diameter * (1.0 + 1e-3):
        raise ModelError(
            f"{what}: {shaft.subject} is {in_mm(seat)} thick there, more than the tip circle of the gear, "
            f"{in_mm(gear.tip_diameter)}; make the shaft thinner, or move the wheel, or say with_mass=False where only its "
            "pitch circle counts",
            about=what,
        )


def blank_or_given(
    gear: Gear | Rack, mass: object, inertia: object, centre_of_mass: object, what: Subject
) -> tuple[Any, Any, Any]:
    """Mass, inertia and centre of mass as given, the rest from the blank."""
    if mass is not None and inertia is not None:
        return mass, inertia, centre_of_mass
    try:
        blank = gear.blank
    except ModelError as error:
        raise ModelError(f"{what}: {error}; or give mass and inertia of the body, or solid", about=what) from None
    scale = 1.0
    if mass is not None:
        scale = quantity(mass, "mass", what=what / "mass") / blank.mass
    return (
        blank.mass if mass is None else mass,
        tuple(scale * moment for moment in blank.inertia) if inertia is None else inertia,
        blank.centre_of_mass if centre_of_mass is None else centre_of_mass,
    )
