"""Branch of periodic motions: steps along the tangent, corrected by Newton's method (pseudo-arclength)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from .branch_points import FOLD, BranchPoint, SpecialPoint
from .corner import around_corner
from .corrector import Corrector, NotConverged
from .flow import FlowFailed
from .special_points import UPRIGHT, LocatedPoint, special_point, special_points

__all__ = ["Branch", "StepLimits", "follow"]

Array = NDArray[np.float64]

STRAIGHT = 0.97
"""Cosine of the largest angle between the tangents of neighbouring points."""
CORNER = 1e-4
"""Fraction of the largest step at which a larger angle is accepted: there the branch has a corner, where teeth touch."""
NEAR = 0.5
"""Largest correction of a predicted point, divided by the step."""
LONGER, SHORTER = 1.5, 0.5
FEW_ITERATIONS = 3
RESCALE_EVERY = 20
LEAST_LOOP = 20
"""Smallest number of points of a closed branch."""
MOST_GROWTH, UNCHANGED = 1e3, 1e-3
"""Growth of the states, while the parameter changes by less than this part of its range, at which the branch ends."""


@dataclass(frozen=True)
class StepLimits:
    """Limits of a branch. low, high : of the parameter. longest, shortest : scaled steps. most : number of points."""

    low: float
    high: float
    longest: float
    shortest: float
    most: int


@dataclass
class Branch:
    """Points of a branch in their order, its special points, and the reason why it ends."""

    points: list[BranchPoint] = field(default_factory=list)
    special: list[SpecialPoint] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ended: str = ""
    complete: bool = False
    """Whether it ends at a limit of the parameter or closes."""

    def add(self, corrector: Corrector, point: BranchPoint) -> None:
        """Append a point, after the special points before it."""
        if not self.points:
            self.points.append(point)
            return
        last = self.points[-1]
        found = special_points(corrector, last, point)
        self._add_upright_fold(corrector, point)
        for one in found:
            self.special.append(special_point(one, len(self.points), last, corrector.unit))
            self.points.append(one.point)
        self.points.append(point)

    def end_at(self, end: End, first: int) -> bool:
        """End at one of the special points from number `first` on, if it is an end of the branch."""
        for k, one in enumerate(self.special[first:], first):
            text = end(one)
            if text:
                del self.points[one.index + 1 :], self.special[k + 1 :]
                self.ended, self.complete = text, True
                return True
        return False

    def add_corner(self, corrector: Corrector, point: BranchPoint, width: float) -> None:
        """Append the first point after a corner. The corner is a fold if the branch turns back there."""
        last, index = self.points[-1], len(self.points) - 1
        if last.tangent[-1] * point.tangent[-1] < 0.0:
            found = special_point(LocatedPoint(FOLD, 0.0, last, width), index, last, corrector.unit)
            self.special.append(replace(found, grazing=True))
        self.points.append(point)

    def _add_upright_fold(self, corrector: Corrector, point: BranchPoint) -> None:
        """The fold of a branch that turns back after an upright part, on which the parameter is constant: its first point."""
        if abs(point.tangent[-1]) < UPRIGHT or abs(self.points[-1].tangent[-1]) >= UPRIGHT:
            return
        k = len(self.points)
        while k and abs(self.points[k - 1].tangent[-1]) < UPRIGHT:
            k -= 1
        if not k or self.points[k - 1].tangent[-1] * point.tangent[-1] > 0.0:
            return
        self.special.append(
            special_point(LocatedPoint(FOLD, 0.0, self.points[k]), k, self.points[k - 1], corrector.unit)
        )


Watch = Callable[[Branch], None]
End = Callable[[SpecialPoint], str]


def follow(
    corrector: Corrector, first: BranchPoint, limits: StepLimits, watch: Watch | None = None, end: End | None = None
) -> Branch:
    """Follow a branch from its first point along its tangent.

    watch : called after each step; may raise KeyboardInterrupt. end : text if the branch ends at a special point, or ""."""
    branch = Branch()
    branch.add(corrector, first)
    step, reason = 0.25 * limits.longest, ""
    origin, away, rescaled = first, 0.0, 1
    sizes = [(first.parameter, corrector.scales.copy())]
    while True:
        if len(branch.points) >= limits.most:
            branch.ended = f"{limits.most} points were computed. Specify more with max_points, or a larger max_step"
            return branch
        last = branch.points[-1]
        if len(branch.points) - rescaled >= RESCALE_EVERY:
            rescaled = len(branch.points)
            last = branch.points[-1] = _rescaled(corrector, last)
            sizes.append((last.parameter, corrector.scales.copy()))
            if _grows_upright(sizes, UNCHANGED * corrector.range):
                branch.ended = f"the motion grows without limit near {last.parameter:.6g}"
                return branch
        try:
            new = _next(corrector, last, step, limits)
        except (NotConverged, FlowFailed) as why:
            reason, step = str(why), SHORTER * step
            if step >= limits.shortest:
                continue
            turned = around_corner(corrector, branch.points, limits.longest)
            if turned is None or not limits.low <= turned.parameter <= limits.high:
                branch.ended = f"steps became too small at {last.parameter:.6g}: {reason}"
                return branch
            branch.add_corner(corrector, turned, step * corrector.range)
            step = 0.1 * limits.longest
            continue
        quick = corrector.iterations <= FEW_ITERATIONS
        before = corrector.scaled(origin)
        distance = float(np.linalg.norm(corrector.scaled(new) - before))
        away = max(away, distance)
        known = len(branch.special)
        loop = len(branch.points) > LEAST_LOOP and away > 5 * step and _passes(corrector, last, new, origin, step)
        branch.add(corrector, new)
        if watch is not None:
            watch(branch)
        if end is not None and branch.end_at(end, known):
            return branch
        if loop:
            branch.ended, branch.complete = "the branch is closed: it returned to its first point", True
            return branch
        if new.parameter <= limits.low or new.parameter >= limits.high:
            side = "lower" if new.parameter <= limits.low else "upper"
            branch.ended, branch.complete = f"the {side} limit of the parameter was reached", True
            return branch
        if quick:
            step = min(LONGER * step, limits.longest)


def _grows_upright(sizes: list[tuple[float, Array]], width: float) -> bool:
    """Whether the states grow while the parameter does not change. sizes : (parameter, scales of the states) along the branch."""
    now, scales = sizes[-1]
    for parameter, before in reversed(sizes):
        if abs(parameter - now) > width:
            return False
        if np.max(scales / before) > MOST_GROWTH:
            return True
    return False


def _next(corrector: Corrector, last: BranchPoint, step: float, limits: StepLimits) -> BranchPoint:
    """The next point, at a limit of the parameter if the step passes it."""
    u, t = corrector.scaled(last), last.tangent
    guess = u + step * t
    new = corrector.on_plane(guess, t, t)
    if np.linalg.norm(corrector.scaled(new) - guess) > NEAR * step:
        raise NotConverged("the next motion is far from the predicted one")
    if t @ new.tangent < STRAIGHT and step > CORNER * limits.longest:
        raise NotConverged("the branch bends too much")
    if limits.low <= new.parameter <= limits.high:
        return new
    limit = limits.low if new.parameter < limits.low else limits.high
    x = (limit - last.parameter) / (new.parameter - last.parameter)
    guess = u + x * (corrector.scaled(new) - u)
    guess[-1] = limit / corrector.range
    row = np.zeros(len(u))
    row[-1] = 1.0
    return replace(corrector.on_plane(guess, row, t), parameter=limit)


def _rescaled(corrector: Corrector, point: BranchPoint) -> BranchPoint:
    """Distances measured with the ranges of the present motion."""
    try:
        scales = corrector.flow.scales(point.state, point.parameter, corrector.cycles)
    except FlowFailed:
        return point
    return corrector.rescale(point, scales)


def _passes(corrector: Corrector, last: BranchPoint, new: BranchPoint, origin: BranchPoint, step: float) -> bool:
    """Whether a step passes the first point of the branch in the direction in which it left it."""
    a, b, o = (corrector.scaled(point) for point in (last, new, origin))
    along = b - a
    x = float((o - a) @ along) / max(float(along @ along), 1e-300)
    near = float(np.linalg.norm(a + x * along - o))
    return 0.0 <= x <= 1.0 and near < 0.1 * step and float(last.tangent @ origin.tangent) > 0.9
