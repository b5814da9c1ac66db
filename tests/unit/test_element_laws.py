"""Laws of elements: Python functions of numbers, compiled and called by address."""

import math

import numpy as np
import pytest
from references.user_elements import Motor

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
    with pytest.raises(pl.ModelError, match=r"expected a Python function of \(t, angle, speed\), got 3.0; write lambda t, angle"):
        Motor("motor", on="hinge", torque=3.0)


def test_a_law_cannot_be_written_to_a_file() -> None:
    m = shaft()
    m.add(Motor("motor", on="hinge", torque=lambda t, angle, speed: 0.0))
    with pytest.raises(pl.ModelError, match=r"\.torque is a Python function; a file holds data and no code"):
        m.to_toml()
