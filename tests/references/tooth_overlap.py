"""How deep points lie inside the teeth of a gear, by its exact flanks: for checks that drawn teeth do not overlap."""

import math

import numpy as np

from pitchline.gears import Gear, Rack
from pitchline.parts.gears.geometry.reference import transverse_gear
from pitchline.parts.gears.solid_surface import spiral_turn
from pitchline.parts.gears.teeth import BevelTeeth, Teeth


def depth(gear: Gear | Rack, p: np.ndarray) -> np.ndarray:
    """Distance [m] of points (n, 3), in the axes of the gear, from the nearest flank of the tooth they are in; −inf outside."""
    if isinstance(gear, Rack):
        return _in_rack(gear, p)
    return _in_bevel(gear, p) if gear.cone_angle else _in_cylinder(gear, p)


def _nearest(angle: np.ndarray, pitch: float) -> np.ndarray:
    return (angle + 0.5 * pitch) % pitch - 0.5 * pitch


def _in_rack(rack: Rack, p: np.ndarray) -> np.ndarray:
    x, y, z = p.T
    alpha, beta = rack.normal_pressure_angle, rack.helix_angle
    across = np.abs(_nearest(y - z * math.tan(beta), rack.transverse_pitch)) * math.cos(beta)
    inside = (np.abs(z) <= 0.5 * rack.face_width * (1 + 1e-9)) & (x < rack.addendum) & (x > -rack.dedendum)
    return np.where(
        inside, (0.5 * rack.normal_tooth_thickness - x * math.tan(alpha) - across) * math.cos(alpha), -np.inf
    )


def _in_bevel(gear: Gear, p: np.ndarray) -> np.ndarray:
    teeth = BevelTeeth(transverse_gear(gear) if gear.helix_angle else gear)
    v = (p - np.array([0.0, 0.0, teeth.apex])) * np.array([1.0, 1.0, math.copysign(1.0, gear.cone_angle)])
    R, polar = np.linalg.norm(v, axis=1), np.arctan2(np.hypot(v[:, 0], v[:, 1]), v[:, 2])
    low, high = teeth.cone_distances
    inside = (low <= R) & (high >= R) & (polar < teeth.tip_cone) & (polar > max(teeth.base_cone, teeth.root_cone))
    turn = np.zeros(len(p))
    if gear.helix_angle:
        turn = spiral_turn(gear.helix_angle, np.clip(R, low, high) / gear.mean_cone_distance) / math.sin(
            gear.cone_angle
        )
    flank = teeth.left.involute
    angle = _nearest(np.arctan2(p[:, 1], p[:, 0]) - turn, gear.angular_pitch)
    return np.where(
        inside, (flank.half_angle(flank.arc(polar)) - np.abs(angle)) * R * math.sin(teeth.base_cone), -np.inf
    )


def _in_cylinder(gear: Gear, p: np.ndarray) -> np.ndarray:
    teeth = Teeth(gear)
    half = 0.5 * gear.face_width
    r, z = np.hypot(p[:, 0], p[:, 1]), np.clip(p[:, 2], -half, half)
    tip = teeth._tip_radius(z)[0]
    along = np.linspace(-half, half, 9)
    form = [
        np.interp(z, along, flank.involute.radius(flank.form_roll_length(along))) for flank in (teeth.left, teeth.right)
    ]
    inside = np.abs(p[:, 2]) <= half * (1 + 1e-9)
    inside &= (r > tip) & (r < np.minimum(*form)) if gear.internal else (r < tip) & (r > np.maximum(*form))
    left, right = teeth.left.involute, teeth.right.involute
    radius = np.maximum(r, left.base_radius * (1 + 1e-9))
    a, b = left.half_angle(radius, z), right.half_angle(radius, z)
    angle = _nearest(np.arctan2(p[:, 1], p[:, 0]) - 0.5 * (a - b), gear.angular_pitch)
    return np.where(
        inside, (0.5 * (a + b) - np.abs(angle)) * left.base_radius * math.cos(left.base_helix_angle), -np.inf
    )
