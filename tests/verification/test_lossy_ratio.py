"""Ratios with an efficiency: power, self-locking, statics, and losses together with friction of a bearing."""

import numpy as np
import pytest

import pitchline as pl
from pitchline.files.reader import read


def gearbox(efficiency, ratio: float = 10.0, *, input: object = 0.0, output: object = 0.0) -> pl.Model:
    m = pl.Model("gearbox")
    for name, inertia, x in (("a", 0.01, 0.0), ("b", 2.0, 1.0)):
        m.body(name, mass=1.0, inertia=(inertia,) * 3, position=(x, 0, 0))
        m.revolute(f"joint {name}", m.ground, name, axis="z")
    m.ratio("gear", "joint a", "joint b", ratio=ratio, efficiency=efficiency)
    m.torque("input", "joint a", input)
    m.torque("output", "joint b", output)
    return m


@pytest.mark.parametrize("ratio", (10.0, -10.0, 0.1))
def test_power_in_both_directions(ratio: float) -> None:
    """The output has the efficiency times the power of the input, whichever drives. The energy balance closes."""
    for torques, eta in (({"input": 3.0}, 0.9), ({"output": 3.0}, 0.7)):
        run = pl.dynamics(gearbox((0.9, 0.7), ratio, **torques), duration=0.1, step=1e-3)
        powers = [run[f"gear.torque_{x}"].values * run[f"joint {x}.angular_speed"].values for x in "ab"]
        given, taken = (0, 1) if "input" in torques else (1, 0)
        moving = run.time > 0.01
        np.testing.assert_allclose(powers[taken][moving], -eta * powers[given][moving], rtol=1e-9)
        np.testing.assert_allclose(run["gear.loss"].values, -(powers[0] + powers[1]), atol=1e-9)
        assert np.max(np.abs(run["energy.balance_error"].values)) < 1e-4 * run["energy.dissipated"].final


def test_self_locking() -> None:
    """With an efficiency of zero or less if b drives, no torque on b moves it; the motor lowers the load."""
    for load in (1.0, 1e5):
        run = pl.dynamics(gearbox((0.4, -0.2), output=load), duration=0.1, step=1e-3)
        assert np.max(np.abs(run["joint a.angle"].values)) < 1e-15 * load + 1e-16
        assert run["gear.torque_a"].final == pytest.approx(0.0, abs=1e-9 * load)
    # lowering: P_out = -0.2 P_in; the motor must supply the rest
    for factor, holds in ((1 - 1e-6, True), (1 + 1e-6, False)):
        m = gearbox((0.4, -0.2), output=100.0, input=0.2 * 10.0 * factor)
        if holds:
            assert pl.statics(m)["gear.state"].final == 0.0
        else:
            with pytest.raises(pl.SolveError, match='"gear" slips'):
                pl.statics(m)


def test_bearing_friction_adds() -> None:
    """Breakaway with a bearing: the motor carries load over efficiency, and the friction of its shaft."""
    limit = 100.0 / 10.0 / 0.8 + 1.5
    for factor, holds in ((1 - 1e-6, True), (1 + 1e-6, False)):
        m = gearbox((0.8, 0.7), output=-100.0, input=limit * factor)
        m.friction("bearing", "joint a", coulomb=1.5)
        run = pl.dynamics(m, duration=0.5, step=1e-2)
        angle = run[
            "joint a.angle"
        ].values  # both yield in the first step, to share the load: 1e-8 of what they would move
        assert (np.ptp(angle[1:]) < 1e-9 and abs(angle[1]) < 1e-8) == holds


def test_file_and_summary() -> None:
    m = gearbox((0.9, -0.1), output=1.0)
    text = m.to_toml()
    assert 'type = "lossy_gear_ratio"' in text and "efficiency = [0.9, -0.1]" in text
    again = read(text).model
    assert again.to_toml() == text
    assert "LossyGearRatio" in m.summary()


def test_driven_and_counted() -> None:
    """A drive on the input: the loss follows the motion. Many revolutions keep the ratio exactly."""
    m = gearbox((0.8, 0.7), output=-100.0)
    m.drive("motor", "joint a", speed=100.0)
    run = pl.dynamics(m, duration=1.0, step=1e-2)
    assert run["motor.torque"].final == pytest.approx(12.5, rel=1e-6)
    assert run["joint a.angle"].final - 10 * run["joint b.angle"].final == pytest.approx(0.0, abs=1e-12)


def test_rolling_on_one_axis_has_an_efficiency() -> None:
    """The same element as `Model.ratio`; wheels that roll on each other refuse it."""
    m = pl.Model("box")
    for name, J in (("a", 0.1), ("b", 1.0)):
        m.body(name, mass=1, inertia=(J, J, J))
        m.revolute(f"{name} axis", m.ground, name, axis="z")
    m.gear_pair("box", "a", "b", mesh=pl.Rolling(ratio=10, efficiency=(0.8, 0.5)))
    m.torque("motor", "a axis", "2 N*m")
    run = pl.dynamics(m, duration="1 s", step="1 ms")
    # J_a a + (J_b a/10 + 0)/(10 * 0.8) = T
    expected = 2.0 / (0.1 + 1.0 / (10 * 10 * 0.8))
    assert run["a axis.angular_speed"].final == pytest.approx(expected, rel=1e-9)
    other = pl.Model("wheels")
    for name, x in (("a", 0.0), ("b", 1.0)):
        other.body(name, mass=1, inertia=(1, 1, 1), position=(x, 0, 0))
        other.revolute(f"{name} axis", other.ground, name, axis="z")
    with pytest.raises(pl.ModelError, match=r"two shafts on one axis; for wheels .* Rigid\(efficiency"):
        other.gear_pair("pair", "a", "b", mesh=pl.Rolling(ratio=2, efficiency=0.9))
    with pytest.raises(pl.ModelError, match="with ratio"):
        pl.Rolling(efficiency=0.9)
