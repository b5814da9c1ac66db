"""Spectra and order maps with marked meshes and modes: lines in the right places, names that can be read."""

from __future__ import annotations

import numpy as np
import pytest

import pitchline.views  # noqa: F401  (registers the pictures)
from pitchline.errors import PitchlineError
from pitchline.results import Signal, order_map, order_spectrum, spectrogram, spectrum

RPM = 30 / np.pi


def run_up() -> tuple[Signal, Signal]:
    """Mesh order 19 of a shaft that goes from rest to 200 rad/s in 2 s."""
    t = np.linspace(0.0, 2.0, 24001)
    angle = Signal("shaft.angle", 50.0 * t**2, t, "rad", rate=100.0 * t)
    return Signal("mesh.force", 1e3 * np.cos(19 * angle.values), t, "N"), angle


def record(count: int = 8000) -> Signal:
    """Mean, a mesh of 475 Hz with sidebands, and its harmonics."""
    t = np.arange(count) / 8000.0
    parts = {475.0: 300.0, 450.0: 4.0, 500.0: 4.0, 950.0: 80.0, 1425.0: 20.0}
    return Signal("stage_1.force", 5e3 + sum(a * np.cos(2 * np.pi * f * t) for f, a in parts.items()), t, "N")


def boxes(figure) -> dict[str, object]:
    """Boxes of all names beside and above the panel."""
    figure.canvas.draw()
    ax = figure.axes[0]
    shown = [text for text in ax.texts if text.get_text()]
    return {text.get_text(): text.get_window_extent() for text in shown}


def assert_readable(figure) -> None:
    """No two names overlap, none is on the panel, and none leaves the figure."""
    found = boxes(figure)
    panel, page = figure.axes[0].get_window_extent(), figure.bbox
    names = list(found)
    for i, name in enumerate(names):
        box = found[name].padded(-0.5)  # half a pixel of rounding
        assert not box.overlaps(panel), name
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1, name
        for other in names[i + 1 :]:
            assert not box.overlaps(found[other].padded(-0.5)), (name, other)
    for bar in figure.axes[1:]:  # the colour scale is beside the names
        assert not any(bar.get_tightbbox().overlaps(box.padded(-0.5)) for box in found.values())


MESHES = {"stage 1": 475.0, "stage 2": 128.2, "stage 3": 44.7}
MODES = [29.8, 250.0, 287.0, 338.0, 502.0, 510.0, 511.0, 512.0, 554.0, 598.0, 705.0, 784.0, 862.0, 3990.0]


@pytest.mark.parametrize(
    "options",
    [
        {"mesh": 475.0},
        {"mesh": MESHES, "harmonics": 6, "modes": MODES},
        {"mesh": MESHES, "modes": {f"housing mode {k}": 100.0 + 3.0 * k for k in range(90)}},
        {"mesh": MESHES, "end": 700.0, "width": 4.0},
        {"modes": MODES, "log": False, "title": ""},
    ],
)
def test_names_in_a_spectrum_can_be_read(options):
    figure = spectrum(record(), window="hann").plot(**options)
    assert len(boxes(figure)) >= 3
    assert_readable(figure)


def test_a_spectrum_marks_harmonics_and_modes_up_to_its_end():
    figure = spectrum(record(), window="hann").plot(mesh={"stage 1": "475 Hz"}, modes=[512.0], harmonics=3)
    (ax,) = figure.axes
    assert ax.get_yscale() == "log"
    assert ax.get_xlim() == pytest.approx((0.0, 4000.0))  # all frequencies, to half the sampling frequency
    assert set(boxes(figure)) == {"stage 1", "2 × stage 1", "3 × stage 1", "512 Hz"}
    *marks, curve = ax.get_lines()
    np.testing.assert_allclose([line.get_xdata()[0] for line in marks], [475.0, 950.0, 1425.0, 512.0])
    assert all(line.get_zorder() < curve.get_zorder() for line in marks)  # sidebands stay visible
    assert curve.get_ydata().max() == pytest.approx(300.0, rel=0.01)  # without the mean


def test_lines_at_one_place_share_a_name():
    figure = spectrum(record()).plot(mesh={"a": 475.0, "b": 237.5, "c": 475.0}, harmonics=2)
    assert set(boxes(figure)) == {"b", "a and 2 others", "2 × a = 2 × c"}


def test_meshes_of_an_order_spectrum_are_orders():
    signal, angle = run_up()
    figure = order_spectrum(signal, angle, max_order=60).plot(mesh={"stage 1": 19})
    assert set(boxes(figure)) == {"stage 1", "2 × stage 1", "3 × stage 1"}
    assert_readable(figure)
    with pytest.raises(PitchlineError, match="natural frequencies have no fixed order"):
        order_spectrum(signal, angle).plot(modes=[50.0])


ORDERS = {"shaft": 1, "2 × shaft": 2, "stage 2": 5.13, "stage 1": 19, "2 × stage 1": 38}


@pytest.mark.parametrize("over", ["speed", "frequency", "time"])
def test_names_in_a_map_can_be_read(over):
    signal, angle = run_up()
    figure = order_map(signal, angle, max_order=50).plot(over=over, orders=ORDERS, modes=[60.0, 61.0, 300.0, 302.0])
    assert set(ORDERS) <= set(boxes(figure))
    assert_readable(figure)


def test_an_order_is_level_in_a_map_and_a_mode_a_hyperbola():
    signal, angle = run_up()
    found = order_map(signal, angle, max_order=50)
    ax = found.plot(orders=[19], modes=[300.0]).axes[0]
    assert ax.get_xlabel() == "speed of shaft (rpm)"
    assert ax.get_xlim() == pytest.approx(RPM * found.speed[[0, -1]])
    order, mode = ax.get_lines()
    assert set(order.get_ydata()) == {19.0}
    rpm, n = mode.get_data()
    inside = np.isfinite(n)
    np.testing.assert_allclose(n[inside] * rpm[inside] / 60.0, 300.0)


def test_an_order_is_a_ray_over_frequency_and_a_mode_is_level():
    """The ridge of order 19 in the colours is on its line."""
    signal, angle = run_up()
    found = order_map(signal, angle, max_order=50)
    ax = found.plot(over="frequency", orders={"mesh": 19}, modes=[300.0]).axes[0]
    assert ax.get_ylabel() == "frequency (Hz)"
    ray, mode = ax.get_lines()
    np.testing.assert_allclose(ray.get_ydata(), 19 * ray.get_xdata() / 60.0)
    assert set(mode.get_ydata()) == {300.0}
    (mesh,) = ax.collections
    rpm, hertz = np.moveaxis(mesh.get_coordinates(), -1, 0)
    ridge = np.argmax(np.asarray(mesh.get_array()).reshape(rpm.shape), axis=1)
    rows = np.arange(len(ridge))
    np.testing.assert_allclose(hertz[rows, ridge], 19 * rpm[rows, ridge] / 60.0, rtol=0.02)
    assert found.plot(over="frequency", end=100.0).axes[0].get_ylim() == (0.0, 100.0)


def test_a_run_backwards_has_a_positive_speed_axis():
    signal, angle = run_up()
    back = Signal("shaft.angle", -angle.values, angle.time, "rad", rate=-angle.rate)
    assert order_map(signal, back).plot().axes[0].get_xlim()[0] > 0.0


def test_wrong_marks_are_refused():
    signal, angle = run_up()
    with pytest.raises(PitchlineError, match="orders need the speed of a shaft"):
        spectrogram(signal).plot(orders=[19])
    with pytest.raises(PitchlineError, match="an order is a number, got 'stage 1'"):
        order_map(signal, angle).plot(orders=["stage 1"])
    with pytest.raises(PitchlineError, match="values must be greater than zero, got -1 Hz"):
        spectrum(record()).plot(modes=[-1.0])
    with pytest.raises(PitchlineError, match="harmonics must be a whole number, 1 or more, got 0"):
        spectrum(record()).plot(mesh=475, harmonics=0)
    with pytest.raises(PitchlineError, match='over must be "speed", "frequency" or "time"'):
        order_map(signal, angle).plot(over="distance")


def test_the_end_of_an_axis_may_have_a_unit_and_is_checked():
    signal, angle = run_up()
    found = spectrum(record())
    assert found.plot(end="0.2 kHz").axes[0].get_xlim()[1] == found.plot(end=200.0).axes[0].get_xlim()[1]
    assert order_map(signal, angle).plot(over="frequency", end="0.2 kHz").axes[0].get_ylim()[1] == pytest.approx(200.0)
    with pytest.raises(PitchlineError, match="end: values must be greater than zero, got 0 Hz"):
        found.plot(end=0)
    with pytest.raises(PitchlineError, match="end: expected frequency"):
        found.plot(end="2 kg")
    with pytest.raises(PitchlineError, match="end: an order is a number, got '2 kHz'"):
        order_map(signal, angle).plot(end="2 kHz")
