"""FMU files: a zip archive that is checked before anything of it is written to disk."""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path
from platform import machine
from zipfile import BadZipFile, ZipFile

from ..limits import ExchangeError, archive_members, file_bytes, member_bytes
from .fmu_description import FmuDescription, read_description

__all__ = ["FmuArchive", "description_from_bytes", "open_archive"]

MOST_BYTES = 2 * 1024**3
"""Largest size of an FMU and of its contents: simulation tools put tables and libraries into it."""
_DESCRIPTION = "modelDescription.xml"
_folders: dict[str, Path] = {}
"""Folders with the contents of FMUs, by the hash of the file. They are removed at the end of the process."""


class FmuArchive:
    """An FMU on disk.

    path:        file
    digest:      SHA-256 of the file
    description: what modelDescription.xml states
    """

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.digest = hashlib.sha256(data).hexdigest()
        self.description = description_from_bytes(data, path.name)
        self._data: bytes | None = data

    def library(self) -> str:
        """Path of the program for this platform in the archive. ExchangeError, with the platforms that it has, if there is none."""
        names = _names(self._bytes(), self.path.name)
        library = self.description.library
        folders = platform_folders(self.description.major)
        for folder, ending in folders:
            name = f"binaries/{folder}/{library}{ending}"
            if name in names:
                return name
        others = sorted({name.split("/")[1] for name in names if name.startswith("binaries/") and name.count("/") >= 2})
        has = f"it has programs for {', '.join(others)}" if others else "it has no programs in binaries/"
        source = " and source code, which is not compiled here" if any(n.startswith("sources/") for n in names) else ""
        raise ExchangeError(
            f"{self.path.name}: no program for this platform (binaries/{folders[0][0]}/{library}{folders[0][1]}); {has}"
            f"{source}. Export the FMU for this platform"
        )

    def folder(self) -> Path:
        """Folder with the contents of the FMU, written once in a process."""
        if self.digest not in _folders:
            self.library()
            _folders[self.digest] = _extracted(self._bytes(), self.path.name)
        self._data = None
        return _folders[self.digest]

    def _bytes(self) -> bytes:
        if self._data is None:
            self._data = file_bytes(self.path, most=MOST_BYTES)
            if hashlib.sha256(self._data).hexdigest() != self.digest:
                raise ExchangeError(f"{self.path}: the file has changed since the model was made")
        return self._data


def open_archive(path: str | os.PathLike[str]) -> FmuArchive:
    """FMU from its file."""
    file = Path(path).expanduser()
    if file.is_dir():
        raise ExchangeError(f"{file}: a folder, not a file. Specify the .fmu file")
    return FmuArchive(file.absolute(), file_bytes(file, most=MOST_BYTES))


def description_from_bytes(data: bytes, name: str) -> FmuDescription:
    """Description of an FMU that is in memory. The archive is checked; no program is run."""
    with _zip(data, name) as archive:
        members = {member.filename: member for member in archive_members(archive, name, most=MOST_BYTES)}
        if _DESCRIPTION not in members:
            raise ExchangeError(f"{name}: not an FMU: {_DESCRIPTION} is missing in the archive")
        return read_description(member_bytes(archive, members[_DESCRIPTION], name), name)


def platform_folders(major: int) -> list[tuple[str, str]]:
    """Folders in binaries/ for this platform, with the ending of a shared library; that of the version of FMI first."""
    system, ending = {"win32": ("win", ".dll"), "darwin": ("darwin", ".dylib")}.get(sys.platform, ("linux", ".so"))
    arm = machine().lower() in ("arm64", "aarch64")
    bits = "64" if sys.maxsize > 2**32 else "32"
    old = [f"{system}{bits}"] if not arm or system == "darwin" else []
    processor = "aarch64" if arm else "x86_64" if bits == "64" else "x86"
    new = [f"{processor}-{'windows' if system == 'win' else system}"]
    folders = new + old if major == 3 else old + new
    return [(folder, ending) for folder in folders]


def _zip(data: bytes, name: str) -> ZipFile:
    try:
        return ZipFile(io.BytesIO(data))
    except (BadZipFile, ValueError, OSError, EOFError, NotImplementedError) as error:
        raise ExchangeError(f"{name}: not an FMU: the file is not a zip archive ({error})") from error
    except Exception as error:  # the directory of a damaged archive: struct.error, UnicodeDecodeError and others
        raise ExchangeError(f"{name}: the directory of the archive is damaged: {error}") from error


def _names(data: bytes, name: str) -> set[str]:
    with _zip(data, name) as archive:
        return {member.filename for member in archive_members(archive, name, most=MOST_BYTES)}


def _extracted(data: bytes, name: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pitchline-fmu-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with _zip(data, name) as archive:
        for member in archive_members(archive, name, most=MOST_BYTES):
            target = folder / member.filename.replace("\\", "/")
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(member_bytes(archive, member, name, most=MOST_BYTES))
            except OSError as error:
                raise ExchangeError(f'{name}: "{member.filename}" cannot be written to {folder}: {error}') from error
    (folder / "resources").mkdir(exist_ok=True)
    return folder
