"""LaneKernel: runs many lanes of a train over whole base cycles, and reduces their signals."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from ....errors import ModelError
from ....progress import stage
from ..lane_train import LaneTrain
from .compiled_text import compiled, load
from .kernel_text import KernelText
from .lane_frame import LaneFrame
from .lane_result import LaneResult, reduced
from .phase_table import PhaseTable
from .phase_text import NEAR, TURN
from .signal_text import LaneSignal
from .vector_frame import WIDTH, VectorFrame

__all__ = ["LaneKernel"]

VECTORS, SCALARS, LOOPED = "vectors", "scalars", "looped"
_STEPS_PER_TASK = 2e7
"""Steps of a lane in one call of compiled code: about 0.1 s for a pair, so that a run shows progress and can be interrupted."""


class LaneKernel:
    """Compiled equations of a train for many lanes.

    train : with its numbers, each one number or one for each lane.
    signals : reduced over the recorded cycles. poincare : ("rotor" or "mesh", index) whose coordinate and rate are kept.
    lanes : their number, if no number of the train varies. phase : "near", or "state" for a reference (`phase_text`).
    threads : of the CPU; None for all processors.
    """

    def __init__(
        self,
        train: LaneTrain,
        signals: Sequence[LaneSignal] = (),
        poincare: Sequence[tuple[str, int]] = (),
        *,
        lanes: int | None = None,
        losses: bool = True,
        phase: str = NEAR,
        cut: bool = True,
        threads: int | None = None,
        device: str = VECTORS,
    ) -> None:
        self.train, self.signals, self.poincare = train, tuple(signals), tuple(poincare)
        self._options: dict[str, Any] = {"losses": losses, "phase": phase, "cut": cut, "device": device}
        self.threads = threads or processors()
        self._text = KernelText(train, self.signals, self.poincare, lanes=lanes, losses=losses, phase=phase, cut=cut)
        frame = VectorFrame(self._text) if device == VECTORS else LaneFrame(self._text, looped=device != SCALARS)
        self.source = frame.text()
        self._rows = len(frame.rows) if isinstance(frame, VectorFrame) else 1
        numbers = self._text.force.numbers
        self.lanes = numbers.lanes
        self._padded = -(-self.lanes // WIDTH) * WIDTH
        self._uniform, self._varying = numbers.vector(), self._pad(numbers.rows())
        self._tables = self._text.force.tables.vector()
        self._phase_tables: dict[int, PhaseTable] = {}

    def with_values(self, values: Mapping[str, float | np.ndarray]) -> LaneKernel:
        """The same kernel with other numbers; names that are not given keep theirs."""
        train = replace(self.train, values={**self.train.values, **values})
        lanes = None if any(np.ndim(value) for value in train.values.values()) else self.lanes
        return LaneKernel(train, self.signals, self.poincare, lanes=lanes, threads=self.threads, **self._options)

    @property
    def free(self) -> tuple[int, ...]:
        """Rotors whose deviations are the state: rows of the states are x of these, then x'."""
        return self.train.free

    def compile(self) -> None:
        """Compile, or load the compiled code."""
        load(compiled(self.source))

    def run(
        self,
        states: np.ndarray,
        *,
        settle: int,
        record: int,
        steps: int,
        points: int = 0,
        first_cycle: int = 0,
    ) -> LaneResult:
        """Run all lanes from `states` (2 free, lanes), which are not changed.

        settle, record : base cycles before and during the reductions. steps : of one base cycle. points : Poincaré samples at the
        ends of the last cycles. first_cycle : number of the first base cycle; phases and ramps continue from there.
        """
        self._check(states, settle, record, steps, points)
        S = self._pad(np.array(states, float))
        O = S.copy()
        R = np.zeros((max(len(self._text.kept), 1), self._padded))
        for row, name in zip(R, self._text.kept, strict=False):
            row[:] = float(self._text.signals.first(name))
        coordinates = 2 * len(self.poincare)
        D = np.full((max(points * coordinates, 1), self._padded), np.nan)
        total = settle + record
        with stage(f'batch "{self.train.name}", {self.lanes} lanes', float(max(total, 1))) as now:
            for first, cycles, keep in self._launches(settle, record, steps):
                self._launch(S, O, R, D, first_cycle, first, cycles, keep, steps, total - points)
                now.done(first + cycles)
        lanes = self.lanes
        D = D[: points * coordinates].reshape(points, coordinates, self._padded)[..., :lanes]
        sums = dict(zip(self._text.kept, R[:, :lanes], strict=False))
        return reduced(self._text, sums, S[:, :lanes].copy(), O[:, :lanes], D.copy(), total, record * steps)

    def _launches(self, settle: int, record: int, steps: int) -> list[tuple[int, int, bool]]:
        """(first cycle, cycles, whether they are recorded)."""
        most = self._phase_table(steps).most or settle + record
        most = max(min(most, int(_STEPS_PER_TASK * self.threads / (self._padded * steps))), 1)
        out, at = [], 0
        for cycles, keep in ((settle, False), (record, True)):
            end = at + cycles
            while at < end:
                part = min(most, end - at)
                out.append((at, part, keep))
                at += part
        return out

    def _launch(
        self, S: np.ndarray, O: np.ndarray, R: np.ndarray, D: np.ndarray,
        origin: int, first: int, cycles: int, keep: bool, steps: int, first_point: int,
    ) -> None:  # fmt: skip
        table, start, end = self._phase_table(steps).of(origin + first, cycles)
        whole = np.array([cycles, steps, keep, origin + first, start, end, first_point - first], np.int64)
        angles = np.array([TURN, TURN / steps, 0.5 * TURN / steps])
        run, harmonics = compiled(self.source), self._harmonics(steps)

        def task(blocks: tuple[int, int]) -> None:
            Z, N = np.zeros(self._rows * WIDTH), np.zeros(WIDTH, np.int64)
            run(*blocks, whole, angles, S, O, R, D, self._varying, self._uniform, table, harmonics, self._tables, Z, N)

        count = self._padded // WIDTH
        threads = min(self.threads, count)
        if threads == 1:
            task((0, self._padded))
            return
        ends = [WIDTH * (count * n // (4 * threads)) for n in range(4 * threads + 1)]
        parts = [(a, b) for a, b in itertools.pairwise(ends) if b > a]
        task((0, 0))  # one thread loads the code
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(task, parts))

    def _phase_table(self, steps: int) -> PhaseTable:
        if steps not in self._phase_tables:
            self._phase_tables[steps] = PhaseTable(self._text.force.phases, steps)
        return self._phase_tables[steps]

    def _harmonics(self, steps: int) -> np.ndarray:
        """Cosine and sine of multiples of the base cycle at its steps."""
        orders = np.array(self._text.signals.orders, np.int64)
        turns = np.multiply.outer(np.arange(steps), orders) % steps / steps
        table = np.stack([np.cos(TURN * turns), np.sin(TURN * turns)], axis=2)
        return np.append(table.ravel(), 0.0)

    def _pad(self, rows: np.ndarray) -> np.ndarray:
        """Rows with copies of the last lane up to a whole number of blocks."""
        at = np.minimum(np.arange(self._padded), self.lanes - 1)
        return np.ascontiguousarray(rows[:, at])

    def _check(self, states: np.ndarray, settle: int, record: int, steps: int, points: int) -> None:
        name = f'batch "{self.train.name}"'
        expected = (2 * len(self.free), self.lanes)
        if np.shape(states) != expected:
            raise ModelError(f"{name}: expected states of shape {expected}, got {np.shape(states)}")
        if settle < 0 or record < 0 or steps < 1:
            raise ModelError(f"{name}: settle, record and steps must not be negative, got {settle}, {record}, {steps}")
        if not 0 <= points <= settle + record:
            raise ModelError(f"{name}: {points} points, but there are {settle + record} cycles")
        highest = max(self._text.signals.orders, default=0)
        if 2 * highest >= steps and record:
            raise ModelError(
                f"{name}: order {highest} needs more than {2 * highest} steps in a cycle, got {steps}; increase steps"
            )


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
