"""Real gear pairs as solid grids of the published size: Do, Ziegler and Eberhard's spur, helical and beveloid gears.

What elastic gears cost is decided by their grids. These are those of `do_ziegler_eberhard`, one sector of each gear, of
which the whole gear has z: all hexahedra, nodes on the exact flanks and fillets, z (n − n_side) nodes and z m elements with
n nodes, n_side of them on one of its sides, and m elements in a sector. Their mass is held against the exact one, the area
inside the outline of a tooth by Gauss's theorem.

The model is the pair as rigid wheels that run up and are loaded. Beveloids on shafts at the angle Σ roll on each other as
bevel wheels do whose mean pitch circles are theirs: tan δ_A = sin Σ / (z_B/z_A + cos Σ), δ_B = Σ − δ_A.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl
from pitchline.fem.grid_quality import GridQuality, grid_quality
from pitchline.fem.sector_grid import SectorGrid, sector_grid
from pitchline.fem.sector_volume import gear_volume
from pitchline.views import style
from pitchline.views.canvas import canvas

from .do_ziegler_eberhard import STEEL, PublishedPair, table1_pair, table3_pair
from .driven_pair import DrivenPair
from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["PairGrids", "build", "draw", "figures", "run"]

NAMES = {"spur": "table1-spur", "helical": "table1-helical", "beveloid": "table3-beveloid"}


def published(pair: str) -> PublishedPair:
    """The "spur", "helical" or "beveloid" pair."""
    return table3_pair() if pair == "beveloid" else table1_pair(helical=pair == "helical")


@dataclass(frozen=True, eq=False)
class PairGrids:
    """The sectors of pinion and gear."""

    pair: PublishedPair
    sectors: dict[str, SectorGrid]
    kind: str = "grids"
    warnings: tuple[str, ...] = ()

    @cached_property
    def quality(self) -> dict[str, GridQuality]:
        """Of the sector of either gear."""
        return {name: grid_quality(sector.solid) for name, sector in self.sectors.items()}

    def nodes(self, wheel: str) -> int:
        """Of the whole gear."""
        sector = self.sectors[wheel]
        return sector.teeth.gear.teeth * (len(sector.solid.nodes) - len(sector.high_side))

    def elements(self, wheel: str) -> int:
        """Of the whole gear."""
        sector = self.sectors[wheel]
        return sector.teeth.gear.teeth * len(sector.solid.elements)

    def mass(self, wheel: str) -> float:
        """Of the elements of the whole gear [kg]."""
        return STEEL.density * self.sectors[wheel].teeth.gear.teeth * self.quality[wheel].volume

    def flank_edge(self, wheel: str) -> float:
        """Along the involute in the middle of the face [m]."""
        patch = self.sectors[wheel].flanks["left"]
        r_b = self.sectors[wheel].teeth.left.involute.base_radius
        ends = np.stack([np.interp(0.0, patch.zeta, row) for row in (patch.lengths[0], patch.lengths[-1])])
        return float(abs(ends[1] ** 2 - ends[0] ** 2)) / (2.0 * r_b * (len(patch.nodes) - 1))


def build(pair: str = "spur") -> pl.Model:
    """The pair as rigid wheels at rest, a motor on the pinion and a load on the gear."""
    found = published(pair)
    a, b = found.pinion.gear, found.gear.gear
    mesh = pl.Rolling() if found.shaft_angle else pl.Rigid()
    return DrivenPair(name=NAMES[pair], a=a, b=b, load=found.load, speed=found.speed, mesh=mesh).build()


def run(pair: str = "spur") -> Run:
    """The grids of one sector of either gear."""
    found = published(pair)
    return {"grids": PairGrids(found, {name: sector_grid(teeth, **options) for name, teeth, options in found.wheels})}


def figures(run: Run, pair: str = "spur") -> list[Figure]:
    """Nodes, elements, edges, Jacobians and mass; on the right what was published, of masses the exact ones."""
    grids: PairGrids = run["grids"]
    paper = grids.pair
    found = [
        Figure(
            "pair.nodes",
            sum(map(grids.nodes, grids.sectors)),
            "",
            "nodes of both gears (right: published, about)",
            paper.nodes,
        ),
        Figure("pair.elements", sum(map(grids.elements, grids.sectors)), "", "elements of both gears", paper.elements),
    ]
    for name, sector in grids.sectors.items():
        quality = grids.quality[name]
        exact = 1e3 * STEEL.density * gear_volume(sector.teeth)
        found += [
            Figure(f"{name}.nodes", grids.nodes(name), "", f"nodes of the {name}"),
            Figure(f"{name}.elements", grids.elements(name), "", f"elements of the {name}"),
            Figure(
                f"{name}.flank_edge",
                1e3 * grids.flank_edge(name),
                "mm",
                "edges along the involute, in the middle of the face",
                1e3 * paper.flank_edge,
                digits=3,
            ),
            Figure(f"{name}.scaled_jacobian", quality.scaled_jacobian, "", "the smallest scaled Jacobian", digits=3),
            Figure(f"{name}.mass", 1e3 * grids.mass(name), "g", "mass of the elements (right: exact)", exact),
        ]
    return found


def draw(run: Run, path: Path | None = None) -> Picture:
    """Front faces: a sector of the pinion between two of the gear, as they mesh."""
    from matplotlib.collections import PolyCollection

    grids: PairGrids = run["grids"]
    pinion, gear = grids.sectors["pinion"], grids.sectors["gear"]
    half_pitch = math.pi / gear.teeth.gear.teeth
    between = grids.pair.gear.gear.dedendum_factor - 1.0  # clearance in modules
    distance = _radius(pinion, "tip") + _radius(gear, "root") + between * gear.teeth.gear.normal_module
    faces = {
        "pinion": [_front(pinion)],
        "gear": [distance - _front(gear) * np.exp(1j * turn) for turn in (-half_pitch, half_pitch)],
    }
    with canvas(path=path, title=_title(grids), width=style.WIDTH, panel_height=2.8) as c:
        ax = c.axes[0]
        for (name, found), colour in zip(faces.items(), style.COLOURS, strict=False):
            polygons = 1e3 * np.concatenate(found)
            drawn = PolyCollection(
                list(np.stack([polygons.real, polygons.imag], axis=-1)), facecolor="#F2F2F2", edgecolor=colour, linewidth=0.25
            )
            drawn.set_label(f"{name}: {grids.nodes(name):,} nodes, {grids.elements(name):,} elements")
            ax.add_collection(drawn)
        ax.set_aspect("equal")
        ax.margins(0.01)
        ax.autoscale_view()
        ax.grid(False)
        ax.set(xlabel="from the axis of the pinion (mm)", ylabel="across (mm)")
        c.figure.legend(loc="outside lower center", ncols=2)
    return c.figure


def _title(grids: PairGrids) -> str:
    teeth = " and ".join(str(sector.teeth.gear.teeth) for sector in grids.sectors.values())
    return f"Grids of one sector: {teeth} teeth"


def _on_front(sector: SectorGrid) -> np.ndarray:
    """Nodes of the front face as complex numbers, tooth 0 turned to the x axis; nan elsewhere."""
    nodes = sector.solid.nodes
    P = nodes[:, 0] + 1j * nodes[:, 1]
    P[nodes[:, 2] < nodes[:, 2].max() - 1e-9] = np.nan
    tip = P[sector.solid.node_sets["tip"]]
    middle = np.nanmean(tip)
    return np.asarray(P * abs(middle) / middle)


def _front(sector: SectorGrid) -> np.ndarray:
    """(n, 4): the faces of the elements there."""
    faces = _on_front(sector)[sector.solid.elements[:, 4:8]]
    return np.asarray(faces[~np.isnan(faces).any(axis=1)])


def _radius(sector: SectorGrid, name: str) -> float:
    """The largest one of the tip, the smallest one of the root, on the front face [m]."""
    radii = np.abs(_on_front(sector)[sector.solid.node_sets[name]])
    return float(np.nanmax(radii) if name == "tip" else np.nanmin(radii))
