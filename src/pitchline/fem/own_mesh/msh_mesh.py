"""Reader of meshes of Gmsh (.msh, versions 2.2, 4.0 and 4.1, text or binary): nodes, solid elements, physical surfaces.

Format: Gmsh reference manual, "MSH file format". A physical surface is a set of faces, by its name or, without one, by its number.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.parts.gears.geometry.inputs import Material

from .inp_mesh import SolidMesh
from .reading import CellTables, contents_of, reached

__all__ = ["MshBytes", "MshSection", "MshText", "sections_of", "read_msh"]


# ---- msh sections

# Sections of files of Gmsh (.msh): the same numbers as text or in binary, of either byte order.
#
# Format: Gmsh reference manual, "MSH file format". Names of physical groups are text also in binary files, as are the
# counts of version 2.

_MOST_WHOLE = 2**62


class MshSection(ABC):
    """Contents of one section, read from its beginning to its end. name: without $."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name

    @abstractmethod
    def error(self, problem: str) -> ModelError:
        """An error that names the place in the file."""

    @abstractmethod
    def whole(self, count: int, *, width: int) -> list[int]:
        """Whole numbers. width: bytes of each in binary files."""

    @abstractmethod
    def real(self, count: int) -> list[float]:
        """Real numbers."""

    @abstractmethod
    def table(self, rows: int, whole: int, real: int, *, width: int, more: bool = False) -> tuple[IntArray, FloatArray]:
        """Rows of whole numbers followed by real ones: (rows, whole), (rows, real). more: lines of text may be longer."""

    @abstractmethod
    def counted(self, number: int, of: str) -> int:
        """A number of items that follow; an error if the section is too short for them."""

    @abstractmethod
    def finish(self) -> None:
        """An error if something is left."""


class MshText(MshSection):
    """A section of numbers as text. first: number of its first line in the file."""

    def __init__(self, path: Path, name: str, first: int, text: str) -> None:
        super().__init__(path, name)
        kept = [(first + k, line) for k, line in enumerate(text.splitlines()) if line.strip()]
        self.numbers, self.lines = [number for number, _ in kept], [line for _, line in kept]
        self.first, self.at = first, 0
        self.fields: list[str] = []

    def error(self, problem: str) -> ModelError:
        """An error that names the line that was read last."""
        at = min(max(self.at - 1, 0), len(self.numbers) - 1)
        line = self.numbers[at] if self.numbers else self.first
        return ModelError(f'mesh "{self.path}", line {line}: ${self.name}: {problem}')

    def line(self) -> str:
        """The next line as it is."""
        if self.at >= len(self.lines):
            raise self.error("the section ends too early")
        self.at += 1
        return self.lines[self.at - 1]

    def _next(self, count: int) -> list[str]:
        """Fields, from as many lines as necessary."""
        while len(self.fields) < count:
            self.fields += self.line().split()
        found, self.fields = self.fields[:count], self.fields[count:]
        return found

    def whole(self, count: int, *, width: int) -> list[int]:
        fields = self._next(count)
        try:
            found = [int(field) for field in fields]
        except ValueError:
            raise self.error(f"expected whole numbers, got {shown(' '.join(fields[:8]))}") from None
        if any(abs(n) >= _MOST_WHOLE for n in found):
            raise self.error(f"number out of range in {shown(' '.join(fields[:8]))}")
        return found

    def real(self, count: int) -> list[float]:
        fields = self._next(count)
        try:
            return [float(field) for field in fields]
        except ValueError:
            raise self.error(f"expected numbers, got {shown(' '.join(fields[:8]))}") from None

    def new_line(self) -> None:
        """The rest of a line is left out."""
        self.fields = []

    def table(self, rows: int, whole: int, real: int, *, width: int, more: bool = False) -> tuple[IntArray, FloatArray]:
        self.new_line()
        columns, start = whole + real, self.at
        fields: list[str] = []
        for _ in range(rows):
            row = self.line().split()
            if len(row) < columns or (len(row) > columns and not more):
                raise self.error(f"expected {columns} numbers, got {shown(' '.join(row[:24]))}")
            fields += row[:columns] if more else row
        try:
            numbers = np.array([int(f) for k in range(whole) for f in fields[k::columns]], dtype=np.int64)
            places = np.array([float(f) for k in range(whole, columns) for f in fields[k::columns]])
        except (ValueError, OverflowError):
            self.at = start
            raise self._wrong_row(rows, whole, columns) from None
        return numbers.reshape(whole, rows).T, places.reshape(real, rows).T

    def _wrong_row(self, rows: int, whole: int, columns: int) -> ModelError:
        """The first row of a table that cannot be read."""
        for _ in range(rows):
            row = self.line().split()[:columns]
            try:
                np.array([int(field) for field in row[:whole]], dtype=np.int64)
                np.array([float(field) for field in row[whole:]])
            except (ValueError, OverflowError):
                break
        return self.error(f"expected {whole} whole numbers and {columns - whole} numbers, got {shown(' '.join(row))}")

    def counted(self, number: int, of: str) -> int:
        if not 0 <= number <= len(self.lines):
            raise self.error(f"the number of {of} is {number}, but the section has {len(self.lines)} lines")
        return number

    def finish(self) -> None:
        if self.at < len(self.lines):
            self.at += 1
            raise self.error(
                f"the section is longer than its numbers of items: {shown(self.lines[self.at - 1].strip())}"
            )


class MshBytes(MshSection):
    """A section in binary. order: "<" or ">". start: where it begins in the file."""

    def __init__(self, path: Path, name: str, start: int, data: memoryview, order: str) -> None:
        super().__init__(path, name)
        self.data, self.order, self.start, self.at = data, order, start, 0

    def error(self, problem: str) -> ModelError:
        """An error that names the byte."""
        return ModelError(f'mesh "{self.path}", byte {self.start + self.at}: ${self.name}: {problem}')

    def text_line(self) -> str:
        """A line of text at the beginning, as version 2 has it."""
        found = re.match(rb"[^\n]{0,40}\n", bytes(self.data[:41]))
        if found is None:
            raise self.error("expected a line with the number of items")
        self.at = found.end()
        return found[0].decode("latin-1").strip()

    def _values(self, kind: str | list[tuple[str, str, tuple[int]]], count: int) -> npt.NDArray[np.void]:
        form = np.dtype(kind)
        size = count * form.itemsize
        if self.at + size > len(self.data):
            raise self.error("the section ends too early")
        found = np.frombuffer(self.data, form, count, self.at)
        self.at += size
        return found

    def whole(self, count: int, *, width: int) -> list[int]:
        found: list[int] = self._values(f"{self.order}i{width}", count).tolist()
        if any(abs(n) >= _MOST_WHOLE for n in found):
            raise self.error(f"number out of range in {found[:8]}")
        return found

    def real(self, count: int) -> list[float]:
        found: list[float] = self._values(f"{self.order}f8", count).tolist()
        return found

    def table(self, rows: int, whole: int, real: int, *, width: int, more: bool = False) -> tuple[IntArray, FloatArray]:
        if not rows:
            return np.zeros((0, whole), np.int64), np.zeros((0, real))
        kind = [("whole", f"{self.order}i{width}", (whole,)), ("real", f"{self.order}f8", (real,))]
        found = self._values(kind, rows)
        return found["whole"].astype(np.int64), found["real"].astype(np.float64)

    def counted(self, number: int, of: str) -> int:
        left = len(self.data) - self.at
        if not 0 <= number <= left // 4:
            raise self.error(f"the number of {of} is {number}, but {left} bytes follow")
        return number

    def finish(self) -> None:
        left = bytes(self.data[self.at :])
        if left.strip():
            raise self.error(f"the section is longer than its numbers of items, by {len(left)} bytes")


def sections_of(path: Path, data: bytes) -> dict[str, tuple[int, int]]:
    """Names of the sections of a file, and where their contents begin and end. Comments may be between them."""
    found: dict[str, tuple[int, int]] = {}
    begin = re.compile(rb"^[ \t]*\$([A-Za-z]\w*)[ \t]*\r?\n", re.MULTILINE)
    at = 0
    while (head := begin.search(data, at)) is not None:
        name = head[1].decode("ascii", "replace")
        if name.startswith("End"):
            raise ModelError(f'mesh "{path}": ${name} without its beginning')
        stop = data.find(b"$End" + head[1], head.end())
        if stop < 0:
            raise ModelError(f'mesh "{path}": section ${name} has no end: the file is incomplete')
        if name in found and name in ("MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements"):
            raise ModelError(f'mesh "{path}": there are two sections ${name}. Save the mesh as one file again')
        found[name] = head.end(), stop
        at = stop + len(name) + 4
    return found


_SOLID = {4: 4, 5: 8, 11: 10, 17: 20}
_FACE = {2: 3, 3: 4, 9: 6, 16: 8}
_LEFT_OUT = {1: 2, 8: 3, 15: 1, 26: 4, 27: 5}
"""Lines and points."""
_OTHERS = {
    6: "prisms of 6 nodes", 7: "pyramids of 5 nodes", 10: "quadrangles of 9 nodes", 12: "hexahedra of 27 nodes",
    13: "prisms of 18 nodes", 14: "pyramids of 14 nodes", 18: "prisms of 15 nodes", 19: "pyramids of 13 nodes",
}  # fmt: skip
_ORDER = {
    10: [0, 1, 2, 3, 4, 5, 6, 7, 9, 8],
    20: [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15],
}
"""Places in Gmsh's order of the nodes in the order of VTK and Abaqus."""
_INT = 4
"""Bytes of a C int in binary files."""


def read_msh(path: Path, scale: float, material: Material | None) -> SolidMesh:
    """The mesh of a file. scale: metres in its unit."""
    return _MshReader(path, contents_of(path)).mesh(scale, material)


class _MshReader:
    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data = path, data
        self.names: dict[tuple[int, int], str] = {}
        self.physical: dict[int, list[int]] = {}
        """By number of a surface: its physical groups."""
        self.numbers: list[IntArray] = []
        self.places: list[FloatArray] = []
        self.cells: dict[tuple[int, int], list[tuple[IntArray, IntArray]]] = {}
        """By kind and physical group (0: none): numbers and nodes."""
        self.sections = sections_of(path, data)
        if "MeshFormat" not in self.sections:
            raise ModelError(f'mesh "{path}": this is not a file of Gmsh: there is no $MeshFormat')
        self._format()
        if "ParametricNodes" in self.sections:
            raise ModelError(
                f'mesh "{path}": nodes with parameters ($ParametricNodes) are not supported. Save the mesh without them, with '
                "the option Mesh.SaveParametric = 0"
            )
        for needed in ("Nodes", "Elements"):
            if needed not in self.sections:
                raise ModelError(f'mesh "{path}": there is no section ${needed}')
        for name, read in (
            ("PhysicalNames", self._names),
            ("Entities", self._entities),
            ("PartitionedEntities", self._partitioned),
            ("Nodes", self._nodes_2 if self.version == 2 else self._nodes_4),
            ("Elements", self._elements_2 if self.version == 2 else self._elements_4),
        ):
            if name in self.sections and not (self.version == 2 and name.endswith("Entities")):
                section = self._section(name)
                read(section)
                section.finish()

    def _format(self) -> None:
        """Version, text or binary, byte order, and bytes of a size_t."""
        lines = self._text("MeshFormat")
        fields = lines.line().split()
        if len(fields) < 3:
            raise lines.error(f"expected version, kind and size of numbers, got {shown(' '.join(fields))}")
        version, kind, size = fields[:3]
        if version not in ("2", "2.0", "2.1", "2.2", "4", "4.0", "4.1"):
            raise ModelError(
                f'mesh "{self.path}": version {shown(version)} is not supported. Save it as version 4.1 or 2.2'
            )
        self.version = 2.0 if version[0] == "2" else float(version)
        if kind not in ("0", "1"):
            raise lines.error(f"the kind must be 0 (text) or 1 (binary), got {shown(kind)}")
        self.order = ""
        self.size = 8
        if kind == "1":
            if size not in ("4", "8") or (size == "4" and self.version != 4.1):
                raise lines.error(f"numbers of {shown(size)} bytes are not supported. Save the mesh as text")
            self.size = int(size)
            start, stop = self.sections["MeshFormat"]
            first = self.data.index(b"\n", start) + 1
            one = self.data[first : min(first + 4, stop)]
            if one not in (b"\1\0\0\0", b"\0\0\0\1"):
                raise lines.error("the number 1 that defines the byte order is missing: the file is damaged")
            self.order = "<" if one[0] else ">"

    def _text(self, name: str) -> MshText:
        start, stop = self.sections[name]
        first = self.data.count(b"\n", 0, start) + 1
        return MshText(self.path, name, first, self.data[start:stop].decode("utf-8", "replace"))

    def _section(self, name: str) -> MshSection:
        if not self.order or name == "PhysicalNames":
            return self._text(name)
        start, stop = self.sections[name]
        return MshBytes(self.path, name, start, memoryview(self.data)[start:stop], self.order)

    # --------------------------------------------------------------------------------------------------------- surfaces

    def _names(self, lines: MshSection) -> None:
        assert isinstance(lines, MshText)
        for _ in range(lines.counted(lines.whole(1, width=_INT)[0], "names")):
            text = " ".join(lines.line().split())
            found = re.fullmatch(r'(\d{1,9}) (\d{1,18}) "(.*)"', text)
            if found is None:
                raise lines.error(f'expected: dimension, number, "name", got {shown(text)}')
            self.names[int(found[1]), int(found[2])] = found[3]

    def _entities(self, section: MshSection) -> None:
        counts = section.whole(4, width=self.size)
        for dimension, count in enumerate(counts):
            for _ in range(section.counted(count, "entities")):
                self._entity(section, dimension, section.whole(1, width=_INT)[0])

    def _partitioned(self, section: MshSection) -> None:
        """Parts of surfaces of a mesh in several partitions."""
        _, ghosts = section.whole(2, width=self.size)
        for _ in range(section.counted(ghosts, "ghost entities")):
            section.whole(2, width=_INT)
        counts = section.whole(4, width=self.size)
        for dimension, count in enumerate(counts):
            for _ in range(section.counted(count, "entities")):
                tag, _, _ = section.whole(3, width=_INT)
                section.whole(section.counted(section.whole(1, width=self.size)[0], "partitions"), width=_INT)
                self._entity(section, dimension, tag)

    def _entity(self, section: MshSection, dimension: int, tag: int) -> None:
        section.real(3 if dimension == 0 and self.version > 4.0 else 6)
        groups = section.whole(section.counted(section.whole(1, width=self.size)[0], "groups"), width=_INT)
        if dimension:
            section.whole(section.counted(section.whole(1, width=self.size)[0], "bounding entities"), width=_INT)
        if dimension == 2:
            self.physical[tag] = sorted({abs(group) for group in groups})

    # ------------------------------------------------------------------------------------------------------------ nodes

    def _took(self, section: MshSection, numbers: IntArray, places: FloatArray) -> None:
        good = (np.abs(places[:, :3]) < 1e30).all(axis=1)
        if not good.all():
            k = int(np.flatnonzero(~good)[0])
            at = ", ".join(f"{x:g}" for x in places[k, :3])
            raise section.error(f"node {numbers[k]}: the coordinates must be finite, got {at}")
        self.numbers.append(numbers)
        self.places.append(places[:, :3])

    def _count_2(self, section: MshSection, of: str) -> int:
        """Of nodes or elements: a line of text, also in binary files."""
        if isinstance(section, MshBytes):
            text = section.text_line()
            if not text.isdecimal() or len(text) > 18:
                raise section.error(f"the number of {of} must be a whole number, got {shown(text)}")
            return section.counted(int(text), of)
        return section.counted(section.whole(1, width=_INT)[0], of)

    def _nodes_2(self, section: MshSection) -> None:
        numbers, places = section.table(self._count_2(section, "nodes"), 1, 3, width=_INT)
        self._took(section, numbers[:, 0], places)

    def _nodes_4(self, section: MshSection) -> None:
        old = self.version < 4.1
        blocks = section.whole(2 if old else 4, width=self.size)[0]
        for _ in range(section.counted(blocks, "blocks")):
            first, second, parametric = section.whole(3, width=_INT)
            dimension = second if old else first
            many = section.counted(section.whole(1, width=self.size)[0], "nodes")
            if not 0 <= dimension <= 3:
                raise section.error(f"the dimension of an entity must be 0 to 3, got {dimension}")
            more = dimension if parametric else 0
            if old:
                numbers, places = section.table(many, 1, 3 + more, width=_INT)
            else:
                numbers, _ = section.table(many, 1, 0, width=self.size)
                _, places = section.table(many, 0, 3 + more, width=self.size)
            self._took(section, numbers[:, 0], places)

    # --------------------------------------------------------------------------------------------------------- elements

    def _nodes_of(self, section: MshSection, kind: int) -> int:
        if kind in _OTHERS:
            hint = "; set Mesh.SecondOrderIncomplete = 1" if kind in (10, 12) else ""
            raise section.error(
                f"{_OTHERS[kind]} are not supported. Use tetrahedra of 10 nodes or hexahedra of 8 or 20 nodes{hint}"
            )
        sizes = _SOLID | _FACE | _LEFT_OUT
        if kind not in sizes:
            raise section.error(f"elements of type {kind} are not supported")
        return sizes[kind]

    def _elements_2(self, section: MshSection) -> None:
        left = self._count_2(section, "elements")
        while left > 0:
            if isinstance(section, MshText):
                left -= self._lines_2(section, left)
                continue
            kind, many, tags = section.whole(3, width=_INT)
            size = self._nodes_of(section, kind)
            if not (0 < many <= left and 0 <= tags <= 1000):
                raise section.error(f"a block of {many} elements with {tags} tags, but {left} elements are left")
            table, _ = section.table(many, 1 + tags + size, 0, width=_INT)
            groups = table[:, 1] if tags else np.zeros(many, np.int64)
            for group in np.unique(groups).tolist():
                mine = table[groups == group]
                self.cells.setdefault((kind, abs(int(group))), []).append((mine[:, 0], mine[:, 1 + tags :]))
            left -= many

    def _lines_2(self, section: MshText, count: int) -> int:
        """All elements as text, each with its own kind and tags."""
        section.new_line()
        found: dict[tuple[int, int], tuple[list[int], list[list[int]]]] = {}
        for _ in range(count):
            text = section.line().split()
            try:
                number, kind, tags, *rest = [int(field) for field in text]
            except ValueError:
                raise section.error(f"expected whole numbers, got {shown(' '.join(text[:24]))}") from None
            if not 0 <= tags <= len(rest):
                raise section.error(f"element {number} has {tags} tags and {len(rest)} numbers")
            size, nodes = self._nodes_of(section, kind), rest[tags:]
            if len(nodes) != size:
                raise section.error(f"element {number} of type {kind} must have {size} nodes, got {len(nodes)}")
            if max(map(abs, (number, *nodes))) >= 2**62:
                raise section.error(f"number out of range in {shown(' '.join(text[:24]))}")
            labels, rows = found.setdefault((kind, abs(rest[0]) if tags else 0), ([], []))
            labels.append(number)
            rows.append(nodes)
        for key, (labels, rows) in found.items():
            self.cells.setdefault(key, []).append((np.array(labels, np.int64), np.array(rows, np.int64)))
        return count

    def _elements_4(self, section: MshSection) -> None:
        old = self.version < 4.1
        width = _INT if old else self.size
        blocks = section.whole(2 if old else 4, width=self.size)[0]
        for _ in range(section.counted(blocks, "blocks")):
            first, second, kind = section.whole(3, width=_INT)
            tag, dimension = (first, second) if old else (second, first)
            many = section.counted(section.whole(1, width=self.size)[0], "elements")
            table, _ = section.table(many, 1 + self._nodes_of(section, kind), 0, width=width)
            for group in self.physical.get(tag, [0]) or [0] if dimension == 2 else [0]:
                self.cells.setdefault((kind, group), []).append((table[:, 0], table[:, 1:]))

    # ------------------------------------------------------------------------------------------------------------- mesh

    def mesh(self, scale: float, material: Material | None) -> SolidMesh:
        numbers = np.concatenate([np.zeros(0, np.int64), *self.numbers])
        labels, first = np.unique(numbers, return_index=True)
        if len(labels) != len(numbers):
            twice = np.setdiff1d(np.arange(len(numbers)), first)[0]
            raise ModelError(f'mesh "{self.path}": node {numbers[twice]} is there twice')
        nodes = np.concatenate([np.zeros((0, 3)), *self.places])[first]
        tables = CellTables(self.path)
        solids: dict[int, list[tuple[IntArray, IntArray]]] = {}
        for (kind, group), parts in self.cells.items():
            own = np.concatenate([part for part, _ in parts])
            rows = np.concatenate([part for _, part in parts])
            table = reached(rows, labels, f'mesh "{self.path}": an element')
            if kind in _SOLID:
                size = _SOLID[kind]
                solids.setdefault(size, []).append((own, table[:, _ORDER[size]] if size in _ORDER else table))
            elif kind in _FACE and group:
                tables.faces.setdefault(self.names.get((2, group), str(group)), []).append(table)
        for size, each in solids.items():
            # version 2 repeats an element for every physical volume that contains it
            own, rows = (np.concatenate([part[k] for part in each]) for k in (0, 1))
            _, once = np.unique(rows, axis=0, return_index=True)
            once.sort()
            tables.solids[size] = [(own[once], rows[once])]
        return tables.mesh(nodes, labels, {}, material, scale)
