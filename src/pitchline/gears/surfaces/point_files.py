"""Points of flanks in files: by the ending of the name. Text is read here, STL by `solids`, CAD files by a registered reader."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ...disk.flank_reader import flank_reader
from ...errors import ModelError, Subject, shown
from ...solids.stl_file import read_stl
from .flank_faces import flank_of_faces
from .point_grid import FlankPointSet, unit_of
from .point_text import read_point_text
from .tooth_coordinates import ToothCoordinates

__all__ = ["CAD_ENDINGS", "TEXT_ENDINGS", "read_flank_file"]

TEXT_ENDINGS = (".csv", ".txt", ".dat", ".asc", ".xyz", ".pts", ".tsv")
CAD_ENDINGS = (".step", ".stp", ".p21")
_GDE = (".gde", ".xml")


def read_flank_file(
    path: str | os.PathLike[str], *, unit: object, what: Subject, coordinates: ToothCoordinates, side: str
) -> FlankPointSet:
    """Points of a file [m]. unit: of its lengths, None if the file contains it.

    Of the faces of a CAD file those of the flank of tooth 0 on this side are used.
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending in TEXT_ENDINGS:
        return read_point_text(file, unit, what)
    if ending == ".stl":
        if unit is None:
            raise ModelError(
                f'{what}: "{file}": STL files do not contain a unit of length. Specify it, such as unit="mm"',
                about=what.at("unit"),
            )
        mesh = read_stl(file, what)
        points = np.unique(mesh.vertices.astype(np.float64), axis=0) * unit_of(unit, what)
        return FlankPointSet(points, file.name)
    if ending in CAD_ENDINGS:
        if unit is not None:
            raise ModelError(
                f'{what}: "{file}": STEP files contain their unit of length. Leave out unit', about=what.at("unit")
            )
        return FlankPointSet(
            flank_of_faces(flank_reader()(file), coordinates, side, what / shown(file.name)), file.name
        )
    if ending in _GDE:
        raise ModelError(
            f'{what}: "{file}": files of the gear data exchange format (VDI/VDE 2610) are not supported. Export the points of '
            "the flank as a table of row, line, x, y, z (CSV)",
            about=what,
        )
    raise ModelError(
        f"{what}: {shown(str(file))}: the ending of the name must be one of {', '.join((*TEXT_ENDINGS, '.stl', *CAD_ENDINGS))}",
        about=what,
    )
