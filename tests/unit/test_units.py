"""Quantities as users give them: values, dimensions and messages."""

import math
import string
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchline.errors import ModelError, UnitError
from pitchline.units import DIMENSIONS, array, canonical_unit, dimension_of, matrix, quantity, vector

WHAT = 'body "link": mass'


@pytest.mark.parametrize(
    "text, dimension, value",
    [
        ("230 V", "voltage", 230.0),
        ("1.5 kV", "voltage", 1500.0),
        ("30 mohm", "resistance", 0.03),
        ("2 Ω", "resistance", 2.0),
        ("0.5 mH", "inductance", 5e-4),
        ("20 mA", "electric current", 0.02),
        ("0.1 N*m/A", "V*s/rad", 0.1),
        ("3 V*A", "power", 3.0),
        ("2 Wb/A", "inductance", 2.0),
        ("2 mm", "length", 0.002),
        ("2mm", "length", 0.002),
        ("50 um", "length", 5e-5),
        ("50 µm", "length", 5e-5),  # micro sign
        ("50 μm", "length", 5e-5),  # Greek mu
        ("3 nm", "length", 3e-9),
        ("1 in", "length", 0.0254),
        (" -1.5e-3  m ", "length", -0.0015),
        ("+.5 m", "length", 0.5),
        ("5. m", "length", 5.0),
        ("2 kg", "mass", 2.0),
        ("7 g", "mass", 0.007),
        ("1 lb", "mass", 0.45359237),
        ("3 lbf*s^2/in", "mass", 3 * 4.4482216152605 / 0.0254),
        ("1 t", "mass", 1000.0),
        ("20 ms", "time", 0.02),
        ("2 min", "time", 120.0),
        ("20 deg", "angle", math.pi / 9),
        ("20°", "angle", math.pi / 9),
        ("1 rev", "angle", 2 * math.pi),
        ("60 arcmin", "angle", math.pi / 180),
        ("0.5", "angle", 0.5),
        ("12000 rpm", "angular velocity", 400 * math.pi),
        ("50 Hz", "angular velocity", 100 * math.pi),
        ("3 1/s", "angular velocity", 3.0),
        ("3 rad/min", "angular velocity", 0.05),
        ("50 Hz", "frequency", 50.0),
        ("2 kHz", "frequency", 2000.0),
        ("3000 rpm", "frequency", 50.0),
        ("120 1/min", "frequency", 2.0),
        ("-9.81 m/s^2", "acceleration", -9.81),
        ("-9.81 m/s²", "acceleration", -9.81),
        ("-9.81 m*s^-2", "acceleration", -9.81),
        ("-9.81 m s^(-2)", "acceleration", -9.81),
        ("-9.81 m/(s*s)", "acceleration", -9.81),
        ("-9.81 m/s/s", "acceleration", -9.81),
        ("-9.81 m/s**2", "acceleration", -9.81),
        ("1e5 N*m/rad", "torsional stiffness", 1e5),
        ("1e5 N*m", "torsional stiffness", 1e5),
        ("1e5 N*m/rad", "torque", 1e5),
        ("1 N*m/deg", "torsional stiffness", 180 / math.pi),
        ("2.6e8 N/m", "stiffness", 2.6e8),
        ("260 N/um", "stiffness", 2.6e8),
        ("3 N*s/mm", "damping", 3000.0),
        ("5 kg*mm^2", "inertia", 5e-6),
        ("7.85 g/cm^3", "density", 7850.0),
        ("210 GPa", "pressure", 2.1e11),
        ("1 psi", "pressure", 6894.757293168361),
        ("1 hp", "power", 745.6998715822702),
        ("30 %", "number", 0.3),
        ("46 cSt", "kinematic viscosity", 46e-6),
        ("3 * m", "length", 3.0),
        ("4 N·m", "torque", 4.0),
        ("5 N*s", "N*s", 5.0),
    ],
)
def test_texts(text: str, dimension: str, value: float) -> None:
    assert quantity(text, dimension, what=WHAT) == pytest.approx(value, rel=1e-14)


def test_decimal_units_are_exact() -> None:
    assert quantity("50 um", "length", what=WHAT) == 5e-5
    assert quantity("0.3 mm", "length", what=WHAT) == 0.3e-3


@pytest.mark.parametrize("value", [2, 2.0, np.float64(2), np.float32(2), np.int64(2), np.array(2.0), Fraction(2)])
def test_numbers_are_si(value: object) -> None:
    result = quantity(value, "mass", what=WHAT)
    assert result == 2.0 and type(result) is float


@pytest.mark.parametrize(
    "value, dimension, message",
    [
        ("20 mm", "angle", "expected angle (rad, deg), got length"),
        ("20", "length", "has no unit: expected length"),
        ("2,5 mm", "length", "decimal comma"),
        ("12 1/h", "angular velocity", '"rpm"'),
        ("20 deg", "number", "got angle"),
        ("1 N*m/deg", "torque", "got torsional stiffness"),
        ("1 N*m/mrad", "torque", "got torsional stiffness"),
        ("3 m/s2", "velocity", 'write powers with ^, e.g. "m/s^2"'),
        ("3 m^2.5", "length", "integer"),
        ("3 m^x", "length", "integer"),
        ("3 m^", "length", "integer"),
        ("3 m^(2", "length", "one integer"),
        ("3 m^99", "length", "too large"),
        ("3 (m", "length", '")" is missing'),
        ("3 m)", "length", 'unexpected ")"'),
        ("3 ()", "length", "unexpected"),
        ("3 m/", "length", "incomplete"),
        ("3 $", "length", 'cannot read "$"'),
        ("3 ^2", "length", "unexpected"),
        ("", "length", "does not start with a number"),
        ("mm", "length", "does not start with a number"),
        ("nan m", "length", "does not start with a number"),
        ("1e999 m", "length", "not finite"),
        ("1e99 Tm", "length", "too large"),
        ("1 (((Tm^12)^12)^12)", "length", "out of the range"),
        ("1 (((um^12)^12)^12)", "length", "out of the range"),
        ("1 " + "m*" * 500 + "m", "length", "too long"),
        (True, "mass", "bool"),
        (np.True_, "mass", "not a quantity"),
        (None, "mass", "NoneType"),
        ([1.0], "mass", "list"),
        (1j, "mass", "complex"),
        (b"2 kg", "mass", "bytes"),
        (math.nan, "mass", "not finite"),
        (-math.inf, "mass", "not finite"),
        (10**400, "mass", "not finite"),
        (1e200, "mass", "too large"),
    ],
)
def test_what_is_refused(value: object, dimension: str, message: str) -> None:
    with pytest.raises(UnitError) as caught:
        quantity(value, dimension, what=WHAT)
    assert message in str(caught.value)
    assert str(caught.value).startswith(WHAT)


def test_any_dimension() -> None:
    assert quantity("2 mm", None, what=WHAT) == 0.002
    assert quantity("12000 rpm", None, what=WHAT) == pytest.approx(400 * math.pi)
    assert dimension_of("2 N") == (1, 1, -2, 0, 0, 0)
    assert dimension_of(2.0) is None


def test_a_wrong_dimension_name_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="neither a dimension nor a unit"):
        quantity("2 mm", "lenght", what=WHAT)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_dimension_reads_its_own_units(dimension: str) -> None:
    unit, examples = DIMENSIONS[dimension]
    assert quantity(f"2 {unit}", dimension, what=WHAT) == pytest.approx(2.0, rel=1e-15)
    for example in examples:
        quantity("2" if example == "no unit" else f"2 {example}", dimension, what=WHAT)
    assert canonical_unit(dimension) == unit


@given(st.floats(-1e50, 1e50), st.sampled_from(["m", "mm", "um", "in", "km", "ft"]))
def test_texts_equal_numbers(number: float, unit: str) -> None:
    size = quantity(f"1 {unit}", "length", what=WHAT)
    assert quantity(f"{number!r} {unit}", "length", what=WHAT) == pytest.approx(number * size, rel=1e-14)


@given(st.text(alphabet=string.ascii_letters + string.digits + " */^()+-.·²°%µ,", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for dimension in ("length", None):
        try:
            assert math.isfinite(quantity(text, dimension, what=WHAT))
        except UnitError as error:
            assert WHAT in str(error)


def test_vectors() -> None:
    v = vector(("1 mm", 2, np.float64(3)), "length", what="v")
    np.testing.assert_array_equal(v, [0.001, 2.0, 3.0])
    with pytest.raises(ValueError):
        v[0] = 1.0
    assert vector([1, 2, 3, 4], "number", what="q", size=4).shape == (4,)
    np.testing.assert_array_equal(vector(np.arange(3), "length", what="v"), [0, 1, 2])


@pytest.mark.parametrize(
    "value, message",
    [
        ((1, 2), "expected 3 values"),
        (5.0, "expected 3 values"),
        ("1 m", "expected 3 values"),
        ({1, 2, 3}, "set"),
        (None, "NoneType"),
        (np.zeros((2, 2)), "expected 3 values"),
        (np.array(1.0), "expected 3 values"),
        ((0, "2 N", 0), "v[1]: expected length"),
        ((0, 0, math.nan), "v[2]"),
        ((0, [1], 0), "v[1]"),
    ],
)
def test_vectors_refused(value: object, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        vector(value, "length", what="v")
    assert message in str(caught.value)


def test_matrices_and_arrays() -> None:
    m = matrix([["1 mm", 0, 0], [0, 1, 0], [0, 0, 1]], "length", what="m")
    assert m.shape == (3, 3) and m[0, 0] == 0.001
    with pytest.raises(ModelError, match=r"m\[1\]"):
        matrix([[1, 0, 0], [0, 1], [0, 0, 1]], "length", what="m")
    with pytest.raises(ModelError, match="rows of a 3x3"):
        matrix([1, 2], "length", what="m")
    a = array(np.array([1, 2, 3]), "time", what="t")
    assert a.dtype == np.float64 and not a.flags.writeable
    assert array(("1 ms", 2), "time", what="t")[0] == 0.001
    with pytest.raises(UnitError, match=r"t\[1\]"):
        array(np.array([1.0, np.nan]), "time", what="t")
    with pytest.raises(ModelError, match="at least 2"):
        array([1.0], "time", what="t", at_least=2)
    with pytest.raises(ModelError, match="expected a list"):
        array(3.0, "time", what="t")
