"""Figures of signals that come and go, and of lists: starts_above and the like, part_above, nonzero, below, rows."""

import numpy as np
import pytest

from pitchline.files.amounts import AmountError
from pitchline.files.figure_functions import FUNCTIONS
from pitchline.files.figure_numbers import Numbers, of_signal
from pitchline.results import Signal

TIME = np.arange(9.0)
FORCE = np.array([5.0, 0.0, 2.0, 3.0, 0.0, 0.0, 4.0, 0.0, 1.0])
"""Two whole passages above zero; one that the record begins with, and one that it ends with."""


def signal(values: np.ndarray, unit: str = "N", *, known: bool = True) -> Numbers:
    return of_signal(Signal("mesh.contact_force", values, TIME[: len(values)], unit), known=known)


def number(value: float, unit: str = "") -> Numbers:
    return Numbers.of_unit(value, unit)


def call(name: str, *given: Numbers) -> Numbers:
    return FUNCTIONS[name].call(*given)


def test_whole_passages_count() -> None:
    zero = number(0.0)
    assert call("starts_above", signal(FORCE), zero).values.tolist() == [2.0, 6.0]
    assert call("durations_above", signal(FORCE), zero).values.tolist() == [2.0, 1.0]
    assert call("peaks_above", signal(FORCE), zero).values.tolist() == [3.0, 4.0]
    assert call("starts_above", signal(FORCE), number(2.5, "N")).values.tolist() == [3.0, 6.0]
    assert call("starts_above", signal(FORCE), zero).default_unit() == "s"
    assert call("peaks_above", signal(FORCE), zero).default_unit() == "N"


def test_no_passage_is_an_empty_list() -> None:
    found = call("starts_above", signal(np.zeros(5)), number(0.0))
    assert found.values.shape == (0,) and call("count", found).values == 0
    assert call("starts_above", signal(np.ones(5)), number(0.0)).values.shape == (0,)


def test_part_of_the_time() -> None:
    """Between samples that differ, half of the time."""
    assert call("part_above", signal(np.array([0.0, 1.0, 1.0, 0.0])), number(0.0)).values == pytest.approx(2.0 / 3.0)
    assert call("part_above", signal(np.ones(4)), number(2.0, "N")).values == 0.0


def test_nonzero_counts_components() -> None:
    forces = np.array([[0.0, 1.0, -2.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    found = call("nonzero", signal(forces))
    assert found.values.tolist() == [2, 0, 1] and found.signal is not None and found.default_unit() == ""
    assert call("max", found).values == 2
    assert call("nonzero", Numbers(np.array([0.0, 3.0]))).values == 1


def test_lists() -> None:
    found = call("below", Numbers.of_unit(np.array([1e3, 2e3, 3e3]), "Hz"), number(2.5, "kHz"))
    np.testing.assert_allclose(found.converted("Hz"), [1e3, 2e3])
    rows = call("rows", Numbers(np.array([1.0, 2.0, 3.0])), Numbers(np.array([4.0, 5.0, 6.0])))
    assert rows.values.tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]


@pytest.mark.parametrize("name", ["starts_above", "durations_above", "peaks_above", "part_above"])
def test_wrong_use_is_said(name: str) -> None:
    with pytest.raises(AmountError, match="takes a signal"):
        call(name, number(1.0, "N"), number(0.0))
    with pytest.raises(AmountError, match="level"):
        call(name, signal(FORCE), number(1.0, "mm"))
    with pytest.raises(AmountError, match="one component"):
        call(name, signal(np.ones((3, 3))), number(0.0))


def test_wrong_lists_are_said() -> None:
    with pytest.raises(AmountError, match="same dimension"):
        call("below", Numbers.of_unit(np.array([1.0]), "Hz"), number(1.0, "N"))
    with pytest.raises(AmountError, match="list"):
        call("below", signal(FORCE), number(1.0, "N"))
    with pytest.raises(AmountError, match="sizes"):
        call("rows", Numbers(np.ones(2)), Numbers(np.ones(3)))


@pytest.mark.parametrize("name", ["starts_above", "durations_above", "peaks_above", "part_above"])
def test_before_the_run_only_the_unit_is_known(name: str) -> None:
    found = call(name, signal(FORCE, known=False), number(0.0))
    assert not found.known and found.default_unit() == {"peaks_above": "N", "part_above": ""}.get(name, "s")


def test_the_period_is_interpolated_between_samples() -> None:
    wave = signal(np.array([0.0, 2.0, -2.0, 2.0, -2.0, 6.0, -6.0]))
    times = [0.0, 2.5, 4.25]  # upward passages through 0; the first sample itself is not a passage
    assert call("period", wave, number(0.0)).values == pytest.approx(times[2] - times[1])
    with pytest.raises(AmountError, match="less than twice"):
        call("period", signal(np.arange(5.0)))
