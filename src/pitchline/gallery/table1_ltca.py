"""The spur pair of Do, Ziegler and Eberhard, Table 1, loaded: how far it gives way, and how evenly.

Both gears are held at their bores, 100 N m and 20 N m act on the large one. Nothing is published of this case; the figures
stand beside the stiffness of ISO 6336-1, method B, whose mean c_γα = c' (0.75 ε_α + 0.25) is that of all pairs in contact
at a line load of 100 N/mm and more (here 288 N/mm at 100 N m, 58 N/mm at 20 N m). Relieved, 18 µm are taken away at the
tips of both gears, in a straight line over 1.8 mm of roll length: teeth then come into contact without a step, but the
transmission error stays as uneven as it was, for one pair alone still gives way as much as before, two pairs as little.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl

from ..analyses.loaded_contact import loaded_contact
from ..fem.elastic_gear import ElasticGear, elastic_gear
from ..gears.stiffness import iso_stiffness
from ..gears.teeth import Teeth, TipRelief
from ..results.loaded_contact import LoadedContact
from .do_ziegler_eberhard import table1_pair
from .driven_pair import DrivenPair
from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

TORQUES = (100.0, 20.0)
"""On the large gear [N m]; figures without a torque in their names are those of the first."""
POSITIONS = 64


def build(flanks: str = "ideal") -> pl.Model:
    """The pair as rigid wheels at rest, a motor on the pinion and a load on the gear."""
    pair = table1_pair()
    name = "table1-ltca" if flanks == "ideal" else "table1-ltca-relieved"
    return DrivenPair(name=name, a=pair.pinion.gear, b=pair.gear.gear, load=pair.load, speed=pair.speed).build()


def gears(flanks: str = "ideal") -> tuple[ElasticGear, ElasticGear]:
    """Pinion and gear, held at their bores; flanks: "ideal" or "relieved"."""
    pair = table1_pair()
    pinion, gear = elastic_gear(pair.pinion), elastic_gear(pair.gear)
    if flanks == "ideal":
        return pinion, gear
    relief = TipRelief("18 um", length="1.8 mm")
    return tuple(one.with_teeth(Teeth(one.teeth.gear, both=relief)) for one in (pinion, gear))  # type: ignore[return-value]


def run(flanks: str = "ideal") -> Run:
    """One pitch under both torques."""
    return {"contact": loaded_contact(*gears(flanks), torque=TORQUES, positions=POSITIONS)}


def figures(run: Run, flanks: str = "ideal") -> list[Figure]:
    """Transmission error, mesh stiffness and contact ratio under load; then those of standard and geometry."""
    result: LoadedContact = run["contact"]
    per_width = 1e-9 / result.face_width
    unit = "N/(mm µm)"
    found = []
    for i, T in enumerate(result.torque):
        e, k = 1e6 * result.transmission_error[i], per_width * result.secant_stiffness[i].min()
        load = f"at {T:g} N·m"
        for tail in ("", f"_{T:g}") if i == 0 else (f"_{T:g}",):
            found += [
                Figure(f"pptem{tail}", float(np.ptp(e)), "µm", f"transmission error {load}, peak to peak"),
                Figure(f"lag.least{tail}", e.min(), "µm", f"least lag of the gear {load}"),
                Figure(f"lag.greatest{tail}", e.max(), "µm", f"greatest lag {load}"),
                Figure(
                    f"mesh_stiffness.mean{tail}", per_width * result.mean_stiffness[i], unit, f"tangent {load}, mean"
                ),
                Figure(f"mesh_stiffness.least{tail}", k, unit, f"secant {load}, least"),
                Figure(
                    f"loaded_contact_ratio{tail}", result.loaded_contact_ratio[i], "", f"pairs of teeth that carry {load}"
                ),
            ]
    pair = table1_pair()
    iso = iso_stiffness(pl.GearPair(pair.pinion.gear, pair.gear.gear))
    return [
        *found,
        Figure("contact_ratio", result.contact_ratio, "", "transverse contact ratio, of the geometry"),
        Figure("iso.mesh_stiffness.mean", 1e-9 * iso.mesh_alpha, unit, "c_γα of ISO 6336-1"),
        Figure("iso.mesh_stiffness.single", 1e-9 * iso.single, unit, "c' of ISO 6336-1, one pair of teeth"),
    ]


def draw(run: Run, path: Path | None = None) -> Picture:
    """Transmission error, stiffness and load sharing over the mesh cycle."""
    return run["contact"].plot(path=path)
