"""Runs of a kernel on a GPU: lanes in parts that fit into its memory, each part for all its cycles."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from .cuda_text import cuda_kernel, usable_cuda
from .launch import Launch

__all__ = ["cuda_lanes", "lanes_in_memory"]

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
