"""The rack that generates a wheel, its curves, and derivatives of the surfaces of teeth.

The rack that generates a wheel, and what its flanks and rounded tips look like in the transverse section.

The reference plane of the rack may be tilted by the angle θ against the axis of the wheel: the rack then cuts deeper at
one end than at the other, which makes a conical involute wheel, a *beveloid*. With x radial, y along the motion of the
rack and z along the axis, the rack has the directions

    d  = (cos θ, 0, −sin θ)                          out of its reference plane
    e₂ = (−sin θ sin β, cos β, −cos θ sin β)         across its teeth, in the reference plane
    g  ∝ (tan θ, tan β', 1),  tan β' = tan β / cos θ   along its teeth.

Everything of the rack is a cylinder along g, so that a transverse section at ζ is that at ζ = 0 moved by ζ (tan θ,
tan β'). A point C_d d + s C_e e₂ of the normal section appears in the transverse section ζ = 0 at

    X = x m_n + C_d / cos θ ,   Y = s C_e / cos β + C_d tan θ tan β .

A flank of the profile angle α (s = +1 left, −1 right) has the normal n = d sin α + s e₂ cos α out of the wheel, hence
the transverse pressure angle  tan α_t = (cos θ tan α − s sin θ sin β) / cos β.
(Litvin & Fuentes, Gear Geometry and Applied Theory, 2004, ch. 5, 6, 14 for the method.)
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pitchline.base.arguments import names_wrong_arguments
from pitchline.base.types import ComplexArray, FloatArray, IntArray
from pitchline.errors import ModelError, shown

from ..geometry.gear import Gear
from ..geometry.inputs import in_deg, in_mm
from ..geometry.rack import root_radius

__all__ = [
    "ComplexArray",
    "FloatArray",
    "IntArray",
    "GeneratingRack",
    "RackCurve",
    "basic_rack",
    "Forms",
    "SectionDerivatives",
    "ToothSurface",
    "space_point",
]


# ---- arrays

# The arrays of this folder.


@dataclass(frozen=True)
class RackCurve:
    """X, Y of the transverse rack section [m] and q = n_y/n_x of its normal, with derivatives by the parameter."""

    X: FloatArray
    Y: FloatArray
    q: FloatArray
    X1: FloatArray
    Y1: FloatArray
    q1: FloatArray
    X2: FloatArray
    Y2: FloatArray
    q2: FloatArray


@dataclass(frozen=True, kw_only=True)
class GeneratingRack:
    """The rack as a tool; lengths in m, angles in rad.

    Attributes
    ----------
    reference_radius
        r of the wheel: rolls on the line X = 0 of the rack.
    half_space
        w: half the space of the rack in its reference plane, normal section: π m_n/4 − j_s/2.
    protuberance
        Protuberance of the rounded tip over the straight flank.
    protuberance_angle
        Profile angle of the flank from the rounded tip to the straight flank.
    """

    reference_radius: float
    module: float
    pressure_angle: float
    helix_angle: float
    tilt: float
    shift: float
    half_space: float
    depth: float
    radius: float
    protuberance: float
    protuberance_angle: float

    @classmethod
    def of(cls, gear: Gear, *, tilt: float, protuberance: float, protuberance_angle: float | None) -> GeneratingRack:
        """The rack of a gear: its basic rack turned over, its teeth thicker by the backlash allowance."""
        m, alpha = gear.normal_module, gear.normal_pressure_angle
        radius = root_radius(gear)
        if not protuberance:
            slope = alpha
        elif protuberance_angle is None:
            # the rounded tip reaches that angle before it falls behind the flank: ρ (1 − cos(α − α_pr)) < protuberance
            turn = math.acos(max(1.0 - protuberance / radius, 0.0)) if radius else 0.5 * math.pi
            slope = max(0.5 * alpha, alpha - 0.7 * turn)
        else:
            slope = protuberance_angle
        rack = cls(
            reference_radius=0.5 * gear.reference_diameter,
            module=m,
            pressure_angle=alpha,
            helix_angle=gear.helix_angle,
            tilt=tilt,
            shift=gear.profile_shift * m,
            half_space=0.25 * math.pi * m - 0.5 * gear.backlash_allowance,
            depth=gear.dedendum_factor * m,
            radius=radius,
            protuberance=protuberance,
            protuberance_angle=slope,
        )
        rack._check()
        return rack

    def _check(self) -> None:
        if not 0.0 < self.protuberance_angle <= self.pressure_angle:
            raise ModelError(
                f"teeth: protuberance_angle must be greater than 0 and at most the pressure angle of "
                f"{in_deg(self.pressure_angle)}, got {in_deg(self.protuberance_angle)}"
            )
        middle = 0.5 * math.pi * self.module
        if self.centre[1] > middle * (1.0 + 1e-9):
            raise ModelError(
                f"teeth: the rounded tip of the rack ({in_mm(self.radius)}) is wider than the rack tooth by "
                f"{in_mm(2.0 * (self.centre[1] - middle))}; reduce root_radius_factor or dedendum_factor"
            )
        if self.protuberance and self.corner[0] <= self.end[0]:
            raise ModelError(
                f"teeth: protuberance {in_mm(self.protuberance)} with protuberance_angle "
                f"{in_deg(self.protuberance_angle)} does not meet the straight flank. Specify an angle closer to the pressure "
                "angle, or a larger protuberance"
            )

    # ------------------------------------------------------------------------- normal section: (C_d, C_e) of the tip

    @property
    def centre(self) -> tuple[float, float]:
        """(C_d, C_e) of the rounded tip [m]: C_d = −h_fP + ρ, n·C = w cos α + ρ − protuberance."""
        sine, cosine = math.sin(self.pressure_angle), math.cos(self.pressure_angle)
        deep = self.radius - self.depth
        return deep, self.half_space + (self.radius - self.protuberance - sine * deep) / cosine

    @property
    def end(self) -> tuple[float, float]:
        """(d, e) where the rounded tip ends towards the flank [m]."""
        a, c = self.protuberance_angle, self.centre
        return c[0] - self.radius * math.sin(a), c[1] - self.radius * math.cos(a)

    @property
    def corner(self) -> tuple[float, float]:
        """(d, e) where the straight flank of the rack begins [m]: on the rounded tip, or on the protuberance flank."""
        a, b, (d, e) = self.pressure_angle, self.protuberance_angle, self.end
        if not self.protuberance:
            return d, e
        known = np.array([self.half_space * math.cos(a), d * math.sin(b) + e * math.cos(b)])
        found = np.linalg.solve(np.array([[math.sin(a), math.cos(a)], [math.sin(b), math.cos(b)]]), known)
        return float(found[0]), float(found[1])

    @property
    def full_radius(self) -> bool:
        """Whether the rounded tip has no flat land."""
        return abs(self.centre[1] - 0.5 * math.pi * self.module) <= 1e-9 * self.module

    # ----------------------------------------------------------------------------------------- transverse section

    @property
    def rise(self) -> float:
        """tan θ: profile shift per face width."""
        return math.tan(self.tilt)

    @property
    def slant(self) -> float:
        """tan β' = tan β / cos θ: motion of the rack section per face width."""
        return math.tan(self.helix_angle) / math.cos(self.tilt)

    def transverse(self, d: float, e: float, side: float) -> tuple[float, float]:
        """(X, Y) [m] of a point of the normal section, in the transverse section ζ = 0."""
        beta, theta = self.helix_angle, self.tilt
        return (
            self.shift + d / math.cos(theta),
            side * e / math.cos(beta) + d * math.tan(theta) * math.tan(beta),
        )

    def transverse_pressure_angle(self, side: float) -> float:
        """α_t of the left (+1) or right (−1) flank [rad]."""
        theta, beta = self.tilt, self.helix_angle
        tangent = math.cos(theta) * math.tan(self.pressure_angle) - side * math.sin(theta) * math.sin(beta)
        if tangent <= 0.0:
            raise ModelError(
                f"teeth: with a profile shift angle of {in_deg(theta)} and a helix angle of {in_deg(beta)} one flank "
                "would have no positive pressure angle. Reduce one of them"
            )
        return math.atan(tangent / math.cos(beta))

    def _normals(self, psi: FloatArray, side: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """q(ψ) = n_y/n_x and two derivatives; n = d cos ψ + s e₂ sin ψ."""
        ct, st = math.cos(self.tilt), math.sin(self.tilt)
        cb, sb = math.cos(self.helix_angle), math.sin(self.helix_angle)
        c, s = np.cos(psi), np.sin(psi)
        nx, nx1 = ct * c - side * st * sb * s, -ct * s - side * st * sb * c
        slope = side * cb * ct / nx**2
        return side * cb * s / nx, slope, -2.0 * slope * nx1 / nx

    def tip_curve(self, u: FloatArray, side: float) -> RackCurve:
        """The rack from its rounded tip (0 <= u <= 1) over the protuberance flank (1 <= u <= 2) to its straight flank.

        On the arc, ψ = u (π/2 − α_pr):  (d, e) = C − ρ (cos ψ, sin ψ); beyond it a straight line.
        """
        theta, beta = self.tilt, self.helix_angle
        last = 0.5 * math.pi - self.protuberance_angle
        on_arc = u <= 1.0
        psi = np.where(on_arc, u, 1.0) * last
        t = np.where(on_arc, 0.0, u - 1.0)
        (cd, ce), start, stop = self.centre, self.end, self.corner
        line_d, line_e = stop[0] - start[0], stop[1] - start[1]
        c, s, rho = np.cos(psi), np.sin(psi), self.radius
        d, e = cd - rho * c + t * line_d, ce - rho * s + t * line_e
        d1 = np.where(on_arc, rho * s * last, line_d)
        e1 = np.where(on_arc, -rho * c * last, line_e)
        d2 = np.where(on_arc, rho * c * last**2, 0.0)
        e2 = np.where(on_arc, rho * s * last**2, 0.0)
        q, q1, q2 = self._normals(psi, side)
        a, f, h = 1.0 / math.cos(theta), math.tan(theta) * math.tan(beta), side / math.cos(beta)
        return RackCurve(
            X=self.shift + a * d, Y=h * e + f * d, q=q,
            X1=a * d1, Y1=h * e1 + f * d1, q1=np.where(on_arc, q1 * last, 0.0),
            X2=a * d2, Y2=h * e2 + f * d2, q2=np.where(on_arc, q2 * last**2, 0.0),
        )  # fmt: skip

    def land_curve(self, u: FloatArray, side: float) -> RackCurve:
        """The flat land of the rack, from the middle of its tooth (u = 0) to the rounded tip (u = 1)."""
        x, y0 = self.transverse(-self.depth, 0.5 * math.pi * self.module, side)
        _, y1 = self.transverse(-self.depth, self.centre[1], side)
        zero = np.zeros_like(u)
        return RackCurve(
            X=x + zero, Y=y0 + u * (y1 - y0), q=zero, X1=zero, Y1=zero + (y1 - y0), q1=zero, X2=zero, Y2=zero, q2=zero
        )


# ---- iso53

# The basic rack profiles of ISO 53.

_PROFILES = {"A": (1.25, 0.38), "B": (1.25, 0.30), "C": (1.25, 0.25), "D": (1.40, 0.39)}


@names_wrong_arguments
def basic_rack(profile: str) -> dict[str, object]:
    """Return the arguments of a `Gear` for a basic rack of ISO 53:1998, such as ``Gear(..., **basic_rack("D"))``.

    α_n = 20°, h*_aP = 1; A for high torques (h*_fP 1.25, ρ*_fP 0.38), B and C for normal use (ρ*_fP 0.30, 0.25), D
    with almost a full root radius (h*_fP 1.40, ρ*_fP 0.39).
    """
    key = str(profile).upper()
    if key not in _PROFILES:
        raise ModelError(f'basic_rack: ISO 53 has the profiles "A", "B", "C" and "D", got {shown(profile)}')
    depth, radius = _PROFILES[key]
    return {
        "normal_pressure_angle": "20 deg",
        "addendum_factor": 1.0,
        "dedendum_factor": depth,
        "root_radius_factor": radius,
    }


# ---- surface

# Surfaces of a tooth as functions: point, normal and curvature over (profile, face) coordinates.
#
# Every surface of a cylindrical or conical wheel is a family of transverse sections. A section is written as a
# complex number, so that rotations are products:
#
# p(u, ζ) = (Re P(u, ζ), Im P(u, ζ), ζ) ,
#
# with the face coordinate ζ along the axis of the gear [m]. From P and its derivatives follow the tangents, the two
# fundamental forms and the principal curvatures (do Carmo, Differential Geometry of Curves and Surfaces, 1976, ch.
# 3).


class SectionDerivatives(NamedTuple):
    """P and its partial derivatives by u and ζ; complex arrays of one shape."""

    P: ComplexArray
    u: ComplexArray
    z: ComplexArray
    uu: ComplexArray
    uz: ComplexArray
    zz: ComplexArray


class Forms(NamedTuple):
    """First fundamental form E, F, G and second one L, M, N of the outward normal, L = −n·p_uu: convex is positive."""

    E: FloatArray
    F: FloatArray
    G: FloatArray
    L: FloatArray
    M: FloatArray
    N: FloatArray


def space_point(section: ComplexArray, z: npt.ArrayLike) -> FloatArray:
    """(…, 3) from a transverse section and the axial coordinate."""
    P, zz = np.broadcast_arrays(section, np.asarray(z, dtype=np.float64))
    return np.stack([P.real, P.imag, zz], axis=-1)


class ToothSurface(ABC):
    """One surface of tooth 0: u runs from the middle of the space to the tip of the tooth, ζ along the axis [m].

    Arrays u and ζ of any shapes that broadcast; all points in the axes of the gear [m].
    """

    facing: float
    """Sign of p_u × p_ζ that makes the normal point out of the material."""

    @abstractmethod
    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""

    @abstractmethod
    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives, in closed form."""

    @abstractmethod
    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Where the surface begins and ends in u at the face coordinates ζ."""

    # ------------------------------------------------------------------------------------------- what follows from them

    def point(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """p(u, ζ) [m], (…, 3)."""
        return space_point(self.section(u, z), z)

    def tangents(self, u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """p_u and p_ζ, (…, 3) each."""
        d = self.derivatives(u, z)
        return space_point(d.u, 0.0), space_point(d.z, 1.0)

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material, (…, 3)."""
        n = self.facing * np.cross(*self.tangents(u, z))
        unit: FloatArray = n / np.linalg.norm(n, axis=-1, keepdims=True)
        return unit

    def forms(self, u: npt.ArrayLike, z: npt.ArrayLike) -> Forms:
        """Both fundamental forms."""
        d = self.derivatives(u, z)
        n = self.normal(u, z)
        across = n[..., 0] - 1j * n[..., 1]  # Re(across · Q) is n · q for a transverse vector q
        E = np.abs(d.u) ** 2
        F = (np.conj(d.u) * d.z).real
        G = np.abs(d.z) ** 2 + 1.0
        return Forms(E, F, G, -(across * d.uu).real, -(across * d.uz).real, -(across * d.zz).real)

    def curvatures(self, u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Principal curvatures k_1 >= k_2 [1/m], positive where the material is convex.

        The roots of  (EG − F²) k² − (EN − 2FM + GL) k + (LN − M²) = 0 .
        """
        E, F, G, L, M, N = self.forms(u, z)
        area = E * G - F * F
        mean = 0.5 * (E * N - 2.0 * F * M + G * L) / area
        gauss = (L * N - M * M) / area
        root = np.sqrt(np.maximum(mean * mean - gauss, 0.0))
        return mean + root, mean - root
