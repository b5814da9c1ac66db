"""Parts of the robot arm: gear trains with their tooth numbers and positions, bearings, rotors, housings.

Gear trains of the robot arm: tooth numbers, positions of the gears, and relations between the joint angles.

All points and directions are in world axes, in the home position: the upper arm vertical, the forearm along x.

Axes 1 to 3: rotary vector reducers. The pinion of the rotor (z₁) is on the axis of the joint and drives a wheel (z₂) on
a
crankshaft in the moving link. Two eccentrics, offset by 180°, drive two cycloid discs (z_d = z_r − 1) in the ring (z_r)
of the
fixed link. Output pins allow the discs to circulate but not to rotate relative to the moving link. For a joint angle q
the
crankshaft rotates by −z_r q relative to the link, and the rotor by (1 + z_r z₂/z₁) q.

Axis 4: a spur pair, then a Wolfrom train. The sun (z_s) drives double planets. Their first gear (z_p) meshes with a
ring of the
arm (z_f = z_s + 2 z_p), their second gear (z_p') with a ring of the forearm (z_o). One planet represents the set. With
the
carrier angle c:  sun = (1 + z_f/z_s) c,  q₄ = (1 − z_p' z_f / (z_o z_p)) c.

Axes 5 and 6: spur pairs to two concentric shafts through the forearm, bevel gears at the wrist, and a cycloid disc
each.
Shaft 5 drives the eccentric of axis 5. Shaft 6 drives an idler on axis 5, which drives the eccentric of axis 6. All
rotations of
the forearm and of the wrist add to those of the shafts (F. Freudenstein, R. W. Longman, C.-K. Chen, Kinematic analysis
of robotic
bevel-gear trains, J. Mech. Trans. Autom. Des. 106, 1984): (s₅ − q₄) z_s5 = z_b5 c₅,  (s₆ − q₄) z_s6 = −z_i c_i,
(c_i − q₅) z_j = z_b6 c₆.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

import pitchline as pl
from pitchline.base.types import FloatArray

__all__ = [
    "AXES",
    "CYCLOID_5",
    "CYCLOID_6",
    "GEAR_JOINTS",
    "RV",
    "SHOULDER",
    "WRIST",
    "Cycloid",
    "GearJoint",
    "RotaryVector",
    "X",
    "Y",
    "Z",
    "turns",
    "MOTORS",
    "PARTS",
    "PINS",
    "Part",
    "Pin",
]


X, Y, Z = np.eye(3)

# --- joint positions (the lengths of the KR 15, as in the Modelica Standard Library's model of it) -----------------

SHOULDER = np.array([0.30, 0.0, 0.675])
"""Point on axis 2 [m]; axis 1 is the z axis."""
ELBOW = SHOULDER + 0.65 * Z
"""Point on axis 3 [m]."""
WRIST = ELBOW + 0.60 * X + 0.155 * Z
"""Intersection of axes 4, 5 and 6 [m]."""
FLANGE = WRIST + 0.125 * X
"""Centre of the flange [m]."""

AXES: tuple[tuple[FloatArray, FloatArray], ...] = (
    (np.zeros(3), Z), (SHOULDER, Y), (ELBOW, Y), (WRIST, X), (WRIST, Y), (WRIST, X),
)  # fmt: skip
"""Point on each axis [m] and its direction."""

# --- the trains ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cycloid:
    """Disc in a ring with one more tooth. `centre`: point between the discs on the axis [m]; `arm`: of the eccentric,
    in home position."""

    ring: int
    eccentricity: float
    centre: FloatArray
    axis: FloatArray
    arm: FloatArray

    @property
    def disc(self) -> int:
        """Teeth of the disc."""
        return self.ring - 1


@dataclass(frozen=True)
class RotaryVector(Cycloid):
    """Reducer with two discs and a spur pair before them. `module` of the spur gears [m]."""

    pinion: int
    wheel: int
    module: float

    @property
    def crank(self) -> FloatArray:
        """Point on the axis of the crankshaft [m]."""
        return self.centre + 0.5 * self.module * (self.pinion + self.wheel) * self.arm

    @property
    def input(self) -> FloatArray:
        """Middle of the face width of the pinion [m]."""
        return self.centre + 0.035 * self.axis

    def side(self, which: str) -> float:
        """+1 for disc a, −1 for disc b."""
        return 1.0 if which == "a" else -1.0

    def plane(self, which: str) -> FloatArray:
        """Centre of the ring in the plane of disc "a" or "b" [m]."""
        return self.centre - 0.01 * self.side(which) * self.axis


RV: tuple[RotaryVector, ...] = (
    RotaryVector(40, 1.5e-3, np.array([0, 0, 0.30]), Z, X, 18, 54, 1e-3),
    RotaryVector(40, 1.5e-3, SHOULDER + 0.06 * Y, Y, Z, 18, 63, 1e-3),
    RotaryVector(40, 1.25e-3, ELBOW + 0.06 * Y, Y, X, 20, 50, 1e-3),
)
"""Reducers of axes 1, 2 and 3."""

# Axis 4: input pair, sun, first and second gear of the planet, ring of the arm, ring of the forearm.
INPUT_4 = (28, 56)
SUN, PLANET, PLANET_OUT, RING_FIXED, RING_OUT = 18, 27, 21, 72, 66
MODULE_4, MODULE_INPUT = 2e-3, 1.25e-3
HOLLOW = WRIST - 0.50 * X
"""Centre of the Wolfrom train on axis 4 [m]."""
PLANET_ARM = 0.5 * MODULE_4 * (SUN + PLANET) * Z

# Axes 5 and 6: input pair; bevel gears of the shafts, of the eccentric of axis 5, of the idler (two), of the eccentric
# of axis 6.
INPUT_56 = (34, 51)
SHAFT_5, BEVEL_5, SHAFT_6, IDLER_IN, IDLER_OUT, BEVEL_6 = 24, 30, 20, 20, 24, 20
MODULE_5, MODULE_6 = 2e-3, 1.5e-3
CYCLOID_5 = Cycloid(40, 1.0e-3, WRIST + 0.07 * Y, Y, X)
CYCLOID_6 = Cycloid(30, 0.8e-3, WRIST + 0.06 * X, X, Z)

# The three rear motors are arranged around axis 4, each in its own plane.
_ROUND = {4: 90.0, 5: 210.0, 6: 330.0}
_PLANE = {4: -0.58, 5: -0.61, 6: -0.64}


def hub(axis: int) -> FloatArray:
    """Centre of the wheel on axis 4 that is driven by the motor of axis 4, 5 or 6 [m]."""
    return WRIST + _PLANE[axis] * X


def motor(axis: int) -> FloatArray:
    """Centre of the pinion of the motor [m]."""
    if axis <= 3:
        return RV[axis - 1].input
    teeth = INPUT_4 if axis == 4 else INPUT_56
    angle = np.radians(_ROUND[axis])
    return hub(axis) + 0.5 * MODULE_INPUT * sum(teeth) * (np.cos(angle) * Y + np.sin(angle) * Z)


# --- the gear joints ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GearJoint:
    """Two gears in mesh: gear of body a with z_a teeth and its axis through `centre_a`, and gear of body b. In internal
    pairs, b is
    the ring.

    module: [m]; 0 for cycloid discs, which have lobes; only the ratio of their numbers is used
    """

    name: str
    kind: Literal["spur", "bevel", "internal"]
    a: str
    b: str
    centre_a: FloatArray
    centre_b: FloatArray
    axis_a: FloatArray
    axis_b: FloatArray
    teeth_a: int
    teeth_b: int
    module: float = 0.0


def _rotary_vector(axis: int, fixed: str) -> list[GearJoint]:
    """Pinion and wheel, and both discs in the ring."""
    r, n = RV[axis - 1], axis
    shift = r.input - r.centre
    wheel = r.crank + shift
    joints = [
        GearJoint(
            f"input_{n}",
            "spur",
            f"rotor_{n}",
            f"crank_{n}",
            r.input,
            wheel,
            r.axis,
            r.axis,
            r.pinion,
            r.wheel,
            r.module,
        )
    ]
    for side in "ab":
        ring = r.plane(side)
        disc = ring + r.side(side) * r.eccentricity * r.arm
        name = f"{n}{side}"
        joints.append(
            GearJoint(f"cycloid_{name}", "internal", f"disc_{name}", fixed, disc, ring, r.axis, r.axis, r.disc, r.ring)
        )
    return joints


def _cycloid(axis: int, c: Cycloid, ring: str) -> GearJoint:
    disc = c.centre + c.eccentricity * c.arm
    return GearJoint(
        f"cycloid_{axis}", "internal", f"disc_{axis}", ring, disc, c.centre, c.axis, c.axis, c.disc, c.ring
    )


def _spur(axis: int, driven: str, teeth: tuple[int, int]) -> GearJoint:
    return GearJoint(
        f"input_{axis}", "spur", f"rotor_{axis}", driven, motor(axis), hub(axis), X, X, *teeth, MODULE_INPUT
    )


def _bevel(
    name: str, a: str, b: str, side_a: FloatArray, side_b: FloatArray, teeth: tuple[int, int], module: float
) -> GearJoint:
    """Axes that intersect in the wrist at right angles. The distance of a gear from there is the radius of the other;
    axes outwards."""
    r_a, r_b = 0.5 * module * teeth[0], 0.5 * module * teeth[1]
    return GearJoint(name, "bevel", a, b, WRIST + r_b * side_a, WRIST + r_a * side_b, side_a, side_b, *teeth, module)


_OUT = 0.025 * X  # the second gear of the planet is next to the first

GEAR_JOINTS: tuple[GearJoint, ...] = (
    *_rotary_vector(1, "ring_1"),
    *_rotary_vector(2, "ring_2"),
    *_rotary_vector(3, "ring_3"),
    _spur(4, "sun_4", INPUT_4),
    GearJoint("sun_planet", "spur", "sun_4", "planet_4", HOLLOW, HOLLOW + PLANET_ARM, X, X, SUN, PLANET, MODULE_4),
    GearJoint("planet_arm", "internal", "planet_4", "ring_4", HOLLOW + PLANET_ARM, HOLLOW, X, X, PLANET, RING_FIXED, MODULE_4),
    GearJoint(
        "planet_forearm", "internal", "planet_4", "forearm", HOLLOW + PLANET_ARM + _OUT, HOLLOW + _OUT, X, X, PLANET_OUT, RING_OUT,
        MODULE_4,
    ),
    _spur(5, "shaft_5", INPUT_56),
    _bevel("bevel_5", "shaft_5", "crank_5", -X, Y, (SHAFT_5, BEVEL_5), MODULE_5),
    _cycloid(5, CYCLOID_5, "forearm"),
    _spur(6, "shaft_6", INPUT_56),
    _bevel("bevel_6", "shaft_6", "idler_6", -X, -Y, (SHAFT_6, IDLER_IN), MODULE_6),
    _bevel("bevel_wrist", "idler_6", "crank_6", -Y, X, (IDLER_OUT, BEVEL_6), MODULE_6),
    _cycloid(6, CYCLOID_6, "wrist"),
)  # fmt: skip
"""Seven spur, three bevel and ten internal pairs."""


def turns() -> dict[str, FloatArray]:
    """Angle of every hinged body relative to its parent as a row of six factors of (q₁ … q₆), from the tooth numbers."""
    e = np.eye(6)
    found = dict(zip(("carousel", "upper_arm", "arm", "forearm", "wrist", "flange"), e, strict=True))
    for n, r in enumerate(RV, 1):
        q = e[n - 1]
        found[f"rotor_{n}"] = (1 + r.ring * r.wheel / r.pinion) * q
        found[f"crank_{n}"] = -r.ring * q
        found[f"disc_{n}a"] = found[f"disc_{n}b"] = r.ring * q
    q4, q5, q6 = e[3:]
    carrier = q4 / (1 - PLANET_OUT * RING_FIXED / (RING_OUT * PLANET))
    found["carrier_4"] = carrier
    found["planet_4"] = -RING_FIXED / PLANET * carrier
    found["sun_4"] = (1 + RING_FIXED / SUN) * carrier
    found["rotor_4"] = -INPUT_4[1] / INPUT_4[0] * found["sun_4"]
    # the eccentric of a cycloid stage rotates by −z_d q relative to the ring, and the disc by q
    found["crank_5"], found["disc_5"] = -CYCLOID_5.disc * q5, CYCLOID_5.ring * q5
    found["shaft_5"] = q4 + BEVEL_5 / SHAFT_5 * found["crank_5"]
    found["crank_6"], found["disc_6"] = -CYCLOID_6.disc * q6, CYCLOID_6.ring * q6
    found["idler_6"] = q5 + BEVEL_6 / IDLER_OUT * found["crank_6"]
    found["shaft_6"] = q4 - IDLER_IN / SHAFT_6 * found["idler_6"]
    for n in (5, 6):
        found[f"rotor_{n}"] = -INPUT_56[1] / INPUT_56[0] * found[f"shaft_{n}"]
    return found


# ---- robot parts

# Bodies of the robot arm: their joints, positions in the home position, and masses.
#
# The masses are a choice: castings, motors and reducers have the masses of typical arms of this size, 222 kg in
# total, with 15 kg at the flange. Every part is a simple solid or a few solids, so masses and inertias are
# consistent.


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
    origin: FloatArray
    solid: pl.MassProperties
    axis: FloatArray | None = None
    at: FloatArray | None = None

    @property
    def held_at(self) -> FloatArray:
        """Point of the hinge or the flange of the body [m]."""
        return self.origin if self.at is None else self.at


@dataclass(frozen=True)
class Pin:
    """Output pins: the disc circulates on them, but a direction `along` of it stays parallel to that of the carrier."""

    name: str
    disc: str
    carrier: str
    along: FloatArray


MOTORS: tuple[str, ...] = ("base", "carousel", "upper_arm", "arm", "arm", "arm")
"""Bodies that carry the motors of axes 1 to 6."""


def _letter(axis: FloatArray) -> str:
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
