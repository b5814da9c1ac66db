"""Change and run in a real browser: the form of parameters, a run with progress, stop, messages, saving."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline.cli.jobs import find_job
from pitchline.cli.program import build_parser
from pitchline.cli.view_server import JobToRun, viewed
from pitchline.viewer.server import Server
from pitchline.viewer.server.run_routes import add_run_routes

MODEL = """
name = "swing"
[parameters]
kind = { choices = ["revolute", "spherical"], description = "of the hinge" }
length = { value = "0.5 m", min = "0.1 m", max = "2 m", description = "of the rod" }
duration = "20 ms"                       # of the motion <i>
half = "= length / 2"

[model]
gravity = [0, 0, "-9.81 m/s^2"]

[bodies.rod]
solid = { kind = "bar", length = "= length", width = "2 cm", height = "2 cm", mass = "1 kg" }
position = ["= half", 0, 0]

[joints.hinge]
kind = "= kind"
a = "ground"
b = "rod"
at = [0, 0, 0]

[[analyses]]
name = "fall"
kind = "dynamics"
duration = "= duration"
step = "20 us"
output_step = "1 ms"
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("change") / "swing.toml"
    path.write_text(MODEL, "utf-8")
    return path


@pytest.fixture(scope="module")
def page(model: Path, open_page: Any) -> Iterator[Any]:
    given = build_parser().parse_args(["view", str(model)])
    with Server(viewed(given).records(signals=False)) as server:
        routes = add_run_routes(server, lambda: JobToRun(find_job(str(model)), given, {}))
        server.start()
        opened = open_page(server.address)
        opened.model = routes.runs.model
        opened.page.click("#show-parameters")
        yield opened
        # browsers note every refusal; nothing else is said
        assert [text for text in opened.messages if not text.startswith("Failed to load resource")] == []


def field(page: Any, name: str) -> Any:
    return page.page.locator(f'#parameters .field[data-name="{name}"]')


def wait_for_run(page: Any, state: str) -> None:
    page.page.wait_for_selector(f'#runs li:first-child[data-state="{state}"]', timeout=60_000)


def test_the_form_has_values_units_bounds_and_choices(page: Any) -> None:
    field(page, "length").wait_for()
    assert page.page.evaluate("document.activeElement.id") == "parameter-kind"  # the first one
    assert field(page, "length").locator("input").input_value() == "0.5"
    assert field(page, "length").inner_text().split() == ["length", "m", "of", "the", "rod;", "0.1", "to", "2", "m"]
    assert field(page, "duration").locator(".about").text_content() == "of the motion <i>"
    assert field(page, "kind").locator("option").all_text_contents() == ["revolute", "spherical"]
    assert field(page, "half").locator("input").get_attribute("placeholder") == "0.25"


def test_a_wrong_value_is_said_beside_it_and_nothing_runs(page: Any) -> None:
    field(page, "length").locator("input").fill("3")
    field(page, "duration").locator("input").fill("4 kg")
    page.page.click("#run")
    field(page, "length").locator(".wrong:not([hidden])").wait_for()
    assert "greater than the upper limit" in field(page, "length").locator(".wrong").text_content()
    assert "expected time" in field(page, "duration").locator(".wrong").text_content()
    assert field(page, "length").locator("input").get_attribute("aria-invalid") == "true"
    assert page.page.locator("#runs li").count() == 0
    page.page.click("#reset-parameters")
    assert field(page, "length").locator("input").input_value() == "0.5"
    assert page.page.locator("#parameters .changed").count() == 0


def test_a_run_appears_beside_what_was_there(page: Any, model: Path) -> None:
    field(page, "length").locator("input").fill("1")
    assert page.page.locator("#changed-parameters").text_content() == "1 changed"
    page.page.keyboard.press("Enter")
    wait_for_run(page, "completed")
    page.page.wait_for_selector("#record:not([hidden])")
    assert page.page.locator("#record option").all_text_contents() == ["swing", "length=1 m"]
    head = page.page.evaluate("() => JSON.parse(JSON.stringify(pitchlineView.block.head))")
    assert (head["kind"], head["samples"]) == ("dynamics", 21)
    assert [one["value"] for one in head["parameters"]] == ["revolute", "1", "20", "0.5"]
    series = page.page.evaluate(
        "() => pitchlineView.source.series(1, ['rod.position.x'], 0, 1, 100).then(s => s.low[0][0])"
    )
    assert series == pytest.approx(0.5)
    assert model.read_text("utf-8") == MODEL


STOPPED = """
import json, sys
sys.stdin.readline()
print(json.dumps({"event": "progress", "title": "dynamics", "detail": "t = 3 s of 5 s", "fraction": 0.6, "left": 61.0}), flush=True)
assert sys.stdin.readline() == "stop\\n"
print(json.dumps({"event": "ended", "status": 130, "message": "interrupted at 3 s"}), flush=True)
"""


def test_a_run_shows_its_progress_and_can_be_stopped(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a process that takes as long as it is let; that a model keeps what it computed is tested with the process itself."""
    monkeypatch.setattr(page.model, "command", (sys.executable, "-c", STOPPED))
    field(page, "duration").locator("input").fill("5000")
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector("#runs progress[value]")
    row = page.page.locator("#runs li").first
    assert row.locator("progress").evaluate("bar => bar.value") == 0.6
    assert row.locator(".about").first.text_content() == "dynamics, t = 3 s of 5 s, 1 min 1 s left"
    assert not page.page.locator("#run").is_enabled()
    row.locator(".stop").click()
    wait_for_run(page, "stopped")
    assert row.locator(".wrong").text_content() == "interrupted at 3 s"
    assert row.locator(".state").text_content().startswith("stopped in ")
    assert page.page.locator("#run").is_enabled()


def test_models_and_results_are_saved_under_other_names(page: Any, model: Path) -> None:
    first = page.page.locator("#runs li").last
    first.get_by_role("button", name="Save model file as …").click()
    name = first.get_by_label("Save model file as", exact=True)
    assert name.input_value() == "swing length 1 m"
    name.fill("swing")
    name.press("Enter")
    first.locator(".wrong:not([hidden])").wait_for()
    assert '"swing.toml" already exists' in first.locator(".wrong").text_content()
    name.fill("../longer")
    name.press("Enter")
    first.locator(".wrong", has_text="cannot be the name of a file").wait_for()
    name.fill("longer")
    name.press("Enter")
    first.get_by_text("Saved: longer.toml").wait_for()
    first.get_by_role("button", name="Save result as …").click()
    first.get_by_label("Save result as", exact=True).fill("longer")
    first.get_by_label("Save result as", exact=True).press("Enter")
    first.get_by_text("Saved: longer.nc").wait_for()
    assert sorted(path.name for path in model.parent.iterdir()) == ["longer.nc", "longer.toml", "swing.toml"]
    assert model.read_text("utf-8") == MODEL
    assert (model.parent / "longer.toml").read_text("utf-8") == MODEL.replace('"0.5 m", min', '"1 m", min')
    result = pl.load(model.parent / "longer.nc")
    assert result.source["set"] == {"length": "1 m"}
    np.testing.assert_allclose(result["rod.position"].values[0], [0.5, 0.0, 0.0])


def test_a_page_of_one_file_shows_the_values_and_how_to_run(model: Path, tmp_path: Path, open_page: Any) -> None:
    view = pl.view(pl.load(model, length="1 m"), show=False)
    opened = open_page(view.save(tmp_path / "page.html"))
    opened.page.click("#show-parameters")
    assert opened.page.locator("#parameters dd").nth(1).inner_text().split("\n")[0] == "1 m"
    assert opened.page.locator("#parameters input, #parameters form").count() == 0
    assert "pitchline view MODEL.toml" in opened.page.locator("#how-to-run").inner_text()
    opened.page.keyboard.press("Escape")
    assert not opened.page.locator("#parameters").is_visible()
