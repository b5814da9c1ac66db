"""A hypoid pair: a bevel wheel and a pinion whose axis passes below its apex.

    ω_A / ω_B = z_B / z_A = r_B cos β_B / (r_A cos β_A) ,   F_n = T / (r_B cos α cos β_B) ,

and, with the cone angle δ and the spiral angle β of each wheel, s = +1 where the teeth push it on about its axis (which
points away from the apex) and −1 where they hold it back,

    F_t = s F_n cos α cos β ,
    F_r = F_n (sin α cos δ + s cos α sin β sin δ)   to the axis ,
    F_a = F_n (sin α sin δ − s cos α sin β cos δ)   away from the apex .

The offset makes the spiral angles differ, so that the pinion is thicker than that of a bevel pair of the same ratio, and
the teeth slide along each other at the pitch point.
"""

import math

import pitchline as pl
from pitchline.gears import hypoid_pinion

from .driven_pair import PLOT, DrivenPair
from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run"]

OFFSET = 0.025
"""Distance of the axes [m]."""
WHEEL = pl.Gear(
    teeth=41, normal_module="3.2 mm", normal_pressure_angle="20 deg", helix_angle="30 deg",
    cone_angle=math.atan2(41, 11), face_width="25 mm", bore="60 mm",
)  # fmt: skip
PAIR = DrivenPair(
    name="hypoid",
    a=hypoid_pinion(WHEEL, teeth=11, offset=OFFSET, face_width="30 mm"),
    b=WHEEL,
    load=500.0,
    speed=150.0,
    placing={"centre_distance": OFFSET},
)


def build() -> pl.Model:
    """The pair at rest."""
    return PAIR.build()


def run() -> Run:
    """Run up, then loaded."""
    return PAIR.run()


def figures(run: Run) -> list[Figure]:
    """Ratio, sliding and forces at constant speed."""
    return [*PAIR.figures(run["forwards"]), PAIR.sliding_figure(run["forwards"])]
