"""Sweeps in this process: sources, figures, signals, failed points, estimates, messages."""

from pathlib import Path

import numpy as np
import pytest
from references.sweep_functions import PAIR, frequency, pendulum, square

import pitchline as pl
from pitchline.studies.study_result import FAILED, NOT_COMPUTED, StudyResult
from pitchline.studies.sweep import sweep as sweeping


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sweep") / "pair.toml"
    path.write_text(PAIR)
    return path


@pytest.fixture(scope="module")
def swept(pair: Path) -> StudyResult:
    points = pl.grid(speed=["-3000 rpm", "3000 rpm"], ripple=["0 N/m", "1e8 N/m"])
    return pl.sweep(pair, points, signals=["mesh.normal_force", "b.position"], workers=1)


def test_a_sweep_of_a_file_is_a_run_at_each_point(pair: Path, swept: StudyResult) -> None:
    assert swept.shape == (2, 2)
    assert set(swept.variables) == {"force.peak", "error.mean", "mesh.normal_force", "b.position"}
    assert swept.unit("force.peak") == "N"
    for i in range(4):
        file = pl.load(pair, **swept.points.at(i))
        run = file.run()
        for figure in file.findings(run):
            assert swept.variables[figure.key].values[i] == figure.value
        assert np.array_equal(swept["mesh.normal_force"].reshape(4, -1)[i], run["run"]["mesh.normal_force"].values)
        assert np.array_equal(swept["time"], run["run"].time)
    assert swept.variables["b.position"].dims == ("time", "component")
    assert list(swept["component"]) == ["x", "y", "z"]


def test_signals_survive_a_file(swept: StudyResult, tmp_path: Path) -> None:
    import xarray as xr

    path = swept.save(tmp_path / "a.nc")
    again = pl.load(path)
    assert np.array_equal(again["b.position"], swept["b.position"])
    assert list(again["component"]) == ["x", "y", "z"]
    with xr.open_dataset(path) as data:
        assert data["b.position"].sel(component="x", speed=data.speed[1]).shape == (2, again["time"].size)


def test_signals_of_several_analyses(pair: Path) -> None:
    points = pl.grid(speed=["1000 rpm"])
    found = pl.sweep(
        pair, points, figures=[], signals={"settle": "mesh.normal_force", "run": ["mesh.normal_f*"]}, workers=1
    )
    assert set(found.variables) == {"settle.mesh.normal_force", "run.mesh.normal_force"}
    assert found["run.mesh.normal_force"].shape[-1] == found["run.time"].size > found["settle.time"].size


def test_signals_with_other_times_at_each_point() -> None:
    def build(turns: int) -> dict[str, pl.Signal]:
        t = np.linspace(0.0, 1.0, 3 * turns)
        return {"angle": pl.Signal("angle", turns * t, t, "rad")}

    found = pl.sweep(build, pl.grid(turns=[1, 2]), workers=1)
    assert found.variables["angle"].dims == found.variables["time"].dims == ("sample",)
    np.testing.assert_array_equal(found["angle"][0], [0, 0.5, 1, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(found["time"][1], np.linspace(0, 1, 6))


def test_a_function_builds_the_model_and_another_computes() -> None:
    points = pl.grid(length=["10 cm", "40 cm"], gravity=["9.81 m/s^2", 1.62])
    found = pl.sweep(pendulum, points, run=frequency, workers=1)
    length, gravity = np.meshgrid([0.1, 0.4], [9.81, 1.62], indexing="ij")
    # the rod has an inertia about its centre of 1e-6 kg m²
    exact = np.sqrt(gravity * length / (length**2 + 1e-6)) / (2 * np.pi)
    np.testing.assert_allclose(found["frequency"], exact, rtol=1e-9)
    assert found.unit("frequency") == "Hz"


def test_functions_can_return_numbers_arrays_and_files(pair: Path) -> None:
    assert pl.sweep(lambda x: x + 1, pl.grid(x=[1, 2]), workers=1)["value"].tolist() == [2, 3]
    found = pl.sweep(lambda n: {"a": np.arange(n), "b": n > 1}, pl.grid(n=[1, 3]), workers=1)
    np.testing.assert_array_equal(found["a"], [[0, np.nan, np.nan], [0, 1, 2]])
    assert found.variables["a"].dims == ("a.item",)
    assert found["b"].tolist() == [0.0, 1.0]
    fixed = pl.sweep(lambda n: {"a": np.arange(3.0) * n}, pl.grid(n=[1, 3]), workers=1)
    assert fixed.variables["a"].dims == ("item_3",)
    read = pl.sweep(
        lambda speed: pl.load(pair, speed=speed), pl.grid(speed=["1000 rpm"]), figures="force.peak", workers=1
    )
    whole = pl.sweep(pair, pl.grid(speed=["1000 rpm"]), workers=1)
    assert read["force.peak"] == whole["force.peak"]


def test_values_with_the_name_of_a_parameter_get_another_name() -> None:
    found = pl.sweep(lambda x: {"x": 2 * x}, pl.grid(x=[1.0, 2.0]), workers=1)
    assert found["figure.x"].tolist() == [2.0, 4.0]


def test_figures_that_need_other_figures(tmp_path: Path) -> None:
    more = 'half = { show = false, value = "= 0.5" }\nscaled = { value = \'= half * max("mesh.normal_force")\', unit = "kN" }\n'
    points = pl.grid(speed=["1000 rpm"])
    found = pl.sweep(PAIR + more, points, figures=["scaled"], workers=1)
    assert list(found.variables) == ["scaled"] and found.unit("scaled") == "kN"
    every = pl.sweep(PAIR + more, points, workers=1)
    assert every["force.peak"][0] == pytest.approx(2e3 * found["scaled"][0], rel=1e-15)
    with pytest.raises(pl.ModelError, match='no figure "half"'):
        pl.sweep(PAIR + more, points, figures=["half"], workers=1)


def test_values_for_all_points(pair: Path) -> None:
    points = pl.grid(speed=["1000 rpm"])
    a = pl.sweep(pair, points, parameters={"ripple": "5e7 N/m"}, workers=1)
    b = pl.sweep(pair, points * pl.grid(ripple=[5e7]), workers=1)
    assert a["force.peak"][0] == b["force.peak"][0, 0]
    assert pl.sweep(square, pl.grid(x=[1.0]), parameters={"y": "20 cm"}, workers=1)["square"] == 1.2


def test_failed_points_are_recorded_and_the_others_computed(capsys: pytest.CaptureFixture[str]) -> None:
    def build(x: float) -> float:
        return 1 / x

    found = pl.sweep(build, pl.grid(x=[1.0, 0.0, 2.0]), workers=1)
    assert found["value"].tolist()[::2] == [1.0, 0.5] and np.isnan(found["value"][1])
    assert found.status.tolist() == [0, FAILED, 0]
    assert "ZeroDivisionError" in found.failed[1] and "test_studies_sweep.py, line" in found.failed[1]
    assert "1 of 3 points failed. Point 1 (x = 0.0): ZeroDivisionError" in capsys.readouterr().err
    assert "1 of 3 points failed" in found.warnings[0]


def test_points_outside_a_model_fail_with_the_message_of_the_file(pair: Path) -> None:
    found = pl.sweep(pair, pl.grid(ripple=["1e8 N/m", "5e8 N/m"]), workers=1)
    assert found.status.tolist() == [0, FAILED] and "stiffness" in found.failed[1]


def test_warnings_of_analyses_are_counted() -> None:
    def build(x: float) -> dict[str, float]:
        run = pl.statics(pendulum(x))
        run.warnings.append("late")  # not seen: it is added after the analysis
        return {"x": x}

    assert pl.sweep(build, pl.grid(x=[1.0, 2.0]), workers=1).warnings == ()


def test_ctrl_c_keeps_what_is_done(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def build(x: float) -> dict[str, float]:
        def stop(now: float, end: float) -> None:
            raise KeyboardInterrupt

        # pl.dynamics returns what it has when Ctrl-C is pressed; the point must not count as computed
        pl.dynamics(pendulum(1.0), duration="20 ms", step="1 us", progress=stop if x == 3.0 else None)
        return {"x": x}

    points = pl.point_list(x=[1.0, 2.0, 3.0, 4.0])
    found = pl.sweep(build, points, workers=1)
    assert NOT_COMPUTED in found.status and FAILED not in found.status
    assert "stopped after" in found.warnings[0] and "With store=FOLDER" in capsys.readouterr().err
    found = pl.sweep(build, points, workers=1, store=tmp_path / "a.sweep")
    assert "The same call continues" in capsys.readouterr().err
    assert (pl.load(tmp_path / "a.sweep").status == found.status).all()


def test_long_sweeps_state_their_estimate(tmp_path: Path) -> None:
    with pytest.raises(sweeping.StudyTooLong, match=r"would take about .*: 99999 points of .*budget=") as caught:
        pl.sweep(square, pl.grid(x=range(100_000)), max_time="1 ms", workers=1, store=tmp_path / "a.sweep")
    assert caught.value.seconds > 1e-3
    assert (pl.load(tmp_path / "a.sweep").status == 0).sum() == 1


def test_values_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "available_memory", lambda: 1e6)
    with pytest.raises(pl.ModelError, match=r"need 8 MB of memory \(8 kB for each of 1000 points\), and 1 MB are free"):
        pl.sweep(lambda x: {"a": np.zeros(1000)}, pl.grid(x=range(1000)), workers=1)


def test_all_points_failed() -> None:
    with pytest.raises(
        sweeping.StudyError, match=r"all 2 points of the sweep failed. Point 0 \(x = 1\): ValueError: no"
    ) as caught:

        def build(x: float) -> float:
            raise ValueError("no")

        pl.sweep(build, pl.grid(x=[1, 2]), workers=1)
    assert len(caught.value.result.failed) == 2


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(figures=["force.pek"]), 'no figure "force.pek"; did you mean "force.peak"'),
        (dict(figures=[]), "there is nothing to keep of a point"),
        (dict(figures=["force.peak", "force.peak"]), '"force.peak" is given twice'),
        (dict(figures=3), "figures must be names, got 3"),
        (dict(figures=[3]), "figures must be names, got 3"),
        (
            dict(signals=["mesh.normal_forc"]),
            '"run" has no signal "mesh.normal_forc"; did you mean "mesh.normal_force"',
        ),
        (dict(signals={"rnu": "mesh.normal_force"}), 'no analysis "rnu"; did you mean "run"'),
        (dict(run=square), "run is for models that a function builds"),
        (dict(run=3), "run must be a function of the model"),
        (dict(workers=0), "workers must be a whole number, 1 or more, got 0"),
        (dict(workers=2, client="tcp://nowhere"), "Remove one of them"),
        (dict(parameters={"speed": 3}), '"speed" is given in points and in parameters'),
        (dict(parameters={"sped": 3}), 'there is no parameter "sped"'),
        (dict(max_time="1 m"), "sweep: max_time: expected time"),
        (dict(worker=2), 'no argument "worker"; did you mean "workers"'),
    ],
)
def test_wrong_options(pair: Path, options: dict, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        pl.sweep(pair, pl.grid(speed=["1000 rpm"]), **options)


@pytest.mark.parametrize(
    "function, options, message",
    [
        (lambda x: pl.Model("m"), {}, "returned a model. Specify what to compute: run="),
        (lambda x: pl.statics(pendulum(1.0)), {}, "returned a Result. Return a dict of numbers, or choose signals"),
        (lambda x: "text", {}, "the value \"value\" must be a number or an array of numbers, got 'text'"),
        (lambda x: {"a": 1j}, {}, 'the value "a" must be a number'),
        (lambda x: {"a": 1}, dict(figures=["b"]), 'did not return "b", but a'),
    ],
)
def test_functions_that_return_something_else(function: object, options: dict, message: str) -> None:
    with pytest.raises(sweeping.StudyError, match=message):
        pl.sweep(function, pl.grid(x=[1.0]), workers=1, **options)


def test_points_must_be_points(pair: Path) -> None:
    with pytest.raises(pl.ModelError, match="points must be made by grid, point_list or sample"):
        pl.sweep(pair, {"speed": [1, 2]})
    assert len(pl.sweep(square, [{"x": 1.0}, {"x": 2.0}], workers=1)) == 2


def test_values_of_different_kinds_are_named() -> None:
    with pytest.raises(
        pl.PitchlineError, match=r'"a" is not of the same kind at all points: 0 dimensions .* at point 0, 1 dim'
    ):
        pl.sweep(lambda x: {"a": 1.0 if x < 2 else [1.0, 2.0]}, pl.grid(x=[1, 2]), workers=1)


def test_gallery_programs_and_files_without_analyses() -> None:
    with pytest.raises(pl.ModelError, match="the file has no analyses to run"):
        pl.sweep(PAIR.partition("[[analyses]]")[0], pl.grid(speed=["1000 rpm"]))


def test_a_sweep_inside_a_point() -> None:
    def outer(x: float) -> dict[str, float]:
        inner = pl.sweep(lambda y: {"sum": x + y}, pl.grid(y=[1.0, 2.0]))
        return {"total": float(inner["sum"].sum())}

    assert pl.sweep(outer, pl.grid(x=[10.0, 20.0]), workers=1)["total"].tolist() == [23.0, 43.0]


def test_whole_numbers_stay_whole() -> None:
    def build(teeth: int = 20) -> dict[str, float]:
        return {"is_int": isinstance(teeth, int)}

    assert pl.sweep(build, pl.grid(teeth=pl.linspace(18, 22, 5)), workers=1)["is_int"].all()
    assert not pl.sweep(build, pl.grid(teeth=pl.linspace(18, 22, 4)), workers=1)["is_int"].any()
