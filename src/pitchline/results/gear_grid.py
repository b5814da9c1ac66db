"""GearGrid: finite-element grid of one gear, with its size and quality."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pitchline.arguments import names_wrong_arguments
from pitchline.fem.grid_quality import GridQuality, grid_quality
from pitchline.fem.sector_volume import gear_volume
from pitchline.gears.surfaces import SurfaceTeeth
from pitchline.results.plotter import plotter
from pitchline.results.report import text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.tooth_sector import ToothSector

__all__ = ["GearGrid"]


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class GearGrid:
    """The grid of one sector, of which the whole gear has z.

    name:   of the gear
    sector: its `SectorGrid`, or the `ToothSector` of a bevel gear, a rack or of surfaces

    `elements` is the number of those of the whole gear.
    """

    kind: ClassVar[str] = "gear grid"
    name: str
    sector: SectorGrid | ToothSector = field(repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def teeth(self) -> int:
        """z"""
        return self.sector.teeth.gear.teeth

    @property
    def nodes(self) -> int:
        """Of the whole gear: neighbouring sectors share the nodes of one side."""
        shared = len(self.sector.high_side)
        last = shared if self.sector.repetition.straight else 0
        return self.teeth * (len(self.sector.solid.nodes) - shared) + last

    @property
    def elements(self) -> int:
        """Of the whole gear."""
        return self.teeth * len(self.sector.solid.elements)

    @cached_property
    def quality(self) -> GridQuality:
        """Of one sector."""
        return grid_quality(self.sector.solid)

    @property
    def scaled_jacobian(self) -> float:
        """Smallest scaled Jacobian: 1 in a cube, 0 if an element collapses."""
        return self.quality.scaled_jacobian

    @property
    def flank_edge(self) -> float:
        """Length of the edges along the profile, in the middle of the face [m]."""
        patch = self.sector.flanks["left"]
        if isinstance(self.sector.teeth, SurfaceTeeth):
            order = self.sector.solid.order
            middle = order * (patch.nodes.shape[1] // (2 * order))
            corners = self.sector.solid.nodes[patch.nodes[::order, middle]]
            return float(np.linalg.norm(np.diff(corners, axis=0), axis=1).mean())
        r_b = self.sector.teeth.left.involute.base_radius
        ends = np.stack([np.interp(0.0, patch.zeta, row) for row in (patch.lengths[0], patch.lengths[-1])])
        return float(abs(ends[1] ** 2 - ends[0] ** 2)) / (2.0 * r_b * (len(patch.nodes) - 1))

    @property
    def mass(self) -> float:
        """Of the elements of the whole gear [kg]."""
        return self.sector.teeth.gear.density * self.teeth * self.quality.volume

    @property
    def exact_mass(self) -> float:
        """Of the volume inside the exact teeth [kg]; that of surfaces is not known (nan)."""
        if isinstance(self.sector.teeth, SurfaceTeeth):
            return math.nan
        return self.sector.teeth.gear.density * gear_volume(self.sector.teeth)

    def table(self) -> str:
        """Nodes, elements, edges on the flank [mm], smallest scaled Jacobian, mass [kg] and the exact one."""
        row = [
            f"{self.nodes}", f"{self.elements}", f"{1e3 * self.flank_edge:.4g}", f"{self.scaled_jacobian:.3f}",
            f"{self.mass:.6g}", "-" if math.isnan(self.exact_mass) else f"{self.exact_mass:.6g}",
        ]  # fmt: skip
        return text_table(["nodes", "elements", "flank edge/mm", "scaled Jacobian", "mass/kg", "exact/kg"], [row])

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot the front face of one sector; options as in `pitchline.views.plot_gear_grid`."""
        return plotter("GearGrid")(self, path=path, **options)

    def __str__(self) -> str:
        return "\n".join([f"finite-element grid of {self.name}, {self.teeth} teeth", self.table()])
