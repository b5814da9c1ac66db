"""A straight bevel wheel rolls round a fixed one, carried by a bar (A. Cardona, 1997, section 7.1).

Wheel A, with 50 teeth and the pitch radius r_A = 5, is fixed to the foundation, its axis along y, its centre at the origin.
Wheel B, with 10 teeth and r_B = 1, is hinged on a bar that turns about y. The bar is turned by 1 rad, and exerts a moment
M = 1000 on wheel B about the direction of the bar. Numbers have no units in the paper; here they are SI.

    F_t = M / r_B ,    F_n = F_t / cos α = 1064.1778 ,    tan δ_A = r_A / r_B

In the axes of the bar, z along it, the teeth push wheel A with

    F = ( F_t , −F_t tan α sin δ_A , −F_t tan α cos δ_A )   at the pitch point (0, 0, r_A) ,

which wheel A hands on to the foundation, with the moment about the origin (F_t r_A tan α sin δ_A, F_t r_A, 0). The bar is
held at its angle by the moment F_t r_A = M z_A / z_B, and wheel B turns by z_A / z_B against it.
"""

import math

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "closed_forms", "figures", "run"]

TEETH_A, TEETH_B, MODULE = 50, 10, 0.2
ALPHA = math.radians(20)
MOMENT, ANGLE = 1000.0, 1.0
"""Of the bar on wheel B [N m]; of the bar at the end [rad]."""
PLOT = ("bar_hinge.angle", "hinge_b.angle", "foundation.force", "foundation.moment")


def build() -> pl.Model:
    """The pair at the start, the bar along z; it turns by 1 rad in the first second."""
    m = pl.Model("bevel-pair")
    cone = math.atan2(TEETH_A, TEETH_B)
    gear_a = pl.Gear(teeth=TEETH_A, normal_module=MODULE, normal_pressure_angle=ALPHA, cone_angle=cone)
    gear_b = pl.Gear(teeth=TEETH_B, normal_module=MODULE, normal_pressure_angle=ALPHA, cone_angle=0.5 * math.pi - cone)
    # no load of inertia or weight: any mass will do
    a = m.gear_body("wheel_a", gear_a, position=(0, 0, 0), axis=(0, -1, 0), mass=1, inertia=(1, 1, 1))
    b = m.gear_body("wheel_b", gear_b, mesh_with=a, towards=(0, 0, 1), mass=1, inertia=(1, 1, 1))
    bar = m.body("bar", mass=1, inertia=(1, 1, 1))
    m.fixed("foundation", a, m.ground, at=(0, 0, 0), axis="z")
    hinge = m.revolute("bar_hinge", m.ground, bar, at=(0, 0, 0), axis="y")
    hinge_b = m.revolute("hinge_b", bar, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=pl.Rigid())
    m.drive("motor", hinge, angle=pl.Ramp(0, ANGLE, "0 s", "1 s"))
    m.torque("external", hinge_b, MOMENT)
    return m


def run() -> Run:
    """The equilibrium at 1 rad, in one go; and the way there, as a sequence of equilibria."""
    turned = pl.statics(build(), time="1 s")
    return {"turned": turned, "turning": pl.kinematics(build(), duration="1 s", step="10 ms")}


def closed_forms() -> dict[str, float | list[float]]:
    """The figures as the docstring has them."""
    r_a, r_b = 0.5 * MODULE * TEETH_A, 0.5 * MODULE * TEETH_B
    delta = math.atan2(r_a, r_b)
    F_t = MOMENT / r_b
    sideways = F_t * math.tan(ALPHA)
    force = np.array([F_t, -sideways * math.sin(delta), -sideways * math.cos(delta)])
    moment = np.cross([0.0, 0.0, r_a], force)
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return {
        "mesh.normal_force": F_t / math.cos(ALPHA),
        "foundation.force": (turn @ force).tolist(),
        "foundation.moment": (turn @ moment).tolist(),
        "motor.torque": F_t * r_a,
        "wheel_b.turn": ANGLE * TEETH_A / TEETH_B,
    }


def figures(run: Run) -> list[Figure]:
    """The forces at 1 rad."""
    turned, turning, closed = run["turned"], run["turning"], closed_forms()
    force, moment = (np.asarray(turned[f"foundation.{name}"].final).tolist() for name in ("force", "moment"))
    values = {
        "mesh.normal_force": (abs(float(turned["mesh.normal_force"].final)), "N", "normal force of the teeth"),
        "foundation.force": (force, "N", "force of wheel A on the foundation"),
        "foundation.moment": (moment, "N*m", "moment about the origin on the foundation"),
        "motor.torque": (float(turned["motor.torque"].final), "N*m", "torque that holds the bar"),
        "wheel_b.turn": (abs(float(turning["hinge_b.angle"].final)), "rad", "turn of wheel B against the bar"),
    }
    return [Figure(key, value, unit, text, closed[key], 10) for key, (value, unit, text) in values.items()]
