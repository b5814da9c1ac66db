"""Mass and moments of inertia of a whole gear from the grid of one sector."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, shown
from ..gears.gear import Gear
from ..gears.material import Material
from ..gears.rack import Rack
from ..gears.surfaces import surface_teeth
from ..gears.teeth import BevelTeeth
from ..gears.teeth.arrays import FloatArray
from ..solids.mass_properties import MassProperties, shaped
from ..solids.shape import GEAR_SHAPE
from .element_matrices import element_masses
from .repetition import RepeatedGrid
from .sector_bevel import bevel_sector_grid
from .sector_grid import sector_grid
from .sector_rack import rack_sector_grid
from .sector_surfaces import surface_sector_grid

__all__ = ["GridMass", "grid_mass", "mass_and_inertia", "toothed_solid"]

_CHUNK = 512
"""Elements at a time."""


class GridMass(NamedTuple):
    """Mass [kg], centre of mass (3,) [m] and inertia (3, 3) about it [kg m²], in the axes of the gear."""

    mass: float
    centre: FloatArray
    inertia: FloatArray


def grid_mass(grid: RepeatedGrid, material: Material, *, teeth: int | None = None) -> GridMass:
    """Mass properties of a whole gear or rack from the grid of one sector.

    Moments ∫ρ dV, ∫ρ x dV and ∫ρ x xᵀ dV of a sector are those of its finite elements. Summed over z ≥ 3 sectors of a gear, those
    about x and y become equal and the products vanish. teeth: of a rack, at their places along it.
    """
    nodes = np.asarray(grid.solid.nodes, dtype=np.float64)
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for start in range(0, len(grid.solid.elements), _CHUNK):
        at = nodes[grid.solid.elements[start : start + _CHUNK]]
        M = element_masses(at, density=material.density, first=start)
        weighed = M @ at
        mass += float(M.sum())
        first += weighed.sum(axis=(0, 1))
        second += np.einsum("eai,eaj->ij", at, weighed)
    z = grid.repetition.count if teeth is None else teeth
    if grid.repetition.straight:  # the x axis goes through the middle tooth, or through the one before the middle
        places = grid.repetition.travel * (np.arange(z) - (z - 1) // 2)
        along = np.array([0.0, 1.0, 0.0])
        shift, square = float(places.sum()), float(places @ places)
        second = z * second + shift * (np.outer(along, first) + np.outer(first, along))
        second += mass * square * np.outer(along, along)
        first = z * first + mass * shift * along
    else:
        half = 0.5 * z * float(second[0, 0] + second[1, 1])
        second = np.diag([half, half, z * float(second[2, 2])])
        first = z * np.array([0.0, 0.0, float(first[2])])
    mass *= z
    centre = first / mass
    second = 0.5 * (second + second.T) - mass * np.outer(centre, centre)
    return GridMass(mass, centre, np.trace(second) * np.eye(3) - second)


def mass_and_inertia(
    grid: RepeatedGrid, material: Material, *, teeth: int | None = None
) -> tuple[float, FloatArray, float]:
    """Mass [kg], moments of inertia (3,) about the axes of the gear through the centre of mass [kg m²], and the place of
    the centre along the axis [m]. teeth: of a rack."""
    found = grid_mass(grid, material, teeth=teeth)
    return found.mass, np.diag(found.inertia).copy(), float(found.centre[2])


@names_wrong_arguments
def toothed_solid(gear: Gear | Rack) -> MassProperties:
    """Mass, centre of mass and inertia of a gear or rack with its teeth, of the grid that its finite elements have by default.

    `Gear.solid` has the same teeth, by an integral over their outline, and needs no bore. A cylindrical gear needs a face width and
    a bore here, a straight bevel gear and a rack a face width. The body of a bevel gear is the rim of its grid.
    """
    if not isinstance(gear, (Gear, Rack)):
        raise ModelError(f"toothed solid: expected a Gear or a Rack, got {shown(gear)}")
    return _toothed(gear if isinstance(gear, Rack) else gear.with_(modifications=None))


@lru_cache(maxsize=32)
def _toothed(gear: Gear | Rack) -> MassProperties:
    grid: RepeatedGrid
    if gear.flanks is not None:
        grid = surface_sector_grid(surface_teeth(gear))
    elif isinstance(gear, Rack):
        grid = rack_sector_grid(gear)
    else:
        grid = bevel_sector_grid(BevelTeeth(gear)) if gear.cone_angle else sector_grid(gear)
    found = grid_mass(grid, gear.material, teeth=gear.teeth)
    x, y, z = (float(v) for v in found.centre)
    solid = MassProperties(found.mass, (x, y, z), found.inertia, what="toothed solid")
    return solid if isinstance(gear, Rack) else shaped(solid, GEAR_SHAPE)
