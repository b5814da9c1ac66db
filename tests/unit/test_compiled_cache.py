"""Files of compiled code: never anywhere but in their folder, whole or not used. (What they are named after: see content.)"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import pitchline
from pitchline.base.progress import listen
from pitchline.numerics.machine_code import code_cache, compiled

LEAF = """
from .compiled import F8, leaf
@leaf
def number() -> F8:
    return {value}
"""
CALLER = """
from .compiled import F8, entry
from .leaf_of_test import number
@entry
def ask(x: F8) -> F8:
    return number() + x
"""


class Copy:
    """A copy of the package whose sources can be changed, with two functions: one calls the other from another file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        package = Path(pitchline.__file__).parent
        target = folder / "src" / "pitchline"
        shutil.copytree(package, target, ignore=shutil.ignore_patterns("__pycache__"))
        (target / "numerics" / "machine_code" / "caller_of_test.py").write_text(CALLER)
        self.leaf(1.0)

    def leaf(self, value: float) -> None:
        (self.folder / "src" / "pitchline" / "numerics" / "machine_code" / "leaf_of_test.py").write_text(
            LEAF.format(value=value)
        )

    def ask(self, cache: Path | str, **more: str) -> SimpleNamespace:
        """What the caller says in a new process, what was compiled for it, and what was said."""
        code = (
            "from pitchline.numerics.machine_code.caller_of_test import ask\n"
            "print(ask(0.5), sum(ask.stats.cache_misses.values()))\n"
        )
        environment = os.environ | {"PITCHLINE_CACHE_DIR": str(cache), "PYTHONPATH": str(self.folder / "src")} | more
        run = subprocess.run(
            [sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True, timeout=120
        )
        assert run.returncode == 0, run.stderr
        value, compiled_anew = run.stdout.split()
        said = [
            line for line in run.stderr.splitlines() if "compiling the engine" not in line
        ]  # that is said if it takes long
        return SimpleNamespace(value=float(value), compiled=int(compiled_anew), said=said)

    def compiled_files(self) -> list[Path]:
        return [p for p in self.folder.rglob("*") if p.suffix in (".nbi", ".nbc", ".code")]


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_a_folder_that_cannot_be_written_never_gives_old_code(copy: Copy) -> None:
    """The caller's own file does not change: only the function that it calls does."""
    (copy.folder / "file").write_text("")
    nowhere = copy.folder / "file" / "cache"  # below a file: nobody can make it
    first = copy.ask(nowhere)
    copy.leaf(2.0)
    second = copy.ask(nowhere)
    assert (first.value, second.value) == (1.5, 2.5)
    assert copy.compiled_files() == []  # and nothing beside the sources
    for one in (first, second):
        (line,) = one.said
        assert "in memory" in line and str(nowhere) in line and "PITCHLINE_CACHE_DIR" in line


def test_code_is_loaded_again_and_follows_its_sources(copy: Copy) -> None:
    """Folders and locators of numba, which are meant for other programs, do not lead elsewhere."""
    cache, other = copy.folder / "cache", {"NUMBA_CACHE_DIR": str(copy.folder / "other")}
    other["NUMBA_CACHE_LOCATOR_CLASSES"] = "InTreeCacheLocator"
    first, again = copy.ask(cache, **other), copy.ask(cache, **other)
    assert [(r.value, r.compiled, r.said) for r in (first, again)] == [(1.5, 1, []), (1.5, 0, [])]
    copy.leaf(2.0)
    changed = copy.ask(cache, **other)
    assert (changed.value, changed.compiled) == (2.5, 1)
    copy.leaf(1.0)
    assert copy.ask(cache, **other).compiled == 0  # what was compiled before is still there
    assert {p.relative_to(copy.folder).parts[0] for p in copy.compiled_files()} == {"cache"}


# ---- within one process


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    told: list[str] = []
    listener = SimpleNamespace(began=lambda s: None, ended=lambda s: None, note=told.append)
    before = listen(listener)
    monkeypatch.setattr(code_cache, "_told", set())
    yield told
    listen(before)


def function_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """A new compiled function whose code belongs in this folder."""
    monkeypatch.setattr(compiled, "_CACHE", folder)

    @compiled.entry
    def last(a: compiled.A1) -> compiled.F8:
        return a[a.size - 1]

    return last


@pytest.mark.parametrize("damage", ["bit", "short", "empty", "text"])
def test_a_damaged_file_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, notes: list[str]
) -> None:
    folder = tmp_path / "cache"
    function_in(folder, monkeypatch)(np.arange(3.0))
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    file.write_bytes({"bit": bytes(flipped), "short": whole[:-7], "empty": b"", "text": b"no code"}[damage])
    for hits in (0, 1):  # the first one replaces the file
        again = function_in(folder, monkeypatch)
        assert again(np.arange(4.0)) == 3.0
        assert sum(again.stats.cache_hits.values()) == hits
    assert [p.name for p in folder.iterdir()] == [file.name] and notes == []


def test_a_full_disk_leaves_no_part_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes: list[str]
) -> None:
    folder = tmp_path / "cache"
    plain = Path.write_bytes

    def full(self: Path, content: bytes) -> int:
        if self.suffix != ".tmp":
            return plain(self, content)
        plain(self, content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert [function_in(folder, monkeypatch)(np.arange(3.0)) for _ in range(2)] == [2.0, 2.0]
    assert list(folder.iterdir()) == []
    assert len(notes) == 1 and "No space left" in notes[0]


def test_a_folder_that_can_only_be_read_serves_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes: list[str]
) -> None:
    folder = tmp_path / "cache"
    function_in(folder, monkeypatch)(np.arange(3.0))

    def refused(*args: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refused)
    monkeypatch.setattr(os, "utime", refused)
    again = function_in(folder, monkeypatch)
    assert again(np.arange(4.0)) == 3.0
    assert sum(again.stats.cache_hits.values()) == 1 and notes == []


def test_files_go_when_they_were_not_used_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the first file that a process writes; so do the folders of earlier versions, and nothing else."""
    folder = tmp_path / "code"
    function_in(folder, monkeypatch)(np.arange(3.0))
    (file,) = folder.iterdir()
    old = [folder / "a.code", folder / "b.code.0123.tmp", tmp_path / ("1" * 16)]
    kept = [
        folder / "new.code",
        folder / "read me",
        tmp_path / ("2" * 16),
        tmp_path / "gears",
        tmp_path / "gears" / "x",
    ]
    for one in (*old, *kept):
        one.write_text("") if one.parent == folder or one.name == "x" else one.mkdir()
    for one in (*old, kept[1], kept[3], kept[4], file):
        os.utime(one, (0, 0))
    again = function_in(folder, monkeypatch)  # its use is noted in the time of the file
    assert again(np.arange(3.0)) == 2.0 and sum(again.stats.cache_hits.values()) == 1
    code_cache.remove_unused(folder)
    assert not any(one.exists() for one in old) and all(one.exists() for one in (*kept, file))


def test_gears_that_cannot_be_kept_are_computed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes: list[str]
) -> None:
    """The other thing that the folder holds: finite elements. One line says that they are computed anew each time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PITCHLINE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    teeth = pitchline.Teeth(pitchline.Gear(teeth=20, normal_module="2 mm", face_width="10 mm", bore="12 mm"))
    first, second = (pitchline.elastic_gear(teeth, grid={"size": "3 mm"}) for _ in range(2))
    np.testing.assert_array_equal(first.compliance["left", "left"], second.compliance["left", "left"])
    assert len(notes) == 1 and "elastic gears cannot be kept" in notes[0]
