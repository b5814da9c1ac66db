"""BlockRunner: computes blocks of points, here or elsewhere; OwnProcess computes them in this process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..sources import Source
from .blocks import block_of
from .point_block import PointBlock
from .request import SweepRequest

__all__ = ["BlockRunner", "LostBlock", "OwnProcess"]


class LostBlock(NamedTuple):
    """A block whose process ended before it was complete.

    first, size : its first point and number of points
    reason : how the process ended
    """

    first: int
    size: int
    reason: str


class BlockRunner(ABC):
    """Computes blocks of points.

    slots : number of blocks that are computed at the same time
    """

    slots: int

    @abstractmethod
    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Compute a block. values : parameter values of the points first, first + 1, ..."""

    @abstractmethod
    def next(self) -> PointBlock | LostBlock:
        """Wait for the next block that is complete or lost."""

    @abstractmethod
    def close(self) -> None:
        """End everything that is still computed."""


class OwnProcess(BlockRunner):
    """Computes blocks in this process."""

    slots = 1

    def __init__(self, source: Source, request: SweepRequest) -> None:
        self.source, self.request = source, request
        self._waiting: deque[tuple[int, Sequence[Mapping[str, Any]]]] = deque()

    def submit(self, first: int, values: Sequence[Mapping[str, Any]]) -> None:
        """Keep the block for `next`."""
        self._waiting.append((first, values))

    def next(self) -> PointBlock | LostBlock:
        """Compute the first block."""
        return block_of(self.source, self.request, *self._waiting.popleft())

    def close(self) -> None:
        """Nothing to do."""
        self._waiting.clear()
