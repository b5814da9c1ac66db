"""Poses of the bodies of a described model, at the start and over the samples of a result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.names import GROUND_NAME
from ...solids.rotations import quaternion_of
from .source import SceneSource

__all__ = ["STRUCTURES", "frame_pose", "motion_of", "rest_pose", "station_names"]

FloatArray = NDArray[np.float64]

STRUCTURES = {"shafts": "Shafts", "beams": "Beams", "flexible_bodies": "Flexible bodies", "membranes": "Membranes"}
"""Tables of structures in a description, and the groups of a page."""


def station_names(model: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Stations of all structures by the names of their bodies."""
    return {
        body: said
        for table in STRUCTURES
        for structure in model.get(table, {}).values()
        for body, said in structure["stations"].items()
    }


def rest_pose(model: dict[str, Any], body: str) -> tuple[FloatArray, FloatArray]:
    """Position (3,) [m] and axes (3, 3) of a body as the model is built."""
    said = model["bodies"].get(body)
    if said is None:
        for table in STRUCTURES:
            for structure in model.get(table, {}).values():
                said = said or structure["stations"].get(body)
    if said is None:
        return np.zeros(3), np.eye(3)
    return np.asarray(said["position"], dtype=np.float64), np.asarray(said["orientation"], dtype=np.float64)


def frame_pose(model: dict[str, Any], frame: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
    """Position (3,) [m] and axes (3, 3) of a frame in the world as the model is built."""
    x, R = rest_pose(model, frame["body_name"])
    return x + R @ np.asarray(frame["position"]), R @ np.asarray(frame["rotation"])


def motion_of(source: SceneSource, body: str) -> tuple[FloatArray, FloatArray]:
    """Positions (n, 3) [m] and quaternions (n, 4) w, x, y, z at the times of the source; one row where the body rests."""
    place, turn = source.signal(f"{body}.position"), source.signal(f"{body}.orientation")
    if body == GROUND_NAME or place is None or turn is None or not len(place):
        x, R = rest_pose(source.model, body)
        return x[None], quaternion_of(R)[None]
    if not np.ptp(place, axis=0).any() and not np.ptp(turn, axis=0).any():
        return place[:1], turn[:1]
    return place, turn
