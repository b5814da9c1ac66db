"""Contact law of rollers, with integration points along the roller: ISO/TS 16281:2008.

For a roller at the angle φ, p is the approach of the raceways at its middle, and τ their tilt along it,

    p = cos α (c e_1 + s e_2) + d sin α e_3 + l τ + p_0,   τ = s e_4 - c e_5,   l = d R sin α - z cos α,   δ(x) = p - x τ - 2 P(x),

R is half the pitch diameter, d the direction and z the position of the row, P the profile of the roller. The load per length is
q = k L^(-1/9) δ^(10/9) with k = 35948 N/mm² for steel, so that a slice of the standard carries q L/n_s. Weighted Gauss points
are used in place of slices of equal length. p_0 = -½ s cos α for the radial clearance s.

Both profiles are combined in one gap, and the roller has the mean tilt of the rings. Flanges carry no load here. Self-aligning
bearings (spherical rollers) have no resistance to tilt: l = 0 and no τ in δ.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from .law import Array, ContactLaw, ContactState

__all__ = ["LINE_STIFFNESS", "RollerLaw"]

LINE_STIFFNESS = 35948e6
"""k [N/m²] of steel rollers between steel rings."""


@dataclasses.dataclass(frozen=True, eq=False)
class RollerLaw(ContactLaw):
    """Contact law of roller bearings, SI units."""

    rolling: ClassVar[str] = "roller"
    angle: float  # α
    approach: float  # p_0, with the offset of a preload
    aligning: bool
    points: Array  # x along the roller, m
    gaps: Array  # 2 P(x), m
    weights: Array  # N/m^(10/9): load of a point at δ = 1
    pressure: tuple[float, float]  # p = c √(load per length) inside and outside
    lengths: Array  # length of roller that a point represents, m

    def levers(self, direction: Array, position: Array) -> Array:
        """l of a row."""
        if self.aligning:
            return np.zeros_like(direction)
        return self.lever * np.sin(self.angle) * direction - position * np.cos(self.angle)

    def at(self, e: Array) -> ContactState:
        c, s = self.waves(e)
        d = np.array([row.direction for row in self.rows])[:, None]
        arm = self.levers(d, np.array([row.position for row in self.rows])[:, None])
        ca, sa, nu, zero = np.cos(self.angle), np.sin(self.angle), self.cage_ratio, np.zeros_like(c)
        turned, tilt = c * e[3] + s * e[4], s * e[3] - c * e[4]
        p = ca * (c * e[0] + s * e[1]) + d * sa * e[2] + arm * tilt + self.approach
        by_p = np.stack(
            [ca * c, ca * s, d * sa + zero, arm * s, -arm * c, nu * (ca * (c * e[1] - s * e[0]) + arm * turned)]
        )
        x = np.zeros_like(self.points) if self.aligning else self.points
        by_t = np.stack([zero, zero, zero, s, -c, nu * turned])
        delta = p[..., None] - tilt[..., None] * x - self.gaps
        delta = np.where(np.real(delta) > 0.0, delta, 0.0)
        root = np.where(np.real(delta) > 0.0, delta, 1.0) ** (1.0 / 9.0)
        q = self.weights * delta * root
        k = np.where(np.real(delta) > 0.0, 10.0 / 9.0 * self.weights * root, 0.0)
        Q, M = q.sum(axis=-1), -(q * x).sum(axis=-1)
        w = np.einsum("irj,rj->i", by_p, Q) + np.einsum("irj,rj->i", by_t, M)
        pairs = ((by_p, by_p, k), (by_p, by_t, -x * k), (by_t, by_p, -x * k), (by_t, by_t, x * x * k))
        K = sum(np.einsum("irj,rj,krj->ik", left, part.sum(axis=-1), right) for left, right, part in pairs)
        # gradients rotate with the cage
        cross = np.stack([-ca * s, ca * c, zero, arm * c, arm * s]) * Q + np.stack([zero, zero, zero, c, s]) * M
        K[5, :5] += nu * cross.sum(axis=(1, 2))
        K[:5, 5] += nu * cross.sum(axis=(1, 2))
        K[5, 5] -= nu * nu * np.sum(Q * (ca * (c * e[0] + s * e[1]) + arm * tilt) + M * tilt)
        flange = self.flange.at(e[2])
        w[2] += flange[1]
        K[2, 2] += flange[2]
        V = 9.0 / 19.0 * (q * delta).sum() + flange[0]
        highest = np.max(np.real(q) / self.lengths, axis=-1)
        angles, pressures = d * self.angle + zero, max(self.pressure) * np.sqrt(highest)
        return ContactState(V, w, K, self.times * Q, angles, pressures)

    def slices(self, e: Array, count: int, profile_gaps: Array) -> Array:
        """Loads of slices of equal length [N], (rows, rollers, slices), as required for the life of ISO/TS 16281.

        They are those of a real roller at each position, also if the stiffness is distributed evenly.
        """
        length = float(self.lengths.sum())
        middle = (np.arange(count) + 0.5) / count - 0.5
        weight = LINE_STIFFNESS * length ** (8.0 / 9.0) / count
        equal = dataclasses.replace(
            self,
            points=middle * length,
            gaps=profile_gaps,
            weights=np.full(count, weight),
            lengths=np.full(count, length / count),
        )
        return equal._slice_loads(e)

    def _slice_loads(self, e: Array) -> Array:
        c, s = self.waves(e)
        d = np.array([row.direction for row in self.rows])[:, None]
        arm = self.levers(d, np.array([row.position for row in self.rows])[:, None])
        tilt = s * e[3] - c * e[4]
        p = np.cos(self.angle) * (c * e[0] + s * e[1]) + d * np.sin(self.angle) * e[2] + arm * tilt + self.approach
        x = np.zeros_like(self.points) if self.aligning else self.points
        delta = np.maximum(p[..., None] - tilt[..., None] * x - self.gaps, 0.0)
        return self.weights * delta ** (10.0 / 9.0)
