"""Beams, rolling bearings and flexible bodies of the gallery."""

import numpy as np
from references.cases.case import INDEPENDENT, PUBLISHED, Case, Subject, Value, listed
from references.gallery_runs import figures_of
from validation.test_elastic_gear_numbers import FREQUENCIES, gear_of

from pitchline import gallery


def bathe() -> list[Value]:
    found = figures_of("bathe-bend")
    numbers = (13.604, -23.560, 53.475)
    return [
        Value(f"tip displacement {x}", "in", n, found[f"tip.{x}"].value) for x, n in zip("xyz", numbers, strict=True)
    ]


def ball_bearing() -> list[Value]:
    radial = figures_of("ball-bearing")["radial.deflection"].value
    model = gallery.model("ball-bearing", radial_force="0 N", axial_force="1 kN")
    axial = {figure.key: figure for figure in model.figures(model.run())}["axial.deflection"].value
    return [
        Value("deflection under a radial force", "um", 15.1101, radial),
        Value("deflection under an axial force of 1 kN", "um", 133.5381, axial),
    ]


def housing() -> list[Value]:
    values = []
    for figure in figures_of("housing").values():
        if figure.expected is not None:
            pairs = list(zip(np.ravel(figure.expected), np.ravel(figure.value), strict=True))
            title = figure.key
            if len(pairs) == 1:
                values.append(Value(title, figure.unit, *map(float, pairs[0])))
            else:
                values += listed(title, figure.unit, *zip(*pairs, strict=True))
    return values


def free_gears() -> list[Value]:
    values = []
    for teeth, by_diameters in FREQUENCIES.items():
        gear = gear_of(teeth)
        for n, references in by_diameters.items():
            found = gear.frequencies[gear.nodal_diameters == n][: len(references)]
            values += listed(f"{teeth} teeth, {n} nodal diameters: mode", "Hz", references, found)
    return values


SUBJECT = Subject(
    "Beams, bearings and flexible bodies",
    [
        Case(
            "BATHE-BOLOURCHI",
            "Curved cantilever, 45 degrees, bent far out of its plane",
            "K.-J. Bathe, S. Bolourchi, Int. J. Numer. Methods Eng. 14 (1979) 961-986, limit of many elements",
            PUBLISHED,
            bathe,
            "Number of elements.",
        ),
        Case(
            "BALL-BEARING",
            "Deep groove ball bearing: deflections",
            "see the file of the gallery model ball-bearing",
            PUBLISHED,
            ball_bearing,
            "The source prints six digits.",
        ),
        Case(
            "HOUSING",
            "Bearing plate: reduced flexible body against the full model",
            "Full finite element model of the same plate",
            INDEPENDENT,
            housing,
            "Number of modes of the reduced body.",
        ),
        Case(
            "ELASTIC-GEARS",
            "Free gears with 18 and 37 teeth of finite elements",
            "Grids of 20-node elements, refined until the frequencies changed by about 0.1 %",
            INDEPENDENT,
            free_gears,
            "The grid is coarse: 925 nodes per sector.",
            table_only=True,
        ),
    ],
)
