"""An epicyclic train with stepped planets: resonances and a hidden mode (van der Linden, Modelica conference 2012, section 6.1.2).

Sun r = 1 m, N = 3 planets with two wheels each, 0.5 m in mesh with the sun and 1 m in mesh with the fixed ring of 2.5 m,
on pins of the carrier at 1.5 m. Sun and carrier have J = 1 kg m², a planet m_p = 2 kg and J_p = 2 kg m²; all teeth have
c = 1 N/m along the tangent, and no damping. With the rotations φ, counted alike,

    Δ_1 = φ_s − 1.5 φ_c + 0.5 φ_p ,   Δ_2 = 1.5 φ_c + φ_p ,

and the carrier carries N m_p 1.5² besides its own inertia. A torque on the sun turns the carrier with two resonances and one
antiresonance at ω² = 1.5 c/J_p = 0.75 s⁻²:

    peaks 0.973622400 and 1.899498330 rad/s,  dip 0.866025404 rad/s .

The third frequency, ω² = 1.25 c/J_p (0.790569415 rad/s, N − 1 times), is of planets that move against each other and leave sun and
carrier still: such poles cancel against zeros. One soft spring, c = 0.5 N/m at the sun (`epicyclic-detuned`), brings one of them
to light:

    peaks 0.756929662, 0.973029865 and 1.738165310 rad/s,  dips 0.758287544 and 0.866025404 rad/s .

The paper gives the ring's radius as a diameter, not the number of planets, and no numbers of the curves; those above are the roots
of the equations of motion, for planets made of two bodies of 1 kg and 1 kg m².
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import pitchline as pl

from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["DIPS", "PEAKS", "build", "draw", "figures", "run"]

MODULE = 0.1
TEETH_SUN, TEETH_SMALL, TEETH_LARGE, TEETH_RING = 20, 10, 20, 50
STIFFNESS, SOFT = 1.0, 0.5
"""[N/m]"""
PEAKS = {"even": [0.973622400, 1.899498330], "detuned": [0.756929662, 0.973029865, 1.738165310]}
DIPS = {"even": [0.866025404], "detuned": [0.758287544, 0.866025404]}
"""Roots of the equations of motion [rad/s]."""
INPUT, OUTPUT = "sun_bearing.torque", "carrier_bearing.angle"


def build(train: str = "even", planets: int = 3, mass: float = 2.0, inertia: float = 2.0) -> pl.Model:
    """The train at rest, in the plane xy. train: "even", or "detuned", with one soft spring. mass, inertia: of a planet."""
    m = pl.Model("epicyclic" if train == "even" else f"epicyclic-{train}", plane="xy")

    def gear(teeth: int, *, internal: bool = False) -> pl.Gear:
        return pl.Gear(teeth=teeth, normal_module=MODULE, normal_pressure_angle="29 deg", internal=internal)

    sun = m.gear_body("sun", gear(TEETH_SUN), position=(0, 0, 0), axis="z", mass=1.0, inertia=1.0)
    carrier = m.body("carrier", mass=1.0, inertia=1.0)
    m.wheel("ring", m.ground, gear(TEETH_RING, internal=True), at=(0, 0, 0), axis="z")
    m.revolute("sun_bearing", m.ground, sun)
    m.revolute("carrier_bearing", m.ground, carrier, axis="z")
    arm = 0.5 * MODULE * (TEETH_SUN + TEETH_SMALL)
    for i in range(1, planets + 1):
        angle = 2 * math.pi * (i - 1) / planets
        out = np.array([math.cos(angle), math.sin(angle), 0.0])
        planet = m.body(f"planet_{i}", mass=mass, inertia=inertia, position=arm * out)
        m.revolute(f"pin_{i}", carrier, planet, axis="z")
        small = m.wheel(f"small_{i}", planet, gear(TEETH_SMALL), mesh_with=sun, towards=out)
        large = m.wheel(f"large_{i}", planet, gear(TEETH_LARGE), mesh_with="ring", towards=out)
        m.gear_pair(f"sun_{i}", sun, small, mesh=_teeth(SOFT if train == "detuned" and i == 1 else STIFFNESS))
        m.gear_pair(f"ring_{i}", large, "ring", mesh=_teeth(STIFFNESS))
    return m


def _teeth(stiffness: float) -> pl.Elastic:
    return pl.Elastic(stiffness, along="hoop", backlash=0, separating=False)


def run(train: str = "even") -> Run:
    """Its modes, and the response of the carrier to a torque on the sun."""
    model = build(train)
    frequencies = np.geomspace(0.05, 0.5, 1001)
    return {"modes": pl.modes(model), "response": pl.frequency_response(model, INPUT, OUTPUT, frequencies=frequencies)}


def figures(run: Run, train: str = "even") -> list[Figure]:
    """Peaks and dips of the response, and the mode that it does not show."""
    modes, linear = run["modes"], run["response"].linear
    hidden = 2 * math.pi * modes.of_kind("planet")
    times = sum(kind == "planet" for kind in modes.kinds)
    return [
        Figure(
            "peaks",
            linear.peaks(),
            "rad/s",
            "resonances, torque on the sun to angle of the carrier",
            PEAKS[train],
            digits=9,
        ),
        Figure("dips", linear.dips(), "rad/s", "antiresonances", DIPS[train], digits=9),
        Figure("hidden", hidden, "rad/s", "planets against each other", [math.sqrt(1.25 / 2.0)], digits=9),
        Figure("hidden.times", times, "", "how many of these modes", 2 if train == "even" else 1),
    ]


def draw(run: Run, path: Path | None = None) -> "Picture":
    """Torque on the sun to angle of the carrier."""
    response = run["response"]
    return response.plot(path=path, title=f"{response.model_name}: angle of the carrier for a torque on the sun")
