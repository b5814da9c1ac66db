"""Planets on a carrier for a thousand turns: reactions stay bounded and right.

With speed w, radius r and mass m the pin of a planet carries m w^2 r. At h w = 0.1 generalized-alpha errs by (h
w)^2/5 = 0.2 % in index 3 and half of that stabilised, for ever, with rho = 0.7.
"""

import numpy as np
import pytest

import pitchline as pl

SPEED, RADIUS, MASS, SPIN = 10.0, 0.2, 1.5, -25.0
TURNS = 1000
DURATION = TURNS * 2 * np.pi / SPEED
FORCE = MASS * SPEED**2 * RADIUS


def planets(*, driven: bool, count: int = 3) -> pl.Model:
    m = pl.Model("planets")
    m.body("carrier", mass=2.0, inertia=(0.05, 0.05, 0.1), angular_velocity=(0, 0, SPEED))
    m.revolute("main", m.ground, "carrier", axis="z")
    for i in range(count):
        angle = 2 * np.pi * i / count
        at = RADIUS * np.array([np.cos(angle), np.sin(angle), 0])
        m.body(
            f"planet{i}",
            mass=MASS,
            inertia=(0.001, 0.001, 0.002),
            position=at,
            velocity=np.cross((0, 0, SPEED), at),
            angular_velocity=(0, 0, SPIN),
        )
        m.revolute(f"pin{i}", "carrier", f"planet{i}", at=at, axis="z")
    if driven:
        m.drive("motor", "main", speed=SPEED)
    return m


def pin_forces(result: pl.Result) -> np.ndarray:
    """(3, n) size of the forces on the pins."""
    return np.array([np.linalg.norm(result[f"pin{i}.force"].values, axis=1) for i in range(3)])


@pytest.mark.parametrize(
    ("turn", "stabilised", "reduce"),
    [
        (0.05, False, True),
        (0.1, False, True),
        (0.1, False, False),
        (0.1, True, True),
        (0.2, False, False),
        (0.2, True, False),
    ],
)
def test_driven_carrier(turn, stabilised, reduce) -> None:
    result = pl.dynamics(
        planets(driven=True), duration=DURATION, step=turn / SPEED, stabilised=stabilised, reduce=reduce
    )
    error = pin_forces(result) / FORCE - 1
    assert np.max(np.abs(error)) < 0.25 * turn**2
    # bounded: the last turns are no worse than the first
    assert np.max(np.abs(error[:, -100:])) < 1.01 * np.max(np.abs(error[:, :100])) + 1e-6
    for i in range(3):
        assert np.max(np.abs(result[f"pin{i}.moment"].values)) < 1e-9 * FORCE
        assert np.max(np.abs(result[f"pin{i}.force"].values[:, 2])) < 1e-9 * FORCE
        spin = result[f"planet{i}.angular_velocity"].values
        assert np.max(np.abs(spin - [0, 0, SPIN])) < 1e-8
    # opposite pulls: the bearing of the carrier is free of load
    assert np.max(np.abs(result["main.force"].values)) < 1e-6 * FORCE
    assert np.max(np.abs(result["motor.torque"].values)) < 0.1 * turn**2 * FORCE * RADIUS


@pytest.mark.parametrize("stabilised", [False, True])
def test_free_carrier(stabilised) -> None:
    """Left to itself the carrier loses speed by the damping of the method, (h w)^3 a radian; the pins carry what its
    present speed asks for."""
    for turn in (0.05, 0.1):
        result = pl.dynamics(planets(driven=False), duration=DURATION, step=turn / SPEED, stabilised=stabilised)
        speed = result["main.angular_speed"].values
        assert np.max(np.abs(speed / SPEED - 1)) < 0.005 * turn**3 * SPEED * DURATION
        error = pin_forces(result) / (MASS * speed**2 * RADIUS) - 1
        assert np.max(np.abs(error)) < 0.25 * turn**2
        assert np.max(np.abs(result["main.force"].values)) < 1e-6 * FORCE


@pytest.mark.parametrize("driven", [True, False])
def test_error_control(driven) -> None:
    """Error control keeps h w below 0.1 by itself."""
    result = pl.dynamics(planets(driven=driven), duration=100 * 2 * np.pi / SPEED, tolerance=1e-6, output_step=0.05)
    assert np.max(np.abs(pin_forces(result) / FORCE - 1)) < 1e-3


def test_single_planet_shakes_the_bearing() -> None:
    """One planet alone: the bearing of the carrier carries m w^2 r, turning with the planet."""
    result = pl.dynamics(planets(driven=True, count=1), duration=DURATION, step=0.005)
    t = result.time
    inward = -FORCE * np.stack([np.cos(SPEED * t), np.sin(SPEED * t), 0 * t], axis=1)
    assert np.max(np.abs(result["pin0.force"].values - inward)) < 0.25 * 0.05**2 * FORCE
    assert np.max(np.abs(result["main.force"].values - inward)) < 0.25 * 0.05**2 * FORCE
