"""Arrays of VTK files in XML: as text, in base64, or appended; plain or compressed with zlib or LZMA.

(VTK file formats, "XML file formats", as in the VTK user's guide.)
"""

from __future__ import annotations

import base64
import binascii
import lzma
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any
from xml.parsers import expat

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import AnyArray, FloatArray, IntArray
from pitchline.errors import ModelError, near_names, shown
from pitchline.parts.gears.geometry.inputs import Material

from .inp_mesh import ElementGroup, SolidMesh

__all__ = [
    "MOST_BYTES",
    "CellTables",
    "contents_of",
    "reached",
    "MESH_FILES",
    "solid_mesh",
    "AnyArray",
    "VtuFile",
    "read_vtu",
]


# ---- cell kinds

# Kinds of elements in mesh files, and meshes from tables of them.

MOST_BYTES = 2 * 1024**3
"""Largest file, and largest array in it."""


def contents_of(path: Path) -> bytes:
    """Contents of a file that exists and is not too large."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ModelError(
                f'mesh "{path}": the file has {size / 1024**2:.0f} MB, the limit is {MOST_BYTES // 1024**2} MB'
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise ModelError(f'mesh "{path}": cannot be read: {getattr(error, "strerror", None) or error}') from None


def reached(numbers: npt.NDArray[np.int64], labels: npt.NDArray[np.int64], what: str) -> IntArray:
    """Rows of nodes by their labels, which are ascending; an error names a missing one."""
    if len(labels) == 0:
        raise ModelError(f"{what} refers to nodes, but the file has no nodes")
    at = np.minimum(np.searchsorted(labels, numbers), len(labels) - 1)
    wrong = labels[at] != numbers
    if wrong.any():
        raise ModelError(f"{what} refers to node {numbers[wrong].flat[0]}, which has no coordinates")
    return at


@dataclass
class CellTables:
    """Elements and faces of a file, collected by their number of nodes.

    solids: number of nodes → (labels, nodes by rows) of the elements. faces: name of a set → faces by their nodes.
    """

    path: Path
    solids: dict[int, list[tuple[IntArray, IntArray]]] = field(default_factory=dict)
    faces: dict[str, list[IntArray]] = field(default_factory=dict)

    def mesh(
        self,
        nodes: FloatArray,
        labels: IntArray,
        node_sets: Mapping[str, IntArray],
        material: Material | None,
        scale: float,
    ) -> SolidMesh:
        """The mesh in SI. scale: metres in the unit of the file."""
        if not self.solids:
            raise ModelError(f'mesh "{self.path}": there are no solid elements')
        groups = tuple(
            ElementGroup(np.concatenate([rows for _, rows in parts]), material, np.concatenate([n for n, _ in parts]))
            for parts in self.solids.values()
        )
        return SolidMesh(
            scale * nodes,
            groups,
            MappingProxyType(dict(node_sets)),
            labels,
            MappingProxyType({name: _joined(parts) for name, parts in self.faces.items()}),
            str(self.path),
        )


def _joined(parts: Sequence[IntArray]) -> tuple[IntArray, ...]:
    """One table for each number of nodes."""
    sizes = dict.fromkeys(part.shape[1] for part in parts)
    return tuple(np.concatenate([part for part in parts if part.shape[1] == each]) for each in sizes)


# ---- reading

# `solid_mesh`: a mesh of solid elements from a file of another program.

MESH_FILES = {
    ".inp": "a mesh of Abaqus or CalculiX",
    ".vtu": "an unstructured grid of VTK",
    ".msh": "a mesh of Gmsh",
}


@names_wrong_arguments
def solid_mesh(path: str | Path, *, units: str | None = None, material: Material | None = None) -> SolidMesh:
    """A mesh of hexahedra or tetrahedra from a file, by its ending; for `elastic_gear`.

    ======  ==================================================================================================
    .inp    Abaqus, CalculiX: C3D8, C3D20, C3D10 and their variants; node sets, surfaces, materials
    .vtu    VTK: hexahedra and tetrahedra; sets are point data and cell data of whole numbers
    .msh    Gmsh, version 4.1, 4.0 or 2.2, text or binary: hexahedra of 8 or 20 nodes, tetrahedra of 10; physical surfaces
    ======  ==================================================================================================

    Parameters
    ----------
    path
        The file.
    units
        Of the file: "mm" (mm, t, s: N, MPa) or "m" (m, kg, s: N, Pa). Required, because files do not contain it.
    material
        Of all elements, instead of those of the file. Without one, elements without a material get that of the gear.
    """
    from .inp_mesh import UNITS, mesh_of_inp, read_inp
    from .msh_mesh import read_msh

    pass

    source = Path(path).expanduser()
    end = source.suffix.lower()
    if end not in MESH_FILES:
        raise ModelError(f'mesh "{source}": the file type "{end}" is not supported; {near_names(end, MESH_FILES)}')
    if not source.is_file():
        raise ModelError(f'mesh "{source}": there is no such file')
    if units not in ("mm", "m"):
        raise ModelError(
            f'mesh "{source}": specify the units: units="mm" for mm, t, s (N, MPa), units="m" for m, kg, s (N, Pa); '
            f"got {shown(units)}"
        )
    if material is not None and not isinstance(material, Material):
        raise ModelError(f'mesh "{source}": material must be a Material such as pl.STEEL, got {shown(material)}')
    if end == ".inp":
        return mesh_of_inp(read_inp(source), units, material, bare=True)
    scale = UNITS[units][0]
    return read_vtu(source, scale, material) if end == ".vtu" else read_msh(source, scale, material)


_TYPES = {
    "Float64": "f8", "Float32": "f4", "Int64": "i8", "Int32": "i4", "Int16": "i2", "Int8": "i1",
    "UInt64": "u8", "UInt32": "u4", "UInt16": "u2", "UInt8": "u1",
}  # fmt: skip
_SECTIONS = ("Points", "Cells", "PointData", "CellData")
_MOST_MEMORY = 2**29
"""Of the dictionary of LZMA [bytes]."""
_UNPACKED: dict[str, Callable[[], Any] | None] = {
    "": None,
    "vtkZLibDataCompressor": zlib.decompressobj,
    "vtkLZMADataCompressor": lambda: lzma.LZMADecompressor(memlimit=_MOST_MEMORY),
}


@dataclass
class _VtuEntry:
    section: str
    attributes: dict[str, str]
    line: int
    text: str = ""


class VtuFile:
    """Arrays of a file with one piece, by section and name."""

    def __init__(self, data: bytes, what: str) -> None:
        self.what = what
        self.entries: list[_VtuEntry] = []
        self.pieces: list[dict[str, str]] = []
        self.head: dict[str, str] = {}
        self.grid = False
        head, self.appended, self.encoding = _cut(data, what)
        self._parse(head)
        if self.head.get("type") != "UnstructuredGrid" or not self.grid:
            raise ModelError(f"{what}: the file must be a VTKFile of type UnstructuredGrid (.vtu)")
        if len(self.pieces) != 1:
            raise ModelError(f"{what}: the file has {len(self.pieces)} pieces; save it as one")
        self.order = ">" if self.head.get("byte_order") == "BigEndian" else "<"
        self.header = np.dtype(self.order + ("u8" if self.head.get("header_type") == "UInt64" else "u4"))
        self.compressor = self.head.get("compressor", "")
        if self.compressor not in _UNPACKED:
            raise ModelError(
                f"{what}: data compressed by {shown(self.compressor)} cannot be read. Save it with zlib, or as text"
            )
        self.points, self.cells = (self._count(name) for name in ("NumberOfPoints", "NumberOfCells"))

    def _count(self, name: str) -> int:
        text = self.pieces[0].get(name, "")
        if not text.strip().isdecimal() or len(text) > 12:
            raise ModelError(f"{self.what}: {name} must be a whole number, got {shown(text)}")
        return int(text)

    def _parse(self, data: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        path: list[str] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            if not path and tag == "VTKFile":
                self.head = attributes
            self.grid = self.grid or tag == "UnstructuredGrid"
            if tag == "Piece":
                self.pieces.append(attributes)
            section = next((name for name in path if name in _SECTIONS), "")
            if tag == "DataArray" and section:
                texts.clear()
                current.append(_VtuEntry(section, attributes, parser.CurrentLineNumber))
            path.append(tag)
            if len(path) > 50:
                raise ModelError(f"{self.what}, line {parser.CurrentLineNumber}: elements are nested too deep")

        def end(tag: str) -> None:
            path.pop()
            if tag == "DataArray" and current:
                current[-1].text = "".join(texts)
                self.entries.append(current.pop())

        def text(part: str) -> None:
            if path and path[-1] == "DataArray":  # VTK writes keys with texts of their own inside of it
                texts.append(part)

        def refuse(*_arguments: object) -> None:
            raise ModelError(
                f"{self.what}, line {parser.CurrentLineNumber}: document types and entities are not allowed"
            )

        texts: list[str] = []
        current: list[_VtuEntry] = []
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise ModelError(
                f"{self.what}, line {error.lineno}: not valid XML: {expat.ErrorString(error.code)}"
            ) from None
        except (ValueError, LookupError) as error:  # the encoding that the file declares
            raise ModelError(f"{self.what}: not valid XML: {error}") from None

    # ----------------------------------------------------------------------------------------------------------- arrays

    def names(self, section: str) -> list[str]:
        """Of the arrays in a section."""
        return [entry.attributes.get("Name", "") for entry in self.entries if entry.section == section]

    def array(self, name: str) -> AnyArray:
        """The points, or an array of the cells."""
        for entry in self.entries:
            if entry.section == name == "Points" or (entry.section == "Cells" and entry.attributes.get("Name") == name):
                return self._values(entry).ravel()
        raise ModelError(f'{self.what}: there is no array "{name}"')

    def field(self, section: str, name: str) -> AnyArray:
        """Data of points or cells: (n,), or (n, components)."""
        entry = next(e for e in self.entries if e.section == section and e.attributes.get("Name", "") == name)
        if entry.attributes.get("type", "") not in _TYPES:
            return np.zeros(0, dtype=np.float64)  # texts and bits are not sets
        components = entry.attributes.get("NumberOfComponents", "1")
        return self._values(entry) if components in ("", "0", "1") else np.zeros((0, 2))

    def _values(self, entry: _VtuEntry) -> AnyArray:
        where = f'{self.what}, line {entry.line}: array "{entry.attributes.get("Name", "")}"'
        kind = _TYPES.get(entry.attributes.get("type", ""))
        if kind is None:
            raise ModelError(f"{where}: the type {shown(entry.attributes.get('type'))} is not supported")
        form = entry.attributes.get("format", "ascii")
        try:
            if form == "ascii":
                return np.array(entry.text.split(), dtype=np.float64 if kind[0] == "f" else np.int64).astype(kind)
            if form == "binary":
                raw = self._blocks(_Base64("".join(entry.text.split())))
            elif form == "appended":
                offset = int(entry.attributes.get("offset", "0"))
                if not 0 <= offset < len(self.appended):
                    raise ValueError(f"the offset {offset} is outside the appended data")
                rest = self.appended[offset:]
                text = rest.decode("ascii", "replace") if self.encoding == "base64" else ""
                raw = self._blocks(_Base64(text) if self.encoding == "base64" else _Raw(rest))
            else:
                raise ValueError(f"the format {shown(form)} is not supported")
            return np.frombuffer(raw, dtype=self.order + kind).astype(kind)
        except (ValueError, OverflowError, EOFError, binascii.Error, zlib.error, lzma.LZMAError) as error:
            raise ModelError(f"{where}: cannot be read: {error}") from None

    def _blocks(self, source: _Raw | _Base64) -> bytes:
        """Bytes of an array behind its header: its size, or number of blocks, their size, that of the last, compressed sizes."""
        word = self.header.itemsize
        first = int(np.frombuffer(source.peek(word), dtype=self.header)[0])
        if not self.compressor:
            return source.take(word + first)[word:]
        if not 0 <= first <= 10_000_000:
            raise ValueError(f"{first} blocks")
        _, usual, last, *sizes = (int(n) for n in np.frombuffer(source.take((3 + first) * word), dtype=self.header))
        if max(usual, last) > MOST_BYTES or usual * first > MOST_BYTES + usual:
            raise ValueError(f"{first} blocks of {usual} bytes are more than {MOST_BYTES}")
        make = _UNPACKED[self.compressor]
        assert make is not None
        packed = source.take(sum(sizes))
        parts, at = [], 0
        for k, size in enumerate(sizes):
            full = last if last and k == first - 1 else usual
            unpack = make()
            part = unpack.decompress(packed[at : at + size], max(full, 1))
            at += size
            if not unpack.eof and len(part) == full:  # the end mark of the block may be left
                unpack.decompress(getattr(unpack, "unconsumed_tail", b""), 1)
            if not unpack.eof or len(part) != full:
                raise ValueError("a compressed block is damaged or too large")
            parts.append(part)
        return b"".join(parts)


class _Raw:
    """Bytes, taken from the front."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def peek(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.data):
            raise ValueError("the data end too early")
        return self.data[self.at : self.at + count]

    def take(self, count: int) -> bytes:
        found = self.peek(count)
        self.at += count
        return found


class _Base64:
    """The same in base64: what is taken at a time is one text with its own padding."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def peek(self, count: int) -> bytes:
        stop = self.at + -(-count // 3) * 4
        if count < 0 or stop > len(self.text):
            raise ValueError("the data end too early")
        found = base64.b64decode(self.text[self.at : stop], validate=True)
        if len(found) < count:
            raise ValueError("the data end too early")
        return found[:count]

    def take(self, count: int) -> bytes:
        found = self.peek(count)
        self.at += -(-count // 3) * 4
        return found


def _cut(data: bytes, what: str) -> tuple[bytes, bytes, str]:
    """XML before appended data, these data, and their encoding."""
    start = data.find(b"<AppendedData")
    if start < 0:
        return data, b"", ""
    close = data.find(b">", start)
    first = data.find(b"_", close)
    stop = data.rfind(b"</AppendedData>")
    if close < 0 or first < 0 or stop < first:
        raise ModelError(f"{what}: the appended data are incomplete")
    encoding = "base64" if b"base64" in data[start:close] else "raw"
    return data[:start] + data[stop + len(b"</AppendedData>") :], data[first + 1 : stop], encoding


# ---- vtu mesh

# Reader of meshes in VTK files (.vtu, UnstructuredGrid): nodes, solid elements, sets of nodes and faces.
#
# Point data of whole numbers are sets of nodes: the nodes that are not 0. Cell data of whole numbers on triangles and
# quadrangles are sets of faces: those that are not 0, and "NAME=5" those with the value 5.

_SOLID = {10: 4, 24: 10, 12: 8, 25: 20}
_FACE = {5: 3, 9: 4, 22: 6, 23: 8}
_LEFT_OUT = {1, 2, 3, 4, 21}
"""Points and lines."""
_OTHERS = {
    11: "voxels", 13: "wedges", 14: "pyramids", 26: "wedges of 15 nodes", 27: "pyramids of 13 nodes", 29: "hexahedra of 27 nodes",
    28: "quadrangles of 9 nodes", 42: "polyhedra", 71: "Lagrange tetrahedra", 72: "Lagrange hexahedra",
}  # fmt: skip
_MOST_VALUES = 1000
"""Different values of cell data that become sets."""


def read_vtu(path: Path, scale: float, material: Material | None) -> SolidMesh:
    """The mesh of a file. scale: metres in its unit."""
    what = f'mesh "{path}"'
    file = VtuFile(contents_of(path), what)
    points = np.asarray(file.array("Points"), dtype=np.float64)
    n = file.points
    if points.size != 3 * n or not np.all(np.isfinite(points)) or np.abs(points).max(initial=0.0) > 1e30:
        raise ModelError(f"{what}: Points must contain {n} finite points, got {points.size} numbers")
    points = points.reshape(-1, 3)
    nodes, ends, kinds = (_whole(file, name, what) for name in ("connectivity", "offsets", "types"))
    m = file.cells
    if len(ends) != m or len(kinds) != m:
        raise ModelError(f"{what}: there are {m} cells, but {len(ends)} offsets and {len(kinds)} types")
    starts = np.concatenate([[0], ends[:-1]]) if m else ends
    if m and (starts > ends).any() | (ends[-1] != len(nodes)) | (ends[0] < 0):
        raise ModelError(f"{what}: the offsets of the cells must increase up to {len(nodes)}")
    if len(nodes) and not 0 <= nodes.min() <= nodes.max() < n:
        raise ModelError(
            f"{what}: cells refer to the points {nodes.min()} to {nodes.max()}, the points are 0 to {n - 1}"
        )
    tables = CellTables(path)
    faces: list[tuple[IntArray, IntArray]] = []
    for kind in np.unique(kinds).tolist():
        own = np.flatnonzero(kinds == kind)
        if kind in _LEFT_OUT:
            continue
        size = (_SOLID | _FACE).get(kind)
        if size is None:
            name = _OTHERS.get(kind, f"cells of type {kind}")
            raise ModelError(
                f"{what}: {name} are not supported (cell {own[0]}). Use tetrahedra of 10 nodes or hexahedra of 8 or 20 nodes"
            )
        wrong = own[(ends - starts)[own] != size]
        if len(wrong):
            raise ModelError(f"{what}: cell {wrong[0]} of type {kind} must have {size} points")
        table = nodes[starts[own][:, None] + np.arange(size)]
        if kind in _SOLID:
            tables.solids.setdefault(size, []).append((own, table))
        else:
            faces.append((own, table))
    for name in file.names("CellData"):
        values = _member(file.field("CellData", name), m, f"{what}: cell data {shown(name)}")
        if values is not None:
            _face_sets(tables, name, values, faces)
    sets = {}
    for name in file.names("PointData"):
        values = _member(file.field("PointData", name), n, f"{what}: point data {shown(name)}")
        if values is not None:
            sets[name] = np.flatnonzero(values)
    return tables.mesh(points, np.arange(n), sets, material, scale)


def _whole(file: VtuFile, name: str, what: str) -> IntArray:
    found = file.array(name)
    if found.dtype.kind not in "iu" or (found.size and int(found.max()) >= 2**62):
        raise ModelError(f'{what}: "{name}" must contain whole numbers')
    return np.asarray(found.ravel(), dtype=np.int64)


def _member(values: AnyArray, count: int, what: str) -> IntArray | None:
    """Whole numbers; None for other fields, such as displacements."""
    if values.dtype.kind not in "iu" or values.ndim != 1:
        return None
    if len(values) != count:
        raise ModelError(f"{what} has {len(values)} values, but {count} are required")
    return values.astype(np.int64)


def _face_sets(tables: CellTables, name: str, values: IntArray, faces: list[tuple[IntArray, IntArray]]) -> None:
    for own, table in faces:
        mine = values[own]
        if (mine != 0).any():
            tables.faces.setdefault(name, []).append(table[mine != 0])
        different = np.unique(mine)
        if len(different) <= _MOST_VALUES:
            for value in different.tolist():
                tables.faces.setdefault(f"{name}={value}", []).append(table[mine == value])
