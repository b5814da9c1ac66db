"""Flanks of a gear that are conjugate to those of its mate: the envelope of the flanks of the mate, in any position of the axes.

At the angle ψ of the mate about its axis k through x, its point P with the normal N touches the flank that it envelops where the
relative velocity has no part along the normal, N · (z × P) i = N · (k × (P − x)), with the angles ψ = i φ. This is one equation
A cos ψ + B sin ψ + C = 0 for each point.
"""

from __future__ import annotations

import math

import numpy as np

import pitchline as pl
from pitchline.gears import hypoid_pinion
from pitchline.parts.gears.surfaces import SurfaceTeeth, surface_teeth

from .spiral_teeth import spiral_teeth

__all__ = ["hypoid_gears", "mate_of", "worm_gears"]


def mate_of(
    teeth: SurfaceTeeth, pair: pl.GearPair, *, crowning: float, places: tuple[np.ndarray, np.ndarray]
) -> pl.Gear:
    """Gear A of the pair with flanks that are conjugate to the teeth of gear B, relieved by `crowning` [m] at the ends.

    places: u and v of the points on B."""
    points = {side: _envelope(teeth, pair, side, crowning, places) for side in ("left", "right")}
    return pl.Teeth.from_points(pair.a, **points).gear


def _envelope(
    teeth: SurfaceTeeth, pair: pl.GearPair, side: str, crowning: float, places: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    pose, ratio = pair.place(), pair.speed_ratio
    patch = teeth.flank(side if ratio < 0.0 else {"left": "right", "right": "left"}[side])
    u, v = places
    p, n = (np.moveaxis(f(u[:, None], v), -1, 0) for f in (patch.point, patch.normal))
    axis = pose.rotation[2]  # z of A in the axes of B
    arm = np.cross(axis, pose.rotation.T @ pose.position)
    w = np.cross(p, n, axis=0)
    A = n[0] * arm[0] + n[1] * arm[1] + w[0] * axis[0] + w[1] * axis[1]
    B = n[0] * arm[1] - n[1] * arm[0] + w[0] * axis[1] - w[1] * axis[0]
    C = n[2] * arm[2] + w[2] * axis[2] - ratio * w[2]
    middle, away = np.arctan2(B, A), np.arccos(-C / np.hypot(A, B))
    found = []
    for psi in (middle + away, middle - away):
        psi = np.remainder(psi + math.pi, 2.0 * math.pi) - math.pi
        P = np.moveaxis(_turned(p, psi), 0, -1) @ pose.rotation.T + pose.position
        found.append((psi, P))
    (first, P_1), (second, P_2) = found
    pitch_point = np.array([pair.pitch.radius_a, 0.0, 0.0])
    near = np.linalg.norm(P_1 - pitch_point, axis=-1) < np.linalg.norm(P_2 - pitch_point, axis=-1)
    psi, P = np.where(near, first, second), np.where(near[..., None], P_1, P_2)
    s, t = (np.linspace(-1.0, 1.0, len(x)) for x in places)
    relief = crowning * (s[:, None] ** 2 + t**2) / np.hypot(P[..., 0], P[..., 1])
    into = -1.0 if side == "left" else 1.0
    on_a = _turned(np.moveaxis(P, -1, 0), -psi / ratio + into * relief)
    return np.moveaxis(on_a, 0, -1)


def _turned(p: np.ndarray, angle: np.ndarray) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    x, y = c * p[0] - s * p[1], s * p[0] + c * p[1]
    return np.stack(np.broadcast_arrays(x, y, p[2]))


def hypoid_gears(*, offset: float = 8e-3, crowning: float = 4e-6) -> tuple[pl.Gear, pl.Gear]:
    """A hypoid pinion of 20 teeth with flanks that are conjugate to those of its wheel of 40 teeth."""
    crown = pl.Gear(teeth=40, normal_module="3 mm", face_width="14 mm", cone_angle="64 deg", bore="60 mm")
    wheel = spiral_teeth(crown, -0.45)
    pinion = hypoid_pinion(wheel.gear, teeth=20, offset=offset, face_width="18 mm", bore="20 mm")
    pair = pl.GearPair(pinion, wheel.gear, centre_distance=offset)
    places = np.linspace(0.02, 0.9, 13), np.linspace(0.02, 0.98, 13)
    points = {side: wheel.points(side, 13, 13) for side in ("left", "right")}
    return mate_of(wheel, pair, crowning=crowning, places=places), pl.Teeth.from_points(wheel.gear, **points).gear


def worm_gears(*, crowning: float = 4e-6) -> tuple[pl.Gear, pl.Gear]:
    """A worm with two starts as an involute helicoid, and a wheel with flanks that are conjugate to it, in line contact.

    At a place (u, θ) around the worm the normal does not depend on the position z along its axis: the condition is linear in z.
    """
    common = {"normal_module": "4 mm", "normal_pressure_angle": "20 deg"}
    worm = pl.Gear(starts=2, lead_angle="12 deg", face_width="60 mm", bore="10 mm", **common)
    nominal = pl.Gear(teeth=40, helix_angle="12 deg", face_width="18 mm", bore="60 mm", **common)
    back = pl.GearPair(nominal, worm)  # the wheel first
    pose, ratio = back.place(), back.speed_ratio
    teeth = surface_teeth(worm)
    points = {}
    for side in ("left", "right"):
        patch = teeth.flank(side if ratio < 0.0 else {"left": "right", "right": "left"}[side])
        u = np.linspace(0.15, 0.9, 13)
        p, n = (f(u, 0.5).T[:, :, None] for f in (patch.point, patch.normal))
        ends = patch.point(0.5, np.array([0.5, 0.51]))
        twist = float(np.diff(np.angle(ends[:, 0] + 1j * ends[:, 1]))[0]) / float(np.diff(ends[:, 2])[0])
        to_wheel = -pose.rotation.T @ pose.position
        place = math.atan2(to_wheel[1], to_wheel[0]) + np.radians(np.linspace(-20.0, 20.0, 13))
        turn = place - np.angle(p[0] + 1j * p[1])
        P, N = (np.moveaxis(_turned(one, turn), 0, -1) @ pose.rotation.T for one in (p, n))
        P = P + pose.position
        z, k = np.array([0.0, 0.0, 1.0]), pose.rotation[:, 2]
        moving = np.cross(z, P) - ratio * np.cross(k, P - pose.position)
        along = -(N * moving).sum(axis=-1) / (N @ np.cross(z, k))
        # along its axis by that much as it turns more or less far
        psi = turn - twist * along
        at = P + along[..., None] * k
        s, t = np.linspace(-1.0, 1.0, 13)[:, None], np.linspace(-1.0, 1.0, 13)
        relief = crowning * (s**2 + t**2) / np.hypot(at[..., 0], at[..., 1])
        into = -1.0 if side == "left" else 1.0
        points[side] = np.moveaxis(_turned(np.moveaxis(at, -1, 0), -psi / ratio + into * relief), 0, -1)
    return worm, pl.Teeth.from_points(nominal, **points).gear
