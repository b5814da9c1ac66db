"""How far the teeth of a pair reach: by how much tips overlap, where faces and racks end.

What two gears as built need for the limits of their contact, in the directions of the pitch geometry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .alignment import Alignment
from .gear import Gear
from .kinds import Kind
from .pair import GearPair
from .rack import Rack
from .rolling import RollingPair

__all__ = ["Reach", "reach_of"]

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
