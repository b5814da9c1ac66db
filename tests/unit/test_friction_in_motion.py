"""Friction and rigid stops in equations of joint coordinates: friction acts against the motion, stops have no effect."""

import math

import numpy as np
import pytest

import pitchline as pl


def pendulum() -> pl.Model:
    m = pl.Model("pendulum", gravity=(0, 0, -9.81))
    m.body("rod", mass=2, inertia=(0.5, 0.5, 0.5), position=(1, 0, 0))
    m.revolute("hinge", m.ground, "rod", at=(0, 0, 0), axis="y")
    return m


def torque(m: pl.Model, speed: float) -> float:
    return float(pl.inverse_dynamics(m, [[0.3]], [[speed]], [[0.7]], coordinates=["hinge"]).values[0, 0])


@pytest.mark.parametrize("speed", [-0.8, 0.0, 0.4])
def test_friction_acts_against_the_motion_and_is_zero_at_rest(speed: float) -> None:
    plain, m = torque(pendulum(), speed), pendulum()
    m.friction("pad", "hinge", coulomb=1.5, static=2.4, stribeck_speed=0.5, viscous=0.2)
    law = math.copysign(1.5 + 0.9 * math.exp(-((speed / 0.5) ** 2)), speed) + 0.2 * speed if speed else 0.0
    assert torque(m, speed) - plain == pytest.approx(law, rel=1e-12)
    assert pl.mass_matrix(m).values[0, 0] == pytest.approx(2.5, rel=1e-12)
    assert pl.joint_dynamics(m, speeds={"hinge": speed}).applied[0] == pytest.approx(-law, rel=1e-12)


def test_a_rigid_stop_and_a_slide_with_friction() -> None:
    m = pendulum()
    m.stop("limit", "hinge", lower="-1 rad", upper="1 rad")
    m.body("slider", mass=3, inertia=(1, 1, 1))
    m.prismatic("slide", m.ground, "slider", axis="x")
    m.friction("rail", "slide", coulomb=4)
    np.testing.assert_allclose(pl.mass_matrix(m).values, np.diag([2.5, 3.0]), atol=1e-12)
    forces = pl.inverse_dynamics(m, [[0.0, 0.0]], [[0.0, -2.0]], [[0.0, 1.0]], coordinates=["hinge", "slide"])
    assert forces.values[0, 1] == pytest.approx(3.0 - 4.0) and forces.method == "tree"


def test_friction_that_changes_is_left_out_with_a_warning() -> None:
    m = pendulum()
    m.brake("brake", "hinge", pl.Table([0, 1], [0, 2]))
    space = pl.JointSpace(m)
    assert any('"brake": joint coordinates do not include this friction' in text for text in space.warnings)
