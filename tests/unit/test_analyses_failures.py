"""Analyses that cannot succeed: they say when, where and what to try, and keep what they have."""

import re

import numpy as np
import pytest

import pitchline as pl

REACH = np.arcsin(0.8)
"""Largest angle of a crank of 1 m whose rod of 0.8 m reaches down to the guide."""


def short_rod(name: str = "crank", **drive) -> pl.Model:
    """A slider-crank whose rod is too short for a whole turn."""
    m = pl.Model(name)
    crank, rod, slider = (
        m.body(part, mass=1, inertia=(0.1, 0.1, 0.1), position=(x, 0, 0))
        for part, x in (("crank", 0), ("rod", 1), ("slider", 1.8))
    )
    main = m.revolute("main", m.ground, crank, at=(0, 0, 0), axis="z")
    m.revolute("pin", crank, rod, at=(1, 0, 0), axis="z")
    m.revolute("wrist", rod, slider, at=(1.8, 0, 0), axis="z")
    m.prismatic("guide", m.ground, slider, at=(1.8, 0, 0), axis="x")
    m.drive("motor", main, **(drive or {"speed": 1.0}))
    return m


def falling() -> pl.Model:
    m = pl.Model("falling", gravity=(0, 0, -9.81))
    m.body("ball", mass=1, inertia=(1, 1, 1))
    return m


def test_statics_of_a_free_body() -> None:
    words = r'nothing holds body "ball" against a force of 9.81 N along \(0, 0, -1\)'
    with pytest.raises(pl.SolveError, match=f'statics of model "falling" found no equilibrium: {words}') as e:
        pl.statics(falling())
    assert "Add a joint" in str(e.value)
    assert e.value.result.status is pl.Status.FAILED
    assert e.value.result.message == str(e.value)
    assert "ball.position" in e.value.result and e.value.time == 0


def test_statics_beyond_the_reach_of_a_mechanism() -> None:
    assert pl.statics(short_rod(angle=0.9)).status is pl.Status.COMPLETED
    with pytest.raises(pl.SolveError, match='statics of model "crank" found no equilibrium') as e:
        pl.statics(short_rod(angle=1.5))
    # what was reached: on the way to the target, constraints closed
    angle = e.value.result["main.angle"].final
    assert 0.5 < angle <= REACH + 1e-6


def test_kinematics_beyond_the_reach_of_a_mechanism() -> None:
    with pytest.raises(
        pl.SolveError, match=r'kinematics of model "crank" stops at t = 0.93 s \(position 32 of 101\)'
    ) as e:
        pl.kinematics(short_rod(), duration=3)
    r = e.value.result
    assert r.status is pl.Status.FAILED
    assert e.value.time == r.time[-1] == pytest.approx(0.9)
    assert len(r.time) == 31 == r.statistics["positions"]
    np.testing.assert_allclose(r["main.angle"].values, r.time, atol=1e-9)


def test_kinematics_that_fails_at_once_has_no_sample() -> None:
    with pytest.raises(pl.SolveError, match=r'position 1 of 101.*body "ball"') as e:
        pl.kinematics(falling(), duration=1)
    assert e.value.time is None
    assert e.value.result.time.size == 0
    with pytest.raises(
        pl.ModelError, match='start: the kinematics result of model "falling" has no sample to start from'
    ):
        pl.dynamics(falling(), duration=1, start=e.value.result)


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}, {"step": 1e-3, "stabilised": True}], ids=str)
def test_dynamics_beyond_the_reach_of_a_mechanism(options: dict) -> None:
    with pytest.raises(pl.SolveError, match=r'dynamics of model "crank" stopped at t = 0\.92') as e:
        pl.dynamics(short_rod(), duration=3, **options)
    assert 'The largest correction is at "' in str(e.value) and "beyond its range" in str(e.value)
    # hinges of a plane mechanism in space: what is left out is said too
    assert "are redundant" in str(e.value) and re.search(r'Left out at present: .*\d of "wrist"', str(e.value))
    r = e.value.result
    assert r.status is pl.Status.FAILED and r.message == str(e.value)
    assert REACH - 0.01 < r.time[-1] <= e.value.time <= REACH + 1e-3
    np.testing.assert_allclose(r["main.angle"].values[:-3], r.time[:-3], atol=1e-6)
    again = pl.kinematics(short_rod(), times=[0.5])  # nothing is left behind
    assert again.status is pl.Status.COMPLETED


def test_a_mechanism_that_cannot_be_assembled() -> None:
    m = pl.Model("m")
    a = m.body("ball", mass=1, inertia=(1, 1, 1))
    m.spherical("socket", m.ground, a, at=(0, 0, 0))
    m.distance("rod", m.ground, a, at_a=(3, 0, 0), at_b=(0, 0, 0), length=2.9)
    for run in (lambda: pl.statics(m), lambda: pl.kinematics(m, duration=1), lambda: pl.dynamics(m, duration=1)):
        with pytest.raises(pl.ModelError, match=r'cannot be assembled: "(rod|socket)" stays open by 0\.1 m'):
            run()


def test_a_hinge_without_inertia() -> None:
    m = pl.Model("m", gravity=(0, 0, -1))
    a = m.body("feather", mass=0, inertia=(0, 0, 0))
    m.revolute("hinge", m.ground, a, at=(0, 0, 0), axis="y")
    with pytest.raises(
        pl.SolveError, match='body "feather" has no mass or inertia in a direction in which it can move'
    ):
        pl.dynamics(m, duration=1)


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}], ids=["adaptive", "fixed"])
def test_numbers_beyond_reason_end_in_an_error(options: dict) -> None:
    """An acceleration of 1e159 m/s^2: the run ends at once, rather than in steps of 1e-60 s."""
    m = pl.Model("m")
    a = m.body("dust", mass=1e-60, inertia=(1, 1, 1))
    m.force("blow", a, (1e99, 0, 0))
    with pytest.raises(pl.SolveError, match=r'dynamics of model "m" .* body "dust"') as e:
        pl.dynamics(m, duration=1, **options)
    assert e.value.result.time.tolist() == [0.0]


def test_steps_that_may_not_be_small_enough() -> None:
    """A tolerance that the smallest step does not meet ends the run; what it has is kept."""
    m = pl.Model("m", gravity=(0, 0, -9.81))
    rod = m.body("rod", mass=1, inertia=(0.1, 0.1, 0.1), position=(0.5, 0, 0))
    m.revolute("hinge", m.ground, rod, at=(0, 0, 0), axis="y")
    with pytest.raises(pl.SolveError, match='dynamics of model "m" stopped at t = ') as e:
        pl.dynamics(m, duration=1, min_step=0.05, tolerance=1e-9)
    assert e.value.result.time.size >= 1


def test_a_body_that_nothing_moves_is_no_failure() -> None:
    """Neither a welded one, which leaves no unknowns, nor a free one without loads."""
    m = pl.Model("m", gravity=(0, 0, -9.81))
    b = m.body("block", mass=2, inertia=(1, 1, 1))
    m.fixed("weld", m.ground, b)
    for reduce in (True, False):
        for analysis, options in ((pl.statics, {}), (pl.kinematics, {"times": [0, 1]}), (pl.dynamics, {"duration": 1})):
            r = analysis(m, reduce=reduce, **options)
            np.testing.assert_allclose(r["weld.force"].values, [[0, 0, 19.62]] * len(r.time), atol=1e-9)
    m = pl.Model("m")
    m.body("stone", mass=1, inertia=(1, 1, 1))
    r = pl.statics(m)
    assert "neutral in 6 directions" in r.warnings[0]
