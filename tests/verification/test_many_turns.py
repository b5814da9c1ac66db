"""A million turns of a wheel, two fifths of a turn a step.

Time and angle are 64-bit numbers: after n turns the angle 2 pi n is known to half a unit in its last place, 4.7e-10
rad at n = 1e6, and so is the time t that it is computed from, times the speed. More must not be lost: not in the
count of turns, not in the attitude of the wheel, which is kept within one turn.
"""

import numpy as np
import pytest
from references.newton_euler import rotation

import pitchline as pl

TURN = 2 * np.pi


def wheel(start: float, /, **drive: object) -> pl.Model:
    m = pl.Model("wheel")
    m.body("wheel", solid=pl.cylinder(0.1, 0.02, mass=1.0), angular_velocity=(0, 0, start))
    m.revolute("axle", m.ground, "wheel", axis="z")
    if drive:
        m.drive("motor", "axle", **drive)
    return m


def attitude(result: pl.Result) -> np.ndarray:
    """Angle of the wheel within one turn, from its orientation."""
    R = np.array([rotation(q) for q in result["wheel.orientation"].values])
    return np.arctan2(R[:, 1, 0], R[:, 0, 0])


def off(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """|a - b| apart from whole turns."""
    d = a - b
    return np.abs(d - TURN * np.round(d / TURN))


def check(result: pl.Result, exact: np.ndarray) -> None:
    ulp = np.spacing(np.maximum(np.abs(exact), 1.0))
    assert np.all(np.abs(result["axle.angle"].values - exact) <= 2 * ulp)
    assert np.all(off(attitude(result), exact) <= 2 * ulp)


@pytest.mark.parametrize("reduce", [True, False])
@pytest.mark.parametrize("given", ["speed", "angle"])
def test_driven_wheel(given, reduce) -> None:
    """One turn a second; a million turns once, a hundred thousand in the other combinations."""
    turns = 1e6 if given == "speed" and reduce else 1e5
    drive = {"speed": TURN} if given == "speed" else {"angle": pl.Polynomial((0.3, TURN))}
    start = 0.0 if given == "speed" else 0.3
    result = pl.dynamics(wheel(TURN, **drive), duration=turns, step=0.4, reduce=reduce)
    check(result, start + TURN * result.time)
    # the speed is the difference of two angles over the step, each known to its last place
    ulp = np.spacing(TURN * turns)
    assert np.max(np.abs(result["axle.angular_speed"].values - TURN)) < 20 * ulp / 0.4
    assert np.max(np.abs(result["motor.torque"].values)) < 0.005 * 100 * ulp / 0.4**2
    assert result.statistics["newton_failures"] == 0


def test_driven_wheel_with_a_wavy_speed() -> None:
    """angle = w t + 0.5 sin(w t/50) over a hundred thousand turns."""
    drive = pl.Sum((pl.Polynomial((0, TURN)), pl.Harmonic(0.5, 0.02)))
    result = pl.dynamics(wheel(TURN, angle=drive), duration=1e5, step=0.4)
    exact = TURN * result.time + 0.5 * np.sin(TURN * 0.02 * result.time)
    ulp = np.spacing(TURN * 1e5)
    assert np.max(np.abs(result["axle.angle"].values - exact)) <= 4 * ulp
    assert np.max(off(attitude(result), exact)) <= 4 * ulp


@pytest.mark.parametrize("reduce", [True, False])
def test_free_wheel(reduce) -> None:
    """No torque: 0.4 turns are added 2.5 million times. Each sum of angles is rounded to 1e-16 rad within a turn;
    were the errors all of one sign, 2.5e6 x 4e-16 rad. The speed is the projection of the given one onto the axis, which may round
    its last digit once, at the start; after that no bit of it changes."""
    turns = 1e6 if reduce else 1e5
    result = pl.dynamics(wheel(TURN), duration=turns, step=0.4, reduce=reduce)
    exact = TURN * result.time
    assert np.max(np.abs(result["axle.angle"].values - exact)) < 2 * np.spacing(TURN * turns) + turns * 1e-15
    assert np.max(off(attitude(result), exact)) < 2 * np.spacing(TURN * turns) + turns * 1e-15
    speed = result["axle.angular_speed"].values
    assert abs(speed[0] - TURN) <= np.spacing(TURN)
    assert np.ptp(speed) == 0.0


def test_angles_in_functions() -> None:
    """A drive whose angle starts at ten million turns moves as one that starts at zero."""
    start = TURN * 1e7
    near = pl.dynamics(wheel(TURN, angle=pl.Polynomial((0.0, TURN, 0.5))), duration=10.0, step=0.01)
    far = pl.dynamics(wheel(TURN, angle=pl.Polynomial((start, TURN, 0.5))), duration=10.0, step=0.01)
    ulp = np.spacing(start)
    assert np.max(off(attitude(far), attitude(near) + start)) <= 2 * ulp
    # the torque is an angle's second difference: its rounding over h^2
    assert np.max(np.abs(far["motor.torque"].values - near["motor.torque"].values)) < 0.005 * 100 * ulp / 0.01**2
    assert near["motor.torque"].values[-1] == pytest.approx(0.005, rel=1e-6)


def test_kinematics_counts_turns() -> None:
    """Positions a third of a turn apart: the count of turns goes on."""
    result = pl.kinematics(wheel(0.0, angle=pl.Polynomial((0.0, TURN))), duration=200.0, step=1 / 3)
    check(result, TURN * result.time)


def test_steps_of_more_than_half_a_turn() -> None:
    """5 rad a step: such steps are taken in pieces, for turns could not be counted otherwise."""
    result = pl.dynamics(wheel(50.0), duration=10.0, step=0.1)
    assert np.max(np.abs(result["axle.angle"].values - 50.0 * result.time)) < 1e-10
    assert result.statistics["steps"] > 100


@pytest.mark.parametrize("W", [10.0, 100.0, 1000.0])
def test_stiff_torsion_spring(W) -> None:
    """h w = W: the first guess of a step is turns away, but the wheel is not taken there. It comes to rest, as rho =
    0.7 has it."""
    m = wheel(0.0)
    inertia, step = 0.5 * 0.1**2, 1e-3
    m.torsion_spring("spring", "axle", stiffness=inertia * (W / step) ** 2, free_angle=0.1)
    result = pl.dynamics(m, duration=100 * step, step=step)
    assert np.max(np.abs(result["axle.angle"].values)) < 0.3
    assert result["axle.angle"].final == pytest.approx(0.1, abs=1e-5)


def test_torsion_spring_over_many_turns() -> None:
    """A torsion spring winds up without forgetting turns: torque = k angle, energy k angle^2/2, over 1000 turns."""
    m = wheel(TURN, speed=TURN)
    m.torsion_spring("spring", "axle", stiffness=0.01)
    result = pl.dynamics(m, duration=1000.0, step=0.1)
    angle = TURN * result.time
    assert np.max(np.abs(result["spring.torque"].values + 0.01 * angle)) < 1e-9
    assert np.max(np.abs(result["motor.torque"].values - 0.01 * angle)) < 1e-6
    assert result["energy.potential"].values == pytest.approx(0.005 * angle**2, abs=1e-6)
    assert np.max(np.abs(result["energy.balance_error"].values)) < 1e-6 * result["energy.work"].values[-1]
