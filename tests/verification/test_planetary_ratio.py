"""Planetary gear sets given as a ratio: Willis' equation, torques, inertia, differential."""

import numpy as np
import pytest

import pitchline as pl


def gear_set(ratio: float, inertias: tuple[float, float, float] = (0.1, 0.7, 0.4)) -> pl.Model:
    m = pl.Model("set")
    for name, J in zip(("sun", "ring", "carrier"), inertias, strict=True):
        m.rotor(name, m.ground, inertia=J, axis="z")
    m.planetary_ratio("gears", sun="sun", ring="ring", carrier="carrier", ratio=ratio)
    return m


@pytest.mark.parametrize("ratio", [2.5, 1.0, -2.2])
def test_accelerations_under_a_torque_on_each_shaft(ratio):
    """Two degrees of freedom: angles (sun, carrier), the ring follows. M q'' = T."""
    torques = {"sun": 3.0, "ring": -1.0, "carrier": 2.0}
    m = gear_set(ratio)
    for name, T in torques.items():
        m.torque(f"on {name}", name, T)
    run = pl.dynamics(m, duration="1 s", step="10 ms")
    J = dict(zip(("sun", "ring", "carrier"), (0.1, 0.7, 0.4), strict=True))
    N = np.array([[1.0, 0.0], [-1.0 / ratio, (1.0 + ratio) / ratio], [0.0, 1.0]])  # sun, ring, carrier
    names = ["sun", "ring", "carrier"]
    M = N.T @ np.diag([J[n] for n in names]) @ N
    expected = N @ np.linalg.solve(M, N.T @ np.array([torques[n] for n in names]))
    for n, a in zip(names, expected, strict=True):
        np.testing.assert_allclose(run[f"{n}.angle"].values, 0.5 * a * run.time**2, atol=1e-9)
    on = {n: run[f"gears.torque_{n}"].values[-1] for n in names}
    assert on["ring"] / on["sun"] == pytest.approx(ratio, rel=1e-9)
    assert sum(on.values()) == pytest.approx(0.0, abs=1e-12)
    assert on["sun"] == pytest.approx(J["sun"] * expected[0] - 3.0, rel=1e-8)


def test_a_held_ring_gives_the_ratio_of_the_set():
    m = gear_set(3.0)
    m.drive("hold", "ring", angle=0)
    m.drive("motor", "sun", speed="100 rad/s")
    run = pl.dynamics(m, duration="2 s", step="1 ms")
    assert run["carrier.angle"].values[-1] == pytest.approx(200.0 / 4.0, rel=1e-12)


def test_a_differential_shares_the_torque():
    m = gear_set(1.0)
    m.torque("engine", "carrier", "10 N*m")
    run = pl.dynamics(m, duration="0.1 s", step="1 ms")
    assert run["gears.torque_sun"].values[-1] == pytest.approx(run["gears.torque_ring"].values[-1], rel=1e-12)


def test_wrong_values_are_refused():
    m = gear_set(2.0)
    with pytest.raises(pl.ModelError, match="must not be -1"):
        m.planetary_ratio("other", sun="sun", ring="ring", carrier="carrier", ratio=-1)
    with pytest.raises(pl.ModelError, match="must be three joints"):
        m.planetary_ratio("other", sun="sun", ring="sun", carrier="carrier", ratio=2)
    assert pl.load  # files: see test_files_say_everything
    assert "planetary_ratio" in m.to_toml()
