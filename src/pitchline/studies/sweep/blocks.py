"""block_of: compute consecutive points, one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ..sources import Source
from .evaluation import evaluate
from .point_block import PointBlock
from .request import SweepRequest

__all__ = ["block_of"]

_lock = threading.Lock()
"""A process computes one point at a time, also if a cluster gives it several threads."""


def block_of(source: Source, request: SweepRequest, first: int, values: Sequence[Mapping[str, Any]]) -> PointBlock:
    """Outcomes of points. values : parameter values of the points first, first + 1, ..."""
    outcomes = []
    for one in values:
        with _lock:
            outcomes.append(evaluate(source, request, one))
    return PointBlock.of(first, outcomes)
