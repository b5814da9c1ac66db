"""Functions of time in compiled code against the model's own: value, first and second derivative."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pitchline import functions as model_functions
from pitchline.functions import (
    Constant,
    Fourier,
    FourierLine,
    Function,
    Harmonic,
    PiecewisePolynomial,
    Polynomial,
    Ramp,
    Sampled,
    Sum,
    Table,
)
from pitchline.numerics.functions import value_of

numbers = st.floats(-10, 10)
times = st.floats(-20, 20)
few_numbers = st.lists(numbers, max_size=4)
some_knots = st.lists(st.floats(0.05, 2), min_size=1, max_size=6)
outside = st.sampled_from(["hold", "continue"])


def knots(start: float, steps: list[float], even: bool) -> np.ndarray:
    """Increasing knots, evenly spaced or not: compiled code finds their pieces in two ways."""
    if even:
        return start + steps[0] * np.arange(len(steps) + 1)
    return start + np.concatenate([[0.0], np.cumsum(steps)])


@st.composite
def piecewise(draw: st.DrawFn) -> PiecewisePolynomial:
    t = knots(draw(numbers), draw(some_knots), draw(st.booleans()))
    width = draw(st.integers(1, 5))
    c = draw(st.lists(numbers, min_size=width * (len(t) - 1), max_size=width * (len(t) - 1)))
    options = {"periodic": draw(st.booleans()), "gain_per_period": draw(numbers), "outside": draw(outside)}
    return PiecewisePolynomial(t, np.reshape(c, (len(t) - 1, width)), **options)


@st.composite
def table(draw: st.DrawFn) -> Table:
    t = knots(draw(numbers), draw(some_knots), draw(st.booleans()))
    values = draw(st.lists(numbers, min_size=len(t), max_size=len(t)))
    periodic = draw(st.booleans())
    if periodic:
        values[-1] = values[0]
    return Table(t, values, draw(st.sampled_from(["linear", "cubic"])), periodic=periodic, outside=draw(outside))


def ramp(start: float, end: float, t0: float, length: float, smooth: bool) -> Ramp:
    return Ramp(start, end, t0, t0 + length, smooth)


def fourier_line(c0: float, c1: float, omega: float, pairs: list[tuple[float, float]]) -> FourierLine:
    a, b = np.array(pairs).reshape(-1, 2).T
    return FourierLine(c0, c1, omega, a, b)


STRATEGIES: dict[type[Function], st.SearchStrategy[Function]] = {
    Constant: st.builds(Constant, numbers),
    Polynomial: st.builds(Polynomial, st.lists(numbers, min_size=1, max_size=5)),
    Ramp: st.builds(ramp, numbers, numbers, numbers, st.floats(0.05, 5), st.booleans()),
    Harmonic: st.builds(Harmonic, numbers, st.floats(0.01, 5), numbers, numbers),
    Fourier: st.builds(Fourier, st.floats(0.2, 10), numbers, few_numbers, few_numbers),
    FourierLine: st.builds(
        fourier_line, numbers, numbers, st.floats(0.1, 10), st.lists(st.tuples(numbers, numbers), max_size=4)
    ),
    PiecewisePolynomial: piecewise(),
    Table: table(),
}
plain = st.one_of(*STRATEGIES.values())
STRATEGIES[Sum] = st.recursive(
    st.builds(Sum, st.lists(plain, min_size=1, max_size=3)),
    lambda inner: st.builds(Sum, st.lists(st.one_of(plain, inner), min_size=1, max_size=3)),
    max_leaves=3,
)


def agree(f: Function, t: float) -> None:
    """Value and derivatives, each to rounding of the largest number that t brings into it."""
    before = np.full(7, 1e6)
    found = value_of(np.concatenate([before, f.encode(), before]), 7, t)
    wanted = (f(t), f.derivative()(t), f.derivative().derivative()(t))
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-13 * size_of(f, t))


def size_of(f: Function, t: float) -> float:
    code = f.encode()
    return max(float(len(code)), float(np.max(np.abs(code)))) * (1 + abs(t)) ** 5


def test_every_function_class_has_a_strategy() -> None:
    classes = {c for c in vars(model_functions).values() if isinstance(c, type) and issubclass(c, Function)}
    assert classes - {Function, Sampled} == set(STRATEGIES)


@pytest.mark.parametrize("kind", STRATEGIES, ids=lambda c: c.__name__)
@settings(max_examples=60)
@given(data=st.data())
def test_compiled_functions_agree_with_the_model(kind: type[Function], data: st.DataObject) -> None:
    f, t = data.draw(STRATEGIES[kind]), data.draw(times)
    assume(not np.any(np.abs(f.breakpoints(t - 1.0, t + 1.0) - t) < 1e-9))  # at a kink either slope is right
    agree(f, t)


@settings(max_examples=60)
@given(f=st.one_of(piecewise(), table()).filter(lambda f: not f.periodic), where=st.integers(0, 6))
def test_at_a_knot_the_piece_on_the_right_counts(f: Function, where: int) -> None:
    """But for the last knot: there the slope is that of the last piece, also where the end value holds afterwards. A callable
    sampled to the end of a run keeps its own rate there."""
    t = float(f.t[where % len(f.t)])
    if t < f.t[-1]:
        return agree(f, t)
    last = PiecewisePolynomial(
        f.t, f._pieces.coefficients if isinstance(f, Table) else f.coefficients, outside="continue"
    )
    wanted = (last(t), last.derivative()(t), last.derivative().derivative()(t))
    np.testing.assert_allclose(value_of(f.encode(), 0, t), wanted, rtol=1e-10, atol=1e-13 * size_of(f, t))
    return None


@settings(max_examples=30)
@given(f=plain, value=numbers, t0=st.floats(-3, 3), t=times)
def test_integrals(f: Function, value: float, t0: float, t: float) -> None:
    """What a drive with a given speed uses: the integral, its rate the speed itself."""
    F = f.integral(value, t0)
    agree(F, t)
    found = value_of(F.encode(), 0, t)
    assert found[1] == pytest.approx(f(t), rel=1e-8, abs=1e-9 * (1 + abs(t)) ** 5 * 100)


def test_callables_after_sampling() -> None:
    f = Sampled(lambda t: math.exp(-t) * math.sin(5 * t)).resolved(0.0, 2.0)
    code = f.encode()
    for t in np.linspace(0, 2, 61):
        assert value_of(code, 0, float(t))[0] == pytest.approx(math.exp(-t) * math.sin(5 * t), abs=2e-9)
    for t in (0.0, 2.0):  # its rate at the ends too: a run may end there
        slope = math.exp(-t) * (5 * math.cos(5 * t) - math.sin(5 * t))
        assert value_of(code, 0, t)[1] == pytest.approx(slope, abs=1e-5)


@settings(max_examples=30)
@given(turns=st.integers(-(10**9), 10**9), phase=st.floats(0.01, 0.99))
def test_a_periodic_table_keeps_its_gain_over_many_periods(turns: int, phase: float) -> None:
    """t = period (turns + phase): the value is gain * turns + f(phase), to the rounding of t itself."""
    f = PiecewisePolynomial(
        np.array([0.0, 0.5, 1.0]), np.array([[0.0, 1.0], [0.5, 1.0]]), periodic=True, gain_per_period=1.0
    )
    t = turns + phase
    assert value_of(f.encode(), 0, t)[0] == pytest.approx(t, rel=4e-16, abs=1e-15)
