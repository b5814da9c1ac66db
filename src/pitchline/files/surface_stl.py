"""Surfaces as binary STL files: for CAD, 3D printing and grid generators.

Header of 80 bytes, number of triangles, then for each triangle its unit normal, its three corners (Float32) and two
unused
bytes. STL files have no unit; most programs assume millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..disk.atomic import atomic_file
from ..errors import ModelError, shown
from .triangles import Triangles, skin

if TYPE_CHECKING:
    from ..fem.sector_grid import SectorGrid
    from ..fem.solid_grid import SolidGrid

__all__ = ["STL_UNITS", "write_stl"]

STL_UNITS = {"mm": 1e3, "m": 1.0}

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])


def write_stl(
    path: str | Path,
    surface: Triangles | SolidGrid | SectorGrid | Sequence[Triangles | SolidGrid | SectorGrid],
    *,
    units: str = "mm",
    overwrite: bool = False,
) -> Path:
    """Write a surface, or the outer surface of a solid grid, as a binary STL file; return its path.

    Several surfaces become separate closed bodies in one file. units: "mm" or "m". The file is written completely or
    not at all.
    It replaces an existing file only with overwrite=True.
    """
    if units not in STL_UNITS:
        raise ModelError(f'STL file: units must be "mm" or "m", got {shown(units)}')
    given = surface if isinstance(surface, Sequence) else [surface]
    bodies = [body if isinstance(body, Triangles) else skin(body) for body in given]
    if not bodies:
        raise ModelError("STL file: nothing to write. Specify a surface or a grid")
    records = np.zeros(sum(len(body.triangles) for body in bodies), dtype=_RECORD)
    start = 0
    for body in bodies:
        part = records[start : start + len(body.triangles)]
        part["normal"] = body.face_normals
        part["corners"] = STL_UNITS[units] * body.points[body.triangles]
        start += len(body.triangles)
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("wb") as out:
            out.write(f"pitchline surface, lengths in {units}".encode().ljust(80))
            out.write(np.uint32(len(records)).astype("<u4").tobytes())
            out.write(records.tobytes())
        written = target
    return written
