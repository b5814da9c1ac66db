"""A spiral bevel pair at right angles, driven forwards and backwards: the thrust on the pinion changes its sign.

    tan δ_A = z_A / z_B ,   ω_A / ω_B = z_B / z_A ,   F_n = T / (r_B cos α cos β) at the mean pitch radius r_B ,

and, with the spiral angle β (positive right-hand) and s = +1 where the teeth push a wheel on about its axis, which points
away from the apex, −1 where they hold it back:

    F_t = s F_n cos α cos β ,
    F_r = F_n (sin α cos δ + s cos α sin β sin δ)   to the axis ,
    F_a = F_n (sin α sin δ − s cos α sin β cos δ)   away from the apex .

A left-hand pinion that drives in the positive sense is drawn into the mesh; one that drives the other way is pushed out.
"""

import math
from typing import Any

import pitchline as pl

from .driven_pair import PLOT, DrivenPair
from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run"]

TEETH = (14, 39)
_COMMON: dict[str, Any] = {"normal_module": "3 mm", "normal_pressure_angle": "20 deg", "face_width": "25 mm"}
PAIR = DrivenPair(
    name="spiral-bevel",
    a=pl.Gear(teeth=TEETH[0], helix_angle="-35 deg", cone_angle=math.atan2(*TEETH), **_COMMON),
    b=pl.Gear(teeth=TEETH[1], helix_angle="35 deg", cone_angle=math.atan2(*TEETH[::-1]), bore="50 mm", **_COMMON),
    load=400.0,
    speed=150.0,
)


def build() -> pl.Model:
    """The pair at rest; its motor runs forwards."""
    return PAIR.build()


def run() -> Run:
    """Run up, then loaded, both ways."""
    return {"backwards": PAIR.dynamics(backwards=True), "forwards": PAIR.dynamics()}


def figures(run: Run) -> list[Figure]:
    """Ratio and forces at constant speed, forwards and backwards."""
    return [
        *PAIR.figures(run["forwards"]),
        *PAIR.figures(run["backwards"], backwards=True, prefix="backwards."),
    ]
