"""Two helical wheels on parallel axes, with elastic teeth: the single stage of a gearbox.

With r the pitch radii, α the normal pressure angle, β the helix angle, T the torque of the load on wheel B:

    ω_A / ω_B = z_B / z_A ,   F_n = T / (r_B cos α cos β) ,
    tangential F_t = F_n cos α cos β = T / r_B ,   radial F_r = F_n sin α ,   axial F_a = F_t tan β ,

opposite on both wheels; the wheels are pushed apart by F_r, and the axial force of a right-hand driver points along its
axis, seen as a right-hand screw turned with it. The stiffness of the teeth is that of ISO 6336, with 5 % of critical
damping; it decides how the run-up rings, not what remains after it.
"""

from typing import Any

import pitchline as pl

from .driven_pair import PLOT, DrivenPair
from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run"]

TEETH = (23, 57)
_COMMON: dict[str, Any] = {"normal_module": "3 mm", "normal_pressure_angle": "20 deg", "face_width": "35 mm"}
PAIR = DrivenPair(
    name="helical-pair",
    a=pl.Gear(teeth=TEETH[0], helix_angle="18 deg", bore="25 mm", **_COMMON),
    b=pl.Gear(teeth=TEETH[1], helix_angle="-18 deg", bore="40 mm", **_COMMON),
    load=400.0,
    speed=150.0,
    mesh=pl.Elastic("ISO 6336", damping_ratio=0.05),
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
