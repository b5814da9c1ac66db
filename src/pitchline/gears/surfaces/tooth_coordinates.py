"""Coordinates of a tooth: height above the pitch surface, place along the face, and angle about the axis.

| gear | height h [m] | along the face w [m] | angle a |
|---|---|---|---|
| cylindrical, conical, worm | σ (r − d/2 − z tan θ) | z | ϑ − z tan β/(d/2) [rad] |
| bevel | R_m (γ − δ), γ the polar angle about the apex | R − R_m, R the distance from the apex | ϑ less a logarithmic spiral |
| rack | x | z | y − z tan β [m] |

A flank is a function a(h, w). Its left and right sides, its teeth and wrong units are visible in these coordinates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..gear import Gear
from ..rack import Rack

__all__ = ["ToothCoordinates", "ToothPlaces", "facing_of"]


class ToothPlaces(NamedTuple):
    """h, w [m] and a [rad], or [m] for racks; arrays of one shape."""

    height: FloatArray
    along: FloatArray
    angle: FloatArray


def facing_of(gear: Gear | Rack, side: str) -> float:
    """Sign of p_u × p_v that points out of the material: u from root to tip, v along the face as in `FlankPatch`."""
    sign = 1.0 if side == "left" else -1.0
    if isinstance(gear, Rack):
        return -sign
    return -sign * gear.sense * math.copysign(1.0, gear.cone_angle)


class ToothCoordinates:
    """Of one gear or rack.

    Attributes
    ----------
    pitch : float
        From tooth to tooth: angle [rad], or distance [m] for a rack.
    lever : float
        Radius of the reference circle [m], 1 for a rack: from angles to lengths.
    root, tip : float
        Heights of the nominal teeth [m].
    width : float
        Face width [m].
    """

    def __init__(self, gear: Gear | Rack) -> None:
        self.gear = gear
        self.width = gear.required_face_width("a flank as a surface")
        self._slope = math.tan(gear.normal_pressure_angle) / math.cos(gear.helix_angle)
        if isinstance(gear, Rack):
            self.pitch, self.lever = gear.transverse_pitch, 1.0
            self.root, self.tip = -gear.dedendum, gear.addendum
            self._half = 0.5 * gear.normal_tooth_thickness / math.cos(gear.helix_angle)
            self._twist = math.tan(gear.helix_angle)
            return
        self.pitch, self.lever = gear.angular_pitch, 0.5 * gear.reference_diameter
        self._half = gear.transverse_tooth_thickness / gear.reference_diameter
        if gear.cone_angle:
            R, self._cone = gear.mean_cone_distance, abs(gear.cone_angle)
            self._away = math.copysign(1.0, gear.cone_angle)
            self._apex = -self._away * R * math.cos(gear.cone_angle)
            self.root, self.tip = -R * math.atan(gear.dedendum / R), R * math.atan(gear.addendum / R)
            self._twist = self._away * math.tan(gear.helix_angle) / math.sin(self._cone)
            self._distance = R
        else:
            half = 0.5 * gear.reference_diameter
            self.root, self.tip = (
                gear.sense * (0.5 * d - half) for d in (gear.root_diameter, gear.tip_diameter)
            )  # fmt: skip
            self._rise = math.tan(gear.profile_shift_angle)
            self._twist = math.tan(gear.helix_angle) / half

    @property
    def depth(self) -> float:
        """Of the nominal teeth [m]."""
        return self.tip - self.root

    def of(self, points: FloatArray) -> ToothPlaces:
        """Of points (…, 3) [m]. Angles are between −π and π about the tooth, before the twist is taken off."""
        x, y, z = points[..., 0], points[..., 1], points[..., 2]
        gear = self.gear
        if isinstance(gear, Rack):
            return ToothPlaces(x, z, y - self._twist * z)
        if gear.cone_angle:
            axial = self._away * (z - self._apex)
            rho = np.hypot(x, y)
            R = np.hypot(rho, axial)
            with np.errstate(divide="ignore"):
                turn = self._twist * np.log(R / self._distance)
            height = self._distance * (np.arctan2(rho, axial) - self._cone)
            return ToothPlaces(height, R - self._distance, _within(np.arctan2(y, x) - turn))
        height = gear.sense * (np.hypot(x, y) - self.lever - self._rise * z)
        return ToothPlaces(height, z, _within(np.arctan2(y, x) - self._twist * z))

    def points(self, height: FloatArray, along: FloatArray, angle: FloatArray) -> FloatArray:
        """Points (…, 3) [m]; the inverse of `of`."""
        gear = self.gear
        if isinstance(gear, Rack):
            return np.stack(np.broadcast_arrays(height, angle + self._twist * along, along), axis=-1)
        if gear.cone_angle:
            R = along + self._distance
            polar = height / self._distance + self._cone
            turned = angle + self._twist * np.log(R / self._distance)
            rho, z = R * np.sin(polar), self._apex + self._away * R * np.cos(polar)
        else:
            rho, z = self.lever + self._rise * along + gear.sense * height, along
            turned = angle + self._twist * along
        return np.stack(np.broadcast_arrays(rho * np.cos(turned), rho * np.sin(turned), z), axis=-1)

    def nominal_angle(self, side: str, height: FloatArray | float) -> FloatArray:
        """About the angle of the nominal flank of tooth 0 at a height [m]; [rad], or [m] for a rack."""
        sign = 1.0 if side == "left" else -1.0
        return np.asarray(sign * (self._half - self._slope * np.asarray(height) / self.lever))

    @property
    def nominal_slope(self) -> float:
        """−da/dh of a nominal left flank, in lengths by lengths: tan α_t."""
        return self._slope


def _within(angle: FloatArray) -> FloatArray:
    """Between −π and π."""
    return np.asarray(angle - 2.0 * math.pi * np.round(angle / (2.0 * math.pi)))
