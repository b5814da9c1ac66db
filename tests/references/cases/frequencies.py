"""Natural frequencies."""

import math

import numpy as np
from references import stepped_planets as epicyclic
from references.cases.case import CLOSED_FORM, INDEPENDENT, OTHER_CODE, PUBLISHED, Case, Subject, Value, listed
from references.gallery_runs import figures_of
from validation.test_fem_cases import TestFreeAnnularPlate, TestShaft
from validation.test_fem_cases import shaft as solid_shaft
from validation.test_geared_rotor import ROSS, geared_rotor
from validation.test_linear_cases import FREQUENCIES, RESPONSES, rig, torsional

import pitchline as pl

LIN_PARKER = {
    "rotational": [0.0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3],
    "translational": [743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9],
}


def lin_parker() -> list[Value]:
    found = figures_of("planetary-modes")
    return [v for kind, numbers in LIN_PARKER.items() for v in listed(f"{kind} mode", "Hz", numbers, found[kind].value)]


def kahraman(arguments: tuple[float, ...], first: float, second: float, planet: float) -> list[Value]:
    found = 2 * np.pi * pl.modes(torsional(*arguments)).frequencies  # type: ignore[arg-type]
    return [
        Value("first mode", "rad/s", first, found[1]),
        Value("planet mode", "rad/s", planet, found[2]),
        Value("last mode", "rad/s", second, found[-1]),
    ]


def spur_pair() -> list[Value]:
    found = figures_of("planar-spur")
    return [
        Value("natural frequency (the paper prints 0.225)", "Hz", 0.22507907903927654, found["eigenfrequency"].value),
        Value("damping ratio", "", 0.0007071067811865475, found["damping_ratio"].value),
    ]


def stepped_planets() -> list[Value]:
    values = []
    for (planets, mass, train), references in FREQUENCIES.items():
        modes = pl.modes(epicyclic.build(train, planets, mass, mass))
        name = f"{planets} planets of {mass:g} kg, {'equal springs' if train == 'even' else 'one soft spring'}: mode"
        values += listed(name, "Hz", references, modes.frequencies[1:])
    return values


def epicyclic_response() -> list[Value]:
    """Peaks and dips of the response of the carrier to a torque on the sun."""
    values = []
    for mass, planets, *references in RESPONSES[:2]:
        for train, (top, bottom) in (("even", references[:2]), ("detuned", references[2:])):
            linear = pl.linear_model(epicyclic.build(train, planets, mass, mass), epicyclic.INPUT, epicyclic.OUTPUT)
            name = f"{planets} planets, {'equal springs' if train == 'even' else 'one soft spring'}:"
            values += listed(f"{name} peak", "rad/s", top, linear.peaks())
            values += listed(f"{name} dip", "rad/s", bottom, linear.dips())
    return values


def kubo_rig() -> list[Value]:
    free, driven = pl.modes(rig()), pl.modes(rig(imposed=True))
    mesh = rig(shafts=False, damping_ratio=0.1)
    pair = mesh.gear_pairs["mesh"]
    law = pair.law.along_hoop(pair.length_factor)  # as in the paper
    diagram = pl.campbell(rig(), "ha", ["30000 rpm", "50000 rpm"])
    (crossing,) = [c for c in diagram.crossings if c.order == "mesh"]
    references = [144.54964009201285, 346.98330093104863, 16861.852831945343]
    with_speed = [114.60142301534616, 345.9995928483997, 16861.852813358924]
    return [
        *listed("free rig: mode", "Hz", references, free.frequencies[1:]),
        *listed("speed of disc 1 specified: mode", "Hz", with_speed, driven.frequencies),
        Value("two gears only: mesh mode", "Hz", 16860.121903571377, pl.modes(mesh).frequencies[1]),
        Value(
            "speed at which the mesh frequency meets the mesh mode",
            "rpm",
            40468.44675206142,
            crossing.speed * 30 / math.pi,
        ),
        Value("effective mass of the mesh", "lbf s2/in", 0.0013161316645213938, law.effective_mass),
        Value("damping of the mesh", "lbf s/in", 27.88495270570204, law.damping),
    ]


def rotor_with_gears() -> list[Value]:
    m = geared_rotor()
    found = 2 * np.pi * pl.modes(m, about=pl.statics(m), lowest="5 Hz", highest="62 Hz").frequencies
    return listed("mode", "rad/s", ROSS, found)


def stepped_rotor() -> list[Value]:
    found = figures_of("stepped-rotor")
    forward, backward = found["critical.forward"].value, found["critical.backward"].value
    return [
        *listed("forward critical speed", "rpm", [17007.7, 48986.1, 94584.7], forward),
        *listed("backward critical speed", "rpm", [15359.0, 45713.8, 64153.3], backward[:3]),
    ]


TIMOSHENKO = [359.743415182178, 2182.3145090757084, 5828.461686533498, 10751.2153]


def beam_shaft() -> list[Value]:
    """Steel shaft, length 200 mm, diameter 20 mm, fixed at one end: beam elements."""
    m = pl.Model("cantilever")
    steel = pl.Material("steel", density=7850, youngs_modulus=2.1e11, poissons_ratio=0.3)
    shaft = m.shaft("shaft", [pl.ShaftSection("200 mm", "20 mm")], material=steel, elements=20)
    m.fixed("clamp", m.ground, shaft["start"])
    found = pl.modes(m, highest="11 kHz").frequencies
    axial = math.sqrt(2.1e11 / 7850) / (4 * 0.2)
    return [
        *listed("bending mode", "Hz", TIMOSHENKO, found[[0, 2, 5, 8]]),
        Value("torsional mode", "Hz", TestShaft.TORSION, found[4]),
        Value("axial mode", "Hz", axial, found[7]),
    ]


def solid_shafts() -> list[Value]:
    """The same shaft of solid finite elements."""
    found = TestShaft.clamped(solid_shaft(4, 20))
    return [
        *listed("bending mode", "Hz", TIMOSHENKO[:3], found[[0, 2, 5]]),
        Value("torsional mode", "Hz", TestShaft.TORSION, found[4]),
    ]


def annular_plate() -> list[Value]:
    plate = TestFreeAnnularPlate()
    thick, thin = plate.parameters(0.08), plate.parameters(0.04)
    limit = (4 * thin - thick) / 3
    return [
        Value(f"frequency parameter, {n} nodal diameters", "", plate.KIRCHHOFF[n], limit[i])
        for n, i in ((2, 0), (0, 2), (3, 3))
    ]


LINDEN = "F. L. J. van der Linden, Modelling of elastic gearboxes, Modelica conference 2012, section"
KAHRAMAN = "A. Kahraman, J. Sound Vib. 173 (1994) 125-130"
KAHRAMAN_3 = ((3, 1.2, 8.0, 0.9, 2.2e8, 1.9e8), 16719.5132022843, 28368.352681010518, 21343.747458109494)
KAHRAMAN_5 = ((5, 0.5, 6.0, 0.4, 1e8, 3e8), 17627.966768461778, 63423.87658400691, 31622.776601683792)
SUBJECT = Subject(
    "Natural frequencies and critical speeds",
    [
        Case(
            "LIN-PARKER-N3",
            "Planetary gear with three planets",
            "J. Lin, R. G. Parker, J. Vib. Acoust. 121 (1999) 316-321, table 2",
            PUBLISHED,
            lin_parker,
            "The table prints one decimal.",
            shown=12,
        ),
        Case(
            "KAHRAMAN-N3", "Torsional planetary gear, 3 planets", KAHRAMAN, CLOSED_FORM, lambda: kahraman(*KAHRAMAN_3)
        ),
        Case(
            "KAHRAMAN-N5", "Torsional planetary gear, 5 planets", KAHRAMAN, CLOSED_FORM, lambda: kahraman(*KAHRAMAN_5)
        ),
        Case("LINDEN-SPUR", "Elastic spur pair", f"{LINDEN} 6.1.1", PUBLISHED, spur_pair),
        Case("LINDEN-EPI", "Epicyclic train with stepped planets", f"{LINDEN} 6.1.2", INDEPENDENT, stepped_planets),
        Case(
            "LINDEN-RESPONSE", "The same train: frequency response", f"{LINDEN} 6.1.2", INDEPENDENT, epicyclic_response
        ),
        Case(
            "KUBO-FREQUENCIES",
            "Gear rig of Kubo: torsion",
            "A. Cardona (1997), section 7.3, parameters of H. N. Özgüven, J. Sound Vib. 145 (1991) 239-260",
            INDEPENDENT,
            kubo_rig,
            shown=10,
        ),
        Case(
            "GEARED-ROTOR",
            "Turbo-alternator: two elastic shafts and a gear pair",
            "J. S. Rao, T. N. Shiau, J. R. Chang, Mech. Mach. Theory 33 (1998) 761-783; ROSS 2.3.0, 42 elements",
            OTHER_CODE,
            rotor_with_gears,
            "ROSS is not converged: its frequencies still fall by up to 0.2 % with finer elements.",
            shown=12,
        ),
        Case(
            "NELSON-MCVAUGH",
            "Stepped rotor with a disc on two bearings",
            "H. D. Nelson, J. M. McVaugh, J. Eng. Ind. 98 (1976) 593-600, with shear",
            PUBLISHED,
            stepped_rotor,
            "Number of beam elements; the continuous shaft gives the published values to 4e-6.",
        ),
        Case(
            "BEAM-TIMOSHENKO",
            "Cantilever shaft of beam elements",
            "Timoshenko beam, shear coefficient of Cowper",
            CLOSED_FORM,
            beam_shaft,
            "20 elements.",
        ),
        Case(
            "SHAFT-SOLID",
            "The same shaft of solid finite elements",
            "Timoshenko beam, shear coefficient of Cowper",
            CLOSED_FORM,
            solid_shafts,
            "The clamp of the solid also prevents the contraction of the cross-section; the beam does not model this.",
            table_only=True,
        ),
        Case(
            "PLATE-ANNULAR",
            "Annular plate of solid finite elements, free edges",
            "A. W. Leissa, Vibration of Plates, NASA SP-160 (1969); Bessel functions for ν = 0.3",
            CLOSED_FORM,
            annular_plate,
            "Grid of 3 by 16 elements, extrapolated from two thicknesses to the thin plate.",
            table_only=True,
        ),
    ],
)
