"""Gallery model `servo-axis`: limit cycle against an independent integration and against describing functions."""

import pytest
from references.gallery_runs import figures_of
from references.servo_axis import VALUES, harmonic_balance, limit_cycle

import pitchline as pl
from pitchline import gallery


def test_the_limit_cycle_is_that_of_an_independent_integration() -> None:
    """Both solutions have errors below 1e-6: of order h^2 here, the tolerance there."""
    found = figures_of("servo-axis")
    amplitude, frequency = limit_cycle(VALUES)
    assert found["limit_cycle.amplitude"].value == pytest.approx(1e3 * amplitude, rel=1e-6)
    assert found["limit_cycle.frequency"].value == pytest.approx(frequency, rel=1e-6)


def test_describing_functions_agree_within_their_accuracy() -> None:
    """The first harmonic: 5 %, because the torque of the gear has higher harmonics."""
    found = figures_of("servo-axis")
    amplitude, frequency = harmonic_balance(VALUES, 6.9)
    assert found["limit_cycle.amplitude"].value == pytest.approx(1e3 * amplitude, rel=0.05)
    assert found["limit_cycle.frequency"].value == pytest.approx(frequency, rel=0.05)


def test_the_amplitude_grows_with_the_backlash() -> None:
    amplitudes = []
    for backlash in ("1 mrad", "4 mrad"):
        one = gallery.model("servo-axis", backlash=backlash)
        run = pl.dynamics(one.build(), duration="3 s", step="50 us", output_step="0.5 ms")
        y = run["load_axis.angle"].between(1.5, 3.0).values
        amplitudes.append(0.5 * (y.max() - y.min()))
    assert amplitudes[0] < 1.3e-3 < 4.5e-3 < amplitudes[1]
