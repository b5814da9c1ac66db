"""LaneKernel: runs many lanes of a train over whole base cycles, and reduces their signals."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from ....budget import limit
from ....errors import ModelError, near_names
from ....progress import Stage, stage
from ..lane_train import LaneTrain
from .compiled_text import compiled, load
from .kernel_text import KernelText
from .lane_frame import LaneFrame
from .lane_result import LaneResult, reduced
from .lane_signal import LaneSignal
from .launch import Launch, launches
from .phase_table import PhaseTable
from .phase_text import NEAR, TURN
from .vector_frame import VectorFrame, width_for

__all__ = ["CPU", "CUDA", "LOOPED", "SCALARS", "LaneKernel"]

CPU, CUDA = "cpu", "cuda"
SCALARS, LOOPED = "scalars", "looped"
"""Lane after lane on the CPU, for tests: the text for CUDA with written out stages, and the same with a loop."""
DEVICES = (CPU, CUDA, SCALARS, LOOPED)
_CPU_STEPS, _CUDA_STEPS = 2e7, 2e10
"""Steps of a lane in one launch, for a thread or a GPU: about 0.1 s for a pair, so that a run shows progress and can be stopped."""


class LaneKernel:
    """Compiled equations of a train for many lanes.

    train : with its numbers, each one number or one for each lane.
    signals : reduced over the recorded cycles. poincare : ("rotor" or "mesh", index) whose coordinate and rate are kept.
    lanes : their number, if no number of the train varies. losses : whether the time without contact is summed.
    phase : "near", or "state" for a reference (`phase_text`). cut : whether steps are cut where teeth touch or part (`cut_text`).
    device : "cpu" or "cuda". threads : of the CPU; None for all processors.
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
        device: str = CPU,
        threads: int | None = None,
    ) -> None:
        if device not in DEVICES:
            raise ModelError(f'batch "{train.name}": unknown device "{device}"; {near_names(device, DEVICES)}')
        if threads is not None and threads < 1:
            raise ModelError(f'batch "{train.name}": threads must be at least 1, got {threads}')
        self.train, self.signals, self.poincare, self.device = train, tuple(signals), tuple(poincare), device
        self._options: dict[str, Any] = {"losses": losses, "phase": phase, "cut": cut}
        self.threads = threads or processors()
        self._text = KernelText(train, self.signals, self.poincare, lanes=lanes, **self._options)
        numbers = self._text.force.numbers
        self.lanes = numbers.lanes
        self._width, self._rows = 1, 1
        if device == CPU:
            self._width = width_for(self.lanes)
            vectors = VectorFrame(self._text, self._width)
            self.source, self._rows = vectors.text(), len(vectors.rows)
        else:
            frame = LaneFrame(self._text, looped=device != SCALARS)
            self.source = frame.cuda_text() if device == CUDA else frame.text()
        self._padded = -(-self.lanes // self._width) * self._width
        self._uniform, self._varying = numbers.vector(), self._pad(numbers.rows())
        self._tables = self._text.force.tables.vector()
        self._phase_tables: dict[int, PhaseTable] = {}

    def with_values(self, values: Mapping[str, float | np.ndarray]) -> LaneKernel:
        """The same kernel with other numbers; names that are not given keep theirs."""
        train = replace(self.train, values={**self.train.values, **values})
        lanes = None if any(np.ndim(value) for value in train.values.values()) else self.lanes
        more: dict[str, Any] = {"lanes": lanes, "device": self.device, "threads": self.threads}
        return LaneKernel(train, self.signals, self.poincare, **more, **self._options)

    @property
    def free(self) -> tuple[int, ...]:
        """Rotors whose deviations are the state: rows of the states are x of these, then x'."""
        return self.train.free

    def compile(self) -> None:
        """Compile, or load the compiled code. (CUDA compiles at the first run.)"""
        if self.device != CUDA:
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
        arrays = self.arrays(states, points)
        counts = {"settle": settle, "record": record, "steps": steps, "points": points, "first_cycle": first_cycle}
        with stage(f'batch "{self.train.name}", {self.lanes} lanes', 1.0) as now:
            limit(now)
            if settle + record:
                self._launched(arrays, counts, now)
        S, O, R, D = (array[:, : self.lanes].copy() for array in arrays)
        coordinates = 2 * len(self.poincare)
        D = D[: points * coordinates].reshape(points, coordinates, self.lanes)
        sums = dict(zip(self._text.kept, R, strict=False))
        return reduced(self._text, sums, S, O, D, settle + record, record * steps)

    def arrays(self, states: np.ndarray, points: int = 0) -> list[np.ndarray]:
        """What a kernel changes, with a column for each lane: states, states one cycle before the end, sums, Poincaré samples."""
        S = self._pad(np.array(states, float))
        R = np.zeros((max(len(self._text.kept), 1), self._padded))
        for row, value in zip(R, self._text.kept.values(), strict=False):
            row[:] = float(value)
        D = np.full((max(2 * points * len(self.poincare), 1), self._padded), np.nan)
        return [S, S.copy(), R, D]

    def _launched(self, arrays: list[np.ndarray], counts: dict[str, int], now: Stage) -> None:
        """Run all launches on the device."""
        steps = counts["steps"]
        if steps not in self._phase_tables:
            self._phase_tables[steps] = PhaseTable(self._text.force.phases, steps)
        phases, harmonics = self._phase_tables[steps], self._harmonics(steps)

        def plan(lanes: int, size: float) -> list[Launch]:
            return launches(phases, most=int(size / (lanes * steps)), **counts)

        if self.device == CUDA:
            from .cuda_lanes import cuda_lanes

            fixed = [harmonics, self._tables]
            cuda_lanes(
                self.source, self._uniform, self._varying, arrays, fixed, lambda n: plan(n, _CUDA_STEPS), now.done
            )
            return
        parts = plan(self._padded, _CPU_STEPS * self.threads)
        for n, launch in enumerate(parts):
            self._launch(launch, arrays, harmonics)
            now.done((n + 1) / len(parts))

    def _launch(self, launch: Launch, arrays: list[np.ndarray], harmonics: np.ndarray) -> None:
        """One launch on the CPU, in threads: compiled code does not hold Python's lock."""
        width = self._width
        run, whole, angles = compiled(self.source), np.array(launch.whole, np.int64), np.array(launch.angles)

        def task(lanes: tuple[int, int]) -> None:
            Z, N = np.zeros(self._rows * width), np.zeros(width, np.int64)
            run(
                *lanes,
                whole,
                angles,
                *arrays,
                self._varying,
                self._uniform,
                launch.table,
                harmonics,
                self._tables,
                Z,
                N,
            )

        count = self._padded // width
        threads = min(self.threads, count)
        if threads == 1:
            task((0, self._padded))
            return
        load(run)
        ends = [width * (count * n // (4 * threads)) for n in range(4 * threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(task, [(a, b) for a, b in itertools.pairwise(ends) if b > a]))

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
            raise ModelError(
                f"{name}: settle and record must not be negative and steps must be positive, got settle={settle}, "
                f"record={record}, steps={steps}"
            )
        if not 0 <= points <= settle + record:
            raise ModelError(f"{name}: {points} points were requested, but there are {settle + record} cycles")
        highest = max(self._text.signals.orders, default=0)
        if 2 * highest >= steps and record:
            raise ModelError(
                f"{name}: order {highest} needs more than {2 * highest} steps in a cycle, got {steps}; increase steps"
            )


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
