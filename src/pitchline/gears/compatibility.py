"""Checks whether two gears can mesh. Each check raises a `ModelError` with both values and advice."""

from __future__ import annotations

import math

from ..errors import ModelError
from .gear import Gear
from .inputs import in_deg, in_mm
from .rack import Rack

__all__ = [
    "ANGLE_TOLERANCE",
    "MODULE_TOLERANCE",
    "check_cones",
    "check_crossed_helices",
    "check_internal",
    "check_no_shift",
    "check_parallel_helices",
    "check_profiles",
    "cone_angles",
]

MODULE_TOLERANCE = 1e-5
"""Normal modules agree within this part of themselves."""
ANGLE_TOLERANCE = 1e-4
"""Helix, shaft and pressure angles agree within this [rad]: about 0.006 deg, what rounded input leaves."""
_CONE_TOLERANCE = 1e-3
"""Cone distances agree within this part of themselves."""


def check_profiles(a: Gear, b: Gear | Rack, what: str) -> None:
    """Normal module and normal pressure angle are the same."""
    m_a, m_b = a.normal_module, b.normal_module
    if abs(m_a - m_b) > MODULE_TOLERANCE * max(m_a, m_b):
        raise ModelError(
            f"{what}: normal modules differ: {in_mm(m_a)} and {in_mm(m_b)}. Gears in mesh must have the same normal "
            "module",
            about=what,
        )
    alpha_a, alpha_b = a.normal_pressure_angle, b.normal_pressure_angle
    if abs(alpha_a - alpha_b) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: normal pressure angles differ: {in_deg(alpha_a)} and {in_deg(alpha_b)}. Gears in mesh must have "
            "the same pressure angle",
            about=what,
        )


def check_internal(a: Gear, b: Gear | Rack, what: str) -> None:
    """At most one wheel is internal; it has more teeth than the other, and the other is an external cylinder."""
    if not (a.internal or getattr(b, "internal", False)):
        return
    if isinstance(b, Rack):
        raise ModelError(
            f"{what}: an internal wheel of {a.teeth} teeth cannot mesh with a rack. Specify an external pinion",
            about=what,
        )
    if a.internal and b.internal:
        raise ModelError(
            f"{what}: both wheels are internal ({a.teeth} and {b.teeth} teeth), but only one may be. Leave out "
            "internal=True on the other",
            about=what,
        )
    ring, pinion = (a, b) if a.internal else (b, a)
    if pinion.cone_angle or pinion.worm:
        raise ModelError(
            f"{what}: an internal wheel meshes with an external cylindrical wheel, not with "
            f"{'a worm' if pinion.worm else f'a bevel of cone angle {in_deg(pinion.cone_angle)}'}",
            about=what,
        )
    if ring.teeth <= pinion.teeth:
        raise ModelError(
            f"{what}: the internal wheel has {ring.teeth} teeth, the pinion inside it {pinion.teeth}. The internal "
            "wheel must have more teeth",
            about=what,
        )


def check_parallel_helices(a: Gear, b: Gear | Rack, what: str) -> None:
    """Parallel axes: opposite hands, β_A + β_B = 0; with an internal wheel the same hand, β_A = β_B."""
    internal = a.internal or (isinstance(b, Gear) and b.internal)
    difference = a.helix_angle - b.helix_angle if internal else a.helix_angle + b.helix_angle
    if abs(difference) <= ANGLE_TOLERANCE:
        return
    both = f"{in_deg(a.helix_angle)} and {in_deg(b.helix_angle)}"
    if internal:
        raise ModelError(
            f"{what}: helix angles {both} (positive right-hand), but a pinion and its internal gear must have the "
            f"same helix angle. Make the second {in_deg(a.helix_angle)}",
            about=what,
        )
    total = abs(a.helix_angle + b.helix_angle)
    other = "a rack at an angle" if isinstance(b, Rack) else "crossed axes"
    raise ModelError(
        f"{what}: helix angles {both} (positive right-hand) add to {in_deg(a.helix_angle + b.helix_angle)}, but parallel "
        f"axes require opposite angles. Make the second {in_deg(-a.helix_angle)}, or, for {other}, specify "
        f'shaft_angle="{math.degrees(total):.8g} deg"',
        about=what,
    )


def check_beveloids(a: Gear, b: Gear | Rack, angle: float | None, what: str) -> None:
    """Conical involute gears: external, opposite hands, no profile shift in the middle of the face, Σ = θ_A + θ_B."""
    if isinstance(b, Rack) or a.internal or b.internal or a.cone_angle or b.cone_angle or a.worm or b.worm:
        raise ModelError(
            f"{what}: a conical involute gear (profile_shift_angle) meshes with another one, or with an external cylindrical "
            "gear",
            about=what,
        )
    if abs(a.helix_angle + b.helix_angle) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: helix angles {in_deg(a.helix_angle)} and {in_deg(b.helix_angle)} (positive right-hand) of conical "
            f"involute gears must be opposite; make the second {in_deg(-a.helix_angle)}",
            about=what,
        )
    total = a.profile_shift_angle + b.profile_shift_angle
    if angle is not None and abs(angle - abs(total)) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: the shaft angle is given as {in_deg(angle)}, but the profile shift angles add to {in_deg(abs(total))}. Leave "
            "it out, or change one of them",
            about=what,
        )
    if a.profile_shift or b.profile_shift:
        raise ModelError(
            f"{what}: profile shifts {a.profile_shift:g} and {b.profile_shift:g} of conical involute gears are not "
            "supported: they mesh "
            "on their reference circles in the middle of the face. Leave the profile shifts out",
            about=what,
        )


def check_crossed_helices(a: Gear, b: Gear | Rack, shaft_angle: float, what: str) -> None:
    """Crossed axes: |β_A + β_B| = Σ."""
    total = abs(a.helix_angle + b.helix_angle)
    if abs(total - shaft_angle) > ANGLE_TOLERANCE:
        wanted = math.copysign(shaft_angle, a.helix_angle) - a.helix_angle
        raise ModelError(
            f"{what}: the shaft angle is {in_deg(shaft_angle)}, but the helix angles {in_deg(a.helix_angle)} and "
            f"{in_deg(b.helix_angle)} (positive right-hand) add to {in_deg(a.helix_angle + b.helix_angle)}, and their sum "
            f"must be the shaft angle. Make the second {in_deg(wanted)}, or the shaft angle {in_deg(total)}",
            about=what,
        )


def check_no_shift(a: Gear, b: Gear | Rack, kind: str, what: str) -> None:
    """Pairs that roll on their reference surfaces: the profile shifts cancel."""
    if isinstance(b, Rack):
        return
    total = a.profile_shift + b.profile_shift
    if abs(total) > 1e-9:
        raise ModelError(
            f"{what}: profile shifts {a.profile_shift:g} and {b.profile_shift:g} of a {kind} pair add to {total:g}; "
            "these gears roll on their reference surfaces, so the sum must be zero. Make the second "
            f"{-a.profile_shift:g}"
            + (", and describe the worm by its working pitch cylinder" if kind == "worm" else "")
        )


def cone_angles(teeth_a: float, teeth_b: float, shaft_angle: float) -> tuple[float, float]:
    """δ_A, δ_B [rad] of two bevels that roll on each other: tan δ_A = sin Σ / (z_B/z_A + cos Σ), δ_B = Σ − δ_A."""
    delta = math.atan2(math.sin(shaft_angle), teeth_b / teeth_a + math.cos(shaft_angle))
    return delta, shaft_angle - delta


def check_cones(a: Gear, b: Gear, shaft_angle: float | None, what: str) -> None:
    """Bevels with crossing axes share the apex, R = r_A / sin δ_A = r_B / sin δ_B, and δ_A + δ_B = Σ."""
    total = abs(a.cone_angle) + abs(b.cone_angle)
    wanted = total if shaft_angle is None else shaft_angle
    good_a, good_b = cone_angles(a.teeth, b.teeth, wanted)
    way_out = f"for a shaft angle of {in_deg(wanted)} make them {in_deg(good_a)} and {in_deg(good_b)}"
    both = f"{in_deg(abs(a.cone_angle))} and {in_deg(abs(b.cone_angle))}"
    if abs(total - wanted) > ANGLE_TOLERANCE:
        raise ModelError(
            f"{what}: the cone angles {both} add to {in_deg(total)}, but the shaft angle is {in_deg(wanted)}; {way_out}",
            about=what,
        )
    if math.pi - total < 1e-3:
        raise ModelError(
            f"{what}: the cone angles {both} add to {in_deg(total)}: these gears couple two coaxial shafts and do not "
            "roll on each other. Make the sum less than 180 deg",
            about=what,
        )
    R_a, R_b = a.mean_cone_distance, b.mean_cone_distance
    if abs(R_a - R_b) > _CONE_TOLERANCE * max(R_a, R_b):
        raise ModelError(
            f"{what}: the pitch cones do not share their apex: cone distances {in_mm(R_a)} and {in_mm(R_b)} with cone "
            f"angles {both} and {a.teeth} and {b.teeth} teeth; {way_out}",
            about=what,
        )
