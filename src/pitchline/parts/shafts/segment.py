"""Segment: the part of a shaft or beam between two nodes: stiffness, mass, deflection line, section forces.

Its reference line is the screw motion exp(s d0), s = 0..1 over its length. For a straight segment d0 = (0, 0, L, 0, 0, 0).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from ..gears.geometry.inputs import Material
from .sections import BeamSection, ShaftSection, adjoint, exp_se3, inverse_tangent, skew

__all__ = [
    "SegmentPiece",
    "SegmentPoints",
    "Segment",
    "straight_rest",
    "ELEMENTS_PER_WAVE",
    "cuts",
    "wave_number",
    "flexibility_at",
    "relative_gradient",
    "segment_stiffness",
    "MassKind",
    "segment_mass",
    "segment_shapes",
    "SectionStress",
    "deflection_line",
    "section_forces",
    "section_stress",
    "stresses_along",
]


Array = np.ndarray
GAUSS_X, GAUSS_W = np.polynomial.legendre.leggauss(6)
"""Gauss points in a piece: exact for uniform pieces, relative error 1e-6 for a cone of 2:1."""


@dataclass(frozen=True)
class SegmentPiece:
    """Piece with a constant or smoothly varying section: `at(share)`, share = 0..1 along it."""

    length: float
    at: Callable[[float], BeamSection]
    notch_factor: float = 1.0

    def part(self, begin: float, end: float) -> SegmentPiece:
        """Return the part between two fractions of the piece."""
        return SegmentPiece(
            (end - begin) * self.length, lambda s: self.at(begin + s * (end - begin)), self.notch_factor
        )

    @staticmethod
    def uniform(length: float, section: BeamSection) -> SegmentPiece:
        """Make a piece with a constant section."""
        return SegmentPiece(length, lambda s: section)

    @staticmethod
    def of_shaft(section: ShaftSection, material: Material) -> SegmentPiece:
        """Make a piece from a shaft section. material: material of the shaft."""
        if section.uniform:
            same = section.at(0.0, material)
            return SegmentPiece(section.length, lambda s: same, section.notch_factor)
        return SegmentPiece(section.length, lambda s: section.at(s, material), section.notch_factor)


@dataclass(frozen=True, eq=False)
class SegmentPoints:
    """Integration points: fractions of the segment (n), weights [m] (n), compliance and mass per length (n, 6, 6)."""

    share: Array
    weight: Array
    compliance: Array
    mass: Array


def straight_rest(length: float) -> Array:
    """d0 of a straight segment along z."""
    return np.array([0.0, 0.0, length, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Segment:
    """Pieces between two nodes. rest: logarithm d0 (6) of the undeformed motion from the first to the second section frame."""

    pieces: tuple[SegmentPiece, ...]
    rest: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if self.rest.size == 0:
            object.__setattr__(self, "rest", straight_rest(self.length))

    @staticmethod
    def uniform(length: float, section: BeamSection, rest: Array | None = None) -> Segment:
        """Make a segment with one section. rest: as in the class; default straight."""
        return Segment((SegmentPiece.uniform(length, section),), np.zeros(0) if rest is None else rest)

    @staticmethod
    def of_shaft(sections: Sequence[ShaftSection], material: Material) -> Segment:
        """Make a whole shaft, which is divided later. material: of sections without their own material."""
        return Segment(tuple(SegmentPiece.of_shaft(s, material) for s in sections))

    @property
    def length(self) -> float:
        """Length of the reference line [m]."""
        return sum(p.length for p in self.pieces)

    @cached_property
    def borders(self) -> Array:
        """Fractions of the length at which pieces begin and end."""
        return np.concatenate([[0.0], np.cumsum([p.length for p in self.pieces])]) / self.length

    def between(self, begin: float, end: float) -> Segment:
        """Return the part between two fractions of the segment, with the steps in it."""
        found = []
        for piece, a, b in zip(self.pieces, self.borders, self.borders[1:], strict=False):
            low, high = max(a, begin), min(b, end)
            if high - low > 1e-12:
                found.append(piece.part((low - a) / (b - a), (high - a) / (b - a)))
        return Segment(tuple(found), (end - begin) * self.rest)

    def place_of(self, share: float) -> tuple[int, float]:
        """Index of the piece at a fraction of the segment, and the fraction of that piece."""
        k = min(max(int(np.searchsorted(self.borders, share, side="right")) - 1, 0), len(self.pieces) - 1)
        a, b = self.borders[k], self.borders[k + 1]
        return k, min(max((share - a) / (b - a), 0.0), 1.0)

    def points(self, k: int, begin: float, end: float) -> SegmentPoints:
        """Integration points in piece k between two fractions of that piece."""
        piece, a, b = self.pieces[k], self.borders[k], self.borders[k + 1]
        s = begin + 0.5 * (GAUSS_X + 1) * (end - begin)
        sections = [piece.at(float(x)) for x in s]
        if all(section is sections[0] for section in sections):
            compliance = np.broadcast_to(np.linalg.inv(sections[0].stiffness), (s.size, 6, 6))
        else:
            compliance = np.linalg.inv(np.stack([section.stiffness for section in sections]))
        mass = np.stack([section.mass for section in sections])
        return SegmentPoints(a + s * (b - a), 0.5 * GAUSS_W * (end - begin) * piece.length, compliance, mass)

    def motions(self, begin: Array, end: float) -> Array:
        """(n, 6, 6): small motions of sections at the fractions `begin`, in their axes, transformed to the section at `end` as
        for a rigid body."""
        if np.any(self.rest[3:]):
            return np.stack([adjoint(*exp_se3((s - end) * self.rest)) for s in begin])
        out = np.tile(np.eye(6), (begin.size, 1, 1))
        out[:, :3, 3:] = (begin - end)[:, None, None] * skew(self.rest[:3])
        return out

    def motion(self, begin: float, end: float) -> Array:
        """(6, 6): the same for one section."""
        return self.motions(np.array([begin]), end)[0]


# ---- cutting

# Division of a shaft into elements: h <= lambda/7 at the highest frequency of interest.
#
# lambda is the wavelength of bending with shear and rotary inertia, or of torsion or axial motion if that is shorter.
# The elements have equal phase lengths. Therefore thick pieces have longer elements than thin ones, and in a uniform
# piece all elements are equal.

ELEMENTS_PER_WAVE = 7.0
"""With the tuned mass, the error of the highest frequency of interest of a bare shaft is about 0.1 %."""
SAMPLES = 16
"""Number of points in a piece at which a taper is evaluated."""


def wave_number(section: BeamSection, frequency: float) -> float:
    """k = 2 pi/lambda [1/m] of the shortest wave at a frequency [Hz]: bending of the Timoshenko beam, torsion, axial."""
    omega = 2 * math.pi * frequency
    K, M = np.diag(section.stiffness), np.diag(section.mass)
    found = [omega * math.sqrt(M[2] / K[2]), omega * math.sqrt(M[5] / K[5])]
    for shear, bending, inertia in ((K[0], K[4], M[4]), (K[1], K[3], M[3])):
        m = M[0]
        mean = 0.5 * omega**2 * (m / shear + inertia / bending)
        spread = math.hypot(0.5 * omega**2 * (m / shear - inertia / bending), omega * math.sqrt(m / bending))
        found.append(math.sqrt(mean + spread))
    return max(found)


def cuts(segment: Segment, frequency: float | None, *, least: int = 1) -> list[float]:
    """Fractions of a segment, from 0 to 1, at which its elements begin and end. least: minimum number of elements."""
    phase, places = [0.0], [0.0]
    for k, piece in enumerate(segment.pieces):
        a, b = segment.borders[k], segment.borders[k + 1]
        for i in range(SAMPLES):
            number = 1.0 if frequency is None else wave_number(piece.at((i + 0.5) / SAMPLES), frequency)
            phase.append(phase[-1] + number * piece.length / SAMPLES)
            places.append(a + (b - a) * (i + 1) / SAMPLES)
    count = least
    if frequency is not None:
        count = max(least, math.ceil(ELEMENTS_PER_WAVE * phase[-1] / (2 * math.pi) * (1 - 1e-9)))
    return [float(s) for s in np.interp(np.linspace(0.0, phase[-1], count + 1), phase, places)]


# ---- flexibility

# Stiffness of a segment from its flexibility: exact in linear statics for any steps and tapers.
#
# Force and moment in the segment are in equilibrium with those at its end B. A strain at the fraction s moves B by
# X(s), the motion of that section seen at B. In the axes of B
#
# C_B = int X c X^T dz, C_d = T^-1(d0) C_B T^-T(d0), K = C_d^-1
#
# for d = log(H_A^-1 H_B). c is the compliance of the section. For a uniform straight segment this is the matrix of
# the Timoshenko beam (Przemieniecki 1968), with MacNeal's residual bending flexibility (Comput. Struct. 8, 1978) in
# shear.


def _brought_to_end(segment: Segment, points: SegmentPoints) -> Array:
    """int X c X^T dz over the points."""
    X = segment.motions(points.share, 1.0)
    return np.asarray(np.tensordot(points.weight, X @ points.compliance @ X.transpose(0, 2, 1), axes=1))


def flexibility_at(segment: Segment, k: int, share: float) -> Array:
    """Contribution to C_B of piece k up to a fraction of that piece."""
    return _brought_to_end(segment, segment.points(k, 0.0, share))


def segment_stiffness(segment: Segment) -> Array:
    """K (6, 6) for d - d0 of a segment, about its undeformed state."""
    at_end = sum(flexibility_at(segment, k, 1.0) for k in range(len(segment.pieces)))
    T = inverse_tangent(segment.rest)
    K = np.linalg.inv(T @ at_end @ T.T)
    return 0.5 * (K + K.T)


def relative_gradient(rest: Array) -> Array:
    """P0 (6, 12): derivative of d with respect to small motions of both ends, in their own axes, in the undeformed state."""
    return np.hstack([-inverse_tangent(-rest), inverse_tangent(rest)])


# ---- tuned mass

# Mass matrix (12, 12) of a segment for the body velocities of its two section frames.
#
# Consistent: M_c = int N^T m N dz with the exact static shapes N of the segment, including steps and tapers (Guyan
# reduction of the continuum; Nelson, J. Mech. Des. 102, 1980, for a uniform segment). For any shapes, the frequencies
# of a two-node element with shear have an error of order h^2. Tuned: M = M_c + P0^T M_d P0, an inertia that acts only
# on the rate of d and compensates most of that error:
#
# M_d = h diag(m/18, m/18, m/12, m EI/(12 kGA), m EI/(12 kGA), J_p/12)
#
# m/12 and J_p/12 leave an error of order h^4 in bars. m/18 is a fit for shafts (length 4 to 20 diameters) that leaves
# about one eighth of the error in bending. Rigid motions, momentum and moments of inertia do not change.

MassKind = Literal["tuned", "consistent", "lumped"]


def segment_shapes(segment: Segment, shares: Array, K: Array) -> Array:
    """(n, 6, 6): static shapes S(s), motion of the section at the fraction s, in its axes, per d - d0 with the first end fixed."""
    whole = [flexibility_at(segment, k, 1.0) for k in range(len(segment.pieces))]
    before = np.concatenate([[np.zeros((6, 6))], np.cumsum(whole, axis=0)])
    load = inverse_tangent(segment.rest).T @ K
    out = []
    for share in shares:
        k, local = segment.place_of(float(share))
        flexibility = before[k] + flexibility_at(segment, k, local)
        out.append(segment.motion(1.0, float(share)) @ flexibility @ load)
    return np.array(out).reshape(-1, 6, 6)


def segment_mass(segment: Segment, K: Array | None = None, kind: MassKind = "tuned") -> Array:
    """M (12, 12) of a segment. K: its stiffness, if already computed."""
    if kind == "lumped":
        return _lumped(segment)
    K = segment_stiffness(segment) if K is None else K
    P = relative_gradient(segment.rest)
    M = np.zeros((12, 12))
    for k in range(len(segment.pieces)):
        points = segment.points(k, 0.0, 1.0)
        N = segment_shapes(segment, points.share, K) @ P
        N[:, :, :6] += np.stack([segment.motion(0.0, float(s)) for s in points.share])
        M += np.tensordot(points.weight, N.transpose(0, 2, 1) @ points.mass @ N, axes=1)
    if kind == "tuned":
        M += P.T @ _relative_mass(segment) @ P
    return 0.5 * (M + M.T)


def _relative_mass(segment: Segment) -> Array:
    """M_d (6, 6), with means of mass and compliance over the segment."""
    m, C = np.zeros((6, 6)), np.zeros((6, 6))
    for k in range(len(segment.pieces)):
        points = segment.points(k, 0.0, 1.0)
        m += np.einsum("n,nij->ij", points.weight, points.mass)
        C += np.einsum("n,nij->ij", points.weight, points.compliance)
    across = np.array([[0.0, -1.0], [1.0, 0.0]])  # bending about x belongs to shear along y
    ratio = (
        across @ C[:2, :2] @ across.T @ np.linalg.inv(C[3:5, 3:5])
    )  # EI/(kGA), for any direction of the principal axes
    out = np.diag([m[0, 0] / 18, m[1, 1] / 18, m[2, 2] / 12, 0.0, 0.0, m[5, 5] / 12])
    out[3:5, 3:5] = m[0, 0] / 24 * (ratio + ratio.T)
    return out


def _lumped(segment: Segment) -> Array:
    """Rigid halves of the segment, each on its node."""
    M = np.zeros((12, 12))
    for half, end, place in (
        (segment.between(0.0, 0.5), 0.0, slice(0, 6)),
        (segment.between(0.5, 1.0), 1.0, slice(6, 12)),
    ):
        for k in range(len(half.pieces)):
            points = half.points(k, 0.0, 1.0)
            shares = 0.5 * points.share + (0.0 if end == 0.0 else 0.5)
            for share, weight, mass in zip(shares, points.weight, points.mass, strict=True):
                carry = segment.motion(end, float(share))
                M[place, place] += weight * carry.T @ mass @ carry
    return 0.5 * (M + M.T)


# ---- recovery

# Results along a segment, from the motion of its ends: deflection line, section forces, stresses.
#
# Exact in linear statics for a segment that is loaded only at its ends. In dynamics, the inertia between the nodes is
# neglected; the error is proportional to the square of the element length.


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
