"""Observed order of convergence, and extrapolation to step zero."""

from collections.abc import Callable, Sequence

import numpy as np


def observed_order(errors: Sequence[float]) -> float:
    """log2 of the quotient of the last two errors of runs whose step is halved each time."""
    return float(np.log2(errors[-2] / errors[-1]))


def richardson(run: Callable[[float], np.ndarray], step: float) -> np.ndarray:
    """Limit for step zero of a method of order 2: (4 y(h/2) - y(h))/3, in error by O(h^3)."""
    return (4 * run(step / 2) - run(step)) / 3


def largest(a: np.ndarray, b: np.ndarray) -> float:
    """max |a - b|."""
    return float(np.max(np.abs(np.asarray(a) - np.asarray(b))))
