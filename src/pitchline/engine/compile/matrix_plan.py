"""Pattern of the matrix of a system: places of the entries of all elements.

They depend on the connections of the elements and on the zeros of their tangents only. Systems that differ in other numbers
share one plan: it is computed from a key with all data on which it depends.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pitchline.numerics.fields import address
from pitchline.parts.bodies.kernel_row import Single, evaluate_element

from ..elements.contract import TANGENT, Element, ElementKind

__all__ = [
    "local_pattern",
    "ElementShape",
    "MatrixPlan",
    "MatrixShape",
    "compressed_columns",
    "element_shapes",
    "matrix_plan",
]


# ---- pattern

# Sparsity of the tangent of an element: the entries that can be nonzero.

MOST_PROBES = 64
"""Number of probes that are kept."""
_probes: dict[tuple[object, ...], "_PatternProbe"] = {}
_lock = threading.Lock()


def local_pattern(element: Element, functions: np.ndarray, *, opened: bool = False) -> np.ndarray:
    """Entries of an element's tangent that can be nonzero (boolean, local size).

    Determined by evaluation at random states: entries that the parameters make zero are zero in every state.
    """
    m = element.size(opened=opened)
    if element.kind.full_pattern:
        return np.ones((m, m), bool)
    functions = np.ascontiguousarray(functions, float)
    counts = tuple(element.counts.values())
    key = (
        id(element.kind),
        len(element.nodes),
        len(element.rows),
        counts,
        element.memory.size,
        element.first_scratch.size,
    )
    with _lock:  # a probe serves one element at a time
        probe = _probes.get(key)
        if probe is None:
            if len(_probes) >= MOST_PROBES:
                _probes.clear()
            probe = _probes[key] = _PatternProbe(element)
        return probe.pattern(element, functions, opened=opened)


class _PatternProbe:
    """Two random states of elements of one kind with the same sizes, and the arrays to evaluate an element there."""

    def __init__(self, like: Element) -> None:
        self.kind: ElementKind = like.kind  # its address is part of the key: it must not be used for another kind
        random = np.random.default_rng(0)
        self.states = [Single(like, np.zeros(1)) for _ in range(2)]
        for state in self.states:
            for array in (state.nodes, state.lam, *state.coordinates.values()):
                array[...] = random.normal(size=array.shape)
            for name in ("t", "M", "D", "K", "L", "load", "damp"):
                state.ask[name] = random.normal()
        self.memory, self.scratch = self.states[0].memory, self.states[0].scratch
        self.evaluate = self.kind.addresses["evaluate"]
        self.address = [address(array) for array in (self.memory, self.scratch)]
        self.requests = [(address(state.seen), address(state.ask_record)) for state in self.states]
        self.inputs = bool(self.kind.inputs)

    def pattern(self, element: Element, functions: np.ndarray, *, opened: bool) -> np.ndarray:
        """Pattern of an element of these sizes, with the memory and scratch of a new one."""
        m = element.size(opened=opened)
        r, J, found = np.zeros(m), np.zeros((m, m)), np.zeros((m, m), bool)
        if self.memory.size:
            self.memory[:] = element.memory
        if self.scratch.size:
            self.scratch[:] = element.first_scratch
        parameters, table = address(element.parameters), address(functions)
        memory, scratch = self.address
        for state, (seen, request) in zip(self.states, self.requests, strict=True):
            if self.inputs:
                state.number_inputs(m)
            ask = state.ask
            ask["n_functions"], ask["functions"] = functions.size, table
            ask["mode"], ask["open"] = TANGENT, opened
            r.fill(0.0)
            J.fill(0.0)
            evaluate_element(self.evaluate, parameters, memory, seen, scratch, request, r, J)
            found |= J != 0
        return found


DENSE_LIMIT = 40
"""Largest number of unknowns for which the dense factorisation is used."""
MOST_KEPT = 32
"""Number of plans that are kept."""
LARGEST_KEPT = 100_000
"""Plans with more entries in the tangents of all elements are not kept: the time for a plan is then small compared with a run."""


class ElementShape(NamedTuple):
    """Properties of an element on which its places in the matrix depend."""

    size: int  # of its local block
    pattern: bytes | None  # entries of its tangent that can be nonzero; None: all
    nodes: tuple[int, ...]
    rows: int
    inputs: int
    has_inertia: bool


class MatrixShape(NamedTuple):
    """All data on which a plan depends; arrays as bytes."""

    elements: tuple[ElementShape, ...]
    unknowns: int  # coordinates and equations of multipliers
    dof0: bytes
    ndof: bytes
    free_rotation: bytes
    moves: bytes  # (nodes, 6, 6): nonzero entries of T
    first_own: bytes
    lam0: bytes
    equation: bytes
    feed_row: bytes
    feed_column: bytes


class MatrixPlan(NamedTuple):
    """Scatter list of all elements, and structure of the matrix. The arrays are constant."""

    entry0: np.ndarray  # (elements + 1) where the entries of an element begin
    entry_from: np.ndarray  # place in the local matrix, row by row
    entry_to: np.ndarray  # place in the values of the matrix
    scaled_by: (
        np.ndarray
    )  # (2, entries) multipliers whose scales are the factors of an entry; the number of multipliers: 1
    feed_to: np.ndarray  # the same places for entries through inputs
    Ap: np.ndarray  # matrix in compressed columns; dense, column by column, if this has one entry
    Ai: np.ndarray
    n_values: int


def element_shapes(
    elements: Sequence[Element], functions: np.ndarray, *, opened: bool, penalised: bool = False
) -> tuple[ElementShape, ...]:
    """Shapes of elements. Those with the same parameters are probed once. penalised: with the entries of penalties."""
    patterns: dict[tuple[object, ...], bytes] = {}
    found = []
    for element in elements:
        kind, size, pattern = element.kind, element.size(opened=opened), None
        if not kind.full_pattern:
            what = (id(kind), size, len(element.rows), element.parameters.tobytes())
            pattern = patterns.get(what)
            if pattern is None:
                found_now = local_pattern(element, functions, opened=opened)
                if penalised and element.rows:
                    rows = len(element.rows)
                    found_now[:-rows] |= (found_now[:-rows, -rows:].astype(int) @ found_now[-rows:].astype(int)) > 0
                pattern = patterns[what] = found_now.tobytes()
        found.append(ElementShape(size, pattern, element.nodes, len(element.rows), len(kind.inputs), kind.has_inertia))
    return tuple(found)


def matrix_plan(shape: MatrixShape) -> MatrixPlan:
    """Plan of a system of this shape."""
    small = sum(element.size**2 for element in shape.elements) <= LARGEST_KEPT
    return _kept_plan(shape) if small else _plan(shape)


@lru_cache(maxsize=MOST_KEPT)
def _kept_plan(shape: MatrixShape) -> MatrixPlan:
    return _plan(shape)


def _plan(shape: MatrixShape) -> MatrixPlan:
    def integers(data: bytes) -> np.ndarray:
        return np.frombuffer(data, np.int64)

    n = shape.unknowns
    scatter = _Scatter(shape)
    row = np.concatenate([scatter.row, integers(shape.feed_row)])
    column = np.concatenate([scatter.column, integers(shape.feed_column)])
    if n <= DENSE_LIMIT:
        Ap, Ai = np.zeros(1, np.int64), np.zeros(1, np.int64)
        to, n_values = column * n + row, n * n
    else:
        Ap, Ai, to = compressed_columns(n, row, column)
        n_values = Ai.size
    count = scatter.row.size
    plan = MatrixPlan(
        entry0=scatter.ptr,
        entry_from=scatter.source.astype(np.uint32),
        entry_to=to[:count].astype(np.uint32),
        scaled_by=scatter.scaled_by,
        feed_to=to[count:].astype(np.int64),
        Ap=Ap.astype(np.uint32),
        Ai=Ai.astype(np.uint32),
        n_values=n_values,
    )
    for array in (plan.entry0, plan.entry_from, plan.entry_to, plan.scaled_by, plan.feed_to):
        array.flags.writeable = False  # not Ap and Ai: the signatures of compiled functions have no read-only arrays
    return plan


class _Scatter:
    """Positions of the entries of all elements. Elements of one shape are processed together."""

    def __init__(self, shape: MatrixShape) -> None:
        self.dof0, self.ndof, self.free, self.first_own, self.lam0, self.equation = (
            np.frombuffer(part, np.int64)
            for part in (shape.dof0, shape.ndof, shape.free_rotation, shape.first_own, shape.lam0, shape.equation)
        )
        self.moves = np.frombuffer(shape.moves, bool).reshape(-1, 6, 6)
        elements = shape.elements
        node_shape = [
            (int(n), bool(f >= 0), T.tobytes()) for n, f, T in zip(self.ndof, self.free, self.moves, strict=True)
        ]
        alike: dict[object, list[int]] = {}
        for e, one in enumerate(elements):
            alike.setdefault((one._replace(nodes=()), *(node_shape[g] for g in one.nodes)), []).append(e)
        parts = []
        counts = np.zeros(len(elements), np.int64)
        for numbers in alike.values():
            members = np.array(numbers)
            part = self._of_shape(elements, members)
            counts[members] = part.used.sum(axis=1)
            parts.append((members, part))
        self.ptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        total = int(self.ptr[-1])
        self.source, self.row, self.column = np.zeros((3, total), np.int64)
        self.scaled_by = np.zeros((2, total), np.int64)
        for members, part in parts:
            at = (self.ptr[members][:, None] + np.cumsum(part.used, axis=1) - 1)[part.used]
            self.source[at] = np.broadcast_to(part.source, part.used.shape)[part.used]
            self.row[at], self.column[at] = part.row[part.used], part.column[part.used]
            self.scaled_by[:, at] = part.scaled_by[:, part.used]

    def _of_shape(self, elements: Sequence[ElementShape], members: np.ndarray) -> "_ShapeEntries":
        first = elements[members[0]]
        m, none = first.size, int(self.lam0[-1])
        if first.pattern is None:
            pattern = np.ones((m, m), bool)
        else:
            pattern = np.frombuffer(first.pattern, bool).reshape(m, m).copy()
        to = np.full((len(members), m), -1, np.int64)
        scaled_by = np.full((len(members), m), none, np.int64)
        for k, g in enumerate(first.nodes):
            if self.free[g] >= 0 and not first.has_inertia:
                # multiplication of the columns by T(theta) mixes the three rotations
                pattern[:, 6 * k + 3 : 6 * k + 6] |= np.any(pattern[:, 6 * k + 3 : 6 * k + 6], axis=1, keepdims=True)
            nd = int(self.ndof[g])
            if nd < 6:
                pattern = _mapped(pattern, slice(6 * k, 6 * k + 6), self.moves[g], nd)
            nodes = np.array([elements[e].nodes[k] for e in members])
            to[:, 6 * k : 6 * k + nd] = self.dof0[nodes][:, None] + np.arange(nd)
        at = 6 * len(first.nodes)
        own = m - at - first.rows - first.inputs
        to[:, at : at + own] = self.first_own[members][:, None] + np.arange(own)
        if first.rows:
            mine = self.lam0[members][:, None] + np.arange(first.rows)
            to[:, m - first.rows :], scaled_by[:, m - first.rows :] = self.equation[mine], mine
        i, j = np.nonzero(pattern)
        row, column = to[:, i], to[:, j]
        factors = np.array([scaled_by[:, i], scaled_by[:, j]])
        return _ShapeEntries((row >= 0) & (column >= 0), i * m + j, row, column, factors)


class _ShapeEntries(NamedTuple):
    """Entries of elements of one shape, (elements, entries)."""

    used: np.ndarray
    source: np.ndarray  # (entries)
    row: np.ndarray
    column: np.ndarray
    scaled_by: np.ndarray  # (2, elements, entries)


def _mapped(pattern: np.ndarray, block: slice, moves: np.ndarray, nd: int) -> np.ndarray:
    """Pattern after J <- T^T J T on one node."""
    B = np.zeros((6, 6), bool)
    B[:, :nd] = moves[:, :nd]
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
