"""Reader of meshes from input files of Abaqus and CalculiX (.inp): nodes, solid elements, sets, materials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, near_names, shown
from pitchline.parts.gears.geometry.inputs import Material

from ..element_matrices import FORMULATIONS, TET_FACES, element_masses, element_stiffnesses, formulation_for
from ..hexahedra import FACES

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["FACES_OF", "ElementGroup", "SolidMesh", "mesh_matrices", "UNITS", "InpFile", "mesh_of_inp", "read_inp"]


# ---- solid mesh

# Meshes of solid elements: hexahedra and tetrahedra of several sizes and materials, and their stiffness and mass.

_CHUNK = 64
"""Elements computed at a time: their matrices then stay in the processor's cache."""
FACES_OF = {4: tuple(face[:3] for face in TET_FACES), 8: tuple(face[:4] for face in FACES), 10: TET_FACES, 20: FACES}
"""Corners, counter-clockwise seen from outside, and mid-edges of the faces of elements, by their number of nodes."""
_TRIANGLES = {
    3: ((0, 1, 2),),
    4: ((0, 1, 2), (0, 2, 3)),
    6: ((0, 3, 5), (1, 4, 3), (2, 5, 4), (3, 4, 5)),
    8: ((0, 4, 7), (1, 5, 4), (2, 6, 5), (3, 7, 6), (4, 5, 6), (4, 6, 7)),
}
"""How a face of so many nodes is cut."""


@dataclass(frozen=True, eq=False)
class ElementGroup:
    """Elements with the same number of nodes and one material; None if the file does not specify it.

    elements: (m, 4, 8, 10 or 20) rows of the table of nodes, in the order of Abaqus and VTK. labels: (m,) numbers by which
    messages name them; from 0 if None.
    """

    elements: IntArray
    material: Material | None
    labels: IntArray | None = None

    def label(self, element: int) -> int:
        """Number by which messages name an element."""
        return element if self.labels is None else int(self.labels[element])


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class SolidMesh:
    """A mesh of solid elements.

    Attributes
    ----------
    nodes : (n, 3)
        [m]
    groups : tuple of ElementGroup
    node_sets : mapping of names to (k,) arrays
        Rows of the table of nodes.
    labels : (n,)
        Numbers of the nodes, by which users name them; from 0 unless given.
    face_sets : mapping of names to tuples of (k, 3, 4, 6 or 8) arrays
        Faces of elements by their nodes: surfaces of the file.
    source : str
        File, for messages.
    """

    nodes: FloatArray
    groups: tuple[ElementGroup, ...]
    node_sets: Mapping[str, IntArray] = field(default_factory=lambda: MappingProxyType({}))
    labels: IntArray | None = None
    face_sets: Mapping[str, tuple[IntArray, ...]] = field(default_factory=lambda: MappingProxyType({}))
    source: str = ""

    @classmethod
    def of(
        cls,
        nodes: Any,
        elements: Any,
        material: Material,
        node_sets: Mapping[str, Any] | None = None,
        *,
        what: str = "mesh",
    ) -> SolidMesh:
        """A checked mesh. elements: one table, or a list of tables of elements with different numbers of nodes."""
        if not isinstance(material, Material):
            raise ModelError(f"{what}: material must be a Material such as pl.STEEL, got {shown(material)}")
        places = np.asarray(nodes, dtype=np.float64)
        if places.ndim != 2 or places.shape[1] != 3 or not np.all(np.isfinite(places)):
            raise ModelError(
                f"{what}: nodes must be finite numbers of the shape (n, 3) in m, got the shape {places.shape}"
            )
        tables = elements if _is_list_of_tables(elements) else [elements]
        groups = tuple(ElementGroup(_table(table, len(places), what), material) for table in tables)
        if not groups or not any(len(group.elements) for group in groups):
            raise ModelError(f"{what}: there are no elements")
        sets = {
            name: _rows(rows, len(places), f'{what}: node set "{name}"') for name, rows in (node_sets or {}).items()
        }
        return cls(places, groups, MappingProxyType(sets))

    @property
    def used(self) -> npt.NDArray[np.bool_]:
        """(n,) which nodes belong to an element."""
        found = np.zeros(len(self.nodes), dtype=bool)
        for group in self.groups:
            found[group.elements] = True
        return found

    def label(self, node: int) -> int:
        """Number by which users name a node."""
        return node if self.labels is None else int(self.labels[node])

    def node_set(self, name: str, what: str = "mesh") -> IntArray:
        """Nodes of a named set. The error for an unknown name lists the sets. Abaqus and CalculiX use names in capitals."""
        if name not in self.node_sets and name.upper() in self.node_sets:
            name = name.upper()
        if name not in self.node_sets:
            have = near_names(name, self.node_sets) if self.node_sets else "the mesh has no node sets"
            raise ModelError(f'{what}: there is no node set "{name}"; {have}')
        return self.node_sets[name]

    def surface(self) -> IntArray:
        """(t, 3) triangles of the outer surface, counter-clockwise seen from outside; curved edges in two parts."""
        pieces = []
        for outer in self.outer_faces():
            pieces += [outer[:, list(triangle)] for triangle in _TRIANGLES[outer.shape[1]]]
        return np.concatenate(pieces)

    def outer_faces(self) -> tuple[IntArray, ...]:
        """Faces of the outer surface by their nodes, one array (k, 3, 4, 6 or 8) for each kind; corners counter-clockwise
        seen from outside, then the middles of the edges after them."""
        faces: dict[int, list[IntArray]] = {}
        for group in self.groups:
            for face in FACES_OF[group.elements.shape[1]]:
                faces.setdefault(len(face), []).append(group.elements[:, list(face)])
        return tuple(_outer(np.concatenate(found)) for found in faces.values())

    @property
    def elements(self) -> int:
        """Number of elements."""
        return sum(len(group.elements) for group in self.groups)

    def __repr__(self) -> str:
        kinds = ", ".join(f"{len(g.elements):,} elements of {g.elements.shape[1]} nodes" for g in self.groups)
        return f"SolidMesh({len(self.nodes):,} nodes, {kinds})"


def _is_list_of_tables(elements: Any) -> bool:
    return isinstance(elements, Sequence) and len(elements) > 0 and all(np.ndim(table) == 2 for table in elements)


def _table(table: Any, count: int, what: str) -> IntArray:
    rows = np.asarray(table)
    if rows.ndim != 2 or rows.shape[1] not in FORMULATIONS or not np.issubdtype(rows.dtype, np.integer):
        raise ModelError(
            f"{what}: elements must be whole numbers of the shape (m, 4), (m, 10) for tetrahedra or (m, 8), (m, 20) for "
            f"hexahedra, got the shape {rows.shape} of {rows.dtype}; specify elements of different sizes as a list of tables"
        )
    if rows.size and (rows.min() < 0 or rows.max() >= count):
        raise ModelError(
            f"{what}: elements refer to the nodes {rows.min()} to {rows.max()}, the nodes are 0 to {count - 1}; node "
            "numbers are rows "
            "of nodes and begin with 0"
        )
    return np.ascontiguousarray(rows, dtype=np.int64)


def _rows(rows: Any, count: int, what: str) -> IntArray:
    found = np.asarray(rows)
    if (
        found.ndim != 1
        or not np.issubdtype(found.dtype, np.integer)
        or (found.size and not 0 <= found.min() <= found.max() < count)
    ):
        raise ModelError(f"{what}: expected rows of nodes from 0 to {count - 1}, got {shown(rows)}")
    return np.unique(found.astype(np.int64))


def _outer(faces: IntArray) -> IntArray:
    """Faces that belong to one element only."""
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[count == 1])]


def mesh_matrices(mesh: SolidMesh) -> tuple[sp.csc_matrix, sp.csc_matrix]:
    """K [N/m] and consistent M [kg] of a mesh, (3 nodes, 3 nodes); hexahedra of 8 nodes have incompatible modes."""
    import scipy.sparse as sp

    K, M = None, None
    for group in mesh.groups:
        if not len(group.elements):
            continue
        stiffness, mass = _of_group(mesh, group)
        K, M = (stiffness, mass) if K is None or M is None else (K + stiffness, M + mass)
    n = len(mesh.nodes)
    if K is None or M is None:
        return sp.csc_matrix((3 * n, 3 * n)), sp.csc_matrix((3 * n, 3 * n))
    return sp.csc_matrix(K), sp.kron(M, sp.eye(3), format="csc")


def _of_group(mesh: SolidMesh, group: ElementGroup) -> tuple[sp.csc_matrix, sp.csc_matrix]:
    """K (3 nodes, 3 nodes), and M (nodes, nodes) of one direction.

    Matrices of elements are added to the places of pairs of nodes, a few elements at a time: all of them together would need
    several times the memory of K.
    """
    import scipy.sparse as sp

    n, each = len(mesh.nodes), group.elements.shape[1]
    name, material = formulation_for(each, None), group.material
    if material is None:
        raise ModelError(f"mesh: element {group.label(0)} has no material; specify material=pl.STEEL, or another one")
    pairs = node_pairs(group.elements, n)
    pairs.data = np.arange(pairs.nnz)
    stiffness, mass = np.zeros(9 * pairs.nnz), np.zeros(pairs.nnz)
    inner = 3 * np.arange(3)[:, None] + np.arange(3)
    for start in range(0, len(group.elements), _CHUNK):
        rows = group.elements[start : start + _CHUNK]
        at = mesh.nodes[rows]
        try:
            own = element_stiffnesses(
                at, youngs_modulus=material.youngs_modulus, poissons_ratio=material.poissons_ratio, formulation=name
            )
            masses = element_masses(at, density=material.density)
        except ModelError:
            raise _inverted(mesh, group, start) from None
        i, j = (np.broadcast_to(part, (len(rows), each, each)).ravel() for part in (rows[:, :, None], rows[:, None, :]))
        place = np.asarray(pairs[i, j]).ravel()
        blocks = (0.5 * (own + own.transpose(0, 2, 1))).reshape(len(rows), each, 3, each, 3).swapaxes(2, 3)
        np.add.at(stiffness, (9 * place[:, None] + inner.ravel()).ravel(), blocks.ravel())
        np.add.at(mass, place, (0.5 * (masses + masses.transpose(0, 2, 1))).ravel())
    K = sp.bsr_matrix((stiffness.reshape(-1, 3, 3), pairs.indices, pairs.indptr), shape=(3 * n, 3 * n)).tocsr()
    # both are symmetric: their rows are their columns
    return K.T, sp.csr_matrix((mass, pairs.indices, pairs.indptr), (n, n)).T


def node_pairs(elements: IntArray, count: int) -> sp.csr_matrix:
    """Which nodes share an element: (count, count), sorted."""
    import scipy.sparse as sp

    rows, each = elements.astype(np.int32 if count < 2**31 else np.int64), elements.shape[1]
    shape = (len(rows), each, each)
    i, j = (np.broadcast_to(part, shape).ravel() for part in (rows[:, :, None], rows[:, None, :]))
    found = sp.coo_matrix((np.ones(i.size, dtype=np.int8), (i, j)), shape=(count, count)).tocsr()
    found.sort_indices()
    return found


def _inverted(mesh: SolidMesh, group: ElementGroup, start: int) -> ModelError:
    """Which element of a chunk is turned inside out."""
    each = group.elements.shape[1]
    for element in range(start, len(group.elements)):
        try:
            element_masses(mesh.nodes[group.elements[element : element + 1]], density=1.0)
            element_stiffnesses(
                mesh.nodes[group.elements[element : element + 1]],
                youngs_modulus=1.0, poissons_ratio=0.0, formulation=formulation_for(each, None),
            )  # fmt: skip
        except ModelError:
            nodes = ", ".join(str(mesh.label(node)) for node in group.elements[element][:8])
            return ModelError(
                f"mesh: element {group.label(element)} of {each} nodes ({nodes}, ...) is inverted or has "
                f"no volume; the nodes "
                "must have the order of Abaqus and VTK (corners of the bottom counter-clockwise seen from the top, "
                "then those above); with "
                "Gmsh the last two nodes of a 10-node tetrahedron are exchanged"
            )
    return ModelError("mesh: an element is inverted")


UNITS = {"mm": (1e-3, 1e6, 1e12, "mm, t, s, N, MPa"), "m": (1.0, 1.0, 1.0, "m, kg, s, N, Pa")}
"""Factors of length, stress and density to SI, and what they mean."""

_NODES_OF = {
    "C3D4": 4,
    "C3D10": 10,
    "C3D10M": 10,
    "C3D10I": 10,
    "C3D10H": 10,
    "C3D8": 8,
    "C3D8I": 8,
    "C3D8R": 8,
    "C3D8H": 8,
    "C3D8RH": 8,
    "C3D20": 20,
    "C3D20R": 20,
    "C3D20H": 20,
    "C3D20RH": 20,
}
_PLATES_OF = {"CPS3": 3, "CPS4": 4, "CPS6": 6, "CPS8": 8}
"""Plane elements, by which Gmsh writes physical surfaces: sets of faces, without stiffness."""
_LINES_OF = {"T3D2": 2, "T3D3": 3}
"""Bars, by which Gmsh writes curves: left out, unless they have a material."""


@dataclass
class InpFile:
    """Contents of a file, in its own units and numbers."""

    path: Path
    nodes: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    elements: dict[int, tuple[str, list[int]]] = field(default_factory=dict)
    node_sets: dict[str, list[int]] = field(default_factory=dict)
    element_sets: dict[str, list[int]] = field(default_factory=dict)
    materials: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    sections: list[tuple[str, str]] = field(default_factory=list)
    surfaces: dict[str, list[tuple[str, str, int]]] = field(default_factory=dict)
    """By name: number of an element or name of its set, label of its face (S1 to S6), line of the card."""
    plates: dict[int, list[int]] = field(default_factory=dict)
    bars: set[int] = field(default_factory=set)
    node_surfaces: dict[str, list[str]] = field(default_factory=dict)
    """By name: numbers of nodes or names of their sets."""


def read_inp(path: str | Path) -> InpFile:
    """Read a flat input file; parts and assemblies are refused."""
    source = Path(path).expanduser()
    if not source.is_file():
        raise ModelError(f'mesh: there is no file "{source}"')
    found = InpFile(source)
    _Reader(found).read(source)
    return found


def _cards(path: Path) -> Iterator[tuple[int, str, dict[str, str], list[str]]]:
    """Line, keyword, parameters and data lines of every card."""
    head: tuple[int, str, dict[str, str]] | None = None
    data: list[str] = []
    for number, raw in enumerate(path.read_text(encoding="latin-1").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("**"):
            continue
        if line.startswith("*"):
            if head is not None:
                yield (*head, data)
            first, *rest = [part.strip() for part in line[1:].split(",")]
            given = dict(part.partition("=")[::2] for part in rest if part)
            head, data = (number, first.upper(), {k.strip().upper(): v.strip() for k, v in given.items()}), []
        elif head is not None:
            data.append(line)
    if head is not None:
        yield (*head, data)


MOST_NUMBERS = 5_000_000
"""Of nodes and elements in all sets of a file."""
MOST_FILES = 1000
"""Included in a file, and in these."""
_GENERATED = ("NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM")
"""Cards that make or move nodes and elements: without them the mesh would be another one."""


def _number(text: str) -> int:
    """Number of a node or element."""
    found = int(text)
    if not 0 < found < 2**31:
        raise ValueError(f"{shown(text.strip())} is not the number of a node or element")
    return found


def _finite(text: str) -> float:
    found = float(text.upper().replace("D", "E")) if text.strip() else 0.0
    if not np.isfinite(found):
        raise ValueError(f"{shown(text.strip())} is not a finite number")
    return found


class _Reader:
    def __init__(self, found: InpFile) -> None:
        self.found = found
        self.material = ""
        self.open: list[Path] = []
        self.files = self.numbers = self.line = 0
        self.takes: dict[str, Callable[[dict[str, str], list[str], Path], None]] = {
            "INCLUDE": self._include,
            "NODE": self._node,
            "ELEMENT": self._element,
            "NSET": self._nset,
            "ELSET": self._elset,
            "MATERIAL": self._material,
            "ELASTIC": self._elastic,
            "DENSITY": self._density,
            "SOLID SECTION": self._solid_section,
            "SURFACE": self._surface,
        }

    def read(self, path: Path) -> None:
        self.open.append(path.resolve())
        self._cards(path)
        self.open.pop()

    def _cards(self, path: Path) -> None:
        for line, keyword, given, data in _cards(path):
            if keyword in ("PART", "ASSEMBLY", "INSTANCE"):
                raise ModelError(
                    f'"{path}", line {line}: files with *{keyword} are not supported. Write the mesh without parts and assemblies '
                    "(a flat input file)"
                )
            if keyword in _GENERATED or (keyword == "NODE" and given.get("SYSTEM", "R").upper() != "R"):
                card = "NODE, SYSTEM" if keyword == "NODE" else keyword
                raise ModelError(
                    f'"{path}", line {line}: *{card} is not supported. Write all nodes with global rectangular coordinates, '
                    "and all elements with their nodes"
                )
            take = self.takes.get(keyword)
            self.line = line
            if take is not None:
                try:
                    take(given, data, path)
                except KeyError as error:
                    raise ModelError(f'"{path}", line {line}: *{keyword} needs {error}, which is missing') from None
                except (ValueError, IndexError) as error:
                    raise ModelError(f'"{path}", line {line}: *{keyword} cannot be read: {error}') from None

    def _include(self, given: dict[str, str], data: list[str], path: Path) -> None:
        file = path.parent / given["INPUT"].strip('"')
        try:
            there = file.is_file()
        except OSError:  # a name that is too long
            there = False
        if not there:
            raise ValueError(f"there is no file {shown(str(file))}")
        self.files += 1
        if file.resolve() in self.open or self.files > MOST_FILES or len(self.open) > 50:
            raise ValueError(f"{shown(str(file))} is included in itself, or too many files are included")
        self.read(file)

    def _node(self, given: dict[str, str], data: list[str], path: Path) -> None:
        numbers = []
        for line in data:
            first, x, y, z, *_ = [*line.split(","), "", "", ""]
            number, place = _number(first), (_finite(x), _finite(y), _finite(z))
            if self.found.nodes.setdefault(number, place) != place:
                raise ValueError(f"node {number} has been specified before at another position")
            numbers.append(number)
        if "NSET" in given:
            self.found.node_sets.setdefault(given["NSET"].upper(), []).extend(numbers)

    def _element(self, given: dict[str, str], data: list[str], path: Path) -> None:
        kind = given["TYPE"].upper()
        each = (_NODES_OF | _PLATES_OF | _LINES_OF).get(kind)
        if each is None:
            raise ModelError(
                f'"{path}": elements of type {kind} are not supported; a flexible body is made of '
                f"{', '.join(_NODES_OF)}. Mesh it with "
                "tetrahedra or hexahedra, or specify the matrices of the other program"
            )
        entries = [_number(x) for line in data for x in line.split(",") if x.strip()]
        numbers = entries[:: each + 1]
        if len(entries) % (each + 1):
            raise ValueError(f"the last element, {numbers[-1]}, does not have {each} nodes")
        for at, number in zip(range(0, len(entries), each + 1), numbers, strict=True):
            element = (kind, entries[at + 1 : at + 1 + each])
            if kind in _PLATES_OF:
                self.found.plates[number] = element[1]
                continue
            if kind in _LINES_OF:
                self.found.bars.add(number)
                continue
            if self.found.elements.setdefault(number, element) != element:
                raise ValueError(f"element {number} has been specified before with other nodes")
        if "ELSET" in given:
            self.found.element_sets.setdefault(given["ELSET"].upper(), []).extend(numbers)

    def _set(self, sets: dict[str, list[int]], name: str, generate: bool, data: list[str]) -> None:
        mine = sets.setdefault(name.upper(), [])
        for line in data:
            parts = [part.strip() for part in line.split(",") if part.strip()]
            if generate:
                first, last, *step = [_number(part) for part in parts]
                self._extend(mine, range(first, last + 1, *step[:1]))
            else:
                for part in parts:
                    self._extend(mine, [_number(part)] if part.lstrip("+-").isdecimal() else sets[part.upper()])

    def _extend(self, mine: list[int], more: Sequence[int]) -> None:
        """Limited, because a short line can specify very many numbers."""
        self.numbers += len(more)
        if self.numbers > MOST_NUMBERS:
            raise ValueError(f"the sets of the file have more than {MOST_NUMBERS:,} members; specify smaller sets")
        mine.extend(more)

    def _nset(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self._set(self.found.node_sets, given["NSET"], "GENERATE" in given, data)

    def _elset(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self._set(self.found.element_sets, given["ELSET"], "GENERATE" in given, data)

    def _material(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self.material = given["NAME"].upper()
        self.found.materials[self.material] = {}

    def _elastic(self, given: dict[str, str], data: list[str], path: Path) -> None:
        if given.get("TYPE", "ISOTROPIC").upper() not in ("ISO", "ISOTROPIC"):
            raise ModelError(
                f'"{path}": material {self.material} is not isotropic; only isotropic materials are supported'
            )
        self._check_one_row("ELASTIC", data, path)
        self._of_material()["elastic"] = [_finite(x) for x in data[0].split(",") if x.strip()]

    def _density(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self._check_one_row("DENSITY", data, path)
        self._of_material()["density"] = [_finite(data[0].split(",")[0])]

    def _check_one_row(self, card: str, data: list[str], path: Path) -> None:
        """Values over the temperature have one row for each temperature."""
        if len(data) > 1:
            raise ModelError(
                f'"{path}": *{card} of material {self.material} has {len(data)} rows, one for each temperature. Keep one '
                "row: properties that depend on the temperature are not supported"
            )

    def _of_material(self) -> dict[str, list[float]]:
        if self.material not in self.found.materials:
            raise ValueError("there is no *MATERIAL before it")
        return self.found.materials[self.material]

    def _solid_section(self, given: dict[str, str], data: list[str], path: Path) -> None:
        self.found.sections.append((given["ELSET"].upper(), given["MATERIAL"].upper()))

    def _surface(self, given: dict[str, str], data: list[str], path: Path) -> None:
        name, kind = given["NAME"].upper(), given.get("TYPE", "ELEMENT").upper()
        if kind == "NODE":
            nodes = self.found.node_surfaces.setdefault(name, [])
            nodes.extend(line.split(",")[0].strip() for line in data)
            return
        members = self.found.surfaces.setdefault(name, [])
        for line in data:
            which, label, *_ = [part.strip() for part in (*line.split(","), "")]
            if kind == "ELEMENT" and len(label) == 2 and label[0] in "sS" and label[1] in "123456":
                members.append((which, label.upper(), self.line))


def mesh_of_inp(found: InpFile, units: str, material: Material | None, *, bare: bool = False) -> SolidMesh:
    """The mesh of a file in SI. material: instead of those of the file. bare: elements may be without a material."""
    length, stress, density, _ = UNITS[units]
    if not found.elements:
        raise ModelError(f'"{found.path}": there are no solid elements')
    labels = np.array(sorted(found.nodes))
    row = {int(n): i for i, n in enumerate(labels)}
    nodes = length * np.array([found.nodes[int(n)] for n in labels])
    for elements, name in found.sections:
        bars = found.bars.intersection(found.element_sets.get(elements, ()))
        if bars:
            raise ModelError(
                f'"{found.path}": element {min(bars)} is a bar (T3D2, T3D3) with the material {name}; bars are not supported. '
                "Remove them"
            )
    of_element: dict[int, Material | None] = {}
    if material is None and bare and not found.sections:
        of_element = dict.fromkeys(found.elements, None)
    elif material is None:
        for elements, name in found.sections:
            made = _material(found, name, stress, density)
            if elements == "EALL" and elements not in found.element_sets:
                of_element |= dict.fromkeys(found.elements, made)
            else:
                of_element |= dict.fromkeys(found.element_sets.get(elements, []), made)
        without = next((n for n in found.elements if n not in of_element), None)
        if without is not None:
            raise ModelError(
                f'"{found.path}": element {without} has no *SOLID SECTION with a material; add one, or specify '
                "material=pl.STEEL for all"
            )
    tables: dict[tuple[int, int], tuple[Material | None, list[int], list[list[int]]]] = {}
    for number, (_, members) in found.elements.items():
        mine = material or of_element[number]
        missing = next((n for n in members if n not in row), None)
        if missing is not None:
            raise ModelError(f'"{found.path}": element {number} refers to node {missing}, which has no coordinates')
        _, numbers, rows = tables.setdefault((len(members), id(mine)), (mine, [], []))
        numbers.append(number)
        rows.append([row[n] for n in members])
    groups = tuple(ElementGroup(np.array(rows), mine, np.array(numbers)) for mine, numbers, rows in tables.values())
    sets, faces = node_sets(found, row), _faces(found, row)
    return SolidMesh(nodes, groups, MappingProxyType(sets), labels, MappingProxyType(faces), str(found.path))


_TET = ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0))
_HEX = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))
"""Corners of the faces S1, S2, ... of Abaqus."""


def _faces(found: InpFile, row: dict[int, int]) -> dict[str, tuple[IntArray, ...]]:
    """Surfaces of elements by the corners of their faces."""
    result = {}
    for name, members in found.surfaces.items():
        corners: dict[int, list[list[int]]] = {}
        for which, label, line in members:
            where = f'"{found.path}", line {line}: *SURFACE {name}'
            if which.isdecimal():
                numbers = [int(which)]
            elif which.upper() in found.element_sets:
                numbers = found.element_sets[which.upper()]
            else:
                raise ModelError(f"{where}: there is no element or element set {shown(which)}")
            for number in numbers:
                if number not in found.elements:
                    raise ModelError(f"{where}: there is no element {number}")
                nodes = found.elements[number][1]
                faces = _TET if len(nodes) in (4, 10) else _HEX
                side = int(label[1:]) - 1
                if side >= len(faces):
                    raise ModelError(f"{where}: element {number} has no face {label}")
                corners.setdefault(len(faces[side]), []).append([row[nodes[n]] for n in faces[side]])
        result[name] = tuple(np.array(rows, dtype=np.int64) for rows in corners.values())
    for name, numbers in found.element_sets.items() if found.plates else ():
        tables: dict[int, list[list[int]]] = {}
        for nodes in (found.plates[n] for n in numbers if n in found.plates):
            missing = next((n for n in nodes if n not in row), None)
            if missing is not None:
                raise ModelError(f'"{found.path}": set {name} refers to node {missing}, which has no coordinates')
            tables.setdefault(len(nodes), []).append([row[n] for n in nodes])
        if tables and name not in result:
            result[name] = tuple(np.array(rows, dtype=np.int64) for rows in tables.values())
    return result


def node_sets(found: InpFile, row: dict[int, int]) -> dict[str, IntArray]:
    """Rows of nodes by name."""
    sets = {
        name: np.unique([row[n] for n in members if n in row]).astype(np.int64)
        for name, members in found.node_sets.items()
    }
    for name, parts in found.node_surfaces.items():
        rows = [found.node_sets.get(p.upper(), []) if not p.isdecimal() else [int(p)] for p in parts]
        sets.setdefault(name, np.unique([row[n] for part in rows for n in part if n in row]).astype(np.int64))
    return sets


def _material(found: InpFile, name: str, stress: float, density: float) -> Material:
    said = found.materials.get(name, {})
    for key, card in (("elastic", "*ELASTIC"), ("density", "*DENSITY")):
        if key not in said:
            raise ModelError(
                f'"{found.path}": material {name} has no {card}; add it, or specify material=pl.STEEL for all elements'
            )
    if len(said["elastic"]) < 2:
        raise ModelError(f"\"{found.path}\": *ELASTIC of material {name} must have Young's modulus and Poisson's ratio")
    modulus, ratio = said["elastic"][:2]
    return Material(name, youngs_modulus=stress * modulus, poissons_ratio=ratio, density=density * said["density"][0])
