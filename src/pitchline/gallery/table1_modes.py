"""Natural modes of two elastic spur gears, z = 18 and 37, free in space, by nodal diameters: Do, Ziegler and Eberhard's pair.

A gear is cyclically symmetric: each mode is a wave of n nodal diameters round it, n = 0 … z/2, and one tooth with the body
below it knows them all. n = 0 breathes, twists or dishes; a pair of modes of equal frequency and 1 ≤ n < z/2 is one wave and
its neighbour, turned by a quarter of its length. With a growing n the body moves less and less, and what is left are teeth
that swing on their own: their frequencies run into narrow bands, from 90 kHz on for these gears.

Frequencies are those up to 80 kHz, ascending, without the six rigid motions; pairs are listed twice, so that every mode of
the gear is in the list. Bores are 0.4 times the reference diameter, which was not published. The exact mass is the area inside the
outline of the teeth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

import pitchline as pl
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.fem.sector_volume import gear_volume
from pitchline.views import style
from pitchline.views.canvas import canvas

from .do_ziegler_eberhard import STEEL, table1_pair
from .driven_pair import DrivenPair
from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["LIMIT", "PairModes", "build", "draw", "figures", "run"]

LIMIT = 80e3
"""[Hz] of the figures."""
_DRAWN = 200e3
"""[Hz] of the picture."""
GRID = {
    "flank_elements": 5,
    "fillet_elements": 2,
    "root_elements": 2,
    "across_elements": 4,
    "body_elements": 7,
    "face_elements": 3,
}
"""20-node elements with reduced integration: frequencies stand still within 0.1 % up to 80 kHz."""


@dataclass(frozen=True)
class PairModes:
    """Both gears with their modes."""

    gears: dict[str, ElasticGear]
    kind: str = "modes"
    warnings: tuple[str, ...] = field(default=())


def build() -> pl.Model:
    """The pair as rigid wheels at rest, a motor on the pinion and a load on the gear."""
    pair = table1_pair()
    return DrivenPair(
        name="table1-modes", a=pair.pinion.gear, b=pair.gear.gear, load=pair.load, speed=pair.speed
    ).build()


def run() -> Run:
    """The modes of either gear."""
    gears = {
        name: elastic_gear(teeth, bore="free", up_to=_DRAWN, offsets=0, grid=GRID, formulation="reduced")
        for name, teeth, _ in table1_pair().wheels
    }
    return {"modes": PairModes(gears)}


def figures(run: Run) -> list[Figure]:
    """Frequencies of either gear up to 80 kHz, and its mass, right the exact one."""
    found = []
    for name, gear in run["modes"].gears.items():
        frequencies = gear.all_frequencies
        exact = 1e3 * STEEL.density * gear_volume(gear.teeth)
        found += [
            Figure(
                f"{name}.frequencies",
                frequencies[frequencies < LIMIT].tolist(),
                "Hz",
                f"elastic modes of the {name}, every one, pairs twice",
            ),
            Figure(f"{name}.mass", 1e3 * gear.mass, "g", f"mass of the {name} (right: exact)", exact),
        ]
    return found


def draw(run: Run, path: Path | None = None) -> Picture:
    """Frequency against nodal diameters, which engineers know from turbine blades and brake discs."""
    gears: dict[str, ElasticGear] = run["modes"].gears
    title = "Natural frequencies of the free gears by nodal diameters"
    with canvas(panels=len(gears), path=path, title=title, width=style.WIDTH, panel_height=2.6) as c:
        for ax, (name, gear), colour in zip(c.axes, gears.items(), style.COLOURS, strict=False):
            n, f = gear.nodal_diameters, 1e-3 * gear.frequencies
            ax.axhline(1e-3 * LIMIT, color="#808080", linewidth=0.8, linestyle=(0, (4, 2)))
            for family in _families(n, f):
                ax.plot(*family, color=colour, linewidth=0.6, alpha=0.5)
            ax.plot(n, f, "o", color=colour, clip_on=False, zorder=3)
            ax.set(ylabel="frequency (kHz)", ylim=(0, 1e-3 * _DRAWN), yticks=range(0, 201, 40))
            ax.set_title(f"{name}, {gear.teeth.gear.teeth} teeth", loc="right")
        last = int(max(gear.nodal_diameters.max() for gear in gears.values()))
        c.axes[-1].set(xlabel="nodal diameters n", xticks=range(0, last + 1, 2), xlim=(-0.4, last + 0.4))
    return c.figure


def _families(n: npt.NDArray[np.int64], f: npt.NDArray[np.float64]) -> list[tuple[list[int], list[float]]]:
    """Modes of the same rank among those of their nodal diameters, rigid motions (two each for n = 0 and 1) counted."""
    ranks: dict[int, tuple[list[int], list[float]]] = {}
    for k in range(int(n.max()) + 1):
        for rank, value in enumerate(f[n == k], start=2 if k < 2 else 0):
            places, values = ranks.setdefault(rank, ([], []))
            places.append(k)
            values.append(float(value))
    return list(ranks.values())
