"""Results for gears: grids with their quality, natural modes, forces of the teeth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray, IntArray
from pitchline.facades import plotter
from pitchline.fem.solid_grid import GridQuality, gear_volume, grid_quality
from pitchline.results.interactions import Record
from pitchline.results.result import text_table
from pitchline.results.tables_results import ResultTable, TableColumn, TableRow, statistics_of, table_of

from .surfaces.from_gears import SurfaceTeeth

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pitchline.fem.sector_grid import SectorGrid
    from pitchline.fem.tooth_sector import ToothSector

__all__ = ["GearGrid", "GearModes", "_COLUMNS", "gear_forces"]


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


# ---- gear modes

# GearModes: natural modes of one gear, each a wave with a number of nodal diameters.


@names_wrong_arguments
@dataclass(frozen=True, eq=False, kw_only=True)
class GearModes:
    """Modes of an elastic gear below a frequency, without its rigid motions.

    Attributes
    ----------
    name : str
        Of the gear.
    teeth : int
        z; of a rack the number of teeth after which its motion repeats, 16 at least.
    bore : str
        "fixed", "free" or "shaft".
    nodal_diameters : (m,)
        n = 0 … z/2, one entry for a pair of modes n and −n.
    wave_frequencies : (m,)
        Theirs [Hz], ascending.
    frequencies : (k,)
        Of every mode for itself [Hz], ascending: those of pairs twice.
    limit : float
        All modes below this frequency [Hz] are there.
    mass, exact_mass : float
        Of the finite elements, and of the volume inside the exact teeth [kg]; that of surfaces is not known (nan).
    """

    kind: ClassVar[str] = "gear modes"
    name: str
    teeth: int
    bore: str
    nodal_diameters: IntArray
    wave_frequencies: FloatArray
    frequencies: FloatArray
    limit: float
    mass: float
    exact_mass: float
    warnings: tuple[str, ...] = ()

    def table(self) -> str:
        """Table with one line for each wave: nodal diameters, frequency [kHz], number of modes."""
        single = (self.nodal_diameters == 0) | (2 * self.nodal_diameters == self.teeth)
        rows = [
            [f"{n}", f"{1e-3 * f:.4f}", "1" if one else "2"]
            for n, f, one in zip(self.nodal_diameters, self.wave_frequencies, single, strict=True)
        ]
        return text_table(["nodal diameters", "frequency/kHz", "modes"], rows)

    def plot(self, *, path: str | Path | None = None, **options: Any) -> Figure:
        """Plot frequencies over nodal diameters; options as in `pitchline.views.plot_gear_modes`."""
        return plotter("GearModes")(self, path=path, **options)

    def __str__(self) -> str:
        head = f"{len(self.frequencies)} modes of {self.name} ({self.teeth} teeth, bore {self.bore}) below {self.limit:g} Hz"
        return "\n".join([head, self.table(), *(f"warning: {text}" for text in self.warnings)])

    def __repr__(self) -> str:
        return f"GearModes({self.name}: {len(self.frequencies)} modes below {self.limit:g} Hz)"


# ---- gear table

# Forces of gear pairs: tangential, radial and axial, torques, speeds, power and the distribution over the face.

_COLUMNS = (
    TableColumn("tangential", "tangential", "N"),
    TableColumn("radial", "radial", "N"),
    TableColumn("axial", "axial", "N"),
    TableColumn("normal", "normal", "N", detail=True),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
    TableColumn("power", "power", "W", "kW"),
    TableColumn("loss", "loss", "W"),
    TableColumn("transmission_error", "transm. error", "m", "um"),
    TableColumn("tilt", "tilt", "rad", "mrad"),
    TableColumn("face_load_factor", "K_Hb"),
)


def gear_forces(record: Record) -> ResultTable:
    """One row for each gear of each pair, named "pair gear"."""
    wheels = record.model.get("wheels", {})
    rows = []
    for name, pair in record.model.get("gear_pairs", {}).items():
        for side in "ab":
            wheel = pair[f"wheel_{side}"]
            rows.append(
                TableRow(
                    f"{name} {wheel}",
                    _words(wheels.get(wheel, {})),
                    statistics_of(_quantities(record, name, pair, side), record.time),
                )
            )
    notes = [
        "Forces on the gear: radial positive away from its mate, axial along its own z axis. Torque of the teeth about its axis. "
        "Power that the gear gives to the teeth."
    ]
    return table_of("Forces of gears", _COLUMNS, rows, notes)


def _words(wheel: dict[str, Any]) -> str:
    gear = wheel.get("gear") or {}
    body = wheel.get("frame", {}).get("body_name", "")
    teeth = f"z {gear['teeth']}, " if "teeth" in gear else ""
    return f"{teeth}on {body}" if body else teeth.rstrip(", ")


def _quantities(record: Record, name: str, pair: dict[str, Any], side: str) -> dict[str, FloatArray]:
    of_b = "_b" if side == "b" else ""
    wheel = record.model.get("wheels", {}).get(pair[f"wheel_{side}"], {})
    frame = record.frame(pair[f"frame_{side}"] if f"frame_{side}" in pair else wheel["frame"])
    both = {  # if the axes are parallel, both gears have the same tangential and radial force
        key: record.values(f"{name}.{key}_force{of_b if record.has(f'{name}.{key}_force_b') else ''}")
        for key in ("tangential", "radial")
    }
    moment = record.values(f"{name}.moment_{side}")
    found = {
        **both,
        "axial": record.values(f"{name}.axial_force{of_b}"),
        "normal": record.values(f"{name}.normal_force"),
        "torque": np.einsum("ni,ni->n", moment, frame.axis),
        "speed": np.einsum("ni,ni->n", record.spin(frame.body), frame.axis),
        "transmission_error": record.values(f"{name}.transmission_error"),
        "tilt": record.values(f"{name}.tilt"),
    }
    if record.result.kind != "statics":
        found["power"] = record.values(f"{name}.power") if side == "a" else -record.values(f"{name}.power_b")
        found["loss"] = record.values(f"{name}.loss") if side == "a" else np.full(record.count, np.nan)
    else:  # nothing moves: from the speed with which the model starts
        found["power"] = -found["torque"] * found["speed"]
    if record.has(f"{name}.face_load_factor"):
        found["face_load_factor"] = record.values(f"{name}.face_load_factor")
    return found
