"""Where the teeth of two wheels on parallel axes get in each other's way outside the path of contact."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .contact import PathOfContact, tip_clearances
from .gear import Gear
from .inputs import in_mm
from .involute import involute
from .working_geometry import WorkingGeometry

__all__ = ["parallel_interference", "tips_collide"]

_LEAST_CLEARANCE = 0.1
"""Least clearance between tip and root, in units of m_n, that is usual."""


def _form_length(wheel: Gear) -> float:
    """ρ_Ff = sqrt(d_Ff² − d_b²)/2 [m], the radius of curvature where the involute ends towards the root."""
    return 0.5 * math.sqrt(max(0.0, wheel.root_form_diameter**2 - wheel.base_diameter**2))


def tips_collide(pinion: Gear, ring: Gear, running: WorkingGeometry) -> bool:
    """Whether the tips of a pinion and of its internal gear collide outside the mesh.

    The tip circles cross at the angle φ_1 from the centre line about the pinion's centre, φ_2 about the ring's. The
    tip of the pinion gets there before that of the ring's tooth where

        (z_1/z_2) (φ_1 + inv α_a1 − inv α_wt) + inv α_wt − inv α_a2 >= φ_2 .
    """
    a, r_1, r_2 = running.centre_distance, 0.5 * pinion.tip_diameter, 0.5 * ring.tip_diameter
    r_2 = max(r_2, 0.5 * ring.base_diameter)
    cosine_1 = (r_2**2 - r_1**2 - a**2) / (2.0 * a * r_1)
    cosine_2 = (r_2**2 + a**2 - r_1**2) / (2.0 * a * r_2)
    if r_1 >= a + r_2:
        return True  # the whole tip circle of the ring lies within that of the pinion
    if not (-1.0 < cosine_1 < 1.0 and -1.0 < cosine_2 < 1.0):
        return False  # the tip circles do not cross
    inv_w = involute(running.pressure_angle)
    inv_1 = involute(pinion.pressure_angle_at(2.0 * r_1))
    inv_2 = involute(ring.pressure_angle_at(2.0 * r_2))
    turned = (math.acos(cosine_1) + inv_1 - inv_w) * pinion.teeth / ring.teeth
    return turned + inv_w - inv_2 < math.acos(cosine_2)


def parallel_interference(a: Gear, b: Gear, running: WorkingGeometry, path: PathOfContact) -> Iterator[str]:
    """Return warnings for tips that touch fillets, tips without clearance, and colliding tips of an internal pair."""
    span = running.centre_distance * math.sin(running.pressure_angle)
    if not a.internal:
        yield from _root_of("A", "B", a, path.start)
    if not b.internal:
        lowest = path.start - span if a.internal else (span - path.end if not b.internal else 0.0)
        yield from _root_of("B", "A", b, lowest)
    c_a, c_b = tip_clearances(a, b, running.centre_distance)
    for tip, root, clearance in (("A", "B", c_a), ("B", "A", c_b)):
        if clearance < _LEAST_CLEARANCE * a.normal_module:
            yield (
                f"clearance between the tips of {tip} and the roots of {root} is {in_mm(clearance)}, less than "
                f"{_LEAST_CLEARANCE:g} m_n. Shorten the tips of {tip} (tip_alteration; GearPair.shortened does this)"
            )
    if a.internal or b.internal:
        pinion, ring = (b, a) if a.internal else (a, b)
        if tips_collide(pinion, ring, running):
            yield (
                f"the tips of {pinion.teeth} and {ring.teeth} teeth collide outside the mesh. Use a larger "
                "difference of tooth numbers, shorter tips or a larger pressure angle"
            )


def _root_of(wheel: str, other: str, gear: Gear, lowest: float) -> Iterator[str]:
    form = _form_length(gear)
    if lowest < -1e-9 * gear.normal_module:
        yield (
            f"the path of contact extends {in_mm(-lowest)} beyond the base circle of {wheel}: the tips of {other} cut into "
            f"its roots. Shorten the tips of {other}, or increase the profile shift of {wheel}"
        )
    elif lowest < form - 1e-9 * gear.normal_module:
        yield (
            f"the tips of {other} touch the fillets of {wheel}: contact would begin {in_mm(lowest)} from its base "
            f"circle, but its involute begins {in_mm(form)} from it. Shorten the tips of {other}, or use more profile shift or a "
            f"smaller root radius for {wheel}"
        )
