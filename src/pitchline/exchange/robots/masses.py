"""Mass properties of links: checks, rotation into link axes, and the sum of links that are fixed to each other."""

from __future__ import annotations

import numpy as np

from ...solids.rotations import Array
from .placement import RobotPlacement

__all__ = ["add_masses", "inertia_about", "is_real", "moments_text", "negative_moment", "without_rounding"]

LEAST = 1e-15
"""Inertia below which the sign of a principal moment is not checked [kg*m^2]."""
ROUNDING = 1e-6
"""Negative principal moment, divided by the largest one, that is taken as rounding in a file with few digits."""


def negative_moment(inertia: Array) -> bool:
    """Whether a principal moment is negative beyond rounding."""
    size = float(np.abs(inertia).max())
    return size > LEAST and float(np.linalg.eigvalsh(inertia)[0]) < -ROUNDING * size


def without_rounding(inertia: Array) -> Array:
    """Symmetric inertia. Negative principal moments that are rounding become zero."""
    inertia = 0.5 * (inertia + inertia.T)
    moments, axes = np.linalg.eigh(inertia)
    return np.asarray(axes @ np.diag(np.maximum(moments, 0.0)) @ axes.T) if moments[0] < 0.0 else inertia


def moments_text(inertia: Array) -> str:
    """Principal moments for messages."""
    a, b, c = np.linalg.eigvalsh(inertia)
    return f"{a:.4g}, {b:.4g} and {c:.4g} kg*m^2"


def is_real(inertia: Array) -> bool:
    """Whether a rigid body can have this inertia: no principal moment is larger than the sum of the others."""
    moments = np.linalg.eigvalsh(inertia)
    return bool(moments[0] + moments[1] >= moments[2] * (1.0 - 1e-9))


def add_masses(parts: list[tuple[float, Array, Array, RobotPlacement]]) -> tuple[float, Array, Array]:
    """Mass, centre and inertia about it of several parts (mass, centre, inertia about it, placement) in one frame."""
    total = sum(mass for mass, _, _, _ in parts)
    if total <= 0.0:
        turned = [place.rotation @ inertia @ place.rotation.T for _, _, inertia, place in parts]
        centre = parts[0][3].point(parts[0][1]) if parts else np.zeros(3)
        return 0.0, centre, np.sum(turned, axis=0) if turned else np.zeros((3, 3))
    centres = [place.point(centre) for _, centre, _, place in parts]
    middle = np.asarray(sum(part[0] * c for part, c in zip(parts, centres, strict=True)) / total)
    inertia = np.zeros((3, 3))
    for (mass, _, own, place), c in zip(parts, centres, strict=True):
        inertia += place.rotation @ own @ place.rotation.T + inertia_about(mass, c - middle)
    return total, middle, 0.5 * (inertia + inertia.T)


def inertia_about(mass: float, arm: Array) -> Array:
    """Inertia of a point mass about the origin."""
    return np.asarray(mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm)))
