"""Rigid tooth contact of two gears, of a pair, or of two wheels of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..arguments import names_wrong_arguments
from ..contact.mesh_pose import mesh_pose
from ..errors import ModelError, shown
from ..fem.elastic_gear import ElasticGear
from ..gears import GearPair
from ..gears.assembly_errors import AssemblyErrors
from ..gears.inputs import number
from ..gears.teeth import RigidContact
from ..gears.teeth import rigid_contact as contact_of_teeth
from ..model import Model
from .contact_gears import closed_form, contact_gears
from .rigid_surfaces import rigid_surfaces
from .surface_gears import AnyTeeth, surface_gears

__all__ = ["rigid_contact"]

_WHAT = "rigid contact"


@names_wrong_arguments
def rigid_contact(
    a: AnyTeeth | ElasticGear | GearPair | Model,
    b: AnyTeeth | ElasticGear | str | None = None,
    *,
    centre_distance: object = None,
    shaft_angle: object = None,
    errors: AssemblyErrors | Mapping[str, object] | None = None,
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
        The gears: a `Gear` with its modifications, `Teeth`, `BevelTeeth` or `SurfaceTeeth`; b may be a `Rack`. All kinds of
        pairs: parallel, crossed and intersecting axes, internal gears, racks. Flanks of spiral bevel, hypoid and worm gears
        are `SurfaceTeeth` (`Teeth.from_points`, `Teeth.from_surface`). Or one `GearPair`. Or a model and the name of a gear
        pair: its position is then that of its initial pose.
    centre_distance
        Distance between the axes [m], as in `GearPair`; default for parallel axes: the distance without backlash.
    shaft_angle
        Angle between the axes [rad], as in `GearPair`; required for crossed axes.
    errors
        Errors of the position of gear B, `AssemblyErrors(offset=..., axial_a=..., axial_b=..., shaft_angle=...)`, or a table of
        them.
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
    if side not in ("left", "right"):
        raise ModelError(f'{_WHAT}: side must be "left" or "right", got {shown(side)}')
    first = number(start, f"{_WHAT}: start")
    if errors is not None or shaft_angle is not None or not closed_form(a, b):
        general = surface_gears(a, b, _WHAT, centre_distance=centre_distance, shaft_angle=shaft_angle, errors=errors)
        return rigid_surfaces(general, side=side, positions=positions, pitches=pitches, strips=strips, start=first)
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance)
    teeth = gears.teeth
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
