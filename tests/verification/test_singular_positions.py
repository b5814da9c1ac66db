"""Positions where the constraints lose rank: mechanisms pass them, land on them, start from them.

The parallelogram has all its links on a line when its cranks are level; there it could go on as an antiparallelogram.
Momentum carries it on as it came: all cranks stay parallel, and the motion is that of one coordinate
(`references.four_bar`).
"""

import functools

import numpy as np
import pytest
from references import four_bar

import pitchline as pl

LEVEL = np.pi / 2

FIXED = [{}, {"reduce": False}, {"stabilised": True}, {"hht": -0.1}]


def tips(result: pl.Result, windows: int) -> np.ndarray:
    """(cranks, n, 2) tips of the cranks from their feet."""
    return np.array([2 * (result[f"crank{i}.position"].values - [i, 0, 0])[:, :2] for i in range(windows + 1)])


def check(result: pl.Result, windows: int, start: float, limit: float) -> None:
    theta, _ = four_bar.angle(result.time, windows=windows, start=start)
    found = tips(result, windows)
    assert np.max(np.abs(found - found[0])) < 1e-9, "cranks are not parallel"
    assert np.max(np.abs(found[0] - np.stack([np.sin(theta), np.cos(theta)], axis=1))) < limit


@pytest.mark.parametrize("options", FIXED, ids=str)
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "redundant"])
@pytest.mark.parametrize("windows", [1, 2, 5])
def test_passing(windows, planar, options) -> None:
    """Five passages in 5 s. Error 50 h^2 and more after the first turns over the unstable top, bounded by 150 h^2."""
    for step in (2e-3, 1e-3) if windows == 5 else (2e-3, 1e-3, 2.5e-4):
        model = four_bar.model(windows=windows, planar=planar)
        result = pl.dynamics(model, duration=5.0, step=step, output_step=0.05, newton_tolerance=1e-9, **options)
        check(result, windows, 0.0, 150 * step**2)


@pytest.mark.parametrize("options", FIXED, ids=str)
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "redundant"])
@pytest.mark.parametrize("start", [LEVEL, -LEVEL], ids=["falling", "rising"])
def test_starting_from_it(start, planar, options) -> None:
    """At the start all links lie on a line: one constraint more is redundant there, and is taken back on the way.
    That costs some 1e-5 once, apart from the error of the method."""
    for windows, step in ((1, 1e-3), (2, 1e-3), (2, 2.5e-4)):
        model = four_bar.model(windows=windows, planar=planar, start=start)
        result = pl.dynamics(model, duration=4.0, step=step, output_step=0.05, newton_tolerance=1e-9, **options)
        check(result, windows, start, 150 * step**2 + 2e-5)
        assert result.statistics["rank_changes"] >= 1
        assert any("redundant" in w for w in result.warnings)


@functools.cache
def landing(step: float) -> float:
    """Speed at the top with which the parallelogram of one window is level after 500 steps, within 1e-6 rad.

    Found by the secant method on the computed motion itself, so that a sample of the run lies on the singular
    position."""

    def height(speed: float) -> float:
        model = four_bar.model(windows=1, planar=True, speed=speed)
        result = pl.dynamics(model, duration=500 * step, step=step, output_step=500 * step, newton_tolerance=1e-10)
        return float(tips(result, 1)[0, -1, 1])

    a, b = 1.5, 1.6
    fa, fb = height(a), height(b)
    for _ in range(12):
        if abs(fb) < 1e-8 or fa == fb:
            break
        a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
        fb = height(b)
    assert abs(fb) < 1e-6
    return b


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "redundant"])
@pytest.mark.parametrize("options", FIXED, ids=str)
def test_landing_on_it(options, planar) -> None:
    """A step that ends on the singular position is followed by one that leaves it as it came."""
    step = 1e-3
    speed = landing(step)
    result = pl.dynamics(
        four_bar.model(windows=1, planar=planar, speed=speed),
        duration=1.0,
        step=step,
        newton_tolerance=1e-10,
        **options,
    )
    theta, _ = four_bar.angle(result.time, windows=1, speed=speed)
    found = tips(result, 1)
    # on the singular position itself nothing but inertia keeps the cranks parallel: h^2 times an acceleration
    assert np.max(np.abs(found[1] - found[0])) < 10 * step**2
    assert np.max(np.abs(found[0] - np.stack([np.sin(theta), np.cos(theta)], axis=1))) < 150 * step**2


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "redundant"])
@pytest.mark.parametrize("options", FIXED, ids=str)
@pytest.mark.parametrize("step", [1e-2, 1e-3, 2.5e-4])
def test_driven_onto_it(step, options, planar) -> None:
    """One turn a second in steps that divide it: every quarter of a turn is hit to the last bit, level cranks
    included."""
    speed = 2 * np.pi
    model = four_bar.model(windows=1, planar=planar, speed=speed)
    model.drive("motor", "foot0", speed=-speed)
    result = pl.dynamics(model, duration=3.0, step=step, **options)
    theta = speed * result.time
    found = tips(result, 1)
    exact = np.stack([np.sin(theta), np.cos(theta)], axis=1)
    assert np.max(np.abs(found[0] - exact)) < 1e-9
    assert np.max(np.abs(found[1] - exact)) < 10 * step**2
    # far from it the motor carries the weight: cranks at L/2 and coupler at L make 2 g L sin(theta)
    away = (np.abs(np.cos(theta)) > 0.9) & (result.time > 0.1)
    if step <= 1e-3:
        assert np.max(np.abs(result["motor.torque"].values - 2 * four_bar.GRAVITY * np.sin(theta))[away]) < 1e-2


@pytest.mark.parametrize("start", [0.0, LEVEL], ids=["passing", "starting"])
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "redundant"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-9])
def test_error_control(tolerance, planar, start) -> None:
    """Error of the order of tol^(2/3), magnified by the unstable top."""
    for windows in (1, 2):
        model = four_bar.model(windows=windows, planar=planar, start=start)
        result = pl.dynamics(model, duration=4.0, tolerance=tolerance, output_step=0.1)
        check(result, windows, start, 100 * tolerance ** (2 / 3))


@pytest.mark.parametrize("options", FIXED, ids=str)
def test_driven_through(options) -> None:
    """A motor turns the parallelogram at 6 rad/s through ten singular positions: the second crank follows.

    Cranks at L/2 and coupler at L make the torque 2 g L sin(theta); in index 3 it takes some twenty steps to settle."""
    speed = 6.0
    model = four_bar.model(windows=1, planar=True, speed=speed)
    model.drive("motor", "foot0", speed=-speed)
    result = pl.dynamics(model, duration=5.0, step=1e-3, newton_tolerance=1e-9, **options)
    theta = speed * result.time
    found = tips(result, 1)
    exact = np.stack([np.sin(theta), np.cos(theta)], axis=1)
    assert np.max(np.abs(found - exact)) < 1e-8
    torque = 2.0 * four_bar.GRAVITY * np.sin(theta)
    away = (np.abs(np.cos(theta)) > 0.3) & (result.time > 0.05)
    assert np.max(np.abs(result["motor.torque"].values - torque)[away]) < 0.01 * 2.0 * four_bar.GRAVITY


def test_slider_crank_dead_centre() -> None:
    """Equal crank and rod: at 90 deg the slider is over the crank's axis and could stay there while both turn as one.

    With the crank turning at w, x = 2 a cos(w t): the slider goes through."""
    a, w, turn = 0.3, 4.0, 0.2
    m = pl.Model("equal slider-crank")
    c, s = a * np.cos(turn), a * np.sin(turn)
    turning = {"velocity": (-w * s, w * c, 0), "angular_velocity": (0, 0, w)}
    m.body("crank", mass=1.0, inertia=(0.01, 0.01, 0.01), position=(c, s, 0), **turning)
    m.body("slider", mass=0.5, inertia=(0.01, 0.01, 0.01), position=(2 * c, 0, 0), velocity=(-2 * w * s, 0, 0))
    m.revolute("main", m.ground, "crank", at=(0, 0, 0), axis="z")
    m.prismatic("guide", m.ground, "slider", axis="x")
    m.distance("rod", "crank", "slider", at_a=(c, s, 0), at_b=(2 * c, 0, 0))
    m.drive("motor", "main", speed=w)
    for options in FIXED:
        result = pl.dynamics(m, duration=5.0, step=1e-3, newton_tolerance=1e-9, **options)
        x = 2 * a * np.cos(w * result.time + turn)
        assert np.max(np.abs(result["slider.position"].values[:, 0] - x)) < 1e-6


@pytest.mark.parametrize("tolerance", [1e-5, 1e-6, 1e-7])
def test_error_control_loses_nothing_there(tolerance: float) -> None:
    """The error of the energy changes in singular positions, where the cranks are level, no faster than elsewhere. The error of a
    run comes from all steps, and grows at the unstable top."""
    for windows in (1, 2):
        result = pl.dynamics(four_bar.model(windows=windows), duration=2.4, tolerance=tolerance, output_step=0.02)
        theta, _ = four_bar.angle(result.time, windows=windows)
        change = np.abs(np.diff(result["energy.balance_error"].values))
        level = np.abs(np.cos(0.5 * (theta[1:] + theta[:-1]))) < 0.15
        assert level.sum() >= 4
        assert change[level].max() < 1.2 * change[~level].max()
