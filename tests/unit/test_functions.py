"""Functions of time: values, calculus, encoding, sampling of callables."""

import json
import math
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitchline.errors import ModelError, UnitError
from pitchline.functions import (
    Constant,
    Fourier,
    Function,
    Harmonic,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Sampled,
    Sum,
    Table,
    as_function,
)
from pitchline.numerics.fields import Fields
from pitchline.numerics.functions import (
    HARMONICS,
    PIECES,
    TERMS,
    Harmonics,
    Pieces,
    Terms,
    is_constant,
    value_and_rate,
    value_of,
)
from pitchline.numerics.machine_code.compiled import A1, F8, I8, V2, entry

T = np.linspace(-1.7, 3.9, 397)


def head(record: Fields, data: np.ndarray) -> np.void:
    """The named values at the beginning of an encoding."""
    return data[: record.size].view(record.dtype)[0]


def evaluate(data: np.ndarray, t: float) -> float:
    """The value of an encoding, straight from its description: what compiled code must do."""
    kind = data[:1].view(np.int64)[0]
    if kind == HARMONICS:
        s = head(Harmonics, data)
        n = s["count"]
        a, b = data[s["cosines"] :][:n], data[s["sines"] :][:n]
        k = np.arange(1, n + 1)
        assert len(data) == Harmonics.size + 2 * n
        return float(s["constant"] + s["slope"] * t + a @ np.cos(k * s["omega"] * t) + b @ np.sin(k * s["omega"] * t))
    if kind == PIECES:
        s = head(Pieces, data)
        n, order, period = s["count"], s["order"], s["period"]
        assert s["ends"] == n + 1 and len(data) == Pieces.size + n + 1 + n * order
        knots = data[s["knots"] :][: n + 1]
        rows = data[s["coefficients"] :][: n * order].reshape(n, order)
        lift = 0.0
        if period > 0.0:
            turns = math.floor((t - knots[0]) / period)
            t, lift = t - turns * period, turns * s["gain"]
        elif s["continued"] == 0:
            t = min(max(t, knots[0]), knots[-1])
        if s["step"] > 0.0:
            i = math.floor((t - knots[0]) / s["step"])
        else:
            i = int(np.searchsorted(knots, t, side="right")) - 1
        i = min(max(i, 0), n - 1)
        return float(np.polynomial.polynomial.polyval(t - knots[i], rows[i]) + lift)
    assert kind == TERMS
    s = head(Terms, data)
    starts = data[s["places"] :][: s["count"]].view(np.int64)
    assert starts[0] == Terms.size + s["count"]
    return sum(evaluate(data[start:end], t) for start, end in zip(starts, [*starts[1:], len(data)], strict=True))


FUNCTIONS: dict[str, Function] = {
    "constant": Constant(2.5),
    "line": Polynomial((1.0, -2.0)),
    "parabola": Polynomial((1.0, 2.0, 3.0)),
    "degree 0": Polynomial((4.0,)),
    "smooth ramp": Ramp(1.0, 3.0, 0.2, "1.2 s"),
    "ramp": Ramp(1.0, -2.0, 0.2, 1.2, smooth=False),
    "harmonic": Harmonic(2.0, "78 rpm", "40 deg", 0.5),
    "fourier": Fourier("0.7 s", 1.0, (1.0, 0.5), (0.2,)),
    "table": Table((0.0, 0.5, 2.0), (1.0, 3.0, 2.0)),
    "uniform table": Table(np.linspace(-1, 2, 7), np.arange(7.0) ** 2),
    "continued table": Table((0.0, 0.5, 2.0), (1.0, 3.0, 2.0), outside="continue"),
    "periodic table": Table((0.1, 0.5, 0.9, 1.1), (1.0, 3.0, 2.0, 1.0), periodic=True),
    "cubic table": Table((0.0, 0.5, 1.0, 2.0), (1.0, 3.0, 2.0, 2.5), "cubic"),
    "periodic cubic table": Table((0.1, 0.5, 0.9, 1.1), (1.0, 3.0, 2.0, 1.0), "cubic", periodic=True),
    "climbing": PiecewisePolynomial((0.3, 0.8, 1.3), [[0.0, 1.0], [0.5, 3.0]], periodic=True, gain_per_period=2.0),
    "sum": Sum((Harmonic(1.0, 1.0), 3.0, Ramp(0.0, 1.0))),
}


@pytest.fixture(params=FUNCTIONS, ids=str)
def f(request: pytest.FixtureRequest) -> Function:
    return FUNCTIONS[request.param]


def test_arrays_and_numbers_agree(f: Function) -> None:
    values = f(T)
    assert values.shape == T.shape
    assert type(f(0.3)) is float
    np.testing.assert_allclose([f(float(t)) for t in T], values, rtol=1e-14)
    assert f(T.reshape(1, -1)).shape == (1, len(T))


def test_encoding_gives_the_same_values(f: Function) -> None:
    for g in (f, f.integral(0.4, 0.1), f.derivative(), f.derivative().derivative()):
        data = g.encode()
        assert data.dtype == np.float64 and data.ndim == 1 and np.all(np.isfinite(data))
        t = T + 1e-7  # away from knots, where derivatives may jump
        np.testing.assert_allclose([evaluate(data, x) for x in t], g(t), rtol=1e-11, atol=1e-11)


def test_derivative_undoes_the_integral(f: Function) -> None:
    integral = f.integral(0.7, 0.2)
    assert integral(0.2) == pytest.approx(0.7, abs=1e-14)
    np.testing.assert_allclose(integral.derivative()(T), f(T), rtol=1e-12, atol=1e-12)


def test_integral_is_the_area(f: Function) -> None:
    integral = f.integral(0.0, -1.0)
    nodes, weights = np.polynomial.legendre.leggauss(5)
    cuts = np.unique(np.concatenate([np.linspace(-1.0, 3.0, 401), f.breakpoints(-1.0, 3.0, order=3)]))
    half, middle = np.diff(cuts) / 2, (cuts[1:] + cuts[:-1]) / 2
    area = float((half * (f(middle[:, None] + half[:, None] * nodes) @ weights)).sum())
    assert integral(3.0) - integral(-1.0) == pytest.approx(area, rel=1e-10)


def test_scaled(f: Function) -> None:
    np.testing.assert_allclose(f.scaled(-2.5)(T), -2.5 * f(T), rtol=1e-13, atol=1e-13)
    assert f.resolved(0.0, 1.0) is f


def test_between_breakpoints_the_slope_is_continuous(f: Function) -> None:
    knots = f.breakpoints(-1.7, 3.9)
    assert np.all(np.diff(knots) > 0)
    t = np.linspace(-1.69, 3.89, 20001)
    slope = f.derivative()(t)
    bends = np.abs(np.diff(slope)) > 0.05 * max(1.0, float(np.abs(slope).max()))
    for i in np.flatnonzero(bends):
        assert np.any((knots >= t[i]) & (knots <= t[i + 1]))


def test_description_is_json(f: Function) -> None:
    assert json.loads(json.dumps(f.describe(), allow_nan=False))["function"]


def test_breakpoints() -> None:
    np.testing.assert_allclose(FUNCTIONS["ramp"].breakpoints(0.0, 5.0), [0.2, 1.2])
    assert len(FUNCTIONS["smooth ramp"].breakpoints(-1.0, 5.0)) == 0
    assert len(FUNCTIONS["smooth ramp"].breakpoints(-1.0, 5.0, order=2)) == 0
    np.testing.assert_allclose(FUNCTIONS["smooth ramp"].breakpoints(-1.0, 5.0, order=3), [0.2, 1.2])
    np.testing.assert_allclose(FUNCTIONS["periodic table"].breakpoints(0.0, 1.2), [0.1, 0.5, 0.9, 1.1])
    np.testing.assert_allclose(FUNCTIONS["climbing"].breakpoints(0.0, 1.4), [0.3, 0.8, 1.3])
    assert len(FUNCTIONS["cubic table"].breakpoints(0.1, 1.9)) == 0


def test_closed_forms() -> None:
    s = (0.5 - 0.2) / 1.0
    assert FUNCTIONS["smooth ramp"](0.5) == pytest.approx(1 + 2 * (10 * s**3 - 15 * s**4 + 6 * s**5))
    assert FUNCTIONS["harmonic"](0.3) == pytest.approx(0.5 + 2 * math.sin(2 * math.pi * 1.3 * 0.3 + math.radians(40)))
    w = 2 * math.pi / 0.7
    expected = 1 + math.cos(0.3 * w) + 0.5 * math.cos(0.6 * w) + 0.2 * math.sin(0.3 * w)
    assert FUNCTIONS["fourier"](0.3) == pytest.approx(expected)
    assert FUNCTIONS["climbing"](0.3 + 3.0 + 0.25) == pytest.approx(3 * 2.0 + 0.25)
    assert Table((0, 1, 2, 3), (0, 1, 8, 27), "cubic")(1.7) == pytest.approx(1.7**3)
    assert Table(("0 deg", "360 deg"), ("1 N/um", "1 N/um"), periodic=True, over="angle")(9.0) == pytest.approx(1e6)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=8), st.floats(-3, 9))
def test_tables_pass_through_their_points(values: list[float], t: float) -> None:
    times = list(range(len(values)))
    for kind in ("linear", "cubic"):
        table = Table(times, values, kind)
        np.testing.assert_allclose(table(np.array(times, float)), values, rtol=1e-12, atol=1e-10)
        assert evaluate(table.encode(), t) == pytest.approx(table(t), rel=1e-12, abs=1e-9)
        assert table.integral(1.0, t)(t) == pytest.approx(1.0, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Constant("2 parsecs"), "parsecs"),
        (lambda: Constant(math.nan), "Constant: value"),
        (lambda: Polynomial(()), "at least 1"),
        (lambda: Ramp(0, 1, 2, 1), "t0 must be less than t1"),
        (lambda: Ramp(0, 1, 1, 1), "t0 must be less than t1"),
        (lambda: Ramp(0, 1, 0, 1e-300), "t0 must be less than t1"),
        (lambda: Ramp(0, 1, 0, "1 m"), "Ramp: t1: expected time"),
        (lambda: Ramp("1 mm", "2 N"), "same dimension"),
        (lambda: Ramp(0, 1, smooth="yes"), "smooth"),  # type: ignore[arg-type]
        (lambda: Harmonic(1, 0), "frequency must be positive"),
        (lambda: Harmonic(1, "3 m"), "expected frequency"),
        (lambda: Harmonic(1, 1, "3 m"), "expected angle"),
        (lambda: Fourier(0), "period must be positive"),
        (lambda: Fourier("20 deg"), "expected time"),
        (lambda: Fourier(1, over="space"), "over must be"),
        (lambda: Fourier(1, 0, 3.0), "Fourier: cos"),
        (lambda: Fourier(1, "1 N", ("1 m",)), "same dimension"),
        (lambda: Table((0, 1), (1,)), "Table: values"),
        (lambda: Table((0, 1), (1, 2, 3)), "2 times but 3 values"),
        (lambda: Table((0, 1, 1), (1, 2, 3)), "increase strictly"),
        (lambda: Table((0, 1e-310), (1, 2)), "increase strictly"),
        (lambda: Table((0, 1), (1, math.inf)), "values[1]"),
        (lambda: Table((0, 1), (1, 2), "spline"), "kind must be"),
        (lambda: Table((0, 1), (1, 2), periodic=True), "first and last values of a periodic table must be equal"),
        (lambda: Table((0, 1), (1, 2), periodic=1), "periodic must be"),  # type: ignore[arg-type]
        (lambda: Table((0, 1), (1, 2), outside="extrapolate"), "outside must be"),
        (lambda: Table((0, 1), (1, 2), outside="error")(1.5), 'outside="hold"'),
        (lambda: Table((0, 1), (1, 2), outside="error").resolved(0, 2), 'outside="hold"'),
        (lambda: PiecewisePolynomial((0, 1), [[1], [2]]), "rows of a 1x1"),
        (lambda: PiecewisePolynomial((0, 1, 2), np.zeros((1, 2))), "one row for each piece"),
        (lambda: PiecewisePolynomial((0, 1), np.array([[math.nan]])), "finite"),
        (lambda: PiecewisePolynomial((0, 1), 3), "coefficients"),
        (lambda: Sum(()), "list of functions"),
        (lambda: Sum(("1 m", "1 N")), "cannot add length and force"),
        (lambda: Sampled(3), "callable"),  # type: ignore[arg-type]
        (lambda: Sampled(lambda: 1.0), "one argument"),  # type: ignore[arg-type]
        (lambda: Sampled(math.sin).derivative(), "resolved"),
        (lambda: Sampled(math.sin).integral(0.0), "resolved"),
        (lambda: Sampled(math.sin).encode(), "resolved"),
        (lambda: Sampled(lambda t: "x").resolved(0, 1), "finite number"),
        (lambda: Sampled(lambda t: math.nan).resolved(0, 1), "finite number"),
        (lambda: Sampled(lambda t: 10**400).resolved(0, 1), "finite number"),
        (lambda: Sampled(lambda t: True).resolved(0, 1), "finite number"),
        (lambda: Sampled(lambda t: 1 / t).resolved(0, 1), "ZeroDivisionError"),
        (lambda: as_function(Constant, "force", what="x"), "is a class"),
        (lambda: as_function([1], "force", what="x"), "x: "),
        (lambda: as_function("2 m", "force", what="x"), "expected force"),
        (lambda: as_function(Ramp("1 m", "2 m"), "force", what="x"), "function of length"),
    ],
)
def test_what_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)


def test_as_function() -> None:
    assert as_function("2 kN", "force", what="x")(0.0) == 2000.0
    assert as_function(3, "force", what="x")(0.0) == 3.0
    ramp = Ramp(0, "3 kN")
    assert as_function(ramp, "force", what="x") is ramp
    assert isinstance(as_function(math.sin, "force", what="x"), Sampled)
    assert as_function(np.sin, "force", what="x").resolved(0, 1)(0.5) == pytest.approx(math.sin(0.5))
    with pytest.raises(UnitError):
        as_function(ramp, "length", what="x")
    assert as_function(Ramp(0, "3 N*m"), "torsional stiffness", what="x")(9) == 3


@pytest.mark.parametrize(
    "function",
    [
        math.sin,
        lambda t: math.sin(2 * math.pi * 32 * t),  # every first sample is zero
        lambda t: math.exp(-40 * t),
        lambda t: abs(math.sin(20 * t)),
        lambda t: math.sqrt(t),
        lambda t: 3,
        lambda t: 1e6 + math.sin(t),
        lambda t: np.float64(t**3),
    ],
)
def test_callables_are_sampled_closely(function: Callable[[float], float]) -> None:
    g = Sampled(function).resolved(0.0, 1.0)
    t = np.random.default_rng(1).uniform(0, 1, 2000)
    exact = np.array([function(float(x)) for x in t])
    assert np.abs(g(t) - exact).max() <= 4e-9 * max(np.ptp(exact), 1e-5 * np.abs(exact).max())
    assert g.resolved(0, 1) is g
    assert head(Pieces, g.encode())["kind"] == PIECES


def test_jumps_of_callables_become_breakpoints() -> None:
    g = Sampled(lambda t: 5.0 if t > 0.3 else t, what="load").resolved(0.0, 1.0)
    np.testing.assert_allclose(g.breakpoints(0.0, 1.0), [0.3, 0.3], atol=1e-10)
    assert g(0.2999) == pytest.approx(0.2999) and g(0.3001) == 5.0
    assert g.integral(0.0)(1.0) == pytest.approx(0.045 + 3.5, rel=1e-9)
    steps = Sampled(lambda t: float(int(10 * t) % 2)).resolved(0.0, 1.0)
    t = np.linspace(0.001, 0.999, 1000)
    np.testing.assert_array_equal(steps(t), np.floor(10 * t) % 2)


@pytest.mark.slow
def test_hopeless_callables_are_refused() -> None:
    noise = random.Random(1)
    with pytest.raises(ModelError, match=r'drive "motor": speed.*Table'):
        Sampled(lambda t: noise.random(), what='drive "motor": speed').resolved(0.0, 1.0)


def test_callables_at_one_instant_and_scaled() -> None:
    f = Sampled(lambda t: 1 + t)
    assert f.resolved(2.0, 2.0)(0.0) == 3.0
    assert f.scaled(2.0).scaled(2.0)(1.0) == 8.0
    total = Sum((f, 1.0)).resolved(0.0, 1.0)
    assert evaluate(total.encode(), 0.5) == pytest.approx(2.5)
    assert total.derivative()(0.5) == pytest.approx(1.0)


def test_the_model_imports_nothing_heavy() -> None:
    code = "import sys, pitchline.model; print({'scipy', 'numba', 'matplotlib', 'h5py'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"


@entry
def value_and_rate_of(F: A1, place: I8, t: F8) -> V2:
    return value_and_rate(F, place, t)


@pytest.mark.parametrize(
    "function, constant", [(Constant(2.5), True), (Ramp(0, 1, 0, 1), False), (Harmonic(1.0, 2.0), False)]
)
def test_lines_without_a_call(function: Function, constant: bool) -> None:
    """`value_and_rate` gives the bits of `value_of`; constants are known as such, at the end of an array too."""
    data = np.concatenate([np.full(3, 9.0), function.encode()])
    assert is_constant(data, 3) == constant
    for t in T[::40]:
        assert value_and_rate_of(data, 3, float(t)) == value_of(data, 3, float(t))[:2]
