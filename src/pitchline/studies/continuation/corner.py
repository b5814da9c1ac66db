"""Corner of a branch: a motion at which teeth begin to touch.

With stiff teeth the derivatives of the end of a motion change within a very small distance from such a motion, and the branch turns
almost like a corner. Steps along its tangent find no motion there. The equations just beyond the corner have another null vector,
along which the branch goes on, in one of its two directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .branch_points import BranchPoint
from .corrector import Corrector, NotConverged
from .flow import FlowFailed

__all__ = ["around_corner"]

DISTANCES = (1e-2, 1e-3, 1e-1)
"""Distances of the next point from the corner, relative to the largest step."""
OTHER = 0.02
"""Sine of the smallest angle between the branch before and after the corner."""
SAME = 0.05
"""Distance of a point from the branch before the corner, divided by its distance from the corner, at which it is on that branch."""
BEHIND = 40
"""Number of points before the corner with which the next one is compared."""

Array = NDArray[np.float64]


def around_corner(corrector: Corrector, points: Sequence[BranchPoint], longest: float) -> BranchPoint | None:
    """The next point after a corner at the last one of the points; None if no other direction is found."""
    last = points[-1]
    u, t = corrector.scaled(last), last.tangent
    behind = [corrector.scaled(point) for point in points[-BEHIND:]]
    for distance in DISTANCES:
        step = distance * longest
        try:
            shot = corrector.shoot(u + step * t)
        except FlowFailed:
            continue
        rows = corrector.rows(shot.by_state, shot.by_parameter)
        null = corrector.null_vector(rows)
        for direction in (null, -null):
            try:
                new = corrector.on_plane(u + step * direction, direction, direction)
            except (NotConverged, FlowFailed):
                continue
            way = corrector.scaled(new) - u
            across = way - (way @ t) * t
            turns = np.linalg.norm(way) < 3.0 * step and np.linalg.norm(across) > OTHER * np.linalg.norm(way)
            if turns and _distance(behind, u + way) > SAME * np.linalg.norm(way):
                return new
    return None


def _distance(line: Sequence[Array], u: Array) -> float:
    """Distance of a point from a line of straight parts: small for a point on the branch that was followed."""
    found = np.inf
    for a, b in pairwise(line):
        along = b - a
        x = float(np.clip((u - a) @ along / max(float(along @ along), 1e-300), 0.0, 1.0))
        found = min(found, float(np.linalg.norm(a + x * along - u)))
    return found
