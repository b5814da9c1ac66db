"""LaneKernel: runs many lanes of a train over whole base cycles, and reduces their signals."""

from __future__ import annotations

import enum
import itertools
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pitchline.base.budget import limit
from pitchline.base.progress.display import Stage, stage
from pitchline.errors import ModelError, near_names
from pitchline.parts.meshes.kernel_engagement import CLEARLY

from ..lane_train import LaneTrain
from .kernel_text import KernelText, LaneFrame, VectorFrame, width_for
from .phase_text import NEAR, TURN, Launch, PhaseTable, launches
from .small_text import MESH, TURNED, LaneSignal, compiled, cuda_kernel, load, usable_cuda

__all__ = [
    "cuda_lanes",
    "lanes_in_memory",
    "LaneResult",
    "LaneStatus",
    "SignalReductions",
    "reduced",
    "CPU",
    "CUDA",
    "LOOPED",
    "SCALARS",
    "LaneKernel",
]


# ---- cuda lanes

# Runs of a kernel on a GPU: lanes in parts that fit into its memory, each part for all its cycles.

THREADS = 128
"""Threads of a block."""
SHARE = 0.8
"""Fraction of the free memory of the GPU that is used."""


def lanes_in_memory(free: float, rows: int) -> int:
    """Lanes with so many rows of numbers that fit into the free memory [bytes]: whole blocks, at least one."""
    return max(int(min(SHARE * free, 1e15) / (8 * rows)) // THREADS, 1) * THREADS


def cuda_lanes(
    text: str,
    uniform: np.ndarray,
    varying: np.ndarray,
    arrays: Sequence[np.ndarray],
    fixed: Sequence[np.ndarray],
    launches: Callable[[int], Sequence[Launch]],
    report: Callable[[float], None],
) -> None:
    """Run all lanes. arrays: rows of numbers of each lane, changed in place. fixed: tables other than that of the phases.
    launches: of so many lanes, one after the other. report: called with the fraction that is done."""
    cuda = usable_cuda()
    kernel = cuda_kernel(text)
    lanes = varying.shape[1]
    rows = sum(len(array) for array in (*arrays, varying))
    most = lanes_in_memory(cuda.current_context().get_memory_info()[0], rows)
    numbers = tuple(float(value) for value in uniform) or (0.0,)
    tables = [cuda.to_device(table) for table in fixed]
    for first in range(0, lanes, most):
        part = slice(first, min(first + most, lanes))
        here = [np.ascontiguousarray(array[:, part]) for array in (*arrays, varying)]
        there = [cuda.to_device(array) for array in here]
        count = here[0].shape[1]
        plan, table = launches(count), None
        for n, launch in enumerate(plan):
            if table is None or launch.table is not table[0]:
                table = (launch.table, cuda.to_device(launch.table))
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*under-utilization")  # a few lanes cannot fill a GPU
                kernel[-(-count // THREADS), THREADS](launch.whole, launch.angles, *there, numbers, table[1], *tables)
            cuda.synchronize()
            report((first + count * (n + 1) / len(plan)) / lanes)
        for array, found in zip(arrays, there, strict=False):
            array[:, part] = found.copy_to_host()


# ---- lane result

# LaneResult: what a run of a kernel returns, for each lane.


class LaneStatus(enum.IntEnum):
    """What became of a lane.

    FINE. BLOWN_UP: a number is not finite; use more steps. STOPPED: a ramp reached speed zero. MANY_CHANGES: the teeth came into
    contact and left it so often in one step that its last part was not cut; use more steps.
    """

    FINE = 0
    BLOWN_UP = 1
    STOPPED = 2
    MANY_CHANGES = 3


@dataclass(frozen=True)
class SignalReductions:
    """Reductions of a signal, (lanes,); None if not requested. A lane that did not reach the end has nan.

    amplitudes, phases : (orders, lanes); the signal has the parts amplitude cos(order θ + phase).
    """

    signal: LaneSignal
    min: np.ndarray | None
    max: np.ndarray | None
    mean: np.ndarray | None
    rms: np.ndarray | None
    amplitudes: np.ndarray
    phases: np.ndarray

    @property
    def peak_to_peak(self) -> np.ndarray | None:
        return None if self.min is None or self.max is None else self.max - self.min


@dataclass(frozen=True)
class LaneResult:
    """Results of a run.

    states : (2 free, lanes) at the end: x, then x'. before : the same one base cycle earlier.
    signals : reductions, in the order of the signals of the kernel.
    contact_loss : (meshes, lanes), fraction of the recorded time without contact.
    points : (points, 2 × number of points of a sample, lanes): coordinate and rate at the ends of the last cycles.
    closure : (lanes,) largest change of a state in the last cycle; rates divided by ω.
    status : (lanes,) `LaneStatus`. cycles : (lanes,) base cycles that were run.
    """

    states: np.ndarray
    before: np.ndarray
    signals: tuple[SignalReductions, ...]
    contact_loss: np.ndarray
    points: np.ndarray
    closure: np.ndarray
    status: np.ndarray
    cycles: np.ndarray


def reduced(
    text: KernelText,
    sums: Mapping[str, np.ndarray],
    states: np.ndarray,
    before: np.ndarray,
    points: np.ndarray,
    cycles: int,
    samples: int,
) -> LaneResult:
    """Results from the sums of a kernel."""
    lanes = states.shape[1]
    status = np.full(lanes, LaneStatus.FINE, np.int8)
    done = np.full(lanes, cycles)
    if "cycles_done" in sums:
        done = sums["cycles_done"].astype(int)
        status[done < cycles] = LaneStatus.STOPPED
    if "missed_" in sums:
        status[sums["missed_"] > 0.0] = LaneStatus.MANY_CHANGES
    status[~np.isfinite(states).all(axis=0)] = LaneStatus.BLOWN_UP
    wrong = (status == LaneStatus.BLOWN_UP) | (status == LaneStatus.STOPPED)
    with np.errstate(all="ignore"):
        signals = [_reductions(n, signal, sums, samples, wrong) for n, signal in enumerate(text.signals.signals)]
        signals = [_on_loaded_flank(text, one, signals) for one in signals[: text.signals.requested]]
        loss = np.zeros((len(text.force.meshes), lanes))
        for k in text.signals.lost:
            loss[k] = _blank(sums[f"lost{k}_"] / samples if samples else np.full(lanes, np.nan), wrong)
        omega = np.broadcast_to(text.force.numbers.of(text.train.omega), (lanes,))
        half = len(states) // 2
        change = np.abs(states - before)
        change[half:] /= omega
        closure = _blank(change.max(axis=0, initial=0.0), wrong)
    return LaneResult(states, before, tuple(signals), loss, points, closure, status, done)


def _reductions(
    n: int, signal: LaneSignal, sums: Mapping[str, np.ndarray], samples: int, wrong: np.ndarray
) -> SignalReductions:
    def of(name: str, scale: float = 1.0) -> np.ndarray:
        return _blank(scale * sums[name], wrong) if samples else np.full(wrong.size, np.nan)

    per = 1.0 / samples if samples else 0.0
    twice = [(of(f"cos{n}_{h}", 2 * per), of(f"sin{n}_{h}", 2 * per)) for h in signal.orders]
    empty = np.zeros((0, wrong.size))
    return SignalReductions(
        signal,
        min=of(f"low{n}_") if signal.extremes else None,
        max=of(f"high{n}_") if signal.extremes else None,
        mean=of(f"mean{n}_", per) if signal.mean else None,
        rms=np.sqrt(of(f"square{n}_", per)) if signal.rms else None,
        amplitudes=np.array([np.hypot(c, s) for c, s in twice]) if twice else empty,
        phases=np.array([np.arctan2(-s, c) for c, s in twice]) if twice else empty,
    )


def _on_loaded_flank(text: KernelText, one: SignalReductions, every: list[SignalReductions]) -> SignalReductions:
    """Without backlash all samples refer to the flank that is loaded on average, as in `parts.meshes.kernel_engagement`."""
    signal = one.signal
    if signal.kind != MESH or signal.name not in TURNED:
        return one
    force = [s for s in every[text.signals.requested :] if s.signal.index == signal.index]
    if not force:
        return one
    low, high, mean = force[0].min, force[0].max, force[0].mean
    assert low is not None and high is not None and mean is not None
    backlash = np.broadcast_to(text.force.numbers.of(text.train.meshes[signal.index].backlash), mean.shape)
    coast = (backlash <= 0.0) & (mean < -CLEARLY * np.maximum(np.abs(low), np.abs(high)))
    sign = np.where(coast, -1.0, 1.0)
    phases = np.where(coast, one.phases + np.where(one.phases > 0.0, -np.pi, np.pi), one.phases)
    turned = replace(one, mean=None if one.mean is None else sign * one.mean, phases=phases)
    if one.min is None or one.max is None:
        return turned
    return replace(turned, min=np.where(coast, -one.max, one.min), max=np.where(coast, -one.min, one.max))


def _blank(values: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """A lane that was not run to its end has no reductions."""
    return np.where(wrong, np.nan, values)


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
    phase : "near", or "state" for a reference (`phase_text`). cut : whether steps are cut where teeth touch or part (`CutText`).
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
            pass

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
