"""Analyses that start where another one ended."""

import numpy as np
import pytest

import pitchline as pl


def pendulum(name: str = "pendulum", bodies: tuple[str, ...] = ("rod",), **first) -> pl.Model:
    m = pl.Model(name, gravity=(0, 0, -9.81))
    before = m.ground
    for i, body in enumerate(bodies):
        b = m.body(body, solid=pl.bar(1, 0.1, 0.1, mass=1), position=(i + 0.5, 0, 0), **first)
        m.revolute(f"hinge of {body}", before, b, at=(i, 0, 0), axis="y")
        before = b
    return m


def same_state(a: pl.Result, i: int, b: pl.Result, j: int, atol: float = 1e-12) -> None:
    for signal in ("rod.position", "rod.velocity", "rod.angular_velocity", "hinge of rod.angle"):
        np.testing.assert_allclose(a[signal].values[i], b[signal].values[j], rtol=0, atol=atol, err_msg=signal)


def test_dynamics_goes_on_in_position_velocity_and_time() -> None:
    first = pl.dynamics(pendulum(), duration=0.5, step=1e-3)
    then = pl.dynamics(pendulum(), duration=0.5, step=1e-3, start=first)
    assert then.time[0] == first.time[-1] and then.time[-1] == 1.0
    same_state(first, -1, then, 0)
    whole = pl.dynamics(pendulum(), duration=1.0, step=1e-3)
    same_state(whole, -1, then, -1, atol=1e-5)  # the algorithmic acceleration starts anew: of the order of the method


def test_from_statics_to_dynamics_nothing_moves() -> None:
    """The equilibrium of statics is at rest in dynamics."""
    rest = pl.statics(pendulum())
    r = pl.dynamics(pendulum(), duration=0.2, start=rest)
    np.testing.assert_allclose(r["rod.velocity"].values, 0, atol=1e-8)
    np.testing.assert_allclose(r["rod.position"].final, [0, 0, -0.5], atol=1e-8)


def test_from_kinematics_to_dynamics_the_speed_is_kept() -> None:
    m = pendulum()
    m.drive("motor", "hinge of rod", speed=3.0)
    first = pl.kinematics(m, duration=0.1)
    free = pl.dynamics(pendulum(), duration=0.01, start=first)
    assert free["hinge of rod.angular_speed"].values[0] == pytest.approx(3.0, abs=1e-9)
    assert free.time[0] == pytest.approx(0.1)


def test_turns_are_carried_over() -> None:
    """Three and a half turns: the angle goes on counting, and a drive given by its speed goes on from there."""
    m = pendulum()
    m.drive("motor", "hinge of rod", speed=7 * np.pi)
    first = pl.dynamics(m, duration=1.0, step=0.01)
    assert first["hinge of rod.angle"].final == pytest.approx(7 * np.pi, abs=1e-9)
    then = pl.dynamics(m, duration=1.0, step=0.01, start=first)
    assert then["hinge of rod.angle"].values[0] == pytest.approx(7 * np.pi, abs=1e-9)
    assert then["hinge of rod.angle"].final == pytest.approx(14 * np.pi, abs=1e-9)


def test_statics_from_its_own_result_stays() -> None:
    m = pendulum(bodies=("rod", "tip"))
    m.torsion_spring("coil", "hinge of rod", stiffness=30)
    m.torsion_spring("coil too", "hinge of tip", stiffness=20)
    first = pl.statics(m)
    again = pl.statics(m, start=first)
    same_state(first, 0, again, 0, atol=1e-9)
    assert again.statistics["iterations"] <= 2


def test_statics_takes_the_time_of_its_start_or_its_own() -> None:
    first = pl.dynamics(pendulum(), duration=0.5)
    assert pl.statics(pendulum(), start=first).time.tolist() == [0.5]
    assert pl.statics(pendulum(), start=first, time=2).time.tolist() == [2.0]


def test_the_model_may_have_other_joints_and_loads() -> None:
    """Deform under one model, run with another: what counts are the bodies."""
    first = pl.statics(pendulum())
    other = pendulum("another")
    other.force("push", "rod", (1, 0, 0))
    assert pl.dynamics(other, duration=0.01, start=first).status is pl.Status.COMPLETED


def test_a_result_without_one_of_the_bodies() -> None:
    first = pl.statics(pendulum())
    with pytest.raises(
        pl.ModelError, match=r'start: the result of model "pendulum" has no body "tip". Start from a result'
    ):
        pl.dynamics(pendulum("double", ("rod", "tip")), duration=1, start=first)


def test_a_result_with_more_bodies_serves() -> None:
    first = pl.statics(pendulum("double", ("rod", "tip")))
    r = pl.dynamics(pendulum(), duration=0.01, start=first)
    np.testing.assert_allclose(r["rod.position"].values[0], first["rod.position"].final, atol=1e-12)


def test_a_failed_result_serves_up_to_where_it_came() -> None:
    m = pendulum()
    with pytest.raises(pl.SolveError) as e:
        pl.dynamics(m, duration=1, min_step=0.05, tolerance=1e-9)
    r = pl.dynamics(m, duration=0.1, start=e.value.result)
    assert r.time[0] == e.value.result.time[-1]


def test_a_saved_result_serves(tmp_path) -> None:
    first = pl.dynamics(pendulum(), duration=0.3)
    first.save(tmp_path / "first.nc")
    a = pl.dynamics(pendulum(), duration=0.1, step=0.01, start=first)
    b = pl.dynamics(pendulum(), duration=0.1, step=0.01, start=pl.load(tmp_path / "first.nc"))
    assert np.array_equal(a["rod.position"].values, b["rod.position"].values)


def test_kinematics_states_that_it_straightens_a_bent_shaft() -> None:
    """A cantilever that statics has bent by F L³/(3 E I) is straight in kinematics, and bent with elastic=True."""
    m = pl.Model("cantilever")
    shaft = m.shaft("arm", [pl.ShaftSection("1 m", "10 mm")], axis="x")
    m.fixed("clamp", m.ground, shaft["start"])
    m.force("load", shaft["end"], (0, 0, "-1 N"))
    bent = pl.statics(m)
    sag = -1.0 / (3 * 206e9 * np.pi * 0.01**4 / 64)
    assert bent["arm end.position"].final[2] == pytest.approx(sag, rel=1e-3)
    rigid = pl.kinematics(m, times=[0.0], start=bent)
    assert abs(rigid["arm end.position"].final[2]) < 1e-12
    (text,) = [text for text in rigid.warnings if "deformed in start=" in text]
    assert 'shaft "arm" is deformed in start= (relative to its station "start" by up to 3.297 mm' in text
    assert "Specify elastic=True" in text
    elastic = pl.kinematics(m, times=[0.0], start=bent, elastic=True)
    assert elastic["arm end.position"].final[2] == pytest.approx(sag, rel=1e-3)
    assert not [text for text in (*elastic.warnings, *pl.kinematics(m, times=[0.0]).warnings) if "deformed" in text]
    again = pl.kinematics(m, times=[0.1], start=rigid)
    assert not [text for text in again.warnings if "deformed" in text]
