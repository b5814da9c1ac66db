"""How two cylindrical wheels run on parallel axes (ISO 21771): pressure angle, centre distance, pitch circles.

With σ = −1 where one wheel is internal, and Z = z_1 + z_2 or, internal, z_pinion − z_ring:

    inv α_wt = inv α_t + 2 tan α_n (x_A + x_B) / Z ,     a = a_d cos α_t / cos α_wt ,     a_d = |Z| m_t / 2 .
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..errors import ModelError, Subject
from .compatibility import check_internal, check_parallel_helices, check_profiles
from .gear import Gear
from .inputs import in_deg, in_mm, positive
from .involute import inverse_involute, involute

__all__ = ["WorkingGeometry", "centre_distance", "profile_shift_sum", "reference_centre_distance", "working_geometry"]


@dataclass(frozen=True)
class WorkingGeometry:
    """Two cylindrical wheels as they run.

    Attributes
    ----------
    centre_distance : float
        a [m]
    pressure_angle : float
        α_wt, transverse [rad]
    diameter_a, diameter_b : float
        d_w [m]
    """

    centre_distance: float
    pressure_angle: float
    diameter_a: float
    diameter_b: float


def _signed_teeth(a: Gear, b: Gear) -> int:
    """Z = z_1 + z_2, internal wheels counted negative."""
    return int(a.sense) * a.teeth + int(b.sense) * b.teeth


def reference_centre_distance(a: Gear, b: Gear) -> float:
    """a_d = (d_A + d_B)/2 [m], external; |d_A − d_B|/2, internal."""
    return 0.5 * abs(a.sense * a.reference_diameter + b.sense * b.reference_diameter)


def _pressure_angle(a: Gear, b: Gear, what: str) -> float:
    shift = 2.0 * math.tan(a.normal_pressure_angle) * (a.profile_shift + b.profile_shift) / _signed_teeth(a, b)
    value = involute(a.transverse_pressure_angle) + shift
    if value < 0.0:
        raise ModelError(
            f"{what}: profile shifts {a.profile_shift:g} and {b.profile_shift:g} leave no working pressure angle (its "
            f"involute would be {value:.4g}); their sum must be {'less' if _signed_teeth(a, b) < 0 else 'more'} than "
            f"{_sum_at(a, b, 0.0):.4g}",
            about=what,
        )
    return inverse_involute(value, what=what)


def _sum_at(a: Gear, b: Gear, angle: float) -> float:
    """Σx = Z (inv α_wt − inv α_t) / (2 tan α_n)."""
    turn = involute(angle) - involute(a.transverse_pressure_angle)
    return _signed_teeth(a, b) * turn / (2.0 * math.tan(a.normal_pressure_angle))


def working_geometry(a: Gear, b: Gear, centre: float | None = None, *, what: str = "gear pair") -> WorkingGeometry:
    """The pair at the centre distance without backlash, from its profile shifts, or at a given one [m]."""
    reference = reference_centre_distance(a, b)
    cosine = math.cos(a.transverse_pressure_angle)
    if centre is None:
        if a.profile_shift + b.profile_shift == 0.0:  # exactly the reference geometry: nothing is rounded
            return _at(a, b, reference, a.transverse_pressure_angle)
        angle = _pressure_angle(a, b, what)
        centre = reference * cosine / math.cos(angle)
    else:
        least = reference * cosine
        if centre < least:
            raise ModelError(
                f"{what}: a centre distance of {in_mm(centre)} is too small: the base circles need at least "
                f"{in_mm(least)}, the reference circles touch at {in_mm(reference)}; move the wheels apart",
                about=Subject(what).at("centre_distance"),
            )
        angle = math.acos(least / centre)
    return _at(a, b, centre, angle)


def _at(a: Gear, b: Gear, centre: float, angle: float) -> WorkingGeometry:
    """d_w = 2 a z / |Z|: the circles that touch at the pitch point and roll on each other."""
    per_tooth = 2.0 * centre / abs(_signed_teeth(a, b))
    return WorkingGeometry(centre, angle, per_tooth * a.teeth, per_tooth * b.teeth)


def _check(a: Gear, b: Gear, what: str) -> None:
    check_profiles(a, b, what)
    check_internal(a, b, what)
    check_parallel_helices(a, b, what)
    if a.cone_angle or b.cone_angle:
        raise ModelError(
            f"{what}: for cylindrical wheels only; the cone angles are {in_deg(a.cone_angle)} and "
            f"{in_deg(b.cone_angle)}",
            about=what,
        )


def centre_distance(a: Gear, b: Gear) -> float:
    """a [m]: where two cylindrical wheels on parallel axes run without backlash (backlash allowances apart)."""
    _check(a, b, "centre_distance")
    return working_geometry(a, b, what="centre_distance").centre_distance


def profile_shift_sum(a: Gear, b: Gear, centre_distance: object) -> float:
    """x_A + x_B that two wheels on parallel axes need to run without backlash at a given centre distance [m]."""
    _check(a, b, "profile_shift_sum")
    centre = positive(centre_distance, "length", "profile_shift_sum: centre_distance")
    return _sum_at(a, b, working_geometry(a, b, centre, what="profile_shift_sum").pressure_angle)
