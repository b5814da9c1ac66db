"""Rotors that only spin, on bodies that move."""

import math
from typing import Any

import numpy as np
import pytest
from references.angular_momentum import total_angular_momentum
from references.observed_order import largest, richardson

import pitchline as pl

J, SPIN = 0.05, 200.0


def test_reaction_wheels_turn_a_satellite() -> None:
    """Two wheels about one principal axis: the body gets -J (w_1 + w_2) / (I + 2 J), whatever the torques were."""
    m = pl.Model("satellite")
    body = m.body("body", mass=10.0, inertia=(2.0, 3.0, 4.0))
    wheels = [
        m.rotor(name, body, inertia=J, axis="y", at=at) for name, at in (("one", (0.3, 0, 0)), ("two", (0, 0, 1)))
    ]
    m.torque("motor one", wheels[0], 0.4)
    m.torque("motor two", wheels[1], pl.Harmonic(amplitude=0.2, frequency=3.0))
    run = pl.dynamics(m, duration=1.0, step=1e-3)
    spins = run["one.angular_speed"].values + run["two.angular_speed"].values
    assert spins[-1] > 5.0
    assert run["body.angular_velocity"].values[:, 1] == pytest.approx(-J * spins / (3.0 + 2 * J), abs=1e-9)
    # torque on the wheel: J times its angular acceleration in space
    total = run["body.angular_acceleration"].values[-1, 1]
    assert run["one rotor.angular_acceleration"].values[-1, 1] == pytest.approx(0.4 / J, rel=1e-6)
    assert total == pytest.approx(-(0.4 + run["motor two.torque"].values[-1]) / 3.0, rel=1e-6)


def test_momentum_in_space() -> None:
    m = pl.Model("satellite")
    body = m.body("body", mass=10.0, inertia=(2.0, 3.0, 4.0), angular_velocity=(0.1, 0.2, -0.3), velocity=(1, 0, 0))
    wheel = m.rotor("one", body, inertia=J, axis="x", at=(0.1, 0, 0), speed=SPIN)
    m.rotor("two", body, inertia=J, axis=(0, 1, 1), speed=-50)
    m.torque("motor", wheel, pl.Harmonic(amplitude=0.3, frequency=0.5))
    assert m.bodies["one rotor"].velocity == pytest.approx([1.0, -0.03, -0.02])
    run = pl.dynamics(m, duration=1.0, step=5e-4)
    momentum = total_angular_momentum(run, m)
    assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-5)
    assert abs(run["energy.balance_error"].values[-1]) < 1e-5


@pytest.mark.parametrize("options", [{}, {"reduce": False}])
def test_the_same_as_a_full_body(options: dict[str, Any]) -> None:
    """Mass and transverse inertia of the wheel on the carrier, or on the wheel: the same motion, at step zero."""

    def gimbal(full: bool) -> pl.Model:
        m = pl.Model("gimbal", gravity=(0, 0, -9.81))
        mass, across, arm = 2.0, 0.03, 0.4
        on_arm = np.diag([0.5, 0.5, 0.2])
        if not full:
            on_arm = on_arm + np.diag([across + mass * arm**2, 0.0, mass * arm**2]) + np.diag([0.0, 0.0, across])
        m.body("arm", mass=1.0, inertia=on_arm)
        m.spherical("ball", m.ground, "arm", at=(0, 0, 0))
        if full:
            m.body("disc", mass=mass, inertia=(across, J, across), position=(0, arm, 0), angular_velocity=(0, 50, 0))
            m.revolute("wheel", "arm", "disc", axis="y")
        else:
            # mass of the disc as a point on the arm
            m.rotor("wheel", "arm", inertia=J, axis="y", at=(0, arm, 0), speed=50)
            m.force("weight", "arm", (0, 0, -mass * 9.81), at=(0, arm, 0))
        m.torque("brake", "wheel", -1.0)
        return m

    def motion(full: bool, step: float) -> np.ndarray:
        run = pl.dynamics(gimbal(full), duration=0.2, step=step, output_step=0.02, newton_tolerance=1e-10, **options)
        return np.hstack([run[f"arm.{name}"].values for name in ("angular_velocity", "orientation")])

    full, spin = (richardson(lambda step, full=full: motion(full, step), 5e-4) for full in (True, False))
    assert spin == pytest.approx(full, abs=1e-6 * np.abs(full).max())
    # the error of the rotor does not depend on its speed
    assert largest(motion(False, 5e-4), full) < 0.02 * largest(motion(True, 5e-4), full)


def test_steady_precession() -> None:
    """Top with a horizontal axis at the height of its support: the weight m g l turns it at m g l / (J spin), exactly."""
    mass, arm = 1.0, 0.2
    rate = mass * 9.81 * arm / (J * SPIN)
    m = pl.Model("top", gravity=(0, 0, -9.81))
    m.body(
        "arm", mass=mass, inertia=(0.01, 0.01, 0.01), position=(arm, 0, 0), angular_velocity=(0, 0, rate),
        velocity=(0, rate * arm, 0),
    )  # fmt: skip
    m.spherical("ball", m.ground, "arm", at=(0, 0, 0))
    m.rotor("wheel", "arm", inertia=J, axis="x", speed=SPIN)
    run = pl.dynamics(m, duration=2 * math.pi / rate / 4, step=1e-3)
    assert run["arm.position"].values[-1] == pytest.approx([0.0, arm, 0.0], abs=2e-6)
    assert np.abs(run["arm.position"].values[:, 2]).max() < 1e-6


def test_nutation_is_a_mode() -> None:
    """A body at rest with a spinning rotor: frequency J spin / I; the other modes are rigid rotations."""
    m = pl.Model("body")
    body = m.body("body", mass=1.0, inertia=(1.0, 1.0, 2.0))
    m.spherical("ball", m.ground, body)
    m.rotor("wheel", body, inertia=J, speed=SPIN)
    assert pl.modes(m).frequencies[-1] == pytest.approx(J * SPIN / (2 * math.pi), rel=1e-8)


def test_mass_of_a_rotor() -> None:
    """A mass is a point on the axis: pendulum with (m_1 l_1 + m_2 l_2) g / I."""
    m = pl.Model("pendulum", gravity=(0, 0, -9.81))
    m.body("rod", mass=1.0, inertia=(1 / 12, 1 / 12, 0.001), position=(0, 0, -0.5))
    m.revolute("hinge", m.ground, "rod", at=(0, 0, 0), axis="y")
    m.rotor("wheel", "rod", inertia=J, axis="x", at=(0, 0, -1), mass=2.0)
    expected = math.sqrt(9.81 * (0.5 + 2.0) / (1 / 3 + 2.0)) / (2 * math.pi)
    assert pl.modes(m).frequencies[-1] == pytest.approx(expected, rel=1e-8)
    assert m.mass == 3.0


def test_robot_joint_in_a_plane() -> None:
    """Motor on the upper arm drives the elbow through a ratio: the rotor adds i^2 J to the elbow, and i J to the shoulder."""
    i = 100.0
    m = pl.Model("arm", plane="xy")
    m.body("upper", mass=2.0, inertia=0.4)
    m.body("fore", mass=1.0, inertia=0.1)
    m.revolute("shoulder", m.ground, "upper")
    m.revolute("elbow", "upper", "fore")
    m.rotor("motor", "upper", inertia=2e-5)
    m.ratio("gearbox", "motor", "elbow", ratio=i)
    m.torque("current", "motor", 0.05)
    run = pl.dynamics(m, duration=0.1, step=1e-3)
    M = np.array([[0.4 + 0.1 + 2e-5, 0.1 + i * 2e-5], [0.1 + i * 2e-5, 0.1 + i**2 * 2e-5]])
    a = np.linalg.solve(M, [0.0, i * 0.05])
    assert run["shoulder.angular_speed"].values[-1] == pytest.approx(0.1 * a[0], rel=1e-8)
    assert run["elbow.angular_speed"].values[-1] == pytest.approx(0.1 * a[1], rel=1e-8)
