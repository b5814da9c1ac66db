"""Three equal spur wheels on a bar that pulls a string (A. Cardona, 1997, section 7.2).

The bar turns about z at the origin. Wheel 1 is fixed to the foundation there, wheels 2 and 3 are hinged on the bar at 10
and 20 (pitch radius r = 5), the end of the bar at 30 is tied by a string, k = 1000 and l_0 = 50, to the point (30, −50).
A motor on the bar turns wheel 3 by −1 rad against it; wheel 2 thus turns by 1 rad against the bar, wheel 1 by −1 rad, and
as wheel 1 stands still, the bar turns by φ = +1 rad. Numbers have no units in the paper; here they are SI.

    L = |(30 cos φ − 30, 30 sin φ + 50)| ,    string: S = k (L − l_0) ,
    its moment about the origin  M = k (1 − l_0/L) (1500 cos φ + 900 sin φ) ,
    F_t = M / r ,    F_n = F_t / cos α  in both meshes ,

and wheel 1 hands −M on to the foundation about z.
"""

import math
from typing import Any

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "closed_forms", "figures", "run"]

TEETH, MODULE, ALPHA = 50, 0.2, math.radians(20)
RADIUS = 0.5 * MODULE * TEETH
ANGLE = 1.0
"""Of the bar at the end [rad]."""
END, ANCHOR = 30.0, (30.0, -50.0)
"""Of the string: on the bar, on the foundation [m]."""
STIFFNESS, FREE_LENGTH = 1000.0, 50.0
PLOT = ("bar_hinge.angle", "string.force", "mesh12.normal_force", "mesh23.normal_force", "foundation.moment.z")


def build() -> pl.Model:
    """The bar along x; the motor turns wheel 3 by −1 rad against it in the first second."""
    m = pl.Model("three-wheels")
    gear = pl.Gear(teeth=TEETH, normal_module=MODULE, normal_pressure_angle=ALPHA)
    # no load of inertia or weight: any mass will do
    mass: dict[str, Any] = {"mass": 1, "inertia": (1, 1, 1)}
    wheel_1 = m.gear_body("wheel_1", gear, position=(0, 0, 0), axis="z", **mass)
    wheel_2 = m.gear_body("wheel_2", gear, mesh_with=wheel_1, towards=(1, 0, 0), **mass)
    wheel_3 = m.gear_body("wheel_3", gear, mesh_with=wheel_2, towards=(1, 0, 0), **mass)
    bar = m.body("bar", **mass)
    m.fixed("foundation", wheel_1, m.ground, at=(0, 0, 0), axis="z")
    m.revolute("bar_hinge", m.ground, bar, at=(0, 0, 0), axis="z")
    m.revolute("hinge_2", bar, wheel_2, axis="z")
    hinge_3 = m.revolute("hinge_3", bar, wheel_3, axis="z")
    m.gear_pair("mesh12", wheel_1, wheel_2, mesh=pl.Rigid())
    m.gear_pair("mesh23", wheel_2, wheel_3, mesh=pl.Rigid())
    m.string("string", m.ground, bar, at_a=(*ANCHOR, 0), at_b=(END, 0, 0), stiffness=STIFFNESS, free_length=FREE_LENGTH)
    m.drive("motor", hinge_3, angle=pl.Ramp(0, -ANGLE, "0 s", "1 s"))
    return m


def run() -> Run:
    """The equilibrium at 1 rad, in one go; and the way there, as a sequence of equilibria."""
    turned = pl.statics(build(), time="1 s")
    return {"turned": turned, "turning": pl.kinematics(build(), duration="1 s", step="10 ms")}


def closed_forms() -> dict[str, float]:
    """The figures as the docstring has them."""
    x, y = END * math.cos(ANGLE), END * math.sin(ANGLE)
    length = math.hypot(x - ANCHOR[0], y - ANCHOR[1])
    pull = STIFFNESS * (1.0 - FREE_LENGTH / length)
    moment = pull * (x * -ANCHOR[1] + y * ANCHOR[0])
    F_n = moment / RADIUS / math.cos(ALPHA)
    return {
        "mesh12.normal_force": F_n,
        "mesh23.normal_force": F_n,
        "string.force": pull * length,
        "foundation.moment_z": -moment,
        "motor.torque": -moment,
        "bar.angle": ANGLE,
    }


def figures(run: Run) -> list[Figure]:
    """The forces at 1 rad."""
    turned, closed = run["turned"], closed_forms()
    values = {
        "mesh12.normal_force": (abs(float(turned["mesh12.normal_force"].final)), "N", "normal force, wheels 1 and 2"),
        "mesh23.normal_force": (abs(float(turned["mesh23.normal_force"].final)), "N", "normal force, wheels 2 and 3"),
        "string.force": (float(turned["string.force"].final), "N", "pull of the string"),
        "foundation.moment_z": (float(turned["foundation.moment.z"].final), "N*m", "moment of wheel 1 on the foundation"),
        "motor.torque": (float(turned["motor.torque"].final), "N*m", "torque of the bar on wheel 3"),
        "bar.angle": (float(run["turning"]["bar_hinge.angle"].final), "rad", "turn of the bar"),
    }
    return [Figure(key, value, unit, text, closed[key], 10) for key, (value, unit, text) in values.items()]
