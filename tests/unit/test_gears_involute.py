"""The involute function and its inverse."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchline.errors import ModelError
from pitchline.gears import inverse_involute, involute


@given(st.floats(0.0, 1.5))
def test_inverse(angle: float) -> None:
    assert inverse_involute(involute(angle)) == pytest.approx(angle, abs=1e-14, rel=1e-14)


@given(st.floats(0.0, 100.0))
def test_inverse_the_other_way(value: float) -> None:
    """inv changes by tan² α dα: at large angles the figures of α limit those of inv α."""
    angle = inverse_involute(value)
    assert involute(angle) == pytest.approx(value, rel=1e-14, abs=4e-16 * (1 + math.tan(angle) ** 2))


@given(st.floats(1e-6, 0.15))
def test_small_angles_keep_their_figures(angle: float) -> None:
    """inv α = α³/3 + 2α⁵/15 + 17α⁷/315 + ...: a plain difference would be wrong by 3e-16/α² of its value."""
    leading = angle**3 / 3 + 2 * angle**5 / 15 + 17 * angle**7 / 315
    assert involute(angle) == pytest.approx(leading, rel=0.1 * angle**6 + 4e-16)


def test_the_series_meets_the_difference() -> None:
    below, above = math.nextafter(0.15, 0), math.nextafter(0.15, 1)
    assert involute(below) == pytest.approx(involute(above), rel=3e-14)


def test_tabulated_values() -> None:
    """Tables of the involute: inv 20° = 0.014904, inv 14.5° = 0.005545, inv 30° = 0.053751."""
    for degrees, value in ((20.0, 0.014904), (14.5, 0.005545), (30.0, 0.053751)):
        assert involute(math.radians(degrees)) == pytest.approx(value, abs=5e-7)


def test_odd() -> None:
    assert involute(-0.3) == -involute(0.3)
    assert inverse_involute(0.0) == 0.0


@pytest.mark.parametrize("value", [-1e-9, math.nan, math.inf])
def test_what_is_refused(value: float) -> None:
    with pytest.raises(ModelError, match=r"pair: no pressure angle"):
        inverse_involute(value, what="pair")
