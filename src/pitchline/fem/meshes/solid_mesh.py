"""Meshes of solid elements: hexahedra and tetrahedra of several sizes and materials, and their stiffness and mass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, near_names, shown
from ...gears.material import Material
from ..element_matrices import FORMULATIONS, element_masses, element_stiffnesses, formulation_for
from ..hexahedra import FACES
from ..tetrahedra import TET_FACES

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["FACES_OF", "ElementGroup", "SolidMesh", "mesh_matrices"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

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
