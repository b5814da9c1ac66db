"""Dense LU with row pivoting for small systems. The factors are kept for repeated solutions.

The matrix is stored by columns, A[column, row], so that the inner loops run over contiguous memory. The factors contain the
inverse pivots on the diagonal: divisions would take a quarter of the time of a solution.
"""

import numpy as np

from ..math.compiled import A1, A2, F8, I1, block


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
