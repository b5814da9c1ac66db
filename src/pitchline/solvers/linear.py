"""The linear solver of the step loop: dense for small systems, sparse with a fixed pattern for the others.

Both have the same two functions, which the loop calls by address, so that only the one in use is compiled.
"""

from ..math.calling import address_of, caller_of
from ..math.compiled import A1, A2, B1, I1, U1, block
from .dense_lu import dense_factorise, dense_solve
from .sparse_lu import GROWTH_LIMIT, backward_error, refactor, sparse_solve


@block
def factorise_dense(Ap: U1, Ai: U1, Ax: A1, D: A2, pivot: I1, fi: U1, fx: A1) -> B1:
    """Factor the assembled matrix. False: it is singular."""
    n = pivot.size
    for i in range(n):
        for j in range(n):
            D[i, j] = Ax[i * n + j]
    return dense_factorise(D, pivot) < 2.0


@block
def factorise_sparse(Ap: U1, Ai: U1, Ax: A1, D: A2, pivot: I1, fi: U1, fx: A1) -> B1:
    """Factor the assembled matrix. False: it is singular, or needs other pivots."""
    return refactor(Ap, Ai, Ax, fi, fx) < GROWTH_LIMIT


@block
def solve_dense(check: B1, Ap: U1, Ai: U1, Ax: A1, D: A2, pivot: I1, fi: U1, fx: A1, b: A1, x: A1, work: A1) -> B1:
    """x = A^-1 b by the factors at hand; whether it is good."""
    dense_solve(D, pivot, b, x)
    return True


@block
def solve_sparse(check: B1, Ap: U1, Ai: U1, Ax: A1, D: A2, pivot: I1, fi: U1, fx: A1, b: A1, x: A1, work: A1) -> B1:
    """x = A^-1 b by the factors at hand; if asked, whether pivots taken in another position still serve."""
    sparse_solve(fi, fx, b, x)
    return not check or backward_error(Ap, Ai, Ax, x, b, work) <= 1e-10


call_factorise = caller_of(factorise_dense.signature)
call_solve = caller_of(solve_dense.signature)


def solver_addresses(dense: bool) -> tuple[int, int]:
    """(factorise, solve)."""
    if dense:
        return address_of(factorise_dense), address_of(solve_dense)
    return address_of(factorise_sparse), address_of(solve_sparse)
