"""Size of a model from its description only, for sizes that are not specified."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .poses import STRUCTURES, frame_pose

__all__ = ["rest_size"]


def rest_size(model: dict[str, Any]) -> float:
    """Longest side [m] of the box around bodies, stations, joints and gears as the model is built; 0 where all is in a point."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)

    def take(place: Any, reach: float = 0.0) -> None:
        nonlocal low, high
        at = np.asarray(place, dtype=np.float64)
        low, high = np.minimum(low, at - reach), np.maximum(high, at + reach)

    for body in model["bodies"].values():
        take(body["position"])
    for table in STRUCTURES:
        for structure in model.get(table, {}).values():
            for station in structure["stations"].values():
                take(station["position"])
    for joint in model.get("joints", {}).values():
        take(frame_pose(model, joint["frame_a"])[0])
    for wheel in model.get("wheels", {}).values():
        gear = wheel.get("gear")
        if gear:
            across = gear["normal_module"] / max(math.cos(gear["helix_angle"]), 0.02)
            reach = 0.5 * gear["teeth"] * across if gear.get("type") == "Gear" else 5.0 * gear["normal_module"]
            take(frame_pose(model, wheel["frame"])[0], reach)
    return float((high - low).max()) if np.isfinite(low).all() else 0.0
