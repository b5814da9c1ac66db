"""Speed of the kernels of batches on this CPU: RK4 in vectors, plain and with steps cut where teeth touch and part.

One step is one step of one lane. The time is that of the process, the best of several runs. The error of plain and of cut steps is
the largest of the states after some cycles, median over the lanes, against cut steps of a sixteenth of the length. From it follows
how many plain steps have the error of cut steps, and from this the speed of cut steps in such plain steps.

    python bench/batch_speed.py
"""

from __future__ import annotations

import time

import numpy as np
from batch_cases import SIGNALS, spread

from pitchline.studies.batch.kernels.lane_kernel import LaneKernel, processors
from pitchline.studies.batch.lane_train import LaneTrain

CASES = {
    "pair": (4096, 100, 100),
    "rattling pair": (4096, 100, 100),
    "planetary": (1024, 40, 100),
    "planetary ": (1024, 10, 400),
}
"""Lanes, cycles, and steps of a cycle."""


def kernel(train: LaneTrain, cut: bool, threads: int = 1) -> LaneKernel:
    made = LaneKernel(train, SIGNALS, cut=cut, threads=threads)
    made.compile()
    return made


def rate(one: LaneKernel, start: np.ndarray, cycles: int, steps: int, repeats: int) -> float:
    """Steps per second."""
    times = []
    for _ in range(repeats):
        wall, own = time.perf_counter(), time.process_time()
        one.run(start, settle=cycles // 2, record=cycles - cycles // 2, steps=steps)
        times.append((time.process_time() - own) if one.threads == 1 else time.perf_counter() - wall)
    return one.lanes * cycles * steps / min(times)


def error(one: LaneKernel, start: np.ndarray, steps: int, exact: np.ndarray) -> float:
    """Largest error of a state after CYCLES, over the range of this state; median over the lanes."""
    found = one.run(start, settle=CYCLES, record=0, steps=steps).states
    return float(np.median(np.max(np.abs(found - exact) / np.ptp(exact, axis=1, keepdims=True), axis=0)))


CYCLES = 3


def equal_steps(plain: LaneKernel, start: np.ndarray, first: int, goal: float, exact: np.ndarray) -> float:
    """Plain steps of a cycle with this error, between powers of two."""
    steps, last = first, error(plain, start, first, exact)
    while steps < 64 * first:
        if last <= goal:
            return float(steps)
        now = error(plain, start, 2 * steps, exact)
        if now <= goal < last:
            return steps * 2.0 ** (np.log(last / goal) / np.log(last / now))
        steps, last = 2 * steps, now
    return float(steps)


def bench(repeats: int = 5) -> None:
    """Print the table."""
    print("\nBatches, RK4, one signal with one order; million steps/s")
    columns = {
        "steps": 6,
        "plain": 8,
        "cut": 8,
        "cut, threads": 14,
        "error plain": 13,
        "error cut": 11,
        "plain steps": 13,
    }
    head = " " * 15 + "".join(f"{name:>{size}}" for name, size in {**columns, "as plain": 10}.items())
    print(head + "\n" + "-" * len(head))
    for name, (lanes, cycles, steps) in CASES.items():
        train, start = spread(lanes, name.strip())
        plain, cut, every = kernel(train, False), kernel(train, True), kernel(train, True, processors())
        speeds = [rate(one, start, cycles, steps, repeats) for one in (plain, cut, every)]
        exact = cut.run(start, settle=CYCLES, record=0, steps=16 * steps).states
        errors = [error(one, start, steps, exact) for one in (plain, cut)]
        equal = equal_steps(plain, start, steps, errors[1], exact)
        print(
            f"{name:<15}{steps:>6}" + "".join(f"{speed / 1e6:>{width}.1f}" for speed, width in zip(speeds, (8, 8, 14), strict=True))
            + f"{errors[0]:>13.1e}{errors[1]:>11.1e}{equal:>13.0f}{speeds[1] * equal / steps / 1e6:>10.1f}",
            flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    bench()
