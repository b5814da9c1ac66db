"""COMSOL: theory of gear pairs."""

import math
from typing import Any

import numpy as np
from references.papers.entry import EQUATION, FIGURE, PARTLY, SECTION, Entry, Number, Paper

import pitchline as pl

__all__ = ["PAPER"]

PINION = pl.Gear(teeth=25, normal_module="4 mm", face_width="30 mm")
WHEEL = pl.Gear(teeth=50, normal_module="4 mm", face_width="30 mm")
HELICAL = tuple(
    pl.Gear(teeth=z, normal_module="4 mm", helix_angle=b, face_width="30 mm") for z, b in ((25, 0.3), (50, -0.3))
)
TAN, COS = math.tan(math.radians(20)), math.cos(math.radians(20))


def _pair(mesh: Any, *, load: Any = 200.0, speed: Any = 0.0, gears: tuple[pl.Gear, ...] = (PINION, WHEEL)) -> pl.Model:
    m = pl.Model("pair")
    a = m.gear_body("a", gears[0], position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gears[1], mesh_with=a, towards="x")
    m.drive("motor", m.revolute("in", m.ground, a), speed=speed)
    m.torque("load", m.revolute("out", m.ground, b), load)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def _ratio() -> list[Number]:
    run = pl.kinematics(_pair(pl.Rigid(backlash=0), speed=100.0), duration="1 ms", step="1 ms")
    return [
        Number(
            "speed of the wheel divided by that of the pinion", "", float(run["out.angular_speed"].final) / 100.0, -0.5
        )
    ]


def _line_of_action() -> list[Number]:
    found = []
    for line, sign in (("clockwise", 1.0), ("counter-clockwise", -1.0)):
        rest = pl.statics(_pair(pl.Rigid(backlash=0, line_of_action=line)))
        radial = float(rest["mesh.radial_force"].final)
        found.append(Number(f"radial force for 2 kN on the drive flank, {line}", "N", radial, sign * 2000.0 * TAN))
    return found


def _contact_point() -> list[Number]:
    rest = pl.statics(_pair(pl.Rigid(backlash=0), gears=HELICAL))
    point = rest["mesh.contact_point"].final
    return [
        Number(
            "distance of the contact point from the axis of the pinion",
            "mm",
            1e3 * float(np.hypot(*point[:2])),
            1e3 * 0.05 / math.cos(0.3),
        )
    ]


def _rotation() -> list[Number]:
    """Elasticity, static error and backlash add up in the approach of the teeth."""
    error, gap = 5e-6, 40e-6
    mesh = pl.Elastic("4e8 N/m", along="hoop", error=error, backlash=gap, backlash_side="centred")
    rest = pl.statics(_pair(mesh))
    return [
        Number(
            "approach: half the backlash, less the error, and the deflection",
            "µm",
            1e6 * float(rest["mesh.approach"].final) / COS,
            20.0 - 5.0 + 5.0,
        )
    ]


def _varying() -> list[Number]:
    error = pl.Varying(pl.Fourier("10 ms", 0, sin=["5 um"]), over="time")
    run = pl.kinematics(_pair(pl.Rigid(backlash=0, error=error), speed=1.0), times=[0.0025])
    gap = pl.Varying(pl.Fourier("360 deg", "60 um", cos=["20 um"], over="angle"), over="revolution of a")
    turned = pl.kinematics(_pair(pl.Rigid(backlash=gap, along="hoop"), speed=1.0, load=-200.0), times=[math.pi / 2])
    return [
        Number("error over time at its peak", "µm", -1e6 * float(run["mesh.transmission_error"].final), 5.0),
        Number(
            "half the backlash after a quarter of a revolution",
            "µm",
            -1e6 * float(turned["mesh.approach"].final) / COS,
            30.0,
        ),
    ]


def _point_contact() -> list[Number]:
    rest = pl.statics(_pair(pl.Rigid(backlash=0)))
    return [
        Number("contact force F_c for 200 N·m on 100 mm", "N", float(rest["mesh.normal_force"].final), 2000.0 / COS),
        Number(
            "motion of the teeth along the line of action", "µm", 1e6 * abs(float(rest["mesh.approach"].final)), 0.0
        ),
    ]


def _line_contact() -> list[Number]:
    m = pl.Model("tilting")
    a = m.gear_body("a", PINION, position=(0, 0, 0), axis="z")
    m.drive("held", m.revolute("in", m.ground, a), angle=0)
    b = m.gear_body("b", WHEEL, mesh_with=a, towards="x")
    m.bushing("bearing", m.ground, b, axis="z", stiffness=(1e9, 1e9, 1e9, 1e-3, 1e6, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(contact="line", backlash=0))
    m.torque("load", b, (10.0, 0, 200.0))
    rest = pl.statics(m)
    return [
        Number(
            "rotation θ_cl about the line of centres", "µrad", 1e6 * abs(round(float(rest["mesh.tilt"].final), 12)), 0.0
        ),
        Number(
            "F_c2 for 10 N·m about it, face width 30 mm",
            "N",
            abs(float(rest["mesh.second_contact_force"].final)),
            20.0 / (0.03 * COS),
        ),
    ]


def _contact_moment() -> list[Number]:
    """A misaligned pair on a stiff bearing: moments about the centres are those of the force at the contact point, and M_c."""
    m = pl.Model("misaligned")
    a = m.gear_body("a", HELICAL[0], position=(0, 0, 0), axis="z")
    b = m.gear_body("b", HELICAL[1], mesh_with=a, towards="x")
    m.drive("held", m.revolute("in", m.ground, a), angle=0)
    m.bushing("bearing", m.ground, b, axis="z", stiffness=(1e7, 1e7, 1e7, 1e3, 1e3, 0))
    m.torque("load", b, (0, 5.0, 200.0))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("4e8 N/m", backlash=0))
    rest = pl.statics(m)
    force, point, moment = (rest[f"mesh.{name}"].final for name in ("force_a", "contact_point", "contact_moment"))
    rebuilt = np.cross(point - rest["a.position"].final, force) + moment
    return [
        Number(
            "moment on A, from force, contact point and M_c",
            "N·m",
            float(np.linalg.norm(rebuilt)),
            float(np.linalg.norm(rest["mesh.moment_a"].final)),
        ),
        Number("M_c", "N·m", float(np.linalg.norm(moment))),
    ]


def _centres() -> list[Number]:
    rest = pl.statics(_pair(pl.Rigid(backlash=0)))
    force = rest["mesh.force_a"].final + rest["mesh.force_b"].final
    return [
        Number("sum of the forces on both gears", "N", abs(round(float(np.linalg.norm(force)), 9)), 0.0),
        Number("moment on the pinion about its axis", "N·m", abs(float(rest["mesh.moment_a"].final[2])), 100.0),
    ]


def _friction() -> list[Number]:
    mesh = pl.Rigid(friction=0.06, sliding="path of contact", friction_speed=1e-9, backlash=0)
    run = pl.dynamics(_pair(mesh, speed=100.0), duration="5 ms", step="1 ms")
    power = float(run["mesh.normal_force"].final) * COS * 0.05 * 100.0
    return [
        Number(
            "loss of a spur pair on the path of contact, of its power",
            "%",
            100 * float(run["mesh.friction_loss"].final) / power,
            100 * 0.06 * 0.138716,
        ),
    ]


def _stiffness() -> list[Number]:
    law = _pair(pl.Elastic(tooth_stiffness="8e8 N/m")).gear_pairs["mesh"].law
    ratio = pl.GearPair(PINION, WHEEL).transverse_contact_ratio
    return [Number("mean mesh stiffness divided by that of one pair", "", law.mean_stiffness / 4e8, ratio)]


PAPER = Paper(
    name="comsol",
    title="COMSOL: theory of gear pairs",
    cited="COMSOL Multiphysics, *Multibody Dynamics Module User's Guide*, section Theory for Gear Pairs.",
    about="The text has a gear pair with one constraint along the line of action, with elasticity, transmission "
    "error, backlash, friction and line contact. In pitchline it is `GearPair` with the meshes `Rigid` "
    "and `Elastic`. The formulas are missing in the available copy: they were reconstructed from the text, and numbers in the "
    "column of the paper are closed forms of these equations.",
    entries=(
        Entry(
            "compatibility",
            SECTION,
            "Equal module and pressure angle; helix angles that fit the axes.",
            "`GearPair` checks them and states the way out.",
        ),
        Entry(
            "local coordinates",
            EQUATION,
            "Axes of each gear from its axis and the line of centres; they do not rotate with the gear.",
            "`PitchGeometry` and the mesh frame: [theory](../theory/gear_pair.md).",
        ),
        Entry("tooth coordinates", EQUATION, "Rotation by helix angle and cone angle.", "η axes of the mesh frame."),
        Entry(
            "line of action",
            EQUATION,
            "Tangent, rotated by the pressure angle, clockwise or counter-clockwise.",
            "`line_of_action=`; the default follows the loaded flank.",
            _line_of_action,
        ),
        Entry("gear ratio", EQUATION, "Ratio of the speeds, from the numbers of teeth.", "`GearPair.ratio`.", _ratio),
        Entry(
            "contact point",
            EQUATION,
            "On the pitch surface, with an offset along the axis.",
            "Signal `contact_point`; the offset follows from the position of the gears.",
            _contact_point,
        ),
        Entry(
            "rotation constraint",
            EQUATION,
            "Rotations of both gears with elasticity, static error and backlash.",
            "`Elastic(stiffness, error=..., backlash=...)`.",
            _rotation,
        ),
        Entry(
            "functions of time and angle",
            SECTION,
            "Transmission error and backlash as functions.",
            '`Varying(..., over="time")` and over angles, for `error` and `backlash`.',
            _varying,
        ),
        Entry(
            "point contact",
            EQUATION,
            "No relative motion along the line of action; its multiplier is F_c.",
            "`Rigid()`; signal `normal_force`.",
            _point_contact,
        ),
        Entry(
            "line contact",
            EQUATION,
            "A second constraint at half the face width: θ_cl = 0, with the force F_c2.",
            '`Rigid(contact="line")`; signals `tilt` and `second_contact_force`.',
            _line_contact,
        ),
        Entry(
            "unique triad",
            EQUATION,
            "Constraint that keeps the axes of both teeth unique; its multiplier is M_c.",
            "Solved in closed form within the mesh frame; signal `contact_moment`, which also contains the "
            "moments of line contact and losses.",
            _contact_moment,
        ),
        Entry(
            "penalty method",
            SECTION,
            "Contact forces from a penalty factor.",
            '`Rigid(method="penalty", penalty=...)`.',
        ),
        Entry(
            "forces at the centres",
            EQUATION,
            "Forces and moments at the gear centres.",
            "Signals `force_a`, `moment_a`, `force_b`, `moment_b`.",
            _centres,
        ),
        Entry(
            "friction",
            SECTION,
            "Friction in the plane normal to the line of action; coefficient over speed and load.",
            '`friction=`, `FrictionTable`, and `sliding="path of contact"` for parallel axes (Ohlendorf).',
            _friction,
        ),
        Entry(
            "mesh stiffness",
            SECTION,
            "Mesh stiffness from tooth stiffness and contact ratio.",
            "`Elastic(tooth_stiffness=..., contact_ratio=...)`.",
            _stiffness,
        ),
        Entry(
            "figs. 3-11, 3-12",
            FIGURE,
            "Sketches of gears with both lines of action.",
            "[Line of action](../reference/mesh_alignment.md#line-of-action).",
            reproduced=PARTLY,
            why="The sketches are not in the available copy; the directions are checked by the forces.",
        ),
    ),
)
