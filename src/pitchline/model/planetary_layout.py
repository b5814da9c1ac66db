"""Positions of the wheels of an epicyclic gear train, so that all teeth fit.

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
from dataclasses import dataclass

import numpy as np

from ..arguments import names_wrong_arguments
from ..errors import ModelError, Subject, shown
from ..gears import Gear, GearPair
from ..solids.rotations import Array, Rotation
from .meshes.common import choice
from .train_assembly import as_text, trains_that_fit

__all__ = ["ARRANGEMENTS", "TrainLayout", "Phasing", "Pose", "least_angle", "lay_out", "read_gears"]

ARRANGEMENTS = ("simple", "stepped", "meshed")
_FITS = 1e-6
"""If teeth deviate from their spaces by less than this fraction of a pitch, they fit."""

Pose = tuple[Array, Array]
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
    angles: Array,
    *,
    distance: float | None,
    step: float,
    ahead: bool,
    errors: Array,
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


def _out(theta: float) -> Array:
    return np.array([math.cos(theta), math.sin(theta), 0.0])


def _placed(pair: GearPair, a: Pose, towards: Array) -> Pose:
    """Pose of wheel B of a pair in mesh with A."""
    placed = pair.place(position=a[0], rotation=a[1], towards=towards)
    return placed.position, placed.rotation


def _outer_planets(
    gears: TrainGears, inner: list[Pose], angles: Array, a: float, b: float, ahead: bool, what: Subject
) -> list[Pose]:
    """Poses of the outer planets of pairs, from the triangle of the centre distances."""
    pair = GearPair(gears.first, gears.second, what=what.called(f"{what}: inner and outer planet"))
    bend = _triangle(a, pair.centre_distance, b, what) * (1.0 if ahead else -1.0)
    return [_placed(pair, pose, b * _out(theta + bend) - pose[0]) for pose, theta in zip(inner, angles, strict=True)]


def _ring(
    gears: TrainGears, pair: GearPair, planets: list[Pose], angles: Array, fit: bool, what: Subject
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


def _turned(R: Array, angle: float) -> Array:
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


def _cannot(gears: TrainGears, angles: Array, i: int, off: float) -> str:
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
