"""Eigenvalues of small matrices."""

import numpy as np
import pytest

from pitchline.engine.solvers.eigenmodes import eigenmodes


def _companion(D: np.ndarray, K: np.ndarray) -> np.ndarray:
    n = len(K)
    values = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-K, -D]]))
    return np.sort_complex(values[np.abs(values) > 1e-6])


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_motions_with_a_force_are_not_rigid(turn: float) -> None:
    # K has the eigenvalue 0 twice, but only one motion without a force: about a moving state K is not symmetric
    c, s = np.cos(turn), np.sin(turn)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    K = R @ np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 4.0]]) @ R.T
    D = R @ np.array([[1.0, 0.0, 0.0], [1.0, 2.0, 0.1], [0.0, -0.1, 0.3]]) @ R.T
    found = eigenmodes(np.eye(3), D, K)
    swings = found.values[found.rigid :]
    all_of_them = np.concatenate([swings, np.conj(swings), found.real[np.abs(found.real) > 1e-6]])
    assert found.rigid == 1
    assert np.sort_complex(all_of_them) == pytest.approx(_companion(D, K), rel=1e-9)
