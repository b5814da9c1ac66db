"""Where the second of two gears belongs so that their teeth mesh, conical ones included.

Two conical involute gears cut by the two sides of one rack mesh with it and with each other. The rack has, in the axes
of gear A, the reference plane with the normal d_A = (cos θ_A, 0, −sin θ_A) through the point (r_A + x_A m_n, 0, 0). For
gear B it is the same plane seen from the other side, which makes  R_B = Rot_y(θ_A + θ_B) Rot_z(π)  and a shaft angle
Σ = θ_A + θ_B.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import ModelError
from ..inputs import in_deg
from ..pair import GearPair
from ..placement import Placement
from .arrays import FloatArray
from .teeth import Teeth

__all__ = ["place_teeth", "turned"]


def turned(angle: float) -> FloatArray:
    """Rotation about z; (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def place_teeth(a: Teeth, b: Teeth, centre_distance: object = None) -> tuple[Placement, float]:
    """The pose of gear B in the axes of gear A, a tooth of A in the middle of a space of B; and the play.

    The play [rad] is how far B can turn from there until its flanks touch those of A.
    Gears without profile shift angles have parallel axes, at the given centre distance [m] or without backlash.
    """
    if not (a.profile_shift_angle or b.profile_shift_angle):
        pair = GearPair(a.gear, b.gear, centre_distance=centre_distance)
        play = 0.5 * pair.circumferential_backlash / pair.pitch.radius_b
        return pair.place(), play
    if centre_distance is not None:
        raise ModelError(
            "teeth: conical involute gears are placed by their common rack. Leave centre_distance out, or change the "
            "profile shifts"
        )
    if a.gear.internal or b.gear.internal:
        raise ModelError(
            "teeth: a conical involute gear meshes only with an external gear, but the other gear is internal"
        )
    if abs(a.gear.helix_angle + b.gear.helix_angle) > 1e-9:
        raise ModelError(
            f"teeth: helix angles {in_deg(a.gear.helix_angle)} and {in_deg(b.gear.helix_angle)} (positive right-hand) "
            f"must be opposite. Make the second {in_deg(-a.gear.helix_angle)}"
        )
    for name in ("normal_module", "normal_pressure_angle"):
        if abs(getattr(a.gear, name) / getattr(b.gear, name) - 1.0) > 1e-9:
            raise ModelError(f"teeth: the gears differ in {name}. It must be equal")
    tilt = a.profile_shift_angle + b.profile_shift_angle
    c, s = math.cos(tilt), math.sin(tilt)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]) @ turned(math.pi)
    m = a.gear.normal_module
    reach = [0.5 * gear.reference_diameter + gear.profile_shift * m for gear in (a.gear, b.gear)]
    position = np.array([reach[0], 0.0, 0.0]) - R @ np.array([reach[1], 0.0, 0.0])
    allowance = 0.5 * (a.gear.backlash_allowance + b.gear.backlash_allowance)
    flank = b.left.involute
    play = allowance * math.cos(a.gear.normal_pressure_angle) / (flank.base_radius * math.cos(flank.base_helix_angle))
    return Placement(position, R @ turned(math.pi / b.gear.teeth)), play
