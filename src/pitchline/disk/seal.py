"""The seal: a table of contents with checksums at the end of a file, from which its arrays are read again.

layout    ... content with the bytes of the arrays somewhere in it ..., table of contents (JSON), length of the table (8 bytes,
          little endian), SHA-256 of the table (32 bytes), `MAGIC` (16 bytes)
table     kind: what the file is; head: plain data; arrays: key -> type, shape, place in the file, SHA-256

What stands before the table is of no concern here. In result files and files of gears it is HDF5, for other programs to read: bytes
after the end that an HDF5 file states do not disturb them. Reading through the seal needs no library that interprets the file:
every size is checked against the file before memory is taken, and every byte that is given back against its checksum.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .errors import StorageError

__all__ = [
    "MAGIC", "Chunks", "Sealed", "array_digest", "has_seal", "seal_bytes", "stored_form", "text_digest",
    "write_arrays",
]  # fmt: skip

MAGIC = b"pitchline.seal.1"
_FOOTER = 8 + 32 + len(MAGIC)
_TYPES = {"<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1", "<c16"}
_MOST_DIMENSIONS = 8
_INFLATION = 1040
"""Deflate makes at most 1032 bytes of one."""
_BLOCK = 1 << 24


def stored_form(array: NDArray[Any]) -> NDArray[Any]:
    """As it lies in a file: little endian, row by row."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(np.shape(array))


def array_digest(array: NDArray[Any]) -> str:
    """SHA-256 of type, shape and bytes of an array, in stored form."""
    array = stored_form(array)
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape} ".encode())
    digest.update(_bytes_of(array))
    return digest.hexdigest()


def text_digest(data: Any) -> str:
    """SHA-256 of plain data, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Chunks:
    """Where the pieces of a compressed array are.

    shape:  of one piece; those at the borders are filled up
    at:     first index of the piece in the array, filters left out (bits), place in the file, length
    """

    shape: tuple[int, ...]
    at: list[tuple[tuple[int, ...], int, int, int]]


def seal_bytes(
    kind: str,
    head: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    places: Mapping[str, int | Chunks | None],
    digests: Mapping[str, str],
) -> bytes:
    """The seal of arrays that lie at `places` (None for those without any bytes), with their `array_digest`."""
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
    table = json.dumps({"kind": kind, "head": head, "arrays": entries}, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return table + len(table).to_bytes(8, "little") + hashlib.sha256(table).digest() + MAGIC


def has_seal(path: Path) -> bool:
    """Whether a file ends as a sealed one does."""
    with path.open("rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(size - len(MAGIC), 0))
        return stream.read() == MAGIC


@dataclass
class Sealed:
    """A sealed file, open for reading. What is wrong with it is a StorageError that begins with `called`."""

    stream: BinaryIO
    called: str
    kind: str = ""
    head: dict[str, Any] = field(default_factory=dict)
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    size: int = 0

    def __post_init__(self) -> None:
        self.size = self.stream.seek(0, io.SEEK_END)
        if self.size < _FOOTER:
            raise self._damaged("it is too short")
        self.stream.seek(self.size - _FOOTER)
        footer = self.stream.read(_FOOTER)
        length, digest = int.from_bytes(footer[:8], "little"), footer[8:40]
        if footer[40:] != MAGIC:
            raise self._damaged("its end is missing")
        if length > self.size - _FOOTER:
            raise self._damaged("its table of contents is longer than the file")
        self.stream.seek(self.size - _FOOTER - length)
        table = self.stream.read(length)
        if hashlib.sha256(table).digest() != digest:
            raise self._damaged("the checksum of its table of contents does not fit")
        try:
            data = json.loads(table)
        except (ValueError, RecursionError) as error:
            raise self._damaged("its table of contents cannot be read") from error
        wanted = {"kind": str, "head": dict, "arrays": dict}
        if not isinstance(data, dict) or not all(isinstance(data.get(key), what) for key, what in wanted.items()):
            raise self._damaged("its table of contents is incomplete")
        self.kind, self.head, self.entries = data["kind"], data["head"], data["arrays"]

    @property
    def checksums(self) -> dict[str, str]:
        """Key -> SHA-256 of the array, as the table says."""
        return {key: str(entry.get("sha256")) for key, entry in self.entries.items() if isinstance(entry, dict)}

    def array(self, key: str) -> NDArray[Any]:
        """One array; its checksum fits."""
        entry = self.entries.get(key)
        if not isinstance(entry, dict):
            raise self._damaged(f'"{key}" is missing')
        kind: Any = entry.get("type")
        shape: Any = entry.get("shape")
        if not isinstance(kind, str) or kind not in _TYPES:
            raise self._damaged(f'"{key}" is of a type that is not read')
        if not _whole_numbers(shape) or len(shape) > _MOST_DIMENSIONS:
            raise self._damaged(f'"{key}" has a shape that is not one')
        array = self._read(key, entry, np.dtype(kind), tuple(shape))
        if array_digest(array) != entry.get("sha256"):
            raise self._damaged(f'the checksum of "{key}" does not fit')
        return array

    def _read(self, key: str, entry: dict[str, Any], kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        length = math.prod(shape) * kind.itemsize
        if length == 0:
            if max(shape, default=0) > self.size:
                raise self._damaged(f'"{key}" has a shape that is not one')
            return np.zeros(shape, kind)
        if "chunks" in entry:
            return self._inflated(key, entry, kind, shape)
        place: Any = entry.get("at")
        if not _whole_numbers([place]) or place + length > self.size:
            raise self._damaged(f'"{key}" ({length} bytes) reaches beyond its end')
        array = np.empty(shape, kind)
        target = _bytes_of(array)
        self.stream.seek(place)
        done = 0
        while done < length:
            count = self.stream.readinto(target[done : done + _BLOCK])  # type: ignore[attr-defined]
            if not count:
                raise self._damaged(f'"{key}" ends early')
            done += count
        return array

    def _inflated(self, key: str, entry: dict[str, Any], kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        """A compressed array: deflated pieces with their bytes shuffled."""
        piece: Any = entry.get("chunk")
        chunks: Any = entry["chunks"]
        bad = self._damaged(f'the pieces of "{key}" do not fit together')
        if not _whole_numbers(piece) or len(piece) != len(shape) or min(piece, default=0) < 1 or not isinstance(chunks, list):
            raise bad
        if len(chunks) != math.prod(-(-a // b) for a, b in zip(shape, piece, strict=True)):
            raise bad
        length = math.prod(piece) * kind.itemsize
        lengths = 0
        for chunk in chunks:
            if not isinstance(chunk, list) or len(chunk) != 4 or not _whole_numbers(chunk[0]) or not _whole_numbers(chunk[1:]):
                raise bad
            if len(chunk[0]) != len(shape) or chunk[2] + chunk[3] > self.size or length > _INFLATION * (chunk[3] + 1):
                raise bad
            lengths += chunk[3]
        if lengths > self.size:  # pieces do not overlap
            raise bad
        array = np.zeros(shape, kind)
        for first, left_out, place, size in chunks:
            self.stream.seek(place)
            data = self.stream.read(size)
            if not left_out & 2:
                try:
                    data = zlib.decompressobj().decompress(data, length + 1)
                except zlib.error:
                    raise self._damaged(f'"{key}" cannot be inflated') from None
            if len(data) != length:
                raise bad
            values = np.frombuffer(data, np.uint8)
            if not left_out & 1:
                values = np.ascontiguousarray(values.reshape(kind.itemsize, -1).T)
            whole = values.reshape(-1).view(kind).reshape(piece)
            into = tuple(slice(i, min(i + n, m)) for i, n, m in zip(first, piece, shape, strict=True))
            if any(part.start >= m for part, m in zip(into, shape, strict=True)):
                raise bad
            array[into] = whole[tuple(slice(part.stop - part.start) for part in into)]
        return array

    def _damaged(self, why: str) -> StorageError:
        return StorageError(f"{self.called} is damaged or was cut short: {why}")


def _whole_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(v, int) and not isinstance(v, bool) and 0 <= v < 2**62 for v in values)


def _bytes_of(array: NDArray[Any]) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def write_arrays(stream: BinaryIO, arrays: Mapping[str, NDArray[Any]]) -> dict[str, int | Chunks | None]:
    """One array after the other; returns where they begin."""
    places: dict[str, int | Chunks | None] = {}
    for key, array in arrays.items():
        places[key] = stream.tell() if array.size else None
        stream.write(_bytes_of(stored_form(array)))
    return places

