"""Pictures of modes, responses, Campbell diagrams and stability: what stands where, and that it can be read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pitchline.views  # noqa: F401  (registers the pictures)
from pitchline.errors import PitchlineError
from pitchline.results import Campbell, Crossing, Floquet, FrequencyResponse, LinearModel, Modes
from pitchline.views.branches import MOST_CURVES
from pitchline.views.mode_chart import MOST_COLUMNS, MOST_ROWS
from pitchline.views.style import apart

OMEGA, ZETA = 100.0, 0.02
"""Of an oscillator with a unit mass, rad/s."""


def response(outputs: int = 2, *, imposed: bool = False) -> FrequencyResponse:
    """Angle and force of an oscillator under a torque."""
    A = np.array([[0.0, 1.0], [-(OMEGA**2), -2.0 * ZETA * OMEGA]])
    C = np.vstack([[[1.0, 0.0], [OMEGA**2, 0.0]], np.tile([0.0, 1.0], (max(outputs - 2, 0), 1))])[:outputs]
    names = ("shaft.angle", "mesh.force", *(f"wheel_{i}.speed" for i in range(outputs - 2)))[:outputs]
    units = ("rad", "N", *["rad/s"] * (outputs - 2))[:outputs]
    unit = "rad/s^2" if imposed else "N*m"
    linear = LinearModel(
        A, np.array([[0.0], [1.0]]), C, np.zeros((outputs, 1)), ("motor",), names, (unit,), units, (imposed,)
    )
    f = np.geomspace(1.0, 200.0, 400)
    H = np.array([C @ np.linalg.solve(2j * np.pi * x * np.eye(2) - A, linear.B) for x in f])
    return FrequencyResponse("rig", f, H, linear)


def modes(count: int = 4, bodies: int = 3, elements: int = 2) -> Modes:
    """The first one rigid, the last two of one frequency."""
    f = np.concatenate([[0.0], 100.0 * np.arange(1, count)])
    f[-1] = f[-2]
    times = np.ones(count, np.int64)
    times[-2:] = 2
    generator = np.random.default_rng(1)
    kinetic = generator.random((count, bodies, 3))
    kinetic[:, :, 2] = 0.0
    kinetic /= kinetic.sum(axis=(1, 2), keepdims=True)
    strain = generator.random((count, elements))
    strain /= strain.sum(axis=1, keepdims=True)
    return Modes(
        model_name="train",
        bodies=tuple(f"wheel_{i}" for i in range(bodies)),
        eigenvalues=2j * np.pi * f,
        shapes=np.zeros((count, bodies, 6), complex),
        kinetic=kinetic,
        strain={f"mesh_{i}": column for i, column in enumerate(strain.T)},
        multiplicity=times,
        kinds=("rigid body", *["torsional"] * (count - 1)),
        descriptions=("",) * count,
        rigid=1,
        decaying=np.zeros(0),
    )


def campbell(orders: dict[str, float] | None = None) -> Campbell:
    """A mode that splits with the speed, and one that does not."""
    speeds = np.linspace(0.0, 400.0, 21)
    f = np.column_stack([50.0 - 0.05 * speeds, 50.0 + 0.05 * speeds, np.full(21, 500.0)])
    given = {"mesh": 20.0, "2 x mesh": 40.0, "once": 1.0} if orders is None else orders
    crossings = (Crossing("mesh", 2, 50 * np.pi, 500.0),)
    whirl = np.tile([-1.0, 1.0, 0.0], (21, 1))
    return Campbell(
        "rotor", "axle", speeds, f, np.zeros_like(f), given, crossings, ("tilting", "tilting", "torsional"), whirl,
        np.zeros(0), np.zeros(0),
    )  # fmt: skip


def floquet(ripples: int) -> Floquet:
    """Unstable about 100 rad/s, the wider the more ripple."""
    speeds, factors = np.linspace(50.0, 150.0, 41), np.linspace(0.0, 1.0, ripples) if ripples > 1 else np.ones(1)
    size = np.where(np.abs(speeds[:, None] - 100.0) < 20.0 * factors, 1.2, 0.9)
    return Floquet("pair", "input", speeds, factors, 1.0 / speeds, size[:, :, None] * np.array([1.0, 0.5j]))


PICTURES = {
    "bode": response,
    "modes": modes,
    "campbell": campbell,
    "curves": lambda: floquet(1),
    "map": lambda: floquet(9),
}


def texts_of(figure) -> list[str]:
    return [text.get_text() for ax in figure.axes for text in ax.texts]


@pytest.mark.parametrize("make", PICTURES.values(), ids=PICTURES)
def test_everything_is_on_the_page(make):
    figure = make().plot()
    figure.canvas.draw()
    drawn = figure.get_tightbbox(figure.canvas.get_renderer())  # inches
    width, height = figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= -0.01
    assert drawn.x1 <= width + 0.01
    assert drawn.y1 <= height + 0.01


@pytest.mark.parametrize("make", PICTURES.values(), ids=PICTURES)
@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_files_by_suffix_and_the_same_bytes_again(tmp_path, make, suffix, start):
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, second):
        make().plot(path=path)
    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("make", PICTURES.values(), ids=PICTURES)
def test_wrong_paths_are_refused_and_titles_may_be_given(tmp_path, make):
    with pytest.raises(PitchlineError, match=r"must end in one of \.png, \.svg, \.pdf"):
        make().plot(path=tmp_path / "a.docx")
    assert make().plot(title="Fig. 3").get_suptitle() == "Fig. 3"
    assert make().plot(title="").get_suptitle() == ""


# --- frequency response ----------------------------------------------------------------------------------


def test_bode_has_a_panel_for_each_unit_and_one_phase():
    figure = response().plot()
    assert [ax.get_ylabel() for ax in figure.axes] == ["magnitude (rad/(N·m))", "magnitude (N/(N·m))", "phase (deg)"]
    assert figure.axes[-1].get_xlabel() == "frequency (Hz)"
    assert figure.get_suptitle() == "rig: response from motor"
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["shaft.angle", "mesh.force"]
    assert all(ax.get_xscale() == "log" for ax in figure.axes)


def test_bode_draws_the_response():
    found = response()
    above, below = found.plot(outputs="shaft.angle").axes
    line = above.get_lines()[0]
    np.testing.assert_allclose(line.get_ydata(), np.abs(found.response[:, 0, 0]), rtol=1e-12)
    phase = below.get_lines()[0].get_ydata()
    assert phase[0] == pytest.approx(0.0, abs=1.0)
    assert phase[-1] == pytest.approx(-180.0, abs=1.0)
    above, _ = found.plot(outputs="shaft.angle", decibels=True).axes
    assert above.get_ylabel() == "magnitude (dB of rad/(N·m))"
    np.testing.assert_allclose(above.get_lines()[0].get_ydata(), found.decibels(0), rtol=1e-12)


def test_bode_marks_poles_that_a_curve_shows():
    figure = response().plot(outputs="shaft.angle")
    assert texts_of(figure) == [f"{OMEGA / (2 * np.pi):.4g}"]
    assert not texts_of(response().plot(poles=False))


def test_a_curve_of_rounding_is_none():
    found = response(4)
    found.response[:, 3] *= 1e-15
    figure = found.plot(outputs=["wheel_0.speed", "wheel_1.speed"])
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["wheel_0.speed", "wheel_1.speed (none)"]


def test_what_opposes_its_input_lags_by_half_a_turn():
    found = response(1)
    found.response[:] = -1.0 + np.where(np.arange(400) % 2, 1e-17j, -1e-17j)[:, None, None]
    np.testing.assert_allclose(found.phase(), -180.0)


@pytest.mark.parametrize(("imposed", "unit"), [(False, "rad/(N*m)"), (True, "")])
def test_unit_of_a_response(imposed, unit):
    assert response(imposed=imposed).unit("shaft.angle", "motor") == unit


def test_bode_refuses_what_cannot_be_drawn():
    with pytest.raises(PitchlineError, match=r"no output \"shaft\"; this response has shaft\.angle, mesh\.force"):
        response().plot(outputs="shaft")
    with pytest.raises(PitchlineError, match=r"cannot be distinguished, 14 at most"):
        response(MOST_CURVES + 1).plot()
    still = response(1)
    still.response[:] = 0.0
    with pytest.raises(PitchlineError, match=r"is zero throughout \(shaft\.angle from motor\)"):
        still.plot()
    one = response()
    with pytest.raises(PitchlineError, match="one frequency only"):
        FrequencyResponse("rig", one.frequency[:1], one.response[:1], one.linear).plot()


# --- modes -----------------------------------------------------------------------------------------------


def test_modes_of_one_frequency_share_a_row():
    (ax,) = modes().plot().axes
    rows = [text.get_text() for text in ax.get_yticklabels()]
    assert rows == ["rigid body   0 Hz", "torsional   100 Hz", "torsional (x2)   200 Hz"]
    columns = [text.get_text() for text in ax.get_xticklabels()]
    assert columns == ["translation", "rotation", "wheel_0", "wheel_1", "wheel_2", "mesh_0", "mesh_1"]


def test_numbers_are_shares_of_the_energy():
    found = modes()
    (ax,) = found.plot().axes
    motion, kinetic, strain = (mesh.get_array().reshape(3, -1) for mesh in ax.collections)
    np.testing.assert_allclose(kinetic[:2], found.kinetic[:2].sum(axis=2))
    np.testing.assert_allclose(kinetic[2], found.kinetic[2:].sum(axis=2).mean(axis=0))
    np.testing.assert_allclose(motion.sum(axis=1), 1.0)
    assert not np.any(strain[0])  # nothing is strained by a rigid-body motion
    np.testing.assert_allclose(strain[1:].sum(axis=1), 1.0)
    assert f"{100 * kinetic[1, 0]:.0f}" in texts_of(ax.figure)


def test_a_large_model_shows_the_largest_shares():
    figure = modes(60, 45, 30).plot()
    (ax,) = figure.axes
    assert len(ax.get_yticks()) == MOST_ROWS
    assert figure.get_suptitle().endswith("(the lowest 40 frequencies of 59)")
    _, kinetic, strain = (mesh.get_array().reshape(MOST_ROWS, -1) for mesh in ax.collections)
    assert kinetic.shape[1] == strain.shape[1] == MOST_COLUMNS
    np.testing.assert_allclose(kinetic.sum(axis=1), 1.0)
    assert "26 others" in [text.get_text() for text in ax.get_xticklabels()]


def test_modes_up_to_a_frequency():
    (ax,) = modes().plot(end=150.0).axes
    assert len(ax.get_yticks()) == 2
    with pytest.raises(PitchlineError, match=r"has no mode up to -1 Hz"):
        modes().plot(end=-1.0)


# --- Campbell --------------------------------------------------------------------------------------------


def test_campbell_is_over_rpm_and_has_names_of_orders():
    figure = campbell().plot()
    (ax,) = figure.axes
    assert ax.get_xlabel() == "speed of axle (rpm)"
    assert ax.get_ylabel() == "frequency (Hz)"
    assert ax.get_xlim() == pytest.approx((0.0, 400.0 * 30 / np.pi))
    assert {text for text in texts_of(figure) if text} == {"mesh", "2 x mesh", "once"}
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["tilting", "torsional"]


def test_campbell_marks_crossings():
    (ax,) = campbell().plot().axes
    (marks,) = (line for line in ax.get_lines() if line.get_marker() == "o")
    assert marks.get_xydata() == pytest.approx(np.array([[50 * 30, 500.0]]))
    (ax,) = campbell().plot(crossings=False, end=100.0).axes
    assert not [line for line in ax.get_lines() if line.get_marker() == "o"]
    assert ax.get_ylim() == (0.0, 100.0)


@pytest.mark.parametrize("base", [0.4, 30.0], ids=["right", "top"])
def test_names_of_orders_do_not_overlap(base):
    figure = campbell({f"order number {k}": base * (1 + 0.01 * k) for k in range(5)}).plot()
    figure.canvas.draw()
    names = [text for text in figure.axes[0].texts if text.get_text().startswith("order")]
    places = np.array([text.get_transform().transform(text.get_position()) for text in names])
    letters = names[0].get_fontsize() * figure.dpi / 72
    assert len(names) == 5
    assert np.min(np.abs(np.diff(places[:, int(base < 1.0)]))) > 0.9 * letters


def test_places_are_moved_as_little_as_it_takes():
    assert apart({"a": 0.0, "b": 5.0}, 1.0) == {"a": 0.0, "b": 5.0}
    assert apart({"b": 5.0, "a": 5.0, "c": 9.0}, 2.0) == {"b": 4.0, "a": 6.0, "c": 9.0}
    moved = apart({str(k): 0.0 for k in range(5)}, 1.0)
    assert list(moved.values()) == [-2.0, -1.0, 0.0, 1.0, 2.0]
    assert list(apart({str(k): 0.0 for k in range(5)}, 1.0, 0.0, 9.0).values()) == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert apart({"a": 8.8, "b": 9.0}, 1.0, 0.0, 9.0) == {"a": 8.0, "b": 9.0}


def test_campbell_needs_two_speeds():
    one = campbell()
    single = replace(one, speeds=one.speeds[:1], frequencies=one.frequencies[:1], orders={}, crossings=())
    with pytest.raises(PitchlineError, match="one speed only"):
        single.plot()


# --- stability -------------------------------------------------------------------------------------------


def test_one_ripple_is_a_curve_and_few_have_a_legend():
    found = floquet(1)
    (ax,) = found.plot().axes
    np.testing.assert_allclose(ax.get_lines()[1].get_ydata(), found.largest[:, 0])
    assert ax.get_legend() is None
    (ax,) = floquet(3).plot().axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["ripple 0", "ripple 0.5", "ripple 1"]


def test_a_map_is_white_where_it_is_stable():
    found = floquet(9)
    ax, bar = found.plot().axes
    (mesh,) = ax.collections
    np.testing.assert_array_equal(np.ma.getmaskarray(mesh.get_array()).reshape(9, 41), found.stable.T)
    assert bar.get_ylabel() == "growth (1/s)"
    calm = Floquet("pair", "input", found.speeds, found.ripples, found.periods, 0.5 * found.multipliers)
    assert "stable everywhere" in texts_of(calm.plot())
