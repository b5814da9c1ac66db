"""Area and polar second moment of the sections of teeth, from their exact outline.

By Gauss's theorem the area inside an outline is  A = ½ ∮ Im(P̄ dP) , its polar second moment  J = ¼ ∮ abs(P)² Im(P̄ dP) ; radii
contribute nothing, so that the seven curves of one tooth, from the middle of one space to that of the next, make one z-th of
both. Each curve is analytic: Gauss's rule takes the integrals to rounding. A helical tooth is a turned section: A and J are the
same in all of its sections.

All lines of a straight bevel tooth go through its apex, so that its outline is a curve on the unit sphere. There the integral of
a function of the polar angle γ over the area inside the outline is  ∮ g(γ) dφ ,  g' = f sin γ :

    f = 1: 1 − cos γ ,   1 − cos γ: ½ (1 − cos γ)² ,   (1 − cos γ)²: ⅓ (1 − cos γ)³ ,   sin² γ: ⅓ (1 − cos γ)² (2 + cos γ)

Heights are those below the sphere, 1 − cos γ: no figures are lost on flat cones, whose apex is far away.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..gear import Gear
from .arrays import FloatArray
from .bevel import BevelTeeth, SphericalArc
from .surface import ToothSurface
from .teeth import Teeth

__all__ = [
    "SectionMoments",
    "SphericalMoments",
    "gauss_rule",
    "plain_half_angle",
    "plain_section_moments",
    "section_moments",
    "spherical_moments",
]

_POINTS = 48


class SectionMoments(NamedTuple):
    """Inside the outline of all (unmodified) teeth in sections ζ: area ∫ dA [m²] and ∫ r² dA [m⁴], (k,); internal: of the hole."""

    area: FloatArray
    polar: FloatArray


class SphericalMoments(NamedTuple):
    """∫ f dΩ over the unit sphere inside the outline of all teeth of a bevel gear, or inside a cone.

    solid_angle: f = 1. sunk: 1 − cos γ. sunk_square: (1 − cos γ)². across_square: sin² γ.
    """

    solid_angle: float
    sunk: float
    sunk_square: float
    across_square: float

    @classmethod
    def of_cone(cls, polar: float) -> SphericalMoments:
        """Inside a cone of the half angle γ [rad]."""
        return cls(*(2.0 * math.pi * float(g) for g in _primitives(np.asarray(polar))))


@lru_cache(maxsize=8)
def gauss_rule(points: int) -> tuple[FloatArray, FloatArray]:
    """Places and weights of Gauss's rule on [-1, 1]."""
    x, w = np.polynomial.legendre.leggauss(points)
    x.setflags(write=False)
    w.setflags(write=False)
    return x, w


def _swept(surface: ToothSurface, low: FloatArray, high: FloatArray, zeta: FloatArray) -> FloatArray:
    """½ ∫ Im(P̄ P_u) du [m²] and ¼ ∫ abs(P)² Im(P̄ P_u) du [m⁴] between two limits, (2, k)."""
    x, w = gauss_rule(_POINTS)
    half = 0.5 * (high - low)
    d = surface.derivatives(0.5 * (high + low)[:, None] + half[:, None] * x, zeta[:, None])
    turned = (np.conj(d.P) * d.u).imag
    return half * np.stack([0.5 * turned @ w, 0.25 * (turned * np.abs(d.P) ** 2) @ w])


def section_moments(teeth: Teeth, zeta: object = 0.0) -> SectionMoments:
    """Area and polar second moment in the sections ζ [m]."""
    z = np.atleast_1d(np.asarray(zeta, dtype=np.float64))
    zero, one = np.zeros_like(z), np.ones_like(z)
    total = _swept(teeth.tip, -one, one, z)
    for flank, sign in ((teeth.right, 1.0), (teeth.left, -1.0)):
        total = total + sign * _swept(flank.involute, flank.form_roll_length(z), flank.tip_roll_length(z), z)
        total = total + sign * _swept(flank.root, zero, one, z)
        low, high = flank.fillet.limits(z)
        bend = np.clip(1.0, low, high)  # of a rack tip with protuberance the rounding ends at u = 1
        total = total + sign * _swept(flank.fillet, low, bend, z)
        if (high > bend).any():
            total = total + sign * _swept(flank.fillet, bend, high, z)
    return SectionMoments(*(teeth.gear.teeth * total))


def plain_half_angle(gear: Gear, radius: FloatArray, zeta: FloatArray | float = 0.0) -> FloatArray:
    """Half the angle of a tooth with involutes down to the root and without fillets [rad].

    Radial inside the base circle; 0 where the tooth is pointed, half a pitch where there is no space.
    """
    cosine, r = math.cos(gear.helix_angle), 0.5 * gear.reference_diameter
    slope = math.tan(gear.normal_pressure_angle) * math.cos(gear.profile_shift_angle) / cosine
    half = 0.5 * gear.normal_tooth_thickness / cosine + slope * math.tan(gear.profile_shift_angle) * zeta
    base = r / math.hypot(1.0, slope)
    rolled = np.sqrt(np.maximum((radius / base) ** 2 - 1.0, 0.0))
    turn = slope - math.atan(slope) - (rolled - np.arctan(rolled))
    return np.asarray(np.clip(half / r + gear.sense * turn, 0.0, 0.5 * gear.angular_pitch))


def plain_section_moments(gear: Gear, zeta: FloatArray) -> SectionMoments:
    """`section_moments` without fillets, for teeth that no tool can cut."""
    x, w = gauss_rule(_POINTS)
    rise = math.tan(gear.profile_shift_angle) * zeta
    root, tip = 0.5 * gear.root_diameter + rise, 0.5 * gear.tip_diameter + rise
    half = 0.5 * (tip - root)[:, None]
    r = root[:, None] + half * (1.0 + x)
    # dr goes from the root to the tip, inwards for internal teeth: their areas are subtracted from that of the root circle
    dA = 2.0 * gear.teeth * plain_half_angle(gear, r, zeta[:, None]) * r * half * w
    return SectionMoments(math.pi * root**2 + dA.sum(axis=1), 0.5 * math.pi * root**4 + (dA * r**2).sum(axis=1))


def _primitives(polar: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """g(γ) of the functions 1, 1 − cos γ, (1 − cos γ)² and sin² γ, without loss of figures at small γ."""
    flat = 2.0 * np.sin(0.5 * polar) ** 2  # 1 − cos γ
    return flat, flat**2 / 2.0, flat**3 / 3.0, flat**2 * (3.0 - flat) / 3.0


def spherical_moments(teeth: BevelTeeth) -> SphericalMoments:
    """Inside the outline of all teeth; both sides of a tooth are alike."""
    flank = teeth.left
    x, w = gauss_rule(_POINTS)

    # spherical involute, from form to tip: its azimuth decreases
    half = 0.5 * (flank.tip - flank.form)
    arc = flank.form + half * (1.0 + x)
    sine = math.sin(teeth.base_cone)
    slope = sine / (np.sin(arc) ** 2 + (sine * np.cos(arc)) ** 2) - 1.0 / sine
    involute = [-half * float((g * slope) @ w) for g in _primitives(flank.involute.polar(arc))]

    fillet = [-float(part) for part in _fillet_moments(flank.fillet)]
    tip_angle, root_angle = float(flank.involute.half_angle(flank.tip)), math.pi / teeth.gear.teeth - flank.root_angle
    tip = [tip_angle * float(g) for g in _primitives(np.asarray(teeth.tip_cone))]
    root = [root_angle * float(g) for g in _primitives(np.asarray(teeth.root_cone))]
    return SphericalMoments(
        *(2.0 * teeth.gear.teeth * sum(parts) for parts in zip(tip, involute, fillet, root, strict=True))
    )


def _fillet_moments(arc: SphericalArc) -> FloatArray:
    """∫ g dφ from the root to the flank, (4,):  dφ = (x dy − y dx) / (x² + y²)."""
    x, w = gauss_rule(_POINTS)
    psi = 0.5 * arc.sweep * (1.0 + x)[:, None]
    first, second = np.array(arc.first), np.array(arc.second)
    u = math.cos(arc.radius) * np.array(arc.centre) + math.sin(arc.radius) * (
        np.cos(psi) * first + np.sin(psi) * second
    )
    du = 0.5 * arc.sweep * math.sin(arc.radius) * (np.cos(psi) * second - np.sin(psi) * first)
    across = np.hypot(u[:, 0], u[:, 1])
    turned = (u[:, 0] * du[:, 1] - u[:, 1] * du[:, 0]) / across**2
    return np.stack(_primitives(np.arctan2(across, u[:, 2]))) @ (turned * w)
