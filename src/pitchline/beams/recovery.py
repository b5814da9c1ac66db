"""Results along a segment, from the motion of its ends: deflection line, section forces, stresses.

Exact in linear statics for a segment that is loaded only at its ends. In dynamics, the inertia between the nodes is neglected;
the error is proportional to the square of the element length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .flexibility import segment_stiffness
from .se3 import exp_se3, inverse_tangent
from .sections import BeamSection
from .segment import Segment
from .tuned_mass import segment_shapes

__all__ = ["SectionStress", "deflection_line", "section_forces", "section_stress", "stresses_along"]

Array = np.ndarray


@dataclass(frozen=True)
class SectionStress:
    """Largest nominal stresses in a section [Pa]. NaN if the section moduli are not specified.

    bending is the amplitude, times the notch factor. axial has a sign; torsion and bending have none.
    """

    bending: float
    torsion: float
    axial: float

    @property
    def equivalent(self) -> float:
        """Von Mises stress: sqrt((bending + |axial|)^2 + 3 torsion^2)."""
        return float(np.sqrt((self.bending + abs(self.axial)) ** 2 + 3 * self.torsion**2))


def deflection_line(segment: Segment, d: Array, shares: Array, K: Array | None = None) -> tuple[Array, Array]:
    """Positions (n, 3) and rotations (n, 3, 3) of sections at fractions of the segment, in the axes of the first section frame.

    d (6): logarithm of the motion from the first to the second section frame. Exact at both ends for any deformation.
    """
    K = segment_stiffness(segment) if K is None else K
    S = segment_shapes(segment, np.asarray(shares, float), K)
    positions, rotations = [], []
    for share, shape in zip(shares, S, strict=True):
        x, R = exp_se3(share * segment.rest + inverse_tangent(share * segment.rest) @ shape @ (d - segment.rest))
        positions.append(x)
        rotations.append(R)
    return np.array(positions), np.array(rotations)


def section_forces(segment: Segment, n: Array, shares: Array) -> Array:
    """Force and moment (k, 6) in section axes at fractions of the segment, from the following part on the preceding part.

    n = K (d - d0) + C d_rate: as computed by the element.
    """
    end = inverse_tangent(segment.rest).T @ n
    return np.array([segment.motion(float(s), 1.0).T @ end for s in shares])


def section_stress(section: BeamSection, forces: Array, notch_factor: float = 1.0) -> SectionStress:
    """Stresses due to the force and moment (6) in a section."""
    x, y = section.centroid
    Mx, My = forces[3] - y * forces[2], forces[4] + x * forces[2]
    c, s = np.cos(section.angle), np.sin(section.angle)
    Mx, My = c * Mx + s * My, -s * Mx + c * My
    Wx, Wy = section.bending_moduli
    bending = axial = torsion = np.nan
    if Wx and Wy:
        bending = np.hypot(Mx, My) / Wx if section.round else abs(Mx) / Wx + abs(My) / Wy
    if section.area:
        axial = forces[2] / section.area
    if section.torsion_modulus:
        x, y = section.shear_centre
        torsion = abs(forces[5] - x * forces[1] + y * forces[0]) / section.torsion_modulus
    return SectionStress(float(notch_factor * bending), float(torsion), float(axial))


def stresses_along(segment: Segment, n: Array, shares: Array) -> list[SectionStress]:
    """Stresses at fractions of the segment. At a step, those on the side with the larger equivalent stress."""
    found = []
    for share, forces in zip(shares, section_forces(segment, n, shares), strict=True):
        k, local = segment.place_of(float(share))
        sides = [(segment.pieces[k], local)]
        if k > 0 and local < 1e-9:
            sides.append((segment.pieces[k - 1], 1.0))
        found.append(
            max((section_stress(p.at(s), forces, p.notch_factor) for p, s in sides), key=lambda one: one.equivalent)
        )
    return found
