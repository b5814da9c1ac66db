"""Reader of meshes of Gmsh (.msh, versions 2.2, 4.0 and 4.1, text or binary): nodes, solid elements, physical surfaces.

Format: Gmsh reference manual, "MSH file format". A physical surface is a set of faces, by its name or, without one, by its number.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ...errors import ModelError, shown
from ...gears.material import Material
from .cell_kinds import CellTables, contents_of, reached
from .msh_sections import MshBytes, MshSection, MshText, sections_of
from .solid_mesh import FloatArray, IntArray, SolidMesh

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
