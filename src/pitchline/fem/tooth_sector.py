"""The grid of one tooth of teeth of any shape, with the hats on its flanks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from ..gears.surfaces import SurfaceTeeth
from .flank_grid import FlankGrid, flank_grid
from .repetition import RepeatedGrid, Repetition
from .sector_grid import FlankNodes, SectorGrid
from .solid_grid import IntArray, SolidGrid
from .surface_grid import SurfaceGrid, surface_grid, surface_hats
from .surface_loads import faces_among

__all__ = ["FlankedGrid", "ToothSector", "hats_of"]


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
