"""Parts of a picture chosen by names and patterns."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pitchline.errors import PitchlineError, near_names, shown
from pitchline.views.machine.solid_parts import SolidPart
from pitchline.views.machine.state_source import MachineState
from pitchline.views.solid_scene import Camera, PictureArea, area_around

__all__ = ["chosen_parts", "cleared", "focused_area", "see_through"]

_SEEN_THROUGH = 0.25


def _names(given: str | Sequence[str], parts: Sequence[SolidPart], what: str) -> list[str]:
    """Names and patterns, each of which must fit some part."""
    wanted = [given] if isinstance(given, str) else list(given)
    known = sorted({name for part in parts for name in (part.name, part.body)})
    for name in wanted:
        if not isinstance(name, str) or not fnmatch.filter(known, name):
            raise PitchlineError(f"picture: {what}: there is no part {shown(name)}; {near_names(str(name), known)}")
    return wanted


def _matches(part: SolidPart, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for name in (part.name, part.body) for pattern in patterns)


def chosen_parts(parts: list[SolidPart], hide: str | Sequence[str]) -> list[SolidPart]:
    patterns = _names(hide, parts, "hide")
    return [part for part in parts if not _matches(part, patterns)]


def see_through(parts: list[SolidPart], names: str | Sequence[str]) -> list[SolidPart]:
    patterns = _names(names, parts, "transparent")
    return [cleared(part) if _matches(part, patterns) else part for part in parts]


def cleared(part: SolidPart) -> SolidPart:
    return replace(part, opacity=min(part.opacity, _SEEN_THROUGH))


def focused_area(name: str, state: MachineState, parts: Sequence[SolidPart], camera: Camera) -> PictureArea:
    """Return the area of a picture that a gear pair, a body or a part fills."""
    pairs = {pair["name"]: (pair["wheel_a"], pair["wheel_b"]) for pair in state.head["pairs"]}
    if name not in pairs:
        patterns = _names(name, parts, "focus")
        return area_around(np.concatenate([p.surface.points for p in parts if _matches(p, patterns)]), camera)
    clouds = [part.surface.points for part in parts if part.kind in ("gear", "rack") and part.name in pairs[name]]
    if len(clouds) < 2:
        raise PitchlineError(f"picture: focus: gear pair {shown(name)} has no two drawn gears")
    a, b = sorted(clouds, key=lambda points: float(np.ptp(points, axis=0).max()))[:2]
    # around the point of the smaller gear that is nearest to the other gear, with about half of the smaller gear
    far = np.linalg.norm(a[:, None] - b[:: max(1, len(b) // 2000)][None], axis=2).min(axis=1)
    middle = a[far <= np.quantile(far, 0.02)].mean(axis=0) @ camera.axes[:2].T
    half = 0.55 * float(np.ptp(a, axis=0).max())
    return PictureArea(middle[0] - half, middle[0] + half, middle[1] - 0.75 * half, middle[1] + 0.75 * half)
