"""Batches on a GPU: speed, and agreement with the CPU.

    python bench/gpu_batch.py

This needs a GPU of NVIDIA and pitchline[cuda]. One step is one step of one lane; the time includes the transfer of all numbers.

Agreement: the final states of 2048 lanes after 120 cycles, relative to the largest of each state. Lanes are calm if the result of
the CPU itself changes by less than 1e-10 when the start changes by 1e-13; only for these is a comparison meaningful.
"""

from __future__ import annotations

import time

import numpy as np
from batch_cases import SIGNALS, spread

from pitchline.studies.batch.kernels.lane_kernel import LaneKernel

STEPS, COMPARED, NUDGE, CALM = 100, 2048, 1e-13, 1e-10
SIZES = {"pair": (1_000_000, 1000), "rattling pair": (1_000_000, 100), "planetary": (200_000, 100)}
"""Lanes and cycles of the measurement of speed."""


def agreement(name: str, cut: bool) -> tuple[int, float]:
    """Number of calm lanes, and their largest difference between GPU and CPU."""
    train, start = spread(COMPARED, name)
    cpu, gpu = (LaneKernel(train, SIGNALS, cut=cut, device=device) for device in ("cpu", "cuda"))
    exact, nudged, found = (
        kernel.run(first, settle=100, record=20, steps=STEPS).states
        for kernel, first in ((cpu, start), (cpu, start + NUDGE), (gpu, start))
    )
    size = np.abs(exact).max(axis=1, keepdims=True)
    own, other = (np.max(np.abs(exact - states) / size, axis=0) for states in (nudged, found))
    calm = own < CALM
    return int(calm.sum()), float(other[calm].max(initial=0.0))


def seconds(name: str, cut: bool) -> float:
    """Time of a run, the best of three."""
    lanes, cycles = SIZES[name]
    train, start = spread(lanes, name)
    kernel = LaneKernel(train, SIGNALS, cut=cut, device="cuda")
    kernel.run(start, settle=1, record=1, steps=4)  # compiles
    times = []
    for _ in range(3):
        began = time.perf_counter()
        kernel.run(start, settle=cycles // 2, record=cycles // 2, steps=STEPS)
        times.append(time.perf_counter() - began)
    return min(times)


def bench() -> None:
    """Print the table."""
    head = f"{'':<16}{'steps':>7}{'lanes':>10}{'steps a lane':>14}{'s':>8}{'steps/s':>11}{'calm of 2048':>14}{'difference':>12}"
    print("\nBatches on a GPU, RK4, one signal with one order\n" + head + "\n" + "-" * len(head))
    for name, (lanes, cycles) in SIZES.items():
        for cut in (False, True):
            calm, difference = agreement(name, cut)
            t = seconds(name, cut)
            print(
                f"{name:<16}{'cut' if cut else 'plain':>7}{lanes:>10}{cycles * STEPS:>14}{t:>8.2f}"
                f"{lanes * cycles * STEPS / t:>11.2g}{calm:>14}{difference:>12.1e}",
                flush=True,
            )


if __name__ == "__main__":
    bench()
