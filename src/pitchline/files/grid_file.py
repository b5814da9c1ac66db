"""Solid grids as files: input files (.inp) for Abaqus and CalculiX, and VTK files (.vtu).

The file contains nodes, elements and node sets. The element faces of a node set form a surface of the same name. If a
material
is given, the file contains material and section. Names are in capitals with underscores: "left flank" is LEFT_FLANK.
Data
lines have at most sixteen entries.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO
from xml.sax.saxutils import quoteattr

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.storage.free_names import atomic_file
from pitchline.base.types import IntArray
from pitchline.errors import ModelError, PitchlineError, shown
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.geometry.placement import Placement
from pitchline.parts.gears.triangles import Triangles, outer_faces, solid_of, write_stl

if TYPE_CHECKING:
    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.solid_grid import SolidGrid

__all__ = ["INP_UNITS", "set_name", "write_inp", "write_vtu", "GRID_FORMATS", "together", "write_grid"]


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


# ---- grid vtu

# Solid grids as VTK files (.vtu), for ParaView, PyVista and meshio.
#
# XML of type UnstructuredGrid, version 1.0. Arrays are compressed with zlib and written in base64, each as
#
# base64( [1, n, 0, n_z] as UInt64 ) base64( zlib(values) ) , n bytes in one block, n_z of them compressed,
#
# (VTK file formats, "XML file formats", as in the VTK user's guide). Readers accept blocks of any size.

_CELL_TYPES = {8: 12, 20: 25}
"""VTK_HEXAHEDRON and VTK_QUADRATIC_HEXAHEDRON; their node order is that of `SolidGrid`."""

_TYPES = {"f8": "Float64", "f4": "Float32", "i8": "Int64", "i4": "Int32", "u1": "UInt8"}


def write_vtu(
    path: str | Path,
    grid: SolidGrid | SectorGrid,
    *,
    point_data: Mapping[str, npt.ArrayLike] | None = None,
    cell_data: Mapping[str, npt.ArrayLike] | None = None,
    node_sets: Iterable[str] | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a grid as a .vtu file, in m; return its path.

    point_data: fields by name, one value per node (n,), or vectors (n, 3), e.g. displacements for the ParaView filter
    "Warp By Vector". cell_data: fields of the elements. Node sets of the grid, all or those in node_sets, become fields
    of
    0 and 1.
    The file is written completely or not at all. It replaces an existing file only with overwrite=True.
    """
    solid = solid_of(grid)
    n, m = len(solid.nodes), len(solid.elements)
    chosen = solid.node_sets if node_sets is None else {name: solid.node_set(name) for name in node_sets}
    on_points = {name: _member(nodes, n) for name, nodes in chosen.items()}
    for name, values in (point_data or {}).items():
        on_points[name] = _field(values, n, "nodes", name)
    on_cells = {name: _field(values, m, "elements", name) for name, values in (cell_data or {}).items()}
    with atomic_file(path, overwrite=overwrite) as (draft, target):
        with draft.open("w", encoding="ascii", errors="xmlcharrefreplace", newline="\n") as out:
            _write_grid_vtu(
                out, np.asarray(solid.nodes, np.float64), np.asarray(solid.elements, np.int64), on_points, on_cells
            )
        written = target
    return written


def _write_grid_vtu(
    out: TextIO,
    nodes: npt.NDArray[np.float64],
    elements: npt.NDArray[np.int64],
    on_points: Mapping[str, npt.NDArray],
    on_cells: Mapping[str, npt.NDArray],
) -> None:
    m, each = elements.shape
    out.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" ')
    out.write('header_type="UInt64" compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>\n')
    out.write(f'<Piece NumberOfPoints="{len(nodes)}" NumberOfCells="{m}">\n<Points>\n')
    _array(out, "Points", nodes)
    out.write("</Points>\n<Cells>\n")
    _array(out, "connectivity", elements.ravel())
    _array(out, "offsets", each * np.arange(1, m + 1, dtype=np.int64))
    _array(out, "types", np.full(m, _CELL_TYPES[each], dtype=np.uint8))
    out.write("</Cells>\n")
    for kind, fields in (("PointData", on_points), ("CellData", on_cells)):
        out.write(f"<{kind}>\n")
        for name, values in fields.items():
            _array(out, name, values)
        out.write(f"</{kind}>\n")
    out.write("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


def _array(out: TextIO, name: str, values: npt.NDArray) -> None:
    data = np.ascontiguousarray(values)
    kind = _TYPES[f"{data.dtype.kind}{data.dtype.itemsize}"]
    raw = data.astype(data.dtype.newbyteorder("<"), copy=False).tobytes()
    packed = zlib.compress(raw, 6)
    # empty arrays have no block
    header = np.array([1, len(raw), 0, len(packed)] if raw else [0, 0, 0], dtype="<u8").tobytes()
    components = f' NumberOfComponents="{data.shape[1]}"' if data.ndim == 2 else ""
    text = base64.b64encode(header).decode() + (base64.b64encode(packed).decode() if raw else "")
    out.write(f'<DataArray type="{kind}" Name={quoteattr(name)}{components} format="binary">\n{text}\n</DataArray>\n')


def _member(nodes: npt.ArrayLike, count: int) -> npt.NDArray:
    inside = np.zeros(count, dtype=np.uint8)
    inside[np.asarray(nodes, dtype=np.int64)] = 1
    return inside


def _field(values: npt.ArrayLike, count: int, what: str, name: str) -> npt.NDArray:
    data = np.asarray(values)
    if data.dtype.kind == "c":
        raise ModelError(
            f'grid file: the field "{name}" is complex. Specify its real and imaginary parts as two fields'
        )
    if data.dtype.kind == "b":
        data = data.astype(np.uint8)
    elif f"{data.dtype.kind}{data.dtype.itemsize}" not in _TYPES:
        try:
            data = data.astype(np.float64)
        except (TypeError, ValueError):
            raise ModelError(f'grid file: the field "{name}" does not contain numbers') from None
    if data.ndim not in (1, 2) or data.shape[0] != count or (data.ndim == 2 and data.shape[1] == 0):
        raise ModelError(
            f'grid file: the field "{name}" has the shape {data.shape}, but the grid has {count} {what}. Specify ({count},) or '
            f"({count}, 3) values"
        )
    return data


# ---- grid file

# Write a grid; the file extension selects the format. Also: place grids and combine them.

GRID_FORMATS = (".vtu", ".stl", ".inp")


@names_wrong_arguments
def write_grid(path: str | Path, grid: SolidGrid | SectorGrid | Triangles, **options: Any) -> Path:
    """Write a grid as .vtu (VTK), .stl (its outer surface) or .inp (Abaqus, CalculiX); return the path.

    options: as for `write_vtu`, `write_stl` and `write_inp`; `overwrite=True` replaces an existing file.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in GRID_FORMATS:
        raise PitchlineError(f'grid file "{path}": the name must end in one of {", ".join(GRID_FORMATS)}')
    if suffix == ".stl":
        return write_stl(path, grid, **options)
    if isinstance(grid, Triangles):
        raise ModelError(
            f'grid file "{path}": a surface has no volume elements. Write it as .stl, or specify a solid grid'
        )
    return (write_vtu if suffix == ".vtu" else write_inp)(path, grid, **options)


def together(grids: Mapping[str, SolidGrid | SectorGrid], poses: Mapping[str, Placement] | None = None) -> SolidGrid:
    """Combine several solid grids of one order, each at its position. Node sets get the name of the grid in front.

    >>> pair = together({"pinion": pinion, "wheel": wheel}, {"wheel": pose})  # doctest: +SKIP
    >>> pair.node_sets["wheel bore"]  # doctest: +SKIP
    """
    solids = {name: solid_of(grid) for name, grid in grids.items()}
    if len({solid.elements.shape[1] for solid in solids.values()}) != 1:
        raise ModelError(
            "grid: specify one or more grids of the same order. Elements with 8 nodes and with 20 nodes cannot be combined"
        )
    nodes, elements, start = [], [], 0
    sets: dict[str, IntArray] = {}
    for name, solid in solids.items():
        place = np.asarray(solid.nodes, dtype=np.float64)
        pose = (poses or {}).get(name)
        nodes.append(place if pose is None else place @ np.asarray(pose.rotation).T + pose.position)
        elements.append(np.asarray(solid.elements, dtype=np.int64) + start)
        sets |= {f"{name} {key}": np.asarray(value, dtype=np.int64) + start for key, value in solid.node_sets.items()}
        start += len(place)
    first = next(iter(solids.values()))
    return replace(first, nodes=np.concatenate(nodes), elements=np.concatenate(elements), node_sets=sets)
