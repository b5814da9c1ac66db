"""The active set answers every complementarity problem it is given, or says why not."""

import numpy as np
import pytest
from references.cell_contact import solve_strips

from pitchline.contact.active_set import CONVERGED, INDEFINITE


def solved(A: np.ndarray, gaps: np.ndarray, force: float, active: np.ndarray) -> tuple[float, ...]:
    """Each cell a strip of its own with half the least eigenvalue of A; what is left is smooth as far as the solver knows."""
    n = len(gaps)
    own = 0.5 * np.linalg.eigvalsh(A)[0]
    return solve_strips(np.full((n, 1), own), A - own * np.eye(n), gaps, force, active)


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
    assert (x, stiffness) == pytest.approx((1.5, 1.0), rel=1e-14)
    assert status == CONVERGED
    assert loads == pytest.approx([0.0, 0.5, 0.0, 0.0], rel=1e-14)


def test_an_indefinite_matrix_is_said() -> None:
    """By a strip for itself, and by all of them together."""
    nothing, all_touch = np.zeros((3, 3)), np.ones(3, dtype=np.int64)
    assert solve_strips(np.array([[1.0], [-1.0], [1.0]]), nothing, np.zeros(3), 1.0, all_touch)[3] == INDEFINITE
    assert solve_strips(np.ones((3, 1)), np.diag([0.0, -2.0, 0.0]), np.arange(3.0), 1.0, all_touch)[3] == INDEFINITE


def test_strips_are_the_matrix_of_their_laws() -> None:
    """Strips of several cells with a smooth compliance between them: loads and stiffness of the dense matrix."""
    rng = np.random.default_rng(3)
    strips, count = 4, 6
    laws = (2.0 + rng.random((strips, 1))) * np.exp(-0.7 * np.arange(count))
    B = rng.standard_normal((strips * count, 3))
    smooth = B @ B.T
    A, apart = smooth.copy(), np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    for k in range(strips):
        own = slice(k * count, (k + 1) * count)
        A[own, own] += laws[k][apart]
    gaps = rng.random(strips * count)
    x, stiffness, _, status, loads = solve_strips(laws, smooth, gaps, 2.0, np.zeros(strips * count, dtype=np.int64))
    on = loads > 0.0
    assert status == CONVERGED and 3 < on.sum() < len(on)
    y, z = (np.linalg.solve(A[np.ix_(on, on)], right) for right in (np.ones(on.sum()), gaps[on]))
    assert stiffness == pytest.approx(y.sum(), rel=1e-9)
    assert loads[on] == pytest.approx(x * y - z, rel=1e-7, abs=1e-9)
    assert (gaps - x + A @ loads).min() > -1e-8
