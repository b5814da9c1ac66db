"""Files on disk: safe names, drafts of killed processes, names reserved against others, and failures in words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.child_processes import Children

from pitchline.base.storage.free_names import (
    MOST_BYTES,
    OLD,
    StorageError,
    atomic_file,
    cannot_write,
    check_folder,
    distinct_stems,
    free_names,
    remove_leftovers,
    safe_stem,
    size_text,
    write_text,
)

posix = pytest.mark.skipif(os.name != "posix", reason="needs locks and signals of POSIX")

# --- names ---------------------------------------------------------------------------------------------

NAMES = {
    "pair": "pair",
    "two stages": "two stages",
    "Räderwerk": "Räderwerk",
    "齿轮": "齿轮",
    "v1.2": "v1.2",
    "../../report": "report",
    "/etc/passwd": "etc_passwd",
    "..": "model",
    "": "model",
    " ": "model",
    ".hidden": "hidden",
    "--force": "force",
    "a\nb": "a_b",
    "a\tb\x1b[31m": "a_b_[31m",
    "a/b\\c:d": "a_b_c_d",
    'x?*"<>|y': "x_y",
    "CON": "CON_",
    "nul.txt": "nul_.txt",
    "com1": "com1_",
    "concept": "concept",
    "dots...": "dots",
    "zero\0byte": "zero_byte",
    "lone \ud800 half": "lone _ half",
    "right\u202eleft": "right_left",
}


@pytest.mark.parametrize("name", NAMES)
def test_safe_stems(name: str) -> None:
    assert safe_stem(name) == NAMES[name]


@pytest.mark.slow
@given(st.text(max_size=400))
def test_any_text_gives_a_name_in_the_folder(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    stem = safe_stem(name)
    assert stem and len(stem.encode()) <= MOST_BYTES + 1 and stem.isprintable()
    assert Path(f"folder/{stem}.nc").resolve().parent == Path("folder").resolve()
    assert not stem.startswith((".", "-", " ")) and not stem.endswith((".", " "))
    assert safe_stem(stem) == stem


def test_long_names_stay_different() -> None:
    first, second = safe_stem("x" * 300 + "1"), safe_stem("x" * 300 + "2")
    assert first != second and len(first) == len(second) == MOST_BYTES
    assert len(safe_stem("ü" * 300).encode()) <= MOST_BYTES


def test_names_that_would_be_one_get_numbers() -> None:
    assert distinct_stems(["a/b", "a:b", "A_b", "c"]) == {"a/b": "a_b", "a:b": "a_b-2", "A_b": "A_b-3", "c": "c"}


# --- drafts --------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys, time
from pitchline.base.storage.free_names import atomic_file
with atomic_file(sys.argv[1]) as (draft, target):
    draft.write_text("half")
    print("ready", flush=True)
    if sys.argv[2] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdin.readline()
"""


def writer(children: Children, path: Path, how: str) -> subprocess.Popen[str]:
    """Another process, in the midst of writing."""
    process = children(
        [sys.executable, "-c", KILLED, path, how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


@posix
def test_drafts_of_killed_processes_are_removed_and_others_are_not(tmp_path: Path, children: Children) -> None:
    alive = writer(children, tmp_path / "b.nc", "alive")
    writer(children, tmp_path / "a.nc", "killed").communicate()
    assert len(list(tmp_path.glob(".*.part.nc"))) == 2
    (removed,) = remove_leftovers(tmp_path)
    assert removed.name.startswith(".a.nc.")
    (left,) = tmp_path.glob(".*.part.nc")
    assert left.name.startswith(".b.nc.")
    alive.communicate("go on\n")
    assert (tmp_path / "b.nc").read_text() == "half"
    assert [path.name for path in tmp_path.iterdir()] == ["b.nc"]


@posix
def test_any_write_to_the_folder_removes_them(tmp_path: Path, children: Children) -> None:
    writer(children, tmp_path / "a.nc", "killed").communicate()
    write_text(tmp_path / "other.txt", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["other.txt"]


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    names = [".profile", "x.part", ".x.part", ".x.123.part", "a.0123456789ab.part", ".x.0123456789ag.part"]
    for name in names:
        (tmp_path / name).write_text("precious")
    (tmp_path / ".folder.0123456789ab.part").mkdir()
    (tmp_path / ".link.0123456789ab.part").symlink_to(tmp_path / ".profile")
    assert remove_leftovers(tmp_path) == []
    assert all((tmp_path / name).read_text() == "precious" for name in names)


def test_where_there_are_no_locks_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pitchline.base.storage.free_names as leftovers

    monkeypatch.setattr(leftovers, "_locks", None)
    new, old = (tmp_path / f".{name}.0123456789ab.part" for name in ("new", "old"))
    for path in (new, old):
        path.touch()
    os.utime(old, (time.time() - 2 * OLD,) * 2)
    assert remove_leftovers(tmp_path) == [old] and new.exists()
    write_text(tmp_path / "x", "text")
    assert (tmp_path / "x").read_text() == "text"


# --- reserved names ------------------------------------------------------------------------------------


def test_names_are_reserved_while_they_are_used(tmp_path: Path) -> None:
    with (
        free_names(tmp_path, "pair", [".nc", ".png"]) as first,
        free_names(tmp_path, "pair", [".nc", ".png"]) as second,
    ):
        assert [path.name for path in first] == ["pair.nc", "pair.png"]
        assert [path.name for path in second] == ["pair-2.nc", "pair-2.png"]
        first[0].write_text("x")
    with free_names(tmp_path, "pair", [".nc", ".png"]) as third:
        assert third[0].name == "pair-2.nc"  # reserved, but never written
    assert [path.name for path in tmp_path.iterdir()] == ["pair.nc"]


RESERVING = """
import os, signal, sys
from pathlib import Path
from pitchline.base.storage.free_names import free_names
with free_names(Path(sys.argv[1]), "pair", [".nc"]) as (path,):
    print(path.name, flush=True)
    if len(sys.argv) > 2:
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdin.readline()
    path.write_text(path.name)
"""


@posix
def test_processes_at_once_get_different_names(tmp_path: Path, children: Children) -> None:
    several = [
        children([sys.executable, "-c", RESERVING, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    names = {process.stdout.readline().strip() for process in several if process.stdout}
    for process in several:
        process.communicate("go on\n")
    assert names == {"pair.nc", "pair-2.nc", "pair-3.nc"}
    assert {path.name for path in tmp_path.iterdir()} == names


@posix
def test_the_reservation_of_a_killed_process_does_not_count(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RESERVING, tmp_path, "kill"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "pair.nc\n" and (tmp_path / ".pair.reserved").exists()
    with free_names(tmp_path, "pair", [".nc"]) as (path,):
        assert path.name == "pair.nc"
    assert list(tmp_path.iterdir()) == []


# --- failures ------------------------------------------------------------------------------------------


def test_messages_say_what_to_do(tmp_path: Path) -> None:
    full = OSError(28, "No space left on device")
    limited = cannot_write(tmp_path / "x", full, 3_000)
    assert "it needs 3 kB" in limited and "are free in that folder; a quota" in limited
    much = cannot_write(tmp_path / "x", full, 10**18)
    assert re.search(
        r"it needs 1e\+06 TB, .* are free in that folder\)\. Free 1e\+06 TB there, or choose another folder", much
    )
    assert "Choose a folder with write access" in cannot_write(tmp_path / "x", PermissionError(13, "Permission denied"))
    assert [size_text(n) for n in (0, 999, 1500, 2.5e6, 4e9, 7e12)] == [
        "0 B",
        "999 B",
        "1.5 kB",
        "2.5 MB",
        "4 GB",
        "7 TB",
    ]


@pytest.mark.parametrize(
    "name, message", [("x" * 300, "the name has 300 bytes"), ("a\0b", "not a file name"), ("ü" * 128, "256 bytes")]
)
def test_names_that_no_file_can_have(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(StorageError, match=message):
        write_text(tmp_path / name, "text")


def test_the_longest_name_is_possible(tmp_path: Path) -> None:
    assert write_text(tmp_path / ("x" * 255), "text").read_text() == "text"


def test_folders_that_cannot_be_written_to(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        check_folder(tmp_path / "nowhere")
    if Path("/proc/self").is_dir():  # nobody can make a file there, root neither
        with pytest.raises(StorageError, match="cannot write to the folder"):
            check_folder(Path("/proc/self"))


def test_an_error_in_the_midst_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("before")
    with pytest.raises(ZeroDivisionError), atomic_file(tmp_path / "x", overwrite=True) as (draft, _):
        draft.write_text("half")
        raise ZeroDivisionError
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x", "before")]


def test_a_draft_is_written_to_directly(tmp_path: Path) -> None:
    """What writes atomically itself may be given a draft: the lock stays on the file that gets the name."""
    with atomic_file(tmp_path / "x.txt") as (draft, target):
        write_text(draft, "text")
        assert remove_leftovers(tmp_path) == []
        assert [path.name for path in tmp_path.iterdir()] == [draft.name]
    assert target.read_text() == "text"
