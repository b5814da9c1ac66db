"""Memory that the equations of a whole gear need, compared with the free memory before they are solved.

Before anything is assembled: the stiffness has nine numbers for each pair of nodes that share an element, and is there
several times (with the loads, as a pattern, its entries in the order of elimination). Afterwards, when the order of elimination is
known: the fronts that are in memory at a time, and the factor where solutions follow.
"""

from __future__ import annotations

from typing import Any

from ...disk.free_memory import available_memory
from ...errors import ModelError
from ..dissection import EliminationTree
from ..meshes.solid_mesh import SolidMesh, node_pairs

__all__ = ["check_equations", "check_factor"]

_PAIR = 400.0
"""Bytes for each pair of nodes, measured: matrices, and lists of their entries."""
_SIDE_BY_SIDE = 1.4
"""Fronts that several threads hold, by those of one thread."""
_USABLE = 0.9
"""Of the free memory; the rest is for the system."""


def check_equations(mesh: SolidMesh, loads: int, what: str) -> None:
    """An error if stiffness and mass of a mesh, and a dense matrix of its loads, do not fit into memory."""
    pairs: Any = sum(node_pairs(group.elements, len(mesh.nodes)).nnz for group in mesh.groups)
    _check(_PAIR * float(pairs) + 4.0 * 8.0 * loads**2, f"{what}: the equations of {len(mesh.nodes):,} nodes")


def check_factor(tree: EliminationTree, nodes: int, what: str, *, kept: bool) -> None:
    """An error if the elimination does not fit. kept: whether the factor is kept."""
    need = 8.0 * (_SIDE_BY_SIDE * tree.front_entries + (tree.factor_size if kept else 0.0))
    _check(need, f"{what}: the {'factor' if kept else 'elimination'} of {nodes:,} nodes")


def _check(need: float, what: str) -> None:
    free = available_memory()
    if need > _USABLE * free:
        raise ModelError(
            f"{what} needs about {1e-9 * need:.3g} GB of memory, but {1e-9 * free:.3g} GB are free. Use larger elements, "
            "especially in the body, a mesh of one tooth if all teeth are equal, or a machine with more memory"
        )
