"""The result file: round trips, what netCDF readers see, safe writing, clear errors."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pitchline.base.storage.hdf5_image import Hdf5Image
from pitchline.errors import PitchlineError
from pitchline.results import Result, ResultFileError, Signal, Status

TIME = np.array([0.0, 0.5, 0.75, 1.0])


def make(**changes) -> Result:
    velocity = Signal("cart.velocity", np.arange(12.0).reshape(4, 3), TIME, "m/s", "velocity, world axes")
    position = Signal("cart.position", velocity.values**2, TIME, "m", "position", rate=velocity.values)
    angle = Signal("crank.angle", [0.0, np.nan, -np.inf, 1e-300], TIME, "rad", rate=[1.0, 2.0, 3.0, 4.0])
    rotation = Signal("cart.rotation", np.ones((4, 4)), TIME, "1", "Drehung λ → µ")
    modes = Signal("cart.modes", np.ones((4, 2)), TIME, components=("first bending", "second/torsion"))
    signals = {signal.name: signal for signal in (velocity, position, angle, rotation, modes)}
    given = {
        "kind": "dynamics",
        "model_name": "Räderwerk",
        "time": TIME,
        "signals": signals,
        "status": Status.INTERRUPTED,
        "message": "stopped by the user at t = 1 s",
        "warnings": ['joint "b" is redundant', "größer als 1 µm"],
        "statistics": {
            "steps": 40,
            "error": float("nan"),
            "nested": {"limit": float("-inf"), "list": [1, "a"]},
        },
        "states": {
            "q": np.linspace(0.0, 1.0, 7),
            "history": np.arange(8.0).reshape(4, 2),
            "mass": np.eye(3),
            "turns": np.array([1, -2, 2**62]),
            "closed": np.array([True, False]),
            "multipliers": np.zeros(0),
            "none": np.zeros((4, 0)),
            "step": np.array(1e-5),
        },
        "model": {"name": "Räderwerk", "gravity": (0.0, 0.0, -9.81), "note": None},
        "options": {"duration": 1.0, "adaptive": True},
    }
    return Result(**{**given, **changes})


@pytest.fixture
def saved(tmp_path) -> Path:
    return make().save(tmp_path / "run.nc")


# --- round trips ---------------------------------------------------------------------------------------


def test_load_gives_back_an_equal_result(saved):
    loaded = Result.load(saved)
    assert loaded == make()
    assert loaded.names() == make().names()
    assert loaded.states["closed"].dtype == bool
    assert loaded.states["step"].shape == ()
    assert loaded["cart.modes"].components == ("first bending", "second/torsion")


def test_large_records(tmp_path):
    time = np.linspace(0.0, 1.0, 20_001)
    signal = Signal("a.b", np.round(np.sin(50.0 * time), 3), time, "N")
    result = Result(kind="dynamics", model_name="m", time=time, signals={"a.b": signal})
    plain = result.save(tmp_path / "plain.nc")
    packed = result.save(tmp_path / "packed.nc", compress=True)
    assert Result.load(plain) == Result.load(packed) == result
    assert packed.stat().st_size < 0.9 * plain.stat().st_size
    # A model whose description exceeds the 64 kB that HDF5 grants to an attribute by default.
    wordy = replace(result, model={"text": "ä" * 200_000})
    assert Result.load(wordy.save(tmp_path / "wordy.nc")) == wordy


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int16, np.uint8, np.bool_])
@pytest.mark.parametrize("shape", [(1001,), (37, 41), (3, 7, 101), (1500, 1)])
def test_compressed_pieces_of_any_shape_and_type(tmp_path, kind, shape):
    noise = np.random.default_rng(1).integers(0, 2**16, shape)
    state = (noise % 7).astype(kind) if kind != np.float64 else noise * np.pi  # the latter hardly shrinks
    result = make(states={"packed": state})
    loaded = Result.load(result.save(tmp_path / "run.nc", compress=True))
    assert loaded == result and loaded.states["packed"].dtype == kind


def test_results_with_little_in_them(tmp_path):
    empty = Result(kind="statics", model_name="arm", time=[], signals={}, status=Status.FAILED)
    assert Result.load(empty.save(tmp_path / "empty.nc")) == empty
    unsampled = Signal("a.b", np.zeros((0, 3)), np.zeros(0), "N")
    nothing = Result(kind="dynamics", model_name="arm", time=np.zeros(0), signals={"a.b": unsampled})
    assert Result.load(nothing.save(tmp_path / "nothing.nc")) == nothing
    one = Signal("a.b", [1.0], [0.0], "N")
    still = Result(kind="statics", model_name="arm", time=[0.0], signals={"a.b": one})
    assert Result.load(still.save(tmp_path / "still.nc")) == still


def test_a_signal_may_be_called_like_a_dimension(tmp_path):
    names = ["component", "component_wxyz", "a.b"]
    signals = {n: Signal(n, np.ones((4, 4 if "w" in n else 3)), TIME) for n in names}
    result = make(signals=signals)
    assert Result.load(result.save(tmp_path / "run.nc")) == result


_texts = st.text(st.characters(exclude_categories=["C"], exclude_characters="\x00"), max_size=8)
_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(
    values=hnp.arrays(np.float64, st.tuples(st.just(3), st.integers(1, 5))),
    rate=st.booleans(),
    words=st.tuples(_texts, _texts, _texts),
    data=st.dictionaries(_texts, _plain, max_size=4),
    states=st.dictionaries(
        st.sampled_from(["q", "v", "λ", "a b", "#"]),
        hnp.arrays(
            st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_]),
            hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
        ),
    ),
)
def test_any_result_survives(tmp_path_factory, values, rate, words, data, states):
    time = np.arange(3.0)
    signal = Signal("é.signal-1 (x)", values, time, words[0], words[1], rate=values[::-1] if rate else None)
    result = Result(
        kind="kinematics",
        model_name="m",
        time=time,
        signals={signal.name: signal},
        message=words[2],
        statistics=data,
        options=data,
        states=states,
    )
    path = result.save(tmp_path_factory.mktemp("any") / "run.nc")
    assert Result.load(path) == result


def test_text_without_utf8_does_not_lose_the_result(tmp_path):
    result = make(message="bad \ud800 surrogate", warnings=["\ud800"])
    loaded = Result.load(result.save(tmp_path / "run.nc"))
    assert loaded.message == "bad \\ud800 surrogate"
    assert loaded.warnings == ["\ud800"]


def test_the_same_result_gives_the_same_bytes(tmp_path):
    first, second = make().save(tmp_path / "a.nc"), make().save(tmp_path / "b.nc")
    assert first.read_bytes() == second.read_bytes()


def test_a_velocity_that_serves_as_rate_is_stored_once(saved):
    with h5py.File(saved) as file:
        assert file["cart.position"].attrs["rate"] == b"cart.velocity"
        assert list(file["rate"]) == ["crank.angle"]
    loaded = Result.load(saved)
    assert loaded["cart.position"].rate is not None
    assert np.shares_memory(loaded["cart.position"].rate, loaded["cart.velocity"].values)


def test_a_state_that_no_file_can_hold_is_named(tmp_path):
    for state in (np.ones(2, dtype=complex), np.array(["a"]), np.array([None])):
        with pytest.raises(ResultFileError, match='state "odd" has type'):
            make(states={"odd": state}).save(tmp_path / "run.nc")
    with pytest.raises(ResultFileError, match="state name"):
        make(states={"a/b": np.zeros(2)}).save(tmp_path / "run.nc")
    assert list(tmp_path.iterdir()) == []


# --- what others read ----------------------------------------------------------------------------------


def test_netcdf4_reads_it(saved):
    netCDF4 = pytest.importorskip("netCDF4")
    with netCDF4.Dataset(saved) as file:
        assert file.data_model == "NETCDF4"
        assert {name: len(dim) for name, dim in file.dimensions.items()} == {
            "time": 4,
            "component": 3,
            "component_wxyz": 4,
            "component_2": 2,
        }
        assert file["cart.position"].dimensions == ("time", "component")
        assert file["time"].units == "s"
        assert list(file["component"][:]) == ["x", "y", "z"]
        assert (file["cart.velocity"].units, file["cart.velocity"].long_name) == ("m/s", "cart velocity")
        assert file["cart.rotation"].description == "Drehung λ → µ"
        np.testing.assert_array_equal(file["cart.position"][:], make()["cart.position"].values)
        assert file.title == "Räderwerk: dynamics"
        assert file.status == "interrupted"
        assert file.message == "stopped by the user at t = 1 s"
        assert json.loads(file.warnings) == make().warnings
        assert json.loads(file.model)["gravity"] == [0.0, 0.0, -9.81]
        assert json.loads(file.statistics)["steps"] == 40
        assert json.loads(file.options) == {"duration": 1.0, "adaptive": True}
        state = file["state"]
        assert set(state.variables) == set(make().states)
        assert state["mass"].dimensions == ("axis0_3", "axis1_3")
        np.testing.assert_array_equal(state["turns"][:], [1, -2, 2**62])
        assert state["multipliers"].shape == (0,)


def test_netcdf4_can_add_to_it(saved):
    netCDF4 = pytest.importorskip("netCDF4")
    with netCDF4.Dataset(saved, "a") as file:
        file.comment = "looked at"
        file["crank.angle"].note = "interesting"
    assert Result.load(saved) == make()


@pytest.mark.parametrize("engine", ["netcdf4", "h5netcdf"])
def test_xarray_reads_what_to_xarray_gives(saved, engine):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip({"netcdf4": "netCDF4", "h5netcdf": "h5netcdf"}[engine])
    with xarray.open_dataset(saved, engine=engine) as opened:
        expected = make().to_xarray()
        xarray.testing.assert_equal(opened.load(), expected)
        assert list(opened.data_vars) == list(expected.data_vars)
        assert {k: v for k, v in opened.attrs.items() if k != "checksums"} == dict(expected.attrs)
        for name, variable in expected.data_vars.items():
            assert {k: v for k, v in opened[name].attrs.items() if k != "rate"} == dict(variable.attrs)
    with xarray.open_dataset(saved, engine=engine, group="state") as state:
        np.testing.assert_array_equal(state["mass"], np.eye(3))


# --- safe writing --------------------------------------------------------------------------------------


def test_an_existing_file_stays_unless_told(saved):
    before = saved.read_bytes()
    with pytest.raises(ResultFileError, match=r"run\.nc\" already exists.*overwrite=True"):
        make(message="other").save(saved)
    assert saved.read_bytes() == before
    make(message="other").save(saved, overwrite=True)
    assert Result.load(saved).message == "other"


def test_a_name_taken_while_writing_is_respected(tmp_path, monkeypatch):
    path = tmp_path / "run.nc"
    content = Hdf5Image._fill

    def slow(*arguments):
        content(*arguments)
        path.write_text("somebody else's")

    monkeypatch.setattr(Hdf5Image, "_fill", slow)
    with pytest.raises(ResultFileError, match="already exists"):
        make().save(path)
    assert path.read_text() == "somebody else's"
    assert os.listdir(tmp_path) == ["run.nc"]


def test_disks_without_hard_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = make().save(tmp_path / "run.nc")
    assert Result.load(path) == make()
    assert os.listdir(tmp_path) == ["run.nc"]


def test_a_write_that_breaks_leaves_the_old_file_and_no_rubbish(saved, monkeypatch):
    before = saved.read_bytes()

    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr(Hdf5Image, "_fill", broken)
    with pytest.raises(ResultFileError, match="disk full"):
        make().save(saved, overwrite=True)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == ["run.nc"]


def test_a_link_is_written_through(saved):
    link = saved.with_name("link.nc")
    link.symlink_to(saved)
    make(message="other").save(link, overwrite=True)
    assert link.is_symlink()
    assert Result.load(saved).message == "other"


def test_permissions_follow_the_users_mask(saved):
    plain = saved.with_name("plain")
    plain.touch()
    assert saved.stat().st_mode == plain.stat().st_mode


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(ResultFileError, match="it is a folder"):
        make().save(tmp_path)
    with pytest.raises(ResultFileError, match=r"folder .*nowhere\" does not exist"):
        make().save(tmp_path / "nowhere" / "run.nc")


# --- files that cannot be read -------------------------------------------------------------------------


def test_missing_folder_empty_and_foreign_files(tmp_path):
    cases = {
        "none.nc": (None, "there is no file"),
        "empty.nc": (b"", "is empty"),
        "text.nc": (b"time,force\n0,1\n", "is not a pitchline result: it is not an HDF5"),
        "old.nc": (b"CDF\x01" + bytes(100), "is not a pitchline result: it is not an HDF5"),
    }
    for name, (content, message) in cases.items():
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(ResultFileError, match=message) as caught:
            Result.load(path)
        assert name in str(caught.value)
    with pytest.raises(ResultFileError, match="is a folder"):
        Result.load(tmp_path)
    assert issubclass(ResultFileError, PitchlineError)


def test_somebody_elses_hdf5(tmp_path):
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["time"] = np.arange(3.0)
    with pytest.raises(ResultFileError, match="written by something else"):
        Result.load(tmp_path / "other.h5")


def test_a_file_of_a_later_version(saved):
    with h5py.File(saved, "a") as file:
        file.attrs["pitchline_result_format"] = np.int32(99)
    with pytest.raises(ResultFileError, match=r"result format 99.*update to read it"):
        Result.load(saved)


def test_a_file_from_before_the_signs_of_gear_pairs_warns(tmp_path, monkeypatch):
    signals = {name: Signal(name, TIME, TIME, "m") for name in ("mesh.approach", "mesh.transmission_error")}
    whole = make(signals=signals)
    assert Result.load(whole.save(tmp_path / "now.nc")).warnings == whole.warnings
    monkeypatch.setattr("pitchline.results.file_content.FORMAT", 3)
    (added,) = Result.load(whole.save(tmp_path / "before.nc")).warnings[len(whole.warnings) :]
    assert 'deflection of "mesh" are along the normal of the flanks, approach and stiffness along the hoop' in added
    monkeypatch.setattr("pitchline.results.file_content.FORMAT", 2)
    signs, directions = Result.load(whole.save(tmp_path / "long_before.nc")).warnings[len(whole.warnings) :]
    assert '"mesh" have the signs of the version' in signs and directions == added
    assert Result.load(make().save(tmp_path / "without.nc")).warnings == make().warnings


@pytest.mark.parametrize("part", [0.01, 0.3, 0.6])
def test_a_truncated_file(saved, part):
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(ResultFileError, match="damaged or was cut short"):
        Result.load(saved)


@pytest.mark.parametrize("damage", ["time", "status", "model"])
def test_a_file_with_a_part_missing_or_wrong(saved, damage):
    with h5py.File(saved, "a") as file:
        if damage == "time":
            del file["time"]
        else:
            file.attrs[damage] = "{half"
    with pytest.raises(ResultFileError, match="damaged"):
        Result.load(saved)
