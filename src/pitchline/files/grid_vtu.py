"""Solid grids as VTK files (.vtu), for ParaView, PyVista and meshio.

XML of type UnstructuredGrid, version 1.0. Arrays are compressed with zlib and written in base64, each as

    base64( [1, n, 0, n_z] as UInt64 ) base64( zlib(values) ) ,   n bytes in one block, n_z of them compressed,

(VTK file formats, "XML file formats", as in the VTK user's guide). Readers accept blocks of any size.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import quoteattr

import numpy as np
import numpy.typing as npt

from ..disk.atomic import atomic_file
from ..errors import ModelError
from .triangles import solid_of

if TYPE_CHECKING:
    from ..fem.sector_grid import SectorGrid
    from ..fem.solid_grid import SolidGrid

__all__ = ["write_vtu"]

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
            _write(out, np.asarray(solid.nodes, np.float64), np.asarray(solid.elements, np.int64), on_points, on_cells)
        written = target
    return written


def _write(
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
