"""Gear trains that batches can compute, rolling at the start: a pair, and a planetary train with a turning carrier."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import pitchline as pl

TEETH_A, TEETH_B, MODULE = 21, 32, 3e-3
SUN, PLANET, RING = 24, 36, 96


def ripple(mean: float, *waves: float, over: str = "mesh cycle") -> pl.Varying:
    """Cosines about a mean value, with sines of half their size."""
    return pl.Varying(pl.Fourier("360 deg", mean, cos=waves, sin=[0.5 * w for w in waves], over="angle"), over)


def rolling_pair(
    *, speed: Any = 400.0, torque: Any = 60.0, mesh: Any = None, shaft: float = 4e4, load: Any = None, drive: Any = None, **options: Any
) -> pl.Model:
    """disk - shaft - wheel_a - mesh - wheel_b - shaft - brake. The disk is driven, a torque acts on the brake."""
    m = pl.Model("rolling pair", **options)
    gears = [pl.Gear(teeth=z, normal_module=MODULE, face_width="20 mm") for z in (TEETH_A, TEETH_B)]
    ratio = TEETH_A / TEETH_B
    a = m.gear_body("wheel_a", gears[0], position=(0, 0, 0), axis="z", angular_velocity=(0, 0, speed))
    b = m.gear_body("wheel_b", gears[1], mesh_with=a, towards="x", angular_velocity=(0, 0, -ratio * speed))
    disk = m.body("disk", mass=2.0, inertia=(0.01, 0.01, 0.02), position=(0, 0, -0.1), angular_velocity=(0, 0, speed))
    brake = m.body(
        "brake", mass=2.0, inertia=(0.01, 0.01, 0.01), position=(*b.position[:2], 0.1), angular_velocity=(0, 0, -ratio * speed)
    )
    for name, body in (("axle_a", a), ("axle_b", b), ("input", disk), ("output", brake)):
        m.revolute(name, m.ground, body, axis="z")
    for name, one, other in (("shaft_a", disk, a), ("shaft_b", b, brake)):
        m.bushing(name, one, other, axis="z", stiffness=(0, 0, 0, 0, 0, shaft), damping=(0, 0, 0, 0, 0, 2.0))
    m.gear_pair("mesh", a, b, mesh=mesh or elastic())
    m.drive("motor", "input", speed=speed if drive is None else drive)
    m.torque("load", "output", torque if load is None else load)
    return m


def elastic(**options: Any) -> pl.Elastic:
    """Teeth with varying stiffness, errors of pitch and run-out, and backlash."""
    values: dict[str, Any] = {
        "stiffness": ripple(4e8, 0.6e8, 0.2e8),
        "error": [ripple(0.0, 4e-6, 1e-6), ripple(0.0, 10e-6, over="revolution of b")],
        "damping_ratio": 0.05,
        "backlash": "60 um",
    }
    return pl.Elastic(**(values | options))


def turning_planetary(
    *, planets: int = 3, speed: float = 300.0, torque: float = -150.0, mesh: Any = None, gravity: float = 0.0, **options: Any
) -> pl.Model:
    """Sun driven, ring fixed, carrier turning against a torque; errors of the pins."""
    m = pl.Model("turning planetary", gravity=(0, -gravity, 0))
    gear = {z: pl.Gear(teeth=z, normal_module=2e-3, face_width="20 mm") for z in (SUN, PLANET)}
    ring = pl.Gear(teeth=RING, normal_module=2e-3, face_width="20 mm", internal=True, addendum_factor=0.8, rim_diameter=0.232)
    shaft = m.body("input", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, speed))
    m.revolute("input bearing", m.ground, shaft, axis="z")
    teeth = mesh or elastic(error=[ripple(0.0, 3e-6)], stiffness=ripple(4e8, 0.5e8))
    errors = {"tangential_errors": [(-1) ** i * 5e-6 for i in range(planets)]} | options
    train = pl.planetary(
        m, "stage", sun=gear[SUN], planet=gear[PLANET], ring=ring, planets=planets, fixed="ring", on={"sun": shaft},
        masses={"carrier": (3.0, (0.02, 0.02, 0.02)), "planet": (0.8, (4e-4, 4e-4, 6e-4))}, mesh_sun=teeth, mesh_ring=teeth, **errors,
    )  # fmt: skip
    carrier = speed / (1 + RING / SUN)
    wheel = m.body("output", mass=2.0, inertia=(0.02, 0.02, 0.03), position=(0, 0, 0.1), angular_velocity=(0, 0, carrier))
    m.revolute("output bearing", m.ground, wheel, axis="z")
    stiffness, damping = (0, 0, 0, 0, 0, 1e5), (0, 0, 0, 0, 0, 10.0)
    m.bushing("output shaft", train.carrier, wheel, axis="z", stiffness=stiffness, damping=damping)
    m.drive("motor", "input bearing", speed=speed)
    m.torque("load", "output bearing", torque)
    return m
