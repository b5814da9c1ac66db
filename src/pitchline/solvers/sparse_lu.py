"""Sparse LU with a fixed pattern: order and pivots once from SuperLU, fill once, then numeric refactorisation in compiled
code. If the multipliers of a refactorisation grow, it is reported, and the caller determines new pivots.

P A Q = L U with unit lower L; the strictly triangular parts of L and U by columns, pivots separate. Two arrays contain all data:
integers  n, size of L, size of U, row -> pivot position, pivot position -> column, L pointers, U pointers, L rows, U rows;
floats    inverse pivots, work, right-hand side, L values, U values.
"""

import numpy as np

from ..math.compiled import A1, F8, I1, I8, U1, block, entry

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
