"""Machine code of the package: one file in this folder, written when a wheel is built, never changed afterwards.

It is for a processor that is compatible with every current machine (see `baseline`), so that a first run compiles nothing.
Entries are found by the same keys as the user's files (see `code_cache`). A source tree has no such file. If the file does not
fit the machine, or the versions of Python, numba and numpy, the functions are compiled for this machine, and one line gives
the reason.

The file: a first line, the length of a table, the table (JSON: its target, and position and length of each entry), the entries.
"""

import functools
import json
import pathlib
import struct
from typing import Any

import numba
from llvmlite import binding as llvm

from ..progress import note
from .baseline import baseline, missing_features

__all__ = ["FILE", "find", "present", "tell_misfit", "write"]

FILE = pathlib.Path(__file__).with_name("shipped.code")
_MAGIC = b"pitchline shipped code 1\n"
_LENGTH = struct.Struct("<Q")


def write(file: pathlib.Path, entries: dict[str, bytes], versions: dict[str, str]) -> None:
    """Make the file from entries by key, compiled for the baseline with these versions."""
    wanted = baseline()
    if wanted is None:
        raise OSError(f"there is no baseline for {llvm.get_process_triple()}")
    places, at = {}, 0
    for key, entry in sorted(entries.items()):
        places[key] = [at, len(entry)]
        at += len(entry)
    table = json.dumps({"versions": versions, "target": wanted.target, "entries": places}).encode()
    file.write_bytes(_MAGIC + _LENGTH.pack(len(table)) + table + b"".join(entries[key] for key in places))


@functools.cache
def _table(file: pathlib.Path) -> tuple[int, dict[str, Any]] | None:
    """Start of the entries, and the table; None if there is no such file or it is damaged."""
    try:
        with file.open("rb") as source:
            if source.read(len(_MAGIC)) != _MAGIC:
                return None
            (length,) = _LENGTH.unpack(source.read(_LENGTH.size))
            return len(_MAGIC) + _LENGTH.size + length, json.loads(source.read(length))
    except (OSError, ValueError, struct.error):
        return None


def present() -> bool:
    """Whether there is such a file, and the user did not choose a processor to compile for."""
    config: Any = numba.config
    return _table(FILE) is not None and config.CPU_NAME is None and config.CPU_FEATURES is None


def find(key: str, versions: dict[str, str]) -> bytes | None:
    """The entry of this key, if the file has one that runs here."""
    found = _table(FILE)
    if found is None or _misfit(FILE, tuple(versions.items())):
        return None
    start, table = found
    if key not in table["entries"]:
        return None
    at, length = table["entries"][key]
    try:
        with FILE.open("rb") as source:
            source.seek(start + at)
            return source.read(length)
    except OSError:
        return None


@functools.cache
def _misfit(file: pathlib.Path, versions: tuple[tuple[str, str], ...]) -> str:
    """Reason why the code of a file does not run here; empty if it does, or if there is none."""
    found, wanted = _table(file), baseline()
    if found is None:
        return ""
    table = found[1]
    if wanted is None or tuple(table["target"]) != wanted.target:
        return f"it is for {' '.join(table['target'])}"
    if lacking := missing_features():
        return f"this processor does not support {', '.join(lacking)}"
    here = dict(versions)
    others = [
        f"{name} {built}, here {here.get(name)}" for name, built in table["versions"].items() if here.get(name) != built
    ]
    return f"it is for {'; '.join(others)}" if others else ""


_told: set[pathlib.Path] = set()


def tell_misfit(versions: dict[str, str]) -> None:
    """Report once why the file is not used, if there is one."""
    why = _misfit(FILE, tuple(versions.items())) if present() else ""
    if why and FILE not in _told:
        _told.add(FILE)
        note(f"the machine code of the package is not used ({why}): it is compiled for this machine, once")
