"""Checks of finite element matrices: free of stress under rigid motions, symmetric, a true mass, sensible units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp

from pitchline.base.types import FloatArray, IntArray
from pitchline.errors import ModelError, shown
from pitchline.fem.own_mesh.inp_mesh import SolidMesh

from .reduction import FiniteElements

__all__ = ["check_matrices", "check_reduced_mass", "check_units", "in_si", "matrix_body"]


STRESS = 1e-6
"""Largest force under a rigid motion, relative to the stiffness."""
DENSEST = 25_000.0
"""Density of the box about the body beyond that of any metal [kg/m^3]: osmium has 22 600."""
FASTEST = 20_000.0
"""First frequency times size beyond the speed of sound in any solid [m/s]: diamond has 18 000."""
LARGEST, HEAVIEST = 50.0, 1e6
"""Size [m] and mass [kg] that must be confirmed by a stated mass."""
STATED = 0.02
"""Relative difference granted to a mass that the user states."""


def check_matrices(body: FiniteElements, what: str) -> None:
    """Symmetric, no forces under rigid motions, no negative masses."""
    for name, A in (("stiffness", body.K), ("mass", body.M)):
        size = np.abs(A.data).max(initial=0.0)
        if not np.isfinite(size) or size == 0.0:
            raise ModelError(
                f"{what}: the {name} matrix is {'empty' if size == 0.0 else 'not finite'}; write it with the stiffness"
            )
        if np.abs((A - A.T).data).max(initial=0.0) > 1e-8 * size:
            raise ModelError(f"{what}: the {name} matrix is not symmetric; flexible bodies need symmetric matrices")
    R = body.rigid_motions
    R[:, 3:] /= float(np.ptp(body.places, axis=0).max()) or 1.0
    force = np.abs(body.K @ R).max() / np.abs(body.K.data).max() / np.abs(R).max()
    if force > STRESS:
        raise ModelError(
            f"{what}: the stiffness matrix resists rigid motions: forces of {force:.1e} of its largest entry, at "
            f"most {STRESS:g} is "
            "allowed. Remove boundary conditions and springs to ground from the finite element model, and check "
            "that node coordinates "
            "and matrices have the same units and axes. *SUBSTRUCTURE GENERATE of CalculiX 2.20 writes rows that "
            "are not condensed: "
            "use *FREQUENCY, SOLVER=MATRIXSTORAGE and read its .sti, .mas and .dof files instead"
        )
    if body.M.diagonal().min() < 0.0:
        raise ModelError(f"{what}: the mass matrix has negative entries on its diagonal; check how it was written")


def check_reduced_mass(M: FloatArray, what: str) -> None:
    """The mass of the reduced body must be positive definite."""
    size = np.sqrt(np.diagonal(M))
    if not np.all(size > 0.0) or np.linalg.eigvalsh(M / np.outer(size, size))[0] < 1e-13:
        raise ModelError(
            f"{what}: the mass matrix is not positive definite; check that all materials have a density, and that "
            f"the mass was written "
            "for the same degrees of freedom as the stiffness"
        )


def check_units(size: float, mass: float, box: float, first: float | None, stated: float | None, what: str) -> None:
    """Mass, density and first frequency that no body can have, or that contradict what the user states.

    size, box: largest extent [m] and volume [m^3] of the box about the body. first: frequency of its first free mode [Hz].
    """
    advice = 'specify units="mm" for mm, t, s (N, MPa) and units="m" for m, kg, s (N, Pa), and check the density'
    if mass <= 0.0:
        raise ModelError(f"{what}: the mass is {mass:g} kg. Specify a density for all materials")
    if stated is not None and abs(mass - stated) > STATED * stated:
        raise ModelError(f"{what}: the mass is {mass:.6g} kg, but {stated:.6g} kg are stated; {advice}")
    if box > 0.0 and mass / box > DENSEST:
        raise ModelError(
            f"{what}: a mass of {mass:.4g} kg in a box of {box:.4g} m^3 is denser than any metal "
            f"({mass / box:.3g} kg/m^3); {advice}"
        )
    if first is not None and first * size > FASTEST:
        raise ModelError(
            f"{what}: a body of {size:.4g} m with a first frequency of {first:.4g} Hz would have faster waves than any solid "
            f"({first * size:.3g} m/s); {advice}"
        )
    if stated is None and (size > LARGEST or mass > HEAVIEST):
        raise ModelError(
            f"{what}: the body measures {size:.4g} m and has a mass of {mass:.4g} kg; {advice}. If this is right, state the mass: "
            f'mass="{mass:.4g} kg"'
        )


# ---- matrix input

# Matrices of a finite element program as a free body: degrees of freedom by node and component, places of the nodes.


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
