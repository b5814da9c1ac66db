"""Tables write rounding as 0, and never a small value that is real."""

import pytest

from pitchline.results.status import FLOORS, RELATIVE, Scales


def test_rounding_is_relative_to_the_largest_value_of_the_quantity() -> None:
    scales = Scales([(5.0, "kN"), (2.0, "um")])
    assert scales.clean(0.9 * RELATIVE * 5e3, "N") == 0.0
    assert scales.clean(1.1 * RELATIVE * 5e3, "N") != 0.0
    assert scales.clean(1e-12, "m") == 1e-12  # a picometre, where the largest length is 2 um


@pytest.mark.parametrize(
    "value, unit", [(1e-9, "N"), (1e-12, "N*m"), (1e-12, "W"), (1e-10, "rad/s"), (1e-12, "m"), (1e-11, "rad")]
)
def test_values_of_micromachines_and_slow_creep_are_not_rounding(value: float, unit: str) -> None:
    assert Scales([(value, unit)]).clean(value, unit) == value
    assert FLOORS[unit] < 1e-2 * value


def test_a_value_that_no_computation_resolves_is_zero() -> None:
    assert Scales([(2.64e-24, "rad")]).clean(2.64e-24, "rad") == 0.0
