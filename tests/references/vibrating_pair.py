"""Two wheels whose equation of motion is exactly that of a published oscillator."""

import math
from typing import Any

import pitchline as pl

ALPHA = math.radians(20)
MODULE, TEETH = 4e-3, 20
ARM = 0.5 * MODULE * TEETH
"""Of the wheels below: u = ARM (ψ_A + ψ_B)."""
GEAR = pl.Gear(teeth=TEETH, normal_module=MODULE, normal_pressure_angle=ALPHA)


def two_wheels(
    inertia: float,
    mesh: pl.Elastic,
    *,
    torques: tuple[Any, Any] = (0.0, 0.0),
    driven: float | None = None,
    kick: float = 0.0,
) -> pl.Model:
    """Two wheels in hinges with torques; or wheel A driven at a speed, and B turning with it, faster by `kick`."""
    m = pl.Model("two wheels")
    J, speed = (inertia, inertia, inertia), driven or 0.0
    a = m.gear_body("a", GEAR, position=(0, 0, 0), axis="z", mass=1.0, inertia=J, angular_velocity=(0, 0, speed))
    on_b = {"mass": 1.0, "inertia": J, "angular_velocity": (0, 0, kick - speed)}
    b = m.gear_body("b", GEAR, mesh_with=a, towards=(1, 0, 0), **on_b)
    hinge_a, hinge_b = m.revolute("hinge", m.ground, a), m.revolute("hinge b", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    if driven is None:
        m.torque("load", hinge_a, torques[0])
    else:
        m.drive("motor", hinge_a, speed=driven)
    m.torque("load b", hinge_b, torques[1])
    return m
