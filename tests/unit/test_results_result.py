"""Results: construction, finding signals, text, equality, conversions."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from pitchline.errors import PitchlineError
from pitchline.results import Result, Signal, SignalError, Status, UnknownSignalError

TIME = np.linspace(0.0, 0.02, 21)


def make(**changes) -> Result:
    speed = np.column_stack([np.cos(TIME), np.sin(TIME), 0.0 * TIME])
    velocity = Signal("pinion.velocity", speed, TIME, "m/s", "velocity of the origin, world axes")
    position = Signal("pinion.position", np.cumsum(speed, axis=0), TIME, "m", rate=velocity.values)
    force = Signal("mesh.force", 100.0 + np.sin(900.0 * TIME), TIME, "N", "normal force of the mesh")
    signals = {signal.name: signal for signal in (position, velocity, force)}
    given = {
        "kind": "dynamics",
        "model_name": "pair",
        "time": TIME,
        "signals": signals,
        "warnings": ['joint "output" is redundant'],
        "statistics": {"steps": 40, "wall_time": 0.25},
        "states": {"q": np.zeros(7)},
        "model": {"gravity": (0.0, 0.0, -9.81)},
        "options": {"step": np.float64(1e-3)},
    }
    return Result(**{**given, **changes})


def test_asking_by_name_and_by_component():
    result = make()
    assert result["mesh.force"].unit == "N"
    assert result["pinion.position.y"].name == "pinion.position.y"
    assert "mesh.force" in result
    assert "pinion.position.z" in result
    assert "pinion.position.q" not in result
    assert 3 not in result
    assert list(result) == ["pinion.position", "pinion.velocity", "mesh.force"]
    assert result.samples == 21


def test_an_unknown_name_lists_the_near_ones():
    result = make()
    with pytest.raises(KeyError) as caught:
        result["mesh.forse"]
    assert isinstance(caught.value, UnknownSignalError)
    assert isinstance(caught.value, PitchlineError)
    assert str(caught.value) == 'result of "pair" has no signal "mesh.forse"; near: mesh.force'
    with pytest.raises(UnknownSignalError, match=r"near: pinion\.velocity, pinion\.position"):
        result["pinion.q"]
    with pytest.raises(UnknownSignalError, match=r"result\.names\(\) lists all 3"):
        result["zzzz"]


def test_names_and_select_by_pattern():
    result = make()
    assert result.names("pinion.*") == ["pinion.position", "pinion.velocity"]
    assert result.names() == list(result.signals)
    assert result.names("none.*") == []
    chosen = [signal.name for signal in result.select("mesh.*", "pinion.position.x", "mesh.force")]
    assert chosen == ["mesh.force", "pinion.position.x"]
    assert len(result.select()) == 3
    with pytest.raises(UnknownSignalError):
        result.select("none.*")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": TIME[:-1]}, "not sampled at the times"),
        ({"time": [0.0, np.inf]}, "finite"),
        ({"signals": {"other": Signal("a.b", TIME, TIME)}}, "filed under"),
        ({"signals": {"time": Signal("time", TIME, TIME)}}, "cannot be the name of a signal"),
    ],
)
def test_inconsistent_results_are_refused(changes, message):
    with pytest.raises(SignalError, match=message):
        make(**changes)


def test_content_is_tidied():
    result = make(status="failed")
    assert result.status is Status.FAILED
    assert result.model == {"gravity": [0.0, 0.0, -9.81]}
    assert type(result.options["step"]) is float
    with pytest.raises(ValueError, match="read-only"):
        result.states["q"][0] = 1.0
    opaque = make(options={"law": len, "flags": {2, 1}, "on": np.True_, 3: None})
    assert opaque.options == {"law": repr(len), "flags": [1, 2], "on": True, "3": None}


def test_every_status_has_advice():
    assert {status.value for status in Status} == {"completed", "interrupted", "failed"}
    assert all(len(status.advice) > 20 for status in Status)


def test_equality_is_by_content():
    assert make() == make()
    assert make() != "pair"
    assert make(statistics={"error": float("nan")}) == make(statistics={"error": float("nan")})
    other_force = Signal("mesh.force", TIME, TIME, "N", "normal force of the mesh")
    for changes in (
        {"kind": "statics"},
        {"message": "stopped"},
        {"warnings": []},
        {"statistics": {}},
        {"states": {"q": np.zeros(7, dtype=np.float32)}},
        {"states": {"v": np.zeros(7)}},
        {"signals": {**make().signals, "mesh.force": other_force}},
        {"version": "0"},
    ):
        assert make(**changes) != make(), changes
    assert pickle.loads(pickle.dumps(make())) == make()
    with pytest.raises(TypeError):
        hash(make())


def test_text():
    result = make()
    assert repr(result) == ('<Result "pair": dynamics, completed, 21 samples, t = 0 to 0.02 s, 3 signals, 1 warning>')
    text = str(result)
    for part in ("pair: dynamics, completed", 'joint "output" is redundant', "steps: 40", "wall time: 0.25"):
        assert part in text
    assert "pinion: position, velocity" in text
    assert "advice" not in text
    failed = replace(result, status=Status.FAILED, message="no convergence at t = 0.02 s")
    assert "no convergence at t = 0.02 s" in failed.summary()
    assert Status.FAILED.advice in failed.summary()
    bare = Result(kind="statics", model_name="arm", time=[], signals={}, status=Status.FAILED)
    assert repr(bare) == '<Result "arm": statics, failed, 0 samples, 0 signals>'
    assert bare.table() == "signal  unit  value\n------  ----  -----"


def test_table_of_a_history():
    lines = make().table("pinion.position").splitlines()
    assert lines[0].split() == ["signal", "unit", "final", "min", "max", "mean"]
    assert [line.split()[0] for line in lines[2:]] == [f"pinion.position.{c}" for c in "xyz"]
    assert lines[4].split() == ["pinion.position.z", "m", "0", "0", "0", "0"]
    assert len({len(line) for line in lines}) == 1


def test_table_at_times():
    lines = make().table(["mesh.force"], at=[0.0, "20 ms"]).splitlines()
    assert "t = 0 s" in lines[0]
    assert "t = 20 ms" in lines[0]
    assert lines[2].split() == ["mesh.force", "N", "100", f"{100.0 + np.sin(18.0):.6g}"]
    assert "t = 0.01 s" in make().table("mesh.force", at=0.01)
    assert "t = 0.01 s" in make().table("mesh.force", at=np.array([0.01]))


def test_table_of_one_sample():
    force = Signal("arm.force", [[1.0, 2.0, 3.0]], [0.0], "N")
    still = Result(kind="statics", model_name="arm", time=[0.0], signals={force.name: force})
    assert still.table().splitlines()[2:] == [
        "arm.force.x  N         1",
        "arm.force.y  N         2",
        "arm.force.z  N         3",
    ]


def test_to_xarray():
    pytest.importorskip("xarray")
    dataset = make().to_xarray()
    assert dataset["pinion.position"].dims == ("time", "component")
    assert dataset["mesh.force"].attrs["units"] == "N"
    assert dataset.attrs["status"] == "completed"
    selected = dataset["pinion.velocity"].sel(component="y", time=0.01, method=None)
    assert float(selected) == make()["pinion.velocity.y"].at(0.01)


def test_to_pandas():
    pytest.importorskip("pandas")
    frame = make().to_pandas()
    assert list(frame.columns)[:3] == ["pinion.position.x", "pinion.position.y", "pinion.position.z"]
    assert frame.index.name == "time"
    assert frame.attrs["units"]["mesh.force"] == "N"
    assert list(make().to_pandas("mesh.*").columns) == ["mesh.force"]


@pytest.mark.parametrize("library", ["xarray", "pandas"])
def test_a_missing_library_is_named_with_the_way_to_get_it(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(PitchlineError, match=f"needs {library}.*pip install {library}"):
        getattr(make(), f"to_{library}")()


def test_results_load_no_heavy_library():
    code = (
        "import sys, pitchline.results, pitchline.views;"
        "print([m for m in ('h5py', 'matplotlib', 'xarray', 'pandas') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
