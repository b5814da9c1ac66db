"""Strains and stresses of a deformed grid.

They are computed at the 2 x 2 x 2 Gauss points of each element, where hexahedra of both kinds are most accurate (Barlow
1976), continued to the nodes by the trilinear function through the eight values, and averaged over the elements of a
node. Components have the order xx, yy, zz, xy, yz, zx; shear strains are the full angles γ = 2 ε.
"""

from __future__ import annotations

import numpy as np

from ..errors import ModelError
from ..gears.material import Material
from .element_matrices import formulation_for, gradients_at, internal_displacements, lame_constants
from .hexahedra import gauss_points, reference_nodes, shape_functions
from .solid_grid import FloatArray, SolidGrid

__all__ = ["nodal_stresses", "point_strains", "point_stresses", "von_mises"]


def point_strains(
    grid: SolidGrid, displacements: FloatArray, material: Material, *, formulation: str | None = None
) -> FloatArray:
    """(elements, 8, 6) strains at the 2 x 2 x 2 Gauss points.

    displacements: (3 nodes,) or (nodes, 3) [m]. Material and formulation matter for 8-node elements with incompatible
    modes, whose internal displacements are recovered first.
    """
    u = np.asarray(displacements, dtype=float)
    if u.size != grid.nodes.size:
        raise ModelError(f"displacements must have {grid.nodes.size} values for {len(grid.nodes)} nodes, got {u.size}")
    name = formulation_for(grid.elements.shape[1], formulation)
    coordinates, moved = grid.nodes[grid.elements], u.reshape(-1, 3)[grid.elements]
    gradients, _ = gradients_at(coordinates, gauss_points(2)[0], name)
    if name == "incompatible":
        internal = internal_displacements(
            coordinates, moved, youngs_modulus=material.youngs_modulus, poissons_ratio=material.poissons_ratio
        )
        moved = np.concatenate([moved, internal], axis=1)
    H = np.matmul(gradients, moved[:, None])  # du_j/dx_i
    return np.stack(
        [
            H[..., 0, 0], H[..., 1, 1], H[..., 2, 2],
            H[..., 0, 1] + H[..., 1, 0], H[..., 1, 2] + H[..., 2, 1], H[..., 2, 0] + H[..., 0, 2],
        ],
        axis=-1,
    )  # fmt: skip


def point_stresses(
    grid: SolidGrid, displacements: FloatArray, material: Material, *, formulation: str | None = None
) -> FloatArray:
    """(elements, 8, 6) stresses σ = λ tr(ε) + 2 μ ε [Pa] at the 2 x 2 x 2 Gauss points."""
    strains = point_strains(grid, displacements, material, formulation=formulation)
    lame, shear = lame_constants(material.youngs_modulus, material.poissons_ratio)
    stresses = shear * strains
    stresses[..., :3] *= 2.0
    stresses[..., :3] += lame * strains[..., :3].sum(axis=-1, keepdims=True)
    return stresses


def nodal_stresses(
    grid: SolidGrid, displacements: FloatArray, material: Material, *, formulation: str | None = None
) -> FloatArray:
    """(nodes, 6) stresses [Pa]: continued to the nodes of each element, and averaged over the elements there."""
    stresses = point_stresses(grid, displacements, material, formulation=formulation)
    # The Gauss points, scaled by √3, are the corners of a trilinear element. They run with ζ fastest.
    points = gauss_points(2)[0]
    corner = [int(np.argmin(((points - place / np.sqrt(3.0)) ** 2).sum(axis=1))) for place in reference_nodes(8)]
    continued = shape_functions(8, np.sqrt(3.0) * reference_nodes(grid.elements.shape[1]))
    at_nodes = np.matmul(continued, stresses[:, corner])
    where, n = grid.elements.ravel(), len(grid.nodes)
    shared = np.maximum(np.bincount(where, minlength=n), 1)
    sums = [np.bincount(where, at_nodes[..., c].ravel(), minlength=n) / shared for c in range(6)]
    return np.stack(sums, axis=1)


def von_mises(stresses: FloatArray) -> FloatArray:
    """Equivalent stress √(((σ_x - σ_y)² + (σ_y - σ_z)² + (σ_z - σ_x)²)/2 + 3 (τ_xy² + τ_yz² + τ_zx²)) of (..., 6)."""
    x, y, z, xy, yz, zx = np.moveaxis(np.asarray(stresses, dtype=float), -1, 0)
    return np.sqrt(((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) / 2 + 3 * (xy**2 + yz**2 + zx**2))
