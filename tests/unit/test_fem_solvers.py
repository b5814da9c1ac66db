"""Nested dissection, the multifrontal factorisation, condensation, and the other solvers."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from references.hex_grids import annulus, dofs, nodes_where

from pitchline.errors import ModelError, SolveError
from pitchline.fem.dissection import nested_dissection
from pitchline.fem.elasticity import stiffness_and_mass
from pitchline.fem.sparse_solver import analyse, condense, factorise, pardiso_installed
from pitchline.parts.gears.geometry.inputs import STEEL

GRID = annulus(0.015, 0.04, 0.01, (3, 3, 2), order=2, angle=0.35)
K, M = stiffness_and_mass(GRID, STEEL)
N = K.shape[0]
RNG = np.random.default_rng(5)
TURN = sp.diags(np.exp(1j * np.repeat(RNG.uniform(0, 6, N // 3), 3)))
"""A unitary matrix: turns a real symmetric matrix into a Hermitian one with the same eigenvalues."""

pardiso = pytest.param(
    "pardiso", marks=pytest.mark.skipif(not pardiso_installed(), reason="MKL is not installed (pip install pypardiso)")
)
BACKENDS = ["multifrontal", "superlu", pardiso]


def matrix(kind: str, shift: float) -> sp.csc_matrix:
    """K - shift M, real or Hermitian."""
    A = K - shift * M
    return sp.csc_matrix(A if kind == "real" else TURN @ A @ TURN.conj())


def backward_error(A: Any, x: np.ndarray, b: np.ndarray) -> float:
    """max over the columns of the residual by (norm of A times norm of x): rounding, whatever the condition of A."""
    norm = abs(A).sum(axis=1).max()
    return float((abs(A @ x - b).max(axis=0) / (norm * abs(x).max(axis=0))).max())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", ["real", "Hermitian"])
@pytest.mark.parametrize("shift", [-1e8, 3e10])
class TestEveryBackend:
    def test_solves_vectors_and_blocks_real_and_complex(self, backend: str, kind: str, shift: float) -> None:
        A = matrix(kind, shift)
        factor = factorise(A, positive_definite=shift < 0, backend=backend)
        assert factor.backend == backend
        for b in (RNG.random(N), RNG.random((N, 3)), RNG.random(N) + 1j * RNG.random(N), RNG.random((N, 2)) * (1 + 2j)):
            x = factor.solve(b)
            assert x.shape == b.shape
            assert np.iscomplexobj(x) == (np.iscomplexobj(b) or kind == "Hermitian")
            assert backward_error(A, x, b) < 1e-14


@pytest.mark.parametrize("kind", ["real", "Hermitian"])
@pytest.mark.parametrize("shift", [-1e8, 1e9, 3e10, 2e11])
def test_negative_eigenvalues_are_counted(kind: str, shift: float) -> None:
    A = matrix(kind, shift)
    expected = int((np.linalg.eigvalsh(A.toarray()) < 0).sum())
    assert (expected > 0) == (shift > 0)
    assert factorise(A, positive_definite=False).negative == expected


@pytest.mark.parametrize("kind", ["real", "Hermitian"])
@pytest.mark.parametrize("shift", [-1e8, 3e10])
def test_condensation_is_the_schur_complement(kind: str, shift: float) -> None:
    """S = A_bb - A_bi A_ii⁻¹ A_ib in the order asked for, loads reduced and all unknowns recovered."""
    A = matrix(kind, shift)
    keep = RNG.permutation(dofs(nodes_where(GRID, lambda x, y, z: np.abs(y) < 1e-9)))
    condensed = condense(A, keep, positive_definite=shift < 0, coordinates=GRID.nodes)
    dense, rest = A.toarray(), np.setdiff1d(np.arange(N), keep)
    inner = dense[np.ix_(rest, rest)]
    S = dense[np.ix_(keep, keep)] - dense[np.ix_(keep, rest)] @ np.linalg.solve(inner, dense[np.ix_(rest, keep)])
    np.testing.assert_allclose(condensed.matrix, S, atol=1e-12 * abs(S).max())
    assert condensed.negative == int((np.linalg.eigvalsh(inner) < 0).sum())
    for b in (RNG.random((N, 2)), RNG.random((N, 2)) + 1j * RNG.random((N, 2))):
        load, forward = condensed.reduce(b)
        x = condensed.expand(forward, np.linalg.solve(condensed.matrix, load))
        assert backward_error(A, x, b) < 1e-13


class TestAnalysis:
    def test_is_reused_for_other_values_of_the_same_pattern(self) -> None:
        first = factorise(matrix("real", -1e8), coordinates=GRID.nodes)
        A = matrix("real", -7e9)
        second = factorise(A, analysis=first.analysis)
        assert second.analysis is first.analysis
        b = RNG.random(N)
        assert backward_error(A, second.solve(b), b) < 1e-14

    def test_of_another_pattern_is_refused(self) -> None:
        A = matrix("real", -1e8)
        with pytest.raises(ModelError, match="another pattern"):
            factorise(A[:-3, :-3], analysis=analyse(A))
        with pytest.raises(ModelError, match="other unknowns"):
            condense(A, np.arange(6), analysis=analyse(A, last=np.arange(9)))

    @pytest.mark.parametrize(
        "coordinates", [GRID.nodes, None, np.zeros((N // 3, 3))], ids=["places", "graph", "one place"]
    )
    def test_fronts_hold_all_the_fill(self, coordinates: np.ndarray | None) -> None:
        """Each unknown is eliminated once, and the dense Cholesky factor is zero wherever no front has an entry."""
        A = matrix("real", -1e8)
        tree = nested_dissection(A, coordinates=coordinates)
        assert np.array_equal(np.sort(tree.order), np.arange(N))
        allowed = np.zeros((N, N), dtype=bool)
        for f, boundary in enumerate(tree.boundaries):
            own = np.arange(tree.starts[f], tree.starts[f + 1])
            allowed[np.ix_(np.concatenate([own, boundary]), own)] = True
            assert tree.parents[f] > f or (tree.parents[f] == -1 and len(boundary) == 0)
        L = np.linalg.cholesky(A[tree.order][:, tree.order].toarray())
        assert not L[~allowed].any()
        assert len(tree.parents) > 7
        assert tree.factor_size < 0.55 * N * (N + 1) / 2

    def test_unconnected_parts_and_lonely_unknowns(self) -> None:
        A = sp.block_diag([matrix("real", -1e8), sp.eye(5) * 2e9, matrix("real", -3e9)], format="csc")
        b = RNG.random(A.shape[0])
        assert backward_error(A, factorise(A).solve(b), b) < 1e-14

    def test_a_diagonal_matrix(self) -> None:
        np.testing.assert_allclose(
            factorise(sp.diags(np.arange(1.0, 401.0))).solve(np.ones(400)), 1 / np.arange(1.0, 401.0)
        )


class TestErrors:
    @pytest.mark.parametrize("kind", ["real", "Hermitian"])
    def test_not_positive_definite_is_said(self, kind: str) -> None:
        with pytest.raises(SolveError, match=r"not positive definite .*support or a shift"):
            factorise(matrix(kind, 1e10))

    @pytest.mark.parametrize("backend", ["multifrontal", "superlu"])
    def test_singular_is_said(self, backend: str) -> None:
        A = sp.diags([1.0, 0.0, 2.0], format="csc")
        with pytest.raises(SolveError, match="singular"):
            factorise(A, positive_definite=False, backend=backend)

    def test_shapes_and_names(self) -> None:
        with pytest.raises(ModelError, match="sparse square matrix"):
            factorise(np.eye(3))
        with pytest.raises(ModelError, match='no backend "pardisso"; did you mean "pardiso"'):
            factorise(sp.eye(3, format="csc"), backend="pardisso")
        with pytest.raises(ModelError, match=r"shape \(3, k\), got \(4,\)"):
            factorise(sp.eye(3, format="csc")).solve(np.ones(4))
        with pytest.raises(ModelError, match="must be given once"):
            condense(sp.eye(3, format="csc"), np.array([1, 1]))

    @pytest.mark.skipif(pardiso_installed(), reason="MKL is installed")
    def test_pardiso_that_is_missing_says_how_to_get_it(self) -> None:
        with pytest.raises(ModelError, match="Install pypardiso"):
            factorise(sp.eye(3, format="csc"), backend="pardiso")


def test_the_order_is_found_without_a_change_of_the_matrix() -> None:
    """Rows of a column in any order, which stay as they are; and no more memory for fronts than they need."""
    A = sp.csr_matrix(K)
    mixed = sp.csr_matrix((A.data.copy(), A.indices.copy(), A.indptr.copy()), A.shape)
    for row in range(0, N, 7):
        part = slice(mixed.indptr[row], mixed.indptr[row + 1])
        mixed.indices[part], mixed.data[part] = mixed.indices[part][::-1].copy(), mixed.data[part][::-1].copy()
    mixed.has_sorted_indices = False
    before = mixed.indices.copy()
    tree = nested_dissection(mixed, coordinates=GRID.nodes)
    assert np.array_equal(mixed.indices, before) and abs(mixed - A).max() == 0.0
    assert np.array_equal(tree.order, nested_dissection(A, coordinates=GRID.nodes).order)
    sizes = np.diff(tree.starts) + np.array([len(b) for b in tree.boundaries])
    assert max(sizes) ** 2 <= tree.front_entries <= (sizes**2).sum() + (sizes**2).max()
