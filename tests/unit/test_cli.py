"""The command `pitchline`: what it prints, where it writes, how it ends."""

import json
import subprocess
import sys
import tomllib
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import cli, gallery
from pitchline.files import ModelFile
from pitchline.gallery.figures import Run


@lru_cache
def turn() -> Run:
    return gallery.model("four-bar").run()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linkage is run once for all tests."""
    run = turn()
    monkeypatch.setattr(ModelFile, "run", lambda self, **options: run)


def test_the_script_is_the_main_function() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    module, _, name = project["project"]["scripts"]["pitchline"].partition(":")
    assert getattr(import_module(module), name) is cli.main


def test_help_loads_nothing_heavy() -> None:
    """In a process of its own: neither the engine nor what draws and stores."""
    code = """
import sys
from pitchline import cli
for arguments in (["--help"], ["run", "--help"], ["gallery"]):
    try:
        cli.main(arguments)
    except SystemExit as end:
        assert end.code == 0
print(sorted({"numba", "scipy", "matplotlib", "h5py", "pandas"} & set(sys.modules)))
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "usage: pitchline" in out and "run a model" in out and "bevel-pair" in out
    assert out.splitlines()[-1] == "[]"


def test_without_a_command_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    assert "usage: pitchline" in capsys.readouterr().out


def test_it_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"pitchline {pl.__version__}\n"


def test_gallery_lists_every_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == list(gallery.MODELS)


@pytest.mark.parametrize("name", ["four-bar", "four_bar"])
def test_run_prints_a_table(quick: None, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", name]) == 0
    out = capsys.readouterr().out
    assert out.startswith("four-bar: Hoeken's linkage")
    assert "rocker.swing" in out and "closed form" in out


def test_run_as_json_prints_one_object_and_nothing_else(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "four-bar", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert set(said) == {"model", "analyses", "figures"}
    assert said["model"] == "four-bar"
    assert said["analyses"] == [{"name": "turn", "kind": "kinematics", "status": "completed"}]
    assert all(set(figure) == {"value", "unit"} for figure in said["figures"].values())
    assert said["figures"]["straight.length"]["unit"] == "mm"
    assert said["figures"]["straight.length"]["value"] == pytest.approx(400, abs=1)


def test_what_a_model_prints_stays_out_of_the_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = turn()

    def talkative(self: ModelFile, **options: object) -> Run:
        print("here I am")
        return run

    monkeypatch.setattr(ModelFile, "run", talkative)
    assert cli.main(["run", "four-bar", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["model"] == "four-bar"
    assert "here I am" in said.err


@pytest.mark.slow
def test_files_are_written_where_the_user_asked(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "four-bar"]) == 0
    assert list(tmp_path.iterdir()) == []  # nowhere else
    assert cli.main(["run", "four-bar", "-o", "out"]) == 0
    assert "out/four-bar.png" in capsys.readouterr().out.replace("\\", "/")
    assert cli.main(["run", "four-bar", "--json", "-o", "out"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "four-bar"
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"four-bar.png", "four-bar.nc", "four-bar-2.png", "four-bar-2.nc"}
    assert pl.load(tmp_path / "out" / "four-bar.nc").model_name == "four-bar"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["run", "fore-bar"], 'no model "fore-bar"; did you mean "four-bar"'),
        (["run", "fore-bar", "--json"], 'no model "fore-bar"; did you mean "four-bar"'),
        (["run"], "NAME"),
        (["walk"], "walk"),
        (["run", "four-bar", "--fast"], "--fast"),
    ],
)
def test_what_is_wrong_ends_with_1(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status: Any = cli.main(arguments)
    except SystemExit as end:
        status = end.code
    said = capsys.readouterr()
    assert status == 1
    assert said.out == ""
    assert message in said.err


@pytest.mark.parametrize("json_wanted", [False, True])
def test_a_failed_solve_ends_with_2(
    json_wanted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reached = pl.Result(kind="statics", model_name="x", time=np.zeros(0), signals={}, status=pl.Status.FAILED)

    def fail(self: ModelFile, **options: object) -> Run:
        raise pl.SolveError("no equilibrium", result=reached)

    monkeypatch.setattr(ModelFile, "run", fail)
    assert cli.main(["run", "four-bar", *(["--json"] * json_wanted)]) == 2
    said = capsys.readouterr()
    assert said.err == "error: no equilibrium\n"
    if json_wanted:
        analyses = [{"name": "statics", "kind": "statics", "status": "failed"}]
        assert json.loads(said.out) == {"model": "four-bar", "analyses": analyses, "figures": {}}
    else:
        assert said.out == ""


def test_an_interrupted_run_ends_with_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(self: ModelFile, **options: object) -> Run:
        raise KeyboardInterrupt

    monkeypatch.setattr(ModelFile, "run", stop)
    assert cli.main(["run", "four-bar"]) == 130
    assert capsys.readouterr().err == "error: interrupted\n"
