"""Stiffness and mass matrices of a solid grid.

The unknowns are the displacements of the nodes: degree of freedom 3 * node + component. K u = f is the principle of
virtual work for small displacements of an isotropic material; M the consistent mass. Both are symmetric; K of a free
grid has the six rigid-body motions as its null space.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from pitchline.base.types import AnyIntArray, FloatArray
from pitchline.parts.gears.geometry.inputs import Material

from .element_matrices import element_masses, element_stiffnesses, formulation_for
from .solid_grid import SolidGrid

__all__ = ["AssemblyPattern", "mass_matrix", "stiffness_and_mass", "stiffness_matrix"]


_CHUNK = 64
"""Elements computed at a time: their matrices (29 kB each for 20 nodes) then stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class AssemblyPattern:
    """Where the node pairs of all elements go in a sparse matrix with one row for each node.

    Attributes
    ----------
    indptr, indices
        The pattern in compressed rows, columns ascending.
    slots
        (elements, nodes, nodes) the entry of `indices` that takes the pair (a, b) of each element.
    """

    indptr: AnyIntArray
    indices: AnyIntArray
    slots: AnyIntArray

    @classmethod
    def of(cls, elements: AnyIntArray, n_nodes: int) -> AssemblyPattern:
        """The pattern of elements (elements, nodes of each) on so many nodes."""
        rows = np.broadcast_to(elements[:, :, None], (*elements.shape, elements.shape[1]))
        columns = rows.transpose(0, 2, 1)
        keys = rows.astype(np.int64).ravel() * n_nodes + columns.ravel()
        unique, slots = np.unique(keys, return_inverse=True)
        counts = np.bincount(unique // n_nodes, minlength=n_nodes)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        return cls(indptr, (unique % n_nodes).astype(np.int32), slots.reshape(rows.shape).astype(np.int32))


def stiffness_and_mass(
    grid: SolidGrid, material: Material, *, formulation: str | None = None, lumped: bool = False
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """K [N/m] and M [kg] of a grid, symmetric, (3 nodes, 3 nodes) in compressed rows.

    Parameters
    ----------
    grid
        Elements of 8 or of 20 nodes.
    formulation
        "full" or "reduced" integration of 20-node elements, "incompatible" modes or "full" of 8-node elements; None
        takes the first of each.
    lumped
        A diagonal mass instead of the consistent one: the diagonal of each element's consistent mass, scaled so that
        the element keeps its mass (Hinton, Rock and Zienkiewicz 1976).
    """
    pattern = AssemblyPattern.of(grid.elements, len(grid.nodes))
    return (
        stiffness_matrix(grid, material, formulation=formulation, pattern=pattern),
        mass_matrix(grid, material, lumped=lumped, pattern=pattern),
    )


def stiffness_matrix(
    grid: SolidGrid, material: Material, *, formulation: str | None = None, pattern: AssemblyPattern | None = None
) -> sp.csr_matrix:
    """K [N/m] of a grid: see `stiffness_and_mass`."""
    nodes, elements = grid.nodes, grid.elements
    name = formulation_for(elements.shape[1], formulation)
    pattern = pattern or AssemblyPattern.of(elements, len(nodes))
    blocks = np.zeros((9, len(pattern.indices)))
    for start in range(0, len(elements), _CHUNK):
        part = elements[start : start + _CHUNK]
        K = element_stiffnesses(
            nodes[part],
            youngs_modulus=material.youngs_modulus,
            poissons_ratio=material.poissons_ratio,
            formulation=name,
            first=start,
        )
        _add_blocks(blocks, pattern.slots[start : start + _CHUNK], K)
    n = len(nodes)
    data = np.ascontiguousarray(blocks.T).reshape(-1, 3, 3)
    K = sp.bsr_matrix((data, pattern.indices, pattern.indptr), shape=(3 * n, 3 * n)).tocsr()
    K.has_sorted_indices = True
    return K


def _add_blocks(blocks: FloatArray, slots: AnyIntArray, K: FloatArray) -> None:
    """Adds element matrices (elements, 3n, 3n) to the blocks (9, entries) of the node pattern."""
    m, n, _ = slots.shape
    entries, where = np.unique(slots, return_inverse=True)
    parts = K.reshape(m, n, 3, n, 3)
    where = where.ravel()
    for i in range(3):
        for j in range(3):
            blocks[3 * i + j, entries] += np.bincount(where, parts[:, :, i, :, j].ravel(), minlength=len(entries))


def mass_matrix(
    grid: SolidGrid, material: Material, *, lumped: bool = False, pattern: AssemblyPattern | None = None
) -> sp.csr_matrix:
    """M [kg] of a grid: see `stiffness_and_mass`."""
    nodes, elements = grid.nodes, grid.elements
    n = len(nodes)
    pattern = None if lumped else pattern or AssemblyPattern.of(elements, n)
    total = np.zeros(n if pattern is None else len(pattern.indices))
    for start in range(0, len(elements), 8 * _CHUNK):
        part = elements[start : start + 8 * _CHUNK]
        M = element_masses(nodes[part], density=material.density, first=start)
        if pattern is None:
            diagonal = np.einsum("eaa->ea", M)
            diagonal = diagonal * (M.sum(axis=(1, 2)) / diagonal.sum(axis=1))[:, None]
            total += np.bincount(part.ravel(), diagonal.ravel(), minlength=n)
        else:
            total += np.bincount(
                pattern.slots[start : start + 8 * _CHUNK].ravel(), M.ravel(), minlength=len(pattern.indices)
            )
    if pattern is None:
        return sp.diags(np.repeat(total, 3), format="csr")
    scalar = sp.csr_matrix((total, pattern.indices, pattern.indptr), shape=(n, n))
    M = sp.kron(scalar, sp.eye(3), format="csr")
    M.sort_indices()
    return M
