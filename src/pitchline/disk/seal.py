"""Seal: a table of contents with checksums at the end of a file, from which its arrays are read.

layout    ... content with the bytes of the arrays ..., table of contents (JSON), length of the table (8 bytes,
          little endian), SHA-256 of the table (32 bytes), `MAGIC` (16 bytes)
table     kind: kind of file; head: plain data; arrays: key -> type, shape, place in the file, SHA-256

The content before the table is not interpreted here. In result files and gear files it is HDF5, for other programs;
HDF5 readers
ignore bytes after the end of the HDF5 file. Reading through the seal needs no library that interprets the file. Every
size is
checked against the file before memory is allocated, and all returned bytes are checked against their checksum.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from numpy.typing import NDArray

from .errors import StorageError
from .stored_array import KeptArrays, StoredArray, array_digest, bytes_of, stored_form

__all__ = [
    "MAGIC", "Chunks", "Sealed", "array_digest", "has_seal", "seal_bytes", "stored_form", "text_digest",
    "write_arrays",
]  # fmt: skip

MAGIC = b"pitchline.seal.1"
_FOOTER = 8 + 32 + len(MAGIC)
_BLOCK = 1 << 24


def text_digest(data: Any) -> str:
    """SHA-256 of plain data, independent of the order of its keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Chunks:
    """Places of the pieces of a compressed array.

    shape:  of one piece; pieces at the borders are filled up
    at:     first index of the piece in the array, skipped filters (bits), place in the file, length
    """

    shape: tuple[int, ...]
    at: list[tuple[tuple[int, ...], int, int, int]]


def seal_bytes(
    kind: str,
    head: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]] | Mapping[str, NDArray[Any] | StoredArray],
    places: Mapping[str, int | Chunks | None],
    digests: Mapping[str, str],
) -> bytes:
    """Seal of arrays at `places` (None for empty arrays), with their `array_digest`."""
    entries = {}
    for key, array in arrays.items():
        kind_of_number = array.dtype.newbyteorder("<").str
        entry: dict[str, Any] = {"type": kind_of_number, "shape": array.shape, "sha256": digests[key]}
        place = places[key]
        if isinstance(place, Chunks):
            entry |= {"chunk": place.shape, "chunks": place.at}
        elif place is not None:
            entry["at"] = place
        entries[key] = entry
    table = json.dumps({"kind": kind, "head": head, "arrays": entries}, ensure_ascii=False).encode(
        "utf-8", "backslashreplace"
    )
    return table + len(table).to_bytes(8, "little") + hashlib.sha256(table).digest() + MAGIC


def has_seal(path: Path) -> bool:
    """Whether a file ends with a seal."""
    with path.open("rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(size - len(MAGIC), 0))
        return stream.read() == MAGIC


@dataclass
class Sealed:
    """Sealed file, open for reading. Errors are StorageErrors that begin with `called`."""

    stream: BinaryIO
    called: str
    kind: str = ""
    head: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    size: int = 0
    kept: KeptArrays = field(default_factory=KeptArrays)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp = self._stamp_now()
        self.size = self.stream.seek(0, io.SEEK_END)
        if self.size < _FOOTER:
            raise self.damaged("it is too short")
        footer = self._read(self.size - _FOOTER, _FOOTER)
        length, digest = int.from_bytes(footer[:8], "little"), footer[8:40]
        if footer[40:] != MAGIC:
            raise self.damaged("its end is missing")
        if length > self.size - _FOOTER:
            raise self.damaged("its table of contents is longer than the file")
        table = self._read(self.size - _FOOTER - length, length)
        if hashlib.sha256(table).digest() != digest:
            raise self.damaged("the checksum of its table of contents is wrong")
        try:
            data = json.loads(table)
        except (ValueError, RecursionError) as error:
            raise self.damaged("its table of contents cannot be read") from error
        wanted = {"kind": str, "head": dict, "arrays": dict}
        if not isinstance(data, dict) or not all(isinstance(data.get(key), what) for key, what in wanted.items()):
            raise self.damaged("its table of contents is incomplete")
        self.kind, self.head, self.entries = data["kind"], data["head"], data["arrays"]

    @property
    def checksums(self) -> dict[str, str]:
        """Key -> SHA-256 of the array, from the table."""
        return {key: str(entry.get("sha256")) for key, entry in self.entries.items() if isinstance(entry, dict)}

    def array(self, key: str) -> NDArray[Any]:
        """One array, after a check of its checksum."""
        return self.stored(key).read()

    def stored(self, key: str) -> StoredArray:
        """One array, to be read later, after a check of its size and place."""
        return StoredArray(self, key, self.entries.get(key))

    def close(self) -> None:
        """Close the file. Later requests are refused."""
        self.stream.close()
        self.kept.clear()

    def read_into(self, place: int, target: memoryview, key: str) -> None:
        """Fill `target` with the bytes from `place`, after a check that the file is still the same."""
        if self.stream.closed:
            raise StorageError(f'{self.called} was closed before "{key}" was read. Load it again, and close it later')
        try:
            if self._stamp_now() != self._stamp:
                raise StorageError(f"{self.called} was changed by another program after it was opened. Load it again")
            done = 0
            while done < len(target):
                count = self._some(place + done, target[done : done + _BLOCK])
                if not count:
                    raise self.damaged(f'"{key}" is incomplete')
                done += count
        except OSError as error:
            raise StorageError(f'cannot read "{key}" from {self.called}: {error.strerror or error}') from error

    def damaged(self, why: str) -> StorageError:
        """Error for a damaged file."""
        return StorageError(f"{self.called} is damaged or was cut short: {why}")

    def _read(self, place: int, length: int) -> bytes:
        target = bytearray(length)
        self.read_into(place, memoryview(target), "table of contents")
        return bytes(target)

    def _some(self, place: int, target: memoryview) -> int:
        # Without a file position, which threads, and processes after a fork, would share.
        if self._stamp is not None and hasattr(os, "preadv"):
            return os.preadv(self.stream.fileno(), [target], place)
        with self._lock:
            self.stream.seek(place)
            return int(self.stream.readinto(target))  # type: ignore[attr-defined]

    def _stamp_now(self) -> tuple[int, int] | None:
        """Size and time of the last change; None for a file in memory."""
        try:
            status = os.fstat(self.stream.fileno())
        except io.UnsupportedOperation:
            return None
        return status.st_size, status.st_mtime_ns


def write_arrays(stream: BinaryIO, arrays: Mapping[str, NDArray[Any]]) -> dict[str, int | Chunks | None]:
    """Write one array after the other; return their start positions."""
    places: dict[str, int | Chunks | None] = {}
    for key, array in arrays.items():
        places[key] = stream.tell() if array.size else None
        stream.write(bytes_of(stored_form(array)))
    return places
