"""Time-history plots: panels, labels, units, files, and no need of a display."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from pitchline.errors import PitchlineError
from pitchline.results import Result, Signal, Status, UnknownSignalError
from pitchline.views.plots import MOST_LINES, plot
from pitchline.views.style import COLOURS, line_style, quantity_text, scaled_unit, unit_text

TIME = np.linspace(0.0, 0.02, 101)


def make(extra: tuple[Signal, ...] = (), **changes) -> Result:
    spin = 2.0 * np.pi * 100.0
    position = np.column_stack([0.05 * np.cos(spin * TIME), 0.05 * np.sin(spin * TIME), 0.0 * TIME])
    signals = [
        Signal("pinion.position", position, TIME, "m"),
        Signal("pinion.speed", spin + np.sin(900.0 * TIME), TIME, "rad/s"),
        Signal("wheel.speed", spin - np.sin(900.0 * TIME), TIME, "rad/s"),
        Signal("mesh.normal_force", 2e4 + 1e4 * np.sin(900.0 * TIME), TIME, "N"),
        Signal("motor.torque", np.full(101, 100.0) + 1e-12 * TIME, TIME, "N*m"),
        *extra,
    ]
    given = {"kind": "dynamics", "model_name": "pair", "time": TIME, "signals": {s.name: s for s in signals}}
    return Result(**{**given, **changes})


def legend_of(ax) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_one_panel_for_each_unit_with_units_on_the_axes():
    figure = make().plot("mesh.normal_force", "*.speed", "pinion.position")
    labels = [ax.get_ylabel() for ax in figure.axes]
    assert labels == ["normal force (kN)", "speed (rpm)", "position (mm)"]
    assert figure.axes[-1].get_xlabel() == "time (ms)"
    assert figure.get_suptitle() == "pair: dynamics"


def named(name: str, size: float, unit: str = "N") -> Signal:
    return Signal(name, size * np.cos(900.0 * TIME), TIME, unit)


def test_one_axis_never_has_two_magnitudes():
    """Peaks up to 20 to 1 share a panel; smaller ones have their own, with the unit that suits them."""
    extra = (named("a.force", 3e4), named("c.force", 100.0), named("b.force", 2e3), named("d.force", 6.0))
    figure = make(extra).plot("*.force")
    assert [ax.get_ylabel() for ax in figure.axes] == ["force (kN)", "force (N)"]
    assert [legend_of(ax) for ax in figure.axes] == [["a", "b"], ["c", "d"]]
    assert len(make((named("a.force", 1e3), named("b.force", 49.0))).plot("*.force").axes) == 2


def test_pure_numbers_share_a_panel_only_by_name():
    extra = (named("a.phase", 1.0, ""), named("b.phase", 1.0, "1"), named("a.contact_ratio", 1.5, ""))
    assert len(make(extra).plot("*.phase", "*.contact_ratio").axes) == 2


def test_components_of_a_vector_and_zeros_stay_in_one_panel():
    vector = Signal("a.force", np.outer(np.cos(900.0 * TIME), [1e4, 1.0, 1e-13]), TIME, "N")
    assert len(make((vector, named("b.force", 1e-9))).plot("*.force").axes) == 1


def test_values_are_scaled_with_their_unit():
    force, _ = make().plot("mesh.normal_force", "pinion.position").axes
    (line,) = force.get_lines()
    np.testing.assert_allclose(line.get_ydata(), make()["mesh.normal_force"].values / 1e3, rtol=1e-14)
    np.testing.assert_allclose(line.get_xdata(), TIME * 1e3, rtol=1e-14)


def test_labels_say_what_differs():
    speed, position, force = make().plot("*.speed", "pinion.position", "mesh.normal_force").axes
    assert legend_of(speed) == ["pinion", "wheel"]
    assert legend_of(position) == ["x", "y", "z"]
    assert position.get_title(loc="left") == "pinion.position"
    assert force.get_legend() is None
    assert force.get_title(loc="left") == "mesh.normal_force"
    mixed = Signal("wheel.offset", np.zeros((101, 3)), TIME, "m")
    (ax,) = make((mixed,)).plot("pinion.position.x", "wheel.offset").axes
    assert legend_of(ax) == ["pinion.position x", "wheel.offset x", "wheel.offset y", "wheel.offset z"]
    assert ax.get_ylabel() == "length (mm)"
    (one,) = make().plot("pinion.position.y").axes
    assert (one.get_title(loc="left"), one.get_ylabel()) == ("pinion.position y", "position (mm)")


@pytest.mark.parametrize("name", ["bearing", "bearing_of_the_planet_carrier_on_the_output_side"])
def test_the_legend_is_outside_the_data(name):
    force = [Signal(f"{name}_{i}.force", np.zeros((101, 3)), TIME, "N") for i in range(3)]
    figure = make(tuple(force)).plot("bearing*.force")
    figure.canvas.draw()
    (ax,) = figure.axes
    legend, data = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert not legend.overlaps(data)
    page = figure.bbox
    assert page.x0 <= legend.x0
    assert legend.x1 <= page.x1
    assert page.y0 <= legend.y0
    assert legend.y1 <= page.y1
    assert data.width > 0.5 * page.width


def test_lines_in_a_panel_can_be_told_apart():
    looks = {(style["color"], str(style["linestyle"])) for style in map(line_style, range(MOST_LINES))}
    assert len(looks) == MOST_LINES
    assert line_style(0)["color"] == COLOURS[0]


def test_too_many_lines_are_refused():
    many = tuple(Signal(f"b{i}.force", np.zeros((101, 3)), TIME, "N") for i in range(10))
    with pytest.raises(PitchlineError, match=r"lines in one panel \(N\)"):
        make(many).plot()


def test_a_constant_is_a_level_line():
    (ax,) = make().plot("motor.torque").axes
    low, high = ax.get_ylim()
    assert low < 95.0
    assert high > 105.0


def test_part_of_the_record():
    (ax,) = make().plot("mesh.normal_force", start="5 ms", end=0.01).axes
    assert ax.get_xlim() == pytest.approx((5.0, 10.0))
    (ax,) = make().plot("mesh.normal_force", start=0.01).axes
    assert ax.get_xlim() == pytest.approx((10.0, 20.0))


def test_dense_output_is_drawn_smooth():
    time = np.linspace(0.0, 1.0, 8)
    signal = Signal("a.angle", np.sin(8.0 * time), time, "rad", rate=8.0 * np.cos(8.0 * time))
    (ax,) = Result(kind="dynamics", model_name="m", time=time, signals={"a.angle": signal}).plot().axes
    (line,) = ax.get_lines()
    x, y = line.get_data()
    assert len(x) > 1000
    # Hermite error bound: h⁴/384 max|y''''|
    np.testing.assert_allclose(np.radians(y), np.sin(8.0 * x), atol=(1.0 / 7.0) ** 4 / 384.0 * 8.0**4)


def test_no_peak_of_a_long_record_is_lost():
    time = np.linspace(0.0, 1.0, 200_003)
    values = np.sin(2e4 * time)
    values[123_457] = 7.0
    values[77] = -5.0
    values[1000:1010] = np.nan
    signal = Signal("a.b", values, time, "W")
    (ax,) = Result(kind="dynamics", model_name="m", time=time, signals={"a.b": signal}).plot().axes
    (line,) = ax.get_lines()
    assert len(line.get_xdata()) < 10_000
    assert (np.nanmax(line.get_ydata()), np.nanmin(line.get_ydata())) == (7.0, -5.0)
    assert line.get_xdata()[-1] == 1.0


def test_one_sample_is_a_point():
    signal = Signal("arm.force", [[1.0, 2.0, np.nan]], [0.0], "N")
    still = Result(kind="statics", model_name="arm", time=[0.0], signals={"arm.force": signal})
    (ax,) = still.plot().axes
    assert {line.get_marker() for line in ax.get_lines()} == {"o"}
    assert list(ax.get_xticks()) == [0.0]


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_files_by_suffix_and_the_same_bytes_again(tmp_path, suffix, start):
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, second):
        make().plot("*.speed", "mesh.*", path=path)
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()


def test_wrong_paths_are_refused_before_drawing(tmp_path):
    with pytest.raises(PitchlineError, match=r"must end in one of \.png, \.svg, \.pdf"):
        make().plot("mesh.*", path=tmp_path / "a.docx")
    with pytest.raises(PitchlineError, match=r"folder .* does not exist"):
        make().plot("mesh.*", path=tmp_path / "nowhere" / "a.png")


def test_wrong_names_and_empty_results():
    with pytest.raises(UnknownSignalError, match=r"near: mesh\.normal_force"):
        make().plot("mesh.normal_forse")
    empty = Result(kind="dynamics", model_name="m", time=[], signals={}, message="no start found")
    with pytest.raises(PitchlineError, match=r"nothing to plot.*no start found"):
        plot(empty)


def test_title_and_how_it_ended():
    failed = make(status=Status.FAILED)
    assert failed.plot("mesh.*").get_suptitle() == "pair: dynamics (failed)"
    assert failed.plot("mesh.*", title="Fig. 3").get_suptitle() == "Fig. 3"
    assert failed.plot("mesh.*", title="").get_suptitle() == ""


def test_it_shows_itself_in_a_notebook():
    assert make().plot("mesh.*")._repr_png_().startswith(b"\x89PNG")


def test_the_settings_of_the_user_stay_and_do_not_matter():
    import matplotlib

    with matplotlib.rc_context({"font.size": 40.0, "lines.linewidth": 9.0}):
        (ax,) = make().plot("mesh.*").axes
        assert matplotlib.rcParams["font.size"] == 40.0
    assert ax.get_lines()[0].get_linewidth() < 2.0


def test_no_display_is_needed(tmp_path):
    code = (
        "import sys, numpy as np\n"
        "from pitchline.results import Result, Signal\n"
        "import pitchline.views\n"
        "t = np.linspace(0, 1, 5)\n"
        "r = Result(kind='dynamics', model_name='m', time=t, signals={'a.b': Signal('a.b', t, t, 'N')})\n"
        f"r.plot('a.b', path={str(tmp_path / 'a.png')!r})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    subprocess.run([sys.executable, "-c", code], env={**environment, "MPLBACKEND": "TkAgg"}, check=True)
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("N*m", "N·m"),
        ("m/s^2", "m/s²"),
        ("kg*m^2", "kg·m²"),
        ("m^-1", "m⁻¹"),
        ("1", ""),
        ("", ""),
        ("rpm", "rpm"),
    ],
)
def test_units_for_the_eye(unit, text):
    assert unit_text(unit) == text


@pytest.mark.parametrize(
    ("unit", "largest", "expected"),
    [
        ("m", 0.05, (1e3, "mm")),
        ("m", 2e-5, (1e6, "µm")),
        ("m", 0.5, (1.0, "m")),
        ("m", 2e4, (1.0, "m")),
        ("m", 1e-16, (1.0, "m")),
        ("m", 0.0, (1.0, "m")),
        ("m/s^2", 0.05, (1e3, "mm/s²")),
        ("m^2", 0.05, (1.0, "m²")),
        ("s", 0.02, (1e3, "ms")),
        ("N", 9000.0, (1.0, "N")),
        ("N", 12e3, (1e-3, "kN")),
        ("N/m", 2.6e8, (1e-6, "MN/m")),
        ("N*m", 3e4, (1e-3, "kN·m")),
        ("kg", 1e6, (1.0, "kg")),
        ("rad/s", 1e5, (30 / np.pi, "rpm")),
        ("rad/s", 1e-3, (30 / np.pi, "rpm")),
        ("rad", 0.5, (180 / np.pi, "deg")),
        ("rad", 70.0, (0.5 / np.pi, "rev")),
        ("rad", 5e-3, (1e3, "mrad")),
        ("rad", 5e-6, (1e6, "µrad")),
        ("Pa", 1.5e9, (1e-6, "MPa")),
        ("1/s", 1e5, (1.0, "1/s")),
        ("", 1e9, (1.0, "")),
    ],
)
def test_prefixes(unit, largest, expected):
    factor, text = scaled_unit(unit, largest)
    assert (factor, text) == (pytest.approx(expected[0], rel=1e-12), expected[1])


def test_quantities():
    assert quantity_text(["a.normal_force", "b.normal_force"], "N") == "normal force"
    assert quantity_text(["a.force", "b.load"], "N") == "force"
    assert quantity_text(["a.x", "b.y"], "furlong") == "value"
