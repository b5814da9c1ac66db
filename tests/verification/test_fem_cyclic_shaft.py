"""A gear whose bore moves as one rigid body that floats: one sector against the finite elements of the whole gear."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as sl
from references.flank_runs import flank, pair_model

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.fem.cyclic_symmetry import CondensedSector, CyclicSector, rigid_motions
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.fem.elasticity import stiffness_and_mass
from pitchline.fem.node_modes import eigenvalues_below
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
ALL = 1e9  # Hz: above all modes of the finite elements


@dataclass(frozen=True)
class Case:
    teeth: int
    helix: str
    cone: str


CASES = [Case(8, "0 deg", "0 deg"), Case(9, "20 deg", "6 deg")]
"""Even and spur; odd, helical and conical, whose centre of mass is not in the middle of the face."""


@lru_cache
def grid_of(case: Case) -> SectorGrid:
    gear = pl.Gear(
        teeth=case.teeth, normal_module="2 mm", helix_angle=case.helix, profile_shift=0.3, tip_alteration=-0.1,
        face_width="5 mm", bore="6 mm",
    )  # fmt: skip
    return sector_grid(pl.Teeth(gear, profile_shift_angle=case.cone), order=1, **COARSE)


@lru_cache
def gear_of(case: Case, bore: str = "shaft", limit: float = ALL) -> ElasticGear:
    grid = grid_of(case)
    return elastic_gear(
        grid.teeth, material=STEEL, bore=bore, up_to=limit, offsets=4, grid=grid, formulation="full", cache=False
    )


@dataclass(frozen=True)
class Whole:
    """The whole gear, its unknowns those off the bore and six of the bore: matrices, rigid motions, loads of all hats."""

    K: np.ndarray
    M: np.ndarray
    R: np.ndarray
    E: np.ndarray

    @property
    def relieved(self) -> np.ndarray:
        """Loads balanced by the inertia of a rigid acceleration."""
        MR = self.M @ self.R
        return self.E - MR @ np.linalg.solve(self.R.T @ MR, self.R.T @ self.E)


@lru_cache
def whole_of(case: Case) -> Whole:
    grid = grid_of(case)
    solid = whole_gear(grid)
    K, M = stiffness_and_mass(solid, STEEL, formulation="full")
    own = np.ones(len(grid.solid.nodes), dtype=bool)
    own[grid.high_side] = False
    loads = np.hstack([flank_grid(grid, side)[1].toarray() for side in SIDES]).reshape(len(own), 3, -1)
    every = np.zeros((case.teeth, len(solid.nodes), 3, loads.shape[2]))
    for k in range(case.teeth):
        a = 2 * np.pi * k / case.teeth
        turn = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        every[k][k * own.sum() : (k + 1) * own.sum()] = np.einsum("ij,njh->nih", turn, loads[own])
    E = every.transpose(1, 2, 0, 3).reshape(3 * len(solid.nodes), -1)
    held = (3 * solid.node_set("bore")[:, None] + np.arange(3)).ravel()
    inside = np.setdiff1d(np.arange(K.shape[0]), held)
    rigid = rigid_motions(solid.nodes)
    scale = np.array([1, 1, 1, 200, 200, 200])  # turns by metres, so that all unknowns are of a size
    T = np.zeros((K.shape[0], len(inside) + 6))
    T[inside, np.arange(len(inside))] = 1.0
    T[held, len(inside) :] = rigid[held] * scale
    R = np.vstack([rigid[inside] * scale, np.eye(6)])
    np.testing.assert_allclose(T @ R, rigid * scale, atol=1e-15)
    return Whole(T.T @ (K @ T), T.T @ (M @ T), R, T.T @ E)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_frequencies_are_those_of_the_whole_gear_with_a_rigid_bore(case: Case) -> None:
    """All of them, but for six zeros."""
    whole, gear = whole_of(case), gear_of(case)
    expected = sl.eigvalsh(whole.K, whole.M)
    assert np.abs(expected[:6]).max() < 1e-6 * expected[6]
    np.testing.assert_allclose(gear.all_frequencies, np.sqrt(expected[6:]) / (2 * np.pi), rtol=1e-8)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_compliance_is_that_of_the_whole_gear_with_a_rigid_bore(case: Case) -> None:
    """By inertia relief of the whole, displacements counted M-orthogonally to the rigid motions."""
    whole, gear = whole_of(case), gear_of(case)
    Q = np.linalg.qr(whole.R)[0]
    loads = whole.relieved
    expected = loads.T @ sl.solve(whole.K + np.trace(whole.K) / len(whole.K) * Q @ Q.T, loads, assume_a="pos")
    hats = gear.grids["left"].size
    expected = expected.reshape(case.teeth, 2, hats, case.teeth, 2, hats)
    scale = np.abs(expected).max()
    for (i, j), found in gear.compliance.items():
        for offset, C in zip(gear.offsets, found, strict=True):
            theirs = expected[offset % case.teeth, SIDES.index(i), :, 0, SIDES.index(j)]
            np.testing.assert_allclose(C, theirs, atol=1e-8 * scale)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_all_modes_together_are_the_whole_compliance(case: Case) -> None:
    """Σ t tᴴ/ω²: this fixes scale, phase and frame of the traces."""
    gear = gear_of(case)
    scale = np.abs(gear.compliance["left", "left"]).max()
    for left in gear.residual().values():
        assert np.abs(left).max() < 1e-8 * scale


def test_modes_answer_a_load_as_the_whole_gear_does() -> None:
    """A harmonic force between two natural frequencies, on two teeth: the answer less its rigid part."""
    case = CASES[1]
    whole, gear = whole_of(case), gear_of(case)
    hats, z = gear.grids["left"].size, case.teeth
    w2 = (2 * np.pi * 0.5 * (gear.frequencies[3] + gear.frequencies[4])) ** 2
    force = np.zeros((z, 2 * hats))
    force[0, 2], force[3, hats + 1] = 1.0, -0.7
    u = sl.solve(whole.K - w2 * whole.M, whole.E @ force.ravel())
    MR = whole.M @ whole.R
    u -= whole.R @ np.linalg.solve(whole.R.T @ MR, MR.T @ u)
    t = np.hstack([gear.traces[side] for side in SIDES])
    turn = np.exp(2j * np.pi * np.outer(gear.nodal_diameters, np.arange(z)) / z)
    c = np.einsum("mh,mj,jh->m", t.conj(), turn.conj(), force) / ((2 * np.pi * gear.frequencies) ** 2 - w2)
    seen = np.einsum("mh,mj,m->jh", t, turn, c).real
    np.testing.assert_allclose(seen.ravel(), whole.E.T @ u, atol=1e-8 * np.abs(whole.E.T @ u).max())


def of_diameter(gear: ElasticGear, n: int) -> np.ndarray:
    return gear.frequencies[gear.nodal_diameters == n]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_where_the_frequencies_lie(case: Case) -> None:
    """n ≥ 2: those of the fixed bore. n = 0, 1: two masses are taken from it, so that f_i ≤ f_i(shaft) ≤ f_(i+2). A rigid bore
    is a constraint on the free gear: none is below the free one of its number."""
    free, shaft, fixed = (gear_of(case, bore) for bore in ("free", "shaft", "fixed"))
    for n in range(case.teeth // 2 + 1):
        f, s, h = (of_diameter(gear, n) for gear in (free, shaft, fixed))
        assert len(s) == len(h) < len(f)
        assert (s >= f[: len(s)] * (1.0 - 1e-10)).all() and s[0] > 1.001 * f[0]
        if n >= 2:
            np.testing.assert_allclose(s, h, rtol=1e-10)
        else:
            assert (s >= h * (1.0 - 1e-10)).all() and (s[:-2] <= h[2:] * (1.0 + 1e-10)).all()
            assert (s[:2] > 1.001 * h[:2]).all()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rigid_bore_makes_no_load_softer(case: Case) -> None:
    """C(free) − C(shaft) over all hats of all teeth is positive: block circulant, so each of its harmonics is."""
    free, shaft = gear_of(case, "free"), gear_of(case)
    z = case.teeth
    first = [int(np.flatnonzero(free.offsets % z == k)[0]) for k in range(z)]
    less = {sides: free.compliance[sides] - shaft.compliance[sides] for sides in free.compliance}
    C = np.block([[less[i, j][first] for j in SIDES] for i in SIDES])
    scale = np.abs(free.compliance["left", "left"]).max()
    for n in range(z):
        values = np.linalg.eigvalsh(np.einsum("k,kij->ij", np.exp(-2j * np.pi * n * np.arange(z) / z), C))
        assert values[0] > -1e-11 * scale and values[-1] > 1e-4 * scale


def test_a_limit_is_counted_and_kept() -> None:
    """Sylvester's count is that of all modes below, wherever the limit is, and Lanczos finds as many."""
    case = CASES[1]
    sector = CyclicSector.of(grid_of(case), STEEL, bore="shaft", formulation="full")
    condensed = CondensedSector(sector)
    every = gear_of(case)
    gaps = [0.5 * (every.frequencies[k] + every.frequencies[k + 1]) for k in (0, 5, 17, 60, 200)]
    for hertz in gaps:
        counts = eigenvalues_below(sector, (2 * np.pi * hertz) ** 2, condensed)
        assert counts == [int((of_diameter(every, n) < hertz).sum()) for n in range(case.teeth // 2 + 1)]
    some = gear_of(case, "shaft", gaps[2])
    np.testing.assert_allclose(some.frequencies, every.frequencies[:18], rtol=1e-10)


def test_it_is_kept_in_files_and_told_from_others_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))
    grid = grid_of(CASES[0])
    fixed, shaft = (elastic_gear(grid.teeth, bore=bore, grid=grid, offsets=1) for bore in ("fixed", "shaft"))
    again = elastic_gear(grid.teeth, bore="shaft", grid=grid, offsets=1)
    found = ElasticGear.load(shaft.save(tmp_path / "gear.h5"))
    for gear in (again, found):
        assert gear.bore == "shaft" and "bore shaft" in repr(gear)
        np.testing.assert_array_equal(gear.compliance["left", "left"], shaft.compliance["left", "left"])
    assert len(list((tmp_path / "gears").iterdir())) == 2
    assert not np.allclose(fixed.compliance["left", "left"], shaft.compliance["left", "left"], rtol=1e-3, atol=0.0)


# --- in a model -----------------------------------------------------------------------------------------


def test_flanks_on_shafts_give_way_less() -> None:
    """The same torque turns the gear less far than with free bores, and the flanks bear the same force."""
    angles, forces = [], []
    for bore in ("free", "shaft"):
        run = pl.statics(pair_model(flank(bore=bore, backlash=0), phase=0.3, drive={"angle": 0}, torque=20.0))
        angles.append(abs(float(run["out.angle"].values[-1])))
        forces.append(float(run["mesh.contact_force"].values[-1]))
    assert 0.5 * angles[0] < angles[1] < (1.0 - 1e-4) * angles[0]
    assert forces[1] == pytest.approx(forces[0], rel=1e-6)


def test_flanks_take_free_bores_or_shafts() -> None:
    assert pl.Flank().bore == "free" and pl.Flank(bore="shaft").bore == "shaft"
    for wrong in ("fixed", 3, None):
        with pytest.raises(ModelError, match=r'Flank: bore must be "free" or "shaft".*joints of the model'):
            pl.Flank(bore=wrong)  # type: ignore[arg-type]
