"""Hertzian contacts of rolling elements with raceways, in the form of ISO/TS 16281:2008.

Point contact of a ball: with the sum of curvatures Σρ and their difference F(ρ), the ratio χ of the axes of the contact
ellipse is the root of 1 - 2/(χ²-1) (K/E - 1) = F(ρ). K and E are the complete elliptic integrals of the modulus m = 1 - χ⁻².
The load is Q = k δ^(3/2) with k = π χ E' √(2E/(9 Σρ)) K^(-3/2). The pressure in the middle is p = c Q^(1/3).
Line contact of a roller: p = √(q E' / (2 π R)), q the load per length.
E' = 2 / ((1-ν₁²)/E₁ + (1-ν₂²)/E₂), which is E/(1-ν²) for one material.
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["MATERIALS", "PointContact", "RollingMaterial", "contact_modulus", "line_pressure", "point_contact"]


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
