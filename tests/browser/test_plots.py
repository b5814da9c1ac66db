"""Curves beside the view: they agree with the time and the values, zoom, spectra, orders, two results together, export."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from references.plotted_results import FORCE, MEAN, ORDER, TONE, failed_result, many_signals, one_sample, pair_result

from pitchline.viewer import page_html, record_of

EVEN = np.linspace(0.0, 0.5, 2001)
UNEVEN = np.sort(np.append(np.random.default_rng(1).uniform(0.0, 0.3, 1500), [0.0, 0.3]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


# The value at which the colour of the curve stands on the canvas at the time that is shown, by the scale of its axis.
DRAWN = """() => {
    const [chart] = pitchlineView.plotted.charts(), { uplot, said } = chart, { bbox, ctx } = uplot;
    const colour = said.lines[0].colour.match(/[0-9A-F]{2}/gi).map((c) => parseInt(c, 16));
    const x = Math.round(uplot.valToPos(pitchlineView.store.state.time, "x", true));
    const { data } = ctx.getImageData(x, bbox.top, 1, bbox.height), found = [];
    const near = (k) => colour.every((c, i) => Math.abs(data[4 * k + i] - c) < 60);
    for (let k = 0; k < bbox.height; k++) if (near(k)) found.push(bbox.top + k + 0.5);
    return uplot.posToVal(found.reduce((a, b) => a + b, 0) / found.length, "y", true);
}"""


def written(folder: Path, name: str, *results: object) -> Path:
    path = folder / f"{name}.html"
    path.write_text(page_html([record_of(result) for result in results], name), "utf-8")
    return path


@pytest.fixture(scope="module")
def pair(folder: Path, open_page: object) -> object:
    """Results in one page: even samples to 0.5 s, uneven ones to 0.3 s with half the force, and more samples than a page holds."""
    long = pair_result(np.linspace(0.0, 0.5, 30_001), name="long")
    opened = open_page(
        written(folder, "pair", pair_result(EVEN), pair_result(UNEVEN, force=0.5 * FORCE, name="again"), long)
    )
    opened.page.set_viewport_size({"width": 1000, "height": 600})  # a small view is drawn quickly
    opened.settle()
    return opened


@pytest.fixture(autouse=True)
def as_opened(request: pytest.FixtureRequest) -> None:
    """Each test begins with the first curve over all times."""
    if "pair" in request.fixturenames:
        shown(
            request.getfixturevalue("pair"), plot="time", range=None, overlay=False, log=False, degrees=False, record=0, time=0.0,
            curves=[{"record": 0, "name": "pair.normal_force"}],
        )  # fmt: skip


def shown(opened: object, **state: object) -> None:
    opened.page.evaluate("state => pitchlineView.store.set(state)", state)
    opened.settle()


def figure(opened: object) -> dict:
    """What the charts show, as plain data."""
    return opened.page.evaluate("""() => {
        const { rows, x, xLabel, marks, notes } = pitchlineView.plotted.figure();
        return { x, xLabel, marks, notes, rows: rows.map(({ peaks, shown, lines, curves }) => ({
            peaks, unit: shown.unit, ends: lines.map((l) => l.x[l.x.length - 1]),
            dash: curves.map((c) => c.dash.length), names: curves.map((c) => c.label) })) };
    }""")


def legend(opened: object) -> list[str]:
    return opened.page.locator(".plot-legend .value").all_text_contents()


def at(opened: object, part: float) -> dict[str, float]:
    """A place in the first chart, at a part of its width."""
    box = opened.page.locator("#charts .u-over").first.bounding_box()
    return {"x": box["x"] + part * box["width"], "y": box["y"] + 0.5 * box["height"]}


def test_curve_slider_and_values_agree(pair: object) -> None:
    t = 0.1234
    pair.page.evaluate(
        "t => { const s = document.getElementById('time'); s.value = t; s.dispatchEvent(new Event('input')); }", t
    )
    pair.settle()
    force = MEAN + FORCE * np.interp(t, EVEN, np.sin(2.0 * np.pi * TONE * EVEN))
    assert pair.page.evaluate("pitchlineView.store.state.time") == pytest.approx(t)
    assert pair.page.inner_text("#now") == "0.12340 s"
    assert legend(pair) == [f"{force / 1e3:.4g} kN"]
    listed = f"{force:.4g} N" if force < 1e3 else f"{force / 1e3:.4g} kN"
    assert pair.page.inner_text(".signal[aria-checked=true] output") == listed
    line, box = (
        pair.page.locator(".now-line").first.bounding_box(),
        pair.page.locator("#charts .u-over").first.bounding_box(),
    )
    assert (line["x"] + line["width"] / 2 - box["x"]) / box["width"] == pytest.approx(t / 0.5, abs=2.0 / box["width"])
    shown(pair, range=[0.122, 0.125])
    assert pair.page.evaluate(DRAWN) == pytest.approx(force / 1e3, abs=8e-3)  # a pixel of the axis is 3e-3


def test_click_drag_wheel_back_and_double_click(pair: object) -> None:
    page = pair.page
    state = lambda key: page.evaluate("key => pitchlineView.store.state[key]", key)  # noqa: E731
    page.mouse.click(*at(pair, 0.6).values())
    assert state("time") == pytest.approx(0.3, abs=1e-3)
    page.mouse.move(*at(pair, 0.2).values())
    page.mouse.down()
    page.mouse.move(*at(pair, 0.4).values(), steps=3)
    page.mouse.up()
    pair.settle()
    assert state("range") == pytest.approx([0.1, 0.2], abs=1e-3)
    assert state("time") == pytest.approx(0.3, abs=1e-3)  # a drag does not move the time
    assert figure(pair)["x"] == pytest.approx([0.1, 0.2], abs=1e-3)
    assert figure(pair)["xLabel"] == "time (ms)"
    page.mouse.move(*at(pair, 0.5).values())
    page.mouse.wheel(0, -100)
    pair.settle()
    assert state("range") == pytest.approx([0.11, 0.19], abs=1e-3)
    page.click("#zoom-back")
    pair.settle()
    assert state("range") == pytest.approx([0.1, 0.2], abs=1e-3)
    page.mouse.dblclick(*at(pair, 0.5).values())
    pair.settle()
    assert state("range") is None
    shown(pair, time=0.25)
    page.focus("#charts")
    page.keyboard.press("ArrowUp")
    pair.settle()
    assert state("range") == pytest.approx([0.05, 0.45])
    page.keyboard.press("0")
    assert state("range") is None


def test_transform_is_that_of_numpy(pair: object) -> None:
    values = np.random.default_rng(3).normal(size=(2, 256))
    call = """([a, b]) => {
        const x = Float64Array.from(a), y = Float64Array.from(b);
        pitchlineView.plotted.maths.fft(x, y);
        return [[...x], [...y]];
    }"""
    got = pair.page.evaluate(call, values.tolist())
    expected = np.fft.fft(values[0] + 1j * values[1])
    np.testing.assert_allclose(np.array(got[0]) + 1j * np.array(got[1]), expected, atol=1e-12 * 256)


@pytest.mark.parametrize(("record", "force"), [(0, FORCE), (1, 0.5 * FORCE)])
def test_a_sine_has_its_amplitude_in_the_spectrum(pair: object, record: int, force: float) -> None:
    """Even and uneven samples; the frequency lies between two lines of the spectrum."""
    shown(pair, record=record, plot="spectrum")
    got = figure(pair)
    assert got["rows"][0]["unit"] == "N"
    peak = got["rows"][0]["peaks"][0]
    assert peak["x"] == pytest.approx(TONE, abs=0.02)
    assert peak["y"] == pytest.approx(force, rel=1e-3)
    assert any("equal time steps" in note for note in got["notes"]) == (record == 1)
    assert "120.3 Hz" in legend(pair)[0]
    mesh = got["marks"][0]  # mean of the window
    assert mesh["x"] == pytest.approx(20 * (30.0 if record == 0 else 26.0), rel=1e-3)


def test_orders_of_a_run_up(pair: object) -> None:
    """In the spectrum the wave is smeared; over the turns of the shaft it is one line."""
    shown(pair, plot="orders", reference="shaft.angular_speed", curves=[{"record": 0, "name": "shaft.wave"}])
    got = figure(pair)
    peak = got["rows"][0]["peaks"][0]
    assert peak["x"] == pytest.approx(ORDER, abs=0.01)
    assert peak["y"] == pytest.approx(3.0, rel=2e-3)  # µm
    assert got["marks"][0]["x"] == pytest.approx(20.0, rel=1e-4)  # teeth a turn
    shown(pair, reference="mesh cycles of pair")
    assert figure(pair)["rows"][0]["peaks"][0]["x"] == pytest.approx(ORDER / 20.0, abs=1e-3)
    shown(pair, reference="")
    assert "Choose the reference of the orders" in pair.page.inner_text("#plot-note")


def test_a_time_that_is_the_phase_of_a_mesh(pair: object) -> None:
    """Analyses of contact have no seconds: axes, time line and spectrum say what they have."""
    pair.page.evaluate("pitchlineView.block.head.time_axis = { label: 'mesh phase', unit: 'pitches' }")
    shown(pair, overlay=True, time=0.25)
    assert figure(pair)["xLabel"] == "mesh phase (pitches)"
    assert len(figure(pair)["rows"][0]["names"]) == 1  # not compared with curves over seconds
    assert pair.page.inner_text("#now") == "0.25000 pitches"
    shown(pair, plot="spectrum")
    assert figure(pair)["xLabel"] == "frequency (1/pitches)"
    pair.page.evaluate("delete pitchlineView.block.head.time_axis")


def test_a_window_too_short_for_a_spectrum_is_refused(pair: object) -> None:
    shown(pair, plot="spectrum", range=[0.1, 0.101])
    assert "needs 16 samples or more" in pair.page.inner_text("#plot-note")
    assert legend(pair) == ["—"]


def test_smallest_and_largest_of_many_samples(pair: object) -> None:
    """A page holds less than all of 30,001 samples: values are ranges that hold the true one, and there is no spectrum."""
    shown(pair, record=2, time=0.1)
    low, high, unit = legend(pair)[0].replace("… ", "").split()
    assert unit == "kN"
    assert float(low) < (MEAN + FORCE * np.sin(2.0 * np.pi * TONE * 0.1)) / 1e3 < float(high)
    shown(pair, plot="spectrum")
    assert "Samples were left out, so that a spectrum cannot be computed: open the result file" in pair.page.inner_text(
        "#plot-note"
    )


def test_the_last_zoom_counts_where_a_server_answers(pair: object) -> None:
    """Of many zooms the server is asked for the last; an answer that comes too late is not drawn."""
    asked = pair.page.evaluate("""async () => {
        const { source, store } = pitchlineView, own = Object.getPrototypeOf(source).series, asked = [];
        Object.assign(source, { live: true, series: async (record, names, from, to) => {
            asked.push([from, to]);
            await new Promise((done) => setTimeout(done, asked.length === 1 ? 300 : 20)); // the first answer comes last
            return own.call(source, record, names);
        } });
        const rest = (ms) => new Promise((done) => setTimeout(done, ms));
        store.set({ range: [0.1, 0.2] });
        await rest(120);
        for (const to of [0.3, 0.29, 0.28]) store.set({ range: [0.2, to] });
        await rest(400);
        delete source.series;
        source.live = false;
        return asked;
    }""")
    assert asked == [[0.1, 0.2], [0.2, 0.28]]
    assert figure(pair)["x"] == [0.2, 0.28]


def test_two_results_lie_over_each_other(pair: object) -> None:
    shown(pair, overlay=True, time=0.4)
    row = figure(pair)["rows"][0]
    assert row["ends"] == [0.5, 0.3, 0.5]
    assert row["dash"][0] == 0
    assert row["dash"][1] > 0
    assert row["names"] == [f"pair.normal_force · {name}" for name in ("forwards", "again", "long")]
    assert legend(pair)[1] == "—"  # the second has ended
    shown(pair, overlay=False)
    assert len(figure(pair)["rows"][0]["names"]) == 1


def test_one_chart_a_unit_gaps_and_removal(pair: object) -> None:
    names = ("shaft.gap", "shaft.angular_speed", "pair.normal_force")
    shown(pair, degrees=True, time=0.22, curves=[{"record": 0, "name": name} for name in names])
    assert [row["unit"] for row in figure(pair)["rows"]] == ["mm/s", "rpm", "kN"]
    assert legend(pair)[0].startswith("—")
    assert legend(pair)[1].startswith("1728 rpm")
    pair.page.click("[aria-label='Remove shaft.gap from the plot']")
    pair.settle()
    assert pair.page.locator("#charts canvas").count() == 2


def test_over_a_signal(pair: object) -> None:
    shown(pair, plot="over", over="shaft.angular_speed", time=0.25)
    assert figure(pair)["xLabel"] == "shaft.angular_speed (rad/s)"
    dot, box = (
        pair.page.locator(".now-dot").first.bounding_box(),
        pair.page.locator("#charts .u-over").first.bounding_box(),
    )
    assert (dot["x"] + dot["width"] / 2 - box["x"]) / box["width"] == pytest.approx(
        0.5, abs=0.01
    )  # half the time, half the speed


def test_saved_files(pair: object) -> None:
    page = pair.page
    shown(pair, range=[0.1, 0.2])
    with page.expect_download() as download:
        page.click("#save-csv")
    rows = list(csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))
    assert rows[0] == ["time (s)", "pair.normal_force (N)"]
    table = np.array(rows[1:], dtype=float)
    np.testing.assert_allclose(table[:, 0], EVEN[(EVEN >= 0.1) & (EVEN <= 0.2)], rtol=1e-9)
    np.testing.assert_allclose(table[:, 1], MEAN + FORCE * np.sin(2.0 * np.pi * TONE * table[:, 0]), rtol=1e-6)
    for button in ("#save-png", "#save-view"):
        with page.expect_download() as download:
            page.click(button)
        from PIL import Image

        picture = np.asarray(Image.open(download.value.path()).convert("RGB"))
        assert picture.var() > 50.0


def test_names_are_text(pair: object) -> None:
    assert pair.page.inner_text("#title") == '<b>"pair"</b>'
    assert pair.page.locator("#title b").count() == 1  # its own, not that of the name
    pair.page.click("#show-messages")
    assert "The teeth <i>part</i> at 0.1 s." in pair.page.inner_text("#messages")
    pair.page.keyboard.press("Escape")
    assert not pair.page.is_visible("#messages")
    assert pair.messages == []


def test_twenty_thousand_signals_are_found(folder: Path, open_page: object) -> None:
    opened = open_page(written(folder, "many", many_signals(20_000)))
    page = opened.page
    page.keyboard.press("/")
    page.keyboard.type("NEEDLE  part")
    assert page.inner_text("#found") == "1 of 20000"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    assert page.evaluate("pitchlineView.store.state.curves.map((c) => c.name)") == [
        "part_0.value_0",
        "part_999.value_19",
    ]
    page.fill("#find", "part_7.*")
    page.click("#plot-found")
    assert page.evaluate("pitchlineView.store.state.curves.length") == 22
    page.click("#plot-found")
    page.fill("#find", "part_7*.value_1 hay")
    assert page.inner_text("#found") == "111 of 20000"
    page.fill("#find", "")
    assert page.locator(".signal, .signal-part").count() < 60  # only what is seen is made
    page.evaluate("pitchlineView.store.set({ selected: 'part_500', time: 0.5 })")
    first = page.locator("#signals [role=treeitem]")
    assert first.nth(0).inner_text().startswith("part_500")
    assert first.nth(1).inner_text().split() == ["value_0", "10.00", "kN"]


def test_no_sample_and_one(folder: Path, open_page: object) -> None:
    """A run that failed before its first sample, then statics."""
    opened = open_page(written(folder, "none", failed_result(), one_sample()))
    page = opened.page
    assert "failed, no samples" in page.inner_text("#header")
    assert "no samples to plot" in page.inner_text("#plot")
    assert "the run failed before the first" in page.inner_text("#footer")
    page.click("#show-messages")
    assert "The start does not meet the constraints." in page.inner_text("#messages")
    page.keyboard.press("Escape")
    page.select_option("#record", "1")
    opened.settle()
    assert legend(opened)[-1] == "1.234 kN"
    assert "one sample" in page.inner_text("#plot-note")
    assert page.is_disabled("#play")
    assert "one sample, no motion" in page.inner_text("#footer")
    page.click("#plot-spectrum")
    opened.settle()
    assert "needs 16 samples or more" in page.inner_text("#plot-note")
    assert opened.messages == []
