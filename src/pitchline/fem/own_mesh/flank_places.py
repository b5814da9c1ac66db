"""Where points are on the flanks of a gear: tooth, position along profile and face, and distance from the flank."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...gears.surfaces.surface_teeth import SurfaceTeeth
from ...gears.teeth import Teeth
from ..meshes.solid_mesh import FloatArray, IntArray

__all__ = ["FlankPlaces", "involute_offsets", "places_on_flank"]


class FlankPlaces(NamedTuple):
    """Of points (n,).

    tooth: its number, from 0. profile: 0 at the form line, 1 at the tip, beyond these outside. face: along the axis
    [m], or v from 0 to
    1 of a surface. above: out of the material [m].
    """

    tooth: IntArray
    profile: FloatArray
    face: FloatArray
    above: FloatArray


def places_on_flank(teeth: Teeth | SurfaceTeeth, side: str, points: FloatArray) -> FlankPlaces:
    """The places of points [m] on the nearest tooth, in the axes of the gear."""
    return _on_involute(teeth, side, points) if isinstance(teeth, Teeth) else _on_patch(teeth, side, points)


def involute_offsets(teeth: Teeth, side: str, points: FloatArray) -> FloatArray:
    """Angles [rad] by which points are rotated from the flank of tooth 0: a multiple of the pitch if they are on a flank."""
    flank = teeth.flank(side).involute
    P = points[:, 0] + 1j * points[:, 1]
    L = flank.roll_length(np.abs(P))
    direction = np.angle(P) - np.arctan2(flank.curl * L, flank.base_radius)
    return np.asarray(direction - flank.direction(L, points[:, 2]))


def _on_involute(teeth: Teeth, side: str, points: FloatArray) -> FlankPlaces:
    flank = teeth.flank(side)
    involute, pitch = flank.involute, teeth.gear.angular_pitch
    offset = involute_offsets(teeth, side, points)
    number = np.round(offset / pitch)
    above = involute.side * (offset - number * pitch) * involute.base_radius * math.cos(involute.base_helix_angle)
    z = points[:, 2]
    L = involute.roll_length(np.hypot(points[:, 0], points[:, 1]))
    form, tip = flank.form_roll_length(z), flank.tip_roll_length(z)
    profile = (L**2 - form**2) / (tip**2 - form**2)
    return FlankPlaces(number.astype(np.int64) % teeth.gear.teeth, profile, z, above)


def _on_patch(teeth: SurfaceTeeth, side: str, points: FloatArray) -> FlankPlaces:
    """Teeth about the angle of each point are tried."""
    patch, z, pitch = teeth.flank(side), teeth.gear.teeth, teeth.step.angle
    middle = patch.point(np.array([0.5]), np.array([0.5]))[0]
    about = np.angle(points[:, 0] + 1j * points[:, 1]) - math.atan2(middle[1], middle[0])
    first = np.round(about / pitch).astype(np.int64)
    spread = patch.point(np.linspace(0, 1, 9)[:, None], np.linspace(0, 1, 9)[None, :]).reshape(-1, 3)
    wide = np.ptp(np.unwrap(np.angle(spread[:, 0] + 1j * spread[:, 1]))) / pitch
    reach = 1 + math.ceil(0.5 * wide)
    best = np.full(len(points), np.inf)
    tooth, u, v, above = first.copy(), np.zeros(len(points)), np.zeros(len(points)), np.zeros(len(points))
    P = points[:, 0] + 1j * points[:, 1]
    for step in range(-reach, reach + 1):
        turned = P * np.exp(-1j * pitch * (first + step))
        found = patch.project(np.stack([turned.real, turned.imag, points[:, 2]], axis=-1))
        better = found.away < best
        for to, values in (
            (tooth, first + step),
            (u, found.u),
            (v, found.v),
            (above, found.height),
            (best, found.away),
        ):
            to[better] = values[better]
    # points beyond the edges are away from the flank
    above = np.where(np.abs(best) > np.abs(above) + 1e-12, np.copysign(best, above), above)
    return FlankPlaces(tooth % z, u, v, above)
