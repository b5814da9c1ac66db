"""Models with branches of periodic motions: a gear pair with backlash, Duffing's oscillator, a pendulum on a driven arm."""

import math

import pitchline as pl
from pitchline.parts.springs.speed_loads import CubicSpring

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


def disk_behind_rigid_teeth(w=3.0):
    """Driven wheels with rigid teeth, a shaft and a disk under a torque 1 + 0.5 sin wt: one free coordinate."""
    m = pl.Model("rig")
    first, second = (pl.Gear(teeth=z, normal_module="4 mm", face_width="20 mm") for z in (20, 31))
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z", mass=1.0, inertia=(0.1,) * 3)
    b = m.gear_body("b", second, mesh_with=a, towards="x", mass=1.0, inertia=(0.1,) * 3)
    disk = m.body("disk", mass=1.0, inertia=(0.2,) * 3, position=(b.position[0], 0, 0.1))
    shaft = m.revolute("in", m.ground, a)
    m.revolute("out", m.ground, b, axis="z")
    end = m.revolute("end", m.ground, disk, axis="z")
    m.drive("motor", shaft, speed=5.0)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=0))
    m.bushing("shaft", b, disk, axis="z", stiffness=(0, 0, 0, 0, 0, 20.0), damping=(0, 0, 0, 0, 0, 0.05))
    m.torque("shake", end, pl.Harmonic(0.5, w / (2 * math.pi), offset=1.0))
    return m


def crank_drive(w=20.0):
    """Crank and rod move a piston, which shakes a mass on springs: the rod has no constant ratio of speeds to the crank."""
    m = pl.Model("crank")
    crank = m.body("crank", mass=1.0, inertia=(0.01,) * 3, position=(0.05, 0, 0))
    rod = m.body("rod", mass=0.5, inertia=(0.01,) * 3, position=(0.25, 0, 0))
    piston = m.body("piston", mass=0.3, inertia=(0.01,) * 3, position=(0.4, 0, 0))
    mass = m.body("mass", mass=1.0, inertia=(0.01,) * 3, position=(0.8, 0, 0))
    shaft = m.revolute("shaft", m.ground, crank, at=(0, 0, 0), axis="z")
    m.revolute("pin", crank, rod, at=(0.1, 0, 0), axis="z")
    m.revolute("wrist", rod, piston, at=(0.4, 0, 0), axis="z")
    m.prismatic("guide", m.ground, piston, axis="x")
    m.prismatic("slide", m.ground, mass, axis="x")
    m.spring("link", piston, mass, stiffness=2000.0, damping=3.0)
    m.spring("wall", mass, m.ground, at_b=(1.2, 0, 0), stiffness=500.0, damping=3.0)
    m.drive("motor", shaft, speed=w)
    return m
