"""The grid of one tooth of teeth of any shape, with the hats on its flanks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from pitchline.base.types import FloatArray, IntArray
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.surfaces.from_gears import SurfaceTeeth

from .charts import RepeatedGrid, Repetition
from .elasticity import mass_matrix
from .sector_grid import FlankNodes, SectorGrid
from .solid_grid import SolidGrid
from .surface_grid import FlankGrid, SurfaceGrid, flank_grid, surface_grid, surface_hats
from .surface_loads import faces_among

__all__ = ["RigidProperties", "rigid_modes", "rigid_properties", "FlankedGrid", "ToothSector", "hats_of"]


# ---- rigid body

# A grid as a rigid body: mass, centre, inertia, and the motions that do not deform it.


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


class FlankedGrid(RepeatedGrid, Protocol):
    """The grid of one sector, with the nodes on its flanks."""

    @property
    def flanks(self) -> Mapping[str, FlankNodes]:
        """Nodes of the "left" and "right" flank."""


@dataclass(frozen=True, eq=False)
class ToothSector:
    """One tooth of any shape and the body below it; the attributes are those of `SectorGrid`.

    In its flank nodes `lengths` are u from 0 at the form line to 1 at the tip where they come from patches, else as in the grid
    of the nominal gear.
    """

    teeth: SurfaceTeeth
    solid: SolidGrid
    flanks: Mapping[str, FlankNodes]
    low_side: IntArray
    high_side: IntArray
    bore: IntArray
    _hats: dict[str, tuple[SurfaceGrid, sp.csc_matrix]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, teeth: SurfaceTeeth, grid: FlankedGrid, solid: SolidGrid | None = None) -> ToothSector:
        """From a grid of the nominal gear, with its nodes moved where `solid` is given."""
        return cls(teeth, solid or grid.solid, grid.flanks, grid.low_side, grid.high_side, grid.bore)

    @property
    def repetition(self) -> Repetition:
        """From tooth to tooth."""
        return Repetition.of(self.teeth.gear)

    def hats(self, side: str) -> tuple[SurfaceGrid, sp.csc_matrix]:
        """The hats on the "left" or "right" flank, as many as there are corners across and lines of nodes along it."""
        if side in self._hats:
            return self._hats[side]
        nodes = self.flanks[side].nodes
        rows = (nodes.shape[0] - 1) // self.solid.order + 1
        patch = self.teeth.flank(side)
        faces = faces_among(self.solid, np.unique(nodes[nodes >= 0]))
        grid = surface_grid(patch, rows, nodes.shape[1])
        found = surface_hats(patch, self.solid.nodes, faces, grid, what=f"elastic gear: {side} flank")
        self._hats[side] = found
        return found

    def __repr__(self) -> str:
        return f"ToothSector({self.teeth.gear.teeth} teeth, {self.solid!r})"


def hats_of(sector: SectorGrid | ToothSector, side: str) -> tuple[FlankGrid | SurfaceGrid, sp.csc_matrix]:
    """The hats on one flank of a sector, and their loads (3 nodes, hats)."""
    return sector.hats(side) if isinstance(sector, ToothSector) else flank_grid(sector, side)
