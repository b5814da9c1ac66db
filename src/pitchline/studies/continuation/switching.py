"""Branch switching: the first point of a branch that branches off at a period doubling or at an intersection.

At a period doubling the motion of twice the period leaves along the eigenvector of the multiplier -1, at a constant parameter. At
an intersection the equations have two null vectors: the tangent of the known branch, and the direction of the other one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, SolveError, shown
from .branch_points import DOUBLING, INTERSECTION, BranchPoint, SpecialPoint
from .corrector import Corrector, NotConverged
from .flow import Flow, FlowFailed

__all__ = ["switched_point"]

Array = NDArray[np.float64]

FIRST_STEPS = (1e-2, 3e-3, 3e-2, 1e-3, 1e-1)
"""Scaled distances of the first point from the special point."""
DISTINCT = 0.1
"""Change of the state over the shorter period, relative to the distance, of a motion that has the longer period."""


def switched_point(
    flow: Flow, cycles: int, range_: float, point: SpecialPoint, wanted: int | None, side: int
) -> tuple[Corrector, BranchPoint, BranchPoint]:
    """(corrector, special point, first point) of the new branch. cycles : of the known branch."""
    if point.kind not in (DOUBLING, INTERSECTION):
        raise ModelError(
            f"switch: no branch of periodic motions branches off at a {point.kind}. Choose one of the doublings or intersections"
        )
    expected = 2 * cycles if point.kind == DOUBLING else cycles
    if wanted is not None and (isinstance(wanted, bool) or wanted != expected):
        raise ModelError(
            f"switch: at this {point.kind} a motion of {expected} cycles branches off, got cycles={shown(wanted)}"
        )
    corrector = Corrector(flow, expected, range_, flow.scales(point.state, point.parameter, expected))
    u = np.append(point.state, point.parameter) / corrector.unit
    shot = corrector.shoot(u)
    direction = side * _direction(corrector, point, cycles)
    origin = corrector.point(u, shot, direction)
    for step in FIRST_STEPS:
        try:
            first = corrector.on_plane(u + step * direction, direction, direction)
        except (NotConverged, FlowFailed):
            continue
        if point.kind == INTERSECTION or _is_longer(corrector, first, cycles, step):
            return corrector, origin, first
    raise SolveError(
        f"switch: no other branch was found near the {point.kind} at {point.parameter:.6g}. Start a continuation from a motion "
        "that has settled on it: continuation(..., cycles=, state=)"
    )


def _direction(corrector: Corrector, point: SpecialPoint, cycles: int) -> Array:
    if point.kind == DOUBLING:
        found = np.append(point.direction, 0.0) / corrector.unit
        return np.asarray(found / np.linalg.norm(found))
    shot = corrector.flow.shoot(point.state, point.parameter, cycles)
    _, _, right = np.linalg.svd(corrector.rows(shot.by_state, shot.by_parameter))
    plane = right[-2:]  # two null vectors; the wanted one is across the known branch
    along = plane @ (point.tangent / corrector.unit)
    across = np.array([-along[1], along[0]]) @ plane
    return np.asarray(across / np.linalg.norm(across))


def _is_longer(corrector: Corrector, first: BranchPoint, cycles: int, step: float) -> bool:
    """Whether a motion does not already repeat after the period of the known branch."""
    end = corrector.flow.settle(first.state, first.parameter, cycles)
    change = np.linalg.norm((end - first.state) / (corrector.scales * np.sqrt(corrector.n)))
    return bool(change > DISTINCT * step)
