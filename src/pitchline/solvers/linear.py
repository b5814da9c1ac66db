"""The linear solver of the step loop: dense for small systems, sparse with a fixed pattern for the others.

Both have the same two functions, which the loop calls by address, so that only those in use are compiled.
"""

from ..math.calling import address_of, caller_of
from ..math.compiled import A1, B1, block
from .dense_lu import dense_factorise, dense_solve
from .run_record import Factors
from .sparse_lu import GROWTH_LIMIT, backward_error, refactor, sparse_solve


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
