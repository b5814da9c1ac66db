"""Branch of periodic motions: steps along the tangent, corrections, stability and special points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pitchline.base.types import FloatArray

from .flow import DOUBLING, FOLD, INTERSECTION, TORUS, BranchPoint, Flow, FlowFailed, Shot, SpecialPoint

__all__ = [
    "NEUTRAL",
    "ROUNDING",
    "counted_outside",
    "growing",
    "multipliers_of",
    "Corrector",
    "NotConverged",
    "around_corner",
    "LocatedPoint",
    "Interval",
    "UPRIGHT",
    "special_point",
    "special_points",
    "Branch",
    "StepLimits",
    "follow",
]


# ---- multipliers

# Floquet multipliers of a periodic motion, and the verdict on its stability.

Complex = NDArray[np.complex128]

NEUTRAL = 1e-4
"""Distance from 1 of the multipliers of free motions."""
ROUNDING = 1e-6
"""Multipliers up to 1 + this count as not growing: derivatives by differences are not more accurate."""


def multipliers_of(by_state: FloatArray) -> Complex:
    """Eigenvalues of the monodromy matrix, by falling magnitude; of a complex pair first that with the positive imaginary part."""
    found = np.linalg.eigvals(by_state).astype(complex)
    return found[np.lexsort((-found.imag, -np.round(np.abs(found), 12)))]


def growing(multipliers: Complex, free: int) -> Complex:
    """Multipliers without those of `free` free motions: each has the multiplier 1, twice if nothing damps it."""
    if not free:
        return multipliers
    order = np.argsort(np.abs(multipliers - 1.0))
    left_out = min(2 * free, int(np.sum(np.abs(multipliers - 1.0) < NEUTRAL)))
    return multipliers[np.sort(order[left_out:])]


def counted_outside(multipliers: Complex, free: int) -> int:
    """Number of multipliers outside the unit circle."""
    return int(np.sum(np.abs(growing(multipliers, free)) > 1.0 + ROUNDING))


# ---- corrector

# Newton's method for periodic motions: end - start = 0, with one more condition that selects a point of the branch.
#
# Unknowns are scaled: u = (y / (s √n), p / P) with the ranges s of the n states in the motion and the range P of the
# parameter, so that the distance of two points is the mean relative change of the states, together with the relative
# change of the parameter.
#
# A free motion makes the equations dependent, and the solution depends on a phase. Additional rows then fix the
# phase, and the equations are solved in the sense of least squares, which is exact: there is a solution.

TOLERANCE = 1e-8
"""Scaled correction at which an iteration ends. The error that remains is about its square."""
REPEATS = 1e-6
"""Scaled difference of start and end of a periodic motion, at most."""
STALLED = 1e-7
"""Scaled correction that is accepted if it no longer decreases: rounding errors of derivatives by differences."""
MOST_ITERATIONS = 10
MOST_DAMPED = 40
LEAST_DAMPING = 1e-3
FAR = 0.5
"""Largest scaled correction of an iteration that starts near the branch."""


class NotConverged(Exception):
    """Newton's method found no periodic motion; the text is the reason."""


@dataclass
class Corrector:
    """Newton's method for one flow and one number of periods."""

    flow: Flow
    cycles: int
    range: float
    """P, positive."""
    scales: FloatArray
    """(n,) s."""
    shots: int = 0
    iterations: int = 0
    """Of the last solution."""

    @property
    def n(self) -> int:
        return len(self.scales)

    @property
    def unit(self) -> FloatArray:
        """(n + 1,) size of each unknown for which it is 1 when scaled."""
        return np.append(self.scales * np.sqrt(self.n), self.range)

    def scaled(self, point: BranchPoint) -> FloatArray:
        """u (n + 1,) of a point."""
        return np.append(point.state, point.parameter) / self.unit

    def rescale(self, point: BranchPoint, scales: FloatArray) -> BranchPoint:
        """Measure distances with other ranges of the states from now on; the point with its tangent in these."""
        tangent = point.tangent * self.unit
        self.scales = scales
        tangent = tangent / self.unit
        return replace(point, tangent=tangent / np.linalg.norm(tangent))

    # ---- solutions

    def at_parameter(self, state: FloatArray, parameter: float) -> BranchPoint:
        """Periodic motion at a value of the parameter, by damped iterations from any start."""
        row = np.zeros(self.n + 1)
        row[-1] = 1.0
        u = np.append(state, parameter) / self.unit
        point = self._solve(u, row, damped=True)
        return self._with_tangent(point, None)

    def on_plane(self, guess: FloatArray, normal: FloatArray, before: FloatArray) -> BranchPoint:
        """Point of the branch for which normal · (u - guess) = 0. before: tangent (n + 1,) with which the new one agrees."""
        point = self._solve(guess, normal, damped=False)
        return self._with_tangent(point, before)

    def shoot(self, u: FloatArray) -> Shot:
        """Motion from scaled unknowns."""
        z = u * self.unit
        self.shots += 1
        shot = self.flow.shoot(z[:-1], float(z[-1]), self.cycles)
        if not (np.all(np.isfinite(shot.end)) and np.all(np.isfinite(shot.by_state))):
            raise FlowFailed("the motion grows without limit")
        return shot

    # ---- equations

    def rows(self, by_state: FloatArray, by_parameter: FloatArray) -> FloatArray:
        """(n, n + 1) scaled derivatives of end - start."""
        rows = np.column_stack([by_state - np.eye(self.n), by_parameter]) * self.unit
        return rows / (self.scales[:, None] * np.sqrt(self.n))

    def _residual(self, u: FloatArray, end: FloatArray) -> FloatArray:
        return (end - (u * self.unit)[:-1]) / (self.scales * np.sqrt(self.n))

    def _phases(self) -> FloatArray:
        """(k, n + 1) rows that fix the phases of free motions."""
        free = np.asarray(self.flow.free, float).reshape(self.n, -1)
        if not free.shape[1]:
            return np.zeros((0, self.n + 1))
        rows = (free / (self.scales[:, None] * np.sqrt(self.n))).T
        return np.column_stack([rows / np.linalg.norm(rows, axis=1, keepdims=True), np.zeros(len(rows))])

    def solved(self, rows: FloatArray, condition: FloatArray, right: FloatArray, value: float) -> FloatArray:
        """Solution (n + 1,) of rows x = right, condition · x = value, without a change of phase."""
        phases = self._phases()
        matrix = np.vstack([rows, condition, phases])
        b = np.concatenate([right, [value], np.zeros(len(phases))])
        try:
            found = np.linalg.lstsq(matrix, b, rcond=None)[0] if len(phases) else np.linalg.solve(matrix, b)
        except np.linalg.LinAlgError:
            raise NotConverged("the equations are singular") from None
        if not np.all(np.isfinite(found)):
            raise NotConverged("the equations are singular")
        return np.asarray(found)

    def null_vector(self, rows: FloatArray) -> FloatArray:
        """Direction (n + 1,) of a branch, without a change of phase."""
        return np.asarray(np.linalg.svd(np.vstack([rows, self._phases()]))[2][-1])

    def _solve(self, guess: FloatArray, condition: FloatArray, *, damped: bool) -> BranchPoint:
        u, size = guess.copy(), np.inf
        for k in range(MOST_DAMPED if damped else MOST_ITERATIONS):
            shot = self.shoot(u)
            r = self._residual(u, shot.end)
            rows = self.rows(shot.by_state, shot.by_parameter)
            step = self.solved(rows, condition, -r, float(-condition @ (u - guess)))
            before, size = size, float(np.linalg.norm(step))
            if size < TOLERANCE:
                if np.linalg.norm(r) > REPEATS:  # a least-squares solution that is not a solution
                    raise NotConverged("no motion repeats: no drive holds the speed, and the loads are not in balance")
                self.iterations = k
                return self.point(u + step, shot, np.zeros(self.n + 1))
            if damped:
                step = step * self._damping(u, step, float(np.linalg.norm(r)))
            elif size < STALLED and before < STALLED:
                self.iterations = k
                return self.point(u + step, shot, np.zeros(self.n + 1))
            elif size > FAR or (k > 1 and size > 2.0 * before and size > STALLED):
                break
            u = u + step
        raise NotConverged(f"the iteration ends with a relative correction of {size:.1g}")

    def _damping(self, u: FloatArray, step: FloatArray, size: float) -> float:
        """Fraction of a step for which the residual decreases; the smallest one, if none does."""
        fraction = 1.0
        end: Callable[[FloatArray, float, int], FloatArray] = self.flow.settle
        while fraction > LEAST_DAMPING:
            z = (u + fraction * step) * self.unit
            try:
                r = self._residual(z / self.unit, end(z[:-1], float(z[-1]), self.cycles))
                if np.linalg.norm(r) < size or fraction * np.linalg.norm(step) < 1e-6:
                    return fraction
            except FlowFailed:
                pass
            fraction *= 0.5
        return fraction

    def point(self, u: FloatArray, shot: Shot, tangent: FloatArray) -> BranchPoint:
        """Point of a branch from scaled unknowns."""
        z = u * self.unit
        mu = multipliers_of(shot.by_state)
        return BranchPoint(z[:-1], float(z[-1]), shot.by_state, shot.by_parameter, mu, dict(shot.figures), tangent)

    def _with_tangent(self, point: BranchPoint, before: FloatArray | None) -> BranchPoint:
        """The point with the direction of the branch; along `before`, or towards larger values of the parameter."""
        rows = self.rows(point.by_state, point.by_parameter)
        if before is None:
            tangent = self.null_vector(rows)
            tangent = tangent * (np.sign(tangent[-1]) or 1.0)
        else:
            tangent = self.solved(rows, before, np.zeros(self.n), 1.0)
        return replace(point, tangent=tangent / np.linalg.norm(tangent))


# ---- corner

# Corner of a branch: a motion at which teeth begin to touch.
#
# With stiff teeth the derivatives of the end of a motion change within a very small distance from such a motion, and
# the branch turns almost like a corner. Steps along its tangent find no motion there. The equations just beyond the
# corner have another null vector, along which the branch goes on, in one of its two directions.

DISTANCES = (1e-2, 1e-3, 1e-1)
"""Distances of the next point from the corner, relative to the largest step."""
OTHER = 0.02
"""Sine of the smallest angle between the branch before and after the corner."""
SAME = 0.05
"""Distance of a point from the branch before the corner, divided by its distance from the corner, at which it is on that branch."""
BEHIND = 40
"""Number of points before the corner with which the next one is compared."""


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


def _distance(line: Sequence[FloatArray], u: FloatArray) -> float:
    """Distance of a point from a line of straight parts: small for a point on the branch that was followed."""
    found = np.inf
    for a, b in pairwise(line):
        along = b - a
        x = float(np.clip((u - a) @ along / max(float(along @ along), 1e-300), 0.0, 1.0))
        found = min(found, float(np.linalg.norm(a + x * along - u)))
    return found


# ---- special points

# Search for special points between two neighbouring points of a branch: bracketed roots of test functions along the
# branch.
#
# | kind | test function | sign change | |---|---|---| | fold | component of the tangent along the parameter | the
# branch turns back | | period doubling | det(M + 1) | a real multiplier passes -1 | | torus | magnitude of the k-th
# largest multiplier - 1 | two multipliers leave or enter the unit circle together | | intersection | determinant of
# the equations with the tangent | another branch passes through |

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


def special_point(found: LocatedPoint, index: int, before: BranchPoint, unit: FloatArray) -> SpecialPoint:
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


def _grows_upright(sizes: list[tuple[float, FloatArray]], width: float) -> bool:
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
