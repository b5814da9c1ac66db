"""Options of the analyses: everything wrong is said before anything is computed."""

import math

import numpy as np
import pytest

import pitchline as pl


def spring(load: object = 1.0) -> pl.Model:
    """A mass on a guide, a spring of 10 N/m: x = 1 m + load / (10 N/m)."""
    m = pl.Model("spring")
    a = m.body("mass", mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    m.prismatic("guide", m.ground, a, at=(1, 0, 0), axis="x")
    m.spring("coil", m.ground, a, at_a=(0, 0, 0), at_b=(1, 0, 0), stiffness=10)
    m.force("pull", a, (load, 0, 0))
    return m


DYNAMICS = {
    "duration zero": ({"duration": 0}, "duration must be greater than zero, got 0 s"),
    "duration negative": ({"duration": "-1 ms"}, "duration must be greater than zero, got -0.001 s"),
    "duration missing": ({"duration": None}, "duration: None"),
    "duration not a time": ({"duration": "1 m"}, "duration: expected time .*, got length"),
    "duration endless": ({"duration": math.inf}, "duration: inf is not finite"),
    "step zero": ({"step": 0}, "step must be greater than zero"),
    "step negative": ({"step": -0.1}, "step must be greater than zero"),
    "step of another unit": ({"step": "1 kg"}, "step: expected time"),
    "output step zero": ({"output_step": 0}, "output_step must be greater than zero"),
    "fixed and bounded above": ({"step": 0.1, "max_step": 0.2}, "step is fixed. Leave out max_step and min_step"),
    "fixed and bounded below": ({"step": 0.1, "min_step": 0.05}, "step is fixed. Leave out max_step and min_step"),
    "output between steps": (
        {"step": 0.1, "output_step": 0.15},
        r"output_step \(0.15 s\) must be a multiple of step \(0.1 s\)",
    ),
    "output within a step": ({"step": 0.1, "output_step": 0.05}, "must be a multiple of step"),
    "two methods": ({"rho": 0.5, "hht": -0.1}, r"specify rho \(generalized-alpha\) or hht \(HHT\), not both"),
    "rho one": ({"rho": 1}, r"rho, the spectral radius at infinity, must be in 0 <= rho < 1, got 1 \(1 leaves"),
    "rho negative": ({"rho": -0.1}, "must be in 0 <= rho < 1, got -0.1"),
    "rho no number": ({"rho": "much"}, "rho: 'much'"),
    "rho a bool": ({"rho": True}, "rho: True"),
    "hht zero": ({"hht": 0}, "hht, the alpha of HHT, must be in -1/3 <= alpha < 0, got 0"),
    "hht too low": ({"hht": -0.4}, "must be in -1/3 <= alpha < 0, got -0.4"),
    "tolerance zero": ({"tolerance": 0}, "tolerance must be between 0 and 1, got 0"),
    "tolerance one": ({"tolerance": 1.0}, "tolerance must be between 0 and 1, got 1"),
    "tolerance as a text": ({"tolerance": "2"}, "tolerance must be between 0 and 1, got 2"),
    "tolerance of another unit": ({"tolerance": "1 s"}, "tolerance must be a number between 0 and 1"),
    "tolerance of no length": ({"tolerance": "0 um"}, "tolerance must be greater than zero, got 0 m"),
    "tolerance longer than the model": (
        {"tolerance": "100 km"},
        r"tolerance must be smaller than the length of the model \(",
    ),
    "newton tolerance": ({"newton_tolerance": -1}, "newton_tolerance must be between 0 and 1, got -1"),
    "bounds crossed": ({"min_step": 0.2, "max_step": 0.1}, r"min_step \(0.2 s\) is larger than max_step \(0.1 s\)"),
    "max step zero": ({"max_step": 0}, "max_step must be greater than zero"),
    "min step negative": ({"min_step": -1}, "min_step must be greater than zero"),
    "checkpoint without a folder": (
        {"checkpoint": "/no such folder/x.npz"},
        'checkpoint: cannot write "/no such folder/x.npz": the folder "/no such folder" does not exist. Create it first',
    ),
    "checkpoint a folder": ({"checkpoint": "/"}, "checkpoint: cannot write '/': this is not a file name"),
    "checkpoint seconds": ({"checkpoint": "x.npz", "checkpoint_seconds": "often"}, "checkpoint_seconds: 'often'"),
    "start no result": (
        {"start": "yesterday"},
        "start must be the result of an analysis, or positions.*, got str",
    ),
}


@pytest.mark.parametrize("name", DYNAMICS)
def test_wrong_options_of_dynamics(name: str) -> None:
    options, message = DYNAMICS[name]
    with pytest.raises(pl.ModelError, match=message):
        pl.dynamics(spring(), **({"duration": 1} | options))


KINEMATICS = {
    "nothing": ({}, "kinematics: specify duration or times"),
    "both": ({"duration": 1, "times": [1]}, "kinematics: specify times, or duration and step, not both"),
    "step and times": ({"step": 1, "times": [1]}, "not both"),
    "no times": ({"times": []}, "times must be one or more increasing numbers"),
    "standing still": ({"times": [1, 1]}, "times must be one or more increasing numbers"),
    "backwards": ({"times": [2, 1]}, "times must be one or more increasing numbers"),
    "before the start": ({"times": [-1, 1]}, "times must not be before the start at t = 0 s, but the first is -1 s"),
    "not a number": ({"times": [math.nan]}, "times: .*nan.* is not finite"),
    "not a time": ({"times": ["1 m"]}, "times: expected time"),
    "duration": ({"duration": -1}, "duration and step must be greater than zero, got -1 s"),
    "step": ({"duration": 1, "step": 0}, "duration and step must be greater than zero, got 1 s and 0 s"),
    "start no result": (
        {"duration": 1, "start": 3},
        "start must be the result of an analysis, or positions.*, got int",
    ),
}


@pytest.mark.parametrize("name", KINEMATICS)
def test_wrong_options_of_kinematics(name: str) -> None:
    options, message = KINEMATICS[name]
    with pytest.raises(pl.ModelError, match=message):
        pl.kinematics(spring(), **options)


@pytest.mark.parametrize(("time", "message"), [("1 m", "time: expected time"), (math.nan, "time: nan is not finite")])
def test_wrong_time_of_statics(time: object, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        pl.statics(spring(), time=time)


@pytest.mark.parametrize("analysis", [pl.statics, pl.kinematics, pl.dynamics])
@pytest.mark.parametrize("model", [None, "crank", 3])
def test_something_that_is_no_model(analysis, model: object) -> None:
    options = {} if analysis is pl.statics else {"duration": 1}
    with pytest.raises(pl.ModelError, match="expected a Model, got"):
        analysis(model, **options)


def test_options_may_be_texts_with_units() -> None:
    r = pl.dynamics(spring(), duration="20 ms", tolerance="0.1 %", rho="50 %", max_step="5 ms", output_step="10 ms")
    assert r.options["tolerance"] == 1e-3 and r.options["rho"] == 0.5
    assert r.time.tolist() == [0.0, 0.01, 0.02]


# ---- which times are sampled


def times(**options) -> np.ndarray:
    return pl.dynamics(spring(), **options).time


def test_a_fixed_step_is_fitted_to_the_duration() -> None:
    """0.3 s do not divide 1 s: four steps of 0.25 s."""
    np.testing.assert_allclose(times(duration=1, step=0.3), [0, 0.25, 0.5, 0.75, 1], rtol=1e-14)
    assert times(duration=1, step=5).tolist() == [0, 1]


def test_output_at_multiples_of_the_output_step_and_at_the_end() -> None:
    expected = [0, 0.3, 0.6, 0.9, 1]
    np.testing.assert_allclose(times(duration=1, output_step=0.3), expected, rtol=1e-14)
    np.testing.assert_allclose(times(duration=1, step=0.1, output_step=0.3), expected, rtol=1e-14)
    assert times(duration=1, output_step=5).tolist() == [0, 1]


def test_long_runs_of_small_steps_are_thinned() -> None:
    t = times(duration=1, step=1e-4)
    assert len(t) == 1001 and t[-1] == 1


def test_the_smallest_and_the_largest_step_are_kept() -> None:
    t = times(duration=1, min_step=0.02, max_step=0.05, tolerance=0.1)
    assert np.diff(t).max() <= 0.05 + 1e-12
    assert np.diff(t)[:-2].min() >= 0.02 - 1e-12  # the last two share what is left


def test_kinematics_times() -> None:
    assert pl.kinematics(spring(), duration=1).time.size == 101
    np.testing.assert_allclose(pl.kinematics(spring(), duration=1, step=0.3).time, [0, 1 / 3, 2 / 3, 1], rtol=1e-14)
    assert pl.kinematics(spring(), times=["250 ms", 1]).time.tolist() == [0.25, 1]
    assert pl.kinematics(spring(), times=2.0).time.tolist() == [2.0]


@pytest.mark.parametrize("load", [pl.Polynomial([0.0, 5.0]), lambda t: 5 * t], ids=["function", "callable"])
@pytest.mark.parametrize("count", [3, 7, 100])
def test_kinematics_of_a_force_that_grows(count: int, load: object) -> None:
    """x = 1 m + 0.5 m/s t, exactly predicted from each position to the next; its velocity is 0.5 m/s, at both ends too."""
    r = pl.kinematics(spring(load), duration=1, step=1 / count)
    np.testing.assert_allclose(r["mass.position.x"].values, 1 + 0.5 * r.time, rtol=0, atol=1e-8)
    np.testing.assert_allclose(r["mass.velocity.x"].values, 0.5, rtol=0, atol=1e-4)


def test_statics_at_a_time() -> None:
    for t in (0.0, 0.5, 2.0):
        r = pl.statics(spring(pl.Polynomial([0.0, 5.0])), time=t)
        assert r.time.tolist() == [t]
        assert r["mass.position.x"].final == pytest.approx(1 + 0.5 * t, abs=1e-10)
