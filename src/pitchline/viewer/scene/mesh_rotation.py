"""The rotation of a wheel against the line of centres, from how two bodies moved: where its signal was not kept."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.names import GROUND_NAME
from ...solids.rotations import quaternion_of
from .poses import rest_pose
from .source import SceneSource

__all__ = ["rotation_in_mesh", "turned"]

Array = NDArray[np.float64]


def turned(q: Array, v: Array) -> Array:
    """Vectors turned by quaternions w, x, y, z: v + 2 w (u × v) + 2 u × (u × v); rows, or one of either."""
    u, w = q[..., 1:], q[..., :1]
    side = 2.0 * np.cross(u, v)
    return np.asarray(v + w * side + np.cross(u, side))


def rotation_in_mesh(
    source: SceneSource, pair: dict[str, Any], frames: tuple[dict[str, Any], dict[str, Any]]
) -> Array | None:
    """ψ_A [rad], counting turns, right-handed about the axis of A as the pair counts it; None where poses are not known.

    Seen from wheel A the line of centres turns by −ψ. Its angle there is exact at every sample but for whole turns; those
    follow from the rates, so that more than half a turn between samples is counted right. A rack has no centre: the line is
    its x axis, which points to the pinion.
    """
    rack = "rack" in pair.get("kind", "")
    start = [_pose_as_built(source, frame) for frame in frames]
    moved = [_pose(source, frame) for frame in frames]
    if moved[0] is None or moved[1] is None:
        return None
    sign = -1.0 if source.model["wheels"][pair["wheel_a"]]["gear"].get("internal") else 1.0
    first = sign * _angle(start[0], start[1], rack)[0]
    psi = sign * _angle(moved[0], moved[1], rack) - first + float(pair.get("psi_a") or 0.0)
    rate = None if rack else _rate(source, frames, moved[0], moved[1])
    step = np.diff(source.time) if len(psi) == len(source.time) else np.zeros(len(psi) - 1)
    expected = np.zeros(len(step)) if rate is None else sign * 0.5 * step * (rate[1:] + rate[:-1])
    change = np.diff(psi)
    whole = 2.0 * math.pi * np.round((expected - change) / (2.0 * math.pi))
    return np.asarray(psi + np.concatenate([[0.0], np.cumsum(whole)]))


def _pose_as_built(source: SceneSource, frame: dict[str, Any]) -> tuple[Array, Array, Array]:
    x, R = rest_pose(source.model, frame["body_name"])
    return _placed(x[None], quaternion_of(R)[None], frame)


def _pose(source: SceneSource, frame: dict[str, Any]) -> tuple[Array, Array, Array] | None:
    """Centre, x axis and z axis of a frame over the samples; bodies at rest have one row."""
    name = frame["body_name"]
    if name == GROUND_NAME or not source.signals:
        return _pose_as_built(source, frame)
    place, turn = source.signal(f"{name}.position"), source.signal(f"{name}.orientation")
    return None if place is None or turn is None else _placed(place, turn, frame)


def _placed(place: Array, turn: Array, frame: dict[str, Any]) -> tuple[Array, Array, Array]:
    R = np.array(frame["rotation"], dtype=np.float64)
    centre = place + turned(turn, np.array(frame["position"], dtype=np.float64))
    return centre, turned(turn, R[:, 0]), turned(turn, R[:, 2])


def _angle(a: tuple[Array, Array, Array], b: tuple[Array, Array, Array], rack: bool) -> Array:
    """Minus the angle of the line of centres in the frame of A."""
    line = -b[1] if rack else b[0] - a[0]
    y = np.cross(a[2], a[1])
    return np.atleast_1d(-np.arctan2((line * y).sum(axis=-1), (line * a[1]).sum(axis=-1)))


def _rate(
    source: SceneSource,
    frames: tuple[dict[str, Any], dict[str, Any]],
    a: tuple[Array, Array, Array],
    b: tuple[Array, Array, Array],
) -> Array | None:
    """dψ/dt: the spin of A less that of the line of centres, about the axis of A."""
    speeds = []
    for frame in frames:
        name = frame["body_name"]
        if name == GROUND_NAME:
            speeds.append((np.zeros(3), np.zeros(3)))
            continue
        v, w, place = (source.signal(f"{name}.{key}") for key in ("velocity", "angular_velocity", "position"))
        if v is None or w is None or place is None:
            return None
        centre = a[0] if frame is frames[0] else b[0]
        speeds.append((v + np.cross(w, centre - place), w))
    line, axis = b[0] - a[0], a[2]
    across = line - (line * axis).sum(axis=-1, keepdims=True) * axis
    of_line = (axis * np.cross(across, speeds[1][0] - speeds[0][0])).sum(axis=-1) / np.maximum(
        (across**2).sum(axis=-1), 1e-300
    )
    return np.asarray((axis * speeds[0][1]).sum(axis=-1) - of_line)
