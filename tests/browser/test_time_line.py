"""The time line, the keys and the layout of a page."""

from pathlib import Path

import numpy as np
import pytest
from references.plotted_results import TEETH, angle, pair_result

from pitchline.viewer import page_html, record_of

TIME = np.linspace(0.0, 0.5, 251)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(tmp_path_factory.mktemp("time")) / "page.html"
    path.write_text(page_html([record_of(pair_result(TIME))], "pair"), "utf-8")
    return path


@pytest.fixture(scope="module")
def opened(page_file: Path, open_page: object) -> object:
    return open_page(page_file)


def state(opened: object, key: str) -> object:
    return opened.page.evaluate("key => pitchlineView.store.state[key]", key)


def test_it_begins_slowly_enough(opened: object) -> None:
    """At 60 pictures a second no tooth moves more than a quarter of its pitch; the factor is a round one."""
    fastest = TEETH * 40.0  # teeth a second at the end
    rate = state(opened, "rate")
    assert rate * fastest / 60.0 <= 0.25
    assert rate in (0.01, 0.02, 0.05)
    assert 0.5 / rate >= 8.0
    assert opened.page.input_value("#rate") == "0.01"
    assert opened.page.inner_text("#factor") == "1 s = 10 ms"


def test_keys_alone(opened: object) -> None:
    page = opened.page
    press = page.keyboard.press
    press("Home")
    press("ArrowRight")
    assert state(opened, "time") == pytest.approx(TIME[1])
    press("End")
    assert state(opened, "time") == pytest.approx(0.5)
    press("ArrowLeft")
    assert state(opened, "time") == pytest.approx(TIME[-2])
    press("Home")
    press("Shift+ArrowRight")
    first = state(opened, "time")
    assert TEETH * angle(np.array(first)) / (2.0 * np.pi) == pytest.approx(
        1.0, abs=1e-2
    )  # one pitch, read between samples
    press("Shift+ArrowRight")
    press("Shift+ArrowLeft")
    assert state(opened, "time") == pytest.approx(first, rel=1e-6)
    rate = state(opened, "rate")
    press("+")
    assert state(opened, "rate") == pytest.approx(2 * rate)
    press("-")
    assert state(opened, "rate") == pytest.approx(rate)
    press("?")
    assert page.is_visible("#help")
    press("Escape")
    assert not page.is_visible("#help")
    press("/")
    assert page.evaluate("document.activeElement.id") == "find"
    press("Escape")
    page.evaluate("pitchlineView.store.set({ selected: 'driver' })")
    press("Escape")
    assert state(opened, "selected") == ""
    # every control is reached by Tab and has a name
    page.evaluate("document.activeElement.blur()")
    seen = set()
    for _ in range(45):
        press("Tab")
        said = page.evaluate("""() => {
            const e = document.activeElement;
            return [e.id, e.getAttribute('aria-label') || e.textContent || e.labels?.[0]?.textContent || ''];
        }""")
        assert said[1].strip() or said[0] == "", said
        seen.add(said[0])
    wanted = "show-help split-parts find signals split-plot plot-spectrum save-csv charts play time rate loop"
    assert set(wanted.split()) <= seen


def test_it_plays_pauses_and_loops(opened: object) -> None:
    page = opened.page
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Home")
    page.fill("#rate", "1/20")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert state(opened, "rate") == pytest.approx(0.05)
    steps = page.evaluate("""() => new Promise((done) => {
        const times = [], end = pitchlineView.store.on(["time"], ({ time }) => {
            times.push(time);
            if (times.length === 12) { end(); done(times); }
        });
        pitchlineView.store.set({ playing: true });
    })""")
    passed = TEETH * np.diff(angle(np.array(steps))) / (2.0 * np.pi)
    assert np.all(passed > 0.0)
    assert np.all(passed <= 0.25 * 1.01)  # however slowly pictures come
    page.keyboard.press("Space")
    assert state(opened, "playing") is False
    page.click("#loop")
    again = page.evaluate("""() => new Promise((done) => {
        let before = 0.4995;
        const end = pitchlineView.store.on(["time"], ({ time }) => { if (time < before) { end(); done(time); } before = time; });
        pitchlineView.store.set({ time: 0.4995, playing: true });
    })""")
    assert again == 0.0
    page.click("#play")
    assert state(opened, "playing") is False
    page.click("#loop")
    page.fill("#rate", "quick")
    page.keyboard.press("Enter")
    assert page.input_value("#rate") == "0.05"  # what cannot be read changes nothing


def test_panels_fold_and_resize(opened: object) -> None:
    page = opened.page
    width = lambda: page.locator("#side").bounding_box()["width"]  # noqa: E731
    before = width()
    page.focus("#split-side")
    page.keyboard.press("ArrowLeft")
    assert width() == before + 16
    box = page.locator("#split-side").bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 53, box["y"] + 50)
    page.mouse.up()
    assert width() == pytest.approx(before + 16 - 50, abs=4)
    page.focus("#split-side")
    page.keyboard.press("Enter")
    assert not page.is_visible("#side")
    assert page.get_attribute("#fold-side", "aria-pressed") == "false"
    page.click("#fold-side")
    assert page.is_visible("#side")
    page.click("#fold-plot")
    assert not page.is_visible("#plot")
    page.click("#fold-plot")
    opened.settle()
    assert page.locator("#charts canvas").is_visible()
    assert opened.messages == []


def test_narrow_and_dark(page_file: Path, open_page: object) -> None:
    opened = open_page(page_file, color_scheme="dark")
    page = opened.page
    colour = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    assert colour() == "rgb(21, 24, 28)"
    line = page.evaluate("pitchlineView.plotted.figure().rows[0].curves[0].colour")
    page.click("#theme")
    opened.settle()
    assert colour() == "rgb(255, 255, 255)"
    assert page.evaluate("pitchlineView.plotted.figure().rows[0].curves[0].colour") != line
    page.set_viewport_size({"width": 360, "height": 640})
    opened.settle()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.is_visible("#plot")
    assert not page.is_visible("#side")
    page.click("#drawers [aria-controls=side]")
    assert page.is_visible("#find")
    assert not page.is_visible("#plot")
    page.click("#drawers [aria-controls=side]")
    assert not page.is_visible("#side")
    assert page.locator("#stage").bounding_box()["height"] > 350
    for control in ("#play", "#time", "#show-help", "#theme"):
        box = page.locator(control).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
    assert opened.messages == []
