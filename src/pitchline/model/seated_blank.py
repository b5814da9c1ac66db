"""Mass of the blank of a gear: of a body that is a gear, and of a wheel that is added to a body."""

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
    """Return the blank of a gear in the axes of its frame, if its mass is added to its body.

    On a shaft its bore is the outer diameter of the shaft in the middle of the wheel, unless its own bore is larger. Teeth
    that are cut into the shaft add no mass.
    """
    if with_mass not in (None, True, False):
        raise ModelError(f"{what}: with_mass must be True or False, got {shown(with_mass)}", about=what.at("with_mass"))
    if isinstance(body, Station):
        _check_on_shaft(model, body, gear, frame, with_mass, what)
    if with_mass is False or (with_mass is None and not isinstance(body, Station)):
        return None
    if body.is_ground:
        raise ModelError(
            f"{what}: is on the ground, whose mass has no effect; omit with_mass", about=what.at("with_mass")
        )
    try:
        if isinstance(body, Station) and isinstance(gear, Gear) and not gear.internal:
            structure = model.structures[body.structure]
            if isinstance(structure, Shaft):
                outer = structure.outer_at(structure.place_of(frame, body))
                if outer >= gear.root_diameter:
                    if with_mass:
                        raise ModelError(
                            f"the diameter of the shaft there, {in_mm(outer)}, is not smaller than its root diameter, "
                            f"{in_mm(gear.root_diameter)}: "
                            "its teeth are cut into the shaft, which already includes the mass"
                        )
                    return None
                if outer > gear.bore:
                    gear = gear.with_(body=gear.body.with_(bore=outer))
        return gear.solid
    except ModelError as error:
        raise ModelError(
            f"{what}: its mass is added to that of the shaft, but {error}; or specify with_mass=False, and the mass with "
            "attached_mass(...)",
            about=what,
        ) from None


def _check_on_shaft(
    model: Registry, station: Station, gear: Gear | Rack, frame: Frame, with_mass: object, what: Subject
) -> None:
    """Check that a wheel on a shaft is on its axis, between its ends and not inclined, and that its teeth are not inside the
    shaft. With with_mass=False these checks are not made, because the wheel may be used only for rolling."""
    shaft = model.structures[station.structure]
    if not isinstance(shaft, Shaft) or isinstance(gear, Rack):
        return
    place = shaft.place_of(frame, station)
    off = float((frame.position[0] ** 2 + frame.position[1] ** 2) ** 0.5)
    half = 0.5 * (gear.face_width or 0.0)
    if place < -half or place > shaft.length + half:
        raise ModelError(
            f"{what}: its middle would be at {in_mm(place)} from the start of {shaft.subject}, beyond its ends (0 and "
            f"{in_mm(shaft.length)}); move it, or make the shaft longer",
            about=what,
        )
    if off > 0.5 * shaft.outer_at(min(max(place, 0.0), shaft.length)):
        raise ModelError(
            f"{what}: its centre would be {in_mm(off)} off the axis of {shaft.subject}; move it to the axis, or to another body",
            about=what,
        )
    lean = math.degrees(math.acos(min(abs(float(frame.rotation[2, 2])), 1.0)))
    if lean > LEAN:
        raise ModelError(
            f"{what}: its axis would be inclined by {lean:.3g} deg to {shaft.subject}; specify the axis of the shaft, or omit axis",
            about=what,
        )
    seat = shaft.outer_at(min(max(place, 0.0), shaft.length), smaller=True)
    if with_mass is not False and not gear.internal and seat > gear.tip_diameter * (1.0 + 1e-3):
        raise ModelError(
            f"{what}: the diameter of {shaft.subject} there, {in_mm(seat)}, is larger than the tip diameter of the gear, "
            f"{in_mm(gear.tip_diameter)}; make the shaft thinner, or move the wheel, or specify with_mass=False if only its "
            "pitch circle is used",
            about=what,
        )


def blank_or_given(
    gear: Gear | Rack, mass: object, inertia: object, centre_of_mass: object, what: Subject
) -> tuple[Any, Any, Any]:
    """Mass, inertia and centre of mass as specified. Missing values are those of the blank."""
    if mass is not None and inertia is not None:
        return mass, inertia, centre_of_mass
    try:
        blank = gear.blank
    except ModelError as error:
        raise ModelError(f"{what}: {error}; or specify mass and inertia of the body, or solid", about=what) from None
    scale = 1.0
    if mass is not None:
        scale = quantity(mass, "mass", what=what / "mass") / blank.mass
    return (
        blank.mass if mass is None else mass,
        tuple(tuple(scale * moment for moment in row) for row in blank.matrix) if inertia is None else inertia,
        blank.centre_of_mass if centre_of_mass is None else centre_of_mass,
    )
