"""A helical pinion moves a rack in a guide against a force, as in a steering gear.

With the pitch radius r = m_n z / (2 cos β), which needs no centre distance:

    v / ω = r ,   the load of the rack  F = F_t ,   F_n = F / (cos α cos β) ,   T = F r ,
    radial F_r = F_n sin α: the pinion is pushed off, the rack into its guide ,   axial F_a = F tan β .

The rack hands the radial and the axial force on to its guide; along the travel the guide holds nothing.
"""

import math
from typing import Any

import numpy as np

import pitchline as pl

from .bearings import bearing_figures, bearing_load
from .figures import Figure, Run
from .tooth_forces import tooth_force

__all__ = ["PLOT", "build", "figures", "run"]

_COMMON: dict[str, Any] = {"normal_module": "2.5 mm", "normal_pressure_angle": "20 deg", "face_width": "25 mm"}
PINION = pl.Gear(teeth=17, helix_angle="15 deg", **_COMMON)
RACK = pl.Rack(teeth=61, helix_angle="-15 deg", depth="20 mm", **_COMMON)
FORCE, SPEED = 2000.0, 10.0
"""Against the motion of the rack [N]; of the pinion [rad/s]."""
RUN_UP, LOADED, DURATION = 0.2, 0.4, 0.6
"""The motor has come to speed, the load has come on, the run ends [s]."""
PLOT = ("bearing_a.angular_speed", "guide.speed", "motor.torque", "mesh.normal_force", "guide.force", "load.force")


def build() -> pl.Model:
    """The pinion, its axis along z, over the middle of the rack; its motor runs up smoothly."""
    m = pl.Model("rack-and-pinion")
    pinion = m.gear_body("pinion", PINION, position=(0, 0, 0), axis="z")
    rack = m.gear_body("rack", RACK, mesh_with=pinion, towards=(0, -1, 0))
    bearing = m.revolute("bearing_a", m.ground, pinion)
    # the pitch line passes below a pinion that turns in the positive sense towards +x
    guide = m.prismatic("guide", m.ground, rack, axis="x")
    m.gear_pair("mesh", pinion, rack, mesh=pl.Rigid())
    m.drive("motor", bearing, speed=pl.Ramp(0, SPEED, 0, RUN_UP))
    m.force("load", guide, pl.Ramp(0, -FORCE, RUN_UP, LOADED))
    return m


def run() -> Run:
    """Run up, then loaded."""
    return {"travel": pl.dynamics(build(), duration=DURATION, output_step="1 ms")}


def figures(run: Run) -> list[Figure]:
    """Ratio and forces at the end."""
    result, model = run["travel"], build()
    radius = 0.5 * PINION.reference_diameter
    F_n = FORCE / (math.cos(PINION.normal_pressure_angle) * math.cos(PINION.helix_angle))
    ratio = float(result["guide.speed"].final) / float(result["bearing_a.angular_speed"].final)
    on_pinion = tooth_force(F_n, PINION, -1.0)
    on_guide = bearing_load(result, "guide")
    # the rack feels the reverse of what the pinion feels: down, and along z
    closed = np.array([0.0, -on_pinion.radial, -on_pinion.axial])
    return [
        Figure("ratio", 1e3 * ratio, "mm/rad", "travel of the rack in a turn of 1 rad: r", 1e3 * radius),
        Figure("mesh.normal_force", abs(float(result["mesh.normal_force"].final)), "N", "normal force of the teeth", F_n),
        *bearing_figures(
            result, model.bodies["pinion"], on_pinion, bearing="bearing_a", radius=radius
        ),
        Figure("motor.torque", float(result["motor.torque"].final), "N*m", "torque of the motor: F r", FORCE * radius),
        Figure("guide.tangential_force", float(on_guide[0]), "N", "on the guide: along the travel", 0.0),
        Figure("guide.radial_force", float(-on_guide[1]), "N", "away from the pinion", -float(closed[1])),
        Figure("guide.axial_force", float(on_guide[2]), "N", "across, along z", float(closed[2])),
    ]
