"""Directions in which lengths, stiffness and damping of a mesh are measured, and the factors between them.

Along the hoop, across the teeth on the pitch surface, the approach is u = c_A ψ_A + c_B ψ_B, c = m_n z/2 = r cos β.
The same motion is κ u in another direction:

    base circle   κ = cos α_t / cos β   r_b ψ: along the line of action in the transverse plane
    normal        κ = cos α_n           r_b cos β_b ψ: along the common normal of the flanks
    hoop          κ = 1

A length is κ times, a force 1/κ times, a stiffness, damping or mass 1/κ² times that along the hoop, so that work and energy are the
same. Along the normal a length is cos β_b times that on the base circle.

The usual direction is the base circle, as in ISO 6336, where both gears have one in the same plane: on parallel axes, and for bevel
gears, in the transverse plane of their virtual cylindrical gears. Gears on crossed axes, hypoid gears and conical involute gears
have different transverse planes or flanks: there it is the normal.
"""

from __future__ import annotations

import math

from .gear import Gear
from .kinds import Kind
from .pitch import PitchGeometry

__all__ = [
    "ALONG",
    "BASE_CIRCLE",
    "HOOP",
    "NORMAL",
    "has_base_circles",
    "length_factor",
    "lever_of_b",
    "usual_direction",
]

BASE_CIRCLE, NORMAL, HOOP = "base circle", "normal", "hoop"
ALONG = (BASE_CIRCLE, NORMAL, HOOP)
_SAME = 1e-6  # [rad]: helix angles of a rack and its pinion that count as equal


def has_base_circles(kind: Kind, pitch: PitchGeometry) -> bool:
    """Whether both gears have base circles, or those of virtual cylindrical gears, in one transverse plane."""
    if kind == Kind.RACK:
        return abs(pitch.beta_a + pitch.beta_b) <= _SAME
    return Kind(kind).parallel or Kind(kind).bevel


def usual_direction(kind: Kind, pitch: PitchGeometry) -> str:
    """Direction of lengths, stiffness and damping in signals and results, and of values given without a direction."""
    return BASE_CIRCLE if has_base_circles(kind, pitch) else NORMAL


def length_factor(kind: Kind, pitch: PitchGeometry, along: str | None = None) -> float:
    """κ: a length in a direction (default: the usual one) over the same motion along the hoop."""
    along = usual_direction(kind, pitch) if along is None else along
    if along == HOOP:
        return 1.0
    if along == NORMAL:
        return math.cos(pitch.pressure_angle)
    cosine = math.cos(pitch.beta_a)
    return math.cos(math.atan(math.tan(pitch.pressure_angle) / cosine)) / cosine


def lever_of_b(a: Gear, b: Gear) -> float:
    """Length in the usual direction over the angle of B [m], of cylindrical gears on parallel axes or conical involute gears."""
    if a.profile_shift_angle or b.profile_shift_angle:
        return 0.5 * b.normal_module * b.teeth * math.cos(b.normal_pressure_angle)
    return 0.5 * b.base_diameter
