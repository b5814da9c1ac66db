"""Records packed in Python, as compiled code reads them: arrays behind them, arrays elsewhere, records inside records."""

import numpy as np
import pytest

from pitchline.math.compiled import A1, F8, entry
from pitchline.math.fields import (
    INTEGER,
    NUMBER,
    behind,
    elsewhere,
    embedded,
    fields,
    packed,
    record_over,
    reference,
    table,
)

Item = fields("Item", key=INTEGER, value=NUMBER)
Inner = fields("Inner", n=INTEGER, data=elsewhere(2, "n"), order=elsewhere("n", of="integer"))
Outer = fields(
    "Outer",
    m=INTEGER,
    near=behind("m"),
    keys=behind("m", of="integer"),
    inner=embedded(Inner),
    items=table(Item),
    one=reference(Item),
)
_over = record_over(Outer)


@entry
def everything(numbers: A1) -> F8:
    s = _over(numbers, 0)
    total = 0.0
    for i in range(s.m):
        total += s.near[i] * s.items[s.keys[i]].value
    for i in range(s.inner.n):
        total += s.inner.data[0, i] * s.inner.data[1, s.inner.order[i]]
    s.items[1].key = 7
    return total + s.one.value * s.one.key


def test_all_kinds_of_arrays() -> None:
    items = np.zeros(3, Item.dtype)
    items["value"] = 1.0, 10.0, 100.0
    data, order = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 0])
    one = packed(Item, {"key": 2, "value": 0.25})
    values = {"near": [1.0, 2.0], "keys": [2, 1], "items": items, "one": one, "inner": {"data": data, "order": order}}
    assert everything(packed(Outer, values)) == 100.0 + 20.0 + 4.0 + 6.0 + 0.5
    assert items["key"].tolist() == [0, 7, 0]


@pytest.mark.parametrize(
    "data, message",
    [
        (np.zeros((3, 2)), "2, the array has 3"),
        (np.zeros((2, 4))[:, ::2], "contiguous"),
        (np.zeros((2, 2), np.int64), "got int64"),
        (np.zeros((2, 5)), "n is 5, the array has 2"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(data: np.ndarray, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        packed(Inner, {"data": data, "order": np.zeros(2, np.int64)})


Part = fields("Part", n=INTEGER, data=behind("n"))
Pair = fields("Pair", first=embedded(Part), n=INTEGER, own=behind("n"), second=embedded(Part))
_pair_over = record_over(Pair)


@entry
def last_numbers(numbers: A1, place: F8) -> F8:
    s = _pair_over(numbers, int(place))
    return s.first.data[s.first.n - 1] + s.own[s.n - 1] + s.second.data[s.second.n - 1]


def test_records_inside_have_arrays_behind_the_whole() -> None:
    """Wherever the whole lies: places are counted from the record that they belong to."""
    whole = packed(Pair, {"first": {"data": [1.0, 2.0]}, "own": [10.0], "second": {"data": [100.0, 200.0, 300.0]}})
    assert whole.size == Pair.size + 6
    assert last_numbers(np.concatenate([np.zeros(3), whole]), 3.0) == 312.0
