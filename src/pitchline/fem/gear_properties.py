"""Mass and moments of inertia of a whole gear from the grid of one sector."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from ..gears.gear import Gear
from ..gears.material import Material
from ..gears.rack import Rack
from ..gears.teeth.arrays import FloatArray
from ..solids.mass_properties import MassProperties, shaped
from ..solids.shape import GEAR_SHAPE
from .element_matrices import element_masses
from .sector_grid import SectorGrid, sector_grid

__all__ = ["mass_and_inertia", "toothed_solid"]

_CHUNK = 512
"""Elements at a time."""


def mass_and_inertia(grid: SectorGrid, material: Material) -> tuple[float, FloatArray, float]:
    """Mass [kg], moments of inertia (3,) about the axes of the gear through the centre of mass [kg m²], and the place of
    the centre along the axis [m].

    Moments ∫ρ dV, ∫ρ z dV and ∫ρ x xᵀ dV of a sector are those of its finite elements; summed over z ≥ 3 sectors, those about
    x and y become equal and the products vanish.
    """
    z = grid.teeth.gear.teeth
    nodes = np.asarray(grid.solid.nodes, dtype=np.float64)
    mass, first, second = 0.0, 0.0, np.zeros(3)
    for start in range(0, len(grid.solid.elements), _CHUNK):
        at = nodes[grid.solid.elements[start : start + _CHUNK]]
        M = element_masses(at, density=material.density, first=start)
        weighed = M @ at
        mass += z * float(M.sum())
        first += z * float(weighed[:, :, 2].sum())
        second += z * np.einsum("eai,eai->i", at, weighed)
    centre = first / mass
    across = 0.5 * float(second[0] + second[1]) + float(second[2]) - mass * centre**2
    return mass, np.array([across, across, float(second[0] + second[1])]), centre


@names_wrong_arguments
def toothed_solid(gear: Gear | Rack) -> MassProperties:
    """Mass, centre of mass and inertia of a gear with its teeth, of the grid that its finite elements have by default.

    `Gear.solid` is its blank, filled up to the pitch surface. The gear needs a face width and a bore; racks have no such grid.
    """
    if not isinstance(gear, Gear):
        raise ModelError(f"toothed solid: expected a Gear, got {shown(gear)}")
    return _toothed(gear.with_(modifications=None))


@lru_cache(maxsize=32)
def _toothed(gear: Gear) -> MassProperties:
    mass, moments, centre = mass_and_inertia(sector_grid(gear), gear.material)
    return shaped(MassProperties(mass, (0.0, 0.0, centre), np.diag(moments), what="toothed solid"), GEAR_SHAPE)
