"""A grid as a rigid body: mass, centre, inertia, and the motions that do not deform it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from ..gears.material import Material
from .elasticity import mass_matrix
from .solid_grid import FloatArray, SolidGrid

__all__ = ["RigidProperties", "rigid_modes", "rigid_properties"]


@dataclass(frozen=True, eq=False)
class RigidProperties:
    """Mass properties of a body.

    Attributes
    ----------
    mass : float
        [kg]
    centre : (3,)
        Centre of mass in the axes of the grid [m].
    inertia : (3, 3)
        About the centre of mass, in the axes of the grid [kg m²].
    """

    mass: float
    centre: FloatArray
    inertia: FloatArray


def rigid_properties(grid: SolidGrid, material: Material, *, mass: sp.csr_matrix | None = None) -> RigidProperties:
    """Mass properties of a grid of one material.

    Places inside an element are x = Σ N_a x_a, so that ∫ρ x xᵀ dV = Σ_ab m_ab x_a x_bᵀ with the consistent mass m: the
    body of the grid is integrated, and its curved surfaces are those of the elements. mass: the consistent mass matrix
    where it is known already.
    """
    M = mass_matrix(grid, material) if mass is None else mass
    m = M[::3, ::3]
    total = float(m.sum())
    centre = np.asarray(m.sum(axis=0)).ravel() @ grid.nodes / total
    from_centre = grid.nodes - centre
    second = from_centre.T @ (m @ from_centre)
    second = (second + second.T) / 2
    return RigidProperties(total, centre, np.trace(second) * np.eye(3) - second)


def rigid_modes(nodes: FloatArray, *, about: FloatArray | None = None) -> FloatArray:
    """(3 nodes, 6) displacements of all nodes under unit shifts along x, y, z and unit small turns about x, y, z.

    about: the point that stays where it is in the turns; the origin if None.
    """
    from_point = np.asarray(nodes, dtype=float) - (0.0 if about is None else np.asarray(about))
    modes = np.zeros((len(from_point), 3, 6))
    modes[:, [0, 1, 2], [0, 1, 2]] = 1.0
    for axis in range(3):
        modes[:, :, 3 + axis] = np.cross(np.eye(3)[axis], from_point)
    return modes.reshape(-1, 6)
