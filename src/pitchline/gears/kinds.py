"""Which kind of pair two gears make, and its pitch geometry."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import StrEnum

from ..errors import ModelError
from .compatibility import (
    ANGLE_TOLERANCE,
    check_beveloids,
    check_cones,
    check_crossed_helices,
    check_internal,
    check_no_shift,
    check_parallel_helices,
    check_profiles,
    cone_angles,
)
from .gear import Gear
from .inputs import in_deg, in_mm
from .pitch import PitchGeometry
from .rack import Rack
from .working_geometry import WorkingGeometry

__all__ = [
    "Kind",
    "beveloid_pitch",
    "beveloid_rack_pitch",
    "check_distance",
    "decide",
    "parallel_pitch",
    "reference_pitch",
]

_DISTANCE_TOLERANCE = 0.02
"""Given and geometrical distances agree within this, in units of m_n."""


class Kind(StrEnum):
    """The kinds of pairs."""

    SPUR = "spur"
    HELICAL = "helical"
    INTERNAL = "internal"
    CROSSED = "crossed helical"
    WORM = "worm"
    STRAIGHT_BEVEL = "straight bevel"
    SPIRAL_BEVEL = "spiral bevel"
    HYPOID = "hypoid"
    BEVELOID = "beveloid"
    RACK = "rack and pinion"

    @property
    def parallel(self) -> bool:
        """Two cylindrical wheels on parallel axes."""
        return self in (Kind.SPUR, Kind.HELICAL, Kind.INTERNAL)

    @property
    def bevel(self) -> bool:
        """Two cones on axes that meet."""
        return self in (Kind.STRAIGHT_BEVEL, Kind.SPIRAL_BEVEL)

    @property
    def crossed(self) -> bool:
        """Two wheels on axes that neither meet nor are parallel."""
        return self in (Kind.CROSSED, Kind.WORM, Kind.HYPOID)


def decide(a: Gear, b: Gear | Rack, distance: float | None, angle: float | None, what: str) -> Kind:
    """The kind of the pair, after all checks that need no positions; distance [m] and angle [rad] as given."""
    check_profiles(a, b, what)
    check_internal(a, b, what)
    if a.profile_shift_angle or (isinstance(b, Gear) and b.profile_shift_angle):
        check_beveloids(a, b, angle, what)
        return Kind.BEVELOID
    if a.cone_angle or (isinstance(b, Gear) and b.cone_angle):
        return _cones(a, b, distance, angle, what)
    parallel = angle is None or angle <= ANGLE_TOLERANCE or math.pi - angle <= ANGLE_TOLERANCE
    if isinstance(b, Rack):
        if parallel:
            check_parallel_helices(a, b, what)
        elif angle is not None:
            check_crossed_helices(a, b, angle, what)
        return Kind.RACK
    if a.worm or b.worm:
        check_crossed_helices(a, b, 0.5 * math.pi if angle is None else angle, what)
        check_no_shift(a, b, Kind.WORM, what)
        return Kind.WORM
    if parallel or angle is None:
        check_parallel_helices(a, b, what)
        if a.internal or b.internal:
            return Kind.INTERNAL
        return Kind.HELICAL if a.helix_angle or b.helix_angle else Kind.SPUR
    if a.internal or b.internal:
        raise ModelError(
            f"{what}: the axes of an internal pair are parallel, but the shaft angle is {in_deg(angle)}. Leave it out",
            about=what,
        )
    check_crossed_helices(a, b, angle, what)
    check_no_shift(a, b, Kind.CROSSED, what)
    return Kind.CROSSED


def _cones(a: Gear, b: Gear | Rack, distance: float | None, angle: float | None, what: str) -> Kind:
    if isinstance(b, Rack) or not (a.cone_angle and b.cone_angle):
        cones = [in_deg(gear.cone_angle) if isinstance(gear, Gear) else "a rack" for gear in (a, b)]
        raise ModelError(
            f"{what}: a bevel gear meshes only with a bevel gear. The cone angles are {cones[0]} and {cones[1]}. Specify "
            "both or none",
            about=what,
        )
    if distance:
        check_no_shift(a, b, Kind.HYPOID, what)
        return Kind.HYPOID
    if abs(a.helix_angle + b.helix_angle) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: spiral angles {in_deg(a.helix_angle)} and {in_deg(b.helix_angle)} (positive right-hand) add to "
            f"{in_deg(a.helix_angle + b.helix_angle)}, but bevel gears with intersecting axes require opposite "
            "angles. Make the second "
            f"{in_deg(-a.helix_angle)}, or, for a hypoid pair, specify its offset as centre_distance",
            about=what,
        )
    check_cones(a, b, angle, what)
    check_no_shift(a, b, "bevel", what)
    return Kind.SPIRAL_BEVEL if a.helix_angle or b.helix_angle else Kind.STRAIGHT_BEVEL


def parallel_pitch(a: Gear, b: Gear, running: WorkingGeometry) -> PitchGeometry:
    """On the working pitch circles: tan β_w = (d_w/d) tan β, tan α_wn = tan α_wt cos β_w, m_nw = d_w cos β_w / z."""
    beta = math.atan(running.diameter_a / a.reference_diameter * math.tan(a.helix_angle))
    return PitchGeometry(
        radius_a=0.5 * running.diameter_a,
        radius_b=0.5 * running.diameter_b,
        gamma_a=math.pi if a.internal else 0.0,
        gamma_b=math.pi if b.internal else 0.0,
        beta_a=-a.sense * beta,
        beta_b=a.sense * beta,  # opposite to β_A in this sign, whichever wheel is internal
        teeth_a=a.teeth,
        teeth_b=b.teeth,
        normal_module=running.diameter_a * math.cos(beta) / a.teeth,
        pressure_angle=math.atan(math.tan(running.pressure_angle) * math.cos(beta)),
        axis_sign_a=a.sense,
        axis_sign_b=b.sense,
    )


def reference_pitch(a: Gear, b: Gear | Rack) -> PitchGeometry:
    """On the reference surfaces: crossed axes, worms, bevels, hypoids, rack and pinion."""
    rack = isinstance(b, Rack)
    return PitchGeometry(
        radius_a=0.5 * a.reference_diameter,
        radius_b=math.inf if isinstance(b, Rack) else 0.5 * b.reference_diameter,
        gamma_a=abs(a.cone_angle),
        gamma_b=0.0 if isinstance(b, Rack) else abs(b.cone_angle),
        beta_a=-a.helix_angle,
        beta_b=-b.helix_angle,
        teeth_a=a.teeth,
        teeth_b=b.teeth,
        normal_module=a.normal_module,
        pressure_angle=a.normal_pressure_angle,
        axis_sign_a=-1.0 if a.cone_angle < 0.0 else 1.0,
        axis_sign_b=-1.0 if isinstance(b, Gear) and b.cone_angle < 0.0 else 1.0,
        rack_offset=a.profile_shift * a.normal_module if rack else 0.0,
    )


def beveloid_pitch(a: Gear, b: Gear) -> PitchGeometry:
    """On the cones that roll on each other at the shaft angle Σ = θ_A + θ_B, mean pitch circles the reference circles."""
    total = a.profile_shift_angle + b.profile_shift_angle
    cone_a, cone_b = cone_angles(a.teeth, b.teeth, abs(total)) if abs(total) > ANGLE_TOLERANCE else (0.0, 0.0)
    sign = -1.0 if total < 0.0 and cone_a else 1.0
    return replace(reference_pitch(a, b), gamma_a=cone_a, gamma_b=cone_b, axis_sign_a=sign, axis_sign_b=sign)


def beveloid_rack_pitch(a: Gear, b: Gear, pitch: PitchGeometry) -> PitchGeometry:
    """The same pair with the cones θ_A and θ_B of its common rack in place of those that roll on each other.

    The axes are at the same place, because Z depends on the sum of the angles only. Up the tooth is now normal to the reference
    plane of the rack, so that the normals of its two flanks are inclined equally, by the pressure angle.
    """
    return replace(
        pitch,
        gamma_a=pitch.axis_sign_a * a.profile_shift_angle,
        gamma_b=pitch.axis_sign_b * b.profile_shift_angle,
    )


def check_distance(kind: Kind, pitch: PitchGeometry, distance: float | None, angle: float | None, what: str) -> None:
    """A distance or shaft angle the user gave is that of the pitch geometry; parallel axes run at any distance."""
    if distance is not None and not kind.parallel:
        fits = pitch.axis_distance
        if abs(distance - fits) > _DISTANCE_TOLERANCE * pitch.normal_module:
            raise ModelError(
                f"{what}: the distance between the axes is given as {in_mm(distance)}, but the pitch surfaces of the "
                f"{kind} pair touch at {in_mm(fits)}. Leave centre_distance out, or change teeth, module or helix "
                "angles",
                about=what,
            )
    if kind is Kind.HYPOID and angle is not None and abs(angle - pitch.shaft_angle) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: the shaft angle is given as {in_deg(angle)}, but cone and spiral angles of the hypoid pair give "
            f"{in_deg(pitch.shaft_angle)}. Change one of them (hypoid_pinion computes a pinion for a wheel)",
            about=what,
        )
