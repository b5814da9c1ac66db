"""Work on the fronts of an elimination by several threads: subtrees that do not know each other side by side."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ..math.helper import processors
from .dissection import EliminationTree

__all__ = ["eliminate", "threads"]

_MOST = 4
"""Threads; more find too few subtrees of equal size."""
_SMALL = 2e9
"""Multiplications that are not worth a second thread."""


def threads() -> int:
    """How many work side by side: as many as there are processors, up to four."""
    return min(processors(), _MOST)


def eliminate(tree: EliminationTree, front: Callable[[int], None]) -> None:
    """Calls front(f) for all fronts, children before parents."""
    count = len(tree.parents)
    workers = threads()
    if workers < 2 or tree.operations < _SMALL:
        for f in range(count):
            front(f)
        return
    cost, first = _subtrees(tree)
    parts = _cut(tree, cost, first, float(cost.max()) / (2.0 * workers))
    inside = np.zeros(count, dtype=bool)
    for f in parts:
        inside[first[f] : f + 1] = True

    def whole(f: int) -> None:
        for k in range(first[f], f + 1):
            front(k)

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(whole, f) for f in sorted(parts, key=lambda f: -cost[f])]:
            done.result()
    for k in np.flatnonzero(~inside):
        front(int(k))


def _subtrees(tree: EliminationTree) -> tuple[np.ndarray, np.ndarray]:
    """Multiplications of each subtree, about, and its first front; it ends with the front itself."""
    own = np.diff(tree.starts).astype(float)
    rest = np.array([len(b) for b in tree.boundaries], dtype=float)
    cost = own**3 / 6 + own**2 * rest / 2 + own * rest**2 / 2 + rest**2
    first = np.arange(len(own))
    for f, parent in enumerate(tree.parents):
        if parent >= 0:
            cost[parent] += cost[f]
            first[parent] = min(first[parent], first[f])
    return cost, first


def _cut(tree: EliminationTree, cost: np.ndarray, first: np.ndarray, largest: float) -> list[int]:
    """Fronts whose subtrees are processed together: none costs more than `largest`, unless a single front does."""
    children: list[list[int]] = [[] for _ in tree.parents]
    for f, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(f)
    parts: list[int] = []
    waiting = [f for f, parent in enumerate(tree.parents) if parent < 0]
    while waiting:
        f = waiting.pop()
        if cost[f] > largest and children[f]:
            waiting += children[f]
        elif f != len(tree.parents) - 1:  # the last front may be kept: it has a thread of its own
            parts.append(f)
    return parts
