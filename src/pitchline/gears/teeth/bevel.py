"""Straight bevel teeth: spherical involutes, with circular fillets on the sphere.

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
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...arguments import names_wrong_arguments
from ...errors import ModelError, shown
from ..arrays import along
from ..gear import Gear
from ..inputs import in_deg, in_mm
from .arrays import FloatArray

__all__ = ["BevelFlank", "BevelTeeth", "ConeSurface", "SphericalArc", "SphericalInvolute"]

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
