"""Default choice of the signals that a report shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from pitchline.results import Result

#: Lines in one panel, and panels in one picture.
MOST_LINES, MOST_PANELS = 6, 5

#: Signals of the motion of joints: speeds and positions.
_SPEEDS = ("angular_speed", "speed")
_POSITIONS = ("angle", "displacement")


def main_signals(result: Result, model: dict[str, Any]) -> list[str]:
    """Speeds of driven and loaded joints, tooth forces, torques and forces of drives and loads; otherwise motions of bodies."""
    chosen: dict[str, list[str]] = {}
    for name in _candidates(result, model):
        if name not in result.signals or not _tells(result, name):
            continue
        unit = result.signals[name].unit
        lines = chosen.setdefault(unit, [])
        width = max(1, len(result.signals[name].components))
        taken = sum(max(1, len(result.signals[line].components)) for line in lines)
        if name not in lines and taken + width <= MOST_LINES:
            lines.append(name)
    panels = [names for names in chosen.values() if names][:MOST_PANELS]
    return [name for names in panels for name in names]


def _candidates(result: Result, model: dict[str, Any]) -> Iterator[str]:
    joints, drives, loads = (model.get(key, {}) for key in ("joints", "drives", "loads"))
    pairs = model.get("gear_pairs", {})
    driven = [drive.get("joint_name") for drive in drives.values()]
    loaded = [load["joint_name"] for load in loads.values() if "joint_name" in load]
    moved_to = {drive.get("joint_name") for drive in drives.values() if drive.get("given") == "position"}
    for joint in dict.fromkeys(filter(None, driven + loaded)):
        yield from (f"{joint}.{kind}" for kind in (_POSITIONS if joint in moved_to else _SPEEDS))
    if not driven and not loaded:
        yield from (f"{joint}.{kind}" for joint in list(joints)[:MOST_LINES] for kind in _SPEEDS)
    yield from _largest(result, [f"{pair}.normal_force" for pair in pairs])
    for name in [*drives, *loads]:
        for kind in ("torque", "force"):
            signal = result.signals.get(f"{name}.{kind}")
            # loads that change; constants are in the table of loads
            if signal is not None and not signal.components and (name in drives or np.ptp(signal.values) > 0.0):
                yield signal.name
    elastic = [
        name for name, pair in pairs.items() if pair.get("mesh", {}).get("type") in ("Elastic", "Loaded", "Flank")
    ]
    yield from (f"{pair}.transmission_error" for pair in elastic[:MOST_LINES])
    held = _held(joints)
    free = [name for name in model.get("bodies", {}) if name not in held]
    if not pairs:
        yield from (f"{body}.position" for body in free[:2])
    if not joints and not pairs:
        yield from (f"{body}.angular_velocity" for body in free[:2])
    if not model:  # a result without a model
        yield from result.signals


def _held(joints: dict[str, Any]) -> set[str]:
    """Bodies that are fixed to the ground."""
    sides = [
        (joint.get("frame_a", {}), joint.get("frame_b", {}))
        for joint in joints.values()
        if joint.get("kind") == "fixed"
    ]
    names = [{a.get("body_name"), b.get("body_name")} for a, b in sides]
    return {str(name) for pair in names if "ground" in pair for name in pair if name}


def _largest(result: Result, names: Iterable[str]) -> list[str]:
    """The signals with the largest magnitudes, in the order of the model."""
    here = [name for name in names if name in result.signals]
    if len(here) <= MOST_LINES:
        return here
    peaks = {name: float(np.nanmax(np.abs(result.signals[name].values), initial=0.0)) for name in here}
    keep = sorted(here, key=lambda name: -peaks[name])[:MOST_LINES]
    return [name for name in here if name in keep]


def _tells(result: Result, name: str) -> bool:
    """Whether a signal has a finite value other than zero."""
    values = result.signals[name].values
    return bool(np.any(np.isfinite(values) & (values != 0.0)))
