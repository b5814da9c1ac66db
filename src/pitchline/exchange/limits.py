"""Limits for files of other programs. A file beyond a limit is refused before it is read into memory."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo

from ..errors import PitchlineError

__all__ = ["MOST_BYTES", "MOST_DEPTH", "MOST_ITEMS", "ExchangeError", "archive_members", "file_bytes", "member_bytes"]

MOST_BYTES = 200 * 1024**2
"""Largest size of a file, or of all files in an archive together, in bytes."""
MOST_DEPTH = 200
"""Deepest nesting of elements (XML) or values (JSON)."""
MOST_ITEMS = 5_000_000
"""Most elements of an XML file."""
MOST_MEMBERS = 10_000
"""Most files in an archive."""


class ExchangeError(PitchlineError):
    """File of another program that cannot be read or written. The message names file, line (if any), item and solution."""


def file_bytes(path: str | Path, *, most: int = MOST_BYTES) -> bytes:
    """Contents of a file, if it exists and is not too large."""
    file = Path(path)
    try:
        size = file.stat().st_size
        if size > most:
            raise ExchangeError(f"{file}: the file has {_megabytes(size)}, the limit is {_megabytes(most)}")
        return file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise ExchangeError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def archive_members(archive: ZipFile, name: str | Path, *, most: int = MOST_BYTES) -> list[ZipInfo]:
    """Files of a zip archive. Refused: too many or too large contents, and paths that leave the archive."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MOST_MEMBERS:
        raise ExchangeError(f"{name}: the archive has {len(members)} files, the limit is {MOST_MEMBERS}")
    total = sum(member.file_size for member in members)
    if total > most:
        raise ExchangeError(
            f"{name}: the files in the archive have {_megabytes(total)}, the limit is {_megabytes(most)}"
        )
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[0]:
            raise ExchangeError(
                f'{name}: the archive contains the path "{member.filename}", which is outside the archive'
            )
    return members


def member_bytes(archive: ZipFile, member: ZipInfo, name: str | Path, *, most: int = MOST_BYTES) -> bytes:
    """Contents of one file of an archive; at most as many bytes as its directory states."""
    try:
        with archive.open(member) as stream:
            data = stream.read(min(member.file_size, most) + 1)
    except (BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise ExchangeError(f'{name}: "{member.filename}" in the archive cannot be read: {error}') from error
    except Exception as error:  # zlib.error, lzma.LZMAError: each compression has its own
        raise ExchangeError(f'{name}: "{member.filename}" in the archive is damaged: {error}') from error
    if len(data) > min(member.file_size, most):
        raise ExchangeError(f'{name}: "{member.filename}" is larger than the archive states')
    return data


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:.1f} MB"
