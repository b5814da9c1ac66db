"""Amplitude spectra against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from pitchline.results import Signal, SignalError, spectrum

COUNT, STEP = 200, 1e-3  # lines every 5 Hz up to 500 Hz


def signal(function, count: int = COUNT) -> Signal:
    t = 0.3 + STEP * np.arange(count)
    return Signal("mesh.force", function(t), t, "N")


@pytest.mark.parametrize("window", ["none", "hann", "flattop"])
def test_whole_periods_give_the_amplitudes(window):
    found = spectrum(
        signal(lambda t: -4.0 + 3.0 * np.cos(2 * np.pi * 100 * t + 0.7) + 0.5 * np.sin(2 * np.pi * 300 * t)),
        window=window,
    )
    np.testing.assert_allclose(found.frequency, 5.0 * np.arange(101), rtol=1e-12)
    for frequency, amplitude in ((0.0, 4.0), (100.0, 3.0), (300.0, 0.5)):
        assert found.amplitude[round(frequency / 5.0)] == pytest.approx(amplitude, rel=1e-8)
    away = np.min(np.abs(found.frequency[:, None] - [0.0, 100.0, 300.0]), axis=1) > 25.0
    assert np.max(found.amplitude[away]) < 1e-8
    assert (found.name, found.unit) == ("mesh.force", "N")


def test_line_at_half_the_sampling_rate():
    found = spectrum(signal(lambda t: 2.0 * (-1.0) ** np.arange(t.size)))
    assert found.amplitude[-1] == pytest.approx(2.0, rel=1e-12)


def test_odd_number_of_samples():
    t = np.arange(201) / 201.0
    found = spectrum(Signal("a.b", 2.0 * np.cos(2 * np.pi * 100 * t), t))
    assert found.frequency[-1] == pytest.approx(100.0, rel=1e-12)
    assert found.amplitude[-1] == pytest.approx(2.0, rel=1e-9)


@pytest.mark.parametrize(("window", "worst"), [("none", 0.37), ("hann", 0.152), ("flattop", 0.002)])
def test_peak_height_between_two_lines(window, worst):
    # The worst case, halfway between two lines: 1 - 2/pi without window, 1 - 8/(3 pi) with Hann's.
    found = spectrum(signal(lambda t: np.cos(2 * np.pi * 102.5 * t)), window=window)
    assert 1.0 - worst <= np.max(found.amplitude) <= 1.0 + 0.002


def test_components_keep_their_columns():
    t = STEP * np.arange(COUNT)
    values = np.column_stack([k * np.cos(2 * np.pi * 50 * t) for k in (1.0, 2.0, 3.0)])
    found = spectrum(Signal("a.b", values, t), window="hann")
    np.testing.assert_allclose(found.amplitude[10], [1.0, 2.0, 3.0], rtol=1e-12)
    assert found.components == ("x", "y", "z")


def test_what_cannot_be_transformed_is_refused():
    uneven = Signal("a.b", np.zeros(4), [0.0, 1.0, 2.0, 4.0])
    with pytest.raises(SignalError, match=r"not equally spaced; use signal\.resampled\(4\)"):
        spectrum(uneven)
    assert spectrum(uneven.resampled(4)).amplitude.shape == (3,)
    with pytest.raises(SignalError, match="two samples"):
        spectrum(Signal("a.b", [1.0], [0.0]))
    with pytest.raises(SignalError, match="unknown window"):
        spectrum(uneven, window="kaiser")
