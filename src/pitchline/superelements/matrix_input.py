"""Matrices of a finite element program as a free body: degrees of freedom by node and component, places of the nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..errors import ModelError, shown
from ..fem.meshes.solid_mesh import IntArray, SolidMesh
from .reduction import FiniteElements

__all__ = ["in_si", "matrix_body"]


class _NodesAlone(SolidMesh):
    """Nodes without elements: all of them count."""

    @property
    def used(self) -> Any:
        return np.ones(len(self.nodes), dtype=bool)


def matrix_body(
    K: Any,
    M: Any,
    dofs: Iterable[Any],
    positions: Mapping[int, Any],
    what: str,
    node_sets: Mapping[str, IntArray] | None = None,
) -> tuple[FiniteElements, SolidMesh]:
    """A free body in SI, and its nodes with their numbers. dofs: pairs (node, component), component 1 to 6, 0 for a modal
    coordinate.

    node_sets: numbers of nodes by name.
    """
    try:
        pairs = np.array([tuple(pair) for pair in dofs])
    except (TypeError, ValueError):
        pairs = np.zeros(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.issubdtype(pairs.dtype, np.integer):
        raise ModelError(f"{what}: dofs must be pairs (node, component), got {shown(dofs)}")
    for name, A in (("stiffness", K), ("mass", M)):
        if np.shape(A) != (len(pairs), len(pairs)):
            raise ModelError(
                f"{what}: the {name} matrix has the shape {np.shape(A)}, there are {len(pairs)} degrees of freedom"
            )
    number, component = pairs.T
    if component.min() < 0 or component.max() > 6:
        raise ModelError(
            f"{what}: components are 1 to 6, or 0 for a modal coordinate, got {component.min()} to {component.max()}"
        )
    known, count = np.unique(pairs[component > 0], axis=0, return_counts=True)
    if len(known) and count.max() > 1:
        twice = known[np.argmax(count)]
        raise ModelError(
            f"{what}: component {twice[1]} of node {twice[0]} has {count.max()} rows, but each degree of freedom has one. Check "
            "the list of degrees of freedom"
        )
    labels = np.unique(number[component > 0])
    missing = [int(n) for n in labels if int(n) not in positions]
    if missing:
        raise ModelError(
            f"{what}: {len(missing)} nodes have no position, the first is node {missing[0]}; specify their mesh "
            f"or positions. "
            "A modal coordinate must have component 0"
        )
    if len(labels) == 0:
        raise ModelError(
            f"{what}: all degrees of freedom are modal coordinates; a flexible body needs nodes with displacements"
        )
    places = np.array([np.asarray(positions[int(n)], dtype=float) for n in labels])
    if not np.isfinite(places).all():
        worst = int(labels[np.flatnonzero(~np.isfinite(places).all(axis=1))[0]])
        raise ModelError(f"{what}: the position of node {worst} is not finite")
    rows = np.searchsorted(labels, number)
    node = np.where(component > 0, rows, -1)
    body = FiniteElements(sp.csc_matrix(K), sp.csc_matrix(M), node, component - 1, places)
    sets = {}
    for name, members in (node_sets or {}).items():
        at = np.searchsorted(labels, members).clip(max=len(labels) - 1)
        sets[name] = np.unique(at[labels[at] == members])
    return body, _NodesAlone(places, (), MappingProxyType(sets), labels)


def in_si(A: sp.spmatrix, component: IntArray, units: str) -> sp.csc_matrix:
    """A stiffness or mass matrix in SI. units: "m", or "mm" for mm, t, s, N.

    Entries between displacements are 1000 times as large in N/m as in N/mm, and those of a mass in kg as in t; between rotations
    (N mm, t mm²) a thousandth; the mixed ones (N, t mm) stay. A modal coordinate is taken as a number of mass units.
    """
    if units == "m":
        return sp.csc_matrix(A)
    factor = sp.diags(np.where(component > 3, 1e-3**0.5, 1e3**0.5))
    return (factor @ A @ factor).tocsc()
