"""Pictures of the finite elements of a gear: its natural modes by nodal diameters, and its grid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitchline.arguments import names_wrong_arguments
from pitchline.fem.charts import chart_of
from pitchline.fem.surface_loads import faces_among
from pitchline.gears.inputs import positive
from pitchline.gears.rack import Rack
from pitchline.results.gear_grid import GearGrid
from pitchline.results.gear_modes import GearModes
from pitchline.views import style
from pitchline.views.canvas import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.tooth_sector import ToothSector

__all__ = ["plot_gear_grid", "plot_gear_modes"]


@names_wrong_arguments
def plot_gear_modes(
    found: GearModes,
    *,
    end: object = None,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.8,
) -> Figure:
    """Draw the natural frequencies of a gear over the number of nodal diameters.

    end: upper end of the frequency axis, such as "80 kHz"; by default the highest frequency of the analysis
    """
    limit = found.limit if end is None else positive(end, "frequency", "plot of gear modes: end")
    n, f = found.nodal_diameters, 1e-3 * found.wave_frequencies
    heading = f"{found.name}: natural frequencies, bore {found.bore}" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        for family in _families(found):
            ax.plot(*family, color=style.COLOURS[0], linewidth=0.6, alpha=0.5)
        ax.plot(n, f, "o", color=style.COLOURS[0], zorder=3)
        ax.set(xlabel="nodal diameters n", ylabel="frequency (kHz)", ylim=(0, 1e-3 * limit))
        last = int(n.max(initial=1))
        ax.set(xticks=range(0, last + 1, 2 if last > 8 else 1), xlim=(-0.4, last + 0.4))
        ax.set_title(f"{found.teeth} teeth", loc="right")
    return c.figure


def _families(found: GearModes) -> list[tuple[list[int], list[float]]]:
    """Modes of the same rank among those of their nodal diameters, rigid motions of free gears (two each for 0 and 1) counted."""
    rigid = 0 if found.bore == "fixed" else 2  # that of a rack only shifts its lines
    ranks: dict[int, tuple[list[int], list[float]]] = {}
    for k in range(int(found.nodal_diameters.max(initial=0)) + 1):
        own = 1e-3 * found.wave_frequencies[found.nodal_diameters == k]
        for rank, value in enumerate(own, start=rigid if k < 2 else 0):
            places, values = ranks.setdefault(rank, ([], []))
            places.append(k)
            values.append(float(value))
    return list(ranks.values())


@names_wrong_arguments
def plot_gear_grid(
    found: GearGrid,
    *,
    path: str | Path | None = None,
    title: str | None = None,
    width: float = style.WIDTH,
    panel_height: float = 2.4,
) -> Figure:
    """Draw the front face of the grid of one sector, its tooth to the right."""
    from matplotlib.collections import PolyCollection

    polygons = 1e3 * _front(found.sector)
    heading = f"{found.name}: grid of one of {found.teeth} sectors" if title is None else title
    with canvas(path=path, title=heading, width=width, panel_height=panel_height) as c:
        ax = c.axes[0]
        points = list(np.stack([polygons.real, polygons.imag], axis=-1))
        ax.add_collection(PolyCollection(points, facecolor="#F2F2F2", edgecolor=style.COLOURS[0], linewidth=0.25))
        ax.set_aspect("equal")
        ax.margins(0.01)
        ax.autoscale_view()
        ax.grid(False)
        rack = isinstance(found.sector.teeth.gear, Rack)
        ax.set(xlabel="above the reference line (mm)" if rack else "from the axis (mm)", ylabel="across (mm)")
        ax.set_title(f"{found.nodes:,} nodes, {found.elements:,} elements", loc="right")
    return c.figure


def _front(sector: SectorGrid | ToothSector) -> NDArray[np.complex128]:
    """(n, 4): the faces of the elements on the front face, as complex numbers, tooth 0 on the real axis [m].

    That of a bevel gear is a part of a sphere, projected to a plane.
    """
    solid, gear = sector.solid, sector.teeth.gear
    front = solid.node_sets["front face"]
    faces = faces_among(solid, front)[:, :4]
    nodes = np.asarray(solid.nodes, dtype=np.float64)
    if isinstance(gear, Rack):  # as it is, along its reference line
        flat = nodes[:, 0] + 1j * nodes[:, 1]
        return np.asarray((flat - 1j * flat[np.intersect1d(front, solid.node_sets["tip"])].imag.mean())[faces])
    P = chart_of(gear).section(nodes)[0]
    middle = P[np.intersect1d(front, solid.node_sets["tip"])].mean()
    return np.asarray((P * abs(middle) / middle)[faces])
