"""Where the wheels of an epicyclic train stand so that all teeth fit.

Seen in the axes of the train: its centre is the origin, its axis z. A planet whose centre stands at the angle θ engages with the
sun in a given pose, which leaves the choice between its own teeth; the ring then fits where the teeth of sun, planets and ring add
up to whole pitches. With z_1 of the wheel at the sun, z_2 of that at the ring and their greatest common divisor g, planets can
stand at the angles θ, counted from the first one, that are multiples of

    2π g / (z_s z_2 + z_r z_1)   stepped planets,     2π / (z_s + z_r)   simple ones,     2π / |z_r − z_s|   planets in pairs.

For N planets at equal distances the simple rule is that (z_s + z_r)/N is a whole number.

The mesh phase γ of a mesh is the part of a mesh cycle by which it is ahead of the first one while the sun turns positively against
the carrier: −z_s θ/2π at the sun, z_r θ/2π at the ring of simple planets (Parker & Lin, J. Mech. Design 126, 2004, have the
opposite sign). Where (z_s + z_r)/N is whole both are the same.
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

__all__ = ["ARRANGEMENTS", "TrainLayout", "Phasing", "Pose", "least_angle", "lay_out", "read_gears"]

ARRANGEMENTS = ("simple", "stepped", "meshed")
_FITS = 1e-6
"""Teeth that miss their spaces by less than this part of a pitch fit."""

Pose = tuple[Array, Array]
"""Position (3,) [m] and axes (3, 3)."""


@names_wrong_arguments
@dataclass(frozen=True)
class Phasing:
    """Phases of the meshes of a train in parts of a mesh cycle, 0 <= γ < 1, the sun turning positively against the carrier.

    Attributes
    ----------
    sun, ring : tuple of float
        γ of each planet's mesh with the sun and with the ring, counted from those of the first planet.
    sun_to_ring : float
        How far the first planet's mesh with the ring is ahead of its mesh with the sun, teeth of A on the line of centres being 0.
    """

    sun: tuple[float, ...]
    ring: tuple[float, ...]
    sun_to_ring: float

    @property
    def kind(self) -> str:
        """ "in phase": all meshes together, they excite torsion; "sequential": evenly spread, so that their sum vanishes and they
        excite translation, if anything; "mixed" otherwise."""
        if all(min(g, 1.0 - g) < 1e-6 for g in self.sun):
            return "in phase"
        return "sequential" if abs(sum(cmath.exp(2j * math.pi * g) for g in self.sun)) < 1e-6 else "mixed"


@dataclass(frozen=True, eq=False)
class TrainLayout:
    """Poses in the axes of the train; positions with their errors."""

    sun: Pose
    ring: Pose
    planets: tuple[Pose, ...]
    outer: tuple[Pose, ...]  # outer planets of pairs; empty otherwise
    phasing: Phasing


@dataclass(frozen=True, eq=False)
class TrainGears:
    """The gears of a train: those that mesh with sun and ring are the same wheel of a simple planet."""

    sun: Gear
    first: Gear
    second: Gear
    ring: Gear
    arrangement: str

    @property
    def ratio(self) -> float:
        """i_0 = (ω_s − ω_c)/(ω_r − ω_c), of the train with its carrier held: Willis."""
        z = self.ring.teeth / self.sun.teeth
        if self.arrangement == "stepped":
            return -z * self.first.teeth / self.second.teeth
        return z if self.arrangement == "meshed" else -z


def read_gears(
    sun: Gear, ring: Gear, planet: Gear | tuple[Gear, Gear], arrangement: str | None, what: Subject
) -> TrainGears:
    """The gears of a train as they were given, checked."""
    wheels = tuple(planet) if isinstance(planet, (tuple, list)) else (planet,)
    for key, gear in (("sun", sun), ("ring", ring), *(("planet", gear) for gear in wheels)):
        if not isinstance(gear, Gear):
            raise ModelError(f"{what}: {key} must be a Gear, got {shown(gear)}", about=what.at(key))
    if not ring.internal or any(gear.internal for gear in (sun, *wheels)):
        raise ModelError(
            f"{what}: the ring must be internal, sun and planets external; say Gear(..., internal=True) of the ring alone",
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
    """The angle [rad] of whose multiples planets can stand apart."""
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

    Not `fit`: raise where teeth and spaces do not meet. `ahead`: on which side the outer planets of pairs stand.
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
    # planets turn against the sun, the outer ones of pairs with it
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
    """Wheel B of a pair in mesh with A."""
    placed = pair.place(position=a[0], rotation=a[1], towards=towards)
    return placed.position, placed.rotation


def _outer_planets(
    gears: TrainGears, inner: list[Pose], angles: Array, a: float, b: float, ahead: bool, what: Subject
) -> list[Pose]:
    """Outer planets of pairs, from the triangle of the centre distances."""
    pair = GearPair(gears.first, gears.second, what=what.called(f"{what}: inner and outer planet"))
    bend = _triangle(a, pair.centre_distance, b, what) * (1.0 if ahead else -1.0)
    return [_placed(pair, pose, b * _out(theta + bend) - pose[0]) for pose, theta in zip(inner, angles, strict=True)]


def _ring(
    gears: TrainGears, pair: GearPair, planets: list[Pose], angles: Array, fit: bool, what: Subject
) -> tuple[Pose, list[Pose]]:
    """The ring, turned to the first planet, and the planets, of which stepped ones may engage with another tooth of theirs."""
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
    """By how much the teeth of a planet miss the spaces of the ring, in pitches."""
    return pair.align(*planet, *ring).tooth_offset / (math.pi * pair.pitch.normal_module)


def _cycles(pair: GearPair, a: Pose, b: Pose) -> float:
    """Where a mesh stands in its cycle, z_A psi_A / 2 pi."""
    return pair.a.teeth * pair.align(*a, *b).psi_a / (2.0 * math.pi)


def _phasing(sun: list[float], ring: list[float]) -> Phasing:
    return Phasing(
        tuple(_part(g - sun[0]) for g in sun), tuple(_part(g - ring[0]) for g in ring), _part(ring[0] - sun[0])
    )


def _turned(R: Array, angle: float) -> Array:
    return R @ Rotation("z", angle).matrix


def _part(x: float) -> float:
    """The part of a whole cycle, 0 <= part < 1, free of rounding at the ends."""
    part = x - math.floor(x)
    return 0.0 if part > 1.0 - 1e-9 or part < 1e-9 else part


def _check_distances(gears: TrainGears, a: float, what: Subject) -> None:
    """Sun and ring must want the planets at about the same distance: a difference of a module is no backlash."""
    other = GearPair(gears.second, gears.ring, what=what.called(f"{what}: planet and ring")).centre_distance
    if abs(other - a) > 0.5 * gears.ring.normal_module:
        raise ModelError(
            f"{what}: sun and planet run at a centre distance of {1e3 * a:.6g} mm, planet and ring at {1e3 * other:.6g} mm; change "
            "tooth numbers (of simple planets z_ring = z_sun + 2 z_planet), modules or profile shifts so that both agree",
            about=what,
        )


def _triangle(a: float, between: float, b: float, what: Subject) -> float:
    """The angle at the centre between inner and outer planet [rad], from the three centre distances."""
    cosine = (a * a + b * b - between * between) / (2.0 * a * b)
    if abs(cosine) > 1.0:
        raise ModelError(
            f"{what}: inner planets stand at {1e3 * a:.6g} mm and outer ones at {1e3 * b:.6g} mm from the centre, and cannot be "
            f"{1e3 * between:.6g} mm apart to mesh; choose other tooth numbers",
            about=what,
        )
    return math.acos(cosine)


def _cannot(gears: TrainGears, angles: Array, i: int, off: float) -> str:
    """What is wrong with the assembly, both numbers, and the ways out."""
    n = len(angles)
    least = least_angle(gears)
    theta = float(angles[i] - angles[0])
    count = theta / least
    near = [math.degrees(k * least) for k in (math.floor(count), math.ceil(count))]
    text = (
        f"planet {i + 1} cannot be assembled: it stands {math.degrees(theta):.6g} deg from planet 1, but teeth fit at multiples of "
        f"{math.degrees(least):.6g} deg, such as {near[0]:.6g} or {near[1]:.6g} deg; its teeth miss the ring by {abs(off):.3g} "
        "pitches"
    )
    spread = np.allclose(np.diff(angles), 2.0 * math.pi / n)
    if spread and gears.arrangement != "stepped":
        sign = "-" if gears.arrangement == "meshed" else "+"
        total = gears.ring.teeth + gears.sun.teeth * (-1 if sign == "-" else 1)
        text += f" ({n} equal steps need (z_ring {sign} z_sun)/{n} whole, but it is {total}/{n} = {total / n:.6g})"
    nearest = [math.degrees(round((float(x) - float(angles[0])) / least) * least) for x in angles]
    return (
        f"{text}. Choose another number of planets or of teeth, give angles=({', '.join(f'{x:.6g}' for x in nearest)}) degrees, or "
        'say phase="fit" to take all teeth as cut where they stand'
    )
