"""Quasi-static motion of teeth within their backlash: no stiffness, and loads that start at zero or change their sign."""

import numpy as np
import pytest

import pitchline as pl

R = 0.05 * np.cos(np.radians(20.0))
"""Base radius [m]."""
STIFFNESS = 2e8


def pair(load) -> pl.Model:
    """Wheel a turns at 1 rad/s; the load acts on wheel b. A disk on a torsion spring has a load of its own."""
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="15 mm")
    m = pl.Model("pair in its backlash")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    first, second = m.revolute("first", m.ground, a), m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(stiffness=STIFFNESS, backlash="50 um"))
    m.drive("motor", first, speed=1.0)
    m.torque("load", second, load)
    m.body("disk", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(0, 1, 0))
    on_spring = m.revolute("bearing", m.ground, "disk", at=(0, 1, 0), axis="z")
    m.torsion_spring("spring", on_spring, stiffness=500.0)
    m.torque("twist", on_spring, pl.Ramp(start=0, end=100, smooth=False))
    return m


@pytest.mark.parametrize(
    ("load", "torque"),
    [
        (pl.Ramp(start=0, end=100, smooth=False), lambda t: 100 * t),
        (pl.Ramp(start=100, end=-100, smooth=False), lambda t: 100 - 200 * t),
        (pl.Harmonic(amplitude=-100, frequency=1), lambda t: -100 * np.sin(2 * np.pi * t)),
    ],
    ids=["from zero", "reversing", "harmonic"],
)
def test_teeth_cross_their_backlash(load, torque) -> None:
    """Force T/r and approach j/2 + F/k on the flank that the torque presses, in at most five iterations for each position."""
    t = 0.02 * np.arange(48) + 0.01  # without the instants at which the torque is zero
    result = pl.kinematics(pair(load), times=t)
    force = torque(t) / R
    assert np.allclose(result["mesh.normal_force"].values, np.abs(force), rtol=1e-9, atol=1e-6)
    turned = np.array([2 * np.arctan2(q[3], q[0]) for q in result["b.orientation"].values])
    twist = (turned - turned[0]) + (t - t[0])  # of b against the position without load and backlash
    gap = np.sign(force) * 25e-6 + force / STIFFNESS
    assert np.allclose(R * twist, gap - gap[0], atol=1e-12)
    assert result.statistics["iterations"] < 5 * len(t)
    # the spring has its speed while the teeth have none of their own
    assert np.allclose(result["disk.angular_velocity"].values[:, 2], 0.2, rtol=1e-6)


def test_a_wheel_without_load_stays_within_its_backlash() -> None:
    result = pl.kinematics(pair(0.0), duration="4 ms", step="0.1 ms")
    turned = np.array([2 * np.arctan2(q[3], q[0]) for q in result["b.orientation"].values])
    assert np.all(np.abs(turned - turned[0] + result.time) * R < 50.001e-6)
    assert np.all(result["mesh.normal_force"].values < 1e-6)


def test_a_load_that_varies_does_not_move_a_wheel_in_its_backlash() -> None:
    """The torque is zero at the position, and its rate is not: there is no speed of the wheel that balances it."""
    m = pair(pl.Harmonic(amplitude=100, frequency=1))
    result = pl.kinematics(m, times=[0.0, 0.5])
    assert np.all(np.abs(result["b.angular_velocity"].values) < 1.01)
    assert np.allclose(result["disk.angular_velocity"].values[:, 2], [0.1, 0.2], rtol=1e-6)  # the ramp begins at t = 0


def test_too_many_positions_in_between_are_named() -> None:
    """A motion of 2e5 rad between two positions is not followed in pieces of 1 rad."""
    m = pair(10.0)
    with pytest.raises(pl.SolveError, match=r"position 2 of 2.*the motion from the position before is 1e\+06 rad"):
        pl.kinematics(m, times=[0.0, 1e6])
