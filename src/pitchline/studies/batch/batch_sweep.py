"""Sweeps of a batch: one parameter changes step by step, and the state of each lane is carried on; jumps and hysteresis."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.budget import limit
from pitchline.base.progress.display import stage
from pitchline.errors import ModelError

from ..points.parameter_values import ParameterValues, Points
from ..sources import Source
from ..study_result import StudyVariable
from .lane_study import (
    BATCH_STATUS,
    FINAL_RATE,
    FINAL_STATE,
    NOT_COMPUTED,
    BatchResult,
    LaneRuns,
    LanesFound,
    LaneStudy,
    Reductions,
    equilibrium,
)
from .lane_train import LaneArrays, LaneTrain

__all__ = [
    "final_states",
    "lane_reasons",
    "made_result",
    "run_warnings",
    "table_warnings",
    "BatchSweep",
    "Jump",
    "run_sweep",
]


# ---- made result

# From the lanes of a run to a `BatchResult`.

REASONS = {
    1: "a value became infinite; use more steps",
    2: "the speed of the ramp reached zero",
    3: "the run was interrupted",
}
MOST_REASONS = 1000
"""Points whose reasons are kept; the status of all points is known."""


def made_result(
    study: LaneStudy, found: LanesFound, reductions: Reductions, steps: np.ndarray, source: Source, facts: Mapping[str, Any],
    *, poincare: str = "",
) -> BatchResult:  # fmt: skip
    """The result of a run."""
    variables = {name: StudyVariable(values, reductions.units[name]) for name, values in found.values.items()}
    variables["closure"] = StudyVariable(found.closure, "", (), "largest change of a state in the last cycle")
    variables["steps"] = StudyVariable(np.array(steps), "", (), "time steps of a mesh cycle")
    if poincare:
        variables |= _samples(study, found, poincare)
    variables |= final_states(study, found.states)
    facts = {**facts, "rotors": [rotor.name for rotor in study.train.rotors]}
    warnings = run_warnings(study, found.status, steps, found.coarse, interrupted=found.interrupted)
    warnings += [text for name, share in found.beyond.items() for text in table_warnings(name, share)]
    return BatchResult(
        study.train.name, study.points, variables, found.status, lane_reasons(found.status), BATCH_STATUS, study="batch",
        warnings=tuple(warnings), facts=facts, source=source,
    )  # fmt: skip


def _samples(study: LaneStudy, found: LanesFound, name: str) -> dict[str, StudyVariable]:
    """Poincaré samples: (points, samples)."""
    unit = "m"
    for source in study.read.sources:
        if source.joint == name:
            unit = source.unit
    position, rate = found.samples[:, 0].T, found.samples[:, 1].T
    return {
        f"{name}.poincare": StudyVariable(position, unit, ("sample",), "at the ends of the last mesh cycles"),
        f"{name}.poincare_rate": StudyVariable(rate, f"{unit}/s", ("sample",), "its rate"),
    }


def final_states(study: LaneStudy, states: np.ndarray) -> dict[str, StudyVariable]:
    """Deviations and rates of all rotors, (points, rotors)."""
    free, n = list(study.train.free), states.shape[1]
    found = {}
    half = len(free)
    for name, part, words in (
        (FINAL_STATE, states[:half], "deviations of the rotors from steady rolling at the end [rad or m]"),
        (FINAL_RATE, states[half:], "their rates [rad/s or m/s]"),
    ):
        full = np.zeros((n, len(study.train.rotors)))
        full[:, free] = part.T
        found[name] = StudyVariable(full, "", ("rotor",), words)
    return found


def lane_reasons(status: np.ndarray) -> dict[int, str]:
    """Reasons of the first points without valid values."""
    return {int(i): REASONS[int(status[i])] for i in np.flatnonzero(status)[:MOST_REASONS]}


def table_warnings(mesh: str, share: np.ndarray) -> list[str]:
    """Warning for points whose force leaves the table of loaded teeth."""
    beyond = share > 1.0
    if not np.any(beyond):
        return []
    return [
        f'at {int(np.count_nonzero(beyond))} of {share.size} points the force of gear pair "{mesh}" is up to '
        f"{np.nanmax(share):.2g} times the largest load of its table, which is extrapolated linearly. Add larger loads to the table"
    ]


def run_warnings(
    study: LaneStudy, status: np.ndarray, steps: np.ndarray, coarse: np.ndarray, *, interrupted: bool
) -> list[str]:
    """Warnings of a run."""
    found = study.warnings(steps)
    if np.any(coarse):
        found.append(
            f"at {int(np.count_nonzero(coarse))} of {coarse.size} points the teeth touched and parted several times within one "
            "step, which is less accurate there. Use more steps"
        )
    for code, words in REASONS.items():
        count = int(np.count_nonzero(status == code))
        if count:
            found.append(f"{count} of {status.size} points have no valid values: {words}")
    if interrupted:
        found.append("the run was interrupted from the keyboard")
    return found


DIRECTION = "direction"
UP, DOWN = "up", "down"
FAR_ABOVE = 8.0
"""Change of a reduction, relative to the median change of its lane, that may be a jump."""
NOTICEABLE = 0.02
"""Least change of a jump, relative to the range of the reduction in its lane."""
RETURNED = 0.5
"""Part of the change that must remain after the step was taken back."""
STILL_RETURNING = 0.95
"""Decrease of the distance from the first motion, from one run to the next, of a lane that has not settled yet."""
MOST_RETURNS = 40
"""Most runs in which a lane may return."""
UNSETTLED = 0.1
"""Change of the first motion, relative to the jump, if it is continued: a larger one is not settled, or chaotic."""
MOST_KEPT = 2e9
"""Largest size of the states that are kept for the test of jumps [bytes]."""


@dataclass(frozen=True)
class Jump:
    """Jump of a lane between two values of the swept parameter.

    direction : "up" (in the order of the values) or "down". lane : index of the lane. before, after : values of the parameter
    before and after the jump. low, high : reduction before and after it.
    """

    direction: str
    lane: int
    before: float
    after: float
    low: float
    high: float


@names_wrong_arguments
@dataclass(frozen=True, eq=False, repr=False)
class BatchSweep(BatchResult):
    """Result of `Batch.sweep`: a `BatchResult` over the direction, the swept parameter and the lanes.

    Attributes
    ----------
    swept : str
        Name of the parameter.
    jumps : tuple of Jump
        Jumps of the first reduction: its change is far above those of the other steps, and the lane does not return to its motion
        when the step is taken back.
    """

    swept: str = ""
    jumps: tuple[Jump, ...] = field(default=())

    def hysteresis(self, name: str | None = None) -> np.ndarray:
        """Values on the way up less those on the way down, over the swept parameter and the lanes.

        name : of a reduction. Default: the first one.
        """
        if DIRECTION not in self.dims:
            raise ModelError('the sweep has one direction. Use then="down"')
        values = self[next(iter(self.variables)) if name is None else name]
        return np.asarray(values[0] - values[1])


def run_sweep(
    study: LaneStudy, runs: LaneRuns, name: str, then: str | None, settle: int, record: int, steps: Any, source: Source,
    facts: Mapping[str, Any],
) -> BatchSweep:  # fmt: skip
    """Run a sweep. The first dimension of the points is the swept parameter."""
    return _Sweep(study, runs, name, then, settle, record, steps).result(source, facts)


class _Sweep:
    def __init__(
        self, study: LaneStudy, runs: LaneRuns, name: str, then: str | None, settle: int, record: int, steps: Any
    ) -> None:
        self.study, self.runs, self.name, self.settle, self.record = study, runs, name, settle, record
        self.values = study.points.axes[name].values
        self.count = len(self.values)
        self.lanes = len(study.points) // self.count
        self.ways = [UP] if then is None else [UP, DOWN]
        self._differs: dict[str, bool] = {}
        self.unsettled = 0
        """Number of jumps from a motion that was still changing."""
        if study.train.acceleration:
            raise ModelError("sweep: the model has a ramp of its speed. Specify a later time=, or use run")
        self.steps = study.steps(steps, runs.reductions)
        study.check(settle + record)
        size = 8.0 * 2 * len(study.train.free) * len(study.points) * len(self.ways)
        if size > MOST_KEPT:
            raise ModelError(
                f"sweep: the states of {len(study.points)} points fill {size / 1e9:.1f} GB. Use fewer lanes or values at a time"
            )

    def _part(self, k: int, lanes: np.ndarray | None = None) -> tuple[LaneTrain, np.ndarray]:
        """Train and steps of the lanes at value k."""
        places = np.arange(k * self.lanes, (k + 1) * self.lanes)
        if lanes is not None:
            places = places[lanes]
        values: dict[str, float | np.ndarray] = {}
        for key, value in self.study.train.values.items():
            array = np.asarray(value)
            if array.size < 2:
                values[key] = float(array.ravel()[0])
            elif self._between_lanes(key):
                values[key] = array[places]
            else:  # the same for all lanes: as one number, so that the kernel is the same for all values
                values[key] = float(array[places[0]])
        return replace(self.study.train, values=values), self.steps[places]

    def _between_lanes(self, key: str) -> bool:
        if key not in self._differs:
            value = np.asarray(self.study.train.values[key])
            self._differs[key] = bool(value.size > 1 and np.any(np.ptp(value.reshape(self.count, self.lanes), axis=1)))
        return self._differs[key]

    def _carry(self) -> None:
        """All values, there and back."""
        names, free = self.runs.reductions.names, 2 * len(self.study.train.free)
        shape = (len(self.ways), self.count, self.lanes)
        self.found = {name: np.full(shape, np.nan) for name in names}
        self.status = np.full(shape, NOT_COMPUTED, np.int8)
        self.closure, self.coarse = np.full(shape, np.nan), np.zeros(shape, bool)
        self.states = np.full((len(self.ways), self.count, free, self.lanes), np.nan)
        self.beyond: dict[str, np.ndarray] = {}
        self.cycles = 0
        self.interrupted = False
        state = equilibrium(LaneArrays(self._part(0)[0]), self.lanes)
        total = len(self.ways) * self.count
        with stage(f'sweep of "{self.study.train.name}", {self.count} values, {self.lanes} lanes', float(total)) as now:
            limit(now)
            for way in range(len(self.ways)):
                for step in range(self.count):
                    k = step if way == 0 else self.count - 1 - step
                    if not self._one(way, k, state):
                        return
                    state = self._alive(self.states[way, k], state)
                    now.done(way * self.count + step + 1, f"{self.name} = {self.values[k]:g}")

    def _one(self, way: int, k: int, state: np.ndarray) -> bool:
        train, steps = self._part(k)
        found = self.runs.run(train, state, steps, settle=self.settle, record=self.record, first_cycle=self.cycles)
        self.interrupted = found.interrupted
        self.cycles += self.settle + self.record
        for name, values in found.values.items():
            self.found[name][way, k] = values
        self.status[way, k], self.closure[way, k], self.states[way, k] = found.status, found.closure, found.states
        self.coarse[way, k] = found.coarse
        for name, share in found.beyond.items():
            self.beyond.setdefault(name, np.zeros(self.status.shape))[way, k] = share
        return not found.interrupted

    @staticmethod
    def _alive(new: np.ndarray, old: np.ndarray) -> np.ndarray:
        """Lanes that diverged continue from their last finite state."""
        return np.where(np.isfinite(new).all(axis=0), new, old)

    # ---- jumps

    def _jumps(self) -> list[Jump]:
        name = self.runs.reductions.names[0]
        found: list[Jump] = []
        for way, direction in enumerate(self.ways):
            order = np.arange(self.count) if way == 0 else np.arange(self.count)[::-1]
            values = self.found[name][way, order]
            change = np.abs(np.diff(values, axis=0))
            with np.errstate(all="ignore"):
                usual = np.nanmedian(change, axis=0)
                spread = np.nanmax(values, axis=0) - np.nanmin(values, axis=0)
                large = (change > FAR_ABOVE * usual) & (change > NOTICEABLE * spread) & np.isfinite(change)
            for step in np.flatnonzero(large.any(axis=1)):
                lanes = np.flatnonzero(large[step])
                k, k_next = int(order[step]), int(order[step + 1])
                stays = self._stays(way, k, k_next, lanes, values[step, lanes], RETURNED * change[step, lanes])
                self.unsettled += self._drifting(way, k, lanes[stays], values[step], UNSETTLED * change[step])
                found += [
                    Jump(
                        direction, int(lane), float(self.values[k]), float(self.values[k_next]), float(values[step, lane]),
                        float(values[step + 1, lane]),
                    )
                    for lane in lanes[stays]
                ]  # fmt: skip
        return found

    def _stays(
        self, way: int, k: int, k_next: int, lanes: np.ndarray, before: np.ndarray, limit: np.ndarray
    ) -> np.ndarray:
        """Lanes that do not return to the reduction `before` of value k when the step to k_next is taken back.

        A lane that comes closer has not settled yet, and goes on.
        """
        train, steps = self._part(k, lanes)
        state, cycles = self.states[way, k_next][:, lanes], self.cycles
        away = np.full(len(lanes), np.inf)
        open_lanes = np.ones(len(lanes), bool)
        for _ in range(MOST_RETURNS):
            found = self.runs.run(
                train, state, steps, settle=self.settle, record=self.record, first_cycle=cycles
            )  # fmt: skip
            now = np.abs(found.values[self.runs.reductions.names[0]] - before)
            closer = now < STILL_RETURNING * away
            away = np.where(open_lanes, now, away)
            open_lanes &= closer & (now > limit)
            if found.interrupted or not np.any(open_lanes):
                break
            state, cycles = self._alive(found.states, state), cycles + self.settle + self.record
        return np.asarray(away > limit)

    def _drifting(self, way: int, k: int, lanes: np.ndarray, before: np.ndarray, limit: np.ndarray) -> int:
        """Number of lanes whose reduction changes at value k if they stay there longer."""
        if not len(lanes):
            return 0
        train, steps = self._part(k, lanes)
        state = self.states[way, k][:, lanes]
        found = self.runs.run(train, state, steps, settle=self.settle, record=self.record, first_cycle=self.cycles)
        now = found.values[self.runs.reductions.names[0]]
        return int(np.count_nonzero(np.abs(now - before[lanes]) > limit[lanes]))

    # ---- result

    def result(self, source: Source, facts: Mapping[str, Any]) -> BatchSweep:
        began = clock.perf_counter()
        self._carry()
        jumps = [] if self.interrupted else self._jumps()
        points = self._points()
        variables = {name: StudyVariable(v.ravel(), self.runs.reductions.units[name]) for name, v in self.found.items()}
        variables["closure"] = StudyVariable(
            self.closure.ravel(), "", (), "largest change of a state in the last cycle"
        )
        states = np.moveaxis(self.states, 2, 0).reshape(self.states.shape[2], -1)
        variables |= final_states(self.study, states)
        status = self.status.ravel()
        facts = {
            **facts, "settle": self.settle, "record": self.record, "cycles": self.cycles, "seconds": clock.perf_counter() - began,
            "rotors": [rotor.name for rotor in self.study.train.rotors], "swept": self.name,
            "jumps": [[j.direction, j.lane, j.before, j.after, j.low, j.high] for j in jumps],
        }  # fmt: skip
        warnings = run_warnings(self.study, status, self.steps, self.coarse.ravel(), interrupted=self.interrupted)
        warnings += [text for mesh, share in self.beyond.items() for text in table_warnings(mesh, share)]
        if self.unsettled:
            warnings.append(
                f"before {self.unsettled} of {len(jumps)} jumps the motion had not settled after {self.settle} cycles, or is not "
                "periodic. They may be no jumps. Use a larger settle"
            )
        return BatchSweep(
            self.study.train.name, points, variables, status, lane_reasons(status), BATCH_STATUS, study="batch sweep",
            warnings=tuple(warnings), facts=facts, source=source, swept=self.name, jumps=tuple(jumps),
        )  # fmt: skip

    def _points(self) -> Points:
        points = self.study.points
        if len(self.ways) == 1:
            return points
        axis = ParameterValues(np.array(self.ways, dtype=object))
        return Points(
            ((DIRECTION, 2), *points.dims),
            {DIRECTION: axis, **points.axes},
            {DIRECTION: DIRECTION, **points.along},
            points.design,
        )
