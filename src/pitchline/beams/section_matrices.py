"""Stiffness and mass matrices of a section from its properties, and checks of matrices from the user."""

from __future__ import annotations

import math

import numpy as np

from ..errors import ModelError
from .se3 import adjoint

__all__ = [
    "checked_matrix", "rectangle_torsion", "rectangle_torsion_modulus", "section_mass", "section_stiffness", "shear_factor_of_tube",
]  # fmt: skip

Array = np.ndarray
SYMMETRIC = 1e-9
"""Largest asymmetry, relative to the diagonal, that counts as rounding."""


def shear_factor_of_tube(poissons_ratio: float, ratio: float) -> float:
    """kappa of a hollow circle, ratio = inner / outer diameter (Cowper, J. Appl. Mech. 33, 1966)."""
    nu, m2 = poissons_ratio, ratio * ratio
    a = (1 + m2) ** 2
    return 6 * (1 + nu) * a / ((7 + 6 * nu) * a + (20 + 12 * nu) * m2)


def rectangle_torsion(width: float, height: float) -> float:
    """Torsion constant of a rectangle [m^4], Saint-Venant series."""
    a, b = max(width, height), min(width, height)
    series = sum(math.tanh(n * math.pi * a / (2 * b)) / n**5 for n in range(1, 40, 2))
    return a * b**3 * (1 / 3 - 64 * b / (math.pi**5 * a) * series)


def rectangle_torsion_modulus(width: float, height: float) -> float:
    """W_t [m^3]: the largest shear stress, in the middle of the long side, is M_z / W_t (Saint-Venant)."""
    a, b = max(width, height), min(width, height)
    series = sum(_sech(n * math.pi * a / (2 * b)) / n**2 for n in range(1, 200, 2))
    return rectangle_torsion(width, height) / (b * (1 - 8 / math.pi**2 * series))


def _sech(x: float) -> float:
    return 1 / math.cosh(x) if x < 300 else 0.0


def section_stiffness(
    shear: tuple[float, float],
    axial: float,
    bending: tuple[float, float],
    torsion: float,
    centroid: tuple[float, float],
    shear_centre: tuple[float, float],
    angle: float,
) -> Array:
    """Stiffness (6, 6) about the line of nodes.

    In principal axes: shear (GA_x, GA_y), EA, (EI_x, EI_y), GJ. These axes are rotated by `angle` about z. Axial force and
    bending act about the centroid, shear and torsion about the shear centre. Both points are in beam axes.
    """
    turn = _turned(angle)
    principal = turn @ np.diag([*shear, axial, *bending, torsion]) @ turn.T
    strain = np.eye(6)  # strains at centroid and shear centre from those of the line of nodes
    strain[2, 3], strain[2, 4] = centroid[1], -centroid[0]
    strain[0, 5], strain[1, 5] = -shear_centre[1], shear_centre[0]
    return strain.T @ principal @ strain


def section_mass(mass: float, inertia: tuple[float, float], centroid: tuple[float, float], angle: float) -> Array:
    """Mass (6, 6) about the line of nodes, from mass and rotary inertias about the principal axes, per length."""
    turn = _turned(angle)
    principal = turn @ np.diag([mass, mass, mass, *inertia, sum(inertia)]) @ turn.T
    carry = adjoint(-np.array([*centroid, 0.0]), np.eye(3))
    return carry.T @ principal @ carry


def _turned(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return adjoint(np.zeros(3), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))


def checked_matrix(value: object, what: str, *, definite: bool) -> Array:
    """Read a symmetric matrix (6, 6) without negative eigenvalues. definite: also without zero eigenvalues."""
    try:
        matrix = np.array(value, float)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: expected a 6x6 matrix of numbers in SI units", about=what) from None
    if matrix.shape != (6, 6) or not np.all(np.isfinite(matrix)):
        raise ModelError(f"{what}: expected a 6x6 matrix of finite numbers, got the shape {matrix.shape}", about=what)
    size = np.sqrt(np.abs(np.diag(matrix)))
    scale = np.outer(size, size)
    skewness = np.abs(matrix - matrix.T)
    worst = np.unravel_index(int(np.argmax(skewness - SYMMETRIC * scale)), (6, 6))
    if skewness[worst] > SYMMETRIC * scale[worst]:
        i, j = int(worst[0]), int(worst[1])
        raise ModelError(
            f"{what}: must be symmetric, got {matrix[i, j]:g} in row {i + 1}, column {j + 1} but {matrix[j, i]:g} in "
            "the mirrored position",
            about=what,
        )
    matrix = 0.5 * (matrix + matrix.T)
    units = np.where(size > 0, size, 1.0)
    lowest = float(np.linalg.eigvalsh(matrix / np.outer(units, units))[0])
    if lowest < (1e-12 if definite else -1e-9):
        needs = "positive definite: every strain needs energy" if definite else "without negative eigenvalues"
        raise ModelError(
            f"{what}: must be {needs}; its lowest eigenvalue, scaled by the diagonal, is {lowest:.3g}", about=what
        )
    return matrix
