"""A six-axis arm of the proportions of the KUKA KR 15, as a CAD system delivers it: every part a body, every fit a joint.

D. Vlasenko and R. Kasper (Spatial kinematics of gears in absolute coordinates, 2009) simulate the CAD model of a KR 15/2 with 43
bodies and 95 joints, among them 7 spur, 3 bevel and 10 internal gear joints. Its trains and masses are not published; those here
are a consistent choice of the same size (`robot_gears`, `robot_parts`). Joints are counted as there:

    31 hinges  +  12 bolted connections of three faces each  +  8 sets of output pins  +  20 gear joints  =  95 .

Three faces at right angles hold six motions with nine constraints; output pins keep a disc from turning with two, where the
hinge of the disc already holds one; and the second disc of a reducer in the ring says again what the first one says:

    12 · 3  +  8 · 1  +  3  =  47 redundant constraints .

They are found and left out. All meshes roll (`Rolling`); spur and bevel pairs and the planets have teeth, cycloid discs a ratio.

The motors exert torques that a controller has computed beforehand for a smooth motion, from one station of the arm to the next
(`robot_control`): nothing holds the arm on its way, so that how well it keeps to it tells how well both agree. The work of the
motors must be found in the energy of the arm.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np

import pitchline as pl

from ..analyses.preparation import prepare
from ..system.snapshot import Snapshot
from . import robot_control as control
from .figures import Figure, Run
from .robot_gears import GEAR_JOINTS, FLANGE, Array, GearJoint
from .robot_parts import PARTS, PINS, Part

__all__ = ["PLOT", "STEP", "build", "energy_exchanged", "figures", "gear_errors", "run"]

STEP = 1e-3
"""[s]"""
TABLE_STEP = 1e-3
"""Distance of the samples of the torques [s]."""
PLOT = ("axis_*.angle", "rotor_*_hinge.angular_speed", "motor_*.torque", "energy.*")
_LINKS = {"carousel": 1, "upper_arm": 2, "arm": 3, "forearm": 4, "wrist": 5, "flange": 6}


def build(*, redundant: bool = True, hold: Array | None = None) -> pl.Model:
    """The arm at home, with the torques of its motors.

    redundant: as CAD delivers it; False: the same machine without any redundant constraint (bolted connections as one fixed
               joint; discs a on a cross with their pins, discs b on their hinge without pins)
    hold:      joint angles (6,) [rad] to which drives bring the rotors, in place of the torques
    """
    m = pl.Model("robot-arm", gravity=control.GRAVITY)
    for part in PARTS:
        m.body(part.name, solid=part.solid, position=part.origin)
        _hold(m, part, redundant)
    for pin in PINS:
        if redundant or not pin.name.endswith("b"):
            m.parallel_axes(pin.name, pin.carrier, pin.disc, axis=pin.along)
    for joint in GEAR_JOINTS:
        _mesh(m, joint)
    if hold is None:
        t, torques = _torques()
        for n, values in enumerate(torques.T, 1):
            m.torque(f"motor_{n}", f"rotor_{n}_hinge", pl.Table(t, values, "cubic"))
    else:
        for n, angle in enumerate(control.MOTOR_TURNS @ hold, 1):
            m.drive(f"motor_{n}", f"rotor_{n}_hinge", angle=float(angle))
    return m


def _hold(m: pl.Model, part: Part, redundant: bool) -> None:
    """The hinge of a part on its parent, or the faces with which it is bolted on."""
    at = part.held_at
    if part.axis is not None:
        name = f"axis_{_LINKS[part.name]}" if part.name in _LINKS else f"{part.name}_hinge"
        if not redundant and part.name in {pin.disc for pin in PINS if not pin.name.endswith("b")}:
            # the pins hold the turns about two axes: the cross is to hold the third
            along = next(pin.along for pin in PINS if pin.disc == part.name)
            m.universal(name, part.parent, part.name, at=at, axis=part.axis, axis_b=np.cross(part.axis, along))
        else:
            m.revolute(name, part.parent, part.name, at=at, axis=part.axis)
    elif redundant:
        for normal in "xyz":
            m.plane_on_plane(f"{part.name}_face_{normal}", part.parent, part.name, at=at, axis=normal)
    else:
        m.fixed(f"{part.name}_bolts", part.parent, part.name, at=at)


def _mesh(m: pl.Model, j: GearJoint) -> None:
    """A gear joint: with gears where there are teeth, with the ratio where there are lobes."""
    if j.module:
        gears = _gears(j)
        wheels = [
            m.wheel(f"{j.name}_{body}", body, gear, at=centre, axis=axis)
            for body, gear, centre, axis in ((j.a, gears[0], j.centre_a, j.axis_a), (j.b, gears[1], j.centre_b, j.axis_b))
        ]
        m.gear_pair(j.name, *wheels, mesh=pl.Rolling())
        return
    frames = [
        m.bodies[body].frame(j.name, position=centre - m.bodies[body].position, axis=axis)
        for body, centre, axis in ((j.a, j.centre_a, j.axis_a), (j.b, j.centre_b, j.axis_b))
    ]
    m.gear_pair(j.name, *frames, mesh=pl.Rolling(ratio=Fraction(j.teeth_b, j.teeth_a), internal=True))


def _gears(j: GearJoint) -> tuple[pl.Gear, pl.Gear]:
    cone = math.atan2(j.teeth_a, j.teeth_b) if j.kind == "bevel" else 0.0
    return (
        pl.Gear(teeth=j.teeth_a, normal_module=j.module, cone_angle=cone),
        pl.Gear(
            teeth=j.teeth_b,
            normal_module=j.module,
            cone_angle=0.5 * math.pi - cone if cone else 0.0,
            internal=j.kind == "internal",
            # tips of a ring are shortened, or they would meet the fillets of the planet
            tip_alteration=-0.4 if j.kind == "internal" else 0.0,
        ),
    )


@cache
def _torques() -> tuple[Array, Array]:
    """Times (n,) [s] and torques of the motors (n, 6) [N m]."""
    t = np.linspace(0.0, control.DURATION, round(control.DURATION / TABLE_STEP) + 1)
    return t, control.motor_torques(*control.trajectory(t))


def run() -> Run:
    """The motion, from rest at home."""
    return {"motion": pl.dynamics(build(), duration=control.DURATION, step=STEP)}
