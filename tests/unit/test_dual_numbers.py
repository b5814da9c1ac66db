"""Numbers with derivatives in compiled code: every operation against differences of Python's own, kinks, conversions."""

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from references.gradients import evaluated

from pitchline.errors import Subject
from pitchline.numerics.gradient_laws import GradientLaw, address_of_map

WHAT = Subject('torque "motor"')
KNOTS, HEIGHTS = np.array([-1.0, 0.0, 0.5, 2.0]), np.array([1.0, 3.0, 2.0, -1.0])


def function_of(texts: list[str]) -> Callable[..., Any]:
    names: dict[str, Any] = {"math": math, "np": np, "KNOTS": KNOTS, "HEIGHTS": HEIGHTS}
    exec(f"def f(a, b):\n    return ({', '.join(texts)},)", names)
    made: Callable[..., Any] = names["f"]
    return made


def compiled(texts: list[str]) -> GradientLaw:
    law = address_of_map(function_of(texts), 2, len(texts), WHAT)
    assert law.exact, law.reason
    return law


def differences(function: Callable[..., Any], u: tuple[float, float]) -> np.ndarray:
    columns = []
    for i in range(2):
        h = 1e-6
        high, low = list(u), list(u)
        high[i] += h
        low[i] -= h
        columns.append((np.array(function(*high), float) - np.array(function(*low), float)) / (2 * h))
    return np.array(columns).T


ARITHMETIC = [
    "a + b", "a + 2", "2.5 + a", "a - b", "3 - a", "a - 1.5", "a * b", "2 * a", "a * 0.5", "a / b", "2 / a", "a / 3", "-a", "+a",
    "a**2", "a**3", "a**7", "a**-2", "a**0", "a**1", "a**0.5", "a**1.7", "a**b", "2**a", "2.5**b", "a**40", "pow(a, 3)",
    "math.pow(a, b)", "np.power(a, b)", "a % 0.25", "7.3 % b", "a % b", "(-a) % b", "math.fmod(a, b)", "math.fmod(-7.1, b)",
    "a // 0.3", "(a > b) * a", "True + a", "float(a) * b", "int(3 * a) * b", "round(5 * a) * b", "round(a, 1) * b",
    "abs(a - b)", "abs(b - a)", "min(a, b)", "max(a, b)", "min(a, 2, b)", "max(0.1, a, b, 0)", "max((a, b)) + sum((a, b))",
    "a if a < b else b", "a if a == b or not a else a * b", "(a and b)", "1 if a else 0", "1.0 if a <= b < 3 else a", "3",
    "np.add(a, b) * np.subtract(a, b)", "np.multiply(a, b)", "np.divide(a, b)", "np.negative(a)",
]  # fmt: skip

FUNCTIONS = [
    *(f"math.{f}(a)" for f in (
        "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "exp", "expm1", "log", "log2",
        "log10", "log1p", "sqrt", "erf", "erfc", "fabs", "degrees", "radians", "floor", "ceil", "trunc",
    )),
    *(f"np.{f}(a)" for f in (
        "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arctanh", "exp", "exp2", "expm1",
        "log", "log2", "log10", "log1p", "sqrt", "cbrt", "square", "reciprocal", "fabs", "abs", "absolute", "sign", "floor",
        "ceil", "trunc", "rint", "degrees", "radians", "deg2rad", "rad2deg",
    )),
    "math.acosh(b)", "np.arccosh(b)", "math.atan2(a, b)", "math.atan2(-a, -b)", "np.arctan2(a, 2.0)", "math.atan2(1, b)",
    "math.hypot(a, b)", "np.hypot(a, b)", "math.copysign(a, -b)", "np.copysign(-a, b)", "math.copysign(2.0, a)", "np.fmod(a, b)",
    "np.minimum(a, b)", "np.maximum(a, b)", "np.maximum(a, 0.0)", "np.clip(a, 0.0, 0.5)", "np.clip(a, b, None)",
    "np.clip(a, None, b)", "np.where(a > b, a, b)", "np.interp(a, KNOTS, HEIGHTS)", "np.interp(b, KNOTS, HEIGHTS)",
    "np.interp(a - 5, KNOTS, HEIGHTS)", "np.interp(a + 9, KNOTS, HEIGHTS)", "math.isnan(a) * b", "np.isfinite(a) * b",
]  # fmt: skip


GROUPS = [texts[i : i + 20] for texts in (ARITHMETIC, FUNCTIONS) for i in range(0, len(texts), 20)]


@pytest.mark.parametrize("texts", GROUPS, ids=lambda texts: texts[0])
def test_every_operation_has_the_value_of_python_and_its_derivatives(texts: list[str]) -> None:
    function, law = function_of(texts), compiled(texts)
    for point in ((0.37, 1.3), (0.83, 1.07), (0.123, 2.9)):
        values, jacobian = evaluated(law, point, len(texts))
        expected, slopes = np.array(function(*point), float), differences(function, point)
        for k, text in enumerate(texts):
            assert values[k] == pytest.approx(expected[k], rel=4e-15, abs=1e-300), text
            assert jacobian[k] == pytest.approx(slopes[k], rel=2e-8, abs=1e-8), text


def test_derivatives_are_exact_to_rounding() -> None:
    law = compiled(["a**3 * math.sin(b)", "a / b", "math.exp(-a * b)", "math.sqrt(a * a + b * b)", "a**b"])
    a, b = 0.7, 1.9
    _, jacobian = evaluated(law, (a, b), 5)
    e, r, p = math.exp(-a * b), math.hypot(a, b), a**b
    exact = [
        [3 * a**2 * math.sin(b), a**3 * math.cos(b)],
        [1 / b, -a / b**2],
        [-b * e, -a * e],
        [a / r, b / r],
        [b * p / a, p * math.log(a)],
    ]
    assert np.abs(jacobian / exact - 1).max() < 1e-15


KINKS = [
    ("abs(a)", 0.0), ("math.fabs(a)", 0.0), ("math.sqrt(a)", 0.0), ("math.sqrt(a * a)", 0.0), ("a**2", 0.0), ("a**1", 1.0),
    ("a**0", 0.0), ("a**0.5", 0.0), ("a**1.5", 0.0), ("a**a", 0.0), ("math.hypot(a, 0.0)", 0.0), ("math.atan2(a, 0.0 * a)", 0.0),
    ("max(a, 0)", 1.0), ("max(0, a)", 0.0), ("min(a, 0)", 1.0), ("math.asin(a + 1)", 0.0), ("math.acos(a - 1)", 0.0),
    ("math.acosh(1 + a)", 0.0), ("np.cbrt(a)", 0.0), ("np.sign(a)", 0.0), ("math.floor(a)", 0.0), ("a * abs(a)", 0.0),
    ("np.clip(a, 0.0, 1.0)", 1.0), ("math.copysign(a, 1.0)", 0.0), ("np.interp(a, KNOTS, HEIGHTS)", -2.0), ("a % 1.0", 1.0),
    ("np.interp(a + 2, KNOTS, HEIGHTS)", 0.0), ("np.interp(a - 1, KNOTS, HEIGHTS)", 2.0), ("abs(a)**0.3", 0.0),
]  # fmt: skip


def test_derivatives_at_kinks_are_finite_and_one_sided() -> None:
    law = compiled([text for text, _ in KINKS])
    for zero in (0.0, -0.0):
        values, jacobian = evaluated(law, (zero, 0.0), len(KINKS))
        assert np.isfinite(values).all()
        for (text, slope), row in zip(KINKS, jacobian, strict=True):
            assert list(row) == [slope, 0.0], text
    assert evaluated(compiled(["a**0"]), (0.0, 0.0))[0] == 1.0  # as in Python


def test_derivatives_of_saturated_functions_are_finite() -> None:
    """exp(1000) is infinite, and so are its derivatives; what is divided by it is 0."""
    texts = [
        "1 / (1 + math.exp(a))", "math.tanh(math.exp(a))", "b / (1 + math.exp(a)) ** 2", "math.atan(math.sinh(a) * b)",
        "math.exp(-math.exp(a))", "(1 + math.exp(a)) ** -1", "(1 + math.exp(a)) ** -0.5", "math.hypot(a * 1e200, b)",
    ]  # fmt: skip
    values, jacobian = evaluated(compiled(texts), (1000.0, 2.0), len(texts))
    assert np.isfinite(values).all() and np.isfinite(jacobian).all()
    assert list(jacobian[0]) == [0.0, 0.0] and list(jacobian[2]) == [0.0, 0.0]


def test_powers_of_negative_numbers() -> None:
    law = compiled(["a**2", "a**3", "a**-1", "a**b"])
    values, jacobian = evaluated(law, (-2.0, 3.0), 4)
    assert list(values) == [4.0, -8.0, -0.5, -8.0]
    assert list(jacobian[:, 0]) == [-4.0, 12.0, -0.25, 12.0]
    assert jacobian[3, 1] == 0.0


def test_variables_may_be_numbers_on_one_path() -> None:
    def law(t: float, angle: float, speed: float) -> float:
        force = 0
        total = 0.0
        if speed > 0:
            force = speed
        for k in range(3):
            total += k * angle
            force += 1
        factors = (angle, speed)
        for factor in factors:
            total *= 1 + factor
        while total > 1000.0:
            total -= 1000.0
        return force + total

    made = address_of_map(law, 3, 1, WHAT)
    assert made.exact
    values, jacobian = evaluated(made, (0.0, 2.0, 5.0))
    assert values == [8 + 6 * 3 * 6] and list(jacobian[0]) == [0, 3 * 3 * 6 + 6 * 6, 1 + 6 * 3]
    values, jacobian = evaluated(made, (0.0, 2.0, -5.0))
    assert values == [3 - 6 * 3 * 4] and list(jacobian[0]) == [0, -3 * 3 * 4 - 6 * 4, 6 * 3]


@numba.njit
def stribeck(speed: float, width: float) -> float:
    return math.tanh(speed / width) * (1 + math.exp(-((speed / width) ** 2)))


@numba.njit("float64(float64)")
def fixed(x: float) -> float:
    return 2.0 * x * x


def test_functions_that_numba_compiled_can_be_called() -> None:
    law = address_of_map(lambda a, b: 3.0 * stribeck(a, 0.1) + stribeck(b, a), 2, 1, WHAT)
    assert law.exact
    _, jacobian = evaluated(law, (0.05, 0.2))
    expected = differences(lambda a, b: (3.0 * stribeck(a, 0.1) + stribeck(b, a),), (0.05, 0.2))
    assert jacobian == pytest.approx(expected, rel=1e-6)


def test_what_needs_a_number_is_never_given_the_value_of_a_dual() -> None:
    """Derivatives must not get lost: differences are used instead."""

    def stored(a: float) -> float:
        kept = np.zeros(2)
        kept[0] = a
        return kept[0] * a

    for function in (stored, lambda a: fixed(a) / 2, lambda a: np.array([a, a]).prod(), lambda a: np.float64(a) * a):
        law = address_of_map(function, 1, 1, WHAT)
        assert not law.exact and law.reason
        values, jacobian = evaluated(law, (3.0,))
        assert values == [9.0] and jacobian[0, 0] == pytest.approx(6.0, rel=1e-9)


def test_inputs_of_many_laws_do_not_mix() -> None:
    n = 12
    law = address_of_map(lambda *u: math.sin(u[0]) * u[5] + u[11] ** 2, n, 1, WHAT)
    u = np.linspace(0.1, 2.0, n)
    _, jacobian = evaluated(law, u)
    expected = np.zeros(n)
    expected[[0, 5, 11]] = math.cos(u[0]) * u[5], math.sin(u[0]), 2 * u[11]
    assert jacobian[0] == pytest.approx(expected, rel=1e-15)
