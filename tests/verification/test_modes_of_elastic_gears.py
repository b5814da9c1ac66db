"""Linear analyses of gears with elastic flanks: the modes of their gears are coordinates there."""

import numpy as np
import pytest
from references.elastic_pair import COARSE, LIMIT, gears
from references.flank_runs import INERTIA, RADII, flank, pair_model
from references.gears_in_contact import GearsInContact
from scipy.linalg import expm

import pitchline as pl
from pitchline.analyses.operating_point import OperatingPoint
from pitchline.fem.elastic_gear import elastic_gear
from pitchline.parts.meshes.compile import flanks_of

TORQUE = 5.0
PHASE = 0.25
COSINE = np.cos(np.radians(20.0))


@pytest.fixture(scope="module")
def pressed() -> tuple[pl.Model, pl.Result]:
    """Both wheels free on their hinges, and the equilibrium with the pinion held at a phase of the table."""
    held = pair_model(phase=PHASE, torque=TORQUE, drive={"angle": 0})
    m = pair_model(phase=PHASE, torque=TORQUE)
    m.torque("balance", "in", TORQUE * RADII[0] / RADII[1])
    return m, pl.statics(held)


@pytest.fixture(scope="module")
def reference(pressed: tuple[pl.Model, pl.Result]) -> GearsInContact:
    m, rest = pressed
    psi, u = (float(rest[f"mesh.{name}"].values[-1]) for name in ("psi_a", "approach"))
    return GearsInContact(flanks_of(m.gear_pairs["mesh"]), RADII, psi, u / COSINE)


def test_without_contact_the_frequencies_are_those_of_gears_on_a_stiff_shaft() -> None:
    """Of the finite elements, every mode below the limit and no other; both wheels turn freely."""
    m = pair_model(flank(bore="shaft", backlash="60 um"))
    found = pl.modes(m, about="initial")
    expected = []
    for teeth in gears():
        gear = elastic_gear(teeth, bore="shaft", up_to=LIMIT, grid=COARSE)
        expected.append(gear.all_frequencies[gear.all_frequencies < LIMIT])
    assert found.rigid == 2
    assert found.frequencies[2:] == pytest.approx(np.sort(np.concatenate(expected)), rel=1e-6)
    assert set(found.kinds[2:]) == {"elastic"}


def test_in_contact_the_frequencies_are_those_of_both_gears_assembled_by_hand(
    pressed: tuple[pl.Model, pl.Result], reference: GearsInContact
) -> None:
    """Angles, modes, residual and local compliance of strips in one matrix."""
    m, rest = pressed
    assert reference.hoop_force * RADII[1] == pytest.approx(TORQUE, rel=1e-6)
    found = pl.modes(m, about=rest)
    expected = reference.frequencies(INERTIA)
    assert len(found) == len(expected) and found.rigid == 1
    assert found.frequencies[1:] == pytest.approx(expected[1:], rel=1e-6)


def test_amplitudes_at_rest_are_those_of_all_at_once(
    pressed: tuple[pl.Model, pl.Result], reference: GearsInContact
) -> None:
    """At the operating point, from the state of the opened system."""
    m, rest = pressed
    point = OperatingPoint.of(m, rest)
    own = point.state.own
    assert own.size == len(reference.omega) == point.system.own.count
    assert own == pytest.approx(reference.amplitudes, rel=1e-6, abs=1e-6 * np.abs(reference.amplitudes).max())
    assert point.closed is not None and point.closed.own.condensed_count == own.size


def test_words_and_shares_of_modes_of_gears(pressed: tuple[pl.Model, pl.Result]) -> None:
    m, rest = pressed
    found = pl.modes(m, about=rest)
    assert set(found.own) == {"mesh.c_a", "mesh.c_b"}
    total = found.kinetic.sum(axis=(1, 2)) + sum(found.own.values())
    assert total == pytest.approx(1.0)
    assert any("modes of elastic gear A of mesh" in text for text in found.descriptions)
    assert any("modes of elastic gear B of mesh" in text for text in found.descriptions)
    assert "elastic" in found.kinds
    assert not any("elastic gears" in text for text in found.warnings)
    # the modes store energy in the pair: all of it, on rigid bearings
    assert found.strain["mesh"][1:] == pytest.approx(1.0)


def test_no_modes_without_modes_in_motion() -> None:
    found = pl.modes(pair_model(flank(modes=0), torque=TORQUE), about="initial")
    assert len(found) == 2 and not found.own


def test_the_response_has_the_modes_of_the_gears(pressed: tuple[pl.Model, pl.Result]) -> None:
    """Poles of the linear model are the eigenvalues; the static limit is the closed stiffness of the pair."""
    _, rest = pressed
    held = pair_model(phase=PHASE, torque=TORQUE, drive={"angle": 0})
    linear = pl.linear_model(held, "out.torque", ["out.angle", "mesh.normal_force"], about=rest)
    poles = np.sort(np.abs(np.linalg.eigvals(linear.A)))[::2] / (2 * np.pi)
    found = pl.modes(held, about=rest)
    assert poles == pytest.approx(found.frequencies, rel=1e-6)
    response = pl.frequency_response(
        held, "out.torque", ["out.angle", "mesh.normal_force"], about=rest, frequencies=[1.0]
    )
    stiffness = float(rest["mesh.stiffness"].values[-1]) * (COSINE * RADII[1]) ** 2
    assert response.response[0, 0, 0].real == pytest.approx(1.0 / stiffness, rel=1e-5)
    # the teeth carry the torque, whatever bends
    assert abs(response.response[0, 1, 0]) * RADII[1] * COSINE == pytest.approx(1.0, rel=1e-5)


def test_a_small_step_of_the_load_moves_the_gears_as_the_linear_model_says() -> None:
    """Dynamics with condensed modes, and the matrix exponential of the linear model with open ones."""
    made = pair_model(phase=PHASE, torque=TORQUE, drive={"angle": 0})
    rest = pl.statics(made)
    small, h, n = 1e-3, 2.5e-7, 400
    pushed = pair_model(phase=PHASE, torque=TORQUE + small, drive={"angle": 0})
    run = pl.dynamics(pushed, duration=n * h, step=h, output_step=h, start=rest)
    linear = pl.linear_model(made, "out.torque", "out.angle", about=rest)
    k = len(linear.A)
    step = np.zeros((k + 1, k + 1))
    step[:k, :k], step[:k, k] = linear.A, linear.B[:, 0] * small
    E = expm(step * h)
    z = np.zeros(k + 1)
    z[k] = 1.0
    expected = [0.0]
    for _ in range(n):
        z = E @ z
        expected.append(float(linear.C[0] @ z[:k]))
    found = run["out.angle"].values - rest["out.angle"].values[-1]
    assert np.abs(found - expected).max() < 2e-3 * np.abs(expected).max()
