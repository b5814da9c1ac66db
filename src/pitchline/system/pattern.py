"""Sparsity of the tangent: possible entries of each element, and their positions."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..elements.contract import TANGENT, Element
from ..elements.single import Single
from .own_coordinates import OwnCoordinates


def local_pattern(element: Element, functions: np.ndarray, *, opened: bool = False) -> np.ndarray:
    """Entries of an element's tangent that can be nonzero (boolean, local size).

    Determined by evaluation at random states: entries that the parameters make zero are zero in every state.
    """
    m = element.size(opened=opened)
    if element.kind.full_pattern:
        return np.ones((m, m), bool)
    pattern = np.zeros((m, m), bool)
    random = np.random.default_rng(0)
    probe = Single(element, functions)
    for _ in range(2):
        for array in (probe.nodes, probe.lam, *probe.coordinates.values()):
            array[...] = random.normal(size=array.shape)
        for name in ("t", "M", "D", "K", "L", "load", "damp"):
            probe.ask[name] = random.normal()
        pattern |= probe.evaluate(TANGENT, opened=opened)[1] != 0
    return pattern


class UnknownPlaces(NamedTuple):
    """Positions of nodes, own coordinates and multipliers of elements among the unknowns."""

    dof0: np.ndarray
    ndof: np.ndarray
    T: np.ndarray
    free_rotation: np.ndarray
    own: OwnCoordinates
    lam0: np.ndarray
    equation: np.ndarray
    lam_scale: np.ndarray


@dataclass
class Scatter:
    """Positions of the entries of all active elements."""

    ptr: np.ndarray
    source: np.ndarray  # position in the local matrix, row by row
    row: np.ndarray
    column: np.ndarray
    scale: np.ndarray


Shape = tuple[object, ...]
"""Properties that elements must share to be processed together."""


def scatter(elements: list[Element], functions: np.ndarray, places: UnknownPlaces, *, opened: bool) -> Scatter:
    """Scatter list of the elements in order. Elements of one shape are processed together."""
    shapes: dict[tuple[Shape, Shape], list[int]] = {}
    patterns: dict[Shape, np.ndarray] = {}
    turns = places.free_rotation >= 0
    node_shape = [
        (int(n), bool(free), (T != 0).tobytes()) for n, free, T in zip(places.ndof, turns, places.T, strict=True)
    ]
    for e, element in enumerate(elements):
        what: Shape = (id(element.kind), element.size(opened=opened), len(element.rows))
        if not element.kind.full_pattern:
            what = (*what, element.parameters.tobytes())
        if what not in patterns:
            patterns[what] = local_pattern(element, functions, opened=opened)
        on: Shape = tuple(node_shape[g] for g in element.nodes)
        shapes.setdefault((what, on), []).append(e)
    parts = []
    counts = np.zeros(len(elements), np.int64)
    for (what, _), numbers in shapes.items():
        members = np.array(numbers)
        part = _of_shape(elements, members, patterns[what], places)
        counts[members] = part.used.sum(axis=1)
        parts.append((members, part))
    ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    total = int(ptr[-1])
    source, row, column = np.zeros((3, total), np.int64)
    found = Scatter(ptr, source, row, column, np.zeros(total))
    for members, part in parts:
        at = (ptr[members][:, None] + np.cumsum(part.used, axis=1) - 1)[part.used]
        found.source[at] = np.broadcast_to(part.source, part.used.shape)[part.used]
        found.row[at], found.column[at], found.scale[at] = (
            part.row[part.used],
            part.column[part.used],
            part.scale[part.used],
        )
    return found


class _ShapeEntries(NamedTuple):
    """Entries of elements of one shape, (elements, entries)."""

    used: np.ndarray
    source: np.ndarray  # (entries)
    row: np.ndarray
    column: np.ndarray
    scale: np.ndarray


def _of_shape(
    elements: list[Element], members: np.ndarray, pattern: np.ndarray, places: UnknownPlaces
) -> _ShapeEntries:
    first = elements[members[0]]
    m, pattern = len(pattern), pattern.copy()
    to = np.full((len(members), m), -1, np.int64)
    scale = np.ones((len(members), m))
    for k, g in enumerate(first.nodes):
        if places.free_rotation[g] >= 0 and not first.kind.has_inertia:
            # multiplication of the columns by T(theta) mixes the three rotations
            pattern[:, 6 * k + 3 : 6 * k + 6] |= np.any(pattern[:, 6 * k + 3 : 6 * k + 6], axis=1, keepdims=True)
        nd = int(places.ndof[g])
        if nd < 6:
            pattern = _mapped(pattern, slice(6 * k, 6 * k + 6), places.T[g], nd)
        nodes = np.array([elements[e].nodes[k] for e in members])
        to[:, 6 * k : 6 * k + nd] = places.dof0[nodes][:, None] + np.arange(nd)
    at, rows = 6 * len(first.nodes), len(first.rows)
    inputs = len(first.kind.inputs)
    own = m - at - rows - inputs
    to[:, at : at + own] = places.own.first_of[members][:, None] + np.arange(own)
    mine = places.lam0[members][:, None] + np.arange(rows)
    if rows:
        to[:, m - rows :], scale[:, m - rows :] = places.equation[mine], places.lam_scale[mine]
    i, j = np.nonzero(pattern)
    row, column = to[:, i], to[:, j]
    return _ShapeEntries((row >= 0) & (column >= 0), i * m + j, row, column, scale[:, i] * scale[:, j])


def _mapped(pattern: np.ndarray, block: slice, T: np.ndarray, nd: int) -> np.ndarray:
    """Pattern after J <- T^T J T on one node."""
    B = np.zeros((6, 6), bool)
    B[:, :nd] = T[:, :nd] != 0
    out = pattern.copy()
    out[:, block] = (out[:, block].astype(int) @ B) > 0
    out[block, :] = (B.T.astype(int) @ out[block, :]) > 0
    return out


def compressed_columns(n: int, row: np.ndarray, column: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(Ap, Ai, index of each entry) of the matrix with these entries."""
    key = column.astype(np.int64) * n + row
    unique, place = np.unique(key, return_inverse=True)
    return (
        np.searchsorted(unique // n, np.arange(n + 1)).astype(np.int64),
        (unique % n).astype(np.int64),
        place.astype(np.int64),
    )
