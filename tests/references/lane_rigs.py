"""Gear trains that batches can compute, rolling at the start: pairs, a rack, planetary trains with turning carriers."""

from __future__ import annotations

from typing import Any

import numpy as np
from references.epicyclic import TRAINS

import pitchline as pl

TEETH_A, TEETH_B, MODULE = 21, 32, 3e-3


def ripple(mean: float, *waves: float, over: str = "mesh cycle") -> pl.Varying:
    """Cosines about a mean value, with sines of half their size."""
    return pl.Varying(pl.Fourier("360 deg", mean, cos=waves, sin=[0.5 * w for w in waves], over="angle"), over)


def table(values: Any, over: str = "mesh cycle") -> pl.Varying:
    """Values at equal distances over a cycle."""
    angles = np.linspace(0.0, 2 * np.pi, len(values) + 1)
    return pl.Varying(pl.Table(angles, np.append(values, values[0]), periodic=True, over="angle"), over)


def elastic(**options: Any) -> pl.Elastic:
    """Teeth with varying stiffness, errors of pitch and run-out, and backlash."""
    values: dict[str, Any] = {
        "stiffness": ripple(4e8, 0.6e8, 0.2e8),
        "error": [ripple(0.0, 4e-6, 1e-6), ripple(0.0, 10e-6, over="revolution of b")],
        "damping_ratio": 0.05,
        "backlash": "60 um",
        "damping_acts": "always",
    }
    return pl.Elastic(**(values | options))


def loaded(**options: Any) -> pl.Loaded:
    """A table of loaded teeth whose stiffness increases with the load."""
    loads, phase = np.array([0.0, 500.0, 1500.0, 4000.0]), np.arange(12) / 12
    shape = 1 + 0.15 * np.sin(2 * np.pi * phase) + 0.05 * np.cos(4 * np.pi * phase)
    approach = [2e-6 * np.cos(2 * np.pi * phase) + load / 4e8 * shape * (1 - 0.2 * load / 4000) for load in loads]
    values: dict[str, Any] = {"backlash": "40 um", "damping_ratio": 0.05, "damping_acts": "always"}
    return pl.Loaded(loads=loads, approach=np.array(approach), **(values | options))


def rolling_pair(
    *, speed: float = 400.0, torque: Any = 60.0, mesh: Any = None, shaft: float = 4e4, drive: Any = None, **options: Any
) -> pl.Model:
    """disk - shaft - wheel_a - mesh - wheel_b - shaft - brake. The disk is driven, a torque acts on the brake."""
    m = pl.Model("rolling pair", **options)
    gears = [pl.Gear(teeth=z, normal_module=MODULE, face_width="20 mm") for z in (TEETH_A, TEETH_B)]
    other = -speed * TEETH_A / TEETH_B
    a = m.gear_body("wheel_a", gears[0], position=(0, 0, 0), axis="z", angular_velocity=(0, 0, speed))
    b = m.gear_body("wheel_b", gears[1], mesh_with=a, towards="x", angular_velocity=(0, 0, other))
    inertia = (0.01, 0.01, 0.02)
    disk = m.body("disk", mass=2.0, inertia=inertia, position=(0, 0, -0.1), angular_velocity=(0, 0, speed))
    at = (*b.position[:2], 0.1)
    brake = m.body("brake", mass=2.0, inertia=inertia, position=at, angular_velocity=(0, 0, other))
    for name, body in (("axle_a", a), ("axle_b", b), ("input", disk), ("output", brake)):
        m.revolute(name, m.ground, body, axis="z")
    for name, one, two in (("shaft_a", disk, a), ("shaft_b", b, brake)):
        m.bushing(name, one, two, axis="z", stiffness=(0, 0, 0, 0, 0, shaft), damping=(0, 0, 0, 0, 0, 2.0))
    m.gear_pair("mesh", a, b, mesh=mesh or elastic())
    m.drive("motor", "input", speed=speed if drive is None else drive)
    m.torque("load", "output", torque)
    return m


def pair_with_drag() -> pl.Model:
    """The pair with a damper between its output and the ground, which rotates in steady rolling."""
    m = rolling_pair(mesh=elastic(backlash=0), drive=pl.Ramp(400.0, 500.0, 0, 0.05, smooth=False))
    m.bushing("drag", m.ground, "brake", axis="z", stiffness=(0,) * 6, damping=(0, 0, 0, 0, 0, 0.05))
    return m


def driven_pair(
    speed: float = 400.0,
    torque: float = 60.0,
    backlash: float = 60e-6,
    damping_ratio: float = 0.1,
    ripple_x: float = 4e-6,
) -> pl.Model:
    """Wheel A rolls at a constant speed, a torque acts on wheel B: vibrations decay in few mesh cycles."""
    m = pl.Model("driven pair")
    gears = [pl.Gear(teeth=z, normal_module=MODULE, face_width="20 mm") for z in (TEETH_A, TEETH_B)]
    a = m.gear_body("a", gears[0], position=(0, 0, 0), axis="z", angular_velocity=(0, 0, speed))
    b = m.gear_body("b", gears[1], mesh_with=a, towards="x", angular_velocity=(0, 0, -speed * TEETH_A / TEETH_B))
    m.revolute("axle_a", m.ground, a, axis="z")
    m.revolute("axle_b", m.ground, b, axis="z")
    teeth = elastic(error=ripple(0.0, ripple_x), backlash=backlash, damping_ratio=damping_ratio)
    m.gear_pair("mesh", a, b, mesh=teeth)
    m.drive("motor", "axle_a", speed=speed)
    m.torque("load", "axle_b", torque)
    return m


def pair_with_ratio() -> pl.Model:
    """The pair with a wheel that a ratio couples to its output."""
    m = rolling_pair()
    speed = -3 * 400.0 * TEETH_A / TEETH_B
    wheel = m.body("wheel", mass=1.0, inertia=(1e-3, 1e-3, 2e-3), position=(0.3, 0, 0), angular_velocity=(0, 0, speed))
    m.revolute("far", m.ground, wheel, axis="z")
    m.ratio("belt", "far", "output", ratio=3.0)
    return m


def rolling_rack(*, speed: float = 200.0) -> pl.Model:
    """A pinion that moves a rack against a force."""
    m = pl.Model("rolling rack")
    options = {"normal_module": 4e-3, "face_width": 0.03}
    pinion = m.gear_body("pinion", pl.Gear(teeth=20, **options), axis="z", angular_velocity=(0, 0, speed))
    rack = pl.Rack(teeth=40, depth=0.03, **options)
    bar = m.gear_body("bar", rack, mesh_with=pinion, towards=(0, -1, 0), velocity=(0.04 * speed, 0, 0))
    m.revolute("axle", m.ground, pinion, axis="z")
    m.prismatic("slide", m.ground, bar, axis="x")
    m.gear_pair("mesh", pinion, bar, mesh=elastic(error=ripple(0, 3e-6)))
    m.drive("motor", "axle", speed=speed)
    m.force("push", bar, (-500.0, 0, 0))
    return m


def planetary_rig(
    kind: str = "simple", *, speed: float = 300.0, torque: float = -150.0, mesh: Any = None, ring: Any = None,
    gravity: float = 0.0, **options: Any,
) -> pl.Model:  # fmt: skip
    """Sun driven, ring fixed, carrier turning against a torque on a wheel behind a shaft."""
    m = pl.Model(f"{kind} planetary", gravity=(0, -gravity, 0))
    shaft = m.body("input", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, speed))
    m.revolute("input bearing", m.ground, shaft, axis="z")
    teeth = mesh or elastic(error=[ripple(0.0, 3e-6)], stiffness=ripple(4e8, 0.5e8), backlash=0)
    if kind == "meshed":
        options["mesh_planets"] = teeth
    if kind == "stepped":
        options["step"] = "40 mm"
    train = pl.planetary(
        m, "stage", fixed="ring", on={"sun": shaft}, masses={"carrier": (3.0, (0.02, 0.02, 0.02))}, mesh_sun=teeth,
        mesh_ring=ring or teeth, **TRAINS[kind], **options,
    )  # fmt: skip
    carrier = float(train.speeds(sun=speed, ring=0.0)["carrier"])
    inertia = (0.02, 0.02, 0.03)
    wheel = m.body("output", mass=2.0, inertia=inertia, position=(0, 0, 0.1), angular_velocity=(0, 0, carrier))
    m.revolute("output bearing", m.ground, wheel, axis="z")
    stiffness, damping = (0, 0, 0, 0, 0, 1e5), (0, 0, 0, 0, 0, 10.0)
    m.bushing("output shaft", train.carrier, wheel, axis="z", stiffness=stiffness, damping=damping)
    m.drive("motor", "input bearing", speed=speed)
    m.torque("load", "output bearing", torque)
    return m


def two_stages() -> pl.Model:
    """Two planetary stages with turning carriers: the first carrier drives the second sun."""
    m = pl.Model("two stages")
    shaft = m.body("input", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), angular_velocity=(0, 0, 300.0))
    m.revolute("input bearing", m.ground, shaft, axis="z")
    teeth = elastic(error=ripple(0, 2e-6), stiffness=ripple(3e8, 4e7), backlash=0)
    given = {"fixed": "ring", "masses": {"carrier": (3.0, (0.02, 0.02, 0.02))}, "mesh_sun": teeth, "mesh_ring": teeth}
    first = pl.planetary(m, "one", on={"sun": shaft}, **given, **TRAINS["simple"])
    pl.planetary(m, "two", on={"sun": first.carrier}, planets=4, position=(0, 0, 0.1), **given, **TRAINS["simple"])
    m.drive("motor", "input bearing", speed=300.0)
    m.torque("load", "two carrier bearing", -300.0)
    return m


def summing_train() -> pl.Model:
    """Sun and ring are driven in opposite directions."""
    m = pl.Model("summing train")
    bodies = {}
    for name, speed in (("sun", 300.0), ("ring", -20.0)):
        bodies[name] = m.body(f"{name} shaft", mass=1.0, inertia=(5e-3, 5e-3, 5e-3), angular_velocity=(0, 0, speed))
        m.drive(f"{name} motor", m.revolute(f"{name} axle", m.ground, bodies[name], axis="z"), speed=speed)
    teeth = elastic(error=ripple(0, 2e-6), stiffness=ripple(3e8, 4e7), backlash=0)
    masses = {"carrier": (3.0, (0.02, 0.02, 0.02))}
    pl.planetary(m, "stage", on=bodies, masses=masses, mesh_sun=teeth, mesh_ring=teeth, **TRAINS["simple"])
    m.torque("load", "stage carrier bearing", -100.0)
    return m


def scaled_pair(
    speed: float = 1.0, ripple: float = 0.2, damping: float = 0.03, load: float = 0.1, backlash: float = 0.4
) -> pl.Model:
    """One degree of freedom with the natural frequency 1: wheel A rolls at a constant speed. speed: of the mesh cycle."""
    m = pl.Model("scaled pair", plane="xy")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=1.0)
    b = m.gear_body("b", gear, mesh_with=a, towards="x", mass=1.0, inertia=1.0)
    m.revolute("axle_a", m.ground, a, axis="z")
    m.revolute("axle_b", m.ground, b, axis="z")
    stiffness = pl.Varying(pl.Fourier("360 deg", 1.0, cos=[ripple], over="angle"))
    teeth = pl.Elastic(
        stiffness, along="hoop", damping=2 * damping, damping_acts="always", backlash=backlash, backlash_side="drive"
    )
    m.gear_pair("mesh", a, b, mesh=teeth)
    m.drive("motor", "axle_a", speed=speed / 20)
    m.torque("load", "axle_b", load)
    return m
