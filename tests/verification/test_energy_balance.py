"""The energy balance closes: kinetic + potential - start = work put in - dissipated, to O(h^2), element by element.

The balance is an error of the integration alone: trajectories of order 2, work by the trapezium rule, also of order 2.
"""

from collections.abc import Callable

import numpy as np
import pytest
from references.observed_order import observed_order

import pitchline as pl

G = 9.81


def pendulum(name: str) -> pl.Model:
    m = pl.Model(name, gravity=(0, -G, 0))
    m.body("rod", solid=pl.bar(1.0, 0.05, 0.05, mass=2.0), position=(0.5, 0, 0))
    m.revolute("hinge", m.ground, "rod", at=(0, 0, 0), axis="z")
    return m


def with_drive() -> pl.Model:
    m = pendulum("drive")
    m.drive("motor", "hinge", angle=pl.Harmonic(0.8, 1.3))
    return m


def with_speed_drive_on_an_arm() -> pl.Model:
    """A driven arm that drags a free one behind it."""
    m = pendulum("arm")
    m.body("tail", solid=pl.bar(0.6, 0.05, 0.05, mass=1.0), position=(1.3, 0, 0))
    m.revolute("elbow", "rod", "tail", at=(1, 0, 0), axis="z")
    m.drive("motor", "hinge", speed=pl.Harmonic(3.0, 0.5))
    return m


def with_springs() -> pl.Model:
    m = pendulum("springs")
    m.spring("spring", m.ground, "rod", at_a=(0.5, 1, 0), at_b=(1, 0, 0), stiffness=60.0, free_length=0.8, damping=2.0)
    m.torsion_spring("coil", "hinge", stiffness=5.0, damping=0.3)
    return m


def with_table_spring() -> pl.Model:
    m = pendulum("table")
    x = np.linspace(-1.5, 1.5, 301)
    m.spring(
        "spring", m.ground, "rod", at_a=(0.5, 1, 0), at_b=(1, 0, 0), table=(x, 40 * x + 30 * x**3), free_length=0.8
    )
    return m


def with_string() -> pl.Model:
    """A bob that flies until its string is taut, again and again."""
    m = pl.Model("string", gravity=(0, -G, 0))
    m.body("bob", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0.4, 0, 0))
    m.string("string", m.ground, "bob", at_a=(0, 0, 0), stiffness=300.0, damping=1.0, free_length=0.7)
    return m


def with_bushing() -> pl.Model:
    m = pl.Model("bushing", gravity=(0, -G, 1.0))
    m.body("block", mass=3.0, inertia=(0.1, 0.2, 0.3), centre_of_mass=(0.1, 0, 0), angular_velocity=(0.5, 1, -0.7))
    m.body("rider", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0.5, 0))
    m.bushing("mount", m.ground, "block", stiffness=(900, 700, 800, 20, 30, 40), damping=(3, 2, 4, 0.2, 0.1, 0.3))
    m.bushing(
        "seat",
        "block",
        "rider",
        at=(0, 0.3, 0),
        axis=(1, 1, 0),
        stiffness=(500,) * 3 + (15,) * 3,
        damping=(2,) * 3 + (0.1,) * 3,
    )
    return m


def with_loads() -> pl.Model:
    m = pendulum("loads")
    m.body("free", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(3, 0, 0))
    m.force("push", "rod", (pl.Harmonic(8.0, 0.9), 3.0, 0), at=(1, 0, 0))
    m.force("thrust", "free", (2.0, 0, 0.5), at=(3, 0.2, 0), axes="body")
    m.torque("twist", "free", (0, pl.Harmonic(0.4, 2.0), 0.1), axes="body")
    m.torque("motor", "hinge", pl.Harmonic(4.0, 0.6))
    return m


def with_a_closed_loop() -> pl.Model:
    m = pl.Model("slider-crank", gravity=(0, -G, 0))
    m.body(
        "crank",
        mass=1.0,
        inertia=(0.01, 0.01, 0.01),
        position=(0.1, 0, 0),
        angular_velocity=(0, 0, 3),
        velocity=(0, 0.3, 0),
    )
    m.body("slider", mass=2.0, inertia=(0.01, 0.01, 0.01), position=(0.7, 0, 0))
    m.revolute("main", m.ground, "crank", at=(0, 0, 0), axis="z")
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.distance("rod", "crank", "slider", at_a=(0.2, 0, 0), at_b=(0.7, 0, 0))
    m.spring("return", m.ground, "slider", at_a=(2, 0, 0), stiffness=50.0, free_length=1.0, damping=1.0)
    return m


CASES: list[Callable[[], pl.Model]] = [
    with_drive, with_speed_drive_on_an_arm, with_springs, with_bushing, with_loads, with_a_closed_loop,
]  # fmt: skip


def largest_error(model: pl.Model, **options: object) -> tuple[float, float]:
    """(largest error of the balance, energy turned over)."""
    result = pl.dynamics(model, duration=2.0, newton_tolerance=1e-9, **options)
    parts = [np.ptp(result[f"energy.{n}"].values) for n in ("kinetic", "potential", "work", "dissipated")]
    return float(np.max(np.abs(result["energy.balance_error"].values))), float(max(parts))


@pytest.mark.parametrize("options", [{}, {"stabilised": True}, {"reduce": False}], ids=str)
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.__name__)
def test_balance_closes(case, options) -> None:
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        error, turnover = largest_error(case(), step=step, **options)
        errors.append(error)
    # frequencies up to 20 rad/s: (h w)^2 = 4e-4 at h = 1 ms
    assert errors[-1] < 4e-4 * turnover
    assert observed_order(errors) > 1.8


@pytest.mark.parametrize("case", [*CASES, with_string, with_table_spring], ids=lambda c: c.__name__)
def test_balance_follows_the_tolerance(case) -> None:
    for tolerance in (1e-6, 1e-8):
        error, turnover = largest_error(case(), tolerance=tolerance)
        assert error < 100 * tolerance ** (2 / 3) * turnover


@pytest.mark.parametrize("case", [with_string, with_table_spring], ids=lambda c: c.__name__)
def test_kinks(case) -> None:
    """A string that goes taut, a table of straight lines: the error is no smooth function of the step, but O(h^2) all
    the same."""
    for step in (2e-3, 5e-4):
        error, turnover = largest_error(case(), step=step)
        assert error < 2e3 * step**2 * turnover


def test_stop() -> None:
    """A slider falls on a stop and comes to rest: what it had is dissipated but for what the stop stores.

    Energy lost in the end: m g (z0 - z_end) - k (m g/k)^2/2. The force of the damper jumps at contact, by which the
    balance is in error by O(h): the work of c v^2 over part of a step."""
    mass, k = 1.5, 2e4
    m = pl.Model("stop", gravity=(0, 0, -G))
    m.body("slider", mass=mass, inertia=(0.1, 0.1, 0.1), position=(0, 0, 0.3))
    m.prismatic("guide", m.ground, "slider", axis="z")
    m.stop("floor", "guide", lower=-0.3, stiffness=k, damping=150.0)
    for options in ({"step": 2e-4}, {"tolerance": 1e-8}):
        result = pl.dynamics(m, duration=3.0, **options)
        sink = mass * G / k
        assert result["guide.displacement"].final == pytest.approx(-0.3 - sink, abs=1e-6)
        lost = mass * G * (0.3 + sink) - 0.5 * k * sink**2
        assert result["energy.dissipated"].final == pytest.approx(lost, rel=2e-2)
        assert np.max(np.abs(result["energy.balance_error"].values)) < 2e-2 * lost


def test_work_of_a_drive() -> None:
    """Lifting a rod from level to upright: the drive puts in m g l/2; kinetic energy on the way is given back."""
    m = pendulum("lift")
    way = pl.Ramp(0.0, np.pi / 2, 0.0, 1.0)
    m.drive("motor", "hinge", angle=way)
    result = pl.dynamics(m, duration=1.0, step=1e-3)
    assert result["energy.work"].final == pytest.approx(2.0 * G * 0.5, rel=1e-6)
    assert result["energy.kinetic"].final == pytest.approx(0.0, abs=1e-9)
    power = result["motor.torque"].values * way.derivative()(result.time)
    assert np.max(np.abs(result["motor.power"].values - power)) < 1e-9


def test_damper_power() -> None:
    """A slider on a damper: v = v0 exp(-c t/m), dissipated = m v0^2 (1 - exp(-2 c t/m))/2."""
    m = pl.Model("damper")
    m.body("slider", mass=2.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0), velocity=(3.0, 0, 0))
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.spring("damper", m.ground, "slider", at_a=(0, 0, 0), damping=4.0)
    errors = []
    for step in (0.02, 0.01):
        result = pl.dynamics(m, duration=2.0, step=step)
        exact = 9.0 * (1 - np.exp(-2 * 2.0 * result.time))
        errors.append(np.max(np.abs(result["energy.dissipated"].values - exact)))
    assert errors[-1] < 9.0 * (0.01 * 2.0) ** 2
    assert observed_order(errors) > 1.8
