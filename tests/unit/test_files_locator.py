"""The line of every key, for everything that TOML allows."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitchline.files import written_values as toml_text
from pitchline.files.key_lines import TooDeep, locate

TEXT = '''\
# a comment with [brackets] and "quotes"
title = "a # that is no comment" # but this is
"quoted \\u00e9" . 'literal key' = 1
a.b.c = [1, [2,
  3], # in between
  { x = 1, y.z = [
4] },
]

[table]
text = """
[not.a.table]
key = "no"
"""
raw = \'\'\'
[neither]
it's " fine \'\'\'
after = 1979-05-27T07:32:00Z

[ table . "sub.table" ]
x = +1_000.5e-3
[[list]]
n = 0
[[list]]
n = 1
  [list.deep]
  m = { p = 'x', q = "}" }
  [[list.more]]
  k = true
  [[list.more]]
  k = false
'''


def paths(data: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    found = {path} if path else set()
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        found |= paths(value, (*path, key))
    return found


@pytest.mark.parametrize(
    "path, line",
    [
        (("title",), 2),
        (("quoted é", "literal key"), 3),
        (("a", "b", "c"), 4),
        (("a", "b", "c", 1), 4),
        (("a", "b", "c", 1, 1), 5),
        (("a", "b", "c", 2, "x"), 6),
        (("a", "b", "c", 2, "y", "z"), 6),
        (("a", "b", "c", 2, "y", "z", 0), 7),
        (("table",), 10),
        (("table", "text"), 11),
        (("table", "raw"), 15),
        (("table", "after"), 18),
        (("table", "sub.table"), 20),
        (("table", "sub.table", "x"), 21),
        (("list", 0), 22),
        (("list", 0, "n"), 23),
        (("list", 1, "n"), 25),
        (("list", 1, "deep", "m", "q"), 27),
        (("list", 1, "more", 0, "k"), 29),
        (("list", 1, "more", 1, "k"), 31),
    ],
)
def test_lines(path: tuple[str | int, ...], line: int) -> None:
    assert locate(TEXT)[path] == line


def test_every_place_has_a_line_and_no_line_has_another_place() -> None:
    assert set(locate(TEXT)) == paths(tomllib.loads(TEXT))


KEYS = st.text(alphabet="abc-_09 .\"'\\#[]=é\n\t", min_size=0, max_size=4)
TEXTS = st.text(alphabet="abc \"'\\#[]{}=,é\n\t", max_size=8)
SCALARS = st.one_of(st.integers(-(10**6), 10**6), st.floats(allow_nan=False), st.booleans(), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(KEYS, VALUES, max_size=4),
    st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3),
)
def test_places_are_those_of_the_data(head: dict[str, Any], tables: dict[str, dict[str, Any]]) -> None:
    """Also: what toml_text writes, tomllib reads back."""
    lines = [f"{toml_text.key(key)} = {toml_text.value(value)}\n" for key, value in head.items() if key not in tables]
    text = "".join(lines) + "".join(toml_text.table((key,), table) for key, table in tables.items())
    data = tomllib.loads(text)
    assert data == {**{key: value for key, value in head.items() if key not in tables}, **tables}
    found = locate(text)
    assert set(found) == paths(data)
    assert all(1 <= line <= text.count("\n") for line in found.values())


@settings(max_examples=300, deadline=500)
@given(st.text(alphabet="ab.=[]{}\"'#,\\\n 1", max_size=60))
def test_no_text_stops_the_scan_with_an_error(text: str) -> None:
    assert all(1 <= line <= text.count("\n") + 1 for line in locate(text).values())


@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 1000, "a = " + "{a=" * 1000, ".".join("a" * 1000) + " = 1", "[" + ".".join("a" * 1000) + "]"],
)
def test_nesting_has_an_end(text: str) -> None:
    with pytest.raises(TooDeep):
        locate(text)
