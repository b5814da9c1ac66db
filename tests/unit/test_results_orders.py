"""Orders, maps, tracks and peaks of signals whose closed form is known."""

from __future__ import annotations

import numpy as np
import pytest

from pitchline.errors import PitchlineError
from pitchline.results import (
    Signal,
    SignalError,
    order_map,
    order_spectrum,
    order_track,
    peak_hold,
    spectrogram,
)

RATE, END = 2.0, 20.0
"""Angular acceleration [rad/s²] and duration [s]: 63.7 turns, to 40 rad/s."""


def times(count: int = 12001, uneven: bool = False) -> np.ndarray:
    """Even, or with steps that vary fivefold, as error control makes them."""
    s = np.linspace(0.0, 1.0, count)
    return END * (s + 0.66 * np.sin(8 * np.pi * s) / (8 * np.pi) if uneven else s)


def turned(t: np.ndarray, sense: float = 1.0, start: float = 0.3) -> Signal:
    return Signal("hinge.angle", start + sense * 0.5 * RATE * t**2, t, "rad", rate=sense * RATE * t)


def waves(angle: Signal, *parts: tuple[float, float, float], mean: float = 0.0) -> Signal:
    """Σ A cos(n θ + φ), with its rate: errors of interpolation are then far below those of the transform."""
    values, rate = np.full(len(angle), mean), np.zeros(len(angle))
    for amplitude, order, phase in parts:
        values = values + amplitude * np.cos(order * angle.values + phase)
        rate = rate - amplitude * order * angle.rate * np.sin(order * angle.values + phase)
    return Signal("mesh.force", values, angle.time, "N", rate=rate)


# --- order_spectrum ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("window", ["none", "hann", "flattop"])
def test_a_chirp_is_one_order(window, uneven, sense):
    """Whole turns: exact but for the cubic between samples, whose error is up to A (n ω h)⁴/384, 1e-4 for A = 3 and order 4 at
    the top speed with the longest steps, 2.8 ms; less on average over the run."""
    angle = turned(times(uneven=uneven), sense)
    found = order_spectrum(
        waves(angle, (3.0, 4.0, 0.7), (0.5, 5.0, 0.0), mean=-2.0), angle, window=window, max_order=20
    )
    turns = found.revolutions
    assert turns == int(0.5 * RATE * END**2 / (2 * np.pi)) == 63
    np.testing.assert_allclose(found.order, np.arange(20 * turns + 1) / turns, rtol=1e-12)
    for order, amplitude in ((0, 2.0), (4, 3.0), (5, 0.5)):
        assert found.amplitude[order * turns] == pytest.approx(amplitude, abs=1e-4)
    away = np.min(np.abs(found.order[:, None] - [0.0, 4.0, 5.0]), axis=1) > 5.5 / turns
    assert np.max(found.amplitude[away]) < 1e-4
    assert (found.name, found.unit, found.angle) == ("mesh.force", "N", "hinge.angle")


def test_signals_without_rates_are_joined_by_parabolas():
    """A sine of N samples a period loses 20/N⁴ of its amplitude."""
    for count in (8, 16):
        t = np.arange(40 * count + 1) / count
        angle = Signal("hinge.angle", 2 * np.pi * t, t, "rad")
        found = order_spectrum(Signal("a.b", np.cos(2 * np.pi * t), t), angle)
        assert 1.0 - found.amplitude[40] == pytest.approx(20.0 / count**4, rel=0.1)


def test_angle_and_signal_may_have_samples_of_their_own():
    angle = turned(times(777, uneven=True))
    signal = waves(turned(times()), (3.0, 7.0, 0.0))
    found = order_spectrum(signal, angle)
    assert found.amplitude[7 * 63] == pytest.approx(3.0, rel=1e-4)
    part = order_spectrum(signal.between(8.0, 15.0), angle)
    assert part.revolutions == int(0.5 * RATE * (15.0**2 - 8.0**2) / (2 * np.pi))
    assert part.amplitude[7 * part.revolutions] == pytest.approx(3.0, rel=1e-4)


def test_a_rest_counts_for_nothing():
    """Turn, rest for as long, turn on: the orders are those of the turning."""
    t = np.linspace(0.0, 3.0, 3001)
    theta = 4 * np.pi * (np.minimum(t, 1.0) + np.maximum(t - 2.0, 0.0))
    angle = Signal("hinge.angle", theta, t, "rad")
    found = order_spectrum(Signal("a.b", 2.0 * np.cos(3 * theta), t), angle, max_order=8)
    assert found.revolutions == 4
    assert found.amplitude[12] == pytest.approx(2.0, rel=1e-5)
    assert np.max(np.delete(found.amplitude, 12)) < 1e-4


def test_components_keep_their_columns():
    angle = turned(times())
    one = waves(angle, (1.0, 4.0, 0.0))
    many = Signal(
        "a.b", np.outer(one.values, [1.0, 2.0, 3.0]), angle.time, "N", rate=np.outer(one.rate, [1.0, 2.0, 3.0])
    )
    found = order_spectrum(many, angle)
    np.testing.assert_allclose(found.amplitude[4 * 63], [1.0, 2.0, 3.0], rtol=1e-4)
    assert found.components == ("x", "y", "z")


# --- order_map -----------------------------------------------------------------------------------------


def test_an_order_stays_where_it_is_while_the_speed_grows():
    angle = turned(times())
    found = order_map(waves(angle, (3.0, 4.0, 0.7), (0.5, 5.0, 0.0)), angle, revolutions=4, max_order=10)
    assert found.amplitude.shape == (len(found.speed), 41)
    np.testing.assert_allclose(found.amplitude[:, 16], 3.0, rtol=1e-4)
    np.testing.assert_allclose(found.amplitude[:, 20], 0.5, rtol=1e-3)
    assert np.max(found.amplitude[:, 24:]) < 1e-3
    np.testing.assert_allclose(found.speed, RATE * found.time, rtol=1e-9)
    # the middle by angle of the first and of the last stretch
    ends = np.sqrt(2 * np.array([2 * 2 * np.pi, 0.5 * RATE * END**2 - 2 * 2 * np.pi]) / RATE)
    np.testing.assert_allclose(found.time[[0, -1]], ends, rtol=1e-9)


def test_a_map_may_have_stretches_below_one_turn():
    angle = turned(times())
    found = order_map(waves(angle, (3.0, 10.0, 0.0)), angle, revolutions=0.5, max_order=16)
    np.testing.assert_allclose(found.order, np.arange(0, 17, 2))
    np.testing.assert_allclose(found.amplitude[:, 5], 3.0, rtol=1e-3)


def test_backwards_the_speed_is_negative():
    angle = turned(times(), -1.0)
    signal = waves(angle, (3.0, 4.0, 0.7))
    assert np.all(order_map(signal, angle).speed < 0.0)
    track = order_track(signal, angle, 4)
    assert np.all(track.speed < 0.0)
    np.testing.assert_allclose(track.phase, 0.7, atol=1e-4)


# --- order_track ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize(
    "options",
    [{}, {"periods": 12}, {"revolutions": 3, "window": "none"}, {"window": "flattop", "revolutions": 5}],
)
def test_two_orders_are_parted(options, uneven):
    """To the error of the cubic between samples, (n ω h)⁴/384, 3e-4 at the top speed with steps of 2.8 ms."""
    angle = turned(times(uneven=uneven))
    signal = waves(angle, (3.0, 4.0, 0.7), (0.5, 5.0, -1.2), mean=7.0)
    if options == {"periods": 12}:  # twelve periods of order 4 take three turns
        assert order_track(signal, angle, 4, **options).revolutions == 3.0
    for order, amplitude, phase in ((4, 3.0, 0.7), (5, 0.5, -1.2)):
        if "periods" in options and order == 5:
            continue  # would take 2.4 turns, not whole ones
        track = order_track(signal, angle, order, **options)
        np.testing.assert_allclose(track.amplitude, amplitude, rtol=3e-4)
        np.testing.assert_allclose(track.phase, phase, atol=1e-3)
        np.testing.assert_allclose(track.speed, RATE * track.time, rtol=1e-9)


def test_an_order_need_not_be_whole():
    angle = turned(times())
    track = order_track(waves(angle, (3.0, 2.4, 0.1)), angle, 2.4)
    assert track.revolutions == pytest.approx(5 / 2.4)
    np.testing.assert_allclose(track.amplitude, 3.0, rtol=1e-5)


@pytest.mark.parametrize(("window", "leak"), [("none", lambda nu: 1 / nu), ("hann", lambda nu: 1 / (nu * (nu**2 - 1)))])
def test_an_amplitude_that_grows_with_the_angle_leaks_as_stated(window, leak):
    """y = g θ cos nθ: in a window of the middle θ_m and of the width L the mean of A is g θ_m, and the mirror image at −n adds
    up to g L / (2π ν) (without a window) or g L / (2π ν (ν² − 1)) (Hann), ν = 2 n R. A mean that grows leaks twice as much, with
    ν = n R."""
    theta = np.linspace(0.0, 60.0, 20001)
    angle = Signal("hinge.angle", theta, 0.1 * theta, "rad")
    order, turns, slope = 3, 2, 0.5
    growing = Signal("a.b", slope * theta * np.cos(order * theta), 0.1 * theta)
    track = order_track(growing, angle, order, revolutions=turns, window=window)
    middle = track.time / 0.1
    width, nu = 2 * np.pi * turns, 2 * order * turns
    worst = np.max(np.abs(track.amplitude * np.exp(1j * track.phase) - slope * middle))
    assert worst == pytest.approx(slope * width * leak(nu) / (2 * np.pi), rel=0.02)
    drifting = Signal("a.b", slope * theta, 0.1 * theta)
    leaked = order_track(drifting, angle, order, revolutions=turns, window=window).amplitude
    np.testing.assert_allclose(leaked, 2 * slope * width * leak(nu / 2) / (2 * np.pi), rtol=0.01)


def test_an_amplitude_that_grows_with_the_speed():
    """A = g ω, ω² = 2 a θ: the window averages A over θ, so that A is low by its curvature, A'' (0.0327 L²)/2 with Hann's window,
    A'' = −A/(4 θ²); and by that of the cubic between samples, (n ω h)⁴/384 = 2e-4 at most."""
    t = times()
    angle = turned(t, start=0.0)
    growth = 0.25
    theta = angle.values
    rate = growth * RATE * (np.cos(8 * theta) - 8 * RATE * t**2 * np.sin(8 * theta))
    signal = Signal("a.b", growth * RATE * t * np.cos(8 * theta), t, "N", rate=rate)
    track = order_track(signal, angle, 8)
    theta, width = 0.5 * RATE * track.time**2, 2 * np.pi * track.revolutions
    low = (1 / 12 - 1 / (2 * np.pi**2)) * width**2 / (8 * theta**2)
    late = theta > 3 * width
    np.testing.assert_allclose((track.amplitude / (growth * track.speed))[late], (1 - low)[late], atol=2e-4)
    assert np.max(low[late]) < 0.002


# --- spectrogram ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("window", ["none", "hann", "flattop"])
def test_a_sine_shows_its_amplitude(window, uneven):
    t = times(uneven=uneven)
    signal = Signal("a.b", 1.0 + 3.0 * np.sin(2 * np.pi * 5 * t), t, "N", rate=30 * np.pi * np.cos(2 * np.pi * 5 * t))
    found = spectrogram(signal, duration="2 s", window=window, max_frequency="20 Hz")
    assert found.amplitude.shape == (37, 41)
    np.testing.assert_allclose(found.frequency[[0, 10, 40]], [0.0, 5.0, 20.0])
    np.testing.assert_allclose(found.amplitude[:, 10], 3.0, rtol=1e-5)
    np.testing.assert_allclose(found.amplitude[:, 0], 1.0, rtol=1e-5)
    np.testing.assert_allclose(found.time[[0, 1, -1]], [1.0, 1.5, 19.0])


def test_a_spectrogram_follows_a_frequency():
    t = times()
    found = spectrogram(Signal("a.b", np.sin(0.5 * 2 * np.pi * 2.0 * t**2), t))
    assert found.duration == pytest.approx(END / 16)
    strongest = found.frequency[np.argmax(found.amplitude, axis=1)]
    np.testing.assert_allclose(strongest, 2.0 * found.time, atol=2.0 / found.duration)


# --- peak_hold -----------------------------------------------------------------------------------------


def test_peaks_over_the_speed():
    t = times()
    speed = Signal("hinge.angular_speed", RATE * t, t, "rad/s")
    envelope = 1.0 / (1.0 + (RATE * t - 12.0) ** 2)
    held = peak_hold(Signal("a.b", envelope * np.cos(400 * t), t, "m"), speed, bins=40)
    np.testing.assert_allclose(held.speed, np.arange(0.5, 40.0, 1.0))
    np.testing.assert_allclose(held.edges, np.arange(41.0))
    # in each class the envelope at the edge that is nearer to the top, to the part of a period that a class cuts off
    nearest = np.clip(12.0, held.edges[:-1], held.edges[1:])
    np.testing.assert_allclose(held.peak, 1.0 / (1.0 + (nearest - 12.0) ** 2), rtol=0.05)
    np.testing.assert_allclose(held.peak_to_peak, held.highest - held.lowest)
    assert held.speed_at_maximum == pytest.approx(12.0, abs=0.02)
    assert held.maximum == pytest.approx(1.0, abs=0.01)


def test_peaks_are_held_up_and_down_and_in_classes_of_ones_own():
    t = np.linspace(0.0, 2.0, 201)
    speed = Signal("hinge.angular_speed", 10.0 * (1.0 - np.abs(t - 1.0)), t, "rad/s")
    signal = Signal("a.b", np.where(t < 1.0, 1.0, -3.0), t)
    held = peak_hold(signal, speed, bins=[0.0, 5.0, 10.5, 20.0])
    np.testing.assert_array_equal(held.highest, [1.0, 1.0, np.nan])
    np.testing.assert_array_equal(held.lowest, [-3.0, -3.0, np.nan])
    assert held.maximum == 3.0 and 5.0 <= held.peak_speed[1] <= 10.0
    assert np.isnan(held.peak_speed[2])


# --- what is refused -----------------------------------------------------------------------------------


def test_an_angle_that_turns_back_is_refused_with_the_place():
    t = np.linspace(0.0, 3.0, 301)
    back = Signal("hinge.angle", 20 * np.sin(t), t, "rad")
    signal = Signal("a.b", np.sin(9 * t), t)
    for function in (order_spectrum, order_map, lambda s, a: order_track(s, a, 3)):
        with pytest.raises(SignalError, match=r'"hinge.angle" falls from t = 1.57 s to 1.58 s.*signal\.between'):
            function(signal, back)
    with pytest.raises(SignalError, match=r"rises from t = 1.57 s.*where it should fall"):
        order_spectrum(signal, Signal("hinge.angle", -20 * np.sin(t), t, "rad"))
    assert order_spectrum(signal.between(0.0, 1.5), back).revolutions == 3
    with pytest.raises(SignalError, match="does not turn: it is 2 rad"):
        order_spectrum(signal, Signal("hinge.angle", np.full(301, 2.0), t, "rad"))


def test_a_record_that_is_too_short_is_refused():
    t = np.linspace(0.0, 1.0, 101)
    angle, signal = Signal("hinge.angle", 5 * t, t, "rad"), Signal("a.b", np.sin(9 * t), t)
    with pytest.raises(SignalError, match=r'needs 1 turns, but "hinge.angle" turns 0\.7958 times.*longer record'):
        order_spectrum(signal, angle)
    with pytest.raises(SignalError, match=r"needs 4 turns.*fewer revolutions"):
        order_map(signal, angle)
    with pytest.raises(SignalError, match=r"needs 2 turns.*shorter window"):
        order_track(signal, angle, 3)
    with pytest.raises(SignalError, match=r'"a\.b" has 2 samples; three'):
        spectrogram(Signal("a.b", [0.0, 1.0], [0.0, 1.0]))
    with pytest.raises(SignalError, match=r"stretches of 2 s do not fit a record of 1 s"):
        spectrogram(signal, duration=2)


def test_times_that_do_not_match_are_refused():
    t = np.linspace(0.0, 9.0, 901)
    signal = Signal("a.b", np.sin(9 * t), t)
    angle = Signal("hinge.angle", 20 * t[:500], t[:500], "rad")
    with pytest.raises(
        SignalError, match=r'"a\.b" runs from 0 s to 9 s, but its angle "hinge\.angle" from 0 s to 4\.99 s'
    ):
        order_spectrum(signal, angle)
    with pytest.raises(SignalError, match=r'runs from 0 s to 9 s, but "hinge\.speed" from 0 s to 4\.99 s'):
        peak_hold(signal, Signal("hinge.speed", t[:500], t[:500], "rad/s"))


def test_arguments_that_make_no_sense_are_refused():
    t = np.linspace(0.0, 9.0, 901)
    signal, angle = Signal("a.b", np.sin(9 * t), t), Signal("hinge.angle", 20 * t, t, "rad")
    vector = Signal("a.v", np.zeros((901, 3)), t)
    with pytest.raises(SignalError, match=r'"a\.v" has the components x, y, z; take one, such as signal\["x"\]'):
        order_map(vector, angle)
    with pytest.raises(SignalError, match=r'"a\.b" is nan at t = 0\.09 s'):
        order_spectrum(Signal("a.b", np.where(t == t[9], np.nan, t), t), angle)
    with pytest.raises(SignalError, match=r"in rad/s; give the angle"):
        order_spectrum(signal, Signal("hinge.angular_speed", 20 * t, t, "rad/s"))
    with pytest.raises(SignalError, match=r"has 7\.5 of order 3; give periods=8, or revolutions=2\.66667"):
        order_track(signal, angle, 3, revolutions=2.5)
    with pytest.raises(SignalError, match=r'"hann" needs 2 periods of the order or more, got 1'):
        order_track(signal, angle, 3, periods=1)
    with pytest.raises(SignalError, match="give one of them"):
        order_track(signal, angle, 3, periods=6, revolutions=2)
    with pytest.raises(SignalError, match=r"greater than zero, got 0"):
        order_track(signal, angle, 0)
    with pytest.raises(SignalError, match=r"from 0 to below 1, got 1"):
        spectrogram(signal, overlap=1.0)
    with pytest.raises(SignalError, match=r"unknown window"):
        order_map(signal, angle, window="kaiser")
    with pytest.raises(SignalError, match=r"max_order must be greater than zero"):
        order_spectrum(signal, angle, max_order=-1)
    with pytest.raises(SignalError, match=r"revolutions must be greater than zero"):
        order_map(signal, angle, revolutions=0)
    speed = Signal("hinge.angular_speed", 20 * t, t, "rad/s")
    with pytest.raises(SignalError, match=r"whole number of classes"):
        peak_hold(signal, speed, bins=0)
    with pytest.raises(SignalError, match=r"rising bounds"):
        peak_hold(signal, speed, bins=[1.0, 0.0])
    with pytest.raises(
        SignalError, match=r"no sample lies in the classes from 500 to 600; .* runs from 0 to 180 rad/s"
    ):
        peak_hold(signal, speed, bins=[500.0, 600.0])
    with pytest.raises(SignalError, match=r"stays at 1 rad/s"):
        peak_hold(signal, Signal("hinge.angular_speed", np.ones(901), t, "rad/s"))


# --- pictures ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_each_draws_itself(tmp_path):
    import pitchline.views  # noqa: F401

    angle = turned(times(3001))
    signal = waves(angle, (3e-6, 4.0, 0.7))
    signal = Signal("mesh.approach", signal.values, signal.time, "m", rate=signal.rate)
    speed = Signal("hinge.angular_speed", RATE * angle.time, angle.time, "rad/s")
    shown = {
        "spectrum": order_spectrum(signal, angle, max_order=10).plot(path=tmp_path / "a.png", end=8),
        "map": order_map(signal, angle, max_order=10).plot(path=tmp_path / "b.png"),
        "time": order_map(signal, angle, max_order=10).plot(over="time", log=False, title="mine"),
        "track": order_track(signal, angle, 4).plot(path=tmp_path / "c.svg"),
        "spectrogram": spectrogram(signal, max_frequency=30).plot(path=tmp_path / "d.png"),
        "peaks": peak_hold(signal, speed).plot(path=tmp_path / "e.pdf"),
    }
    assert {p.name for p in tmp_path.iterdir()} == {"a.png", "b.png", "c.svg", "d.png", "e.pdf"}
    axes = {name: figure.axes for name, figure in shown.items()}
    assert axes["spectrum"][0].get_ylabel() == "approach (µm)"
    assert axes["spectrum"][0].get_xlabel() == "order of hinge"
    assert [axes["map"][0].get_xlabel(), axes["time"][0].get_xlabel()] == ["speed of hinge (rpm)", "time (s)"]
    assert axes["map"][1].get_ylabel() == "approach (µm)"  # the bar of colours
    assert shown["time"].get_suptitle() == "mine"
    assert [ax.get_ylabel() for ax in axes["track"]] == ["amplitude (µm)", "phase (deg)"]
    assert axes["spectrogram"][0].get_ylabel() == "frequency (Hz)"
    assert axes["peaks"][0].get_xlabel() == "speed of hinge (rpm)"
    with pytest.raises(PitchlineError, match=r'has no speed; use over="time"'):
        spectrogram(signal).plot(over="speed")


def test_a_spectrum_draws_itself():
    import pitchline.views  # noqa: F401
    from pitchline.results import spectrum

    t = times(2001)
    figure = spectrum(Signal("a.force", np.sin(50 * np.outer(t, [1.0, 2.0, 3.0])), t, "N")).plot(end=40, log=True)
    assert figure.axes[0].get_xlabel() == "frequency (Hz)"
    assert len(figure.axes[0].get_lines()) == 3
    one = spectrum(Signal("a.force.x", np.sin(50 * t), t, "N")).plot()
    assert one.axes[0].get_ylabel() == "force x (N)"
