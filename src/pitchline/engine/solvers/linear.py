"""Linear equations of a run: dense and sparse factors, their refinement, and the arrays of the motion."""

import math
from typing import Any, NamedTuple

import numpy as np

from pitchline.numerics.fields import address, point
from pitchline.numerics.machine_code.calling import address_of, caller_of
from pitchline.numerics.machine_code.compiled import A1, A2, B1, F8, I1, I8, U1, block, entry

from ..compile.system import State, System, Workspace
from ..elements.contract import NEVER
from .run_record import FactoredAxes, Factors, Output, Progress, Run

# ---- dense lu

# Dense LU with row pivoting for small systems. The factors are kept for repeated solutions.
#
# The matrix is stored by columns, A[column, row], so that the inner loops run over contiguous memory. The factors
# contain the inverse pivots on the diagonal: divisions would take a quarter of the time of a solution.


@block
def dense_factorise(A: A2, pivot: I1) -> F8:
    """LU in place. Return max|L| (1 with row pivoting), or infinity if the matrix is singular to working precision."""
    n = pivot.size
    for k in range(n):
        m = k
        best = abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[k, i]) > best:
                best = abs(A[k, i])
                m = i
        pivot[k] = m
        if not best > 1e-300:
            return np.inf
        if m != k:
            for j in range(n):
                t = A[j, k]
                A[j, k] = A[j, m]
                A[j, m] = t
        inverse = 1.0 / A[k, k]
        A[k, k] = inverse
        for i in range(k + 1, n):
            A[k, i] *= inverse
        for j in range(k + 1, n):
            u = A[j, k]
            if u != 0.0:
                for i in range(k + 1, n):
                    A[j, i] -= A[k, i] * u
    return 1.0


@block
def dense_solve(A: A2, pivot: I1, b: A1, x: A1):
    """x = A^-1 b with the factors of `dense_factorise`."""
    n = pivot.size
    for i in range(n):
        x[i] = b[i]
    for k in range(n):
        m = pivot[k]
        if m != k:
            t = x[k]
            x[k] = x[m]
            x[m] = t
    for k in range(n):
        v = x[k]
        if v != 0.0:
            for i in range(k + 1, n):
                x[i] -= A[k, i] * v
    for k in range(n - 1, -1, -1):
        v = x[k] * A[k, k]
        x[k] = v
        if v != 0.0:
            for i in range(k):
                x[i] -= A[k, i] * v


# ---- either matrix

# Matrices outside the step loop: arrays for small systems, sparse matrices for others.
#
# For a small system, the overhead of scipy's sparse matrices dominates: about 0.1 ms for each sum or product.


class ArrayFactors:
    """Solutions with a small matrix. `solve` raises a RuntimeError if it is singular.

    Rows and columns are scaled to a largest entry of 1: stiffness, masses and gradients of constraints have different units,
    which would otherwise determine the pivots."""

    def __init__(self, matrix: np.ndarray) -> None:
        self.rows = _one_over(np.maximum.reduce(np.abs(matrix), axis=1, initial=0.0))
        scaled = matrix * self.rows[:, None]
        self.columns = _one_over(np.maximum.reduce(np.abs(scaled), axis=0, initial=0.0))
        self.matrix = scaled * self.columns

    def solve(self, b: np.ndarray) -> np.ndarray:
        try:
            x: np.ndarray = np.linalg.solve(self.matrix, self.rows * b)
        except np.linalg.LinAlgError as error:
            raise RuntimeError(str(error)) from None
        return self.columns * x


def _one_over(sizes: np.ndarray) -> np.ndarray:
    """1/size, 1 if it is 0."""
    return 1.0 / np.where(sizes > 0.0, sizes, 1.0)


def factors_of(matrix: Any) -> Any:
    """Factors with `solve(b)`. A singular matrix raises a RuntimeError, here or in the first `solve`."""
    if isinstance(matrix, np.ndarray):
        return ArrayFactors(matrix)
    import scipy.sparse.linalg as sla

    return sla.splu(matrix.tocsc(), permc_spec="COLAMD")


def solution(matrix: Any, b: np.ndarray) -> np.ndarray | None:
    """matrix^-1 b; None if the matrix is singular."""
    try:
        x: np.ndarray = (ArrayFactors(matrix) if isinstance(matrix, np.ndarray) else factors_of(matrix)).solve(b)
    except RuntimeError:
        return None
    return x if np.isfinite(x).all() else None


def diagonal_like(like: Any, values: np.ndarray) -> Any:
    """Diagonal matrix; an array if `like` is an array."""
    if isinstance(like, np.ndarray):
        return np.diag(values)
    import scipy.sparse as sp

    return sp.diags(values)


def with_identity(matrix: Any, rows: np.ndarray) -> Any:
    """Matrix with some unknowns fixed: their rows and columns are those of the identity."""
    if not rows.size:
        return matrix
    keep = np.ones(matrix.shape[0])
    keep[rows] = 0.0
    if isinstance(matrix, np.ndarray):
        return matrix * keep * keep[:, None] + np.diag(1.0 - keep)
    D = diagonal_like(matrix, keep)
    return D @ matrix @ D + diagonal_like(matrix, 1.0 - keep)


def penalised(matrix: Any, rows: np.ndarray, penalties: np.ndarray) -> Any:
    """Matrix with the columns of some unknowns, times penalties, times their rows, added to the rows of the other unknowns."""
    others = np.setdiff1d(np.arange(matrix.shape[0]), rows)
    if isinstance(matrix, np.ndarray):
        out = matrix.copy()
        out[np.ix_(others, others)] += matrix[np.ix_(others, rows)] @ (
            penalties[:, None] * matrix[np.ix_(rows, others)]
        )
        return out
    keep = np.zeros(matrix.shape[0])
    keep[others] = 1.0
    spread = np.zeros(matrix.shape[0])
    spread[rows] = penalties
    D = diagonal_like(matrix, keep)
    return matrix + D @ matrix @ diagonal_like(matrix, spread) @ matrix @ D


def row_of(matrix: Any, i: int, end: int) -> np.ndarray:
    """The first entries of a row."""
    row: np.ndarray = matrix[i, :end] if isinstance(matrix, np.ndarray) else matrix[[i], :end].toarray()[0]
    return row


def leading_block(matrix: Any, n: int) -> Any:
    """The matrix with zeros outside its first n rows and columns."""
    if isinstance(matrix, np.ndarray):
        block = matrix.copy()
        block[n:, :] = 0.0
        block[:, n:] = 0.0
        return block
    keep = np.zeros(matrix.shape[0])
    keep[:n] = 1.0
    D = diagonal_like(matrix, keep)
    return D @ matrix @ D


# ---- sparse lu

# Sparse LU with a fixed pattern: order and pivots once from SuperLU, fill once, then numeric refactorisation in
# compiled code. If the multipliers of a refactorisation grow, it is reported, and the caller determines new pivots.
#
# P A Q = L U with unit lower L; the strictly triangular parts of L and U by columns, pivots separate. Two arrays
# contain all data: integers n, size of L, size of U, row -> pivot position, pivot position -> column, L pointers, U
# pointers, L rows, U rows; floats inverse pivots, work, right-hand side, L values, U values.

NEAR_DIAGONAL = 0.1
"""Fraction of the largest entry of a column from which its diagonal is used as pivot, with a symmetric order."""
LESS_FILL = 0.8
"""The symmetric order is used if its fill is less than this fraction of that of the other."""
GROWTH_LIMIT = 1e6
"""Largest accepted |L|. For larger values new pivots are determined."""


@entry
def _fill(n: I8, Ap: U1, Ai: U1, row_place: I1, column_at: I1, Lp: I1, Li: I1, Up: I1, Ui: I1, mark: I1) -> I8:
    """Pattern of L and U by columns. Return 0, or 1 if the allocated memory is too small.

    mark: n times -1."""
    nl = 0
    nu = 0
    Lp[0] = 0
    Up[0] = 0
    for k in range(n):
        lo = k
        hi = k
        for p in range(int(Ap[column_at[k]]), int(Ap[column_at[k] + 1])):
            i = row_place[Ai[p]]
            mark[i] = k
            lo = min(lo, i)
            hi = max(hi, i)
        for j in range(lo, k):
            if mark[j] == k:
                if nu >= Ui.size:
                    return 1
                Ui[nu] = j
                nu += 1
                for q in range(Lp[j], Lp[j + 1]):
                    mark[Li[q]] = k
                    hi = max(hi, Li[q])
        for i in range(k + 1, hi + 1):
            if mark[i] == k:
                if nl >= Li.size:
                    return 1
                Li[nl] = i
                nl += 1
        Lp[k + 1] = nl
        Up[k + 1] = nu
    return 0


def analyse(n: int, Ap: np.ndarray, Ai: np.ndarray, Ax: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(integers, floats): pivots and fill for a matrix in compressed columns. RuntimeError if it is exactly singular."""
    import scipy.sparse as sp
    import scipy.sparse.linalg as sla

    matrix = sp.csc_matrix((Ax, Ai.astype(np.int32), Ap.astype(np.int32)), (n, n))
    lu = sla.splu(matrix, permc_spec="COLAMD", diag_pivot_thresh=1.0)
    # chains of elastic elements fill less in a symmetric order, with pivots near the diagonal
    other = sla.splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=NEAR_DIAGONAL)
    if other.L.nnz + other.U.nnz < LESS_FILL * (lu.L.nnz + lu.U.nnz):
        lu = other
    row_place = lu.perm_r.astype(np.int64)
    column_at = np.argsort(lu.perm_c).astype(np.int64)
    room = 2 * (lu.L.nnz + lu.U.nnz) + 16 * n
    while True:
        Lp, Up = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
        Li, Ui = np.zeros(room, np.int64), np.zeros(room, np.int64)
        if _fill(n, Ap, Ai, row_place, column_at, Lp, Li, Up, Ui, np.full(n, -1)) == 0:
            break
        room *= 2
    nl, nu = int(Lp[n]), int(Up[n])
    integers = np.concatenate([[n, nl, nu], row_place, column_at, Lp, Up, Li[:nl], Ui[:nu]])
    return integers.astype(np.uint32), np.zeros(3 * n + nl + nu)


def no_factors() -> tuple[np.ndarray, np.ndarray]:
    """Placeholder if the dense solver is used, or before pivots are determined."""
    return np.zeros(3, np.uint32), np.zeros(1)


@block
def refactor(Ap: U1, Ai: U1, Ax: A1, fi: U1, fx: A1) -> F8:
    """Left-looking numeric factorisation. Return max|L|, infinity if a pivot is zero."""
    n = int(fi[0])
    nl = int(fi[1])
    row_place = fi[3 : 3 + n]
    column_at = fi[3 + n : 3 + 2 * n]
    Lp = fi[3 + 2 * n : 4 + 3 * n]
    Up = fi[4 + 3 * n : 5 + 4 * n]
    Li = fi[5 + 4 * n : 5 + 4 * n + nl]
    Ui = fi[5 + 4 * n + nl :]
    d = fx[:n]
    work = fx[n : 2 * n]
    Lx = fx[3 * n : 3 * n + nl]
    Ux = fx[3 * n + nl :]
    growth = 0.0
    for k in range(n):
        column = column_at[k]
        for p in range(Ap[column], Ap[column + 1]):
            work[row_place[Ai[p]]] = Ax[p]
        for p in range(Up[k], Up[k + 1]):
            j = Ui[p]
            u = work[j]
            work[j] = 0.0
            Ux[p] = u
            if u != 0.0:
                for q in range(Lp[j], Lp[j + 1]):
                    work[Li[q]] -= Lx[q] * u
        pivot = work[k]
        work[k] = 0.0
        inverse = 1.0 / pivot
        d[k] = inverse
        for q in range(Lp[k], Lp[k + 1]):
            i = Li[q]
            l = work[i] * inverse
            work[i] = 0.0
            Lx[q] = l
            growth = max(growth, abs(l))
        if not (abs(pivot) > 0.0 and growth < 1e12):  # also detects nan
            for i in range(n):
                work[i] = 0.0
            return np.inf
    return growth


@block
def sparse_solve(fi: U1, fx: A1, b: A1, x: A1):
    """x = A^-1 b."""
    n = int(fi[0])
    nl = int(fi[1])
    row_place = fi[3 : 3 + n]
    column_at = fi[3 + n : 3 + 2 * n]
    Lp = fi[3 + 2 * n : 4 + 3 * n]
    Up = fi[4 + 3 * n : 5 + 4 * n]
    Li = fi[5 + 4 * n : 5 + 4 * n + nl]
    Ui = fi[5 + 4 * n + nl :]
    d = fx[:n]
    y = fx[2 * n : 3 * n]
    Lx = fx[3 * n : 3 * n + nl]
    Ux = fx[3 * n + nl :]
    for i in range(n):
        y[row_place[i]] = b[i]
    for j in range(n):
        v = y[j]
        if v != 0.0:
            for q in range(Lp[j], Lp[j + 1]):
                y[Li[q]] -= Lx[q] * v
    for j in range(n - 1, -1, -1):
        v = y[j] * d[j]  # divisions would take a third of the time
        y[j] = v
        if v != 0.0:
            for p in range(Up[j], Up[j + 1]):
                y[Ui[p]] -= Ux[p] * v
    for k in range(n):
        x[column_at[k]] = y[k]


@block
def backward_error(Ap: U1, Ai: U1, Ax: A1, x: A1, b: A1, out: A1) -> F8:
    """max |b - A x| / (max |A| max |x| + max |b|): small if x solves a matrix close to A, even if that is ill-conditioned."""
    size_b = 0.0
    size_x = 0.0
    for i in range(b.size):
        out[i] = b[i]
        size_b = max(size_b, abs(b[i]))
        size_x = max(size_x, abs(x[i]))
    size_A = 0.0
    for column in range(b.size):
        for p in range(Ap[column], Ap[column + 1]):
            out[Ai[p]] -= Ax[p] * x[column]
            size_A = max(size_A, abs(Ax[p]))
    largest = 0.0
    for i in range(b.size):
        largest = max(largest, abs(out[i]))
    scale = size_A * size_x + size_b
    return largest / scale if scale > 0.0 else 0.0


# ---- linear

# The linear solver of the step loop: dense for small systems, sparse with a fixed pattern for the others.
#
# Both have the same two functions, which the loop calls by address, so that only those in use are compiled.


@block
def factorise_dense(factors: Factors, Ax: A1) -> B1:
    """Factorise the assembled matrix. False: it is singular."""
    n = factors.n
    D = factors.D
    for i in range(n):
        for j in range(n):
            D[i, j] = Ax[i * n + j]
    return dense_factorise(D, factors.pivot) < 2.0


@block
def factorise_sparse(factors: Factors, Ax: A1) -> B1:
    """Factorise the assembled matrix. False: it is singular, or needs other pivots."""
    return refactor(factors.Ap, factors.Ai, Ax, factors.integers, factors.floats) < GROWTH_LIMIT


@block
def solve_dense(factors: Factors, check: B1, Ax: A1, b: A1, x: A1, work: A1) -> B1:
    """x = A^-1 b with the available factors; return whether the solution is accurate."""
    dense_solve(factors.D, factors.pivot, b, x)
    return True


@block
def solve_sparse(factors: Factors, check: B1, Ax: A1, b: A1, x: A1, work: A1) -> B1:
    """x = A^-1 b with the available factors; if requested, check whether pivots from another position are still suitable."""
    sparse_solve(factors.integers, factors.floats, b, x)
    return not check or backward_error(factors.Ap, factors.Ai, Ax, x, b, work) <= 1e-10


call_factorise = caller_of(factorise_dense.signature)
call_solve = caller_of(solve_dense.signature)


def solver_addresses(dense: bool) -> tuple[int, int]:
    """(factorise, solve)."""
    if dense:
        return address_of(factorise_dense), address_of(solve_dense)
    return address_of(factorise_sparse), address_of(solve_sparse)


OWN_ARRAYS = ("v", "vd", "a", "vd_before", "lam", "lam_before")
"""Arrays of the accepted motion, in addition to poses, own coordinates and memory, which are in the workspace."""


class Samples(NamedTuple):
    """Samples of a motion: one row each."""

    t: np.ndarray
    pose: np.ndarray  # (n, nodes, 7)
    v: np.ndarray
    vd: np.ndarray
    lam: np.ndarray
    mem: np.ndarray
    own: np.ndarray
    condensed: np.ndarray  # (n, 2, coordinates): values, rates
    work: (
        np.ndarray
    )  # (n, 3): supplied work, dissipated energy, and work of teeth without a potential (part of the first)


def new_samples(room: int, system: System) -> Samples:
    """Allocate memory for samples of a system."""
    s = system
    shapes: dict[str, tuple[int, ...]] = {
        "t": (), "pose": (len(s.ndof), 7), "v": (s.n_q,), "vd": (s.n_q,), "lam": (max(s.n_lam, 1),), "mem": (max(s.n_mem, 1),),
        "own": (s.own.count,), "condensed": (2, s.own.condensed_count), "work": (3,),
    }  # fmt: skip
    return Samples(**{name: np.zeros((room, *shape)) for name, shape in shapes.items()})


class Motion:
    """Accepted motion, progress and options of a run. Together with the factors of the matrix, all data for an exact
    continuation."""

    def __init__(self, system: System, options: np.ndarray) -> None:
        self.system = system
        self.work = Workspace(system)
        rates, forces = np.zeros((5, system.n_q)), np.zeros((2, self.work.lam.size))
        self.v, self.vd, self.a, self.vd_before, self.a0 = rates
        self.lam, self.lam_before = forces
        first, second = address(rates), address(forces)
        self._places = {
            name: first + 8 * system.n_q * i for i, name in enumerate(("v0", "vd0", "a", "vd_before", "a0"))
        } | {name: second + 8 * self.work.lam.size * i for i, name in enumerate(("lam0", "lam_before"))}
        self._progress = np.zeros(1, Progress.dtype)
        self.progress: np.void = self._progress[0]
        self.progress["stride"] = 1
        self._run_words = np.zeros(Run.size, np.int64)
        self._address = address(self._run_words)
        self._run = np.ndarray((1,), Run.dtype, self._run_words)
        self.run: np.void = self._run[0]
        self.run["options"] = options
        self._output = np.zeros(Output.size, np.int64)
        self.factored = np.zeros((len(system.ndof), FactoredAxes.size))
        self._samples: Samples | None = None
        self._fit()

    @property
    def options(self) -> np.void:
        """Options of the run, by name."""
        found: np.void = self.run["options"]
        return found

    @property
    def address(self) -> int:
        """Address of the record of the run."""
        return self._address

    def resize(self) -> None:
        """Adapt arrays that depend on the equations to the current layout. The factors are lost."""
        self.work = Workspace(self.system, like=self.work)
        self._fit()

    def _fit(self) -> None:
        """Make the arrays that depend on the equations, and point the records to them."""
        s = self.system
        self._x, self._b = np.zeros(s.n), np.zeros(s.n)
        dense = s.n if s.dense else 0
        self.dense_factors, self.pivot = np.zeros((dense, dense)), np.zeros(s.n, np.int64)
        self._factors = np.zeros(Factors.size, np.int64)
        self.set_sparse_factors(no_factors())
        y = s.layout
        point(self._factors, Factors, {
            "n": s.n, "n_columns": y.Ap.size, "n_entries": y.Ai.size, "n_dense": dense, "Ap": y.Ap, "Ai": y.Ai,
            "D": self.dense_factors, "pivot": self.pivot,
        })  # fmt: skip
        point(self._run_words, Run, {
            "n_q": s.n_q, "n_lam": self.lam.size, "n": s.n, "progress": self._progress, "system": self.work.address,
            "n_kinks": s.kinks.size, "kinks": s.kinks,
            "factors": self._factors, "factored": self.factored, "output": self._output, "x": self._x, "b": self._b,
            **self._places,
        })  # fmt: skip
        self.progress["have_factors"] = 0

    def set_sparse_factors(self, factors: tuple[np.ndarray, np.ndarray]) -> None:
        """Pivots and fill of the sparse matrix."""
        self.sparse_factors = factors
        integers, floats = factors
        point(
            self._factors,
            Factors,
            {"n_integers": integers.size, "n_floats": floats.size, "integers": integers, "floats": floats},
        )

    def write_to(self, samples: Samples) -> None:
        """Write samples to these arrays from now on."""
        if samples is self._samples:
            return
        values: dict[str, Any] = {"room": len(samples.t), **samples._asdict()}
        if self._samples is None:  # the sizes of a sample stay the same
            for name, array in samples._asdict().items():
                if name not in ("t", "pose", "work"):
                    values["n_q" if name in ("v", "vd") else f"n_{name}"] = math.prod(array.shape[1:])
        self._samples = samples
        point(self._output, Output, values)

    # ---- states

    def set(self, state: State) -> None:
        """Start at a state, with constant accelerations and multipliers before it."""
        self.work.set(state)
        self.v[:], self.vd[:], self.a[:], self.vd_before[:] = state.v, state.vd, state.vd, state.vd
        self.lam[:], self.lam_before[:] = state.lam, state.lam
        self.progress["t"] = state.t

    def first_stop(self) -> float:
        """The first time at which elements require the end of a step."""
        if not self.system.layout.accepts.size:
            return NEVER
        self.work.question(float(self.progress["t"]))
        self.work.place()
        self.work.accept()
        return float(self.work.ask["stop"][0])

    def state(self) -> State:
        """Return the accepted motion as a new state."""
        w = self.work
        arrays = (w.pose0, self.v, self.vd, self.lam, w.mem, w.own0, w.condensed)
        return State(float(self.progress["t"]), *(x.copy() for x in arrays))

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays for an exact continuation, by name; not copies."""
        w = self.work
        return {name: getattr(self, name) for name in OWN_ARRAYS} | {
            "pose": w.pose0, "own": w.own0, "mem": w.mem, "condensed": w.condensed, "progress": self._progress,
            "options": self._run["options"], "dense_factors": self.dense_factors, "pivot": self.pivot,
            "factored": self.factored,
        }  # fmt: skip
