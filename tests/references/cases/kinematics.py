"""Kinematics of gear trains and rolling constraints."""

import numpy as np
from references.cases.case import CLOSED_FORM, PUBLISHED, Case, Subject, Value, listed
from references.rolling import constraint_row, mesh_probe
from validation.test_gear_pair_cases import WILLIS, speed, train
from validation.test_rolling_cases import (
    AXIS,
    C_I,
    RACK_P,
    RACK_R,
    RACK_ROW,
    RACK_X_J,
    ROWS,
    WRIST,
    X_I,
    S,
    motion,
    placed,
    two_wheels,
    up_to_a_factor,
    wrist,
)  # fmt: skip

import pitchline as pl


def willis_speeds() -> list[Value]:
    """Speed of the output and of a planet at 1 rad/s of the input."""
    values = []
    for sun, ring, planet, fixed, driven, taken, ratio, _ in WILLIS:
        run = train(sun, ring, planet, fixed, driven)
        w_s, w_c = {"ring": (1.0, ratio), "carrier": (1.0, 0.0), "sun": (0.0, ratio)}[fixed]
        name = f"z {sun}/{planet}/{ring}, {fixed} fixed:"
        values += [
            Value(f"{name} {taken} speed", "rad/s", ratio, speed(run, taken)),
            Value(f"{name} planet speed", "rad/s", w_c - (w_s - w_c) * sun / planet, speed(run, "planet 0")),
        ]
    return values


def willis_torques() -> list[Value]:
    """Sun torque in, carrier loaded, ring fixed: KISSsoft results of two stages of a wind turbine gearbox."""
    values = []
    stages = ((18, 93, 37, 162105.5, 999650.881, 837545.3), (19, 56, 18, 999650.9, 3945990.316, None))
    for sun, ring, planet, torque, carrier, on_ring in stages:
        run = train(sun, ring, planet, "ring", "sun", load=-carrier)
        name = f"z {sun}/{planet}/{ring}:"
        values.append(
            Value(f"{name} sun torque for the printed carrier torque", "N m", torque, run["motor.torque"].final)
        )
        if on_ring is not None:
            values.append(Value(f"{name} ring torque", "N m", on_ring, run["brake.torque"].final))
    return values


def rows(name: str) -> list[Value]:
    """Row of the rolling constraint, up to a factor, and the speed ratio relative to the carrier."""
    case = ROWS[name]
    row = constraint_row(mesh_probe(two_wheels(case), "mesh"))
    expected, zero = np.array(case.row), np.zeros(3)
    by_i, by_j = (float(row @ motion(case, zero, zero, *spins)) for spins in ((1.0, 0.0), (0.0, 1.0)))
    return [
        *listed("entry", "", expected, up_to_a_factor(row, expected)),
        Value("speed ratio relative to the carrier", "", case.speed_ratio, -by_i / by_j),
    ]


def rack() -> list[Value]:
    """Row of the rolling constraint of a rack and its pinion, up to a factor."""
    m = pl.Model("rack")
    pinion = placed(m, "i", X_I, C_I, 0.4, axis=np.array(AXIS))
    towards, travel = np.subtract(C_I, RACK_P) / RACK_R, np.array(S)
    axes = np.column_stack([towards, travel, np.cross(towards, travel)])
    other = placed(m, "j", RACK_X_J, np.array(RACK_P), -0.9, rotation=axes)
    m.gear_pair("mesh", pinion, other, mesh=pl.Rolling(radius=RACK_R))
    expected = np.array(RACK_ROW)
    return listed("entry", "", expected, up_to_a_factor(constraint_row(mesh_probe(m, "mesh")), expected))


def robot_wrist() -> list[Value]:
    """Speeds of three concentric shafts at given joint rates, in a forearm that swings."""
    values = []
    for rates, ratios, shafts in WRIST:
        run = pl.kinematics(wrist(rates, ratios, 0.7), duration=1.0, step=0.1)
        for name, expected in zip("456", shafts, strict=True):
            title = f"joint rates {rates}, ratios {'; '.join(ratios)}: shaft {name}"
            values.append(Value(title, "rad/s", expected, run[f"{name}.angular_speed"].final))
    return values


def planar_pair() -> list[Value]:
    """Gear A at 1 rad/s for 10 s, torque of 10 N m on gear B, pitch radii 1 m."""
    m = pl.Model("spur", plane="xy")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=0.001)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=0.001)
    m.drive("motor", m.revolute("ha", m.ground, a), speed=1.0)
    m.torque("load", m.revolute("hb", b, m.ground), -10.0)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=0, separating=False))
    run = pl.dynamics(m, duration=10.0, step=0.05)
    return [
        Value("angle of gear A after 10 s", "rad", 10.0, run["ha.angle"].final),
        Value("angle of the bearing of gear B after 10 s", "rad", 10.0, run["hb.angle"].final),
        Value("tangential force", "N", 10.0, run["mesh.tangential_force"].final),
    ]


VLASENKO = (
    "D. Vlasenko, R. Kasper, Gear joints in absolute coordinates, equations (28), (36), (41), misprints corrected"
)
NAMES = {
    "PFAFF-SPUR": "External spur gears",
    "PFAFF-INTERNAL": "Internal gear pair",
    "PFAFF-BEVEL": "Bevel gears, 70 degrees",
}
SUBJECT = Subject(
    "Kinematics",
    [
        Case("WILLIS-SPEEDS", "Planetary trains: speeds", "Willis equation (VDI 2157)", CLOSED_FORM, willis_speeds),
        Case(
            "WILLIS-TORQUES",
            "Planetary trains: torques",
            "KISSsoft results for two stages of a wind turbine gearbox, printed in G. Reboucas, Drivetrain",
            PUBLISHED,
            willis_torques,
            "The printed torques are rounded.",
        ),
        *(
            Case(
                key,
                f"{title}: row of the rolling constraint",
                VLASENKO,
                CLOSED_FORM,
                lambda key=key: rows(key),
                shown=4,
            )
            for key, title in NAMES.items()
        ),
        Case("PFAFF-RACK", "Rack and pinion: row of the rolling constraint", VLASENKO, CLOSED_FORM, rack, shown=4),
        Case(
            "WRIST-BEVEL",
            "Roll-pitch-roll robot wrist with bevel gears",
            "F. Freudenstein, R. W. Longman, C.-K. Chen, Kinematic analysis of robotic bevel-gear trains (1984)",
            CLOSED_FORM,
            robot_wrist,
        ),
        Case(
            "PM-SPURGEAR",
            "Rigid spur pair in a plane",
            "D. Zimmer, PlanarMechanics (Modelica), example SpurGear",
            CLOSED_FORM,
            planar_pair,
        ),
    ],
)
