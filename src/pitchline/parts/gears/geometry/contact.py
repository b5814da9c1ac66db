"""The path of contact, contact ratios, clearances and backlash.

On parallel axes the teeth touch on the line of action, which touches both base circles in T_A and T_B. A point of it
is given by ρ, its distance from T_A, which is also the radius of curvature of the flank of A there; that of B is a
sin α_wt − ρ.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from .gear import Gear
from .kinds import WorkingGeometry
from .rack import Rack
from .reference import ToothThickness

__all__ = [
    "PathOfContact",
    "backlash",
    "bevel_path",
    "crossed_contact_ratio",
    "parallel_path",
    "rack_path",
    "tip_clearances",
    "worm_path",
]


@dataclass(frozen=True)
class PathOfContact:
    """The path of contact in the transverse section, in distances from T_A on the base circle of A.

    Attributes
    ----------
    start, end : float
        T_A A and T_A E [m]: where the tip of B and the tip of A end it (of an internal wheel A the other way round).
    pitch_point : float
        T_A C [m]
    base_pitch : float
        p_et [m]
    """

    start: float
    end: float
    pitch_point: float
    base_pitch: float

    @property
    def length(self) -> float:
        """g_α = A E [m]."""
        return self.end - self.start

    @property
    def inner_single(self) -> float:
        """T_A B = T_A E − p_et [m]: from here to `outer_single` only one tooth pair carries load, for contact ratios of 1 to 2."""
        return self.end - self.base_pitch

    @property
    def outer_single(self) -> float:
        """T_A D = T_A A + p_et [m]."""
        return self.start + self.base_pitch

    @property
    def contact_ratio(self) -> float:
        """ε_α = g_α / p_et."""
        return self.length / self.base_pitch

    @property
    def mean_distance(self) -> float:
        """Mean distance of the contacts from the pitch point over a mesh cycle [m], if the pairs in contact share the load equally.

        For contact ratios of 1 to 2 with the pitch point on the path, at most a base pitch from its ends (ε_1, ε_2 of 0 to 1), it
        is p_et (1 − ε_α + ε_1² + ε_2²)/2. For contact ratios below 1 it is the mean over the time in contact. Teeth on parallel
        axes slide with this distance times their relative angular velocity.
        """
        first, last = ((x - self.pitch_point) / self.base_pitch for x in (self.start, self.end))
        edges = sorted({0.0, 1.0, first - math.floor(first), last - math.floor(last)})
        total = weight = 0.0
        for low, high in pairwise(edges):
            middle = 0.5 * (low + high)
            found = [abs(middle + i) for i in range(math.ceil(first - middle), math.floor(last - middle) + 1)]
            if found:
                total += (high - low) * sum(found) / len(found)
                weight += high - low
        return self.base_pitch * total / weight if weight else 0.0


def _tip_length(wheel: ToothThickness) -> float:
    """ρ_a = sqrt(d_a² − d_b²)/2 [m], the radius of curvature at the tip; 0 for internal tips inside the base circle."""
    return 0.5 * math.sqrt(max(0.0, wheel.tip_diameter**2 - wheel.base_diameter**2))


def parallel_path(
    a: ToothThickness, b: ToothThickness, *, centre_distance: float, pressure_angle: float
) -> PathOfContact:
    """The path between two cylindrical wheels at a given centre distance [m] and working angle α_wt [rad]."""
    span = centre_distance * math.sin(pressure_angle)  # T_A T_B
    tip_a, tip_b = _tip_length(a), _tip_length(b)
    if a.internal:
        start, end = tip_a, span + tip_b
    elif b.internal:
        start, end = tip_b - span, tip_a
    else:
        start, end = span - tip_b, tip_a
    pitch_point = 0.5 * a.base_diameter * math.tan(pressure_angle)
    return PathOfContact(start, end, pitch_point, a.transverse_base_pitch)


def rack_path(a: ToothThickness, *, height: float) -> PathOfContact:
    """The path between a wheel and a rack whose tips reach `height` [m] beyond the pitch line, towards the wheel."""
    sine = math.sin(a.transverse_pressure_angle)
    pitch_point = 0.5 * a.reference_diameter * sine
    return PathOfContact(pitch_point - height / sine, _tip_length(a), pitch_point, a.transverse_base_pitch)


def bevel_path(a: Gear, b: Gear) -> PathOfContact:
    """The path between the equivalent cylinders of two bevels, z_v = z / cos δ; that of a crown wheel is a rack."""
    if math.cos(b.cone_angle) < 1e-9:
        return rack_path(a.equivalent_cylinder, height=b.addendum)
    if math.cos(a.cone_angle) < 1e-9:
        return rack_path(b.equivalent_cylinder, height=a.addendum)
    wheel_a, wheel_b = a.equivalent_cylinder, b.equivalent_cylinder
    centre = 0.5 * (wheel_a.reference_diameter + wheel_b.reference_diameter)
    return parallel_path(wheel_a, wheel_b, centre_distance=centre, pressure_angle=wheel_a.transverse_pressure_angle)


def worm_path(worm: Gear, wheel: Gear) -> PathOfContact:
    """The path in the axial section of the worm, where it is a rack for the wheel; from T of the wheel.

    The section of the worm has the module m_x and the pressure angle tan α_x = tan α_n / cos γ; so has that of the
    wheel.
    """
    return rack_path(wheel, height=worm.addendum)


def crossed_contact_ratio(a: Gear, b: Gear | Rack) -> float:
    """ε = (l_A + l_B) / p_bn of wheels on crossed axes, the faces wide enough.

    They touch in a point that runs along a line inclined by β_b to the transverse section of each wheel, so that the
    part beyond the pitch point up to the tip is l = (sqrt(d_a² − d_b²)/2 − (d/2) sin α_t) / cos β_b; of a rack
    (h_a − x m_n) / sin α_n.
    """
    total = 0.0
    for wheel in (a, b):
        if isinstance(wheel, Rack):
            height = wheel.addendum - a.profile_shift * a.normal_module
            total += height / math.sin(wheel.normal_pressure_angle)
        else:
            section = _tip_length(wheel) - 0.5 * wheel.reference_diameter * math.sin(wheel.transverse_pressure_angle)
            total += section / math.cos(wheel.base_helix_angle)
    return total / a.normal_base_pitch


def tip_clearances(a: Gear, b: Gear, centre_distance: float) -> tuple[float, float]:
    """c_A, c_B [m]: from the tip of A to the root of B and from the tip of B to the root of A, on the centre line."""
    tip_a, root_a = 0.5 * a.tip_diameter, 0.5 * a.root_diameter
    tip_b, root_b = 0.5 * b.tip_diameter, 0.5 * b.root_diameter
    if b.internal:
        return root_b - centre_distance - tip_a, tip_b - centre_distance - root_a
    if a.internal:
        return tip_a - centre_distance - root_b, root_a - centre_distance - tip_b
    return centre_distance - tip_a - root_b, centre_distance - tip_b - root_a


def backlash(a: Gear, b: Gear, running: WorkingGeometry) -> float:
    """j_wt = p_wt − s_wA − s_wB [m]: circumferential backlash, an arc of the working pitch circles."""
    pitch = math.pi * running.diameter_a / a.teeth
    return pitch - a.tooth_thickness_at(running.diameter_a) - b.tooth_thickness_at(running.diameter_b)
