"""Arrays in sealed files that are read on demand, and the seal with the checksums.

All returned data was compared with the checksum of the array. When rows are read for the first time, the checksum of
the whole
array is computed, in blocks that are not kept. After that, single rows are read, as long as the file does not change.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import math
import os
import threading
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from .free_names import StorageError

__all__ = [
    "ArrayFile",
    "KeptArrays",
    "StoredArray",
    "array_digest",
    "bytes_of",
    "stored_form",
    "whole_numbers",
    "MAGIC",
    "Chunks",
    "Sealed",
    "has_seal",
    "seal_bytes",
    "source_digest",
    "text_digest",
    "write_arrays",
]


_TYPES = {"<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1", "<c16"}
_MOST_DIMENSIONS = 8
_INFLATION = 1040
"""Deflate expands one byte to at most 1032 bytes."""
_BLOCK_stored_array = 1 << 20
"""Bytes per block of the checksum; the block is still in the processor cache."""
_APART = 1 << 15
"""If the distance between two rows is larger [bytes], each row is read separately."""
_UNSHUFFLED, _PLAIN = 1, 2
"""Bits of the filters that were skipped for a piece."""

_Piece = tuple[tuple[int, ...], int, int, int]
"""First index, skipped filters, place, length."""


def stored_form(array: NDArray[Any] | StoredArray) -> NDArray[Any]:
    """Stored form of an array: little endian, row by row."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(np.shape(array))


def array_digest(array: NDArray[Any] | StoredArray) -> str:
    """SHA-256 of type, shape and bytes of an array, in stored form."""
    array = stored_form(array)
    digest = _begun(array.dtype, array.shape)
    digest.update(bytes_of(array))
    return digest.hexdigest()


def bytes_of(array: NDArray[Any]) -> memoryview:
    """The memory of a contiguous array."""
    return array.reshape(-1).view(np.uint8).data


def whole_numbers(values: Any) -> bool:
    """Whether these numbers are valid places and sizes."""
    return isinstance(values, list) and all(
        isinstance(v, int) and not isinstance(v, bool) and 0 <= v < 2**62 for v in values
    )


def _begun(kind: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    return hashlib.sha256(f"{kind.str} {shape} ".encode())


class ArrayFile(Protocol):
    """Source of the bytes."""

    size: int
    kept: KeptArrays

    def read_into(self, place: int, target: memoryview, key: str) -> None: ...

    def damaged(self, why: str) -> StorageError: ...


class KeptArrays:
    """Cache of the arrays that were read last, up to a number of bytes; the newest array is always kept."""

    def __init__(self, most_bytes: int = 256_000_000) -> None:
        self._most = most_bytes
        self._arrays: OrderedDict[str, NDArray[Any]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> NDArray[Any] | None:
        """The array, if it is still in the cache."""
        with self._lock:
            if key in self._arrays:
                self._arrays.move_to_end(key)
            return self._arrays.get(key)

    def put(self, key: str, array: NDArray[Any]) -> None:
        """Store an array; remove the oldest ones."""
        with self._lock:
            self._arrays[key] = array
            while len(self._arrays) > 1 and sum(held.nbytes for held in self._arrays.values()) > self._most:
                self._arrays.popitem(last=False)

    def clear(self) -> None:
        """Remove all arrays."""
        with self._lock:
            self._arrays.clear()


class StoredArray:
    """One array of a file, described by its entry in the table of contents; sizes and places are checked immediately.

    shape, dtype, ndim, size, nbytes: as for an array
    """

    def __init__(self, file: ArrayFile, key: str, entry: Any) -> None:
        if not isinstance(entry, dict):
            raise file.damaged(f'"{key}" is missing')
        kind, shape = entry.get("type"), entry.get("shape")
        if not isinstance(kind, str) or kind not in _TYPES:
            raise file.damaged(f'"{key}" has a type that is not supported')
        if not isinstance(shape, list) or not whole_numbers(shape) or len(shape) > _MOST_DIMENSIONS:
            raise file.damaged(f'"{key}" has an invalid shape')
        self.file, self.key = file, key
        self.dtype: np.dtype[Any] = np.dtype(kind)
        self.shape: tuple[int, ...] = tuple(shape)
        self._digest = entry.get("sha256")
        self._checked = False
        self._place = 0
        self._pieces: list[_Piece] | None = None
        self._piece: tuple[int, ...] = ()
        if not self.nbytes:
            if max(shape, default=0) > file.size:
                raise file.damaged(f'"{key}" has an invalid shape')
        elif "chunks" in entry:
            self._pieces = self._layout(entry.get("chunk"), entry["chunks"])
        else:
            place = entry.get("at")
            if not isinstance(place, int) or not whole_numbers([place]) or place + self.nbytes > file.size:
                raise file.damaged(f'"{key}" ({self.nbytes} bytes) extends beyond the end of the file')
            self._place = place

    # --- as an array -------------------------------------------------------------------------------

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.read(), dtype=dtype)

    # --- reading -----------------------------------------------------------------------------------

    def read(self) -> NDArray[Any]:
        """The whole array; not cached."""
        if self._pieces is None:
            return self._bytes(0, self.nbytes).view(self.dtype).reshape(self.shape)
        array = self._inflated(self._pieces)
        if not self._checked:
            self._check(array_digest(array))
        return array

    def values(self) -> NDArray[Any]:
        """The whole array, read-only; cached with the arrays of the file that were used last."""
        held = self.file.kept.get(self.key)
        if held is None:
            held = self.read()
            held.flags.writeable = False
            self.file.kept.put(self.key, held)
        return held

    def rows(self, start: int, stop: int) -> NDArray[Any]:
        """Rows start <= i < stop, read-only. Compressed arrays are cached completely, because inflating them takes
        longest."""
        held = self.file.kept.get(self.key) if self._pieces is None else self.values()
        if held is not None:
            return held[start:stop]
        row = math.prod(self.shape[1:]) * self.dtype.itemsize
        stop = max(start, stop)
        found = self._bytes(start * row, stop * row).view(self.dtype).reshape(stop - start, *self.shape[1:])
        found.flags.writeable = False
        return found

    def every(self, start: int, stop: int, step: int) -> NDArray[Any]:
        """Rows start, start + step, … below stop; only these are kept in memory."""
        held = self.file.kept.get(self.key) if self._pieces is None else self.values()
        if held is not None:
            return held[start:stop:step].copy()
        row = math.prod(self.shape[1:]) * self.dtype.itemsize
        wanted = range(start, stop, step)
        found = np.empty((len(wanted), *self.shape[1:]), self.dtype)
        if self._checked and step * row > _APART:
            for k, i in enumerate(wanted):
                self.file.read_into(self._place + i * row, bytes_of(found[k : k + 1]), self.key)
            return found
        begin, end = (start, stop) if self._checked else (0, self.shape[0])
        digest, checked = _begun(self.dtype, self.shape), self._checked
        many = max(_BLOCK_stored_array // max(row, 1), 1)
        block = np.empty((min(many, max(end - begin, 0)), *self.shape[1:]), self.dtype)
        for first in range(begin, end, many):
            here = block[: end - first]
            self.file.read_into(self._place + first * row, bytes_of(here), self.key)
            if not checked:
                digest.update(bytes_of(here))
            before = len(range(start, first, step))  # requested rows of earlier blocks
            picked = range(start + before * step, min(stop, first + len(here)), step)
            if picked:
                found[before : before + len(picked)] = here[picked[0] - first : picked[-1] - first + 1 : step]
        if not checked:
            self._check(digest.hexdigest())
        return found

    def _bytes(self, start: int, stop: int) -> NDArray[np.uint8]:
        """Bytes of a plain array; the first time, the checksum of all bytes is computed."""
        found = np.empty(stop - start, np.uint8)
        if self._checked:
            self.file.read_into(self._place + start, found.data, self.key)
            return found
        digest = _begun(self.dtype, self.shape)
        aside = np.empty(min(_BLOCK_stored_array, self.nbytes), np.uint8)
        for first, last, wanted in ((0, start, False), (start, stop, True), (stop, self.nbytes, False)):
            for a in range(first, last, _BLOCK_stored_array):
                b = min(a + _BLOCK_stored_array, last)
                block = found[a - start : b - start] if wanted else aside[: b - a]
                self.file.read_into(self._place + a, block.data, self.key)
                digest.update(block.data)
        self._check(digest.hexdigest())
        return found

    def _check(self, digest: str) -> None:
        if digest != self._digest:
            raise self.file.damaged(f'the checksum of "{self.key}" is wrong')
        self._checked = True

    # --- compressed arrays: deflated pieces with their bytes shuffled --------------------------------

    def _layout(self, piece: Any, pieces: Any) -> list[_Piece]:
        """Check that the pieces are unique, within the file, and of sizes that their bytes can contain."""
        bad = self.file.damaged(f'the pieces of "{self.key}" are inconsistent')
        if (
            not whole_numbers(piece)
            or len(piece) != self.ndim
            or min(piece, default=0) < 1
            or not isinstance(pieces, list)
        ):
            raise bad
        counts = [-(-a // b) for a, b in zip(self.shape, piece, strict=True)]
        if len(pieces) != math.prod(counts):
            raise bad
        length = math.prod(piece) * self.dtype.itemsize
        found: dict[tuple[int, ...], _Piece] = {}
        for one in pieces:
            if not isinstance(one, list) or len(one) != 4 or not whole_numbers(one[0]) or not whole_numbers(one[1:]):
                raise bad
            first, left_out, place, size = tuple(one[0]), *one[1:]
            if len(first) != self.ndim or place + size > self.file.size or length > _INFLATION * (size + 1):
                raise bad
            if any(i % n or i >= m for i, n, m in zip(first, piece, self.shape, strict=True)):
                raise bad
            found[first] = (first, left_out, place, size)
        # each place of the array has one piece, and pieces do not overlap
        if len(found) != len(pieces) or sum(size for *_, size in found.values()) > self.file.size:
            raise bad
        self._piece = tuple(piece)
        return list(found.values())

    def _inflated(self, pieces: list[_Piece]) -> NDArray[Any]:
        array = np.empty(self.shape, self.dtype)
        length = math.prod(self._piece) * self.dtype.itemsize
        for first, left_out, place, size in pieces:
            packed = np.empty(size, np.uint8)
            self.file.read_into(place, packed.data, self.key)
            data: Any = packed
            if not left_out & _PLAIN:
                try:
                    data = zlib.decompressobj().decompress(packed.data, length + 1)
                except zlib.error:
                    raise self.file.damaged(f'"{self.key}" cannot be inflated') from None
            if len(data) != length:
                raise self.file.damaged(f'the pieces of "{self.key}" are inconsistent')
            values = np.frombuffer(data, np.uint8)
            if not left_out & _UNSHUFFLED:
                values = np.ascontiguousarray(values.reshape(self.dtype.itemsize, -1).T)
            whole = values.reshape(-1).view(self.dtype).reshape(self._piece)
            into = tuple(slice(i, min(i + n, m)) for i, n, m in zip(first, self._piece, self.shape, strict=True))
            array[into] = whole[tuple(slice(part.stop - part.start) for part in into)]
        return array


# ---- seal

# Seal: a table of contents with checksums at the end of a file, from which its arrays are read.
#
# layout    ... content with the bytes of the arrays ..., table of contents (JSON), length of the table (8 bytes,
#           little endian), SHA-256 of the table (32 bytes), `MAGIC` (16 bytes)
# table     kind: kind of file; head: plain data; arrays: key -> type, shape, place in the file, SHA-256
#
# The content before the table is not interpreted here. In result files and gear files it is HDF5, for other programs;
# HDF5 readers ignore bytes after the end of the HDF5 file. Reading through the seal needs no library that interprets
# the file. Every size is checked against the file before memory is allocated, and all returned bytes are checked
# against their checksum.

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


_PACKAGE = Path(__file__).parents[2]


@functools.cache
def source_digest(*folders: str) -> str:
    """Hash of the source code in folders of the package, such as "fem": results of another method have other keys."""
    digest = hashlib.sha256()
    for folder in folders:
        sources = sorted((_PACKAGE / folder).rglob("*.py"))
        if not sources:
            raise ValueError(f'"{folder}" is not a folder of the package with source code')
        for source in sources:
            digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()
