"""Models with branches of periodic motions: a gear pair with backlash, Duffing's oscillator, a pendulum on a driven arm."""

import math

import pitchline as pl
from pitchline.declared_elements.cubic_spring import CubicSpring

TEETH = 20
DAMPING, CUBIC, FORCE = 0.05, 1.0, 0.3
"""Of Duffing's oscillator."""


def backlash_pair(w=1.4, *, ripple=0.2, damping=0.03, load=0.1, backlash=0.4):
    """x'' + 2 z x' + (1 + e cos wt) g(x) = f of the approach x of the teeth, g = max(x, 0) + min(x + b, 0); wheel A is driven."""
    m = pl.Model("pair")
    gear = pl.Gear(teeth=TEETH, normal_module=2.0 / TEETH)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0,) * 3)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1.0,) * 3)
    shaft, output = m.revolute("shaft", m.ground, a), m.revolute("output", m.ground, b)
    m.drive("motor", shaft, speed=w / TEETH)
    m.torque("load", output, load)
    m.gear_pair("mesh", a, b, mesh=_teeth(ripple, damping, backlash))
    return m


def free_pair(w=1.4, *, motor=0.1, load=0.1):
    """The same pair without a drive: both wheels rotate freely under torques that are in balance if motor = load."""
    m = pl.Model("free pair")
    gear, speed = pl.Gear(teeth=TEETH, normal_module=2.0 / TEETH), w / TEETH
    a = m.gear_body(
        "a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(2.0,) * 3, angular_velocity=(0, 0, speed)
    )
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(2.0,) * 3, angular_velocity=(0, 0, -speed))
    shaft, output = m.revolute("shaft", m.ground, a), m.revolute("output", m.ground, b)
    m.torque("motor", shaft, motor)
    m.torque("load", output, load)
    m.gear_pair("mesh", a, b, mesh=_teeth(0.2, 0.03, 0.4))
    return m


def _teeth(ripple, damping, backlash):
    wave = pl.Varying(pl.Fourier("360 deg", 1.0, cos=[ripple], over="angle"))
    return pl.Elastic(
        wave, along="hoop", damping=2 * damping, damping_acts="always", backlash=backlash, backlash_side="drive",
        energy_consistent=False,
    )  # fmt: skip


def duffing(w=1.0, force=FORCE):
    """x'' + 2 z x' + x + x^3 = F cos wt."""
    m = pl.Model("duffing")
    block = m.body("block", mass=1.0, inertia=(1.0,) * 3, position=(0, 0, 0))
    slide = m.prismatic("slide", m.ground, block, axis="x")
    m.add(
        CubicSpring("spring", a=m.ground, b=block, at_a=(-10.0, 0, 0), stiffness=1.0, cubic=CUBIC, damping=2 * DAMPING)
    )
    m.force("push", slide, pl.Harmonic(force, w / (2 * math.pi), "90 deg"))
    return m


def hanging_arm(w=4.0, amplitude=0.5):
    """Two arms that hang on each other; an oscillating torque moves the upper one. Only the upper one is hinged on the ground."""
    m = pl.Model("arms", gravity=(0, -9.81, 0))
    first = m.body("first", mass=1.0, inertia=(0.1,) * 3, position=(0, -0.5, 0))
    second = m.body("second", mass=0.5, inertia=(0.05,) * 3, position=(0, -1.5, 0))
    hip = m.revolute("hip", m.ground, first, at=(0, 0, 0), axis="z")
    knee = m.revolute("knee", first, second, at=(0, -1.0, 0), axis="z")
    m.torsion_spring("hip_damper", hip, damping=0.4)
    m.torsion_spring("knee_damper", knee, damping=0.2)
    m.torque("shake", hip, pl.Harmonic(amplitude, w / (2 * math.pi)))
    return m
