"""Records in few columns: against a plain loop over the samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitchline.results.series import columns_between
from pitchline.results.status import SignalError


def drawn(time, values, start, end, count):
    columns = columns_between(np.asarray(time, float), start, end, count)
    return columns, columns.reduce(np.asarray(values, float)[columns.rows])


def test_smallest_and_largest_of_every_column():
    time = np.linspace(0.0, 10.0, 10_001)
    values = np.sin(40.0 * time)
    values[5432] = 7.0
    columns, found = drawn(time, values, 2.0, 8.0, 100)
    assert columns.reduced
    assert found[1].max() == 7.0
    assert abs(columns.time[np.argmax(found[1])] - time[5432]) < 6.0 / 100
    # every sample of the window lies in one column, between its smallest and its largest value
    column = np.searchsorted(columns.starts, np.arange(columns.rows.stop - columns.rows.start), "right") - 1
    inside = values[columns.rows]
    low, high = (np.full(len(columns.time), sign * np.inf) for sign in (1.0, -1.0))
    for i, value in zip(column, inside, strict=True):
        low[i], high[i] = min(low[i], value), max(high[i], value)
    np.testing.assert_array_equal(found, [low, high])


def test_samples_at_the_ends_are_exact():
    time = np.linspace(0.0, 1.0, 1001)
    columns, found = drawn(time, time**2, 0.0, 1.0, 50)
    assert (columns.time[0], columns.time[-1]) == (0.0, 1.0)
    assert found[:, 0].tolist() == [0.0, 0.0] and found[:, -1].tolist() == [1.0, 1.0]
    # inside a record, one sample beyond either end: the line reaches the edge of the picture
    columns, found = drawn(time, time**2, 0.2505, 0.7495, 50)
    assert (columns.time[0], columns.time[-1]) == (time[250], time[750])
    assert found[0, 0] == time[250] ** 2 and found[1, -1] == time[750] ** 2


def test_few_samples_come_as_they_are():
    time = np.array([0.0, 0.1, 0.1, 5.0])
    columns, found = drawn(time, [1.0, 2.0, -3.0, np.nan], -1.0, 9.0, 4)
    assert not columns.reduced
    assert columns.time.tolist() == time.tolist()
    np.testing.assert_array_equal(found, [[1.0, 2.0, -3.0, np.nan]] * 2)


def test_unequal_times_keep_their_places():
    # 1000 samples in the first tenth, ten in the rest: the rare ones are columns with their own times
    time = np.concatenate([np.linspace(0.0, 0.1, 1000), np.linspace(0.15, 1.0, 10)])
    columns, found = drawn(time, np.arange(1010.0), 0.0, 1.0, 100)
    assert columns.reduced
    np.testing.assert_array_equal(columns.time[-10:], time[-10:])
    np.testing.assert_array_equal(found[:, -10:], [np.arange(1000.0, 1010.0)] * 2)
    assert len(columns.time) <= 103


def test_nan_is_left_out_where_there_are_other_values():
    time = np.arange(300.0)
    values = np.sin(time)
    values[10::7] = np.nan
    values[100:200] = np.nan
    columns, found = drawn(time, values, 0.0, 299.0, 30)
    told = np.isnan(found[0])
    assert told.tolist() == np.isnan(found[1]).tolist()
    assert set(np.flatnonzero(told)) == {i for i, t in enumerate(columns.time) if 100 < t < 199}


@pytest.mark.parametrize(("time", "expected"), [([], 0), ([0.5], 1)])
def test_records_of_no_and_of_one_sample(time, expected):
    columns, found = drawn(time, time, 0.0, 1.0, 10)
    assert found.shape == (2, expected)
    assert columns.time.tolist() == time


def test_windows_beside_the_record():
    time = np.linspace(0.0, 1.0, 11)
    assert drawn(time, time, 3.0, 4.0, 10)[0].time.tolist() == [1.0]
    assert drawn(time, time, -2.0, -1.0, 10)[0].time.tolist() == [0.0]
    assert drawn(time, time, 0.32, 0.33, 10)[0].time.tolist() == [time[3], time[4]]


@pytest.mark.parametrize("window", [(1.0, 0.0), (0.0, np.inf), (np.nan, 1.0)])
def test_windows_that_are_none(window):
    with pytest.raises(SignalError, match="start and end"):
        columns_between(np.arange(5.0), *window, 10)
    with pytest.raises(SignalError, match="at least one"):
        columns_between(np.arange(5.0), 0.0, 1.0, 0)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.0, 1.0), max_size=80),
    st.floats(-0.2, 1.2), st.floats(0.0, 1.0), st.integers(1, 20), st.randoms(use_true_random=False),
)  # fmt: skip
def test_no_sample_is_lost_or_counted_twice(times, start, width, count, random):
    time = np.sort(np.array(times))
    values = np.array([random.uniform(-1.0, 1.0) for _ in times])
    columns, found = drawn(time, values, start, start + width, count)
    rows = np.arange(len(time))[columns.rows]
    assert set(np.flatnonzero((time >= start) & (time <= start + width))) <= set(rows)
    assert len(columns.time) <= max(count, 2) + 3 and np.all(np.diff(columns.time) >= 0.0)
    assert np.all(np.diff(columns.starts) > 0) and found.shape == (2, len(columns.time))
    if len(rows):
        assert (found[0].min(), found[1].max()) == (values[rows].min(), values[rows].max())
