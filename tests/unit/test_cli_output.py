"""Files of `pitchline run`: names that lead nowhere else, checks before computing, disks that are full, runs at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.pair_file import PAIR

import pitchline as pl
from pitchline import cli
from pitchline.base.storage.hdf5_image import Hdf5Image

SETTLING = PAIR[: PAIR.index("[[analyses]]")] + '[[analyses]]\nname = "settle"\nkind = "statics"\n'
"""The pair in equilibrium: quick."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    (folder / "pair.toml").write_text(SETTLING, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def named(name: str) -> str:
    import json

    return SETTLING.replace('name = "pair"', f"name = {json.dumps(name)}", 1)


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# --- names ---------------------------------------------------------------------------------------------

ODD_NAMES = {
    "../../report": "report",
    "/srv/evil": "srv_evil",
    "a\nb": "a_b",
    "..": "model",
    "-o": "o",
    "x/../../../y": "x_.._.._.._y",
}


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("force", [False, True])
def test_a_models_name_cannot_leave_the_folder(here: Path, name: str, force: bool) -> None:
    """name = "../../report" wrote two folders up once."""
    root = here.parents[2]
    (here.parents[1] / "report.nc").write_text("precious")
    (here / "odd.toml").write_text(named(name), encoding="utf-8")
    before = files(root)
    assert cli.main(["run", "odd.toml", "-o", "out", "--report", *["--force"] * force]) == 0
    new = files(root) - before
    assert {Path(path).parent for path in new} == {Path("a/b/c/out")}
    assert {Path(path).name for path in new} == {f"{ODD_NAMES[name]}.nc", f"{ODD_NAMES[name]}.html"}
    assert (here.parents[1] / "report.nc").read_text() == "precious"


def test_a_name_of_300_characters(here: Path) -> None:
    (here / "long.toml").write_text(named("gear" * 75), encoding="utf-8")
    assert cli.main(["run", "long.toml", "-o", "out"]) == 0
    (path,) = (here / "out").iterdir()
    assert path.name.startswith("geargear") and len(path.name) < 140
    assert pl.load(path).model_name == "gear" * 75


@pytest.mark.parametrize("command", ["report", "modes"])
def test_other_commands_keep_to_their_folder_too(here: Path, command: str) -> None:
    (here / "odd.toml").write_text(named("../../report"), encoding="utf-8")
    before = files(here.parents[2])
    options = ["-o", "out"] if command == "modes" else []
    assert cli.main([command, "odd.toml", *options]) == 0
    new = files(here.parents[2]) - before
    assert new and all(path.startswith("a/b/c/") for path in new)


def test_a_result_that_is_run_again_keeps_to_its_folder(here: Path) -> None:
    source = {"name": "../../../x", "text": named("../../report"), "set": {}, "analysis": "settle"}
    pl.Result(kind="statics", model_name="../../report", time=np.zeros(1), signals={}, source=source).save("crafted.nc")
    before = files(here.parents[2])
    assert cli.main(["run", "crafted.nc", "-o", "out"]) == 0
    assert cli.main(["report", "crafted.nc"]) == 0
    assert all(path.startswith("a/b/c/") for path in files(here.parents[2]) - before)


@pytest.mark.parametrize(
    "source",
    [
        {"text": 3},
        {"text": "x = 1", "included": ["a"]},
        {"text": 'include = ["x.toml"]', "included": {"../../evil.toml": "x = 1"}},
        {"text": 'include = ["x.toml"]', "included": {"a\0b": "x = 1"}},
        {"text": 'include = ["x.toml"]', "included": {".": "x = 1"}},
        {"text": 'include = ["x.toml"]', "included": {"x" * 400: "x = 1"}},
        {"text": 'include = ["x.toml"]', "included": {"x.toml": 3}},
        {"text": SETTLING, "set": "all"},
        {"text": SETTLING, "set": {"load": ["x"]}},
        {"gallery": "../../x"},
        {"gallery": 3},
    ],
    ids=str,
)
def test_sources_that_were_made_up(here: Path, source: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    pl.Result(kind="statics", model_name="x", time=np.zeros(1), signals={}, source=source).save("crafted.nc")
    before = files(here.parents[2])
    assert cli.main(["run", "crafted.nc", "-o", "out"]) == 1
    assert "error: " in capsys.readouterr().err
    assert files(here.parents[2]) == before


def test_analyses_with_names_that_give_the_same_file(here: Path) -> None:
    names = ["a b", "a_b", "A.b", "last"]
    text = SETTLING[: SETTLING.index("[[analyses]]")] + "".join(
        f'[[analyses]]\nname = "{n}"\nkind = "statics"\n' for n in names
    )
    (here / "several.toml").write_text(text, encoding="utf-8")
    assert cli.main(["run", "several.toml", "-o", "out"]) == 0
    assert files(here / "out") == {"pair.a_b.nc", "pair.a_b-2.nc", "pair.A_b-3.nc", "pair.nc"}
    assert [pl.load(here / "out" / f"pair.{n}.nc").source["analysis"] for n in ("a_b", "a_b-2", "A_b-3")] == names[:3]


# --- before computing ----------------------------------------------------------------------------------


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitchline.cli import jobs as job_run

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("computed")

    monkeypatch.setattr(job_run, "perform", fail)


def test_samples_that_the_disk_cannot_hold(here: Path, nothing_runs: None, capsys: pytest.CaptureFixture[str]) -> None:
    text = PAIR.replace('duration = "5 ms"', 'duration = "1e7 s"').replace('"0.1 ms"', '"1e-6 s"')
    (here / "huge.toml").write_text(text, encoding="utf-8")
    assert cli.main(["run", "huge.toml", "-o", "out"]) == 1
    said = capsys.readouterr().err
    # 2 bodies, 2 joints and a pair: 60 numbers a sample
    assert f"need at least {8 * 60 * 1e13 / 1e12:.3g} TB" in said and "are free in" in said and "output_step" in said


def test_folders_and_names_that_cannot_be(here: Path, nothing_runs: None, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "out" / "pair.nc").mkdir(parents=True)
    assert cli.main(["run", "pair.toml", "-o", "out", "--force"]) == 1
    assert "it is a folder" in capsys.readouterr().err
    if Path("/proc/self").is_dir():  # nobody can make a file there, root neither
        for folder in ("/proc/self", "/proc/self/out"):
            assert cli.main(["run", "pair.toml", "-o", folder]) == 1
            assert "the folder" in capsys.readouterr().err
    assert cli.main(["run", "pair.toml", "-o", "x" * 300]) == 1
    assert cli.main(["report", "pair.toml", "-o", "nowhere/x.html"]) == 1
    assert "Traceback" not in capsys.readouterr().err


# --- disks that are full -------------------------------------------------------------------------------


@pytest.fixture
def full(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder out/ takes no results."""
    fill = Hdf5Image._fill

    def no_space(self: Hdf5Image, stream: Any, seal: bytes) -> None:
        if "/out/" in str(stream.name):
            stream.write(b"x" * 100)
            raise OSError(28, "No space left on device")
        fill(self, stream, seal)

    monkeypatch.setattr(Hdf5Image, "_fill", no_space)
    temporary = here / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return temporary


@pytest.mark.parametrize("with_json", [False, True])
def test_a_result_that_does_not_fit_is_kept_elsewhere(
    here: Path, full: Path, with_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "pair.toml").write_text(PAIR, encoding="utf-8")
    assert cli.main(["run", "pair.toml", "-o", "out", *["--json"] * with_json]) == 1
    said = capsys.readouterr()
    assert "mesh.force.mean" in said.out  # the figures are there
    assert said.err.count("No space left on device") == 2 and said.err.count("are free in that folder") == 2
    assert files(here / "out") == {"pair.png"}  # what fits is written, and no draft is left
    kept = {path.name: path for path in full.rglob("*.nc")}
    assert set(kept) == {"pair.nc", "pair.settle.nc"} and str(kept["pair.nc"]) in said.err
    assert pl.load(kept["pair.nc"]).status == "completed"


def test_where_nothing_can_be_written_the_command_still_ends(
    here: Path, full: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(here / "none"))
    assert cli.main(["run", "pair.toml", "-o", "out"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: cannot write") and "Traceback" not in said


def test_on_a_terminal_it_is_asked(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill, failures = Hdf5Image._fill, [1]

    def no_space(self: Hdf5Image, stream: Any, seal: bytes) -> None:
        if failures.pop() if failures else 0:
            raise OSError(28, "No space left on device")
        fill(self, stream, seal)

    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return "\n"

    monkeypatch.setattr(Hdf5Image, "_fill", no_space)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli.main(["run", "pair.toml", "-o", "out"]) == 0
    assert "Press Enter to try again" in capsys.readouterr().err
    assert pl.load("out/pair.nc").status == "completed"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_to_a_full_disk_does_not_lose_the_files(here: Path) -> None:
    with open("/dev/full", "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "pitchline", "run", "pair.toml", "-o", "out"],
            stdout=out,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode in (1, 120) and b"No space left" in done.stderr
    assert files(here / "out") == {"pair.nc"}


# --- at once -------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="needs locks of POSIX")
def test_two_runs_at_once_into_one_folder(here: Path) -> None:
    """The second one writes while the first one has its names, and not yet its files."""
    from pitchline.cli.run import folder_names

    with folder_names(here / "out", "pair", [".nc"], force=False) as (path,):
        command = [sys.executable, "-m", "pitchline", "run", "pair.toml", "-o", "out"]
        subprocess.run(command, check=True, capture_output=True)
        path.write_text("of the first")
    assert files(here / "out") == {"pair.nc", "pair-2.nc"}
    assert pl.load(here / "out" / "pair-2.nc").status == "completed"


def test_drafts_of_killed_runs_are_removed_by_the_next(here: Path) -> None:
    (here / "out").mkdir()
    for name in (".pair.nc.0123456789ab.part.nc", ".pair.png.0123456789ab.part.png", ".pair.reserved"):
        (here / "out" / name).write_text("half")
    assert cli.main(["run", "pair.toml", "-o", "out"]) == 0
    assert files(here / "out") == {"pair.nc"}


# --- results of others ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        {"bodies": 3},
        {"bodies": {"a": None}},
        {"bodies": {"a": {"position": "far", "orientation": []}}},
        {"joints": [1]},
    ],
    ids=str,
)
def test_models_that_were_made_up_end_in_words(
    here: Path, model: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    pl.Result(kind="statics", model_name="x", time=np.zeros(1), signals={}, model=model).save("crafted.nc")
    for command in (["info", "crafted.nc"], ["report", "crafted.nc"]):
        status = cli.main(command)
        said = capsys.readouterr().err
        assert status == 0 or (status == 1 and '"crafted.nc": its model description' in said)


def test_a_file_does_not_steer_the_terminal(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl.Result(kind="statics", model_name="x\x1b[2J\x07", time=np.zeros(1), signals={}, message="\x1b]0;x\x07").save(
        "odd.nc"
    )
    (here / "odd.toml").write_text(named("x\x1b[2J"), encoding="utf-8")
    assert cli.main(["info", "odd.nc"]) == 0
    assert cli.main(["run", "odd.toml"]) == 0
    assert cli.main(["run", "odd.nc"]) == 1
    said = capsys.readouterr()
    assert "x\\x1b[2J" in said.out
    assert not {"\x1b", "\x07"} & set(said.out + said.err)


def test_a_start_that_was_made_up() -> None:
    from pitchline import files as model_files

    model = model_files.read(SETTLING).model
    settled = pl.statics(model)
    unsound = [
        ("a.position", np.zeros((1, 2))),
        ("a.position", np.full((1, 3), np.nan)),
        ("b.orientation", np.zeros((1, 3))),
    ]
    for name, values in unsound:
        signals = dict(settled.signals) | {name: pl.Signal(name, values, settled.time)}
        crafted = pl.Result(kind="statics", model_name="pair", time=settled.time, signals=signals)
        with pytest.raises(pl.ModelError, match=rf"ends with {name} = "):
            pl.dynamics(model, duration="1 ms", start=crafted)
