"""Contact laws of rolling bearings: material, point and line contact, rollers, flanges.

Contact law of rollers, with integration points along the roller: ISO/TS 16281:2008.

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
import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

__all__ = [
    "MATERIALS",
    "PointContact",
    "RollingMaterial",
    "contact_modulus",
    "line_pressure",
    "point_contact",
    "ContactLaw",
    "ContactState",
    "RowPlace",
    "LINE_STIFFNESS",
    "RollerLaw",
]


# ---- hertz

# Hertzian contacts of rolling elements with raceways, in the form of ISO/TS 16281:2008.
#
# Point contact of a ball: with the sum of curvatures Σρ and their difference F(ρ), the ratio χ of the axes of the
# contact ellipse is the root of 1 - 2/(χ²-1) (K/E - 1) = F(ρ). K and E are the complete elliptic integrals of the
# modulus m = 1 - χ⁻². The load is Q = k δ^(3/2) with k = π χ E' √(2E/(9 Σρ)) K^(-3/2). The pressure in the middle is
# p = c Q^(1/3). Line contact of a roller: p = √(q E' / (2 π R)), q the load per length. E' = 2 / ((1-ν₁²)/E₁ +
# (1-ν₂²)/E₂), which is E/(1-ν²) for one material.


class RollingMaterial(NamedTuple):
    """Material of rolling elements."""

    youngs_modulus: float  # Pa
    poissons_ratio: float
    density: float  # kg/m³


MATERIALS = {"steel": RollingMaterial(210e9, 0.3, 7850.0), "silicon nitride": RollingMaterial(310e9, 0.26, 3200.0)}
"""Materials of rolling elements. Rings are of steel."""


def contact_modulus(material: str) -> float:
    """E' [Pa] of a rolling element on a steel ring."""
    ring, element = MATERIALS["steel"], MATERIALS[material]
    return 2.0 / sum((1.0 - m.poissons_ratio**2) / m.youngs_modulus for m in (ring, element))


class PointContact(NamedTuple):
    """Contact of a ball with one raceway."""

    stiffness: float  # k of Q = k δ^(3/2), N/m^(3/2)
    pressure: float  # c of p = c Q^(1/3), Pa/N^(1/3)
    axes_ratio: float  # χ


def point_contact(ball: float, along: float, groove: float, modulus: float) -> PointContact:
    """Contact of a ball of diameter `ball` [m] with a raceway.

    along: curvature of the raceway in the rolling direction times half the ball diameter: γ/(1-γ) for the inner, -γ/(1+γ) for
    the outer ring. groove: groove radius divided by the ball diameter. modulus: E' [Pa].
    """
    from scipy.optimize import brentq  # late: scipy takes long to import and few models need it

    total = 2.0 + along - 0.5 / groove
    difference = (along + 0.5 / groove) / total

    def excess(chi: float) -> float:
        first, second = _elliptic(chi)
        return float(1.0 - 2.0 / (chi * chi - 1.0) * (first / second - 1.0) - difference)

    chi = brentq(excess, 1.0 + 1e-6, 1e6, xtol=1e-14, rtol=1e-14)
    first, second = _elliptic(chi)
    curvature = 2.0 * total / ball
    stiffness = math.pi * chi * modulus * math.sqrt(2.0 * second / (9.0 * curvature)) * first**-1.5
    # p = 3Q / (2 π a b), a = χ b, b³ = 6 E(m) Q / (π χ E' Σρ)
    b = (6.0 * second / (math.pi * chi * modulus * curvature)) ** (1.0 / 3.0)
    return PointContact(stiffness, 1.5 / (math.pi * chi * b * b), chi)


def _elliptic(chi: float) -> tuple[float, float]:
    from scipy.special import ellipe, ellipkm1  # late: scipy takes long to import and few models need it

    rest = 1.0 / (chi * chi)  # 1 - m, without cancellation if the ellipse is long
    return float(ellipkm1(rest)), float(ellipe(1.0 - rest))


def line_pressure(diameter: float, along: float, modulus: float) -> float:
    """c [Pa/(N/m)^(1/2)] of p = c √q for a roller on a raceway; `along` as in `point_contact`."""
    curvature = 2.0 / diameter * (1.0 + along)  # of both, 1/R
    return math.sqrt(0.5 * modulus * curvature / math.pi)


# ---- law

# Contact laws of rolling bearings over six deflections: energy V(e), its gradient and its second derivative.
#
# e: displacement of the inner ring in axes of the outer ring [m], tilts about x and y [rad], and rotation about z
# [rad], which moves the cage. A law sums rows of rolling elements at the angles φ = phase + 2π j/Z + ν e_6. ν is the
# ratio of cage speed to the relative speed of the rings. All functions also accept complex deflections, so that
# derivatives can be checked by the complex step.

Array = np.ndarray[Any, Any]


class RowPlace(NamedTuple):
    """Position of a row of rolling elements."""

    direction: float = 1.0  # of the axial force on the inner ring that its contact angle supports: +1 or -1 along z
    position: float = 0.0  # along z, m
    phase: float = 0.0  # angle of its first rolling element from x, rad


class ContactState(NamedTuple):
    """Bearing at a deflection. Arrays have one row for each row of the bearing and one column for each rolling element."""

    energy: Any
    force: Array  # (6,) gradient of the energy: force of the inner ring on the bearing, N and N m
    stiffness: Array  # (6, 6)
    loads: Array  # of each rolling element, N; several positions for each if the stiffness is distributed evenly
    angles: Array  # contact angles [rad], positive towards +z
    pressures: Array  # largest of each rolling element, Pa


@dataclasses.dataclass(frozen=True, eq=False)
class ContactLaw(ABC):
    """Base class of the contact laws of balls and rollers."""

    rolling: ClassVar[str]
    rows: tuple[RowPlace, ...]
    elements: int  # in a row
    cage_ratio: float  # ν; 0: the cage does not move
    flange: FlangeLaw
    lever: float  # R, half the pitch diameter
    times: int  # number of its elements that represent one rolling element, if the stiffness is distributed evenly

    def waves(self, e: Array) -> tuple[Array, Array]:
        """Cosine and sine of the angles of all rolling elements."""
        phases = np.array([row.phase for row in self.rows])[:, None]
        angle = phases + 2.0 * np.pi * np.arange(self.elements) / self.elements + self.cage_ratio * e[5]
        return np.cos(angle), np.sin(angle)

    @abstractmethod
    def at(self, e: Array) -> ContactState:
        """State of the bearing at six deflections."""

    def flipped(self) -> Self:
        """Return the bearing reversed along z."""
        rows = tuple(RowPlace(-row.direction, -row.position, row.phase) for row in self.rows)
        flange = FlangeLaw(self.flange.stiffness, self.flange.gap_down, self.flange.gap_up)
        return dataclasses.replace(self, rows=rows, flange=flange)


class FlangeLaw(NamedTuple):
    """Flanges of a cylindrical roller bearing: an axial stiffness beyond a gap, in each direction."""

    stiffness: float = 0.0
    gap_up: float = np.inf  # towards +z
    gap_down: float = np.inf

    def at(self, z: Any) -> tuple[Any, Any, float]:
        """Energy, force and stiffness."""
        up, down = z - self.gap_up, z + self.gap_down
        x = up if np.real(up) > 0.0 else down if np.real(down) < 0.0 else 0.0 * z
        return 0.5 * self.stiffness * x * x, self.stiffness * x, self.stiffness if np.real(x) != 0.0 else 0.0


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
