"""``pitchline view``: what it shows, the page it writes, what it refuses."""

import argparse
import json
import os
import re
import signal
import struct
import threading
import urllib.request
from pathlib import Path

import pytest

import pitchline as pl
from pitchline import cli, viewer
from pitchline.cli import view_server
from pitchline.cli import view_server as viewed
from pitchline.cli.jobs import find_job
from pitchline.cli.program import build_parser
from pitchline.viewer import view as browser

MODEL = """
name = "crank"
[parameters]
speed = "1 rad/s"            # of the motor
length = { value = "0.5 m", min = "0.1 m", max = "2 m", description = "of the rod" }
half = "= length / 2"

[bodies.rod]
solid = { kind = "bar", length = "= length", width = "2 cm", height = "2 cm", mass = "1 kg" }
position = ["= half", 0, 0]

[joints.hinge]
kind = "revolute"
a = "ground"
b = "rod"
axis = "y"

[drives.motor]
joint = "hinge"
speed = "= speed"

[[analyses]]
name = "spin"
kind = "kinematics"
duration = "0.1 s"
step = "0.05 s"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file and its result."""
    path = tmp_path_factory.mktemp("view")
    (path / "crank.toml").write_text(MODEL, "utf-8")
    assert cli.main(["run", str(path / "crank.toml"), "-o", str(path)]) == 0
    return path


@pytest.fixture(autouse=True)
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[list[dict[str, object]]]:
    """Heads of the records of each page that is written."""
    written: list[list[dict[str, object]]] = []
    plain = viewer.view.page_html

    def page(records: list[viewer.ViewRecord], title: str, **options: str) -> str:
        written.append([_head(record.block) for record in records])
        return plain(records, title, **options)

    monkeypatch.setattr(viewer.view, "page_html", page)
    return written


def _head(block: bytes) -> dict[str, object]:
    (length,) = struct.unpack_from("<I", block, 8)
    return json.loads(block[12 : 12 + length])


def test_a_model_is_shown_as_built_and_the_way_to_run_it_is_said(
    pages: list[list[dict[str, object]]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["view", "crank.toml", "--set", "length=1", "-o", str(tmp_path / "page.html")]) == 0
    ((head,),) = pages
    assert (head["kind"], head["name"]) == ("built", "crank")
    assert head["parameters"] == [
        {"name": "speed", "value": "1", "unit": "rad/s", "text": "of the motor"},
        {"name": "length", "value": "1", "unit": "m", "text": "of the rod", "low": 0.1, "high": 2.0},
        {"name": "half", "value": "0.5", "unit": "m", "text": "", "formula": "= length / 2"},
    ]
    said = capfd.readouterr()
    assert "shown in its initial state; pitchline view crank.toml --run runs its analyses (spin) first" in said.err
    size = (tmp_path / "page.html").stat().st_size
    assert said.out == f"{tmp_path / 'page.html'} ({size / 1e3:.3g} kB)\n"


def test_results_are_overlaid_and_a_run_is_named_by_what_was_changed(
    pages: list[list[dict[str, object]]], tmp_path: Path
) -> None:
    arguments = ["view", "crank.nc", "--run", "--set", "speed=2", "crank.nc", "-o", str(tmp_path / "page.html")]
    assert cli.main(arguments) == 0
    ((old, new, again),) = pages
    assert [head["name"] for head in (old, new, again)] == ["crank", "speed=2", "crank (2)"]
    assert {head["kind"] for head in (old, new, again)} == {"kinematics"}
    assert [head["parameters"][0]["value"] for head in (old, new, again)] == ["1", "2", "1"]
    assert old["samples"] == 3


def test_a_page_is_not_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    target.write_text("mine")
    assert cli.main(["view", "crank.nc", "-o", str(target)]) == 1
    assert "already exists. Choose another name or overwrite it with --force" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert cli.main(["view", "crank.nc", "-o", str(target), "--force"]) == 0
    assert target.read_text("utf-8").startswith("<!doctype html>")
    assert cli.main(["view", "crank.nc", "-o", str(tmp_path)]) == 0  # a folder: the name of the result
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crank.html", "page.html"]


def test_a_folder_that_is_not_there_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["view", "crank.nc", "-o", f"{tmp_path / 'pages'}/"])
    assert 'folder "' in capsys.readouterr().err
    with pytest.raises(pl.PitchlineError, match="this is the name of a folder"):
        pl.load("crank.nc").view(path=f"{tmp_path / 'pages'}/")
    assert list(tmp_path.iterdir()) == []


def test_contact_of_a_model_as_built_is_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["view", "crank.toml", "--contact", "-o", str(tmp_path / "page.html")]) == 0
    assert (
        "--contact computes the contact pressure of results, but there is no result. Add --run"
        in capfd.readouterr().err
    )


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["crank.nc", "--set", "speed=2"], "Add --run to compute a new one"),
        (["crank.toml", "--set", "sped=2"], 'there is no parameter "sped" to set; did you mean "speed"'),
        (["crank.toml", "--set", "length=3"], "is greater than the upper limit"),
        (["crank.toml", "--magnify-corrections", "0"], "magnify_corrections: must be greater than zero, got 0"),
        (["nothing.nc"], "nothing.nc"),
        (["crank.nc", "crank.toml"], "is a model, not a result"),
        (["planetarry"], 'the gallery has no model "planetarry"; did you mean "planetary"'),
    ],
)
def test_what_cannot_be_shown_is_said(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["view", *arguments, "-o", str(tmp_path / "page.html")]) == 1
    assert words in re.sub(r"\s+", " ", capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []


def test_analyses_without_a_view_are_named_and_the_model_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    given = build_parser().parse_args(["view", "crank.toml", "--run"])
    monkeypatch.setattr(pl.ModelFile, "run", lambda self, **options: {"ripple": 3.0})
    found = viewed.viewed(given)
    (record,) = found.records(signals=True)
    assert record.name == "crank"
    assert found.remarks == [
        "not on the page, because there is no view for them: ripple",
        "crank is shown in its initial state",
    ]


def test_a_run_that_fails_shows_what_it_computed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(job: object) -> object:
        from pitchline.cli.jobs import Outcome

        return Outcome(job, {"spin": pl.load("crank.nc")}, failure="no convergence at 3 ms", status=2)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitchline.cli.jobs.perform", fails)
        assert cli.main(["view", "crank.toml", "--run", "-o", str(tmp_path / "page.html")]) == 2
    assert "no convergence at 3 ms" in capsys.readouterr().err
    assert (tmp_path / "page.html").exists()


def test_programs_of_the_gallery_have_parameters() -> None:
    from pitchline.cli.jobs import parameters_of

    speed, _ = parameters_of(find_job("robot-arm", ["speed=300"]))
    assert (speed.name, speed.value, speed.unit, speed.low, speed.high) == ("speed", "300", "rad/s", 1.0, 700.0)


def test_a_local_page_is_served_until_ctrl_c(
    keyboard: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked: list[object] = []

    def look(ended: threading.Event) -> None:
        address = capfd.readouterr().out.splitlines()[-1]
        base, _, token = address.partition("/#")
        request = urllib.request.Request(f"{base}/api/parameters", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            asked.append(json.load(answer))
        os.kill(os.getpid(), signal.SIGINT)
        wait(ended)

    wait = view_server._wait
    monkeypatch.setattr(view_server, "_wait", look)
    monkeypatch.setattr(browser, "open_in_browser", lambda address: pytest.fail("a browser was opened"))
    before = signal.getsignal(signal.SIGINT)
    assert cli.main(["view", "crank.nc", "--no-browser"]) == 0
    assert signal.getsignal(signal.SIGINT) is before
    (form,) = asked
    assert (form["model"], form["source"], form["folder"]) == ("crank", "crank.nc", str(Path.cwd()))
    assert [one["name"] for one in form["parameters"]] == ["speed", "length", "half"]
    assert capfd.readouterr().out == "ended\n"


def test_models_are_saved_with_the_values_of_a_run(tmp_path: Path) -> None:
    def runnable(model: str, *settings: str) -> view_server.JobToRun:
        given = argparse.Namespace(model=model, set=list(settings), allow=[])
        return view_server.JobToRun(find_job(model, settings), given, {})

    crank = runnable("crank.toml", "speed=2")
    assert crank.label({}) == "speed=2"
    assert crank.label({"length": "1 m"}) == "speed=2, length=1 m"
    changed = MODEL.replace('"1 rad/s"', '"2.0 s^-1*rad"').replace('value = "0.5 m"', 'value = "1 m"')
    assert crank.text({"length": "1 m"}) == changed
    assert runnable("crank.nc").text({"half": "0.1 m"}) == MODEL.replace('"= length / 2"', '"0.1 m"')
    with pytest.raises(pl.PitchlineError, match="there is no parameter"):
        crank.check({"lenght": "1 m"})
    assert runnable("four-bar").folder == Path.cwd()  # not that of the package
    with pytest.raises(
        pl.PitchlineError,
        match=r"is a Python program, not a model file\. Copy it with: pitchline gallery --copy robot-arm",
    ):
        runnable("robot-arm").text({"speed": "100"})
    with pytest.raises(pl.PitchlineError, match="robot-arm: speed must be from 1 to 700"):
        runnable("robot-arm").check({"speed": "1e4"})
    (tmp_path / "part.toml").write_text(
        '[parameters]\nspeed = { value = "1 rad/s", min = 0 }\nlength = "0.5 m"\n', "utf-8"
    )
    whole = (
        'include = "part.toml"\n' + re.sub(r"^(speed|length) = .*\n", "", MODEL, count=2, flags=re.MULTILINE).lstrip()
    )
    (tmp_path / "whole.toml").write_text(whole, "utf-8")
    said = runnable(str(tmp_path / "whole.toml")).text({"speed": "3 rad/s", "length": "1 m"})
    added = '[parameters]\nlength = "1 m"\nspeed = { value = "3 rad/s", min = 0 }\n'
    assert said == whole.replace("[parameters]\n", added)


def test_a_result_that_cannot_be_run_again_says_why(tmp_path: Path) -> None:
    model = pl.Model("py")
    model.body("rod", mass=1, inertia=(1, 1, 1))
    plain = {"kind": "dynamics", "model_name": "py", "time": [], "signals": {}, "model": model.describe()}
    why = {}
    for name, source in (("python", {}), ("broken", {"text": "[bodies.rod]\nmas = 1\n", "name": "py.toml"})):
        pl.Result(**plain, source=source).save(tmp_path / f"{name}.nc")
        given = build_parser().parse_args(["view", str(tmp_path / f"{name}.nc")])
        found = viewed.viewed(given)
        assert len(found.records(signals=True)) == 1
        why[name] = found.job()
    assert why["python"].startswith("python.nc does not contain its model file")
    assert why["broken"].startswith("The model of broken.nc cannot be run again: ")
    assert "mas" in why["broken"]


def test_names_of_a_run() -> None:
    assert viewed.names_of_run("", ["a", "b"]) == {"a": "a", "b": "b"}
    assert viewed.names_of_run("teeth=21", ["a"]) == {"a": "teeth=21"}
    assert viewed.names_of_run("teeth=21", ["a", "b"]) == {"a": "teeth=21: a", "b": "teeth=21: b"}
