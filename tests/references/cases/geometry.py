"""Geometry of gears and gear pairs."""

import math

import numpy as np
from references.cases.case import CLOSED_FORM, PUBLISHED, Case, Subject, Value
from validation.test_gear_geometry_cases import PAIRS, evaluated

import pitchline as pl
from pitchline.gears import STEEL, iso_stiffness

QUANTITIES = (
    "transverse pressure angle", "working transverse pressure angle", "base helix angle", "reference centre distance",
    "centre distance", "reference diameter 1", "reference diameter 2", "base diameter 1", "base diameter 2",
    "tip diameter 1", "tip diameter 2", "root diameter 1", "root diameter 2", "working diameter 1", "working diameter 2",
    "length of path of contact", "transverse base pitch", "transverse contact ratio", "overlap ratio", "T1A", "T1B", "T1C",
    "T1D", "T1E", "c'_th", "c'", "c_gamma,alpha", "c_gamma,beta",
)  # fmt: skip
"""Names of the 28 values; T1A to T1E are distances on the path of contact from the base circle of gear 1."""
UNITS = ["deg"] * 3 + ["mm"] * 14 + [""] * 2 + ["mm"] * 5 + ["N/(mm um)"] * 4


def iso_pair(name: str) -> list[Value]:
    """All 28 values of a pair."""
    given, references = PAIRS[name]
    return [Value(*row) for row in zip(QUANTITIES, UNITS, references, evaluated(*given), strict=True)]


def iso_example() -> list[Value]:
    """z 17/103, m_n 8 mm, β 15.8°, x1 0.145, a 500 mm, b 100 mm, basic rack ISO 53 D; 9000 N m at 360 rpm."""
    common = dict(normal_module="8 mm", face_width="100 mm", dedendum_factor=1.4, root_radius_factor=0.39)
    pinion = pl.Gear(teeth=17, profile_shift=0.145, helix_angle="15.8 deg", **common)
    wheel = pl.Gear(teeth=103, helix_angle="-15.8 deg", **common)
    pair = pl.GearPair(pinion, wheel, centre_distance="500 mm")
    stiffness = iso_stiffness(pair)
    alpha_wt, alpha_t = pair.transverse_working_pressure_angle, pinion.transverse_pressure_angle
    zone = 2 * math.cos(pinion.base_helix_angle) * math.cos(alpha_wt) / (math.cos(alpha_t) ** 2 * math.sin(alpha_wt))
    elastic = 1e-6 * STEEL.youngs_modulus / (2 * math.pi * (1 - STEEL.poissons_ratio**2))
    unit = "N/(mm um)"
    return [
        Value("virtual number of teeth, pinion", "", 18.905, pinion.virtual_teeth),
        Value("virtual number of teeth, wheel", "", 114.543, wheel.virtual_teeth),
        Value("c'_th", unit, 17.85584, 1e-9 * stiffness.theoretical),
        Value("c'", unit, 12.37047, 1e-9 * stiffness.single),
        Value("c_gamma,alpha", unit, 17.46485, 1e-9 * stiffness.mesh_alpha),
        Value("c_gamma,beta", unit, 14.84512, 1e-9 * stiffness.mesh_beta),
        Value("tangential force", "N", 127352.0, 2 * 9000.0 / pinion.reference_diameter),
        Value("pitch line velocity", "m/s", 2.664, math.pi * pinion.reference_diameter * 360 / 60),
        Value("zone factor Z_H", "", 2.39533, math.sqrt(zone)),
        Value("elasticity factor Z_E", "sqrt(N/mm2)", 189.8117, math.sqrt(elastic)),
    ]


CROSSED = [
    (20, 40, 30, 60, 2, 23.09401076758503, 79.99999999999999, 2, 2.0),
    (12, 36, 50, 20, 3, 28.00302888348742, 57.465599713699255, 3, 1.0),
    (1, 40, 87.1376, 2.8624, 4, 40.05004185057675, 80.09993721269626, 40, 1.0012492151587034),
    (15, 15, 45, 45, 2.5, 26.51650429449553, 26.51650429449553, 1, 1.414213562373095),
]


def crossed_helical() -> list[Value]:
    """r = m_n z/(2 cos β), ratio z_2/z_1, sliding speed over ω_1 r_1: sin Σ/cos β_2."""
    values = []
    for z1, z2, beta1, beta2, module, r1, r2, ratio, sliding in CROSSED:
        a, b = (
            pl.Gear(teeth=z, normal_module=f"{module} mm", helix_angle=f"{h} deg")
            for z, h in ((z1, beta1), (z2, beta2))
        )
        pair = pl.GearPair(a, b, shaft_angle=f"{beta1 + beta2} deg")
        name = f"z {z1}/{z2}, helix {beta1}/{beta2} deg:"
        values += [
            Value(f"{name} r_1", "mm", r1, 1e3 * pair.pitch.radius_a),
            Value(f"{name} r_2", "mm", r2, 1e3 * pair.pitch.radius_b),
            Value(f"{name} ratio", "", ratio, abs(1 / pair.speed_ratio)),
            Value(f"{name} sliding", "", sliding, pair.pitch.sliding_ratio),
        ]
    return values


def placement() -> list[Value]:
    """Angle between the axes and offset of gears that the library places against each other."""
    cone = math.atan2(5, 1)
    pairs = {
        "spur, r 5/5": (pl.Gear(teeth=50, normal_module=0.2), pl.Gear(teeth=50, normal_module=0.2), 0.0, 10.0),
        "bevel, r 5/1": (
            pl.Gear(teeth=50, normal_module=0.2, cone_angle=-cone),
            pl.Gear(teeth=10, normal_module=0.2, cone_angle=-(math.pi / 2 - cone)),
            90.0,
            0.0,
        ),
        "internal, r 0.1/0.03": (
            pl.Gear(teeth=100, normal_module=0.002, internal=True),
            pl.Gear(teeth=30, normal_module=0.002),
            0.0,
            0.07,
        ),
    }
    values = []
    for name, (a, b, angle, offset) in pairs.items():
        m = pl.Model("placement")
        one = m.gear_body("a", a, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1, 1, 1))
        two = m.gear_body("b", b, mesh_with=one, mass=1.0, inertia=(1, 1, 1))
        axes = [np.asarray(body.orientation)[:, 2] for body in (one, two)]
        found = math.degrees(math.acos(min(1.0, abs(float(axes[0] @ axes[1])))))
        values.append(Value(f"{name}: angle between the axes", "deg", angle, found))
        common = np.cross(*axes)
        between = np.asarray(two.position) - np.asarray(one.position)
        if np.linalg.norm(common) < 1e-9:
            distance = float(np.linalg.norm(between - axes[0] * (axes[0] @ between)))
        else:
            distance = abs(float(between @ common)) / float(np.linalg.norm(common))
        values.append(Value(f"{name}: distance of the axes", "m", offset, distance))
    return values


SHOWN = ("working transverse pressure angle", "centre distance", "transverse contact ratio", "c_gamma,alpha")
ISO = "ISO 21771:2007; ISO 6336-1:2006, 9.3, method B"
CARDONA = "A. Cardona, Flexible three dimensional gear modelling (1997), equations (7) to (16)"
SUBJECT = Subject(
    "Gear geometry",
    [
        *(
            Case(f"GEO-{n}", f"Gear pair: {name}", ISO, CLOSED_FORM, lambda name=name: iso_pair(name), only=SHOWN)
            for n, name in enumerate(PAIRS, 1)
        ),
        Case(
            "ISO-TR-6336-30-1",
            "Helical pair 17/103, example 1 of the standard",
            "ISO/TR 6336-30:2017, annex A, example 1",
            PUBLISHED,
            iso_example,
            "The source prints 4 to 7 digits. It implies a contact ratio of 1.5491; pitchline computes 1.5493.",
            shown=10,
        ),
        Case(
            "CROSSED-HELICAL",
            "Crossed helical pairs and a worm pair",
            "F. L. Litvin, Gear Geometry and Applied Theory; ISO 21771:2007",
            CLOSED_FORM,
            crossed_helical,
        ),
        Case(
            "PLACEMENT",
            "Spur, bevel and internal pair: position of the gears",
            CARDONA,
            CLOSED_FORM,
            placement,
            shown=8,
        ),
    ],
)
