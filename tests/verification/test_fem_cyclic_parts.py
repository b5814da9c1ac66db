"""What cyclic gears are made of: Lanczos' method, Sylvester's count, hats on flanks."""

import math

import numpy as np
import pytest
import scipy.linalg as sl

import pitchline as pl
from pitchline.errors import SolveError
from pitchline.fem.cyclic_symmetry import CondensedSector, CyclicSector
from pitchline.fem.node_modes import _negative, eigenvalues_below
from pitchline.fem.sector_grid import SectorGrid, sector_grid
from pitchline.fem.sparse_solver import LanczosRun, run_together
from pitchline.fem.surface_grid import flank_grid

STEEL = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)


# --- Lanczos ------------------------------------------------------------------------------------------


def pencil(eigenvalues: np.ndarray, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """K, M Hermitian with given eigenvalues."""
    rng = np.random.default_rng(seed)
    n = len(eigenvalues)
    B = rng.standard_normal((n, n)) + 1j * rng.standard_normal((n, n)) + 2 * n * np.eye(n)
    return B @ np.diag(eigenvalues) @ B.conj().T, B @ B.conj().T


def lanczos(K: np.ndarray, M: np.ndarray, limit: float, count: int | None) -> tuple[np.ndarray, np.ndarray]:
    run = LanczosRun(len(K), limit, count, known=np.zeros((0, len(K)), complex))
    factor = sl.cho_factor(K)
    run_together([run], lambda f, which: sl.cho_solve(factor, f), lambda u, which: M @ u)
    return run.result()


SPECTRUM = np.concatenate([[1.0, 2.0, 2.0, 2.0, 2.5, 4.0, 4.0], np.linspace(7.0, 400.0, 60)])
"""With a triple and a double eigenvalue, of which one recurrence sees a single vector."""


@pytest.mark.parametrize("count", [7, None])
def test_all_eigenvalues_are_found_as_often_as_they_come(count: int | None) -> None:
    """Whether somebody counted them or not."""
    K, M = pencil(SPECTRUM)
    values, vectors = lanczos(K, M, 5.0, count)
    np.testing.assert_allclose(values, SPECTRUM[:7], rtol=1e-12)
    np.testing.assert_allclose(vectors.conj() @ M @ vectors.T, np.eye(7), atol=1e-10)
    residual = K @ vectors.T - (M @ vectors.T) * values
    assert np.abs(residual).max() < 1e-8 * np.abs(K).max()


def test_a_space_that_is_exhausted_gives_all_there_is() -> None:
    K, M = pencil(SPECTRUM[:9])
    np.testing.assert_allclose(lanczos(K, M, 1e9, 9)[0], SPECTRUM[:9], rtol=1e-12)


def test_a_wrong_count_is_an_error() -> None:
    K, M = pencil(SPECTRUM)
    with pytest.raises(SolveError, match=r"7 eigenvalues were found .* counts 8"):
        lanczos(K, M, 5.0, 8)


def test_known_vectors_stay_out() -> None:
    K, M = pencil(SPECTRUM, seed=1)
    _, first = lanczos(K, M, 1.5, 1)
    run = LanczosRun(len(K), 5.0, 6, known=first)
    factor = sl.cho_factor(K)
    run_together([run], lambda f, which: sl.cho_solve(factor, f), lambda u, which: M @ u)
    np.testing.assert_allclose(run.result()[0], SPECTRUM[1:7], rtol=1e-12)


# --- Sylvester's law ----------------------------------------------------------------------------------


def gear_grid(order: int = 1, helix: str = "0 deg", teeth: int = 17, **options: object) -> SectorGrid:
    coarse = {"fillet_elements": 1, "root_elements": 1, "across_elements": 2, "body_elements": 2}
    gear = pl.Gear(teeth=teeth, normal_module="2 mm", helix_angle=helix, face_width="6 mm", bore="20 mm")
    return sector_grid(pl.Teeth(gear), order=order, **{"flank_elements": 2, "face_elements": 1, **coarse, **options})


def test_eigenvalues_are_counted() -> None:
    """Those of each harmonic, rigid motions included, against a dense solution of its folded matrices."""
    sector = CyclicSector.of(gear_grid(), STEEL, bore="free")
    condensed = CondensedSector(sector)
    for hertz in (30e3, 150e3, 1500e3):
        limit = (2 * np.pi * hertz) ** 2
        counts = eigenvalues_below(sector, limit, condensed)
        assert counts is not None
        for n in (0, 1, 5, 8):
            phases = np.full(sector.size, sector.phases([n])[0])
            unit = sector.unfold(np.eye(sector.size, dtype=complex), phases)
            K, M = unit.conj().T @ sector.K @ unit, unit.conj().T @ sector.M @ unit
            assert counts[n] == (sl.eigvalsh(K, M) < limit).sum()


@pytest.mark.parametrize("seed", range(4))
def test_signs_of_a_hermitian_matrix_are_counted(seed: int) -> None:
    """With a small diagonal, so that pivots come in pairs."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((31, 31)) + 1j * rng.standard_normal((31, 31))
    A = A + A.conj().T
    np.fill_diagonal(A, 1e-3 * rng.standard_normal(31))
    assert _negative(A) == (np.linalg.eigvalsh(A) < 0.0).sum()
    vector = A[0] / np.linalg.norm(A[0])
    assert _negative(A - A @ np.outer(vector, vector.conj()) @ A / (vector.conj() @ A @ vector)) is None  # A x = 0


def test_a_limit_on_an_eigenvalue_is_not_counted() -> None:
    """The rigid motions at λ = 0: nobody can tell on which side they are."""
    sector = CyclicSector.of(gear_grid(), STEEL, bore="free")
    assert eigenvalues_below(sector, 0.0, CondensedSector(sector)) is None


# --- hats ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("side", ["left", "right"])
def test_hats_cover_the_flank(order: int, side: str) -> None:
    """Σ areas = (L_a² − L_F²) b / (2 r_b cos β_b), the area of an involute helicoid, better with every halving; and all hats
    together with a uniform pressure turn the gear by p ∫ r_b cos β_b dA, into the material: on the left flank towards −z."""
    errors, turns = [], []
    for elements in (2, 4):
        grid = gear_grid(order, "20 deg", 30, flank_elements=elements, face_elements=elements // 2)
        flank = grid.teeth.flank(side)
        r_b, beta = flank.involute.base_radius, flank.involute.base_helix_angle
        L_F, L_a = float(flank.form_roll_length(0.0)), float(flank.tip_roll_length(0.0))
        exact = (L_a**2 - L_F**2) / (2 * r_b) * 6e-3 / math.cos(beta)
        hats, loads = flank_grid(grid, side)
        assert hats.size == loads.shape[1] == hats.areas.size == np.prod(hats.shape)
        np.testing.assert_allclose(hats.lengths[[0, -1]], np.array([[L_F], [L_a]]) * np.ones(hats.shape[1]), rtol=1e-9)
        errors.append(abs(hats.areas.sum() / exact - 1))
        force = (loads @ hats.areas).reshape(-1, 3)
        moment = np.cross(grid.solid.nodes, force).sum(axis=0)[2]
        turns.append(abs(moment / (-flank.involute.side * r_b * math.cos(beta) * exact) - 1))
    for error in (errors, turns):
        assert error[1] < 1e-2 if order == 1 else error[1] < 2e-4
        assert np.log2(error[0] / error[1]) > (1.7 if order == 1 else 2.5)


@pytest.mark.parametrize("order", [1, 2])
def test_a_hat_weighs_a_uniform_displacement_by_one(order: int) -> None:
    """bᵀu for a uniform displacement along −n of its own place: 1, but for the turning of the normal under the hat."""
    grid = gear_grid(order, teeth=30, flank_elements=6, face_elements=2)
    hats, loads = flank_grid(grid, "left")
    involute = grid.teeth.left.involute
    into = -involute.normal(hats.lengths, hats.zeta[None, :]).reshape(-1, 3)
    total = loads.toarray().reshape(-1, 3, hats.size).sum(axis=0).T
    turned = np.diff(hats.lengths[:, 0]).max() / involute.base_radius  # of the normal over one element
    np.testing.assert_allclose(np.einsum("hk,hk->h", total, into), 1.0, atol=turned**2)
