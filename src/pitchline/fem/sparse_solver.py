"""Direct solution of sparse symmetric systems, real or Hermitian.

`factorise` has three methods, its `backend`:

multifrontal
    Our own (see `multifrontal`), in an order from nested dissection: the default.
pardiso
    That of Intel's MKL (package pypardiso), on request, where installed.
superlu
    scipy's, on request, for comparison: minimum degree order, pivots on the diagonal. A complex matrix is factorised as
    a real one of twice the size.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from ..errors import ModelError, SolveError, near_names
from .dissection import nested_dissection
from .multifrontal import MultifrontalFactor, SymbolicFactor

__all__ = ["Condensed", "Factorised", "SymbolicFactor", "analyse", "condense", "factorise"]

AnyArray = NDArray[Any]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Factorised(ABC):
    """A factorised matrix A: `solve(b)` as often as you like.

    Attributes
    ----------
    backend : str
        What factorised it.
    shape : (int, int)
    negative : int | None
        Number of negative eigenvalues of A; None if the backend does not report it.
    analysis : SymbolicFactor | None
        Order of elimination and fronts, to be passed to `factorise` for another matrix of the same pattern.
    """

    backend: str
    negative: int | None = None
    analysis: SymbolicFactor | None = None

    def __init__(self, shape: tuple[int, int], is_complex: bool) -> None:
        self.shape = shape
        self._is_complex = is_complex

    @abstractmethod
    def _solve_block(self, b: AnyArray) -> AnyArray:
        """x (n, k) for b (n, k), contiguous by rows, of the type of A."""

    def solve(self, b: AnyArray) -> AnyArray:
        """x with A x = b for a vector (n,) or a block (n, k), real or complex."""
        b = np.asarray(b)
        if b.ndim not in (1, 2) or b.shape[0] != self.shape[0]:
            raise ModelError(f"right-hand sides of this matrix have the shape ({self.shape[0]}, k), got {b.shape}")
        if b.size == 0:
            return np.zeros(b.shape, dtype=np.result_type(b.dtype, np.complex128 if self._is_complex else np.float64))
        block = b.reshape(len(b), -1)
        if self._is_complex:
            return self._solve_block(np.ascontiguousarray(block, dtype=np.complex128)).reshape(b.shape)
        if not np.iscomplexobj(block):
            return self._solve_block(np.ascontiguousarray(block, dtype=np.float64)).reshape(b.shape)
        parts = np.ascontiguousarray(block, dtype=np.complex128).view(np.float64)
        return np.ascontiguousarray(self._solve_block(parts)).view(np.complex128).reshape(b.shape)


def factorise(
    A: Any,
    *,
    positive_definite: bool = True,
    coordinates: FloatArray | None = None,
    analysis: SymbolicFactor | None = None,
    backend: str = "multifrontal",
) -> Factorised:
    """Factorises a sparse real symmetric or complex Hermitian matrix.

    Parameters
    ----------
    A
        Sparse (n, n); both triangles stored.
    positive_definite
        Whether A is positive definite. If this is set but not true, it is an error. If not set, pivots are chosen, which
        costs about three times as much.
    coordinates
        (n, 3), or (n / 3, 3) for matrices with three unknowns a node: places that help to find a good order.
    analysis
        Of an earlier factorisation of the same pattern: saves the order.
    backend
        "multifrontal", "superlu", or "pardiso" where MKL is installed.
    """
    A = _checked(A)
    if backend == "multifrontal":
        return _Multifrontal(A, positive_definite, analysis or analyse(A, coordinates=coordinates))
    if backend == "superlu":
        return _SuperLU(A, positive_definite)
    if backend == "pardiso":
        from .pardiso import Pardiso

        return Pardiso(A, positive_definite)
    known = ("multifrontal", "superlu", "pardiso")
    raise ModelError(f'factorise: no backend "{backend}"; {near_names(backend, known)}')


def analyse(A: Any, *, coordinates: FloatArray | None = None, last: IntArray | None = None) -> SymbolicFactor:
    """Order of elimination and fronts of a sparse matrix of symmetric pattern; for `factorise` and `condense`."""
    A = _checked(A)
    return SymbolicFactor.of(A, nested_dissection(A, coordinates=coordinates, last=last))


class Condensed:
    """A matrix condensed to some of its unknowns: S = A_bb - A_bi A_ii⁻¹ A_ib.

    Attributes
    ----------
    keep : (b,)
        The unknowns kept.
    matrix : (b, b)
        S, dense.
    negative : int
        Negative eigenvalues of A_ii.
    """

    def __init__(self, factor: MultifrontalFactor, keep: IntArray) -> None:
        self._factor = factor
        order = factor.symbolic.tree.order
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        self.keep = np.asarray(keep)
        self.negative = factor.negative
        self.analysis = factor.symbolic
        self._order = order
        self._at = place[self.keep]
        assert factor.schur is not None
        local = self._at - (len(order) - len(self.keep))
        self.matrix: AnyArray = factor.schur[np.ix_(local, local)]

    def reduce(self, b: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Loads (n, k) condensed to the kept unknowns, b_b - A_bi A_ii⁻¹ b_i (b, k), and the data that `expand` needs."""
        y = np.asarray(b)[self._order]
        y = y.astype(np.result_type(y, np.complex128 if self._factor.is_complex else np.float64))
        self._factor.forward(self._of_type(y))
        return y[self._at], y

    def expand(self, forward: AnyArray, kept: AnyArray) -> AnyArray:
        """All unknowns x (n, k), from the second result of `reduce` and the kept ones x_b (b, k)."""
        x = forward.astype(np.result_type(forward, kept))
        x[self._at] = kept
        self._factor.backward(self._of_type(x))
        out = np.empty_like(x)
        out[self._order] = x
        return out

    def _of_type(self, x: AnyArray) -> AnyArray:
        """x itself, or with a real matrix the real and imaginary parts of x as columns of the same memory."""
        return x.view(np.float64) if np.iscomplexobj(x) and not self._factor.is_complex else x


def condense(
    A: Any,
    keep: IntArray,
    *,
    positive_definite: bool = True,
    coordinates: FloatArray | None = None,
    analysis: SymbolicFactor | None = None,
    keep_factors: bool = True,
) -> Condensed:
    """Condenses a sparse symmetric or Hermitian matrix to the unknowns `keep`; the others are eliminated.

    positive_definite: whether the block of the eliminated unknowns is. analysis: of an earlier condensation of the same
    pattern to the same unknowns. keep_factors: False if only `matrix` is needed, not `reduce` and `expand`.
    """
    A = _checked(A)
    keep = np.asarray(keep)
    if keep.ndim != 1 or len(np.unique(keep)) != len(keep):
        raise ModelError("condense: each unknown to keep must be given once")
    if len(keep) == 0:
        raise ModelError("condense: specify at least one unknown to keep. For a solution only, use factorise")
    analysis = analysis or analyse(A, coordinates=coordinates, last=keep)
    if not np.array_equal(np.sort(analysis.tree.order[analysis.tree.starts[-2] :]), np.sort(keep)):
        raise ModelError("condense: this analysis was made for other unknowns. Make a new one")
    return Condensed(_numeric(A, positive_definite, analysis, keep_last=True, keep_factors=keep_factors), keep)


def _numeric(A: Any, positive_definite: bool, analysis: SymbolicFactor, **kept: bool) -> MultifrontalFactor:
    if not analysis.fits(A):
        raise ModelError("factorise: this analysis was made for a matrix of another pattern. Make a new one")
    return MultifrontalFactor(A, analysis, positive_definite=positive_definite, **kept)


class _Multifrontal(Factorised):
    backend = "multifrontal"

    def __init__(self, A: Any, positive_definite: bool, analysis: SymbolicFactor) -> None:
        super().__init__(A.shape, np.iscomplexobj(A))
        self._factor = _numeric(A, positive_definite, analysis)
        self.analysis = analysis
        self.negative = self._factor.negative

    def _solve_block(self, b: AnyArray) -> AnyArray:
        return self._factor.solve(b)


class _SuperLU(Factorised):
    backend = "superlu"

    def __init__(self, A: Any, positive_definite: bool) -> None:
        super().__init__(A.shape, np.iscomplexobj(A))
        if self._is_complex:  # real and imaginary part of each unknown side by side
            n = A.shape[0]
            both = sp.csc_matrix(sp.kron(A.real, sp.eye(2)) + sp.kron(A.imag, sp.csr_matrix([[0.0, -1.0], [1.0, 0.0]])))
            self._double = (n, 2)
            A = both
        try:
            self._lu = splu(
                sp.csc_matrix(A),
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0 if positive_definite else 0.1,
                options={"SymmetricMode": True},
            )
        except RuntimeError as problem:
            raise SolveError(f"the matrix is singular ({problem}): a free body requires a support or a shift") from None

    def _solve_block(self, b: AnyArray) -> AnyArray:
        if not self._is_complex:
            x: AnyArray = self._lu.solve(b)
            return x
        n, k = b.shape
        parts = np.stack([b.real, b.imag], axis=1).reshape(2 * n, k)
        x = self._lu.solve(parts).reshape(n, 2, k)
        return x[:, 0] + 1j * x[:, 1]


def _checked(A: Any) -> sp.csc_matrix:
    """A as compressed columns with sorted rows; square."""
    if not sp.issparse(A) or A.shape[0] != A.shape[1]:
        raise ModelError(f"expected a sparse square matrix, got {type(A).__name__} of shape {np.shape(A)}")
    if A.format != "csc" or not A.has_sorted_indices:
        A = sp.csc_matrix(A)
        A.sort_indices()
    return A
