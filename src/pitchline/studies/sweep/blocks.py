"""block_of: compute consecutive points, one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ..sources import Source
from .evaluation import evaluate
from .point_block import PointBlock
from .request import SweepRequest

__all__ = ["block_of", "inside_a_point"]

_lock = threading.RLock()
"""A process computes one point at a time, also if a cluster gives it several threads. A point may contain a sweep."""
_depth = [0]
"""Number of points that this process is computing, one inside the other."""


def inside_a_point() -> bool:
    """Whether this process is computing a point. A sweep inside a point does not start processes by itself."""
    return _depth[0] > 0


def block_of(source: Source, request: SweepRequest, first: int, values: Sequence[Mapping[str, Any]]) -> PointBlock:
    """Outcomes of points. values : parameter values of the points first, first + 1, ..."""
    outcomes = []
    for one in values:
        with _lock:
            _depth[0] += 1
            try:
                outcomes.append(evaluate(source, request, one))
            finally:
                _depth[0] -= 1
    return PointBlock.of(first, outcomes)
