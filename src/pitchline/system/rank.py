"""Rank of the constraints: which rows are redundant, and with which other rows they share their load.

Rows are taken in six coordinates a node: first those of joints that became coordinates of a node, then the others in the
order of the model, so that the later joint is the one called redundant. Elements that hang on a tree cannot be redundant;
they are pruned first, so that only the loops of a mechanism cost anything. What is left is eliminated row by row.
"""

from dataclasses import dataclass

import numpy as np

from .matrix import element_rows
from .system import State, System


@dataclass
class Rank:
    """Outcome of the analysis."""

    redundant: np.ndarray  # multipliers left out
    groups: list[np.ndarray]  # multipliers that share loads in a way that rigid bodies leave open


def find_redundant(system: System, state: State) -> Rank:
    """Redundant multipliers at a state, to the tolerance of the system."""
    order = [e for e, x in enumerate(system.elements) if x.rows and x.passive]
    order += [e for e, x in enumerate(system.elements) if x.rows and not x.passive and not x.soft]
    K = system.kinematics(state, moving=False)
    rows = {e: _scaled(system, element_rows(system, state, e, K)[1]) for e in order}
    left = _loops(system, order, rows)
    return _eliminate(system, left, rows, system.rank_tolerance)


def _scaled(system: System, B: np.ndarray) -> np.ndarray:
    """Rotation columns over the model's length, rows of unit length."""
    B = B.copy()
    for k in range(B.shape[1] // 6):
        B[:, 6 * k + 3 : 6 * k + 6] /= system.length
    norm = np.linalg.norm(B, axis=1)
    return B / np.where(norm > 0, norm, 1.0)[:, None]


def _loops(system: System, order: list[int], rows: dict[int, np.ndarray]) -> list[int]:
    """Elements left after pruning: one that is the last on a node, and holds it with independent rows, is independent."""
    on_node: dict[int, set[int]] = {}
    for e in order:
        for g in system.elements[e].nodes:
            if g > 0:
                on_node.setdefault(g, set()).add(e)
    alive = set(order)
    queue = [g for g, s in on_node.items() if len(s) == 1]
    while queue:
        g = queue.pop()
        if len(on_node[g]) != 1:
            continue
        (e,) = on_node[g]
        k = system.elements[e].nodes.index(g)
        block = rows[e][:, 6 * k : 6 * k + 6]
        if np.linalg.svd(block, compute_uv=False)[-1] < 1e-3 / max(1.0, system.length) or len(block) > 6:
            continue
        alive.discard(e)
        for other in system.elements[e].nodes:
            if other > 0:
                on_node[other].discard(e)
                if len(on_node[other]) == 1:
                    queue.append(other)
    return [e for e in order if e in alive]


def _eliminate(system: System, elements: list[int], rows: dict[int, np.ndarray], tolerance: float) -> Rank:
    """Gaussian elimination in order; a row with nothing left depends on the rows used to eliminate it."""
    columns = sorted({g for e in elements for g in system.elements[e].nodes if g > 0})
    place = {g: 6 * i for i, g in enumerate(columns)}
    n = 6 * len(columns)
    pivots: dict[int, tuple[np.ndarray, frozenset[int]]] = {}
    order_of: list[int] = []
    redundant: list[int] = []
    group_of: list[set[int]] = []
    for e in elements:
        for i, local in enumerate(rows[e]):
            l = int(system.lam0[e]) + i
            w = np.zeros(n)
            for k, g in enumerate(system.elements[e].nodes):
                if g > 0:
                    w[place[g] : place[g] + 6] += local[6 * k : 6 * k + 6]
            used: set[int] = {l}
            for column in order_of:
                if abs(w[column]) > 1e-13:
                    other, origin = pivots[column]
                    w -= w[column] * other
                    w[column] = 0.0
                    used |= origin
            if np.linalg.norm(w) < tolerance:
                redundant.append(l)
                group_of.append(used)
            else:
                column = int(np.argmax(np.abs(w)))
                pivots[column] = (w / w[column], frozenset(used))
                order_of.append(column)
    keep = [l for l in redundant if l < system.n_lam_active]
    return Rank(np.array(keep, np.int64), _merged([_whole_elements(system, group) for group in group_of]))


def _whole_elements(system: System, group: set[int]) -> set[int]:
    """All rows of the elements in a group: which of their rows depend on each other changes as the bodies turn."""
    owners = {int(np.searchsorted(system.lam0, l, side="right")) - 1 for l in group}
    return {l for e in owners for l in range(int(system.lam0[e]), int(system.lam0[e + 1]))}


def _merged(groups: list[set[int]]) -> list[np.ndarray]:
    """Unite groups that have a multiplier in common."""
    merged: list[set[int]] = []
    for group in groups:
        apart = []
        for m in merged:
            if m & group:
                group = group | m
            else:
                apart.append(m)
        merged = [*apart, group]
    return [np.array(sorted(m), np.int64) for m in merged]
