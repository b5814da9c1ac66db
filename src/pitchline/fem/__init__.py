"""Elastic gears: solid meshes of teeth and bodies, finite elements, cyclic symmetry, modes and flank compliance."""

from .mesh_quality import MeshQuality, mesh_quality, mesh_volume
from .sector_bevel import BevelSectorMesh, mesh_bevel_sector
from .sector_mesh import FlankPatch, SectorMesh, mesh_sector, whole_gear
from .sector_volume import gear_volume
from .solid_mesh import SolidMesh

__all__ = [
    # meshes
    "SolidMesh",
    "SectorMesh",
    "FlankPatch",
    "BevelSectorMesh",
    "mesh_sector",
    "mesh_bevel_sector",
    "whole_gear",
    "MeshQuality",
    "mesh_quality",
    "mesh_volume",
    "gear_volume",
]
