"""The order analysis of a measurement is that of the computed signal.

A run-up is written as WAV and CSV with noise of known size, with a tacho, and read back. Order amplitudes agree within the
quantisation of the file and the noise in one line of the spectrum.
"""

import numpy as np
import pytest
import scipy.io.wavfile

import pitchline as pl

RATE = 8000.0
NOISE = 0.02


@pytest.fixture(scope="module")
def run():
    """Acceleration with orders 1, 5 and 10 on a shaft that accelerates from 20 to 100 rad/s."""
    t = np.arange(int(4 * RATE)) / RATE
    angle = 20 * t + 10 * t**2
    speed = 20 + 20 * t
    values = 1.0 * np.cos(angle) + 0.5 * np.cos(5 * angle + 1.0) + 0.01 * speed * np.cos(10 * angle)
    signals = {
        "acc": pl.Signal("acc", values, t, "m/s^2"),
        "angle": pl.Signal("angle", angle, t, "rad", rate=speed),
        "speed": pl.Signal("speed", speed, t, "rad/s"),
    }
    return pl.Result(kind="dynamics", model_name="run-up", time=t, signals=signals)


def lines(by_speed):
    places = [round(order * by_speed.revolutions) for order in (1, 5, 10)]
    return by_speed.amplitude[:, places]


@pytest.fixture(scope="module")
def exact(run):
    return lines(pl.order_map(run["acc"], run["angle"], revolutions=4, max_order=12))


def test_wav_of_16_bits(run, exact, tmp_path):
    full = 4.0
    noise = np.random.default_rng(5).normal(scale=NOISE, size=run.samples)
    pulses = np.where(np.sin(30 * run["angle"].values) > 0.0, 0.8, -0.8)
    data = np.column_stack([(run["acc"].values + noise) / full, pulses])
    scipy.io.wavfile.write(tmp_path / "bench.wav", int(RATE), np.round(data * 2**15).astype(np.int16))
    read = pl.read_measurement(
        tmp_path / "bench.wav", names=["acc", "tacho"], units={"acc": f"{full} m/s^2"}, tacho={"tacho": 30}
    )
    assert read["acc"].values - noise == pytest.approx(run["acc"].values, abs=full / 2**16 * 1.01)
    found = pl.order_map(read["acc"], read["tacho.angle"], revolutions=4, max_order=12)
    at = np.interp(found.speed, 20 + 20 * run.time, np.arange(run.samples))
    assert at.min() >= 0
    mine = lines(found)
    # noise of a line: sigma sqrt(2 * 1.5 / N) with the window "hann" and N samples of a block; 5 sigma
    samples = RATE * 4 * 2 * np.pi / found.speed
    limit = 5 * NOISE * np.sqrt(3.0 / samples)
    theory = np.column_stack([np.full(len(mine), 1.0), np.full(len(mine), 0.5), 0.01 * found.speed])
    # the angle comes from flanks of the pulses that are one sample wide: an error of up to order * speed / rate / sqrt(12)
    jitter = np.outer(found.speed / RATE / np.sqrt(12), (1, 5, 10))
    assert np.all(np.abs(mine - theory)[1:-1] <= (limit[:, None] + 0.02 * theory + jitter)[1:-1])


def test_csv_with_speed(run, exact, tmp_path):
    """Twelve digits: the amplitudes of the orders are equal to ten digits."""
    rows = zip(run.time, run["acc"].values, run["speed"].values * 30 / np.pi, strict=True)
    text = "time [s];acc [m/s²];speed [1/min]\n" + "\n".join(
        f"{t:.12g};{a:.12g};{n:.12g}".replace(".", ",") for t, a, n in rows
    )
    (tmp_path / "bench.csv").write_text(text, encoding="cp1252")
    read = pl.read_measurement(tmp_path / "bench.csv")
    found = pl.order_map(read["acc"], speed=read["speed"], revolutions=4, max_order=12)
    assert lines(found) == pytest.approx(exact, abs=1e-9)
    track = pl.order_track(read["acc"], None, 5, speed=read["speed"])
    assert track.amplitude == pytest.approx(0.5, rel=2e-3)
    whole = pl.order_spectrum(read["acc"], speed=read["speed"], max_order=12, window="hann")
    assert whole.amplitude[5 * whole.revolutions] == pytest.approx(0.5, rel=2e-3)
    held = pl.peak_hold(read["acc"], read["speed"], bins=10)
    assert held.maximum == pytest.approx(np.abs(run["acc"].values).max(), rel=1e-9)


def test_angle_or_speed_is_required(run):
    with pytest.raises(pl.PitchlineError, match="one of the two"):
        pl.order_map(run["acc"])
    with pytest.raises(pl.PitchlineError, match="one of the two"):
        pl.order_map(run["acc"], run["angle"], speed=run["speed"])
