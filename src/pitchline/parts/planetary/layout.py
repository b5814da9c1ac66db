"""Planetary gear trains: positions of the wheels, phases, supports, load sharing.

Positions of the wheels of an epicyclic gear train, so that all teeth fit.

All values are in the axes of the train: its centre is the origin, its axis is z. A planet with its centre at the angle θ
engages with the sun, and any of its teeth may engage. The ring then fits if the teeth of sun, planets and ring add up to whole
pitches. With z_1 of the wheel at the sun, z_2 of the wheel at the ring and their greatest common divisor g, planets can be
placed at the angles θ, measured from the first planet, that are multiples of

    2π g / (z_s z_2 + z_r z_1)   stepped planets,     2π / (z_s + z_r)   simple planets,     2π / |z_r − z_s|   meshed planets.

For N equally spaced simple planets the rule is that (z_s + z_r)/N is a whole number.

The mesh phase γ of a mesh is the fraction of a mesh cycle by which it is ahead of the first one while the sun rotates positively
relative to the carrier: −z_s θ/2π at the sun, z_r θ/2π at the ring of simple planets (Parker & Lin, J. Mech. Design 126, 2004,
use the opposite sign). If (z_s + z_r)/N is whole, both are the same.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import FloatArray
from pitchline.declare.names import part_subject
from pitchline.errors import ModelError, Subject, shown
from pitchline.model.describe import as_text, trains_that_fit
from pitchline.solids.rotations import Rotation

from ..bodies.part import Body, Joint
from ..gears.geometry.gear import Gear
from ..gears.geometry.pair import GearPair
from ..gears.part import Wheel
from ..meshes.laws.common import at_least_zero, choice
from ..meshes.part import GearMesh
from ..springs.part import Bushing

__all__ = [
    "ARRANGEMENTS",
    "TrainLayout",
    "Phasing",
    "Pose",
    "least_angle",
    "lay_out",
    "read_gears",
    "LoadSharing",
    "Planetary",
    "Support",
    "check_members",
    "read_support",
    "willis",
]


ARRANGEMENTS = ("simple", "stepped", "meshed")
_FITS = 1e-6
"""If teeth deviate from their spaces by less than this fraction of a pitch, they fit."""

Pose = tuple[FloatArray, FloatArray]
"""Position (3,) [m] and axes (3, 3)."""


@names_wrong_arguments
@dataclass(frozen=True)
class Phasing:
    """Mesh phases of a train as fractions of a mesh cycle, 0 <= γ < 1. The sun rotates positively relative to the carrier.

    Attributes
    ----------
    sun, ring : tuple of float
        γ of each planet's mesh with the sun and with the ring, relative to the first planet.
    sun_to_ring : float
        Phase by which the first planet's mesh with the ring is ahead of its mesh with the sun. 0: teeth of A on the line of
        centres.
    """

    sun: tuple[float, ...]
    ring: tuple[float, ...]
    sun_to_ring: float

    @property
    def kind(self) -> str:
        """ "in phase": all meshes have the same phase and excite torsion. "sequential": evenly distributed, so that their sum
        is zero and they can only excite translation. "mixed": otherwise."""
        if all(min(g, 1.0 - g) < 1e-6 for g in self.sun):
            return "in phase"
        return "sequential" if abs(sum(cmath.exp(2j * math.pi * g) for g in self.sun)) < 1e-6 else "mixed"


@dataclass(frozen=True, eq=False)
class TrainLayout:
    """Poses in the axes of the train. Positions include their errors."""

    sun: Pose
    ring: Pose
    planets: tuple[Pose, ...]
    outer: tuple[Pose, ...]  # outer planets of meshed pairs; otherwise empty
    phasing: Phasing


@dataclass(frozen=True, eq=False)
class TrainGears:
    """Gears of a train. For a simple planet, the gears that mesh with sun and ring are the same."""

    sun: Gear
    first: Gear
    second: Gear
    ring: Gear
    arrangement: str

    @property
    def ratio(self) -> float:
        """Ratio with fixed carrier i_0 = (ω_s − ω_c)/(ω_r − ω_c), Willis."""
        z = self.ring.teeth / self.sun.teeth
        if self.arrangement == "stepped":
            return -z * self.first.teeth / self.second.teeth
        return z if self.arrangement == "meshed" else -z


def read_gears(
    sun: Gear, ring: Gear, planet: Gear | tuple[Gear, Gear], arrangement: str | None, what: Subject
) -> TrainGears:
    """Read and check the gears of a train."""
    wheels = tuple(planet) if isinstance(planet, (tuple, list)) else (planet,)
    for key, gear in (("sun", sun), ("ring", ring), *(("planet", gear) for gear in wheels)):
        if not isinstance(gear, Gear):
            raise ModelError(f"{what}: {key} must be a Gear, got {shown(gear)}", about=what.at(key))
    if not ring.internal or any(gear.internal for gear in (sun, *wheels)):
        raise ModelError(
            f"{what}: the ring must be internal, sun and planets external; specify internal=True only for the ring",
            about=what.at("ring"),
        )
    if len(wheels) not in (1, 2):
        raise ModelError(f"{what}: planet must be one gear, or two; got {len(wheels)}", about=what.at("planet"))
    if arrangement is None and len(wheels) == 1:
        arrangement = "simple"
    kind = choice(
        arrangement, ARRANGEMENTS, what.at("arrangement").called(f"{what}: arrangement, of planets of two gears,")
    )
    if (kind == "simple") != (len(wheels) == 1):
        need = "one gear" if kind == "simple" else "two gears, planet=(at the sun, at the ring)"
        raise ModelError(f'{what}: arrangement "{kind}" needs {need}, got {len(wheels)}', about=what.at("arrangement"))
    return TrainGears(sun, wheels[0], wheels[-1], ring, kind)


def least_angle(gears: TrainGears) -> float:
    """Angle [rad]: planets can be placed at its multiples."""
    z_s, z_1, z_2, z_r = (g.teeth for g in (gears.sun, gears.first, gears.second, gears.ring))
    if gears.arrangement == "meshed":
        return math.inf if z_r == z_s else 2.0 * math.pi / abs(z_r - z_s)
    return 2.0 * math.pi * math.gcd(z_1, z_2) / (z_s * z_2 + z_r * z_1)


def lay_out(
    gears: TrainGears,
    angles: FloatArray,
    *,
    distance: float | None,
    step: float,
    ahead: bool,
    errors: FloatArray,
    fit: bool,
    what: Subject,
) -> TrainLayout:
    """Place all wheels. angles (N,) [rad]; errors (N, 2): radial and tangential [m]; step: of the ring along the axis [m].

    fit=False: raise an error if teeth and spaces do not coincide. ahead: the side of the outer planets of pairs.
    """
    at_sun = GearPair(gears.sun, gears.first, centre_distance=distance, what=what.called(f"{what}: sun and planet"))
    sun: Pose = (np.zeros(3), np.eye(3))
    planets = [_placed(at_sun, sun, _out(theta)) for theta in angles]
    if gears.arrangement == "meshed":
        at_ring = GearPair(gears.second, gears.ring, what=what.called(f"{what}: outer planet and ring"))
        outer = _outer_planets(gears, planets, angles, at_sun.centre_distance, at_ring.centre_distance, ahead, what)
    else:
        a = at_sun.centre_distance
        _check_distances(gears, a, what)
        at_ring = GearPair(gears.second, gears.ring, centre_distance=a, what=what.called(f"{what}: planet and ring"))
        outer = []
    ring, engaged = _ring(gears, at_ring, outer or planets, angles, fit, what)
    if not outer:
        planets = engaged
    # planets rotate opposite to the sun, outer planets in the same direction
    sense = 1.0 if outer else -1.0
    phasing = _phasing(
        [_cycles(at_sun, sun, pose) for pose in planets], [sense * _cycles(at_ring, pose, ring) for pose in engaged]
    )
    moved = [
        (x + radial * _out(theta) + tangential * _out(theta + 0.5 * math.pi), R)
        for (x, R), theta, (radial, tangential) in zip(planets, angles, errors, strict=True)
    ]
    return TrainLayout(sun, (np.array([0.0, 0.0, step]), ring[1]), tuple(moved), tuple(outer), phasing)


def _out(theta: float) -> FloatArray:
    return np.array([math.cos(theta), math.sin(theta), 0.0])


def _placed(pair: GearPair, a: Pose, towards: FloatArray) -> Pose:
    """Pose of wheel B of a pair in mesh with A."""
    placed = pair.place(position=a[0], rotation=a[1], towards=towards)
    return placed.position, placed.rotation


def _outer_planets(
    gears: TrainGears, inner: list[Pose], angles: FloatArray, a: float, b: float, ahead: bool, what: Subject
) -> list[Pose]:
    """Poses of the outer planets of pairs, from the triangle of the centre distances."""
    pair = GearPair(gears.first, gears.second, what=what.called(f"{what}: inner and outer planet"))
    bend = _triangle(a, pair.centre_distance, b, what) * (1.0 if ahead else -1.0)
    return [_placed(pair, pose, b * _out(theta + bend) - pose[0]) for pose, theta in zip(inner, angles, strict=True)]


def _ring(
    gears: TrainGears, pair: GearPair, planets: list[Pose], angles: FloatArray, fit: bool, what: Subject
) -> tuple[Pose, list[Pose]]:
    """Pose of the ring, rotated to the first planet, and of the planets. Stepped planets may engage with another tooth."""
    still: Pose = (np.zeros(3), np.eye(3))
    ring: Pose = (np.zeros(3), _turned(np.eye(3), pair.align(*planets[0], *still).turn_b))
    engaged = []
    for i, pose in enumerate(planets):
        off = _missed(pair, pose, ring)
        if gears.arrangement == "stepped" and abs(off) > _FITS:
            turns = [_turned(pose[1], 2.0 * math.pi * k / gears.first.teeth) for k in range(gears.first.teeth)]
            pose = min(((pose[0], R) for R in turns), key=lambda p: abs(_missed(pair, p, ring)))
            off = _missed(pair, pose, ring)
        if abs(off) > _FITS and not fit:
            raise ModelError(f"{what}: {_cannot(gears, angles, i, off)}", about=what)
        engaged.append(pose)
    return ring, engaged


def _missed(pair: GearPair, planet: Pose, ring: Pose) -> float:
    """Deviation of the teeth of a planet from the spaces of the ring, in pitches."""
    return pair.align(*planet, *ring).tooth_offset / (math.pi * pair.pitch.normal_module)


def _cycles(pair: GearPair, a: Pose, b: Pose) -> float:
    """Position of a mesh in its cycle, z_A psi_A / 2 pi."""
    return pair.a.teeth * pair.align(*a, *b).psi_a / (2.0 * math.pi)


def _phasing(sun: list[float], ring: list[float]) -> Phasing:
    return Phasing(
        tuple(_part(g - sun[0]) for g in sun), tuple(_part(g - ring[0]) for g in ring), _part(ring[0] - sun[0])
    )


def _turned(R: FloatArray, angle: float) -> FloatArray:
    return R @ Rotation("z", angle).matrix


def _part(x: float) -> float:
    """Fraction of a cycle, 0 <= part < 1, without rounding errors at the ends."""
    part = x - math.floor(x)
    return 0.0 if part > 1.0 - 1e-9 or part < 1e-9 else part


def _check_distances(gears: TrainGears, a: float, what: Subject) -> None:
    """Sun and ring need about the same distance of the planets. A difference of one module cannot be backlash."""
    other = GearPair(gears.second, gears.ring, what=what.called(f"{what}: planet and ring")).centre_distance
    if abs(other - a) > 0.5 * gears.ring.normal_module:
        raise ModelError(
            f"{what}: sun and planet need a centre distance of {1e3 * a:.6g} mm, planet and ring {1e3 * other:.6g} mm; change "
            "tooth numbers (for simple planets z_ring = z_sun + 2 z_planet), modules or profile shifts so that both agree"
            f"{_near(gears)}",
            about=what,
        )


def _near(gears: TrainGears) -> str:
    """The nearest tooth numbers of simple planets with which both centre distances agree."""
    z_s, z_r, z = gears.sun.teeth, gears.ring.teeth, gears.first.teeth
    if gears.arrangement != "simple":
        return ""
    planets = (
        f"{(z_r - z_s) // 2}"
        if (z_r - z_s) % 2 == 0
        else f"{(z_r - z_s) // 2} or {(z_r - z_s) // 2 + 1}, with profile shift,"
    )
    return f", such as {planets} teeth of the planets, or {z_s + 2 * z} teeth of the ring"


def _triangle(a: float, between: float, b: float, what: Subject) -> float:
    """Angle at the centre between inner and outer planet [rad], from the three centre distances."""
    cosine = (a * a + b * b - between * between) / (2.0 * a * b)
    if abs(cosine) > 1.0:
        raise ModelError(
            f"{what}: inner planets are {1e3 * a:.6g} mm and outer planets {1e3 * b:.6g} mm from the centre, so that "
            "they cannot be "
            f"{1e3 * between:.6g} mm apart to mesh; choose other tooth numbers",
            about=what,
        )
    return math.acos(cosine)


def _cannot(gears: TrainGears, angles: FloatArray, i: int, off: float) -> str:
    """Description of an assembly that is not possible, with possible solutions."""
    n = len(angles)
    least = least_angle(gears)
    theta = float(angles[i] - angles[0])
    count = theta / least
    near = [math.degrees(k * least) for k in (math.floor(count), math.ceil(count))]
    text = (
        f"planet {i + 1} cannot be assembled: it is {math.degrees(theta):.6g} deg from planet 1, but teeth fit at multiples of "
        f"{math.degrees(least):.6g} deg, such as {near[0]:.6g} or {near[1]:.6g} deg; its teeth deviate from the ring "
        f"by {abs(off):.3g} "
        "pitches"
    )
    spread = np.allclose(np.diff(angles), 2.0 * math.pi / n)
    if spread and gears.arrangement != "stepped":
        sign = "-" if gears.arrangement == "meshed" else "+"
        total = gears.ring.teeth + gears.sun.teeth * (-1 if sign == "-" else 1)
        text += f" ({n} equally spaced planets need a whole (z_ring {sign} z_sun)/{n}, but it is {total}/{n} = {total / n:.6g})"
        if gears.arrangement == "simple":
            text += f"; it is whole with {as_text(trains_that_fit(gears.sun.teeth, gears.ring.teeth, n))} teeth of sun/planet/ring"
    nearest = [math.degrees(round((float(x) - float(angles[0])) / least) * least) for x in angles]
    return (
        f"{text}. Choose another number of planets or of teeth, specify "
        f"angles=({', '.join(f'{x:.6g}' for x in nearest)}) degrees, or "
        'phase="fit" to move all teeth so that they engage'
    )


# ---- planetary train

# Planetary: an epicyclic train in a model; Support: elastic support of a member; LoadSharing: load of each planet.

MEMBERS = ("sun", "ring", "carrier")


@names_wrong_arguments
@dataclass(frozen=True, init=False)
class Support:
    """Elastic bearing with radial springs and dampers. Axial motion and tilt are rigidly constrained.

    Parameters
    ----------
    stiffness, damping
        Radial stiffness [N/m] and damping [N s/m], equal in all directions. 0: radial motion is free.
    torsion, torsion_damping
        Stiffness [N m/rad] and damping [N m s/rad] about the axis. 0: rotation is free.
    """

    stiffness: float
    damping: float
    torsion: float
    torsion_damping: float

    def __init__(
        self, stiffness: object = 0.0, *, damping: object = 0.0, torsion: object = 0.0, torsion_damping: object = 0.0
    ) -> None:
        for name, value, dimension in (
            ("stiffness", stiffness, "stiffness"),
            ("damping", damping, "damping"),
            ("torsion", torsion, "torsional stiffness"),
            ("torsion_damping", torsion_damping, "torsional damping"),
        ):
            object.__setattr__(self, name, at_least_zero(value, dimension, Subject("Support") / name))

    @property
    def acts(self) -> bool:
        return any((self.stiffness, self.damping, self.torsion, self.torsion_damping))


def read_support(
    stiffness: object, damping: object, key: tuple[str, ...], damping_key: tuple[str, ...], what: Subject
) -> Support:
    """Read a support from two arguments of another part `what`. key, damping_key: their location among its arguments."""
    k = at_least_zero(stiffness, "stiffness", what.at(*key).called("Support: stiffness"))
    return Support(k, damping=at_least_zero(damping, "damping", what.at(*damping_key).called("Support: damping")))


def check_members(given: Mapping[str, Any], keys: Sequence[str], what: Subject, why: str = "") -> None:
    """Check the keys of a mapping by member. why: advice for the message."""
    if not isinstance(given, Mapping):
        raise ModelError(f"{what}: expected a mapping by member, got {shown(given)}", about=what)
    for key in given:
        if key not in keys:
            raise ModelError(
                f"{what}: unknown member {shown(key)}; {why} {', '.join(keys)} may be given".replace(";  ", "; "),
                about=what.at(str(key)),
            )


def willis(
    ratio: float, teeth: tuple[int, int, int], arrangement: str, known: Mapping[str, float], what: Subject
) -> dict[str, float]:
    """Speeds of all members and planets from those of two members. ratio: i_0; teeth: of sun, planet and outer planet."""
    if "carrier" in known:
        c = known["carrier"]
    elif ratio == 1.0:
        raise ModelError(
            f"{what}: its ratio is 1, so that sun and ring do not define the speed of the carrier", about=what
        )
    else:
        c = (known["sun"] - ratio * known["ring"]) / (1.0 - ratio)
    s = known["sun"] if "sun" in known else c + ratio * (known["ring"] - c)
    r = known["ring"] if "ring" in known else c + (s - c) / ratio
    planet = c - (s - c) * teeth[0] / teeth[1]
    found = {"sun": s, "ring": r, "carrier": c, "planet": planet}
    if arrangement == "meshed":
        found["outer planet"] = c - (planet - c) * teeth[1] / teeth[2]
    return found


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class LoadSharing:
    """Load of each planet divided by the mean of all planets.

    Attributes
    ----------
    time : (n,)
        [s]
    sun, ring : (n, N)
        N F_i / Σ F of the meshes with the sun and with the ring. The mean over the planets is 1. NaN if no load is transmitted.
    """

    time: FloatArray
    sun: FloatArray
    ring: FloatArray

    @property
    def k_gamma(self) -> float:
        """K_γ, the mesh load factor: the largest share of a planet at any time, at sun or ring."""
        return float(np.nanmax([np.nanmax(self.sun), np.nanmax(self.ring)]))


@names_wrong_arguments
@dataclass(frozen=True, eq=False)
class Planetary:
    """Epicyclic gear train in a model. `planetary` makes it.

    Attributes
    ----------
    name : str
    arrangement : str
        "simple", "stepped" or "meshed".
    sun, ring, carrier : Body
        Members. The ground if the member is fixed, another body if it is on that body.
    planets, outer_planets : tuple of Body
        Planets, and outer planets of pairs (otherwise empty).
    wheels : dict of Wheel
        "sun", "ring", "planet 1", ... and "outer planet 1", ... (for stepped planets: the wheel at the ring).
    bearings : dict
        Bearings of members: the revolute joint of a hinge, the bushing of a `Support`, or None if the member is free.
    pins : tuple of Joint | Bushing
        Pins of the planets, the outer ones after the inner ones. Empty for bearings={"planet": "none"}.
    sun_meshes, ring_meshes, planet_meshes : tuple of GearMesh
        One mesh for each planet. A is the sun, the planet and the inner planet.
    angles : (N,)
        Angles of the planets [rad].
    phasing : Phasing
        Mesh phases.
    ratio : float
        i_0 = (ω_s − ω_c)/(ω_r − ω_c).
    """

    name: str
    arrangement: str
    sun: Body
    ring: Body
    carrier: Body
    planets: tuple[Body, ...]
    outer_planets: tuple[Body, ...]
    wheels: dict[str, Wheel]
    bearings: dict[str, Joint | Bushing | None]
    pins: tuple[Joint | Bushing, ...]
    sun_meshes: tuple[GearMesh, ...]
    ring_meshes: tuple[GearMesh, ...]
    planet_meshes: tuple[GearMesh, ...]
    angles: FloatArray
    phasing: Phasing
    ratio: float

    def speeds(self, **known: float) -> dict[str, float]:
        """Compute the speeds of sun, ring, carrier and planets from two of them by Willis, ω_s − ω_c = i_0 (ω_r − ω_c).

        >>> train.speeds(sun=200.0, ring=0.0)["carrier"]  # doctest: +SKIP

        Parameters
        ----------
        known
            Two of the speeds sun, ring and carrier, about the axis of the train, in any unit.

        Returns
        -------
        All speeds in the same unit. "planet" is the planet that meshes with the sun, "outer planet" the other one of a pair.
        """
        if len(known) != 2 or not set(known) <= set(MEMBERS):
            raise ModelError(
                f'planetary "{self.name}": specify the speeds of two of sun, ring and carrier, got {shown(sorted(known))}'
            )
        teeth = {key: wheel.gear.teeth for key, wheel in self.wheels.items() if wheel.gear is not None}
        counts = (teeth["sun"], teeth["planet 1"], teeth.get("outer planet 1", teeth["planet 1"]))
        return willis(self.ratio, counts, self.arrangement, known, part_subject("planetary", self.name))

    def load_sharing(self, result: Mapping[str, Any]) -> LoadSharing:
        """Compute the load of each planet in a result, from the normal forces of its meshes. It is negative if a planet is
        loaded on the opposite flank.

        Parameters
        ----------
        result
            Result of an analysis of the model.
        """
        first = result[f"{self.sun_meshes[0].name}.signed_force"]

        def shares(meshes: tuple[GearMesh, ...]) -> FloatArray:
            # with sign: planets with the opposite load reduce the sum
            F = np.stack([np.asarray(result[f"{mesh.name}.signed_force"].values, float) for mesh in meshes], axis=1)
            total = F.sum(axis=1, keepdims=True)
            idle = total == 0.0
            return np.where(idle, math.nan, len(meshes) * F / np.where(idle, 1.0, total))

        return LoadSharing(np.asarray(first.time), shares(self.sun_meshes), shares(self.ring_meshes))

    def __repr__(self) -> str:
        return f"Planetary({self.name!r}: {self.arrangement}, {len(self.planets)} planets, i_0 = {self.ratio:.6g})"
