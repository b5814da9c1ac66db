"""Multifrontal Cholesky factorisation of sparse real symmetric or complex Hermitian positive definite matrices.

Along the elimination tree each front collects its own entries of A and what its children left, in one dense matrix

    F = [F_11 .; F_21 F_22],   L_11 L_11ᴴ = F_11,   L_21 = F_21 L_11⁻ᴴ,   F_22 - L_21 L_21ᴴ goes to the parent

(Duff and Reid 1983; Liu 1992). All work is done by dense routines of LAPACK and BLAS at their full speed, in real and
in complex arithmetic alike. Only lower triangles are used.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import blas, lapack

from pitchline.base.types import AnyArray, IntArray
from pitchline.errors import SolveError
from pitchline.numerics.machine_code.compiled import A1, I1, I8, unlocked_entry

from .dissection import EliminationTree, eliminate, partial_cholesky

__all__ = ["MultifrontalFactor", "SymbolicFactor"]


@unlocked_entry
def _extend_add(target: A1, size: I8, source: A1, own: I8, index: I1, width: I8) -> None:
    """Lower triangle of target[index, index] += source[own:, own:], both by columns; width 2 for complex numbers, 1 for
    real ones."""
    m = index.size
    for j in range(m):
        to = index[j] * size
        at = (own + j) * (own + m) + own
        for i in range(j, m):
            for c in range(width):
                target[(to + index[i]) * width + c] += source[(at + i) * width + c]


@dataclass(frozen=True, eq=False)
class SymbolicFactor:
    """Data that depend only on the pattern: reused for all matrices of the same pattern.

    Attributes
    ----------
    tree
        The fronts.
    indptr, indices
        The pattern in compressed columns it was made for.
    sources, targets
        For each front the entries of A that belong to it and where they go in its dense matrix.
    child_index
        For each front where its boundary lies in its parent's dense matrix.
    """

    tree: EliminationTree
    indptr: IntArray
    indices: IntArray
    sources: list[IntArray]
    targets: list[IntArray]
    child_index: list[IntArray]

    @classmethod
    def of(cls, A: Any, tree: EliminationTree) -> "SymbolicFactor":
        """For a sparse matrix in compressed columns and its elimination tree."""
        n = A.shape[0]
        place = np.empty(n, dtype=np.int64)
        place[tree.order] = np.arange(n)
        counts = np.diff(A.indptr)
        small = np.int32 if A.nnz < 2**31 else np.int64
        sources, targets, child_index = [], [], []
        for f, boundary in enumerate(tree.boundaries):
            start, end = int(tree.starts[f]), int(tree.starts[f + 1])
            size = end - start + len(boundary)
            own = tree.order[start:end]
            many = counts[own]
            entries = np.repeat(A.indptr[own] - (np.cumsum(many) - many), many) + np.arange(many.sum())
            rows, columns = place[A.indices[entries]], np.repeat(np.arange(start, end), many)
            lower = rows >= columns
            entries, rows, columns = entries[lower], rows[lower], columns[lower]
            local = np.where(rows < end, rows - start, np.searchsorted(boundary, rows) + end - start)
            sources.append(entries.astype(small))
            targets.append((local + (columns - start) * size).astype(np.int32 if size < 46_000 else np.int64))
            child_index.append(_local(tree, int(tree.parents[f]), boundary))
        return cls(tree, A.indptr.copy(), A.indices.copy(), sources, targets, child_index)

    def fits(self, A: Any) -> bool:
        """Whether a matrix in compressed columns has the pattern this was made for."""
        return (
            len(A.indices) == len(self.indices)
            and len(A.indptr) == len(self.indptr)
            and bool((A.indptr == self.indptr).all() and (A.indices == self.indices).all())
        )


def _local(tree: EliminationTree, parent: int, boundary: IntArray) -> IntArray:
    """Where places of the order lie in the dense matrix of a front."""
    if parent < 0:
        return np.zeros(0, dtype=np.int64)
    start, end = tree.starts[parent], tree.starts[parent + 1]
    behind = np.searchsorted(tree.boundaries[parent], boundary) + end - start
    return np.where(boundary < end, boundary - start, behind).astype(np.int64)


def _completed(F: AnyArray) -> AnyArray:
    """F with its upper triangle from the lower one, in place; in blocks, because F may be large."""
    step = 512
    for k in range(0, len(F), step):
        block = F[k : k + step, k : k + step]
        block[:] = np.tril(block) + np.tril(block, -1).conj().T
        F[k : k + step, k + step :] = F[k + step :, k : k + step].conj().T
    return F


class _CholeskyFront:
    """One front of a positive definite matrix: L_11 and L_21 = F_21 L_11⁻ᴴ, in place; F_22 becomes what goes to the parent."""

    negative = 0

    def __init__(self, F: AnyArray, own: int, kept: bool) -> None:
        info = partial_cholesky(F, own)
        if info != 0:
            raise _BadPivot(info - 1)
        if kept:  # apart from the rest, which can go then
            self._trsm = blas.ztrsm if np.iscomplexobj(F) else blas.dtrsm
            self._L, self._below = F[:own, :own].copy(order="F"), F[own:, :own].copy(order="F")

    def forward(self, part: AnyArray) -> AnyArray:
        """L_11⁻¹ part in place, and what to take away from the boundary.

        Blocks are handed to BLAS transposed: that is how it likes their columns.
        """
        part[:] = self._trsm(1.0, self._L, part.T, side=1, lower=1, trans_a=1).T
        taken: AnyArray = self._below @ part
        return taken

    def backward(self, part: AnyArray, boundary: AnyArray) -> None:
        """L_11⁻ᴴ (part - L_21ᴴ boundary) in place, for conjugated part and boundary."""
        if len(boundary):
            part -= self._below.T @ boundary
        part[:] = self._trsm(1.0, self._L, part.T, side=1, lower=1, trans_a=0).T


class _IndefiniteFront:
    """One front of an indefinite matrix: F_11 with pivots inside the front, and W = F_11⁻¹ F_12.

    Negative eigenvalues of A are those of all F_11 together (Haynsworth 1968); those of one F_11 are counted on the
    diagonal of its L D Lᴴ by Bunch and Kaufman.
    """

    def __init__(self, F: AnyArray, own: int, kept: bool) -> None:
        is_complex = np.iscomplexobj(F)
        self._solve = lapack.zgetrs if is_complex else lapack.dgetrs
        lower = F[:own, :own]
        self._lu, self._pivots, info = (lapack.zgetrf if is_complex else lapack.dgetrf)(
            np.tril(lower) + np.tril(lower, -1).conj().T
        )
        if info != 0:
            raise _BadPivot(info - 1)
        ldl, pivots, _ = (lapack.zhetrf if is_complex else lapack.dsytrf)(lower, lower=1)
        self.negative = _negative(ldl, pivots)
        across = F[own:, :own].conj().T
        self._W: AnyArray = self._solve(self._lu, self._pivots, across)[0] if across.size else across
        F[own:, own:] -= F[own:, :own] @ self._W

    def forward(self, part: AnyArray) -> AnyArray:
        """What to take away from the boundary: F_21 F_11⁻¹ part."""
        taken: AnyArray = self._W.conj().T @ part
        return taken

    def backward(self, part: AnyArray, boundary: AnyArray) -> None:
        """F_11⁻¹ part - W boundary in place, for conjugated part and boundary."""
        part[:] = self._solve(self._lu, self._pivots, part.conj())[0].conj()
        if len(boundary):
            part -= self._W.conj() @ boundary


class _BadPivot(Exception):
    """A front cannot be factorised at one of its unknowns."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def _negative(ldl: AnyArray, pivots: AnyArray) -> int:
    """Negative eigenvalues of D, from LAPACK's lower L D Lᴴ with blocks of one and (where pivots are negative) of two."""
    diagonal = np.diagonal(ldl).real
    count, k = 0, 0
    while k < len(diagonal):
        if pivots[k] > 0:
            count += diagonal[k] < 0
            k += 1
        else:
            determinant = diagonal[k] * diagonal[k + 1] - abs(ldl[k + 1, k]) ** 2
            count += 1 if determinant < 0 else 2 * (diagonal[k] < 0)
            k += 2
    return int(count)


class MultifrontalFactor:
    """A factorised front by front.

    Attributes
    ----------
    negative : int
        Negative eigenvalues of A; of its part without the last front where that is kept.
    schur : array | None
        With `keep_last`, the last front is not factorised but kept here: the Schur complement on its unknowns, complete,
        in the order of tree.order. `solve` is not to be used then, `forward` and `backward` are.

    Without `keep_factors` only these are kept, for a Schur complement without solution.
    """

    def __init__(
        self,
        A: Any,
        symbolic: SymbolicFactor,
        *,
        positive_definite: bool = True,
        keep_last: bool = False,
        keep_factors: bool = True,
    ) -> None:
        self.symbolic = symbolic
        self.is_complex = np.iscomplexobj(A)
        dtype = np.complex128 if self.is_complex else np.float64
        width = 2 if self.is_complex else 1
        data = np.asarray(A.data, dtype=dtype)
        tree = symbolic.tree
        n_fronts = len(tree.parents)
        kind = _CholeskyFront if positive_definite else _IndefiniteFront
        children: list[list[int]] = [[] for _ in range(n_fronts)]
        for f, parent in enumerate(tree.parents):
            if parent >= 0:
                children[parent].append(f)
        waiting: list[AnyArray | None] = [None] * n_fronts
        fronts: list[_CholeskyFront | _IndefiniteFront | None] = [None] * n_fronts
        self.schur: AnyArray | None = None

        def front(f: int) -> None:
            own = int(tree.starts[f + 1] - tree.starts[f])
            size = own + len(tree.boundaries[f])
            F = np.zeros((size, size), dtype=dtype, order="F")
            flat = F.ravel(order="K")
            flat[symbolic.targets[f]] = data[symbolic.sources[f]]
            for child in children[f]:
                left, waiting[child] = waiting[child], None
                if left is not None:
                    index = symbolic.child_index[child]
                    source = left.ravel(order="K").view(np.float64)
                    _extend_add(flat.view(np.float64), size, source, len(left) - len(index), index, width)
            if keep_last and f == n_fronts - 1:
                self.schur = _completed(F)
                return
            try:
                fronts[f] = kind(F, own, keep_factors)
            except _BadPivot as bad:
                raise SolveError(_not_factorised(positive_definite, int(tree.order[tree.starts[f] + bad.at]))) from None
            if size > own:  # only what the parent takes, if that is much less
                waiting[f] = F[own:, own:].copy(order="F") if 4 * own > size else F

        eliminate(tree, front)
        self._fronts = [each for each in fronts if each is not None]
        self.negative = sum(each.negative for each in self._fronts)

    def solve(self, b: AnyArray) -> AnyArray:
        """x with A x = b for b (n, k) of the type of A."""
        order = self.symbolic.tree.order
        x = np.ascontiguousarray(b[order])
        self.forward(x)
        self.backward(x)
        out = np.empty_like(x)
        out[order] = x
        return out

    def forward(self, x: AnyArray) -> None:
        """First half of a solution, in place, rows in order of elimination."""
        tree = self.symbolic.tree
        for f, front in enumerate(self._fronts):
            taken = front.forward(x[tree.starts[f] : tree.starts[f + 1]])
            if len(taken):
                x[tree.boundaries[f]] -= taken

    def backward(self, x: AnyArray) -> None:
        """Second half: works on the conjugate of x, because BLAS solves with Lᵀ and Lᴴ but not with the conjugate of L."""
        tree = self.symbolic.tree
        if self.is_complex:
            np.conjugate(x, out=x)
        for f in range(len(self._fronts) - 1, -1, -1):
            self._fronts[f].backward(x[tree.starts[f] : tree.starts[f + 1]], x[tree.boundaries[f]])
        if self.is_complex:
            np.conjugate(x, out=x)


def _not_factorised(positive_definite: bool, unknown: int) -> str:
    if positive_definite:
        return (
            f"the matrix is not positive definite (seen at unknown {unknown}): a free body requires a support or a shift; "
            "otherwise factorise with positive_definite=False"
        )
    return f"the matrix is singular (seen at unknown {unknown}): a free body requires a support or a shift"
