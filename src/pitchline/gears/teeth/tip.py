"""The tip of a tooth: a strip of the tip cylinder, or of the tip cone of a beveloid, between its two flanks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..arrays import along
from .arrays import ComplexArray, FloatArray
from .surface import SectionDerivatives, ToothSurface

__all__ = ["TipLand"]


class TipLand(ToothSurface):
    """u = −1 at the right flank, +1 at the left one.

    P = r(ζ) e^{iϑ},  ϑ = ((1 + u) ϑ_left(ζ) + (1 − u) ϑ_right(ζ)) / 2 ,  r = r_a + ζ tan θ
    """

    def __init__(
        self,
        radius: float,
        rise: float,
        sense: float,
        edge: Callable[[FloatArray, float], tuple[FloatArray, FloatArray, FloatArray]],
    ) -> None:
        self.radius, self.rise, self._edge = radius, rise, edge
        self.facing = sense

    def limits(self, z: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """−1 and 1."""
        one = np.ones_like(np.asarray(z, dtype=np.float64))
        return -one, one

    def section(self, u: npt.ArrayLike, z: npt.ArrayLike) -> ComplexArray:
        """P(u, ζ) [m]."""
        return self.derivatives(u, z).P

    def derivatives(self, u: npt.ArrayLike, z: npt.ArrayLike) -> SectionDerivatives:
        """P with its first and second derivatives."""
        a, b = along(u, z)
        left, left1, left2 = self._edge(b, 1.0)
        right, right1, right2 = self._edge(b, -1.0)
        f = 0.5 * ((1.0 + a) * left + (1.0 - a) * right)
        f_z = 0.5 * ((1.0 + a) * left1 + (1.0 - a) * right1)
        f_zz = 0.5 * ((1.0 + a) * left2 + (1.0 - a) * right2)
        f_u, f_uz = 0.5 * (left - right), 0.5 * (left1 - right1)
        r, k = self.radius + self.rise * b, self.rise
        e = np.exp(1j * f)
        return SectionDerivatives(
            P=r * e,
            u=1j * f_u * r * e,
            z=(k + 1j * f_z * r) * e,
            uu=-(f_u**2) * r * e,
            uz=(1j * f_uz * r + 1j * f_u * (k + 1j * f_z * r)) * e,
            zz=(2j * f_z * k + 1j * f_zz * r - f_z**2 * r) * e,
        )
