"""Gears of planar models next to each other: a planar model has all its gears in one plane, in which the gears of one shaft would
be inside each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["layer_shifts"]

_NORMAL = {"xy": 2, "yx": 2, "yz": 0, "zy": 0, "zx": 1, "xz": 1}
_GAP = 1.15


def layer_shifts(model: dict[str, Any], widths: dict[str, float]) -> dict[str, NDArray[np.float64]]:
    """Shifts (3,) [m] of wheels in the axes of their bodies, by name; none where the model is not planar or has no stepped wheel.

    Wheels that mesh, straight or through others, make one layer. widths: face widths [m] of the wheels as they are drawn.
    """
    normal = _NORMAL.get(str(model.get("plane", "")))
    wheels = {name: wheel for name, wheel in model.get("wheels", {}).items() if name in widths}
    if normal is None or not _stepped(wheels):
        return {}
    layer = {name: k for k, name in enumerate(wheels)}
    for pair in model.get("gear_pairs", {}).values():
        a, b = pair.get("wheel_a"), pair.get("wheel_b")
        if a in layer and b in layer and layer[a] != layer[b]:
            old, new = max(layer[a], layer[b]), min(layer[a], layer[b])
            layer = {name: new if k == old else k for name, k in layer.items()}
    height: dict[int, float] = {}
    shifts: dict[str, NDArray[np.float64]] = {}
    top = 0.0
    for k in sorted(set(layer.values())):
        members = [name for name in layer if layer[name] == k]
        alone = len(members) == 1 and not _shares_place(members[0], wheels)
        height[k] = 0.0 if alone else top
        top += 0.0 if alone else _GAP * max(widths[name] for name in members)
    for name, k in layer.items():
        if height[k]:
            up = np.zeros(3)
            up[normal] = height[k]
            shifts[name] = up
    return shifts


def _place(wheel: dict[str, Any]) -> tuple[Any, ...]:
    frame = wheel["frame"]
    return (frame["body_name"], *(round(float(x), 9) + 0.0 for x in frame["position"]))


def _stepped(wheels: dict[str, Any]) -> bool:
    places = [_place(wheel) for wheel in wheels.values()]
    return len(set(places)) < len(places)


def _shares_place(name: str, wheels: dict[str, Any]) -> bool:
    own = _place(wheels[name])
    return any(other != name and _place(wheel) == own for other, wheel in wheels.items())
