"""Analyses one after the other: what one leaves, the next takes up, in position, velocity, time and count of turns."""

import numpy as np
import pytest
from references.observed_order import largest

import pitchline as pl

G = 9.81


def crane() -> pl.Model:
    """A boom on a driven slewing axis, sagging on a torsion spring, with a load on a string."""
    m = pl.Model("crane", gravity=(0, 0, -G))
    m.body("column", mass=50.0, inertia=(2, 2, 1))
    m.body("boom", solid=pl.bar(2.0, 0.1, 0.1, mass=10.0), position=(1.0, 0, 1.0))
    m.body("load", mass=5.0, inertia=(0.05, 0.05, 0.05), position=(2.0, 0.0, 0.0))
    m.revolute("slewing", m.ground, "column", axis="z")
    m.revolute("luffing", "column", "boom", at=(0, 0, 1), axis="y")
    m.torsion_spring("sag", "luffing", stiffness=4000.0, damping=200.0)
    m.spring("rope", "boom", "load", at_a=(2, 0, 1), stiffness=2e4, damping=50.0, free_length=1.0)
    m.drive("motor", "slewing", angle=pl.Ramp(0.0, 2.0, 1.0, 4.0))
    return m


def state(result: pl.Result, k: int) -> dict[str, np.ndarray]:
    return {
        f"{body}.{signal}": result[f"{body}.{signal}"].values[k]
        for body in ("column", "boom", "load")
        for signal in ("position", "velocity", "orientation", "angular_velocity")
    }


def test_rest_stays_at_rest() -> None:
    """Dynamics from the equilibrium of statics: nothing moves, reactions stay."""
    m = crane()
    rest = pl.statics(m)
    run = pl.dynamics(m, duration=0.9, step=1e-3, start=rest)
    for name, value in state(rest, -1).items():
        assert largest(run[name].values, value) < 1e-8, name
    for joint in ("slewing", "luffing"):
        assert largest(run[f"{joint}.force"].values, rest[f"{joint}.force"].values[-1]) < 1e-5 * 65 * G
    assert run["rope.force"].values == pytest.approx(5 * G, rel=1e-6)


def test_statics_kinematics_dynamics() -> None:
    """Sag under load, be brought to speed, run: times and states follow on."""
    m = crane()
    rest = pl.statics(m)
    turned = pl.kinematics(m, duration=2.0, step=0.05, start=rest)
    run = pl.dynamics(m, duration=3.0, step=1e-3, start=turned)
    assert (rest.time[-1], turned.time[0], turned.time[-1], run.time[0], run.time[-1]) == (0.0, 0.0, 2.0, 2.0, 5.0)
    for first, second in ((rest, turned), (turned, run)):
        before, after = state(first, -1), state(second, 0)
        for name, value in before.items():
            assert largest(after[name], value) < 1e-8, name
    # brought to speed without inertia, the boom hangs as it did at rest, and turns with the column
    assert turned["luffing.angle"].values[-1] == pytest.approx(rest["luffing.angle"].values[-1], abs=1e-9)
    speed = turned["slewing.angular_speed"].values[-1]
    assert speed == pytest.approx(pl.Ramp(0.0, 2.0, 1.0, 4.0).derivative()(2.0), rel=1e-8)
    assert largest(turned["boom.angular_velocity"].values[-1], [0, 0, speed]) < 1e-7
    # in the end the motor stands, and the load swings about the place where statics puts it
    assert run["slewing.angle"].final == pytest.approx(2.0, abs=1e-9)
    settled = pl.statics(m, start=run)
    assert settled.time[0] == 5.0
    assert settled["slewing.angle"].values[0] == pytest.approx(2.0, abs=1e-9)
    assert settled["rope.force"].values[0] == pytest.approx(5 * G, rel=1e-8)


def test_one_run_or_two() -> None:
    """A run that is continued by a second one meets the single run to O(h^2): accelerations start afresh."""
    m = crane()
    whole = pl.dynamics(m, duration=3.0, step=1e-3)
    first = pl.dynamics(m, duration=1.5, step=1e-3)
    second = pl.dynamics(m, duration=1.5, step=1e-3, start=first)
    for name, value in state(whole, -1).items():
        assert largest(state(second, -1)[name], value) < 1e-4, name


def test_turns_are_carried_over() -> None:
    """Five and a quarter turns by kinematics, then dynamics: the angle goes on from there, and a torsion spring knows
    it."""
    turn = 2 * np.pi
    m = pl.Model("winch")
    m.body("drum", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute("axle", m.ground, "drum", axis="z")
    m.drive("motor", "axle", speed=turn)
    m.torsion_spring("spring", "axle", stiffness=0.5)
    wound = pl.kinematics(m, duration=5.25, step=0.25)
    assert wound["axle.angle"].final == pytest.approx(5.25 * turn, abs=1e-10)
    assert wound["spring.torque"].final == pytest.approx(-0.5 * 5.25 * turn, rel=1e-10)
    run = pl.dynamics(m, duration=1.0, step=0.01, start=wound)
    assert run["axle.angle"].values[0] == pytest.approx(5.25 * turn, abs=1e-10)
    assert run["axle.angle"].final == pytest.approx(6.25 * turn, abs=1e-9)
    assert run["spring.torque"].final == pytest.approx(-0.5 * 6.25 * turn, rel=1e-9)


def test_velocities_of_kinematics_start_dynamics_without_a_kick() -> None:
    """A flywheel behind a flexible coupling, brought to constant speed: both turn at that speed, the coupling is at
    rest."""
    m = pl.Model("coupling")
    for name, x in (("motor side", 0.0), ("flywheel", 1.0)):
        m.body(name, mass=1.0, inertia=(0.2, 0.2, 0.2), position=(x, 0, 0))
        m.revolute(f"axle {name}", m.ground, name, axis="x")
    m.bushing("coupling", "motor side", "flywheel", at=(0.5, 0, 0), axis="x", stiffness=(0, 0, 0, 0, 0, 80.0))
    m.drive("motor", "axle motor side", speed=12.0)
    turned = pl.kinematics(m, duration=1.0, step=0.02)
    run = pl.dynamics(m, duration=1.0, step=1e-3, start=turned)
    assert largest(run["flywheel.angular_velocity"].values, [12.0, 0, 0]) < 1e-6
    assert largest(run["coupling.rotation"].values, 0.0) < 1e-8
