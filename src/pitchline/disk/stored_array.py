"""Array in a sealed file that is read on demand: completely, or some rows.

All returned data was compared with the checksum of the array. When rows are read for the first time, the checksum of
the whole
array is computed, in blocks that are not kept. After that, single rows are read, as long as the file does not change.
"""

from __future__ import annotations

import hashlib
import math
import threading
import zlib
from collections import OrderedDict
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import StorageError

__all__ = ["ArrayFile", "KeptArrays", "StoredArray", "array_digest", "bytes_of", "stored_form", "whole_numbers"]

_TYPES = {"<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1", "<c16"}
_MOST_DIMENSIONS = 8
_INFLATION = 1040
"""Deflate expands one byte to at most 1032 bytes."""
_BLOCK = 1 << 20
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
        many = max(_BLOCK // max(row, 1), 1)
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
        aside = np.empty(min(_BLOCK, self.nbytes), np.uint8)
        for first, last, wanted in ((0, start, False), (start, stop, True), (stop, self.nbytes, False)):
            for a in range(first, last, _BLOCK):
                b = min(a + _BLOCK, last)
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
