"""Stiffness of teeth and loaded contact of finite elements."""

import numpy as np
from references.cases.case import CLOSED_FORM, INDEPENDENT, Case, Subject, Value
from validation.test_loaded_cases import UNIT, at_pitch_point, elastic, table1, table1_gears, twist

from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.table import iso_stiffness

PER_WIDTH = "N/(mm um)"
LOADED = {0: (15.8, 22.7, 7.07, 17.2, 12.7), 1: (3.28, 4.78, 1.58, 16.1, 12.0)}


def loaded_pair() -> list[Value]:
    """Pair 18/37 under 100 and 20 N m."""
    r, values = table1(), []
    for torque, (double, single, uneven, mean, secant) in LOADED.items():
        lag = 1e6 * r.transmission_error[torque]
        alone = np.flatnonzero((r.load_sharing[torque] > 0.0).sum(axis=1) == 1)
        middle = alone[len(alone) // 2]
        name = f"{(100, 20)[torque]} N m:"
        values += [
            Value(f"{name} smallest transmission error", "um", double, lag.min()),
            Value(f"{name} transmission error, one tooth pair", "um", single, lag[middle]),
            Value(f"{name} transmission error, peak to peak", "um", uneven, 1e6 * r.peak_to_peak[torque]),
            Value(f"{name} mean mesh stiffness", PER_WIDTH, mean, r.mean_stiffness[torque] / r.face_width / UNIT),
            Value(
                f"{name} stiffness of one tooth pair",
                PER_WIDTH,
                secant,
                r.secant_stiffness[torque, middle] / r.face_width / UNIT,
            ),
        ]
    return values


def against_iso() -> list[Value]:
    r, iso = table1(), iso_stiffness(GearPair(*table1_gears()))
    return [
        Value("c_gamma,alpha", PER_WIDTH, iso.mesh_alpha / UNIT, r.mean_stiffness[0] / r.face_width / UNIT),
        Value("c'", PER_WIDTH, iso.single / UNIT, r.secant_stiffness[0].min() / r.face_width / UNIT),
    ]


WEBER = {
    "25/25": ((25, 25), 4e-3, 15e-3, {100: 15.188859, 300: 15.9367235}),
    "19/48": ((19, 48), 3.175e-3, 16e-3, {100: 15.5271484, 300: 16.3095551}),
    "20/80": ((20, 80), 3e-3, 20e-3, {100: 15.9906073, 300: 16.821668}),
}


def weber_banaschek(name: str) -> list[Value]:
    """One tooth pair at the pitch point; the twist of the gear bodies is taken out."""
    teeth, module, width, references = WEBER[name]
    a, b = (elastic(z, module, width, 0.3 * z * module) for z in teeth)
    return [
        Value(
            f"F/b {load} N/mm: stiffness of one tooth pair",
            PER_WIDTH,
            reference,
            1.0 / (at_pitch_point(a, b, 1e3 * load) - twist(a) - twist(b)) / UNIT,
        )
        for load, reference in references.items()
    ]


POTENTIAL = {
    "25/25": ((25, 25), 4e-3, 15e-3, (30e-3, 30e-3), 200e3, 172.245334e6 / 15e-3 / UNIT * 2.06 / 2.068),
    "62/42": ((62, 42), 2e-3, 20e-3, (35e-3, 23.4e-3), 50e3, 221.295751e6 / 20e-3 / UNIT),
}


def potential_energy(name: str) -> list[Value]:
    """One tooth pair at the pitch point, gear bodies included."""
    teeth, module, width, bores, load, reference = POTENTIAL[name]
    a, b = (elastic(z, module, width, bore) for z, bore in zip(teeth, bores, strict=True))
    title = f"F/b {1e-3 * load:g} N/mm: stiffness of one tooth pair"
    return [Value(title, PER_WIDTH, reference, 1.0 / at_pitch_point(a, b, load) / UNIT)]


DO = "Pair of P. Do, P. Ziegler, P. Eberhard, Arch. Mech. Eng. 60 (2013), table 1;"
SUBJECT = Subject(
    "Tooth stiffness and loaded contact",
    [
        Case(
            "DZE-LOADED",
            "Spur pair 18/37 under load: finite elements and contact",
            f"{DO} five grids with 8 and 20 nodes per element, contact of nodes",
            INDEPENDENT,
            loaded_pair,
            "Grids: the five grids of the reference agree within 1 %.",
            table_only=True,
            shown=10,
        ),
        Case(
            "DZE-ISO",
            "The same pair: finite elements against the standard",
            "ISO 6336-1:2006, 9.3, method B",
            CLOSED_FORM,
            against_iso,
            "Formulas of the standard; the standard expects differences of up to 20 %.",
            table_only=True,
        ),
        *(
            Case(
                f"WEBER-{name}",
                f"Spur pair {name}: stiffness at the pitch point",
                "C. Weber, K. Banaschek, Formänderung und Profilrücknahme (1953)",
                CLOSED_FORM,
                lambda name=name: weber_banaschek(name),
                "The formulas fix the tooth at its root section and are stiffer than finite elements. "
                "Another choice of the section changes them by 5 to 10 %.",
            )
            for name in WEBER
        ),
        *(
            Case(
                f"POTENTIAL-{name}",
                f"Spur pair {name}: stiffness at the pitch point",
                "H. Ma et al., Eng. Fail. Anal. 44 (2014); P. Sainsot, P. Velex, O. Duverger, J. Mech. Des. 126 (2004)",
                CLOSED_FORM,
                lambda name=name: potential_energy(name),
                "Formulas of a beam on an elastic body with a linear contact, against finite elements with Hertz contact.",
            )
            for name in POTENTIAL
        ),
    ],
)
