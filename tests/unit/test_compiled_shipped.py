"""Machine code that comes with the package, and a second process that compiles."""

import json
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from pitchline.base.progress import listen
from pitchline.cli.warm import tasks
from pitchline.numerics.machine_code import code_cache, compiled, helper
from pitchline.numerics.machine_code import machine_code as baseline
from pitchline.numerics.machine_code import machine_code as shipped
from pitchline.parts.springs.kernel import BUSHING

WANTED = baseline.baseline()
pytestmark = pytest.mark.skipif(
    WANTED is None or bool(baseline.missing_features()), reason="no baseline for this processor"
)


@pytest.fixture
def notes() -> list[str]:
    told: list[str] = []
    before = listen(SimpleNamespace(began=lambda s: None, ended=lambda s: None, note=told.append))
    yield told
    listen(before)


def function() -> object:
    @compiled.entry
    def last(a: compiled.A1) -> compiled.F8:
        return a[a.size - 1]

    return last


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with the code of the function, as if it had been compiled for the baseline; the user's folder is empty."""
    monkeypatch.setattr(compiled, "_CACHE", tmp_path / "there")
    one = function()
    assert one(np.arange(3.0)) == 2.0
    (code,) = (tmp_path / "there").iterdir()
    file = tmp_path / "shipped.code"
    key = one._cache.key(one.signature, f"{WANTED.target} False")
    shipped.write(file, {"0" * 32: b"another", key: code.read_bytes()}, code_cache.versions())
    monkeypatch.setattr(compiled, "_CACHE", tmp_path / "here")
    monkeypatch.setattr(shipped, "FILE", file)
    return file


def loaded(folder: Path) -> int:
    """Whether the function came from a file, and nothing was written."""
    again = function()
    assert again(np.arange(4.0)) == 3.0
    hits = sum(again.stats.cache_hits.values())
    assert (folder / "here").exists() == (not hits)
    return hits


def test_shipped_code_is_used_before_the_users_folder(file: Path, notes: list[str]) -> None:
    assert loaded(file.parent) == 1 and notes == []


@pytest.mark.parametrize("damage", ["bit", "short", "empty", "text"])
def test_a_damaged_file_is_as_good_as_none(file: Path, damage: str, notes: list[str]) -> None:
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[-100] ^= 4
    file.write_bytes({"bit": bytes(flipped), "short": whole[:-7], "empty": b"", "text": b"no code"}[damage])
    assert loaded(file.parent) == 0 and notes == []


@pytest.mark.parametrize("name", ["numba", "Python", "numpy"])
def test_code_of_other_versions_is_not_used_and_one_line_says_so(file: Path, name: str, notes: list[str]) -> None:
    table = code_cache.versions()
    shipped.write(file, {"0" * 32: b""}, table | {name: "0.1"})
    assert loaded(file.parent) == 0
    assert function()(np.arange(4.0)) == 3.0  # from the user's folder
    (line,) = notes
    assert f"{name} 0.1, here {table[name]}" in line and "compiled for this machine" in line


def test_another_processor_compiles_and_says_so(file: Path, notes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "missing_features", lambda: ["avx2"])
    assert loaded(file.parent) == 0
    assert len(notes) == 1 and "does not support avx2" in notes[0]


def test_who_chooses_a_processor_gets_it(file: Path, notes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "")
    assert loaded(file.parent) == 0 and notes == []


def test_a_function_that_changed_is_compiled(file: Path, notes: list[str]) -> None:
    @compiled.entry
    def last(a: compiled.A1) -> compiled.F8:
        return a[a.size - 2]

    assert last(np.arange(4.0)) == 2.0
    assert sum(last.stats.cache_hits.values()) == 0 and notes == []


def test_baselines_are_known_to_the_compiler() -> None:
    from llvmlite import binding as llvm

    have = llvm.get_host_cpu_features()
    assert all(name in have for name in WANTED.features)
    assert json.dumps(WANTED.target)


# ---- compiling ahead


def test_all_compiled_functions_are_found() -> None:
    found = tasks()
    names = [task.name for task in found]
    assert len({(task.function, task.signature.args) for task in found}) == len(found) > 200
    own = [f for f in compiled.FUNCTIONS if f.__module__.startswith("pitchline.") and hasattr(f, "signature")]
    assert {f"{f.__module__}.{f.__qualname__}" for f in own} <= set(names)
    assert BUSHING.evaluate in [task.function for task in found]
    assert names.index("pitchline.numerics.functions.value_of") < names.index(
        "pitchline.engine.solvers.time_loop.advance"
    )


def test_a_process_that_compiles_long_asks_for_help_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Path] = []
    monkeypatch.setattr(compiled, "_CACHE", tmp_path)
    monkeypatch.setattr(helper, "_helpers", [])
    monkeypatch.setattr(helper, "_spent", 0.0)
    monkeypatch.setattr(helper, "start_helper", lambda later: started.append(tmp_path))
    assert function()(np.arange(3.0)) == 2.0
    assert helper._spent == 0.0  # no other process can help with functions of others
    for still in (True, False, True):
        helper.compiled_for(helper.PATIENCE, tmp_path, still=still)
    assert len(started) == 1
    helper.ask_for_help(tmp_path)  # another process, while the helper is at work
    (tmp_path / "file").write_text("")
    helper.ask_for_help(tmp_path / "file" / "code")  # nothing could be kept there
    assert len(started) == 1
    helper.help_is_over(tmp_path)
    helper.ask_for_help(tmp_path)
    assert len(started) == 2


def test_a_helper_ends_with_the_process_that_asked_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(helper, "processors", lambda: 2)
    begun = helper.start_helper()
    begun.stdin.close()
    assert begun.wait(timeout=120) == 0
    assert not list((tmp_path / "code").glob("*.code"))


def test_a_program_can_ask_for_help_at_once_on_a_new_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(helper, "_helpers", [])
    monkeypatch.setattr(helper, "_spent", 0.0)
    monkeypatch.setattr(helper, "start_helper", lambda later: started.append(tuple(later)))
    helper.help_if_nothing_is_compiled(tmp_path / "code", ("train",))
    assert started == [("train",)]
    helper.help_if_nothing_is_compiled(tmp_path / "code", ())  # the folder has something in it
    assert len(started) == 1
