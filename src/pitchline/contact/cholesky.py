"""Cholesky's factors of a dense symmetric matrix, compiled: A = Uᵀ U, four rows at a time.

Only the upper half is read and written, row by row, so that all inner loops run over contiguous memory.
"""

import math

from pitchline.numerics.machine_code.compiled import A2, B1, I8, block

__all__ = ["factorise", "solve_rows"]

_PANEL = 4


@block
def factorise(U: A2, n: I8) -> B1:
    """U in place of the upper half of A; False where A is not positive definite."""
    k = 0
    while k < n:
        last = min(k + _PANEL, n)
        # rows k .. last − 1 against each other
        for p in range(k, last):
            for q in range(k, p):
                f = U[q, p]
                for j in range(p, n):
                    U[p, j] -= f * U[q, j]
            if not U[p, p] > 0.0:
                return False
            scale = 1.0 / math.sqrt(U[p, p])
            for j in range(p, n):
                U[p, j] *= scale
        # all others against these
        if last - k == _PANEL:
            for i in range(last, n):
                f_0 = U[k, i]
                f_1 = U[k + 1, i]
                f_2 = U[k + 2, i]
                f_3 = U[k + 3, i]
                for j in range(i, n):
                    U[i, j] -= f_0 * U[k, j] + f_1 * U[k + 1, j] + f_2 * U[k + 2, j] + f_3 * U[k + 3, j]
        k = last
    return True


@block
def solve_rows(U: A2, n: I8, x: A2, first: I8, last: I8) -> None:
    """Rows first .. last − 1 of x in place of right sides b, A x = b."""
    for r in range(first, last):
        for k in range(n):
            v = x[r, k] / U[k, k]
            x[r, k] = v
            for j in range(k + 1, n):
                x[r, j] -= v * U[k, j]
        for k in range(n - 1, -1, -1):
            v = x[r, k]
            for j in range(k + 1, n):
                v -= U[k, j] * x[r, j]
            x[r, k] = v / U[k, k]
