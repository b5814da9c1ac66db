"""Stiffness and mass of isotropic linear elastic hexahedra and tetrahedra, many elements at a time.

With the shape functions N_a, Lamé's constants λ and μ, and

    G_(ai)(bj) = ∫ dN_a/dx_i dN_b/dx_j dV,

the stiffness between component i of node a and component j of node b is

    K_(ai)(bj) = λ G_(ai)(bj) + μ G_(aj)(bi) + μ δ_ij Σ_k G_(ak)(bk).

G is the product of one matrix of weighted gradients with its transpose, and all that costs; strains and the elasticity
matrix are never formed. The mass is M_(ai)(bj) = δ_ij ∫ ρ N_a N_b dV, kept as its scalar part.

Formulations
------------
full
    Gauss points enough for an exact stiffness of parallelepipeds: 3 x 3 x 3 (20 nodes), 2 x 2 x 2 (8 nodes; stiff in
    bending, of use for comparison only), and of tetrahedra with straight edges (10 nodes; 4 nodes, which are stiff in bending).
reduced
    20 nodes with 2 x 2 x 2 points: softer, and about as accurate. A single element has six more modes without energy,
    a row of single elements one for each; a grid with two elements or more across two of its directions has none.
incompatible
    8 nodes and nine internal displacements (1 - ξ_i²) e_j that make bending right (Wilson and others 1973), their
    gradients taken with the Jacobian of the element's centre times det J_0 / det J, so that they do no work on a
    constant stress and the patch test holds for any shape (Taylor, Beresford and Wilson 1976). They are condensed
    inside the element.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from pitchline.base.types import FloatArray
from pitchline.errors import ModelError

from . import hexahedra
from .hexahedra import element_gradients, gauss_points

__all__ = [
    "TET_EDGES",
    "TET_FACES",
    "tet_mass_points",
    "tet_shapes",
    "tet_stiffness_points",
    "FORMULATIONS",
    "element_masses",
    "element_stiffnesses",
    "gradients_at",
    "internal_displacements",
    "lame_constants",
    "formulation_for",
    "stiffness_points",
]


# ---- tetrahedra

# The reference tetrahedra of 4 and 10 nodes: shape functions and points of integration.
#
# Reference coordinates ξ, η, ζ ≥ 0 with ξ + η + ζ ≤ 1. The order of nodes is that of VTK and of the Abaqus/CalculiX
# elements C3D4 and C3D10: the corners (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), then the middles of the edges 0-1,
# 1-2, 2-0, 0-3, 1-3, 2-3.

TET_EDGES: Final = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
"""The corners at both ends of edge e, whose middle is node 4 + e."""

TET_FACES: Final = ((0, 2, 1, 6, 5, 4), (0, 1, 3, 4, 8, 7), (1, 2, 3, 5, 9, 8), (0, 3, 2, 7, 9, 6))
"""Three corners, counter-clockwise seen from outside, and three mid-edges of each of the four faces."""

_BARYCENTRIC = np.array([[-1.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 1.0]])
"""Gradients of the four barycentric coordinates by ξ, η, ζ."""


def tet_shapes(n_nodes: int, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """N (points, n_nodes) and dN/dξ (points, 3, n_nodes) of the element with 4 or 10 nodes.

    4 nodes: N_a = L_a, the barycentric coordinates. 10 nodes: corners L_a (2 L_a - 1), mid-edges 4 L_a L_b.
    """
    points = np.asarray(points, dtype=float).reshape(-1, 3)
    L = np.column_stack([1.0 - points.sum(axis=1), points])
    dL = np.broadcast_to(_BARYCENTRIC, (len(points), 3, 4))
    if n_nodes == 4:
        return L, dL.copy()
    a, b = np.array(TET_EDGES).T
    N = np.concatenate([L * (2.0 * L - 1.0), 4.0 * L[:, a] * L[:, b]], axis=1)
    corners = dL * (4.0 * L - 1.0)[:, None, :]
    edges = 4.0 * (dL[:, :, a] * L[:, None, b] + dL[:, :, b] * L[:, None, a])
    return N, np.concatenate([corners, edges], axis=2)


@lru_cache(maxsize=4)
def _conical(n: int) -> tuple[FloatArray, FloatArray]:
    """n³ points and positive weights, exact to degree 2n - 1: products of Gauss-Jacobi rules in a cube collapsed to a corner."""
    from scipy.special import roots_jacobi

    rules = []
    for power in (2, 1, 0):
        x, w = roots_jacobi(n, power, 0)
        rules.append(((1.0 + x) / 2.0, w / 2.0 ** (power + 1)))
    (x, wx), (y, wy), (z, wz) = rules
    X, Y, Z = np.meshgrid(x, y, z, indexing="ij")
    points = np.stack([X, Y * (1.0 - X), Z * (1.0 - X) * (1.0 - Y)], axis=-1).reshape(-1, 3)
    weights = np.einsum("i,j,k->ijk", wx, wy, wz).ravel()
    points.flags.writeable = weights.flags.writeable = False
    return points, weights


def tet_stiffness_points(n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Points and weights at which the stiffness is integrated, exact for straight edges: degree 0, or 2 with 10 nodes."""
    return _conical(1 if n_nodes == 4 else 2)


def tet_mass_points(n_nodes: int) -> tuple[FloatArray, FloatArray]:
    """Points and weights for the mass, exact for straight edges: degree 2, or 4 with 10 nodes."""
    return _conical(2 if n_nodes == 4 else 3)


FORMULATIONS: Final = {4: ("full",), 8: ("incompatible", "full"), 10: ("full",), 20: ("full", "reduced")}
"""By number of nodes; the first is the default."""


def formulation_for(n_nodes: int, formulation: str | None) -> str:
    """The formulation asked for, or the default (None) of an element of so many nodes."""
    if n_nodes not in FORMULATIONS:
        raise ModelError(f"hexahedra must have 8 or 20 nodes and tetrahedra 4 or 10, got elements of {n_nodes} nodes")
    known = FORMULATIONS[n_nodes]
    if formulation is None:
        return known[0]
    if formulation not in known:
        raise ModelError(
            f'formulation "{formulation}" is not one of {n_nodes}-node {_family(n_nodes)}; known: '
            + ", ".join(f'"{name}"' for name in known)
        )
    return formulation


def _family(n_nodes: int) -> str:
    return "tetrahedra" if n_nodes in (4, 10) else "hexahedra"


def shape_functions(n_nodes: int, points: FloatArray) -> FloatArray:
    """N (points, n_nodes) of a hexahedron or tetrahedron at reference points (points, 3)."""
    return tet_shapes(n_nodes, points)[0] if n_nodes in (4, 10) else hexahedra.shape_functions(n_nodes, points)


def shape_gradients(n_nodes: int, points: FloatArray) -> FloatArray:
    """dN/dξ (points, 3, n_nodes) of a hexahedron or tetrahedron at reference points (points, 3)."""
    return tet_shapes(n_nodes, points)[1] if n_nodes in (4, 10) else hexahedra.shape_gradients(n_nodes, points)


def stiffness_points(n_nodes: int, formulation: str) -> tuple[FloatArray, FloatArray]:
    """Points (n, 3) and weights (n,) at which the stiffness is integrated."""
    if n_nodes in (4, 10):
        return tet_stiffness_points(n_nodes)
    return gauss_points(3 if n_nodes == 20 and formulation == "full" else 2)


def lame_constants(youngs_modulus: float, poissons_ratio: float) -> tuple[float, float]:
    """λ = E ν / ((1 + ν)(1 - 2ν)) and μ = E / (2 (1 + ν)) [Pa]."""
    first = youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio))
    return first, youngs_modulus / (2 * (1 + poissons_ratio))


def element_stiffnesses(
    coordinates: FloatArray, *, youngs_modulus: float, poissons_ratio: float, formulation: str, first: int = 0
) -> FloatArray:
    """K (elements, 3 nodes, 3 nodes) [N/m] of elements with nodes at (elements, nodes, 3) [m].

    Rows and columns run over the nodes, and over x, y, z at each node. `first` is the number of the first element of
    `coordinates` in the grid, for messages.
    """
    n_nodes = coordinates.shape[1]
    gradients, volumes = _weighted(coordinates, formulation, first)
    K = _isotropic(gradients, volumes, *lame_constants(youngs_modulus, poissons_ratio))
    if formulation != "incompatible":
        return K
    n = 3 * n_nodes
    internal = np.linalg.solve(K[:, n:, n:], K[:, n:, :n])
    condensed = K[:, :n, :n] - np.matmul(K[:, :n, n:], internal)
    return (condensed + condensed.transpose(0, 2, 1)) / 2  # symmetric to the last digit


def internal_displacements(
    coordinates: FloatArray, displacements: FloatArray, *, youngs_modulus: float, poissons_ratio: float
) -> FloatArray:
    """(elements, 3, 3) amplitudes α_mj of the incompatible modes (1 - ξ_m²) e_j that go with nodal displacements.

    displacements: (elements, 8, 3). The modes take the values at which the element's energy is least:
    K_αα α = -K_αu u.
    """
    gradients, volumes = _weighted(coordinates, "incompatible", 0)
    K = _isotropic(gradients, volumes, *lame_constants(youngs_modulus, poissons_ratio))
    u = displacements.reshape(len(displacements), 24, 1)
    internal = np.linalg.solve(K[:, 24:, 24:], np.matmul(K[:, 24:, :24], u))
    return np.asarray(-internal.reshape(-1, 3, 3), dtype=np.float64)


def element_masses(
    coordinates: FloatArray, *, density: float, points_per_direction: int | None = None, first: int = 0
) -> FloatArray:
    """∫ ρ N_a N_b dV (elements, nodes, nodes) [kg] of elements with nodes at (elements, nodes, 3) [m].

    points_per_direction: Gauss points of hexahedra; if None enough for a parallelepiped, 3 for 20 nodes and 2 for 8, whatever
    the formulation of the stiffness.
    """
    n_nodes = coordinates.shape[1]
    if n_nodes in (4, 10):
        points, weights = tet_mass_points(n_nodes)
    else:
        points, weights = gauss_points(points_per_direction or (3 if n_nodes == 20 else 2))
    N = shape_functions(n_nodes, points)
    J = np.matmul(shape_gradients(n_nodes, points)[None], coordinates[:, None])
    volumes = np.linalg.det(J) * weights
    _check(volumes, first)
    products = (N[:, :, None] * N[:, None, :]).reshape(len(points), -1)
    return (density * volumes @ products).reshape(-1, n_nodes, n_nodes)


def gradients_at(coordinates: FloatArray, points: FloatArray, formulation: str) -> tuple[FloatArray, FloatArray]:
    """Gradients (elements, points, 3, functions) of all displacement functions, and det J (elements, points).

    The functions are the shape functions, followed for "incompatible" by the three internal ones.
    """
    n_nodes = coordinates.shape[1]
    gradients, determinants, _ = element_gradients(coordinates, shape_gradients(n_nodes, points))
    if formulation == "incompatible":
        _, centre, inverse = element_gradients(coordinates, shape_gradients(n_nodes, np.zeros((1, 3))))
        # d(1 - ξ_m²)/dx_i = -2 ξ_m (J_0⁻¹)_im, times det J_0 / det J
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = centre / determinants
        internal = -2.0 * inverse * points[None, :, None, :] * scale[:, :, None, None]
        gradients = np.concatenate([gradients, internal], axis=3)
    return gradients, determinants


def _weighted(coordinates: FloatArray, formulation: str, first: int) -> tuple[FloatArray, FloatArray]:
    """Gradients at the integration points, and volumes (elements, points): weight times det J."""
    points, weights = stiffness_points(coordinates.shape[1], formulation)
    gradients, determinants = gradients_at(coordinates, points, formulation)
    volumes = determinants * weights
    _check(volumes, first)
    return gradients, volumes


def _isotropic(gradients: FloatArray, volumes: FloatArray, lame: float, shear: float) -> FloatArray:
    """K (elements, 3 functions, 3 functions) from gradients (elements, points, 3, functions)."""
    n_elements, n_points, _, n = gradients.shape
    weighted = gradients * np.sqrt(volumes)[:, :, None, None]
    weighted = np.ascontiguousarray(weighted.transpose(0, 1, 3, 2)).reshape(n_elements, n_points, 3 * n)
    G = np.matmul(weighted.transpose(0, 2, 1), weighted).reshape(n_elements, n, 3, n, 3)
    K = lame * G + shear * G.transpose(0, 1, 4, 3, 2)
    trace = shear * (G[:, :, 0, :, 0] + G[:, :, 1, :, 1] + G[:, :, 2, :, 2])
    for i in range(3):
        K[:, :, i, :, i] += trace
    return K.reshape(n_elements, 3 * n, 3 * n)


def _check(volumes: FloatArray, first: int) -> None:
    """Every element must have a positive volume about each of its integration points."""
    if not (volumes > 0).all():
        bad = np.flatnonzero(~(volumes > 0).all(axis=1))
        others = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise ModelError(
            f"element {first + bad[0]}{others} of the grid is inverted: det J is {volumes[bad[0]].min():.3g} at an "
            "integration point. Check the order of its nodes, or use smaller elements"
        )
