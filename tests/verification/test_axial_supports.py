"""Axial supports in one direction: closed forms of statics, impact and energy, two opposite supports, turned machines."""

import numpy as np
import pytest

import pitchline as pl

K, M = 1e6, 2.0


def slide(direction: str = "positive", clearance: float = 0.0, axis: object = "x", **more: object) -> pl.Model:
    """A body that is free along an axis, with a support."""
    m = pl.Model("slide")
    b = m.body("b", mass=M, inertia=(1, 1, 1), position=(0.1, 0.2, 0.3))
    m.cylindrical("guide", m.ground, b, at=b.position, axis=axis)
    m.axial_support(
        "support", m.ground, b, axis=axis, at=b.position, stiffness=K, direction=direction, clearance=clearance, **more
    )
    return m


@pytest.mark.parametrize("axis", ["x", (1, -2, 2)])
@pytest.mark.parametrize("direction, sign", [("positive", 1.0), ("negative", -1.0)])
def test_forces_in_its_direction_are_carried(axis: object, direction: str, sign: float) -> None:
    m = slide(direction, clearance=1e-4, axis=axis)
    m.force("load", "guide", 500.0 * sign)
    m.axial_support("weak", m.ground, "b", axis=axis, at=(0.1, 0.2, 0.3), stiffness=1.0, direction=direction)
    run = pl.statics(m)
    depth = (500.0 - 1e-4) / (K + 1.0)
    assert run["guide.displacement"].final == pytest.approx(sign * (1e-4 + depth), rel=1e-9)
    assert run["support.axial_force"].final == pytest.approx(-sign * K * depth, rel=1e-9)
    assert run["support.gap"].final == pytest.approx(-depth, rel=1e-9)


def test_two_opposite_supports_share_nothing() -> None:
    """A shaft between two supports: only one of them carries, at either sign of the load."""
    for load in (900.0, -900.0, 0.0):
        m = slide()
        m.axial_support("other", m.ground, "b", axis="x", at=(0.1, 0.2, 0.3), stiffness=2 * K, direction="negative")
        m.force("load", "guide", load)
        run = pl.statics(m)
        assert run["support.axial_force"].final == pytest.approx(-max(load, 0.0), abs=1e-6)
        assert run["other.axial_force"].final == pytest.approx(max(-load, 0.0), abs=1e-6)


def test_impact_is_a_half_sine_and_conserves_the_energy() -> None:
    """v = 0.5 m/s, gap 1 mm: contact lasts π √(m/k), the largest force is v √(k m)."""
    m = slide(clearance=1e-3)
    run = pl.dynamics(m, duration=0.012, step=2e-6, start={"guide.speed": 0.5}, rho=0.99)
    force = -run["support.axial_force"].values
    assert force.max() == pytest.approx(0.5 * np.sqrt(K * M), rel=1e-4)
    assert np.count_nonzero(force) * (run.time[1] - run.time[0]) == pytest.approx(np.pi * np.sqrt(M / K), rel=1e-2)
    assert run["guide.speed"].final == pytest.approx(-0.5, rel=1e-4)
    assert force.min() == 0.0


def test_damping_takes_energy_and_never_pulls() -> None:
    run = pl.dynamics(slide(clearance=1e-3, damping=800.0), duration=0.012, step=5e-6, start={"guide.speed": 0.5})
    assert run["support.axial_force"].values.max() <= 0.0
    assert -0.45 < run["guide.speed"].final < -0.05
    kinetic = 0.5 * M * (0.5**2 - run["guide.speed"].final ** 2)
    assert run["energy.dissipated"].final == pytest.approx(kinetic, rel=1e-3)
    assert abs(run["energy.balance_error"].final) < 1e-3 * kinetic


def test_modes_of_a_pressed_support() -> None:
    m = slide()
    m.force("load", "guide", 100.0)
    found = pl.modes(m, about=pl.statics(m))
    assert found.frequencies[-1] == pytest.approx(np.sqrt(K / M) / (2 * np.pi), rel=1e-6)


def test_the_table_of_bearings_contains_it() -> None:
    m = slide(axis=(1, -2, 2))
    m.force("load", "guide", 300.0)
    m.force("weight", "b", (0, 0, -M * 9.81))
    run = pl.statics(m)
    load = 300.0 - M * 9.81 * 2.0 / 3.0
    assert run.bearing_loads()["support", "axial"] == pytest.approx(-load, rel=1e-9)
    np.testing.assert_allclose(run["support.force"].final, -load * np.array([1, -2, 2]) / 3.0, rtol=1e-9)
