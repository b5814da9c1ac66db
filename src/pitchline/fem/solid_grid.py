"""Solid grids of hexahedra: nodes, elements and named sets of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..errors import ModelError, near_names

__all__ = ["FloatArray", "IntArray", "SolidGrid", "hexahedra", "lattice_nodes"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Steps (a, b, c) of the 20 nodes from the first one in a lattice of half elements: corners below, corners above,
# mid-edges below, above, and those between.
_STEPS = (
    (0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2),
    (1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
    (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SolidGrid:
    """A body of hexahedra with 8 or 20 nodes each.

    The nodes of an element have the order of a VTK hexahedron, Abaqus C3D8 and C3D20: 0-3 the corners of the bottom,
    counter-clockwise seen from the top, 4-7 those of the top above them, 8-11 the mid-edges of the bottom (0-1, 1-2,
    2-3, 3-0), 12-15 those of the top, 16-19 those between bottom and top (0-4, 1-5, 2-6, 3-7).

    Attributes
    ----------
    nodes : (n, 3)
        [m]; of a gear in its own axes: z its axis, x through the middle of tooth 0.
    elements : (m, 8) or (m, 20)
        Numbers of nodes, from 0.
    node_sets : mapping of names to (k,) arrays
        Nodes with a name, such as "bore" or "left flank".
    """

    nodes: FloatArray
    elements: IntArray
    node_sets: Mapping[str, IntArray] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        nodes = np.ascontiguousarray(self.nodes, dtype=np.float64)
        elements = np.ascontiguousarray(self.elements, dtype=np.int64)
        if nodes.ndim != 2 or nodes.shape[1] != 3:
            raise ModelError(f"solid grid: nodes must have the shape (n, 3), got {nodes.shape}")
        if elements.ndim != 2 or elements.shape[1] not in (8, 20):
            raise ModelError(f"solid grid: elements must have 8 or 20 nodes each, got the shape {elements.shape}")
        if elements.size and (elements.min() < 0 or elements.max() >= len(nodes)):
            raise ModelError(
                f"solid grid: elements refer to the nodes {elements.min()} to {elements.max()}, but there are {len(nodes)} "
                "nodes, numbered from 0"
            )
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "elements", elements)
        object.__setattr__(self, "node_sets", MappingProxyType(dict(self.node_sets)))

    @property
    def order(self) -> int:
        """1 for elements of 8 nodes, 2 for those of 20."""
        return 1 if self.elements.shape[1] == 8 else 2

    @property
    def corners(self) -> IntArray:
        """(m, 8): the corner nodes of the elements."""
        return self.elements[:, :8]

    def node_set(self, name: str) -> IntArray:
        """Nodes of a named set. The error for an unknown name lists the sets."""
        if name not in self.node_sets:
            raise ModelError(f'solid grid: no set of nodes "{name}"; {near_names(name, self.node_sets)}')
        return self.node_sets[name]

    def __repr__(self) -> str:
        return (
            f"SolidGrid({len(self.nodes):,} nodes, {len(self.elements):,} elements of {self.elements.shape[1]} nodes)"
        )


def lattice_nodes(shape: tuple[int, ...], order: int) -> npt.NDArray[np.bool_]:
    """Which points of a lattice are nodes: all, or, for second order, those with at most one odd index.

    A lattice of second order has two steps an element; the middles of its faces and of itself are not nodes.
    """
    if order == 1:
        return np.ones(shape, dtype=bool)
    odd = sum(index % 2 for index in np.ogrid[tuple(slice(n) for n in shape)])
    return np.asarray(odd <= 1)


def hexahedra(lattice: IntArray, order: int) -> IntArray:
    """Elements (a, b, c, 8 or 20) of a lattice of node numbers, whose three indices make a right-handed system."""
    if order == 1:
        steps = [tuple(s // 2 for s in step) for step in _STEPS[:8]]
        span = 1
    else:
        steps, span = list(_STEPS), 2
    na, nb, nc = ((n - 1) // span * span for n in lattice.shape)
    columns = [lattice[a : a + na : span, b : b + nb : span, c : c + nc : span] for a, b, c in steps]
    return np.stack(columns, axis=-1)
