"""The block of a record: what is put in comes out again, by a reader of its own."""

import json
import struct

import numpy as np
import pytest

import pitchline as pl
from pitchline.results.signal import Signal
from pitchline.viewer import record_of
from pitchline.viewer.block import Block
from pitchline.viewer.records import signals_of


def read(raw: bytes) -> tuple[dict, dict[str, np.ndarray]]:
    """Head and arrays, by the description of the format alone."""
    assert raw[:8] == b"PLVIEW1\0"
    (length,) = struct.unpack("<I", raw[8:12])
    head, start = json.loads(raw[12 : 12 + length]), 12 + length
    assert start % 8 == 4 or start % 8 == 0
    found = {}
    for name, said in head["arrays"].items():
        kind = np.dtype("<" + said["dtype"])
        size = int(np.prod(said["shape"]))
        planes = np.frombuffer(raw, "u1", size * kind.itemsize, start + said["offset"]).reshape(kind.itemsize, size)
        values = np.ascontiguousarray(planes.T).ravel()
        if said.get("coding") == "columns":
            bits = values.view("<u4").reshape(-1, max(said["shape"][0], 1)) if size else values.view("<u4")
            values = np.cumsum(bits, axis=-1, dtype=np.uint32).astype("<u4")
            values = np.ascontiguousarray(values.view("<f4").T)
        found[name] = values.view(kind).reshape(said["shape"])
    return head, found


ARRAYS = {
    "f8": np.linspace(0.0, 1.0, 7),
    "f4": np.arange(12.0).reshape(3, 4),
    "i1": np.array([-127, 0, 127]),
    "u2": np.array([0, 65535]),
    "u4": np.array([0, 2**32 - 1]),
}


def test_arrays_come_back() -> None:
    block = Block()
    for kind, values in ARRAYS.items():
        block.add(kind, values, kind)
    over_time = np.array([[1.0, -2.0], [np.nan, 1e30], [0.0, -0.0], [np.inf, 1e-40]])
    block.add_columns("over time", over_time)
    block.add_columns("scalar", over_time[:, 1])
    block.add_columns("none", np.zeros((0, 3)))
    head, found = read(block.bytes({"format": 1}))
    for kind, values in ARRAYS.items():
        np.testing.assert_array_equal(found[kind], values)
    np.testing.assert_array_equal(found["over time"], over_time.astype("f4"))
    np.testing.assert_array_equal(found["scalar"], over_time[:, 1].astype("f4"))
    assert head["arrays"]["none"]["shape"] == [0, 3]
    assert all(said["offset"] % 8 == 0 for said in head["arrays"].values())


def test_equal_arrays_are_kept_once_and_names_are_taken_once() -> None:
    block = Block()
    values = np.random.default_rng(1).normal(size=(100, 3))
    block.add_columns("a", values)
    size = block.size
    block.add_columns("b", values)
    assert block.size == size
    with pytest.raises(ValueError, match="a"):
        block.add("a", [1.0], "f8")
    with pytest.raises(ValueError, match="no type"):
        block.add("c", [1.0], "f2")


def long_result(samples: int, peak: int) -> pl.Result:
    time = np.linspace(0.0, 10.0, samples)
    force, place = np.sin(time), np.stack([time, -time, np.full(samples, np.nan)], axis=1)
    force[peak] = 1e4
    signals = [
        Signal(name="mesh.force", values=force, time=time, unit="N"),
        Signal(name="body.place", values=place, time=time, unit="m", components=("x", "y", "z")),
    ]
    return pl.Result(
        kind="dynamics", model_name="long", time=time, signals={s.name: s for s in signals}, model={"bodies": {}}
    )


def test_long_signals_keep_their_peaks() -> None:
    result, block = long_result(100_001, 54_321), Block()
    said = signals_of(result, block)
    head, found = read(block.bytes(said))
    assert head["reduced"] and "100,001 samples" in head["notes"][0]
    low, high = found["s/mesh.force"].T
    assert high.max() == np.float32(1e4) and low.min() == np.float32(result["mesh.force"].values.min())
    at = found["signal_time"][np.argmax(high)]
    assert abs(at - result.time[54_321]) <= 10.0 / len(found["signal_time"])
    assert found["s/body.place"].shape == (len(found["signal_time"]), 6)
    assert np.isnan(found["s/body.place"][:, 4:]).all()
    np.testing.assert_allclose(found["s/body.place"][[0, -1], 0], [0.0, 10.0])


def test_short_signals_are_whole() -> None:
    result, block = long_result(20_000, 7), Block()
    head, found = read(block.bytes(signals_of(result, block)))
    assert "reduced" not in head
    np.testing.assert_array_equal(found["s/mesh.force"], result["mesh.force"].values.astype("f4"))
    np.testing.assert_array_equal(found["signal_time"], result.time)


def test_a_record_without_values_lists_its_signals() -> None:
    record = record_of(long_result(30_000, 5), signals=False)
    head, found = read(record.block)
    assert [signal["name"] for signal in head["signals"]] == ["mesh.force", "body.place"]
    assert not any(name.startswith("s/") for name in found)
    assert len(found["time"]) <= 4000
