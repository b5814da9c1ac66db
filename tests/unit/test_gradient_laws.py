"""Functions of several numbers by address: values and derivatives, differences, functions in Python, messages."""

import ctypes
import math
import time
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import pytest

import pitchline as pl
from pitchline.declare.names import STATE_OF_TRANSLATION, arguments_of
from pitchline.errors import ModelError, Place, Subject
from pitchline.numerics.gradient_laws import address_of_gradient_law, address_of_map, call_gradient_law, reason_of_nan
from pitchline.numerics.slow_laws import raise_stored, step_of, stored_exception

WHAT = Subject('torque "motor"', Place(("loads", "motor"), ("torque",)))
GAIN = 2.0


@pytest.fixture(autouse=True)
def nothing_stored() -> Iterator[None]:
    yield
    assert stored_exception() is None


def called(address: int, u: Any, numbers: int) -> list[float]:
    point, out = np.array(u, dtype=float), np.full(numbers + 1, 7.0)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(point.ctypes.data, out.ctypes.data)
    assert out[-1] == 7.0
    return [float(x) for x in out[:-1]]


def pid(t: float, angle: float, speed: float) -> float:
    return 2.5 * (1.0 - angle) - 0.1 * speed + 0.25 * t


@numba.njit(error_model="numpy")
def loop(address: int, u: np.ndarray, out: np.ndarray, times: int) -> float:
    total = 0.0
    for i in range(times):
        u[1] = 1e-9 * i
        call_gradient_law(address, u, out)
        total += out[0] + out[2]
    return total


def test_a_law_is_called_from_compiled_code_in_nanoseconds() -> None:
    start = time.perf_counter()
    law = address_of_gradient_law(pid, 3, WHAT)
    assert time.perf_counter() - start < 5.0  # about 0.03 s after the first one
    assert law.exact and address_of_gradient_law(pid, 3, WHAT) is law
    u, out = np.ones(3), np.zeros(4)
    assert loop(law.address, u, out, 1) == pytest.approx(2.65 - 2.5)
    assert list(out) == [2.65, 0.25, -2.5, -0.1]
    start = time.perf_counter()
    loop(law.address, u, out, 1_000_000)
    assert (time.perf_counter() - start) * 1e3 < 200  # ns; about 5 on an idle machine


def test_a_map_has_its_jacobian_row_by_row() -> None:
    law = address_of_map(lambda a, b: (a * b, 3, a > b, a - b * b), 2, 4, WHAT)
    assert called(law.address, (2.0, 5.0), 12) == [10, 3, 0, -23, 5, 2, 0, 0, 0, 0, 1, -10]
    one = address_of_map(lambda a, b: (a / b,), 2, 1, WHAT)
    assert called(one.address, (2.0, 4.0), 3) == [0.5, 0.25, -0.125]


def test_differences_where_exact_derivatives_are_not_possible() -> None:
    def law(a: float, b: float) -> tuple[float, float]:
        kept = np.array([a, b])
        return (kept**2).sum(), math.sqrt(kept[0])

    made = address_of_map(law, 2, 2, WHAT)
    assert not made.exact and "array" in made.reason
    for a, b in ((2.0, 3e4), (1e-5, -1e6)):
        out = called(made.address, (a, b), 6)
        assert out[:2] == [a * a + b * b, math.sqrt(a)]
        assert out[2:] == pytest.approx(
            [2 * a, 2 * b, 0.5 / math.sqrt(a), 0.0], rel=1e-5, abs=1e-16 * (b * b) / step_of(a)
        )
    assert all(math.isfinite(x) for x in called(made.address, (0.0, 0.0), 6))  # one-sided: sqrt(-h) is nan
    spinning = address_of_map(lambda a: np.array([math.sin(20 * a)])[0], 1, 1, WHAT)
    assert called(spinning.address, (1e4,), 2)[1] == pytest.approx(20 * math.cos(2e5), abs=1e-4)


def test_constants_are_those_of_the_time_of_the_call() -> None:
    global GAIN
    factor = 3.0

    def law(a: float) -> float:
        return GAIN * factor * a

    assert called(address_of_gradient_law(law, 1, WHAT).address, (1.0,), 2) == [6, 6]
    factor = 5.0
    assert called(address_of_gradient_law(law, 1, WHAT).address, (1.0,), 2) == [10, 10]
    GAIN = 4.0
    assert called(address_of_gradient_law(law, 1, WHAT).address, (1.0,), 2) == [20, 20]
    GAIN = 2.0


def test_default_values_stars_and_functions_in_c() -> None:
    def law(a: float, gain: float = 3.0) -> float:
        return gain * a

    for function, slope in ((law, 3.0), (math.sin, 1.0), (numba.njit(law), 3.0), (lambda *u: 4 * u[0], 4.0)):
        made = address_of_gradient_law(function, 1, WHAT)
        assert made.exact and called(made.address, (0.0,), 2) == [0.0, slope]


def test_an_exception_in_compiled_code_gives_nan_and_a_reason() -> None:
    def law(a: float) -> float:
        if a > 1.0:
            raise ValueError("too large")
        return math.sqrt(a)

    address = address_of_gradient_law(law, 1, WHAT).address
    assert np.isnan(called(address, (2.0,), 2)).all()
    assert reason_of_nan(address, [2.0]) == 'torque "motor": the function failed at (2): ValueError: too large'
    assert "math domain error" in reason_of_nan(address, [-1.0])


def test_slow_functions_run_in_python_and_keep_their_exceptions() -> None:
    seen: dict[float, float] = {}

    def law(a: float, b: float) -> float:
        seen[a] = b
        if a > 1.5:
            raise KeyError("no such gear")
        return a * b

    law_at = address_of_gradient_law(pl.slow(law), 2, WHAT)
    assert not law_at.exact and called(law_at.address, (1.0, 2.0), 3) == pytest.approx([2, 2, 1], rel=1e-9)
    assert address_of_gradient_law(law, 2, WHAT, slow=True) is law_at
    assert np.isnan(called(law_at.address, (2.0, 2.0), 3)).all()
    assert np.isnan(called(law_at.address, (1.0, 2.0), 3)).all()  # until the exception is raised
    with pytest.raises(KeyError, match="no such gear"):
        raise_stored()
    raise_stored()
    assert called(law_at.address, (1.0, 2.0), 3) == pytest.approx([2, 2, 1], rel=1e-9)
    for wrong, message in ((lambda a: "x", "returned 'x' \\(str\\)"), (lambda a: (a, a), "expected a number")):
        assert np.isnan(called(address_of_gradient_law(pl.slow(wrong), 1, WHAT).address, (1.0,), 2)).all()
        with pytest.raises(ModelError, match=message):
            raise_stored()
    assert pl.slow(pl.slow(law)) == pl.slow(law) and hash(pl.slow(law)) == hash(pl.slow(law))
    assert pl.slow(law)(1.0, 3.0) == 3.0 and repr(pl.slow(math.sin)) == "slow(<built-in function sin>)"
    with pytest.raises(ModelError, match="expected a function of numbers, got 3"):
        pl.slow(3)  # type: ignore[arg-type]


def no_result(a: float) -> float | None:
    return a if a > 0 else None


def opens(a: float) -> float:
    return a + len(open("x").read())


@pytest.mark.parametrize(
    "function, message",
    [
        (opens, 'the function opens cannot be compiled: .*line \\d+: .*; use numbers, the module math.*pl.slow\\(opens\\)'),
        (no_result, "no_result returns no value on some path; return a number on every path"),
        (lambda a: (a, a), "returns 2 values, expected a number"),
        (lambda a: a * 1j, "returns a value of type complex128; return a number"),
        (lambda a, b: a, "takes 2 arguments, expected 1"),
        (lambda a, *, b: a, "takes the arguments|takes 2 arguments"),
        ("-2*speed", "is not a function"),
    ],
)  # fmt: skip
def test_messages(function: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        address_of_gradient_law(function, 1, WHAT)
    assert str(caught.value).startswith('torque "motor": ') and caught.value.places == [WHAT.place]


def test_arguments_of_functions() -> None:
    assert (
        arguments_of(lambda t: t, "x") == arguments_of(lambda time: time, "x") == arguments_of(math.sin, "x") == ("t",)
    )
    assert arguments_of(lambda t, k=3: k * t, "x") == ("t",)
    assert arguments_of(lambda angle: angle, "x") == ("angle",)
    assert arguments_of(lambda speed, t: speed, "x") == ("speed", "t")
    assert arguments_of(pl.slow(lambda t, angle, speed, k=1: k), "x") == ("t", "angle", "speed")
    assert arguments_of(numba.njit(lambda t, speed: speed), "x") == ("t", "speed")
    assert arguments_of(lambda t, displacement: t, "x", STATE_OF_TRANSLATION) == ("t", "displacement")
    for wrong, message in (
        (lambda t, omega: t, 'arguments t, angle, speed, or some of them: "omega" is not one'),
        (lambda t, displacement: t, '"displacement" is not one'),
        (lambda t, speed=0.0: t, "speed has a default value"),
        (lambda t, *, speed: t, "can only be given by name"),
    ):
        with pytest.raises(ModelError, match=message):
            arguments_of(wrong, 'torque "motor"')
