"""Modes of a geared rotor: two elastic shafts on four bearings, coupled by a spur gear pair, bending and torsion together.

The turbo-alternator of J. S. Rao, T. N. Shiau and J. R. Chang, "Theoretical analysis of lateral response due to torsional
excitation of geared rotors", Mech. Mach. Theory 33 (1998) 761-783: generator, disc and gear on one shaft, pinion and turbine on the
other. The frequencies are those of another code, ROSS 2.3.0, whose Timoshenko elements have consistent masses: with 6 elements for
each of the seven sections, 42 in all. From 4 to 6 elements a section they fall by up to 3e-3, so that up to 2e-3 are left; those
below 150 rad/s change by 2e-4.
"""

import math

import numpy as np

import pitchline as pl

STEEL = pl.Material("steel", density=7800, youngs_modulus=207e9, poissons_ratio=207e9 / (2 * 79.5e9) - 1)
PRESSURE_ANGLE = math.radians(22.5)
BASE_RADII, TEETH = (0.5086, 0.5086 * 23 / 328), (328, 23)
MESH_STIFFNESS = 1e8  # N/m, on the base circles
ROSS = [68.040, 70.632, 109.890, 110.548, 147.716, 220.076, 271.174, 324.363, 327.186, 347.837, 353.124, 378.634]
"""rad/s, at rest"""


def geared_rotor() -> pl.Model:
    """At rest; torsion held by a soft spring, so that a small torque loads the teeth, which have no stiffness otherwise."""
    m = pl.Model("geared rotor", gravity=(0, 0, 0))
    radii = [r / math.cos(PRESSURE_ANGLE) for r in BASE_RADII]
    distance = sum(radii)
    sections = [pl.ShaftSection(length, d) for length, d in ((0.1, 0.3), (4.24, 0.3), (1.16, 0.22), (0.3, 0.22))]
    one = m.shaft("one", sections, material=STEEL, stations={"generator": 0.1, "disc": 4.34, "right": 5.5}, elements=5)
    sections = [pl.ShaftSection(length, 0.15) for length in (0.3, 5.0, 0.1)]
    places = {"left": 0.3, "turbine": 5.3}
    two = m.shaft("two", sections, material=STEEL, position=(distance, 0, 5.8), stations=places, elements=5)
    for name, station, mass, across, polar in (
        ("generator", one["generator"], 525.7, 16.1, 32.2),
        ("disc", one["disc"], 116.04, 3.115, 6.23),
        ("gear", one["end"], 726.4, 56.95, 113.9),
        ("pinion", two["start"], 5.0, 0.002, 0.004),
        ("turbine", two["turbine"], 7.45, 0.0745, 0.149),
    ):
        m.attached_mass(name, station, mass=mass, inertia=(across, across, polar))
    for name, station, kx, ky in (
        ("b1", one["start"], 183.9e6, 200.4e6),
        ("b2", one["right"], 183.9e6, 200.4e6),
        ("b3", two["left"], 10.1e6, 41.6e6),
        ("b4", two["end"], 10.1e6, 41.6e6),
    ):
        m.bushing(name, m.ground, station, at=station.position, stiffness=[kx, ky, 1e4, 0, 0, 0])
    m.bushing("hold", m.ground, one["start"], at=(0, 0, 0), stiffness=[0, 0, 0, 0, 0, 100.0])
    module = 2 * radii[0] / TEETH[0]
    gears = [
        pl.Gear(teeth=z, normal_module=module, normal_pressure_angle=PRESSURE_ANGLE, face_width=0.1) for z in TEETH
    ]
    wheels = [
        m.wheel(f"wheel {k}", station, gear, with_mass=False)
        for k, (station, gear) in enumerate(zip((one["end"], two["start"]), gears, strict=True))
    ]
    m.gear_pair("mesh", *wheels, mesh=pl.Elastic(MESH_STIFFNESS, backlash=0, follow_centres=True, tilt=False))
    m.torque("load", two["turbine"], (0, 0, 1.0))
    return m


def test_coupled_modes_of_bending_and_torsion() -> None:
    m = geared_rotor()
    found = 2 * np.pi * pl.modes(m, about=pl.statics(m), lowest="5 Hz", highest="62 Hz").frequencies
    assert len(found) == len(ROSS)
    np.testing.assert_allclose(found, ROSS, rtol=2e-3)
    np.testing.assert_allclose(found[:5], ROSS[:5], rtol=2e-4)
