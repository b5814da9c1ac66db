"""What a rack leaves on the wheel that rolls with it: root and fillet, as exact envelopes.

The rack moves by s = rφ while the wheel turns by φ. A point of the rack touches the wheel where its normal passes
through the pitch point (Willis). For a point (X, Y) of the section at ζ with the normal (1, q) that is s = Xq − Y, so

    P = e^{−iφ} (r + X_ζ + i X_ζ q) ,   φ = (X_ζ q − Y − ζ tan β') / r ,   X_ζ = X + ζ tan θ .

For q = cot α_t constant this is the involute, for a rounded tip the trochoid-like fillet, for q = 0 the root.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..arrays import along
from .arrays import ComplexArray, FloatArray
from .generating_rack import GeneratingRack, RackCurve
from .surface import SectionDerivatives, ToothSurface, space_point

__all__ = ["RackEnvelope", "RackFillet", "RackRoot"]


class RackEnvelope(ToothSurface):
    """The envelope of one curve of the rack; side +1 for the left flank of tooth 0, −1 for the right."""

    def __init__(self, rack: GeneratingRack, side: float) -> None:
        self.rack, self.side = rack, side
        self.facing = -side

    @abstractmethod
    def curve(self, u: FloatArray) -> RackCurve:
        """The curve of the rack in the transverse section ζ = 0."""

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""
        a, b = along(u, z)
        c, r = self.curve(a), self.rack.reference_radius
        X = c.X + b * self.rack.rise
        phi = (X * c.q - c.Y - b * self.rack.slant) / r
        P: ComplexArray = np.exp(-1j * phi) * (r + X + 1j * X * c.q)
        return P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives, in closed form."""
        a, b = along(u, z)
        c, r, rise = self.curve(a), self.rack.reference_radius, self.rack.rise
        X = c.X + b * rise
        B_u, B_z = c.X1 * c.q + X * c.q1, c.q * rise
        B_uu, B_uz = c.X2 * c.q + 2.0 * c.X1 * c.q1 + X * c.q2, c.q1 * rise
        V = r + X + 1j * X * c.q
        V_u, V_z, V_uu, V_uz = c.X1 + 1j * B_u, rise + 1j * B_z, c.X2 + 1j * B_uu, 1j * B_uz
        phi = (X * c.q - c.Y - b * self.rack.slant) / r
        f_u, f_z, f_uu, f_uz = (B_u - c.Y1) / r, (B_z - self.rack.slant) / r, (B_uu - c.Y2) / r, B_uz / r
        turn = np.exp(-1j * phi)
        return SectionDerivatives(
            P=turn * V,
            u=turn * (V_u - 1j * f_u * V),
            z=turn * (V_z - 1j * f_z * V),
            uu=turn * (V_uu - 2j * f_u * V_u - (1j * f_uu + f_u**2) * V),
            uz=turn * (V_uz - 1j * (f_u * V_z + f_z * V_u + f_uz * V) - f_u * f_z * V),
            zz=turn * (-2j * f_z * V_z - f_z**2 * V),
        )


class RackRoot(RackEnvelope):
    """The root circle (cone of a beveloid) from the middle of the space, u = 0, to the fillet, u = 1."""

    def curve(self, u: FloatArray) -> RackCurve:
        """The flat land of the rack."""
        return self.rack.land_curve(u, self.side)

    def normal(self, u: npt.ArrayLike, z: npt.ArrayLike) -> FloatArray:
        """That of the land of the rack, turned with the wheel; also where a full radius leaves no land."""
        P = self.section(u, z)
        theta = self.rack.tilt
        return space_point(P / np.abs(P) * math.cos(theta), -math.sin(theta))

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """0 and 1."""
        zero = np.zeros_like(np.asarray(z, dtype=np.float64))
        return zero, zero + 1.0


class RackFillet(RackEnvelope):
    """The fillet cut by the rounded tip of the rack (0 <= u <= 1) and its protuberance flank (1 <= u <= 2)."""

    def __init__(self, rack: GeneratingRack, side: float) -> None:
        super().__init__(rack, side)
        self.last = 2.0 if rack.protuberance else 1.0
        self.end: Callable[[FloatArray], FloatArray] | None = None
        """Gives u where the involute begins, over ζ; None: to the end of the rack curve."""

    def curve(self, u: FloatArray) -> RackCurve:
        """Rounded tip and protuberance of the rack."""
        return self.rack.tip_curve(u, self.side)

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """From the root, 0, to where the involute begins."""
        zz = np.asarray(z, dtype=np.float64)
        return np.zeros_like(zz), np.full_like(zz, self.last) if self.end is None else self.end(zz)
