"""Reader of meshes of Gmsh (.msh, versions 2.2 and 4.1 in ASCII): nodes, solid elements, physical surfaces.

Format: Gmsh reference manual, "MSH file format". A physical surface is a set of faces, by its name or, without one, by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...errors import ModelError, shown
from ...gears.material import Material
from .cell_kinds import CellTables, contents_of, reached
from .solid_mesh import IntArray, SolidMesh

__all__ = ["read_msh"]

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


def read_msh(path: Path, scale: float, material: Material | None) -> SolidMesh:
    """The mesh of a file. scale: metres in its unit."""
    return _MshReader(path, contents_of(path)).mesh(scale, material)


class _Lines:
    """Lines of one section as fields, with their numbers."""

    def __init__(self, path: Path, name: str, first: int, lines: list[str]) -> None:
        self.path, self.name, self.lines, self.first = path, name, lines, first
        self.at = 0

    def error(self, problem: str) -> ModelError:
        return ModelError(f'mesh "{self.path}", line {self.first + max(self.at - 1, 0)}: ${self.name}: {problem}')

    def next(self, least: int = 1) -> list[str]:
        if self.at >= len(self.lines):
            self.at += 1
            raise self.error("the section ends too early")
        found = self.lines[self.at].split()
        self.at += 1
        if len(found) < least:
            raise self.error(f"expected {least} numbers, got {shown(' '.join(found))}")
        return found

    def whole(self, least: int = 1) -> list[int]:
        fields = self.next(least)
        try:
            found = [int(field) for field in fields]
        except ValueError:
            raise self.error(f"expected whole numbers, got {shown(' '.join(fields))}") from None
        if any(abs(n) >= 2**62 for n in found):
            raise self.error(f"number out of range in {shown(' '.join(fields))}")
        return found

    def count(self, number: int, of: str) -> int:
        if not 0 <= number <= len(self.lines):
            raise self.error(f"the number of {of} is {number}, but the section has {len(self.lines)} lines")
        return number


class _MshReader:
    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.names: dict[tuple[int, int], str] = {}
        self.physical: dict[int, list[int]] = {}
        """By number of a surface: its physical groups."""
        self.numbers: list[int] = []
        self.places: list[tuple[float, float, float]] = []
        self.cells: dict[tuple[int, int], tuple[list[int], list[list[int]]]] = {}
        """By kind and physical group (0: none): numbers and nodes."""
        sections = list(self._sections(data))
        kinds = {section.name: section for section in sections}
        if "MeshFormat" not in kinds:
            raise ModelError(f'mesh "{path}": this is not a file of Gmsh: there is no $MeshFormat')
        version, binary, *_ = kinds["MeshFormat"].next(2)
        if binary != "0":
            raise ModelError(f'mesh "{path}": the file is binary. Save it in ASCII, with the option Mesh.Binary = 0')
        if version not in ("2", "2.0", "2.1", "2.2", "4.1"):
            raise ModelError(f'mesh "{path}": version {shown(version)} is not supported. Save it as version 4.1 or 2.2')
        self.two = version.startswith("2")
        for needed in ("Nodes", "Elements"):
            if needed not in kinds:
                raise ModelError(f'mesh "{path}": there is no section ${needed}')
        if "PhysicalNames" in kinds:
            self._names(kinds["PhysicalNames"])
        if not self.two and "Entities" in kinds:
            self._entities(kinds["Entities"])
        (self._nodes_2 if self.two else self._nodes_4)(kinds["Nodes"])
        (self._elements_2 if self.two else self._elements_4)(kinds["Elements"])

    def _sections(self, data: bytes) -> Iterator[_Lines]:
        name, first, found = "", 0, list[str]()
        for number, raw in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
            line = raw.strip()
            if line.startswith("$End"):
                if line[4:] != name:
                    raise ModelError(f'mesh "{self.path}", line {number}: {shown(line)} without its beginning')
                yield _Lines(self.path, name, first, found)
                name = ""
            elif line.startswith("$") and not name:
                name, first, found = line[1:], number + 1, []
            elif name and line:
                found.append(line)
        if name:
            raise ModelError(f'mesh "{self.path}": section ${name} has no end: the file is incomplete')

    def _names(self, lines: _Lines) -> None:
        for _ in range(lines.count(lines.whole()[0], "names")):
            text = " ".join(lines.next(3))
            found = re.fullmatch(r'(\d{1,9}) (\d{1,18}) "(.*)"', text)
            if found is None:
                raise lines.error(f'expected: dimension, number, "name", got {shown(text)}')
            self.names[int(found[1]), int(found[2])] = found[3]

    def _entities(self, lines: _Lines) -> None:
        points, curves, surfaces, _ = lines.whole(4)[:4]
        for _ in range(lines.count(points, "points") + lines.count(curves, "curves")):
            lines.next()
        for _ in range(lines.count(surfaces, "surfaces")):
            fields = lines.next(8)
            try:
                tag, many = int(fields[0]), int(fields[7])
                self.physical[tag] = [abs(int(field)) for field in fields[8 : 8 + max(many, 0)]]
            except ValueError:
                raise lines.error(f"a surface cannot be read: {shown(' '.join(fields))}") from None

    # ------------------------------------------------------------------------------------------------------------ nodes

    def _node(self, lines: _Lines, number: int, fields: list[str]) -> None:
        try:
            x, y, z = (float(field) for field in fields[:3])
        except ValueError:
            raise lines.error(f"node {number}: expected three coordinates, got {shown(' '.join(fields))}") from None
        if not (abs(x) < 1e30 and abs(y) < 1e30 and abs(z) < 1e30):
            raise lines.error(f"node {number}: the coordinates must be finite, got {shown(' '.join(fields))}")
        self.numbers.append(number)
        self.places.append((x, y, z))

    def _nodes_2(self, lines: _Lines) -> None:
        for _ in range(lines.count(lines.whole()[0], "nodes")):
            number, *rest = lines.next(4)
            if not number.isdecimal() or len(number) > 18:
                raise lines.error(f"{shown(number)} is not the number of a node")
            self._node(lines, int(number), rest)

    def _nodes_4(self, lines: _Lines) -> None:
        for _ in range(lines.count(lines.whole(4)[0], "blocks")):
            many = lines.count(lines.whole(4)[3], "nodes")
            numbers = [lines.whole()[0] for _ in range(many)]
            for number in numbers:
                self._node(lines, number, lines.next(3))

    # --------------------------------------------------------------------------------------------------------- elements

    def _size(self, lines: _Lines, kind: int) -> int:
        if kind in _OTHERS:
            hint = "; set Mesh.SecondOrderIncomplete = 1" if kind in (10, 12) else ""
            raise lines.error(
                f"{_OTHERS[kind]} are not supported. Use tetrahedra of 10 nodes or hexahedra of 8 or 20 nodes{hint}"
            )
        sizes = _SOLID | _FACE | _LEFT_OUT
        if kind not in sizes:
            raise lines.error(f"elements of type {kind} are not supported")
        return sizes[kind]

    def _take(self, lines: _Lines, kind: int, group: int, number: int, nodes: list[int]) -> None:
        size = self._size(lines, kind)
        if len(nodes) != size:
            raise lines.error(f"element {number} of type {kind} must have {size} nodes, got {len(nodes)}")
        labels, rows = self.cells.setdefault((kind, group), ([], []))
        labels.append(number)
        rows.append(nodes)

    def _elements_2(self, lines: _Lines) -> None:
        for _ in range(lines.count(lines.whole()[0], "elements")):
            number, kind, tags, *rest = lines.whole(4)
            if not 0 <= tags < len(rest):
                raise lines.error(f"element {number} has {tags} tags and {len(rest)} numbers")
            self._take(lines, kind, rest[0] if tags else 0, number, rest[tags:])

    def _elements_4(self, lines: _Lines) -> None:
        for _ in range(lines.count(lines.whole(4)[0], "blocks")):
            dimension, tag, kind, many = lines.whole(4)[:4]
            groups = self.physical.get(tag, [0]) or [0] if dimension == 2 else [0]
            for _ in range(lines.count(many, "elements")):
                number, *nodes = lines.whole(2)
                for group in groups:
                    self._take(lines, kind, group, number, nodes)

    # ------------------------------------------------------------------------------------------------------------- mesh

    def mesh(self, scale: float, material: Material | None) -> SolidMesh:
        labels, first = np.unique(np.array(self.numbers, dtype=np.int64), return_index=True)
        if len(labels) != len(self.numbers):
            twice = np.setdiff1d(np.arange(len(self.numbers)), first)[0]
            raise ModelError(f'mesh "{self.path}": node {self.numbers[twice]} is there twice')
        nodes = np.array(self.places, dtype=np.float64).reshape(-1, 3)[first]
        tables = CellTables(self.path)
        for (kind, group), (numbers, rows) in self.cells.items():
            table: IntArray = reached(np.array(rows, dtype=np.int64), labels, f'mesh "{self.path}": an element')
            if kind in _SOLID:
                size = _SOLID[kind]
                ordered = table[:, _ORDER[size]] if size in _ORDER else table
                tables.solids.setdefault(size, []).append((np.array(numbers, dtype=np.int64), ordered))
            elif kind in _FACE and group:
                tables.faces.setdefault(self.names.get((2, group), str(group)), []).append(table)
        return tables.mesh(nodes, labels, {}, material, scale)
