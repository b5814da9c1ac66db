"""Records packed in Python, as compiled code reads them: arrays behind them and elsewhere, records in records; code in files."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from references.example_records import Point, Whole

from pitchline.numerics.fields import (
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
from pitchline.numerics.machine_code.compiled import A1, F8, entry

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
        (np.zeros((3, 2)), "a size of 2 expected, got 3"),
        (np.zeros((2, 4))[:, ::2], "contiguous"),
        (np.zeros((2, 2), np.int64), "float64, got int64"),
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


def test_what_is_not_given_is_zero() -> None:
    record = packed(Whole, {})
    values = record.view(Whole.dtype)[0]
    assert record.size == Whole.size
    assert values["rows"] == values["count"] == values["k"] == values["far"] == 0
    assert values["omega"] == values["modes"] == Whole.size  # nothing, at the end


def test_an_embedded_record_may_be_a_value_of_numpy() -> None:
    point = packed(Point, {"x": 2.0, "n": 7, "axis": [1.0, 2.0, 3.0]}).view(Point.dtype)[0]
    record = packed(Whole, {"inner": point})
    assert record.view(Whole.dtype)[0]["inner"] == point


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"stiffness": 1.0, "mass": 2.0}, r"Whole\.\w+: no field mass, stiffness"),
        ({"inner": {"y": 1.0}}, r"Point\.\w+: no field y"),
        ({"omega": np.ones(2), "modes": np.ones((3, 2))}, r"modes: rows is 2, the array has 3"),
        ({"omega": np.ones(2), "modes": np.ones((2, 2)), "far": np.ones(3)}, r"far: rows is 2, the array has 3"),
        ({"omega": np.ones(0), "modes": np.ones((3, 2))}, r"modes: rows is 0, the array has 3"),
        ({"modes": np.ones((3, 2))}, r"omega: rows is 3, the array is not given"),
        ({"omega": np.ones(2)}, r"modes: rows is 2, the array is not given"),
        ({"rows": 4, "omega": np.ones(2)}, r"omega: rows is 4, the array has 2"),
        ({"rows": 4}, r"omega: rows is 4, the array is not given"),
        ({"pairs": np.ones((1, 3))}, r"pairs: a size of 2 expected, got 3"),
        ({"three": np.ones(2)}, r"three: a size of 3 expected, got 2"),
        ({"far": np.ones(3, np.float32)}, r"far: expected a contiguous array of float64, got float32"),
        ({"far": np.ones(6)[::2]}, r"far: expected a contiguous array"),
        ({"integers": np.ones(3)}, r"integers: expected a contiguous array of int64, got float64"),
        ({"indices": np.ones(3, np.int64)}, r"indices: expected a contiguous array of uint32, got int64"),
    ],
)
def test_what_does_not_fit_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        packed(Whole, values)


@pytest.mark.parametrize("values", [{"e": [1.0, 2.0]}, {"R": np.eye(2)}, {"line": np.ones(5)}, {"k": [1.0, 2.0]}])
def test_tuples_and_inner_arrays_have_their_size(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"reshape|sequence"):
        packed(Whole, values)


# ---- files of compiled code

MODULE = """
from pitchline.numerics.machine_code.compiled import A1, F8, entry, leaf
from pitchline.numerics.fields import INTEGER, NUMBER, behind, fields, record_over

Law = fields("Law", {layout}, n=INTEGER, a=behind("n"))
law_over = record_over(Law)

@leaf
def first(s: Law) -> F8:
    return s.k * s.a[0]

@entry
def ask(pool: A1) -> F8:
    return first(law_over(pool, 0))
"""
ASK = """
from pitchline.numerics.fields import packed
from of_test import Law, ask
print(ask(packed(Law, {"k": 3.0, "a": [2.0]})), sum(ask.stats.cache_misses.values()))
"""


@pytest.mark.slow
def test_compiled_code_with_records_is_found_again_by_another_process(tmp_path: Path) -> None:
    """And a changed layout compiles anew, though not a word of the functions differs."""

    def in_new_process(layout: str) -> tuple[float, int, set[str]]:
        (tmp_path / "of_test.py").write_text(MODULE.format(layout=layout))
        cache = tmp_path / "cache"
        paths = os.pathsep.join([str(tmp_path), *(p for p in sys.path if p)])
        environment = os.environ | {"PITCHLINE_CACHE_DIR": str(cache), "PYTHONPATH": paths}
        run = subprocess.run(
            [sys.executable, "-B", "-c", ASK], env=environment, capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, run.stderr
        value, compiled = run.stdout.split()
        return float(value), int(compiled), {str(p.relative_to(cache)) for p in cache.rglob("*.code")}

    first, again = in_new_process("k=NUMBER"), in_new_process("k=NUMBER")
    assert first[:2] == (6.0, 1) and again[:2] == (6.0, 0)
    assert again[2] == first[2]
    changed = in_new_process("before=NUMBER, k=NUMBER")
    assert changed[:2] == (6.0, 1)
    assert changed[2] > first[2]
    assert in_new_process("k=NUMBER")[1] == 0
