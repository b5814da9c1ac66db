"""Mass and moments of inertia of a whole gear from the grid of one sector."""

from __future__ import annotations

import numpy as np

from ..gears.material import Material
from ..gears.teeth.arrays import FloatArray
from .cyclic_symmetry import rigid_motions
from .elasticity import mass_matrix
from .sector_grid import SectorGrid

__all__ = ["mass_and_inertia"]


def mass_and_inertia(grid: SectorGrid, material: Material) -> tuple[float, FloatArray, float]:
    """Mass [kg], moments of inertia (3,) about the axes of the gear through the centre of mass [kg m²], and the place of
    the centre along the axis [m].

    RᵀMR of the rigid motions R of a sector holds its moments; turned round the axis and summed over z ≥ 3 sectors, those
    about x and y become equal and the products vanish.
    """
    z = grid.teeth.gear.teeth
    R = rigid_motions(np.asarray(grid.solid.nodes, dtype=np.float64))
    gram = z * (R.T @ (mass_matrix(grid.solid, material) @ R))
    mass = float(gram[2, 2])
    # a turn about x moves the centre (0, 0, c) along −y by c: its momentum along y is −m c
    centre = -0.5 * float(gram[1, 3] - gram[0, 4]) / mass
    across = 0.5 * float(gram[3, 3] + gram[4, 4]) - mass * centre**2
    return mass, np.array([across, across, float(gram[5, 5])]), centre
