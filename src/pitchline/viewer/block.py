"""The block of data that a page reads: a head of plain data and arrays behind it.

    8 bytes  "PLVIEW1" and a zero
    uint32   length of the head (little endian, as everything)
    head     UTF-8 JSON, padded with blanks to a multiple of 8 bytes
    arrays   each padded to 8 bytes, as planes of bytes: all first bytes, then all second ones, which gzip packs twice as well

Arrays over time (`add_columns`) are kept component by component, each value as the difference of its bits from the one
before: a sixth less after gzip. Poses and the signals they come from are then the same bytes and kept once.
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Block"]

MAGIC = b"PLVIEW1\0"
DTYPES = ("f8", "f4", "i1", "i2", "u2", "u4")


class Block:
    """Collects arrays and writes them behind the head. Equal arrays are kept once."""

    def __init__(self) -> None:
        self.arrays: dict[str, dict[str, Any]] = {}
        self.parts: list[bytes] = []
        self.size = 0
        self._known: dict[bytes, int] = {}

    def add(self, name: str, values: ArrayLike, dtype: str) -> str:
        """Keep an array under a name that is not yet taken; returns the name."""
        if dtype not in DTYPES:
            raise ValueError(f"block: no type {dtype!r}")
        data = np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<"))
        return self._keep(name, data, {"dtype": dtype, "shape": list(data.shape)})

    def add_columns(self, name: str, values: ArrayLike) -> str:
        """Keep an array (n, …) over time as Float32; returns the name."""
        rows = np.asarray(values, dtype="<f4")
        width = math.prod(rows.shape[1:])
        bits = np.array(rows.reshape(len(rows), width).T, order="C").view("<u4")  # a copy: it is changed
        bits[:, 1:] -= bits[:, :-1].copy()
        return self._keep(name, bits, {"dtype": "f4", "shape": list(rows.shape), "coding": "columns"})

    def _keep(self, name: str, data: NDArray[Any], said: dict[str, Any]) -> str:
        if name in self.arrays:
            raise ValueError(f'block: array "{name}" is there already')
        planes = data.reshape(-1, 1).view("u1") if data.size else np.zeros((0, 1), "u1")
        raw = np.ascontiguousarray(planes.T).tobytes()
        offset = self._known.get(raw)
        if offset is None:
            offset = self._known[raw] = self.size
            raw += b"\0" * (-len(raw) % 8)
            self.parts.append(raw)
            self.size += len(raw)
        self.arrays[name] = {**said, "offset": offset}
        return name

    def array(self, name: str) -> NDArray[Any]:
        """An array that `add` keeps, as it is kept."""
        said = self.arrays[name]
        dtype, size = np.dtype(said["dtype"]).newbyteorder("<"), int(np.prod(said["shape"]))
        starts = np.cumsum([0, *(len(part) for part in self.parts)])
        raw = self.parts[int(np.searchsorted(starts, said["offset"]))]
        planes = np.frombuffer(raw, "u1", size * dtype.itemsize).reshape(dtype.itemsize, size)
        return np.ascontiguousarray(planes.T).view(dtype).reshape(said["shape"])

    def bytes(self, head: dict[str, Any]) -> bytes:
        """The whole block."""
        text = json.dumps({**head, "arrays": self.arrays}, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-(len(MAGIC) + 4 + len(text)) % 8)
        return MAGIC + struct.pack("<I", len(text)) + text + b"".join(self.parts)
