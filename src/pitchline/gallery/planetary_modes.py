"""Free vibration of a planetary train with three planets: Lin and Parker's model.

All wheels and the carrier move in their plane on elastic bearings; the ring is held in rotation by an elastic support. Sun and
carrier turn freely: one mode has no frequency. J. Lin and R. G. Parker (J. Vib. Acoust. 121, 1999, 316–321) showed that the others
of a train with N equal, equally spaced planets are of three kinds:

    rotational      six: central wheels and carrier only turn, all planets do the same
    translational   six, each twice: central wheels and carrier only move sideways
    planet          three, each N − 3 times: only planets move. None for N = 3.

A mesh is a spring along the line of action, between the points where it touches the base circles, both of which belong to
their wheels: with the base radius r_b and the unit vector e of the line,

    δ = r_bA θ_A + r_bB θ_B + e · (x_A − x_B)

so that a motion of the centres along the line of centres stretches it as well, by sin α. (So do the teeth of gear pairs that
follow their centres; but those need a load to know on which flank they bear.) Radii cancel: inertias are given as I/r². Nothing
is added to the published equations: at rest and without load there are neither gyroscopic terms nor stiffness from loads.
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl

from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["ROTATIONAL", "TRANSLATIONAL", "build", "draw", "figures", "run"]

PLANETS = 3
TEETH_SUN, TEETH_PLANET = 27, 35
ALPHA, BASE_SUN = math.radians(24.6), 0.5 * 77.4e-3
"""Pressure angle [rad], base radius of the sun [m]."""
MASS = {"sun": 0.4, "ring": 2.35, "carrier": 5.43, "planet": 0.66}
"""[kg]"""
INERTIA = {"sun": 0.39, "ring": 3.0, "carrier": 6.29, "planet": 0.61}
"""I/r² [kg]; r the base radius, of the carrier that of the pins."""
MESH, BEARING, HELD = 5e8, 1e8, 1e9
"""[N/m]: of a mesh; of every bearing, in all directions; of the ring against rotation, at its base radius."""
ROTATIONAL = (0.0, 1475.7, 1930.3, 2658.3, 7462.8, 11775.3)
TRANSLATIONAL = (743.2, 1102.4, 1896.0, 2276.4, 6986.3, 9647.9)
"""Published [Hz]."""


def build() -> pl.Model:
    """The train at rest, in the plane xy."""
    m = pl.Model("planetary-modes", plane="xy")
    module = 2 * BASE_SUN / (TEETH_SUN * math.cos(ALPHA))

    def gear(teeth: int, *, internal: bool = False) -> pl.Gear:
        return pl.Gear(teeth=teeth, normal_module=module, normal_pressure_angle=ALPHA, internal=internal)

    base = {name: 0.5 * module * z * math.cos(ALPHA) for name, z in (("sun", TEETH_SUN), ("planet", TEETH_PLANET))}
    pins = (base["sun"] + base["planet"]) / math.cos(ALPHA)
    radius = base | {"ring": pins * math.cos(ALPHA) + base["planet"], "carrier": pins}
    inertia = {name: INERTIA[name] * r**2 for name, r in radius.items()}
    ring = gear(TEETH_SUN + 2 * TEETH_PLANET, internal=True)
    m.gear_body("sun", gear(TEETH_SUN), position=(0, 0, 0), axis="z", mass=MASS["sun"], inertia=inertia["sun"])
    m.gear_body("ring", ring, position=(0, 0, 0), axis="z", mass=MASS["ring"], inertia=inertia["ring"])
    m.body("carrier", mass=MASS["carrier"], inertia=inertia["carrier"])
    for name in ("sun", "ring", "carrier"):
        torsion = HELD * radius["ring"] ** 2 if name == "ring" else 0.0
        m.bushing(f"{name}_bearing", m.ground, name, stiffness=(BEARING, BEARING, 0, 0, 0, torsion))
    for i in range(1, PLANETS + 1):
        angle = 2 * math.pi * (i - 1) / PLANETS
        out, side = (np.array([math.cos(angle + turn), math.sin(angle + turn), 0.0]) for turn in (0.0, math.pi / 2))
        planet = m.gear_body(
            f"planet_{i}",
            gear(TEETH_PLANET),
            position=pins * out,
            axis="z",
            mass=MASS["planet"],
            inertia=inertia["planet"],
        )
        m.bushing(f"pin_{i}", "carrier", planet, at=pins * out, stiffness=(BEARING, BEARING, 0, 0, 0, 0))
        for name, sign in (("sun", 1.0), ("ring", -1.0)):
            # the line of action through the pitch point, and where it touches the base circles
            line = math.cos(ALPHA) * side + sign * math.sin(ALPHA) * out
            pitch_point = radius[name] / math.cos(ALPHA) * out
            ends = [pitch_point + ((centre - pitch_point) @ line) * line for centre in (np.zeros(3), pins * out)]
            m.spring(f"{name}_{i}", name, planet, at_a=ends[0], at_b=ends[1], stiffness=MESH)
    return m


def run() -> Run:
    """Its modes."""
    return {"modes": pl.modes(build())}


def figures(run: Run) -> list[Figure]:
    """Frequencies of either kind, each once, and how often they come."""
    modes = run["modes"]
    rotational = [*modes.frequencies[: modes.rigid], *modes.of_kind("rotational")]
    times = [int(n) for n, kind in zip(modes.multiplicity, modes.kinds, strict=True) if kind == "translational"]
    return [
        Figure(
            "rotational",
            rotational,
            "Hz",
            "rotational modes, the free rotation first (right: published)",
            list(ROTATIONAL),
        ),
        Figure("translational", modes.of_kind("translational"), "Hz", "translational modes", list(TRANSLATIONAL)),
        Figure("translational.times", float(np.mean(times)), "", "how often each translational frequency comes", 2.0),
    ]


def draw(run: Run, path: Path | None = None) -> "Picture":
    """What moves in every mode."""
    return run["modes"].plot(path=path)
