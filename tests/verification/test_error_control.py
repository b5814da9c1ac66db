"""Error control: the error follows the tolerance, output times are hit to the last bit, stiff and fast events are
found.

Steps are such that the local error stays at the tolerance: h ~ tol^(1/3). The method has order 2, so that the global
error goes as h^2 ~ tol^(2/3): by 4.6 a decade.
"""

import functools

import numpy as np
import pytest
from references import mechanisms, pendulum
from references.newton_euler import Mechanism, Motion
from references.observed_order import largest

import pitchline as pl

MODELS = {
    "double pendulum": mechanisms.double_pendulum,
    "slider-crank": functools.partial(mechanisms.slider_crank, driven=False),
    "four-bar in space": mechanisms.four_bar_in_space,
}
SAMPLES = np.linspace(0, 1, 11)
TOLERANCES = (1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8)  # several a decade: a single error may be small by chance


@functools.cache
def reference(name: str) -> Motion:
    return Mechanism(MODELS[name]()).solve(SAMPLES)


@pytest.mark.parametrize("name", MODELS)
def test_error_follows_tolerance(name) -> None:
    exact = reference(name)
    errors = []
    for tolerance in TOLERANCES:
        result = pl.dynamics(MODELS[name](), duration=1.0, tolerance=tolerance, output_step=0.1)
        position = max(largest(result[f"{b}.position"].values, x) for b, x in exact.position.items())
        force = max(largest(result[f"{j}.force"].values, x) / max(1, np.max(np.abs(x))) for j, x in exact.force.items())
        errors.append([position, force])
    for column in np.array(errors).T:
        exponent = np.polyfit(np.log10(TOLERANCES), np.log10(column), 1)[0]
        assert exponent == pytest.approx(2 / 3, abs=0.1)
        # a tolerance of 1e-6 a step, a few hundred steps a second: of the order of 1e-4
        assert column[TOLERANCES.index(1e-6)] < 1e-3


def test_output_times_are_hit_exactly() -> None:
    """Multiples of the output step as floating-point numbers, and the end, whatever the steps in between."""
    m = mechanisms.double_pendulum()
    for output_step, end in ((0.1, 1.0), (0.3, 1.0), (1 / 7, 1.0), (0.013, 0.5)):
        result = pl.dynamics(m, duration=end, output_step=output_step)
        count = int(np.floor(end / output_step * (1 + 1e-9)))
        expected = np.arange(count + 1) * output_step
        if end - expected[-1] > 1e-9 * output_step:
            expected = np.append(expected, end)
        expected[-1] = min(expected[-1], end)
        assert largest(result.time, expected) <= np.spacing(end)


def test_output_does_not_change_the_answer() -> None:
    """Samples cut steps, by which the error changes, but not in order of magnitude."""
    m = mechanisms.double_pendulum()
    sparse = pl.dynamics(m, duration=1.0, tolerance=1e-8, output_step=1.0)
    dense = pl.dynamics(m, duration=1.0, tolerance=1e-8, output_step=0.01)
    every = pl.dynamics(m, duration=1.0, tolerance=1e-8)
    for other in (dense, every):
        assert largest(sparse["lower.position"].final, other["lower.position"].final) < 1e-5


def test_between_samples() -> None:
    """Signals between samples follow a cubic in position and velocity: error O(H^4) of the distance H of samples."""
    m = pl.Model("pendulum", gravity=(0, -pendulum.GRAVITY, 0))
    m.body("bob", mass=1.0, inertia=(0, 0, 0), position=(-1, 0, 0))
    m.revolute("joint", m.ground, "bob", at=(0, 0, 0), axis="z")
    result = pl.dynamics(m, duration=1.0, tolerance=1e-9, output_step=0.02)
    t = np.linspace(0.005, 0.995, 100)
    at = np.array([result["bob.position"].at(x)[:2] for x in t])
    # H^4/384 max|x''''|, x'''' ~ (3 g/L)^2
    assert largest(at, pendulum.position(t)) < 0.02**4 / 384 * (3 * 9.81) ** 2 * 4 + 2e-6


def test_steps_follow_the_motion() -> None:
    """A slider that meets a hard stop: short steps in contact, long ones in flight, and the rebound of a spring.

    With speed v, mass m and stiffness k contact lasts pi sqrt(m/k) and goes v sqrt(m/k) deep; speed is reversed.
    """
    m = pl.Model("stop")
    mass, stiffness, speed = 1.0, 1e6, 2.0
    m.body("slider", mass=mass, inertia=(1, 1, 1), velocity=(speed, 0, 0))
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.stop("wall", "guide", upper=0.5, stiffness=stiffness)
    result = pl.dynamics(m, duration=0.5, tolerance=1e-8, max_step=0.01)
    depth = speed * np.sqrt(mass / stiffness)
    assert result["guide.displacement"].values.max() - 0.5 == pytest.approx(depth, rel=1e-2)
    assert result["guide.speed"].final == pytest.approx(-speed, rel=1e-2)
    steps = np.diff(result.time)
    assert steps.max() == pytest.approx(0.01, rel=0.3)
    assert steps.min() < 0.1 * np.pi * np.sqrt(mass / stiffness)


def test_tolerance_with_a_turn_limit() -> None:
    """Loose tolerances do not let a body turn by more than 0.1 rad a step, where reactions would suffer."""
    m = pl.Model("rotor")
    m.body("rotor", mass=1.0, inertia=(1, 1, 1), centre_of_mass=(0.1, 0, 0), angular_velocity=(0, 0, 10))
    m.revolute("axle", m.ground, "rotor", at=(0, 0, 0), axis="z")
    result = pl.dynamics(m, duration=1.0, tolerance=1e-2)
    assert np.max(np.diff(result["axle.angle"].values)) <= 0.1 * (1 + 1e-6)


@pytest.mark.parametrize("pulse", ["table", "ramps", "periodic"])
def test_pulses_shorter_than_steps(pulse: str) -> None:
    """A torque that acts within 4 ms of a run that would take steps of 30 ms: its impulse is the angular momentum."""
    m = pl.Model("pulse")
    m.body("rotor", mass=1, inertia=(1, 1, 0.02))
    m.revolute("axis", m.ground, "rotor", axis="z")
    periods = 1
    if pulse == "table":
        m.torque("kick", "axis", pl.Table([0, 0.1, 0.102, 0.104, 0.106, 1000], [0, 0, 0.1, 0.1, 0, 0]))
    elif pulse == "ramps":
        m.torque("up", "axis", pl.Ramp(0, 0.1, t0=0.1, t1=0.102))
        m.torque("down", "axis", pl.Ramp(0, -0.1, t0=0.104, t1=0.106))
    else:
        periods = 3
        m.torque("kick", "axis", pl.Table([0, 0.1, 0.102, 0.104, 0.106, 1], [0, 0, 0.1, 0.1, 0, 0], periodic=True))
    for tolerance, off in ((1e-6, 0.01), (1e-9, 5e-4)):
        run = pl.dynamics(m, duration=3.0, tolerance=tolerance)
        assert run["axis.angular_speed"].final == pytest.approx(periods * 0.1 * 0.004 / 0.02, rel=off)
        assert run.statistics["steps"] < 3000
