"""TriangleMesh: a surface of triangles, and the same as texts for descriptions and result files."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, shown
from .distinct_rows import distinct_rows

__all__ = ["MOST_TRIANGLES", "TriangleMesh"]

MOST_TRIANGLES = 200_000
"""Of one surface: it is kept in every result, about 10 bytes a triangle."""


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Corners and triangles, in the unit of the file they come from.

    vertices:  (n, 3) float32
    triangles: (m, 3) numbers of vertices, seen from outside against the clock
    """

    vertices: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.uint32]

    @classmethod
    def from_corners(cls, corners: npt.NDArray[np.float32]) -> TriangleMesh:
        """From three corners a triangle (m, 3, 3); equal ones become one vertex, triangles without area are left out."""
        flat = corners.reshape(-1, 3).astype(np.float32)
        flat[np.abs(flat) < 1e-7 * np.abs(flat).max()] = 0.0  # -0 too, and the noise of sines where others write 0
        first, index = distinct_rows(flat)
        triangles = index.reshape(-1, 3)
        a, b, c = triangles.T
        kept = triangles[(a != b) & (b != c) & (c != a)]
        return cls(flat[first], kept.astype(np.uint32))

    def described(self) -> dict[str, Any]:
        """Plain data: numbers of vertices and triangles, and both as texts (little endian, deflated, base64)."""
        return {
            "count": [len(self.vertices), len(self.triangles)],
            "vertices": _text(self.vertices.astype("<f4")),
            "triangles": _text(self.triangles.astype("<u4")),
        }

    @classmethod
    def from_description(cls, data: Any) -> TriangleMesh:
        """The mesh that `described` gave. A result may come from anywhere: what does not fit is a ModelError."""
        try:
            n, m = (int(x) for x in data["count"])
            if not (0 < n <= 3 * MOST_TRIANGLES and 0 < m <= MOST_TRIANGLES):
                raise ValueError(f"{n} vertices and {m} triangles")
            vertices = np.frombuffer(_bytes(data["vertices"], 12 * n), "<f4").reshape(n, 3)
            triangles = np.frombuffer(_bytes(data["triangles"], 12 * m), "<u4").reshape(m, 3)
        except (KeyError, TypeError, ValueError, zlib.error, binascii.Error) as error:
            raise ModelError(f"the surface of a shape is damaged: {shown(str(error))}. Run the model again") from None
        if int(triangles.max()) >= n or not np.isfinite(vertices).all():
            raise ModelError(
                "the surface of a shape is damaged: a triangle refers to a vertex that does not exist. Run the model again"
            )
        return cls(vertices.astype(np.float32), triangles.astype(np.uint32))


def _text(values: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(values.tobytes(), 9)).decode("ascii")


def _bytes(text: str, size: int) -> bytes:
    """What a text holds, where that is `size` bytes; never more than that is unpacked."""
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(base64.b64decode(text, validate=True), size + 1)
    if len(raw) != size:
        raise ValueError(f"{len(raw)} bytes instead of {size}")
    return raw
