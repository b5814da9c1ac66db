"""Finite elements in explicit steps: rods against closed forms, and an impact of whole gears against the reduced gears."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from references.pair_in_motion import pair, pressed, thrown

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.fem.cyclic_symmetry import explicit_gear, highest_element_frequency
from pitchline.fem.elasticity import mass_matrix, stiffness_matrix
from pitchline.fem.sector_grid import sector_grid
from pitchline.fem.solid_grid import SolidGrid, hexahedra
from pitchline.parts.bodies.kernel_explicit import accelerate_nodes, advance_nodes, stiffness_product
from pitchline.parts.contact.explicit_motion import explicit_motion
from pitchline.parts.gears.geometry.inputs import Material

BASE_A = 17e-3 * math.cos(math.radians(20.0))
COARSE = {"flank_edge": "0.5 mm", "size": "1.6 mm", "face_elements": 2}
NO_SHARES = np.zeros((6, 4))


class Rod:
    """A slender rod of square elements along x, without Poisson's effect: waves travel at √(E/ρ)."""

    def __init__(self, count: int, length: float, material: Material) -> None:
        edge = length / count
        points = np.stack(np.meshgrid(np.arange(count + 1), [0, 1], [0, 1], indexing="ij"), axis=-1)
        numbers = np.arange(points[..., 0].size).reshape(points.shape[:3])
        self.grid = SolidGrid(points.reshape(-1, 3) * edge, hexahedra(numbers, 1).reshape(-1, 8))
        K = sp.bsr_matrix(stiffness_matrix(self.grid, material), blocksize=(3, 3))
        self.K = K.indptr.astype(np.int64), K.indices.astype(np.uint32), np.ascontiguousarray(K.data.reshape(-1, 9))
        self.mass = np.ascontiguousarray(mass_matrix(self.grid, material, lumped=True).diagonal())
        size = self.mass.size
        self.rigid = np.zeros((size, 6))
        self.u, self.v, self.a, self.f, self.inner = (np.zeros((size, 4)) for _ in range(5))
        self.ends = 3 * numbers[0].ravel(), 3 * numbers[-1].ravel()

    def begin(self, h: float) -> None:
        advance_nodes(self.mass.size, h, self.u, self.v, self.a, self.f)

    def end(self, h: float) -> None:
        stiffness_product(*self.K, self.u, self.inner)
        accelerate_nodes(self.mass.size, h, self.mass, self.rigid, NO_SHARES, self.f, self.inner, self.v, self.a)

    @property
    def momentum(self) -> float:
        return float(self.mass[::3] @ self.v[::3, 0])

    @property
    def energy(self) -> float:
        return 0.5 * float(self.mass @ self.v[:, 0] ** 2 + self.u[:, 0] @ self.inner[:, 0])


def test_equal_rods_exchange_their_speeds_within_the_time_of_a_wave_and_back() -> None:
    """The closed form of two equal rods, one at rest: contact lasts 2 L/c, then the other one flies off with the whole speed."""
    material = Material("no Poisson", density=8000.0, youngs_modulus=200e9, poissons_ratio=0.0)
    length, speed, count = 0.1, 2.0, 60
    c = math.sqrt(200e9 / 8000.0)
    first, second = Rod(count, length, material), Rod(count, length, material)
    first.v[::3] = speed
    area = (length / count) ** 2
    penalty = 10.0 * 200e9 * area / (length / count) / 4.0  # of a node: ten elements in a row
    h = 0.5 * length / count / c / math.sqrt(10.0)
    start, energy = first.momentum, first.energy
    touching, forces = [], []
    for n in range(int(2.6 * length / c / h)):
        for rod in (first, second):
            rod.begin(h)
        overlap = first.u[first.ends[1], 0] - second.u[second.ends[0], 0]
        force = penalty * np.maximum(overlap, 0.0)
        first.f[first.ends[1]] = -force[:, None]
        second.f[second.ends[0]] = force[:, None]
        for rod in (first, second):
            rod.end(h)
        forces.append(force.sum())
        if force.any():
            touching.append(n * h)
    assert first.momentum + second.momentum == pytest.approx(start, rel=1e-12)
    assert touching[-1] - touching[0] == pytest.approx(2 * length / c, rel=0.03)
    assert second.momentum == pytest.approx(start, rel=0.02)
    assert first.energy + second.energy == pytest.approx(energy, rel=5e-3)  # contact begins and ends within steps
    middle = np.mean(forces[len(touching) // 3 : 2 * len(touching) // 3])
    assert middle == pytest.approx(0.5 * 8000.0 * c * speed * area, rel=0.01)  # stress ρ c v/2


def test_the_bound_of_the_frequency_is_above_the_highest_frequency_and_near_to_it() -> None:
    from references.elastic_pair import gears

    teeth = gears()[0]
    grid = sector_grid(teeth, order=1, flank_edge="1 mm", size="3 mm", face_elements=1)
    gear = explicit_gear(grid, teeth.gear.material)
    solid = grid.solid
    K = stiffness_matrix(solid, teeth.gear.material)
    M = mass_matrix(solid, teeth.gear.material, lumped=True)
    scaled = K.toarray() / np.sqrt(np.outer(M.diagonal(), M.diagonal()))
    highest = math.sqrt(np.linalg.eigvalsh(scaled)[-1]) / (2 * math.pi)
    assert highest < gear.frequency < 1.3 * highest
    assert highest_element_frequency(grid, teeth.gear.material, "full") > gear.frequency
    assert gear.sector.count * gear.mass[::3].sum() == pytest.approx(M.diagonal()[::3].sum() * 17, rel=1e-12)


@pytest.fixture(scope="module")
def impact() -> pl.Result:
    return explicit_motion(thrown(), duration="0.16 ms", output_step="0.1 us", elements_a=COARSE, elements_b=COARSE)


@pytest.mark.slow
def test_an_impact_conserves_energy_and_momentum_and_agrees_with_reduced_gears(impact: pl.Result) -> None:
    """Peak within 15 % and duration within 10 % of the reduced gears: the grid has edges of 0.5 mm. Its
    flanks are polygons inside of the true flanks, and meet 18 µs later."""
    energy = impact["energy.kinetic"].values + impact["energy.potential"].values
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-4
    speed, force = impact["in.angular_speed"].values, impact["mesh.contact_force"].values
    lost, whole = (
        1.2e-5 * (speed[0] - speed[-1]),
        impact["mesh.normal_force"].values,
    )  # by its torque, and along the normals
    assert BASE_A * np.trapezoid(whole, impact.time) == pytest.approx(lost, rel=2e-3)
    assert BASE_A * np.trapezoid(force, impact.time) == pytest.approx(lost, rel=0.02)
    reduced = pl.dynamics(thrown(), duration="0.16 ms", step="0.5 us", output_step="0.5 us", rho=0.95)
    other = reduced["mesh.contact_force"].values
    assert force.max() == pytest.approx(other.max(), rel=0.15)
    lasts = [run.time[np.flatnonzero(run["mesh.contact_force"].values)[[0, -1]]] @ (-1, 1) for run in (impact, reduced)]
    assert lasts[0] == pytest.approx(lasts[1], rel=0.1)
    assert speed[-1] == pytest.approx(reduced["in.angular_speed"].values[-1], rel=0.01)
    assert impact.statistics["nodes_a"] > 1000 and impact.statistics["memory_bytes"] > 1e6


@pytest.mark.slow
def test_long_steps_are_cut_and_the_limit_is_stable() -> None:
    grid = {"flank_edge": "1 mm", "size": "3 mm", "face_elements": 1}
    run = explicit_motion(pressed(), duration="10 us", step="1 us", elements_a=grid, elements_b=grid)
    assert any("was cut to" in text for text in run.warnings)
    limit = run.statistics["largest_stable_step"]
    at_limit = explicit_motion(pressed(), duration="50 us", step=0.999 * limit, elements_a=grid, elements_b=grid)
    assert at_limit["mesh.contact_force"].values.max() > 10.0
    supplied = np.ptp(at_limit["energy.work"].values) + at_limit["energy.potential"].values.max()
    assert np.abs(at_limit["energy.balance_error"].values).max() < 0.05 * supplied


@pytest.mark.parametrize(
    "mesh, options, words",
    [
        ({"damping_ratio": 0.02}, {}, "has damping_ratio = 0.02 of its modes, which finite elements do not have"),
        ({"bore": "shaft"}, {}, 'has bore = "shaft"; only "free" is supported'),
        ({}, {"penalty": 0}, "penalty must be greater than zero"),
        ({}, {"elements_b": {"order": 2}}, "elements_b: explicit steps need elements of order 1, got 2"),
        ({}, {"elements_b": {"modified": True}}, "leave out modified"),
        ({}, {"slave": ""}, 'slave must be "a", "b" or "both"'),
    ],
)
def test_what_is_not_understood_is_refused(mesh: dict[str, Any], options: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        explicit_motion(pair(**mesh), **({"duration": "1 us"} | options))
