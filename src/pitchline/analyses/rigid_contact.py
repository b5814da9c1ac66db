"""Rigid tooth contact of two gears, of a pair, or of two wheels of a model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..arguments import names_wrong_arguments
from ..contact.mesh_pose import mesh_pose
from ..fem.elastic_gear import ElasticGear
from ..gears import Gear, GearPair
from ..gears.inputs import number
from ..gears.teeth import RigidContact, Teeth
from ..gears.teeth import rigid_contact as contact_of_teeth
from ..model import Model
from .contact_gears import contact_gears

__all__ = ["rigid_contact"]

_WHAT = "rigid contact"


@names_wrong_arguments
def rigid_contact(
    a: Teeth | Gear | ElasticGear | GearPair | Model,
    b: Teeth | Gear | ElasticGear | str | None = None,
    *,
    centre_distance: object = None,
    side: str = "left",
    positions: object = 32,
    pitches: object = 1,
    strips: object = 15,
    start: object = 0.0,
) -> RigidContact:
    """Compute the contact of two rigid gears: transmission error, contact point, contact pattern.

    Parameters
    ----------
    a, b
        Gears with parallel axes, at most one of them internal, or conical involute gears, which are placed by their common rack:
        a `Gear` with its modifications, or `Teeth`. Or one `GearPair`, whose centre distance is used. Or a model and the name
        of a gear pair: centre distance, face offset and misalignment are then those of its initial pose.
    centre_distance
        Centre distance of parallel axes [m]; default: the distance without backlash.
    side
        Flank of gear A in contact. With "left", a driving gear A rotates in the positive direction.
    positions, pitches
        Number of positions per pitch, and number of pitches of gear A. If teeth have pitch errors, z_B pitches include every
        tooth of gear B.
    strips
        Number of sections along the face of gear A; the smallest gap is then refined between them.
    start
        Angle φ_A of the first position, in pitches.
    """
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance)
    teeth = gears.teeth
    first = number(start, f"{_WHAT}: start")
    options: dict[str, Any] = {"side": side, "positions": positions, "pitches": pitches, "strips": strips}
    if not (gears.face_offset or gears.deviation or gears.inclination):
        return contact_of_teeth(*teeth, centre_distance=gears.centre_distance, start=first, **options)
    assert gears.pitch_point is not None
    pose = mesh_pose(
        *teeth, side, centre_distance=gears.centre_distance, deviation=gears.deviation, inclination=gears.inclination,
        face_offset=gears.face_offset,
    )  # fmt: skip
    first += gears.start / teeth[0].gear.angular_pitch
    found = contact_of_teeth(*teeth, start=first, placed=(pose.placement, pose.play), **options)
    return replace(found, transmission_error=found.transmission_error + pose.closing_at_pitch_point(gears.pitch_point))
