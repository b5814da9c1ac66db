"""Signals: construction, array behaviour, figures over time, interpolation."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from pitchline.errors import PitchlineError
from pitchline.results import Signal, SignalError

TIME = np.linspace(0.0, 2.0, 9)


def ramp(**options) -> Signal:
    return Signal("cart.position", 3.0 * TIME, TIME, "m", "position along the rail", **options)


def vector(**options) -> Signal:
    values = np.column_stack([TIME, TIME**2, -TIME])
    return Signal("cart.velocity", values, TIME, "m/s", "velocity of the cart, world axes", **options)


def test_default_component_labels():
    assert ramp().components == ()
    assert vector().components == ("x", "y", "z")
    assert Signal("b.rotation", np.zeros((9, 4)), TIME).components == ("w", "x", "y", "z")
    assert Signal("b.modes", np.zeros((9, 2)), TIME).components == ("0", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "name"),
        ({"name": "a/b"}, "without '/'"),
        ({"name": " a"}, "blanks"),
        ({"values": np.zeros(4)}, "4 values but time has shape"),
        ({"values": np.zeros((3, 3, 3))}, r"shape \(3, 3, 3\)"),
        ({"values": ["one", "two", "three"]}, "real numbers"),
        ({"time": [0.0, 2.0, 1.0]}, "never decrease"),
        ({"time": [0.0, 1.0, np.nan]}, "finite"),
        ({"components": ("x",)}, "a scalar has no components"),
        ({"values": np.zeros((3, 2)), "components": ("x", "x")}, "different component labels"),
        ({"rate": np.zeros(2)}, "rate has shape"),
    ],
)
def test_wrong_signals_are_refused(arguments, message):
    given = {"name": "a.b", "values": np.zeros(3), "time": np.arange(3.0), **arguments}
    with pytest.raises(SignalError, match=message):
        Signal(**given)


def test_behaves_as_an_array_and_gives_plain_arrays():
    signal = ramp()
    assert isinstance(2.0 * signal + 1.0, np.ndarray)
    np.testing.assert_array_equal(2.0 * signal + 1.0, 6.0 * TIME + 1.0)
    np.testing.assert_array_equal(signal - signal, np.zeros(9))
    np.testing.assert_array_equal(np.sin(signal), np.sin(3.0 * TIME))
    np.testing.assert_array_equal(np.asarray(signal), 3.0 * TIME)
    np.testing.assert_array_equal(np.concatenate([signal, signal])[:9], 3.0 * TIME)
    np.testing.assert_array_equal(signal > 3.0, 3.0 * TIME > 3.0)
    np.testing.assert_array_equal(list(signal), 3.0 * TIME)
    np.testing.assert_array_equal(signal[2:4], 3.0 * TIME[2:4])
    assert np.max(signal) == 6.0
    assert np.mean(signal) == pytest.approx(3.0)
    assert (len(signal), signal.shape, signal.ndim, signal.dtype) == (9, (9,), 1, np.float64)


def test_values_cannot_be_written_and_the_givers_array_stays_his():
    values = np.zeros(9)
    signal = Signal("a.b", values, TIME)
    with pytest.raises(ValueError, match="read-only"):
        signal.values[0] = 1.0
    values[0] = 1.0  # still writable


def test_one_value_converts_to_float():
    assert float(Signal("a.b", [7.0], [0.0])) == 7.0
    with pytest.raises(SignalError, match="9 values, not one"):
        float(ramp())


def test_figures_of_scalars_are_floats_and_of_vectors_arrays():
    assert isinstance(ramp().final, float)
    assert (ramp().initial, ramp().final, ramp().min(), ramp().max()) == (0.0, 6.0, 0.0, 6.0)
    assert ramp().peak_to_peak() == 6.0
    np.testing.assert_array_equal(vector().final, [2.0, 4.0, -2.0])
    np.testing.assert_array_equal(vector().peak_to_peak(), [2.0, 4.0, 2.0])


def test_averages_are_over_time_not_over_samples():
    # A square of height 1 over a third of the time, sampled ten times as densely there.
    time = np.concatenate([np.linspace(0.0, 1.0, 101), np.linspace(1.0, 3.0, 21)])
    values = np.concatenate([np.full(101, 2.0), np.zeros(21)])
    signal = Signal("a.b", values, time)
    assert signal.mean() == pytest.approx(2.0 / 3.0, rel=1e-12)
    assert signal.rms() == pytest.approx(math.sqrt(4.0 / 3.0), rel=1e-12)
    # Of a sine over whole periods the trapezoidal rule is exact.
    t = np.linspace(0.0, 1.0, 41)
    sine = Signal("a.b", 3.0 * np.sin(2.0 * np.pi * 4.0 * t), t)
    assert sine.mean() == pytest.approx(0.0, abs=1e-14)
    assert sine.rms() == pytest.approx(3.0 / math.sqrt(2.0), rel=1e-12)
    assert Signal("a.b", [5.0], [0.0]).rms() == 5.0


def test_components():
    signal = vector(rate=np.column_stack([np.ones(9), 2.0 * TIME, -np.ones(9)]))
    part = signal["y"]
    assert (part.name, part.unit, part.components) == ("cart.velocity.y", "m/s", ())
    np.testing.assert_array_equal(part.values, TIME**2)
    np.testing.assert_array_equal(part.rate, 2.0 * TIME)
    with pytest.raises(SignalError, match=r'no component "q" \(components: x, y, z\)'):
        signal.component("q")
    with pytest.raises(SignalError, match="it is a scalar"):
        ramp().component("x")


def test_norm():
    np.testing.assert_allclose(vector().norm().values, np.sqrt(2.0 * TIME**2 + TIME**4), rtol=1e-15)
    np.testing.assert_array_equal(Signal("a.b", [-2.0, 1.0], [0.0, 1.0]).norm().values, [2.0, 1.0])


def test_linear_interpolation_is_exact_for_a_line():
    assert ramp().at(0.33) == pytest.approx(0.99, rel=1e-14)
    assert isinstance(ramp().at(0.33), float)
    wanted = np.array([[0.1, 0.2], [1.9, 2.0]])
    np.testing.assert_allclose(ramp().at(wanted), 3.0 * wanted, rtol=1e-14)
    np.testing.assert_allclose(vector().at([0.1, 0.3])[:, 2], [-0.1, -0.3], rtol=1e-14)
    assert vector().at(0.1).shape == (3,)


def test_hermite_interpolation_is_exact_for_a_cubic():
    def cubic(t):
        return np.column_stack([t**3 - t, 2.0 - 4.0 * t**3])

    rate = np.column_stack([3.0 * TIME**2 - 1.0, -12.0 * TIME**2])
    signal = Signal("a.b", cubic(TIME), TIME, rate=rate)
    t = np.linspace(0.0, 2.0, 57)
    np.testing.assert_allclose(signal.at(t), cubic(t), atol=1e-13)


def test_observed_orders_of_interpolation():
    def error(count: int, with_rate: bool) -> float:
        time = np.linspace(0.0, 3.0, count)
        signal = Signal("a.b", np.sin(time), time, rate=np.cos(time) if with_rate else None)
        fine = np.linspace(0.0, 3.0, 2001)
        return float(np.max(np.abs(signal.at(fine) - np.sin(fine))))

    for with_rate, order in ((False, 2), (True, 4)):
        observed = math.log2(error(33, with_rate) / error(65, with_rate))
        assert observed == pytest.approx(order, abs=0.1)


def test_samples_are_met_exactly_even_beside_nan():
    values = np.array([1.0, np.nan, 0.1, 0.7])
    for rate in (None, np.zeros(4)):
        signal = Signal("a.b", values, [0.0, 0.1, 0.3, 0.7], rate=rate)
        assert (signal.at(0.0), signal.at(0.3), signal.at(0.7)) == (1.0, 0.1, 0.7)
        assert math.isnan(signal.at(0.05))


def test_a_jump_takes_its_later_value():
    signal = Signal("a.b", [0.0, 1.0, 5.0, 6.0], [0.0, 1.0, 1.0, 2.0])
    assert signal.at(1.0) == 5.0
    assert signal.at(0.5) == 0.5
    assert signal.at(1.5) == 5.5
    assert Signal("a.b", [0.0, 1.0, 5.0], [0.0, 1.0, 1.0]).at(1.0) == 5.0


@pytest.mark.parametrize("t", [-0.01, 2.01, math.nan, math.inf, [0.5, 7.0]])
def test_outside_the_range_is_an_error_that_names_it(t):
    with pytest.raises(SignalError, match=r"cart\.position.*outside the record; it runs from 0 s to 2 s"):
        ramp().at(t)


def test_round_off_at_the_end_is_forgiven():
    time = np.array([0.0, 0.1, 0.1 + 0.2])  # 0.30000000000000004
    assert Signal("a.b", [0.0, 1.0, 3.0], time[:2].tolist() + [0.3]).at(0.1 + 0.2) == 3.0
    assert Signal("a.b", [4.0], [0.0]).at([0.0, 0.0]).tolist() == [4.0, 4.0]


def test_times_may_carry_a_unit():
    assert ramp().at("500 ms") == 1.5
    assert len(ramp().between("250 ms", "1 s")) == 4
    with pytest.raises(PitchlineError, match="time"):
        ramp().at("3 mm")


def test_between_and_resampled():
    part = ramp(rate=np.full(9, 3.0)).between(0.5, 1.0)
    np.testing.assert_array_equal(part.time, [0.5, 0.75, 1.0])
    np.testing.assert_array_equal(part.rate, [3.0, 3.0, 3.0])
    with pytest.raises(SignalError, match="from 0 s to nan s is not a range"):
        ramp().between(0.0, math.nan)
    with pytest.raises(SignalError, match="no sample from 3 s to 4 s; it runs from 0 s to 2 s"):
        ramp().between(3.0, 4.0)
    again = ramp().resampled(5)
    np.testing.assert_allclose(again.values, 3.0 * np.linspace(0.0, 2.0, 5), rtol=1e-15)
    with pytest.raises(SignalError, match="two samples"):
        ramp().resampled(1)


def test_a_signal_without_samples_says_so():
    empty = Signal("a.b", [], [])
    for ask in (lambda: empty.final, empty.mean, empty.max, lambda: empty.at(0.0)):
        with pytest.raises(SignalError, match="holds no sample"):
            ask()
    assert "0 samples" in repr(empty)


def test_equals_repr_and_pickle():
    with_nan = Signal("a.b", [1.0, np.nan], [0.0, 1.0])
    assert with_nan.equals(Signal("a.b", [1.0, np.nan], [0.0, 1.0]))
    assert not with_nan.equals(Signal("a.b", [1.0, np.nan], [0.0, 1.0], unit="N"))
    assert not with_nan.equals(Signal("a.b", [1.0, 2.0], [0.0, 1.0]))
    assert not with_nan.equals(Signal("a.b", [1.0, np.nan], [0.0, 1.0], rate=[0.0, 0.0]))
    assert not with_nan.equals("a.b")
    text = repr(vector())
    for part in ('"cart.velocity"', "[m/s]", "(x, y, z)", "9 samples", "0 to 2 s", "velocity of the cart"):
        assert part in text
    assert pickle.loads(pickle.dumps(vector())).equals(vector())
