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

import ctypes
import ctypes.util
import functools
import math
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import numpy as np
import scipy
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from pitchline.base.types import AnyArray, ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, SolveError, near_names

from .dissection import nested_dissection
from .multifrontal import MultifrontalFactor, SymbolicFactor

__all__ = [
    "one_blas_thread",
    "LanczosRun",
    "run_together",
    "Condensed",
    "Factorised",
    "SymbolicFactor",
    "analyse",
    "condense",
    "factorise",
    "Pardiso",
    "pardiso_installed",
]


# ---- blas threads

# One BLAS thread at a time.
#
# Sparse factors and dense interfaces are thousands of small dense products. Threads inside each of them cost more
# than they give, and where the cores are busy with other work they wait for each other for most of the time.
# OpenBLAS, which numpy and scipy contain, is set to one thread during a computation. Other BLAS libraries are not
# changed.

_NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "scipy_openblas_{}_num_threads",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)


@functools.cache
def _libraries() -> list[tuple[Any, Any]]:
    """(get, set) of the number of threads, of every OpenBLAS that was shipped with numpy and scipy."""
    found = []
    for package in (numpy, scipy):
        home = Path(str(package.__file__)).parent
        for folder in (home.with_name(f"{home.name}.libs"), home / ".dylibs", home / ".libs"):
            for file in sorted(folder.glob("*openblas*")):
                try:
                    library = ctypes.CDLL(str(file))  # loaded already: this only finds it
                except OSError:
                    continue
                for name in _NAMES:
                    if hasattr(library, name.format("get")) and hasattr(library, name.format("set")):
                        found.append((getattr(library, name.format("get")), getattr(library, name.format("set"))))
                        break
    return found


_lock = threading.Lock()
_inside = 0
_before: list[tuple[Any, int]] = []


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """In here, OpenBLAS works with one thread; afterwards with as many as before. Its number of threads is that of the process:
    where several threads of Python are in here, the last one to leave restores it."""
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = [(put, int(get())) for get, put in _libraries()]
            for put, _ in _before:
                put(1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                for put, count in _before:
                    put(count)


# ---- lanczos

# Lanczos' method with full reorthogonalisation, as a recurrence that others feed.
#
# For K φ = λ M φ with K and M Hermitian and positive definite, the operator K⁻¹M is self-adjoint in the inner product
# of M; its largest eigenvalues θ = 1/λ are found first. After j steps K⁻¹M V = V T + β v eᵀ with V M-orthonormal and
# T real and tridiagonal; an eigenpair (θ, s) of T gives λ = 1/θ, φ = V s, with the residual β times the last
# component of s. (B. N. Parlett, The Symmetric Eigenvalue Problem, 1998, ch. 13; T. Ericsson, A. Ruhe, Math. Comp.
# 35, 1980.)
#
# One recurrence sees one vector of an eigenspace only. Eigenvalues that are found too rarely (a count, such as
# Sylvester's, shows) are searched again from another start, orthogonal to all known ones: those found are locked.

TOLERANCE = 1e-10
"""Residual of an eigenpair of K⁻¹M over its θ; the error of λ is of the order of its square."""
_BEYOND = 2
"""Eigenvalues beyond the limit that must have converged before a recurrence counts as exhausted."""
_RESTARTS = 8
_CHECK = 3
"""Steps between two looks at T."""


@dataclass
class _Found:
    values: list[float]
    vectors: list[ComplexArray]


class LanczosRun:
    """The eigenvalues below a limit of one pencil (K, M).

    Parameters
    ----------
    size
        Number of unknowns.
    limit
        λ below which all eigenvalues are computed.
    count
        Number of eigenvalues; None if not known: restarts then continue until one finds no more.
    known
        (k, size) M-orthonormal vectors to stay clear of: rigid motions.
    real
        Whether K and M are real, so that real vectors are sought.
    seed
        Of the random starts.
    """

    def __init__(
        self, size: int, limit: float, count: int | None, *, known: ComplexArray, real: bool = False, seed: int = 0
    ) -> None:
        self.size, self.limit, self.count = size, limit, count
        self._rng = np.random.default_rng(seed)
        self._real = real
        self._basis = np.empty((len(known) + 24, size), dtype=np.complex128)
        self._basis[: len(known)] = known
        self._locked = len(known)
        self._found = _Found([], [])
        self._converged_now = 0
        self._restarts = 0
        self.steps = 0
        self.done = count == 0
        self._begin()

    # ------------------------------------------------------------------------------------------------- the recurrence

    def _begin(self) -> None:
        self._length = self._locked
        self._diagonal: list[float] = []
        self._beside: list[float] = []
        w = self._rng.standard_normal(self.size).astype(np.complex128)
        if not self._real:
            w += 1j * self._rng.standard_normal(self.size)
        self.start: ComplexArray = w

    def _grow(self) -> None:
        if self._length == len(self._basis):
            more = np.empty((2 * len(self._basis), self.size), dtype=np.complex128)
            more[: self._length] = self._basis
            self._basis = more

    def orthogonalise(self, w: ComplexArray, mass_w: ComplexArray) -> tuple[ComplexArray, ComplexArray]:
        """w less its components along all that is known, given M w; and those components."""
        V = self._basis[: self._length]
        h: ComplexArray = (V @ mass_w.conj()).conj()
        rest: ComplexArray = w - h @ V
        return rest, h

    def accept(self, w: ComplexArray, mass_w: ComplexArray, along: float | None) -> ComplexArray:
        """Take the orthogonalised w as the next vector; `along` is the new diagonal entry of T, None at a start.

        Returns M v of the vector v that was taken. Looks for converged eigenvalues, and may end the run or restart it.
        """
        norm = math.sqrt(max(float(np.vdot(w, mass_w).real), 0.0))
        if along is not None:
            self._diagonal.append(along)
            self._beside.append(norm)
            self.steps += 1
            self._look()
            if self.done or not self._diagonal:
                return mass_w
        self._grow()
        self._basis[self._length] = w / norm
        self._length += 1
        result: ComplexArray = mass_w / norm
        return result

    @property
    def starting(self) -> bool:
        """Whether the next vector to take is a fresh start."""
        return self._length == self._locked

    # ---------------------------------------------------------------------------------------------- what it has found

    @property
    def progress(self) -> int:
        """Eigenvalues found so far."""
        return len(self._found.values) + self._converged_now

    def _look(self) -> None:
        j = len(self._diagonal)
        missing = 0 if self.count is None else self.count - len(self._found.values)
        exhausted = self._beside[-1] <= 1e-14 * max(self._diagonal) or j + self._locked >= self.size
        if not exhausted and (j < min(missing + 2, 8) or j % _CHECK):
            return
        theta, s = sl.eigh_tridiagonal(np.array(self._diagonal), np.array(self._beside[:-1]))
        good = (theta > 0.0) & ((np.abs(self._beside[-1] * s[-1]) <= TOLERANCE * np.abs(theta)) | exhausted)
        with np.errstate(divide="ignore"):
            values = np.where(theta > 0.0, 1.0 / theta, np.inf)
        below = values < self.limit
        self._converged_now = int((good & below).sum())
        complete = self.count is not None and self._converged_now == missing
        beyond = exhausted or (bool(good[below].all()) and int((good & ~below).sum()) >= _BEYOND)
        if complete or beyond:
            self._lock(values[below], s[:, below], complete)

    def _lock(self, values: FloatArray, s: FloatArray, complete: bool) -> None:
        first = self._locked
        vectors = s.T @ self._basis[first : self._length]
        self._found.values += [float(value) for value in values]
        self._found.vectors += list(vectors)
        self._converged_now = 0
        self.done = complete or (self.count is None and len(values) == 0) or first + len(values) >= self.size
        if self.done:
            return
        self._restarts += 1
        if self._restarts > _RESTARTS:
            raise SolveError(
                f"modes: {len(self._found.values)} eigenvalues were found below the limit, but Sylvester's law counts "
                f"{self.count}. Choose another frequency limit, away from a natural frequency"
            )
        self._basis[first : first + len(vectors)] = vectors
        self._locked = first + len(vectors)
        self._begin()

    def result(self) -> tuple[FloatArray, ComplexArray]:
        """λ ascending (k,), and M-orthonormal vectors (k, size)."""
        values = np.array(self._found.values)
        order = np.argsort(values)
        vectors = np.array(self._found.vectors, dtype=np.complex128).reshape(-1, self.size)
        return values[order], vectors[order]


Operator = Callable[[ComplexArray, list[int]], ComplexArray]


def run_together(
    runs: list[LanczosRun], solve: Operator, mass: Operator, progress: Callable[[int], None] | None = None
) -> None:
    """Let recurrences take their steps side by side, so that operators are applied to many vectors at a time.

    Parameters
    ----------
    runs
        Each to its end.
    solve, mass
        K⁻¹ and M applied to columns (size, k), column j in the pencil of runs[which[j]].
    progress
        Function that is called with the number of eigenvalues found so far.
    """
    active = [i for i, run in enumerate(runs) if not run.done]
    momenta: dict[int, ComplexArray] = {}
    while active:
        fresh = [runs[i].starting for i in active]
        running = [i for i, new in zip(active, fresh, strict=True) if not new]
        waiting: dict[int, ComplexArray] = {}
        if running:
            answers = solve(np.stack([momenta[i] for i in running], axis=1), running)
            waiting = {i: answers[:, j] for j, i in enumerate(running)}
        w = [np.ascontiguousarray(waiting[i]) if i in waiting else runs[i].start for i in active]
        along = [0.0] * len(active)
        for _ in range(2):  # twice is enough
            mass_w = np.ascontiguousarray(mass(np.stack(w, axis=1), active).T)
            for j, i in enumerate(active):
                w[j], h = runs[i].orthogonalise(w[j], mass_w[j])
                along[j] += float(h[-1].real) if len(h) else 0.0
        mass_w = np.ascontiguousarray(mass(np.stack(w, axis=1), active).T)
        for j, i in enumerate(active):
            momenta[i] = runs[i].accept(w[j], mass_w[j], None if fresh[j] else along[j])
        active = [i for i in active if not runs[i].done]
        if progress is not None:
            progress(sum(run.progress for run in runs))


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
        pass

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


# ---- pardiso

# PARDISO of Intel's MKL, used on request where it is installed (package pypardiso, or only mkl).


def pardiso_installed() -> bool:
    """Whether the backend "pardiso" can be used here."""
    try:
        _mkl()
    except ModelError:
        return False
    return True


def _mkl() -> Any:
    """MKL's library, found where its Python package puts it or where the system looks."""
    folders = (Path(sys.prefix) / "lib", Path(sys.prefix) / "Library" / "bin")
    found = [str(path) for folder in folders for path in sorted(folder.glob("*mkl_rt*")) if path.suffix != ".lib"]
    for place in (*found, ctypes.util.find_library("mkl_rt")):
        if place:
            try:
                return ctypes.CDLL(place)
            except OSError:
                continue
    raise ModelError('backend "pardiso" requires MKL. Install pypardiso, or use the backend "multifrontal"')


class Pardiso(Factorised):
    """PARDISO of MKL: real symmetric and complex Hermitian, positive definite or not."""

    backend = "pardiso"

    def __init__(self, A: Any, positive_definite: bool) -> None:
        super().__init__(A.shape, np.iscomplexobj(A))
        self._library = _mkl()
        upper = sp.triu(A, format="csr")
        upper.sort_indices()
        self._dtype = np.complex128 if self._is_complex else np.float64
        # MKL: 2 real positive definite, -2 real indefinite, 4 Hermitian positive definite, -4 Hermitian indefinite
        self._kind = (1 if positive_definite else -1) * (4 if self._is_complex else 2)
        self._values = np.ascontiguousarray(upper.data, self._dtype)
        self._pointers = (upper.indptr + 1).astype(np.int32)
        self._columns = (upper.indices + 1).astype(np.int32)
        self._handle = np.zeros(64, np.int64)
        self._options = np.zeros(64, np.int32)
        self._options[0] = 1  # no defaults
        self._options[1] = 2  # nested dissection
        self._options[9] = 8 if not positive_definite else 13  # a pivot this small, 10^-8, is perturbed
        self._options[20] = 1  # Bunch-Kaufman
        nothing = np.zeros(1, self._dtype)
        self._call(12, nothing, nothing, 1)
        if positive_definite:
            self.negative = 0
        elif not self._is_complex:  # MKL does not count them for Hermitian matrices
            self.negative = int(self._options[22])

    def _call(self, phase: int, b: AnyArray, x: AnyArray, columns: int) -> None:
        def number(value: int) -> Any:
            return ctypes.byref(ctypes.c_int(value))

        def array(values: AnyArray) -> Any:
            return values.ctypes.data_as(ctypes.c_void_p)

        error = ctypes.c_int(0)
        self._library.pardiso(
            array(self._handle), number(1), number(1), number(self._kind), number(phase), number(self.shape[0]),
            array(self._values), array(self._pointers), array(self._columns), number(0), number(columns),
            array(self._options), number(0), array(b), array(x), ctypes.byref(error),
        )  # fmt: skip
        if error.value:
            hint = ": the matrix is singular, or not positive definite, as was stated" if error.value == -4 else ""
            raise SolveError(f"PARDISO stopped in phase {phase} with error {error.value}{hint}")

    def _solve_block(self, b: AnyArray) -> AnyArray:
        right = np.asfortranarray(b, dtype=self._dtype)
        x = np.empty_like(right)
        self._call(33, right, x, b.shape[1])
        return x

    def __del__(self) -> None:
        if hasattr(self, "_options") and not sys.is_finalizing():
            nothing = np.zeros(1, self._dtype)
            self._call(-1, nothing, nothing, 1)
