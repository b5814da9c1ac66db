"""Records with named fields in compiled code: every kind of field read and written, arrays that overlap, declarations."""

import numpy as np
import pytest
from numba.core.errors import TypingError
from references.example_records import Example, Point, Whole

from pitchline.numerics.fields import (
    INTEGER,
    NUMBER,
    VECTOR,
    behind,
    elsewhere,
    embedded,
    fields,
    matrix_over,
    numbers,
    packed,
    record_as,
    record_at,
    record_over,
    reference,
    table,
)
from pitchline.numerics.machine_code.compiled import A1, A2, F8, I8, V3, block, entry, leaf

whole_over, point_over, point_at, as_point = record_over(Whole), record_over(Point), record_at(Point), record_as(Point)


# ---- reading


@entry
def read_numbers(pool: A1, out: A1):
    s = whole_over(pool, 5)
    out[0] = s.k
    a, b, c = s.e
    out[1] = a + 10 * b + 100 * c
    R = s.R
    for i in range(9):
        out[2 + i] = R[i]
    out[11] = s.pair[0] + s.pair[1]
    line, grid = s.line, s.grid
    out[12] = line.size + line[3]
    out[13] = grid.shape[0] * 10 + grid.shape[1]
    out[14] = grid[1, 2]
    out[15] = s.rows + 10 * s.columns + 100 * s.count


@entry
def read_records(pool: A1, out: A1):
    s = whole_over(pool, 5)
    out[0] = s.inner.x + s.inner.n
    out[1] = s.inner.axis[2]
    out[2] = s.other.axis[1]
    for i in range(3):
        out[3 + i] = s.points[i].x * s.points[i].n
    last = s.points[2]
    out[6] = last.x


@entry
def read_arrays(pool: A1, out: A1):
    s = whole_over(pool, 5)
    out[0] = s.omega.size + s.omega[1]
    out[1] = s.modes.shape[0] + 10 * s.modes.shape[1] + 100 * s.modes[1, 2]
    out[2] = s.far[0] + s.far[1]
    out[3] = s.far_grid[1, 2] + s.far_grid.shape[1]
    out[4] = s.three.size + s.three[2]


@entry
def read_integers(pool: A1, i: I8) -> I8:
    s = whole_over(pool, 5)
    if i < 4:
        return s.integers[i]
    if i < 8:
        return s.indices[i - 4]
    return s.pairs[(i - 8) // 2, (i - 8) % 2]


def filled(function: object, pool: np.ndarray, n: int) -> np.ndarray:
    out = np.full(n, np.nan)
    function(pool, out)  # type: ignore[operator]
    return out


def test_numbers_tuples_and_arrays_inside_a_record() -> None:
    out = filled(read_numbers, Example().pool, 16)
    np.testing.assert_array_equal(out, [2.5, 321.0, *range(9), 0.1 + 0.2, 7.0, 23.0, 5.0, 432.0])


def test_records_inside_behind_an_address_and_in_a_table() -> None:
    np.testing.assert_array_equal(filled(read_records, Example().pool, 7), [-2.25, 1.0, 8.0, 15.0, 50.0, 105.0, 3.5])


def test_arrays_behind_the_record_and_elsewhere() -> None:
    np.testing.assert_array_equal(filled(read_arrays, Example().pool, 5), [14.0, 582.0, 0.75, 8.0, 9.0])


def test_integers_keep_all_their_digits() -> None:
    """Not as float64, which has 53 bits; indices have no sign."""
    made = Example()
    expected = [*made.integers.tolist(), *made.indices.tolist(), 2**60 + 1, *range(2, 9)]
    assert [read_integers(made.pool, i) for i in range(16)] == expected


# ---- writing


@leaf
def stretch(s: Point, by: F8):
    s.x *= by
    s.axis = (by * s.axis[0], by * s.axis[1], by * s.axis[2])


@block
def turn(s: Point) -> V3:
    """Records of their own type are arguments of compiled functions."""
    s.n += 1
    return (s.axis[2], s.axis[0], s.axis[1])


@entry
def write(pool: A1):
    s = whole_over(pool, 5)
    s.k = 3  # an integer becomes a number
    s.e = (s.e[2], s.e[1], s.e[0])
    s.R = (9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0)
    s.pair = (1, 2)
    s.line[1] += 0.5
    s.grid[1, 0] = -1.0
    s.inner.axis = (4.0, 5.0, 6.0)
    stretch(s.inner, 2.0)
    s.other.axis = turn(s.other)
    for i in range(3):
        stretch(s.points[i], 10.0)
        s.points[i].n -= 1
    s.omega[0] *= 2.0
    s.modes[1, 1] = 0.0
    s.pairs[1, 0] += 2**60
    s.far[1] = 9.0
    s.integers[2] = 2**60 + 3
    s.indices[3] = 77


def test_every_kind_of_field_is_written_where_it_lies() -> None:
    made, plain = Example(), Example()
    write(made.pool)
    assert np.all(np.isnan(made.pool[:5]))
    s, before = made.values, plain.values
    assert s["k"] == 3.0
    np.testing.assert_array_equal(s["e"], before["e"][::-1])
    np.testing.assert_array_equal(s["R"], np.arange(9.0, 0.0, -1.0))
    np.testing.assert_array_equal(s["pair"], [1.0, 2.0])
    np.testing.assert_array_equal(s["line"], [0.0, 1.5, 2.0, 3.0])
    np.testing.assert_array_equal(s["grid"], [[0.0, 1.0, 2.0], [-1.0, 4.0, 5.0]])
    assert s["inner"]["x"] == 1.5 and s["inner"]["n"] == -3
    np.testing.assert_array_equal(s["inner"]["axis"], [8.0, 10.0, 12.0])
    np.testing.assert_array_equal(made.other["axis"][0], [9.0, 7.0, 8.0])
    assert made.other["n"][0] == 1
    np.testing.assert_array_equal(made.points["x"], [15.0, 25.0, 35.0])
    np.testing.assert_array_equal(made.points["n"], [9, 19, 29])
    tail = made.pool[5 + Whole.size :]
    np.testing.assert_array_equal(tail[:8], [22.0, 12.0, 0.5, 1.5, 2.5, 3.5, 0.0, 5.5])
    assert tail[8:].view(np.int64).tolist() == [2**60 + 1, 2, 2**60 + 3, 4, 5, 6, 7, 8]
    np.testing.assert_array_equal(made.far, [0.25, 9.0])
    assert made.integers[2] == 2**60 + 3 and made.indices[3] == 77
    for name in ("rows", "columns", "count", "omega", "modes", "pairs"):  # counts and places of arrays
        assert s[name] == before[name]


@entry
def swapped(pool: A1):
    s = point_over(pool, 0)
    a = s.axis
    s.axis = (a[1], a[2], a[0])
    pool[2] = 100.0
    s.x = a[0] + s.axis[0]  # the tuple is a copy, the field is read anew


def test_a_tuple_is_a_copy_and_is_stored_whole() -> None:
    pool = packed(Point, {"axis": [1.0, 2.0, 3.0]})
    swapped(pool)
    np.testing.assert_array_equal(pool[2:], [100.0, 3.0, 1.0])
    assert pool[0] == 101.0


Lists = fields("Lists", n=INTEGER, sum=NUMBER, step=NUMBER, a=elsewhere("n"), b=elsewhere("n"))
lists_at = record_at(Lists)


@entry
def accumulate(address: I8):
    """Both arrays, and a number of the record itself, may lie on top of each other: what is written is read again."""
    s = lists_at(address)
    for i in range(s.n):
        s.a[i] += s.b[i] + s.step
        s.sum += s.a[i]


def reference_sum(a: np.ndarray, b: np.ndarray, step: np.ndarray) -> float:
    total = 0.0
    for i in range(a.size):
        a[i] += b[i] + step[0]
        total += a[i]
    return total


@pytest.mark.parametrize("shift", [-1, 0, 1, 5])
def test_arrays_that_overlap(shift: int) -> None:
    memory, expected = np.arange(30.0), np.arange(30.0)
    record = packed(Lists, {"step": 1.0, "a": memory[8 : 8 + 9], "b": memory[8 + shift : 17 + shift]})
    accumulate(record.ctypes.data)
    total = reference_sum(expected[8:17], expected[8 + shift : 17 + shift], np.ones(1))
    np.testing.assert_array_equal(memory, expected)
    assert record[Lists.place("sum")[0]] == total


def test_an_array_that_lies_on_a_number_of_its_record() -> None:
    """Numbers are not taken for constant: here the loop changes its own step."""
    record = packed(Lists, {"step": 1.0})
    at = Lists.place("step")[0]
    values = record.view(Lists.dtype)[0]
    values["n"], values["a"], values["b"] = 1, record[at:].ctypes.data, record[at:].ctypes.data
    accumulate(record.ctypes.data)
    assert values["step"] == 3.0 and values["sum"] == 3.0


@entry
def other_ways(pool: A1, address: I8, out: A2):
    out[0, 0] = as_point(whole_over(pool, 5).other).axis[2]
    out[0, 1] = point_at(address).x
    M = matrix_over(pool, 2, 3)
    M[1, 2] = 8.0
    out[1, 0] = M.shape[0] * 10 + M.shape[1]


def test_records_at_addresses_and_matrices_over_arrays() -> None:
    made, out = Example(), np.zeros((2, 2))
    other = packed(Point, {"x": 0.125})
    other_ways(made.pool, other.ctypes.data, out)
    assert out.tolist() == [[9.0, 0.125], [23.0, 0.0]]
    assert made.pool[5] == 8.0


# ---- declarations


def test_layout() -> None:
    """In the order of the declaration, eight bytes a number; numpy sees the same."""
    assert Whole.size == 1 + 3 + 3 + 9 + 2 + 4 + 6 + Point.size + 2 + 8
    assert Whole.dtype.itemsize == 8 * Whole.size
    assert all(8 * Whole.place(name)[0] == Whole.dtype.fields[name][1] for name, _ in Whole.layout)
    assert "omega" in Whole and "mega" not in Whole


def test_names_that_numba_uses_are_refused() -> None:
    with pytest.raises(TypeError, match='Bad: "view" cannot be the name of a field'):
        fields("Bad", view=NUMBER)


@pytest.mark.parametrize("kind", [behind("n"), behind("m", "n"), elsewhere("n"), elsewhere("m", "n", of="index")])
def test_the_size_of_an_array_is_an_integer_of_the_same_record(kind: object) -> None:
    for layout in ({"n": NUMBER}, {"n": VECTOR}, {}):
        with pytest.raises(TypeError, match=r'Bad\.a: its size "n" must be an integer field of the same record'):
            fields("Bad", m=INTEGER, **layout, a=kind)


def test_arrays_and_records_cannot_be_assigned_to() -> None:
    @entry
    def wrong(pool: A1):
        s = whole_over(pool, 5)
        s.line = s.omega

    with pytest.raises(Exception, match=r'"line" of Whole.* cannot be assigned to'):
        wrong(Example().pool)


def test_a_field_that_is_not_there_is_an_error_of_types() -> None:
    @entry
    def wrong(pool: A1) -> F8:
        return whole_over(pool, 5).stiffness

    with pytest.raises(TypingError, match="stiffness"):
        wrong(Example().pool)


def test_another_layout_is_another_type() -> None:
    """Also where the difference is in a record inside; equal declarations are one type."""
    same = fields("Point", x=NUMBER, n=INTEGER, axis=VECTOR)
    assert same == Point and hash(same) == hash(Point)
    others = [
        fields("Point", x=NUMBER, axis=VECTOR, n=INTEGER),
        fields("Point", y=NUMBER, n=INTEGER, axis=VECTOR),
        fields("Point", x=NUMBER, n=INTEGER, axis=numbers(4)),
        fields("Point", x=INTEGER, n=INTEGER, axis=VECTOR),
        fields("Other", x=NUMBER, n=INTEGER, axis=VECTOR),
    ]
    assert len({Point, *others}) == 6
    for kind in (embedded, reference, table):
        assert len({fields("Outer", at=kind(one)) for one in (Point, *others)}) == 6
