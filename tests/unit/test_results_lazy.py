"""Result files that are opened without being read: the same numbers, no more bytes than needed, clear refusals."""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from references.result_files import of_hdf5_alone

import pitchline as pl
from pitchline.base.storage import stored_array
from pitchline.base.storage.stored_array import MAGIC, KeptArrays, Sealed
from pitchline.results import Result, ResultFileError, Signal
from pitchline.results.file_content import LazySignal

COUNT = 5000
TIME = np.cumsum(np.linspace(1e-4, 2e-4, COUNT))


def result() -> Result:
    velocity = Signal(
        "cart.velocity", np.random.default_rng(1).normal(size=(COUNT, 3)), TIME, "m/s", "velocity, world axes"
    )
    position = Signal("cart.position", velocity.values**2, TIME, "m", "position", rate=velocity.values)
    angle = Signal("crank.angle", np.sin(30.0 * TIME), TIME, "rad", rate=30.0 * np.cos(30.0 * TIME))
    force = Signal("mesh.force", np.where(np.arange(COUNT) == 77, np.nan, np.arange(COUNT)), TIME, "N", "normal force")
    signals = {signal.name: signal for signal in (velocity, position, angle, force)}
    return Result(
        kind="dynamics",
        model_name="rig",
        time=TIME,
        signals=signals,
        states={"q": np.arange(3.0)},
        model={"bodies": {}},
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("saved")
    return {
        kind: result().save(folder / f"{kind}.nc", compress=kind == "compressed") for kind in ("plain", "compressed")
    }


@pytest.fixture(params=["plain", "compressed"])
def file(request: pytest.FixtureRequest, saved: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copyfile(saved[request.param], tmp_path / "run.nc"))


@pytest.fixture
def plain(saved: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copyfile(saved["plain"], tmp_path / "run.nc"))


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lengths of all that is read from sealed files."""
    lengths: list[int] = []
    read = Sealed.read_into

    def counted(self: Sealed, place: int, target: memoryview, key: str) -> None:
        lengths.append(len(target))
        read(self, place, target, key)

    monkeypatch.setattr(Sealed, "read_into", counted)
    return lengths


# --- the same numbers ------------------------------------------------------------------------------------


def test_equal_to_the_result_that_was_saved(file):
    lazy = pl.load(file, lazy=True)
    assert lazy == result() and result() == lazy and lazy == pl.load(file)
    assert lazy != replace(result(), kind="statics")


ASKED: dict[str, Callable[[Signal], object]] = {
    "sample": lambda s: s[7],
    "last sample": lambda s: s[-1],
    "slice": lambda s: s[70:90],
    "slice backwards": lambda s: s[-3:1:-2],
    "slice with step": lambda s: s[5:50:7],
    "slice with long steps": lambda s: s[3::1501],
    "slice with steps longer than a block": lambda s: s[1:-1:4500],
    "empty slice": lambda s: s[9:3],
    "mask": lambda s: s[np.arange(COUNT) % 1000 == 3],
    "list": lambda s: s[[3, 1, 2]],
    "ellipsis": lambda s: s[...],
    "two indices": lambda s: s[5:9, ...],
    "initial": lambda s: s.initial,
    "final": lambda s: s.final,
    "max": lambda s: s.max(),
    "rms": lambda s: s.rms(),
    "at": lambda s: s.at("0.3 s"),
    "at the ends": lambda s: s.at([TIME[0], TIME[-1]]),
    "at many": lambda s: s.at(np.linspace(0.31, 0.33, 60).reshape(6, 10)),
    "at none": lambda s: s.at([]),
    "between": lambda s: s.between(0.1, 0.1005).values,
    "rate between": lambda s: s.between(0.1, 0.1005).rate,
    "norm": lambda s: s.norm().values,
    "resampled": lambda s: s.resampled(17).values,
    "arithmetic": lambda s: np.abs(2.0 * s - s),
    "shape": lambda s: f"{s.shape} {s.ndim} {s.dtype} {len(s)}",
    "repr": repr,
    "component": lambda s: s.component(s.components[-1])[3:5] if s.components else 0.0,
    "rate": lambda s: s.rate,
}


@pytest.mark.parametrize("asked", ASKED)
def test_every_question_has_the_answer_of_a_loaded_result(file, asked):
    lazy, loaded = pl.load(file, lazy=True), pl.load(file)
    for name in [*loaded, "cart.position.y"]:
        assert isinstance(lazy[name], LazySignal)
        for _ in range(2):  # at first with the checksum, then without; then out of the memory
            found, expected = ASKED[asked](lazy[name]), ASKED[asked](loaded[name])
            assert type(found) is type(expected)
            np.testing.assert_array_equal(found, expected)
            assert not isinstance(found, np.ndarray) or found.flags.writeable == expected.flags.writeable
            assert lazy[name].values.shape == loaded[name].shape


def test_steps_through_a_long_signal(plain, monkeypatch):
    monkeypatch.setattr(stored_array, "_BLOCK_stored_array", 1000)  # many blocks
    loaded = pl.load(plain)
    for step in (2, 41, 42, 43, 300, 1400, 6000):
        lazy = pl.load(plain, lazy=True)
        for _ in range(2):
            for ends in ((None, None), (123, 4001), (4000, 4001), (40, 40), (9, 3)):
                rows = slice(*ends, step)
                for name in ("mesh.force", "cart.position", "cart.position.y"):
                    np.testing.assert_array_equal(lazy[name][rows], loaded[name][rows])


def test_indices_beyond_the_record(plain):
    signal = pl.load(plain, lazy=True)["mesh.force"]
    for index in (COUNT, -COUNT - 1):
        with pytest.raises(IndexError, match=f"out of bounds for axis 0 with size {COUNT}"):
            signal[index]


def test_tables_and_other_libraries(file):
    lazy, loaded = pl.load(file, lazy=True), pl.load(file)
    assert lazy.table() == loaded.table() and lazy.table(at="0.2 s") == loaded.table(at="0.2 s")
    assert lazy.summary() == loaded.summary() and repr(lazy) == repr(loaded)
    assert lazy.to_pandas("cart.*").equals(loaded.to_pandas("cart.*"))
    assert lazy.to_xarray().identical(loaded.to_xarray())


def test_copies_and_pickles_hold_the_values(file):
    lazy = pl.load(file, lazy=True)
    kept = [pickle.loads(pickle.dumps(lazy)), copy.deepcopy(lazy)]
    changed = replace(lazy["mesh.force"], name="mesh.load", unit="kN")
    lazy.close()
    file.unlink()
    assert all(one == result() for one in kept)
    assert changed[4] == 4.0 and changed.between(0.1, 0.2).unit == "kN" and changed.shape == (COUNT,)
    assert not changed._has_rate and replace(changed, rate=np.ones(COUNT)).at(0.2) > 0.0


@pytest.mark.parametrize("compress", [False, True])
def test_saved_again_without_being_held_in_memory(file, tmp_path, compress):
    lazy = pl.load(file, lazy=True)
    again = lazy.save(tmp_path / "again.nc", compress=compress)
    assert again.read_bytes() == result().save(tmp_path / "direct.nc", compress=compress).read_bytes()
    assert all(array.file.kept.get(name) is None for name, array in _stored(lazy).items())
    # over itself: the file that is open stays readable where the system allows it to be replaced
    if os.name == "posix":
        assert lazy.save(file, overwrite=True) and lazy == result()


def _stored(lazy: Result) -> dict:
    return {name: signal._stored["values"] for name, signal in lazy.signals.items()}


# --- no more than needed ---------------------------------------------------------------------------------


def test_opening_reads_times_and_states_only(plain, bytes_read):
    lazy = Result.load(plain, lazy=True)
    assert [(s.name, s.unit, s.shape) for s in lazy.signals.values()] == [
        (s.name, s.unit, s.shape) for s in result().signals.values()
    ]
    data = plain.read_bytes()
    table = len(data) - len(of_hdf5_alone(data))
    assert sum(bytes_read) == table + 8 * COUNT + 3 * 8


def test_rows_are_read_alone_once_the_checksum_was_compared(plain, bytes_read):
    signal = pl.load(plain, lazy=True)["cart.velocity"]
    bytes_read.clear()
    signal[100:110]
    assert sum(bytes_read) == 24 * COUNT
    bytes_read.clear()
    signal[100:110]
    signal.between(TIME[50], TIME[59])
    signal["y"].at(TIME[300])
    assert bytes_read == [240, 240, 4 * 24]
    bytes_read.clear()
    assert signal.values is signal.values
    assert bytes_read == [24 * COUNT]
    assert signal[3] is not None and signal["x"].max() and bytes_read == [24 * COUNT]


def test_of_the_arrays_that_were_read_the_oldest_go():
    kept = KeptArrays(most_bytes=100)
    for name, count in (("a", 5), ("b", 5)):
        kept.put(name, np.zeros(count))
    assert kept.get("a") is not None  # used again: now the newer one
    kept.put("c", np.zeros(6))
    assert kept.get("b") is None and kept.get("a") is not None
    kept.put("large", np.zeros(1000))
    assert kept.get("large") is not None and kept.get("a") is None and kept.get("c") is None


# --- files that are closed, gone, changed or damaged -------------------------------------------------------


def test_closed(file):
    with pl.load(file, lazy=True) as lazy:
        part = lazy["mesh.force"].between(0.1, 0.2)
        kept = lazy["crank.angle"].values
    assert part.max() > 0.0 and kept[0] == result()["crank.angle"][0]
    for ask in (
        lambda: lazy["mesh.force"].values,
        lambda: lazy["crank.angle"][3],
        lambda: lazy.table(),
        lambda: lazy == result(),
    ):
        with pytest.raises(ResultFileError, match=r'run.nc" was closed before "\S+" was read. Load it again'):
            ask()
    assert len(lazy["mesh.force"]) == COUNT and "mesh" in lazy.summary()
    assert "was closed" in repr(lazy["mesh.force"])
    lazy.close()
    with result() as loaded:  # nothing to close
        pass
    assert loaded["mesh.force"][3] == 3.0


@pytest.mark.slow
def test_the_file_is_closed_when_nobody_needs_it(plain):
    lazy = pl.load(plain, lazy=True)
    stream = _stored(lazy)["mesh.force"].file.stream
    signal = lazy["mesh.force"]
    del lazy
    gc.collect()
    assert signal[2] == 2.0 and not stream.closed
    del signal
    gc.collect()
    assert stream.closed


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be deleted")
def test_deleted_or_replaced_meanwhile(plain, tmp_path):
    lazy = pl.load(plain, lazy=True)
    other = replace(result(), signals={})
    other.save(plain, overwrite=True)
    assert lazy == result()
    plain.unlink()
    assert lazy["mesh.force"][5] == 5.0


@pytest.mark.parametrize("read_before", [False, True])
def test_changed_by_another_program_meanwhile(plain, read_before):
    lazy = pl.load(plain, lazy=True)
    if read_before:
        assert lazy["mesh.force"][5] == 5.0
    with plain.open("rb+") as stream:
        stream.seek(_stored(lazy)["mesh.force"]._place)
        stream.write(b"12345678")
    os.utime(plain, ns=(0, 12345))  # not within the grain of the clock of the file system
    with pytest.raises(
        ResultFileError, match=r'run.nc" was changed by another program after it was opened. Load it again'
    ):
        lazy["mesh.force"][5]
    with pytest.raises(ResultFileError, match="was changed by another program"):
        lazy.save(plain.with_name("other.nc"))
    assert not plain.with_name("other.nc").exists()


@pytest.mark.parametrize("asked", ["sample", "max", "between"])
def test_damage_is_told_when_the_signal_is_read(file, asked):
    with file.open("rb+") as stream:
        entry = Sealed(stream, "it").entries["mesh.force"]
        place = entry["chunks"][-1][2] + entry["chunks"][-1][3] // 2 if "chunks" in entry else entry["at"] + 16_000
        stream.seek(place)
        byte = stream.read(1)
        stream.seek(place)
        stream.write(bytes([byte[0] ^ 1]))
    lazy = pl.load(file, lazy=True)
    assert lazy["crank.angle"].equals(result()["crank.angle"])
    for _ in range(2):
        with pytest.raises(ResultFileError, match=r'run.nc" is damaged or was cut short: .*"mesh.force"'):
            ASKED[asked](lazy["mesh.force"])


def test_damaged_times_and_shapes_are_told_at_once(plain, tmp_path):
    data = bytearray(plain.read_bytes())
    with plain.open("rb") as stream:
        place = Sealed(stream, "it").entries["time"]["at"]
    data[place] ^= 1
    (tmp_path / "times.nc").write_bytes(data)
    with pytest.raises(ResultFileError, match='checksum of "time"'):
        pl.load(tmp_path / "times.nc", lazy=True)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"at": 10**12}, "extends beyond the end"),
        ({"shape": [10**14]}, "extends beyond the end"),
        ({"shape": [COUNT // 2]}, "values have shape"),
        ({"shape": [COUNT, 1, 1]}, "values have shape"),
        ({"type": "<f4"}, "holds float32, not real numbers"),
        ({"type": "|O"}, "a type that is not supported"),
        ({"chunks": [[[0], 0, 0, 10]], "chunk": [COUNT]}, "are inconsistent"),
    ],
)
def test_a_table_of_contents_that_lies_is_refused_at_once(plain, change, told):
    import hashlib

    with plain.open("rb") as stream:
        sealed = Sealed(stream, "it")
        sealed.entries["mesh.force"] |= change
        table = json.dumps({"kind": sealed.kind, "head": sealed.head, "arrays": sealed.entries}).encode()
    with plain.open("ab") as stream:
        stream.write(table + len(table).to_bytes(8, "little") + hashlib.sha256(table).digest() + MAGIC)
    with pytest.raises(ResultFileError, match=told):
        pl.load(plain, lazy=True)


def test_files_without_a_seal_are_read_whole_and_say_so(plain):
    with h5py.File(plain, "a") as other:
        other.attrs["note"] = "added"
    lazy = pl.load(plain, lazy=True)
    assert "it was read whole" in lazy.warnings[-1]
    assert lazy["mesh.force"].equals(result()["mesh.force"]) and not isinstance(lazy["mesh.force"], LazySignal)


def test_systems_that_cannot_read_at_a_place(plain, monkeypatch):
    monkeypatch.delattr(os, "preadv", raising=False)
    lazy = pl.load(plain, lazy=True)
    assert lazy == result() and lazy["mesh.force"][3:5].tolist() == [3.0, 4.0]


def test_threads_read_beside_each_other(file):
    lazy, loaded = pl.load(file, lazy=True), result()
    asked = [(name, i) for i in range(0, COUNT, 50) for name in loaded]
    with ThreadPoolExecutor(8) as pool:
        for (name, i), found in zip(asked, pool.map(lambda one: lazy[one[0]][one[1] : one[1] + 3], asked), strict=True):
            np.testing.assert_array_equal(found, loaded[name][i : i + 3])


def test_results_without_samples_or_signals(tmp_path):
    empty = Result(kind="statics", model_name="m", time=[], signals={"a.b": Signal("a.b", np.zeros((0, 3)), [])})
    lazy = pl.load(empty.save(tmp_path / "empty.nc"), lazy=True)
    assert lazy == empty and lazy["a.b"].shape == (0, 3) and lazy["a.b"].values.shape == (0, 3)
    with pytest.raises(pl.PitchlineError, match="holds no sample"):
        _ = lazy["a.b"].final
    none = Result(
        kind="statics", model_name="m", time=[0.0, 1.0], signals={"a.b": Signal("a.b", np.zeros((2, 0)), [0.0, 1.0])}
    )
    lazy = pl.load(none.save(tmp_path / "none.nc"), lazy=True)
    assert lazy == none and lazy["a.b"].shape == (2, 0)
    bare = Result(kind="statics", model_name="m", time=[0.0], signals={})
    assert pl.load(bare.save(tmp_path / "bare.nc"), lazy=True) == bare


def test_only_result_files_are_read_lazily(tmp_path):
    with pytest.raises(TypeError, match="only result files can be read lazily"):
        pl.load(tmp_path / "model.toml", lazy=True)
    with pytest.raises(ResultFileError, match="there is no file"):
        pl.load(tmp_path / "none.nc", lazy=True)
