"""Models of the gallery: every figure that has a closed form."""

from collections.abc import Callable, Iterable

import numpy as np
from references.cases.case import CLOSED_FORM, PUBLISHED, Case, Subject, Value
from references.gallery_runs import figures_of
from validation.test_gearbox import SETTINGS, SPRINGS
from validation.test_wind_gearbox import figures as wind_figures

from pitchline import files
from pitchline.gallery.figures import Figure

TEXTBOOK = "Textbook formulas, written in the model file"
ORDER_2 = "Time step: the method is of order 2."
SETTLING = "The load is still settling at the end of the run."
REASONS = {
    "differential": (SETTLING, False),
    "worm": ("Friction law with a rounded step; time step.", False),
    "helical-pair": ("", False),
    "crossed-helical": ("", False),
    "internal-pair": ("", False),
    "hypoid": ("", False),
    "spiral-bevel": ("", False),
    "rack-and-pinion": ("", False),
    "planetary": ("", False),
    "fidelities": ("Tables of tooth contact are interpolated; mean of a vibrating force.", True),
    "two-stage": ("By hand the shafts do not bend. Here gears tilt and centres move apart under load.", True),
    "meshing-spur-100": ("The record does not end with a whole mesh cycle.", True),
    "meshing-helical-100": ("The record does not end with a whole mesh cycle.", True),
    "torque-stages": ("The record does not end with a whole mesh cycle.", True),
    "press": (ORDER_2, True),
    "four-bar": ("", False),
    "double-pendulum": (ORDER_2, True),
    "heavy-top": (ORDER_2, False),
    "governor": ("The sleeve still vibrates.", False),
    "cam-follower": (ORDER_2, False),
    "rotor": ("Run through the critical speed; the closed form is for a constant speed.", False),
    "speed-control": (ORDER_2, False),
    "worm-hoist": (ORDER_2, False),
    "stick-slip": (ORDER_2, False),
    "powertrain-1d": ("Vibrations; the formula of the isolation is for a constant speed.", False),
}
"""Reason for differences; whether the test leaves it out, because it takes long or is chaotic."""
ZERO = 1e-8
"""Residual of a number that should be zero, relative to the largest number with its unit: it depends on the processor."""
PUBLISHED_NUMBERS = {
    "table1-spur": ("The paper prints rounded numbers of nodes. Masses: polygons in place of involutes.", False),
    "table1-helical": ("The paper prints rounded numbers of nodes. Masses: polygons in place of involutes.", False),
    "table3-beveloid": ("The paper prints rounded numbers of nodes. Masses: polygons in place of involutes.", False),
}
DO = "P. Do, P. Ziegler, P. Eberhard, Arch. Mech. Eng. 60 (2013)"


def values_of(figures: Iterable[Figure]) -> list[Value]:
    """Numbers with a closed form; lists entry by entry. A description without a subject gets the key of its figure."""
    found: list[Value] = []
    compared = [figure for figure in figures if figure.expected is not None and not isinstance(figure.expected, bool)]
    largest: dict[str, float] = {}
    for figure in compared:
        largest[figure.unit] = max(largest.get(figure.unit, 0.0), float(np.max(np.abs(figure.expected))))
    for figure in compared:
        pairs = list(zip(np.ravel(figure.expected), np.ravel(figure.value), strict=True))
        for i, (expected, value) in enumerate(pairs, 1):
            number = f" {i}" if len(pairs) > 1 else ""
            if expected == 0 and abs(value) < ZERO * largest[figure.unit]:
                value = 0.0
            found.append(Value(f"{figure.key}{number}", figure.unit, float(expected), float(value)))
    return found


def of_gallery(name: str) -> Callable[[], list[Value]]:
    return lambda: values_of(figures_of(name).values())


def gearbox() -> list[Value]:
    """Teeth as springs: the tables of the finite elements would take two minutes, and do not change these forces."""
    file = files.read(SPRINGS, overrides=SETTINGS)
    # the ratio is a mean over the run, which is too short for it here
    return values_of(figure for figure in file.findings(file.run()) if figure.key != "ratio")


SUBJECT = Subject(
    "Machines of the gallery",
    [
        *(
            Case(name, f"gallery model `{name}`", TEXTBOOK, CLOSED_FORM, of_gallery(name), reason, table_only, shown=4)
            for name, (reason, table_only) in REASONS.items()
        ),
        *(
            Case(name, f"gallery model `{name}`", DO, PUBLISHED, of_gallery(name), reason, table_only, shown=4)
            for name, (reason, table_only) in PUBLISHED_NUMBERS.items()
        ),
        Case(
            "robot-arm",
            "gallery model `robot-arm`: numbers of bodies, joints and redundant constraints",
            "D. Vlasenko, R. Kasper, Spatial kinematics of gears in absolute coordinates (2009)",
            PUBLISHED,
            of_gallery("robot-arm"),
            table_only=True,
        ),
        Case(
            "gearbox",
            "gallery model `gearbox`",
            "Hand calculation, written in the model file",
            CLOSED_FORM,
            gearbox,
            "By hand the teeth carry in the middle of the face and bearings take no moments. Teeth are springs here, and the run "
            "is short.",
            table_only=True,
            shown=15,
        ),
        Case(
            "wind-gearbox",
            "gallery model `wind-gearbox`",
            "Hand calculation, written in the model file",
            CLOSED_FORM,
            lambda: values_of(wind_figures().values()),
            "By hand: no weight of planets, no bending of shafts, three inertias for the torsional frequency. The run is short.",
            table_only=True,
            shown=9,
        ),
    ],
)
