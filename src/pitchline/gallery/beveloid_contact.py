"""Where the teeth of a beveloid pair touch under heavy loads (Do, Ziegler, Eberhard, figure 16).

The straight beveloid gears of their Table 3, of 19 and 38 teeth on shafts at 20 degrees, at rest, held at their bores, a tooth of
the pinion on the line of centres, under 2500 N m and 10000 N m on the gear: far more than steel would bear, all of it taken as
elastic. Rigid, such flanks touch in a point. Under load the point becomes an ellipse, narrow along the profile and long along
the face. The tooth on the line of centres carries most; the one behind it touches at the foot of its flank, under the edge of
the other gear's tip.

Published: pictures of the nodes in contact, and that the ellipse grows with the load, but is still rather small.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pitchline as pl

from ..analyses.flank_contact import flank_contact
from ..results.flank_contact import FlankContact
from ..views.flank_contact import plot_flank_contact
from .beveloid_motion import ELEMENTS
from .driven_pair import DrivenPair
from .figures import Figure, Run
from .flank_models import published

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["TOOTH", "TORQUES", "build", "draw", "figures", "run"]

TORQUES = (2500.0, 10000.0)
"""On the large gear [N m]."""
TOOTH = 0
"""Of the pinion, on the line of centres."""


def build() -> pl.Model:
    """The pair as wheels that roll on each other, a motor on the pinion and the load of Table 3 on the gear."""
    found = published("beveloid")
    a, b = found.pinion.gear, found.gear.gear
    return DrivenPair(name="beveloid-contact", a=a, b=b, load=found.load, speed=found.speed, mesh=pl.Rolling()).build()


def run() -> Run:
    """Both torques in one position."""
    found = published("beveloid")
    return {
        "contact": flank_contact(found.pinion, found.gear, torque=TORQUES, elements_a=ELEMENTS, elements_b=ELEMENTS)
    }


def figures(run: Run) -> list[Figure]:
    """Size and pressure of the patch on the line of centres, and how the load is shared."""
    found: FlankContact = run["contact"]
    flank = found.a.left
    height = float(flank.tip_roll_length(0.0) ** 2 - flank.form_roll_length(0.0) ** 2) / (
        2.0 * flank.involute.base_radius
    )
    whole = height * found.a.gear.required_face_width("beveloid-contact")
    rows = []
    for t, torque in enumerate(found.torque):
        patch = found.patch(t, 0, TOOTH)
        name, load = f"{torque:g}", f"at {torque:g} N·m"
        rows += [
            Figure(f"patch_{name}.length", 1e3 * patch.length, "mm", f"of the patch along the face {load}", digits=4),
            Figure(f"patch_{name}.width", 1e3 * patch.width, "mm", f"along the profile {load}", digits=4),
            Figure(f"patch_{name}.area", 1e6 * patch.area, "mm²", f"of the patch {load}", digits=4),
            Figure(f"patch_{name}.part", patch.area / whole, "", f"of the flank that touches {load}", digits=2),
            Figure(f"patch_{name}.pressure", 1e-6 * patch.peak_pressure, "MPa", f"greatest pressure {load}", digits=4),
            Figure(f"patch_{name}.share", found.shares(t)[TOOTH], "", f"of the normal forces {load}", digits=3),
            Figure(f"tooth_pairs_{name}", int(found.tooth_pairs[t, 0]), "", f"pairs of teeth that carry {load}"),
            Figure(f"lag_{name}", 1e6 * float(found.transmission_error[t, 0]), "µm", f"of the gear {load}", digits=4),
        ]
    return rows


def draw(run: Run, path: Path | None = None) -> Picture:
    """The patches on the flank of the pinion, one torque above the other."""
    return plot_flank_contact(run["contact"], path=path, title="Contact of elastic beveloid gears, flank of the pinion")
