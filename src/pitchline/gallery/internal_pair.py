"""A helical pinion inside an internal wheel: same sense of rotation, same hand, and a ring that is pulled outwards.

    ω_A / ω_B = z_B / z_A ,   F_n = T / (r_B cos α cos β) ,
    tangential F_t = T / r_B ,   radial F_n sin α: on the pinion to its axis, on the ring away from its axis ,
    axial F_t tan β, opposite on both wheels.
"""

from typing import Any

import pitchline as pl

from .driven_pair import PLOT, DrivenPair
from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run"]

_COMMON: dict[str, Any] = {
    "normal_module": "2 mm", "normal_pressure_angle": "20 deg", "helix_angle": "12 deg", "face_width": "25 mm",
}  # fmt: skip
PAIR = DrivenPair(
    name="internal-pair",
    a=pl.Gear(teeth=24, bore="20 mm", **_COMMON),
    b=pl.Gear(teeth=80, internal=True, rim_diameter="200 mm", tip_alteration=-0.25, **_COMMON),
    load=300.0,
    speed=200.0,
)


def build() -> pl.Model:
    """The pair at rest."""
    return PAIR.build()


def run() -> Run:
    """Run up, then loaded."""
    return PAIR.run()


def figures(run: Run) -> list[Figure]:
    """Ratio and forces at constant speed."""
    return PAIR.figures(run["forwards"])
