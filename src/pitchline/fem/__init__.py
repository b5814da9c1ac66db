"""Elastic gears: solid grids of teeth and bodies, finite elements, cyclic symmetry, modes and flank compliance."""

from .grid_quality import GridQuality, grid_quality, grid_volume
from .rigid_gear import rigid_gear
from .sector_bevel import BevelSectorGrid, bevel_sector_grid
from .sector_grid import FlankNodes, SectorGrid, sector_grid, whole_gear
from .sector_rack import RackSectorGrid, rack_sector_grid, whole_rack
from .sector_surfaces import surface_sector_grid
from .sector_volume import gear_volume
from .solid_grid import SolidGrid
from .surface_grid import SurfaceGrid, surface_grid, surface_hats
from .tooth_sector import ToothSector

__all__ = [
    "rigid_gear",
    # grids
    "SolidGrid",
    "SectorGrid",
    "FlankNodes",
    "BevelSectorGrid",
    "sector_grid",
    "bevel_sector_grid",
    "RackSectorGrid",
    "rack_sector_grid",
    "ToothSector",
    "surface_sector_grid",
    "whole_gear",
    "whole_rack",
    "GridQuality",
    "grid_quality",
    "grid_volume",
    "gear_volume",
    # hats on flanks of any shape
    "SurfaceGrid",
    "surface_grid",
    "surface_hats",
]
