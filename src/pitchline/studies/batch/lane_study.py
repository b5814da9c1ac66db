"""LaneStudy: the points of a study as lanes, ready to run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import ModelError, shown
from ..points import Points
from ..study_result import StudyResult
from .batch_result import FINAL_RATE, FINAL_STATE
from .lane_arrays import LaneArrays
from .lane_train import LaneTrain
from .reading.reader import TrainRead
from .reductions import Reductions
from .run_limits import check_cycles
from .static_start import static_start, unbalanced
from .time_steps import WAVE_STEPS, chosen_steps, fastest
from .values.lane_values import LaneLimits

__all__ = ["LaneStudy", "equilibrium", "read_count"]

COARSE = 1.0
"""Product of the largest eigenfrequency and the time step above which a warning is given."""


def read_count(value: object, name: str, least: int) -> int:
    """A whole number of the user."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ModelError(f"batch: {name} must be a whole number, {least} or more, got {shown(value)}")
    return int(value)


def equilibrium(arrays: LaneArrays, lanes: int) -> np.ndarray:
    """(2 free, lanes) states at rest relative to steady rolling, in static equilibrium."""
    x = np.broadcast_to(static_start(arrays), (lanes, len(arrays.n)))[:, arrays.free].T
    return np.concatenate([x, np.zeros_like(x)])


@dataclass(eq=False)
class LaneStudy:
    """Points with the train of their lanes."""

    points: Points
    read: TrainRead
    train: LaneTrain
    limits: LaneLimits

    @cached_property
    def arrays(self) -> LaneArrays:
        """Numbers as arrays."""
        return LaneArrays(self.train)

    @property
    def lanes(self) -> int:
        """Number of points."""
        return len(self.points)

    def check(self, cycles: int) -> None:
        """Refuse what has no steady rolling, and runs that are too long for the model."""
        wrong = unbalanced(self.arrays)
        if wrong is not None:
            power = float(np.abs(self.arrays.torque[wrong] @ self.arrays.n * self.arrays.of(self.train.omega)[wrong]))
            raise ModelError(
                f'model "{self.train.name}" cannot be computed as a batch: it has no drive, and at point {wrong} its loads '
                f"accelerate it (their power is {power:.3g} W). Add a drive, or balance the loads"
            )
        check_cycles(self.arrays, self.limits, cycles)

    def steps(self, given: Any, reductions: Reductions) -> np.ndarray:
        """(lanes,) steps of a base cycle."""
        highest = max((order for signal in reductions.signals for order in signal.orders), default=0)
        if given is None:
            return np.broadcast_to(chosen_steps(self.arrays, WAVE_STEPS * highest), (self.lanes,))
        found = read_count(given, "steps", 8)
        if found <= 2 * highest:
            raise ModelError(
                f"batch: order {highest} needs more than {2 * highest} steps in a mesh cycle, got steps={found}"
            )
        return np.full(self.lanes, found)

    def warnings(self, steps: np.ndarray) -> list[str]:
        """What is doubtful about the number of steps."""
        frequency, _ = fastest(self.arrays)
        product = frequency * 2.0 * np.pi / (self.arrays.of(self.train.omega) * steps)
        coarse = int(np.count_nonzero(product > COARSE))
        if not coarse:
            return []
        needed = int(np.max(np.ceil(steps * product / 0.3)))
        return [
            f"{coarse} of {self.lanes} points have too few steps: the largest eigenfrequency times the time step is up to "
            f"{float(product.max()):.2g}. Use steps={needed}, or leave steps out"
        ]

    def start(self, given: StudyResult | None) -> tuple[np.ndarray, int]:
        """(states (2 free, lanes), first cycle): static equilibrium, or the end of another result."""
        free = list(self.train.free)
        if given is None:
            return equilibrium(self.arrays, self.lanes), 0
        names = [rotor.name for rotor in self.train.rotors]
        if not isinstance(given, StudyResult) or FINAL_STATE not in given.variables:
            raise ModelError(
                f"start must be the result of a batch, got {shown(given)}. Leave it out to start from equilibrium"
            )
        if list(given.facts.get("rotors", ())) != names:
            raise ModelError(f'start: the result of model "{given.name}" has other bodies than this batch')
        n = len(given.points)
        if n not in (1, self.lanes):
            raise ModelError(f"start: the result has {n} points, but the run has {self.lanes}. Use the same points")
        states = np.concatenate([given.variables[name].values[:, free].T for name in (FINAL_STATE, FINAL_RATE)])
        lost = ~np.isfinite(states).all(axis=0)
        if np.any(lost):
            raise ModelError(
                f"start: {int(lost.sum())} points of the result diverged, the first is point {int(np.argmax(lost))}"
            )
        return np.broadcast_to(states, (len(states), self.lanes)).copy(), int(given.facts.get("cycles", 0))
