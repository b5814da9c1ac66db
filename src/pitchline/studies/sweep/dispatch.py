"""Dispatcher: gives missing points to a runner in blocks, and keeps what comes back."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from ...progress import Stage, note
from ..points import Points
from ..study_result import FAILED
from .point_block import PointBlock, PointOutcome
from .runners import BlockRunner, LostBlock

__all__ = ["Dispatcher", "missing_ranges"]

BLOCK_SECONDS = 0.2
"""Least duration of a block, which hides the cost of sending it [s]."""
MOST_BLOCKS = 4000
"""A large sweep has longer blocks, so that the store does not have too many files."""
AHEAD = 2
"""Blocks in the queue of each slot, so that it never waits."""


def missing_ranges(n: int, blocks: Iterable[PointBlock], *, retry_failed: bool = False) -> list[range]:
    """Ranges of the points that are in no block; with `retry_failed`, also of those that failed."""
    absent = np.ones(n, dtype=bool)
    for block in blocks:
        absent[block.first : block.first + len(block)] &= (block.status == FAILED) & retry_failed
    edges = np.flatnonzero(np.diff(np.concatenate([[False], absent, [False]]).astype(np.int8)))
    return [range(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


class Dispatcher:
    """Computes missing points.

    points : of the sweep
    missing : ranges that are not computed yet
    keep : called with each block that is complete
    stage : shows the progress
    """

    def __init__(
        self, points: Points, missing: Iterable[range], keep: Callable[[PointBlock], None], stage: Stage
    ) -> None:
        self.points, self.keep, self.stage = points, keep, stage
        self.waiting = deque(missing)
        self.fragile: deque[int] = deque()
        """Points of lost blocks: they are computed one by one."""
        self.seconds = 0.0
        """Duration of a point, as a running mean [s]."""
        self.computed = self.failed = 0
        self.unfinished = self.left
        self._lost: dict[int, int] = {}

    @property
    def left(self) -> int:
        """Number of points that are not given to a runner yet."""
        return sum(len(points) for points in self.waiting) + len(self.fragile)

    def run(self, runner: BlockRunner, most: int | None = None, *, size: int | None = None) -> None:
        """Compute the missing points, or the first `most` of them.

        size : points of a block; by default as many as take `BLOCK_SECONDS`
        """
        given = flying = 0
        while True:
            while flying < AHEAD * runner.slots and self.left and (most is None or given < most):
                block = self._cut(size or self._block_size(runner.slots))
                runner.submit(block.start, [self.points.at(i) for i in block])
                flying += 1
                given += len(block)
            if not flying:
                return
            found = runner.next()
            flying -= 1
            if isinstance(found, LostBlock):
                self._return(found)
            else:
                self._done(found, runner.slots)

    def _cut(self, size: int) -> range:
        """The next block: points of lost blocks come last, each for itself."""
        if not self.waiting:
            i = self.fragile.popleft()
            return range(i, i + 1)
        first = self.waiting.popleft()
        if len(first) > size:
            self.waiting.appendleft(first[size:])
        return first[:size]

    def _block_size(self, slots: int) -> int:
        left = self.left
        if self.seconds <= 0.0:
            return 1
        least = math.ceil(BLOCK_SECONDS / self.seconds)
        fair = math.ceil(left / (AHEAD * slots))  # at the end, all slots have something to do
        return max(1, min(max(least, math.ceil(left / MOST_BLOCKS)), fair))

    def _done(self, block: PointBlock, slots: int) -> None:
        self.keep(block)
        mean = float(block.seconds.mean())
        self.seconds = mean if self.computed < 2 else 0.8 * self.seconds + 0.2 * mean
        self.computed += len(block)
        self.failed += int(np.count_nonzero(block.status == FAILED))
        self.unfinished -= len(block)
        n = len(self.points)
        done = n - self.unfinished
        failed = f", {self.failed} failed" if self.failed else ""
        self.stage.done(done, f"{done} of {n} points{failed}")
        self.stage.left = self.seconds * self.unfinished / slots

    def _return(self, lost: LostBlock) -> None:
        """A block of a process that ended: its points are computed again, one by one. A point that does it twice has failed."""
        if lost.size > 1:
            note(
                f"points {lost.first} to {lost.first + lost.size - 1}: {lost.reason}. They are computed again, one by one"
            )
        for i in range(lost.first, lost.first + lost.size):
            if lost.size == 1:
                self._lost[i] = self._lost.get(i, 0) + 1
            if self._lost.get(i, 0) < 2:
                self.fragile.append(i)
                continue
            outcome = PointOutcome(FAILED, f"{lost.reason}. This point was tried {self._lost[i]} times")
            self._done(PointBlock.of(i, [outcome]), 1)
