"""Result files that were damaged or changed: they give the very same result, or an error with a name."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from references.result_files import TIME, make, of_first_format, of_hdf5_alone

from pitchline.base.storage.stored_array import Sealed, array_digest, seal_bytes
from pitchline.results import Result, ResultFileError, unsealed_hdf5
from pitchline.results import file_content as storage


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


def same_or_refused(path: Path) -> bool:
    """Whether it was loaded; what is loaded is right."""
    try:
        loaded = Result.load(path)
    except ResultFileError as error:
        assert path.name in str(error)
        return False
    assert loaded == make()
    return True


# --- damage --------------------------------------------------------------------------------------------


def test_no_flipped_bit_gives_another_number(file: Path, whole: bytes, in_this_process: None) -> None:
    """400 single bits, anywhere in the file. (293 of them loaded as wrong numbers once.)"""
    chance = np.random.default_rng(14)
    loaded = 0
    for bit in chance.choice(8 * len(whole), 400, replace=False):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << (bit % 8)
        file.write_bytes(data)
        loaded += same_or_refused(file)
    # bits of HDF5's own structure, which pitchline does not read, and of the seal, where HDF5 is read instead
    assert 0 < loaded < 400


def test_no_flipped_bit_in_the_data_is_passed_over(file: Path, whole: bytes) -> None:
    """Each byte of the numbers in turn."""
    with file.open("rb") as stream:
        sealed = Sealed(stream, "it")
        places = [(e["at"], int(np.prod(e["shape"])) * np.dtype(e["type"]).itemsize) for e in sealed.entries.values()]
    for place, length in places:
        for at in range(place, place + length, 5):
            data = bytearray(whole)
            data[at] ^= 1 << (at % 8)
            file.write_bytes(data)
            with pytest.raises(ResultFileError, match="checksum"):
                Result.load(file)


def test_cut_at_any_place(file: Path, whole: bytes, in_this_process: None) -> None:
    """Refused; but where all of the HDF5 file is still there, it is the result."""
    end = len(of_hdf5_alone(whole))
    for size in [*range(1, len(whole), 397), end - 1, end, end + 1, len(whole) - 1]:
        file.write_bytes(whole[:size])
        assert same_or_refused(file) == (size >= end)


def test_bytes_overwritten_appended_or_swapped(file: Path, whole: bytes, in_this_process: None) -> None:
    chance = np.random.default_rng(3)
    for _ in range(60):
        data = bytearray(whole)
        at, length = int(chance.integers(8, len(data) - 600)), int(chance.integers(1, 600))
        data[at : at + length] = chance.bytes(length)
        file.write_bytes(data)
        same_or_refused(file)
    file.write_bytes(whole + b"\0" * 1000)
    same_or_refused(file)
    file.write_bytes(whole + whole)
    same_or_refused(file)


def test_damage_without_a_seal_is_seen_by_the_checksums_inside(file: Path, whole: bytes, in_this_process: None) -> None:
    """After another program has taken the seal off, numbers and texts are still compared."""
    bare = of_hdf5_alone(whole)
    file.write_bytes(bare)
    assert Result.load(file) == make()
    angle = make()["crank.angle"].values
    for text in (np.float64(TIME[5]).tobytes(), angle[3:6].tobytes(), b"m/s", b"step too large", b"cart: dyn"):
        assert text in bare
        data = bytearray(bare)
        data[bare.index(text) + 1] ^= 1
        file.write_bytes(data)
        with pytest.raises(ResultFileError, match="damaged"):
            Result.load(file)


def test_reading_has_a_limit(file: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes the library of HDF5 run for ever is given up."""
    file.write_bytes(of_hdf5_alone(whole))
    monkeypatch.setattr(unsealed_hdf5, "LEAST_SECONDS", 0.01)
    with pytest.raises(ResultFileError, match=r"run\.nc\" is damaged: reading it did not end within"):
        Result.load(file)


def test_a_crash_of_the_library_is_an_error(file: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(of_hdf5_alone(whole))
    run = subprocess.run

    def crashing(command: list[str], **options: object) -> object:
        return run([sys.executable, "-c", "import os; os.abort()"], **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", crashing)
    with pytest.raises(ResultFileError, match="ended early"):
        Result.load(file)


# --- files of others -----------------------------------------------------------------------------------


def test_what_others_add_is_left_out_and_said(file: Path) -> None:
    with h5py.File(file, "a") as hdf:
        hdf["mine"] = np.arange(12.0)
        hdf["state/mine"] = np.arange(3.0)
        hdf.attrs["comment"] = "looked at"
    loaded = Result.load(file)
    assert loaded.names() == make().names() and set(loaded.states) == set(make().states)
    assert loaded.warnings[0] == "step too large"
    assert ['"mine"' in loaded.warnings[1], '"state/mine"' in loaded.warnings[2]] == [True, True]


@pytest.mark.parametrize("what", ["value", "unit", "text", "checksums", "signal", "renamed", "rate", "component"])
def test_what_others_change_is_refused(file: Path, what: str) -> None:
    with h5py.File(file, "a") as hdf:
        if what == "value":
            hdf["crank.angle"][3] = 7.0
        elif what == "unit":
            hdf["crank.angle"].attrs["units"] = "deg"
        elif what == "text":
            hdf.attrs["warnings"] = "[]"
        elif what == "checksums":
            del hdf.attrs["checksums"]
        elif what == "signal":
            del hdf["crank.angle"]
        elif what == "renamed":
            hdf.move("crank.angle", "crank.angel")
        elif what == "rate":
            hdf["rate/crank.angle"][0] = 7.0
        else:
            hdf["component"][0] = "y"
    with pytest.raises(ResultFileError, match=r"run\.nc\" (was|is) damaged"):
        Result.load(file)


def test_files_of_the_first_format_load_with_a_warning(file: Path) -> None:
    loaded = Result.load(of_first_format(file))
    assert "has no checksums" in loaded.warnings.pop()
    assert loaded == make()


# --- a full disk ---------------------------------------------------------------------------------------

LIMITED = """
import resource, sys
import numpy as np
from pitchline.results import Result, ResultFileError, Signal
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
time = np.linspace(0.0, 1.0, 100_000)
big = Result(kind="dynamics", model_name="big", time=time, signals={"a.b": Signal("a.b", time**2, time, "N")})
for options in ({}, {"compress": True}):
    try:
        big.save(sys.argv[1], **options)
    except ResultFileError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
big.save(sys.argv[1])  # it is still there
assert Result.load(sys.argv[1]) == big
"""


@pytest.mark.skipif(os.name != "posix", reason="needs limits of POSIX")
def test_a_write_that_fails_keeps_the_result_and_the_process(tmp_path: Path) -> None:
    """Too large for the disk (here: for the limit on file sizes): an error with the number, no crash, nothing left behind."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, tmp_path / "big.nc"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert re.search(r'cannot write ".*big\.nc".*it needs [\d.]+ [kM]B, .* are free in that folder', line)
    assert [path.name for path in tmp_path.iterdir()] == ["big.nc"]


def test_storage_uses_the_seal_of_results() -> None:
    assert storage.KIND == "pitchline result"
    arrays = {"a": np.arange(3.0)}
    seal = seal_bytes("x", {}, arrays, {"a": 0}, {"a": array_digest(arrays["a"])})
    sealed = Sealed(io.BytesIO(arrays["a"].tobytes() + seal), "it")
    assert sealed.checksums == {"a": array_digest(arrays["a"])}
    np.testing.assert_array_equal(sealed.array("a"), arrays["a"])


def test_the_file_is_found_whatever_the_folder(
    file: Path, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process apart starts in the same folder, with the same package."""
    file.write_bytes(of_hdf5_alone(whole))
    elsewhere = tmp_path / "pitchline"  # a folder that must not be taken for the package
    elsewhere.mkdir()
    shutil.copy(file, elsewhere / "copy.nc")
    (elsewhere / "__init__.py").write_text("raise ImportError")
    monkeypatch.chdir(tmp_path)
    assert Result.load(Path("pitchline/copy.nc")) == make()
