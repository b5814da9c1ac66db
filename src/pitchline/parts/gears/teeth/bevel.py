"""Straight bevel teeth, double-helical teeth, measures over teeth and balls, and sections of teeth.

Straight bevel teeth: spherical involutes, with circular fillets on the sphere.

All lines of a straight bevel tooth go through the apex of its pitch cone, so that a surface is a curve on the unit sphere
drawn out along the cone distance R: p = apex + R u(w). A great circle that rolls without slip on the base cone of half
angle δ_b,  sin δ_b = sin δ cos α ,  traces the flank. With the arc ε from the base cone and the side s,

    u = cos ε b(τ) + s sin ε t(τ) ,  τ = s (η − ε / sin δ_b) ,
    b = (sin δ_b cos τ, sin δ_b sin τ, cos δ_b) ,  t = (−sin τ, cos τ, 0) ,

the polar angle being  cos γ = cos δ_b cos ε . The normal s (cos ε t) − sin ε b lies in the rolling plane, and the flank
curves by cot ε / R. Two such gears with one apex share the rolling plane, their plane of action: they are conjugate at
any shaft angle. (Al-Daccak, Angeles & González-Palacios, The modeling of bevel gears using the exact spherical involute,
Journal of Mechanical Design 116, 1994.)

Tip and root are cones through the apex: δ_a = δ + atan(h_a/R_m), δ_f = δ − atan(h_f/R_m). The fillet is a circle on the
sphere of the angle ρ = ρ_fP/R_m that touches root and flank: its centre lies on the flank's parallel, the same
involute with the arc ε + ρ. If the root is so deep that the circle would touch below the base cone, the flank continues
along a meridian, to which the circle is tangent. Generating machines cut octoids, which are close to spherical involutes but not
identical.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import ComplexArray, FloatArray
from pitchline.errors import ModelError, shown

from ..geometry.gear import Gear
from ..geometry.inputs import in_deg, in_mm, positive, size, whole
from ..geometry.involute import along, inverse_involute, involute
from .generating_rack import ToothSurface
from .teeth import Teeth

__all__ = [
    "BevelFlank",
    "BevelTeeth",
    "ConeSurface",
    "SphericalArc",
    "SphericalInvolute",
    "Half",
    "double_helical",
    "ball_diameter",
    "over_balls",
    "span",
    "span_diameter",
    "span_teeth",
    "outline",
    "tooth_section",
    "SectionMoments",
    "SphericalMoments",
    "gauss_rule",
    "plain_half_angle",
    "plain_section_moments",
    "section_moments",
    "spherical_moments",
]


_SHARPEST = 1e-4
"""Least radius of a fillet by the normal module: a circle without a radius has no direction."""


@dataclass(frozen=True, kw_only=True)
class ConeSurface(ABC):
    """p(w, R) = apex + R u(w): profile coordinate w, cone distance R [m]; the axes are those of the gear.

    away: +1 if z of the gear points away from the apex, −1 if it points to it; apex: its z [m].
    """

    away: float
    apex: float

    @abstractmethod
    def _frame(self, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """u and n (…, 3) with the cone's axis along +z, and the curvature on the unit sphere."""

    def point(self, w: npt.ArrayLike, R: npt.ArrayLike) -> FloatArray:
        """p [m], (…, 3)."""
        a, r = along(w, R)
        p = r[..., None] * self._frame(a)[0]
        p[..., 2] = self.apex + self.away * p[..., 2]
        return p

    def normal(self, w: npt.ArrayLike, R: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material, (…, 3)."""
        a, _ = along(w, R)
        n = self._frame(a)[1].copy()
        n[..., 2] *= self.away
        return n

    def curvatures(self, w: npt.ArrayLike, R: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Principal curvatures [1/m], the greater first, positive where convex: one is 0, along the tooth."""
        a, r = along(w, R)
        k = self._frame(a)[2] / r
        return np.maximum(k, 0.0), np.minimum(k, 0.0)


def _triad(azimuth: FloatArray, polar: float) -> tuple[FloatArray, FloatArray]:
    """b and t: the generator of a cone at an azimuth, and the direction of growing azimuth."""
    c, s, zero = np.cos(azimuth), np.sin(azimuth), np.zeros_like(azimuth)
    b = np.stack([math.sin(polar) * c, math.sin(polar) * s, zero + math.cos(polar)], axis=-1)
    return b, np.stack([-s, c, zero], axis=-1)


@dataclass(frozen=True, kw_only=True)
class SphericalInvolute(ConeSurface):
    """The flank; w is ε [rad]. side: +1 left, −1 right. base_cone: δ_b. base_angle: η [rad]."""

    side: float
    base_cone: float
    base_angle: float

    def arc(self, polar: npt.ArrayLike) -> FloatArray:
        """ε at a polar angle γ: cos ε = cos γ / cos δ_b; 0 inside the base cone."""
        g = np.asarray(polar, dtype=np.float64)
        square = np.sin(g - self.base_cone) * np.sin(g + self.base_cone)  # cos² δ_b − cos² γ, without loss of figures
        return np.arctan2(np.sqrt(np.maximum(square, 0.0)), np.cos(g))

    def polar(self, arc: npt.ArrayLike) -> FloatArray:
        """γ at ε: cos γ = cos δ_b cos ε, without loss of figures at small angles."""
        base, along = math.sin(0.5 * self.base_cone) ** 2, np.sin(0.5 * np.asarray(arc, dtype=np.float64)) ** 2
        return np.asarray(2.0 * np.arcsin(np.sqrt(np.minimum(base + along - 2.0 * base * along, 1.0))))

    def half_angle(self, arc: npt.ArrayLike) -> FloatArray:
        """Azimuth of the flank at ε, counted from the x axis towards its side: η − (ε/sin δ_b − atan(tan ε/sin δ_b))."""
        e = np.asarray(arc, dtype=np.float64)
        sine = math.sin(self.base_cone)
        return np.asarray(self.base_angle - e / sine + np.arctan2(np.sin(e), sine * np.cos(e)))  # beyond 90° too

    def _frame(self, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        b, t = _triad(self.side * (self.base_angle - w / math.sin(self.base_cone)), self.base_cone)
        c, s = np.cos(w)[..., None], np.sin(w)[..., None]
        with np.errstate(divide="ignore"):
            k = 1.0 / np.tan(w)
        return c * b + self.side * s * t, self.side * c * t - s * b, k


@dataclass(frozen=True, kw_only=True)
class SphericalArc(ConeSurface):
    """A circle on the sphere, seen from outside the material; w from 0 at the root to 1 at the flank.

    centre, first, second: unit vectors, u = cos ρ c + sin ρ (cos ψ f + sin ψ s), ψ = w · sweep. A meridian is the circle
    of ρ = 90°.
    """

    centre: tuple[float, float, float]
    first: tuple[float, float, float]
    second: tuple[float, float, float]
    radius: float
    sweep: float

    def _frame(self, w: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        psi = (w * self.sweep)[..., None]
        spoke = np.cos(psi) * np.array(self.first) + np.sin(psi) * np.array(self.second)
        c, rho = np.array(self.centre), self.radius
        u = math.cos(rho) * c + math.sin(rho) * spoke
        n = math.sin(rho) * c - math.cos(rho) * spoke  # towards the centre of the circle
        return u, n, np.full(w.shape, -1.0 / math.tan(rho))


@dataclass(frozen=True)
class BevelFlank:
    """One side of a bevel tooth.

    involute: over ε from `form` to `tip` [rad]. fillet: over 0 to 1. neck: the meridian between fillet and base cone, or
    None. root_angle: azimuth [rad], towards the side, where the fillet touches the root cone.
    """

    involute: SphericalInvolute
    fillet: SphericalArc
    neck: SphericalArc | None
    form: float
    tip: float
    root_angle: float


@names_wrong_arguments
class BevelTeeth:
    """Tooth surfaces of a straight bevel gear, in the axes of the gear: x through the middle of tooth 0.

    Attributes
    ----------
    left, right : BevelFlank
        The +y side and the −y side of tooth 0.
    tip_cone, root_cone, base_cone : float
        Half angles δ_a, δ_f, δ_b [rad].
    """

    def __init__(self, gear: Gear) -> None:
        if not isinstance(gear, Gear) or not gear.cone_angle:
            raise ModelError(f"bevel teeth: expected a Gear with a cone_angle, got {shown(gear)}")
        if gear.helix_angle:
            raise ModelError(
                f"bevel teeth: only straight teeth are supported, but the spiral angle is {in_deg(gear.helix_angle)}. "
                "Leave helix_angle out"
            )
        if gear.flanks is not None:
            raise ModelError(
                "bevel teeth: the gear has imported flanks. Use surface_teeth(gear), or gear.with_(flanks=None) for its nominal "
                "teeth"
            )
        cone = abs(gear.cone_angle)
        if cone > math.radians(89.0):
            raise ModelError(f"bevel teeth: a crown wheel ({in_deg(cone)}) is not supported. Specify less than 89 deg")
        self.gear = gear
        R = gear.mean_cone_distance
        self.base_cone = math.asin(math.sin(cone) * math.cos(gear.normal_pressure_angle))
        self.tip_cone = cone + math.atan(gear.addendum / R)
        self.root_cone = cone - math.atan(gear.dedendum / R)
        self.apex = -R * math.cos(gear.cone_angle) * math.copysign(1.0, gear.cone_angle)
        self._rounding = max(gear.root_radius, _SHARPEST * gear.normal_module) / R
        self.left, self.right = self._flank(1.0), self._flank(-1.0)
        if float(self.left.involute.half_angle(self.left.tip)) <= 0.0:
            raise ModelError(
                f"bevel teeth: pointed before the tip cone ({in_deg(self.tip_cone)}). Shorten them with tip_alteration"
            )

    @property
    def cone_distances(self) -> tuple[float, float]:
        """R at the inner and the outer end of the teeth [m]."""
        half = 0.5 * self.gear.required_face_width("bevel teeth")
        return self.gear.mean_cone_distance - half, self.gear.mean_cone_distance + half

    @property
    def back_cone(self) -> float:
        """Half angle [rad] of the cone at which the back of the body leaves the outer sphere: 0.8 tooth depths below the root."""
        return max(self.root_cone - 0.8 * (self.tip_cone - self.root_cone), 0.25 * self.root_cone)

    @cached_property
    def _placing(self) -> dict[str, float]:
        return {"away": math.copysign(1.0, self.gear.cone_angle), "apex": self.apex}

    def _flank(self, side: float) -> BevelFlank:
        gear, cone = self.gear, abs(self.gear.cone_angle)
        sine = math.sin(self.base_cone)
        plain = SphericalInvolute(side=side, base_cone=self.base_cone, base_angle=0.0, **self._placing)
        pitch = float(plain.arc(cone))
        eta = (
            gear.transverse_tooth_thickness / gear.reference_diameter + pitch / sine - math.atan(math.tan(pitch) / sine)
        )
        flank = SphericalInvolute(side=side, base_cone=self.base_cone, base_angle=eta, **self._placing)
        tip = float(flank.arc(self.tip_cone))
        rho = self._rounding
        for _ in range(60):
            found = self._fillet(flank, rho)
            if found is not None and found[3] <= math.pi / gear.teeth and found[2] < tip:
                return BevelFlank(flank, found[0], found[1], found[2], tip, found[3])
            rho *= 0.9
        raise ModelError(
            f"bevel teeth: no fillet fits between the teeth at the root cone of {in_deg(self.root_cone)} (root radius "
            f"{in_mm(gear.root_radius)}); reduce dedendum_factor"
        )

    def _fillet(
        self, flank: SphericalInvolute, rho: float
    ) -> tuple[SphericalArc, SphericalArc | None, float, float] | None:
        """Fillet, neck, ε at the form line and azimuth at the root for a rounding ρ [rad]; None where none fits."""
        side, polar = flank.side, self.root_cone + rho
        reach = float(flank.arc(polar))
        if polar >= flank.base_cone and reach >= rho:
            form = reach - rho
            # the parallel of the flank at the distance ρ: the same base tangent, the arc longer by ρ
            azimuth = (
                flank.base_angle
                - form / math.sin(flank.base_cone)
                + math.atan(math.tan(reach) / math.sin(flank.base_cone))
            )
            touch = flank._frame(np.array(form))[0]
            return self._arc(side, polar, azimuth, touch, rho), None, form, azimuth
        # cos foot = cos γ / cos ρ
        square = math.sin(0.5 * (polar + rho)) * math.sin(0.5 * (polar - rho)) / math.cos(rho)
        foot = 2.0 * math.asin(math.sqrt(min(max(square, 0.0), 1.0)))
        if foot > flank.base_cone:
            return None
        azimuth = flank.base_angle + math.asin(min(math.sin(rho) / math.sin(polar), 1.0))
        meridian = side * flank.base_angle
        touch, across = _triad(np.array(meridian), foot)
        up = _triad(np.array(meridian), foot + 0.5 * math.pi)[0]
        neck = SphericalArc(
            centre=_tuple(side * across), first=_tuple(touch), second=_tuple(up), radius=0.5 * math.pi,
            sweep=flank.base_cone - foot, **self._placing,
        )  # fmt: skip
        return self._arc(side, polar, azimuth, touch, rho), neck, 0.0, azimuth

    def _arc(self, side: float, polar: float, azimuth: float, touch: FloatArray, rho: float) -> SphericalArc:
        """The circle about a centre, from where it touches the root cone to a point on it."""
        c, _ = _triad(np.array(side * azimuth), polar)
        spoke = (touch - math.cos(rho) * c) / math.sin(rho)
        first = -_triad(np.array(side * azimuth), polar + 0.5 * math.pi)[0]
        other = spoke - (spoke @ first) * first
        second = other / np.linalg.norm(other)
        sweep = math.atan2(float(spoke @ second), float(spoke @ first))
        return SphericalArc(
            centre=_tuple(c), first=_tuple(first), second=_tuple(second), radius=rho, sweep=sweep, **self._placing
        )

    def section(self, R: float, *, points: int = 24) -> dict[str, FloatArray]:
        """One pitch on the sphere of cone distance R [m], right to left: names and (n, 3) points [m] as in `tooth_section`."""
        parts: dict[str, FloatArray] = {}
        for name, flank in (("right", self.right), ("left", self.left)):
            side = flank.involute.side
            root = self._ring(side * np.linspace(math.pi / self.gear.teeth, flank.root_angle, 6), self.root_cone, R)
            pieces = [flank.fillet.point(np.linspace(0.0, 1.0, points), R)]
            if flank.neck is not None:
                pieces.append(flank.neck.point(np.linspace(0.0, 1.0, 6)[1:], R))
            parts[f"{name} root"] = root
            parts[f"{name} fillet"] = np.concatenate(pieces)
            arcs = np.sqrt(np.linspace(flank.form**2, flank.tip**2, points))
            parts[f"{name} involute"] = flank.involute.point(arcs, R)
        half = float(self.left.involute.half_angle(self.left.tip))
        parts["tip"] = self._ring(np.linspace(-half, half, 8), self.tip_cone, R)
        order = ("right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root")
        return {name: parts[name][::-1] if name.startswith("left") else parts[name] for name in order}

    def _ring(self, azimuth: FloatArray, polar: float, R: float) -> FloatArray:
        p = R * _triad(azimuth, polar)[0]
        p[..., 2] = self.apex + self._placing["away"] * p[..., 2]
        return p


def _tuple(vector: FloatArray) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


# ---- double helical

# Double helical gears: two halves of opposite hand with a gap between them.


@dataclass(frozen=True)
class Half:
    """One half: its teeth in separate axes, at z = shift [m] in the gear, rotated by turn [rad]."""

    teeth: Teeth
    shift: float
    turn: float

    def to_gear(self, points: npt.ArrayLike) -> FloatArray:
        """Points (…, 3) [m] of the half in the axes of the gear."""
        p = np.asarray(points, dtype=np.float64)
        P = (p[..., 0] + 1j * p[..., 1]) * np.exp(1j * self.turn)
        return np.stack([P.real, P.imag, p[..., 2] + self.shift], axis=-1)

    def direction_to_gear(self, vectors: npt.ArrayLike) -> FloatArray:
        """Directions (…, 3), such as normals, in the axes of the gear."""
        return self.to_gear(vectors) - np.array([0.0, 0.0, self.shift])


@names_wrong_arguments
def double_helical(gear: Gear, *, gap: object = 0.0, **options: object) -> tuple[Half, Half]:
    """Return the lower (z < 0) and the upper half of a double helical gear.

    gear: its helix angle is that of the upper half, its face width that of both halves together, without the gap [m].
    The extended teeth of both halves meet in the plane z = 0, where x goes through the middle of tooth 0.
    options: as for `Teeth`.
    """
    if not gear.helix_angle:
        raise ModelError("double_helical: the gear is a spur gear. Specify helix_angle, that of its upper half")
    width = 0.5 * gear.required_face_width("a double helical gear")
    apart = size(gap, "length", "double_helical: gap")
    halves = []
    for sign in (-1.0, 1.0):
        half = gear.with_(helix_angle=sign * gear.helix_angle, face_width=width)
        shift = sign * 0.5 * (width + apart)
        turn = 2.0 * math.tan(half.helix_angle) / half.reference_diameter * shift
        halves.append(Half(Teeth(half, **options), shift, turn))  # type: ignore[arg-type]
    return halves[0], halves[1]


# ---- measures

# What is measured on a gear: span over several teeth, dimension over balls or pins (ISO 21771:2007, 8).
#
# All of the unmodified teeth, the backlash allowance j_s taken into account by the tooth thickness. σ is +1 for
# external and −1 for internal gears.


def _cylindrical(gear: Gear, what: str) -> None:
    if gear.cone_angle or gear.profile_shift_angle:
        kind = "bevel wheel" if gear.cone_angle else "conical involute gear"
        raise ModelError(
            f"{what}: this measurement is not defined for a {kind}. Specify a cylindrical gear", about=what
        )


def span(gear: Gear, teeth: object = None) -> float:
    """Span measurement W_k [m] over k teeth (k spaces of an internal gear); `span_teeth` without a number.

    W_k = m_n cos α_n ((k − 1/2) π + z inv α_t) + σ (2 x m_n sin α_n − j_s cos α_n) .

    The internal gear has its k spaces in place of teeth, for which the sign of x and j_s turns round.
    """
    _cylindrical(gear, "span")
    k = span_teeth(gear) if teeth is None else whole(teeth, "span: teeth")
    m, a = gear.normal_module, gear.normal_pressure_angle
    base = m * math.cos(a) * ((k - 0.5) * math.pi + gear.teeth * involute(gear.transverse_pressure_angle))
    thicker = 2.0 * gear.profile_shift * m * math.sin(a) - gear.backlash_allowance * math.cos(a)
    return base + gear.sense * thicker


def span_diameter(gear: Gear, teeth: object = None) -> float:
    """The diameter [m] on which the planes of the span over k teeth touch: sqrt(d_b² + (W_k cos β_b)²)."""
    return math.hypot(gear.base_diameter, span(gear, teeth) * math.cos(gear.base_helix_angle))


def span_teeth(gear: Gear) -> int:
    """The k whose planes touch nearest to the circle d + 2 σ x m_n, half way up the tooth."""
    _cylindrical(gear, "span")
    wanted = gear.reference_diameter + 2.0 * gear.sense * gear.profile_shift * gear.normal_module
    guess = max(1, round(gear.teeth * gear.transverse_pressure_angle / math.pi))
    return min(range(max(1, guess - 4), guess + 12), key=lambda k: abs(span_diameter(gear, k) - wanted))


def ball_diameter(gear: Gear) -> float:
    """The ball [m] that touches near the circle d + 2 σ x m_n: D = d_b abs(tan(α_v + σ ψ_v) − tan α_v) cos β_b.

    α_v is the transverse profile angle there and ψ_v half the angle of the space. Exact on spur gears.
    """
    _cylindrical(gear, "ball_diameter")
    diameter = max(
        gear.reference_diameter + 2.0 * gear.sense * gear.profile_shift * gear.normal_module,
        gear.base_diameter * 1.001,
    )
    alpha = gear.pressure_angle_at(diameter)
    half = math.pi / gear.teeth - gear.tooth_thickness_at(diameter) / diameter
    return (
        gear.base_diameter
        * abs(math.tan(alpha + gear.sense * half) - math.tan(alpha))
        * math.cos(gear.base_helix_angle)
    )


def over_balls(gear: Gear, ball: object = None) -> float:
    """Dimension over balls of a diameter D_M [m] (between balls in an internal gear); `ball_diameter` without one.

    The centre of the ball lies on the circle d_K = d_b / cos α_Kt,

        inv α_Kt = inv α_t + σ (D_M / (z m_n cos α_n) − (π − z s_t/d) / z) ,

    and  M_dK = d_K + σ D_M  for even z,  d_K cos(π/(2z)) + σ D_M  for odd z. Over pins it is the same on spur gears and
    on helical gears with an even number of teeth.
    """
    _cylindrical(gear, "over_balls")
    D = ball_diameter(gear) if ball is None else positive(ball, "length", "over_balls: ball")
    space = math.pi / gear.teeth - gear.transverse_tooth_thickness / gear.reference_diameter
    reach = D / (gear.teeth * gear.normal_module * math.cos(gear.normal_pressure_angle))
    value = involute(gear.transverse_pressure_angle) + gear.sense * (reach - space)
    if value <= 0.0:
        raise ModelError(
            f"over_balls: a ball of {in_mm(D)} does not touch the involutes. Use a ball diameter close to "
            f"{in_mm(ball_diameter(gear))}"
        )
    centre = gear.base_diameter / math.cos(inverse_involute(value, what="over_balls"))
    across = 1.0 if gear.teeth % 2 == 0 else math.cos(0.5 * math.pi / gear.teeth)
    return centre * across + gear.sense * D


# ---- profile

# The outline of a transverse section, point by point: for pictures, drawings and meshes.


def _line(surface: ToothSurface, low: float, high: float, z: float, points: int, power: float = 1.0) -> ComplexArray:
    t = np.linspace(0.0, 1.0, points) ** power
    return surface.section(low + (high - low) * t, z)


def tooth_section(teeth: Teeth, z: float = 0.0, *, points: int = 24) -> dict[str, FloatArray]:
    """One pitch of the section ζ = z [m]: tooth 0 with half a space on each side, right to left.

    The keys are "right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root", the
    values (points, 2) arrays [m]; each begins where the one before ends. The involutes are spaced so that their chords
    are about equal.
    """
    parts: dict[str, FloatArray] = {}
    for name, flank in (("right", teeth.right), ("left", teeth.left)):
        form, tip = float(flank.form_roll_length(z)), float(flank.tip_roll_length(z))
        lengths = np.sqrt(np.linspace(form**2, tip**2, points))  # arc length of an involute is L²/(2 r_b)
        end = float(flank.fillet.limits(z)[1])
        parts[f"{name} root"] = _plane(_line(flank.root, 0.0, 1.0, z, max(points // 4, 2)))
        parts[f"{name} fillet"] = _plane(_line(flank.fillet, 0.0, end, z, points))
        parts[f"{name} involute"] = _plane(flank.involute.section(lengths, z))
    parts["tip"] = _plane(_line(teeth.tip, -1.0, 1.0, z, max(points // 3, 2)))
    order = ("right root", "right fillet", "right involute", "tip", "left involute", "left fillet", "left root")
    return {name: parts[name][::-1] if name.startswith("left") else parts[name] for name in order}


def outline(teeth: Teeth, z: float = 0.0, *, points: int = 24) -> FloatArray:
    """The whole section ζ = z [m] as one closed polygon, (n, 2) [m], counter-clockwise, its last point the first."""
    pieces = list(tooth_section(teeth, z, points=points).values())
    one = np.concatenate([piece[:-1] for piece in pieces])
    pitch = one[:, 0] + 1j * one[:, 1]
    turns = np.exp(1j * teeth.gear.angular_pitch * np.arange(teeth.gear.teeth))
    closed = (turns[:, None] * pitch).ravel()
    return _plane(np.append(closed, closed[0]))


def _plane(section: ComplexArray) -> FloatArray:
    return np.stack([section.real, section.imag], axis=-1)


# ---- section moments

# Area and polar second moment of the sections of teeth, from their exact outline.
#
# By Gauss's theorem the area inside an outline is A = ½ ∮ Im(P̄ dP) , its polar second moment J = ¼ ∮ abs(P)² Im(P̄
# dP) ; radii contribute nothing, so that the seven curves of one tooth, from the middle of one space to that of the
# next, make one z-th of both. Each curve is analytic: Gauss's rule takes the integrals to rounding. A helical tooth
# is a turned section: A and J are the same in all of its sections.
#
# All lines of a straight bevel tooth go through its apex, so that its outline is a curve on the unit sphere. There
# the integral of a function of the polar angle γ over the area inside the outline is ∮ g(γ) dφ , g' = f sin γ :
#
# f = 1: 1 − cos γ , 1 − cos γ: ½ (1 − cos γ)² , (1 − cos γ)²: ⅓ (1 − cos γ)³ , sin² γ: ⅓ (1 − cos γ)² (2 + cos γ)
#
# Heights are those below the sphere, 1 − cos γ: no figures are lost on flat cones, whose apex is far away.

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
