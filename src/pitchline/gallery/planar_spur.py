"""Two elastic spur wheels in a plane: the smallest gear vibration (van der Linden, Modelica conference 2012, section 6.1.1).

Two wheels, J = 1 kg m² and r = 1 m each, turn freely on their bearings; the teeth have c = 1 N/m and d = 1e-3 N s/m along the
tangent. Their approach Δ = r (φ_A + φ_B) oscillates,

    J/(2 r²) Δ″ + d Δ′ + c Δ = 0 :   ω_n = sqrt(2 c r²/J) = sqrt 2 rad/s ,  f = 0.225079079 Hz ,  ζ = d ω_n/(2 c) = 7.071068e-4 ,

while both turn together without any force, at 0 Hz. c is the stiffness of the pair; two wheels of c = 1 N/m each, in series,
would have half of it. A torque T on A with ω moves the teeth by

    |Δ/T| = (r/J) / |ω_n² − ω² + 2 i ζ ω_n ω| .
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pitchline as pl

from .figures import Figure, Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

__all__ = ["build", "draw", "figures", "run"]

TEETH, RADIUS, INERTIA = 10, 1.0, 1.0
"""-, [m], [kg m²]; of each wheel."""
STIFFNESS, DAMPING = 1.0, 1e-3
"""Of the pair [N/m], [N s/m]."""


def build() -> pl.Model:
    """The pair at rest, in the plane xy."""
    m = pl.Model("planar-spur", plane="xy")
    gear = pl.Gear(teeth=TEETH, normal_module=2 * RADIUS / TEETH, normal_pressure_angle="29 deg")
    a = m.gear_body("wheel_a", gear, position=(0, 0, 0), axis="z", mass="1 kg", inertia=INERTIA)
    b = m.gear_body("wheel_b", gear, mesh_with=a, towards=(1, 0, 0), mass="1 kg", inertia=INERTIA)
    m.revolute("bearing_a", m.ground, a)
    m.revolute("bearing_b", m.ground, b)
    mesh = pl.Elastic(STIFFNESS, along="hoop", damping=DAMPING, damping_acts="always", backlash=0)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def run() -> Run:
    """Its modes, and what a torque on A does to the teeth."""
    model = build()
    return {"modes": pl.modes(model), "response": pl.frequency_response(model, "bearing_a.torque", "mesh.approach")}


def figures(run: Run) -> list[Figure]:
    """Frequency and damping of the vibration."""
    modes, linear = run["modes"], run["response"].linear
    natural = math.sqrt(2 * STIFFNESS * RADIUS**2 / INERTIA)
    ratio = DAMPING * natural / (2 * STIFFNESS)
    return [
        Figure(
            "eigenfrequency", modes.frequencies[modes.rigid], "Hz", "of the teeth", natural / (2 * math.pi), digits=9
        ),
        Figure("damping_ratio", modes.damping_ratios[modes.rigid], "", "of the same", ratio, digits=7),
        Figure("rigid", modes.rigid, "", "motions without frequency: both wheels turn together", 1),
        Figure("resonance", linear.peaks(), "rad/s", "where a torque on A shakes the teeth", [natural], digits=9),
    ]


def draw(run: Run, path: Path | None = None) -> "Picture":
    """The response of the teeth to a torque."""
    return run["response"].plot(path=path, title="planar-spur: approach of the teeth for a torque on wheel A")
