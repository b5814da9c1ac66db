"""Wheels that turn by half a turn and more in one step: the motion is that of the drive, however long the step.

20 teeth drive 33, at 3000 rpm in most tests: 3.77 rad in 12 ms, one whole turn in 20 ms, half a turn in 10 ms.
"""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

SPEED = 100.0 * math.pi
"""3000 rpm [rad/s]."""
END = 0.24
RATIO = -20.0 / 33.0
MESHES = {
    "rolling": pl.Rolling(),
    "rigid": pl.Rigid(),
    "elastic": pl.Elastic("4e8 N/m", damping_ratio=0.05, backlash=0),
}
FORMS: tuple[dict[str, Any], ...] = ({}, {"reduce": False}, {"stabilised": True})
"""As a train, with six coordinates a body, with constraints on velocities."""


def pair(mesh: str, *, start: float = 0.0, load: float = -10.0, **drive: Any) -> pl.Model:
    """Two wheels in bearings, turning along at the start; the first one driven."""
    m = pl.Model("pair")
    shared = {"normal_module": "2 mm", "face_width": "20 mm"}
    a = m.gear_body("a", pl.Gear(teeth=20, **shared), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, start))
    b = m.gear_body(
        "b", pl.Gear(teeth=33, **shared), mesh_with=a, towards=(1, 0, 0), angular_velocity=(0, 0, RATIO * start)
    )
    first, second = m.revolute("first", m.ground, a), m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=MESHES[mesh])
    if drive:
        m.drive("motor", first, **drive)
    if load:
        m.torque("load", second, load)
    return m


def check_angles(result: pl.Result, angle: Any, *, close: float = 1e-9, give: float = 0.0) -> None:
    """Both wheels where the drive says, at all samples; teeth give by an angle of the second wheel."""
    expected = np.asarray(angle(result.time))
    assert result["first.angle"].values == pytest.approx(expected, abs=close)
    assert result["second.angle"].values == pytest.approx(RATIO * expected, abs=close + give)


@pytest.mark.parametrize("form", FORMS, ids=["train", "six", "stabilised"])
@pytest.mark.parametrize("mesh", MESHES)
def test_constant_speed(mesh: str, form: dict[str, Any]) -> None:
    """12 ms turned the pair backwards, 20 ms held it still; and exactly half a turn, and backwards."""
    give = 1e-4 if mesh == "elastic" else 0.0
    for step, speed in ((0.012, SPEED), (0.02, SPEED), (0.01, -SPEED), (0.06, 1.03 * SPEED)):
        result = pl.dynamics(pair(mesh, start=speed, load=0.0, speed=speed), duration=END, step=step, **form)
        check_angles(result, lambda t, w=speed: w * t, give=give)
        assert result["first.angular_speed"].values == pytest.approx(speed, rel=1e-9)
        kinetic = result["energy.kinetic"].values[0]
        assert np.abs(result["energy.balance_error"].values).max() < (1e-10 if mesh != "elastic" else 1e-4) * kinetic


@pytest.mark.parametrize("form", FORMS, ids=["train", "six", "stabilised"])
@pytest.mark.parametrize("mesh", ["rolling", "elastic"])
def test_functions(mesh: str, form: dict[str, Any]) -> None:
    """Ramps, harmonics, tables and callables, of angle and of speed, that pass turns within a step."""
    give = 2e-3 if mesh == "elastic" else 0.0
    w = 10.0 * math.pi
    table = np.linspace(0.0, END, 25)

    def smooth(t: Any) -> Any:
        return 40.0 * np.sin(8.0 * np.asarray(t)) ** 2

    cases: list[tuple[dict[str, Any], Any]] = [
        ({"speed": pl.Ramp(0, SPEED, 0, 0.1)}, None),
        ({"speed": pl.Harmonic(SPEED, 5)}, lambda t: SPEED / w * (1.0 - np.cos(w * t))),
        ({"angle": pl.Table(table, smooth(table))}, None),
        ({"angle": smooth}, smooth),
    ]
    for drive, angle in cases:
        result = pl.dynamics(pair(mesh, load=0.0, **drive), duration=END, step=0.02, **form)
        if angle is None:
            fine = pl.dynamics(pair(mesh, load=0.0, **drive), duration=END, step=0.001, output_step=0.02)
            angle = fine["first.angle"].at
        check_angles(result, angle, close=1e-6, give=give)


@pytest.mark.parametrize(
    "form", [{"step": 0.01}, {"step": 0.01, "reduce": False}, {"step": 0.01, "stabilised": True}, {}]
)
def test_turns_between_two_samples_of_a_drive(form: dict[str, Any]) -> None:
    """20 rad within 0.1 ms, in the middle of a step: stabilised steps, which look at speeds, passed over it."""
    result = pl.dynamics(pair("rolling", load=0.0, angle=pl.Ramp(0, 20, 0.05, 0.0501)), duration=0.1, **form)
    assert result["first.angle"].final == pytest.approx(20.0, abs=1e-6)
    assert result["second.angle"].final == pytest.approx(20.0 * RATIO, abs=1e-6)


def test_angle_that_jumps_is_refused() -> None:
    """Which way a joint turns by 5 rad in no time is not known: it went to the nearest position of the same pose, 1.28 rad back."""
    m = pair("rolling", load=0.0, angle=pl.PiecewisePolynomial([0, 0.05, 0.1], [[0.0], [5.0]]))
    for run in (
        lambda: pl.dynamics(m, duration=0.1, step=0.01, reduce=False),
        lambda: pl.dynamics(m, duration=0.1),
        lambda: pl.kinematics(m, duration=0.1, step=0.01),
    ):
        with pytest.raises(pl.SolveError, match=r'drive "motor" jumps.* by 5 rad') as caught:
            run()
        assert caught.value.result is not None and caught.value.result["first.angle"].final == pytest.approx(
            0.0, abs=1e-9
        )


@pytest.mark.parametrize("mesh", MESHES)
def test_wheels_left_alone(mesh: str) -> None:
    """No drive: the speed of the start is all there is."""
    for form in FORMS:
        result = pl.dynamics(pair(mesh, start=SPEED, load=0.0), duration=END, step=0.02, **form)
        check_angles(result, lambda t: SPEED * t, give=1e-6)


@pytest.mark.parametrize("step", [0.008, 0.012, 0.02])
def test_angle_between_two_wheels_that_turn_against_each_other(step: float) -> None:
    """Neither turns by half a turn in the shorter step, but one against the other does."""
    m = pl.Model("contrary")
    for name, sign in (("one", 1.0), ("other", -1.0)):
        m.body(name, mass=1.0, inertia=(0.01, 0.01, 0.01), angular_velocity=(0, 0, sign * 0.8 * SPEED))
        m.revolute(f"to {name}", m.ground, name, axis="z")
    m.revolute("between", "one", "other", axis="z")
    result = pl.dynamics(m, duration=END, step=step)
    assert result["between.angle"].values == pytest.approx(-1.6 * SPEED * result.time, abs=1e-8)


def test_run_up_from_rest_past_a_turn_a_step() -> None:
    """The speed grows so fast that what was turned since the last look and the next step are more than half a turn together."""
    for a in (2 * 0.9, 2 * 1.4):
        step = 0.01
        m = pair("rigid", load=0.0, angle=pl.Polynomial((0.0, 0.0, 0.5 * a / step**2)))
        for form in FORMS:
            result = pl.dynamics(m, duration=20 * step, step=step, output_step=20 * step, **form)
            assert result["second.angle"].final == pytest.approx(RATIO * 0.5 * a * 400.0, abs=1e-6)


def test_slides_are_not_limited() -> None:
    """A slide goes any way in a step, and its rack turns the pinion along."""
    m = pl.Model("slide")
    m.body("block", mass=1.0, inertia=(1, 1, 1))
    m.drive("push", m.prismatic("rail", m.ground, "block", axis="x"), displacement=pl.Polynomial((0, 1000.0)))
    result = pl.dynamics(m, duration=1.0, step=0.1)
    assert result["rail.displacement"].final == pytest.approx(1000.0)
    assert result.statistics["steps"] == 10 and not result.warnings


def test_cut_steps_are_told() -> None:
    """Where a pose must be followed the step is cut; the warning has the longest one that is not."""
    result = pl.dynamics(pair("rolling", start=SPEED, speed=SPEED), duration=END, step=0.012, stabilised=True)
    assert result.statistics["cut_steps"] == 20
    (warning,) = result.warnings
    assert "was reduced 20 times in 20" in warning and '"a" rotates by 3.77 rad' in warning and "0.0086 s" in warning
    short = pl.dynamics(pair("rolling", start=SPEED, speed=SPEED), duration=END, step=0.0085, stabilised=True)
    assert short.statistics["cut_steps"] == 0 and not short.warnings


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("times", [{"duration": END, "step": 0.02}, {"times": [END]}, {"times": [0.013, 0.1, END]}])
def test_kinematics(mesh: str, times: dict[str, Any]) -> None:
    """Times far apart, the first not at the start, speeds that change in between."""
    give = 1e-4 if mesh == "elastic" else 0.0
    w = 10.0 * math.pi
    for drive, angle in (
        ({"speed": SPEED}, lambda t: SPEED * t),
        ({"speed": pl.Harmonic(SPEED, 5)}, lambda t: SPEED / w * (1.0 - np.cos(w * t))),
        ({"angle": pl.Ramp(0, 20, 0.05, 0.0501)}, lambda t: np.where(t > 0.0501, 20.0, 0.0)),
    ):
        check_angles(pl.kinematics(pair(mesh, **drive), **times), angle, close=1e-8, give=give)
