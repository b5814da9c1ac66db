"""Cyclic symmetry is exact: one sector, harmonic by harmonic, against the finite elements of the whole gear."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pytest
import scipy.linalg as sl
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh, splu

import pitchline as pl
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.fem.elasticity import stiffness_and_mass
from pitchline.fem.sector_grid import SectorGrid, sector_grid, whole_gear
from pitchline.fem.surface_grid import flank_grid

COARSE = {
    "flank_elements": 2,
    "fillet_elements": 1,
    "root_elements": 1,
    "across_elements": 2,
    "body_elements": 2,
    "face_elements": 1,
}
STEEL = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)
SIDES = ("left", "right")
LIMIT = 400e3  # Hz


@dataclass(frozen=True)
class Case:
    teeth: int
    helix: str
    order: int
    bore: str


CASES = [
    Case(7, "0 deg", 1, "free"),
    Case(8, "20 deg", 1, "free"),
    Case(8, "0 deg", 1, "fixed"),
    Case(7, "-15 deg", 2, "fixed"),
]
"""Odd and even numbers of teeth, spur and helical, both orders of elements."""


@lru_cache
def grid_of(case: Case) -> SectorGrid:
    gear = pl.Gear(
        teeth=case.teeth,
        normal_module="2 mm",
        helix_angle=case.helix,
        profile_shift=0.4,
        tip_alteration=-0.1,
        face_width="5 mm",
        bore="5 mm",
    )
    return sector_grid(pl.Teeth(gear), order=case.order, **COARSE)


@lru_cache
def gear_of(case: Case, limit: float = LIMIT) -> ElasticGear:
    grid = grid_of(case)
    return elastic_gear(
        grid.teeth, material=STEEL, bore=case.bore, up_to=limit, offsets=4, grid=grid, formulation="full", cache=False
    )


@lru_cache
def whole_of(case: Case) -> tuple[sp.csr_matrix, sp.csr_matrix, np.ndarray]:
    """K and M of the whole gear without held unknowns, and the loads of all hats of all teeth, tooth after tooth."""
    grid = grid_of(case)
    whole = whole_gear(grid)
    K, M = stiffness_and_mass(whole, STEEL, formulation="full")
    own = np.ones(len(grid.solid.nodes), dtype=bool)
    own[grid.high_side] = False
    number = np.cumsum(own) - 1  # of the nodes of tooth 0; none of a flank is on the high side
    loads = np.hstack([flank_grid(grid, side)[1].toarray() for side in SIDES]).reshape(len(own), 3, -1)
    every = np.zeros((case.teeth, len(whole.nodes), 3, loads.shape[2]))
    for k in range(case.teeth):
        a = 2 * np.pi * k / case.teeth
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        every[k][k * own.sum() + number[own]] = np.einsum("ij,njh->nih", turn, loads[own])
    E = every.transpose(1, 2, 0, 3).reshape(3 * len(whole.nodes), -1)
    free = np.ones(K.shape[0], dtype=bool)
    if case.bore == "fixed":
        free[(3 * whole.node_set("bore")[:, None] + np.arange(3)).ravel()] = False
    return K[free][:, free], M[free][:, free], E[free]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_frequencies_are_those_of_the_whole_gear(case: Case) -> None:
    """Every mode, as often as it comes: eigenvalues of K alone are only known to 1e-16 of the largest one."""
    K, M, _ = whole_of(case)
    gear = gear_of(case)
    rigid = 6 if case.bore == "free" else 0
    count = len(gear.all_frequencies) + rigid
    expected = np.sort(eigsh(K, count + 1, M, sigma=-1e9, which="LM", return_eigenvectors=False))[rigid:]
    assert expected[-2] < (2 * np.pi * LIMIT) ** 2 <= expected[-1]
    np.testing.assert_allclose(gear.all_frequencies, np.sqrt(expected[:-1]) / (2 * np.pi), rtol=1e-9)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_compliance_is_that_of_the_whole_gear(case: Case) -> None:
    """All pairs of hats on teeth as far apart as there are; a free gear by inertia relief of the whole."""
    K, M, E = whole_of(case)
    if case.bore == "fixed":
        expected = E.T @ splu(K.tocsc()).solve(E)
    else:
        R = sl.null_space(K.toarray(), rcond=1e-9)
        assert R.shape[1] == 6
        gram = R.T @ M @ R
        balanced = E - M @ R @ np.linalg.solve(gram, R.T @ E)
        supported = K.toarray() + sl.norm(K.toarray(), 2) * R @ R.T  # R is orthonormal
        expected = balanced.T @ sl.solve(supported, balanced, assume_a="pos")
    gear = gear_of(case)
    hats = gear.grids["left"].size
    expected = expected.reshape(case.teeth, 2, hats, case.teeth, 2, hats)
    scale = np.abs(expected).max()
    for (i, j), found in gear.compliance.items():
        for offset, C in zip(gear.offsets, found, strict=True):
            theirs = expected[offset % case.teeth, SIDES.index(i), :, 0, SIDES.index(j)]
            np.testing.assert_allclose(C, theirs, atol=1e-9 * scale)


@pytest.mark.parametrize("case", CASES[:3], ids=str)
def test_all_modes_together_are_the_whole_compliance(case: Case) -> None:
    """Σ φφᵀ/ω² over all modes of the finite elements: nothing is left. This fixes the scale and the phase of the traces."""
    gear = gear_of(case, 1e9)
    K, _, _ = whole_of(case)
    assert len(gear.all_frequencies) == K.shape[0] - (6 if case.bore == "free" else 0)
    scale = np.abs(gear.compliance["left", "left"]).max()
    for left in gear.residual().values():
        assert np.abs(left).max() < 1e-9 * scale


@pytest.mark.parametrize("case", CASES, ids=str)
def test_residual_compliance_is_positive(case: Case) -> None:
    """The matrix over all hats of all teeth is block circulant: positive where each of its harmonics is."""
    gear = gear_of(case)
    z = case.teeth
    first = [int(np.flatnonzero(gear.offsets % z == k)[0]) for k in range(z)]
    for up_to in (150e3, None):
        rest = gear.residual(up_to)
        C = np.block([[rest[i, j][first] for j in SIDES] for i in SIDES])
        scale = np.abs(gear.compliance["left", "left"]).max()
        for n in range(z):
            turned = np.einsum("k,kij->ij", np.exp(-2j * np.pi * n * np.arange(z) / z), C)
            assert np.abs(turned - turned.conj().T).max() < 1e-11 * scale
            assert np.linalg.eigvalsh(turned)[0] > -1e-11 * scale


def test_modes_answer_a_load_as_the_whole_gear_does() -> None:
    """Coordinates c obey c'' + ω² c = Σ conj(t) e^{−inαj} F_j: the answer to a harmonic force between two natural frequencies,
    summed over all modes, against that of the whole gear; loads on two teeth at a time."""
    case = CASES[0]
    gear = gear_of(case, 1e9)
    K, M, E = whole_of(case)
    hats, z = gear.grids["left"].size, case.teeth
    w2 = (2 * np.pi * 0.5 * (gear.frequencies[3] + gear.frequencies[4])) ** 2
    force = np.zeros((z, 2 * hats))
    force[0, 2], force[3, hats + 1] = 1.0, -0.7
    R = sl.null_space(K.toarray(), rcond=1e-9)
    u = sl.solve(K.toarray() - w2 * M.toarray(), E @ force.ravel())
    u -= R @ np.linalg.solve(R.T @ M @ R, R.T @ (M @ u))  # the elastic part
    t = np.hstack([gear.traces[side] for side in SIDES])
    turn = np.exp(2j * np.pi * np.outer(gear.nodal_diameters, np.arange(z)) / z)
    c = np.einsum("mh,mj,jh->m", t.conj(), turn.conj(), force) / ((2 * np.pi * gear.frequencies) ** 2 - w2)
    seen = np.einsum("mh,mj,m->jh", t, turn, c).real
    np.testing.assert_allclose(seen.ravel(), E.T @ u, atol=1e-8 * np.abs(E.T @ u).max())


def test_mass_and_inertia_are_those_of_the_whole_gear() -> None:
    case = CASES[3]
    gear = gear_of(case)
    whole = whole_gear(grid_of(case))
    _, M = stiffness_and_mass(whole, STEEL, formulation="full")
    ones = np.tile(np.eye(3), (len(whole.nodes), 1))
    assert gear.mass == pytest.approx(float(ones[:, 0] @ M @ ones[:, 0]), rel=1e-12)
    turns = [np.cross(axis, whole.nodes).ravel() for axis in np.eye(3)]
    np.testing.assert_allclose(gear.inertia, [r @ M @ r for r in turns], rtol=1e-12)
    assert gear.centre_of_mass == pytest.approx(0.0, abs=1e-15)
