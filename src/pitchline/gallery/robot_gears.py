"""Gear trains of the robot arm: tooth numbers, positions of the gears, and relations between the joint angles.

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
import numpy.typing as npt

__all__ = [
    "AXES", "CYCLOID_5", "CYCLOID_6", "GEAR_JOINTS", "RV", "SHOULDER", "WRIST", "Cycloid", "GearJoint", "RotaryVector", "X", "Y",
    "Z", "turns",
]  # fmt: skip

Array = npt.NDArray[np.float64]

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

AXES: tuple[tuple[Array, Array], ...] = (
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
    centre: Array
    axis: Array
    arm: Array

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
    def crank(self) -> Array:
        """Point on the axis of the crankshaft [m]."""
        return self.centre + 0.5 * self.module * (self.pinion + self.wheel) * self.arm

    @property
    def input(self) -> Array:
        """Middle of the face width of the pinion [m]."""
        return self.centre + 0.035 * self.axis

    def side(self, which: str) -> float:
        """+1 for disc a, −1 for disc b."""
        return 1.0 if which == "a" else -1.0

    def plane(self, which: str) -> Array:
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

# Axes 5 and 6: input pair; bevel gears of the shafts, of the eccentric of axis 5, of the idler (two), of the eccentric of axis 6.
INPUT_56 = (34, 51)
SHAFT_5, BEVEL_5, SHAFT_6, IDLER_IN, IDLER_OUT, BEVEL_6 = 24, 30, 20, 20, 24, 20
MODULE_5, MODULE_6 = 2e-3, 1.5e-3
CYCLOID_5 = Cycloid(40, 1.0e-3, WRIST + 0.07 * Y, Y, X)
CYCLOID_6 = Cycloid(30, 0.8e-3, WRIST + 0.06 * X, X, Z)

# The three rear motors are arranged around axis 4, each in its own plane.
_ROUND = {4: 90.0, 5: 210.0, 6: 330.0}
_PLANE = {4: -0.58, 5: -0.61, 6: -0.64}


def hub(axis: int) -> Array:
    """Centre of the wheel on axis 4 that is driven by the motor of axis 4, 5 or 6 [m]."""
    return WRIST + _PLANE[axis] * X


def motor(axis: int) -> Array:
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
    centre_a: Array
    centre_b: Array
    axis_a: Array
    axis_b: Array
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


def _bevel(name: str, a: str, b: str, side_a: Array, side_b: Array, teeth: tuple[int, int], module: float) -> GearJoint:
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


def turns() -> dict[str, Array]:
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
