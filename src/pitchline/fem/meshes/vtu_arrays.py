"""Arrays of VTK files in XML: as text, in base64, or appended; plain or compressed with zlib.

(VTK file formats, "XML file formats", as in the VTK user's guide.)
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

import numpy as np
import numpy.typing as npt

from ...errors import ModelError, shown
from .cell_kinds import MOST_BYTES

__all__ = ["AnyArray", "VtuFile"]

AnyArray = npt.NDArray[Any]

_TYPES = {
    "Float64": "f8", "Float32": "f4", "Int64": "i8", "Int32": "i4", "Int16": "i2", "Int8": "i1",
    "UInt64": "u8", "UInt32": "u4", "UInt16": "u2", "UInt8": "u1",
}  # fmt: skip
_SECTIONS = ("Points", "Cells", "PointData", "CellData")
_MOST_RATIO = 1100
"""zlib cannot make data smaller by more than this."""


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
        if self.compressor not in ("", "vtkZLibDataCompressor"):
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
            texts.clear()
            if tag == "DataArray" and section:
                current.append(_VtuEntry(section, attributes, parser.CurrentLineNumber))
            path.append(tag)
            if len(path) > 50:
                raise ModelError(f"{self.what}, line {parser.CurrentLineNumber}: elements are nested too deep")

        def end(tag: str) -> None:
            path.pop()
            if tag == "DataArray" and current:
                current[-1].text = "".join(texts)
                self.entries.append(current.pop())

        def refuse(*_arguments: object) -> None:
            raise ModelError(
                f"{self.what}, line {parser.CurrentLineNumber}: document types and entities are not allowed"
            )

        texts: list[str] = []
        current: list[_VtuEntry] = []
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = texts.append
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
        except (ValueError, OverflowError, binascii.Error, zlib.error) as error:
            raise ModelError(f"{where}: cannot be read: {error}") from None

    def _blocks(self, source: _Raw | _Base64) -> bytes:
        """Bytes of an array behind its header: its size, or number of blocks, their size, that of the last, compressed sizes."""
        word = self.header.itemsize
        first = int(np.frombuffer(source.peek(word), dtype=self.header)[0])
        if not self.compressor:
            return source.take(word + first)[word:]
        if not 0 <= first <= 10_000_000:
            raise ValueError(f"{first} blocks")
        sizes = [int(n) for n in np.frombuffer(source.take((3 + first) * word), dtype=self.header)[3:]]
        packed = source.take(sum(sizes))
        parts, at, total = [], 0, 0
        for size in sizes:
            unpack = zlib.decompressobj()
            part = unpack.decompress(packed[at : at + size], min(_MOST_RATIO * size + 1000, MOST_BYTES))
            at, total = at + size, total + len(part)
            if unpack.unconsumed_tail or not unpack.eof or total > MOST_BYTES:
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
