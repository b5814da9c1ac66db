"""Checkpoints as files: where they cannot be written the run goes on; what was damaged or crafted is refused before it is used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references.pair_file import PAIR

import pitchline as pl
from pitchline import files
from pitchline.analyses import checkpoint as checkpoints
from pitchline.base.storage.stored_array import Sealed, array_digest, seal_bytes, write_arrays


def stop_at(time: float) -> Callable[[float, float], None]:
    def progress(t: float, end: float) -> None:
        if t >= time:
            raise KeyboardInterrupt

    return progress


def chain(count: int) -> pl.Model:
    """Pendulums on pendulums, their hinges doubled: redundant constraints. Five of them: sparse."""
    m = pl.Model("chain", gravity=(0, 0, -9.81))
    before = m.ground
    for i in range(count):
        rod = m.body(f"rod {i}", solid=pl.bar(1, 0.1, 0.1, mass=1), position=(i + 0.5, 0, 0))
        m.revolute(f"hinge {i}", before, rod, at=(i, 0, 0), axis="y")
        m.revolute(f"double {i}", before, rod, at=(i, 1, 0), axis="y")
        before = rod
    return m


def train() -> pl.Model:
    """A pair of wheels on fixed axes, driven and loaded: stepped as a train."""
    return files.read(PAIR).model


MODELS = {"dense": lambda: chain(2), "sparse": lambda: chain(5), "train": train}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A checkpoint of each model."""
    found = {}
    for name, build in MODELS.items():
        file = tmp_path_factory.mktemp(name) / "run.ckpt"
        pl.dynamics(build(), duration=0.5, step=1e-3, output_step=1e-2, checkpoint=file, progress=stop_at(0.0))
        found[name] = file.read_bytes()
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.ckpt"


# --- writing that fails --------------------------------------------------------------------------------


def failing(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """The disk is full the first `times` times."""
    calls: list[int] = []
    write = checkpoints.write_arrays

    def full(stream: Any, arrays: Any) -> Any:
        calls.append(1)
        if len(calls) <= times:
            stream.write(b"x" * 100)
            raise OSError(28, "No space left on device")
        return write(stream, arrays)

    monkeypatch.setattr(checkpoints, "write_arrays", full)
    return calls


def test_a_run_goes_on_without_its_checkpoint_and_says_so_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = pl.dynamics(chain(2), duration=0.5, step=1e-3)
    calls = failing(monkeypatch, 10**9)
    run = pl.dynamics(chain(2), duration=0.5, step=1e-3, checkpoint=file, checkpoint_seconds=0)
    assert run.status is pl.Status.COMPLETED and len(calls) > 1
    (note,) = [text for text in run.warnings if "checkpoint" in text]
    assert f"could not be written, {len(calls)} times (there is no checkpoint)" in note
    assert "No space left on device" in note and "are free in that folder" in note
    assert np.array_equal(run["rod 1.position"], plain["rod 1.position"])
    assert list(file.parent.iterdir()) == []


def test_it_is_tried_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = failing(monkeypatch, 1)
    seen: list[bool] = []
    options = {"duration": 0.5, "step": 1e-3, "checkpoint": file, "checkpoint_seconds": 0}
    run = pl.dynamics(chain(2), **options, progress=lambda t, end: seen.append(file.exists()))
    assert len(calls) > 2 and seen[-1] and not seen[1]
    assert [text for text in run.warnings if "could not be written, once" in text]


def test_an_interrupted_run_keeps_its_result_where_the_disk_is_full(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, 10**9)
    part = pl.dynamics(chain(2), duration=0.5, step=1e-3, checkpoint=file, progress=stop_at(0.0))
    assert part.status is pl.Status.INTERRUPTED and part.samples > 1
    assert "could not be written" in part.warnings[-1]


def test_the_last_good_one_stays(file: Path, monkeypatch: pytest.MonkeyPatch, written: dict[str, bytes]) -> None:
    file.write_bytes(written["dense"])
    failing(monkeypatch, 10**9)
    part = pl.resume(chain(2), file, progress=stop_at(0.0))
    assert "the file contains the last complete checkpoint" in part.warnings[-1]
    assert file.read_bytes() == written["dense"]


@pytest.mark.slow
def test_a_killed_run_leaves_a_checkpoint_and_its_draft_is_removed_by_the_next(file: Path) -> None:
    """kill -9 in the midst of writing: the last complete checkpoint is there, and one draft."""
    code = f"""
import sys, os, signal
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parents[1])]!r}
import test_checkpoint_files as here, pitchline as pl
from pitchline.analyses import checkpoint
count, write = [], checkpoint.write_arrays
def killed(stream, arrays):
    count.append(1)
    if len(count) == 3:
        stream.write(b"x" * 1000); stream.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    return write(stream, arrays)
checkpoint.write_arrays = killed
pl.dynamics(here.chain(2), duration=0.5, step=1e-3, checkpoint={str(file)!r}, checkpoint_seconds=0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    assert len(list(file.parent.glob(".*.part*"))) == 1
    whole = pl.resume(chain(2), file)
    assert whole.status is pl.Status.COMPLETED
    straight = pl.dynamics(chain(2), duration=0.5, step=1e-3)
    assert np.array_equal(whole["rod 1.position"], straight["rod 1.position"])
    assert list(file.parent.iterdir()) == []


def test_two_runs_with_one_checkpoint_do_not_spoil_it(file: Path, written: dict[str, bytes]) -> None:
    """The file of the run that writes to it first stays, and the other one says so."""
    calls: list[int] = []

    def progress(t: float, end: float) -> None:
        calls.append(1)
        if len(calls) == 2:  # another run writes its own
            other = file.with_name("other")
            other.write_bytes(written["sparse"])
            other.replace(file)

    run = pl.dynamics(chain(2), duration=0.5, step=1e-3, checkpoint=file, checkpoint_seconds=0, progress=progress)
    assert run.status is pl.Status.COMPLETED and len(calls) > 2
    assert "another run writes to this file" in run.warnings[-1]
    assert file.read_bytes() == written["sparse"]


# --- known before computing ----------------------------------------------------------------------------


def test_a_file_that_is_not_a_checkpoint_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text("name = 'precious'")
    with pytest.raises(pl.ModelError, match=r'model\.toml" exists already and is not a checkpoint'):
        pl.dynamics(chain(2), duration=0.5, step=1e-3, checkpoint=tmp_path / "model.toml")
    assert (tmp_path / "model.toml").read_text() == "name = 'precious'"


@pytest.mark.parametrize(
    "name, message",
    [
        ("", "it is a folder"),
        ("nowhere/run", "does not exist"),
        ("x" * 300, "the name has 300 bytes"),
        ("a\0b", "not a file name"),
    ],
)
def test_names_that_cannot_be(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(pl.ModelError, match=message):
        pl.dynamics(chain(2), duration=0.5, step=1e-3, checkpoint=f"{tmp_path}/{name}")


# --- damaged and crafted -------------------------------------------------------------------------------


def test_no_flipped_bit_is_resumed_from(file: Path, written: dict[str, bytes]) -> None:
    whole = written["dense"]
    chance = np.random.default_rng(4)
    for bit in chance.choice(8 * len(whole), 300, replace=False):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << (bit % 8)
        file.write_bytes(data)
        with pytest.raises(pl.ModelError, match="damaged"):
            pl.resume(chain(2), file)


def crafted(file: Path, whole: bytes, change: Callable[[dict[str, Any], dict[str, np.ndarray]], object]) -> None:
    """A checkpoint with other content and right checksums."""
    file.write_bytes(whole)
    with file.open("rb") as stream:
        sealed = Sealed(stream, "it")
        arrays = {key: sealed.array(key) for key in sealed.entries}
    change(sealed.head, arrays)
    digests = {key: array_digest(array) for key, array in arrays.items()}
    with file.open("wb") as stream:
        stream.write(b"pitchline checkpoint\n")
        places = write_arrays(stream, arrays)
        stream.write(seal_bytes("pitchline checkpoint", sealed.head, arrays, places, digests))


def put(key: str, at: Any, value: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    def change(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays[key][at] = value

    return change


def other(
    key: str, value: Callable[[np.ndarray], np.ndarray]
) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    return lambda about, arrays: arrays.update({key: value(arrays[key])})


def say(**changes: Any) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    return lambda about, arrays: about.update(changes)


def factor(blocks: int, at: int) -> Callable[[dict[str, Any], dict[str, np.ndarray]], None]:
    """A wrong number behind so many blocks of the size of the matrix."""

    def change(about: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        integers = arrays["factor_integers"]
        integers[3 + blocks * int(integers[0]) + at] = 10**6

    return change


CRAFTED = {
    "dense: samples beyond their block": put("motion_progress_samples", 0, 10**9),
    "dense: samples before their block": put("motion_progress_samples", 0, -1),
    "dense: stride of zero": put("motion_progress_stride", 0, 0),
    "dense: worst unknown": put("motion_progress_worst", 0, 10**6),
    "dense: flag": put("motion_progress_have_factors", 0, 7),
    "dense: pivot": put("motion_pivot", 0, 10**12),
    "dense: pivot below": put("motion_pivot", 1, -5),
    "dense: motion is not a number": put("motion_v", 0, np.nan),
    "dense: far away": put("motion_pose", (1, 0), 1e200),
    "dense: time": put("motion_progress_t", 0, 1e9),
    "dense: end": put("motion_options_t_end", 0, 1e9),
    "dense: every": put("motion_options_every", 0, -1),
    "dense: step": put("motion_options_step", 0, -1.0),
    "dense: redundant beyond": put("redundant", 0, 10**9),
    "dense: redundant twice": lambda about, arrays: arrays["redundant"].__setitem__(0, arrays["redundant"][1]),
    "dense: redundant of another type": other("redundant", lambda a: a.astype(np.float64)),
    "dense: factors of words": other("factor_integers", lambda a: np.array([5, 0, 0], np.uint32)),
    "dense: samples of another size": other("samples_pose", lambda a: a[:, :1]),
    "dense: samples of another length": other("samples_v", lambda a: a[:-1]),
    "dense: times of samples": other("samples_t", lambda a: a[::-1].copy()),
    "dense: no samples": lambda about, arrays: [
        arrays.update({k: a[:0]}) for k, a in list(arrays.items()) if k[:7] == "samples"
    ],
    "dense: start of another size": other("start_orientation", lambda a: a[:, :2]),
    "dense: start is not a number": put("start_position", (0, 0), np.inf),
    "dense: bodies": say(bodies=["rod 0", "rod 0"]),
    "dense: bodies of numbers": say(bodies=3),
    "dense: groups": say(groups=[[10**9]]),
    "dense: groups of words": say(groups=[["a"]]),
    "dense: options": say(options={}),
    "dense: wall": say(wall="long"),
    "dense: seconds": say(seconds=None),
    "dense: warnings": say(warnings=[1]),
    "dense: angles": say(angles={"hinge 0": "far"}),
    "dense: meshes": say(meshes={"mesh": [1.0]}),
    "dense: without samples of the motion": lambda about, arrays: arrays.pop("samples_v"),
    "sparse: size of the factors": put("factor_integers", 1, 10**6),
    "sparse: row order": put("factor_integers", 3, 10**6),
    "sparse: column order": factor(1, 0),
    "sparse: pointers": factor(2, 1),
    "sparse: rows": put("factor_integers", -1, 10**6),
    "sparse: fewer numbers": other("factor_floats", lambda a: a[:-5]),
    "train: where it began": other("train_pose", lambda a: a[:, :3]),
    "train: what it remembered": other("train_mem", lambda a: a[:-1]),
    "train: far away": put("train_pose", (1, 0), 1e200),
    "train: angles": other("train_wheels_x", lambda a: a[:-1]),
    "train: turns": put("train_wheels_turns", 0, np.nan),
    "train: turns of words": other("train_wheels_turns", lambda a: a.astype(np.int64)),
    "train: teeth": other("train_pairs_teeth", lambda a: np.append(a, 1.0)),
    "train: without its teeth": lambda about, arrays: arrays.pop("train_pairs_psi_a"),
    "train: of another kind": say(evaluator=3),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_checkpoints_are_refused(file: Path, written: dict[str, bytes], name: str) -> None:
    model = name.partition(":")[0]
    crafted(file, written[model], CRAFTED[name])
    with pytest.raises(pl.ModelError, match="damaged"):
        pl.resume(MODELS[model](), file)


@pytest.mark.parametrize("model", MODELS)
def test_what_is_refused_is_what_was_changed(file: Path, written: dict[str, bytes], model: str) -> None:
    """Written anew without a change they go on, to the bits of a run in one piece."""
    crafted(file, written[model], lambda about, arrays: None)
    whole = pl.resume(MODELS[model](), file)
    straight = pl.dynamics(MODELS[model](), duration=0.5, step=1e-3, output_step=1e-2)
    assert whole.status is pl.Status.COMPLETED
    for name in straight:
        assert np.array_equal(whole[name].values, straight[name].values), name
    assert ("train_pose" in _keys(written[model], file)) == (model == "train")


def _keys(data: bytes, file: Path) -> set[str]:
    file.write_bytes(data)
    with file.open("rb") as stream:
        return set(Sealed(stream, "it").entries)


def test_another_version_and_other_sizes(file: Path, written: dict[str, bytes]) -> None:
    for change in (
        say(format=0),
        other("motion_v", lambda a: a[:1]),
        lambda about, arrays: arrays.pop("motion_progress_t"),
    ):
        crafted(file, written["dense"], change)
        with pytest.raises(pl.ModelError, match="was written by another version of pitchline"):
            pl.resume(chain(2), file)
