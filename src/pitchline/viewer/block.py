"""The block of data that a page reads: a head of plain data and arrays behind it.

    8 bytes  "PLVIEW1" and a zero
    uint32   length of the head (little endian, as everything)
    head     UTF-8 JSON, padded with blanks to a multiple of 8 bytes
    arrays   each padded to 8 bytes, as planes of bytes: all first bytes, then all second ones, which gzip packs twice as well
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Block"]

MAGIC = b"PLVIEW1\0"
DTYPES = ("f8", "f4", "i1", "i2", "u2", "u4")


class Block:
    """Collects arrays and writes them behind the head. Equal arrays are kept once."""

    def __init__(self) -> None:
        self.arrays: dict[str, dict[str, Any]] = {}
        self.parts: list[bytes] = []
        self.size = 0
        self._known: dict[tuple[bytes, str, tuple[int, ...]], int] = {}

    def add(self, name: str, values: ArrayLike, dtype: str) -> str:
        """Keep an array under a name that is not yet taken; returns the name."""
        if name in self.arrays or dtype not in DTYPES:
            raise ValueError(f'block: array "{name}" is there already' if name in self.arrays else f"block: no type {dtype!r}")
        data = np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<"))
        planes = data.reshape(-1, 1).view("u1") if data.size else np.zeros((0, 1), "u1")
        raw = np.ascontiguousarray(planes.T).tobytes()
        key = (raw, dtype, data.shape)
        offset = self._known.get(key)
        if offset is None:
            offset = self._known[key] = self.size
            raw += b"\0" * (-len(raw) % 8)
            self.parts.append(raw)
            self.size += len(raw)
        self.arrays[name] = {"dtype": dtype, "shape": list(data.shape), "offset": offset}
        return name

    def bytes(self, head: dict[str, Any]) -> bytes:
        """The whole block."""
        text = json.dumps({**head, "arrays": self.arrays}, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-(len(MAGIC) + 4 + len(text)) % 8)
        return MAGIC + struct.pack("<I", len(text)) + text + b"".join(self.parts)
