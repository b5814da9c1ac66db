"""ContinuationStudy: everything a branch is computed from, for this branch and for those that branch off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...budget import Elapsed
from ...errors import BudgetError, ModelError, SolveError, shown
from ...progress import stage
from .branch import Branch, StepLimits, follow
from .branch_points import INTERSECTION, SpecialPoint
from .continuation_result import Continuation
from .corrector import Corrector, NotConverged
from .flow import Flow, FlowFailed
from .fold_pairs import without_false_folds
from .study_options import positive_fraction, read_limits, whole_number
from .switching import switched_point

__all__ = ["ContinuationStudy"]

Array = NDArray[np.float64]

SETTLE_AGAIN = (0, 3, 12)
"""Further settling, in multiples of the first one, if Newton's method finds no periodic motion."""
SHORTEST = 1e-4
"""Smallest step, relative to the largest one."""
JOINED = 1e-2
"""The same for a branch that joins another one. Near this point the distance of both grows with a square root."""
SAME_MOTION = 1e-5
"""Scaled difference of a state after a part of the period that counts as zero."""


@dataclass(frozen=True, eq=False)
class ContinuationStudy:
    """Flow, limits and options of a branch. read : value of the parameter, as the user specifies it, in SI units."""

    flow: Flow
    over: str
    unit: str
    shown_unit: str
    start: float
    end: float
    low: float
    high: float
    max_step: float
    max_points: int
    read: Callable[[Any], float]
    reason: str = ""
    """Why a batch does not compute it."""

    @property
    def range(self) -> float:
        return abs(self.end - self.start)

    @property
    def limits(self) -> StepLimits:
        return StepLimits(self.low, self.high, self.max_step, SHORTEST * self.max_step, self.max_points)

    def read_parameter(self, value: Any) -> float:
        """A value of the parameter in SI units."""
        return self.read(value)

    # ---- branches

    def first_branch(self, cycles: int, settle: int, state: Array | None) -> Continuation:
        """The branch through the motion that settles at the start of the range, or through the motion near a state."""
        flow = self.flow
        with stage(f'continuation of "{flow.name}" over {self.over}', 1.0) as now:
            now.done(0.0, f"settling at {self._shown(self.start)}")
            corrector, first = self._first(cycles, settle, state)
            towards = np.sign(self.end - self.start)
            if first.tangent[-1] * towards < 0.0:
                first = replace(first, tangent=-first.tangent)
            branch = self._followed(corrector, first, self.limits, now)
        notes = self._shorter_period(first.state, cycles, corrector.scales)
        return self._result(branch, cycles, notes)

    def switched(
        self, parent: Continuation, point: SpecialPoint, cycles: int | None, *, side: int = 1, limits: Any = None,
        max_step: float | None = None, max_points: int | None = None,
    ) -> Continuation:  # fmt: skip
        """The branch that branches off at a special point of another one."""
        if not isinstance(point, SpecialPoint):
            raise ModelError(
                f"switch: expected one of the doublings or intersections of the branch, got {shown(point)}"
            )
        if isinstance(side, bool) or side not in (1, -1):
            raise ModelError(f"switch: side must be 1 or -1, got {shown(side)}")
        low, high = (self.low, self.high) if limits is None else read_limits(limits, self.read, point.parameter)
        again = replace(
            self,
            low=low,
            high=high,
            max_step=self.max_step if max_step is None else positive_fraction(max_step, "max_step"),
            max_points=self.max_points if max_points is None else whole_number(max_points, "max_points", 2),
        )
        with stage(f'continuation of "{self.flow.name}" over {self.over}', 1.0) as now:
            now.done(0.0, f"{point.kind} at {self._shown(point.parameter)}")
            corrector, origin, first = switched_point(self.flow, parent.cycles, self.range, point, cycles, side)
            end = partial(self._halved, cycles=parent.cycles) if corrector.cycles > parent.cycles else None
            branch = again._followed(corrector, first, again.limits, now, end)
        branch.points.insert(0, origin)
        branch.special = [replace(one, index=one.index + 1) for one in branch.special]
        return again._result(branch, corrector.cycles, [])

    def _first(self, cycles: int, settle: int, state: Array | None) -> tuple[Corrector, Any]:
        flow, p = self.flow, self.start
        reason = ""
        try:
            y = flow.first(p) if state is None else state
            for more in SETTLE_AGAIN:
                y = flow.settle(y, p, more * settle if more else (settle if state is None else 0))
                flow.prepare(y, p, cycles)
                corrector = Corrector(flow, cycles, self.range, flow.scales(y, p, cycles))
                try:
                    return corrector, corrector.at_parameter(y, p)
                except NotConverged as why:
                    reason = str(why)
                    if settle == 0:
                        break
        except FlowFailed as why:
            reason = str(why)
        raise SolveError(
            f'continuation of "{flow.name}": no periodic motion of {cycles} cycle{"s" if cycles > 1 else ""} was found at '
            f"{self._shown(p)}: {reason}. Settle longer (settle=), start at a value at which the motion is calm, or specify the "
            "number of cycles after which the motion repeats (cycles=)"
        )

    def _followed(
        self,
        corrector: Corrector,
        first: Any,
        limits: StepLimits,
        now: Any,
        end: Callable[[SpecialPoint], str] | None = None,
    ) -> Branch:
        """The branch as far as it could be computed."""
        found, elapsed = Branch(), Elapsed()

        def watch(branch: Branch) -> None:
            nonlocal found
            found = branch
            p = branch.points[-1].parameter
            done = abs(p - self.start) / self.range if branch.points else 0.0
            now.done(min(done, 1.0), f"{len(branch.points)} points, {self.over} {self._shown(p)}")
            elapsed.check(f'continuation of "{self.flow.name}": {len(branch.points)} points')

        try:
            branch = follow(corrector, first, limits, watch, end)
        except BudgetError:
            branch = found
            branch.ended = (
                f'{len(branch.points)} points were computed within the budget. Specify a longer one: budget="8 h"'
            )
        except KeyboardInterrupt:
            branch = found
            if not branch.points:
                raise
            branch.ended = f"interrupted at {self._shown(branch.points[-1].parameter)}"
        return without_false_folds(branch, self.flow, corrector.cycles)

    def _halved(self, point: SpecialPoint, cycles: int) -> str:
        """Text for a point at which a motion repeats after the cycles of the branch from which this one branched off."""
        if point.kind != INTERSECTION:
            return ""
        change = np.abs(self.flow.settle(point.state, point.parameter, cycles) - point.state)
        if np.max(change / self.flow.scales(point.state, point.parameter, cycles)) > JOINED:
            return ""
        return f"the branch joins that of {cycles} cycle{'s' if cycles > 1 else ''} at another period doubling"

    def _shorter_period(self, state: Array, cycles: int, scales: Array) -> list[str]:
        """A note if a motion of several cycles repeats earlier."""
        for part in range(1, cycles):
            if cycles % part == 0:
                change = np.abs(self.flow.settle(state, self.start, part) - state) / scales
                if change.max() < SAME_MOTION:
                    return [
                        f"the motion at the start repeats after {part} cycle{'s' if part > 1 else ''}, not only after {cycles}. "
                        f"Its multipliers are those of {cycles} cycles. Use cycles={part}, and switch() at a period doubling"
                    ]
        return []

    def _result(self, branch: Branch, cycles: int, notes: list[str]) -> Continuation:
        flow, points = self.flow, branch.points
        return Continuation(
            name=flow.name,
            over=self.over,
            unit=self.unit,
            shown_unit=self.shown_unit,
            cycles=cycles,
            parameter=np.array([one.parameter for one in points]),
            states=np.array([one.state for one in points]),
            state_names=tuple(flow.names),
            state_units=tuple(flow.units),
            figures={name: np.array([one.figures[name] for one in points]) for name in points[0].figures},
            figure_units=dict(flow.figure_units),
            multipliers=np.array([one.multipliers for one in points]),
            special=tuple(sorted(branch.special, key=lambda one: one.index)),
            ended=branch.ended,
            complete=branch.complete,
            free=np.asarray(flow.free).reshape(len(flow.names), -1).shape[1],
            method=self.flow.described + (f". Not as a batch: {self.reason}" if self.reason else ""),
            warnings=(*notes, *branch.notes, *self.flow.warnings),
            study=self,
        )

    def _shown(self, value: float) -> str:
        return f"{value:.6g} {self.unit}".strip()
