"""Studies in model files: points, sweeps, batches, branches and optima are read, checked before computing, run and drawn."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl
from pitchline import cli, files

PAIR = """
name = "pair"
[parameters]
speed = "3000 rpm"
torque = "200 N*m"
stiffness = "2.5e8 N/m"
backlash = { value = "60 um", min = "0 um", max = "200 um" }
teeth = 50
flank = { choices = ["line of action", "hoop"] }
[gears.pinion]
teeth = 25
normal_module = "3 mm"
face_width = "20 mm"
[gears.wheel]
teeth = "= teeth"
normal_module = "3 mm"
face_width = "20 mm"
[bodies.pinion]
gear = "pinion"
[bodies.wheel]
gear = "wheel"
mesh_with = "pinion"
towards = "x"
[joints]
shaft_a = { kind = "revolute", a = "ground", b = "pinion" }
shaft_b = { kind = "revolute", a = "ground", b = "wheel" }
[gear_pairs.mesh]
a = "pinion"
b = "wheel"
[gear_pairs.mesh.mesh]
kind = "elastic"
along = "= flank"
damping_ratio = 0.05
backlash = "= backlash"
stiffness = { kind = "fourier", period = "360 deg", mean = "= stiffness", cos = ["= 0.1 * stiffness"], over = "angle" }
[drives.motor]
joint = "shaft_a"
speed = "= speed"
[loads.load]
kind = "torque"
on = "shaft_b"
value = "= torque"
[[analyses]]
name = "rest"
kind = "statics"
[[analyses]]
STUDY
[figures]
deflection = { value = "= final('rest: mesh.deflection')", unit = "um" }
forces = { value = "= [final('rest: mesh.normal_force'), 2 * final('rest: mesh.normal_force')]" }
FIGURES
"""
SWEEP = """name = "study"
kind = "sweep"
figures = ["deflection"]
over = { torque = ["100 N*m", "200 N*m"], stiffness = { first = "1e8 N/m", last = "3e8 N/m", count = 3 } }
"""
BATCH = """name = "study"
kind = "batch"
over = { speed = { first = "2000 rpm", last = "6000 rpm", count = 5 }, torque = ["100 N*m", "200 N*m"] }
settle = 40
record = 8
reduce = ["mesh.transmission_error.peak_to_peak", "mesh.contact_loss", "mesh.normal_force.phase_1"]
poincare = ["mesh", 4]
"""
BOTH_WAYS = """name = "study"
kind = "batch_sweep"
swept = "speed"
values = { first = "3000 rpm", last = "6000 rpm", count = 4 }
settle = 30
record = 4
reduce = ["mesh.transmission_error.peak_to_peak"]
"""
BRANCH = """name = "study"
kind = "continuation"
over = "speed"
start = "8000 rpm"
end = "7000 rpm"
reduce = ["mesh.transmission_error.peak_to_peak"]
"""
OPTIMUM = """name = "study"
kind = "optimum"
over = { stiffness = ["1e8 N/m", "4e8 N/m"] }
cases = { torque = ["100 N*m", "200 N*m"] }
minimise = "deflection"
figures = ["deflection"]
evaluations = 30
"""


def text(study: str = SWEEP, figures: str = "") -> str:
    return PAIR.replace("STUDY", study).replace("FIGURES", figures)


def problems(study: str, figures: str = "") -> list[tuple[str, str]]:
    return [(problem.key, problem.message) for problem in files.check(text(study, figures))]


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


# --- errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "study, old, new, key, message",
    [
        (SWEEP, "over = {", "over = { x = 1,", "over.x", 'there is no parameter "x"; known: "speed"'),
        (SWEEP, "count = 3", "count = 0", "over.stiffness", "must be a whole number"),
        (SWEEP, "count = 3", "cuont = 3", "over.stiffness.cuont", 'unknown key "cuont"; did you mean "count"'),
        (SWEEP, ", count = 3", "", "over.stiffness", '"count" is missing'),
        (SWEEP, "{ first", '{ kind = "line", first', "over.stiffness.kind", "there is no kind 'line' of values"),
        (SWEEP, '"1e8 N/m"', '"1e8 N"', "over.stiffness", "Specify all values of a parameter with units of one dimension"),
        (SWEEP, '["100 N*m", "200 N*m"]', "[]", "over.torque", "the list of values is empty"),
        (SWEEP, '["100 N*m", "200 N*m"]', '["100 N", "200 N"]', "", "torque: got force (N), expected torque or energy"),
        (SWEEP, '["100 N*m", "200 N*m"]', '["100 N*m", "= tork"]', "over.torque[1]", 'unknown parameter "tork"'),
        (SWEEP, "torque = [", 'flank = ["face"], torque = [', "", "flank: 'face' is not one of the choices"),
        (SWEEP, "torque = [", 'backlash = ["1 mm"], torque = [', "", "greater than the upper limit"),
        (SWEEP, "torque = [", "teeth = [0, 5], torque = [", "", '"study" at teeth = 0'),
        (SWEEP, "over = {", 'method = "sobol"\nover = {', "method", "applies only to distributions"),
        (SWEEP, 'figures = ["deflection"]', "", "", '"figures" is missing'),
        (SWEEP, '["deflection"]', '["deflexion"]', "figures[0]", 'there is no figure "deflexion"; did you mean "deflection"'),
        (SWEEP, '["deflection"]', "[]", "figures", "the list is empty"),
        (SWEEP, '["deflection"]', '"deflection"', "figures", "must be a list of names"),
        (SWEEP, 'kind = "sweep"', 'kind = "sweeep"', "kind", "there is no analysis 'sweeep'; did you mean \"sweep\""),
        (SWEEP, "over = {", "ower = {", "ower", 'unknown key "ower"'),
        (SWEEP, 'name = "study"', 'name = "study"\nparameters = { x = 1 }', "parameters.x", 'there is no parameter "x"'),
        (BATCH, '"mesh.contact_loss"', '"mesh.contactloss"', "reduce", 'has no signal "contactloss" in a batch'),
        (BATCH, '"mesh.contact_loss"', '"mash.contact_loss"', "reduce", 'there is no gear pair or joint "mash"'),
        (BATCH, "settle = 40", "settle = -1", "settle", "must be a whole number, 0 or more"),
        (BATCH, "settle = 40", 'cycle = "msh"', "", "msh"),
        (BATCH, "settle = 40", 'device = "tpu"', "device", "tpu"),
        (BATCH, '["mesh", 4]', '["mesh"]', "poincare", "must be a list of a gear pair or joint and a number"),
        (BATCH, '["mesh", 4]', '["mash", 4]', "poincare", 'there is no gear pair or joint "mash"'),
        (BATCH, "record = 8", "records = 8", "records", 'unknown key "records"'),
        (BOTH_WAYS, '"speed"', '"sped"', "swept", "there is no parameter 'sped'; did you mean \"speed\""),
        (BOTH_WAYS, "settle = 30", 'then = "up"', "then", "there is no then 'up'"),
        (BOTH_WAYS, "{ first = \"3000 rpm\"", '{ kind = "uniform", low = 1, high = 2 } #', "values", "not a distribution"),
        (BOTH_WAYS, "count = 4", "count = 1", "values", "needs two values or more"),
        (BOTH_WAYS, "settle = 30", "over = { speed = [1, 2] }", "", "speed"),
        (BRANCH, 'over = "speed"', 'over = "sped"', "over", "there is no parameter 'sped'"),
        (BRANCH, '"8000 rpm"', '"7000 rpm"', "", "are both"),
        (BRANCH, '"8000 rpm"', '"8 N"', "", "is force, but '7000 rpm' is angular velocity"),
        (OPTIMUM, "minimise", "maximise = \"forces\"\nminimise", "", "specify the figure, either"),
        (OPTIMUM, '["1e8 N/m", "4e8 N/m"]', '["1e8 N/m"]', "over.stiffness", "must be a lower and an upper bound"),
        (OPTIMUM, '["1e8 N/m", "4e8 N/m"]', '["4e8 N/m", "1e8 N/m"]', "", "must be below the upper bound"),
        (OPTIMUM, "{ stiffness", "{ teeth = [20, 40], stiffness", "", "the parameter teeth is an integer (50)"),
        (OPTIMUM, 'cases = { torque', 'cases = { tork', "cases", 'there is no parameter "tork"'),
        (OPTIMUM, 'cases = { torque', 'cases = { stiffness', "cases", '"stiffness" is varied and also specified by the cases'),
        (OPTIMUM, "evaluations = 30", 'of_cases = "most"', "of_cases", "there is no of cases 'most'"),
        (OPTIMUM, "evaluations = 30", 'method = "newton"', "method", "there is no method 'newton'"),
        (OPTIMUM, "evaluations = 30", "evaluations = 0", "evaluations", "must be a whole number from 1"),
        (OPTIMUM, "evaluations = 30", "tolerance = 2", "tolerance", "above 0 and below 1"),
        (OPTIMUM, "evaluations = 30", 'start = { torque = "1 N*m" }', "start.torque", '"torque" is not varied'),
        (OPTIMUM, "evaluations = 30", 'start = { stiffness = "9e9 N/m" }', "", "is outside its bounds"),
        (OPTIMUM, "evaluations = 30", "limits = { deflection = 3 }", "limits", "must be a dict with min or max"),
        (OPTIMUM, "evaluations = 30", "limits = { deflexion = { max = 3 } }", "limits.deflexion", 'there is no figure "deflexion"'),
        (OPTIMUM, '"deflection"\nfigures', '"forces"\nfigures', "", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_computing(study: str, old: str, new: str, key: str, message: str) -> None:
    assert old in study
    found = problems(study.replace(old, new, 1))
    if not message:  # found at the first evaluation: a list is not a number to minimise
        assert found == []
        with pytest.raises(pl.SolveError, match='the figure "forces" must be one number'):
            files.read(text(study.replace(old, new, 1))).run(only=["study"])
        return
    place = f"analyses[1].{key}" if key else "analyses[1]"
    assert any(where.startswith(place) and message in said for where, said in found), found


def test_a_study_does_not_use_figures_of_a_study() -> None:
    figures = "of_study = { value = '= max(analyses.study[\"deflection\"])' }\nplain = { value = '= torque' }"
    more = SWEEP.replace('"study"', '"second"').replace('["deflection"]', '["of_study", "plain"]')
    found = problems(SWEEP + "[[analyses]]\n" + more, figures)
    said = dict(found)
    assert 'needs the study "study"' in said["analyses[2].figures[0]"]
    assert "needs no analysis" in said["analyses[2].figures[1]"]


@pytest.mark.parametrize(
    "study, expression, message",
    [
        (SWEEP, "analyses.study", '"study" is a study. Specify a value, e.g. analyses.study["deflection"]'),
        (SWEEP, 'analyses.study["deflexion"]', 'has no value "deflexion"; did you mean "deflection"'),
        (SWEEP, 'max(analyses.study["torque"]) + "1 mm"', "cannot add torque"),
        (SWEEP.replace("torque = [", 'flank = ["hoop"], torque = ['), "analyses.study.flank", "is a text, not a number"),
        (SWEEP.replace('["deflection"]', '["later"]'), 'max(analyses.study["later"])', "must be specified before"),
        (BATCH, 'analyses.study["mesh.normal_force.max"]', "has no value"),
        (BATCH, "analyses.study.speed.x", "is a list. Use an index"),
        (BOTH_WAYS, "analyses.study.jumps.left", 'has no value "left"'),
        (BOTH_WAYS, "analyses.study.up", "specify a name"),
        (BRANCH, "analyses.study.fold", 'did you mean "folds"'),
        (OPTIMUM, "analyses.study.best", "specify a name"),
        (OPTIMUM, "analyses.study.best.torque", 'has no value "torque"'),
        (OPTIMUM, "analyses.study.bests", 'did you mean "best"'),
        (OPTIMUM, "analyses.study.best.stiffness + analyses.study.value", "cannot add"),
    ],
)  # fmt: skip
def test_figures_of_studies_are_checked(study: str, expression: str, message: str) -> None:
    figures = f"x = {{ value = '''= {expression}''' }}\nlater = {{ value = '= final(\"rest: mesh.deflection\")' }}"
    (problem,) = problems(study, figures)[:1]
    assert problem[0] == "figures.x.value" and message in problem[1]


# --- pictures, files and the command line -----------------------------------------------------------------


@pytest.mark.parametrize(
    "study, plot, key, message",
    [
        (SWEEP, 'variables = ["deflexion"]', "variables[0]", "has no variable 'deflexion'"),
        (SWEEP, 'what = "maps"', "what", "there is no picture 'maps'"),
        (SWEEP, 'over = "speed"', "over", "has no parameter 'speed'"),
        (SWEEP, 'where = { speed = 3 }', "where.speed", "has no parameter 'speed'"),
        (SWEEP, "where = 3", "where", "must be a table of parameters"),
        (SWEEP, 'boundary = "x"', "boundary", "has no variable 'x'"),
        (SWEEP, 'beside = ["x"]', "beside[0]", "there is no study 'x'"),
        (SWEEP, "by = 3", "by", "must be a text"),
        (SWEEP, 'sweep = "study"', "sweep", 'a plot of sweep has no "sweep"'),
        (BRANCH, 'sweep = "x"', "sweep", "there is no study 'x'"),
        (BRANCH, 'branches = ["rest"]', "branches[0]", "there is no study 'rest'"),
        (OPTIMUM, 'over = "torque"', "over", 'a plot of optimum has no "over"'),
    ],
)  # fmt: skip
def test_plots_of_studies_are_checked(study: str, plot: str, key: str, message: str) -> None:
    (problem,) = problems(study, f'[plot]\nanalysis = "study"\n{plot}\n')
    assert problem[0] == f"plot.{key}" and message in problem[1]


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
    from pitchline.studies.sweep import evaluation

    real, count = evaluation.evaluate, []

    def stopped(*given: Any) -> Any:
        count.append(1)
        if len(count) > 2:
            raise KeyboardInterrupt
        return real(*given)

    for module in ("blocks", "worker", "runners", "evaluation"):
        path = f"pitchline.studies.sweep.{module}"
        if hasattr(__import__(path, fromlist=["x"]), "evaluate"):
            monkeypatch.setattr(f"{path}.evaluate", stopped)
    run = file.run()
    assert list(run) == ["rest", "study"] and run["study"].interrupted
    assert 1 <= int(run["study"].fine.sum()) <= 2
