"""The command sweep, and the commands info and plot with its results."""

import json
from pathlib import Path

import numpy as np
import pytest
from references.sweep_functions import PAIR

import pitchline as pl
from pitchline import cli
from pitchline.studies.sweep import sweep as sweeping


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pair.toml").write_text(PAIR)
    return tmp_path


def command(*arguments: object) -> int:
    return cli.main(["sweep", "pair.toml", *map(str, arguments)])


def test_a_table_of_few_points(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--over", "speed=1000rpm:3000rpm:3", "--figures", "force.peak", "--set", "ripple=5e7N/m") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "sweep of pair: 3 points (speed: 3)"
    assert out[2].split() == ["speed/rpm", "force.peak/N"] and [line.split()[0] for line in out[4:]] == [
        "1000",
        "2000",
        "3000",
    ]


def test_results_as_files_and_json(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--over",
        "speed=1000rpm:3000rpm:2",
        "--over",
        "ripple=0,1e8N/m",
        "--keep",
        "mesh.normal_force",
        "-o",
        "a.nc",
    ]
    assert command(*arguments, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    found = pl.load("a.nc")
    assert data["dims"] == [["speed", 2], ["ripple", 2]] and data["failed"] == {}
    assert data["figures"]["force.peak"]["value"] == found["force.peak"].tolist()
    assert data["parameters"]["speed"]["unit"] == "rad/s"
    assert np.shape(data["figures"]["mesh.normal_force"]["value"]) == (2, 2, found["time"].size)
    assert command(*arguments) == 1 and "already exists" in capsys.readouterr().err
    arguments[-1] = "a.csv"
    assert command(*arguments) == 0
    rows = [line.split(",") for line in (here / "a.csv").read_text().splitlines()]
    assert rows[0] == ["speed [rad/s]", "ripple [N/m]", "force.peak [N]", "error.mean [m]", "status", "reason"]
    assert float(rows[4][2]) == found["force.peak"][1, 1] and len(rows) == 5
    capsys.readouterr()
    assert cli.main(["info", "a.nc"]) == 0
    assert "sweep of pair: 4 points (speed: 2 x ripple: 2)" in capsys.readouterr().out
    assert cli.main(["plot", "a.nc", "force.peak", "--axis", "ripple", "-o", "a.png"]) == 0
    assert (here / "a.png").stat().st_size > 5000
    assert (
        cli.main(["plot", "a.nc", "--spectrum"]) == 1
        and "--spectrum is not for results of studies" in capsys.readouterr().err
    )
    assert cli.main(["values", "a.nc"]) == 1 and "it is a file of a study" in capsys.readouterr().err
    assert cli.main(["info", "a.nc", "--model"]) == 1


def test_samples_lists_and_stores(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "p.csv").write_text("speed [rpm],ripple\n1000,1e8\n2000,5e7N/m\n")
    assert command("--points", "p.csv", "--store", "p.sweep") == 0
    found = pl.load("p.sweep")
    np.testing.assert_allclose(found["speed"], np.array([1000, 2000]) * np.pi / 30)
    assert found["ripple"].tolist() == [1e8, 5e7]
    assert cli.main(["info", "p.sweep"]) == 0
    sampled = ["--over", "ripple=uniform:0:1e8N/m", "--sample", "3", "--seed", "2", "--method", "sobol", "-o", "s.nc"]
    assert command(*sampled, "--over", "speed=1000rpm,2000rpm") == 0
    found = pl.load("s.nc")
    expected = pl.sample(3, method="sobol", seed=2, ripple=pl.Uniform(0, "1e8 N/m"))
    assert found["ripple"].tolist() == expected.column("ripple").tolist() and found.dims == ("point", "speed")


@pytest.mark.parametrize(
    "text, kind",
    [
        ("normal:1:0.1", "normal"),
        ("tolerance:50um:30um", "normal"),
        ("triangular:0:1:2", "triangular"),
        ("lognormal:2e8N/m:0.1", "lognormal"),
        ("choice:a:b", "choice"),
    ],
)
def test_distributions(text: str, kind: str) -> None:
    from pitchline.cli.sweep import points_of_options

    found = points_of_options([f"x={text}"], 4, "latin", 0, None)
    assert found.design["distributions"]["x"]["kind"] == kind and len(found) == 4
    assert points_of_options(["f=1Hz:1kHz:4:log"], None, "latin", 0, None).column("f").tolist() == pytest.approx(
        [1, 10, 100, 1000]
    )


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "specify the points: --over NAME=VALUES"),
        (["--over", "speed"], "expected NAME=VALUES"),
        (["--over", "speed=1:2"], "expected FROM:TO:NUMBER"),
        (["--over", "speed=1:2:x"], "expected FROM:TO:NUMBER"),
        (["--over", "speed=1rpm:2:3"], "only one end has a unit"),
        (["--over", "speed=0:2rpm:0"], "count must be a whole number"),
        (["--over", "speed=nrmal:1:2"], 'unknown distribution "nrmal"; did you mean "normal"'),
        (["--over", "speed=normal:1"], "expected normal:50um:10um"),
        (["--over", "speed=normal:1:-2", "--sample", "3"], "sigma must be above 0"),
        (["--over", "speed=normal:1:2"], "Specify the number of points with --sample N"),
        (["--over", "speed=1,2", "--sample", "3"], "--sample needs a distribution"),
        (["--over", "speed=1,2", "--over", "speed=3"], "speed is given twice"),
        (["--over", "sped=1,2"], 'has no parameter "sped"; did you mean "speed"'),
        (["--over", "speed=1m"], "expected angular velocity"),
        (["--over", "speed=1,2", "--figures", "force.pek"], 'no figure "force.pek"; did you mean "force.peak"'),
        (["--over", "speed=1,2", "-o", "a.txt"], "must end in .nc or .csv"),
        (["--over", "speed=1,2", "--workers", "0"], "workers must be a whole number"),
        (["--points", "none.csv"], "cannot be read"),
        (["--points", "pair.toml"], "line 2 has 1 values|has .* values, not"),
    ],
)
def test_wrong_options(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    import re

    assert command(*arguments) == 1
    assert re.search(message, capsys.readouterr().err)


def test_long_sweeps_need_yes(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from pitchline.studies.sweep import process_pool as evaluation

    real = evaluation.evaluate

    def slow(*given: object) -> object:
        outcome = real(*given)  # type: ignore[arg-type]
        outcome.seconds = 1e6
        return outcome

    monkeypatch.setattr("pitchline.studies.sweep.process_pool.evaluate", slow)
    monkeypatch.setattr(sweeping, "START_SECONDS", 1e9)
    arguments = ["--over", "speed=1000rpm:2000rpm:4"]
    assert command(*arguments) == 1
    err = capsys.readouterr().err
    assert "would take about" in err and "Add --yes if this is intended" in err and "budget" not in err
    assert command(*arguments, "--yes") == 0


def test_failed_points_and_exit_status(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--over", "ripple=1e8N/m,5e8N/m") == 0
    out = capsys.readouterr().out
    assert "2 points (ripple: 2), 1 failed" in out and "failed: 1 point, first point 1 (ripple = 5e+08 N/m)" in out
    assert command("--over", "ripple=5e8N/m,6e8N/m") == 2
    assert "all 2 points of the sweep failed" in capsys.readouterr().err


def test_ctrl_c(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from pitchline.studies.sweep import process_pool as blocks

    real, count = blocks.evaluate, [0]

    def third_stops(*given: object) -> object:
        count[0] += 1
        if count[0] == 3:
            raise KeyboardInterrupt
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(blocks, "evaluate", third_stops)
    monkeypatch.setattr("pitchline.studies.sweep.sweep.BLOCK_SECONDS", 0.0)
    assert command("--over", "speed=1000rpm:2000rpm:4", "--store", "a.sweep") == 130
    captured = capsys.readouterr()
    assert "stopped after 2 of 4 points" in captured.err and "2 not computed" in captured.out
    assert command("--over", "speed=1000rpm:2000rpm:4", "--store", "a.sweep") == 0
    assert count[0] == 5
