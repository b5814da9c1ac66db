"""Newton's method for periodic motions: end - start = 0, with one more condition that selects a point of the branch.

Unknowns are scaled: u = (y / (s √n), p / P) with the ranges s of the n states in the motion and the range P of the parameter, so
that the distance of two points is the mean relative change of the states, together with the relative change of the parameter.

A free motion makes the equations dependent, and the solution depends on a phase. Additional rows then fix the phase, and the
equations are solved in the sense of least squares, which is exact: there is a solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .branch_points import BranchPoint
from .flow import Flow, FlowFailed, Shot
from .multipliers import multipliers_of

__all__ = ["Corrector", "NotConverged"]

Array = NDArray[np.float64]

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
    scales: Array
    """(n,) s."""
    shots: int = 0
    iterations: int = 0
    """Of the last solution."""

    @property
    def n(self) -> int:
        return len(self.scales)

    @property
    def unit(self) -> Array:
        """(n + 1,) size of each unknown for which it is 1 when scaled."""
        return np.append(self.scales * np.sqrt(self.n), self.range)

    def scaled(self, point: BranchPoint) -> Array:
        """u (n + 1,) of a point."""
        return np.append(point.state, point.parameter) / self.unit

    def rescale(self, point: BranchPoint, scales: Array) -> BranchPoint:
        """Measure distances with other ranges of the states from now on; the point with its tangent in these."""
        tangent = point.tangent * self.unit
        self.scales = scales
        tangent = tangent / self.unit
        return replace(point, tangent=tangent / np.linalg.norm(tangent))

    # ---- solutions

    def at_parameter(self, state: Array, parameter: float) -> BranchPoint:
        """Periodic motion at a value of the parameter, by damped iterations from any start."""
        row = np.zeros(self.n + 1)
        row[-1] = 1.0
        u = np.append(state, parameter) / self.unit
        point = self._solve(u, row, damped=True)
        return self._with_tangent(point, None)

    def on_plane(self, guess: Array, normal: Array, before: Array) -> BranchPoint:
        """Point of the branch for which normal · (u - guess) = 0. before: tangent (n + 1,) with which the new one agrees."""
        point = self._solve(guess, normal, damped=False)
        return self._with_tangent(point, before)

    def shoot(self, u: Array) -> Shot:
        """Motion from scaled unknowns."""
        z = u * self.unit
        self.shots += 1
        shot = self.flow.shoot(z[:-1], float(z[-1]), self.cycles)
        if not (np.all(np.isfinite(shot.end)) and np.all(np.isfinite(shot.by_state))):
            raise FlowFailed("the motion grows without limit")
        return shot

    # ---- equations

    def rows(self, by_state: Array, by_parameter: Array) -> Array:
        """(n, n + 1) scaled derivatives of end - start."""
        rows = np.column_stack([by_state - np.eye(self.n), by_parameter]) * self.unit
        return rows / (self.scales[:, None] * np.sqrt(self.n))

    def _residual(self, u: Array, end: Array) -> Array:
        return (end - (u * self.unit)[:-1]) / (self.scales * np.sqrt(self.n))

    def _phases(self) -> Array:
        """(k, n + 1) rows that fix the phases of free motions."""
        free = np.asarray(self.flow.free, float).reshape(self.n, -1)
        if not free.shape[1]:
            return np.zeros((0, self.n + 1))
        rows = (free / (self.scales[:, None] * np.sqrt(self.n))).T
        return np.column_stack([rows / np.linalg.norm(rows, axis=1, keepdims=True), np.zeros(len(rows))])

    def solved(self, rows: Array, condition: Array, right: Array, value: float) -> Array:
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

    def null_vector(self, rows: Array) -> Array:
        """Direction (n + 1,) of a branch, without a change of phase."""
        return np.asarray(np.linalg.svd(np.vstack([rows, self._phases()]))[2][-1])

    def _solve(self, guess: Array, condition: Array, *, damped: bool) -> BranchPoint:
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

    def _damping(self, u: Array, step: Array, size: float) -> float:
        """Fraction of a step for which the residual decreases; the smallest one, if none does."""
        fraction = 1.0
        end: Callable[[Array, float, int], Array] = self.flow.settle
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

    def point(self, u: Array, shot: Shot, tangent: Array) -> BranchPoint:
        """Point of a branch from scaled unknowns."""
        z = u * self.unit
        mu = multipliers_of(shot.by_state)
        return BranchPoint(z[:-1], float(z[-1]), shot.by_state, shot.by_parameter, mu, dict(shot.figures), tangent)

    def _with_tangent(self, point: BranchPoint, before: Array | None) -> BranchPoint:
        """The point with the direction of the branch; along `before`, or towards larger values of the parameter."""
        rows = self.rows(point.by_state, point.by_parameter)
        if before is None:
            tangent = self.null_vector(rows)
            tangent = tangent * (np.sign(tangent[-1]) or 1.0)
        else:
            tangent = self.solved(rows, before, np.zeros(self.n), 1.0)
        return replace(point, tangent=tangent / np.linalg.norm(tangent))
