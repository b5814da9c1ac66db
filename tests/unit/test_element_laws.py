"""Laws of elements: Python functions of numbers, compiled and called by address; own coordinates in motions and modes."""

import math

import numpy as np
import pytest
from references.user_elements import ElasticLink, Motor, SpeedControl

import pitchline as pl

SLOPE = 0.4


def shaft() -> pl.Model:
    m = pl.Model("shaft")
    wheel = m.body("wheel", mass=1, inertia=(1, 1, 0.5))
    m.revolute("hinge", m.ground, wheel, axis="z")
    return m


def test_a_motor_after_a_law_of_speed_runs_up_exponentially() -> None:
    """I dw/dt = T0 - c w: w = T0/c (1 - exp(-c t/I))."""
    m = shaft()
    m.add(Motor("motor", on="hinge", torque=lambda t, angle, speed: 3.0 - SLOPE * speed))
    run = pl.dynamics(m, duration="2 s", step="2 ms")
    expected = 3.0 / SLOPE * (1.0 - np.exp(-SLOPE * run.time / 0.5))
    np.testing.assert_allclose(run["hinge.angular_speed"].values, expected, atol=1e-5)
    np.testing.assert_allclose(run["motor.moment"].values, 3.0 - SLOPE * expected, atol=1e-5)
    assert np.abs(run["energy.balance_error"].values).max() < 1e-4


def test_a_law_reads_its_closure_and_is_never_taken_from_a_file() -> None:
    """Two functions of one text with other values around them are two laws."""

    def swing(stiffness: float):
        return lambda t, angle, speed: -stiffness * angle

    for stiffness in (2.0, 8.0):
        m = shaft()
        m.add(Motor("spring", on=m.joints["hinge"], torque=swing(stiffness)))
        frequency = pl.modes(m).frequencies[-1]
        assert frequency == pytest.approx(math.sqrt(stiffness / 0.5) / (2 * math.pi), rel=1e-6)


@pytest.mark.parametrize(
    "law, message",
    [
        (lambda t, angle: 0.0, "takes 2 arguments, expected 3"),
        (lambda t, angle, speed: print(open, angle), "the function <lambda> cannot be compiled:"),
        (lambda t, angle, speed: math.nothing(angle), "cannot be compiled: "),
    ],
)
def test_a_law_that_cannot_be_compiled_is_refused(law: object, message: str) -> None:
    m = shaft()
    m.add(Motor("motor", on="hinge", torque=law))
    with pytest.raises(pl.ModelError) as error:
        pl.statics(m)
    assert str(error.value).startswith('Motor "motor".torque: ')
    assert message in str(error.value)


def test_a_number_is_not_a_law() -> None:
    with pytest.raises(
        pl.ModelError, match=r"expected a Python function of \(t, angle, speed\), got 3.0; write lambda t, angle"
    ):
        Motor("motor", on="hinge", torque=3.0)


def test_a_law_cannot_be_written_to_a_file() -> None:
    m = shaft()
    m.add(Motor("motor", on="hinge", torque=lambda t, angle, speed: 0.0))
    with pytest.raises(pl.ModelError, match=r"\.torque is a Python function. Model files contain data, not code"):
        m.to_toml()


@pytest.mark.parametrize("start", [0.0, 2.0])
def test_a_controller_of_first_order_holds_the_speed(start: float) -> None:
    """I w'' + p w' + i w = i w0, w(0) = 0, I w'(0) = p w0 + i e(0): the closed form of the controlled speed."""
    m = shaft()
    m.add(SpeedControl("control", on="hinge", target=10.0, proportional=1.0, integral=2.5, error=start))
    run = pl.dynamics(m, duration="6 s", step="2 ms")
    decay, omega = 1.0, math.sqrt(2.5 / 0.5 - 1.0)
    slope = (10.0 + 2.5 * start) / 0.5
    t = run.time
    expected = 10.0 + np.exp(-decay * t) * (
        -10.0 * np.cos(omega * t) + (slope - 10.0 * decay) / omega * np.sin(omega * t)
    )
    np.testing.assert_allclose(run["hinge.angular_speed"].values, expected, atol=2e-4)


def test_start_values_are_checked_and_written() -> None:
    with pytest.raises(pl.ModelError, match=r'"c".error: expected 1 initial values, got 2'):
        SpeedControl("c", on="hinge", target=1.0, proportional=1.0, integral=1.0, error=[1.0, 2.0])
    m = shaft()
    m.add(SpeedControl("control", on="hinge", target=10.0, proportional=1.0, integral=2.5, error="30 deg"))
    text = m.to_toml()
    assert "error = " in text
    assert pl.files.read(text, allow="references").model.describe() == m.describe()


def test_modes_see_condensed_coordinates() -> None:
    """A body on a spring in series with a mass on a spring: the two frequencies of the chain of both."""
    m = pl.Model("chain")
    body = m.body("body", mass=2.0, inertia=(1, 1, 1), position=(1, 0, 0))
    m.prismatic("slide", m.ground, body, axis="x")
    m.add(ElasticLink("link", a="ground", b=body, stiffness=300.0, inner=500.0, mass=0.7, free_length=1.0))
    K = np.array([[300.0, -300.0], [-300.0, 800.0]])
    expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(np.diag([2.0, 0.7]), K))) / (2 * math.pi)
    np.testing.assert_allclose(np.sort(pl.modes(m).frequencies)[-2:], np.sort(expected), rtol=1e-9)
    m.force("pull", body, ("3 N", 0, 0))
    assert pl.statics(m)["slide.displacement"].values[-1] == pytest.approx(3.0 / 300.0 + 3.0 / 500.0, rel=1e-9)
