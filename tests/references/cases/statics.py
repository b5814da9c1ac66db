"""Forces of teeth and supports at rest and at constant speed; efficiency of worms; Hertz contact."""

import math

import numpy as np
from references.cases.case import CLOSED_FORM, PUBLISHED, Case, Subject, Value
from references.gallery_runs import figures_of
from references.steady_pairs import ANY_MASS, final
from validation.test_gear_pair_cases import WORMS, TestChronoHelicalPair, run_worm

import pitchline as pl
from pitchline.contact.compliance import contact_modulus, hertz_half_width, hertz_pressure


def bevel_pair() -> list[Value]:
    found = figures_of("bevel-pair")
    force, moment = np.array(found["foundation.force"].value), np.array(found["foundation.moment"].value)
    return [
        Value(
            "normal force of the teeth (the paper prints 1064)",
            "N",
            1064.177772475912,
            found["mesh.normal_force"].value,
        ),
        Value("rotation of gear B relative to the bar", "rad", 5.0, found["wheel_b.turn"].value),
        *(
            Value(f"foundation force {axis}", "N", reference, value)
            for axis, reference, value in zip(
                "xyz", (480.237740386, -356.902178248, -880.037998783), force, strict=True
            )
        ),
        *(
            Value(f"foundation moment {axis}", "N m", reference, value)
            for axis, reference, value in zip("xyz", (964.175349384, 5000.0, -1501.614137053), moment, strict=True)
        ),
    ]


def three_gears() -> list[Value]:
    found = figures_of("three-wheels")
    return [
        Value(
            "normal force of the teeth (the paper prints 1.156e5)",
            "N",
            115580.96419000597,
            found["mesh12.normal_force"].value,
        ),
        Value("normal force of the second mesh", "N", 115580.96419000597, found["mesh23.normal_force"].value),
        Value("string force", "N", 26497.508481394594, found["string.force"].value),
        Value("foundation moment", "N m", -543052.8957633447, found["foundation.moment_z"].value),
    ]


def chrono() -> list[Value]:
    run = TestChronoHelicalPair().loaded()
    slip = float(final(run, "hinge.angle"))
    return [
        Value("tangential force", "N", 500.0, final(run, "mesh.tangential_force")),
        Value("radial force", "N", 184.79253090409537, final(run, "mesh.radial_force")),
        Value("axial force", "N", 88.1634903542325, final(run, "mesh.axial_force")),
        Value("normal force", "N", 540.2972149746673, final(run, "mesh.normal_force")),
        Value("tangential deformation of the teeth", "m", 0.0005838421610187638, 2.0 * slip),
        Value("rotation of gear B", "deg", 0.0167258458640863, math.degrees(slip)),
    ]


NORMAL_FORCE = {20: 575.2312283653579, 100: 2876.1561418267893, 200: 5752.312283653579, 300: 8628.468425480369}


def total_force() -> list[Value]:
    """Statics of the 18/37 pair, pinion fixed, torque on the wheel: T/(r_b cos β_b)."""
    values = []
    for beta in (0.0, 8.0):
        common = {"normal_module": "2 mm", "face_width": "10 mm"}
        # r_b cos β_b = (m_n z/2) cos α_n: the same for both helix angles
        pinion = pl.Gear(teeth=18, helix_angle=f"{beta} deg", **common)
        wheel = pl.Gear(teeth=37, helix_angle=f"{-beta} deg", **common)
        for torque, reference in NORMAL_FORCE.items():
            m = pl.Model("pair")
            a = m.gear_body("a", pinion, position=(0, 0, 0), axis="z", **ANY_MASS)
            b = m.gear_body("b", wheel, mesh_with=a, towards=(1, 0, 0), **ANY_MASS)
            m.fixed("support", m.ground, a)
            m.gear_pair("mesh", a, b, mesh=pl.Elastic("2e9 N/m", backlash=0.0, follow_centres=False))
            m.torque("load", m.revolute("hinge", m.ground, b), float(torque))
            name = f"helix {beta:g} deg, {torque} N m: normal force"
            values.append(Value(name, "N", reference, final(pl.statics(m), "mesh.normal_force")))
    return values


def hertz() -> list[Value]:
    """Pair 18/37 at the pitch point, 20 and 100 N m on the wheel."""
    steel = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)
    a, b = (pl.Gear(teeth=z, normal_module="2 mm", face_width="10 mm") for z in (18, 37))
    radii = [0.5 * gear.reference_diameter * math.sin(gear.transverse_pressure_angle) for gear in (a, b)]
    radius, modulus = 1 / (1 / radii[0] + 1 / radii[1]), contact_modulus(steel, steel)
    values = []
    references = {20: (51.272435305, 714.230895), 100: (114.648651, 1597.06883)}
    for torque, (width, pressure) in references.items():
        load = torque / (0.5 * b.base_diameter) / 10e-3
        half, peak = hertz_half_width(load, radius, modulus), hertz_pressure(load, radius, modulus)
        values += [
            Value(f"{torque} N m: half width of the contact", "um", width, 1e6 * half),
            Value(f"{torque} N m: maximum pressure", "MPa", pressure, 1e-6 * peak),
        ]
    return values


def worm_efficiency() -> list[Value]:
    """Power out over power in, from torques and speeds of a run."""
    values = []
    for case in WORMS:
        _, lead, alpha, mu, driving, driven = case
        name = f"lead {lead:g} deg, friction {mu:g}, pressure angle {alpha:g} deg:"
        values += [
            Value(f"{name} worm drives", "", driving, run_worm(case, "worm", 1.0)),
            Value(f"{name} wheel drives", "", driven, run_worm(case, "wheel", 1.0)),
        ]
    return values


CARDONA = "A. Cardona, Flexible three dimensional gear modelling (1997), section"
SUBJECT = Subject(
    "Forces at rest and at constant speed",
    [
        Case("CARDONA-7.1", "Bevel gear on a rotating bar", f"{CARDONA} 7.1", PUBLISHED, bevel_pair, shown=8),
        Case("CARDONA-7.2", "Three spur gears on a bar that pulls a string", f"{CARDONA} 7.2", PUBLISHED, three_gears),
        Case(
            "CHRONO-GEAR",
            "Helical pair with elastic teeth",
            "Project Chrono, unit test utest_CH_gears",
            CLOSED_FORM,
            chrono,
        ),
        Case(
            "DZE-STATIC",
            "Spur and helical pair 18/37: total normal force",
            "P. Do, P. Ziegler, P. Eberhard, Arch. Mech. Eng. 60 (2013), table 1; statics",
            CLOSED_FORM,
            total_force,
            shown=8,
        ),
        Case(
            "HERTZ-LINE",
            "Hertz line contact at the pitch point, pair 18/37",
            "K. L. Johnson, Contact Mechanics (1985), equation (4.45)",
            CLOSED_FORM,
            hertz,
        ),
        Case(
            "WORM-ETA",
            "Efficiency of worm drives, measured in a run",
            "G. Niemann, Maschinenelemente; J. E. Shigley, Mechanical Engineering Design",
            CLOSED_FORM,
            worm_efficiency,
            "The friction law rounds the step at zero sliding speed.",
            shown=10,
        ),
    ],
)
