"""The active set answers every complementarity problem it is given, or says why not."""

import numpy as np
import pytest

from pitchline.contact.active_set import CONVERGED, INDEFINITE, solve_contact


def solved(A: np.ndarray, gaps: np.ndarray, force: float, active: np.ndarray) -> tuple[float, ...]:
    n = len(gaps)
    upper = np.where(np.triu(np.ones((n, n))) > 0, A, np.nan)  # nothing below the diagonal is read
    loads = np.zeros(n)
    answer = solve_contact(
        upper, gaps, n, force, active, loads, np.zeros(n, dtype=np.int64), np.zeros((n, n)), np.zeros((2, n))
    )
    return (*answer, loads)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("begin", ["none", "all", "random"])
def test_forces_push_and_gaps_stay_open(seed: int, begin: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    B = rng.standard_normal((n, n))
    A = B @ B.T / n + 0.05 * np.eye(n)
    gaps, force = rng.standard_normal(n), float(rng.uniform(0.1, 30.0))
    start = {"none": np.zeros(n), "all": np.ones(n), "random": rng.integers(0, 2, n)}[begin].astype(np.int64)
    x, stiffness, _, status, loads = solved(A, gaps, force, start)
    assert status == CONVERGED
    assert loads.sum() == pytest.approx(force, rel=1e-10)
    apart = gaps - x + A @ loads
    scale = abs(x) + force
    assert loads.min() >= 0.0
    assert apart.min() >= -1e-8 * scale
    assert np.abs(apart * loads).max() <= 1e-8 * scale**2
    # the tangent is that of a difference, the set unchanged
    step = 1e-7 * force
    more = solved(A, gaps, force + step, start.copy())
    assert (more[4] > 0.0).tolist() == (loads > 0.0).tolist()
    assert (more[0] - x) * stiffness == pytest.approx(step, rel=1e-5)


def test_no_start_begins_at_the_nearest_point() -> None:
    A, gaps = np.eye(4), np.array([3.0, 1.0, 2.0, 9.0])
    x, stiffness, _, status, loads = solved(A, gaps, 0.5, np.zeros(4, dtype=np.int64))
    assert (x, stiffness, status) == (1.5, 1.0, CONVERGED)
    assert loads.tolist() == [0.0, 0.5, 0.0, 0.0]


def test_an_indefinite_matrix_is_said() -> None:
    A = np.diag([1.0, -1.0, 1.0])
    assert solved(A, np.zeros(3), 1.0, np.ones(3, dtype=np.int64))[3] == INDEFINITE
