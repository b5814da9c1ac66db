"""Arrays of VTK files in XML: as text, in base64, or appended; plain or compressed with zlib or LZMA.

(VTK file formats, "XML file formats", as in the VTK user's guide.)
"""

from __future__ import annotations

import base64
import binascii
import lzma
import zlib
from collections.abc import Callable
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
