"""`pitchline run` and `check` on model files: what is printed, written, kept, and how each ends."""

import json
import math
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.pair_file import PAIR

import pitchline as pl
from pitchline import cli
from pitchline.analyses import observers
from pitchline.cli.sweep import RunResults

FORCE = 20.0 / (0.030 * math.cos(math.radians(20.0)))
"""Of the teeth under the load: T / (r_b) with the base radius of the wheel [N]."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with pair.toml in it, to work in."""
    (tmp_path / "pair.toml").write_text(PAIR, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def changed(*changes: tuple[str, str]) -> str:
    text = PAIR
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def command(*arguments: str) -> int:
    """The exit status, however it comes."""
    try:
        return cli.main(list(arguments))
    except SystemExit as end:
        assert isinstance(end.code, int)
        return end.code


# --- run -----------------------------------------------------------------------------------------------


def test_a_file_is_run_and_its_figures_are_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "pair.toml", "-o", "out", "--report") == 0
    said = capsys.readouterr()
    assert said.out.startswith("pair: two spur wheels with elastic teeth\n")
    assert "mesh.force.mean" in said.out and "error" not in said.err
    assert {path.name for path in (here / "out").iterdir()} == {"pair.png", "pair.nc", "pair.settle.nc", "pair.html"}
    assert "pair.html" in said.out


def test_json_is_the_one_object(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "pair.toml", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["model", "analyses", "figures"]
    assert data["model"] == "pair"
    assert data["analyses"] == [
        {"name": "settle", "kind": "statics", "status": "completed"},
        {"name": "run", "kind": "dynamics", "status": "completed"},
    ]
    assert set(data["figures"]) == {"mesh.force.mean", "settled.force"}
    assert data["figures"]["settled.force"] == {"value": pytest.approx(FORCE, rel=1e-6), "unit": "N"}


def test_parameters_are_set(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "pair.toml", "--json", "--set", "load=40 N*m", "--set", "module = 4 mm") == 0
    force = json.loads(capsys.readouterr().out)["figures"]["settled.force"]["value"]
    assert force == pytest.approx(FORCE, rel=1e-6)  # twice the load on twice the radius


@pytest.mark.parametrize(
    "setting, message",
    [
        ("load", "PARAMETER=VALUE"),
        ("=3", "PARAMETER=VALUE"),
        ("lode=3 N*m", "load"),
        ("load=3 mm", "load"),
        ("teeth=__import__('os')", "teeth"),
    ],
)
def test_settings_that_are_wrong(here: Path, setting: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "pair.toml", "--set", setting) == 1
    said = capsys.readouterr()
    assert said.out == "" and message in said.err and "Traceback" not in said.err


def test_models_of_the_gallery_say_which_parameters_they_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "press", "--set", "sped=3 rpm") == 1
    assert 'there is no parameter "sped" to set; did you mean "speed"' in capsys.readouterr().err


def test_results_are_never_replaced_unless_it_is_said(here: Path) -> None:
    out = here / "out"
    assert command("run", "pair.toml", "-o", "out") == 0
    first = (out / "pair.nc").read_bytes()
    assert command("run", "pair.toml", "-o", "out", "--set", "load=30 N*m") == 0
    assert (out / "pair.nc").read_bytes() == first
    assert pl.load(out / "pair-2.nc").source["set"] == {"load": "30 N*m"}
    assert command("run", "pair.toml", "-o", "out", "--set", "load=30 N*m", "--force") == 0
    assert pl.load(out / "pair.nc").source["set"] == {"load": "30 N*m"}
    assert not list(out.glob(".*"))  # no drafts are left


def test_a_result_explains_itself_and_runs_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "pair.toml", "-o", "out", "--set", "load=30 N*m") == 0
    result = pl.load(here / "out" / "pair.nc")
    assert result.source == {"name": "pair.toml", "text": PAIR, "set": {"load": "30 N*m"}, "analysis": "run"}
    assert set(result.model["bodies"]) == {"a", "b"}
    assert result.version
    (here / "pair.toml").unlink()
    assert command("run", "out/pair.nc", "-o", "again") == 0
    again = pl.load(here / "again" / "pair.nc")
    np.testing.assert_array_equal(again["mesh.normal_force"], result["mesh.normal_force"])
    capsys.readouterr()
    assert command("run", "out/pair.nc", "--json", "--set", "load=20 N*m") == 0
    assert json.loads(capsys.readouterr().out)["figures"]["settled.force"]["value"] == pytest.approx(FORCE, rel=1e-6)


def test_included_files_are_kept_too(here: Path) -> None:
    gears = PAIR[PAIR.index("[gears.pinion]") : PAIR.index("[bodies.a]")]
    (here / "parts").mkdir()
    (here / "parts" / "gears.toml").write_text(gears, encoding="utf-8")
    main = 'include = ["parts/gears.toml"]\n' + PAIR.replace(gears, "")
    (here / "main.toml").write_text(main, encoding="utf-8")
    assert command("run", "main.toml", "-o", "out") == 0
    result = pl.load(here / "out" / "pair.nc")
    assert result.source["included"] == {"parts/gears.toml": gears}
    (here / "main.toml").unlink()
    (here / "parts" / "gears.toml").unlink()
    assert command("run", "out/pair.nc", "-o", "again") == 0
    again = pl.load(here / "again" / "pair.nc")
    np.testing.assert_array_equal(again["mesh.normal_force"], result["mesh.normal_force"])


def test_a_result_cannot_write_outside_its_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = {"name": "a.toml", "text": 'include = ["x.toml"]', "included": {"../../evil.toml": "x = 1"}}
    made = pl.Result(kind="statics", model_name="x", time=np.zeros(1), signals={}, source=source)
    made.save(here / "evil.nc")
    assert command("run", "evil.nc") == 1
    assert "outside" in capsys.readouterr().err
    assert not list(here.parent.glob("evil*"))


def test_a_result_of_python_cannot_be_run_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl.Result(kind="statics", model_name="x", time=np.zeros(1), signals={}).save(here / "x.nc")
    assert command("run", "x.nc") == 1
    assert "to_toml" in capsys.readouterr().err


def test_a_result_of_the_gallery_runs_again(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "four-bar", "-o", "out") == 0
    assert pl.load("out/four-bar.nc").source == {"gallery": "four-bar", "analysis": "turn"}
    capsys.readouterr()
    assert command("run", "out/four-bar.nc", "--json") == 0
    assert json.loads(capsys.readouterr().out)["model"] == "four-bar"


# --- failures ------------------------------------------------------------------------------------------

BLOWS_UP = changed(('duration = "5 ms"', 'duration = "5 ms"\nmin_step = "1 ms"\ntolerance = 1e-14'))


@pytest.mark.parametrize("with_json", [False, True])
def test_a_failed_solve_keeps_what_was_reached(here: Path, with_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bad.toml").write_text(BLOWS_UP, encoding="utf-8")
    assert command("run", "bad.toml", "-o", "out", *["--json"] * with_json) == 2
    said = capsys.readouterr()
    assert "min_step" in said.err and str(Path("out") / "pair.nc") in said.err
    assert pl.load("out/pair.nc").status == "failed"
    assert pl.load("out/pair.settle.nc").status == "completed"
    if with_json:
        analyses = json.loads(said.out)["analyses"]
        assert [(one["name"], one["status"]) for one in analyses] == [("settle", "completed"), ("run", "failed")]
    else:
        assert said.out == ""


def test_what_was_computed_is_kept_where_figures_are_wrong(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "figure.toml").write_text(changed(('"run" }', '"run", after = "3 s" }')), encoding="utf-8")
    assert command("run", "figure.toml", "-o", "out") == 1
    assert "mesh.normal_force" in capsys.readouterr().err
    assert pl.load("out/pair.nc").status == "completed"


def test_misspelt_signals_of_figures_and_plots_are_told_before_the_run(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "figure.toml").write_text(changed(("mesh.normal_force", "mesh.normal_farce")), encoding="utf-8")
    plot = PAIR[: PAIR.index("[figures]")] + '[plot]\nsignals = ["mesh.normal_farce"]\n'
    (here / "plot.toml").write_text(plot, encoding="utf-8")
    for name in ("figure", "plot"):
        assert command("run", f"{name}.toml", "-o", "out") == 1
        assert 'did you mean "mesh.normal_force"' in capsys.readouterr().err
    assert not (here / "out").exists()


def test_a_folder_that_cannot_be_is_said_before_the_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("run", "pair.toml", "-o", "pair.toml") == 1
    said = capsys.readouterr()
    assert said.out == "" and "cannot create the folder" in said.err


class _Impatient:
    """Presses Ctrl-C as soon as an analysis of this kind moves."""

    def __init__(self, how: int) -> None:
        self.how, self.seen = how, 0

    def __call__(self, moment: observers.Moment) -> None:
        self.seen += 1
        if self.seen == 2:
            os.kill(os.getpid(), self.how)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("with_json", [False, True])
def test_an_interrupted_run_keeps_what_it_has(
    here: Path,
    how: int,
    with_json: bool,
    keyboard: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = changed(('duration = "5 ms"', 'duration = "1000 s"\nstep = "1 us"'), ('"0.1 ms"', '"10 ms"'))
    (here / "long.toml").write_text(text, encoding="utf-8")
    impatient, reached = _Impatient(how), RunResults.reached

    def reach(self: RunResults, moment: observers.Moment) -> None:
        impatient(moment)
        reached(self, moment)

    monkeypatch.setattr(RunResults, "reached", reach)
    assert command("run", "long.toml", "-o", "out", *["--json"] * with_json) == 130
    said = capsys.readouterr()
    assert "interrupted at t =" in said.err and str(Path("out") / "pair.nc") in said.err
    reached = pl.load("out/pair.nc")
    assert reached.status == "interrupted" and reached.source["analysis"] == "run"
    assert pl.load("out/pair.settle.nc").status == "completed"
    if with_json:
        assert json.loads(said.out)["analyses"][1] == {"name": "run", "kind": "dynamics", "status": "interrupted"}
    # afterwards Ctrl-C is what it was
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_file_without_analyses_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "still.toml").write_text(PAIR[: PAIR.index("[[analyses]]")], encoding="utf-8")
    assert command("run", "still.toml") == 1
    assert "[[analyses]]" in capsys.readouterr().err
    assert command("check", "still.toml") == 0


def test_without_figures_a_summary_is_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "plain.toml").write_text(PAIR[: PAIR.index("[figures]")], encoding="utf-8")
    assert command("run", "plain.toml", "-o", "out") == 0
    assert "statistics" in capsys.readouterr().out
    assert {path.name for path in (here / "out").iterdir()} == {"pair.nc", "pair.settle.nc"}


def test_linear_analyses_of_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PAIR[: PAIR.index("[[analyses]]")] + (
        '[[analyses]]\nkind = "statics"\n[[analyses]]\nkind = "modes"\nstart = "statics"\n'
        '[[analyses]]\nkind = "frequency_response"\nstart = "statics"\ninputs = "load"\noutputs = "mesh.normal_force"\n'
    )
    (here / "linear.toml").write_text(text, encoding="utf-8")
    assert command("run", "linear.toml", "-o", "out") == 0
    names = {path.name for path in (here / "out").iterdir()}
    assert names == {
        "pair.nc", "pair.png", "pair.csv", "pair.modes.nc", "pair.modes.csv", "pair.modes.png", "pair.statics.nc",
    }  # fmt: skip
    capsys.readouterr()
    assert command("run", "linear.toml", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert [(one["kind"], one["status"]) for one in said["analyses"]] == [
        ("statics", "completed"), ("modes", "completed"), ("frequency_response", "completed"),
    ]  # fmt: skip


# --- files that are wrong ------------------------------------------------------------------------------

BAD = {
    "syntax": "teeth = = 3\n",
    "empty": "",
    "bytes": b"\xff\xfe\x00\x01",
    "nul": b'name = "x\x00y"\n',
    "deep": "a = " + "[" * 5000 + "]" * 5000,
    "scalar": "bodies = 3\n",
    "list": "[[bodies]]\nname = 'a'\n",
    "key": changed(("normal_module", "normal_modul")),
    "unit": changed(('"2 mm"', '"2 kg"')),
    "name": changed(('joint = "hinge_a"', 'joint = "hinge"')),
    "expression": changed(('"= module"', '"= module.__class__"')),
    "loop": changed(("teeth = 20", 'teeth = "= teeth + 1"')),
    "kind": changed(('kind = "dynamics"', 'kind = "dynamic"')),
    "start": changed(('start = "settle"', 'start = "settled"')),
    "figure": changed(('of = "mean"', 'of = "means"')),
    "include": 'include = ["/etc/passwd"]\n' + PAIR,
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("what", ["check", "run", "modes", "gear"])
def test_malformed_files_end_in_words(here: Path, name: str, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    content = BAD[name]
    (here / "bad.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    status = command(what, "bad.toml")
    said = capsys.readouterr()
    if name == "empty" and what == "check":
        assert status in (0, 1)
        return
    assert status == 1
    assert "Traceback" not in said.err and "error: " in said.err
    if name not in ("empty",):
        assert "bad.toml" in said.out + said.err


def test_check_says_all_at_once_with_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = changed(("teeth = 30", "teeth = 30.5"), ('joint = "hinge_a"', 'joint = "hinge_x"'))
    (here / "bad.toml").write_text(text, encoding="utf-8")
    assert command("check", "bad.toml", "pair.toml") == 1
    said = capsys.readouterr()
    found = said.out.splitlines()
    lines = [text.splitlines().index("teeth = 30.5") + 1, text.splitlines().index("[drives.motor]") + 1]
    assert len(found) == 3
    assert found[0].startswith(f"bad.toml:{lines[0]}: gears.wheel.teeth")
    assert found[1].startswith("bad.toml:") and "hinge_x" in found[1]
    assert lines[1] <= int(found[1].split(":")[1]) <= lines[1] + 1
    assert found[2].startswith("pair.toml: fine: ")
    assert said.err == "error: 2 problems\n"


@pytest.mark.parametrize("what", ["check", "run", "modes", "report", "gear", "plot", "info"])
def test_files_that_are_not_there(here: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["x"] if what == "plot" else []
    ending = ".nc" if what in ("plot", "info") else ".toml"
    assert command(what, f"nowhere{ending}", *more) == 1
    assert f"nowhere{ending}" in "".join(capsys.readouterr())
    (here / f"folder{ending}").mkdir()
    assert command(what, f"folder{ending}", *more) == 1
    capsys.readouterr()


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89HDF\r\n\x1a\n" + b"\x00" * 64])
@pytest.mark.parametrize("what", ["info", "plot", "report", "run"])
def test_result_files_that_are_broken(
    here: Path, content: bytes, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "x.nc").write_bytes(content)
    arguments: list[Any] = [what, "x.nc", *(["a.b"] if what == "plot" else [])]
    assert command(*arguments) == 1
    said = capsys.readouterr()
    assert "x.nc" in said.err and "Traceback" not in said.err


def test_what_was_found_without_signals_is_kept_where_a_later_analysis_fails(here: Path) -> None:
    before = '[[analyses]]\nkind = "rigid_contact"\npositions = 4\n\n[[analyses]]\nname = "settle"'
    (here / "bad.toml").write_text(BLOWS_UP.replace('[[analyses]]\nname = "settle"', before), encoding="utf-8")
    assert command("run", "bad.toml", "-o", "out") == 2
    assert (here / "out" / "pair.rigid_contact.csv").exists()
    assert pl.load("out/pair.nc").status == "failed"
