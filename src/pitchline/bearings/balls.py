"""Contact law of balls between two grooves: ISO/TS 16281:2008; de Mul, Vree and Maas (1989).

a and b are the radial and axial distance between the centres of the grooves at a ball. A is their distance when the ball just
touches.

    a = a_0 + c e_1 + s e_2 + z (c e_5 - s e_4),   b = b_0 + d (e_3 + R (s e_4 - c e_5)),   l = √(a² + b²),   δ = l - A,

V = 2/5 c_p δ^(5/2), Q = c_p δ^(3/2). R is half the pitch diameter, d the direction and z the position of the row. The same R
is used in kinematics and moments, so that the forces have a potential. l is the norm of an affine function of e; therefore V
is convex. An angular contact bearing has a shoulder on one side only: if b < 0, its balls touch the bottom of the groove, l = a.

With a centrifugal force F on a ball, V is the minimum of V_i + V_e - F r over the position of its centre, see `ball_centre`.
"""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import numpy as np

from .ball_centre import settled
from .law import Array, ContactLaw, ContactState

__all__ = ["BallLaw"]


@dataclasses.dataclass(frozen=True, eq=False)
class BallLaw(ContactLaw):
    """Contact law of ball bearings, SI units."""

    rolling: ClassVar[str] = "ball"
    distance: float  # A
    radial: float  # a_0
    axial: float  # b_0, with the offset of a preload
    one_sided: bool
    stiffness: tuple[float, float]  # of the contacts with the inner and the outer ring, N/m^(3/2)
    pressure: tuple[float, float]  # p = c Q^(1/3) of both
    lengths: tuple[float, float]  # from the ball centre to the centres of the grooves, when it just touches
    centrifugal: float = 0.0  # force on a ball, N

    @property
    def both(self) -> float:
        """c_p of the two contacts in series."""
        return float(sum(k ** (-2.0 / 3.0) for k in self.stiffness) ** -1.5)

    def at(self, e: Array) -> ContactState:
        c, s = self.waves(e)
        d = np.array([row.direction for row in self.rows])[:, None]
        z = np.array([row.position for row in self.rows])[:, None]
        nu, R, zero = self.cage_ratio, self.lever, np.zeros_like(c)
        radial = c * e[0] + s * e[1] + z * (c * e[4] - s * e[3])
        tilt = R * (s * e[3] - c * e[4])
        turned = np.stack(
            [-s * e[0] + c * e[1] - z * (c * e[3] + s * e[4]), d * R * (c * e[3] + s * e[4])]
        )  # by the angle
        a, b = self.radial + radial, self.axial + d * (e[2] + tilt)
        by_a = np.stack([c, s, zero, -z * s, z * c, nu * turned[0]])
        by_b = np.stack([zero, zero, d + zero, d * R * s, -d * R * c, nu * turned[1]])
        bottom = self.one_sided & (np.real(b) < 0.0)
        by_b = np.where(bottom, 0.0, by_b)
        V, f, H, loads, angles = self._planar(a, np.where(bottom, 0.0, b))
        w = np.einsum("irj,rj->i", by_a, f[0]) + np.einsum("irj,rj->i", by_b, f[1])
        K = sum(
            np.einsum("irj,rj,krj->ik", x, H[m][n], y)
            for m, x in enumerate((by_a, by_b))
            for n, y in enumerate((by_a, by_b))
        )
        # gradients rotate with the cage
        cross = (
            np.stack([-s, c, zero, -z * c, -z * s]) * f[0] + np.stack([zero, zero, zero, d * R * c, d * R * s]) * f[1]
        )
        K[5, :5] += nu * cross.sum(axis=(1, 2))
        K[:5, 5] += nu * cross.sum(axis=(1, 2))
        K[5, 5] -= nu * nu * np.sum(f[0] * radial + f[1] * d * tilt)
        flange = self.flange.at(e[2])
        w[2] += flange[1]
        K[2, 2] += flange[2]
        larger = self.times * np.max(loads, axis=0)
        pressures = np.max([c * np.real(q) ** (1.0 / 3.0) for c, q in zip(self.pressure, loads, strict=True)], axis=0)
        return ContactState(V.sum() + flange[0], w, K, larger, d * angles, pressures)

    def _planar(self, a: Array, b: Array) -> tuple[Array, Any, Any, Array, Array]:
        """Energy, forces and stiffness over a and b of every ball; loads on inner and outer ring, inner contact angles."""
        if self.centrifugal:
            return settled(self, a, b)
        l = np.sqrt(a * a + b * b)
        delta = np.where(np.real(l) > self.distance, l - self.distance, 0.0)
        root = np.sqrt(delta)
        Q, k = self.both * delta * root, 1.5 * self.both * root
        n, t = (a / l, b / l), (-b / l, a / l)
        H = [[k * n[i] * n[j] + Q / l * t[i] * t[j] for j in range(2)] for i in range(2)]
        return 0.4 * Q * delta, (Q * n[0], Q * n[1]), H, np.stack([Q, Q]), np.arctan2(np.real(b), np.real(a))
