"""The linear solvers of the step loop, sparse with fixed pivots and dense, on matrices of constrained motion."""

import numba
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import int64

from pitchline.engine.solvers.linear import (
    GROWTH_LIMIT,
    NEAR_DIAGONAL,
    analyse,
    call_factorise,
    call_solve,
    no_factors,
    refactor,
    solver_addresses,
)
from pitchline.engine.solvers.run_record import Factors
from pitchline.numerics.fields import packed, record_at
from pitchline.numerics.machine_code.calling import address_of, caller_of

seeds = st.integers(0, 2**32 - 1)


def python_caller(signature):
    """call(address, ...) for Python."""
    inside = caller_of(signature)
    names = ", ".join(f"a{i}" for i in range(len(signature.args)))
    made: dict = {"inside": inside}
    exec(f"def call(address, {names}):\n    return inside(address, {names})", made)
    return numba.njit(signature.return_type(int64, *signature.args))(made["call"])


grow = python_caller(refactor.signature)
factors_at = record_at(Factors)


@numba.njit
def factorise(address, factors, Ax):
    return call_factorise(address, factors_at(factors), Ax)


@numba.njit
def solve(address, factors, check, Ax, b, x, work):
    return call_solve(address, factors_at(factors), check, Ax, b, x, work)


def constrained(rng: np.random.Generator, bodies: int, rows: int) -> sp.csc_matrix:
    """[M B^T; B 0]: mass blocks of 3, a few entries a constraint row, not too dependent rows."""
    n = 3 * bodies
    blocks = []
    for _ in range(bodies):
        root = rng.normal(size=(3, 3))
        blocks.append(root @ root.T + np.eye(3))
    while True:
        B = rng.normal(size=(rows, n)) * (rng.uniform(size=(rows, n)) < 6 / n)
        B[np.arange(rows), rng.integers(n, size=rows)] = 1.0 + rng.uniform()
        if not rows or np.linalg.svd(B, compute_uv=False)[-1] > 1e-2:
            break
    B = sp.csc_matrix(B)
    K = sp.bmat([[sp.block_diag(blocks), B.T], [B, None]] if rows else [[sp.block_diag(blocks)]], format="csc")
    K.sort_indices()
    return K


def arrays(A: sp.csc_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return A.indptr.astype(np.uint32), A.indices.astype(np.uint32), A.data.astype(float).copy()


class Sparse:
    """The solver with the calls of the step loop."""

    def __init__(self, A: sp.csc_matrix) -> None:
        self.n = A.shape[0]
        self.Ap, self.Ai, Ax = arrays(A)
        self.factors = analyse(self.n, self.Ap, self.Ai, Ax)
        self.code = solver_addresses(dense=False)
        integers, floats = self.factors
        self.record = packed(
            Factors, {"n": self.n, "Ap": self.Ap, "Ai": self.Ai, "integers": integers, "floats": floats}
        )

    def factorise(self, Ax: np.ndarray) -> bool:
        self.Ax = Ax
        return bool(factorise(self.code[0], self.record.ctypes.data, Ax))

    def solve(self, b: np.ndarray, check: bool = True) -> tuple[np.ndarray, bool]:
        x = np.zeros(self.n)
        good = solve(self.code[1], self.record.ctypes.data, check, self.Ax, b, x, np.zeros(self.n))
        return x, bool(good)

    def growth(self, Ax: np.ndarray) -> float:
        return grow(address_of(refactor), self.Ap, self.Ai, Ax, *self.factors)


def close(A: sp.csc_matrix, x: np.ndarray, b: np.ndarray) -> None:
    """As near to the solution as the condition of the matrix lets one be."""
    dense = A.toarray()
    limit = 1e-13 * np.linalg.cond(dense) * max(1.0, float(np.max(np.abs(np.linalg.solve(dense, b)))))
    np.testing.assert_allclose(x, np.linalg.solve(dense, b), rtol=0, atol=100 * limit)


@settings(max_examples=40)
@given(seed=seeds, bodies=st.integers(1, 25), share=st.floats(0, 0.6))
def test_sparse_solutions(seed: int, bodies: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    A = constrained(rng, bodies, int(share * 3 * bodies))
    lu, b = Sparse(A), rng.normal(size=A.shape[0])
    assert lu.factorise(A.data.copy())
    x, good = lu.solve(b)
    assert good
    close(A, x, b)


@settings(max_examples=40)
@given(seed=seeds, bodies=st.integers(2, 15), change=st.floats(0, 1))
def test_old_pivots_serve_changed_values_or_say_that_they_do_not(seed: int, bodies: int, change: float) -> None:
    rng = np.random.default_rng(seed)
    A = constrained(rng, bodies, bodies)
    lu, b = Sparse(A), rng.normal(size=A.shape[0])
    for _ in range(4):
        A.data[:] *= 1 + change * rng.uniform(-1, 1, size=A.data.size)
        if np.linalg.cond(A.toarray()) > 1e8:
            continue
        good = lu.factorise(A.data.copy())
        x, solved = lu.solve(b) if good else (None, False)
        if good and solved:
            # accepted: pivots up to GROWTH_LIMIT cost as many digits, no more
            assert np.max(np.abs(A @ x - b)) <= 1e-10 * (np.max(np.abs(A.data)) * np.max(np.abs(x)) + np.max(np.abs(b)))
        else:
            lu = Sparse(A)
            assert lu.factorise(A.data.copy())
            close(A, lu.solve(b)[0], b)


@settings(max_examples=30)
@given(seed=seeds, bodies=st.integers(1, 15))
def test_the_factors_multiply_to_the_matrix(seed: int, bodies: int) -> None:
    """P A Q = L U, with unit lower L."""
    rng = np.random.default_rng(seed)
    A = constrained(rng, bodies, bodies)
    lu = Sparse(A)
    assert lu.factorise(A.data.copy())
    fi, fx = lu.factors[0].astype(int), lu.factors[1]
    n, nl, nu = fi[:3]
    row_place, column_at = fi[3 : 3 + n], fi[3 + n : 3 + 2 * n]
    Lp, Up = fi[3 + 2 * n : 4 + 3 * n], fi[4 + 3 * n : 5 + 4 * n]
    Li, Ui = fi[5 + 4 * n : 5 + 4 * n + nl], fi[5 + 4 * n + nl :]
    assert Ui.size == nu
    L = sp.csc_matrix((fx[3 * n : 3 * n + nl], Li, Lp), (n, n)).toarray() + np.eye(n)
    U = sp.csc_matrix((fx[3 * n + nl :], Ui, Up), (n, n)).toarray() + np.diag(1.0 / fx[:n])
    assert not np.any(np.triu(L, 1)) and not np.any(np.tril(U, -1))
    PAQ = np.zeros((n, n))
    PAQ[row_place] = A.toarray()
    np.testing.assert_allclose(L @ U, PAQ[:, column_at], rtol=0, atol=1e-12 * np.max(np.abs(A.data)))
    # pivoting at the values that gave the pivots: 1 with row pivoting, more where the diagonal is preferred
    assert np.max(np.abs(L)) <= 1 / NEAR_DIAGONAL + 1e-12
    assert lu.growth(A.data.copy()) == pytest.approx(np.max(np.abs(L - np.eye(n)), initial=0.0))


def two_by_two(pivot: float) -> np.ndarray:
    """Columns of [[pivot, 1], [1, 0.5]]: pivots chosen for a large one."""
    return np.array([pivot, 1.0, 1.0, 0.5])


@pytest.mark.parametrize("bad", [0.0, 1e-9, -1e-7, np.nan])
def test_pivots_that_have_become_too_small_are_noticed(bad: float) -> None:
    A = sp.csc_matrix((two_by_two(3.0), [0, 1, 0, 1], [0, 2, 4]), (2, 2))
    lu = Sparse(A)
    assert lu.growth(two_by_two(3.0)) == pytest.approx(1 / 3)
    growth = lu.growth(two_by_two(bad))
    assert growth > GROWTH_LIMIT
    assert not lu.factorise(two_by_two(bad))
    assert lu.factorise(two_by_two(3.0))  # a failure leaves nothing behind
    x, good = lu.solve(np.array([4.0, 1.5]))
    assert good
    np.testing.assert_allclose(x, [1.0, 1.0], rtol=1e-15)


def test_acceptable_growth_is_accepted() -> None:
    A = sp.csc_matrix((two_by_two(3.0), [0, 1, 0, 1], [0, 2, 4]), (2, 2))
    lu = Sparse(A)
    assert lu.growth(two_by_two(1e-3)) == pytest.approx(1e3)
    assert lu.factorise(two_by_two(1e-3))
    x, good = lu.solve(np.array([1.001, 1.5]))
    assert good
    np.testing.assert_allclose(x, [1.0, 1.0], rtol=1e-12)


def test_a_check_notices_factors_of_another_matrix() -> None:
    """Asked to check, a solution with factors that do not belong to the values is refused."""
    rng = np.random.default_rng(0)
    A = constrained(rng, 6, 6)
    lu, b = Sparse(A), rng.normal(size=A.shape[0])
    assert lu.factorise(A.data.copy())
    lu.Ax = A.data * (1 + 1e-3 * rng.normal(size=A.data.size))
    assert not lu.solve(b)[1]
    assert lu.solve(b, check=False)[1]


def test_an_exactly_singular_matrix_is_refused() -> None:
    with pytest.raises(RuntimeError, match="singular"):
        Sparse(sp.csc_matrix(np.array([[1.0, 2.0], [2.0, 4.0]])))


def test_empty_factors_have_the_types_of_full_ones() -> None:
    lu = Sparse(constrained(np.random.default_rng(0), 2, 1))
    for empty, full in zip(no_factors(), lu.factors, strict=True):
        assert empty.dtype == full.dtype


# ---- dense


def dense_solution(A: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    n = len(b)
    D, pivot, x = np.zeros((n, n)), np.zeros(n, np.int64), np.zeros(n)
    record = packed(Factors, {"n": n, "D": D, "pivot": pivot})
    Ax = np.ascontiguousarray(A.T).ravel()
    code = solver_addresses(dense=True)
    if not factorise(code[0], record.ctypes.data, Ax):
        return None
    for _ in range(2):  # the factors stay
        assert solve(code[1], record.ctypes.data, True, Ax, b, x, np.zeros(n))
    return x


@settings(max_examples=40)
@given(seed=seeds, bodies=st.integers(1, 10), share=st.floats(0, 0.6))
def test_dense_solutions(seed: int, bodies: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    A = constrained(rng, bodies, int(share * 3 * bodies))
    b = rng.normal(size=A.shape[0])
    x = dense_solution(A.toarray(), b)
    assert x is not None
    close(A, x, b)


@pytest.mark.parametrize("bad", [np.zeros((3, 3)), np.ones((3, 3)), np.full((3, 3), np.nan)])
def test_dense_singular_matrices_are_refused(bad: np.ndarray) -> None:
    assert dense_solution(bad, np.ones(3)) is None
