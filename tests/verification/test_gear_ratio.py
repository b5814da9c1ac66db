"""Gearbox given as a ratio, against closed forms."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.angular_momentum import total_angular_momentum

import pitchline as pl

J_A, J_B = 0.1, 2.0


def two_shafts(ratio: Any, *, axis_b: Any = (0, 1, 1), **options: Any) -> pl.Model:
    """Two shafts on the ground with different axes."""
    m = pl.Model("two shafts")
    for name, J, x, axis in (("a", J_A, 0.0, "z"), ("b", J_B, 0.2, axis_b)):
        m.body(name, mass=1.0, inertia=(J, J, J), position=(x, 0, 0))
        m.revolute(f"axle {name}", m.ground, name, axis=axis)
    m.ratio("box", "axle a", "axle b", ratio=ratio, **options)
    return m


@pytest.mark.parametrize("ratio", [10, -3.5, 0.2, math.pi, Fraction(-41, 13)])
@pytest.mark.parametrize("options", [{}, {"reduce": False}])
def test_acceleration_and_torques(ratio: Any, options: dict[str, Any]) -> None:
    """A constant torque: theta_a = T t^2 / 2 / (J_a + J_b / i^2); the gearbox brakes a and drives b with T_b = -i T_a."""
    m = two_shafts(ratio)
    m.torque("motor", "axle a", 3.0)
    run = pl.dynamics(m, duration=1.0, step=0.01, **options)
    i = float(ratio)
    alpha = 3.0 / (J_A + J_B / i**2)
    assert run["axle a.angular_speed"].values[-1] == pytest.approx(alpha, rel=1e-9)
    assert run["axle a.angle"].values[-1] == pytest.approx(i * run["axle b.angle"].values[-1], rel=1e-12)
    assert run["box.torque_b"].values[-1] == pytest.approx(J_B * alpha / i, rel=1e-7)
    assert run["box.torque_a"].values[-1] == pytest.approx(-J_B * alpha / i**2, rel=1e-7)
    train = run.statistics["evaluator"] == "train of hinged wheels"
    assert train == (not options)


def test_the_housing_carries_the_reaction() -> None:
    """Gearbox on a free housing, all on one axis: the angular momentum stays zero."""
    m = pl.Model("free gearbox")
    housing = m.body("housing", mass=1.0, inertia=(1.0, 1.0, 1.0))
    m.revolute("mount", m.ground, housing, axis="z")
    m.body("a", mass=1.0, inertia=(J_A,) * 3)
    m.body("b", mass=1.0, inertia=(J_B,) * 3, orientation={"axis": "x", "angle": "180 deg"})
    m.revolute("axle a", housing, "a", axis="z")
    m.revolute("axle b", "b", housing, axis=(0, 0, -1))  # first and second body, and the axis, the other way round
    box = m.gear_pair("box", "a", "b", mesh=pl.Rolling(ratio=10))
    assert box.ratio == 10.0
    m.torque("motor", "axle a", 1.0)
    run = pl.dynamics(m, duration=1.0, step=0.01)
    spins = {name: run[f"{name}.angular_velocity"].values[-1, 2] for name in ("housing", "a", "b")}
    assert spins["a"] - spins["housing"] == pytest.approx(10 * (spins["b"] - spins["housing"]), rel=1e-10)
    assert spins["housing"] + J_A * spins["a"] + J_B * spins["b"] == pytest.approx(0.0, abs=1e-10)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-10


def test_bevel_axes_on_a_free_body() -> None:
    """Perpendicular shafts on a body in space: linear and angular momentum and the energy balance."""
    m = pl.Model("space")
    body = m.body("body", mass=3.0, inertia=(1.0, 2.0, 2.5), angular_velocity=(0.3, -0.2, 0.1))
    a = m.rotor("a", body, inertia=0.05, axis="x", at=(0.2, 0, 0))
    b = m.rotor("b", body, inertia=0.3, axis="y", at=(0, 0.3, 0))
    m.ratio("box", a, b, ratio=-4)
    m.torque("motor", a, pl.Harmonic(amplitude=2.0, frequency=1.0))
    run = pl.dynamics(m, duration=1.0, step=5e-4)
    H = total_angular_momentum(run, m)
    assert H[-1] == pytest.approx(H[0], abs=1e-6)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5
    gap = run["a.angle"].values + 4 * run["b.angle"].values
    assert np.abs(gap).max() < 1e-9


@pytest.mark.parametrize("ratio", [7.3, math.pi, Fraction(41, 13), -0.01])
@pytest.mark.parametrize("options", [{}, {"reduce": False}])
def test_many_revolutions(ratio: Any, options: dict[str, Any]) -> None:
    """After 1e6 rad both angles still have the ratio to rounding: full revolutions are counted exactly."""
    m = two_shafts(ratio)
    m.drive("motor", "axle a" if abs(ratio) > 1 else "axle b", speed="1e8 rad/s")
    run = pl.dynamics(m, duration="10 ms", step="20 ns", output_step="1 ms", **options)
    gap = run["axle a.angle"].values - float(ratio) * run["axle b.angle"].values
    assert max(run["axle a.angle"].values[-1], run["axle b.angle"].values[-1]) == pytest.approx(1e6, rel=1e-12)
    assert np.abs(gap).max() < 1e-9


def test_a_run_continues_from_a_result() -> None:
    m = two_shafts(7.3, axis_b="-z")
    m.torque("motor", "axle a", 10.0)
    whole = pl.dynamics(m, duration=4.0, step=0.01)
    first = pl.dynamics(m, duration=2.0, step=0.01)
    second = pl.dynamics(m, duration=2.0, step=0.01, start=first)
    assert first["axle a.angle"].values[-1] > 100.0
    for joint in ("axle a", "axle b"):
        assert second[f"{joint}.angle"].values[-1] == pytest.approx(whole[f"{joint}.angle"].values[-1], rel=1e-9)


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("elastic", [{}, {"stiffness": 1e3, "backlash": 0.01}])
def test_a_checkpoint_continues_to_the_same_bits(reduce: bool, elastic: dict[str, float], tmp_path: Path) -> None:
    m = two_shafts(-7.3, **elastic)
    m.torque("motor", "axle a", pl.Harmonic(amplitude=5.0, frequency=0.1, offset=3.0))
    options: dict[str, Any] = {"duration": 20.0, "step": 1e-3, "output_step": 0.1, "reduce": reduce}
    calls = []

    def stop(now: float, end: float) -> None:
        calls.append(now)
        if len(calls) == 1:
            raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    part = pl.dynamics(m, progress=stop, checkpoint=file, **options)
    assert part.status == "interrupted"
    whole, straight = pl.resume(m, file), pl.dynamics(m, **options)
    assert straight["axle a.angle"].values[-1] > 100.0
    for name in ("axle a.angle", "axle b.angle", "box.torque_a"):
        assert np.array_equal(whole[name].values, straight[name].values), name


def test_frequency_response() -> None:
    """Torque on a, angle of b: i / (k + j w c - w^2 (J_b + i^2 J_a))."""
    m = two_shafts(5)
    m.torsion_spring("spring", "axle b", stiffness=1e3, damping=1.0)
    m.torque("motor", "axle a", 0.0)
    found = pl.frequency_response(m, inputs="motor", outputs="axle b.angle", frequencies=[1.0, 2.0])
    w = 2 * np.pi * found.frequency
    assert found.response[:, 0, 0] == pytest.approx(5 / (1e3 + 1j * w - w**2 * (J_B + 25 * J_A)), rel=1e-9)


def test_half_a_revolution_in_the_initial_pose() -> None:
    """Joint frames at 180 deg, where rounding decides the sign of the angle."""
    m = pl.Model("half")
    for name in "ab":
        m.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0), orientation={"axis": "z", "angle": "180 deg"})
        body = m.bodies[name]
        m.revolute(f"axle {name}", m.ground.frame(axis="z"), body.frame(axis="z"))
    m.ratio("box", "axle a", "axle b", ratio=2.5)
    m.drive("motor", "axle a", speed="1 rad/s")
    first = pl.dynamics(m, duration=1.0, step=0.01)
    second = pl.dynamics(m, duration=1.0, step=0.01, start=first)
    assert second["axle b.angle"].values[-1] - math.pi == pytest.approx(2.0 / 2.5, rel=1e-9)


def test_statics_and_kinematics() -> None:
    m = two_shafts(5)
    m.torsion_spring("spring", "axle b", stiffness=1e3)
    m.torque("motor", "axle a", 2.0)
    rest = pl.statics(m)
    assert rest["axle b.angle"].values[-1] == pytest.approx(0.01, rel=1e-9)
    assert rest["box.torque_a"].values[-1] == pytest.approx(-2.0, rel=1e-9)
    m = two_shafts(5)
    m.drive("motor", "axle a", speed="10 rad/s")
    assert pl.kinematics(m, duration=10.0, step=0.05)["axle b.angle"].values[-1] == pytest.approx(20.0, rel=1e-12)


def test_redundant_ratios_share_the_load() -> None:
    m = two_shafts(5)
    m.ratio("second", "axle a", "axle b", ratio=5)
    m.torque("motor", "axle a", 1.0)
    run = pl.dynamics(m, duration=0.5, step=0.01)
    alpha = 1.0 / (J_A + J_B / 25)
    assert run["axle a.angular_speed"].values[-1] == pytest.approx(0.5 * alpha, rel=1e-9)
    both = run["box.torque_b"].values[-1] + run["second.torque_b"].values[-1]
    assert both == pytest.approx(J_B * alpha / 5, rel=1e-6)


# ---------------------------------------------------------------------------------------------------------- elastic


def test_elastic_frequency() -> None:
    """omega^2 = k (1/J_b + 1/(i^2 J_a)), and rigid with a spring at the output k / (J_b + i^2 J_a)."""
    modes = pl.modes(two_shafts(5, stiffness=1e4))
    assert modes.frequencies[-1] == pytest.approx(math.sqrt(1e4 * (1 / J_B + 1 / (25 * J_A))) / (2 * math.pi), rel=1e-9)
    m = two_shafts(5)
    m.torsion_spring("spring", "axle b", stiffness=1e3)
    assert pl.modes(m).frequencies == pytest.approx([math.sqrt(1e3 / (J_B + 25 * J_A)) / (2 * math.pi)], rel=1e-9)


def test_elastic_twist_and_backlash_at_the_output() -> None:
    """With the input held, the output deflects by T/k beyond half of the backlash."""
    for torque, backlash in ((30.0, 0.0), (30.0, 0.004), (-30.0, 0.004)):
        m = two_shafts(-20, stiffness="10 N*m/mrad", backlash=backlash)
        m.drive("motor", "axle a", angle=0.0)
        m.torque("load", "axle b", torque)
        rest = pl.statics(m)
        expected = math.copysign(0.003 + 0.5 * backlash, torque)
        assert rest["axle b.angle"].values[-1] == pytest.approx(expected, rel=1e-9)
        assert rest["box.twist"].values[-1] == pytest.approx(-expected, rel=1e-9)
        assert rest["box.torque_b"].values[-1] == pytest.approx(-torque, rel=1e-9)
        assert rest["motor.torque"].values[-1] == pytest.approx(torque / 20, rel=1e-9)


def test_elastic_becomes_rigid() -> None:
    m = two_shafts(4, stiffness=1e7, damping=1e3)
    m.torque("motor", "axle a", 1.0)
    run = pl.dynamics(m, duration=0.5, step=1e-3)
    assert run["axle a.angular_speed"].values[-1] == pytest.approx(0.5 / (J_A + J_B / 16), rel=1e-5)


def test_energy_with_backlash_and_damping() -> None:
    m = two_shafts(5, stiffness=1e4, damping=2.0, backlash=0.02)
    m.torque("motor", "axle a", pl.Harmonic(amplitude=5.0, frequency=2.0))
    run = pl.dynamics(m, duration=1.0, step=1e-4)
    assert np.ptp(run["box.twist"].values) > 0.02
    assert run["energy.dissipated"].values[-1] > 1e-3
    assert abs(run["energy.balance_error"].values[-1]) < 1e-4 * run["energy.kinetic"].values.max()


def test_changed_element() -> None:
    m = two_shafts(5)
    other = m.replaced(m.elements["box"].replaced(ratio=10.0))
    other.drive("motor", "axle a", speed=1.0)
    assert pl.kinematics(other, duration=1.0, step=0.1)["axle b.angle"].values[-1] == pytest.approx(0.1)
