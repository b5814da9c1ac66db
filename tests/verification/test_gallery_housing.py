"""The gallery's housing against its full finite element model, whose numbers stand in the file."""

import numpy as np
import pytest
import scipy.sparse as sp
from references.gallery_runs import figures_of
from scipy.sparse.linalg import eigsh, splu

import pitchline as pl
from pitchline import gallery
from pitchline.fem.own_mesh.inp_mesh import SolidMesh, mesh_matrices
from pitchline.parts.flexible.reduction import rigid_rows
from pitchline.parts.flexible.shapes import shape_mesh


def full_model() -> tuple[np.ndarray, np.ndarray]:
    """Compliances of seat one along x and z [m/N], and three natural frequencies [Hz], with rigid seats and the foot held."""
    body = gallery.model("housing").file.model.flexible_bodies["plate"].superelement
    assert body.source is not None
    nodes, elements, sets = shape_mesh(body.source["shape"])
    K, M = mesh_matrices(SolidMesh.of(nodes, elements, pl.STEEL, sets))
    seats = [sets["one"], sets["two"]]
    tied = np.concatenate([sets["y-"], *seats])
    free = (3 * np.setdiff1d(np.arange(len(nodes)), tied)[:, None] + np.arange(3)).ravel()
    G = sp.lil_matrix((3 * len(nodes), 12 + len(free)))
    for k, members in enumerate(seats):
        for node in members:
            arm = nodes[node] - body.positions[k]
            G[3 * node : 3 * node + 3, 6 * k : 6 * k + 6] = rigid_rows(np.zeros(3, int), np.arange(3), arm[None])
    G[free, 12 + np.arange(len(free))] = 1.0
    G = G.tocsc()
    K, M = (G.T @ K @ G).tocsc(), (G.T @ M @ G).tocsc()
    answers = splu(K).solve(np.eye(K.shape[0], 3))
    squares = np.sort(eigsh(K, 3, M, sigma=0.0, return_eigenvectors=False))
    return np.array([answers[0, 0], answers[2, 2]]), np.sqrt(squares) / (2 * np.pi)


def test_housing_agrees_with_the_full_model() -> None:
    figures = figures_of("housing")
    compliance, frequencies = full_model()
    assert np.allclose([2.12717375e-10, 4.32104616e-9], compliance, rtol=1e-7)
    assert np.allclose(figures["frequencies"].expected, frequencies, rtol=1e-7)
    assert figures["deflection.error"].value < 2e-5  # of second order in the force
    assert 0.0 < figures["frequency.error"].value < 3e-3
    assert figures["vibration"].value == pytest.approx(figures["vibration"].expected, rel=0.02)


def test_more_modes_give_better_frequencies() -> None:
    more = gallery.model("housing", modes_to="40 kHz")
    run = pl.modes(more.file.model.replaced(without=["unbalance"]))
    assert np.allclose(run.frequencies[:3], figures_of("housing")["frequencies"].expected, rtol=2e-4)
