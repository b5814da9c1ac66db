"""Some modes of many coordinates with sparse matrices: closed forms of long chains, and all modes with dense ones."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.analyses import modes as modes_module
from pitchline.analyses import time_options as dense_matrices
from pitchline.engine.solvers import sparse_modes as solver
from pitchline.engine.solvers.eigenmodes import eigenvalues_below

STIFFNESS, MASS = 1000.0, 2.0


def chain(bodies: int, *, held: bool = True, damping: float = 0.0, stiffness: float = STIFFNESS) -> pl.Model:
    """Equal masses on a line, each joined to the next by a spring, the first to the ground where it is held."""
    m = pl.Model("chain")
    before: Any = m.ground
    for i in range(bodies):
        body = m.body(f"b{i}", mass=MASS, inertia=(0.1, 0.1, 0.1), position=(i + 1.0, 0, 0))
        slide = m.prismatic(f"g{i}", m.ground, body, axis="x")
        if i or held:
            m.bushing(f"s{i}", before, body, stiffness=(stiffness, 0, 0, 0, 0, 0), damping=(damping, 0, 0, 0, 0, 0))
        before = body
        del slide
    return m


def fixed_free(bodies: int, k: np.ndarray) -> np.ndarray:
    """omega_k of a chain that is held at one end [1/s], k = 1, 2, ..."""
    return np.asarray(2.0 * math.sqrt(STIFFNESS / MASS) * np.sin(np.pi * (2 * k - 1) / (2 * (2 * bodies + 1))))


def free_free(bodies: int, k: np.ndarray) -> np.ndarray:
    """Of one that nothing holds, k = 0 being its translation."""
    return np.asarray(2.0 * math.sqrt(STIFFNESS / MASS) * np.sin(np.pi * k / (2 * bodies)))


def frame(bodies: int, *, damping: float = 0.0, held: bool = True, hinged: bool = False) -> pl.Model:
    """A row of bodies in space on bushings that differ; every third pair joined by a hinge, a constraint."""
    random = np.random.default_rng(3)
    m = pl.Model("frame")
    before: Any = m.ground
    for i in range(bodies):
        body = m.body(f"b{i}", mass=random.uniform(1, 3), inertia=random.uniform(0.2, 0.3, 3), position=(i + 1.0, 0, 0))
        k = random.uniform(500.0, 3000.0, 6)
        if hinged and i % 3 == 2:
            m.revolute(f"h{i}", before, body, at=(i + 0.5, 0, 0), axis="z")
            k[:5] = 0.0
        if i or held:
            m.bushing(f"s{i}", before, body, at=(i + 0.5, 0, 0), stiffness=k, damping=damping * k)
        before = body
    return m


@pytest.fixture
def sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sparse matrices for models of any size."""
    monkeypatch.setattr(modes_module, "SPARSE_FROM", 1)


@pytest.fixture(scope="module")
def long_chain() -> pl.Model:
    return chain(500)


@pytest.mark.parametrize("reduce", [True, False])
def test_long_chain(long_chain: pl.Model, reduce: bool) -> None:
    """500 coordinates, or 3000 of them with 2500 constraints, which would be refused with dense matrices."""
    found = pl.modes(long_chain, count=12, reduce=reduce)
    np.testing.assert_allclose(2 * np.pi * found.frequencies, fixed_free(500, np.arange(1, 13)), rtol=1e-8)
    assert found.rigid == 0 and not found.warnings and len(found.strain) == 500
    np.testing.assert_allclose(found.kinetic.sum(axis=(1, 2)), 1.0, rtol=1e-12)
    assert set(found.kinds) == {"translational"}


def test_a_range_and_a_number_from_a_frequency_on(long_chain: pl.Model) -> None:
    """All modes of a range and no other, in the middle of the spectrum too; the first of them with a count."""
    every = fixed_free(500, np.arange(1, 501)) / (2 * np.pi)
    for low, high in ((0.0, 0.2), (2.0, 2.1), (7.0, 7.2)):
        inside = every[(every >= low) & (every <= high)]
        found = pl.modes(long_chain, lowest=low, highest=high)
        np.testing.assert_allclose(found.frequencies, inside, rtol=1e-8)
        assert not found.warnings
    np.testing.assert_allclose(
        pl.modes(long_chain, lowest="2 Hz", count=7).frequencies, every[every > 2.0][:7], rtol=1e-8
    )
    np.testing.assert_allclose(
        pl.modes(long_chain, lowest="2 Hz", highest="3 Hz", count=3).frequencies, every[every > 2.0][:3], rtol=1e-8
    )
    assert len(pl.modes(long_chain, lowest="100 Hz", highest="200 Hz")) == 0


def test_free_chain_has_a_rigid_motion() -> None:
    found = pl.modes(chain(450, held=False), count=6)
    assert found.rigid == 1 and found.kinds[0] == "rigid body"
    np.testing.assert_allclose(2 * np.pi * found.frequencies, free_free(450, np.arange(6)), rtol=1e-8, atol=1e-9)


def test_slow_modes_of_a_long_beam_are_no_rigid_motions() -> None:
    """Bending of a long row of bodies is slow by the fourth power of its length; the first mode goes with 1.875^2/l^2."""
    frequencies = []
    for bodies in (80, 160):
        m = pl.Model("beam")
        before: Any = m.ground
        for i in range(bodies):
            body = m.body(f"b{i}", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(i + 1.0, 0, 0))
            m.bushing(f"s{i}", before, body, at=(i + 0.5, 0, 0), axis="x", stiffness=(1e6, 1e6, 1e6, 1e3, 1e3, 1e3))
            before = body
        found = pl.modes(m, count=2)
        assert found.rigid == 0
        frequencies.append(found.frequencies[0])
        # EI = k_bend * spacing, mass per length 1
        assert 2 * np.pi * found.frequencies[0] == pytest.approx(
            1.875104**2 * math.sqrt(1e3) / (bodies + 0.5) ** 2, rel=0.02
        )
    assert frequencies[0] / frequencies[1] == pytest.approx(4.0, rel=0.02)


@pytest.mark.parametrize("options", [{}, {"held": False}, {"hinged": True}, {"hinged": True, "held": False}], ids=str)
@pytest.mark.parametrize("damping", [0.0, 1e-3, 0.05])
def test_the_same_as_with_dense_matrices(
    options: dict[str, Any], damping: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frequencies, damping, rigid motions, energies, shapes; with constraints, without a support, lightly and strongly damped."""
    m = frame(18, damping=damping, **options)
    for reduce in (True, False):
        every = pl.modes(m, reduce=reduce)
        monkeypatch.setattr(modes_module, "SPARSE_FROM", 1)
        some = pl.modes(m, reduce=reduce, count=15)
        monkeypatch.undo()
        assert len(some) == 15 and some.rigid == every.rigid and not some.warnings
        np.testing.assert_allclose(some.eigenvalues[:15], every.eigenvalues[:15], rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(some.kinetic[some.rigid : 15], every.kinetic[some.rigid : 15], atol=1e-6)
        for name in every.strain:
            np.testing.assert_allclose(some.strain[name][:15], every.strain[name][:15], atol=1e-6)


def test_gyroscopic_rotor(sparse: None) -> None:
    """Forward and backward whirl of spinning wheels, undamped: eigenvalues on the imaginary axis, and the shaft turns freely."""
    m = pl.Model("rotor")
    before: Any = None
    for i in range(12):
        body = m.body(
            f"b{i}", mass=1.0, inertia=(0.02, 0.01, 0.01), position=(i * 0.2, 0, 0), angular_velocity=(400.0, 0, 0)
        )
        if i in (0, 11):
            m.bushing(f"bearing{i}", m.ground, body, axis="x", stiffness=(1e6, 1e6, 1e6, 0, 0, 0))
        if before is not None:
            m.bushing(f"s{i}", before, body, axis="x", stiffness=(1e8, 1e8, 1e8, 1e4, 1e4, 1e4))
        before = body
    every = pl.modes(m)
    some = pl.modes(m, count=9)
    assert every.rigid == some.rigid == 1 and some.stable
    np.testing.assert_allclose(some.frequencies[:9], every.frequencies[:9], rtol=1e-7, atol=1e-9)
    assert np.max(np.abs(some.eigenvalues.real)) < 1e-9 * np.max(np.abs(every.eigenvalues))


def test_strongly_damped_motions_are_known_as_well(sparse: None) -> None:
    """Eigenvalues without oscillation up to the last frequency are there, the same as with dense matrices."""
    m = chain(60, damping=2.5 * math.sqrt(STIFFNESS * MASS))
    every = pl.modes(m, dense=True)
    some = pl.modes(m, highest=float(every.frequencies[3]) * 1.001)
    np.testing.assert_allclose(some.frequencies, every.frequencies[:4], rtol=1e-8)
    slow = every.decaying[np.abs(every.decaying) <= 2 * np.pi * every.frequencies[3] * 1.001]
    np.testing.assert_allclose(some.decaying, slow, rtol=1e-7)


def test_growing_motions_are_found(sparse: None) -> None:
    """A pendulum that stands upright among masses on springs: real eigenvalues +-sqrt(m g l/J)."""
    m = chain(30)
    m2 = pl.Model("upright", gravity=(0, 0, -9.81))
    before: Any = m2.ground
    for i in range(30):
        body = m2.body(f"b{i}", mass=MASS, inertia=(0.1, 0.1, 0.1), position=(i + 1.0, 0, 0))
        m2.prismatic(f"g{i}", m2.ground, body, axis="x")
        m2.bushing(f"s{i}", before, body, stiffness=(STIFFNESS, 0, 0, 0, 0, 0))
        before = body
    m2.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 5, 0.5))
    m2.revolute("hinge", m2.ground, "rod", at=(0, 5, 0), axis="x")
    found = pl.modes(m2, count=5)
    np.testing.assert_allclose(found.frequencies[:5], pl.modes(m, count=5).frequencies[:5], rtol=1e-8)
    rate = math.sqrt(9.81 * 0.5 / (0.1 + 0.25))
    np.testing.assert_allclose(found.decaying, [-rate, rate], rtol=1e-8)
    assert not found.stable and "motions grow at" in found.warnings[-1]


def test_sylvester_counts() -> None:
    """As many eigenvalues below a limit as there are, with constraints."""
    from pitchline.analyses.operating_point import OperatingPoint

    m = frame(12, hinged=True)
    every = np.sort((2 * np.pi * pl.modes(m).frequencies) ** 2)
    small = OperatingPoint.of(m, None, reduce=False).small
    for i in (0, 3, 10, 30, len(every) - 2):
        assert eigenvalues_below(0.5 * (every[i] + every[i + 1]), small.M, small.K, small.B) == i + 1
    assert eigenvalues_below(2.0 * every[-1], small.M, small.K, small.B) == len(every)


def test_a_mode_that_is_not_found_is_said(sparse: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count tells; here one of the eigenvalues is taken away from all that are found."""
    found = solver._Undamped._nearest

    def without_one(self: Any, shift: float, k: int) -> Any:
        values, vectors = found(self, shift, k)
        keep = np.arange(len(values)) != 3
        return values[keep], vectors[:, keep]

    monkeypatch.setattr(solver._Undamped, "_nearest", without_one)
    modes = pl.modes(chain(60), count=8)
    assert any("Sylvester's law" in text and "by 1" in text for text in modes.warnings)


def test_no_dense_matrix_without_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Size, cost and the way out are said before anything dense is made; dense=True is the answer yes."""
    monkeypatch.setattr(dense_matrices, "MOST_COORDINATES", 20)
    m = chain(25)
    words = r'model "chain" has 25 coordinates. With dense matrices this takes about .* GB and .*specify count=20.*dense=True'
    with pytest.raises(pl.ModelError, match=words):
        pl.modes(m)
    for analysis in (pl.frequency_response, pl.linear_model):
        with pytest.raises(pl.ModelError, match=words):
            analysis(m, "b3.force.x", "b3.position.x")
    with pytest.raises(pl.ModelError, match="dense=True"):
        pl.modes(m, count=24)
    assert len(pl.modes(m, dense=True)) == 25
    assert len(pl.modes(m, highest="1 Hz", dense=True)) == int(np.sum(fixed_free(25, np.arange(1, 26)) < 2 * np.pi))
    assert pl.frequency_response(m, "b3.force.x", "b3.position.x", frequencies=[0.5], dense=True).response.shape == (
        1,
        1,
        1,
    )


@pytest.mark.parametrize("options, words", [
    ({"count": 0}, "count must be a whole number of 1 or more, got 0"),
    ({"count": 2.5}, "count must be a whole number of 1 or more, got 2.5"),
    ({"count": True}, "count must be a whole number"),
    ({"lowest": "2 Hz", "highest": "1 Hz"}, "lowest must be 0 Hz or more, and highest must be greater"),
    ({"lowest": -1.0}, "lowest must be 0 Hz or more"),
    ({"highest": "1 mm"}, "modes: highest"),
])  # fmt: skip
def test_what_is_asked_wrongly(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pl.ModelError, match=words):
        pl.modes(chain(3), **options)
