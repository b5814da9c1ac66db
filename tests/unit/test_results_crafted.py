"""Result files that were made up, as HDF5 and with a seal: they are refused with an error that names the fault."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from references.result_files import make, of_first_format, of_hdf5_alone

from pitchline.base.storage.stored_array import MAGIC, Sealed
from pitchline.results import Result, ResultFileError, unsealed_hdf5


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return make().save(tmp_path_factory.mktemp("whole") / "run.nc").read_bytes()


@pytest.fixture
def file(tmp_path: Path, whole: bytes) -> Path:
    path = tmp_path / "run.nc"
    path.write_bytes(whole)
    return path


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files without a seal here: quicker by the start of a process, where nothing can hang."""

    def read(source: Path, called: str) -> unsealed_hdf5.Content:
        try:
            return unsealed_hdf5.read_hdf5(source)
        except ResultFileError as error:
            raise ResultFileError(f"{called} {error}") from error

    monkeypatch.setattr(unsealed_hdf5, "read_apart", read)


# --- crafted files: HDF5 -------------------------------------------------------------------------------


def link(hdf: h5py.File) -> None:
    del hdf["crank.angle"]
    hdf["crank.angle"] = h5py.SoftLink("/cart.position")


def external_link(hdf: h5py.File) -> None:
    del hdf["crank.angle"]
    hdf["crank.angle"] = h5py.ExternalLink("/etc/other.h5", "/secret")


def group_elsewhere(hdf: h5py.File) -> None:
    del hdf["state"]
    hdf["state"] = h5py.ExternalLink("/etc/other.h5", "/")


def external_storage(hdf: h5py.File) -> None:
    del hdf["crank.angle"]
    hdf.create_dataset("crank.angle", (12,), "f8", external=[("/etc/passwd", 0, 96)])


def virtual(hdf: h5py.File) -> None:
    del hdf["crank.angle"]
    layout = h5py.VirtualLayout((12,), "f8")
    layout[:] = h5py.VirtualSource("/etc/other.h5", "secret", (12,))
    hdf.create_virtual_dataset("crank.angle", layout)


def replaced(**options: object):
    def change(hdf: h5py.File) -> None:
        del hdf["crank.angle"]
        hdf.create_dataset("crank.angle", **options)

    return change


def attribute(key: str, value: object):
    def change(hdf: h5py.File) -> None:
        hdf.attrs[key] = value

    return change


def a_group(hdf: h5py.File) -> None:
    del hdf["crank.angle"]
    hdf.create_group("crank.angle")


CRAFTED = {
    "soft link": (link, "link"),
    "external link": (external_link, "link"),
    "external group": (group_elsewhere, "link"),
    "external storage": (external_storage, "another file"),
    "virtual data set": (virtual, "virtual"),
    "huge, contiguous": (replaced(shape=(10**14,), dtype="f8"), "cannot hold"),
    "huge, in chunks": (replaced(shape=(10**15,), dtype="f8", chunks=(1000,)), "cannot hold"),
    "huge, compressed": (replaced(shape=(10**15,), dtype="f8", chunks=(1000,), compression="gzip"), "cannot hold"),
    "filter": (replaced(data=np.arange(1000.0), chunks=(100,), compression="lzf"), "filter 32000"),
    "compound": (replaced(data=np.zeros(12, [("a", "f8"), ("b", "i4")])), "not a plain number"),
    "strings": (replaced(data=["x"] * 12), "not a plain number"),
    "opaque": (replaced(data=np.zeros(12, "V8")), "not a plain number"),
    "references": (replaced(shape=(12,), dtype=h5py.ref_dtype), "cannot hold"),
    "no data": (replaced(data=h5py.Empty("f8")), "cannot hold"),
    "complex": (replaced(data=np.zeros(12, complex)), "not a plain number"),
    "integers": (replaced(data=np.zeros(12, "i8")), "real numbers"),
    "three axes": (replaced(data=np.zeros((12, 3, 2))), "damaged"),
    "another length": (replaced(data=np.zeros(11)), "time has shape"),
    "a group": (a_group, "not a data"),
    "later": (attribute("pitchline_result_format", np.int32(99)), "result format 99"),
    "before the first": (attribute("pitchline_result_format", np.int32(0)), "unknown result format 0"),
    "negative": (attribute("pitchline_result_format", np.int32(-3)), "unknown result format -3"),
    "words": (attribute("pitchline_result_format", "newest"), "unknown result format"),
    "an array": (attribute("pitchline_result_format", np.arange(3)), "unknown result format"),
    "model of numbers": (attribute("model", 3.0), 'attribute "model" is not a text'),
    "model that is a list": (attribute("model", "[1]"), '"model" is not a table'),
    "warnings of numbers": (attribute("warnings", "[1]"), "a warning is not a text"),
    "deep": (attribute("options", "[" * 100_000), "damaged"),
    "not JSON": (attribute("options", "{half"), "damaged"),
    "status": (attribute("status", "splendid"), "splendid"),
    "bytes that are no text": (attribute("message", np.bytes_(b"\xff\xfe")), "damaged"),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_hdf5_is_refused_by_name(file: Path, name: str, in_this_process: None) -> None:
    """In the first format, where no checksum stands in the way."""
    change, message = CRAFTED[name]
    of_first_format(file)
    with h5py.File(file, "a") as hdf:
        change(hdf)
    with pytest.raises(ResultFileError, match=message):
        Result.load(file)


def test_no_other_file_is_read(file: Path, tmp_path: Path) -> None:
    """By the process apart too."""
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as hdf:
        hdf["secret"] = np.full(12, 42.0)
    of_first_format(file)
    with h5py.File(file, "a") as hdf:
        del hdf["crank.angle"]
        hdf["crank.angle"] = h5py.ExternalLink("secret.h5", "secret")
    with pytest.raises(ResultFileError, match=r"run\.nc\" holds a link"):
        Result.load(file)


# --- crafted files: the seal ---------------------------------------------------------------------------


def sealed_with(path: Path, whole: bytes, change) -> None:
    """The same file with another, valid seal."""
    sealed = Sealed(io.BytesIO(whole), "it")
    table = {"kind": sealed.kind, "head": sealed.head, "arrays": sealed.entries}
    change(table)
    text = json.dumps(table).encode()
    path.write_bytes(
        of_hdf5_alone(whole) + text + len(text).to_bytes(8, "little") + hashlib.sha256(text).digest() + MAGIC
    )


def entry(**changes: object):
    return lambda table: table["arrays"]["crank.angle"].update(changes)


SEALS = {
    "another kind": (lambda t: t.update(kind="pitchline gear"), "it is a pitchline gear"),
    "no head": (lambda t: t.update(head={}), "its kind is missing"),
    "later": (lambda t: t["head"]["attributes"].update(pitchline_result_format=99), "result format 99"),
    "words": (lambda t: t["head"]["attributes"].update(pitchline_result_format="2"), "unknown result format"),
    "beyond the end": (entry(at=10**9), "beyond the end of the file"),
    "negative place": (entry(at=-8), "beyond the end of the file"),
    "place of words": (entry(at="here"), "beyond the end of the file"),
    "absurd size": (entry(shape=[10**15]), "beyond the end of the file"),
    "absurd sizes": (entry(shape=[10**18] * 8), "beyond the end of the file"),
    "many axes": (entry(shape=[1] * 50), "shape"),
    "negative size": (entry(shape=[-12]), "shape"),
    "empty and absurd": (entry(shape=[0, 10**15]), "shape"),
    "objects": (entry(type="|O"), "type"),
    "text type": (entry(type="<U4"), "type"),
    "type of numbers": (entry(type=8), "type"),
    "integers": (entry(type="<i8"), "checksum"),
    "bomb": (entry(chunk=[10**12], chunks=[[[0], 0, 0, 1000]], shape=[10**12]), "pieces"),
    "pieces again and again": (entry(chunk=[1000], chunks=[[[0], 0, 0, 20000]] * 10**4, shape=[10**7]), "pieces"),
    "pieces outside": (entry(chunk=[6], chunks=[[[0], 3, 0, 48], [[60], 3, 0, 48]]), "pieces"),
    "pieces of words": (entry(chunk=["a"], chunks="b"), "pieces"),
    "no such array": (lambda t: t["arrays"].pop("crank.angle"), "crank.angle"),
    "rate of another shape": (
        lambda t: t["head"]["signals"]["crank.angle"].update(rate="cart.velocity"),
        "rate has shape",
    ),
    "signal without time": (lambda t: t["arrays"].pop("time"), "time"),
    "texts": (lambda t: t["head"]["attributes"].update(model=3), '"model" is not a text'),
    "reserved": (lambda t: t["head"]["signals"].update({"state": t["head"]["signals"]["crank.angle"]}), "state"),
    "signals of words": (lambda t: t["head"].update(signals="all"), "damaged"),
}


@pytest.mark.parametrize("name", SEALS)
def test_crafted_seals_are_refused_by_name(file: Path, whole: bytes, name: str) -> None:
    change, message = SEALS[name]
    sealed_with(file, whole, change)
    with pytest.raises(ResultFileError, match=message):
        Result.load(file)


def test_a_seal_is_enough(tmp_path: Path) -> None:
    """The library of HDF5 is not asked: pitchline reads its own files without it."""
    code = (
        "import sys; from pitchline.results import Result; r = Result.load(sys.argv[1]); "
        "assert 'h5py' not in sys.modules; print(r['crank.angle'].final)"
    )
    path = make().save(tmp_path / "run.nc")
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert float(done.stdout) == 1.0


def test_devices_are_not_read(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs named pipes")
    os.mkfifo(tmp_path / "pipe.nc")
    with pytest.raises(ResultFileError, match="device or a pipe"):
        Result.load(tmp_path / "pipe.nc")
