"""Bodies of the robot arm: their joints, positions in the home position, and masses.

The masses are a choice: castings, motors and reducers have the masses of typical arms of this size, 222 kg in total,
with 15 kg
at the flange. Every part is a simple solid or a few solids, so masses and inertias are consistent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pitchline as pl

from .robot_gears import (
    AXES,
    CYCLOID_5,
    CYCLOID_6,
    FLANGE,
    HOLLOW,
    INPUT_4,
    INPUT_56,
    MODULE_4,
    MODULE_INPUT,
    PLANET,
    PLANET_ARM,
    PLANET_OUT,
    RV,
    SUN,
    WRIST,
    Array,
    X,
    Y,
    hub,
    motor,
)

__all__ = ["MOTORS", "PARTS", "PINS", "Part", "Pin"]


@dataclass(frozen=True)
class Part:
    """Body with its place in the tree; in world axes of the home position.

    parent:  the body that it is attached to, or "ground"
    origin:  of the body [m]; for a gear its centre
    solid:   mass properties, relative to the origin
    axis:    of the hinge on the parent; None if it is bolted on
    at:      position of the hinge [m]; default: the origin
    """

    name: str
    parent: str
    origin: Array
    solid: pl.MassProperties
    axis: Array | None = None
    at: Array | None = None

    @property
    def held_at(self) -> Array:
        """Point of the hinge or the flange of the body [m]."""
        return self.origin if self.at is None else self.at


@dataclass(frozen=True)
class Pin:
    """Output pins: the disc circulates on them, but a direction `along` of it stays parallel to that of the carrier."""

    name: str
    disc: str
    carrier: str
    along: Array


MOTORS: tuple[str, ...] = ("base", "carousel", "upper_arm", "arm", "arm", "arm")
"""Bodies that carry the motors of axes 1 to 6."""


def _letter(axis: Array) -> str:
    return "xyz"[int(np.argmax(np.abs(axis)))]


def _motor(n: int, stator: float, rotor: float, radius: float, length: float) -> list[Part]:
    """Stator and rotor of axis n: masses [kg], radius of the rotor and length of both [m]; behind the pinion on its
    shaft."""
    # the three rear motors are parallel to the shafts that they drive
    axis = AXES[n - 1][1] if n <= 3 else X
    pinion = motor(n)
    # the motors of axes 2 and 3 are on the other side of the arm; the others are directly behind their pinions
    back = {1: 0.20, 2: 0.25, 3: 0.20}.get(n, 0.11)
    centre = pinion - back * axis
    name = _letter(axis)
    fixed = pl.tube(1.6 * radius, 1.05 * radius, length, mass=stator, axis=name)
    turning = pl.cylinder(radius, 0.8 * length, mass=rotor, axis=name).moved(-back * axis)
    return [
        Part(f"stator_{n}", MOTORS[n - 1], centre, fixed),
        Part(f"rotor_{n}", f"stator_{n}", pinion, turning, axis),
    ]


def _reducer(n: int, ring: float, crank: float, disc: float, fixed: str, moving: str) -> list[Part]:
    """Ring on the fixed link, crankshaft in the moving link, two discs; masses [kg]."""
    r = RV[n - 1]
    name, size = _letter(r.axis), r.ring * r.eccentricity
    parts = [
        Part(f"ring_{n}", fixed, r.centre, pl.tube(1.45 * size, 1.05 * size, 0.05, mass=ring, axis=name)),
        Part(
            f"crank_{n}", moving, r.crank,
            # the wheel is at the position of the pinion, the eccentrics balance each other
            pl.cylinder(0.5 * r.module * r.wheel, 0.012, mass=0.6 * crank, axis=name).moved(r.input - r.centre)
            + pl.cylinder(0.012, 0.07, mass=0.4 * crank, axis=name),
            r.axis,
        ),
    ]  # fmt: skip
    for side in "ab":
        centre = r.plane(side) + r.side(side) * r.eccentricity * r.arm
        solid = pl.tube(0.95 * size, 0.35 * size, 0.014, mass=disc, axis=name)
        parts.append(Part(f"disc_{n}{side}", f"crank_{n}", centre, solid, r.axis, r.crank + (centre - r.centre)))
    return parts


def _cycloid_disc(n: int, mass: float) -> Part:
    c = (CYCLOID_5, CYCLOID_6)[n - 5]
    size, centre = c.ring * c.eccentricity, c.centre + c.eccentricity * c.arm
    return Part(
        f"disc_{n}",
        f"crank_{n}",
        centre,
        pl.tube(0.95 * size, 0.3 * size, 0.012, mass=mass, axis=_letter(c.axis)),
        c.axis,
        centre,
    )


def _shaft(n: int, outer: float, inner: float, mass: float) -> Part:
    """Shaft from its wheel behind the arm to its bevel gear at the wrist."""
    start, end = hub(n), WRIST - 0.02 * X
    wheel = pl.cylinder(0.5 * MODULE_INPUT * INPUT_56[1], 0.01, mass=0.35, axis="x")
    tube = pl.tube(outer, inner, float((end - start) @ X), mass=mass, axis="x")
    return Part(f"shaft_{n}", "arm", start, wheel + tube.moved(0.5 * (end - start)), X)


def _joint(n: int, name: str, parent: str, solid: pl.MassProperties) -> Part:
    """Link with its hinge on axis n."""
    at, axis = AXES[n - 1]
    return Part(name, parent, at, solid, axis)


def _links() -> tuple[Part, ...]:
    """Base, carousel, upper arm, arm, forearm, wrist, flange and tool."""
    carousel = pl.bar(0.40, 0.34, 0.30, mass="28 kg").moved((0.06, 0, 0.48))
    carousel = carousel + pl.bar(0.16, 0.10, 0.26, mass="8 kg").moved((0.3, -0.05, 0.66))
    upper = pl.bar(0.16, 0.09, 0.80, mass="22 kg").moved((0, 0.12, 0.33))
    arm = pl.bar(0.30, 0.22, 0.26, mass="17 kg").moved((0.02, -0.02, 0.12))
    arm = arm + pl.tube(0.09, 0.075, 0.20, mass="5 kg", axis="x").moved((0.05, 0, 0.155))
    forearm = pl.tube(0.075, 0.062, 0.40, mass="8.5 kg", axis="x").moved((-0.26, 0, 0))
    forearm = forearm + pl.bar(0.13, 0.05, 0.11, mass="2.5 kg").moved((-0.03, 0.09, 0))
    wrist = pl.bar(0.12, 0.10, 0.10, mass="3.6 kg").moved((0.025, -0.01, 0))
    return (
        Part("base", "ground", np.zeros(3), pl.cylinder(0.21, 0.26, mass="39.78 kg").moved((0, 0, 0.13))),
        _joint(1, "carousel", "base", carousel),
        _joint(2, "upper_arm", "carousel", upper),
        _joint(3, "arm", "upper_arm", arm),
        _joint(4, "forearm", "arm", forearm),
        _joint(5, "wrist", "forearm", wrist),
        _joint(6, "flange", "wrist", pl.cylinder(0.04, 0.03, mass="0.9 kg", axis="x").moved((0.11, 0, 0))),
        Part("tool", "flange", FLANGE, pl.bar(0.16, 0.14, 0.14, mass="15 kg").moved((0.12, 0, 0.04))),
    )


def _wolfrom() -> tuple[Part, ...]:
    """Sun, carrier, planet and the ring in the arm; the other ring belongs to the forearm."""
    hollow, arm, m = HOLLOW, PLANET_ARM, MODULE_4
    long = float((hollow - hub(4)) @ X)
    sun = pl.cylinder(0.5 * MODULE_INPUT * INPUT_4[1], 0.012, mass=0.5, axis="x").moved(-long * X)
    sun = sun + pl.tube(0.5 * m * SUN, 0.012, long, mass=0.7, axis="x").moved(-0.5 * long * X)
    # the other two planets are not modelled; their mass is part of the carrier and balances it
    carrier = pl.tube(0.06, 0.02, 0.012, mass=0.9, axis="x") + pl.bar(0.03, 0.04, 0.04, mass=0.8).moved(-arm)
    planet = pl.cylinder(0.5 * m * PLANET, 0.02, mass=0.5, axis="x")
    planet = planet + pl.cylinder(0.5 * m * PLANET_OUT, 0.02, mass=0.3, axis="x").moved(0.025 * X)
    return (
        Part("sun_4", "arm", hollow, sun, X),
        Part("carrier_4", "arm", hollow, carrier, X),
        Part("planet_4", "carrier_4", hollow + arm, planet, X),
        Part("ring_4", "arm", hollow, pl.tube(0.082, 0.072, 0.025, mass=1.2, axis="x")),
    )


def _hand() -> tuple[Part, ...]:
    """Gears and eccentrics at the wrist."""
    y5, x6 = CYCLOID_5.centre - WRIST, CYCLOID_6.centre - WRIST
    crank_5 = pl.cylinder(0.03, 0.012, mass=0.30, axis="y").moved(0.024 * Y)
    crank_5 = crank_5 + pl.cylinder(0.01, 0.05, mass=0.15, axis="y").moved(y5)
    idler = pl.cylinder(0.018, 0.02, mass=0.20, axis="y").moved(-0.015 * Y)
    crank_6 = pl.cylinder(0.015, 0.012, mass=0.10, axis="x").moved(0.018 * X)
    crank_6 = crank_6 + pl.cylinder(0.008, 0.05, mass=0.10, axis="x").moved(x6)
    return (
        Part("crank_5", "forearm", WRIST, crank_5, Y),
        _cycloid_disc(5, 0.25),
        Part("idler_6", "forearm", WRIST, idler, Y),
        Part("crank_6", "wrist", WRIST, crank_6, X),
        _cycloid_disc(6, 0.12),
    )


def _parts() -> tuple[Part, ...]:
    """All parts, each after its parent."""
    links = {part.name: part for part in _links()}
    order = [links["base"]]
    chain = ("base", "carousel", "upper_arm", "arm")
    weights = ((13.0, 3.6, 0.045, 0.20), (13.0, 3.6, 0.045, 0.20), (9.0, 2.4, 0.040, 0.17))
    for n in (1, 2, 3):
        fixed, moving = chain[n - 1], chain[n]
        ring, crank, disc = ((5.0, 0.9, 0.8), (5.0, 0.9, 0.8), (3.5, 0.8, 0.6))[n - 1]
        order += [links[moving], *_motor(n, *weights[n - 1]), *_reducer(n, ring, crank, disc, fixed, moving)]
    order += [part for n in (4, 5, 6) for part in _motor(n, 3.4, 0.9, 0.025, 0.14)]
    order += [
        *_wolfrom(),
        links["forearm"],
        _shaft(5, 0.0115, 0.009, 1.1),
        _shaft(6, 0.008, 0.005, 0.8),
        links["wrist"],
        *_hand(),
    ]
    return (*order, links["flange"], links["tool"])


PARTS: tuple[Part, ...] = _parts()
"""43 bodies, each after its parent."""

PINS: tuple[Pin, ...] = (
    *(
        Pin(f"pins_{n}{side}", f"disc_{n}{side}", moving, RV[n - 1].arm)
        for n, moving in ((1, "carousel"), (2, "upper_arm"), (3, "arm"))
        for side in "ab"
    ),
    Pin("pins_5", "disc_5", "wrist", CYCLOID_5.arm),
    Pin("pins_6", "disc_6", "flange", CYCLOID_6.arm),
)
