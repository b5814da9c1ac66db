"""An epicyclic train with stepped planets, any number of them, as the gallery has it with three; see its file `epicyclic`."""

import math

import numpy as np

import pitchline as pl

__all__ = ["INPUT", "OUTPUT", "build"]

MODULE = 0.1
TEETH_SUN, TEETH_SMALL, TEETH_LARGE, TEETH_RING = 20, 10, 20, 50
STIFFNESS, SOFT = 1.0, 0.5
"""[N/m]"""
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
