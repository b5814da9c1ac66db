"""Forces and moments of a state as arrows in a solid picture, with their values."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any

import numpy as np

from pitchline.errors import PitchlineError, near_names, shown
from pitchline.files.triangles import FloatArray, Triangles
from pitchline.solids.rotations import z_to
from pitchline.views.labels import scaled_unit
from pitchline.views.machine.solid_parts import Pose, SolidPart
from pitchline.views.machine.state_source import MachineState
from pitchline.views.solid_scene import rgb

__all__ = ["arrow_parts"]

_COLOURS = {"force": "#c0392b", "moment": "#8e44ad", "torque": "#8e44ad"}
_LONGEST, _THIN = 0.3, 0.006
"""Length of the largest arrow and radius of its shaft, relative to the size of the machine."""
_AROUND = 20


def arrow_parts(
    state: MachineState, poses: dict[str, Pose], names: str | Sequence[str], size: float
) -> tuple[list[SolidPart], list[str]]:
    """Arrows of forces and moments by the names of their signals, such as "foundation.force", and their values as texts.

    Lengths are in proportion to the values, for forces and for moments separately.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    known = {entry["name"]: entry for entry in state.head["arrows"]}
    found: list[tuple[dict[str, Any], FloatArray, FloatArray]] = []
    for name in wanted:
        chosen = [key for key in known if isinstance(name, str) and fnmatch.fnmatchcase(key, name)]
        if not chosen:
            raise PitchlineError(f"picture: there is no arrow {shown(name)}; {near_names(str(name), known)}")
        for key in chosen:
            at, vector = _arrow(state, poses, known[key])
            if np.isfinite(vector).all() and vector.any():
                found.append((known[key], at, vector))
    largest: dict[str, float] = {}
    for entry, _, vector in found:
        largest[entry["unit"]] = max(largest.get(entry["unit"], 0.0), float(np.linalg.norm(vector)))
    parts, texts = [], []
    for entry, at, vector in found:
        value = float(np.linalg.norm(vector))
        length = _LONGEST * size * value / largest[entry["unit"]]
        surface = _surface(length, _THIN * size, twice=entry["unit"] != "N").moved(z_to(vector / value), at)
        colour = rgb(_COLOURS["force" if entry["unit"] == "N" else "moment"])
        parts.append(SolidPart(entry["name"], entry["on"], "arrow", surface, colour))
        factor, unit = scaled_unit(entry["unit"], value)
        texts.append(f"{entry['name']} {factor * value:.4g} {unit}")
    return parts, texts


def _arrow(state: MachineState, poses: dict[str, Pose], entry: dict[str, Any]) -> tuple[FloatArray, FloatArray]:
    """Origin and vector in the world."""
    here = (np.zeros(3), np.eye(3))

    def place(said: dict[str, Any]) -> FloatArray:
        x, R = poses.get(said["body"], here)
        return np.asarray(x + R @ np.asarray(said["position"], dtype=np.float64))

    at = state.row(entry["point"]) if "point" in entry else place(entry["at"])
    if "vector" in entry:
        return at, state.row(entry["vector"])
    value = float(np.asarray(state.row(entry["value"])).reshape(-1)[0])
    if "along" in entry:
        _, R = poses.get(entry["along"]["body"], here)
        return at, value * (R @ np.asarray(entry["along"]["direction"], dtype=np.float64))
    span = place(entry["to"]) - place(entry["from"])
    return at, value * span / max(float(np.linalg.norm(span)), 1e-300)


def _surface(length: float, radius: float, *, twice: bool) -> Triangles:
    """Arrow along z from the origin; with two heads for moments."""
    head = min(8.0 * radius, 0.45 * length)
    profile = [(0.0, 0.0), (radius, 0.0), (radius, length - head)]
    if twice:
        middle = length - 0.5 * head
        profile += [(2.6 * radius, length - head), (1.3 * radius, middle), (2.6 * radius, middle), (0.0, length)]
    else:
        profile += [(2.6 * radius, length - head), (0.0, length)]
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    rings = [np.stack([r * np.cos(angle), r * np.sin(angle), np.full(_AROUND, z)], axis=1) for r, z in profile]
    triangles = []
    for k in range(len(profile) - 1):
        for i in range(_AROUND):
            a, b = k * _AROUND + i, k * _AROUND + (i + 1) % _AROUND
            triangles += [(a, b, b + _AROUND), (a, b + _AROUND, a + _AROUND)]
    return Triangles(np.concatenate(rings), np.asarray(triangles, dtype=np.int64))
