"""Cardona's mechanisms with their bars as elastic beams, on which the wheels turn."""

import math

import numpy as np
from references.papers.entry import Number

import pitchline as pl

__all__ = ["bevel_pair_on_a_beam", "three_wheels_on_a_beam"]

STEEL = pl.STEEL
PINS = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
"""The masses have no effect: inertia forces and weight are left out."""


def bevel_pair_on_a_beam(radius: float = 0.3) -> list[Number]:
    """Section 7.1 with a round steel bar; the deflection of its end in the direction of rotation is that of a cantilever.

    The force of the teeth acts 1 m below the end of the bar: across the bar it bends it like a force at its end.
    """
    teeth_a, teeth_b, module, moment = 50, 10, 0.2, 1000.0
    cone = math.atan2(teeth_a, teeth_b)
    first = pl.Gear(teeth=teeth_a, normal_module=module, cone_angle=cone)
    second = pl.Gear(teeth=teeth_b, normal_module=module, cone_angle=0.5 * math.pi - cone)
    m = pl.Model("bevel pair on a beam", gravity=(0, 0, 0))
    a = m.gear_body("wheel_a", first, position=(0, 0, 0), axis=(0, -1, 0), **PINS)
    b = m.gear_body("wheel_b", second, mesh_with=a, towards="z", **PINS)
    m.fixed("foundation", a, m.ground)
    height, length = 0.5 * module * teeth_b, 0.5 * module * teeth_a
    hub = m.body("hub", position=(0, height, 0), **PINS)
    post = m.revolute("bar_hinge", m.ground, hub, at=(0, 0, 0), axis="y")
    bar = m.beam("bar", hub, (0, height, length), pl.BeamSection.circle(2.0 * radius, material=STEEL), elements=8)
    hinge = m.revolute("hinge_b", bar["end"], b, axis="z")
    m.gear_pair("mesh", a, b, mesh=pl.Rigid())
    m.drive("motor", post, angle=0)
    m.torque("external", hinge, moment)
    rest = pl.statics(m)
    force = moment / height
    area, second_moment = math.pi * radius**2, 0.25 * math.pi * radius**4
    shear_factor = 6.0 * (1.0 + STEEL.poissons_ratio) / (7.0 + 6.0 * STEEL.poissons_ratio)
    shear_modulus = 0.5 * STEEL.youngs_modulus / (1.0 + STEEL.poissons_ratio)
    bent = force * length**3 / (3.0 * STEEL.youngs_modulus * second_moment)
    bent += force * length / (shear_factor * shear_modulus * area)
    moved = rest["bar end.position"].final - np.array([0.0, height, length])
    return [
        Number("tooth normal force, wheel on a beam", "N", abs(float(rest["mesh.normal_force"].final)), 1064.2),
        Number("deflection of the bar, paper: that of a cantilever", "µm", 1e6 * abs(float(moved[0])), 1e6 * bent),
    ]


def three_wheels_on_a_beam(radius: float = 1.0) -> list[Number]:
    """Section 7.2 with a round steel bar and the wheels on stations of it."""
    teeth, module, stiffness, free = 50, 0.2, 1000.0, 50.0
    gear = pl.Gear(teeth=teeth, normal_module=module)
    m = pl.Model("three wheels on a beam", gravity=(0, 0, 0))
    one = m.gear_body("wheel_1", gear, position=(0, 0, 0), axis="z", **PINS)
    two = m.gear_body("wheel_2", gear, mesh_with=one, towards="x", **PINS)
    three = m.gear_body("wheel_3", gear, mesh_with=two, towards="x", **PINS)
    m.fixed("foundation", one, m.ground)
    hub = m.body("hub", **PINS)
    m.revolute("bar_hinge", m.ground, hub, axis="z")
    section = pl.BeamSection.circle(2.0 * radius, material=STEEL)
    bar = m.beam("bar", hub, (30, 0, 0), section, stations={"second": 10.0, "third": 20.0}, elements=6)
    m.revolute("hinge_2", bar["second"], two, axis="z")
    last = m.revolute("hinge_3", bar["third"], three, axis="z")
    m.gear_pair("mesh12", one, two, mesh=pl.Rigid())
    m.gear_pair("mesh23", two, three, mesh=pl.Rigid())
    m.string("string", m.ground, bar["end"], at_a=(30, -50, 0), stiffness=stiffness, free_length=free)
    m.drive("motor", last, angle=pl.Ramp(0, -1, 0, 1))
    rest = pl.statics(m, time=1.0)
    return [
        Number("normal force, wheels 1 and 2 on a beam", "N", abs(float(rest["mesh12.normal_force"].final)), 1.156e5),
        Number("normal force, wheels 2 and 3 on a beam", "N", abs(float(rest["mesh23.normal_force"].final)), 1.156e5),
    ]
