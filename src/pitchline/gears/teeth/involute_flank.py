"""The working flank of a wheel: an involute helicoid.

A plane rack flank makes an involute helicoid, also on beveloids, where left and right flank have base cylinders and
leads of their own. With the base radius r_b, the roll length L (from the base cylinder along the tangent, which is also
the radius of curvature of the transverse section), the side s (+1 left, −1 right), σ (+1 external, −1 internal), c = sσ
and the angle η of the half tooth at the base cylinder,

    P(L, ζ) = e^{iτ} (r_b + i c L) ,   τ = c (η − L/r_b) + κ ζ ,   κ = tan β_b / r_b ,
    n = s (e_t(τ) − tan β_b e_z) cos β_b ,      principal curvatures  σ cos β_b / L  and 0 .

L = sqrt(r_y² − r_b²) at the radius r_y; L = 0 on the base cylinder, where the curvature has no bound.
(ISO 21771:2007, 4 and 5; Litvin & Fuentes 2004, 14.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import along
from .arrays import ComplexArray, FloatArray
from .generating_rack import GeneratingRack
from .surface import SectionDerivatives, ToothSurface, space_point

__all__ = ["InvoluteFlank", "rack_flank"]


@dataclass(frozen=True, kw_only=True)
class InvoluteFlank(ToothSurface):
    """The profile coordinate u is the roll length L [m].

    Attributes
    ----------
    side, sense
        s: +1 left flank, −1 right flank; σ: +1 external, −1 internal.
    base_radius
        r_b [m]
    base_angle
        η [rad]: from the middle of the tooth to the beginning of the involute, ζ = 0.
    twist
        κ [rad/m]: how much the flank turns along the face.
    pressure_angle
        α_t [rad] on the reference cylinder.
    """

    side: float
    sense: float
    base_radius: float
    base_angle: float
    twist: float
    pressure_angle: float

    @property
    def facing(self) -> float:  # type: ignore[override]
        """Sign of p_L × p_ζ that points out of the material."""
        return -self.side

    @property
    def curl(self) -> float:
        """c = sσ."""
        return self.side * self.sense

    @property
    def base_helix_angle(self) -> float:
        """β_b [rad], positive right-hand: tan β_b = r_b κ."""
        return math.atan(self.base_radius * self.twist)

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The complete involute, from the base cylinder outwards without end. The tooth defines its end."""
        zero = np.zeros_like(np.asarray(z, dtype=np.float64))
        return zero, zero + np.inf

    # --------------------------------------------------------------------------------------------------- coordinates

    def roll_length(self, radius: npt.ArrayLike) -> FloatArray:
        """L = sqrt(r² − r_b²) [m] at a radius [m]; 0 inside the base cylinder."""
        r = np.asarray(radius, dtype=np.float64)
        return np.sqrt(np.maximum((r - self.base_radius) * (r + self.base_radius), 0.0))

    def radius(self, length: npt.ArrayLike) -> FloatArray:
        """r = sqrt(r_b² + L²) [m]."""
        return np.hypot(self.base_radius, np.asarray(length, dtype=np.float64))

    def direction(self, length: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """τ [rad]: where the base cylinder is touched by the transverse normal."""
        L, zz = along(length, z)
        tau: FloatArray = self.curl * (self.base_angle - L / self.base_radius) + self.twist * zz
        return tau

    def half_angle(self, radius: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """Polar angle of the flank at a radius, counted from the x axis towards its side [rad]."""
        t = self.roll_length(radius) / self.base_radius
        turned = self.sense * (self.base_angle - (t - np.arctan(t)))
        result: FloatArray = turned + self.side * self.twist * np.asarray(z, dtype=np.float64)
        return result

    # ------------------------------------------------------------------------------------------------------- surface

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(L, ζ) [m]."""
        L, zz = along(u, z)
        P: ComplexArray = np.exp(1j * self.direction(L, zz)) * (self.base_radius + 1j * self.curl * L)
        return P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P_L = (L/r_b) e_r, P_ζ = iκP, and so on."""
        L, zz = along(u, z)
        tau, r_b, k, c = self.direction(L, zz), self.base_radius, self.twist, self.curl
        e = np.exp(1j * tau)
        P = e * (r_b + 1j * c * L)
        P_u = e * (L / r_b)
        return SectionDerivatives(P, P_u, 1j * k * P, e * (1.0 - 1j * c * L / r_b) / r_b, 1j * k * P_u, -(k**2) * P)

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """The unit normal out of the material; regular also on the base cylinder."""
        tau, beta = self.direction(u, z), self.base_helix_angle
        return self.side * space_point(1j * np.exp(1j * tau) * math.cos(beta), -math.sin(beta))

    def curvatures(self, u: npt.ArrayLike, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """σ cos β_b / L and 0, the greater first [1/m]."""
        L, _ = along(u, z)
        with np.errstate(divide="ignore"):
            k = self.sense * math.cos(self.base_helix_angle) / L
        return np.maximum(k, 0.0), np.minimum(k, 0.0)


def rack_flank(rack: GeneratingRack, side: float) -> InvoluteFlank:
    """The external flank made by the straight flank of a rack.

    In the section ζ the rack flank has moved by ζ (tan θ, tan β'), which is ζ (sin α_t tan θ + s cos α_t tan β')
    across it: so far the involute is unrolled from its base circle.
    """
    alpha = rack.transverse_pressure_angle(side)
    r = rack.reference_radius
    half = rack.half_space / math.cos(rack.helix_angle) + rack.shift * math.tan(alpha)
    across = math.sin(alpha) * rack.rise + side * math.cos(alpha) * rack.slant
    r_b = r * math.cos(alpha)
    return InvoluteFlank(
        side=side,
        sense=1.0,
        base_radius=r_b,
        base_angle=half / r + math.tan(alpha) - alpha,
        twist=side * across / r_b,
        pressure_angle=alpha,
    )
