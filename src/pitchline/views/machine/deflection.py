"""Displacements of structures: magnified poses of stations, bent shafts, deformed surfaces of flexible bodies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.files.triangles import FloatArray, Triangles
from pitchline.views.machine.state_source import MachineState

__all__ = ["Pose", "StationMotion", "bent", "moved_pose", "rotation_of", "structure_motions"]

Pose = tuple[FloatArray, FloatArray]
"""Position (3,) [m] and axes (3, 3) in the world."""


@dataclass(frozen=True, eq=False)
class StationMotion:
    """Displacement [m] and tilt [rad] of a station, world axes. place: along the shaft from its start [m], None for others."""

    body: str
    shift: FloatArray
    tilt: FloatArray
    place: float | None


def rotation_of(vector: FloatArray) -> FloatArray:
    """Return the matrix of a rotation vector [rad]."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K)


def moved_pose(pose: Pose, shift: FloatArray, tilt: FloatArray, times: float) -> Pose:
    """Return a pose moved by a multiple of a displacement and a rotation."""
    return pose[0] + times * shift, rotation_of(times * tilt) @ pose[1]


def structure_motions(state: MachineState, *, along: bool = False) -> list[tuple[dict[str, Any], list[StationMotion]]]:
    """Return the deformed structures of a scene with the motions of their stations.

    along: whether displacements along the axis of a shaft count. They are mostly play of bearings.
    """
    found = []
    for entry in state.head["deformed"]["structures"]:
        axis = None if along or "axis" not in entry else np.asarray(entry["axis"], dtype=np.float64)
        motions = []
        for station in entry["stations"]:
            shift, tilt = np.nan_to_num(state.row(station["shift"])), np.nan_to_num(state.row(station["tilt"]))
            if axis is not None:
                shift = shift - (shift @ axis) * axis
            motions.append(StationMotion(station["body"], shift, tilt, station.get("place")))
        found.append((entry, motions))
    return found


def bent(
    surface: Triangles, motions: list[StationMotion], axes: FloatArray, times: float
) -> tuple[Triangles, FloatArray]:
    """Bend a shaft that lies along z, and return the displacement of its points before magnification [m].

    axes: columns are those of the surface in the world. Between stations the line is a cubic with the slopes of the tilts,
    u(z) = d(z) + θ(z) × r; beyond the last station it continues straight.
    """
    places = np.array([motion.place for motion in motions], dtype=np.float64)
    d = np.array([motion.shift for motion in motions]) @ axes
    tilt = np.array([motion.tilt for motion in motions]) @ axes
    points = surface.points
    if len(places) == 1:
        u = np.broadcast_to(d[0], points.shape)
        turn = np.broadcast_to(tilt[0], points.shape)
        foot = places[0]
    else:
        z = points[:, 2]
        k = np.clip(np.searchsorted(places, z) - 1, 0, len(places) - 2)
        h = places[k + 1] - places[k]
        s = np.clip((z - places[k]) / np.where(h > 0.0, h, 1.0), 0.0, 1.0)[:, None]
        slope = np.stack([tilt[:, 1], -tilt[:, 0], np.zeros(len(tilt))], axis=-1)
        h = h[:, None]
        u = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * d[k] + s * (1.0 - s) ** 2 * h * slope[k]
        u = u + s * s * (3.0 - 2.0 * s) * d[k + 1] + s * s * (s - 1.0) * h * slope[k + 1]
        turn = (1.0 - s) * tilt[k] + s * tilt[k + 1]
        foot = np.clip(z, places[0], places[-1])
    arm = points.copy()
    arm[:, 2] -= foot
    normals = surface.normals
    if normals is not None:
        normals = _turned(normals, times * turn[surface.triangles])
    moved = points - arm + _turned(arm, times * turn) + times * u
    return replace(surface, points=moved, normals=normals), np.linalg.norm(u + np.cross(turn, arm), axis=1)


def _turned(v: FloatArray, by: FloatArray) -> FloatArray:
    """Vectors (..., 3) turned by rotation vectors (..., 3) [rad]."""
    angle = np.linalg.norm(by, axis=-1, keepdims=True)
    n = by / np.where(angle > 0.0, angle, 1.0)
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(c * v + s * np.cross(n, v) + (1.0 - c) * np.sum(n * v, axis=-1, keepdims=True) * n)
