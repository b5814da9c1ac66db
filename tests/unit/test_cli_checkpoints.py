"""`pitchline run --checkpoint` and `--resume`: a run that is killed goes on, to the same bits."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.child_processes import Children

import pitchline as pl
from pitchline import cli, gallery
from pitchline.cli.sweep import RunResults

TEXT = """
[model]
name = "pendulum"
gravity = [0, 0, -9.81]

[bodies.rod]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
position = ["0.5 m", 0, 0]

[joints.hinge]
kind = "revolute"
a = "ground"
b = "rod"
at = [0, 0, 0]
axis = "y"

[loads.spring]
kind = "torsion_spring"
joint = "hinge"
stiffness = 3.0

[[analyses]]
name = "rest"
kind = "statics"

[[analyses]]
name = "first"
kind = "dynamics"
duration = "50 ms"
step = "1 ms"

[[analyses]]
name = "second"
kind = "dynamics"
start = "first"
duration = "DURATION"
tolerance = 1e-9
output_step = "10 ms"
"""
FOLDER = Path("out") / "pendulum.checkpoint"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("2 s")
    return tmp_path


def write(duration: str) -> None:
    Path("pendulum.toml").write_text(TEXT.replace("DURATION", duration), encoding="utf-8")


def run(*more: str) -> int:
    return cli.main(["run", "pendulum.toml", "-o", "out", *more])


class Ended(BaseException):
    """As a process is ended: nothing of the program handles it."""


def end_after(moments: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """End the run at a moment of its second dynamic analysis, after a checkpoint."""
    seen: list[float] = []

    def reached(self: RunResults, moment: Any) -> None:
        if moment.end > 0.06:
            seen.append(moment.time)
            if len(seen) == moments:
                raise Ended

    monkeypatch.setattr(RunResults, "reached", reached)


def ended_run(monkeypatch: pytest.MonkeyPatch, moments: int = 2) -> None:
    with monkeypatch.context() as patch:
        end_after(moments, patch)
        with pytest.raises(Ended):
            run("--checkpoint-every", "0s")
    assert sorted(p.name for p in FOLDER.iterdir()) == ["1.ckpt", "2.ckpt", "lock"]


def same(a: pl.Result, b: pl.Result) -> bool:
    """Bit by bit, with the counts of all that was done; times of day differ."""
    counts = [{k: v for k, v in r.statistics.items() if not k.endswith("time")} for r in (a, b)]
    return (
        list(a.signals) == list(b.signals)
        and counts[0] == counts[1]
        and all(np.array_equal(a[name].values, b[name].values) for name in a.signals)
        and (a.status, a.warnings, a.options) == (b.status, b.warnings, b.options)
    )


def test_a_killed_run_goes_on_to_the_same_bits(
    here: Path, children: Children, capsys: pytest.CaptureFixture[str]
) -> None:
    """kill -9 in the second dynamic analysis; the first one is complete and is not computed again."""
    write("30 s")
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1])}
    command = [sys.executable, "-m", "pitchline", "run", "pendulum.toml", "-o", "out", "--checkpoint-every", "0s"]
    process = children(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300.0
    while not (FOLDER / "2.ckpt").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not list(Path("out").glob("*.nc"))

    assert run("--resume") == 0
    said = capsys.readouterr().err
    assert "continued from t = 50 ms, t = " in said
    assert not FOLDER.exists()
    assert cli.main(["run", "pendulum.toml", "-o", "straight"]) == 0
    for name in ("pendulum.nc", "pendulum.first.nc", "pendulum.rest.nc"):
        resumed, straight = pl.load(Path("out") / name), pl.load(Path("straight") / name)
        assert resumed.status == "completed" and same(resumed, straight), name


def test_a_run_can_be_ended_many_times(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    straight = cli.main(["run", "pendulum.toml", "-o", "straight"])
    assert straight == 0
    ended_run(monkeypatch)
    with monkeypatch.context() as patch:
        end_after(2, patch)
        with pytest.raises(Ended):
            run("--resume", "--checkpoint-every", "0s")
    assert run("--resume", "--json") == 0
    assert same(pl.load("out/pendulum.nc"), pl.load("straight/pendulum.nc"))


def test_ctrl_c_says_how_to_go_on(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def impatient(self: RunResults, moment: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunResults, "reached", impatient)
        assert run("--checkpoint") == 130
    said = capsys.readouterr().err
    assert "continue with: pitchline run pendulum.toml -o out --resume" in said
    assert run("--resume") == 0
    assert not FOLDER.exists()


def test_a_whole_run_leaves_no_checkpoints(here: Path) -> None:
    assert run("--checkpoint") == 0
    assert sorted(p.suffix for p in Path("out").iterdir()) == [".nc", ".nc", ".nc"]


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("mass = 1.0", "mass = 1.1", "does not belong to model"),
        ('"2 s"', '"3 s"', "written with duration = 2.0, but now duration = 3.0 is requested"),
        ("tolerance = 1e-9", "tolerance = 1e-8", "written with tolerance = 1e-09"),
        ('duration = "50 ms"\nstep = "1 ms"', 'duration = "60 ms"\nstep = "1 ms"', "written with duration = 0.05"),
        ('start = "first"', 'start = "rest"', "started from other positions or velocities"),
    ],
)
def test_another_model_or_analysis_is_refused(
    old: str, new: str, message: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended_run(monkeypatch)
    text = Path("pendulum.toml").read_text()
    assert old in text
    Path("pendulum.toml").write_text(text.replace(old, new))
    capsys.readouterr()
    assert run("--resume") == 1
    assert message in capsys.readouterr().err
    assert (FOLDER / "2.ckpt").exists()  # nothing is lost: with the model as it was the run goes on
    Path("pendulum.toml").write_text(text)
    assert run("--resume") == 0


def test_nothing_to_resume_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--resume") == 1
    said = capsys.readouterr().err
    assert "contains no checkpoints" in said and "--checkpoint" in said
    for option in (["--resume"], ["--checkpoint"], ["--checkpoint-every", "1s"]):
        assert cli.main(["run", "pendulum.toml", *option]) == 1
        assert "Specify it with -o DIR" in capsys.readouterr().err
    assert run("--checkpoint-every", "1 kg") == 1
    assert run("--checkpoint-every", "-1s") == 1
    assert not FOLDER.exists()


def test_checkpoints_are_not_overwritten_by_a_new_run(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended_run(monkeypatch)
    before = (FOLDER / "2.ckpt").read_bytes()
    assert run("--checkpoint") == 1
    said = capsys.readouterr().err
    assert "--resume" in said and "--force" in said
    assert (FOLDER / "2.ckpt").read_bytes() == before
    assert run("--checkpoint", "--force") == 0


def test_two_runs_do_not_share_checkpoints(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FOLDER.mkdir(parents=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert run("--checkpoint") == 1
        assert "in use by another run" in capsys.readouterr().err
    assert run("--checkpoint") == 0  # the other one is gone, and left contains no checkpoints


def test_a_folder_that_cannot_be_made_is_told_before_the_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    FOLDER.write_text("a file")
    assert run("--checkpoint") == 1
    assert "cannot write checkpoints" in capsys.readouterr().err


def test_models_of_the_gallery_go_on_too(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their analyses are programmed: the calls of dynamics are told apart by their order."""
    assert "double-pendulum" in gallery.MODELS
    with monkeypatch.context() as patch:
        patch.setattr(RunResults, "reached", _raise_late)
        with pytest.raises(Ended):
            cli.main(["run", "double-pendulum", "-o", "out", "--checkpoint-every", "0s"])
    assert cli.main(["run", "double-pendulum", "-o", "out", "--resume"]) == 0
    assert cli.main(["run", "double-pendulum", "-o", "straight"]) == 0
    for path in Path("straight").glob("*.nc"):
        assert same(pl.load(Path("out") / path.name), pl.load(path))


def _raise_late(self: RunResults, moment: Any) -> None:
    if moment.time > moment.start + 0.5 * (moment.end - moment.start):
        raise Ended
