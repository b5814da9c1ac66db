"""Solid grids as input files (.inp) for Abaqus and CalculiX.

The file contains nodes, elements and node sets. The element faces of a node set form a surface of the same name. If a
material
is given, the file contains material and section. Names are in capitals with underscores: "left flank" is LEFT_FLANK.
Data
lines have at most sixteen entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np
import numpy.typing as npt

from ..disk.atomic import atomic_file
from ..errors import ModelError, shown
from ..gears import Material
from .triangles import outer_faces, solid_of

if TYPE_CHECKING:
    from ..fem.sector_grid import SectorGrid
    from ..fem.solid_grid import SolidGrid

__all__ = ["INP_UNITS", "set_name", "write_inp"]

INP_UNITS = {
    "mm": (1e3, 1e-6, 1e-12, "mm, t, s, N, MPa"),
    "m": (1.0, 1.0, 1.0, "m, kg, s, N, Pa"),
}
"""Factors of length, stress and density, and the text about units in the file."""

_ELEMENTS = {8: ("C3D8", "C3D8I", "C3D8R"), 20: ("C3D20", "C3D20R")}
_ENTRIES = 16


def write_inp(
    path: str | Path,
    grid: SolidGrid | SectorGrid,
    *,
    material: Material | None = None,
    element: str | None = None,
    units: str = "mm",
    steps: str = "",
    overwrite: bool = False,
) -> Path:
    """Write a grid as an .inp file; return its path.

    Parameters
    ----------
    path, grid
        File name and grid. Nodes and elements are numbered from 1 in the order of the grid.
    material
        Adds *MATERIAL and *SOLID SECTION.
    element
        "C3D8", "C3D8I" (incompatible modes) or "C3D8R" for a grid with 8 nodes per element, "C3D20" or "C3D20R" for 20
        nodes.
        Default: C3D8I and C3D20.
    units
        "mm": mm, t, s, with forces in N and stresses in MPa; "m": SI units.
    steps
        Text at the end of the file, e.g. boundary conditions and steps, so that the file can be run without changes.
    overwrite
        Whether to replace an existing file. The file is written completely or not at all.
    """
    solid = solid_of(grid)
    if units not in INP_UNITS:
        raise ModelError(f'.inp file: units must be "mm" (mm, t, s) or "m" (m, kg, s), got {shown(units)}')
    each = solid.elements.shape[1]
    kind = element or ("C3D8I" if each == 8 else "C3D20")
    if kind not in _ELEMENTS[each]:
        raise ModelError(
            f".inp file: the elements have {each} nodes, element must be one of {', '.join(_ELEMENTS[each])}, got {shown(element)}"
        )
    names = _names(solid.node_sets)
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("w", encoding="ascii", errors="replace", newline="\n") as out:
            _write(out, solid, kind, names, material, units)
            if steps:
                out.write(steps.rstrip("\n") + "\n")
        written = target
    return written


def set_name(name: str) -> str:
    """Valid name for Abaqus and CalculiX: capitals, digits and underscores, a letter first, at most 80 characters."""
    text = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_")
    return (text if text[:1].isalpha() else f"SET_{text}")[:80]


def _names(names: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        short = set_name(name)
        if short in found.values() or short in ("NALL", "EALL"):
            raise ModelError(
                f'.inp file: the node set "{name}" would get the name {short}, which is already in use. Rename it'
            )
        found[name] = short
    return found


def _write(
    out: TextIO, solid: SolidGrid, kind: str, names: dict[str, str], material: Material | None, units: str
) -> None:
    scale, stress, density, words = INP_UNITS[units]
    elements = np.asarray(solid.elements, dtype=np.int64) + 1
    out.write(f"** pitchline: {len(solid.nodes)} nodes, {len(elements)} elements; units: {words}\n")
    out.write("*NODE, NSET=NALL\n")
    for number, (x, y, z) in enumerate((scale * np.asarray(solid.nodes, dtype=np.float64)).tolist(), start=1):
        out.write(f"{number}, {x:.12e}, {y:.12e}, {z:.12e}\n")
    out.write(f"*ELEMENT, TYPE={kind}, ELSET=EALL\n")
    for number, row in enumerate(elements.tolist(), start=1):
        entries = [number, *row]
        # a comma at the end of a line means that the element continues
        out.write(", ".join(map(str, entries[:_ENTRIES])))
        out.write(",\n" + ", ".join(map(str, entries[_ENTRIES:])) + "\n" if len(entries) > _ENTRIES else "\n")
    faces, owner, side = outer_faces(np.asarray(solid.elements, dtype=np.int64))
    for name, nodes in solid.node_sets.items():
        numbers = np.asarray(nodes, dtype=np.int64)
        out.write(f"*NSET, NSET={names[name]}\n")
        for part in _lines(np.unique(numbers) + 1):
            out.write(", ".join(map(str, part)) + "\n")
        inside = np.zeros(len(solid.nodes), dtype=bool)
        inside[numbers] = True
        covered = np.flatnonzero(inside[faces].all(axis=1))
        if len(covered):
            out.write(f"*SURFACE, NAME={names[name]}, TYPE=ELEMENT\n")
            out.writelines(f"{owner[f] + 1}, S{side[f] + 1}\n" for f in covered.tolist())
    if material is not None:
        title = set_name(material.name)
        out.write(f"*MATERIAL, NAME={title}\n*ELASTIC\n")
        out.write(f"{stress * material.youngs_modulus:.12e}, {material.poissons_ratio:.12g}\n")
        out.write(f"*DENSITY\n{density * material.density:.12e}\n")
        out.write(f"*SOLID SECTION, ELSET=EALL, MATERIAL={title}\n")


def _lines(numbers: npt.NDArray[np.int64]) -> Iterator[list[int]]:
    values = numbers.tolist()
    for start in range(0, len(values), _ENTRIES):
        yield values[start : start + _ENTRIES]
