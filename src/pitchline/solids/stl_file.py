"""Reading of STL files, binary and as text.

Binary: 80 bytes of heading, the number of triangles (uint32), then 50 bytes a triangle: normal, three corners (float32) and two
bytes without meaning. Text: "solid", then for each triangle "facet normal", "outer loop", three lines "vertex x y z", "endloop"
and "endfacet". Some programs begin binary files with "solid" too, so the length decides. Normals are not read: they follow
from the order of the corners.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, Subject, shown
from .triangle_mesh import MOST_TRIANGLES, TriangleMesh

__all__ = ["read_stl"]

_HEADING = 84
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
_MOST_BYTES = 1000 * MOST_TRIANGLES
"""A triangle as text takes about 300 bytes."""


def read_stl(path: str | os.PathLike[str], what: Subject) -> TriangleMesh:
    """Read the surface of a file. A ModelError states the problem and its location in the file."""
    name = Path(path).name
    try:
        size = os.path.getsize(path)
        if size > _MOST_BYTES:
            raise ModelError(f"{what}: {shown(name)} has {size / 1e6:.0f} MB, {_too_many()}", about=what)
        data = Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"{what}: {shown(name)} cannot be read: {error.strerror or error}", about=what) from None
    try:
        corners = _text(data) if _is_text(data) else _binary(data)
        bad = np.nonzero(~np.isfinite(corners).all(axis=(1, 2)))[0]
        if len(bad):
            raise ValueError(f"triangle {bad[0] + 1} of {len(corners)} has a corner that is not a finite number")
        if float(np.abs(corners).max()) > 1e30:
            raise ValueError("a corner is farther than 1e30 from the origin")
    except ValueError as error:
        raise ModelError(f"{what}: {shown(name)}: {error}", about=what) from None
    mesh = TriangleMesh.from_corners(corners)
    if not len(mesh.triangles):
        raise ModelError(f"{what}: {shown(name)}: no triangle has an area", about=what)
    return mesh


def _too_many() -> str:
    return f"more than {MOST_TRIANGLES:,} triangles can have. Export it with a coarser tolerance"


def _is_text(data: bytes) -> bool:
    if len(data) >= _HEADING and len(data) == _HEADING + 50 * int.from_bytes(data[80:84], "little"):
        return False
    return data.lstrip()[:5].lower() == b"solid" and b"facet" in data[:2000].lower()


def _binary(data: bytes) -> npt.NDArray[np.float32]:
    if len(data) < _HEADING:
        raise ValueError(f"is not an STL file: it has {len(data)} bytes, but the heading has {_HEADING}")
    count = int.from_bytes(data[80:84], "little")
    expected = _HEADING + 50 * count
    if len(data) != expected:
        raise ValueError(
            f"is not an STL file, or is damaged: at byte 80 it specifies {count:,} triangles, which require "
            f"{expected:,} bytes, but it has "
            f"{len(data):,}"
        )
    if not count:
        raise ValueError("has no triangles")
    if count > MOST_TRIANGLES:
        raise ValueError(
            f"has {count:,} triangles, but at most {MOST_TRIANGLES:,} are supported. Export it with a coarser tolerance"
        )
    found: npt.NDArray[np.float32] = np.frombuffer(data, _RECORD, offset=_HEADING)["corners"].astype(np.float32)
    return found


def _text(data: bytes) -> npt.NDArray[np.float32]:
    numbers: list[float] = []
    open_at, ended = 0, False
    for n, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        first = words[0].lower() if words else ""
        if first == "vertex":
            numbers += _vertex(words, n)
            if len(numbers) > 9 * MOST_TRIANGLES:
                raise ValueError(f"line {n}: {_too_many()}")
        elif first == "facet":
            if open_at:
                raise ValueError(f'line {n}: a facet begins, but that of line {open_at} has no "endfacet"')
            open_at, before = n, len(numbers)
        elif first == "endfacet":
            if not open_at or len(numbers) - before != 9:
                count = (len(numbers) - before) // 3 if open_at else 0
                raise ValueError(f"line {n}: a facet ends with {count} vertices instead of 3")
            open_at = 0
        elif first == "endsolid":
            ended = True
        elif first not in ("", "solid", "outer", "endloop"):
            raise ValueError(f"line {n}: {shown(line.strip())} does not belong in an STL file")
    if open_at or not ended:
        where = f"the facet of line {open_at} is not closed" if open_at else 'there is no "endsolid"'
        raise ValueError(f"the file is cut off: {where}")
    if not numbers:
        raise ValueError("has no triangles")
    return np.array(numbers, dtype=np.float64).astype(np.float32).reshape(-1, 3, 3)


def _vertex(words: list[str], n: int) -> list[float]:
    try:
        values = [float(word) for word in words[1:]]
    except ValueError:
        values = []
    if len(values) != 3 or not all(math.isfinite(value) and abs(value) < 1e30 for value in values):
        raise ValueError(f'line {n}: expected "vertex" and three numbers, got {shown(" ".join(words))}')
    return values
