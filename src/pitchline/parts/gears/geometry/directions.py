"""How far the teeth of a pair reach: by how much tips overlap, where faces and racks end.

What two gears as built need for the limits of their contact, in the directions of the pitch geometry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .axes import Alignment, RollingPair
from .gear import Gear
from .kinds import Kind, PitchGeometry
from .pair import GearPair
from .rack import Rack

__all__ = [
    "ALONG",
    "BASE_CIRCLE",
    "HOOP",
    "NORMAL",
    "has_base_circles",
    "length_factor",
    "lever_of_b",
    "usual_direction",
    "Reach",
    "reach_of",
]


# ---- directions

# Directions in which lengths, stiffness and damping of a mesh are measured, and the factors between them.
#
# Along the hoop, across the teeth on the pitch surface, the approach is u = c_A ψ_A + c_B ψ_B, c = m_n z/2 = r cos β.
# The same motion is κ u in another direction:
#
#     base circle   κ = cos α_t / cos β   r_b ψ: along the line of action in the transverse plane
#     normal        κ = cos α_n           r_b cos β_b ψ: along the common normal of the flanks
#     hoop          κ = 1
#
# A length is κ times, a force 1/κ times, a stiffness, damping or mass 1/κ² times that along the hoop, so that work
# and energy are the same. Along the normal a length is cos β_b times that on the base circle.
#
# The usual direction is the base circle, as in ISO 6336, where both gears have one in the same plane: on parallel
# axes, and for bevel gears, in the transverse plane of their virtual cylindrical gears. Gears on crossed axes, hypoid
# gears and conical involute gears have different transverse planes or flanks: there it is the normal.

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


Interval = tuple[float, float]

_ROLLING_DEPTH = 0.2
"""Bodies without teeth roll on each other while their pitch surfaces are apart by less than this part of the smaller radius: as
much as the teeth of a wheel of 20 teeth would reach."""


@dataclass(frozen=True)
class Reach:
    """Where contact ends, from the pitch point of the pair as built [m].

    Attributes
    ----------
    depth : float
        By how much tips overlap along the line of centres.
    face_a, face_b : (float, float) | None
        From where to where each face reaches. Parallel axes and cones: along one direction, the pitch line; crossed axes: along
        the axes mu1 and xi1. None where a face width is not given: such a pair does not end along its faces.
    crossed : bool
        Whether the faces touch in a point.
    along : (float, float)
        The pitch line by mu1 and mu2.
    travel : (float, float) | None
        Of a rack: the travel of the pitch point over its teeth.
    pitch : float
        Of a rack, along its travel; otherwise 0.
    radius : float
        Wheels whose centres are farther apart are out of mesh whatever their axes do; infinite for racks.
    """

    depth: float
    face_a: Interval | None = None
    face_b: Interval | None = None
    crossed: bool = False
    along: tuple[float, float] = (1.0, 0.0)
    travel: Interval | None = None
    pitch: float = 0.0
    radius: float = math.inf

    @property
    def face_in_mesh(self) -> float:
        """The part of the smaller face that meets the other as built, 0 to 1; 1 where faces are not known or touch in a point."""
        if self.face_a is None or self.face_b is None or self.crossed:
            return 1.0
        (a0, a1), (b0, b1) = self.face_a, self.face_b
        return (min(a1, b1) - max(a0, b0)) / min(a1 - a0, b1 - b0)


def reach_of(pair: GearPair | RollingPair, alignment: Alignment) -> Reach:
    """Return the reach of a pair in its actual position."""
    p = alignment.pitch
    if isinstance(pair, RollingPair):
        return Reach(depth=_ROLLING_DEPTH * min(p.radius_a, p.radius_b))
    a, b = pair.a, pair.b
    direction = math.cos(p.gamma_a), math.sin(p.gamma_a)
    crossed = pair.kind in (Kind.CROSSED, Kind.WORM) or (isinstance(b, Rack) and pair.shaft_angle > 1e-6)
    if crossed:
        direction, along_a, along_b = (1.0, 0.0), p.axis_sign_a, p.axis_sign_b
    elif pair.kind.parallel or isinstance(b, Rack):
        along_a = math.copysign(1.0, p.axis_sign_a * direction[0])
        along_b = math.copysign(1.0, p.axis_sign_b * direction[0] * float(p.Z[0, 0]))
    else:
        along_a = along_b = 1.0  # cones: their faces lie evenly about the mean pitch circle
    faces: tuple[Interval | None, Interval | None] = None, None
    if a.face_width is not None and b.face_width is not None:
        faces = (
            _face(a.face_width, float(alignment.point_a[2]), along_a),
            _face(b.face_width, float(alignment.point_b[2]), along_b),
        )
    depth = _above(a, p.radius_a) + (b.addendum - p.rack_offset if isinstance(b, Rack) else _above(b, p.radius_b))
    if isinstance(b, Rack):
        return Reach(
            depth,
            *faces,
            crossed,
            direction,
            _travel(b, float(alignment.point_b[1]), p.axis_sign_b),
            b.transverse_pitch,
        )
    radius = _sphere(a, float(alignment.point_a[2])) + _sphere(b, float(alignment.point_b[2]))
    return Reach(depth, *faces, crossed, direction, radius=radius)


def _above(gear: Gear, pitch_radius: float) -> float:
    """From the pitch surface to the tips [m], up the teeth."""
    if gear.cone_angle:
        return gear.addendum
    return gear.sense * (0.5 * gear.tip_diameter - pitch_radius)


def _face(width: float, pitch_point: float, sign: float) -> Interval:
    """A face from the pitch point, in a direction along (sign > 0) or against the z of its gear."""
    ends = sign * (-0.5 * width - pitch_point), sign * (0.5 * width - pitch_point)
    return min(ends), max(ends)


def _travel(rack: Rack, space: float, sign: float) -> Interval:
    """From end to end of a rack, counted from the middle of a space at y = `space`; its middle is that of its teeth."""
    middle = 0.0 if rack.teeth % 2 else 0.5 * rack.transverse_pitch
    ends = sign * (middle - 0.5 * rack.length - space), sign * (middle + 0.5 * rack.length - space)
    return min(ends), max(ends)


def _sphere(gear: Gear, pitch_point: float) -> float:
    """Radius of a sphere about the centre of the pitch circle, which lies so far along the axis, that holds all teeth [m]."""
    outer = 0.5 * max(gear.tip_diameter, gear.root_diameter)
    if gear.face_width is None:
        return 2.0 * outer
    if gear.cone_angle:
        return outer + gear.tooth_depth + 0.5 * gear.face_width
    outer += 0.5 * gear.face_width * abs(math.tan(gear.profile_shift_angle))
    return math.hypot(outer, 0.5 * gear.face_width + abs(pitch_point))
