"""Modes, a Campbell diagram and a frequency response in a real browser: what is chosen moves, and is marked in the others."""

from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline.viewer import page_html, record_of

NAME = 'load <b>"x"'
"""A name that must not be read as HTML."""


@pytest.fixture(scope="module")
def model() -> pl.Model:
    """A motor on an elastic shaft drives a pair of gears: one rigid-body motion, two torsional modes."""
    gear = pl.Gear(teeth=25, normal_module="4 mm", normal_pressure_angle="20 deg", face_width="15 mm")
    m = pl.Model("drive line")
    motor = m.body("motor", mass="10 kg", inertia=(0.03, 0.03, 0.05), position=(0, 0, "-30 cm"))
    pinion = m.gear_body("pinion", gear, axis="z")
    wheel = m.gear_body("wheel", gear, mesh_with=pinion, towards="x")
    rotor = m.revolute("rotor", m.ground, motor, axis="z")
    m.revolute("input", m.ground, pinion)
    output = m.revolute("output", m.ground, wheel)
    m.bushing("shaft", motor, pinion, axis="z", stiffness=(0, 0, 0, 0, 0, 5e3), damping=(0, 0, 0, 0, 0, 0.5))
    m.gear_pair("mesh", pinion, wheel, mesh=pl.Elastic("2.6e8 N/m", damping_ratio=0.05))
    m.torque("drive", rotor, "100 N*m")
    m.torque(NAME, output, "100 N*m")
    return m


@pytest.fixture(scope="module")
def frequencies(model: pl.Model) -> np.ndarray:
    """Of the modes [Hz]."""
    return pl.modes(model, about=pl.statics(model)).frequencies


@pytest.fixture(scope="module")
def page(model: pl.Model, tmp_path_factory: pytest.TempPathFactory, open_page: object) -> object:
    m, loaded = model, pl.statics(model)
    records = [
        record_of(pl.modes(m, about=loaded), "modes"),
        record_of(pl.campbell(m, "input", np.linspace(0.0, 1500.0, 7), about=loaded), "campbell"),
        record_of(pl.frequency_response(m, ["drive", NAME], ["input.angle", "output.angle"], about=loaded), "response"),
        record_of(loaded, "statics"),
    ]
    path = Path(tmp_path_factory.mktemp("page")) / "modes.html"
    path.write_text(page_html(records, "modes"), "utf-8")
    return open_page(path, reduced_motion="reduce")


def _set(page: object, **changes: object) -> None:
    page.page.evaluate("changes => pitchlineView.linear.set(changes)", changes)


def _drawn(page: object) -> str:
    """The picture without the page behind it, whose shades the browser mixes a little differently from time to time."""
    return page.page.evaluate(
        "() => { const { world } = pitchlineView; world.draw(); return world.canvas.toDataURL(); }"
    )


def _state(page: object) -> dict[str, object]:
    return page.page.evaluate("() => pitchlineView.linear.state")


def test_the_table_lists_the_modes_and_is_walked_by_keys(page: object, frequencies: np.ndarray) -> None:
    rows = page.page.locator(".mode-list tbody tr")
    assert rows.count() == 3
    cells = rows.nth(1).locator("td").all_text_contents()
    assert float(cells[1]) == pytest.approx(frequencies[1], rel=1e-5)
    assert cells[3] == "torsional" and "strains shaft" in cells[4]
    assert rows.nth(1).get_attribute("aria-selected") == "true"  # the first that oscillates
    page.page.locator(".mode-list").press("ArrowDown")
    assert rows.nth(2).get_attribute("aria-selected") == "true"
    assert "Mode 3" in page.page.locator("#chosen").inner_text()


def test_what_is_chosen_moves_and_a_period_ends_where_it_began(page: object) -> None:
    _set(page, record=0, column=2, playing=False, phase=0.0, ghost=False)
    first, drawn = page.view(), _drawn(page)
    _set(page, phase=0.5)
    half = page.view()
    assert _drawn(page) != drawn
    _set(page, phase=1.0)
    assert _drawn(page) == drawn
    assert np.abs(first - half).mean() > 0.3
    page.page.locator(".mode-list tbody tr").nth(1).click()  # the motor moves against the gears
    _set(page, playing=False, phase=0.0)
    assert np.abs(page.view() - first).mean() > 0.1


def test_space_swings(page: object) -> None:
    _set(page, playing=False, phase=0.25)
    page.page.locator("#view").press("Space")
    page.page.wait_for_selector("#swing:has-text('❚❚')")
    page.page.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    page.page.locator("#view").press("Space")
    assert not _state(page)["playing"] and _state(page)["phase"] != 0.25


def test_a_click_in_the_campbell_diagram_chooses_a_mode_and_a_speed(page: object, frequencies: np.ndarray) -> None:
    over = page.page.locator(".campbell .u-over")
    box = over.bounding_box()
    # the third of seven speeds, at the top: the upper of two curves
    over.click(position={"x": box["width"] * 2 / 6, "y": 12})
    state = _state(page)
    assert (state["record"], state["row"], state["column"]) == (1, 2, 1)
    card = page.page.locator("#chosen").inner_text()
    assert f"{500 * 30 / np.pi:.5g} rpm" in card and f"{frequencies[2]:.5g} Hz" in card
    # its frequency is marked in the table of modes
    assert "near" in page.page.locator(".mode-list tbody tr").nth(2).get_attribute("class")
    page.page.locator(".campbell .chart").press("ArrowDown")
    assert _state(page)["column"] == 0


def test_a_click_in_the_bode_plot_shows_the_motion_at_a_frequency(page: object) -> None:
    page.page.locator(".response select").nth(1).select_option(label=NAME)
    over = page.page.locator(".magnitude .u-over")
    over.click(position={"x": 0.4 * over.bounding_box()["width"], "y": 20})
    state = _state(page)
    assert (state["record"], state["column"]) == (2, 1)
    assert NAME in page.page.locator("#chosen").inner_text()
    _set(page, playing=False, phase=0.0)
    first = page.view()
    _set(page, phase=0.5)
    assert np.abs(page.view() - first).mean() > 0.1


def test_a_result_beside_them_has_its_own_plots(page: object) -> None:
    shown = {name: page.page.locator(f"#{name}") for name in ("linear", "phase", "chosen", "time")}
    _set(page, playing=True)
    page.page.evaluate("() => pitchlineView.store.set({ record: 3 })")
    page.settle()
    assert [name for name, part in shown.items() if part.is_visible()] == ["time"]
    page.page.evaluate("() => pitchlineView.store.set({ record: 0 })")
    page.settle()
    assert [name for name, part in shown.items() if part.is_visible()] == ["linear", "phase", "chosen"]


def test_it_says_nothing_on_the_way(page: object) -> None:
    assert page.messages == [] and len(page.requests) == 1
