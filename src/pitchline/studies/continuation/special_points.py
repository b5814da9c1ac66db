"""Search for special points between two neighbouring points of a branch: bracketed roots of test functions along the branch.

| kind | test function | sign change |
|---|---|---|
| fold | component of the tangent along the parameter | the branch turns back |
| period doubling | det(M + 1) | a real multiplier passes -1 |
| torus | magnitude of the k-th largest multiplier - 1 | two multipliers leave or enter the unit circle together |
| intersection | determinant of the equations with the tangent | another branch passes through |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .branch_points import DOUBLING, FOLD, INTERSECTION, TORUS, BranchPoint, SpecialPoint
from .corrector import Corrector, NotConverged
from .flow import FlowFailed
from .multipliers import counted_outside, growing

__all__ = ["LocatedPoint", "Interval", "UPRIGHT", "special_point", "special_points"]

Array = NDArray[np.float64]
Test = Callable[[BranchPoint], float]

MOST_TRIALS = 60
ELSEWHERE = (0.5, 0.3, 0.7, 0.15, 0.85)
"""Fractions of the bracket at which the search goes on if no motion is found."""
UPRIGHT = 1e-6
"""Component of the tangent along the parameter that counts as zero: the branch of a linear motion is upright."""
CLOSE = 1e-11
"""Scaled width of a bracket at which the search ends."""
COMPLEX = 1e-6
"""Imaginary part of a multiplier that is not real."""


@dataclass(frozen=True)
class LocatedPoint:
    """Special point between two points of a branch. place: distance from the first one along its tangent. width: of the parameter
    in the last bracket, if the search ended early."""

    kind: str
    place: float
    point: BranchPoint
    width: float = 0.0


@dataclass
class Interval:
    """Branch between two neighbouring points, described by the distance along the tangent of the first one."""

    corrector: Corrector
    first: BranchPoint
    last: BranchPoint

    def __post_init__(self) -> None:
        self.u, self.v = self.corrector.scaled(self.first), self.corrector.scaled(self.last)
        self.length = float(self.first.tangent @ (self.v - self.u))

    def at(self, place: float) -> BranchPoint:
        """The point of the branch at a distance."""
        t, x = self.first.tangent, place / self.length
        slope = self.last.tangent / max(float(t @ self.last.tangent), 0.1)
        guess = (
            (1 + 2 * x) * (1 - x) ** 2 * self.u
            + x * (1 - x) ** 2 * self.length * t
            + x * x * (3 - 2 * x) * self.v
            + x * x * (x - 1) * self.length * slope
        )
        guess = guess + (place - float(t @ (guess - self.u))) * t
        return self.corrector.on_plane(guess, t, t)


def special_points(corrector: Corrector, first: BranchPoint, last: BranchPoint) -> list[LocatedPoint]:
    """Special points between two points of a branch, in their order."""
    free = np.asarray(corrector.flow.free).reshape(corrector.n, -1).shape[1]
    tests: list[tuple[str, Test]] = [(FOLD, _turning), (DOUBLING, _doubling)]
    if not free:
        tests.append((INTERSECTION, lambda point: _determinant(corrector, point)))
    changed = [(kind, test) for kind, test in tests if test(first) * test(last) < 0.0]
    if min(abs(_turning(first)), abs(_turning(last))) < UPRIGHT:
        changed = [one for one in changed if one[0] != FOLD]
    outside = counted_outside(first.multipliers, free), counted_outside(last.multipliers, free)
    if abs(outside[1] - outside[0]) - len(changed) >= 2:
        k = max(outside) - 1
        changed.append((TORUS, lambda point: _rank(point, free, k)))
    found = []
    between = Interval(corrector, first, last)
    for kind, test in changed:
        one = _root(between, kind, test)
        if kind != TORUS or abs(growing(one.point.multipliers, free)[k].imag) > COMPLEX:
            found.append(one)
    return sorted(found, key=lambda one: one.place)


def special_point(found: LocatedPoint, index: int, before: BranchPoint, unit: Array) -> SpecialPoint:
    """The record of a point. before: the point of the branch before it. unit: (n + 1,) of the scaled tangents."""
    point = found.point
    target = {FOLD: 1.0, INTERSECTION: 1.0, DOUBLING: -1.0}.get(found.kind)
    values, vectors = np.linalg.eig(point.by_state)
    if target is None:
        pairs = np.where(np.abs(values.imag) > COMPLEX, np.abs(np.abs(values) - 1.0), np.inf)
        k = int(np.argmin(pairs - 1e-12 * values.imag))
    else:
        k = int(np.argmin(np.abs(values - target)))
    direction = np.ascontiguousarray(vectors[:, k].real)
    sweep = ""
    if found.kind == FOLD:
        sweep = "up" if before.tangent[-1] > 0.0 else "down"
    return SpecialPoint(
        found.kind, point.parameter, index, point.state, point.multipliers, complex(values[k]),
        direction / max(float(np.linalg.norm(direction)), 1e-300), point.tangent * unit, sweep, found.width, point.figures,
    )  # fmt: skip


# ---- test functions


def _turning(point: BranchPoint) -> float:
    return float(point.tangent[-1])


def _doubling(point: BranchPoint) -> float:
    return float(np.prod(point.multipliers + 1.0).real)


def _determinant(corrector: Corrector, point: BranchPoint) -> float:
    return float(np.linalg.det(np.vstack([corrector.rows(point.by_state, point.by_parameter), point.tangent])))


def _rank(point: BranchPoint, free: int, k: int) -> float:
    mu = np.sort(np.abs(growing(point.multipliers, free)))[::-1]
    return float(mu[k] - 1.0)


# ---- bracketed root


def _root(between: Interval, kind: str, test: Test) -> LocatedPoint:
    """The place at which a test function changes its sign.

    Secant steps of the Illinois method, and halving where they are slow; a corner of the branch, at which the function jumps, is
    found by the same method. If no motion is found at several places in the bracket, the search ends with the best one so far."""
    a, b = 0.0, between.length
    ends = [between.first, between.last]
    fa, fb = test(between.first), test(between.last)
    best = (abs(fa), a, between.first) if abs(fa) < abs(fb) else (abs(fb), b, between.last)
    refused, side, widths = 0, 0, [b - a]
    for _ in range(MOST_TRIALS):
        x = (a * fb - b * fa) / (fb - fa)
        if refused:  # a trial failed: another place in the bracket
            x = a + (b - a) * ELSEWHERE[refused - 1]
        elif (len(widths) > 4 and widths[-1] > 0.5 * widths[-4]) or not a < x < b:
            x = 0.5 * (a + b)
        try:
            point = between.at(x)
        except (NotConverged, FlowFailed):
            refused += 1
            if refused > len(ELSEWHERE):
                break
            continue
        refused = 0
        value = test(point)
        if abs(value) <= best[0]:
            best = (abs(value), x, point)
        if value == 0.0:
            break
        if (value > 0.0) == (fa > 0.0):
            a, fa, ends[0] = x, value, point
            fb = 0.5 * fb if side < 0 else fb
            side = -1
        else:
            b, fb, ends[1] = x, value, point
            fa = 0.5 * fa if side > 0 else fa
            side = 1
        widths.append(b - a)
        if b - a < CLOSE or (abs(best[1] - x) < CLOSE and _near_root(a, fa, b, fb)):
            break
    width = 0.0
    if refused:
        values = [point.parameter for point in (*ends, best[2])]
        width = max(values) - min(values)
    return LocatedPoint(kind, best[1], best[2], width)


def _near_root(a: float, fa: float, b: float, fb: float) -> bool:
    """Whether the secant ends at one end of the bracket."""
    x = (a * fb - b * fa) / (fb - fa)
    return min(x - a, b - x) < CLOSE
