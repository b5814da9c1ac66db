"""Surface of a spiral bevel or hypoid gear for pictures: straight bevel teeth along a circular arc.

The true flanks follow from the cutting machine, which is not modelled here. On each sphere of cone distance R the teeth
are spherical involutes of the transverse pressure angle  tan α_t = tan α_n / cos β_m , rotated about the axis by

    ϑ(R) = ϑ_0(R) / sin δ ,   R ϑ_0' = tan β ,   sin β = (R/R_m + (2 sin β_m − 1) R_m/R) / 2 ,

the arc of a cutter of radius R_m on the crown wheel. Two gears with a common apex, the same R_m and opposite spiral
angles
are conjugate on every sphere, so a spiral bevel pair meshes correctly in the picture. The two cones of a hypoid pair
have
no common apex, and its teeth fit only near the pitch point.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..gears import Gear
from ..gears.equivalent import transverse_gear
from ..gears.teeth import BevelTeeth
from .gear_surface import GearSurface, closed_surface
from .gear_surface_profile import Piece, Profile, SurfaceFineness, bevel_profile
from .triangles import FloatArray

__all__ = ["spiral_angle", "spiral_bevel_surface", "spiral_turn"]

_STEEPEST = 0.98
"""Largest sine of the spiral angle outside the middle of the face."""
_STEPS = 400


def spiral_angle(mean: float, ratio: FloatArray) -> FloatArray:
    """β [rad] at a ratio R/R_m of cone distances, for an arc with the mean spiral angle β_m [rad]."""
    sine = 0.5 * (ratio + (2.0 * math.sin(abs(mean)) - 1.0) / ratio)
    return np.asarray(math.copysign(1.0, mean) * np.arcsin(np.clip(sine, -_STEEPEST, _STEEPEST)))


def spiral_turn(mean: float, ratio: FloatArray) -> FloatArray:
    """ϑ_0 [rad] on the crown wheel at ratios R/R_m: 0 at 1, increasing with R for positive β_m."""
    low, high = min(float(ratio.min()), 1.0), max(float(ratio.max()), 1.0)
    x = np.unique(np.concatenate([np.linspace(low, high, _STEPS), [1.0]]))
    slope = np.tan(spiral_angle(mean, x)) / x
    total = np.concatenate([[0.0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * np.diff(x))])
    return np.asarray(np.interp(ratio, x, total) - np.interp(1.0, x, total))


def spiral_bevel_surface(gear: Gear, fine: SurfaceFineness) -> GearSurface:
    """Closed surface of a bevel gear with a spiral angle, for pictures."""
    straight = transverse_gear(gear)
    teeth = BevelTeeth(straight)
    R = np.array(teeth.cone_distances)
    swept = abs(float(np.diff(_turn(gear, R))[0]))
    sections = min(max(fine.curved, math.ceil(swept / fine.turn) + 1), 200)
    return closed_surface(_twisted(bevel_profile(teeth, fine, sections), gear), straight, None)


def _turn(gear: Gear, R: FloatArray) -> FloatArray:
    """ϑ [rad] about z of the gear; a right-hand tooth rotates along +z like a right-hand screw."""
    crown = spiral_turn(gear.helix_angle, np.asarray(R / gear.mean_cone_distance))
    return np.asarray(crown / math.sin(gear.cone_angle))  # the cone angle is negative if z points to the apex


def _twisted(profile: Profile, gear: Gear) -> Profile:
    """Each section rotated by ϑ(R), and the resulting normals.

    p = apex + R u  becomes  apex + R Q(ϑ) u ; its tangents are  Q u_w  and  Q (u + R ϑ' e_z × u) , its normal
    Q (n − R ϑ' (n · e_z × u) u) .
    """
    assert profile.apex is not None
    R = profile.face
    turn = _turn(gear, R)
    slope = np.tan(spiral_angle(gear.helix_angle, R / gear.mean_cone_distance)) / math.sin(gear.cone_angle)  # R ϑ'
    c, s = np.cos(turn)[:, None], np.sin(turn)[:, None]
    rows = np.concatenate([profile.points, _next_tooth(profile.points[:1], gear.teeth)])
    u = (rows - np.array([0.0, 0.0, profile.apex])) / R[:, None]
    pieces: dict[str, Piece] = {}
    for name, piece in profile.pieces.items():
        own = u[piece.start : piece.start + piece.count]
        n = piece.normals
        tilt = slope * (n[..., 1] * own[..., 0] - n[..., 0] * own[..., 1])
        n = n - tilt[..., None] * own
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        pieces[name] = replace(piece, normals=_turned_by(n, c, s))
    height = np.linspace(0.0, 1.0, len(R))
    wall = [(float(t), float(angle - turn[0])) for t, angle in zip(height, turn, strict=True)]
    return replace(profile, points=_turned_by(profile.points, c, s), pieces=pieces, wall=wall)


def _turned_by(p: FloatArray, c: FloatArray, s: FloatArray) -> FloatArray:
    x, y, z = p[..., 0:1], p[..., 1:2], p[..., 2:3]
    return np.concatenate([c * x - s * y, s * x + c * y, z], axis=-1)


def _next_tooth(p: FloatArray, teeth: int) -> FloatArray:
    angle = 2.0 * math.pi / teeth
    return _turned_by(p, np.array([math.cos(angle)]), np.array([math.sin(angle)]))
