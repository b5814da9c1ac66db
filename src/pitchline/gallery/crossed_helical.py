"""Two right-hand helical wheels on crossed axes, at 70 degrees: the sum of their helix angles.

    ω_A / ω_B = z_B / z_A = r_B cos β_B / (r_A cos β_A) ,   F_n = T / (r_B cos α cos β_B) ,
    F_t = F_n cos α cos β ,   F_r = F_n sin α ,   F_a = F_n cos α sin β ,   each with the β of its own wheel.

Both wheels feel the same normal force but, with different helix angles, different tangential and axial forces. The teeth
slide along each other even at the pitch point, with ω_A r_A sin(β_A + β_B) / cos β_B; here without friction.
"""

from typing import Any

import pitchline as pl

from .driven_pair import PLOT, DrivenPair
from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run"]

_COMMON: dict[str, Any] = {"normal_module": "3 mm", "normal_pressure_angle": "20 deg", "face_width": "30 mm"}
PAIR = DrivenPair(
    name="crossed-helical",
    a=pl.Gear(teeth=12, helix_angle="50 deg", bore="15 mm", **_COMMON),
    b=pl.Gear(teeth=36, helix_angle="20 deg", bore="30 mm", **_COMMON),
    load=60.0,
    speed=150.0,
    placing={"shaft_angle": "70 deg"},
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
