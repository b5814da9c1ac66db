"""Nested dissection: an order of elimination that keeps the factor of a sparse symmetric matrix small.

A separator is a set of unknowns without which the others fall into two halves that do not know each other. Eliminating
both halves first and the separator last, and each half in the same manner, gives a tree of dense fronts (George 1973).
For grids of solids that is about the best order known.

A separator is found by sorting the unknowns along some coordinate and cutting: those before the cut that have a
neighbour behind it separate. Sizes of the separators of all possible cuts follow from one pass. Coordinates are those
of the nodes where given, otherwise distances, in steps through the graph, from a few vertices far from each other; cuts
run across their principal axes and across the coordinates themselves.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.linalg import cython_blas, cython_lapack
from scipy.sparse.csgraph import breadth_first_order

from pitchline.base.types import AnyArray, FloatArray, IntArray
from pitchline.numerics.machine_code.helper import processors

__all__ = ["invert", "partial_cholesky", "EliminationTree", "nested_dissection", "eliminate", "threads"]


# ---- dense in place

# Dense Cholesky factors in place, without Python's lock: LAPACK and BLAS as scipy brings them, called by address.
#
# scipy's own wrappers hold the lock while they compute, so that two threads take as long as one, and they copy parts
# of matrices. Here matrices are stored by columns, as `numpy` has them with order="F"; only lower triangles are used.


@functools.cache
def _routine(library: Any, name: str) -> tuple[Any, Any]:
    """A Fortran routine, and the type of its integers."""
    capsule = library.__pyx_capi__[name]
    of_name, of_address = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    of_name.restype, of_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    of_address.restype, of_address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = of_name(capsule)
    integer = ctypes.c_int if b"int *" in signature else ctypes.c_int64
    return ctypes.CFUNCTYPE(None)(of_address(capsule, signature)), integer


def _call(library: Any, name: str, *arguments: Any) -> int:
    """Calls a routine by reference: letters, integers, numbers, addresses. The last integer is returned, for `info`."""
    routine, integer = _routine(library, name)
    passed: list[Any] = []
    last = integer(0)
    for value in arguments:
        if isinstance(value, bytes):
            passed.append(ctypes.c_char_p(value))
        elif isinstance(value, int):
            last = integer(value)
            passed.append(ctypes.byref(last))
        elif isinstance(value, float):
            number = (ctypes.c_double * 2)(value, 0.0)  # of complex routines the real part
            passed.append(ctypes.byref(number))
        else:
            passed.append(value)
    routine(*passed)
    return int(last.value)


def _at(A: AnyArray, i: int, j: int) -> ctypes.c_void_p:
    return ctypes.c_void_p(A.ctypes.data + i * A.strides[0] + j * A.strides[1])


def _letter(A: AnyArray) -> str:
    """Of the routines for a square matrix by columns."""
    if A.dtype not in (np.float64, np.complex128) or not A.flags.f_contiguous or A.shape[0] != A.shape[1]:
        raise TypeError(f"expected a square matrix stored by columns, got {A.shape} of {A.dtype}")
    return "z" if A.dtype == np.complex128 else "d"


def partial_cholesky(F: AnyArray, own: int) -> int:
    """The first `own` unknowns of F eliminated in place: L_11, L_21 = F_21 L_11⁻ᴴ, and F_22 − L_21 L_21ᴴ.

    Returns 0, or the number (from 1) of the unknown at which F_11 is not positive definite.
    """
    letter, size = _letter(F), len(F)
    info = _call(cython_lapack, f"{letter}potrf", b"L", own, _at(F, 0, 0), size, 0)
    rest = size - own
    if info != 0 or rest == 0:
        return info
    below, last = _at(F, own, 0), _at(F, own, own)
    _call(cython_blas, f"{letter}trsm", b"R", b"L", b"C", b"N", rest, own, 1.0, _at(F, 0, 0), size, below, size)
    rank_k = "zherk" if letter == "z" else "dsyrk"
    _call(cython_blas, rank_k, b"L", b"N", rest, own, -1.0, below, size, 1.0, last, size)
    return 0


def invert(A: AnyArray) -> int:
    """The inverse of a positive definite matrix in its place, the lower triangle; returns as `partial_cholesky`."""
    letter, size = _letter(A), len(A)
    info = _call(cython_lapack, f"{letter}potrf", b"L", size, _at(A, 0, 0), size, 0)
    return info or _call(cython_lapack, f"{letter}potri", b"L", size, _at(A, 0, 0), size, 0)


_LEAF = 90
"""Unknowns below which a part is not cut further: dense elimination is then as good."""
_BALANCE = 0.12
"""Least part of the unknowns on either side of a cut."""
_ROWS = 50_000
"""Rows of a matrix that are handled at a time."""
_LANDMARKS = 6
"""Vertices from which distances are taken where no coordinates are known."""


@dataclass(frozen=True, eq=False)
class EliminationTree:
    """Fronts of an elimination, children before parents.

    Attributes
    ----------
    order
        (n,) the unknowns in the order in which they are eliminated.
    starts
        (fronts + 1,) front f eliminates order[starts[f] : starts[f + 1]].
    parents
        (fronts,) the front that takes what front f leaves behind, or -1.
    boundaries
        For each front the places in `order`, ascending, of the later unknowns that it touches.
    """

    order: IntArray
    starts: IntArray
    parents: IntArray
    boundaries: list[IntArray]

    @property
    def factor_size(self) -> int:
        """Entries of the factor."""
        own = np.diff(self.starts)
        return int(sum(p * (p + 1) // 2 + p * len(b) for p, b in zip(own, self.boundaries, strict=True)))

    @property
    def operations(self) -> float:
        """Multiplications of the factorisation, about."""
        own = np.diff(self.starts).astype(float)
        rest = np.array([len(b) for b in self.boundaries], dtype=float)
        return float((own**3 / 6 + own**2 * rest / 2 + own * rest**2 / 2).sum())

    @property
    def front_entries(self) -> int:
        """Entries of all fronts that are in memory at a time, at most, if they are eliminated one after the other."""
        own = np.diff(self.starts)
        left = np.zeros(len(own), dtype=np.int64)
        for f, parent in enumerate(self.parents):
            if parent >= 0:
                left[parent] += len(self.boundaries[f]) ** 2
        now = most = 0
        for f, boundary in enumerate(self.boundaries):
            size = int(own[f]) + len(boundary)
            most = max(most, now + size * size + len(boundary) ** 2)
            now += len(boundary) ** 2 - int(left[f])
        return most


def nested_dissection(
    A: Any, *, coordinates: FloatArray | None = None, last: IntArray | None = None, leaf: int = _LEAF
) -> EliminationTree:
    """The elimination tree of a sparse symmetric matrix.

    Parameters
    ----------
    A
        Sparse (n, n), symmetric; entries that are zero on one side of the diagonal and rounding on the other do no harm.
    coordinates
        (n, d) a place for each unknown, or (n / k, d) for each k unknowns in turn; None: only the graph is used.
    last
        Unknowns that form the last front of all, whatever it costs.
    leaf
        Unknowns below which a part is not cut further.
    """
    A = _symmetric_pattern(A.T if sp.issparse(A) and A.format == "csc" else sp.csr_matrix(A))
    n = A.shape[0]
    if coordinates is not None:
        coordinates = np.asarray(coordinates, dtype=float)
        coordinates = np.repeat(coordinates, n // len(coordinates), axis=0)
    groups = _groups(A, last)
    graph, weights, first = _condensed(A, groups)
    places = _landmark_distances(graph) if coordinates is None else coordinates[first]
    kept = np.zeros(len(weights), dtype=bool)
    if last is not None and len(last):
        kept[groups[last]] = True
    fronts, parents = _dissect(graph, weights, places, kept, leaf)
    return _tree(fronts, parents, graph, groups, weights)


def _symmetric_pattern(A: sp.csr_matrix) -> sp.csr_matrix:
    """Ones where A or Aᵀ has an entry. Products of sparse matrices cancel to zero in places, and not always in both triangles."""
    ones = sp.csr_matrix((np.ones(A.nnz, dtype=np.int8), A.indices, A.indptr), A.shape)
    other = sp.csr_matrix(ones.T)
    if not ones.has_sorted_indices:  # not in the memory of A
        ones = ones.sorted_indices()
    if np.array_equal(ones.indptr, other.indptr) and np.array_equal(ones.indices, other.indices):
        return ones
    return sp.csr_matrix(ones + other)


def _groups(A: sp.csr_matrix, last: IntArray | None) -> IntArray:
    """(n,) a number for each unknown, equal for unknowns with the same neighbours (the components of one node)."""
    n = A.shape[0]
    keys = np.random.default_rng(0).integers(1, 2**40, n)
    # numbers of the matrix take one byte, and those of a product eight
    parts = [A[start : start + _ROWS] @ keys for start in range(0, n, _ROWS)]
    sums = np.concatenate([np.zeros(0, dtype=np.int64), *parts]) + (A.diagonal() == 0) * keys
    if last is not None:
        sums[last] = -sums[last]
    return np.unique(sums, return_inverse=True)[1].astype(np.int64)


def _condensed(A: sp.csr_matrix, groups: IntArray) -> tuple[sp.csr_matrix, IntArray, IntArray]:
    """Graph of the groups without its diagonal, their sizes, and one unknown of each."""
    weights = np.bincount(groups)
    first = np.full(len(weights), -1)
    first[groups[::-1]] = np.arange(len(groups))[::-1]
    columns = sp.csr_matrix((np.ones(len(first)), (first, np.arange(len(first)))), (len(groups), len(first)))
    graph = sp.csr_matrix(A[first].astype(np.float64) @ columns)
    graph.setdiag(0)
    graph.eliminate_zeros()
    graph.sort_indices()
    return graph, weights, first


def _dissect(
    graph: sp.csr_matrix, weights: IntArray, places: FloatArray, kept: NDArray[np.bool_], leaf: int
) -> tuple[list[IntArray], list[int]]:
    """Groups of each front, children before parents, and the parents."""
    fronts: list[IntArray] = []
    parents: list[int] = []

    def add(group: IntArray, children: list[int]) -> list[int]:
        if len(group) == 0:
            return children
        for child in children:
            parents[child] = len(fronts)
        fronts.append(group)
        parents.append(-1)
        return [len(fronts) - 1]

    def cut(part: IntArray, inner: sp.csr_matrix) -> list[int]:
        if weights[part].sum() <= leaf:
            return add(part, [])
        found = _separator(inner, weights[part], places[part])
        if found is None:  # places that say nothing, such as many unknowns at one
            found = _separator(inner, weights[part], _landmark_distances(inner))
        if found is None:
            return add(part, [])
        side, separator = found
        children: list[int] = []
        for half in (np.flatnonzero(~side & ~separator), np.flatnonzero(side & ~separator)):
            if len(half):
                children += cut(part[half], inner[half][:, half])
        return add(part[separator], children)

    free = np.flatnonzero(~kept)
    roots = cut(free, graph if len(free) == len(kept) else graph[free][:, free])
    add(np.flatnonzero(kept), roots)
    return fronts, parents


def _separator(
    graph: sp.csr_matrix, weights: IntArray, places: FloatArray
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
    """(behind the cut, in the separator) for the best cut along any coordinate; None where none helps."""
    total = weights.sum()
    best: tuple[float, FloatArray, float, NDArray[np.bool_]] | None = None
    lonely = np.diff(graph.indptr) == 0
    starts = np.minimum(graph.indptr[:-1], max(graph.nnz - 1, 0))
    for values in _axes(places):
        for c in (values, -values):
            if graph.nnz:  # the farthest neighbour along this coordinate
                reach = np.where(lonely, c, np.maximum(np.maximum.reduceat(c[graph.indices], starts), c))
            else:
                reach = c
            levels, level = np.unique(c, return_inverse=True)
            at_level = np.bincount(level, weights, minlength=len(levels))
            before = np.cumsum(at_level)
            # of those at or before each level, what reaches beyond it
            size = np.cumsum(at_level - np.bincount(np.searchsorted(levels, reach), weights, minlength=len(levels)))
            smaller = np.minimum(before - size, total - before) / total
            useful = np.flatnonzero(smaller > _BALANCE)
            if len(useful) == 0:
                continue
            cost = (size[useful] + 1.0) / np.sqrt(smaller[useful])  # small, and not too far from the middle
            k = int(np.argmin(cost))
            if best is None or cost[k] < best[0]:
                limit = float(levels[useful[k]])
                best = (float(cost[k]), c, limit, reach > limit)
    if best is None:
        return None
    _, c, limit, reaching = best
    side = c > limit
    return side, ~side & reaching


def _axes(places: FloatArray) -> FloatArray:
    """Coordinates along the principal axes of a cloud of points, rounded so that planes of nodes stay planes."""
    centred = places - places.mean(axis=0)
    size = float(np.abs(centred).max()) or 1.0
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    along = np.concatenate([centred @ axes.T, centred], axis=1).T
    return np.round(along / size, 6)


def _landmark_distances(graph: sp.csr_matrix) -> FloatArray:
    """(vertices, landmarks) steps from a few vertices far from each other: coordinates where no other are known."""
    _, far = _distances(graph, 0)
    nearest = np.full(graph.shape[0], np.inf)
    columns = []
    for _ in range(_LANDMARKS):
        distance, _ = _distances(graph, far)
        nearest = np.minimum(nearest, distance)
        far = int(np.argmax(nearest))
        reached = np.isfinite(distance)
        columns.append(np.where(reached, distance, 2.0 * distance[reached].max() + 2.0))
    return np.stack(columns, axis=1)


def _distances(graph: sp.csr_matrix, start: int) -> tuple[FloatArray, int]:
    """Steps from `start` to each vertex (infinite where there is no way), and the last vertex reached."""
    order, before = breadth_first_order(graph, start, directed=False)
    distance = np.full(graph.shape[0], np.inf)
    distance[start] = 0.0
    # vertices come level by level: those whose predecessor is known are known at once
    position = np.empty(graph.shape[0], dtype=np.int64)
    position[order] = np.arange(len(order))
    reached = order[1:]
    ahead = position[before[reached]]
    level_start, level, k = 1, 0, np.zeros(len(order), dtype=np.int64)
    while level_start <= len(reached):
        end = int(np.searchsorted(ahead, level_start))
        level += 1
        k[level_start : end + 1] = level
        if end + 1 == level_start:
            break
        level_start = end + 1
    distance[order] = k
    return distance, int(order[-1])


def _tree(
    fronts: list[IntArray], parents: list[int], graph: sp.csr_matrix, groups: IntArray, weights: IntArray
) -> EliminationTree:
    """Boundaries of all fronts by going up the tree; groups then become unknowns."""
    place = np.empty(len(weights), dtype=np.int64)
    sequence = np.concatenate(fronts) if fronts else np.zeros(0, dtype=np.int64)
    place[sequence] = np.arange(len(sequence))
    ends = np.cumsum([len(f) for f in fronts])
    begins = np.concatenate([[0], ends[:-1]])
    permuted = graph[sequence]
    inherited: list[list[IntArray]] = [[] for _ in fronts]
    boundaries: list[IntArray] = []
    for f, parent in enumerate(parents):
        later = place[permuted.indices[permuted.indptr[begins[f]] : permuted.indptr[ends[f]]]]
        touched = np.concatenate([later, *inherited[f]])
        boundary = np.unique(touched[touched >= ends[f]])
        boundaries.append(boundary)
        if parent >= 0:
            inherited[parent].append(boundary)
        inherited[f] = []
    members = np.argsort(groups, kind="stable")
    group_start = np.concatenate([[0], np.cumsum(weights)])
    sizes = weights[sequence]
    offsets = np.concatenate([[0], np.cumsum(sizes)])

    def expanded(which: IntArray, start: IntArray, count: IntArray) -> IntArray:
        counts = count[which]
        steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return (np.repeat(start[which], counts) + steps).astype(np.int64)

    order = members[expanded(sequence, group_start, weights)].astype(np.int64)
    return EliminationTree(
        order,
        offsets[np.concatenate([[0], ends])].astype(np.int64),
        np.array(parents, dtype=np.int64),
        [expanded(b, offsets, sizes) for b in boundaries],
    )


# ---- elimination threads

# Work on the fronts of an elimination by several threads: subtrees that do not know each other side by side.

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
