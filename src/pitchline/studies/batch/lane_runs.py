"""LaneRuns: runs the lanes of a train in groups with the same number of steps, and puts their results together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .kernels.lane_kernel import LaneKernel
from .kernels.lane_result import LaneStatus
from .lane_arrays import LaneArrays
from .lane_train import LaneTrain
from .reductions import Reductions

__all__ = ["NOT_COMPUTED", "LaneRuns", "LanesFound"]

NOT_COMPUTED = 3
"""Status of a lane that was not reached, after FINE, BLOWN_UP and STOPPED of `LaneStatus`."""


@dataclass(eq=False)
class LanesFound:
    """Results of all lanes. values : name -> (lanes,). states : (2 free, lanes). samples : (points, numbers, lanes).

    beyond : mesh with tables of loaded teeth -> (lanes,) largest force divided by the largest force of its tables.
    coarse : (lanes,) whether teeth touched and parted so often within a step that it was not cut everywhere.
    """

    values: dict[str, np.ndarray]
    status: np.ndarray
    closure: np.ndarray
    states: np.ndarray
    samples: np.ndarray
    coarse: np.ndarray
    interrupted: bool = False
    beyond: dict[str, np.ndarray] = field(default_factory=dict)


class LaneRuns:
    """Runs of a train.

    reductions : of the lanes. poincare : ("rotor" or "mesh", index) of the samples at the ends of cycles. device : "cpu" or "cuda".
    """

    def __init__(
        self,
        reductions: Reductions,
        poincare: Sequence[tuple[str, int]] = (),
        *,
        device: str = "cpu",
        threads: int | None = None,
    ) -> None:
        self.reductions, self.poincare, self.device, self.threads = reductions, tuple(poincare), device, threads

    def run(
        self,
        train: LaneTrain,
        states: np.ndarray,
        steps: np.ndarray,
        *,
        settle: int,
        record: int,
        points: int = 0,
        first_cycle: int = 0,
    ) -> LanesFound:
        """Run all lanes from their states. After an interrupt from the keyboard the groups that are complete are returned."""
        arrays = LaneArrays(train)
        n = states.shape[1]
        found = LanesFound(
            {name: np.full(n, np.nan) for name in self.reductions.names}, np.full(n, NOT_COMPUTED, np.int8), np.full(n, np.nan),
            states.copy(), np.full((points, 2 * len(self.poincare), n), np.nan), np.zeros(n, bool),
        )  # fmt: skip
        try:
            for lanes, count in _groups(n, steps):
                self._run_group(found, train, arrays, states, lanes, count, (settle, record, points, first_cycle))
        except KeyboardInterrupt:
            found.interrupted = True
        return found

    def _run_group(
        self, found: LanesFound, train: LaneTrain, arrays: LaneArrays, states: np.ndarray, lanes: np.ndarray, steps: int,
        length: tuple[int, int, int, int],
    ) -> None:  # fmt: skip
        settle, record, points, first_cycle = length
        part = _part(train, lanes)
        kernel = LaneKernel(
            part,
            self.reductions.signals,
            self.poincare if points else (),
            lanes=len(lanes),
            device=self.device,
            threads=self.threads,
        )
        result = kernel.run(
            states[:, lanes], settle=settle, record=record, steps=steps, points=points, first_cycle=first_cycle
        )
        omega = arrays.of(train.omega)[_place(arrays, lanes)] * np.ones(len(lanes))
        for name, values in self.reductions.values(result, omega).items():
            found.values[name][lanes] = values
        for name, share in self.reductions.beyond_tables(result).items():
            found.beyond.setdefault(name, np.zeros(found.status.size))[lanes] = share
        coarse = result.status == LaneStatus.MANY_CHANGES  # valid, with less accuracy
        found.coarse[lanes] = coarse
        found.status[lanes], found.closure[lanes] = np.where(coarse, 0, result.status), result.closure
        found.states[:, lanes] = result.states
        if points:
            found.samples[:, :, lanes] = result.points


def _place(arrays: LaneArrays, lanes: np.ndarray) -> np.ndarray:
    """Places of lanes in the arrays, which have one lane if no number varies."""
    return lanes if arrays.lanes > 1 else np.zeros(1, np.int64)


def _groups(n: int, steps: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """(lanes, steps): lanes with the same number of steps."""
    found, place = np.unique(np.broadcast_to(steps, (n,)), return_inverse=True)
    for k, count in enumerate(found):
        yield np.flatnonzero(place.ravel() == k), int(count)


def _part(train: LaneTrain, lanes: np.ndarray) -> LaneTrain:
    """The train with the numbers of some lanes."""
    values = {
        name: np.asarray(v)[lanes] if np.size(v) > 1 else float(np.ravel(v)[0]) for name, v in train.values.items()
    }
    return replace(train, values=values)
