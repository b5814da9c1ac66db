"""Studies in model files: sweeps, batches, branches and optima are read, run, evaluated and drawn."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.studied_pair import BATCH, BOTH_WAYS, BRANCH, OPTIMUM, SWEEP, text

import pitchline as pl
from pitchline import cli, files


def evaluated(file: files.ModelFile, run: dict[str, Any]) -> dict[str, Any]:
    return {figure.key: figure.value for figure in file.findings(run)}


# --- sweeps ------------------------------------------------------------------------------------------


def test_a_sweep_has_the_values_of_separate_runs() -> None:
    """The deflection of a spring, F/k, at all points; a list of numbers at each point has a dimension of its own."""
    file = files.read(text(SWEEP.replace('["deflection"]', '["deflection", "forces"]')))
    study = file.run()["study"]
    assert study.shape == (2, 3) and study["forces"].shape == (2, 3, 2)
    radius = 25 * 3e-3 * np.cos(np.radians(20))
    closed = np.array([100.0, 200.0])[:, None] / radius / np.array([1.0, 2.0, 3.0]) / 1e8
    spread = study["deflection"] * 1e-6 / closed
    assert np.ptp(spread) < 1e-9 and 1 / 1.1 <= spread.mean() <= 1 / 0.9  # the stiffness at the phase of the start
    for k, values in enumerate(study.points):
        (figure,) = files.read(text(), overrides=values).evaluate(["deflection"]).values()
        assert figure.value == study.variables["deflection"].values[k]


def test_values_are_shown_in_the_units_of_the_parameters() -> None:
    study = SWEEP.replace('first = "1e8 N/m"', 'first = "= stiffness / 2"').replace('"200 N*m"]', '"= torque"]')
    found = files.read(text(study)).run(only=["study"])["study"]
    assert found.points.axes["stiffness"].shown_unit == "N/m" and found.points.axes["torque"].shown_unit == "N*m"
    assert found["stiffness"][0] == pytest.approx(1.25e8)


@pytest.mark.slow
def test_samples_and_lists() -> None:
    """Distributions make a sample, the same for the same seed; a list of points; both are combined with values."""
    normal = 'over = { torque = { kind = "normal", mean = "200 N*m", sigma = "10 N*m" } }\n'
    normal += 'samples = 16\nmethod = "sobol"\nseed = 3\n'
    study = SWEEP[: SWEEP.index("over")] + normal
    points = [files.read(text(study)).run(only=["study"])["study"].points for _ in range(2)]
    assert np.array_equal(points[0].column("torque"), points[1].column("torque")) and len(points[0]) == 16
    both = study.replace("over = {", 'over = { stiffness = ["1e8 N/m", "2e8 N/m"],')
    assert files.read(text(both)).run(only=["study"])["study"].dims == ("stiffness", "point")
    listed = (
        SWEEP[: SWEEP.index("over")] + 'points = [{ teeth = 50, torque = "1 N*m" }, { teeth = 60, torque = "2 N*m" }]\n'
    )
    found = files.read(text(listed)).run(only=["study"])["study"]
    assert found.dims == ("point",) and found.points.column("teeth").tolist() == [50, 60]


def test_points_that_fail_are_left_out_of_figures() -> None:
    study = SWEEP[: SWEEP.index("over")] + "over = { teeth = [50, -3, 60] }\n"
    file = files.read(
        text(
            study,
            "count = { value = '= count(analyses.study[\"deflection\"])' }\nbad = { value = '= analyses.study.failed' }",
        )
    )
    problem = files.check(text(study))
    assert problem == []  # the first and the last point can be built
    run = file.run()
    values = evaluated(file, run)
    assert (values["count"], values["bad"]) == (2, 1) and 1 in run["study"].failed


def test_only_what_figures_need_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other analyses of the file are not run at the points; `evaluate` does the same for one point."""
    slow = '[[analyses]]\nname = "never"\nkind = "dynamics"\nduration = "1 ms"\n'
    file = files.read(text(SWEEP + slow))
    monkeypatch.setattr("pitchline.analyses.dynamics.dynamics", None)
    assert not file.run(only=["study"])["study"].failed
    assert list(file.run(only=["study"])) == ["study"]
    assert file.evaluate(["deflection"])["deflection"].unit == "um"
    with pytest.raises(pl.ModelError, match='there is no figure "deflexion"; did you mean "deflection"'):
        file.evaluate(["deflexion"])


def test_a_sweep_of_a_file_with_studies() -> None:
    """Its studies are left out, unless a figure that needs one is requested."""
    figures = "largest = { value = '= max(analyses.study[\"deflection\"])', unit = 'um' }"
    file = files.read(text(figures=figures))
    plain = pl.sweep(file, pl.grid(backlash=["10 um", "20 um"]), workers=1)
    assert [*plain.variables] == ["deflection", "forces"]
    nested = pl.sweep(file, pl.grid(backlash=["10 um", "20 um"]), figures=["largest"], workers=1)
    assert nested["largest"] == pytest.approx(file.evaluate(["largest"])["largest"].value)
    with pytest.raises(pl.ModelError, match="all analyses of the file are studies, which would run at every point"):
        pl.sweep("jump", pl.grid(damping_ratio=[0.03]))


def test_all_points_failed() -> None:
    """The reason, and the points."""
    file = files.read(
        text(
            SWEEP.replace('figures = ["deflection"]', 'figures = ["failing"]'),
            "failing = { value = \"= 1 / (0 * final('rest: mesh.deflection'))\" }",
        )
    )
    with pytest.raises(pl.SolveError, match=r"all 6 points of the sweep failed.*division by zero") as error:
        file.run()
    assert len(error.value.result.failed) == 6


# --- batches and branches -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def batch_run() -> tuple[files.ModelFile, dict[str, Any]]:
    figures = """
largest = { value = '= max(analyses.study["mesh.transmission_error.peak_to_peak"])', unit = "um" }
at = { value = '= at_max(analyses.study["mesh.transmission_error.peak_to_peak"], analyses.study["speed"])', unit = "rpm" }
phase = { value = '= max(analyses.study["mesh.normal_force.phase_1"])', unit = "deg" }
cycles = { value = '= repeats(analyses.study["mesh.poincare"], "1 um")' }
points = { value = "= analyses.study.points" }
"""
    file = files.read(text(BATCH, figures))
    return file, file.run()


def test_a_batch_is_that_of_python(batch_run: tuple[files.ModelFile, dict[str, Any]]) -> None:
    file, run = batch_run
    name = "mesh.transmission_error.peak_to_peak"
    points = pl.grid(speed=pl.linspace("2000 rpm", "6000 rpm", 5), torque=["100 N*m", "200 N*m"])
    other = pl.batch(file, device="cpu").run(
        points,
        settle=40,
        record=8,
        reduce=[name, "mesh.contact_loss", "mesh.normal_force.phase_1"],
        poincare=("mesh", 4),
    )
    assert np.array_equal(run["study"][name], other[name])
    values = evaluated(file, run)
    assert values["largest"] == pytest.approx(1e6 * other[name].max(), rel=1e-12)
    best = np.unravel_index(np.argmax(other[name]), other.shape)
    assert values["at"] == pytest.approx(other["speed"][best[0]] * 30 / np.pi) and values["points"] == 10
    assert values["cycles"] == [1.0] * 10


def test_a_sweep_there_and_back() -> None:
    figures = """
up = { value = '= analyses.study.up["mesh.transmission_error.peak_to_peak"]', unit = "um" }
down = { value = '= analyses.study.down["mesh.transmission_error.peak_to_peak"]', unit = "um" }
speeds = { value = "= analyses.study.down.speed", unit = "rpm" }
jumps = { value = "= analyses.study.jumps.up" }
"""
    file = files.read(text(BOTH_WAYS, figures))
    run = file.run()
    values = evaluated(file, run)
    assert values["speeds"] == pytest.approx([3000, 4000, 5000, 6000]) and values["jumps"] == []
    assert len(values["up"]) == len(values["down"]) == 4
    once = files.read(text(BOTH_WAYS + 'then = "stop"\nover = { torque = ["100 N*m", "150 N*m"] }\n')).run()["study"]
    assert once.dims == ("speed", "torque")


def test_a_branch() -> None:
    figures = """
te = { value = '= mean(analyses.study["mesh.transmission_error.peak_to_peak"])', unit = "um" }
folds = { value = "= count(analyses.study.folds) + count(analyses.study.folds.up) + count(analyses.study.doublings)" }
stable = { value = "= mean(analyses.study.stable)" }
whole = { value = "= analyses.study.complete" }
end = { value = "= final(analyses.study.speed)", unit = "rpm" }
"""
    file = files.read(text(BRANCH, figures))
    run = file.run()
    values = evaluated(file, run)
    assert values["folds"] == 0 and values["stable"] == 1.0 and values["whole"] is True
    assert values["end"] == pytest.approx(7000) and run["study"].shown_unit == "rpm"
    assert values["te"] > 0.0


# --- optimum -------------------------------------------------------------------------------------------


def test_an_optimum() -> None:
    """The deflection is smallest for the stiffest teeth; the larger torque decides."""
    figures = """
best = { value = "= analyses.study.best.stiffness", unit = "N/m" }
before = { value = "= analyses.study.start_value", unit = "um" }
after = { value = "= analyses.study.value", unit = "um" }
cases = { value = "= analyses.study.figures.deflection", unit = "um" }
count = { value = "= analyses.study.count" }
done = { value = "= analyses.study.converged" }
"""
    file = files.read(text(OPTIMUM, figures))
    run = file.run()
    values = evaluated(file, run)
    assert values["best"] == 4e8 and values["done"] is True
    assert values["after"] == values["cases"][1] == pytest.approx(2 * values["cases"][0])
    assert values["before"] / values["after"] == pytest.approx(4 / 2.5)
    assert values["count"] == len(run["study"].evaluations)
    assert "stiffness is at its upper bound, 4e+08 N/m" in run["study"].warnings[0]


# --- files and the command line ---


@pytest.mark.slow
def test_the_command_line_runs_saves_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures as JSON, result file, picture and report; the parameters of the study can be set."""
    figures = """
mean = { value = '= mean(analyses.study["deflection"])', unit = "um" }
[plot]
analysis = "study"
variables = ["deflection"]
by = "torque"
"""
    (tmp_path / "pair.toml").write_text(text(figures=figures), encoding="utf-8")
    out = tmp_path / "out"
    assert (
        cli.main(["run", str(tmp_path / "pair.toml"), "--json", "--set", "torque=50 N*m", "-o", str(out), "--report"])
        == 0
    )
    said = json.loads(capsys.readouterr().out)
    assert said["analyses"][1] == {"name": "study", "kind": "sweep", "status": "completed"}
    found = pl.load(out / "pair.nc")
    assert isinstance(found, pl.StudyResult) and said["figures"]["mean"]["value"] == pytest.approx(
        found["deflection"].mean()
    )
    assert (out / "pair.png").stat().st_size > 10_000
    page = (out / "pair.html").read_text(encoding="utf-8")
    assert ">Studies<" in page and "Sweep with 6 points." in page
    assert cli.main(["check", str(tmp_path / "pair.toml")]) == 0


def test_an_interrupted_study_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the last analysis of the run."""
    file = files.read(text(SWEEP + '[[analyses]]\nname = "after"\nkind = "statics"\n'))
    from pitchline.studies.sweep import process_pool as evaluation

    real, count = evaluation.evaluate, []

    def stopped(*given: Any) -> Any:
        count.append(1)
        if len(count) > 2:
            raise KeyboardInterrupt
        return real(*given)

    for module in ("worker", "process_pool"):
        path = f"pitchline.studies.sweep.{module}"
        if hasattr(__import__(path, fromlist=["x"]), "evaluate"):
            monkeypatch.setattr(f"{path}.evaluate", stopped)
    run = file.run()
    assert list(run) == ["rest", "study"] and run["study"].interrupted
    assert 1 <= int(run["study"].fine.sum()) <= 2
