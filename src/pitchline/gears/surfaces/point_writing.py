"""Points of flanks as text files, which `Teeth.from_points` reads."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ...arguments import names_wrong_arguments
from ...disk.atomic import write_text
from ...errors import ModelError, Subject
from ..inputs import whole
from .from_gears import surface_teeth
from .point_files import TEXT_ENDINGS
from .point_grid import unit_of

__all__ = ["write_flank_points"]

_WHAT = Subject("write_flank_points")


@names_wrong_arguments
def write_flank_points(
    path: str | os.PathLike[str],
    teeth: object,
    side: str,
    *,
    rows: object = 33,
    lines: object = 17,
    tooth: object = 0,
    unit: object = "mm",
    overwrite: bool = False,
) -> Path:
    """Write points and normals of a flank as a text file (CSV); return its path. `Teeth.from_points` reads it.

    Parameters
    ----------
    path
        Its name ends in .csv, .txt, .dat, .asc, .xyz, .pts or .tsv.
    teeth
        A `Gear`, a `Rack`, `Teeth`, `BevelTeeth` or `SurfaceTeeth`.
    side
        "left" or "right".
    rows, lines
        Number of points from root to tip, and along the face.
    tooth
        Number of the tooth.
    unit
        Of the lengths.
    overwrite
        True replaces an existing file.
    """
    file = Path(path)
    if file.suffix.lower() not in TEXT_ENDINGS:
        raise ModelError(
            f'{_WHAT}: "{file}": the name must end in one of {", ".join(TEXT_ENDINGS)}', about=_WHAT.at("path")
        )
    factor = unit_of(unit, _WHAT)
    surfaces = surface_teeth(teeth)
    n = whole(rows, _WHAT / "rows", at_least=2, at_most=2000)
    m = whole(lines, _WHAT / "lines", at_least=2, at_most=2000)
    k = whole(tooth, _WHAT / "tooth", at_least=0, at_most=surfaces.gear.teeth - 1)
    u, v = np.linspace(0.0, 1.0, n), np.linspace(0.0, 1.0, m)
    points = surfaces.points(side, n, m, tooth=k) / factor
    normals = surfaces.flank(side, k).normal(u[:, None], v) @ surfaces.step.rotation(k).T
    text = [f"row,line,x [{unit}],y [{unit}],z [{unit}],nx,ny,nz"]
    for i in range(n):
        for j in range(m):
            numbers = ",".join(repr(float(x)) for x in (*points[i, j], *normals[i, j]))
            text.append(f"{i},{j},{numbers}")
    return write_text(file, "\n".join(text) + "\n", overwrite=overwrite)
