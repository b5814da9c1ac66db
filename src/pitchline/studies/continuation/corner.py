"""Corner of a branch: a motion at which teeth begin to touch.

With stiff teeth the derivatives of the end of a motion change within a very small distance from such a motion, and the branch turns
almost like a corner. Steps along its tangent find no motion there. The equations just beyond the corner have another null vector,
along which the branch goes on, in one of its two directions.
"""

from __future__ import annotations

import numpy as np

from .branch_points import BranchPoint
from .corrector import Corrector, NotConverged
from .flow import FlowFailed

__all__ = ["around_corner"]

DISTANCES = (1e-2, 1e-3, 1e-1)
"""Distances of the next point from the corner, relative to the largest step."""
OTHER = 0.02
"""Sine of the smallest angle between the branch before and after the corner."""


def around_corner(corrector: Corrector, last: BranchPoint, longest: float) -> BranchPoint | None:
    """The next point after a corner at the last point; None if no other direction is found."""
    u, t = corrector.scaled(last), last.tangent
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
            if np.linalg.norm(way) < 3.0 * step and np.linalg.norm(across) > OTHER * np.linalg.norm(way):
                return new
    return None
